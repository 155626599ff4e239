"""Compiled models beside the reduced forms: accelerations and multipliers of sleigh and cart at random states."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp
from numpy.testing import assert_allclose

from floatframe import hybrid as h
from floatframe.equations import ReducedEquations, chaplygin, voronets
from tests.equations import nonholonomic
from tests.hybrid import sleigh


def sleigh_pair() -> tuple[h.Model, ReducedEquations, dict[str, float]]:
    values = {"m": sleigh.MASS, "I": sleigh.INERTIA, "a": sleigh.AHEAD}
    return sleigh.sleigh(), chaplygin(nonholonomic.sleigh(), [sp.Symbol("y")]), values


def cart_pair() -> tuple[h.Model, ReducedEquations, dict[str, float]]:
    """A frame on two wheels that roll, on a slope along x."""
    mass, wheel_mass, ahead, inertia, half, radius = 3.0, 0.4, 0.3, 0.5, 0.35, 0.2
    about, across = 0.02, 0.01  # inertia of a wheel about its axle and across it
    model = h.Model(gravity=(9.81, 0, 0))
    frame = model.add(h.RigidBody("frame", mass, (0.3, 0.4, inertia), com=(ahead, 0, 0)))
    model.add(h.planar("plane", frame.at(), model.ground.at()))
    for k, side in enumerate((half, -half), start=1):
        wheel = model.add(h.RigidBody(f"wheel{k}", wheel_mass, (across, about, across)))
        axle = frame.at((0, side, 0))
        model.add(h.revolute(f"axle{k}", wheel.at(), axle, axis=(0, 1, 0)))
        model.add(h.wheel(f"tread{k}", axle, model.ground.at(), radius=radius, joint=f"axle{k}"))
    total = mass + 2 * wheel_mass
    mean = mass * ahead / total
    turning = inertia + mass * ahead**2 - total * mean**2 + 2 * (wheel_mass * half**2 + across)
    values = {"m": total, "a": mean, "I": turning, "J": about, "l": half, "r": radius, "g": 9.81}
    return model, voronets(nonholonomic.cart(), sp.symbols("x y phi")), values


@pytest.mark.parametrize("pair", [sleigh_pair, cart_pair])
def test_compiled_models_accelerate_as_the_reduced_forms_say(pair):
    model, reduced, values = pair()
    system = model.compile()
    assert system.ndof == len(reduced.independent)
    rng = np.random.default_rng(7)
    for _ in range(5):
        q = rng.uniform(-1.0, 1.0, system.nq)
        v = reduced.speeds(q, rng.normal(size=system.ndof), **values)
        expected, multipliers = reduced.accelerations(q, v, **values)
        found, forces = system.accelerations(h.State(0.0, q, v, system.start.memory))
        assert_allclose(found, expected, rtol=0, atol=1e-10 * np.abs(expected).max())
        # edge or tread across, treads along: the same rows in the same order, but for the redundant one
        assert_allclose(forces, multipliers, rtol=0, atol=1e-10 * np.abs(multipliers).max())
