"""Where bodies stand at the start: subsystems that are turned, places with axes of their own, joints that are cut."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose

import floatframe as ff
from floatframe import hybrid as h
from floatframe.hybrid.compile.start_poses import start_poses
from floatframe.hybrid.description.rotations import about

EXACT = {"rtol": 0.0, "atol": 1e-12}  # a few products of rotations
QUARTER = {"axis": (0, 0, 1), "angle": "pi/2"}
JOINTS = {
    "revolute": lambda a, b, **more: h.revolute("J", a, b, (0, 0, 1), start=0.3, start_rate=2.0, **more),
    "prismatic": lambda a, b, **more: h.prismatic("J", a, b, (0, 0, 1), start=0.3, start_rate=2.0, **more),
    "cylindrical": lambda a, b, **more: h.cylindrical(
        "J", a, b, (0, 0, 1), start=(0.3, 0.2), start_rate=(2.0, 1.0), **more
    ),
    "screw": lambda a, b, **more: h.screw("J", a, b, 0.1, (0, 0, 1), start=0.3, start_rate=2.0, **more),
    "planar": lambda a, b, **more: h.planar(
        "J", a, b, (0, 0, 1), start=(0.3, 0.2, 0.1), start_rate=(2.0, 1.0, 0.5), **more
    ),
}
# displacement and angle, velocity and angular velocity that the start values above mean, along or about z but planar's
MEANT = {
    "revolute": ((0, 0, 0), 0.3, (0, 0, 0), 2.0),
    "prismatic": ((0, 0, 0.3), 0.0, (0, 0, 2), 0.0),
    "cylindrical": ((0, 0, 0.3), 0.2, (0, 0, 2), 1.0),
    "screw": ((0, 0, 0.03), 0.3, (0, 0, 0.2), 2.0),
    "planar": ((0.3, 0.2, 0), 0.1, (2, 1, 0), 0.5),
}


def start_of(system, name):
    """Position, rotation, velocity of the origin and angular velocity (world axes) of a body at the start."""
    from floatframe.hybrid.kernels.system import VELOCITY

    state = system.start
    now = system.evaluation(state)(state.t, state.q, VELOCITY, state.v)
    carrier = system.index.tree.carriers[[body.name for body in system.model.bodies].index(name)]
    link = now.data.links[carrier.link]
    arm = link["R"] @ carrier.pose.p
    return link["p"] + arm, link["R"] @ carrier.pose.R, link["v"] + np.cross(link["w"], arm), link["w"].copy()


def arm_subsystem():
    part = h.Subsystem("part")
    arm = part.add(h.RigidBody("arm", 1.0, (1, 1, 1), com=(0.5, 0, 0)))
    part.add(h.revolute("J", arm.at(), part.ground.at(), axis=(0, 1, 0)))
    return part


def test_a_body_hung_on_the_ground_of_a_turned_subsystem_turns_with_it():
    model = h.Model(gravity=(0, 0, -9.81))
    outer = h.Subsystem("outer")
    outer.add(arm_subsystem().instance("inner", position=(1, 0, 0), rotation=QUARTER))
    model.add(outer.instance("once", rotation=QUARTER))
    model.add(arm_subsystem().instance("plain"))
    system = model.compile()
    p, R, *_ = start_of(system, "once.inner.arm")
    np.testing.assert_allclose(p, [0, 1, 0], **EXACT)
    np.testing.assert_allclose(R, about(np.array([0.0, 0.0, 1.0]), np.pi), **EXACT)
    # both arms are level at zero angle and hang down at a right angle
    np.testing.assert_array_equal(system.start.q, [0, 0])
    np.testing.assert_allclose(np.abs(system.equilibrium().q), np.pi / 2, rtol=1e-9)


@pytest.mark.parametrize("reverse", [False, True])
def test_the_angle_of_a_joint_counts_from_the_axes_of_its_subsystem(reverse):
    """About the axis of the turn itself: the coordinate must not see how the instance stands."""
    part = h.Subsystem("part")
    wheel = part.add(h.RigidBody("wheel", 1.0, (1, 1, 1), rotation={"axis": (0, 0, 1), "angle": 0.2}))
    places = (part.ground.at(), wheel.at()) if reverse else (wheel.at(), part.ground.at())
    part.add(h.revolute("J", *places))
    model = h.Model()
    model.add(part.instance("one", rotation=QUARTER))
    system = model.compile()
    np.testing.assert_allclose(system.start.q, [-0.2 if reverse else 0.2], **EXACT)
    np.testing.assert_allclose(
        start_of(system, "one.wheel")[1], about(np.array([0.0, 0.0, 1.0]), np.pi / 2 + 0.2), **EXACT
    )


@pytest.mark.parametrize("cut", [False, True])
@pytest.mark.parametrize("given", [False, True])
def test_the_angle_between_places_with_axes_of_their_own(cut, given):
    """A given pose stays, and the angle is that of the axes of the place; without one these axes agree."""
    model = h.Model()
    pose = {"position": (0, 0, 0)} if given else {}
    body = model.add(h.RigidBody("b", 1.0, (1, 1, 1), **pose))
    model.add(h.revolute("J", body.at(rotation=QUARTER), model.ground.at(), cut=cut))
    model.add(h.joint_torque("T", "J", "angle"))
    system = model.compile()
    _, R, *_ = start_of(system, "b")
    angle = np.pi / 2 if given else 0.0
    np.testing.assert_allclose(R, about(np.array([0.0, 0.0, 1.0]), angle - np.pi / 2), **EXACT)
    acceleration, _ = system.accelerations(system.start)
    np.testing.assert_allclose(acceleration[-1], angle, **EXACT)  # unit inertia


@pytest.mark.filterwarnings("ignore:body 'carrier'")  # the joint that holds it counts more than its position
@pytest.mark.parametrize("cut", [False, True])
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("kind", JOINTS)
def test_start_values_mean_the_same_in_trees_and_cut_joints(kind, reverse, cut):
    model = h.Model()
    body = model.add(h.RigidBody("b", 1.0, (1, 1, 1)))
    carrier = model.add(h.RigidBody("carrier", 1.0, (1, 1, 1), position=(1, 2, 3)))
    model.add(h.fixed("hold", carrier.at(), model.ground.at()))
    a, b = (carrier, body) if reverse else (body, carrier)
    model.add(JOINTS[kind](a.at(), b.at(), cut=cut))
    system = model.compile()
    (p_a, R_a, v_a, w_a), (p_b, R_b, v_b, w_b) = start_of(system, a.name), start_of(system, b.name)
    shift, angle, speed, rate = MEANT[kind]
    np.testing.assert_allclose(R_b.T @ R_a, about(np.array([0.0, 0.0, 1.0]), angle), **EXACT)
    np.testing.assert_allclose(R_b.T @ (p_a - p_b), shift, **EXACT)
    np.testing.assert_allclose(R_b.T @ (w_a - w_b), [0, 0, rate], **EXACT)
    np.testing.assert_allclose(R_b.T @ (v_a - v_b - np.cross(w_b, p_a - p_b)), speed, **EXACT)


def test_a_general_joint_places_its_body():
    """Steps with constants, start values and laws at t = 0, so that joints further on find the body where it is."""
    steps = [
        h.translate((0, 0, 1), 2.0),
        h.rotate((0, 0, 1)),
        h.translate((1, 0, 0), "3 + t"),
        h.rotate((1, 0, 0), 0.5),
    ]
    model = h.Model()
    body = model.add(h.RigidBody("b", 1.0, (1, 1, 1)))
    model.add(h.general("J", body.at((0, 0, 1)), model.ground.at(), steps, start=(np.pi / 2,)))
    flat = model.flatten()
    (pose,) = start_poses(flat.bodies, flat.joints)
    R = about(np.array([0.0, 0.0, 1.0]), np.pi / 2) @ about(np.array([1.0, 0.0, 0.0]), 0.5)
    np.testing.assert_allclose(pose.R, R, **EXACT)
    np.testing.assert_allclose(pose.p, np.array([0, 3, 2]) - R[:, 2], **EXACT)
    p, found, *_ = start_of(model.compile(), "b")
    np.testing.assert_allclose(found, R, **EXACT)
    np.testing.assert_allclose(p, pose.p, **EXACT)


def test_a_universal_joint_needs_axes_at_right_angles():
    model = h.Model()
    body = model.add(h.RigidBody("b", 1.0, (1, 1, 1), rotation=np.eye(3)))
    model.add(h.universal("J", body.at(), model.ground.at(), axis_a=(1, 1, 0), axis_b=(0, 1, 0)))
    with pytest.raises(ff.ModelError, match="joint 'J': its two axes make an angle of 45 degrees"):
        model.compile()


def test_a_body_stands_where_its_firmest_joint_wants_it():
    # joints of the outer model come first, but a distance says nothing about where the mass on its slide stands
    slide = h.Subsystem("slide")
    mass = slide.add(h.RigidBody("mass", mass=1.0, inertia=(1, 1, 1)))
    slide.add(h.prismatic("guide", mass.at((0, 0, 0)), slide.ground.at((0, 0, 0)), axis=(0, 0, 1)))
    model = h.Model()
    model.add(slide.instance("left"))
    model.add(slide.instance("right", position=(3, 0, 4), rotation=QUARTER))
    model.add(h.distance("tie", h.Place("left.mass"), h.Place("right.mass")))
    system = model.compile()
    poses = start_poses(system.model.bodies, system.model.joints)
    np.testing.assert_allclose([pose.p for pose in poses], [(0, 0, 0), (3, 0, 4)], **EXACT)
    np.testing.assert_allclose(poses[1].R, about(np.array([0.0, 0, 1]), np.pi / 2), **EXACT)
    # the length left out is that of the start
    assert system.ndof == 1
    assert abs(system.constraints(system.initial_state())).max() < 1e-12


@pytest.mark.parametrize("backwards", [False, True])
@pytest.mark.parametrize("cut", [False, True])
def test_a_body_on_a_universal_joint_is_turned_until_its_axes_are_normal(backwards, cut):
    """Places with axes of their own: the attitude of the bodies would leave 117 degrees between the axes."""
    model = h.Model()
    first = model.add(h.RigidBody("first", 1.0, (1, 1, 1)))
    second = model.add(h.RigidBody("second", 1.0, (1, 1, 1)))
    model.add(h.revolute("R", first.at(), model.ground.at(), axis=(1, 2, 0.5), start=0.3))
    own = {"axis": (-0.4, 0.2, 0.7), "angle": 0.83}, {"axis": (0.3, -0.5, 0.2), "angle": 0.62}
    places = [second.at((-0.2, 0.1, 0.3), rotation=own[0]), first.at((0.7, 0.2, -0.1), rotation=own[1])]
    if backwards:
        places.reverse()
    model.add(h.universal("X", *places, axis_a=(1, 0, 0), axis_b=(0, 0.6, 0.8), cut=cut))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        system = model.compile()
    # six rows' worth of dofs: one of R, two of X
    assert system.nv - system.nlambda == 3
    if cut:
        assert np.abs(system.constraints(system.start)).max() < 1e-12


@pytest.mark.parametrize(
    ("on_a", "on_b", "angle"), [(0.0, 0.5, 0.5), (0.5, 0.0, -0.5), (0.5, 0.5, 0.0), (0.0, 0.0, 0.0)]
)
@pytest.mark.parametrize("cut", [False, True])
def test_a_fixed_joint_holds_its_places_together(on_a, on_b, angle, cut):
    def turned(by: float) -> tuple[float, ...] | None:
        return (np.cos(by / 2), 0.0, 0.0, np.sin(by / 2)) if by else None

    model = h.Model(gravity=(0, 0, 0))
    arm = model.add(h.RigidBody("arm", 1.0, (1, 1, 1)))
    box = model.add(h.RigidBody("box", 1.0, (1, 1, 1)))
    model.add(h.revolute("hinge", arm.at(), model.ground.at(), axis=(0, 0, 1), start_rate=1.0))
    places = box.at((0, 0, 0), turned(on_a)), arm.at((1, 0, 0), turned(on_b))
    model.add(h.fixed("weld", *places, cut=cut))
    run = model.compile().simulate(t_end=0.2, record=h.Record(every=0.1, channels=("box.cardan_angles",)))
    assert_allclose(run["box.cardan_angles.z"], angle + run.t, atol=1e-9)
