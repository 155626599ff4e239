"""Parts of modes in channels of a run, against modes known in closed form."""

import csv
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

import floatframe as ff
from floatframe import hybrid as h
from floatframe.cli.main import run as command
from floatframe.hybrid.assembly import flexible_body

MASS, STIFFNESS = 3.0, 2000.0  # kg, N/m
# two equal masses between three equal springs: in phase with k/m, against each other with 3 k/m
SLOW, FAST = np.sqrt(STIFFNESS / MASS), np.sqrt(3 * STIFFNESS / MASS)  # rad/s
ALONG = (1.0, 0.0, 0.0)


def two_masses(shaft: str = "none") -> h.Model:
    """Sliders at x = 1 and 2 m, released 3 mm and 1 mm away from rest; an unbalanced shaft may turn on the first."""
    model = h.Model(gravity=(0, 0, 0))
    first, second = (model.add(h.RigidBody(name, MASS, (1, 1, 1))) for name in ("first", "second"))
    for body, x, off in ((first, 1.0, 0.003), (second, 2.0, 0.001)):
        model.add(h.prismatic(f"{body.name}_guide", body.at(), model.ground.at((x, 0, 0)), ALONG, start=off))
    wall = model.ground
    stiff = (STIFFNESS, 0.0, 0.0)
    model.add(h.bushing("left", first.at(), wall.at((1, 0, 0)), stiff))
    model.add(h.bushing("between", second.at((-1, 0, 0)), first.at(), stiff))
    model.add(h.bushing("right", second.at(), wall.at((2, 0, 0)), stiff))
    if shaft != "none":
        rotor = model.add(h.RigidBody("rotor", 1e-5, (1e-4, 1e-4, 1e-4), com=(1, 0, 0)))
        model.add(h.revolute("axle", rotor.at(), first.at(), axis=(0, 0, 1), start_rate=40.0))
        if shaft == "driven":
            model.add(h.motion("drive", "axle", "40*t"))
    return model


@pytest.fixture(scope="module")
def masses() -> h.Results:
    record = h.Record(every=1e-3)
    return two_masses().compile().simulate(t_end=3.0, rtol=1e-9, record=record)


def expected(t: np.ndarray, order: int) -> tuple[np.ndarray, np.ndarray]:
    """Parts of both modes in the motion of the first mass, or its derivative by time of an order."""
    shift = order * np.pi / 2
    # 3 mm and 1 mm are 2 mm in phase and 1 mm against each other
    return 2e-3 * SLOW**order * np.cos(SLOW * t + shift), 1e-3 * FAST**order * np.cos(FAST * t + shift)


@pytest.mark.parametrize(
    ("channel", "order", "rtol"),
    [("first.position.x", 0, 1e-6), ("first.velocity.x", 1, 1e-6), ("first.acceleration.x", 2, 1e-5)],
)
def test_parts_of_two_modes_in_closed_form(masses, channel, order, rtol):
    # accelerations of modes are differences of their speeds at 1 kHz
    found = h.contributions(masses, channel, mean="kept")
    assert found.names == ("mode 1", "mode 2", "rest")
    assert_allclose(found.frequency[:2], np.array([SLOW, FAST]) / (2 * np.pi), rtol=1e-9)
    parts = expected(masses.t, order)
    assert_allclose(found.numbers.rms[:2], [np.sqrt(np.mean(part**2)) for part in parts], rtol=rtol)
    assert_allclose(found.numbers.peak[:2], [np.abs(part).max() for part in parts], rtol=rtol)
    assert found.numbers.rms[2] < 10 * rtol * found.numbers.total_rms
    assert_allclose(found.numbers.rms_share.sum(), 1.0, rtol=1e-12)


def test_means_windows_and_differences(masses):
    # between the masses only the fast mode moves; the spring between them sees it twice
    found = h.contributions(masses, "second.position.x - first.position.x", start=1.0, end=2.0, mean="kept")
    t = masses.t[(masses.t >= 1.0) & (masses.t <= 2.0)]
    assert_allclose(found.numbers.rms[:2], [0.0, 2 * np.sqrt(np.mean(expected(t, 0)[1] ** 2))], rtol=1e-6, atol=1e-10)
    removed = h.contributions(masses, "first.position.x", start=1.0, end=1.1)
    t = masses.t[(masses.t >= 1.0) & (masses.t <= 1.1)]
    assert_allclose(removed.numbers.rms[:2], [part.std() for part in expected(t, 0)], rtol=1e-6)
    force = h.contributions(masses, "left.force.x", mean="kept")
    slow, fast = expected(masses.t, 0)
    sizes = [STIFFNESS * np.sqrt(np.mean(part**2)) for part in (slow, fast)]
    assert_allclose(force.numbers.rms[:2], sizes, rtol=1e-6)


@pytest.mark.parametrize("shaft", ["free", "driven"])
def test_a_shaft_that_turns_many_times_stays_out_of_the_other_modes(shaft):
    # its unbalance of 1e-5 kg m, turned by 120 rad, would count as 0.4 mm if it were not a motion of its own
    result = two_masses(shaft).compile().simulate(t_end=3.0, rtol=1e-8, record=h.Record(every=1e-3))
    found = h.contributions(result, "second.position.x", mean="kept")
    moving = found.frequency[:-1] > 0.1
    slow, fast = expected(result.t, 0)
    sizes = [np.sqrt(np.mean(part**2)) for part in (slow, fast)]
    # the unbalance, 0.016 N at 40 rad/s, shakes the modes by up to 0.016/(3 (44.7² - 40²)) = 1.3e-5 m, and back
    assert_allclose(found.numbers.rms[:-1][moving], sizes, atol=4e-5)


