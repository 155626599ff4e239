"""Models of subsystems: names, parameters, poses, and their flat form."""

from __future__ import annotations

import numpy as np
import pytest

import floatframe as ff
from floatframe import hybrid as h

QUARTER = {"axis": (0, 0, 1), "angle": "pi/2"}
TURN = np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]])


def wheelset() -> h.Subsystem:
    """A wheelset on a frame, with a spring to the ground and a drive that feels its own wheel."""
    part = h.Subsystem(
        "wheelset", parameters={"mass": 900.0, "k": "1000*mass", "r": 0.5}, tables={"drag": h.Table([0, 1], [0, 7])}
    )
    frame = part.add(h.RigidBody("frame", 100.0, (1, 1, 1), position=(1, 0, 0), velocity=(1, 0, 0)))
    wheel = part.add(h.RigidBody("wheel", "mass", ("mass*r^2", "mass*r^2", "mass*r^2")))
    part.add(h.revolute("axle", wheel.at(), frame.at((0, 0, -1)), axis=(0, 1, 0)))
    part.add(h.spring("spring", frame.at(), part.ground.at((0, 0, 1)), stiffness="k"))
    part.add(h.joint_torque("drive", "axle", torque="-table(drag, wheel.angular_velocity.y) - rate"))
    part.add(h.motion("turn", "axle", "r*t"))
    return part


@pytest.fixture
def train() -> h.Model:
    model = h.Model(gravity=(0, 0, "-g"), parameters={"g": 9.81, "load": 50.0})
    part = wheelset()
    body = model.add(h.RigidBody("body", 1e4, (1, 1, 1)))
    front = model.add(part.instance("front", position=(3, 0, 0), rotation=QUARTER, parameters={"mass": "10*load"}))
    model.add(part.instance("rear", position=(-3, 0, 0)))
    model.add(h.fixed("pin", front["frame"].at((0, 0, 1)), body.at((3, 0, 0))))
    model.add(h.spherical("ball", model["rear.frame"].at(), body.at((-3, 0, 0))))
    return model


def by_name(items):
    return {item.name: item for item in items}


def test_names_become_paths(train):
    flat = train.flatten()
    assert [body.name for body in flat.bodies] == ["body", "front.frame", "front.wheel", "rear.frame", "rear.wheel"]
    assert [body.subsystem for body in flat.bodies] == ["", "front", "front", "rear", "rear"]
    assert set(by_name(flat.joints)) == {"pin", "ball", "front.axle", "rear.axle"}
    assert set(by_name(flat.forces)) == {"front.spring", "front.drive", "rear.spring", "rear.drive"}
    assert by_name(flat.joints)["pin"].a.body == 1
    assert by_name(flat.joints)["ball"].a.body == 3
    assert by_name(flat.joints)["rear.axle"].a.body == 4
    assert [relation.terms[0][0] for relation in flat.relations] == ["front.axle", "rear.axle"]
    np.testing.assert_array_equal(flat.gravity, [0, 0, -9.81])


def test_parameters_of_instances(train):
    flat = train.flatten()
    bodies, forces = by_name(flat.bodies), by_name(flat.forces)
    assert (bodies["front.wheel"].mass, bodies["rear.wheel"].mass) == (500, 900)
    assert bodies["front.wheel"].inertia[0, 0] == 125
    assert forces["front.spring"].numbers["stiffness"] == 5e5
    assert flat.parameters["front.mass"] == 500
    assert flat.parameters["load"] == 50


def test_overriding_from_outside(train):
    flat = train.flatten({"load": 60, "rear.mass": 100.0, "front.r": "1/4"})
    bodies = by_name(flat.bodies)
    assert (bodies["front.wheel"].mass, bodies["rear.wheel"].mass) == (600, 100)
    assert bodies["front.wheel"].inertia[0, 0] == 600 / 16
    assert by_name(flat.forces)["rear.spring"].numbers["stiffness"] == 1e5
    # the description itself is left alone
    assert train.flatten().parameters["load"] == 50
    for wrong, message in (
        ("lod", "did you mean load?"),
        ("front.mas", "did you mean front.mass"),
        ("side.mass", "no parameter"),
    ):
        with pytest.raises(ff.ModelError, match=message):
            train.flatten({wrong: 1.0})


