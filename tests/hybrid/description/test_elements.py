"""Force elements as users describe them, down to their flat form."""

from __future__ import annotations

import numpy as np
import pytest

import floatframe as ff
from floatframe import hybrid as h


@pytest.fixture
def model() -> h.Model:
    model = h.Model(parameters={"k": 100.0, "drag": 10.0, "torque": 5.0}, tables={"law": h.Table([0, 1], [0, 50])})
    a = model.add(h.RigidBody("a", 1.0, (1, 1, 1)))
    b = model.add(h.RigidBody("b", 1.0, (1, 1, 1)))
    model.add(h.revolute("A", a.at(), model.ground.at()))
    model.add(h.cylindrical("C", b.at(), a.at()))
    model.add(h.spherical("S", b.at((1, 0, 0)), model.ground.at()))
    return model


def flat(model, force):
    model.add(force)
    return model.flatten().forces[-1]


def test_torque_in_a_joint(model):
    found = flat(model, h.joint_torque("drive", joint="A", torque="torque - drag*rate + k*b.position.x"))
    assert (found.kind, found.joint, found.coordinate) == ("joint_torque", "A", 0)
    law = found.expressions["torque"]
    assert law.names == {"rate", "b.position.x"}
    assert law.evaluate({"rate": 0.25, "b.position.x": 0.01}) == pytest.approx(5 - 2.5 + 1)


def test_force_and_torque_find_their_coordinate(model):
    assert flat(model, h.joint_torque("T", model["C"], torque="-angle")).coordinate == 1
    assert flat(model, h.joint_force("F", "C", force="-k*displacement")).coordinate == 0
    friction = flat(model, h.joint_friction("R", "C", force=3.0, coordinate=1))
    assert (friction.coordinate, friction.options["model"]) == (1, "regularised")


def test_spring_numbers_and_laws(model):
    a, b = model["a"].at((0, 0, 1)), model["b"].at()
    linear = flat(model, h.spring("S1", a, b, stiffness="k", damping=2.0))
    assert {key: float(value) for key, value in linear.numbers.items()} == {
        "stiffness": 100,
        "damping": 2,
        "preload": 0,
    }
    assert not linear.expressions
    assert flat(model, h.spring("S2", a, b, stiffness=1.0, length="k/50")).numbers["length"] == 2.0
    law = flat(model, h.spring("S3", a, b, force="k*elongation^3 + drag*rate*length")).expressions["force"]
    assert law.evaluate({"elongation": 2, "rate": 1, "length": 3}) == 830


def test_tables_given_or_named(model):
    a, b = model["a"].at(), model["b"].at()
    table = h.Table([0, 1], [0, 50])
    given = flat(model, h.spring("S1", a, b, force=table))
    named = flat(model, h.spring("S2", a, b, force="table(law, elongation)"))
    assert (set(given.tables), set(named.tables)) == ({"S1.force"}, {"law"})
    for found in (given, named):
        assert found.expressions["force"].evaluate({"elongation": 0.5}, found.tables) == 25
    assert set(model.flatten().tables) == {"S1.force", "law"}
    wind = flat(model, h.point_force("wind", a, (table, 0, 0)))
    assert wind.expressions["fx"].evaluate({"t": 0.5}, wind.tables) == 25
    stribeck = flat(model, h.friction("R", a, b, force=table))
    assert stribeck.expressions["limit"].evaluate({"rate": -0.5}, stribeck.tables) == 25


def test_bushing_takes_three_six_or_a_matrix(model):
    a, b = model["a"].at(), model["b"].at()
    np.testing.assert_array_equal(
        flat(model, h.bushing("B3", a, b, stiffness=(1, 2, "k"))).numbers["stiffness"], np.diag([1, 2, 100, 0, 0, 0])
    )
    entries = (1.0, 2.0, 3.0, 4.0, 5.0, 6.0)
    six = flat(model, h.bushing("B6", a, b, stiffness=entries, damping=(1, 1, 1), preload=(0, 0, 9, 0, 0, 0)))
    np.testing.assert_array_equal(six.numbers["stiffness"], np.diag(entries))
    np.testing.assert_array_equal(six.numbers["damping"], np.diag([1, 1, 1, 0, 0, 0]))
    np.testing.assert_array_equal(six.numbers["preload"], [0, 0, 9, 0, 0, 0])
    full = np.arange(36.0).reshape(6, 6)
    np.testing.assert_array_equal(flat(model, h.bushing("BM", a, b, stiffness=full)).numbers["stiffness"], full)


def test_point_loads(model):
    force = flat(model, h.point_force("F", model["a"].at((1, 0, 0)), ("k*sin(t)", 0, "-k"), axes="body"))
    assert force.numbers["body_axes"] == 1
    assert [float(force.expressions[key].evaluate({"t": np.pi / 2})) for key in ("fx", "fy", "fz")] == [100, 0, -100]
    torque = flat(model, h.point_torque("T", model["a"].at(), (0, 0, 1)))
    assert torque.numbers["body_axes"] == 0
    assert set(torque.expressions) == {"tx", "ty", "tz"}