def test_modes_of_a_body_are_its_coordinates():
    steel = ff.fem.Material(E=2.1e11, nu=0.3, rho=7850.0)
    beam = ff.fem.beam_line(
        (0, 0, 0), (4, 0, 0), n=20, section=ff.fem.BeamSection.rectangle(0.05, 0.06), material=steel
    )
    body = ff.modal.reduce(beam, interface=[1, 21], n_modes=4)
    model = h.Model(gravity=(0, 0, -9.81))
    frame = model.add(h.FlexibleBody("frame", body, damping=0.01, position=(0, 0, 1)))
    for name, node, x in (("rear", 1, 0.0), ("front", 21, 4.0)):
        model.add(h.bushing(name, frame.node(node), model.ground.at((x, 0, 1)), (2e4,) * 3, (20.0,) * 3))
    wanted = ("*", "frame.node[11].acceleration")
    system = model.compile()
    result = system.simulate(t_end=2.0, record=h.Record(every=1e-3, channels=wanted))
    own = h.contributions(result, "frame.node[11].displacement.z", "frame", mean="kept", at="start")
    # the same from the shapes themselves: row of the basis times modal coordinate
    reduced, _ = flexible_body(system, "frame", "test")  # its shapes in the floating frame
    by_shapes = h.mode_contributions(reduced.shapes[6 * 10 + 2], result["frame.modal"])
    assert_allclose(own.numbers.rms[:-1], by_shapes.rms, rtol=1e-6, atol=1e-12)
    assert_allclose(own.frequency[:-1], reduced.frequency)
    # the assembled modes explain positions and accelerations of a body that turns little; suspension before bending
    for channel, left in (("frame.node[11].position.z", 1e-6), ("frame.node[11].acceleration.z", 1e-3)):
        found = h.contributions(result, channel)
        assert found.numbers.rms[-1] < left * found.numbers.total_rms
        assert found.frequency[found.numbers.ranking()[0]] == pytest.approx(3.0, abs=1.0)
    fewer = h.contributions(result, "frame.node[11].position.z", modes=2)
    assert len(fewer.names) == 3


@pytest.mark.parametrize(
    ("channel", "more", "words"),
    [
        ("first_guide.force.y", {}, "is a reaction"),
        ("first.position", {}, "several components"),
        ("first.positon.x", {}, "did you mean first.position.x"),
        ("first.position.x", {"by": "first"}, "flexible body 'first' does not exist"),
        ("first.position.x", {"start": 5.0}, "0 records lie between"),
        ("first.position.y", {}, "zero at all times"),
    ],
)
def test_mistakes_are_named(masses, channel, more, words):
    with pytest.raises(ff.ModelError, match=words):
        h.contributions(masses, channel, **more)


def test_the_command_prints_draws_and_writes(tmp_path, capsys):
    two_masses().compile().simulate(t_end=1.0, record=h.Record(every=1e-3), path=tmp_path / "run.h5")
    run, bars, table = (str(tmp_path / name) for name in ("run.h5", "bars.png", "parts.csv"))
    assert command(["contributions", run, "first.position.x", "-o", bars, "--csv", table]) == 0
    said = capsys.readouterr().out
    assert "mode 2" in said
    assert "rest" in said
    rows = list(csv.reader(Path(table).read_text(encoding="utf-8").splitlines()))
    assert [row[0] for row in rows] == ["mode", "mode 1", "mode 2", "rest"]
    assert_allclose([float(row[1]) for row in rows[1:3]], np.array([SLOW, FAST]) / (2 * np.pi), rtol=1e-6)
    assert rows[3][1] == ""
    assert command(["contributions", run, "first.position.x", "--unit", "mm", "--csv", table]) == 0
    capsys.readouterr()
    scaled = list(csv.reader(Path(table).read_text(encoding="utf-8").splitlines()))
    assert scaled[0][2:4] == ["amplitude [mm]", "RMS [mm]"]
    assert_allclose([float(row[2]) for row in scaled[1:]], [1e3 * float(row[2]) for row in rows[1:]])
    assert [row[4] for row in scaled] == [row[4] for row in rows]  # shares have no unit
    assert command(["contributions", run, "first.position.x", "--unit", "kN"]) == 2
    assert "known for them: m, mm" in " ".join(capsys.readouterr().err.split())
    assert (tmp_path / "bars.png").stat().st_size > 5000
    assert command(["contributions", run, "first_guide.force.y"]) == 2
    assert "is a reaction" in " ".join(capsys.readouterr().err.split())


def test_filters_behind_a_channel_are_those_of_each_part(masses):
    found = h.contributions(masses, "first.position.x : lowpass(5)", mean="kept")
    parts = [ff.signals.lowpass(masses.t, part, 5.0).y for part in expected(masses.t, 0)]
    assert_allclose(found.numbers.rms[:2], [np.sqrt(np.mean(part**2)) for part in parts], rtol=1e-5)
    # at rest the mass is at x = 1 m
    whole = ff.signals.lowpass(masses.t, masses["first.position.x"] - 1.0, 5.0).y
    assert found.numbers.total_rms == pytest.approx(np.sqrt(np.mean(whole**2)), rel=1e-9)
    assert found.numbers.rms[2] < 1e-6 * found.numbers.total_rms
