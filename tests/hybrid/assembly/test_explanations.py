"""Failures name the element, what was found and the cure; channels of elements have the unit they are in."""

from __future__ import annotations

import pytest

from floatframe import hybrid as h
from floatframe.errors import ModelError


def bar(value=None, torque=None) -> h.Model:
    """A bar of 2 kg on a hinge, driven or turned."""
    model = h.Model(gravity=(0, -9.81, 0))
    body = model.add(h.RigidBody("bar", 2.0, (0.01, 0.2, 0.2), com=(0.5, 0, 0)))
    model.add(h.revolute("A", body.at(), model.ground.at()))
    if value is not None:
        model.add(h.motion("drive", "A", value))
    if torque is not None:
        model.add(h.joint_torque("motor", "A", torque))
    return model


def rod(length, anchor=(3, 0, 0)) -> h.Model:
    """A bar of 1 m on a hinge whose tip a rod holds to a point 3 m away."""
    model = bar()
    model.add(h.distance("rod", h.Place("bar", (1, 0, 0)), model.ground.at(anchor), length=length))
    return model


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("sqrt(t)", r"the rate of motion 'drive' \(sqrt\(t\)\) is not finite at t = 0 s"),
        ("1/t", r"the value of motion 'drive' \(1 / t\) is not finite"),
        ("t^1.5", r"the acceleration of motion 'drive' \(t\^1.5\) is not finite"),
    ],
)
def test_motion_without_a_finite_rate_at_the_start(value, words):
    with pytest.raises(ModelError, match=words + ".*Give a motion with finite rate"):
        bar(value).compile().simulate(t_end=1.0)


@pytest.mark.parametrize("settings", [{}, {"step": 1e-3}], ids=str)
def test_motion_that_runs_into_a_pole(settings):
    status = bar("1/(t - 0.5)").compile().simulate(t_end=1.0, **settings).status
    assert status.reason == "failed"
    assert "of motion 'drive' (1 / (t - 0.5)) is" in str(status)
    assert status.t == pytest.approx(0.5, abs=1e-3)


def test_a_force_beyond_all_numbers_is_named():
    with pytest.raises(ModelError, match=r"joint_torque 'motor', torque: found 1e\+300, expected at most 1e\+100"):
        bar(torque=1e300).compile()
    with pytest.raises(ModelError, match=r"joint_torque 'motor' gives 1e\+300 N m.*units"):
        bar(torque="1e100*1e100*1e100").compile().simulate(t_end=1.0)
    status = bar(torque="exp(2000*t)").compile().simulate(t_end=1.0, step=1e-3).status
    assert status.reason == "failed"
    assert "joint_torque 'motor' gives" in str(status)


@pytest.mark.parametrize(("length", "apart"), [(5.0, 4), (1.0, 2)])
def test_a_rod_that_cannot_reach_says_how_far_it_is(length, apart):
    """The tip is 2 m to 4 m from the anchor; the rod misses by one metre."""
    words = (
        rf"joint 'rod' stays open by 1 m .*: its places come to {apart} m from each other, its length is {length:g} m"
    )
    with pytest.raises(ModelError, match=words):
        rod(length).compile()


@pytest.mark.parametrize("length", [2.0, 4.0])
@pytest.mark.parametrize("settings", [{}, {"step": 1e-3}], ids=str)
def test_a_start_at_the_dead_centre_is_called_singular(length, settings):
    """Bar and rod in one line: the rod holds nothing that the hinge does not."""
    status = rod(length).compile().simulate(t_end=1.0, **settings).status
    assert status.reason == "failed"
    assert "singular" in str(status)
    assert "'rod'" in str(status)
    assert "No step is small enough there" in str(status)
    # one cure, not two that contradict each other
    assert "smaller step" not in str(status)


def test_an_ordinary_failure_is_not_called_singular():
    status = bar(torque="1e9*sin(1e12*angle)").compile().simulate(t_end=1.0, step=1e-2).status
    assert "singular" not in str(status)


def test_channels_of_elements_have_their_units():
    model = h.Model()
    one = model.add(h.RigidBody("one", 1.0, (1, 1, 1)))
    two = model.add(h.RigidBody("two", 1.0, (1, 1, 1)))
    model.add(h.revolute("hinge", one.at(), model.ground.at()))
    model.add(h.prismatic("slide", two.at(), model.ground.at((0, 0, 1)), axis=(1, 0, 0)))
    model.add(h.joint_torque("motor", "hinge", "1"))
    model.add(h.joint_friction("drag", "hinge", 1.0))
    model.add(h.joint_friction("rub", "slide", 1.0))
    model.add(h.spring("coil", one.at((1, 0, 0)), two.at(), 10.0))
    model.add(h.motion("turn", "hinge", "0.1*t"))
    model.add(h.motion("push", "slide", "0.1*t"))
    result = model.compile().simulate(t_end=0.01, step=1e-3)
    for name in ("motor", "drag"):
        assert [result.unit(f"{name}.{what}") for what in ("value", "elongation", "rate")] == ["N m", "rad", "rad/s"]
    for name in ("rub", "coil"):
        assert [result.unit(f"{name}.{what}") for what in ("value", "elongation", "rate")] == ["N", "m", "m/s"]
    assert (result.unit("turn.force"), result.unit("push.force")) == ("N m", "N")
