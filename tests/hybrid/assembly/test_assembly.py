"""Consistent start states from partial data, and assemblies that cannot be closed."""

from __future__ import annotations

import re

import numpy as np
import pytest

from floatframe import hybrid as h
from floatframe.errors import ModelError
from tests.hybrid import random_systems as make
from tests.hybrid.four_bar import four_bar, measured

pytestmark = pytest.mark.filterwarnings("ignore:joint .* cannot hold together")  # rough values are meant as guesses


@pytest.mark.parametrize("joint", ["A", "B", "C", "D"])
@pytest.mark.parametrize("cut", ["C", "D"])
def test_given_coordinate_and_rate_of_one_joint_are_kept(joint, cut):
    """Of a mechanism with one dof, whichever joint they are given for, a tree joint or a cut one."""
    # values the mechanism can have
    free = four_bar(cut=cut, A={"start": 1.2, "start_rate": 2.0}, B={"start": -1.0}, D={"start": 1.5}).compile()
    value, rate = measured(free, free.start, joint)
    system = four_bar(cut=cut, **{joint: {"start": value, "start_rate": rate}}).compile()
    assert np.abs(system.constraints(system.start)).max() < 1e-11
    assert measured(system, system.start, joint) == pytest.approx((value, rate), rel=1e-9)
    assert np.abs(system.constraint_jacobian(system.start) @ system.start.v).max() < 1e-11


def test_start_values_that_contradict_each_other_give_way():
    """Two angles of a one-dof mechanism: closed nevertheless, both near to what was said."""
    system = four_bar(A={"start": 1.2}, D={"start": 1.6}, B={"start": -1.0}).compile()
    assert np.abs(system.constraints(system.start)).max() < 1e-11
    assert measured(system, system.start, "A")[0] == pytest.approx(1.2, abs=0.3)


def test_speed_of_one_body_moves_the_mechanism():
    """The velocity of a point of the coupler decides all speeds."""
    reference = four_bar(A={"start": 1.2, "start_rate": 2.0}, B={"start": -1.0}, D={"start": 1.5}).compile()
    system = four_bar(A={"start": 1.2}, B={"start": -1.0}, D={"start": 1.5})
    coupler = next(item for item in system if getattr(item, "name", "") == "coupler")
    model = h.Model()
    angle = measured(reference, reference.start, "A")[0]
    tip = (-2.0 * np.sin(angle), 2.0 * np.cos(angle), 0.0)
    for item in system:
        model.add(
            h.RigidBody("coupler", 1.0, (0.1, 0.2, 0.2), com=(1.0, 0, 0), velocity=tip) if item is coupler else item
        )
    moving = model.compile()
    np.testing.assert_allclose(moving.start.v, reference.start.v, rtol=1e-10)


def test_rest_is_the_default():
    assert not four_bar().compile().start.v.any()


def test_a_body_in_flight_keeps_its_speeds():
    model = h.Model()
    R = make.turn(np.random.default_rng(0))
    model.add(
        h.RigidBody(
            "body", 2.0, (1, 2, 2.5), rotation=R, position=(1, 2, 3), velocity=(4, 5, 6), angular_velocity=(7, 8, 9)
        )
    )
    system = model.compile()
    assert system.start.v.tolist() == pytest.approx([4, 5, 6, 7, 8, 9], rel=1e-12)
    assert system.start.q[:3].tolist() == [1, 2, 3]


def test_start_at_another_time():
    model = four_bar(B={"start": -1.0}, D={"start": 1.5})
    model.add(h.motion("drive", "A", "1.2 + 3*t"))
    system = model.compile()
    for t in (0.0, 0.1):
        state = system.initial_state(t=t)
        assert state.t == t
        assert measured(system, state, "A") == pytest.approx((1.2 + 3 * t, 3.0), rel=1e-10)
        assert np.abs(system.constraints(state)).max() < 1e-11


