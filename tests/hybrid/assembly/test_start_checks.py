"""Start data that cannot hold together: joints' values give way and bodies are moved, with a warning."""

from __future__ import annotations

import re
import warnings

import numpy as np
import pytest

from floatframe import hybrid as h
from tests.hybrid.four_bar import four_bar, measured


def quietly(model):
    """Compile a model that must not warn."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return model.compile()


def number(text, before):
    return float(re.search(before + r" (-?[\d.e+-]+\d)", text).group(1))


@pytest.mark.parametrize("cut", ["C", "D"])
def test_start_values_that_contradict_each_other_give_way_with_a_warning(cut):
    """Two angles of a mechanism with one dof; the nearest start is one the mechanism can have."""
    with pytest.warns(UserWarning, match=r"joint '[AD]': start is 1\.[26] rad, which cannot hold") as caught:
        closed = four_bar(cut=cut, A={"start": 1.2}, D={"start": 1.6}).compile()
    assert np.abs(closed.constraints(closed.start)).max() < 1e-11
    words = str(caught[0].message)
    found = number(words, "the nearest start has")
    joint = re.search(r"joint '(.)'", words).group(1)
    system = quietly(four_bar(cut=cut, **{joint: {"start": found}}))
    assert measured(system, system.start, joint)[0] == pytest.approx(found, abs=1e-9)


@pytest.mark.parametrize("cut", ["C", "D"])
def test_start_values_that_agree_to_four_digits_are_taken(cut):
    free = quietly(four_bar(cut=cut, A={"start": 1.2}))
    other = round(float(measured(free, free.start, "D")[0]), 4)
    system = quietly(four_bar(cut=cut, A={"start": 1.2}, D={"start": other}))
    assert measured(system, system.start, "A")[0] == pytest.approx(1.2, abs=1e-4)
    assert np.abs(system.constraints(system.start)).max() < 1e-11


def test_a_start_value_against_a_motion_is_reported():
    model = four_bar(A={"start": 1.0})
    model.add(h.motion("drive", "A", "1.2 + 3*t"))
    with pytest.warns(UserWarning, match=r"joint 'A': start is 1 rad.*nearest start has 1\.2 rad"):
        model.compile()


@pytest.mark.parametrize("cut", ["C", "D"])
def test_rates_that_contradict_each_other_are_reported(cut):
    """One rad/s at the crank is 0.597 rad/s at the rocker, not 5."""
    rates = {"A": {"start": 1.2, "start_rate": 1.0}, "D": {"start_rate": 5.0}}
    with pytest.warns(UserWarning, match=r"joint '[AD]': start_rate is [15] rad/s, which cannot hold"):
        four_bar(cut=cut, **rates).compile()


def test_a_rate_against_a_motion_is_reported():
    model = h.Model()
    arm = model.add(h.RigidBody("arm", 1.0, (1, 1, 1)))
    model.add(h.cylindrical("J", arm.at(), model.ground.at(), start_rate=(None, 2.0)))
    model.add(h.motion("drive", "J", "3*t", coordinate=1))
    with pytest.warns(UserWarning, match=r"start_rate of coordinate 2 is 2 rad/s.*nearest start has 3 rad/s"):
        model.compile()


@pytest.mark.parametrize("cut", [False, True])
def test_a_body_that_joints_move_is_named_with_the_distance(cut):
    """A hinge at the origin and a body given 0.5 m away from it, turned by 0.2 rad about an axis across."""
    model = h.Model()
    pose = {"position": (0.3, 0, 0.4), "rotation": np.eye(3)}
    body = model.add(h.RigidBody("arm", 1.0, (1, 1, 1), **pose))
    model.add(h.revolute("A", body.at(), model.ground.at(), cut=cut))
    with pytest.warns(UserWarning, match=r"body 'arm': .*its position was changed by 0\.5 m$"):
        model.compile()


def test_an_attitude_against_a_start_angle_is_named():
    model = h.Model()
    body = model.add(h.RigidBody("arm", 1.0, (1, 1, 1), rotation=np.eye(3)))
    model.add(h.revolute("A", body.at(), model.ground.at(), start=0.3))
    with pytest.warns(UserWarning, match=r"body 'arm': .*its attitude was changed by 0\.3 rad$"):
        model.compile()


@pytest.mark.parametrize("cut", [False, True])
def test_speeds_that_joints_forbid_are_named(cut):
    """A slider along x with a velocity across: (3, 4, 0) m/s becomes (3, 0, 0), and spin is impossible."""
    model = h.Model()
    body = model.add(h.RigidBody("block", 1.0, (1, 1, 1), velocity=(3, 4, 0), angular_velocity=(0, 0, 2)))
    model.add(h.prismatic("A", body.at(), model.ground.at(), axis=(1, 0, 0), cut=cut))
    message = r"its velocity was changed by 4 m/s and its angular velocity was changed by 2 rad/s$"
    with pytest.warns(UserWarning, match=message):
        system = model.compile()
    assert system.start.v[0] == pytest.approx(3.0, rel=1e-12)


def test_a_rate_of_a_joint_goes_before_the_speed_of_a_body():
    model = h.Model()
    body = model.add(h.RigidBody("arm", 1.0, (1, 1, 1), angular_velocity=(0, 0, 1)))
    model.add(h.revolute("A", body.at(), model.ground.at(), start_rate=5.0))
    with pytest.warns(UserWarning, match=r"angular velocity was changed by 4 rad/s"):
        system = model.compile()
    assert system.start.v[0] == 5.0


def test_data_that_fit_are_taken_in_silence():
    """A pendulum whose pose and speeds are typed with four digits: 30 degrees, 2 rad/s, 0.5 m from the hinge."""
    c, s = 0.8660, 0.5000
    model = h.Model()
    pose = {"position": (0.5 * c, 0.5 * s, 0), "rotation": {"axis": (0, 0, 1), "angle": 0.5236}}
    speed = {"velocity": (-s, c, 0), "angular_velocity": (0, 0, 2)}
    body = model.add(h.RigidBody("arm", 1.0, (1, 1, 1), **pose, **speed))
    model.add(h.revolute("A", body.at((-0.5, 0, 0)), model.ground.at()))
    system = quietly(model)
    assert system.start.q[0] == pytest.approx(np.pi / 6, abs=1e-4)
    assert system.start.v[0] == pytest.approx(2.0, abs=1e-3)


def test_another_time_asks_for_no_start_values():
    """Start values belong to t = 0; later the motion decides."""
    model = four_bar(A={"start": 1.2})
    model.add(h.motion("drive", "A", "1.2 + 3*t"))
    system = quietly(model)
    assert measured(system, system.initial_state(t=0.1), "A")[0] == pytest.approx(1.5, rel=1e-10)
