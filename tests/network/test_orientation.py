"""Rotation in space by four parameters with the soft norm: free tops, moments about global axes, axes that are held."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from floatframe.network import At, Network, Out, differentiated

INERTIA = np.array([1.0, 2.0, 3.0])
START = np.array([0.1, 5.0, 0.2])  # near the unstable axis: it tumbles over


def top() -> Network:
    net = Network("top")
    values = dict(zip(("inertia_x", "inertia_y", "inertia_z", "wx", "wy", "wz"), (*INERTIA, *START), strict=True))
    net.add("body", "spatial_inertia", ["q1", "q2", "q3"], **values)
    return net


def spin(result) -> np.ndarray:
    return np.array([result[f"body.angular_velocity_{axis}"][-1] for axis in "xyz"])


@pytest.mark.parametrize(("method", "order"), [("stormer", 1), ("bdf2", 2), ("generalised-alpha", 2)])
def test_a_tumbling_body_follows_eulers_equations_with_the_order_of_the_method(method, order):
    """Angular velocity in global axes after 2.5 rad, against Euler's equations and the turning matrix by SciPy."""

    def rates(t, y):
        w, R = y[:3], y[3:].reshape(3, 3)
        return np.concatenate([-np.cross(w, INERTIA * w) / INERTIA, np.cross(R, w).ravel()])

    end = solve_ivp(rates, (0.0, 0.5), np.concatenate([START, np.eye(3).ravel()]), rtol=1e-10, atol=1e-12).y[:, -1]
    exact = end[3:].reshape(3, 3) @ end[:3]
    compiled = top().compile()
    runs = [spin(compiled.simulate(0.5, method=method, step=h)) for h in (2e-2, 1e-2)]
    errors = [np.linalg.norm(found - exact) for found in runs]
    # 0.15: terms of the next order at these steps
    assert np.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.15)


def test_the_soft_norm_keeps_the_length_of_the_parameters():
    """A moment about the global axis Z turns a body by 4.5 rad, past half a turn: q3 = sin(4.5/2)."""
    net = Network("turn")
    net.add("body", "spatial_inertia", ["q1", "q2", "q3"], inertia_x=1.0, inertia_y=2.0, inertia_z=3.0)
    net.add("M", "moment", ["q3"], moment=3.0)
    result = net.compile().simulate(3.0, step=1e-2)
    assert result["q3.parameter"][-1] == pytest.approx(np.sin(2.25), abs=2e-3)  # (rate h)²
    assert result["body.angular_velocity_z"][-1] == pytest.approx(3.0, rel=1e-9)


def test_axes_that_are_held_leave_a_rotation_about_the_other():
    net = Network("held")
    net.add("body", "spatial_inertia", ["ground", "ground", "q3"], inertia_x=1.0, inertia_y=2.0, inertia_z=3.0, wz=2.0)
    result = net.compile().simulate(1.0, step=1e-2)
    assert result["q3.parameter"][-1] == pytest.approx(np.sin(1.0), abs=2e-3)  # (rate h)²
    assert result["body.angular_velocity_x"][-1] == pytest.approx(0.0, abs=1e-12)


def test_bodies_joined_in_all_or_one_rotation_turn_as_one():
    """Moments of inertia add up: all three parameters shared against one body, q3 alone against M = J w'."""
    net = top()
    values = dict(zip(("inertia_x", "inertia_y", "inertia_z", "wx", "wy", "wz"), (*INERTIA, *START), strict=True))
    net.add("rider", "spatial_inertia", ["q1", "q2", "q3"], **values)
    both, one = (made.compile().simulate(0.5, step=1e-2) for made in (net, top()))
    np.testing.assert_allclose(spin(both), spin(one), rtol=1e-9)  # iterations end there; like bodies move alike
    axle = Network("axle")
    for name, inertia in (("a", 3.0), ("b", 2.0)):
        values = {"inertia_x": 1.0, "inertia_y": 1.0, "inertia_z": inertia, "wz": 2.0}
        axle.add(name, "spatial_inertia", ["ground", "ground", "q3"], **values)
    axle.add("M", "moment", ["q3"], moment=5.0)
    result = axle.compile().simulate(1.0, step=1e-2)
    assert result["a.angular_velocity_z"][-1] == pytest.approx(3.0, rel=1e-9)


def test_flows_alone_give_the_jacobians_that_are_derived_by_hand():
    """F = p x³ s + v a: derivatives by all that it depends on, at two elements."""

    def flow(at, F):
        F[0] += at.p[0] * at.x[0] ** 3 * at.s[0] + at.v[0] * at.a[0]

    x, v, a, p, s = (np.array([[k + 0.5, k - 2.0]]) for k in range(5))
    out = Out(np.zeros((1, 2)), *(np.zeros((1, 1, 2)) for _ in range(4)))
    differentiated(flow)(At(x, v, a, 0.0, p, s), out)
    for found, expected in ((out.K, 3 * p * x**2 * s), (out.D, a), (out.M, v), (out.S, p * x**3)):
        np.testing.assert_allclose(found[0], expected, rtol=1e-14)  # a few roundings
