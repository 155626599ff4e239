"""Ride index and comfort of harmonics by their formulas; weights against published tables."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from floatframe import railway
from floatframe.errors import ModelError

T = np.arange(0.0, 60.0, 2e-3)
NOMINAL = [0.5, 0.63, 0.8, 1, 1.25, 1.6, 2, 2.5, 3.15, 4, 5, 6.3, 8, 10, 12.5, 16, 20, 25, 31.5, 40, 50, 63, 80]
# ISO 2631-1:1997, table 3, in thousandths; Wd at 10 Hz is misprinted there (212) and left out
ISO_WK = [418, 459, 477, 482, 484, 494, 531, 631, 804, 967, 1039, 1054, 1036, 988, 902, 768, 636, 513, 405, 314, 246]
ISO_WD = [853, 944, 992, 1011, 1008, 968, 890, 776, 642, 512, 409, 323, 253]


@pytest.mark.parametrize(("kind", "table"), [("k", ISO_WK), ("d", ISO_WD)])
def test_weights_are_those_of_iso_2631_1(kind, table):
    found = np.abs(railway.WEIGHTINGS[kind].response(np.array(NOMINAL[: len(table)])))
    # the table belongs to exact thirds of octaves (1.585, 3.162 Hz …), which differ from their names by up to 1 %
    assert_allclose(found, np.array(table) / 1000.0, rtol=0.012)


def test_weight_b_follows_the_asymptotes_of_bs_6841():
    f = np.array([0.8, 1.0, 1.6, 2.5, 3.15, 4.0, 6.3, 8.0, 10.0, 25.0, 40.0])
    asymptotes = np.select([f <= 2.0, f <= 5.0, f <= 16.0], [0.4 + 0.0 * f, f / 5.0, 1.0 + 0.0 * f], 16.0 / f)
    # straight lines of the standard: 0.4 to 2 Hz, f/5 to 5 Hz, 1 to 16 Hz, then 16/f; 1 dB is its tolerance
    assert_allclose(np.abs(railway.WEIGHTINGS["b"].response(f)), asymptotes, rtol=10 ** (1 / 20) - 1)


@pytest.mark.parametrize("kind", ["b", "c", "d", "k"])
@pytest.mark.parametrize("frequency", [1.0, 4.0, 16.0, 80.0])
@pytest.mark.parametrize("phase", [0.0, 0.7, 1.57])
def test_a_weighted_harmonic_has_the_weight_of_its_frequency(kind, frequency, phase):
    found = railway.weighted(T, 2.0 + np.sin(2 * np.pi * frequency * T + phase), kind)
    windows = np.sqrt(2.0) * railway.window_rms(found)
    expected = np.abs(railway.WEIGHTINGS[kind].response(np.array([frequency])))[0]
    assert len(windows) == 12
    assert_allclose(windows[1:-1], expected, rtol=1e-3)
    assert_allclose(windows, expected, rtol=0.05)  # a filter forgets the ends of a history within a second


@pytest.mark.parametrize(("direction", "factor"), [("vertical", 0.588), ("lateral", 0.737)])
@pytest.mark.parametrize("frequency", [1.0, 5.0, 20.0])
def test_sperling_of_a_harmonic(direction, factor, frequency):
    f, a = frequency, 0.5
    weight = factor * np.sqrt(
        (1.911 * f**2 + (0.25 * f**2) ** 2) / ((1 - 0.277 * f**2) ** 2 + (1.563 * f - 0.0368 * f**3) ** 2)
    )
    found = railway.sperling(T, a * np.sin(2 * np.pi * f * T), direction)
    # the window spreads a line over three frequencies of the density; the 0.3th power leaves little of it
    assert_allclose(found.index, (100.0 * a * weight) ** 0.3, rtol=5e-3)
    assert railway.sperling_of_density(found.density, direction) == found.index


def test_sperling_weight_grows_to_its_maximum_near_5_hz_and_falls():
    f = np.linspace(0.5, 30.0, 2951)
    weight = railway.sperling_weight(f, "vertical")
    assert 4.0 < f[weight.argmax()] < 7.0  # people feel 4 to 7 Hz most
    with pytest.raises(ModelError, match="direction"):
        railway.sperling_weight(f, "sideways")


def test_density_of_white_noise_is_flat_and_its_integral_the_mean_square():
    a = np.random.default_rng(3).normal(0.0, 0.3, len(T))
    found = railway.ride_density(T, a)
    assert_allclose(found.resolution, 0.1)
    # one-sided: variance over half the sampling rate, 250 Hz; 11 pieces are known to a third each, 2500 lines to 1 %
    assert_allclose(found.density.mean(), 0.3**2 / 250.0, rtol=0.02)
    assert_allclose(found.rms(), 0.3, rtol=0.01)


def test_mean_comfort_of_harmonics():
    axes = {"x": 0.1 * np.sin(2 * np.pi * T), "y": 0.2 * np.sin(4 * np.pi * T), "z": 0.3 * np.sin(16 * np.pi * T)}
    found = railway.mean_comfort(T, axes)
    weight = [abs(railway.WEIGHTINGS[k].response(np.array([f]))[0]) for k, f in (("d", 1.0), ("d", 2.0), ("b", 8.0))]
    expected = 6.0 * np.sqrt(np.sum((np.array([0.1, 0.2, 0.3]) * weight) ** 2 / 2.0))
    assert_allclose(found.index, expected, rtol=2e-3)
    assert found.words == "comfortable"
    with pytest.raises(ModelError, match="expected some of x, y, z"):
        railway.mean_comfort(T, {"up": T})
    with pytest.raises(ModelError, match="one window of 5 s"):
        railway.mean_comfort(T[:1000], {"z": T[:1000]})


def test_comfort_counts_the_window_that_95_per_cent_do_not_exceed():
    t = np.arange(0.0, 505.0, 0.01)
    loudness = 1.0 + t / 5.0  # 101 windows, whose middles are 1.5, 2.5 … times a harmonic of 1 Hz
    found = railway.mean_comfort(t, {"y": 0.01 * loudness * np.sin(2 * np.pi * t)})
    weight = abs(railway.WEIGHTINGS["d"].response(np.array([1.0]))[0])
    assert_allclose(found.percentiles["y"], 0.01 * 96.5 * weight / np.sqrt(2.0), rtol=2e-3)


def test_ride_accelerations_of_a_harmonic_on_an_offset():
    found = railway.ride_acceleration(T, 0.7 + 0.4 * np.sin(2 * np.pi * 2.0 * T))
    assert_allclose(found.rms, 0.4 / np.sqrt(2.0), rtol=0.01)
    assert_allclose(found.peak, 0.4, rtol=0.06)  # the ends of the history, 5 % more in a quarter of a second
    assert_allclose(found.quasi_static, 0.7, atol=1e-3)
