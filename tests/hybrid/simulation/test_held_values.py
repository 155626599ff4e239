"""Delays, switches and sampled values in runs: closed forms, exact instants, stages, resumed runs, equilibrium."""

from __future__ import annotations

from math import factorial

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.linalg import expm

from floatframe import hybrid as h
from floatframe.errors import ModelError
from tests.hybrid.interrupted import StopAfter, same_bits
from tests.hybrid.rotor import INERTIA, rotor

CONTROLLED = {"auto": 1e-11, "rk45": 1e-10, "radau5": 1e-11}
FIXED = ("rk4", "generalised-alpha", "bdf2")


def settings(method: str, step: float = 5e-3) -> dict:
    """Settings of a run as exact as the method is meant to be."""
    return {"method": method, **({"rtol": CONTROLLED[method]} if method in CONTROLLED else {"step": step})}


# delays


@pytest.mark.parametrize("method", [*CONTROLLED, *FIXED])
def test_a_smooth_signal_comes_later_and_unchanged(method):
    """Times of steps, of records and of the delay have nothing in common."""
    model = rotor()
    model.add(h.delay("late", "sin(3*t) + t^2", 0.37, start=5.0))
    result = model.compile().simulate(t_end=2.0, record=h.Record(every=0.0213), **settings(method))
    t = result.t - 0.37
    expected = np.where(t < 0.0, 5.0, np.sin(3 * t) + t**2)
    assert_allclose(result["late.value"], expected, atol=1e-8)


def by_steps(t: float) -> float:
    """z of z' = -z(t - 1) with z = 1 before, by the method of steps: a polynomial more in every second."""
    return sum((-1) ** k * (t - (k - 1)) ** k / factorial(k) for k in range(int(t) + 2))


@pytest.mark.parametrize(("method", "tolerance"), [("auto", 1e-9), ("rk45", 1e-9), ("radau5", 1e-9), ("rk4", 1e-9)])
def test_delayed_feedback_follows_the_method_of_steps(method, tolerance):
    """A kink comes back after every delay, one order smoother each time; the system starts at rest at z = 1."""
    model = rotor()
    model.add(h.StateVariable("z", rate="-late", start=1.0))
    model.add(h.delay("late", "z", 1.0))
    result = model.compile().simulate(t_end=6.0, record=h.Record(every=0.213), **settings(method, 0.0101))
    assert_allclose(result["z.value"], [by_steps(t) for t in result.t], atol=tolerance)


def test_generalised_alpha_keeps_its_order_with_delays():
    """Inside a step only second order is known, so that errors fall fourfold with half the step."""
    model = rotor()
    model.add(h.StateVariable("z", rate="-late", start=1.0))
    model.add(h.delay("late", "z", 1.0))
    system, error = model.compile(), []
    for step in (0.02, 0.01, 0.005):
        found = system.simulate(t_end=3.0, method="generalised-alpha", step=step, record=h.Record(every=3.0))
        error.append(abs(found["z.value"][-1] - by_steps(3.0)))
    assert_allclose(np.array(error[:-1]) / error[1:], 4.0, rtol=0.1)


def test_delays_in_a_row_and_in_a_loop_of_their_own():
    """u = 1 - late/2 jumps after every delay: 1 - 1/2 + 1/4 - …"""
    model = rotor()
    model.add(h.Signal("u", "1 - late/2"))
    model.add(h.delay("late", "u", 0.3, start=0.0))
    model.add(h.delay("later", "late", 0.2, start=0.0))
    result = model.compile().simulate(t_end=1.0, rtol=1e-9, record=h.Record(every=0.05, start=0.025))
    sums = np.cumsum((-0.5) ** np.arange(6))
    # records lie on jumps at 0.3, 0.6, 0.9: on their far side
    passed = np.floor(result.t / 0.3 + 1e-9).astype(int)
    assert_allclose(result["u.value"], sums[passed], atol=1e-12)
    before = np.floor((result.t - 0.2) / 0.3 + 1e-9).astype(int)
    assert_allclose(result["later.value"], np.where(before > 0, sums[np.maximum(before, 1) - 1], 0.0), atol=1e-12)


