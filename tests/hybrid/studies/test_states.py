"""State variables in equilibrium and linear analysis: loads that integrals carry, poles of closed loops."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from floatframe import hybrid as h
from floatframe.errors import ModelError, NotConverged
from tests.hybrid.dc_motor import MATRIX, dc_motor
from tests.hybrid.rotor import rotor

G, MASS, LENGTH, INERTIA = 9.81, 2.0, 0.5, 1.3  # of an arm about its joint
TARGET = -0.4


def held_arm(kp=40.0, ki=30.0, kd=4.0, **more) -> h.Model:
    """A heavy arm that a PID controller holds at an angle below the horizontal."""
    model = h.Model(gravity=(0, 0, -G))
    own = INERTIA - MASS * LENGTH**2
    arm = model.add(h.RigidBody("arm", mass=MASS, inertia=(1, own, 1), com=(LENGTH, 0, 0)))
    model.add(h.revolute("joint", arm.at(), model.ground.at(), axis=(0, -1, 0)))
    model.add(h.pid("control", f"{TARGET} - joint.angle", kp=kp, ki=ki, kd=kd, filter=0.02, **more))
    model.add(h.joint_torque("motor", "joint", torque="control"))
    return model


def sorted_roots(values) -> np.ndarray:
    """Roots of one half plane, slowest first."""
    values = np.asarray(values, dtype=complex)
    values = values[values.imag >= -1e-12]
    return values[np.lexsort((values.imag, np.round(np.abs(values), 9)))]


def test_the_integral_carries_the_weight_at_the_target():
    system = held_arm().compile()
    found = h.find_equilibrium(system)
    assert found.stable
    assert found.state.q[0] == pytest.approx(TARGET, abs=1e-12)
    weight = MASS * G * LENGTH * np.cos(TARGET)
    assert system.values(found.state) == pytest.approx({"control.integral": weight, "control.filtered": 0.0}, abs=1e-10)


def test_held_states_leave_an_error_that_carries_the_weight():
    system = held_arm().compile()
    state = system.equilibrium(hold_states=True)
    angle = state.q[0]
    assert system.values(state)["control.integral"] == 0.0
    # the filter is held as well, so the controller acts with kp + kd/T
    assert (40 + 4 / 0.02) * (TARGET - angle) == pytest.approx(MASS * G * LENGTH * np.cos(angle), rel=1e-9)


def test_poles_of_a_pid_loop_are_roots_of_its_characteristic_polynomial():
    """((I s² - m g l sin a) s (T s + 1) + (kp s + ki)(T s + 1) + kd s²) = 0 at the angle a."""
    kp, ki, kd, T = 40.0, 30.0, 4.0, 0.02
    modes = held_arm(kp, ki, kd).compile().linearise()
    stiffness = -MASS * G * LENGTH * np.sin(TARGET)
    plant = np.polymul([INERTIA, 0, stiffness], [T, 1, 0])
    polynomial = np.polyadd(plant, np.polyadd(np.polymul([kp, ki], [T, 1]), [kd, 0, 0]))
    assert_allclose(sorted_roots(modes.eigenvalues), sorted_roots(np.roots(polynomial)), rtol=1e-9)
    assert modes.states == ("control.integral", "control.filtered")
    # participations of a mode, of the bodies' coordinates too, add up to one
    assert ((modes.state_shares >= 0) & (modes.state_shares <= 1)).all()
    assert "states control.integral" in modes.table()


def test_poles_of_a_motor_and_its_turning_shaft():
    system = dc_motor().compile()
    modes = system.linearise(system.initial_state())
    assert_allclose(sorted_roots(modes.eigenvalues), sorted_roots(np.linalg.eigvals(MATRIX[:3, :3])), atol=1e-10)
    assert modes.rigid.tolist() == [True, False]


def test_too_much_integral_makes_the_equilibrium_unstable():
    """Without derivative: I s³ + c s² + (kp + g) s + ki loses stability where ki = c (kp + g)/I."""
    stiffness, drag = -MASS * G * LENGTH * np.sin(TARGET), 2.0
    limit = drag * (40.0 + stiffness) / INERTIA
    for ki, stable in ((0.999 * limit, True), (1.001 * limit, False)):
        model = held_arm(ki=ki, kd=0.0)
        model.add(h.joint_torque("drag", "joint", torque=f"-{drag}*rate"))
        found = h.find_equilibrium(model.compile())
        assert found.stable is stable
        assert stable or "body 'arm' with state 'control.integral'" in found.unstable[0]


def test_filters_alone_have_their_own_poles_and_values():
    model = rotor()
    model.add(h.joint_torque("hold", "shaft", torque="-8*angle - 0.8*rate"))
    model.add(h.transfer_function("low", "2", [9], [1, 1.2, 9]))
    model.add(h.transfer_function("way", "shaft.rate", [1], [1, 0]))
    system = model.compile()
    found = h.find_equilibrium(system)
    assert system.values(found.state)["low.x1"] == pytest.approx(2.0, rel=1e-12)
    modes = system.linearise(found.state)
    expected = [*np.roots([1, 1.2, 9]), *np.roots([0.8, 0.8, 8]), 0.0]
    assert_allclose(sorted_roots(modes.eigenvalues), sorted_roots(expected), atol=1e-9)
    # the filter moves nothing
    alone = np.flatnonzero(modes.state_shares[:2].sum(axis=0) > 0.999)
    assert len(alone) == 1
    assert not modes.shapes[:, alone].any()


def test_what_never_rests_is_named():
    model = held_arm()
    model.add(h.StateVariable("clock", rate="1"))
    with pytest.raises(NotConverged, match="state 'clock' never comes to rest, its rate is 1"):
        model.compile().equilibrium()
    assert model.compile().equilibrium(hold_states=True) is not None
    with pytest.raises(NotConverged, match="state 'current', current, is left with a rate of 12"):
        dc_motor().compile().equilibrium()
    with pytest.raises(NotConverged, match=r"pid 'control', control.integral, is left with a rate"):
        held_arm(low=-1.0, high=1.0, anti_windup=1e9).compile().equilibrium()
    with pytest.raises((NotConverged, ModelError), match="steady motion is not found for models with state variables"):
        dc_motor().compile().steady_motion()


@pytest.mark.parametrize("block", ["delay", "sampled", "velocity constraint"])
def test_stability_that_no_poles_tell_is_not_known(block, recwarn):
    model = h.Model()
    cart = model.add(h.RigidBody("cart", 1.0, (1, 1, 1)))
    model.add(h.prismatic("rail", cart.at(), model.ground.at(), axis=(1, 0, 0)))
    if block == "velocity constraint":
        model.add(h.StateVariable("x", rate="x", start=1.0))  # grows
        model.add(h.velocity_constraint("drive", "rail.rate - x"))
    else:
        model.add(h.StateVariable("x", rate="-late", start=1.0))
        # x' = -x(t - 3) grows, since 3 > pi/2; sampled, x is multiplied by 1 - 3 in every period
        model.add(h.delay("late", "x", time=3.0) if block == "delay" else h.sampled("late", "x", period=3.0))
    system = model.compile()
    found = h.find_equilibrium(system)
    assert found.stable is None
    assert not found.unstable
    assert "stability not known" in str(found)
    system.equilibrium()
    assert not recwarn
