"""Joints in the tree and the same joints cut: poses, coordinates with their rates and turns, accelerations."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from floatframe import hybrid as h
from floatframe.errors import ModelError
from tests.hybrid import random_systems as make
from tests.hybrid.joint_motion import motions, reported
from tests.hybrid.twin import exponential


@dataclass(frozen=True)
class Case:
    """A joint of body a on body b, both in motion: coordinates given, all else random."""

    kind: str
    values: tuple[float, ...] = ()
    rates: tuple[float, ...] = ()


CASES = [
    Case("revolute", (0.7,), (1.3,)),
    Case("prismatic", (0.4,), (-0.8,)),
    Case("cylindrical", (0.4, -1.1), (0.5, 2.0)),
    Case("planar", (0.3, -0.2, 0.9), (1.0, 0.5, -1.5)),
    Case("screw", (1.5,), (2.0,)),
    Case("universal", (0.0, 0.0), (1.0, -0.7)),
    Case("spherical"),
    Case("fixed"),
]
PITCH = 0.3


def relative(case, rng):
    """Motion of a seen from b, in axes of b: place, rotation, velocity and angular velocity of the joint point."""
    z = np.array([1.0, 2.0, -2.0]) / 3.0
    x = np.array([2.0, 1.0, 2.0]) / 3.0
    y = np.cross(z, x)
    values, rates = case.values, case.rates
    shift, speed, angle, rate = np.zeros(3), np.zeros(3), 0.0, 0.0
    if case.kind == "revolute":
        (angle,), (rate,) = values, rates
    elif case.kind == "prismatic":
        shift, speed = values[0] * z, rates[0] * z
    elif case.kind == "cylindrical":
        shift, speed, angle, rate = values[0] * z, rates[0] * z, values[1], rates[1]
    elif case.kind == "screw":
        (angle,), (rate,) = values, rates
        shift, speed = PITCH * angle * z, PITCH * rate * z
    elif case.kind == "planar":
        shift, speed = values[0] * x + values[1] * y, rates[0] * x + rates[1] * y
        angle, rate = values[2], rates[2]
    turn, spin = exponential(angle * z).real, rate * z
    if case.kind == "universal":
        spin = rates[0] * z + rates[1] * x
    elif case.kind == "spherical":
        turn, spin = make.turn(rng), rng.normal(size=3)
    return shift, turn, speed, spin


def mechanism(case, cut, carrier="b", seed=0):
    """Bodies a and b in motion with the joint "J" between them, weight, and loads in J.

    Body b turns on an axle in the ground; with carrier "a" it is a that hangs on the ground, by a free joint, so that
    the tree passes the joint from a to b.
    """
    rng = np.random.default_rng(seed)
    z, x = np.array([1.0, 2.0, -2.0]) / 3.0, np.array([2.0, 1.0, 2.0]) / 3.0
    model = h.Model(gravity=(1, -2, -9))
    shift, turn, speed, spin = relative(case, rng)
    R_b = make.turn(rng)
    p_b, point_a, point_b = rng.normal(size=3), rng.normal(size=3), rng.normal(size=3)
    w_b = 2.0 * R_b[:, 0]  # about its own x axis through its origin, which stands still
    R_a, w_a = R_b @ turn, w_b + R_b @ spin
    place_b = p_b + R_b @ point_b
    place_a = place_b + R_b @ shift
    # the velocity of b's material at the place of a, and the joint's own speed on top
    v_place = np.cross(w_b, place_a - p_b) + R_b @ speed
    p_a = place_a - R_a @ point_a
    b = model.add(
        make.rigid_body(rng, "b", position=p_b, rotation=R_b, velocity=(0, 0, 0), angular_velocity=R_b.T @ w_b)
    )
    a = model.add(
        make.rigid_body(
            rng,
            "a",
            position=p_a,
            rotation=R_a,
            velocity=v_place - np.cross(w_a, R_a @ point_a),
            angular_velocity=R_a.T @ w_a,
        )
    )
    ends = a.at(point_a), b.at(point_b)
    if carrier == "a":
        model.add(h.free("axle", a.at(), model.ground.at()))
    else:
        model.add(h.revolute("axle", b.at(), model.ground.at(p_b), axis=R_b[:, 0]))
    more = {"cut": cut}
    joint = {
        "universal": lambda: h.universal("J", *ends, axis_a=turn.T @ x, axis_b=z, **more),
        "planar": lambda: h.planar("J", *ends, normal=z, first=x, **more),
        "screw": lambda: h.screw("J", *ends, PITCH, z, **more),
        "spherical": lambda: h.spherical("J", *ends, **more),
        "fixed": lambda: h.fixed("J", *ends, **more),
    }.get(case.kind, lambda: getattr(h, case.kind)("J", *ends, z, **more))
    model.add(joint())
    if case.kind not in ("spherical", "fixed"):
        for k, what in enumerate(h.Joint("J", case.kind, *ends).coordinates):
            make_force = h.joint_torque if what == "angle" else h.joint_force
            law = "0.5*angle - 0.1*rate" if what == "angle" else "0.5*displacement - 0.1*rate"
            model.add(make_force(f"load{k}", "J", law, coordinate=k))
    return model.compile()


@pytest.mark.parametrize("carrier", ["a", "b"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.kind)
def test_tree_and_cut_joints_are_the_same(case, carrier):
    tree, cut = (mechanism(case, flag, carrier) for flag in (False, True))
    assert tree.nlambda == 0
    assert tree.ndof == cut.ndof
    assert cut.nlambda == cut.nv - tree.nv
    found = [motions(s, s.start, s.accelerations(s.start)[0]) for s in (tree, cut)]
    for one, other in zip(*found, strict=True):
        for quantity, reference in zip(one, other, strict=True):
            # closed joints and solved equations, numbers of order one to a hundred
            np.testing.assert_allclose(quantity, reference, rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("carrier", ["a", "b"])
@pytest.mark.parametrize("cut", [False, True])
@pytest.mark.parametrize(
    "case", [case for case in CASES if case.kind not in ("spherical", "fixed")], ids=lambda case: case.kind
)
def test_coordinates_and_rates_are_what_they_mean(case, cut, carrier):
    system = mechanism(case, cut, carrier)
    values, rates = reported(system, system.start)
    assert values == pytest.approx(case.values, rel=1e-9, abs=1e-11)
    assert rates == pytest.approx(case.rates, rel=1e-9, abs=1e-11)


@pytest.mark.parametrize("cut", [False, True])
@pytest.mark.parametrize("kind", ["revolute", "cylindrical", "screw", "planar"])
def test_angles_count_turns(kind, cut):
    """Three turns and back in steps of 0.4 rad, the joint remembering every accepted step."""
    from floatframe.hybrid.kernels.system import APPLIED, VELOCITY

    case = next(case for case in CASES if case.kind == kind)
    system = mechanism(case, cut)
    number = len(case.values) - 1
    state = system.start
    expected = case.values[number]
    for step in [0.4] * 50 + [-0.4] * 100:
        expected += step
        state = turned_joint(system, state, kind, step, cut)
        now = system.evaluation(state)(state.t, state.q, VELOCITY | APPLIED, state.v)
        assert now.data.forces["elongation"][number] == pytest.approx(expected, abs=1e-9)
        state = h.State(state.t, state.q, state.v, now.remember())


def turned_joint(system, state, kind, step, cut):
    """Body a turned by a step of the joint's angle about the axis through the joint, b left alone."""
    if not cut:
        iv = system.index.tree.joint_coordinates[1][-1][1]
        return system.move(state, step * np.eye(system.nv)[iv])
    joint = system.index.cut_joints[1]
    data = system.evaluation(state)(state.t, state.q, 0).data
    link = system.tables.links[system.tables.markers[joint.a]["link"]]
    axis, place = data.markers[joint.b]["R"][:, 2], data.markers[joint.a]["p"]
    q = np.array(state.q)
    iq = int(link["iq"])
    R = exponential(step * axis).real
    q[iq : iq + 3] = place + R @ (q[iq : iq + 3] - place) + (PITCH * step * axis if kind == "screw" else 0.0)
    x, y, z, w = (Rotation.from_matrix(R) * Rotation.from_quat(np.roll(q[iq + 3 : iq + 7], -1))).as_quat()
    q[iq + 3 : iq + 7] = w, x, y, z
    moved = h.State(state.t, q, state.v, state.memory)
    assert np.abs(system.constraints(moved)).max() < 1e-10
    return moved


