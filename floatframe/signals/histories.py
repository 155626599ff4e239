"""Working on measured or computed histories: resampling, filters, trends, mean and largest values.

Times t (nt,) [s] increase; values y are (nt,) or (nt, n), one signal per column.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from floatframe.arrays import Array, BoolArray, short_repr
from floatframe.errors import ModelError

UNIFORM = 1e-6  # largest deviation of a step from the mean one, relative, that comes from rounding of times
MOST_VALUES = 1e8  # of a resampled history


@short_repr
@dataclass(frozen=True)
class Signal:
    """A history at equal steps: t (nt,) [s], y (nt,) or (nt, n)."""

    t: Array
    y: Array

    @property
    def step(self) -> float:
        """Time between two values [s]."""
        return float(self.t[-1] - self.t[0]) / (len(self.t) - 1)


@short_repr
@dataclass(frozen=True)
class Peak:
    """The largest magnitude of each signal: its value with sign, its time [s], its index; scalars for y (nt,)."""

    value: Array
    t: Array
    index: Array


def checked(t: Array, y: Array, shortest: int = 2) -> tuple[Array, Array]:
    """Return times and values as float arrays; both finite, of one length, in order of time."""
    t, y = np.asarray(t, dtype=float), np.asarray(y, dtype=float)
    if t.ndim != 1 or y.ndim not in (1, 2) or len(y) != len(t):
        raise ModelError(
            f"a signal has times of shape {t.shape} and values of shape {y.shape}, expected (nt,) and (nt,) or (nt, n)."
        )
    if len(t) < shortest:
        raise ModelError(f"a signal of {len(t)} values is too short; this needs {shortest}.")
    for name, array in (("times", t), ("values", y)):
        finite = np.isfinite(array)
        if not finite.all():
            bad = ~finite.reshape(len(t), -1).all(axis=1)
            raise ModelError(
                f"the {name} of a signal are not finite at {bad.sum()} of {len(t)} places, the first is {bad.argmax()}."
            )
    backwards = t[1:] < t[:-1]
    if backwards.any():
        raise ModelError(f"the times of a signal run backwards after t = {t[np.argmax(backwards)]:g} s.")
    return t, y


def uniform(t: Array, y: Array, shortest: int = 2) -> Signal:
    """Return a checked signal; its steps must be equal but for rounding."""
    t, y = checked(t, y, shortest)
    signal = Signal(t, y)
    steps = np.diff(t)
    # times far from zero carry the rounding of their own size
    allowed = UNIFORM * signal.step + 4 * np.spacing(np.abs(t).max())
    if signal.step <= 0 or np.abs(steps - signal.step).max() > allowed:
        raise ModelError(
            f"the steps of a signal must be equal, found {steps.min():g} … {steps.max():g} s; "
            "bring it to equal steps with `ff.signals.resample`."
        )
    return signal


def resample(t: Array, y: Array, step: float) -> Signal:
    """Return a signal at equal steps [s] from the first time on, through a cubic spline of the given values.

    Of two values at one time, the sides of an event, the later one counts. Going to longer steps, use `lowpass` below
    half the new rate first, or what oscillates faster comes back as something slow.
    """
    from scipy.interpolate import CubicSpline, interp1d

    t, y = checked(t, y)
    length = t[-1] - t[0]
    if not (np.isfinite(step) and length / MOST_VALUES < step <= length):
        raise ModelError(
            f"resample: step is {step:g} s, expected between {length / MOST_VALUES:g} s and the length {length:g} s."
        )
    last = np.append(np.diff(t) > 0, True)
    t, y = t[last], y[last]
    count = int(np.floor((t[-1] - t[0]) / step * (1 + 1e-12))) + 1
    times = np.minimum(t[0] + step * np.arange(count), t[-1])
    curve = CubicSpline(t, y) if len(t) > 3 else interp1d(t, y, axis=0)
    return Signal(t[0] + step * np.arange(count), curve(times))


def lowpass(t: Array, y: Array, cutoff: float, order: int = 4) -> Signal:
    """Return what is below a frequency [Hz]: a Butterworth filter run forwards and backwards, without delay.

    At the cutoff half of the amplitude is left, far above it falls by 2 · order powers of the frequency.
    """
    return _filtered(t, y, "lowpass", (cutoff,), order)


def highpass(t: Array, y: Array, cutoff: float, order: int = 4) -> Signal:
    """Return what is above a frequency [Hz]; see `lowpass`."""
    return _filtered(t, y, "highpass", (cutoff,), order)


def bandpass(t: Array, y: Array, low: float, high: float, order: int = 4) -> Signal:
    """Return what is between two frequencies [Hz]; see `lowpass`."""
    return _filtered(t, y, "bandpass", (low, high), order)


def _filtered(t: Array, y: Array, kind: str, corners: tuple[float, ...], order: int) -> Signal:
    from scipy.signal import butter, sosfiltfilt

    signal = uniform(t, y)
    highest = 0.5 / signal.step
    if order < 1:
        raise ModelError(f"{kind}: order is {order}, expected 1 or more.")
    if not all(0 < f < highest for f in corners) or list(corners) != sorted(set(corners)):
        found = " … ".join(f"{f:g}" for f in corners)
        rising = "rise and " if len(corners) > 1 else ""
        raise ModelError(f"{kind}: {found} Hz must {rising}lie between 0 and half the sampling rate, {highest:g} Hz.")
    sections = butter(order, corners if len(corners) > 1 else corners[0], kind, fs=1 / signal.step, output="sos")
    padding = 3 * (2 * len(sections) + 1)
    if len(signal.t) <= padding:
        raise ModelError(f"{kind}: a signal of {len(signal.t)} values is too short; this filter needs {padding + 1}.")
    return Signal(signal.t, sosfiltfilt(sections, signal.y, axis=0, padlen=padding))


def detrend(
    t: Array, y: Array, kind: Literal["mean", "line"] = "line", inside: BoolArray | slice = slice(None)
) -> Signal:
    """Return a signal without its mean, or without the straight line that fits it best; steps may differ.

    inside: the records (nt,) that have this mean or line (default: all); it is taken off everywhere.
    """
    t, y = checked(t, y)
    mean = y[inside].mean(axis=0)
    if kind == "mean":
        return Signal(t, y - mean)
    if kind != "line":
        raise ModelError(f"detrend: kind is '{kind}', expected 'mean' or 'line'.")
    x = t - t[inside].mean()
    if not x[inside].any():
        raise ModelError("detrend: all times are the same.")
    slope = x[inside] @ y[inside] / (x[inside] @ x[inside])
    return Signal(t, y - mean - np.multiply.outer(x, slope))


def rms(t: Array, y: Array) -> Array:
    """Return the root of the mean of y² over time, by the trapezoidal rule: a number, or (n,); steps may differ."""
    t, y = checked(t, y)
    length = t[-1] - t[0]
    if not length:
        raise ModelError("rms: all times are the same.")
    return np.sqrt(np.trapezoid(y**2, t, axis=0) / length)


def peak(t: Array, y: Array) -> Peak:
    """Return the value of largest magnitude and its time."""
    t, y = checked(t, y, shortest=1)
    index = np.abs(y).argmax(axis=0)
    value = y[index] if y.ndim == 1 else np.take_along_axis(y, np.expand_dims(index, 0), axis=0)[0]
    return Peak(value, t[index], index)


def period(t: Array, y: Array) -> float:
    """Return the mean time [s] between two upward crossings of the mean of y (nt,); NaN if there are fewer than two."""
    t, y = checked(t, y)
    y = y - np.trapezoid(y, t) / (t[-1] - t[0])
    up = np.flatnonzero((y[:-1] < 0) & (y[1:] >= 0))
    if len(up) < 2:
        return float("nan")
    crossings = t[up] - y[up] * (t[up + 1] - t[up]) / (y[up + 1] - y[up])
    return float((crossings[-1] - crossings[0]) / (len(up) - 1))