def test_bodies_are_moved_rather_than_bent():
    """A beam whose joints are off at the start by centimetres is assembled without deformation."""
    model = h.Model()
    beam = model.add(h.FlexibleBody("beam", make.beam_body(), position=(0.05, 0.02, 0.01)))
    model.add(h.spherical("left", beam.node(1), model.ground.at()))
    model.add(h.point_on_line("right", beam.node(11), model.ground.at((1, 0.2, 0.1)), axis=(1, 0.2, 0.1)))
    with pytest.warns(UserWarning, match="body 'beam'"):
        system = model.compile()
    assert np.abs(system.constraints(system.start)).max() < 1e-11
    assert not system.start.q[7:].any()


def test_an_assembly_is_found_from_a_poor_start():
    """Crank and coupler stretched away from where they have to meet: the first try ends in a dead end."""
    system = four_bar(A={"start": np.pi}, B={"start": 0.0}, D={"start": 0.0}).compile()
    assert np.abs(system.constraints(system.start)).max() < 1e-11


def test_unreachable_assembly_names_joint_and_gap():
    """Bars of 1 m and 0.5 m over a span of 4 m with a coupler of 2 m: half a metre is missing."""
    with pytest.raises(ModelError, match=r"joint 'C' stays open by 0\.5 m however the bodies are moved") as error:
        four_bar(lengths=(1.0, 2.0, 0.5, 4.0), cut="C").compile()
    assert "lengths of the bodies" in str(error.value)


def test_unreachable_direction_is_reported_in_radians():
    """Two hinges of one body that are not parallel, one of them cut."""
    model = h.Model()
    body = model.add(h.RigidBody("body", 1.0, (1, 1, 1), position=(0, 0, 0), rotation=np.eye(3)))
    model.add(h.fixed("weld", body.at(), model.ground.at()))
    tilted = {"axis": (0, 1, 0), "angle": 0.2}
    model.add(h.revolute("hinge", body.at((0, 0, 0), tilted), model.ground.at((0, 0, 0), np.eye(3)), cut=True))
    with pytest.raises(ModelError, match=r"joint 'hinge' stays open by (\S+) rad") as error:
        model.compile()
    gap = float(re.search(r"by (\S+) rad", str(error.value)).group(1))
    assert gap == pytest.approx(np.sin(0.2), rel=2e-3)


def test_the_open_joint_is_named_after_rows_were_dropped():
    """A door on two hinges (five rows dropped) and a drive that later asks for more than a loop allows."""
    model = four_bar(B={"start": -1.0}, D={"start": 1.5})
    door = model.add(h.RigidBody("door", 1.0, (1, 1, 1)))
    model.add(h.revolute("upper", door.at((0, 0, 1)), model.ground.at((0, 0, 1))))
    model.add(h.revolute("lower", door.at((0, 0, 0)), model.ground.at((0, 0, 0))))
    model.add(h.prismatic("slide", model.add(h.RigidBody("block", 1.0, (1, 1, 1))).at(), model.ground.at()))
    model.add(h.motion("first", "D", "1.5 + 0*t"))
    model.add(h.motion("second", "A", "1.2 + t"))
    with pytest.raises(ModelError, match="stays open"):
        model.compile()
    model = four_bar(B={"start": -1.0}, D={"start": 1.5})
    door = model.add(h.RigidBody("door", 1.0, (1, 1, 1)))
    model.add(h.revolute("upper", door.at((0, 0, 1)), model.ground.at((0, 0, 1))))
    model.add(h.revolute("lower", door.at((0, 0, 0)), model.ground.at((0, 0, 0))))
    model.add(h.motion("drive", "D", "1.5 + 100*t"))
    system = model.compile()
    assert len(system.redundant) == 8
    # the rocker cannot go round; the loop or its drive stays open, not the door
    with pytest.raises(ModelError, match=r"joint '(C|drive)' stays open by"):
        system.initial_state(t=0.02)


