"""Filters, resampling and mean values against formulas."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import floatframe as ff
from floatframe.signals import bandpass, detrend, highpass, lowpass, peak, resample, rms

T = np.arange(4001) * 1e-3  # whole seconds: every whole frequency fits


def two_passes(f, cutoff, order, step=1e-3):
    """Gain of a low-pass Butterworth filter run twice; the bilinear map takes f to tan(π f h)."""
    ratio = math.tan(math.pi * f * step) / math.tan(math.pi * cutoff * step)
    return 1 / (1 + ratio ** (2 * order))


def amplitude(t, y, f):
    """Amplitude and phase of a harmonic in the middle half, as a complex number."""
    middle = slice(len(t) // 4, 3 * len(t) // 4)
    return 2 * np.mean(y[middle] * np.exp(-2j * np.pi * f * t[middle]))


@pytest.mark.parametrize("order", [1, 2, 4])
@pytest.mark.parametrize("f", [5.0, 20.0, 40.0])
def test_filters_have_the_gain_of_the_formula_and_no_delay(order, f):
    y = 3.0 * np.cos(2 * np.pi * f * T)
    gain = two_passes(f, 20.0, order)
    # what is left of the ends, 1 s away, has died out below 1e-6 of the amplitude for these orders
    low = lowpass(T, y, 20.0, order)
    assert_allclose(amplitude(T, low.y, f), 3 * gain, atol=1e-5)
    high = highpass(T, y, 20.0, order)
    assert_allclose(amplitude(T, high.y, f), 3 * (1 - gain), atol=1e-5)  # the two are complementary in power


def test_bandpass_keeps_the_middle():
    y = sum(np.sin(2 * np.pi * f * T) for f in (2.0, 30.0, 200.0))
    kept = bandpass(T, y, 10.0, 90.0)
    found = [abs(amplitude(T, kept.y, f)) for f in (2.0, 30.0, 200.0)]
    assert found[1] == pytest.approx(1.0, abs=1e-3)
    assert max(found[0], found[2]) < 1e-3


def test_columns_are_filtered_one_by_one():
    y = np.column_stack([np.sin(T), np.cos(30 * T)])
    assert_array_equal(lowpass(T, y, 10.0).y[:, 1], lowpass(T, y[:, 1], 10.0).y)


def test_resampling_is_of_fourth_order_and_takes_the_later_side_of_events():
    def error(n):
        t = np.linspace(0, 1, n + 1) ** 1.5  # unequal steps
        signal = resample(t, np.sin(9 * t), 1e-3)  # much finer, so that the largest error between knots is met
        assert_allclose(signal.t, np.arange(1001) * 1e-3, atol=1e-15)
        return np.abs(signal.y - np.sin(9 * signal.t)).max()

    order = math.log2(error(100) / error(200))
    assert order == pytest.approx(4, abs=0.5)  # cubic splines
    jump = resample(np.array([0.0, 1.0, 1.0, 2.0]), np.array([0.0, 5.0, 1.0, 2.0]), 1.0)
    assert_array_equal(jump.y, [0.0, 1.0, 2.0])


def test_detrend_leaves_what_is_no_line():
    t = np.sort(np.random.default_rng(1).uniform(0, 3, 50))
    parabola = t**2
    coefficients = np.polyfit(t, parabola, 1)
    assert_allclose(detrend(t, parabola).y, parabola - np.polyval(coefficients, t), atol=1e-13)
    assert_allclose(detrend(t, 4 - 3 * t).y, 0, atol=1e-13)
    both = detrend(t, np.column_stack([t, parabola]), "mean").y
    assert_allclose(both.mean(axis=0), 0, atol=1e-14)
    assert_allclose(both[:, 0], t - t.mean(), atol=1e-14)


def test_rms_and_peak():
    y = np.column_stack([5 * np.sin(2 * np.pi * 3 * T), np.full(len(T), -2.0)])
    assert_allclose(rms(T, y), [5 / math.sqrt(2), 2.0], rtol=1e-12)  # the trapezoidal rule is exact over periods
    assert rms(np.array([0.0, 1.0, 3.0]), np.array([1.0, 1.0, 1.0])) == pytest.approx(1.0)
    # |t| over -1 … 2 at unequal steps: the integral of its square by hand
    t = np.concatenate([np.linspace(-1, 0, 2001), np.linspace(0, 2, 1001)[1:]])
    assert rms(t, np.abs(t)) == pytest.approx(1.0, rel=1e-6)
    found = peak(T, np.array([1.0, -7.0, 3.0])[np.minimum(np.arange(len(T)) // 1000, 2)])
    assert (float(found.value), float(found.t), int(found.index)) == (-7.0, 1.0, 1000)
    assert_array_equal(peak(T, y).value[1], -2.0)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: lowpass(T**2, T, 5.0), "steps of a signal must be equal.*resample"),
        (lambda: lowpass(T[:15], T[:15], 5.0), "too short"),
        (lambda: lowpass(T, T, 500.0), "half the sampling rate, 500 Hz"),
        (lambda: bandpass(T, T, 50.0, 5.0), "must rise"),
        (lambda: lowpass(T, T, 5.0, order=0), "order is 0"),
        (
            lambda: rms(T, np.where(T == 1.0, np.nan, T)),
            "values of a signal are not finite at 1 of 4001 places, the first is 1000",
        ),
        (lambda: rms(T[::-1], T), "run backwards"),
        (lambda: rms(T, T[1:]), "expected"),
        (lambda: rms(T[:1], T[:1]), "too short"),
        (lambda: resample(T, T, 0.0), "step is 0 s"),
        (lambda: detrend(T, T, "cubic"), "kind is 'cubic'"),
    ],
)
def test_nonsense_is_named(call, sentence):
    with pytest.raises(ff.ModelError, match=sentence):
        call()


def test_times_far_from_zero_are_still_uniform():
    t = 1e6 + T  # rounded to 1e-10
    assert_allclose(lowpass(t, np.sin(T), 5.0).y, lowpass(T, np.sin(T), 5.0).y, atol=1e-6)
