"""Elements along a line or in a joint coordinate against hand calculations: springs, friction, stops."""

from __future__ import annotations

import numpy as np
import pytest

from floatframe import hybrid as h
from floatframe.hybrid.kernels.forces import remember_forces
from floatframe.hybrid.kernels.layout import SLIDES, STICKS
from floatframe.hybrid.kernels.options import DATA, TABLES, entry
from tests.hybrid.floating_pair import Outcome, Pair

SEEDS = range(3)


def line(pair: Pair) -> tuple[np.ndarray, float, float]:
    """Direction from b to a, length and its rate."""
    a, b = pair.motions
    length = float(np.linalg.norm(a.p - b.p))
    u = (a.p - b.p) / length
    return u, length, float(u @ (a.v - b.v))


@pytest.mark.parametrize("seed", SEEDS)
def test_spring(seed):
    pair = Pair(seed)
    u, length, rate = line(pair)
    out = pair.add(
        h.spring, stiffness=30.0, damping=2.0, length=0.4, preload=5.0, force="elongation^3 + 0.1*rate*length + t"
    )
    x = length - 0.4
    tension = 30 * x + 2 * rate + 5 + x**3 + 0.1 * rate * length
    out.check(-tension * u, np.zeros(3), pair.motions[0])
    report = out.report
    assert report["value"] == pytest.approx(tension, rel=1e-12)
    assert (report["elongation"], report["rate"]) == pytest.approx((x, rate), rel=1e-12)
    assert report["power"] == pytest.approx(-tension * rate, rel=1e-12)


def test_free_length_is_that_of_the_start():
    out = Pair(1).add(h.spring, stiffness=30.0)
    assert out.report["elongation"] == pytest.approx(0, abs=1e-14)


@pytest.mark.parametrize("seed", SEEDS)
def test_spring_with_a_table(seed):
    pair = Pair(seed)
    u, length, _ = line(pair)
    table = h.Table([-10, 0, 1, 10], [0, 0, 7, 8])
    out = pair.add(h.spring, length=0.0, force=table)
    out.check(-np.interp(length, table.x, table.y) * u, np.zeros(3), pair.motions[0])


def test_sensors_in_a_law():
    pair = Pair(5)
    u, _, rate = line(pair)
    out = pair.add(h.spring, force="a.position.x*rate + 2*b.velocity.y - b.angular_velocity.z")
    a, b = pair.bodies
    law = a.position[0] * rate + 2 * b.velocity[1] - b.angular_velocity[2]
    out.check(-law * u, np.zeros(3), pair.motions[0])


@pytest.mark.parametrize("axis", [None, (1.0, 2.0, -0.5)])
@pytest.mark.parametrize("seed", SEEDS)
def test_friction_grows_with_the_sliding_speed(seed, axis):
    pair = Pair(seed)
    a, b = pair.motions
    if axis is None:
        u, _, rate = line(pair)
    else:
        u = b.R @ np.array(axis) / np.linalg.norm(axis)
        rate = u @ (a.v - b.v - np.cross(b.w, a.p - b.p))
    out = pair.add(h.friction, force="3 + 2*exp(-abs(rate))", speed=2.0, axis=axis)
    friction = (3 + 2 * np.exp(-abs(rate))) * np.tanh(2 * rate / 2.0)
    out.check(-friction * u, np.zeros(3), a)
    assert out.report["power"] < 0
    assert out.report["elongation"] == pytest.approx(0, abs=1e-14)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("used", "stop"), [(0.3, "clearance"), (0.3, "rebound"), (-0.2, "clearance"), (-0.2, "rebound")]
)
def test_bump_stop(seed, used, stop):
    """`used`: how far the stop is compressed; the start length follows from it."""
    pair = Pair(seed)
    u, length, rate = line(pair)
    sign = -1.0 if stop == "clearance" else 1.0
    gap = 0.1
    other = "rebound" if stop == "clearance" else "clearance"
    out = pair.add(
        h.bump_stop,
        **{"clearance": None, stop: gap, other: 50.0},
        length=length - sign * (gap + used),
        stiffness=200.0,
        damping=1.0,
        force="10*penetration^2 + 0.5*rate",
    )
    push = max(200 * used + sign * rate + 10 * used**2 + 0.5 * sign * rate, 0) if used > 0 else 0
    assert out.report["value"] == pytest.approx(sign * push, rel=1e-11)
    out.check(-sign * push * u, np.zeros(3), pair.motions[0])
    assert (push > 0) == (used > 0)  # the speeds are not large enough to lift it off


def test_a_stop_never_pulls():
    model = h.Model()
    body = model.add(h.RigidBody("a", 1.0, (1, 1, 1), position=(0, 0, 1), velocity=(0, 0, 5)))
    model.add(h.bump_stop("F", body.at(), model.ground.at(), clearance=0.0, length=1.1, stiffness=100.0, damping=10.0))
    assert Outcome(model).report["value"] == 0  # 100 * 0.1 - 10 * 5 < 0


def slider(**friction):
    """A block on a prismatic joint, pushed by the force t."""
    model = h.Model()
    block = model.add(h.RigidBody("block", 1.0))
    model.add(h.prismatic("rail", block.at(), model.ground.at(), axis=(1, 0, 0)))
    model.add(h.joint_force("push", "rail", force="t"))
    model.add(h.joint_friction("F", "rail", force=2.0, stick=True, **friction))
    return model