def test_steps_longer_than_a_delay_are_refused():
    model = rotor()
    model.add(h.delay("late", "t", 0.01))
    with pytest.raises(ModelError, match=r"delay 'late' delays by 0.01 s, which is less than the step of 0.1 s"):
        model.compile().simulate(t_end=1.0, step=0.1)


# switches


@pytest.mark.parametrize("method", ["auto", "radau5", "rk4", "generalised-alpha"])
def test_a_switch_turns_at_its_thresholds(method):
    """sin t turns it on at 0.5 and off at -0.5: it is on for π of every 2π."""
    model = rotor()
    model.add(h.switch("relay", "sin(t)", on=0.5, off=-0.5, high=3.0, low=-1.0))
    model.add(h.switch("heater", "sin(t)", on=-0.5, off=0.5, start=True))
    model.add(h.StateVariable("sum", rate="relay"))
    model.add(h.StateVariable("warm", rate="heater"))
    result = model.compile().simulate(t_end=10.0, record=h.Record(every=0.25), **settings(method, 0.05))
    first = np.pi / 6
    on = np.clip((result.t - first) % (2 * np.pi), 0, np.pi) + np.pi * np.floor((result.t - first) / (2 * np.pi))
    on = np.where(result.t < first, 0.0, on)
    # each crossing is met to 1e-9 of the signal
    assert_allclose(result["sum.value"], 4 * on - result.t, atol=3e-8)
    assert_allclose(result["warm.value"], result.t - on, atol=3e-8)
    assert set(np.unique(result["relay.value"])) == {-1.0, 3.0}
    assert result["heater.on.value"][0] == 1.0


def test_a_relay_holds_a_mass_between_two_speeds():
    """Full torque below 0.9 rad/s, none above 1.1 rad/s, against drag 1: a cycle of known length."""
    model = rotor()
    model.add(h.switch("drive", "shaft.rate", on=0.9, off=1.1, high=3.0))
    model.add(h.joint_torque("motor", "shaft", torque="drive - rate"))
    result = model.compile().simulate(t_end=20.0, rtol=1e-9, record=h.Record(every=0.01))
    speed = result["shaft.rate"][200:]
    assert 0.9 - 1e-7 < speed.min() < 0.91
    assert 1.09 < speed.max() < 1.1 + 1e-7
    cycle = INERTIA * (np.log((3 - 0.9) / (3 - 1.1)) + np.log(1.1 / 0.9))
    turns = np.flatnonzero(np.diff(result["drive.on.value"]) > 0)
    # known to a record at either end
    assert (turns[-1] - turns[1]) * 0.01 / (len(turns) - 2) == pytest.approx(cycle, abs=0.02 / (len(turns) - 2))


# sampled values


def sampled_loop(period: float = 0.1) -> h.Model:
    """A rotor under a digital controller: proportional, with an integral by sums, and damping by differences."""
    model = rotor(T=period, kp=4.0, ki=2.0, kd=3.0)
    model.add(h.Signal("error", "1 - shaft.angle"))
    model.add(h.sampled("before", "error", period="T"))
    model.add(h.sampled("total", "total + T*error", period="T"))
    model.add(h.sampled("u", "kp*error + ki*(total + T*error) + kd*(error - before)/T", period="T"))
    model.add(h.joint_torque("motor", "shaft", torque="u"))
    return model


def digital(count: int, period: float = 0.1) -> np.ndarray:
    """Angle, speed and torque behind each sample, by the difference equations of the loop."""
    advance = expm(np.array([[0, 1, 0], [0, 0, 1 / INERTIA], [0, 0, 0]]) * period)
    x, before, total, found = np.zeros(2), 0.0, 0.0, []
    for _ in range(count):
        error = 1 - x[0]
        u = 4.0 * error + 2.0 * (total + period * error) + 3.0 * (error - before) / period
        before, total = error, total + period * error
        found.append([*x, u])
        x = (advance @ [*x, u])[:2]
    return np.array(found)


