"""The rocket of variable mass: canonical equations, first integrals, their stabilisation."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from floatframe.equations import Rocket, RocketState
from floatframe.errors import ModelError

START = RocketState(r=(1, 0, 0), v=(2, 2, 20), adjoint=(0.12, 0.1, 1.0), adjoint_r=(20, 0, 0.2), mass=500.0)


def rocket(k1=0.0, k2=0.0):
    return Rocket.meeting(START, mu=400.0, power=5e3, b=5e3, gains=(k1, k2))


def moved(epsilon):
    """The published start: r and the mass are off by ε."""
    return replace(START, r=(1 + epsilon, 0, 0), mass=500 + epsilon)


def test_rates_are_canonical():
    """ẋ = ∂g₁/∂λ, λ̇ = −∂g₁/∂x by central differences."""
    one, y = rocket(), moved(0.05).numbers
    h = 1e-5
    slope = np.array([(one.deviations(0, y + h * e) - one.deviations(0, y - h * e))[0] / (2 * h) for e in np.eye(14)])
    by_r, by_v, by_adjoint, by_adjoint_r = slope[:12].reshape(4, 3)
    expected = np.concatenate((by_adjoint_r, by_adjoint, -by_v, -by_r))
    assert_allclose(one.rates(0.0, y)[:12], expected, rtol=1e-7, atol=1e-7)


def test_integrals_are_kept_by_themselves():
    one = rocket()
    times = np.linspace(0.0, 1.0, 11)
    assert np.abs(one.deviations(times, one.motion(START, times))).max() < 1e-7  # rtol 1e-10 over three orbits


def test_mass_by_the_acceleration_of_the_thrust():
    """ṁ = −m² a²/(2P): the power of the jet is constant."""
    one, y = rocket(), moved(0.1).numbers
    thrust = one.rates(0.0, y)[3:6] + 400.0 * y[:3] / 1.1**3
    assert one.rates(0.0, y)[12] == pytest.approx(-(500.1**2) * thrust @ thrust / (2 * 5e3), rel=1e-12)


@pytest.mark.parametrize("epsilon", [1e-3, 1e-2])
def test_deviations_decay_with_the_gains(epsilon):
    k1, k2 = 1.0, 20.0
    one, times = rocket(k1, k2), np.linspace(0.0, 1.0, 6)
    first, second = one.deviations(times, one.motion(moved(epsilon), times))
    assert_allclose(first, first[0] * np.exp(-k1 * times), rtol=1e-6)
    assert_allclose(second, second[0] * np.exp(-k2 * times), atol=1e-7 * abs(second[0]))


def test_published_gains():
    """k₁ = 1, k₂ = 1000, which is stiff: the second deviation is gone after milliseconds."""
    one, times = rocket(1.0, 1000.0), np.linspace(0.0, 0.02, 5)
    first, second = one.deviations(times, one.motion(moved(1e-2), times))
    assert_allclose(first, first[0] * np.exp(-times), rtol=1e-8)
    assert_allclose(second, second[0] * np.exp(-1000.0 * times), atol=1e-7 * abs(second[0]))


def test_the_singular_surface_is_named():
    one = Rocket(mu=400.0, power=5e3, b=5e3, integrals=(0.0, 0.0), gains=(1.0, 1.0))
    # λ_r chosen so that 3 g₁ = 5 P λ²/(2b): with λ = (0, 0, 1) and r along x, g₁ = λ_r·v + 1/2
    flat = RocketState((1, 0, 0), (1, 0, 0), (0, 0, 1), (1 / 3, 0, 0), 500.0)
    with pytest.raises(ModelError, match="is zero at t = 0"):
        one.rates(0.0, flat.numbers)
