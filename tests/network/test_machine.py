"""A network drives a machine and is driven by it: against the same model with states of its own, and by energy."""

from __future__ import annotations

import math

import numpy as np
import pytest

import floatframe as ff
from floatframe.errors import ModelError
from floatframe.network import Network, machine_kind
from tests.network.examples import K, L, R, driven, rubbed_table, rubbing, slider_crank, turntable


def supplied(result) -> float:
    """What the battery gave less what the armature turned into heat [J]."""
    power = -result["battery.power"] - R * result["motor.current"] ** 2
    return float(np.sum(np.diff(result.t) * (power[1:] + power[:-1])) / 2.0)


@pytest.mark.parametrize(("method", "order"), [("stormer", 1.0), ("bdf2", 2.0), ("generalised-alpha", 2.0)])
def test_the_energy_of_circuit_and_mechanism_balances_with_the_order_of_the_method(method, order):
    """What battery and armature leave is in coil and machine, over ten time constants of the coil."""
    compiled, left = driven().compile(), []
    for step in (1e-4, 5e-5):
        result = compiled.simulate(0.02, method=method, step=step)
        energy = result["energy.total"] + 0.5 * L * result["motor.current"] ** 2
        left.append(abs(energy[-1] - energy[0] - supplied(result)))
    # 0.12: terms of the next order
    assert math.log2(left[0] / left[1]) == pytest.approx(order, abs=0.12)


def test_the_motor_of_a_slider_crank_agrees_with_states_and_balances_its_energy():
    """Second order in both, over the first turns of the crank."""
    t_end = 0.2
    own = slider_crank(f"{K}*current.value").compile()
    wanted = own.simulate(t_end=t_end, method="radau5", rtol=1e-8, record=ff.hybrid.Record(every=t_end))
    compiled = driven().compile()
    apart, left, gaps = [], [], []
    for step in (2e-3, 1e-3):
        result = compiled.simulate(t_end, method="generalised-alpha", step=step)
        apart.append(abs(result["shaft.angle"][-1] - wanted["A.angle"][-1]))
        energy = result["energy.total"] + 0.5 * L * result["motor.current"] ** 2
        left.append(abs(energy[-1] - energy[0] - supplied(result)))
        gaps.append(abs(result["slider.position.z"]).max())  # off the guide, which closes the loop
    assert math.log2(apart[0] / apart[1]) == pytest.approx(2.0, abs=0.3)
    assert math.log2(left[0] / left[1]) == pytest.approx(2.0, abs=0.4)
    assert math.log2(gaps[0] / gaps[1]) == pytest.approx(2.0, abs=0.4)
    assert gaps[1] < 2e-5  # of 0.8 m
    assert apart[1] < 1e-3 * wanted["A.angle"][-1]


def test_power_leaves_the_network_where_it_enters_the_machine():
    result = driven().compile().simulate(0.05, step=1e-3)
    into, out = result["machine.power"], -result["motor.torque"] * result["shaft.angular_velocity"]
    np.testing.assert_allclose(into, out, atol=1e-9 * np.abs(into).max())


def boom() -> ff.hybrid.Model:
    """A boom of 2 m, 100 kg, on a pin, held by a cylinder from its middle to the ground below."""
    h = ff.hybrid
    model = h.Model(gravity=(0, 0, -9.81))
    arm = model.add(h.RigidBody("arm", mass=100.0, inertia=(1.0, 33.3, 33.3), com=(1.0, 0, 0)))
    model.add(h.revolute("pin", arm.at((0, 0, 0)), model.ground.at((0, 0, 0)), axis=(0, -1, 0)))
    model.add(h.spring("lift", arm.at((1.0, 0, 0)), model.ground.at((0.5, 0, -1.0))))
    return model


