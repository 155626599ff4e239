"""Potentials that jump, constraints that leave forces to follow, and what no step can follow."""

from __future__ import annotations

import math

import numpy as np
import pytest

from floatframe.errors import ModelError
from floatframe.hybrid import Record
from floatframe.network import Network, NetworkSettings

METHODS = ("stormer", "bdf2", "generalised-alpha")


def lowpass(voltage: str, capacitance: float = 1.0) -> Network:
    net = Network("lowpass")
    net.add("V", "voltage_source", ["a"], voltage=voltage)
    net.add("R", "resistor", ["a", "b"], resistance=1.0)
    net.add("C", "capacitor", ["b", "ground"], capacitance=capacitance)
    return net


@pytest.mark.parametrize("lengths", [{"step": 0.1}, {"rtol": 1e-3}])
@pytest.mark.parametrize("method", METHODS)
def test_records_begin_at_zero_and_lie_on_their_grid(method, lengths):
    """Where accelerations are found first, too: what stores something starts as given, the source is on at once."""
    net = lowpass("10")
    net.start("b", v=0.5)
    result = net.compile().simulate(1.0, method=method, record=Record(every=0.25), **lengths)
    np.testing.assert_allclose(result.t, [0.0, 0.25, 0.5, 0.75, 1.0], atol=1e-14)  # sums of steps
    assert result["b.voltage"][0] == 0.5
    if result["a.voltage"][0]:  # first-order schemes with fixed steps begin without
        assert result["a.voltage"][0] == pytest.approx(10.0, rel=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_records_inside_steps_are_as_exact_as_the_steps(method):
    """RC under 10 V of 50 Hz: its charge from rest, and the source, at times that no step ends at."""
    compiled, tau, omega = lowpass("10*sin(100*pi*t)", capacitance=1e-3).compile(), 1e-3, 100.0 * math.pi

    def exact(t):
        swing = np.sin(omega * t) - omega * tau * np.cos(omega * t) + omega * tau * np.exp(-t / tau)
        return 10.0 / (1.0 + (omega * tau) ** 2) * swing

    ends, inside = (compiled.simulate(0.05, method=method, rtol=1e-4, record=Record(every=k)) for k in (None, 1.3e-4))
    errors = [np.abs(run["b.voltage"] - exact(run.t)).max() for run in (ends, inside)]
    assert errors[1] < 1.1 * errors[0]
    assert np.abs(inside["a.voltage"] - 10.0 * np.sin(omega * inside.t)).max() < 1e-3  # rtol of 10 V


def test_records_beside_jumps_are_not_smeared():
    """A square wave has its own two values at all records, its statistics the steps before the jumps."""
    run = lowpass("if(mod(t, 0.1) < 0.05, 10, 0)").compile().simulate(1.0, rtol=1e-3, record=Record(every=1.7e-3))
    inside = run.t < 1.0
    np.testing.assert_allclose(run["a.voltage"][inside], 10.0 * (run.t[inside] % 0.1 < 0.05), atol=1e-12)
    assert (run.statistics["step"][1:] > 0.0).all()


@pytest.mark.parametrize("method", METHODS)
def test_a_source_that_is_switched_on_charges_its_capacitor(method):
    """No step is rejected, since steps end where its voltage jumps."""
    result = lowpass("if(t > 0.3, 10, 0)").compile().simulate(1.0, method=method, rtol=1e-5)
    error = 5e-3 if method == "stormer" else 2e-4  # of 10 V: some tens of local errors
    assert result["b.voltage"][-1] == pytest.approx(10.0 * (1.0 - math.exp(-0.7)), rel=error)
    assert result.statistics["rejected"][-1] == 0


@pytest.mark.parametrize("tau", [1e-5, 1e-3])
@pytest.mark.parametrize("method", METHODS)
def test_a_fast_answer_in_a_long_run_is_followed_from_its_jump(method, tau):
    """10 V after 500 s of 1000 s: the exact charge at every step, though the first one could be 1e-3 s long."""
    result = lowpass("if(t > 500, 10, 0)", capacitance=tau).compile().simulate(1000.0, method=method, rtol=1e-5)
    exact = 10.0 * -np.expm1(-np.maximum(result.t - 500.0, 0.0) / tau)
    # a step may err by 1e-4 V, and the first or second order takes some 220 or 30 of them in a time constant
    error = 2.2e-2 if method == "stormer" else 3e-3
    assert np.abs(result["b.voltage"] - exact).max() < error
    assert result.t[(result.t > 500.0) & (result.t < 500.0 + tau)].size > 10  # the answer is there to be compared


@pytest.mark.parametrize("method", METHODS)
def test_a_fast_answer_at_the_start_is_followed(method):
    """10 V from the start on a time constant of 1e-7 of the run; the bounds are those of the jump above."""
    result = lowpass("10", capacitance=1e-4).compile().simulate(1000.0, method=method, rtol=1e-5)
    exact = -10.0 * np.expm1(-result.t / 1e-4)
    assert np.abs(result["b.voltage"] - exact).max() < (2.2e-2 if method == "stormer" else 3e-3)


def test_a_square_wave_is_met_at_every_edge():
    """Half the period at 10 V, half at 0: the exact decay from edge to edge, 20 edges."""
    result = lowpass("if(mod(t, 0.1) < 0.05, 10, 0)").compile().simulate(1.0, rtol=1e-6)
    u, share = 0.0, math.exp(-0.05)
    for _ in range(10):
        u = (10.0 + (u - 10.0) * share) * share
    assert result["b.voltage"][-1] == pytest.approx(u, rel=2e-4)  # 1e-5 V in each of 400 steps would be 4e-3 V


@pytest.mark.parametrize("method", METHODS)
def test_potentials_that_nothing_stores_jump_with_what_they_follow(method):
    """A switch that a voltage of the circuit throws is not known in advance: the divider halves what is there."""
    net = Network("divider")
    net.add("ramp", "voltage_source", ["r"], voltage="t")
    net.add("V", "voltage_source", ["a"], voltage="if(r.voltage > 0.3, 10, 0)")
    net.add("R1", "resistor", ["a", "b"], resistance=1.0)
    net.add("R2", "resistor", ["b", "ground"], resistance=1.0)
    result = net.compile().simulate(1.0, method=method)
    assert result["b.voltage"][-1] == pytest.approx(5.0, abs=1e-9)
    assert 1 <= result.statistics["leaps"][-1] <= 20  # more in a row would end the run


@pytest.mark.parametrize("method", METHODS)
def test_a_force_that_keeps_a_speed_follows_its_derivative(method):
    """m v' of a mass of 2 kg whose speed is prescribed; the force has no memory, and its error must not stop a run."""
    net = Network("shaker")
    net.add("s", "speed_source", ["a"], speed="sin(5*t)")
    net.add("m", "mass", ["a"], mass=2.0)
    result = net.compile().simulate(1.0, method=method)
    error = 0.1 if method == "stormer" else 0.01  # the force is a derivative, one order less exact than the speed
    assert result["s.force"][-1] == pytest.approx(-2.0 * 5.0 * math.cos(5.0), abs=error)


@pytest.mark.parametrize("method", METHODS)
def test_a_spring_without_mass_follows_its_force(method):
    net = Network("spring")
    net.add("f", "force", ["a"], force="1 + sin(t)")
    net.add("k", "spring", ["a", "ground"], stiffness=10.0)
    result = net.compile().simulate(1.0, method=method)
    assert result["a.displacement"][-1] == pytest.approx((1.0 + math.sin(1.0)) / 10.0, rel=1e-7)  # iterations end there


@pytest.mark.parametrize(("saturation", "voltage"), [(1e-14, 0.02585), (1e-30, 1e-3)])
def test_a_source_straight_at_a_diode_is_its_voltage(saturation, voltage):
    """10 kV: far beyond an exponent of 40 the curve is straight, and needs no iterations by the logarithm."""
    net = Network("diode")
    net.add("V", "voltage_source", ["a"], voltage=1e4)
    net.add("D", "diode", ["a", "ground"], saturation=saturation, voltage=voltage, leakage=0.0)
    result = net.compile().simulate(1.0)
    beyond = 1e4 / voltage - 40.0
    assert result["D.current"][-1] == pytest.approx(saturation * (math.exp(40.0) * (1.0 + beyond) - 1.0), rel=1e-9)
    assert result.status.message == ""


def test_a_diode_takes_a_battery_at_once():
    """10 V at a diode that starts at 0: the loop law at the end of the first step, however long."""
    net = Network("diode")
    net.add("V", "voltage_source", ["a"], voltage=10.0)
    net.add("R", "resistor", ["a", "b"], resistance=10.0)
    net.add("D", "diode", ["b", "ground"], saturation=1e-14, voltage=0.02585)
    result = net.compile().simulate(1.0)
    current = (10.0 - result["b.voltage"][-1]) / 10.0
    assert current == pytest.approx(1e-14 * math.expm1(result["b.voltage"][-1] / 0.02585), rel=1e-6)


def test_what_grows_without_end_ends_the_run():
    """u' = u² from 2 goes to infinity at t = 0.5."""
    net = Network("growth")
    net.add("I", "current_source", ["ground", "a"], current="-a.voltage^2")
    net.add("C", "capacitor", ["a", "ground"], capacitance=1.0)
    net.start("a", v=2.0)
    result = net.compile().simulate(1.0)
    assert result.status.reason == "failed"
    assert result.t[-1] == pytest.approx(0.5, abs=5e-3)
    assert "'a'" in result.status.message


@pytest.mark.parametrize(("given", "words"), [({}, "without rtol"), ({"rtol": 0.0}, "rtol is 0")])
def test_tolerances_that_no_step_meets_are_refused(given, words):
    """The relative tolerance counts as 0 beside an absolute one."""
    with pytest.raises(ModelError, match=f"atol is 0 and {words}.*give rtol"):
        NetworkSettings(atol=0.0, **given)
