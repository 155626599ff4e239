"""Potentials that jump, constraints that leave forces to follow, and what no step can follow."""

from __future__ import annotations

import math

import pytest

from floatframe.network import Network

METHODS = ("stormer", "bdf2", "generalised-alpha")


def lowpass(voltage: str) -> Network:
    net = Network("lowpass")
    net.add("V", "voltage_source", ["a"], voltage=voltage)
    net.add("R", "resistor", ["a", "b"], resistance=1.0)
    net.add("C", "capacitor", ["b", "ground"], capacitance=1.0)
    return net


@pytest.mark.parametrize("method", METHODS)
def test_a_source_that_is_switched_on_charges_its_capacitor(method):
    """No step is rejected, since steps end where its voltage jumps."""
    result = lowpass("if(t > 0.3, 10, 0)").compile().simulate(1.0, method=method, rtol=1e-5)
    error = 5e-3 if method == "stormer" else 2e-4  # of 10 V: some tens of local errors
    assert result["b.voltage"][-1] == pytest.approx(10.0 * (1.0 - math.exp(-0.7)), rel=error)
    assert result.statistics["rejected"][-1] == 0


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
