"""Comfort of passengers after EN 12299: weights of accelerations over frequency, mean comfort N_MV.

The weights are those of ISO 8041, made of a high and a low pass, a step from acceleration to velocity and a step up:
H(s) = H_high H_low K (1 + s/ω3) / P(s/ω4, Q4) · (ω5/ω6)² P(s/ω5, Q5) / P(s/ω6, Q6) with P(x, Q) = 1 + x/Q + x².
Times t (nt,) [s] at equal steps, accelerations a (nt,) [m/s²].
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from floatframe.arrays import Array, short_repr
from floatframe.errors import ModelError
from floatframe.railway.assessment.filters import mirrored
from floatframe.signals import Signal, uniform

WINDOW = 5.0  # [s] of a root mean square
PERCENTILE = 95.0  # [%] of them
# comfort of a ride with a mean comfort N_MV below this
COMFORT_WORDS = (
    (1.5, "very comfortable"),
    (2.5, "comfortable"),
    (3.5, "medium"),
    (4.5, "uncomfortable"),
    (np.inf, "very uncomfortable"),
)
AXIS_WEIGHTS = {"x": "d", "y": "d", "z": "b"}  # on the floor


@dataclass(frozen=True)
class Weighting:
    """Corner frequencies [Hz] and qualities of a weight; without a step up its corners are infinite."""

    transition: float  # f3 = f4
    transition_quality: float
    step: tuple[float, float] = (np.inf, np.inf)  # f5, f6
    step_quality: tuple[float, float] = (1.0, 1.0)
    gain: float = 1.0
    band: tuple[float, float] = (0.4, 100.0)  # f1, f2, both with quality 1/√2

    def response(self, frequency: Array) -> Array:
        """Return the complex weights (nf,) at frequencies [Hz]."""
        f = 1j * np.asarray(frequency, dtype=float)
        high, low = self.band
        h = f**2 / (f**2 + np.sqrt(2.0) * high * f + high**2) * self.gain / _quadratic(f / low, np.sqrt(0.5))
        h = h * (1.0 + f / self.transition) / _quadratic(f / self.transition, self.transition_quality)
        if np.isfinite(self.step[0]):
            (f5, f6), (q5, q6) = self.step, self.step_quality
            h = h * (f5 / f6) ** 2 * _quadratic(f / f5, q5) / _quadratic(f / f6, q6)
        return np.asarray(h)


WEIGHTINGS = {
    "b": Weighting(16.0, 0.55, (2.5, 4.0), (0.9, 0.95), 1.024),  # vertical, passengers of trains
    "c": Weighting(8.0, 0.63),  # backrests
    "d": Weighting(2.0, 0.63),  # horizontal
    "k": Weighting(12.5, 0.63, (2.37, 3.35), (0.91, 0.91)),  # vertical, ISO 2631-1
}


@short_repr
@dataclass(frozen=True)
class MeanComfort:
    """Mean comfort N_MV: weighted root mean squares (nwindow,) [m/s²] of each axis, their percentiles 95 %."""

    windows: dict[str, Array]
    percentiles: dict[str, float]

    @property
    def index(self) -> float:
        """N_MV: six times the root of the sum of squares of the percentiles."""
        return float(6.0 * np.sqrt(sum(one**2 for one in self.percentiles.values())))

    @property
    def words(self) -> str:
        """How comfortable the ride is."""
        return next(words for highest, words in COMFORT_WORDS if self.index < highest)


def weighted(t: Array, a: Array, weighting: str) -> Signal:
    """Return an acceleration weighted by frequency; weighting: "b", "c", "d" or "k".

    The weight acts on the transform of the history, so that it is exact up to half the sampling rate. Before and after
    it the history goes on as its mirror image, in which the filter settles; in the first and last seconds a harmonic
    may be wrong by a few per cent.
    """
    if weighting not in WEIGHTINGS:
        raise ModelError(f"weighting '{weighting}' is unknown, expected {', '.join(WEIGHTINGS)}.")
    signal = uniform(t, a)
    longer, own = mirrored(signal)
    response = WEIGHTINGS[weighting].response(np.fft.rfftfreq(len(longer.t), signal.step))
    shaped = np.fft.irfft(np.fft.rfft(longer.y - signal.y.mean()) * response, len(longer.t))
    return Signal(signal.t, shaped[own])


def window_rms(signal: Signal, window: float = WINDOW) -> Array:
    """Return the root mean squares (nwindow,) of a history in successive windows [s]; a rest is left out."""
    size = round(window / signal.step)
    count = len(signal.t) // size if size else 0
    if not count:
        length = len(signal.t) * signal.step
        raise ModelError(f"comfort: the history is {length:g} s long, expected one window of {window:g} s or more.")
    return np.asarray(np.sqrt(np.mean(signal.y[: count * size].reshape(count, size) ** 2, axis=1)))


def mean_comfort(t: Array, accelerations: dict[str, Array]) -> MeanComfort:
    """Return the mean comfort of accelerations of the floor by axis, "x" forward, "y" lateral, "z" vertical.

    An axis that is left out counts as still. The standard asks for five minutes, 60 windows.
    """
    unknown = [axis for axis in accelerations if axis not in AXIS_WEIGHTS]
    if unknown or not accelerations:
        raise ModelError(f"mean comfort: axes are {', '.join(accelerations) or 'none'}, expected some of x, y, z.")
    windows = {axis: window_rms(weighted(t, a, AXIS_WEIGHTS[axis])) for axis, a in accelerations.items()}
    return MeanComfort(windows, {axis: float(np.percentile(one, PERCENTILE)) for axis, one in windows.items()})


def _quadratic(f: Array, quality: float) -> Array:
    return 1.0 + f / quality + f**2
