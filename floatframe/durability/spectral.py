"""Fatigue of stationary random stresses from their power spectral densities: arrays in, arrays out.

Densities are one-sided, [Pa²/Hz] over frequency [Hz]. Damage is that of a time [s]. A curve of one slope is taken as a
power law down to zero, as usual with these methods; one of several slopes is followed, and does nothing below its last
knee.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from floatframe.arrays import Array
from floatframe.durability.curves import SNCurve
from floatframe.errors import ModelError

NARROW = 1e-9  # 1 - irregularity, below which every crossing is a peak
Number: TypeAlias = Any  # a number, or an array (k,) of many points


@dataclass(frozen=True)
class SpectralMoments:
    """Moments ∫ f^k G df of a density, and what follows from them; numbers, or arrays (k,) of many densities."""

    m0: Number
    m1: Number
    m2: Number
    m4: Number

    @property
    def peak_rate(self) -> Number:
        """Peaks per second [1/s]."""
        return np.sqrt(self.m4 / self.m2)

    @property
    def crossing_rate(self) -> Number:
        """Upward crossings of the mean per second [1/s]."""
        return np.sqrt(self.m2 / self.m0)

    @property
    def alpha1(self) -> Number:
        """Bandwidth m1 / sqrt(m0 m2), 1 for a narrow band."""
        return self.m1 / np.sqrt(self.m0 * self.m2)

    @property
    def alpha2(self) -> Number:
        """Irregularity m2 / sqrt(m0 m4), 1 for a narrow band."""
        return self.m2 / np.sqrt(self.m0 * self.m4)

    def extreme(self, duration: float) -> Number:
        """Mean largest value [Pa] in a duration [s] (Davenport 1964)."""
        size = np.sqrt(2.0 * np.log(np.maximum(self.crossing_rate * duration, np.e)))
        return np.sqrt(self.m0) * (size + np.euler_gamma / size)


def spectral_moments(frequency: Array, density: Array) -> SpectralMoments:
    """Return the moments of a one-sided density (n,) at frequencies (n,) [Hz]."""
    f, G = np.asarray(frequency, dtype=float), np.asarray(density, dtype=float)
    if f.shape != G.shape or f.ndim != 1 or len(f) < 3:
        raise ModelError(
            f"spectral fatigue: {f.shape} frequencies and {G.shape} densities; expected as many, three or more"
        )
    if (np.diff(f) <= 0.0).any() or f[0] < 0.0 or (G < 0.0).any() or not np.isfinite(G).all():
        raise ModelError("spectral fatigue: frequencies must rise from zero or more, densities must not be negative")
    m0, m1, m2, m4 = (float(np.trapezoid(f**k * G, f)) for k in (0, 1, 2, 4))
    if not m2 > 0.0:
        raise ModelError("spectral fatigue: the density is zero; there is no stress to count")
    return SpectralMoments(m0, m1, m2, m4)


def narrow_band(frequency: Array, density: Array, curve: SNCurve, duration: float = 1.0) -> float:
    """Return the damage of a narrow-band process: every crossing is a cycle with a Rayleigh-distributed amplitude."""
    return duration * float(narrow_band_rate(spectral_moments(frequency, density), curve))


def dirlik(frequency: Array, density: Array, curve: SNCurve, duration: float = 1.0) -> float:
    """Return the damage by Dirlik (1985): one exponential and two Rayleigh densities of the ranges."""
    return duration * float(dirlik_rate(spectral_moments(frequency, density), curve))


def tovo_benasciutti(frequency: Array, density: Array, curve: SNCurve, duration: float = 1.0) -> float:
    """Return the damage by Tovo (2002) and Benasciutti and Tovo (2005): between the bounds of rainflow counting."""
    return duration * float(tovo_benasciutti_rate(spectral_moments(frequency, density), curve))


def narrow_band_rate(m: SpectralMoments, curve: SNCurve) -> Number:
    """Return the damage per second [1/s] of a narrow band."""
    return m.crossing_rate * _rayleigh(curve, np.sqrt(m.m0))


def dirlik_rate(m: SpectralMoments, curve: SNCurve) -> Number:
    """Return the damage per second [1/s] by Dirlik."""
    narrow = 1.0 - m.alpha2 < NARROW
    irregular = np.where(narrow, 0.5, m.alpha2)  # where it is not, only that nothing is divided by zero
    xm = np.where(narrow, 0.4, m.m1 / m.m0 * np.sqrt(m.m2 / m.m4))
    d1 = 2.0 * (xm - irregular**2) / (1.0 + irregular**2)
    r = (irregular - xm - d1**2) / (1.0 - irregular - d1 + d1**2)
    d2 = (1.0 - irregular - d1 + d1**2) / (1.0 - r)
    d3 = 1.0 - d1 - d2
    q = 1.25 * (irregular - d3 - d2 * r) / d1
    size = np.sqrt(m.m0)
    per_peak = d1 * _exponential(curve, q * size) + d3 * _rayleigh(curve, size)
    per_peak = per_peak + d2 * _rayleigh(curve, np.abs(r) * size)
    return np.where(narrow, narrow_band_rate(m, curve), m.peak_rate * per_peak)


def tovo_benasciutti_rate(m: SpectralMoments, curve: SNCurve) -> Number:
    """Return the damage per second [1/s] by Tovo and Benasciutti."""
    a1, a2 = m.alpha1, m.alpha2
    narrow = 1.0 - a2 < NARROW
    apart = np.where(narrow, 1.0, 1.0 - a2)
    b = (a1 - a2) * (1.112 * (1.0 + a1 * a2 - (a1 + a2)) * np.exp(2.11 * a2) + (a1 - a2)) / apart**2
    b = np.where(narrow, 1.0, b)
    # upper bound: every crossing is a cycle; lower one: ranges of neighbouring peaks
    return b * narrow_band_rate(m, curve) + (1.0 - b) * m.peak_rate * _rayleigh(curve, a2 * np.sqrt(m.m0))


RATES: dict[str, Callable[[SpectralMoments, SNCurve], Number]] = {
    "dirlik": dirlik_rate,
    "tovo_benasciutti": tovo_benasciutti_rate,
    "narrow_band": narrow_band_rate,
}


def _rayleigh(curve: SNCurve, size: Number) -> Number:
    """Return the mean damage of a cycle with a Rayleigh-distributed amplitude of this scale [Pa]."""
    return _mean_damage(curve, np.sqrt(2.0) * size, lambda k: 1.0 + k / 2.0, lambda x: x**2)


def _exponential(curve: SNCurve, size: Number) -> Number:
    """Return the mean damage of a cycle with an exponentially distributed amplitude of this mean [Pa]."""
    return _mean_damage(curve, size, lambda k: 1.0 + k, lambda x: x)


def _mean_damage(
    curve: SNCurve, size: Number, order: Callable[[float], float], power: Callable[[Number], Number]
) -> Number:
    """Return the mean of 1/N: for each slope of the curve the part of a gamma function between its ends."""
    from scipy.special import gamma, gammaincc

    lows = curve.knees if len(curve.knees) > 1 else (0.0,)
    some = np.where(np.asarray(size) > 0.0, size, 1.0)
    total = np.zeros(np.shape(size))
    for low, high, knee, cycles, slope in zip(
        lows, (np.inf, *lows), curve.knees, curve.cycles, curve.slopes, strict=False
    ):
        k = order(slope)
        share = gammaincc(k, power(low / some)) - gammaincc(k, power(high / some))
        total = total + (some / knee) ** slope / cycles * gamma(k) * share
    return np.where(np.asarray(size) > 0.0, total, 0.0)
