"""Elements with six components against hand calculations: bushing, point load, contact with a plane, user functions."""

from __future__ import annotations

import gc

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from floatframe import hybrid as h
from floatframe.errors import ModelError
from tests.hybrid.floating_pair import Outcome, Pair

SEEDS = range(3)


@pytest.mark.parametrize("seed", SEEDS)
def test_bushing(seed):
    rng = np.random.default_rng(seed)
    K, C, preload = rng.normal(size=(6, 6)), rng.normal(size=(6, 6)), rng.normal(size=6)
    pair = Pair(seed)
    a, b = pair.motions
    out = pair.add(h.bushing, K, C, preload)
    position, rotation, velocity, spin = a.seen_from(b)
    z = np.r_[position, Rotation.from_matrix(rotation).as_rotvec()]
    wrench = preload - K @ z - C @ np.r_[velocity, spin]
    out.check(b.R @ wrench[:3], b.R @ wrench[3:], a)
    assert out.report["elongation"] == pytest.approx(np.linalg.norm(position), rel=1e-12)
    assert out.report["rate"] == pytest.approx(position @ velocity / np.linalg.norm(position), rel=1e-11)


def test_bushing_does_no_work_round_a_closed_path_of_positions():
    pair = Pair(2)
    out = pair.add(h.bushing, (100.0, 200.0, 300.0, 10.0, 10.0, 10.0))
    start, nv = out.system.start, out.system.nv
    rng = np.random.default_rng(0)
    one, two = np.zeros((2, nv))
    one[:3], two[:3] = rng.normal(size=(2, 3))
    total = 0.0
    for angle in 2 * np.pi * np.arange(64) / 64:  # linear forces on a circle: the midpoint rule is exact
        moved = out.system.move(start, np.cos(angle) * one + np.sin(angle) * two)
        out.evaluate(type(start)(0.0, moved.q, np.zeros(nv), start.memory))
        total -= out.now.residual @ (np.cos(angle) * two - np.sin(angle) * one)
    assert abs(total) < 1e-9 * np.abs(out.now.residual).max()


@pytest.mark.parametrize("axes", ["world", "body"])
@pytest.mark.parametrize("seed", SEEDS)
def test_point_force_and_torque(seed, axes):
    pair = Pair(seed)
    a, place = pair.motions[0], pair.places[0]
    pair.model.add(h.point_torque("T", place, (0, "b.velocity.z", 4.0), axes=axes))
    pair.model.add(h.point_force("P", place, (1.0, h.Table([-1, 1], [5, 7]), "sin(t) - a.position.y"), axes=axes))
    out = Outcome(pair.model)
    R = a.R if axes == "body" else np.eye(3)
    force = R @ (1.0, 6.0, -pair.bodies[0].position[1])
    torque = R @ (0.0, pair.bodies[1].velocity[2], 4.0)
    reports = out.now.data.forces
    np.testing.assert_allclose(reports[1]["force"], force, rtol=1e-12)
    np.testing.assert_allclose(reports[0]["torque"], torque, rtol=1e-12)
    assert reports[1]["power"] == pytest.approx(force @ a.v, rel=1e-12)
    assert reports[0]["power"] == pytest.approx(torque @ a.w, rel=1e-12)
    assert (reports[1]["value"], reports[1]["elongation"]) == (pytest.approx(np.linalg.norm(force)), 0)
    on_a, moment = out.loads(0)
    np.testing.assert_allclose(on_a, force, rtol=1e-12)
    np.testing.assert_allclose(moment, torque + np.cross(a.p, force), rtol=1e-11, atol=1e-12)
    np.testing.assert_array_equal(out.loads(1)[0], 0)


