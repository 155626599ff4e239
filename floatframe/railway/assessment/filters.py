"""How forces and accelerations are prepared for assessment: filters of EN 14363, mean over a sliding window of track.

Times t (nt,) [s] at equal steps, distances s (nt,) [m] along the track, values y (nt,). Filters run forwards and
backwards, so that nothing is delayed; their corners are set such that 3 dB are lost there, as the standard asks, and
they fall by 24 dB per octave beyond.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from floatframe.arrays import Array, short_repr
from floatframe.errors import ModelError
from floatframe.signals import Signal, bandpass, checked, lowpass, uniform

PERCENTILES = (0.15, 99.85)  # [%] of EN 14363: what is assessed lies between them
SETTLING = 5.0  # [s] in which a filter that takes away what is below 0.4 Hz forgets how it began
_ORDER = 2  # of one pass
# twice through a Butterworth filter gives 1 / (1 + x^2n) for the amplitude: 3 dB are lost at this x
_CORNER = (np.sqrt(2.0) - 1.0) ** (0.5 / _ORDER)


@short_repr
@dataclass(frozen=True)
class SlidingMean:
    """Means over windows of track: middles s (n,) [m] of the windows, values y (n,)."""

    s: Array
    y: Array


def below(t: Array, y: Array, cutoff: float) -> Signal:
    """Return what is below a frequency [Hz], where 3 dB are lost."""
    return lowpass(t, y, cutoff / _CORNER, _ORDER)


def between(t: Array, y: Array, low: float, high: float) -> Signal:
    """Return what is between two frequencies [Hz], at each of which 3 dB are lost."""
    half = 0.5 * (high - low) / _CORNER
    middle = np.sqrt(low * high + half**2)
    signal = uniform(t, y)
    longer, own = mirrored(signal)
    filtered = bandpass(longer.t, longer.y, float(middle - half), float(middle + half), _ORDER)
    return Signal(signal.t, filtered.y[own])


def mirrored(signal: Signal) -> tuple[Signal, slice]:
    """Return a history that goes on as its mirror image for `SETTLING` at both ends, and where it is in that.

    A filter begins there instead of with a jump. An image turned upside down too, as is usual for low passes, would
    shift the mean, which a filter with a lower corner takes for an event.
    """
    margin = min(round(SETTLING / signal.step), len(signal.t) - 1)
    y = np.pad(signal.y, margin, mode="reflect")
    t = signal.t[0] + signal.step * np.arange(-margin, len(signal.t) + margin)
    return Signal(t, y), slice(margin, margin + len(signal.t))


def percentile_peak(y: Array) -> float:
    """Return the larger magnitude of both percentiles of values."""
    return float(np.abs(np.percentile(y, PERCENTILES)).max())


def sliding_mean(s: Array, y: Array, window: float = 2.0, every: float = 0.5) -> SlidingMean:
    """Return means of y over windows of track [m] that begin `every` so many metres."""
    s, y = checked(s, y)
    if (np.diff(s) <= 0.0).any():
        place = float(s[np.argmax(np.diff(s) <= 0.0)])
        raise ModelError(f"sliding mean: the distance does not grow after {place:g} m; cut the run to where it moves.")
    length = float(s[-1] - s[0])
    if not (0.0 < window <= length and every > 0.0):
        raise ModelError(
            f"sliding mean: a window of {window:g} m every {every:g} m does not suit {length:g} m of track."
        )
    count = int(np.floor((length - window) / every * (1.0 + 1e-12))) + 1
    starts = s[0] + every * np.arange(count)
    area = np.concatenate([[0.0], np.cumsum(0.5 * (y[1:] + y[:-1]) * np.diff(s))])
    return SlidingMean(
        starts + 0.5 * window, (_area_to(s, y, area, starts + window) - _area_to(s, y, area, starts)) / window
    )


def _area_to(s: Array, y: Array, area: Array, places: Array) -> Array:
    """Return the integral of the polygon y(s) up to places, from its values at the corners."""
    k = np.clip(np.searchsorted(s, places, side="right") - 1, 0, len(s) - 2)
    beyond = places - s[k]
    slope = (y[k + 1] - y[k]) / (s[k + 1] - s[k])
    return np.asarray(area[k] + beyond * (y[k] + 0.5 * slope * beyond))