def test_a_cylinder_holds_a_boom_with_the_pressure_of_its_weight():
    """Moments about the pin: the weight at 1 m against the cylinder along its line of length sqrt(1.25) m."""
    net, area = Network("lift"), 1e-3
    net.add("cylinder", "cylinder", ["oil", "ground", "rod"], area_a=area, dead_a=1e-4)
    net.add("arm", machine_kind(boom().compile(), ["lift"]), ["rod"])
    net.add("leak", "damper", ["rod", "ground"], damping=2e4)
    result = net.compile().simulate(3.0, rtol=1e-5)
    lever = 1.0 / math.sqrt(1.25)  # of the line about the pin
    # the oil gives way by some tenths of a millimetre, which changes the lever by as little
    assert result["oil.pressure"][-1] == pytest.approx(100.0 * 9.81 / lever / area, rel=2e-3)
    assert result["arm.lift.port"][-1] == pytest.approx(100.0 * 9.81 / lever, rel=2e-3)


def test_the_linear_analysis_of_boom_and_oil_has_the_frequency_of_the_hydraulic_spring():
    """Stiffness area² bulk / V over the mass that the cylinder feels, J / lever²; gravity adds little."""
    net, area, volume, bulk = Network("lift"), 1e-3, 1e-4, 1.4e9
    net.add("cylinder", "cylinder", ["oil", "ground", "rod"], area_a=area, dead_a=volume, bulk=bulk)
    net.add("arm", machine_kind(boom().compile(), ["lift"]), ["rod"])
    modes = net.compile().linearise()
    inertia, lever = 33.3 + 100.0, 1.0 / math.sqrt(1.25)
    wanted = math.sqrt(area**2 * bulk / volume * lever**2 / inertia) / (2.0 * math.pi)
    assert modes.frequency.max() == pytest.approx(wanted, rel=1e-3)


@pytest.mark.parametrize(
    ("ports", "words"),
    [
        (["Z"], "'Z' is neither a joint nor a spring element"),
        (["guide"], "joint 'guide' closes a loop"),
        (["A", "A"], "port 'A' is named twice"),
        ("A", "ports is 'A', expected a list of names"),
        ([1], r"ports is \[1\], expected a list of names"),
    ],
)
def test_ports_that_make_no_sense_are_refused(ports, words):
    with pytest.raises(ModelError, match=words):
        machine_kind(slider_crank().compile(), ports)


def test_a_model_that_is_not_compiled_is_refused():
    with pytest.raises(ModelError, match=r"expected a compiled model: machine_kind\(model.compile\(\)"):
        machine_kind(slider_crank(), ["A"])


def test_two_machines_keep_their_channels_and_need_kinds_of_their_own():
    """Two discs of 0.02 kg m² under torques of 0.1 and 0.3 N m: angle M t² / 2 J, which generalised-alpha meets."""
    net = Network("two")
    for k, torque in enumerate(("0.1", "0.3"), start=1):
        net.add(f"m{k}", machine_kind(turntable(torque).compile(), ["A"]), [f"shaft{k}"])
    result = net.compile().simulate(1.0, step=0.01, method="generalised-alpha", record=ff.hybrid.Record(every=1.0))
    assert [result["A.angle"][-1], result["m2.A.angle"][-1]] == pytest.approx([2.5, 7.5], rel=1e-9)
    only = net.compile().simulate(0.02, step=0.01, record=ff.hybrid.Record(channels=("m2.disc.rotation",)))
    assert [channel.name for channel in only.channels] == ["m2.disc.rotation"]
    with pytest.raises(ModelError, match="machine 'm3': its kind is that of 'm1'; every machine needs"):
        net.add("m3", net.elements["m1"].kind, ["shaft3"])


