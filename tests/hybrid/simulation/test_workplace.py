"""Runs one after the other at one workplace: bit-equal to runs alone, whatever was run there before."""

from __future__ import annotations

import numpy as np
import pytest

from floatframe import hybrid as h
from floatframe.errors import ModelError
from floatframe.hybrid.settings import Settings
from floatframe.hybrid.simulation import Workplace, simulate
from floatframe.hybrid.simulation.stages import RunStages

NUMBERS = {"mass": 2.0, "com": 0.1, "stiff": 300.0, "drag": 0.3, "hold": 4.0, "gain": 5.0, "g": 9.81, "limit": 1e9}


def machine() -> h.Model:
    """An arm that moves a slide over a link, with a spring, friction that sticks, a state and counted turns."""
    model = h.Model(gravity=(0, 0, "-g"), parameters=NUMBERS)
    arm = model.add(h.RigidBody("arm", "mass", inertia=(0.3, 0.3, 0.3), com=("com", 0, 0)))
    slide = model.add(h.RigidBody("slide", 1.0, inertia=(1, 1, 1), position=(1, 0, 0)))
    model.add(h.revolute("A", arm.at(), model.ground.at(), axis=(0, 1, 0)))
    model.add(h.prismatic("guide", slide.at(), model.ground.at((1, 0, 0)), axis=(1, 0, 0)))
    model.add(h.distance("link", slide.at(), arm.at((0, 0, 0.5))))
    model.add(h.spring("spring", slide.at(), model.ground.at((2, 0, 0.1)), stiffness="stiff", damping="drag"))
    model.add(h.joint_friction("grip", "guide", "hold", stick=True, stiffness=1e4))
    model.add(h.StateVariable("lag", rate="gain*(A.rate - lag) + 1e-30*sqrt(limit - t)"))
    model.add(h.joint_torque("brake", "A", "-drag*lag - 0.1*gain*angle"))
    return model


def assert_same(one: h.Results, other: h.Results) -> None:
    """All records of two runs have the same bits."""
    columns = [(run.t, run.q, run.v, *(run[channel.name] for channel in run.channels)) for run in (one, other)]
    columns = [(*found, *run.statistics.values()) for found, run in zip(columns, (one, other), strict=True)]
    for mine, theirs in zip(*columns, strict=True):
        assert mine.tobytes() == theirs.tobytes()
    assert one.status == other.status


@pytest.fixture
def again(monkeypatch) -> list[bool]:
    """Whether the stages of the run before served the runs that followed it."""
    served: list[bool] = []
    begin_again = RunStages.begin_again

    def noted(self: RunStages, *arguments: object) -> bool:
        served.append(begin_again(self, *arguments))
        return served[-1]

    monkeypatch.setattr(RunStages, "begin_again", noted)
    return served


@pytest.mark.parametrize(
    "settings",
    [
        {"step": 1e-3},
        {"step": 1e-3, "method": "bdf2"},
        {"rtol": 1e-4},
        {"rtol": 1e-4, "method": "radau5"},
        {"rtol": 1e-4, "method": "generalised-alpha"},
        {"rtol": 1e-4, "method": "dop853"},
    ],
    ids=lambda given: " ".join(map(str, given.values())),
)
def test_other_numbers_at_one_workplace(again, settings):
    model, place = machine(), Workplace()
    base = model.compile()
    asked = Settings(t_end=0.1, **settings)
    for other in ({}, {"stiff": 100.0}, {"mass": 3.0, "g": 2.0}, {"drag": 2.0, "gain": 2.0}, {"hold": 1.0}, {}):
        system = model.compile(other, like=base)
        assert_same(simulate(system, None, asked, workplace=place), simulate(system, None, asked))
    assert again == [True] * 5


def test_what_does_not_fit_is_made_again(again):
    model, place = machine(), Workplace()
    base = model.compile()
    asked = Settings(t_end=0.02, step=1e-3)
    few = h.Record(channels=("A.angle",))
    runs = [
        (base, asked, None),
        (model.compile({"com": 0.2}, like=base), asked, None),  # channels of the centre of mass
        (base, asked, few),
        (base, Settings(t_end=0.03, step=1e-3), few),
        (base, Settings(t_end=0.03, step=1e-3, events=("A.angle - 0.001",)), few),
        (model.compile(), Settings(t_end=0.03, step=1e-3), few),  # compiled alone
    ]
    for system, settings, record in runs:
        assert_same(simulate(system, None, settings, record, workplace=place), simulate(system, None, settings, record))
    assert again == [False] * 5


def test_a_failed_run_leaves_nothing_behind(again):
    model, place = machine(), Workplace()
    base, asked = model.compile(), Settings(t_end=0.1, step=1e-3)
    simulate(base, None, asked, workplace=place)
    broken = simulate(model.compile({"limit": 0.05}, like=base), None, asked, workplace=place)
    assert not broken.status.ok
    assert_same(simulate(base, None, asked, workplace=place), simulate(base, None, asked))
    with pytest.raises(ModelError, match="its rate evaluates to NaN at the start"):
        simulate(model.compile({"limit": -1.0}, like=base), None, asked, workplace=place)
    assert_same(simulate(base, None, asked, workplace=place), simulate(base, None, asked))
    assert again == [True, True]  # the last one is the first after a run that could not begin


def test_results_of_a_run_stay_when_the_next_one_begins():
    model, place = machine(), Workplace()
    base, asked = model.compile(), Settings(t_end=0.02, step=1e-3)
    first = simulate(base, None, asked, workplace=place)
    kept = first.q.copy(), first["A.force"].copy()
    simulate(model.compile({"g": 1.0}, like=base), None, asked, workplace=place)
    np.testing.assert_array_equal(first.q, kept[0])
    np.testing.assert_array_equal(first["A.force"], kept[1])


@pytest.mark.parametrize(
    "settings", [{"step": 1e-3}, {"step": 1e-3, "method": "bdf2"}, {"rtol": 1e-4}, {"step": 1e-3, "method": "radau5"}]
)
def test_the_start_in_the_first_block_is_that_of_a_file(settings, tmp_path):
    # files keep the start before the first step, runs in memory observe it with the records behind it
    system = machine().compile()
    start = system.initial_state()
    in_memory = system.simulate(start, 0.05, **settings)
    in_a_file = system.simulate(start, 0.05, path=tmp_path / "run.h5", **settings)
    assert in_memory.t[0] == 0.0
    assert len(in_memory) > 40
    assert_same(in_memory, in_a_file)
