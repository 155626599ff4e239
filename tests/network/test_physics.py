"""Circuits, heat and hydraulics against closed forms and SciPy's solutions."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.linalg import expm

from floatframe.network import Network

METHODS = ("stormer", "bdf2", "generalised-alpha")
ORDER = {"stormer": 1, "bdf2": 2, "generalised-alpha": 2}


def order_of(error, counts=(100, 200)) -> float:
    """Measured order from errors with two numbers of steps."""
    one, two = (error(count) for count in counts)
    return math.log(one / two) / math.log(counts[1] / counts[0])


def rlc() -> Network:
    net = Network("rlc")
    net.add("source", "voltage_source", ["in"], voltage=10.0)
    net.add("R", "resistor", ["in", "m"], resistance=2.0)
    net.add("L", "inductor", ["m", "out"], inductance=1e-3)
    net.add("C", "capacitor", ["out", "ground"], capacitance=1e-4)
    return net


def rlc_voltage(t: float) -> float:
    """Step response of the capacitor, underdamped: decay R/2L = 1000 1/s, omega² = 1/LC - decay²."""
    decay, omega = 1000.0, math.sqrt(1e7 - 1e6)
    return 10.0 * (1.0 - math.exp(-decay * t) * (math.cos(omega * t) + decay / omega * math.sin(omega * t)))


@pytest.mark.parametrize("method", METHODS)
def test_step_response_of_rlc_converges_with_the_order_of_the_method(method):
    compiled = rlc().compile()
    t = 1e-3
    measured = order_of(
        lambda n: abs(compiled.simulate(t, method=method, step=t / n)["out.voltage"][-1] - rlc_voltage(t))
    )
    assert measured == pytest.approx(ORDER[method], abs=0.15)


def test_controlled_steps_follow_the_step_response():
    result = rlc().compile().simulate(5e-3, rtol=1e-5)
    exact = np.array([rlc_voltage(t) for t in result.t])
    # local errors of 1e-5 of 10 V add up over a few periods
    np.testing.assert_allclose(result["out.voltage"], exact, atol=1e-2)
    current = (10.0 - result["in.voltage"], result["L.current"], -result["source.current"])
    np.testing.assert_allclose(current[1][1:], current[2][1:], atol=1e-9)
    np.testing.assert_allclose(current[0][1:], 0.0, atol=1e-12)


def test_energy_balance_falls_with_the_order():
    compiled = rlc().compile()

    def left(n):
        run = compiled.simulate(1e-3, method="bdf2", step=1e-3 / n)
        return abs(run.statistics["energy_balance"][-1])

    assert order_of(left) == pytest.approx(2.0, abs=0.25)


def test_a_chain_of_capacities_follows_the_matrix_exponential():
    """Five nodes of 100 J/K with 10 W/K between them, the first at 400 K, against exp(-A t)."""
    net, n = Network("chain"), 5
    for k in range(n):
        net.add(f"C{k}", "heat_capacity", [f"n{k}"], capacity=100.0)
        net.start(f"n{k}", v=400.0 if k == 0 else 300.0)
        if k:
            net.add(f"G{k}", "conduction", [f"n{k - 1}", f"n{k}"], conductance=10.0)
    result = net.compile().simulate(20.0, step=0.05, method="generalised-alpha", spectral_radius=1.0)
    A = 0.1 * (np.diag([1.0, 2, 2, 2, 1]) - np.eye(n, k=1) - np.eye(n, k=-1))
    exact = expm(-20.0 * A) @ np.array([400.0, 300, 300, 300, 300])
    found = np.array([result[f"n{k}.temperature"][-1] for k in range(n)])
    np.testing.assert_allclose(found, exact, atol=1e-3)  # (rate h)² / 12 of 100 K
    # heat stays: linear methods keep its sum to rounding
    total = sum(result[f"n{k}.temperature"] for k in range(n))
    np.testing.assert_allclose(total, 1600.0, rtol=1e-12)


def test_a_body_cools_by_radiation_and_convection():
    net = Network("plate")
    net.add("C", "heat_capacity", ["plate"], capacity=500.0)
    net.add("air", "temperature_source", ["air"], temperature=293.0)
    net.add("h", "convection", ["plate", "air"], coefficient=8.0, area=0.2)
    net.add("r", "radiation", ["plate", "air"], emissivity=0.9, area=0.2)
    net.start("plate", v=800.0)
    result = net.compile().simulate(300.0, rtol=1e-6)

    def rate(t, T):
        return -(8.0 * 0.2 * (T - 293.0) + 5.670374419e-8 * 0.9 * 0.2 * (T**4 - 293.0**4)) / 500.0

    exact = solve_ivp(rate, (0.0, 300.0), [800.0], rtol=1e-10, atol=1e-8).y[0, -1]
    assert result["plate.temperature"][-1] == pytest.approx(exact, abs=0.05)  # 1e-4 of what it has lost


def test_a_cylinder_lifts_a_load():
    """Orifice, chamber and mass against SciPy's stiff solution of the same three equations."""
    area, dead, bulk, mass, supply, orifice = 1e-3, 1e-4, 1.4e9, 500.0, 2e7, 2e-6
    laminar, conductance = 1e3, 0.7 * orifice * math.sqrt(2.0 / 870.0)
    net = Network("lift")
    net.add("supply", "pressure_source", ["p"], pressure=supply)
    net.add("orifice", "orifice", ["p", "a"], area=orifice)
    net.add("cylinder", "cylinder", ["a", "ground", "rod"], area_a=area, dead_a=dead)
    net.add("load", "mass", ["rod"], mass=mass)
    net.add("weight", "force", ["rod"], force=-mass * 9.81)
    net.add("drag", "damper", ["rod", "ground"], damping=2000.0)
    net.start("a", v=mass * 9.81 / area)
    result = net.compile().simulate(0.3, rtol=1e-6)

    def rates(t, y):
        x, v, p = y
        drop = supply - p
        flow = conductance * drop / (drop**2 + laminar**2) ** 0.25
        room = dead + area * max(x, 0.0)
        return [v, (area * p - mass * 9.81 - 2000.0 * v) / mass, bulk / room * (flow - area * v)]

    exact = solve_ivp(rates, (0.0, 0.3), [0.0, 0.0, mass * 9.81 / area], "Radau", rtol=1e-9, atol=1e-10).y[:, -1]
    assert result["rod.displacement"][-1] == pytest.approx(exact[0], rel=1e-4)
    assert result["rod.velocity"][-1] == pytest.approx(exact[1], rel=2e-3)
    assert result["a.pressure"][-1] == pytest.approx(exact[2], rel=1e-3)