@pytest.mark.parametrize(("method", "order"), [("stormer", 1.0), ("bdf2", 2.0), ("generalised-alpha", 2.0)])
def test_a_joint_with_a_given_motion_drives_the_network(method, order):
    """A hinge on a base that swings as given, braked by the network: beside the same brake in the machine."""
    h = ff.hybrid

    def swung(torque: str = "") -> ff.hybrid.Model:
        model = h.Model(gravity=(0, 0, -9.81))
        base = model.add(h.RigidBody("base", mass=2.0, inertia=(0.1, 0.2, 0.3)))
        model.add(h.revolute("turn", base.at((0, 0, 0)), model.ground.at((0, 0, 0)), axis=(0, 1, 0)))
        arm = h.RigidBody("arm", mass=1.0, inertia=(0.01, 0.05, 0.05), com=(0.3, 0, 0), position=(0.5, 0, 0))
        model.add(arm)
        model.add(h.revolute("elbow", arm.at((0, 0, 0)), base.at((0.5, 0, 0)), axis=(0, 1, 0)))
        model.add(h.motion("given", "turn", "0.3*sin(5*t)"))
        if torque:
            model.add(h.joint_torque("brake", joint="elbow", torque=torque))
        return model

    wanted = swung("-0.4*rate").compile().simulate(t_end=0.5, method="radau5", rtol=1e-9)["elbow.angle"][-1]
    net = Network("brake")
    net.add("machine", machine_kind(swung().compile(), ["elbow"]), ["elbow"])
    net.add("brake", "rotary_damper", ["elbow", "ground"], damping=0.4)
    runs = [net.compile().simulate(0.5, method=method, step=step) for step in (4e-3, 2e-3)]
    errors = [abs(run["elbow.angle"][-1] - wanted) for run in runs]
    assert math.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.1)


def test_a_port_that_nothing_else_joins_is_a_sensor():
    """The angle of the pin, read by a signal, is that of the machine; the load of the cylinder does not change."""
    net = Network("lift")
    net.add("cylinder", "cylinder", ["oil", "ground", "rod"], area_a=1e-3, dead_a=1e-4)
    net.add("arm", machine_kind(boom().compile(), ["lift", "pin"]), ["rod", "joint"])
    net.add("seen", "signal", value="2*joint.angle")
    result = net.compile().simulate(0.1, step=1e-3)
    assert np.abs(result["pin.angle"]).max() > 1e-4
    np.testing.assert_allclose(result["seen.value"], 2.0 * result["pin.angle"], atol=1e-12)
    np.testing.assert_allclose(result["arm.pin.port"], 0.0, atol=1e-9)


def test_results_of_machines_in_inputs_and_events_have_a_cure():
    net = driven()
    with pytest.raises(ModelError, match=r"'C.rate' in .* is a result of machine 'machine'.* make a joint .* a port"):
        net.compile().simulate(0.1, step=1e-3, events=["C.rate - 1"])
    net.add("seen", "signal", value="slider.position.x")
    with pytest.raises(ModelError, match=r"signal 'seen', value: 'slider.position.x' in .* is a result of machine"):
        net.compile()


def test_states_of_a_machine_in_a_network_are_those_of_the_machine_alone():
    """The motor as states of the machine, which a rotary damper of the network brakes: beside a damper of its own."""
    t_end, damping = 0.2, 0.05
    alone = slider_crank(f"{K}*current.value - {damping}*A.rate").compile()
    wanted = alone.simulate(t_end=t_end, method="radau5", rtol=1e-8, record=ff.hybrid.Record(every=t_end))
    net = Network("braked")
    net.add("machine", machine_kind(slider_crank(f"{K}*current.value").compile(), ["A"]), ["shaft"])
    net.add("brake", "rotary_damper", ["shaft", "ground"], damping=damping)
    apart = []
    for step in (2e-3, 1e-3):
        result = net.compile().simulate(t_end, method="generalised-alpha", step=step)
        apart.append(abs(result["shaft.angle"][-1] - wanted["A.angle"][-1]))
    assert math.log2(apart[0] / apart[1]) == pytest.approx(2.0, abs=0.3)
    assert result["current.value"][-1] == pytest.approx(wanted["current.value"][-1], rel=1e-3)
    assert result["machine.current"][-1] == result["current.value"][-1]  # under the names of network and machine