@pytest.mark.parametrize("method", ["auto", "rk45", "radau5", "generalised-alpha", "newmark", "rk4"])
def test_a_digital_loop_follows_its_difference_equations(method):
    """Torques are constant between samples, which methods of second order follow exactly too."""
    result = sampled_loop().compile().simulate(t_end=3.0, record=h.Record(every=0.1), **settings(method, 0.03))
    found = np.column_stack([result[name] for name in ("shaft.angle", "shaft.rate", "u.value")])
    assert_allclose(found, digital(31), atol=1e-9)


def test_samples_begin_at_their_offset_and_hold_in_between():
    model = rotor()
    model.add(h.sampled("held", "t", period=0.3, offset=0.1, start=-1.0))
    result = model.compile().simulate(t_end=1.0, step=0.07, record=h.Record(every=0.05))
    number = np.floor((result.t - 0.1) / 0.3 + 1e-9)
    assert_allclose(result["held.value"], np.where(number < 0, -1.0, 0.1 + 0.3 * number), atol=1e-12)


# all of them


def everything() -> h.Model:
    """A digital loop with a delay and a relay."""
    model = sampled_loop()
    model.add(h.delay("late", "shaft.rate + u", 0.17))
    model.add(h.switch("relay", "late", on=0.3, off=-0.2))
    model.add(h.transfer_function("smooth", "relay + late", [1], [0.2, 1]))
    model.add(h.joint_torque("more", "shaft", torque="-0.3*smooth"))
    return model


RESUMED = {
    "generalised-alpha": {"step": 2e-3},
    "bdf2": {"method": "bdf2", "step": 2e-3},
    "rk45": {"method": "rk45", "rtol": 1e-9},
    "radau5": {"method": "radau5", "rtol": 1e-9},
    "auto": {"rtol": 1e-9},
}


@pytest.mark.parametrize("kind", RESUMED)
def test_resumed_runs_have_the_same_bits(tmp_path, kind):
    system = everything().compile()
    given = {"t_end": 3.0, "record": h.Record(every=3e-3), **RESUMED[kind]}
    whole = system.simulate(**given)
    assert whole.status.ok, whole.status
    path = tmp_path / "run.h5"
    broken = system.simulate(**given, path=path, progress=StopAfter(2, KeyboardInterrupt))
    assert broken.status.reason == "interrupted"
    same_bits(system.simulate(**given, path=path, resume=True), whole)


def test_methods_agree_on_all_blocks_together():
    system = everything().compile()
    ends = [
        system.simulate(t_end=3.0, record=h.Record(every=3.0), **settings(method, 1e-3))["shaft.angle"][-1]
        for method in ("auto", "rk45", "radau5", "generalised-alpha")
    ]
    assert_allclose(ends[1:3], ends[0], atol=1e-6)  # where a relay turns late values are met to 1e-9 of theirs
    assert ends[3] == pytest.approx(ends[0], abs=1e-4)


def test_what_blocks_hold_goes_on_through_stages():
    """A stage that changes nothing changes nothing: no sample is taken twice, no history forgotten."""
    plain, staged = everything(), everything()
    staged.add(h.Stage("same", when=0.5, set={"kp": 4.0}))
    staged.add(h.Stage("again", when=1.23, set={"kp": 4.0}))
    ends = [model.compile().simulate(t_end=2.0, rtol=1e-10, record=h.Record(every=0.1)) for model in (plain, staged)]
    assert ends[1].statistics["stage"][-1] == 2
    for name in ("shaft.angle", "late.value", "total.value", "smooth.value"):
        assert ends[1][name][-1] == pytest.approx(ends[0][name][-1], abs=1e-7)


def test_at_rest_held_values_are_what_comes_in():
    model = sampled_loop()
    model.add(h.delay("late", "3*shaft.angle", 0.2))
    system = model.compile()
    state = system.equilibrium()
    assert state.q[0] == pytest.approx(1.0, abs=1e-9)
    assert state.memory[system.index.numbers.states["late"]] == pytest.approx(3.0, abs=1e-9)
    with pytest.raises(ModelError, match="sampled 'before': linear analysis knows no sampled and no delayed values"):
        system.linearise(state)


def test_methods_of_other_programs_are_refused():
    with pytest.raises(ModelError, match="scipy:LSODA knows nothing of instants at which sampled 'before' changes"):
        sampled_loop().compile().simulate(t_end=1.0, method="scipy:LSODA")
