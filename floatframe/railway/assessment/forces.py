"""Forces between wheels and rails, assessed after EN 14363: Y lateral, Q vertical, their ratio, their sum on an axle.

Y and Q (nt,) [N] act on the rail at times t (nt,) [s] and distances s (nt,) [m]; Q presses down, Y outward from the
middle of the track. All are filtered at 20 Hz; Y/Q and ΣY are means over 2 m every 0.5 m; what counts is the
larger magnitude of the percentiles 0.15 and 99.85 %, and the median as the quasi-static value.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from floatframe.arrays import Array, short_repr
from floatframe.errors import ModelError
from floatframe.railway.assessment.filters import (
    PERCENTILES,
    SlidingMean,
    below,
    between,
    percentile_peak,
    sliding_mean,
)
from floatframe.signals import psd

CUTOFF = 20.0  # [Hz]
RATIO_LIMIT = 0.8  # of Y/Q
QUASI_STATIC_Y_LIMIT = 60e3  # [N]
QUASI_STATIC_Q_LIMIT = 145e3  # [N]
UNLOADED = 1e-3  # share of the static load; a wheel that presses less counts as pressing so much
HIGHEST_Q = ((160.0, 200e3), (200.0, 190e3), (250.0, 180e3), (300.0, 170e3), (np.inf, 160e3))  # up to [km/h]: [N]
_INSTABILITY = (100.0, 10.0)  # window and distance of the sliding root mean square [m]
_BAND = 2.0  # about the frequency of instability [Hz]


@short_repr
@dataclass(frozen=True)
class WheelForces:
    """Forces of one wheel on its rail."""

    t: Array  # (nt,) [s]
    s: Array  # (nt,) [m]
    lateral: Array  # (nt,) Y, filtered [N]
    vertical: Array  # (nt,) Q, filtered [N]
    ratio: SlidingMean  # Y/Q
    load: float  # static Q0 [N]
    speed: float  # mean [m/s]

    @property
    def ratio_peak(self) -> float:
        """Largest magnitude of Y/Q, by percentiles."""
        return percentile_peak(self.ratio.y)

    @property
    def vertical_peak(self) -> float:
        """Largest Q [N], by its percentile 99.85 %."""
        return float(np.percentile(self.vertical, PERCENTILES[1]))

    @property
    def vertical_limit(self) -> float:
        """Limit of Q [N] for this load and speed."""
        return vertical_limit(self.load, self.speed)

    @property
    def quasi_static(self) -> tuple[float, float]:
        """Medians of Y and Q [N]."""
        return float(np.median(self.lateral)), float(np.median(self.vertical))

    @property
    def unloaded(self) -> float:
        """Share of the time in which the wheel does not press on the rail."""
        return float((self.vertical <= UNLOADED * self.load).mean())


@short_repr
@dataclass(frozen=True)
class AxleForces:
    """Sum of the lateral forces of both wheels of an axle, to the left."""

    t: Array  # (nt,) [s]
    s: Array  # (nt,) [m]
    total: Array  # (nt,) ΣY, filtered [N]
    mean: SlidingMean  # ΣY over 2 m [N]
    load: float  # static Q0 of a wheel [N]

    @property
    def peak(self) -> float:
        """Largest magnitude of ΣY over 2 m [N], by percentiles."""
        return percentile_peak(self.mean.y)


@short_repr
@dataclass(frozen=True)
class Instability:
    """Sliding root mean square of ΣY over 100 m [N], in a band of 2 Hz to both sides of its main frequency [Hz]."""

    frequency: float
    rms: SlidingMean

    @property
    def peak(self) -> float:
        """Largest root mean square [N]."""
        return float(self.rms.y.max())


def wheel_forces(t: Array, s: Array, lateral: Array, vertical: Array, load: float | None = None) -> WheelForces:
    """Return the forces of a wheel as they are assessed; load: static Q0 [N], by default the mean of Q."""
    load = _checked_load(float(np.mean(vertical)) if load is None else load)
    y, q = below(t, lateral, CUTOFF), below(t, vertical, CUTOFF)
    ratio = sliding_mean(s, y.y / np.maximum(q.y, UNLOADED * load))
    return WheelForces(y.t, np.asarray(s, dtype=float), y.y, q.y, ratio, load, _mean_speed(y.t, s))


def axle_forces(t: Array, s: Array, left: Array, right: Array, load: float) -> AxleForces:
    """Return ΣY of an axle as it is assessed.

    left, right: Y of its wheels, each outward [N]; load: static Q0 of one of them [N].
    """
    total = below(t, np.subtract(left, right), CUTOFF)
    return AxleForces(total.t, np.asarray(s, dtype=float), total.y, sliding_mean(s, total.y), _checked_load(load))


def instability(axle: AxleForces, frequency: float | None = None) -> Instability:
    """Return how strongly an axle oscillates, about a frequency [Hz], by default where ΣY has its largest density.

    A vehicle counts as unstable if the root mean square exceeds half of `axle_limit`.
    """
    if frequency is None:
        density = psd(axle.t, axle.total)
        inside = np.flatnonzero((density.frequency > 0.0) & (density.frequency <= CUTOFF))
        frequency = float(density.frequency[inside[density.density[inside].argmax()]])
    low, high = max(frequency - _BAND, 0.1 * frequency), frequency + _BAND
    oscillation = between(axle.t, axle.total, low, high).y
    window, every = _INSTABILITY
    squares = sliding_mean(axle.s, oscillation**2, min(window, float(axle.s[-1] - axle.s[0])), every)
    return Instability(frequency, SlidingMean(squares.s, np.sqrt(np.maximum(squares.y, 0.0))))


def axle_limit(load: float, factor: float = 1.0) -> float:
    """Return the limit of ΣY [N] by Prud'homme for a static wheel load [N]; factor: 1, of freight wagons 0.85."""
    return factor * (10e3 + 2.0 / 3.0 * load)