def test_the_energy_of_a_network_is_that_of_volumes_and_of_the_oil_in_cylinders():
    """p² V / 2 B of a volume under pressure, and of a cylinder with as much oil but for p / 3 B of it."""
    pressure, volume, bulk = 5e6, 1e-3, 1.4e9
    net = Network("oil")
    net.add("oil", "volume", ["p"], volume=volume, bulk=bulk)
    net.add("ram", "cylinder", ["p", "ground", "ground"], area_a=1e-3, dead_a=volume, bulk=bulk)
    net.start("p", v=pressure)
    energy = net.compile().simulate(1e-3)["energy.network"]
    each, strain = pressure**2 * volume / (2.0 * bulk), pressure / bulk
    # nothing flows; 1e-5: the next term of the exponential, strain² / 12 of it
    np.testing.assert_allclose(energy, each * (2.0 + strain / 3.0), rtol=1e-5)


@pytest.mark.parametrize("ring", [0.0, 6e-4])
def test_a_mass_on_closed_chambers_swings_with_the_energy_of_its_oil(ring):
    """Soft oil, 0.5 % and more of strain: what mass and oil lose or win falls with the order of the scheme."""
    net = Network("closed")
    net.add("ram", "cylinder", ["a", "b", "rod"], area_a=1e-3, area_b=ring, dead_a=1e-4, stroke=1.0, bulk=1e9)
    net.add("oil", "mass", ["rod"], mass=50.0)
    net.start("a", v=5e6)
    net.start("rod", x=0.1)
    compiled, left = net.compile(), []
    for step in (4e-4, 2e-4):
        run = compiled.simulate(0.1, method="generalised-alpha", spectral_radius=1.0, step=step)
        energy, kinetic = run["energy.network"], 25.0 * run["rod.velocity"] ** 2
        assert kinetic.max() > 0.8 * energy[0]  # it goes to and fro
        left.append(np.abs(energy - energy[0]).max() / energy[0])
    assert left[0] < 5e-5  # a few (step w)², w = 10 rad/s of the mass on its oil; p² V / 2 B would leave 3e-3
    assert math.log2(left[0] / left[1]) == pytest.approx(2.0, abs=0.1)