def test_pose_of_an_instance_moves_everything_inside(train):
    flat = train.flatten()
    bodies, forces = by_name(flat.bodies), by_name(flat.forces)
    np.testing.assert_allclose(bodies["front.frame"].position, [3, 1, 0], atol=1e-15)
    np.testing.assert_allclose(bodies["front.frame"].velocity, [0, 1, 0], atol=1e-15)
    assert bodies["front.frame"].rotation is None
    assert bodies["front.wheel"].position is None
    np.testing.assert_allclose(bodies["front.wheel"].home_position, [3, 0, 0])
    np.testing.assert_allclose(bodies["front.wheel"].home_rotation, TURN, atol=1e-15)
    np.testing.assert_allclose(forces["front.spring"].b.point, [3, 0, 1])
    np.testing.assert_allclose(forces["front.spring"].b.rotation, TURN, atol=1e-15)
    assert forces["rear.spring"].b.rotation is None
    np.testing.assert_allclose(forces["rear.spring"].b.point, [-3, 0, 1])


def test_sensors_and_tables_inside_belong_to_the_instance(train):
    law = by_name(train.flatten().forces)["front.drive"].expressions["torque"]
    assert law.names == {"front.wheel.angular_velocity.y", "rate"}
    assert law.tables == {"front.drag"}
    assert set(train.flatten().tables) == {"front.drag", "rear.drag"}


def test_nested_poses_multiply():
    inner = h.Subsystem("inner", parameters={"m": 1.0})
    inner.add(h.RigidBody("ball", "m", position=(1, 0, 0), rotation=QUARTER))
    outer = h.Subsystem("outer", parameters={"n": 2.0})
    outer.add(inner.instance("left", position=(0, 2, 0), rotation=QUARTER, parameters={"m": "3*n"}))
    model = h.Model()
    model.add(outer.instance("top", position=(5, 0, 0), rotation=QUARTER, parameters={"n": 4}))
    (ball,) = model.flatten().bodies
    assert (ball.name, ball.subsystem, ball.mass) == ("top.left.ball", "top", 12)
    # left stands at (5, 0, 0) + turn (0, 2, 0) = (3, 0, 0), turned by half; its ball one further along its -x
    np.testing.assert_allclose(ball.position, [2, 0, 0], atol=1e-14)
    np.testing.assert_allclose(ball.rotation, TURN @ TURN @ TURN, atol=1e-14)
    assert model["top.left.ball"].at().body == "top.left.ball"
    assert model.flatten({"top.left.m": 7}).bodies[0].mass == 7


def test_circular_subsystems_are_reported():
    a, b, c = (h.Subsystem(name) for name in ("alpha", "beta", "gamma"))
    a.add(b.instance("one"))
    b.add(c.instance("two"))
    with pytest.raises(
        ff.ModelError, match="instance 'three': subsystems contain each other, gamma -> alpha -> beta -> gamma"
    ):
        c.add(a.instance("three"))
    with pytest.raises(ff.ModelError, match="alpha -> alpha"):
        a.add(a.instance("self"))
    assert c.items == {}


def test_parameters_may_use_each_other():
    model = h.Model(parameters={"c": "a + b", "a": 2, "b": "a^2"})
    model.add(h.RigidBody("x", "c"))
    assert model.flatten().bodies[0].mass == 6
    assert model.flatten({"b": 10}).bodies[0].mass == 12


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"a": "b", "b": "c", "c": "b+1"}, "model 'model': the parameters b -> c -> b depend on each other"),
        ({"a": "a"}, "a -> a"),
        ({"a": "bb", "b": 1}, "parameter 'a': unknown parameter 'bb' in 'bb'"),
        ({"a": "1/0"}, "parameter 'a': no finite value for '1 / 0'"),
        ({"t": 1.0}, "'t' cannot be the name of a parameter"),
        ({"sin": 1.0}, "'sin' cannot be the name of a parameter"),
        ({"my mass": 1.0}, "'my mass' cannot be the name of a parameter"),
    ],
)
def test_impossible_parameters_are_reported(parameters, message):
    with pytest.raises(ff.ModelError) as error:
        h.Model(parameters=parameters).flatten()
    assert message in str(error.value)


