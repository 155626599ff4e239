"""Joints and relations as users describe them, down to their flat form."""

from __future__ import annotations

import numpy as np
import pytest

import floatframe as ff
from floatframe import hybrid as h


@pytest.fixture
def model() -> h.Model:
    model = h.Model(parameters={"l": 2.0, "pitch": 0.01, "omega": 3.0})
    for name in ("a", "b", "c"):
        model.add(h.RigidBody(name, 1.0, (1, 1, 1)))
    return model


@pytest.fixture(scope="module")
def rod(beam) -> ff.modal.ReducedBody:
    return ff.modal.reduce(beam, interface=[1, 21], n_modes=2)


def flat(model, *items):
    for item in items:
        model.add(item)
    return model.flatten()


KINDS = {
    "revolute": (h.revolute, (), ("angle",)),
    "prismatic": (h.prismatic, (), ("displacement",)),
    "cylindrical": (h.cylindrical, (), ("displacement", "angle")),
    "spherical": (h.spherical, (), ()),
    "universal": (h.universal, ((1, 0, 0), (0, 1, 0)), ("angle", "angle")),
    "planar": (h.planar, (), ("displacement", "displacement", "angle")),
    "screw": (h.screw, ("pitch",), ("angle",)),
    "fixed": (h.fixed, (), ()),
    "free": (h.free, (), ()),
    "point_on_line": (h.point_on_line, (), ("displacement",)),
    "point_on_plane": (h.point_on_plane, (), ("displacement", "displacement")),
    "distance": (h.distance, (), ()),
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_between_two_bodies(model, kind):
    make, more, coordinates = KINDS[kind]
    found = flat(model, make("J", model["a"].at((1, 0, "l")), model["b"].at((0, 1, 0)), *more)).joints[0]
    assert (found.name, found.kind, found.coordinates) == ("J", kind, coordinates)
    assert (found.a.body, found.b.body, found.a.node) == (0, 1, None)
    np.testing.assert_array_equal(found.a.point, [1, 0, 2])
    assert found.start == found.start_rate == (None,) * len(coordinates)
    assert not found.cut


def test_axes_get_unit_length_and_stay_in_the_axes_of_b(model):
    turned = model["b"].at(rotation={"axis": (0, 0, 1), "angle": "pi/2"})
    found = flat(
        model,
        h.revolute("J", model["a"].at(), turned, axis=(0, 3, 4)),
        h.universal("U", model["a"].at(), model["c"].at(), axis_a=(2, 0, 0), axis_b=(0, 0, 5)),
        h.planar("P", model["b"].at(), model.ground.at(), normal=(0, 0, 2), first=(1, 1, 5)),
    ).joints
    np.testing.assert_allclose(found[0].axis, [0, 0.6, 0.8])
    np.testing.assert_allclose(found[0].b.rotation, [[0, -1, 0], [1, 0, 0], [0, 0, 1]], atol=1e-15)
    assert found[0].a.rotation is None
    np.testing.assert_array_equal((found[1].axis_a, found[1].axis), [[1, 0, 0], [0, 0, 1]])
    np.testing.assert_allclose(found[2].first, np.array([1, 1, 0]) / np.sqrt(2))
    assert found[2].b.body == -1


def test_numbers_of_joints(model):
    found = flat(
        model,
        h.screw("S", model["a"].at(), model["b"].at(), pitch="pitch/2"),
        h.distance("D", model["a"].at(), model["c"].at(), length="l"),
        h.distance("open", model["a"].at(), model["c"].at()),
        h.cylindrical("C", model["c"].at(), model.ground.at(), start=(None, "pi"), start_rate=0.5, cut=True),
    ).joints
    assert found[0].pitch == 0.005
    assert (found[1].length, found[2].length) == (2.0, None)
    assert found[3].start == (None, np.pi)
    assert found[3].start_rate == (0.5, None)
    assert found[3].cut
    unknown = h.cylindrical("C", model["c"].at(), model.ground.at(), start=(float("nan"), 1.0), start_rate=float("nan"))
    assert (unknown.start, unknown.start_rate) == ((None, 1.0), (None,))  # as in files


def test_general_joint_has_constants_coordinates_and_driven_steps(model):
    steps = [
        h.translate((0, 0, 2), "l"),
        h.rotate((1, 0, 0)),
        h.rotate((0, 1, 0), "omega*t"),
        h.translate((1, 0, 0), 3),
    ]
    joint = flat(model, h.general("G", model["a"].at(), model["b"].at(), steps, start=(0.1,))).joints[0]
    assert [(step.motion, step.axis, step.value) for step in joint.steps] == [
        ("translate", (0, 0, 1), 2.0),
        ("rotate", (1, 0, 0), None),
        ("rotate", (0, 1, 0), None),
        ("translate", (1, 0, 0), 3.0),
    ]
    assert joint.coordinates == ("angle", "angle")
    assert joint.start == (0.1, None)
    assert joint.driven[0] is None
    assert joint.driven[1].evaluate({"t": 2.0}) == 6


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda m: h.revolute("J", m["a"].at(), m["b"].at(), axis=(0, 0, 0)), "axis of length zero"),
        (lambda m: h.revolute("J", m["a"].at(), m["b"].at(), axis=(0, 0)), "axis: found 2 numbers, expected three"),
        (lambda m: h.revolute("J", m["a"], m["b"].at()), "place a is RigidBody"),
        (lambda m: h.revolute("J", m["a"].at(), m["a"].at((1, 0, 0))), "both places are on 'a'"),
        (lambda m: h.revolute("J", m.ground.at(), m.ground.at()), "both places are on 'ground'"),
        (lambda m: h.revolute("J", h.Place("crnk"), m["b"].at()), "body 'crnk' does not exist"),
        (lambda m: h.revolute("J", h.Place("a", node=3), m["b"].at()), "body 'a' is rigid and has no node 3"),
        (lambda m: h.revolute("J", m["a"].at(), h.Place("ground", node=3)), "the ground has no node 3"),
        (
            lambda m: h.revolute("J", m["a"].at(), m["b"].at(), start=(1, 2)),
            "found 2 values, a revolute joint has 1 coordinate",
        ),
        (lambda m: h.revolute("J", m["a"].at(), m["b"].at(), start="phi0"), "unknown name 'phi0'"),
        (lambda m: h.distance("J", m["a"].at(), m["b"].at(), length=0), "found a length of 0 m"),
        (lambda m: h.screw("J", m["a"].at(), m["b"].at(), pitch="pich"), "did you mean pitch?"),
        (lambda m: h.general("J", m["a"].at(), m["b"].at(), []), "expected a list of translate(axis) and rotate(axis)"),
        (lambda m: h.general("J", m["a"].at(), m["b"].at(), [h.rotate((0, 0, 0))]), "length zero"),
        (lambda m: h.general("J", m["a"].at(), m["b"].at(), [h.rotate((0, 0, 1), "a.x")]), "unknown name 'a.x'"),
        (lambda m: h.planar("J", m["a"].at(), m["b"].at(), first=(0, 0, 1)), "parallel"),
    ],
)
def test_impossible_joints_are_reported(model, make, message):
    with pytest.raises(ff.ModelError, match="joint 'J'") as error:
        flat(model, make(model))
    assert message in str(error.value)


