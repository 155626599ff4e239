"""Irregularities: spectra of the classes and of what is synthesised from them, seeds, measured records, faults."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import quad

from floatframe.railway.track import (
    CLASSES,
    Fault,
    Irregularity,
    Measured,
    Spectrum,
    SpectrumTable,
    Straight,
    Track,
    rail_spectra,
)
from floatframe.signals import psd
from tests.railway.track.track_kernels import fill_rails


def variance(spectrum, shortest, longest) -> float:
    return quad(spectrum.density, 2 * np.pi / longest, 2 * np.pi / shortest, epsabs=0, epsrel=1e-9, limit=200)[0]


@pytest.mark.parametrize(
    ("name", "quantity", "rms"),
    [
        ("ERRI low", "lateral", 0.714e-3),
        ("ERRI high", "lateral", 1.213e-3),
        ("ERRI low", "vertical", 0.984e-3),
        ("ERRI high", "vertical", 1.611e-3),
    ],
)
def test_erri_has_the_published_size_between_3_and_25_m(name, quantity, rms):
    found = np.sqrt(variance(CLASSES[name].spectra[quantity], 3.0, 25.0))
    assert_allclose(found, rms, rtol=1e-3)  # published to three digits


@pytest.mark.parametrize("number", range(1, 7))
def test_fra_falls_with_the_square_and_with_the_fourth_power(number):
    spectra = CLASSES[f"FRA {number}"].spectra
    for name in ("vertical", "lateral"):
        slow, fast = spectra[name].density([1e-4, 2e-4]), spectra[name].density([1e3, 2e3])
        assert_allclose([slow[0] / slow[1], fast[0] / fast[1]], [4.0, 16.0], rtol=1e-6)
    # both rails are independent where waves are short: the difference has four times the density of the mean
    assert_allclose(spectra["cross_level"].density(1e3) / spectra["vertical"].density(1e3), 4.0, rtol=1e-5)


@pytest.mark.parametrize("name", ["ERRI high", "FRA 4"])
def test_spectrum_of_a_whole_period_is_the_density(name):
    """Amplitudes are fixed, only phases are random: over a period the spectrum agrees wave by wave."""
    source = Irregularity.of_class(name, seed=5, wavelengths=(3.0, 100.0))
    length, step = 2048.0, 0.125
    found = source.sampled(step * np.arange(round(length / step)))
    waves = 2 * np.pi * np.fft.rfftfreq(round(length / step), step)
    inside = (waves >= 2 * np.pi / 100.0) & (waves <= 2 * np.pi / 3.0)
    for quantity, value in found.items():
        density = 2 * np.abs(np.fft.rfft(value) / len(value)) ** 2 / (2 * np.pi / length)
        # splines between the values of the synthesis
        assert_allclose(density[inside], CLASSES[name].spectra[quantity].density(waves[inside]), rtol=1e-4)
        assert density[~inside].max() < 1e-6 * density.max()
        expected = variance(CLASSES[name].spectra[quantity], 3.0, 100.0)
        assert_allclose(value.var(), expected, rtol=0.02)  # sum over waves for an integral


@pytest.mark.parametrize("quantity", ["vertical", "lateral", "cross_level", "gauge"])
def test_welch_density_agrees_within_sampling_error(quantity):
    track = Track([Straight(30_000.0)], irregularities=[Irregularity.of_class("ERRI low", seed=11)], step=0.25)
    values = track.rails.quantities[quantity]
    found = psd(track.rails.s, values, segment=256.0)
    omega, density = 2 * np.pi * found.frequency, found.density / (2 * np.pi)
    inside = (omega > 2 * np.pi / 60.0) & (omega < 2 * np.pi / 3.5)  # a window of 256 m blurs the ends of the band
    ratio = density[inside] / CLASSES["ERRI low"].spectra[quantity].density(omega[inside])
    # means of squares: the deviation of one value is the root of 1 / pieces, neighbours share by overlap
    deviation = np.sqrt(1.0 / found.pieces)
    assert abs(ratio.mean() - 1.0) < 3 * deviation / np.sqrt(inside.sum() / 3)
    assert np.abs(ratio - 1.0).max() < 5 * deviation
    assert ratio.std() < deviation  # less, because amplitudes are not random


def test_quantities_and_seeds_are_independent():
    tracks = [Track([Straight(20_000.0)], irregularities=[Irregularity.of_class("FRA 5", seed=k)]) for k in (1, 2)]
    rows = [value for track in tracks for value in track.rails.quantities.values()]
    apart = np.corrcoef(rows) - np.eye(8)
    assert np.abs(apart).max() < 0.3  # waves of 300 m on 20 km: about 60 independent ones


def test_the_same_seed_gives_the_same_rails_whatever_the_step_and_the_length():
    short = Track([Straight(1100.0)], irregularities=[Irregularity.of_class("ERRI low", seed=7)])
    again = Track([Straight(1100.0)], irregularities=[Irregularity.of_class("ERRI low", seed=7)])
    assert (short.rails.values == again.rails.values).all()
    longer = Track([Straight(1900.0)], irregularities=[Irregularity.of_class("ERRI low", seed=7)], step=0.1)
    s = np.linspace(0.0, 1000.0, 333)
    assert_allclose(longer.irregularity(s), short.irregularity(s), atol=2e-7)  # splines of two steps, waves of mm


def test_two_sided_and_cyclic_spectra_are_converted():
    one = Spectrum((2e-7,), (0.0, 1.0))
    two = Spectrum((1e-7,), (0.0, 1.0), two_sided=True)
    omega = np.geomspace(0.05, 3.0, 200)
    assert_allclose(two.density(omega), one.density(omega))
    table = SpectrumTable(omega / (2 * np.pi), 2 * np.pi * one.density(omega), cycles=True)
    asked = np.geomspace(0.06, 2.9, 37)
    assert_allclose(table.density(asked), one.density(asked), rtol=1e-12)  # a power is straight on these axes
    assert (table.density([0.01, 5.0]) == 0.0).all()


def test_fading_in_and_limits():
    source = Irregularity.of_class("ERRI low", seed=1, start=50.0, end=250.0, fade=20.0)
    track = Track([Straight(300.0)], irregularities=[source])
    whole = Track([Straight(300.0)], irregularities=[Irregularity.of_class("ERRI low", seed=1)])
    s = np.array([0.0, 49.0, 150.0, 251.0, 300.0])
    found = track.irregularity(s)
    assert_allclose(found[[0, 1, 3, 4]], 0.0, atol=1e-6)
    assert_allclose(found[2], whole.irregularity(150.0), atol=1e-12)
    assert_allclose(track.irregularity(60.0), 0.5 * whole.irregularity(60.0), atol=2e-6)


def test_signs_of_quantities():
    s = np.arange(0.0, 101.0)
    values = {"vertical": 3e-3, "lateral": 2e-3, "cross_level": 4e-3, "gauge": 6e-3}
    source = Measured(s, {name: np.full_like(s, value) for name, value in values.items()})
    track = Track([Straight(100.0)], irregularities=[source])
    # the right rail lies higher, both to the left, farther apart
    assert_allclose(track.irregularity(30.0), [5e-3, 1e-3, -1e-3, 5e-3])
    for name, value in track.rails.quantities.items():
        assert_allclose(value, values[name])


def test_measured_records_beyond_their_ends():
    s = np.linspace(0.0, 50.0, 501)
    wave = {"left_vertical": 1e-3 * np.sin(2 * np.pi * s / 10.0)}
    zero = Track([Straight(120.0)], irregularities=[Measured(s, wave, "zero")])
    repeated = Track([Straight(120.0)], irregularities=[Measured(s, wave, "repeat")])
    assert_allclose(zero.irregularity([12.5, 112.5])[:, 1], [1e-3, 0.0], atol=1e-8)
    assert_allclose(repeated.irregularity([12.5, 112.5])[:, 1], [1e-3, 1e-3], atol=1e-6)
    assert (zero.irregularity(12.5)[[0, 2, 3]] == 0.0).all()


def test_faults():
    faults = [
        Fault("dip", 30.0, 5e-3, 10.0),
        Fault("joint", 60.0, 2e-3, 1.0, "left"),
        Fault("switch", 80.0, 0.01, 5.0, "right"),
    ]
    track = Track([Straight(100.0)], irregularities=faults)
    places = track.irregularity([30.0, 27.5, 60.0, 59.75, 84.0, 82.0, 90.0])
    assert_allclose(places[:4, 1], [-5e-3, -2.5e-3, -2e-3, -0.5e-3], atol=2e-6)
    assert_allclose(places[:4, 3], [-5e-3, -2.5e-3, 0.0, 0.0], atol=2e-6)
    assert_allclose(places[4:, 2], [-0.01, -0.005, 0.0], atol=2e-6)
    # rail ends meet at an angle of 8 depth / length, 9/10 of it at a tenth of the way; the spline rounds the kink
    slopes = track.irregularity([59.95, 60.05], 1)[:, 1]
    assert_allclose(np.diff(slopes), 0.9 * 8 * 2e-3 / 1.0, rtol=0.1)


def test_rails_kernel_equals_its_twin():
    track = Track([Straight(200.0)], irregularities=[Irregularity.of_class("FRA 3", seed=2)])
    s = np.linspace(-5.0, 205.0, 500)
    place, slope = np.zeros((2, len(s), 4))
    rails = track.rails
    fill_rails(rails.start, rails.step, rails.table, s, place, slope)
    assert_allclose(place, track.irregularity(s), atol=1e-15)
    assert_allclose(slope, track.irregularity(s, 1), atol=1e-14)
    h = 1e-4
    inner = s[(s > 1) & (s < 199)]
    difference = (track.irregularity(inner + h) - track.irregularity(inner - h)) / (2 * h)
    assert_allclose(track.irregularity(inner, 1), difference, atol=1e-8)


def test_spectra_of_a_track_beside_their_targets():
    sources = [Irregularity.of_class("ERRI low", ["vertical"], (3.0, 50.0), seed=k, scale=2.0) for k in (1, 2)]
    track = Track([Straight(16_384.0)], irregularities=sources)
    (found,) = rail_spectra(track).values()
    spectrum = CLASSES["ERRI low"].spectra["vertical"]
    # two independent sources of twice the height
    assert_allclose(found.target_rms, np.sqrt(8 * variance(spectrum, 3.0, 50.0)), rtol=1e-5)
    assert_allclose(found.rms, found.target_rms, rtol=0.05)
    inside = found.target > 0
    assert_allclose(found.target[inside], 8 * spectrum.density(found.omega[inside]), rtol=1e-12)
    assert abs(found.omega[inside].min() - 2 * np.pi / 50.0) < found.omega[0]