def test_unknown_parameter_of_an_instance(train):
    train.add(wheelset().instance("third", parameters={"mas": 1.0}))
    with pytest.raises(
        ff.ModelError, match="instance 'third': subsystem 'wheelset' has no parameter 'mas'; did you mean mass"
    ):
        train.flatten()


def test_errors_inside_an_instance_carry_its_path(train):
    with pytest.raises(ff.ModelError, match=r"body 'front\.wheel': found a mass of -10 kg"):
        train.flatten({"load": -1})


def test_names_are_used_once(train):
    with pytest.raises(ff.ModelError, match="joint 'body': the name is used already, by body 'body' of 'model'"):
        train.add(h.spherical("body", train["body"].at(), train.ground.at()))
    with pytest.raises(ff.ModelError, match="name must not contain dots"):
        train.add(train["front.frame"])


def test_unknown_names_are_reported_with_the_nearest(train):
    with pytest.raises(ff.ModelError, match="'wheelset' has nothing named 'whel'; did you mean wheel"):
        train["front.whel"]
    with pytest.raises(ff.ModelError, match="'model' has nothing named 'bdy'; did you mean body"):
        train["bdy"]
    with pytest.raises(ff.ModelError, match="body 'body' of 'model' has no parts"):
        train["body.x"]
    train.add(h.spherical("S", h.Place("front.whel"), train.ground.at()))
    with pytest.raises(ff.ModelError, match=r"joint 'S': body 'front\.whel' does not exist; did you mean front\.wheel"):
        train.flatten()


def test_only_things_of_a_model_can_be_added(train):
    with pytest.raises(ff.ModelError, match=r"add an instance of it, as in \.add\(wheelset\.instance\('front'\)\)"):
        train.add(wheelset())
    with pytest.raises(ff.ModelError, match=r"found 'crank', expected a body, joint, .* or stage"):
        train.add("crank")


def test_a_subsystem_does_not_see_the_parameters_around_it(train):
    part = h.Subsystem("part")
    part.add(h.RigidBody("x", "load"))
    train.add(part.instance("p"))
    with pytest.raises(ff.ModelError, match=r"body 'p\.x', mass: unknown name 'load'"):
        train.flatten()


def test_an_instance_is_the_same_as_writing_its_parts_out():
    """The flat form of two instances equals that of a model with all parts written by hand."""
    part = h.Subsystem("part", parameters={"m": 1.0})
    x = part.add(h.RigidBody("x", "m", position=(0, 1, 0)))
    part.add(h.spring("s", x.at((0, 0, 1)), part.ground.at((0, 0, 2)), stiffness="2*m"))
    model = h.Model()
    for k in (1, 2):
        model.add(part.instance(f"p{k}", position=(k, 0, 0), parameters={"m": k}))
    plain = h.Model()
    for k in (1, 2):
        x = plain.add(h.RigidBody(f"p{k}_x", float(k), position=(k, 1, 0)))
        plain.add(h.spring(f"p{k}_s", x.at((0, 0, 1)), plain.ground.at((k, 0, 2)), stiffness=2.0 * k))
    for one, two in zip(model.flatten().bodies, plain.flatten().bodies, strict=True):
        assert one.mass == two.mass
        np.testing.assert_array_equal(one.position, two.position)
    for one, two in zip(model.flatten().forces, plain.flatten().forces, strict=True):
        assert one.numbers == two.numbers
        np.testing.assert_array_equal(one.b.point, two.b.point)
        assert one.a.body == two.a.body


def test_empty_expression_and_gravity():
    with pytest.raises(ff.ModelError, match="gravity: found 2 numbers, expected three numbers"):
        h.Model(gravity=(0, 1))
    with pytest.raises(ff.ModelError, match="expected a number, a name, a function"):
        h.Model(gravity=(0, 0, ""))