def driven_piston(speed: float, **values: float) -> Network:
    """A piston of 1 cm² with a ring of 0.5 cm² that begins at 0.2 m of its stroke of 0.5 m, and oil at no pressure."""
    net = Network("driven")
    net.add("drive", "speed_source", ["rod"], speed=speed)
    net.add("ram", "cylinder", ["ground", "ground", "rod"], area_a=1e-4, stroke=0.5, **values)
    net.start("rod", x=0.2)
    return net


@pytest.mark.parametrize(
    ("speed", "values", "end"),
    [
        (1.0, {"area_b": 5e-5, "dead_b": 2e-6}, 0.54),  # dead volume over the ring is 40 mm
        (-1.0, {"area_b": 5e-5, "dead_a": 1e-6}, -0.01),
        (1.0, {"dead_b": 1e-6}, 0.51),  # a plunger has no ring
    ],
)
def test_a_run_fails_where_a_piston_has_left_its_stroke(speed, values, end):
    """At 1 m/s the time is the distance to where a chamber is empty."""
    result = driven_piston(speed, **values).compile().simulate(1.0)
    assert result.status.reason == "failed"
    assert result.status.t == pytest.approx(abs(end - 0.2), rel=1e-9)
    assert f"cylinder 'ram': its piston stands at {end:g} m" in result.status.message
    assert "the stroke of 0 to 0.5 m; end its way by a stop" in result.status.message


def test_a_run_that_begins_beyond_the_stroke_fails_at_once():
    net = driven_piston(-1.0)
    net.start("rod", x=3.0)
    status = net.compile().simulate(1.0).status
    assert (status.reason, status.t) == ("failed", 0.0)
    assert "stands at 3 m" in status.message


def test_a_rectifier_charges_its_capacitor():
    """Diode, capacitor and load at 50 Hz against SciPy's stiff solution; the current by Lambert's W."""
    net = Network("rectifier")
    net.add("mains", "voltage_source", ["in"], voltage="10*sin(100*pi*t)", resistance=0.5)
    net.add("D", "diode", ["in", "out"], saturation=1e-12, voltage=0.03, leakage=0.0)
    net.add("C", "capacitor", ["out", "ground"], capacitance=1e-3)
    net.add("R", "resistor", ["out", "ground"], resistance=100.0)
    result = net.compile().simulate(0.05, rtol=1e-5, step_max=5e-4)

    def current(u):
        """Of diode and 0.5 Ohm in series, by Lambert's W."""
        from scipy.special import lambertw

        inner, vt, i0 = 0.5, 0.03, 1e-12
        exponent = (u + inner * i0) / vt
        if exponent > 600.0:
            exponent = 600.0
        return vt / inner * lambertw(i0 * inner / vt * math.exp(exponent)).real - i0

    def rate(t, v):
        return [(current(10.0 * math.sin(100.0 * math.pi * t) - v[0]) - v[0] / 100.0) / 1e-3]

    exact = solve_ivp(rate, (0.0, 0.05), [0.0], "LSODA", result.t, rtol=1e-8, atol=1e-9, max_step=1e-4)
    np.testing.assert_allclose(result["out.voltage"], exact.y[0], atol=5e-3)  # half a thousandth of the amplitude
    assert result["out.voltage"].max() > 8.0
    assert (result["D.current"] > -1e-9).all()


