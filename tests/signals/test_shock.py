"""Response spectra and displacements of supports against closed forms."""

from __future__ import annotations

import numpy as np
import pytest

from floatframe import signals
from floatframe.errors import ModelError


def test_step_doubles_the_load_of_an_undamped_oscillator():
    t = np.linspace(0, 4, 40001)
    found = signals.response_spectrum(t, np.ones_like(t), [1.0, 5.0, 20.0], ratio=0.0, part="primary")
    np.testing.assert_allclose(found.largest, 2.0, rtol=1e-4)
    damped = signals.response_spectrum(t, np.ones_like(t), [5.0], 0.05, "displacement", "primary")
    # the overshoot of a step, 1 + exp(-πζ/√(1-ζ²)), over ω²
    overshoot = 1 + np.exp(-np.pi * 0.05 / np.sqrt(1 - 0.05**2))
    assert damped.largest[0] * (2 * np.pi * 5.0) ** 2 == pytest.approx(overshoot, rel=1e-4)


def test_half_sine_has_its_known_spectrum():
    """What a half sine leaves in an undamped oscillator follows from its Fourier transform."""
    T = 0.01
    t = np.linspace(0, T, 20001)
    f = np.array([20.0, 40.0, 130.0])
    found = signals.response_spectrum(t, np.sin(np.pi * t / T), f, ratio=0.0, part="residual")
    # ω |∫ a e^{-iωt} dt|, with the transform of a half sine
    omega, p = 2 * np.pi * f, np.pi / T
    expected = omega * np.abs(p * (1 + np.exp(-1j * omega * T)) / (p**2 - omega**2))
    np.testing.assert_allclose(found.largest, expected, rtol=1e-5)
    stiff = signals.response_spectrum(t, np.sin(np.pi * t / T), [5000.0], ratio=0.05)
    assert stiff.largest[0] == pytest.approx(1.0, rel=5e-3)  # a stiff oscillator goes along
    whole = signals.response_spectrum(t, np.sin(np.pi * t / T), np.linspace(60, 110, 51), ratio=0.0)
    assert whole.largest.max() == pytest.approx(1.768, abs=2e-3)  # largest of all, at f T = 0.81


def test_largest_values_between_coarse_samples_are_found():
    """A triangle of ten steps is what its samples say; its residual spectrum is that of its Fourier transform."""
    h = 1e-3
    t = h * np.arange(12)
    pulse = 1.0 - np.abs(t - 5 * h) / (5 * h)
    pulse[11:] = 0.0
    f = np.linspace(0.035, 0.097, 32) / h
    found = signals.response_spectrum(t, pulse, f, ratio=0.0, part="residual")
    expected = 2 * np.pi * f * 5 * h * np.sinc(5 * h * f) ** 2
    # 40 parts of a period miss a largest value by 1 - cos(π/40)
    np.testing.assert_allclose(found.largest, expected, rtol=3.1e-3)


def test_filter_is_that_of_smallwood():
    """Smallwood (1981): coefficients of the ramp-invariant filter of the absolute acceleration."""
    from floatframe.signals.shock import _oscillator

    omega, ratio, step = 2 * np.pi * 30, 0.05, 1e-3
    b, a = _oscillator(omega, ratio, step, absolute=True)
    E, K = np.exp(-ratio * omega * step), step * omega * np.sqrt(1 - ratio**2)
    C, S = E * np.cos(K), E * np.sin(K) / K
    np.testing.assert_allclose(b, [1 - S, 2 * (S - C), E**2 - S], rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(a, [1, -2 * C, E**2], rtol=1e-12)


def test_displacement_and_pseudo_velocity():
    t = np.linspace(0, 1, 10001)
    acceleration = np.sin(2 * np.pi * 3 * t)
    x, v = (
        signals.response_spectrum(t, acceleration, [200.0], ratio=0.05, quantity=one)
        for one in ("displacement", "pseudo_velocity")
    )
    # a stiff oscillator is bent by a/ω²
    assert x.largest[0] == pytest.approx(1.0 / (2 * np.pi * 200) ** 2, rel=1e-2)
    assert v.largest[0] == pytest.approx(2 * np.pi * 200 * x.largest[0], rel=1e-12)


def test_displacement_of_a_support():
    """A cubic has straight lines as acceleration: it comes back exactly, and a drift is taken off."""
    t = np.linspace(0, 2, 201)
    np.testing.assert_allclose(signals.displacement_of(t, 6 * t, "none"), t**3, atol=1e-12)
    x = np.sin(np.pi * t / 2) ** 4  # at rest at both ends
    s, c = np.sin(np.pi * t / 2), np.cos(np.pi * t / 2)
    a = (np.pi / 2) ** 2 * (12 * s**2 * c**2 - 4 * s**4)
    found = signals.displacement_of(t, a + 0.03 - 0.01 * t, "line")
    np.testing.assert_allclose(found, x, atol=2e-4)
    assert abs(found[-1]) < 1e-12


def test_a_support_that_ends_elsewhere_stays_there():
    """x = t/2 − sin(2πt)/(4π) goes from rest to rest over ½ m: only a mean of its acceleration is a drift."""
    t = np.linspace(0, 1, 2001)
    x, a = t / 2 - np.sin(2 * np.pi * t) / (4 * np.pi), np.pi * np.sin(2 * np.pi * t)
    # straight lines between samples: (2πh)²/12 of the amplitude and less
    np.testing.assert_allclose(signals.displacement_of(t, a), x, atol=1e-6)
    np.testing.assert_allclose(signals.displacement_of(t, a + 0.2), x, atol=1e-6)
    np.testing.assert_allclose(signals.drift_of(t, a + 0.2), 0.2, atol=1e-12)
    np.testing.assert_allclose(signals.drift_of(t, a, "mean"), 0.0, atol=1e-12)
    with pytest.raises(ModelError, match="expected mean, line or none"):
        signals.drift_of(t, a, "cubic")


def test_wrong_requests_are_refused():
    t = np.linspace(0, 1, 101)
    with pytest.raises(ModelError, match="positive natural frequencies"):
        signals.response_spectrum(t, t, [0.0])
    with pytest.raises(ModelError, match="expected whole, primary or residual"):
        signals.response_spectrum(t, t, [1.0], part="late")
    with pytest.raises(ModelError, match="a ratio from 0 up to 1"):
        signals.response_spectrum(t, t, [1.0], ratio=1.0)