def test_places_on_flexible_bodies_are_interface_nodes(model, rod):
    body = model.add(h.FlexibleBody("rod", rod))
    found = flat(model, h.revolute("J", body.node(21), model["a"].at(), (0, 1, 0))).joints[0]
    assert (found.a.body, found.a.node) == (3, 21)
    np.testing.assert_allclose(found.a.point, [2, 0, 0])
    with pytest.raises(ff.ModelError, match=r"body 'rod' is flexible.*\.node"):
        body.at((0, 0, 0))


@pytest.mark.parametrize(
    ("place", "message"),
    [
        (
            h.Place("rod", node=7),
            "node 7 of body 'rod' is not an interface node; its interface nodes are 1 (start), 21 (end)",
        ),
        (
            h.Place("rod", node=99),
            "body 'rod' has no node 99; it has 21 nodes numbered 1 to 21, its interface nodes are 1 (start), 21 (end)",
        ),
        (
            h.Place("rod"),
            "body 'rod' is flexible, a place on it is a node; its interface nodes are 1 (start), 21 (end)",
        ),
    ],
)
def test_joints_elsewhere_on_flexible_bodies_are_reported(model, rod, place, message):
    model.add(h.FlexibleBody("rod", rod))
    model.add(h.spherical("J", place, model["a"].at()))
    with pytest.raises(ff.ModelError, match="joint 'J'") as error:
        model.flatten()
    assert message in str(error.value)


