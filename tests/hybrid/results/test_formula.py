"""Expressions of channels, and angles of bodies, wherever a channel is taken."""

import re

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

from floatframe import hybrid as h
from floatframe.errors import ModelError
from floatframe.hybrid.sweep.measures import measures, numbers_of_run
from floatframe.viewer import span_curves


@pytest.fixture(scope="module")
def system() -> h.System:
    """A body that tumbles freely, and a pendulum beside it."""
    model = h.Model(gravity=(0, 0, -9.81))
    model.add(h.RigidBody("top", 2.0, (1.0, 2.0, 3.0), angular_velocity=(0.3, 4.0, 0.2)))
    bob = model.add(h.RigidBody("bob", 1.0, (0.1, 0.1, 0.1), position=(1, 0, 0)))
    model.add(h.revolute("hinge", model.ground.at(), bob.at((-1, 0, 0)), axis=(0, 1, 0)))
    model.add(h.joint_torque("drag", "hinge", "-0.5*rate"))
    return model.compile()


@pytest.fixture(scope="module")
def run(system) -> h.Results:
    return system.simulate(t_end=4.0, record=h.Record(every=0.01))


def test_expressions_are_those_of_the_arrays(run):
    force, speed = run["hinge.force"], run["bob.velocity"]
    assert_allclose(run["hinge.force.x + hinge.force.z"], force[:, 0] + force[:, 2], rtol=0)
    assert_allclose(run["2*bob.velocity - top.velocity"], 2 * speed - run["top.velocity"], rtol=0)
    assert_allclose(run["hinge.force.magnitude"], np.linalg.norm(force, axis=1), rtol=1e-15)
    assert_allclose(run["if(bob.velocity.x > 0, bob.velocity.x, 0)"], np.maximum(speed[:, 0], 0), rtol=0)
    assert_allclose(run["t*hinge.angle"], run.t * run["hinge.angle"], rtol=0)
    # power of gravity is what potential energy loses
    power = run["-9.81*(2*top.velocity.z + bob.velocity.z)"]
    lost = run["energy.potential"][0] - run["energy.potential"]
    assert_allclose(np.trapezoid(power, run.t), lost[-1], rtol=1e-3)  # trapezoidal rule at 100 Hz


def test_units_follow(run):
    assert run.unit("hinge.force.x + 3*hinge.force.z") == "N"
    assert run.unit("abs(bob.velocity.x)/2") == "m/s"
    assert run.unit("hinge.force.x*bob.velocity.x") == ""
    assert run.unit("hinge.force.magnitude") == "N"
    assert run.column_names("bob.velocity - top.velocity")[0] == "(bob.velocity - top.velocity).x"


def test_filters_and_measures(run):
    y = run["hinge.force.x:lowpass(5)"]
    assert y.shape == run.t.shape
    assert np.abs(y - run["hinge.force.x"]).max() > 0
    found = run.measure("hinge.force.x - hinge.force.z:rms,peak")
    difference = run["hinge.force.x"] - run["hinge.force.z"]
    assert_allclose(found["peak"], np.abs(difference).max(), rtol=1e-15)
    assert list(found) == ["rms", "peak"]


def test_what_lies_before_the_first_time_leaves_no_trend_but_lets_filters_swing_in(run, system):
    inside = run.t >= 2.0
    t, angle = run.t[inside], run["hinge.angle"][inside]
    rest = angle - np.polyval(np.polyfit(t, angle, 1), t)
    assert_allclose(list(run.measure("hinge.angle:detrend:max,end", 2.0).values()), [rest.max(), rest[-1]], rtol=1e-9)
    numbers = numbers_of_run(run, measures(system, ["hinge.angle:demean:max"]), 2.0)
    assert_allclose(list(numbers.values()), angle.max() - angle.mean(), rtol=1e-12)
    (curve,) = span_curves(run, ["hinge.angle:detrend"], 2.0)
    assert_allclose(curve.y, rest, atol=1e-12)
    (curve,) = span_curves(run, ["hinge.angle:lowpass(2)"], 2.0)
    assert_allclose(curve.y, run["hinge.angle:lowpass(2)"][inside], rtol=0)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("bob.velocity.x + bob.position.x", "m/s and m"),
        ("bob.velocty.x + 1", "did you mean bob.velocity.x"),
        ("bob.velocty", "did you mean bob.velocity"),
        ("top.euler_angles.x", "did you mean top.euler_angles.spin"),
        ("bob.velocity.x:bandpass(2)", r"has one argument, expected bandpass\(Hz, Hz\)"),
        ("bob.velocity + top.rotation", "vectors of different components"),
        ("log(-t)", "no finite value at t = 0 s"),
        ("bob.velocity.x +", "found the end of the expression"),
        ("bob.velocity.x:rms", "Results.measure"),
        ("table(road, bob.position.x)", "table"),
        ("bob.velocity.x:lowpass(70)", "70 Hz must lie between 0 and half the sampling rate, 50 Hz"),
    ],
)
def test_mistakes_are_named(run, text, words):
    with pytest.raises(ModelError, match=words):
        run[text]


