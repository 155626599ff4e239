"""Pendulums of point masses on massless rods, in Cartesian coordinates: one constraint row for each rod."""

from __future__ import annotations

from functools import cache

from floatframe import hybrid as h
from tests.hybrid import problems


@cache
def cartesian_pendulum(position=(-1.0, 0.0, 0.0)) -> h.System:
    """A body held by a massless rod at its centre of mass: its rotation never begins."""
    model = h.Model(gravity=(0, -problems.GRAVITY, 0))
    bob = model.add(h.RigidBody("bob", 1.0, (1, 1, 1), position=position))
    model.add(h.distance("rod", bob.at(), model.ground.at()))
    return model.compile()


@cache
def double_pendulum() -> h.System:
    """Two masses of 1 kg on rods of 1 m, both released at the level of the hinge."""
    model = h.Model(gravity=(0, -problems.GRAVITY, 0))
    upper = model.add(h.RigidBody("upper", 1.0, (1, 1, 1), position=(1, 0, 0)))
    lower = model.add(h.RigidBody("lower", 1.0, (1, 1, 1), position=(2, 0, 0)))
    model.add(h.distance("first", upper.at(), model.ground.at()))
    model.add(h.distance("second", lower.at(), upper.at()))
    return model.compile()