def test_forces_may_act_on_any_node(model, rod):
    model.add(h.FlexibleBody("rod", rod))
    found = flat(model, h.point_force("F", h.Place("rod", node=7), (0, 0, 1))).forces[0]
    np.testing.assert_allclose(found.a.point, [0.6, 0, 0])


def test_a_node_without_rotations_carries_only_joints_of_points(model, beam):
    reduced = ff.modal.reduce(beam, interface=[(1, "ux"), (1, "uy"), (1, "uz"), 21], n_modes=2)
    model.add(h.FlexibleBody("rod", reduced))
    flat(model, h.spherical("S", h.Place("rod", node=1), model["a"].at()))
    with pytest.raises(ff.ModelError, match="joint 'R': interface node 1 of body 'rod' lacks rx, ry, rz"):
        flat(model, h.revolute("R", h.Place("rod", node=1), model["b"].at()))


def test_relations(model):
    joints = [
        model.add(h.revolute("A", model["a"].at(), model.ground.at())),
        model.add(h.revolute("B", model["b"].at(), model.ground.at())),
        model.add(h.cylindrical("C", model["c"].at(), model.ground.at())),
    ]
    found = flat(
        model,
        h.gear("G", joints[0], "B", ratio="-l", offset=0.5),
        h.rack("R", "C", joints[0], radius=0.3),
        h.motion("M", "C", "omega*t^2", coordinate=1),
    ).relations
    assert found[0].terms == (("A", 0, 1.0), ("B", 0, 2.0))
    assert found[0].value.evaluate() == 0.5
    assert found[1].terms == (("C", 0, 1.0), ("A", 0, -0.3))
    assert found[2].terms == (("C", 1, 1.0),)
    assert found[2].value.derivative("t").evaluate({"t": 2.0}) == 12


@pytest.mark.parametrize(
    ("relations", "message"),
    [
        ([h.gear("R", "A", "X", 2.0)], "gear 'R': joint 'X' does not exist; known here: A, B, S"),
        ([h.motion("R", "S", "t")], "motion 'R': joint 'S' has no coordinates, expected a joint with an angle"),
        ([h.motion("R", "A", "t", coordinate=1)], "has no coordinate 1; its coordinates from 0 on are angle"),
        ([h.motion("R", "A", "B.angle")], "unknown name 'B.angle'"),
        ([h.motion("R", "A", "omga*t")], "did you mean omega?"),
        ([h.gear("R", "A", "A", 1.0)], "relation 'R': its terms cancel"),
        (
            [h.gear("first", "A", "B", 2.0), h.motion("drive", "B", "t"), h.motion("R", "A", "3*t")],
            "relation 'R' closes a loop: 'first', 'drive' already fix the same coordinates",
        ),
        ([h.motion("first", "B", "t"), h.motion("R", "B", "t")], "'first' already fixes"),
    ],
)
def test_impossible_relations_are_reported(model, relations, message):
    model.add(h.revolute("A", model["a"].at(), model.ground.at()))
    model.add(h.revolute("B", model["b"].at(), model.ground.at()))
    model.add(h.spherical("S", model["c"].at(), model.ground.at()))
    with pytest.raises(ff.ModelError, match="'R'") as error:
        flat(model, *relations)
    assert message in str(error.value)


def test_a_distance_of_places_that_coincide_is_refused(model):
    """The joint itself places the body, so that rounding alone is between its places."""
    model.add(h.revolute("A", model["a"].at((0.1, 0.2, 0.3)), model.ground.at((1, 2, 3)), axis=(1, 2, 2), start=0.3))
    model.add(h.distance("rod", model["b"].at((0.7, 0.1, -0.3)), model["a"].at((0.3, -0.6, 0.9))))
    with pytest.raises(ff.ModelError, match=r"'rod': its distance is .* expected a positive one"):
        model.compile()
