"""Spectra against amplitudes, noise levels and transfer functions that are known."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.signal import lfilter

import floatframe as ff
from floatframe.signals import psd, rms, spectrogram, spectrum, transfer_function


@pytest.mark.parametrize("window", ["hann", "boxcar", "flattop"])
@pytest.mark.parametrize("count", [1000, 1001])
def test_a_harmonic_shows_its_amplitude(window, count):
    t = 2.0 + np.arange(count) * 1e-3
    f = 50 / (count * 1e-3)  # fits into the history
    y = np.column_stack([7.5 * np.sin(2 * np.pi * f * t + 0.3) + 100, np.cos(4 * np.pi * f * t)])
    found = spectrum(t, y, window)
    assert found.frequency[50] == pytest.approx(f)
    assert_allclose(found.amplitude[50, 0], 7.5, rtol=1e-9)
    assert_allclose(found.amplitude[100, 1], 1.0, rtol=1e-9)
    assert found.amplitude[:40].max() < 1e-9  # the mean is gone


def test_half_the_sampling_rate():
    t = np.arange(64) * 0.5
    assert spectrum(t, 3.0 * np.cos(np.pi * np.arange(64)), "boxcar").amplitude[-1] == pytest.approx(3.0)


def test_parseval_holds_without_a_window():
    rng = np.random.default_rng(5)
    t, y = np.arange(512) * 0.01, rng.normal(size=512)
    y -= y.mean()
    amplitude = spectrum(t, y, "boxcar").amplitude
    power = amplitude**2 / 2
    power[[0, -1]] *= 2  # no pairs there
    assert power.sum() == pytest.approx(np.mean(y**2), rel=1e-12)
    assert psd(t, y, segment=5.12, window="boxcar").rms() ** 2 == pytest.approx(np.mean(y**2), rel=1e-12)


def test_white_noise_has_its_level():
    """Variance σ² sampled at steps h spreads evenly up to 1/(2h): the density is 2 σ² h."""
    sigma, h = 3.0, 2e-3
    y = np.random.default_rng(11).normal(scale=sigma, size=400_000)
    found = psd(np.arange(len(y)) * h, y, segment=0.512)
    level = found.density[2:-2]
    assert_allclose(found.frequency[-1], 250.0)
    # neighbours under Hann windows that overlap by half share 1/36 of their scatter: 3124 pieces count as
    # 3124 / (1 + 2/36) independent ones, 1.8 % each; 6 deviations allowed
    assert found.pieces == 3124
    assert_allclose(level, 2 * sigma**2 * h, rtol=0.11)
    assert level.mean() == pytest.approx(2 * sigma**2 * h, rel=0.01)
    assert found.rms() == pytest.approx(sigma, rel=0.01)
    assert found.rms(50.0, 100.0) == pytest.approx(sigma * math.sqrt(50 / 250), rel=0.02)


def test_rms_of_a_harmonic_from_its_density():
    t = np.arange(8000) * 1e-3
    y = 4 * np.sin(2 * np.pi * 40 * t)
    found = psd(t, y, segment=1.0)
    assert found.rms(30, 50) == pytest.approx(4 / math.sqrt(2), rel=1e-9)
    assert found.rms() == pytest.approx(float(rms(t, y)), rel=1e-3)
    both = psd(t, np.column_stack([y, 2 * y]), segment=1.0).rms()
    assert_allclose(both[1], 2 * both[0])


def test_a_spectrogram_follows_a_sweep():
    """Frequency 20 + 30 t Hz: the ridge lies within half a bin and the sweep inside one piece."""
    t = 1.0 + np.arange(8000) * 1e-3
    tau = t - 1.0
    found = spectrogram(t, np.sin(2 * np.pi * (20 * tau + 15 * tau**2)), segment=0.4)
    ridge = found.frequency[found.density.argmax(axis=0)]
    assert found.density.shape == (len(found.frequency), len(found.t))
    assert_allclose(ridge, 20 + 30 * (found.t - 1.0), atol=1.25 + 1.5)
    assert found.t[0] == pytest.approx(1.2)


def test_transfer_function_of_an_oscillator():
    """x" + 2 ζ ω x' + ω² x = f under noise; the recursion is exact for f held over each step (Van Loan)."""
    from scipy.signal import cont2discrete

    f0, zeta, h = 12.0, 0.05, 1 / 400
    omega = 2 * np.pi * f0
    numerator, denominator, _ = cont2discrete(([1.0], [1.0, 2 * zeta * omega, omega**2]), h, "zoh")
    force = np.random.default_rng(2).normal(size=400_000)
    x = lfilter(numerator.ravel(), denominator, force)
    noise = np.random.default_rng(3).normal(scale=0.01 * x.std(), size=len(x))
    found = transfer_function(np.arange(len(x)) * h, force, x + noise, segment=20.0)

    f = found.frequency
    exact = 1 / (omega**2 - (2 * np.pi * f) ** 2 + 2j * zeta * omega * 2 * np.pi * f)
    held = np.sinc(f * h) * np.exp(-1j * np.pi * f * h)  # the hold: half a step of delay
    band = (f > 2) & (f < 25)
    # 99 pieces of 1/20 Hz; the half-power width is 1.2 Hz, so bias is below 1 %, scatter at coherence 0.99 about 1 %
    assert_allclose(found.response[band], (exact * held)[band], rtol=0.05)
    at = np.abs(f - f0).argmin()
    assert found.magnitude[at] == pytest.approx(1 / (2 * zeta * omega**2), rel=0.02)  # resonance
    assert found.phase[at] == pytest.approx(-np.pi / 2 - np.pi * f0 * h, abs=0.02)
    assert found.coherence[band].min() > 0.98
    assert found.coherence.max() <= 1 + 1e-12
    # far above resonance the noise of the sensor covers the motion
    assert found.coherence[f > 190].mean() < 0.7


def test_coherence_of_strangers_is_small():
    rng = np.random.default_rng(8)
    found = transfer_function(np.arange(100_000) * 1e-3, *rng.normal(size=(2, 100_000)), segment=0.5)
    # the mean is 1 / (number of independent pieces); over 251 frequencies it scatters by about 8 %
    assert found.pieces == 399
    assert found.coherence.mean() == pytest.approx((1 + 2 / 36) / 399, rel=0.3)


T = np.arange(1000) * 1e-3


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: spectrum(T**2, T), "equal"),
        (lambda: spectrum(T[:5], T[:5]), "too short"),
        (lambda: spectrum(T, T, "round"), "window 'round' is unknown"),
        (lambda: psd(T, T, segment=2.0), "segment of 2 s does not suit a history of 1 s"),
        (lambda: psd(T, T, overlap=1.0), "overlap is 1.0"),
        (lambda: spectrogram(T, np.column_stack([T, T])), "take one component"),
        (lambda: transfer_function(T, 0 * T, T), "no power"),
        (lambda: transfer_function(T, T, T, segment=0.9), "one piece"),
        (lambda: psd(T, np.where(T > 0.5, np.inf, 0.0)), "not finite"),
    ],
)
def test_nonsense_is_named(call, sentence):
    with pytest.raises(ff.ModelError, match=sentence):
        call()
