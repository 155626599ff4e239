"""Angles past a singular attitude: the bound on the jump, and a body with quaternions that needs none."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

from floatframe import hybrid as h
from floatframe.equations import least_jump, pass_singular
from floatframe.errors import ModelError

STEP, HALF_WIDTH = 0.01, 0.02


def visits(start, rate, jump):
    """How many of the angles of a motion at constant rate end in the interval, by the published rule."""
    angle, count = start, 0
    while abs(angle - start) < 1.0:
        following = angle + rate * STEP
        if abs(following - math.pi / 2) < HALF_WIDTH:
            following = angle + math.copysign(jump, rate)
            count += abs(following - math.pi / 2) < HALF_WIDTH
        angle = following
    return count


@pytest.mark.parametrize("rate", [3.0, -3.0])
def test_a_jump_beyond_the_bound_never_ends_inside(rate):
    bound = least_jump(rate, STEP, HALF_WIDTH)
    assert bound == pytest.approx(2 * HALF_WIDTH + abs(rate) * STEP)
    for start in math.pi / 2 - math.copysign(0.5, rate) + np.linspace(0.0, 0.03, 301):
        angle = start
        while abs(angle - start) < 1.0:
            angle = pass_singular(angle, rate, STEP, HALF_WIDTH, 1.001 * bound)
            assert abs(angle - math.pi / 2) >= HALF_WIDTH


def test_twice_the_half_width_is_not_enough():
    starts = math.pi / 2 - 0.5 + np.linspace(0.0, 0.03, 301)
    inside = np.array([visits(start, 3.0, 2.01 * HALF_WIDTH) for start in starts])
    # of the phases of a step all but those that begin close before the interval: 1 - 0.01 ε / (|β̇| τ)
    assert (inside > 0).mean() == pytest.approx(1 - 0.01 * HALF_WIDTH / (3.0 * STEP), abs=0.02)
    with pytest.raises(ModelError, match=r"more than 2 ε \+ \|β̇\| τ = 0.07 rad"):
        pass_singular(1.5, 3.0, STEP, HALF_WIDTH, 2.01 * HALF_WIDTH)


def test_quaternions_pass_by_themselves():
    """A ball turned about y through the singular attitude of Cardan angles, and beyond, at constant speed."""
    model = h.Model()
    ball = model.add(h.RigidBody("ball", mass=1.0, inertia=(0.4, 0.4, 0.4)))
    model.add(h.spherical("joint", ball.at((0, 0, 0)), model.ground.at((0, 0, 0))))
    system = model.compile()
    state = h.State(0.0, system.start.q, [0.0, 3.0, 0.0], system.start.memory)
    run = system.simulate(state, t_end=1.0, rtol=1e-9, record=h.Record(every=0.1))
    turned = np.array([[math.cos(1.5 * t), 0.0, math.sin(1.5 * t), 0.0] for t in run.t])
    assert_allclose(run.q, turned, atol=1e-8)
