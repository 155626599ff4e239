"""Records of rk45 and dop853 lie inside their steps; runs pause inside long record intervals without changing a bit."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from floatframe import hybrid
from floatframe.hybrid.simulation import run as running
from tests.hybrid.closed_loop import closed_loop


def oscillator() -> hybrid.Model:
    """A slider of 1 kg on a spring of 1 N/m, released at 1 m: x = cos t."""
    model = hybrid.Model()
    body = model.add(hybrid.RigidBody("body", 1.0, (1, 1, 1)))
    model.add(hybrid.prismatic("A", body.at(), model.ground.at(), axis=(1, 0, 0), start=1.0))
    model.add(hybrid.joint_force("spring", "A", "-displacement"))
    return model


@pytest.mark.parametrize("method", ["rk45", "dop853"])
@pytest.mark.parametrize("make", [oscillator, closed_loop])
def test_records_do_not_limit_the_steps(make, method):
    system = make().compile()
    settings = {"t_end": 3.0, "method": method, "rtol": 1e-7}
    runs = [system.simulate(**settings, record=hybrid.Record(every=every)) for every in (3.0, 0.1, 1e-3, None)]
    steps = [int(result.statistics["steps"][-1]) for result in runs]
    assert len(set(steps)) == 1
    assert steps[0] < 1000 < len(runs[2])
    for result in runs[1:]:
        assert np.array_equal(result.q[-1], runs[0].q[-1])
        assert np.array_equal(result.v[-1], runs[0].v[-1])


@pytest.mark.parametrize(("method", "order", "steps"), [("rk45", 4, (0.4, 0.2, 0.1)), ("dop853", 7, (1.0, 0.7, 0.5))])
def test_records_inside_steps_have_the_error_of_their_extension(method, order, steps):
    # an extension of order p has an error of order p + 1 inside one step, and so is the sum of errors of the steps
    system = oscillator().compile()
    errors = []
    for step in steps:
        record = hybrid.Record(every=0.0123)
        result = system.simulate(
            t_end=4.0, method=method, rtol=0.5, options=hybrid.SolverOptions(step_max=step), record=record
        )
        # the first steps are shorter
        assert result.statistics["steps"][-1] == pytest.approx(4.0 / step, abs=8)
        errors.append(np.abs(result["A.displacement"] - np.cos(result.t)).max())
        assert_allclose(result["A.rate"], -np.sin(result.t), atol=3 * errors[-1])
    assert np.polyfit(np.log(steps), np.log(errors), 1)[0] == pytest.approx(order + 1, abs=0.4)


@pytest.mark.parametrize("settings", [{"step": 1e-3}, {"method": "dop853"}], ids=str)
def test_the_balance_of_energy_misses_nothing_between_seldom_records(settings):
    """Channels of energy that nobody names are left out; what a damper takes is added up inside the steps."""
    model = oscillator()
    model.add(hybrid.joint_force("damper", "A", "-0.3*rate"))
    system = model.compile()
    runs = [
        system.simulate(t_end=4.0, record=hybrid.Record(every=every, channels=["A.*"]), **settings)
        for every in (2.0, 0.01)
    ]
    for run in runs:
        assert [channel.name for channel in run.channels if channel.name.startswith("energy")] == []
    seldom, often = (run.statistics for run in runs)
    assert seldom["energy"][-1] < 0.5 * seldom["energy"][0]  # exp(-1.2) = 0.3, and what swings to and fro
    for name in ("energy", "energy_balance", "constraint_drift"):
        assert_allclose(seldom[name], often[name][::200], atol=1e-14)


def test_records_inside_steps_lie_on_the_constraints():
    system = closed_loop().compile()
    result = system.simulate(t_end=2.0, method="rk45", rtol=1e-4, record=hybrid.Record(every=5e-3))
    assert int(result.statistics["steps"][-1]) < 0.5 * len(result)
    assert result.statistics["constraint_drift"].max() < 1e-11
    # Newton's law of all bars at every record: accelerations and reactions belong to the recorded state
    pull = sum(result[f"bar{k}.com_acceleration"] for k in range(3)) - 3 * np.array([0, -9.81, 0])
    assert_allclose(result["A.force"] + result["D.force"], pull, atol=1e-8)


def test_event_inside_a_step_with_many_records():
    record = hybrid.Record(every=1e-3)
    system = oscillator().compile()
    result = system.simulate(t_end=9.0, method="rk45", rtol=1e-6, record=record, events=["A.displacement"])
    assert result.status.reason == "stopped by event"
    assert result.status.t == pytest.approx(np.pi / 2, abs=1e-5)
    assert_allclose(result.t[:-1], np.arange(len(result) - 1) * 1e-3, atol=1e-12)
    assert result.t[-2] < result.t[-1] <= result.t[-2] + 1e-3


# pauses


@pytest.mark.parametrize(
    "settings",
    [
        {"step": 1e-3},
        {"method": "generalised-alpha", "rtol": 1e-7},
        {"method": "bdf2", "step": 1e-3},
        {"method": "rk45", "rtol": 1e-9},
    ],
    ids=str,
)
def test_pauses_inside_a_record_interval_change_nothing(monkeypatch, settings):
    system = closed_loop().compile()
    record, events = hybrid.Record(every=0.37), ["t - 2.9"]
    whole = system.simulate(t_end=3.0, record=record, events=events, **settings)
    monkeypatch.setattr(running, "FIRST_STEPS", 7)
    monkeypatch.setattr(running, "MOST_FIRST", 1)
    monkeypatch.setattr(running, "GROWTH", 1.0)
    seen: list[running.Progress] = []
    paused = system.simulate(t_end=3.0, record=record, events=events, progress=seen.append, **settings)
    assert len(seen) > 3 * len(paused)  # the bar moves between records
    assert [now.t for now in seen] == sorted(now.t for now in seen)
    assert np.array_equal(paused.t, whole.t)
    assert np.array_equal(paused.q, whole.q)
    assert np.array_equal(paused.v, whole.v)


def test_interrupted_inside_a_record_interval_resumes_to_the_same_bits(monkeypatch, tmp_path):
    system = closed_loop().compile()
    settings = {"t_end": 2.0, "step": 1e-3, "record": hybrid.Record(every=1.0)}
    whole = system.simulate(**settings)
    monkeypatch.setattr(running, "FIRST_STEPS", 7)
    monkeypatch.setattr(running, "MOST_FIRST", 1)
    monkeypatch.setattr(running, "GROWTH", 2.0)  # no block goes from before 0.3 s to beyond 1 s

    def stop(now: running.Progress) -> None:
        if now.t > 0.3:
            raise KeyboardInterrupt

    path = tmp_path / "run.h5"
    broken = system.simulate(**settings, path=path, progress=stop)
    assert broken.status.reason == "interrupted"
    assert broken.t.tolist() == [0.0]
    resumed = system.simulate(**settings, path=path, resume=True)
    assert np.array_equal(resumed.q, whole.q)
    assert np.array_equal(resumed.v, whole.v)


ROOT = Path(__file__).parents[3]
LONG = """
    import sys
    sys.path.insert(0, {root!r})
    from floatframe import hybrid
    from tests.hybrid.closed_loop import closed_loop

    system = closed_loop().compile()
    system.simulate(t_end=0.01, step=1e-3)
    print("ready", flush=True)
    result = system.simulate(t_end=1e6, step=1e-3, record=hybrid.Record(every=1e6))
    print(result.status.reason, flush=True)
"""


@pytest.mark.skipif(not hasattr(os, "kill") or sys.platform == "win32", reason="no SIGINT here")
def test_interrupt_is_answered_inside_a_long_record_interval():
    script = textwrap.dedent(LONG.format(root=str(ROOT)))
    process = subprocess.Popen(
        [sys.executable, "-c", f"import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n{script}"],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    time.sleep(1.0)
    process.send_signal(signal.SIGINT)
    # a block takes 0.25 s, the interval many days; the rest is for a busy machine
    assert process.communicate(timeout=10)[0] == "interrupted\n"