def test_block_holds_up_to_the_static_limit_then_slides():
    out = Outcome(slider(stiffness=1e4, damping=50.0, static=1.5))
    state, step = out.system.start, 1e-3
    q, v, memory = state.q.copy(), state.v.copy(), state.memory
    broke, held = None, []
    for k in range(4000):
        t = k * step
        out.evaluate(type(state)(t, q, v, memory))
        memory = out.now.remember()
        acceleration = out.system.accelerations(out.state)[0]
        if memory[2] == SLIDES and broke is None:
            broke = t
        held.append(out.report["value"])
        v = v + step * acceleration  # symplectic Euler: stable, 1e-3 s is short against 2 pi/100 s
        q = q + step * v
    held = np.array(held)
    before = np.arange(4000) * step < 2.9
    # until then the block hangs on the stiffness alone: t/k
    np.testing.assert_allclose(-held[before], np.arange(4000)[before] * step, atol=0.05)
    assert broke == pytest.approx(3.0, abs=0.05)  # static * force; the ramp passes 0.05 N in 50 steps
    assert np.abs(held).max() <= 3.0
    np.testing.assert_array_equal(held[-500:], -2.0)
    assert q[0] > 0.1


def test_stick_is_elastic_and_remembers_only_accepted_steps():
    out = Outcome(slider(stiffness=1e4))
    state = out.system.start
    for x, force, what in ((1e-4, -1.0, STICKS), (3e-4, -2.0, SLIDES), (0.0, 0.0, STICKS)):
        out.evaluate(type(state)(0.0, [x], [0.0], state.memory))
        assert out.report["value"] == pytest.approx(force, abs=1e-9)
        assert out.report["state"][2] == what
    # accept a step that slid by 1e-4, then go back: it holds from there
    out.evaluate(type(state)(0.0, [3e-4], [0.0], state.memory))
    out.evaluate(type(state)(0.0, [2e-4], [0.0], out.now.remember()))
    assert out.report["value"] == pytest.approx(-1.0, rel=1e-9)


@entry(TABLES, DATA)
def remember(tables, data):
    remember_forces(tables, data)


def test_kernel_remembers_as_the_evaluation_does():
    out = Outcome(slider(stiffness=1e4))
    out.evaluate(type(out.state)(0.0, [1e-4], [0.0], out.state.memory))
    remember(out.now.tables, out.now.data)
    found = out.now.data.memory.copy()
    np.testing.assert_array_equal(found, out.now.remember())
    assert found == pytest.approx([1.0, 1e-4, STICKS])


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("cut", [False, True])
def test_elements_in_joints(cut, turned):
    """A screw driver's torque and friction in a joint of a tree or of constraint rows, whichever body comes first."""
    model = h.Model()
    axis = np.array([1.0, 2.0, 2.0]) / 3
    body = model.add(h.RigidBody("a", 1.0, (1, 2, 3), angular_velocity=1.5 * axis))
    ends = (model.ground.at(), body.at()) if turned else (body.at(), model.ground.at())
    model.add(h.revolute("A", *ends, axis=tuple(axis), cut=cut))
    model.add(h.joint_friction("R", "A", force=0.5, speed=1.0))
    model.add(h.joint_torque("F", "A", torque="7 - 2*rate + angle"))
    out = Outcome(model)
    rate = -1.5 if turned else 1.5
    friction, drive = out.now.data.forces
    assert drive["value"] == pytest.approx(7 - 2 * rate, rel=1e-9)
    assert friction["value"] == pytest.approx(-0.5 * np.tanh(2 * rate), rel=1e-9)
    for report in (friction, drive):
        assert report["rate"] == pytest.approx(rate, rel=1e-9)
        assert report["power"] == pytest.approx(report["value"] * rate, rel=1e-9)
        np.testing.assert_allclose(report["torque"], report["value"] * axis, atol=1e-9)
        np.testing.assert_array_equal(report["force"], 0)
    done = -out.now.residual @ out.state.v
    assert done == pytest.approx(friction["power"] + drive["power"], rel=1e-9)


def test_elements_along_lines_derive_from_a_potential():
    """No work round a closed path in the space of relative positions."""
    for make, keywords in (
        (h.spring, {"stiffness": 30.0, "length": 0.4, "force": "5*elongation^3"}),
        (h.bump_stop, {"clearance": 0.0, "rebound": 0.0, "length": 2.0, "stiffness": 30.0}),
    ):
        pair = Pair(3)
        assert abs(work_round_a_circle(pair.add(make, **keywords))) < 1e-9


def work_round_a_circle(out: Outcome, n: int = 1000) -> float:
    """Work of the generalised forces when all coordinates run through a closed path, as a share of its largest part.

    The path is a circle in the plane of two random directions of the tangent space, walked on the first body.
    """
    rng = np.random.default_rng(0)
    nv = out.system.nv
    one, two = 0.3 * rng.normal(size=(2, nv))
    one[3:6] = two[3:6] = one[9:] = two[9:] = 0  # attitudes do not add up like vectors
    start = out.system.start
    total, largest = 0.0, 0.0
    for angle in 2 * np.pi * np.arange(n) / n:  # the midpoint rule is spectrally exact on smooth closed paths
        step = np.cos(angle) * one + np.sin(angle) * two
        moved = out.system.move(start, step)
        out.evaluate(type(start)(0.0, moved.q, np.zeros(nv), start.memory))
        power = -out.now.residual @ (np.cos(angle) * two - np.sin(angle) * one)
        total += power * 2 * np.pi / n
        largest = max(largest, abs(power))
    return total / largest