ANGLES, ANGLE_RATES = (0.9, -0.6), (1.1, 2.3)


def cardan(cut, carrier="ground", flexible=False, **more):
    """An arm, or a beam, on a universal joint away from zero angles, with a torque in each."""
    model = h.Model(gravity=(1, -2, -9))
    if flexible:
        arm = model.add(h.FlexibleBody("arm", make.beam_body(2), damping=0.02))
        end = arm.node(1)
    else:
        arm = model.add(h.RigidBody("arm", 2.0, (0.3, 0.4, 0.5), com=(0.5, 0.1, 0.2)))
        end = arm.at((0.1, 0.2, 0.3))
    places = (end, model.ground.at((1, 2, 3))) if carrier == "ground" else (model.ground.at((1, 2, 3)), end)
    axes = {"axis_a": (0.6, 0.8, 0), "axis_b": (0, 0, 1)}
    model.add(h.universal("J", *places, **axes, start=ANGLES, start_rate=ANGLE_RATES, cut=cut, **more))
    model.add(h.joint_torque("first", "J", "1 + 0.5*angle - 0.1*rate"))
    model.add(h.joint_torque("second", "J", "2*angle - 0.2*rate", coordinate=1))
    return model


@pytest.mark.parametrize("carrier", ["ground", "arm"])
def test_both_angles_of_a_cut_universal_joint(carrier):
    """Far from zero: values, rates and accelerations with torques in both angles are those of the tree."""
    tree, cut = (cardan(flag, carrier).compile() for flag in (False, True))
    for system in (tree, cut):
        values, rates = reported(system, system.start)
        assert values == pytest.approx(ANGLES, rel=1e-10)
        assert rates == pytest.approx(ANGLE_RATES, rel=1e-10)
    found = [motions(s, s.start, s.accelerations(s.start)[0]) for s in (tree, cut)]
    for quantity, reference in zip(found[0][0], found[1][0], strict=True):
        np.testing.assert_allclose(quantity, reference, rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("flexible", [False, True])
def test_angles_of_a_cut_universal_joint_follow_motions_and_gears(flexible):
    """One angle driven, the other geared to it: values, rates and accelerations are those of the law."""
    from floatframe.hybrid.kernels.system import CONVECTIVE, VELOCITY

    model = cardan(True, flexible=flexible)
    joint = next(item for item in model if item.name == "J")
    free = h.Model(gravity=(1, -2, -9))
    for item in model:
        free.add(h.universal("J", joint.a, joint.b, joint.axis_a, joint.axis, cut=True) if item is joint else item)
    free.add(h.motion("drive", "J", "0.3 + 2*t + 3*t^2"))
    free.add(h.relation("mesh", [("J", 1, 1.0), ("J", 0, -0.5)]))
    system = free.compile()
    state = system.start
    a, _ = system.accelerations(state)
    # accelerations of the markers belong to those of the coordinates
    seen = system.evaluation(state)(state.t, state.q, VELOCITY | CONVECTIVE, state.v, a).data.coordinates
    np.testing.assert_allclose(seen["value"], [0.3, 0.15], rtol=0, atol=1e-10)
    np.testing.assert_allclose(seen["rate"], [2.0, 1.0], rtol=0, atol=1e-10)
    np.testing.assert_allclose(seen["convective"], [6.0, 3.0], rtol=0, atol=1e-8)


def test_channels_of_a_cut_universal_joint():
    """A short run in both forms: angles, rates and their accelerations, and turns that are counted."""
    channels = ["J.angle[1]", "J.angle[2]", "J.rate[2]", "J.coordinate_acceleration[1]", "J.force"]
    record = h.Record(every=0.05, channels=channels)
    tree, cut = (
        cardan(flag).compile().simulate(t_end=0.2, method="rk45", rtol=1e-9, record=record) for flag in (False, True)
    )
    for name in channels:
        np.testing.assert_allclose(tree[name], cut[name], rtol=1e-6, atol=1e-6)  # two runs with controlled steps


def test_parallel_axes_of_a_cut_universal_joint_are_reported():
    model = h.Model()
    body = model.add(h.RigidBody("b", 1.0, (1, 1, 1)))
    model.add(h.universal("J", body.at(), model.ground.at(), axis_a=(0, 1, 0), axis_b=(0, 1, 0), cut=True))
    with pytest.raises(ModelError, match="joint 'J': its two axes are parallel in the start pose"):
        model.compile()
