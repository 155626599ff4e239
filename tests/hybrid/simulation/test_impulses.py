"""Impulses in the joints where a stage locks one: those of textbooks, and those that every body's momentum needs."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

from floatframe import hybrid as h
from tests.hybrid.simulation.held_part import held_part

ROUNDED = 1e-12  # of the largest; two solutions with one mass matrix, 1e-15 measured


def at_changes(result):
    """Numbers of the records before and after every change of the stage."""
    before = np.flatnonzero(np.diff(result.statistics["stage"]))
    return before, before + 1


def test_a_rod_that_is_caught_at_its_end():
    """A rod flies crosswise and is hinged at one end: omega = 3 v / 2 L, the hinge takes m v / 4."""
    length, mass, v = 2.0, 3.0, 4.0
    model = h.Model()
    inertia = mass * length**2 / 12
    rod = model.add(h.RigidBody("rod", mass, (0.001, inertia, inertia), com=(length / 2, 0, 0), velocity=(0, 0, v)))
    model.add(h.revolute("hook", rod.at(), model.ground.at((0, 0, 0.1 * v)), axis=(0, 1, 0)))
    model.add(h.Stage("caught", 0.1, lock=["hook"]))
    result = model.compile().simulate(t_end=0.15, step=0.01, method="rk4")
    (before,), (after,) = at_changes(result)
    assert_allclose(result["rod.angular_velocity"][after], (0, -1.5 * v / length, 0), atol=1e-12)
    assert_allclose(
        result["hook.impulse"][after:], np.tile((0, 0, -mass * v / 4), (len(result) - after, 1)), atol=1e-12
    )
    assert_allclose(result["hook.angular_impulse"][after], 0.0, atol=1e-12)  # about its axis and across
    assert_allclose(result["hook.impulse"][: before + 1], 0.0)
    assert [channel.unit for channel in result.channels if "impulse" in channel.name] == ["N s", "N m s"]


def test_a_clutch_and_a_brake():
    """Shafts at 10 and 1 rad/s, a = -2 b once a gear holds: 0.2 (a - 10) = p, 0.3 (b - 1) = 2 p; then b is braked."""
    model = h.Model()
    for name, inertia, rate in (("a", 0.2, 10.0), ("b", 0.3, 1.0)):
        body = model.add(h.RigidBody(f"shaft_{name}", 1.0, (0.3, 0.3, inertia)))
        model.add(h.revolute(name, body.at(), model.ground.at(), axis=(0, 0, 1), start_rate=rate))
    model.add(h.gear("teeth", "a", "b", ratio=-2))
    model.add(h.motion("brake", "b", "0"))
    model.add(h.Stage("engage", 0.1, lock=["teeth"]))
    model.add(h.Stage("hold", 0.2, release=["teeth"], lock=["brake"]))
    result = model.compile().simulate(t_end=0.3, step=0.01, method="rk4")
    p = -36 / 55  # N m s: -0.6545, and -1.309 on b
    b = -(10 + 5 * p) / 2
    last = [at_changes(result)[0][1], len(result) - 1]
    assert_allclose(result["a.rate"][last[0]], 10 + 5 * p, rtol=1e-12)
    assert_allclose(result["b.rate"][last[0]], b, rtol=1e-12)
    assert_allclose(result["teeth.impulse"][last], (p, 0), atol=1e-12)
    assert_allclose(result["brake.impulse"][last], (0, -0.3 * b), atol=1e-12)
    assert {channel.unit for channel in result.channels if channel.name in ("teeth.impulse", "brake.impulse")} == {
        "N m s"
    }


@pytest.mark.parametrize("kind", ["fixed", "spherical", "revolute", "prismatic"])
def test_impulses_are_what_the_momentum_of_every_body_needs(kind):
    """A free carrier, an arm hinged to it, a part that left and is held again: one free body after the other."""
    system = held_part(kind, back=0.4).compile()
    result = system.simulate(t_end=0.45, step=0.01, method="rk4")
    bodies = {body.name: body for body in system.model.bodies}
    back = at_changes(result)[1][1]
    points = {
        "hinge": result["arm.position"][back],
        "J": result["part.position"][back] + turned(result, "part", back).apply((0, -0.1, 0)),
    }
    # joint: on its place a, against
    for name, joints in (("part", {"J": 1}), ("arm", {"J": -1, "hinge": 1}), ("carrier", {"hinge": -1})):
        jump = momentum(result, bodies[name], back) - momentum(result, bodies[name], back - 1)
        com = result[f"{name}.com_position"][back]
        given = np.zeros(6)
        for joint, sign in joints.items():
            force, torque = result[f"{joint}.impulse"][back], result[f"{joint}.angular_impulse"][back]
            given += sign * np.concatenate((force, torque + np.cross(points[joint] - com, force)))
        assert np.abs(jump).max() > 0.1
        assert_allclose(given, jump, atol=ROUNDED * 10)
    left = at_changes(result)[1][0]
    assert_allclose(result["J.impulse"][left], 0.0)  # nothing is locked where it leaves
    assert_allclose(result["hinge.impulse"][left], 0.0)


def turned(result, name, k):
    return Rotation.from_quat(result[f"{name}.rotation"][k], scalar_first=True)


def momentum(result, body, k):
    """Linear momentum (3,), and angular about the centre of mass (3,), world axes."""
    R = turned(result, body.name, k)
    own = R.apply(np.array(body.inertia) @ result[f"{body.name}.angular_velocity"][k])
    return np.concatenate((body.mass * result[f"{body.name}.com_velocity"][k], own))


def test_impulses_go_on_in_a_run_that_is_resumed(tmp_path):
    settings = {"step": 0.01, "method": "rk4", "record": h.Record(every=0.05, channels=["J.impulse", "hinge.impulse"])}
    whole = held_part("fixed", back=0.4).compile().simulate(t_end=0.6, **settings)
    path = tmp_path / "run.h5"
    for t_end in (0.45, 0.6):
        parts = (
            held_part("fixed", back=0.4).compile().simulate(t_end=t_end, path=path, resume=path.exists(), **settings)
        )
    assert np.abs(whole["J.impulse"][-1]).max() > 0.1
    for name in ("J.impulse", "hinge.impulse"):
        assert np.array_equal(parts[name], whole[name])


def test_stages_that_lock_nothing_have_no_impulses():
    names = [channel.name for channel in held_part("fixed").compile().simulate(t_end=0.01, step=0.01).channels]
    assert not any("impulse" in name for name in names)
