"""Blocks of controllers in runs against closed forms: filters, PID loops and their limits, state-space blocks."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.linalg import expm

from floatframe import hybrid as h
from tests.hybrid.rotor import INERTIA, rotor
from tests.hybrid.same_models import assert_same

KP, KI, KD, FILTER = 40.0, 30.0, 6.0, 0.02


def pid_loop(**more: float) -> h.Model:
    """A rotor whose angle a PID controller takes to 1 rad."""
    model = rotor()
    model.add(h.pid("control", "1 - shaft.angle", kp=KP, ki=KI, kd=KD, filter=FILTER, unit="N m", **more))
    model.add(h.joint_torque("motor", "shaft", torque="control"))
    return model


def exact_loop(t: float) -> float:
    """Angle of the loop: states are angle, speed, integral, filtered error, and one."""
    direct = KP + KD / FILTER
    rates = np.zeros((5, 5))
    rates[0, 1] = 1.0
    rates[1] = np.array([-direct, 0, 1, -KD / FILTER, direct]) / INERTIA
    rates[2] = [-KI, 0, 0, 0, KI]
    rates[3] = np.array([-1, 0, 0, -1, 1]) / FILTER
    return float((expm(rates * t) @ [0, 0, 0, 0, 1])[0])


def second_order_step(t, omega: float, ratio: float):
    """Response of omega²/(s² + 2 ratio omega s + omega²) to a step, and its rate."""
    damped = omega * np.sqrt(1 - ratio**2)
    decay = np.exp(-ratio * omega * t)
    value = 1 - decay * (np.cos(damped * t) + ratio * omega / damped * np.sin(damped * t))
    return value, decay * omega**2 / damped * np.sin(damped * t)


@pytest.mark.parametrize("method", ["auto", "radau5", "rk45"])
def test_pid_loop_follows_the_matrix_exponential(method):
    result = pid_loop().compile().simulate(t_end=1.5, method=method, rtol=1e-10, record=h.Record(every=1.5))
    assert result["shaft.angle"][-1] == pytest.approx(exact_loop(1.5), abs=1e-9)


@pytest.mark.parametrize("omega", [0.02, 30.0, 5e4])
def test_second_order_filter_answers_a_step_at_any_speed(omega):
    model = rotor(w=omega, z=0.2)
    model.add(h.transfer_function("low", "1", ["w^2"], [1, "2*z*w", "w^2"]))
    model.add(h.transfer_function("slope", "1", [0, "w", 0], [1, "2*z*w", "w^2"]))
    result = model.compile().simulate(t_end=20 / omega, rtol=1e-11, record=h.Record(every=1 / omega))
    value, rate = second_order_step(result.t, omega, 0.2)
    assert_allclose(result["low.value"], value, atol=1e-9)
    assert_allclose(result["slope.value"], rate / omega, atol=1e-9)


def test_proper_transfer_functions_pass_what_they_pass_at_once():
    """(2 s + 1)/(s + 3) of t: the derivative part is there from the start, integrators have no pole to scale by."""
    model = rotor()
    model.add(h.transfer_function("lead", "t", [2, 1], [1, 3]))
    model.add(h.transfer_function("gain", "t", [6], [2]))
    model.add(h.transfer_function("double", "t", [1], [1, 0, 0]))
    result = model.compile().simulate(t_end=2.0, rtol=1e-10, record=h.Record(every=0.25))
    t = result.t
    assert_allclose(result["lead.value"], t / 3 + 5 / 9 * (1 - np.exp(-3 * t)), atol=1e-9)
    assert_allclose(result["gain.value"], 3 * t, atol=1e-12)
    assert_allclose(result["double.value"], t**3 / 6, atol=1e-9)


def test_state_space_blocks_have_several_inputs_and_outputs():
    A, B = np.array([[0.0, 1], [-4, -0.5]]), np.array([[0.0, 1], [2, 0]])
    C, D, start = np.array([[1.0, 0], [1, 3]]), np.array([[0.0, 0], [0, 0.5]]), np.array([0.3, -0.2])
    model = rotor()
    model.add(h.state_space("plant", ["1", "2"], A, B, C, D, start=start))
    model.add(h.Signal("both", "plant.y1 + plant.y2"))
    result = model.compile().simulate(t_end=3.0, rtol=1e-10, record=h.Record(every=0.5))
    u, rest = np.array([1.0, 2.0]), np.linalg.solve(A, B @ [1.0, 2.0])
    x = np.array([expm(A * t) @ (start + rest) - rest for t in result.t])
    y = x @ C.T + D @ u
    assert_allclose(np.column_stack((result["plant.y1.value"], result["plant.y2.value"])), y, atol=1e-9)
    assert_allclose(result["both.value"], y.sum(axis=1), atol=1e-9)


def test_the_integral_follows_a_limit_instead_of_winding_up():
    """A held error of 1 with kp = 1, ki = 2, a limit of 1.5: the integral ends where kp + I - limit = ki T."""
    model = rotor()
    for name, wait in (("wound", 1e9), ("followed", 0.1)):
        model.add(h.pid(name, "1", kp=1.0, ki=2.0, low=-1.5, high=1.5, anti_windup=wait))
    result = model.compile().simulate(t_end=3.0, rtol=1e-9, record=h.Record(every=0.1))
    t = result.t
    assert_allclose(result["followed.value"], np.minimum(1 + 2 * t, 1.5), atol=1e-7)
    free = np.maximum(t - 0.25, 0.0)
    expected = np.where(t < 0.25, 2 * t, 0.5 + 2.0 * 0.1 * (1 - np.exp(-free / 0.1)))
    # where the limit is reached rates jump, and steps must find that place
    assert_allclose(result["followed.integral.value"], expected, atol=1e-7)
    assert_allclose(result["wound.integral.value"], 2 * t, atol=1e-7)


def test_blocks_are_written_and_read(tmp_path):
    model = pid_loop(low=-9.0, high=9.0)
    model.add(h.transfer_function("low", "control", ["2"], [1, 3], unit="V"))
    model.add(h.state_space("plant", ["low"], [[-1]], [[1]], [[2]]))
    h.write_model(tmp_path / "loop.toml", model)
    assert_same(h.read_model(tmp_path / "loop.toml").model.flatten(), model.flatten())