def test_friction_with_stick_and_contacts(model):
    a, b = model["a"].at(), model["b"].at()
    stick = flat(model, h.friction("R", a, b, force="k", stick=True, stiffness=1e5, static=1.2, axis=(0, 0, 2)))
    assert stick.options["model"] == "stick"
    np.testing.assert_array_equal(stick.numbers["axis"], [0, 0, 1])
    stop = flat(model, h.bump_stop("stop", a, b, clearance=0.01, stiffness="1e3*k"))
    assert set(stop.numbers) == {"clearance", "stiffness", "damping"}
    contact = flat(model, h.contact_plane("K", a, model.ground.at(), stiffness=1e6, normal=(0, 2, 0), radius=0.1))
    np.testing.assert_array_equal(contact.numbers["normal"], [0, 1, 0])


def test_python_function(model):
    def push(t, position, rotation, velocity, angular_velocity):
        return -position, np.zeros(3)

    assert flat(model, h.user_force("U", model["a"].at(), model.ground.at(), push)).function is push


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda m: h.joint_torque("F", "X", 1.0), "joint 'X' does not exist; known here: A, C, S"),
        (lambda m: h.joint_torque("F", "S", 1.0), "joint 'S' has no angle; its coordinates: none"),
        (lambda m: h.joint_force("F", "A", 1.0), "joint 'A' has no displacement; its coordinates: angle"),
        (lambda m: h.joint_force("F", "C", 1.0, coordinate=1), "is angle, expected displacement; use joint_torque"),
        (lambda m: h.joint_torque("F", "A", 1.0, coordinate=2), "joint 'A' has no coordinate 2"),
        (
            lambda m: h.joint_torque("F", "A", "drg*rate"),
            "torque: unknown name 'drg' in 'drg * rate'; did you mean drag?",
        ),
        (lambda m: h.joint_torque("F", "A", "-elongation"), "unknown name 'elongation'"),
        (lambda m: h.joint_torque("F", "A", "crank.velocity.x"), "unknown name 'crank' in 'crank.velocity.x'"),
        (lambda m: h.joint_torque("F", "A", ""), "F"),
        (lambda m: h.joint_torque("F", "A", "table(lw, t)"), "unknown table 'lw'"),
        (lambda m: h.spring("F", m["a"].at(), m["a"].at((1, 0, 0)), 1.0), "both places are on 'a'"),
        (lambda m: h.spring("F", m["a"].at(), m["b"], 1.0), "place b is RigidBody"),
        (lambda m: h.spring("F", m["a"].at(), m["b"].at(), stiffness="k*rate"), "unknown name 'rate'"),
        (lambda m: h.spring("F", m["a"].at(), m["b"].at(), stiffness=float("nan")), "stiffness: found nan"),
        (lambda m: h.spring("F", m["a"].at(), m["b"].at(), length=-1), "length: found -1, expected at least 0"),
        (lambda m: h.bushing("F", m["a"].at(), m["b"].at(), stiffness=(1, 2)), "stiffness: found 2 numbers"),
        (lambda m: h.point_force("F", m["a"].at(), "k"), "expected three numbers or expressions"),
        (lambda m: h.point_force("F", m["a"].at(), (0, 0, 1), axes="a"), "found axes 'a', expected 'world' or 'body'"),
        (lambda m: h.friction("F", m["a"].at(), m["b"].at(), 1.0, speed=0), "speed: found 0, expected more than 0"),
        (lambda m: h.friction("F", m["a"].at(), m["b"].at(), 1.0, stick=True), "give stiffness="),
        (lambda m: h.bump_stop("F", m["a"].at(), m["b"].at(), None), "found neither clearance nor rebound"),
        (lambda m: h.contact_plane("F", m["a"].at(), m["b"].at(), 1.0, normal=(0, 0, 0)), "length zero"),
        (lambda m: h.user_force("F", m["a"].at(), m["b"].at(), "push"), "expected a Python function"),
    ],
)
def test_impossible_elements_are_reported(model, make, message):
    with pytest.raises(ff.ModelError, match="'F'") as error:
        flat(model, make(model))
    assert message in str(error.value)


def test_a_parameter_that_hides_a_variable_is_reported_where_both_could_be_meant(model):
    model.parameters["length"] = 3.0
    flat(model, h.spring("fine", model["a"].at(), model["b"].at(), stiffness="10*length"))
    with pytest.raises(ff.ModelError, match=r"spring 'S1', force: 'length' in .* is a parameter and a variable"):
        flat(model, h.spring("S1", model["a"].at(), model["b"].at(), force="10*length"))


@pytest.mark.parametrize("make", [h.point_force, h.point_torque])
def test_mistakes_are_reported_by_the_users_name(model, make):
    kind = make.__name__
    place = model.items["a"].at()
    with pytest.raises(ff.FloatframeError, match=f"^{kind} 'F'"):
        make("F", place, (0, 0, 1), axes="wrong")
    assert str(flat(model, make("G", place, (0, 0, 1)))) == f"{kind} 'G'"
    with pytest.raises(ff.FloatframeError, match=f"{kind} 'F'"):
        flat(model, make("F", place, ("nowhere", 0, 0)))
