"""The order of modes does not hang on rounding."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from floatframe import hybrid as h
from floatframe.hybrid.studies.linear import in_order


@pytest.mark.parametrize("angle", np.linspace(0.0, 3.0, 7))
def test_of_a_real_pair_the_growing_motion_comes_first(angle):
    """An inverted pendulum in any direction of its axis: ±√(m g c / J), which rounding orders as it likes.

    A damped slider beside it makes the problem one of states, where both of the pair appear.
    """
    axis = (np.cos(angle), np.sin(angle), 0.0)
    model = h.Model(gravity=(0.0, 0.0, -9.81))
    body = model.add(h.RigidBody("rod", mass=2.0, inertia=(0.3, 0.3, 0.3), com=(0.0, 0.0, 0.7)))
    model.add(h.revolute("hinge", body.at((0, 0, 0)), model.ground.at((0, 0, 0)), axis=axis))
    slider = model.add(h.RigidBody("slider", mass=1.0, inertia=(1.0, 1.0, 1.0)))
    model.add(h.prismatic("guide", slider.at((0, 0, 0)), model.ground.at((0, 0, 0)), axis=(1, 0, 0)))
    model.add(h.joint_force("spring", "guide", "-100*displacement - 4*rate"))
    system = model.compile()
    lin = system.linearise(system.start)
    rate = np.sqrt(2.0 * 9.81 * 0.7 / (0.3 + 2.0 * 0.7**2))
    assert_allclose(lin.eigenvalues[:2], [rate, -rate], rtol=1e-8)  # of differences of fourth order
    assert_allclose(lin.damping, [-1.0, 1.0, 0.2])  # 4 / (2 √100)


@pytest.mark.parametrize("rounding", [-1e-14, 1e-14])
def test_rounding_does_not_change_the_order(rounding):
    values = np.array([-2.0 * (1.0 + rounding), 2.0, 1.0 + 1j, 3j, 0.0])
    rigid = np.array([False, False, False, False, True])
    assert_allclose(values[in_order(values, rigid)], [0.0, 1.0 + 1j, 2.0, -2.0, 3j], rtol=1e-13)