def test_a_motor_runs_up_to_its_speed():
    """Without inductance: w' = k (U - k w)/(R J), an exponential; with it the end is the same."""
    for inductance in (0.0, 1e-3):
        net = Network("motor")
        net.add("battery", "voltage_source", ["p"], voltage=24.0)
        net.add("motor", "dc_motor", ["p", "ground", "shaft"], resistance=0.5, inductance=inductance, constant=0.1)
        net.add("rotor", "inertia", ["shaft"], inertia=1e-2)
        result = net.compile().simulate(0.5, step=1e-3)
        exact = 240.0 * (1.0 - math.exp(-(0.1**2) / (0.5 * 1e-2) * 0.5))
        assert result["shaft.angular_velocity"][-1] == pytest.approx(exact, rel=3e-3 if inductance else 1e-5)
    assert result["motor.torque"][-1] == pytest.approx(-0.1 * result["motor.current"][-1], rel=1e-12)


def test_a_gear_reduces_the_inertia_that_a_torque_feels():
    """a turns 3 times as fast as b: J = J_a + J_b / 9."""
    net = Network("gear")
    net.add("drive", "torque", ["a"], torque=2.0)
    net.add("Ja", "inertia", ["a"], inertia=0.1)
    net.add("gear", "gear", ["a", "b"], ratio=3.0)
    net.add("Jb", "inertia", ["b"], inertia=1.8)
    result = net.compile().simulate(1.0, step=0.1)
    assert result["a.angular_velocity"][-1] == pytest.approx(2.0 / 0.3, rel=1e-12)
    assert result["b.angular_velocity"][-1] == pytest.approx(2.0 / 0.9, rel=1e-12)


def test_a_block_sticks_below_the_limit_of_friction_and_slides_above():
    for push, expected in ((8.0, 0.0), (12.0, 2.0)):
        net = Network("block")
        net.add("push", "force", ["block"], force=push)
        net.add("mass", "mass", ["block"], mass=1.0)
        net.add("friction", "friction", ["block", "ground"], limit=10.0, transition=1e-4)
        result = net.compile().simulate(1.0, rtol=1e-6)
        # below the limit it creeps with a share of the transition speed
        assert result["block.velocity"][-1] == pytest.approx(expected, abs=2e-4)


def test_a_mass_rebounds_from_a_stop_as_fast_as_it_came():
    net = Network("stop")
    net.add("mass", "mass", ["m"], mass=1.0)
    net.add("stop", "stop", ["m", "ground"], stiffness=1e4, clearance=0.1)
    net.start("m", v=1.0)
    result = net.compile().simulate(0.25, rtol=1e-7, method="generalised-alpha", spectral_radius=1.0)
    assert result["m.velocity"][-1] == pytest.approx(-1.0, abs=1e-4)
    # half a period in contact, 0.1 m to it and the rest of the way back
    gone = 0.1 + math.pi / 100.0
    assert result["m.displacement"][-1] == pytest.approx(0.1 - (0.25 - gone), abs=1e-4)


def test_a_controller_of_signals_and_states_keeps_a_speed():
    """PI control of a motor: no error is left, and the integral is the voltage of the load."""
    net = Network("drive", parameters={"wanted": 100.0})
    net.add("error", "signal", value="wanted - shaft.angular_velocity")
    net.add("integral", "state", rate="error.value")
    net.add("amplifier", "voltage_source", ["p"], voltage="2*error.value + 20*integral.value")
    net.add("motor", "dc_motor", ["p", "ground", "shaft"], resistance=0.5, inductance=1e-3, constant=0.1)
    net.add("rotor", "inertia", ["shaft"], inertia=1e-2)
    net.add("load", "torque", ["shaft"], torque=-1.0)
    result = net.compile().simulate(5.0, rtol=1e-5)
    assert result["shaft.angular_velocity"][-1] == pytest.approx(100.0, abs=1e-3)
    assert 20.0 * result["integral.value"][-1] == pytest.approx(0.1 * 100.0 + 0.5 * 10.0, rel=1e-3)
    faster = net.compile({"wanted": 50.0}).simulate(5.0, rtol=1e-5)
    assert faster["shaft.angular_velocity"][-1] == pytest.approx(50.0, abs=1e-3)