def test_the_linear_analysis_of_the_whole_is_that_of_the_equations_by_hand():
    """Motor in the network, controller as state of the machine: i, angle, speed, z in a matrix of four rows."""
    J, gain, stiff, lag = 0.02, 3.0, 5.0, 0.05
    z = ff.hybrid.StateVariable("z", rate=f"A.rate - z.value/{lag}")
    net = Network("table")
    machine = turntable(f"-{stiff}*A.angle - {gain}*z.value", z)
    net.add("machine", machine_kind(machine.compile(), ["A"]), ["shaft"])
    net.add("motor", "dc_motor", ["ground", "ground", "shaft"], resistance=R, inductance=L, constant=K)
    net.add("bearing", "rotary_damper", ["shaft", "ground"], damping=0.01)
    A = np.array(
        [
            [-R / L, 0.0, -K / L, 0.0],
            [0.0, 0.0, 1.0, 0.0],
            [K / J, -stiff / J, -0.01 / J, -gain / J],
            [0.0, 0.0, 1.0, -1.0 / lag],
        ]
    )
    wanted = np.linalg.eigvals(A)
    wanted = wanted[wanted.imag >= 0.0]
    wanted = wanted[np.argsort(np.abs(wanted))]
    # slopes of the machine are differences
    np.testing.assert_allclose(net.compile().linearise().eigenvalues, wanted, rtol=1e-6)


def test_a_controller_of_blocks_in_the_machine_drives_a_motor_of_the_network():
    """A PI block of the machine reads its angle; the network reads its signal: against both in one place."""

    def table(torque: str) -> ff.hybrid.Model:
        return turntable(torque, ff.hybrid.StateVariable("sum", rate="0.5 - A.angle"))

    law = "4*(0.5 - A.angle) + 2*sum.value - 0.3*A.rate"
    wanted = table(law).compile().simulate(t_end=2.0, method="radau5", rtol=1e-9)
    net = Network("table")
    net.add("machine", machine_kind(table("0").compile(), ["A"]), ["shaft"])
    torque = "4*(0.5 - shaft.angle) + 2*machine.sum - 0.3*shaft.angular_velocity"
    net.add("drive", "torque", ["shaft"], torque=torque)
    result = net.compile().simulate(2.0, rtol=1e-6)
    assert result["disc.angular_velocity"][-1, 2] == pytest.approx(wanted["disc.angular_velocity"][-1, 2], abs=2e-4)
    assert result["shaft.angle"][-1] == pytest.approx(wanted["A.angle"][-1], abs=2e-4)


def test_friction_of_a_joint_remembers_in_a_network_as_it_does_alone():
    """What the element remembers follows the steps."""
    wanted = rubbed_table().compile().simulate(t_end=2.0, method="generalised-alpha", step=2e-4)
    result = rubbing().compile().simulate(2.0, method="bdf2", step=1e-3)
    # the larger of the steps follows a start of slip that far; without memory 35 % is missing
    assert result["shaft.angle"][-1] == pytest.approx(wanted["A.angle"][-1], rel=2e-4)


def test_what_changes_from_time_to_time_is_refused_with_a_cure():
    h = ff.hybrid
    model = turntable("0.1*hold.value")
    model.add(h.sampled("hold", input="A.rate", period=0.01))
    with pytest.raises(ModelError, match=r"block 'hold' is sampled: .* put it into the network"):
        machine_kind(model.compile(), ["A"])
    staged = turntable("0.1")
    staged.add(h.Stage("late", when="A.angle - 0.5", release=["A"]))
    with pytest.raises(ModelError, match=r"stage 'late' begins with an event, .* give its time \[s\] as `when`"):
        machine_kind(staged.compile(), [])
