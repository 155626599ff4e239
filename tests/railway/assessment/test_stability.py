"""Critical speeds of equations whose roots are known, limit cycles of van der Pol's and a subcritical oscillator."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from floatframe import railway
from floatframe.errors import ModelError

SPEEDS = np.arange(10.0, 101.0, 7.0)


def roots_at(speed):
    """Two motions, of which the one of 3 Hz at 60 loses its damping there, and a free one."""
    slow = -0.5 + 2j * np.pi * (0.5 + 0.01 * speed)
    hunting = 0.02 * (speed - 60.0) * (1.0 + 0.01 * speed) + 2j * np.pi * speed / 20.0
    return np.array([slow, np.conj(slow), hunting, np.conj(hunting), 1e-9, -2.0])


def test_roots_are_followed_through_any_order():
    random = np.random.default_rng(5)
    shuffled = np.array([random.permutation(roots_at(speed)) for speed in SPEEDS])
    found = railway.root_locus(SPEEDS, shuffled)
    expected = np.array([roots_at(speed) for speed in SPEEDS])
    order = [int(np.abs(found.roots[0] - root).argmin()) for root in expected[0]]
    assert_allclose(found.roots[:, order], expected)
    (crossing,) = found.crossings
    assert crossing.unstable_above
    assert_allclose(crossing.speed, 60.0, rtol=1e-9)  # its real part is a parabola, exact for a cubic
    assert_allclose(crossing.frequency, 3.0, rtol=1e-9)
    assert found.critical_speed == crossing.speed
    assert_allclose(found.damping[0, order[0]], 0.5 / abs(roots_at(10.0)[0]))


def test_roots_that_die_out_at_once_do_not_mislead_the_slow_ones():
    """Creep damps a wheelset by roots that fall with 1 / speed, by hundreds while hunting moves by a few."""
    speed = np.arange(5.0, 51.0, 5.0)
    hunting = 0.01 * (speed - 25.0) + 2j * np.pi * 0.12 * speed
    resting = -1.2 + 2j * np.pi * 1.1 + 0.0 * speed
    creep = np.column_stack([-6000.0 / speed, -2500.0 / speed]) + 0j
    found = railway.root_locus(speed, np.column_stack([resting, creep, hunting])[:, [1, 0, 3, 2]])
    assert_allclose(found.roots[:, 2], hunting)
    assert_allclose(found.critical_speed, 25.0, rtol=1e-9)


def test_missing_roots_cross_nothing():
    roots = np.array([roots_at(speed) for speed in SPEEDS])
    roots[3:6, 0] = np.nan
    assert len(railway.root_locus(SPEEDS, roots).crossings) == 1


def test_critical_speed_by_search():
    assert_allclose(railway.critical_speed(roots_at, 20.0, 90.0), 60.0, rtol=1e-6)
    with pytest.raises(ModelError, match="stable both at 20 and at 50"):
        railway.critical_speed(roots_at, 20.0, 50.0)


def test_no_critical_speed():
    assert railway.root_locus(SPEEDS[:5], np.array([roots_at(v) for v in SPEEDS[:5]])).critical_speed is None
    with pytest.raises(ModelError, match="rising speeds"):
        railway.root_locus(SPEEDS[::-1], np.array([roots_at(v) for v in SPEEDS]))


def test_settled_motion():
    t = np.linspace(0.0, 40.0, 8001)
    found = railway.settled(t, 0.2 + (3.0 - 2.0 * np.exp(-0.5 * t)) * np.sin(2 * np.pi * 1.7 * t))
    assert_allclose([found.mean, found.amplitude, found.frequency], [0.2, 3.0, 1.7], rtol=2e-3)
    assert abs(found.growth) < 1e-2
    assert railway.settled(t, np.exp(-0.5 * t) * np.sin(9.0 * t)).growth < -0.9


def amplitude(speed, start):
    """Slow amplitude of a subcritical oscillator: a' = a (m + a² - a⁴ / 2), m = (speed - 60) / 40."""
    m, a = (speed - 60.0) / 40.0, start
    for _ in range(20_000):
        a += 0.05 * a * (m + a**2 - 0.5 * a**4)
    return a


def test_limit_cycles_below_the_linear_critical_speed():
    speed = np.arange(31.0, 81.0, 2.5)
    small = np.array([amplitude(v, 1e-3) for v in speed])
    large = np.array([amplitude(v, 2.0) for v in speed])
    found = railway.limit_cycles(speed, small, large)
    # m + a² - a⁴/2 has a root from m = -1/2 on: 40; the rest state loses its stability at m = 0: 60
    assert found.starts == 61.0
    assert found.lowest == 41.0
    upper = speed >= 41.0
    assert_allclose(found.falling[upper], np.sqrt(1.0 + np.sqrt(1.0 + 2.0 * (speed[upper] - 60.0) / 40.0)), rtol=1e-3)
    assert railway.limit_cycles(speed, 0.0 * speed, least=1.0).lowest is None
    with pytest.raises(ModelError, match="one amplitude of each kind"):
        railway.limit_cycles(speed, small[1:])
