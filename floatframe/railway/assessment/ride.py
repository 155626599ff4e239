"""How a vehicle rides: accelerations after EN 14363, Sperling's index Wz, power spectral density.

Times t (nt,) [s] at equal steps, accelerations a (nt,) [m/s²].
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from floatframe.arrays import Array, short_repr
from floatframe.errors import ModelError
from floatframe.railway.assessment.filters import below, between, percentile_peak
from floatframe.signals import PowerDensity, psd

Direction = Literal["vertical", "lateral"]

RIDE_BAND = (0.4, 10.0)  # [Hz] of EN 14363
PEAK_LIMIT = {"vertical": 2.5, "lateral": 2.5}  # [m/s²] of passenger coaches
RMS_LIMIT = {"vertical": 0.75, "lateral": 0.5}  # [m/s²]
QUASI_STATIC_LATERAL_LIMIT = 1.5  # [m/s²] of coaches
SPERLING_BAND = (0.5, 30.0)  # [Hz]
# how a vehicle with an index up to this rides
SPERLING_WORDS = (
    (1.0, "hardly noticeable"),
    (2.0, "noticeable"),
    (2.5, "pronounced, not unpleasant"),
    (3.0, "strong, tolerable"),
    (3.25, "very irregular"),
    (3.5, "unpleasant"),
    (np.inf, "very unpleasant"),
)
_SEGMENT = 10.0  # [s] of a piece of a history, if it is as long
_QUASI_STATIC = 20.0  # [Hz]
_FACTOR = {"vertical": 0.588, "lateral": 0.737}


@short_repr
@dataclass(frozen=True)
class RideAcceleration:
    """Acceleration between 0.4 and 10 Hz (nt,) [m/s²], the larger magnitude of its percentiles, its root mean square.

    quasi_static: median of the acceleration below 20 Hz.
    """

    t: Array
    filtered: Array
    peak: float
    rms: float
    quasi_static: float


@short_repr
@dataclass(frozen=True)
class Sperling:
    """Ride index Wz of an acceleration, and the density (nf,) [m²/s⁴/Hz] over frequency (nf,) [Hz] that it is from."""

    index: float
    density: PowerDensity

    @property
    def words(self) -> str:
        """How it feels."""
        return next(words for highest, words in SPERLING_WORDS if self.index <= highest)


def ride_acceleration(t: Array, a: Array) -> RideAcceleration:
    """Return an acceleration as EN 14363 assesses it."""
    if len(t) < 2 or t[-1] - t[0] < 1.0 / RIDE_BAND[0]:
        length = t[-1] - t[0] if len(t) else 0.0
        raise ModelError(f"ride: the history is {length:g} s long, expected {1.0 / RIDE_BAND[0]:g} s or more.")
    ride = between(t, a, *RIDE_BAND)
    rms = float(np.sqrt(np.mean(ride.y**2)))
    return RideAcceleration(
        ride.t, ride.y, percentile_peak(ride.y), rms, float(np.median(below(t, a, _QUASI_STATIC).y))
    )


def ride_density(t: Array, a: Array, segment: float | None = None) -> PowerDensity:
    """Return the one-sided power spectral density [m²/s⁴/Hz] of an acceleration; its integral is the mean square.

    segment: length of the pieces it is the mean of, by default 10 s, or the whole of a shorter history.
    """
    if segment is None:
        segment = min(_SEGMENT, len(t) * (t[-1] - t[0]) / (len(t) - 1)) if len(t) > 1 else _SEGMENT
    return psd(t, a, segment)


def sperling_weight(frequency: Array, direction: Direction) -> Array:
    """Return the weight B of Sperling's comfort index at frequencies [Hz], for accelerations in cm/s²."""
    if direction not in _FACTOR:
        raise ModelError(f"Sperling: direction is '{direction}', expected 'vertical' or 'lateral'.")
    f = np.asarray(frequency, dtype=float)
    above = 1.911 * f**2 + (0.25 * f**2) ** 2
    under = (1.0 - 0.277 * f**2) ** 2 + (1.563 * f - 0.0368 * f**3) ** 2
    return np.asarray(_FACTOR[direction] * np.sqrt(above / under))


def sperling_of_density(density: PowerDensity, direction: Direction) -> float:
    """Return Wz of the one-sided density [m²/s⁴/Hz] of an acceleration: (2 ∫ B² G df)^0.15, from 0.5 to 30 Hz.

    G is in (cm/s²)²/Hz. A harmonic of amplitude a gives (a B)^0.3, as Sperling has it; books round 1/0.15 to 6.67.
    """
    inside = (density.frequency >= SPERLING_BAND[0]) & (density.frequency <= SPERLING_BAND[1])
    weighted = sperling_weight(density.frequency[inside], direction) ** 2 * 1e4 * density.density[inside]
    return float((2.0 * weighted.sum() * density.resolution) ** 0.15)


def sperling(t: Array, a: Array, direction: Direction) -> Sperling:
    """Return the ride index of an acceleration [m/s²]."""
    density = ride_density(t, a)
    return Sperling(sperling_of_density(density, direction), density)
