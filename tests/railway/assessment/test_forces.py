"""Filters, percentiles and limits of forces between wheel and rail against closed forms."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from floatframe import railway
from floatframe.errors import ModelError

T = np.arange(0.0, 40.0, 1e-3)
MIDDLE = slice(10_000, 30_000)  # far from the ends, where a filter has settled
SPEED = 20.0


def amplitude(y):
    return np.sqrt(2.0) * np.std(y[MIDDLE])


@pytest.mark.parametrize("frequency", [1.0, 10.0, 20.0, 40.0, 80.0])
def test_low_pass_loses_3_db_at_its_corner_and_24_db_per_octave_beyond(frequency):
    found = railway.below(T, np.sin(2 * np.pi * frequency * T), 20.0).y
    corner = 20.0 / (np.sqrt(2.0) - 1.0) ** 0.25
    # twice through a Butterworth filter of second order, whose digital form counts tan(π f step) for f
    expected = 1.0 / (1.0 + (np.tan(np.pi * frequency * 1e-3) / np.tan(np.pi * corner * 1e-3)) ** 4)
    assert_allclose(amplitude(found), expected, rtol=1e-3)
    if frequency == 20.0:
        assert_allclose(amplitude(found), np.sqrt(0.5), rtol=2e-3)  # sampled at 1 kHz


@pytest.mark.parametrize(("frequency", "expected"), [(0.4, np.sqrt(0.5)), (2.0, 1.0), (10.0, np.sqrt(0.5))])
def test_band_pass_loses_3_db_at_both_corners(frequency, expected):
    found = railway.between(T, np.sin(2 * np.pi * frequency * T), 0.4, 10.0).y
    assert_allclose(amplitude(found), expected, rtol=2e-3)  # middle of the band is 1 - 2e-7


def test_sliding_mean_of_a_wave_is_shortened_by_the_sinc_of_its_window():
    s = np.linspace(0.0, 100.0, 20_001)
    wave = 7.3
    found = railway.sliding_mean(s, np.sin(2 * np.pi * s / wave))
    expected = np.sinc(2.0 / wave) * np.sin(2 * np.pi * found.s / wave)
    assert_allclose(found.s[[0, 1, -1]], [1.0, 1.5, 99.0])
    assert_allclose(found.y, expected, atol=2e-6)  # polygon of 5 mm: (2π step / wave)² / 12


def test_sliding_mean_of_a_polygon_is_exact_between_its_corners():
    s = np.array([0.0, 0.7, 3.1, 5.0])
    found = railway.sliding_mean(s, 3.0 * s - 1.0)  # a line: its mean is its middle
    assert_allclose(found.y, 3.0 * found.s - 1.0, rtol=1e-14)


def test_percentiles_of_a_uniform_distribution():
    values = np.linspace(-1.0, 3.0, 100_001)
    assert_allclose(railway.percentile_peak(values), -1.0 + 4.0 * 0.9985, rtol=1e-12)


def test_percentiles_of_a_normal_distribution():
    values = np.random.default_rng(1).normal(0.0, 1.0, 4_000_000)
    # the quantile 99.85 % of the normal distribution is 2.9677; sampling error of the quantile 0.002
    assert_allclose(railway.percentile_peak(values), 2.9677, atol=0.01)


def test_wheel_and_axle_in_steady_curving():
    outer, inner = 30e3 + 0.0 * T, 12e3 + 0.0 * T
    s = SPEED * T
    wheel = railway.wheel_forces(T, s, outer, 60e3 + 5e3 * np.sin(2 * np.pi * 2.0 * T), load=55e3)
    assert_allclose(wheel.ratio_peak, 30.0 / 55.0, rtol=0.01)  # 2 m of 10 m, a fifth of the wave, at its lowest
    assert_allclose(wheel.vertical_peak, 65e3, rtol=1e-3)
    assert_allclose(wheel.quasi_static, (30e3, 60e3), rtol=1e-3)
    assert wheel.unloaded == 0.0
    # both press outward: what is left of the sum holds the axle
    axle = railway.axle_forces(T, s, outer, inner, load=55e3)
    assert_allclose(axle.peak, 18e3, rtol=1e-9)


def test_limits():
    assert_allclose(railway.axle_limit(60e3), 50e3)
    assert_allclose(railway.axle_limit(60e3, 0.85), 42.5e3)
    assert_allclose(railway.vertical_limit(60e3, 30.0), 150e3)
    assert_allclose(railway.vertical_limit(112.5e3, 40.0), 200e3)
    assert_allclose(railway.vertical_limit(112.5e3, 55.0), 190e3)
    assert_allclose(railway.vertical_limit(112.5e3, 100.0), 160e3)


def test_nadal():
    assert_allclose(railway.nadal_limit(np.radians(70.0), 0.36), 1.20, atol=5e-3)  # as published, two digits
    assert_allclose(railway.nadal_limit(np.radians(60.0), 0.0), np.sqrt(3.0))
    with pytest.raises(ModelError, match="Nadal"):
        railway.nadal_limit(np.radians(95.0), 0.3)


def test_instability_of_a_harmonic():
    unrest = railway.instability(
        railway.axle_forces(T, SPEED * T, 8e3 * np.sin(2 * np.pi * 5.0 * T), 0.0 * T, load=60e3)
    )
    assert_allclose(unrest.frequency, 5.0, atol=0.15)  # resolution of the density
    gain = 1.0 / (1.0 + (np.sqrt(2.0) - 1.0) * (5.0 / 20.0) ** 4)  # of the low pass
    assert_allclose(np.median(unrest.rms.y), gain * 8e3 / np.sqrt(2.0), rtol=2e-3)


def test_wear_number_is_the_energy_lost_per_metre():
    assert_allclose(railway.wear_number(-2e3, 1e3, 1e-3, -3e-3), 5.0)
    assert_allclose(railway.wear_number(-2e3, 1e3, 1e-3, -3e-3, 4.0, -0.5), 7.0)


def test_estimated_maximum_of_sections():
    assert_allclose(railway.estimated_maximum(np.array([1.0, 2.0, 3.0])), 2.0 + 2.2)
    with pytest.raises(ModelError, match="sections"):
        railway.estimated_maximum(np.array([1.0]))


def test_a_wheel_that_lifts_exceeds_and_tells_for_how_long():
    lifting = np.where(np.abs(T - 20.0) < 1.0, 0.0, 60e3)
    wheel = railway.wheel_forces(T, SPEED * T, 5e3 + 0.0 * T, lifting, load=60e3)
    assert wheel.ratio_peak > 10.0
    assert_allclose(wheel.unloaded, 2.0 / 40.0, rtol=0.2)
    found = {one.quantity: one.kept for one in railway.wheel_findings("wheel", wheel, railway.Limits())}
    assert found["Y/Q"] is False
    assert found["share of time without load"] is False


@pytest.mark.parametrize(
    ("s", "message"), [(0.0 * T, "does not grow"), (1e-3 * T, "does not suit 0.039999 m of track")]
)
def test_standing_and_short_runs_are_refused(s, message):
    with pytest.raises(ModelError, match=message):
        railway.wheel_forces(T, s, T, 1e4 + T)


def test_wheels_of_an_axle_are_found_by_their_names():
    names = ["front.left", "front.right", "Rear_Left_wheel", "rear_right_wheel", "third", "left"]
    assert railway.axle_pairs(names) == {
        "front": ("front.left", "front.right"),
        "Rear_wheel": ("Rear_Left_wheel", "rear_right_wheel"),
    }


def test_records_that_are_too_rare_are_refused():
    with pytest.raises(ModelError, match=r"every 0\.05 s are too rare"):
        railway.assess_run(np.arange(0.0, 20.0, 0.05))


def test_a_vehicle_that_runs_backwards_is_assessed_like_one_that_runs_forwards():
    lateral, vertical = 5e3 * np.sin(T), 6e4 + 1e3 * np.cos(3 * T)
    ways = SPEED * T, 1000.0 - SPEED * T
    found = [railway.assess_run(T, [railway.WheelHistory("left", s, lateral, vertical)]).findings for s in ways]
    for one, other in zip(*found, strict=True):
        assert_allclose(one.value, other.value, rtol=1e-9)
    there_and_back = 30.0 * np.sin(0.1 * T)
    with pytest.raises(ModelError, match=r"wheel 'left' stands or turns back at t = 15\.\d+ s, 30 m along the track"):
        railway.assess_run(T, [railway.WheelHistory("left", there_and_back, lateral, vertical)])
