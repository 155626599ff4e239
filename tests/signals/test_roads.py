"""Roads by their spectrum."""

from __future__ import annotations

import numpy as np
import pytest

from floatframe import signals
from floatframe.errors import ModelError


def test_profile_has_the_density_of_its_class():
    """Harmonics have the amplitudes of the density exactly, so that the mean square of bands is their sum."""
    length, step = 1000.0, 0.05
    s, z = signals.road_profile("C", length, step, seed=3)
    assert len(s) == 20000
    power = np.abs(np.fft.rfft(z)) ** 2 / len(z) ** 2 * 2 * length  # periodogram [m3]
    n = np.fft.rfftfreq(len(z), step)
    inside = (n >= 0.011) & (n <= 2.83)
    np.testing.assert_allclose(power[inside], 256e-6 * (n[inside] / 0.1) ** -2, rtol=1e-9)
    assert power[~inside].max() < 1e-20
    # σ² = G(n0) n0² (1/n1 - 1/n2), as a sum over waves of 1 km spacing within 3 %
    expected = 256e-6 * 0.01 * (1 / 0.011 - 1 / 2.83)
    assert np.var(z) == pytest.approx(expected, rel=0.06)


def test_speed_turns_waves_into_frequencies():
    frequency = np.array([0.1, 1.0, 10.0, 80.0])
    found = signals.road_density_at_speed("B", 20.0, frequency)
    # G(n0) n0² v / f², and nothing outside the waves of the standard
    np.testing.assert_allclose(found, [0.0, 64e-6 * 0.01 * 20, 64e-6 * 0.01 * 20 / 100, 0.0], rtol=1e-12)


def test_wrong_roads_are_refused():
    with pytest.raises(ModelError, match="use A to H"):
        signals.road_density("Z", np.array([0.1]))
    with pytest.raises(ModelError, match="steps of at most"):
        signals.road_profile("A", 100.0, step=1.0)
    with pytest.raises(ModelError, match="expected from two steps to 10000000"):
        signals.road_profile("A", 1e12)
    with pytest.raises(ModelError, match="expected a positive one"):
        signals.road_density_at_speed("A", 0.0, np.array([1.0]))