@pytest.mark.parametrize("radius", [0.0, 20.0])
@pytest.mark.parametrize("seed", SEEDS)
def test_contact_with_a_plane(seed, radius):
    pair = Pair(seed)
    a, b = pair.motions
    normal = np.array([1.0, -2.0, 0.5])
    n = b.R @ normal / np.linalg.norm(normal)
    arm = a.p - b.p
    # a point is put under the plane by the choice of the plane's side
    if radius == 0 and n @ arm > 0:
        normal, n = -normal, -n
    out = pair.add(
        h.contact_plane,
        stiffness=50.0,
        damping=0.3,
        radius=radius,
        normal=tuple(normal),
        exponent=1.5,
        friction=0.4,
        speed=3.0,
    )
    depth = radius - n @ arm
    rate = -n @ (a.v - b.v - np.cross(b.w, arm))
    push = 50 * depth**1.5 + 0.3 * rate
    touch = a.p - radius * n
    slip = a.v + np.cross(a.w, touch - a.p) - b.v - np.cross(b.w, touch - b.p)
    slip -= n * (n @ slip)
    speed = np.linalg.norm(slip)
    force = push * n - 0.4 * push * np.tanh(2 * speed / 3.0) * slip / speed
    assert push > 0
    out.check(force, np.cross(touch - a.p, force), a)
    report = out.report
    assert (report["value"], report["elongation"], report["rate"]) == pytest.approx((push, depth, rate), rel=1e-11)


def dropped(height: float, speed: float, **contact):
    model = h.Model()
    ball = model.add(h.RigidBody("ball", 1.0, (1, 1, 1), position=(0, 0, height), velocity=(0, 0, speed)))
    model.add(h.contact_plane("F", ball.at(), model.ground.at(), **contact))
    return Outcome(model)


def test_contact_pushes_up_and_never_pulls():
    law = {"stiffness": 1e3, "damping": 100.0, "radius": 0.1, "friction": 0.5}
    assert dropped(0.2, -1.0, **law).report["value"] == 0
    assert dropped(0.1, -1.0, **law).report["value"] == 0  # just touching
    pressed = dropped(0.09, -1.0, **law).report
    np.testing.assert_allclose(pressed["force"], (0, 0, 110.0), rtol=1e-12)
    assert pressed["power"] == pytest.approx(-110.0)
    leaving = dropped(0.09, 1.0, **law).report  # 10 - 100 < 0
    assert leaving["value"] == 0
    np.testing.assert_array_equal(leaving["force"], 0)


def test_ball_bounces_with_its_energy():
    """Half a period of the contact oscillator turns the speed round."""
    out = dropped(0.1, -1.0, stiffness=1e4, radius=0.1)
    q, v, step = out.state.q.copy(), out.state.v.copy(), 1e-4
    for k in range(2000):
        out.evaluate(type(out.state)(k * step, q, v, out.state.memory))
        v = v + step * out.system.accelerations(out.state)[0]
        q = out.system.move(out.state, step * v).q
    # symplectic Euler: the error of the energy is bounded by the step times the frequency, 1e-4 * 100
    assert v[2] == pytest.approx(1.0, abs=1e-2)


@pytest.mark.parametrize("seed", SEEDS)
def test_user_function_gets_the_relative_motion_and_acts_on_both(seed):
    rng = np.random.default_rng(seed)
    wrench = rng.normal(size=(2, 3))
    calls = []

    def function(t, position, rotation, velocity, angular_velocity):
        calls.append((t, position, rotation, velocity, angular_velocity))
        return wrench

    pair = Pair(seed)
    a, b = pair.motions
    out = pair.add(h.user_force, function)
    gc.collect()  # the function lives as long as the system
    out.evaluate(type(out.state)(0.25, out.state.q, out.state.v, out.state.memory))
    assert calls[-1][0] == 0.25
    for found, expected in zip(calls[-1][1:], a.seen_from(b), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-11, atol=1e-12)
    out.check(b.R @ wrench[0], b.R @ wrench[1], a)