@pytest.mark.parametrize("hub", [False, True])
def test_start_speeds_bend_no_body_where_rigid_motion_will_do(hub):
    """A beam between hinges that spins with its hub, or about its own pin: modal rates are zero, not merely small."""
    model = h.Model()
    beam = model.add(h.FlexibleBody("beam", make.beam_body(), damping=0.01))
    if hub:
        wheel = model.add(h.RigidBody("wheel", 1.0, (0.1, 0.1, 0.1)))
        model.add(h.revolute("axle", wheel.at(), model.ground.at(), start_rate=7.0))
        model.add(h.fixed("root", beam.node(1), wheel.at((0.3, 0, 0))))
        tip = 7.0 * np.cross((0, 0, 1), (1.3, 0.2, 0.1))
    else:
        model.add(h.revolute("pin", beam.node(1), model.ground.at(), start_rate=7.0))
        tip = 7.0 * np.cross((0, 0, 1), (1, 0.2, 0.1))
    system = model.compile()
    modal = system.tables.dofs["link"] < 0
    assert not system.start.v[modal].any()
    assert np.abs(system.constraint_jacobian(system.start) @ system.start.v).max() < 1e-11
    velocity = system.simulate(t_end=1e-5, step=1e-5, record=h.Record(channels=["beam.node[11].velocity"]))
    np.testing.assert_allclose(velocity["beam.node[11].velocity"][0], tip, rtol=1e-10, atol=1e-10)


def test_start_speeds_bend_a_body_where_nothing_else_will_do():
    """Both ends of a beam held, one of them drawn away at 0.1 m/s: the beam has to stretch."""
    model = h.Model()
    beam = model.add(h.FlexibleBody("beam", make.beam_body()))
    block = model.add(h.RigidBody("block", 1.0, (1, 1, 1), position=(1, 0.2, 0.1)))
    model.add(h.fixed("left", beam.node(1), model.ground.at()))
    model.add(h.prismatic("slide", block.at(), model.ground.at((1, 0.2, 0.1)), (1, 0, 0), start_rate=0.1))
    model.add(h.fixed("right", beam.node(11), block.at()))
    system = model.compile()
    assert measured(system, system.start, "slide")[1] == pytest.approx(0.1, rel=1e-10)
    assert np.abs(system.constraint_jacobian(system.start) @ system.start.v).max() < 1e-10


@pytest.mark.parametrize("node", [1, 11])
def test_a_rate_that_a_motion_sets_already_moves_nothing_else(node):
    """Of such a rate only rounding is left once the joints are met; it must not set free hinges in motion."""

    def start(**rate: float) -> np.ndarray:
        model = h.Model()
        hub = model.add(h.RigidBody("hub", 1.0, (1, 1, 1)))
        model.add(h.revolute("axle", hub.at(), model.ground.at(), **rate))
        model.add(h.motion("turn", "axle", "5*t"))
        beam = model.add(h.FlexibleBody("beam", make.beam_body()))
        model.add(h.revolute("hinge", beam.node(node), hub.at(), axis=(1, 0, 0)))
        return model.compile().start.v

    np.testing.assert_allclose(start(start_rate=5.0), start(), atol=1e-10)


@pytest.mark.parametrize("cut", [False, True])
def test_a_rigid_joint_is_not_closed_by_turning_a_body_over(cut):
    """The rows of a cut fixed joint also vanish in attitudes other than the one meant; those are no assembly."""
    model = h.Model()
    first = model.add(h.RigidBody("first", 3.0, (0.3, 0.4, 0.35)))
    second = model.add(h.RigidBody("second", 2.0, (0.2, 0.25, 0.15)))
    model.add(h.revolute("R", first.at(), model.ground.at((0.1, 0.2, 0.3)), axis=(1, 2, 0.5), start=0.3))
    own = {"axis": (-0.4, 0.2, 0.7), "angle": 0.83}, {"axis": (0.3, -0.5, 0.2), "angle": 0.62}
    places = second.at((-0.2, 0.1, 0.3), rotation=own[0]), first.at((0.7, 0.2, -0.1), rotation=own[1])
    model.add(h.fixed("X", *places, cut=cut))
    model.add(h.point_on_plane("L", second.at((0.5, 0.5, 0)), model.ground.at(), normal=(1, 1, 0)))
    # with the joint in the tree only the angle of R is left, and no angle brings the point to the plane
    with pytest.raises(ModelError, match="stays open"):
        model.compile()
