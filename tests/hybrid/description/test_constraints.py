"""Constraints that are expressions and rolling: what is refused, what counts as redundant, assembly and equilibrium."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from floatframe import hybrid as h
from floatframe.errors import ModelError


def model() -> h.Model:
    made = h.Model(gravity=(0, 0, -9.81))
    arm = made.add(h.RigidBody("arm", 1.0, (0.1, 0.1, 0.1), com=(0, 0, -0.5)))
    made.add(h.revolute("A", arm.at(), made.ground.at(), axis=(0, 1, 0)))
    ball = made.add(h.RigidBody("ball", 2.0, (0.05, 0.05, 0.05), position=(1, 0, 0.5)))
    made.add(h.free("F", ball.at(), made.ground.at()))
    return made


@pytest.mark.parametrize(
    ("item", "words"),
    [
        (h.velocity_constraint("E", "A.rate^2 - 1"), "not linear in speeds: the factor of A.rate has A.rate in it"),
        (h.velocity_constraint("E", "A.rate*ball.velocity.x"), "the factor of A.rate has ball.velocity.x in it"),
        (h.velocity_constraint("E", "A.rate - twice"), "has stairs in it, which jumps or has no known rate"),
        (h.velocity_constraint("E", "A.rate*late"), "has late in it.*put a transfer_function behind"),
        (h.velocity_constraint("E", "sin(A.angle)"), "has no speeds.*make it a relation"),
        (
            h.relation("E", expression="A.angle + ball.velocity.x"),
            "has the speeds ball.velocity.x in it.*velocity_constr",
        ),
        (h.relation("E", expression="sin(t)"), "does not depend on the motion"),
        (h.relation("E", expression="A.angl - 1"), "unknown name 'A.angl'"),
        (h.relation("E", expression="A.displacement"), r"joint 'A' .* has A.angle\[1\]"),
        (h.relation("E", expression="current - A.angle"), "has the state current in it"),
        (h.rolling("E", h.Place("ball"), h.Ground().at(), 0.0), "radius: found 0 m, expected a positive one"),
        (h.rolling("E", h.Place("ball"), h.Place("ball"), 0.5), "both places are on 'ball'"),
        (h.rolling("E", h.Place("ball"), h.Ground().at(), 0.5, surface="z - x^2"), "gradient has the length 2.23607"),
        (h.rolling("E", h.Place("ball"), h.Ground().at(), 0.5, surface="z - t"), "depends on t; a surface moves with"),
        (h.wheel("E", h.Place("ball"), h.Ground().at(), radius=0.5, joint="B"), "joint 'B' does not exist"),
    ],
)
def test_what_is_refused(item, words):
    made = model()
    made.add(h.StateVariable("current", rate="-current"))
    made.add(h.sampled("stairs", "t", period=0.1))
    made.add(h.delay("late", "A.angle", time=0.1))
    made.add(h.Signal("twice", "2*stairs"))
    made.add(item)
    with pytest.raises(ModelError, match=words):
        made.compile()


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (
            lambda: h.wheel("E", h.Place("a"), h.Place("b"), radius=0.5),
            "joint, whose coordinate turns the wheel, is missing",
        ),
        (lambda: h.wheel("E", h.Place("a"), h.Place("b"), joint="A"), "radius is missing"),
        (
            lambda: h.rolling("E", h.Place("a"), h.Place("b"), 1.0, axis=(0, 1, 0), surface="z"),
            "a disc rolls on a plane",
        ),
        (lambda: h.relation("E", [("A", 0, 1.0)], expression="A.angle"), "beside the expression; give one of them"),
        (lambda: h.relation("E", expression="A.angle", unit="deg"), "found 'deg', expected m, m/s, rad, rad/s or none"),
        (lambda: h.blade("E", "a", h.Place("b")), "place a is 'a', expected a place"),
    ],
)
def test_what_no_model_can_have(make, words):
    with pytest.raises(ModelError, match=words):
        make()


@pytest.mark.filterwarnings("ignore:body '")  # not where it rolls at first
def test_assembly_brings_a_body_to_what_it_rolls_on_and_keeps_it_from_sliding():
    made = model()
    made.add(h.rolling("on", h.Place("ball"), h.Ground().at(), 0.3))
    made.items["ball"] = h.RigidBody(
        "ball", 2.0, (0.05, 0.05, 0.05), position=(1, 0, 0.5), angular_velocity=(0.0, 2.0, 0.0), velocity=(0.6, 0, 1)
    )
    system = made.compile()
    place = system.evaluation()(0.0, system.start.q, 1, system.start.v).data.links[-1]
    assert_allclose(place["p"], [1.0, 0.0, 0.3], atol=1e-12)  # straight down: rolling leaves all places within reach
    assert_allclose(place["v"] - 0.3 * np.cross(place["w"], [0, 0, 1]), 0.0, atol=1e-13)


def test_an_angle_is_the_first_angle_of_its_joint():
    made = h.Model(gravity=(0, 0, 0))
    body = made.add(h.RigidBody("body", 1.0, (1, 1, 1)))
    made.add(h.planar("plane", body.at(), made.ground.at()))
    for name, text in (("x", "plane.displacement"), ("y", "plane.displacement[2]"), ("turn", "sin(plane.angle)")):
        made.add(h.relation(name, expression=text))
    system = made.compile()
    assert_allclose(system.constraint_jacobian(system.start), np.eye(3), atol=0.0)


def test_what_follows_from_places_is_redundant():
    made = model()
    made.add(h.relation("held", expression="ball.position.z - 0.5"))
    made.add(h.velocity_constraint("level", "2*ball.velocity.z"))
    made.add(h.velocity_constraint("twice", "ball.velocity.x - A.rate"))
    made.add(h.velocity_constraint("again", "A.rate - ball.velocity.x"))
    system = made.compile()
    # of two equal ones the first stays or the second; a relation stays before the velocity that follows from it
    assert len(system.redundant) == 2
    assert {row.joint for row in system.redundant} - {"twice", "again"} == {"level"}


def test_equilibrium_of_a_ball_that_rolls_against_a_spring():
    """It rolls down a slope until the spring carries its weight along the slope: it does not slide."""
    made = model()
    slope = {"rotation": {"axis": (0, 1, 0), "angle": 0.2}}
    made.add(h.rolling("on", h.Place("ball"), h.Ground().at(**slope), 0.3))
    made.add(h.point_force("rope", h.Place("ball"), ["-50*(ball.position.x - 1)", 0, 0]))
    made.items["ball"] = h.RigidBody("ball", 2.0, (0.05, 0.05, 0.05), position=(1, 0, 0.2))
    with pytest.warns(UserWarning, match="body 'ball'"):
        system = made.compile()
    found = h.find_equilibrium(system)
    state = found.state
    links = system.evaluation()(0.0, state.q, 0).data.links
    # m g sin = F cos with F the force along x, and torque about the contact is all that counts
    assert 50.0 * (links[-1]["p"][0] - 1.0) == pytest.approx(2.0 * 9.81 * np.tan(0.2), rel=1e-9)
    # normal force, and the friction that the balance of torques about the centre leaves: none
    assert_allclose(found.reactions, [2.0 * 9.81 / np.cos(0.2), 0.0, 0.0], atol=1e-8)
    lin = system.linearise(state)
    # beside the pendulum: its inertia rolls with it
    rolling = 2.0 + 0.05 / 0.3**2
    wanted = np.sqrt([9.81 * 0.5 / (0.1 + 0.5**2), 50.0 * np.cos(0.2) ** 2 / rolling]) / (2.0 * np.pi)
    assert_allclose(lin.frequency[~lin.rigid], wanted, rtol=1e-7)


@pytest.mark.parametrize(
    ("items", "words"),
    [
        ([h.velocity_constraint("E", "arm.velocity.y - 1")], "'E': cannot hold at the start.* 1 .m/s or rad/s."),
        # between 1 and 2 rad/s: half of it is missed by each
        (
            [h.velocity_constraint("E", "A.rate - 1"), h.velocity_constraint("E2", "A.rate - 2")],
            "velocity_constraint 'E': cannot hold at the start: whatever the speeds, 0.5 ",
        ),
        (
            [h.blade("E", h.Place("arm"), h.Place("ground"), forward=(0, 0, 1))],
            "blade 'E': its equations evaluate to NaN",
        ),
        (
            [h.rolling("E", h.Place("ball"), h.Place("ground"), radius=0.5, axis=(0, 0, 1))],
            "rolling 'E': its equations evaluate to NaN at the start",
        ),
    ],
)
def test_what_cannot_hold_at_the_start_is_named(items, words):
    made = model()
    for item in items:
        made.add(item)
    with pytest.raises(ModelError, match=words):
        made.compile()