def test_user_function_as_a_spring_is_the_spring():
    pair = Pair(4)

    def pull(t, position, rotation, velocity, angular_velocity):
        return -30.0 * position, (0, 0, 0)

    pair.model.add(h.user_force("U", *pair.places, pull))
    out = pair.add(h.spring, stiffness=30.0, length=0.0)
    user, spring = out.now.data.forces
    np.testing.assert_allclose(user["force"], spring["force"], rtol=1e-12)
    assert user["power"] == pytest.approx(spring["power"], rel=1e-12)


def fails(t, position, rotation, velocity, angular_velocity):
    if t > 0.5:
        raise ZeroDivisionError("wind speed is zero")
    return (0, 0, 0), (0, 0, 0)


def test_exception_in_a_user_function_names_element_and_message():
    pair = Pair(0)
    out = pair.add(h.user_force, fails)
    late = type(out.state)(1.0, out.state.q, out.state.v, out.state.memory)
    with pytest.raises(ModelError, match=r"user_force 'F': .*ZeroDivisionError: wind speed is zero"):
        out.evaluate(late)
    np.testing.assert_array_equal(out.evaluate(out.system.start).report["force"], 0)


def test_failed_function_leaves_not_a_number_and_recovers():
    from floatframe.hybrid.kernels.system import APPLIED, VELOCITY

    out = Pair(0).add(h.user_force, fails)
    now, state = out.system.evaluation(), out.state
    now.quietly(1.0, state.q, VELOCITY | APPLIED, state.v)
    assert np.isnan(now.residual).all()
    # an integrator that tries a smaller step instead of giving up finds no old failure
    now.quietly(0.1, state.q, VELOCITY | APPLIED, state.v)
    assert np.isfinite(now.residual).all()
    assert np.isfinite(now(0.1, state.q, VELOCITY | APPLIED, state.v).residual).all()


@pytest.mark.parametrize(
    ("result", "said"),
    [
        (None, "returned None, expected a force and a torque"),
        ((1.0, 2.0), "expected a force and a torque of three numbers"),
        (((0, 0, np.nan), (0, 0, 0)), "expected finite numbers"),
        (("abc", (0, 0, 0)), "expected a force and a torque"),
    ],
)
def test_wrong_results_of_a_user_function(result, said):
    with pytest.raises(ModelError, match=said):
        Pair(0).add(h.user_force, lambda *_: result)


def test_interrupt_in_a_user_function_is_not_lost():
    def interrupted(*_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Pair(0).add(h.user_force, interrupted)


def test_forces_on_a_flexible_body_do_the_work_they_report():
    """Generalised forces of modes against the power at the node."""
    import floatframe as ff

    steel = ff.fem.Material(E=2.1e11, nu=0.3, rho=7850.0)
    section = ff.fem.BeamSection.rectangle(0.02, 0.02)
    beam = ff.fem.beam_line((0, 0, 0), (1, 0, 0), n=8, section=section, material=steel)
    model = h.Model()
    rod = model.add(h.FlexibleBody("rod", ff.modal.reduce(beam, interface=[1, 9], n_modes=4)))
    place = model.ground.at((1, 0.5, 0.2))
    model.add(h.bushing("B", rod.node(9), place, (1e3, 2e3, 3e3, 10, 20, 30), (1, 2, 3, 4, 5, 6)))
    model.add(h.contact_plane("C", rod.node(1), model.ground.at((0, 0, 0.1)), stiffness=1e3, friction=0.3, radius=0.3))
    model.add(h.spring("S", rod.node(9), place, stiffness=100.0, length=0.1, damping=3.0))
    out = Outcome(model)
    rng = np.random.default_rng(1)
    state = out.system.move(out.system.start, 0.01 * rng.normal(size=out.system.nv))
    out.evaluate(type(state)(0.0, state.q, rng.normal(size=out.system.nv), state.memory))
    done = -out.now.residual @ out.state.v
    assert done == pytest.approx(out.now.data.forces["power"].sum(), rel=1e-10)
    assert np.count_nonzero(out.now.data.forces["power"]) == 3