def vertical_limit(load: float, speed: float) -> float:
    """Return the limit of Q [N] for a static wheel load [N] and a speed [m/s]."""
    highest = next(force for fastest, force in HIGHEST_Q if 3.6 * speed <= fastest)
    return min(90e3 + load, highest)


def nadal_limit(angle: float, friction: float) -> float:
    """Return the Y/Q at which a flange of a contact angle [rad] may climb, by Nadal."""
    if not (0.0 < angle < 0.5 * np.pi and friction >= 0.0):
        raise ModelError(
            f"Nadal: angle {np.degrees(angle):g}° and friction {friction:g}, expected 0 … 90° and a positive number."
        )
    slope = float(np.tan(angle))
    return (slope - friction) / (1.0 + friction * slope)


def wear_number(
    along: Array, across: Array, creep_along: Array, creep_across: Array, moment: ArrayLike = 0.0, spin: ArrayLike = 0.0
) -> Array:
    """Return Tγ [N], energy lost per metre rolled: creep forces [N] by creepages, moment [N m] by spin [1/m]."""
    lost = np.multiply(along, creep_along) + np.multiply(across, creep_across) + np.multiply(moment, spin)
    return np.asarray(np.abs(lost))


def estimated_maximum(values: Array, factor: float = 2.2) -> float:
    """Return the estimate of EN 14363 from one value per section of track: mean plus `factor` standard deviations.

    factor: 3 for running safety (ΣY, Y/Q), 2.2 for forces on the track and ride, 0 for quasi-static values.
    """
    values = np.asarray(values, dtype=float)
    if len(values) < 2:
        raise ModelError(f"estimated maximum: {len(values)} sections, expected two or more.")
    return float(values.mean() + factor * values.std(ddof=1))


def _checked_load(load: float) -> float:
    if not (np.isfinite(load) and load > 0.0):
        raise ModelError(f"static wheel load is {load:g} N, expected a positive force; Q presses the rail down.")
    return load


def _mean_speed(t: Array, s: Array) -> float:
    return float((s[-1] - s[0]) / (t[-1] - t[0]))
