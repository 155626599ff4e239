"""Filters and measures read from texts, against closed forms of harmonics."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from floatframe.errors import ModelError
from floatframe.signals import NUMBERS, read_chain

T = np.linspace(0.0, 10.0, 20_001)
SLOW, FAST = 3.0 * np.sin(2 * np.pi * 2.0 * T), 0.5 * np.cos(2 * np.pi * 40.0 * T)


def numbers(text: str, y: np.ndarray, t: np.ndarray = T) -> list[float]:
    chain = read_chain(text)
    return chain.measured(t, chain.filtered(t, y))


def test_measures_of_a_harmonic():
    found = numbers("rms,std,peak,peak_to_peak,amplitude,crest,mean,min,max,end,period,line(2)", SLOW + 1.0)
    expected = [
        *(np.sqrt(5.5), np.sqrt(4.5), 4.0, 6.0, 3.0, 4.0 / np.sqrt(5.5), 1.0, -2.0, 4.0, 1.0, 0.5, 3.0),
    ]
    assert_allclose(found, expected, rtol=2e-6, atol=1e-9)  # 1000 values per period: trapezoidal rule, sampled peaks


def test_every_number_is_tried_above():
    assert {*NUMBERS} == {
        *("rms", "std", "peak", "peak_to_peak", "amplitude", "crest", "mean", "min", "max", "end", "period", "line")
    }


@pytest.mark.parametrize(("text", "expected"), [("lowpass(10)", 3.0), ("highpass(10)", 0.5), ("bandpass(20, 60)", 0.5)])
def test_filters_leave_what_they_should(text, expected):
    # ends of the history, where filters swing in, are left out
    (found,) = [read_chain(text).filtered(T, SLOW + FAST)]
    inside = slice(4000, -4000)
    assert_allclose(numbers("peak", found[inside], T[inside]), expected, rtol=2e-3)


def test_trend_and_mean_are_removed_first():
    drifting = SLOW + 5.0 + 7.0 * T
    # a sine over whole periods has a small slope of its own, 6/(π f L) of its amplitude
    assert_allclose(numbers("detrend:rms", drifting), 3 / np.sqrt(2), rtol=1e-3)
    assert_allclose(numbers("demean:mean", drifting), 0.0, atol=1e-3)
    assert_allclose(numbers("detrend:lowpass(10):line(2)", drifting + FAST), 3.0, rtol=1e-3)


def test_a_line_need_not_fit_into_the_history_nor_have_equal_steps():
    rng = np.random.default_rng(1)
    t = np.sort(rng.uniform(0.0, 3.7, 4000))
    y = 2.0 * np.sin(2 * np.pi * 1.37 * t + 0.4) + 4.0 - 0.3 * t
    assert_allclose(numbers("line(1.37)", y, t), 2.0, rtol=1e-10)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("lowpas(20)", "did you mean lowpass"),
        ("rms:lowpass(2)", "'rms' is not a filter"),
        ("lowpass", "0 arguments, expected lowpass\\(Hz\\)"),
        ("bandpass(3)", "one argument, expected bandpass\\(Hz, Hz\\)"),
        ("lowpass(fast)", "needs numbers"),
        ("line(inf)", "finite"),
        ("rms,pek", "did you mean peak"),
        ("", "neither a filter nor a measure"),
    ],
)
def test_mistakes_are_named(text, words):
    with pytest.raises(ModelError, match=words):
        read_chain(text)


def test_a_line_that_records_cannot_show_is_refused():
    with pytest.raises(ModelError, match="record more often"):
        numbers("line(1500)", SLOW)
    with pytest.raises(ModelError, match="does not hold one period"):
        numbers("line(0.05)", SLOW)
