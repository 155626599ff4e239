"""The operating point of networks against closed forms, and small motions about it."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import brentq, minimize

import floatframe as ff
from floatframe.errors import NotConverged
from floatframe.network import Network, machine_kind


def test_coils_carry_the_current_of_their_resistances():
    """Two coils in parallel share by what leads to them: currents follow from the resistances alone."""
    net = Network("coils")
    net.add("source", "voltage_source", ["in"], voltage=12.0)
    for k, (resistance, inductance) in enumerate(((2.0, 1e-3), (6.0, 5.0))):
        net.add(f"R{k}", "resistor", ["in", f"m{k}"], resistance=resistance)
        net.add(f"L{k}", "inductor", [f"m{k}", "ground"], inductance=inductance)
    found = net.compile().operating_point()
    np.testing.assert_allclose([found["L0.current"][0], found["L1.current"][0]], [6.0, 2.0], rtol=1e-12)
    assert abs(found["m0.voltage"][0]) < 1e-12  # of 12 V


def test_a_motor_with_a_load_runs_at_its_speed():
    """k (U - k w)/R = d w; the angle goes on, all else stands."""
    net = Network("motor")
    net.add("battery", "voltage_source", ["p"], voltage=24.0)
    net.add("motor", "dc_motor", ["p", "ground", "shaft"], resistance=0.5, inductance=1e-3, constant=0.1)
    net.add("rotor", "inertia", ["shaft"], inertia=1e-2)
    net.add("load", "rotary_damper", ["shaft", "ground"], damping=0.02)
    found = net.compile().operating_point()
    assert found["shaft.angular_velocity"][0] == pytest.approx(2.4 / (0.5 * 0.02 + 0.01), rel=1e-9)
    assert found["motor.current"][0] == pytest.approx(0.02 * 120.0 / 0.1, rel=1e-9)


def test_a_plate_radiates_what_it_is_heated_with():
    net = Network("plate")
    net.add("C", "heat_capacity", ["plate"], capacity=5e6)  # a time constant of days
    net.add("air", "temperature_source", ["air"], temperature=293.0)
    net.add("r", "radiation", ["plate", "air"], emissivity=0.9, area=0.2)
    net.add("heat", "heat_source", ["plate"], heat_flow=500.0)
    net.start("plate", v=300.0)
    found = net.compile().operating_point()
    wanted = (500.0 / (5.670374419e-8 * 0.9 * 0.2) + 293.0**4) ** 0.25
    assert found["plate.temperature"][0] == pytest.approx(wanted, rel=1e-8)


def test_modes_are_those_about_the_operating_point():
    """A diode with 1 mA has the slope 1 mA / 0.03 V, at the start it has nearly none: 1/RC of both."""
    net = Network("detector")
    net.add("source", "voltage_source", ["in"], voltage=5.0)
    net.add("R", "resistor", ["in", "out"], resistance=4300.0)
    net.add("D", "diode", ["out", "ground"], saturation=1e-12, voltage=0.03, leakage=0.0)
    net.add("C", "capacitor", ["out", "ground"], capacitance=1e-6)
    system = net.compile()
    found = system.operating_point()
    u = brentq(lambda u: (5.0 - u) / 4300.0 - 1e-12 * math.expm1(u / 0.03), 0.0, 1.0, xtol=1e-14)
    assert found["out.voltage"][0] == pytest.approx(u, rel=1e-9)
    rates = [-system.linearise(about).eigenvalues[0].real for about in (None, found)]
    slopes = 1e-12 / 0.03 * np.exp([0.0, u / 0.03])
    np.testing.assert_allclose(rates, (1.0 / 4300.0 + slopes) / 1e-6, rtol=1e-8)


def test_a_hanging_mass_swings_about_its_rest_with_damped_and_natural_frequency():
    net = Network("mass")
    net.add("m", "mass", ["m"], mass=2.0)
    net.add("k", "spring", ["m", "ground"], stiffness=800.0)
    net.add("c", "damper", ["m", "ground"], damping=16.0)
    net.add("weight", "force", ["m"], force=-20.0)
    system = net.compile()
    found = system.operating_point()
    assert found["m.displacement"][0] == pytest.approx(-20.0 / 800.0, rel=1e-12)
    modes = system.linearise(found)
    assert modes.frequency[0] == pytest.approx(20.0 / (2.0 * math.pi), rel=1e-12)
    assert modes.damping[0] == pytest.approx(0.2, rel=1e-12)
    assert modes.damped_frequency[0] == pytest.approx(20.0 * math.sqrt(0.96) / (2.0 * math.pi), rel=1e-12)


def test_what_speeds_up_for_ever_has_no_steady_state():
    net = Network("free")
    net.add("rotor", "inertia", ["shaft"], inertia=1.0)
    net.add("torque", "torque", ["shaft"], torque=1.0)
    with pytest.raises(NotConverged, match="'shaft' keeps changing"):
        net.compile().operating_point()


def test_what_turns_steadily_rests_at_its_start():
    """The angle of a shaft at 150 rad/s is what it was, without the digits lost in thirty years of it."""
    net = Network("shaft")
    net.add("engine", "rotary_speed_source", ["shaft"], speed=150.0)
    net.add("brake", "rotary_damper", ["shaft", "ground"], damping=0.2)
    found = net.compile().operating_point()
    assert found["shaft.angle"][0] == 0.0
    assert found["engine.torque"][0] == pytest.approx(-30.0, rel=1e-12)


def arm(angle: float) -> ff.hybrid.Model:
    """An arm of 2 kg with its centre 0.3 m from its joint, in which it starts `angle` below the horizontal."""
    h = ff.hybrid
    model = h.Model(gravity=(0, 0, -9.81))
    body = model.add(h.RigidBody("arm", mass=2.0, inertia=(0.01, 0.1, 0.1), com=(0.3, 0, 0)))
    model.add(h.revolute("A", body.at((0, 0, 0)), model.ground.at((0, 0, 0)), axis=(0, 1, 0), start=angle))
    model.add(h.spring("ram", body.at((0.4, 0, 0)), model.ground.at((0.1, 0, -0.7)), stiffness=0.0))
    return model


@pytest.mark.parametrize("origin", [0.0, 0.25])
def test_the_node_of_a_ram_goes_as_far_as_the_ram(origin):
    """A spring at the node holds an arm: the slope of all energy by the angle is zero; nodes count from their start."""

    def length(angle: float) -> float:
        return math.hypot(0.4 * math.cos(angle) - 0.1, 0.7 - 0.4 * math.sin(angle))

    def slope(angle: float) -> float:
        by_angle = (0.04 * math.sin(angle) - 0.28 * math.cos(angle)) / length(angle)
        return 60.0 * (length(angle) - length(0.3)) * by_angle - 2.0 * 9.81 * 0.3 * math.cos(angle)

    net = Network("held")
    net.add("k", "force", ["ram", "ground"], force=f"-60*(ram.displacement - {origin})")
    net.add("c", "damper", ["ram", "ground"], damping=50.0)
    net.add("machine", machine_kind(arm(0.3).compile(), ["ram"]), ["ram"])
    net.start("ram", x=origin)
    found = net.compile().operating_point()
    angle = brentq(slope, 0.3, 1.2)
    assert found["A.angle"][0] == pytest.approx(angle, rel=1e-9)
    assert found["ram.displacement"][0] - origin == pytest.approx(length(angle) - length(0.3), rel=1e-9)


def test_an_arm_that_nothing_damps_hangs_down_at_rest():
    """Steps of the search that turn it on by whole turns would be in balance as well."""
    net = Network("hanging")
    net.add("machine", machine_kind(arm(0.3).compile(), ["A"]), ["shaft"])
    found = net.compile().operating_point()
    assert found["A.angle"][0] == pytest.approx(math.pi / 2.0, rel=1e-9)
    assert found["A.rate"][0] == 0.0


def chain(angles: tuple[float, ...]) -> ff.hybrid.Model:
    """Arms of 0.5 m one behind another, each heavier; the first starts `angles[0]` below the horizontal."""
    h = ff.hybrid
    model = h.Model(gravity=(0, 0, -9.81))
    behind = model.ground.at((0, 0, 0))
    for k, angle in enumerate(angles):
        body = model.add(h.RigidBody(f"arm{k}", mass=1.0 + k, inertia=(0.01, 0.02, 0.02), com=(0.25, 0, 0)))
        model.add(h.revolute(f"J{k}", body.at((0, 0, 0)), behind, axis=(0, 1, 0), start=angle))
        behind = body.at((0.5, 0, 0))
    return model


@pytest.mark.parametrize("angles", [(-0.3, 1.1, -0.8), (0.6, -1.2, 0.9, 1.3), (-1.1, 0.4, 1.2, -1.4)])
def test_chains_that_nothing_damps_hang_down_without_whole_turns(angles):
    net = Network("hanging")
    net.add("machine", machine_kind(chain(angles).compile(), ["J0"]), ["shaft"])
    found = net.compile().operating_point()
    hanging = [found[f"J{k}.angle"][0] for k in range(len(angles))]
    # the search ends at 1e-8 of the speeds so far
    np.testing.assert_allclose(hanging, [math.pi / 2.0] + [0.0] * (len(angles) - 1), atol=1e-7)


def test_a_cylinder_without_pressure_leaves_two_arms_at_their_rest_near_the_start():
    """A leak empties the cylinder; gravity and the spring of the ram hold the arms where their energy is least."""
    h = ff.hybrid
    model = h.Model(gravity=(0, 0, -9.81))
    upper = model.add(h.RigidBody("arm", mass=2.0, inertia=(0.01, 0.1, 0.1), com=(0.3, 0, 0)))
    fore = model.add(h.RigidBody("fore", mass=0.8, inertia=(0.01, 0.03, 0.03), com=(0.2, 0, 0.02)))
    model.add(h.revolute("sh", upper.at((0, 0, 0)), model.ground.at((0, 0, 0)), axis=(0, 1, 0), start=0.3))
    model.add(h.revolute("el", fore.at((0, 0, 0)), upper.at((0.6, 0, 0)), axis=(0, 1, 0), start=-0.5))
    model.add(h.spring("ram", upper.at((0.4, 0, 0)), model.ground.at((0.1, 0, -0.7)), stiffness=100.0))
    net = Network("lift")
    net.add("supply", "flow_source", ["oil"], flow="-2e-5*sin(5*t)")
    net.add("cyl", "cylinder", ["oil", "ground", "rod"], area_a=5e-4, area_b=0.0, dead_a=1e-4, stroke=2.0)
    net.add("leak", "pipe", ["oil", "ground"], conductance=1e-10)
    net.add("machine", machine_kind(model.compile(), ["ram"]), ["rod"])
    found = net.compile().operating_point()

    def longer(first: float) -> float:
        return math.hypot(0.4 * math.cos(first) - 0.1, 0.7 - 0.4 * math.sin(first))

    def energy(angles: np.ndarray) -> float:
        first, both = angles[0], angles[0] + angles[1]
        low = 2.0 * 0.3 * math.sin(first)
        low += 0.8 * (0.6 * math.sin(first) + 0.2 * math.sin(both) - 0.02 * math.cos(both))
        return 50.0 * (longer(first) - longer(0.3)) ** 2 - 9.81 * low

    least = minimize(energy, [0.3, -0.5], method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-15}).x
    # 1e-6: where differences of the energy are lost in rounding, some 1e-15 of 10 J
    np.testing.assert_allclose([found["sh.angle"][0], found["el.angle"][0]], least, atol=1e-6)
    assert found["oil.pressure"][0] == 0.0


def test_a_crank_that_a_motor_keeps_turning_has_no_rest_and_the_search_for_it_ends():
    """Gravity makes its speed unsteady; 100 refused steps end the last of three searches."""
    net = Network("turning")
    net.add("battery", "voltage_source", ["p"], voltage=24.0)
    net.add("motor", "dc_motor", ["p", "ground", "shaft"], resistance=0.5, inductance=1e-3, constant=0.5)
    net.add("machine", machine_kind(arm(0.3).compile(), ["A"]), ["shaft"])
    with pytest.raises(NotConverged, match=r"that its start leads to within 100 refused steps; simulate it"):
        net.compile().operating_point()