def test_a_measure_needs_one_component(run):
    with pytest.raises(ModelError, match="one component and a measure"):
        run.measure("bob.velocity:rms")


@pytest.mark.parametrize(("name", "sequence"), [("cardan_angles", "XYZ"), ("euler_angles", "ZXZ")])
def test_angles_turn_the_axes_as_the_quaternion_does(run, name, sequence):
    rotation = Rotation.from_quat(run["top.rotation"][:, [1, 2, 3, 0]])
    angles = run[f"top.{name}"]
    assert np.ptp(angles, axis=0).min() > 0.1
    turned = Rotation.from_euler(sequence, angles)
    assert_allclose((turned.inv() * rotation).magnitude(), 0.0, atol=1e-12)


@pytest.mark.parametrize("name", ["cardan_angles", "euler_angles"])
def test_angles_can_be_recorded_and_are_left_out_otherwise(system, run, name):
    assert not any(name in channel.name for channel in run.channels)
    kept = system.simulate(t_end=4.0, record=h.Record(every=0.01, channels=(f"top.{name}",), coordinates=False))
    assert_allclose(kept[f"top.{name}"], run[f"top.{name}"], rtol=0, atol=1e-15)


def test_records_keep_what_expressions_need(system, run):
    text = "hinge.force.x*bob.velocity.magnitude*top.euler_angles.spin"
    asked = (text, "bob.position.z", "energy")
    kept = system.simulate(t_end=4.0, record=h.Record(every=0.01, channels=asked, coordinates=False))
    names = [channel.name for channel in kept.channels if not channel.name.startswith("energy.")]
    assert sorted(names) == ["bob.position", "bob.velocity", "hinge.force", "top.euler_angles"]
    assert_allclose(kept[text], run[text], atol=1e-13)  # angles are recovered in the other run


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("hinge.force.x + bob.velocty.x", "channels.1.*did you mean bob.velocity"),
        ("bob.velocity.x:lowpass(5)", "leave out the colon"),
        ("bob.velocity.w", "did you mean bob.velocity"),
    ],
)
def test_mistakes_of_records_are_named(system, name, words):
    with pytest.raises(ModelError) as caught:
        system.simulate(t_end=1.0, record=h.Record(every=0.1, channels=("bob.velocity + 1*top.velocity", name)))
    assert re.search(words, f"{caught.value.field} {caught.value}")


def test_angles_where_two_axes_are_one():
    model = h.Model(gravity=(0, 0, 0))
    quarter = Rotation.from_euler("XYZ", [0.4, np.pi / 2, 0.0]).as_quat()[[3, 0, 1, 2]]
    model.add(h.RigidBody("upright", 1.0, (1, 1, 1), rotation=tuple(quarter)))
    model.add(h.RigidBody("level", 1.0, (1, 1, 1)))
    kept = model.compile().simulate(t_end=1.0, record=h.Record(every=0.5))
    assert_allclose(kept["upright.cardan_angles"][0], [0.4, np.pi / 2, 0.0], atol=1e-8)  # cosine of a right angle
    assert_allclose(kept["level.euler_angles"][0], 0.0, atol=1e-15)


def test_sweeps_measure_expressions(system, run):
    model = h.Model(gravity=(0, 0, -9.81), parameters={"drag": 0.5})
    bob = model.add(h.RigidBody("bob", 1.0, (0.1, 0.1, 0.1), position=(1, 0, 0)))
    model.add(h.revolute("hinge", model.ground.at(), bob.at((-1, 0, 0)), axis=(0, 1, 0)))
    model.add(h.joint_torque("drag", "hinge", "-drag*rate"))
    texts = [
        "hinge.force.x - hinge.force.z:lowpass(5):rms,crest",
        "hinge.force.magnitude:max",
        "bob.cardan_angles.y:end",
        "2*hinge.force.magnitude:min",
    ]
    found = h.sweep(model, {"drag": [0.5]}, measure=texts, t_end=4.0, workers=1)
    expected = run.measure(texts[0])
    assert_allclose(
        found["hinge.force.x - hinge.force.z:lowpass(5):rms"], expected["rms"], rtol=1e-3
    )  # sampled otherwise
    assert_allclose(found["hinge.force.magnitude:max"], run["hinge.force.magnitude"].max(), rtol=1e-4)
    assert_allclose(found["2*hinge.force.magnitude:min"], 2 * run["hinge.force.magnitude"].min(), rtol=1e-4)
    assert_allclose(found["bob.cardan_angles.y:end"], run["bob.cardan_angles.y"][-1], rtol=1e-4)
    resting = h.sweep(model, {"drag": [0.5]}, "equilibrium", measure=["2*hinge.force.z", "hinge.angle"], workers=1)
    assert_allclose(np.abs(resting["2*hinge.force.z"]), 2 * 9.81, rtol=1e-9)
    with pytest.raises(ModelError, match=r"'hinge\.forc\.x' does not exist"):
        h.sweep(model, {"drag": [0.5]}, measure="hinge.forc.x + hinge.force.z:rms", t_end=1.0, workers=1)
