"""Fatigue of stationary random stresses from their power spectral densities: arrays in, arrays out.

Densities are one-sided, [Pa²/Hz] over frequency [Hz]. Damage is that of a time [s], with the S–N curve N = cycles
(S / knee)^-slope of stress amplitudes S, which must be one power law.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import gamma

import numpy as np

from floatframe.arrays import Array
from floatframe.durability.curves import SNCurve
from floatframe.errors import ModelError


@dataclass(frozen=True)
class SpectralMoments:
    """Moments ∫ f^k G df of a density, and the rates and widths that follow from them."""

    m0: float
    m1: float
    m2: float
    m4: float

    @property
    def peak_rate(self) -> float:
        """Peaks per second [1/s]."""
        return float(np.sqrt(self.m4 / self.m2))

    @property
    def crossing_rate(self) -> float:
        """Upward crossings of the mean per second [1/s]."""
        return float(np.sqrt(self.m2 / self.m0))

    @property
    def alpha1(self) -> float:
        """Bandwidth m1 / sqrt(m0 m2), 1 for a narrow band."""
        return float(self.m1 / np.sqrt(self.m0 * self.m2))

    @property
    def alpha2(self) -> float:
        """Irregularity m2 / sqrt(m0 m4), 1 for a narrow band."""
        return float(self.m2 / np.sqrt(self.m0 * self.m4))


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
    m, (strength, k) = spectral_moments(frequency, density), _power_law(curve)
    return duration * m.crossing_rate / strength * (np.sqrt(2.0 * m.m0)) ** k * gamma(1.0 + k / 2.0)


def dirlik(frequency: Array, density: Array, curve: SNCurve, duration: float = 1.0) -> float:
    """Return the damage by Dirlik (1985): one exponential and two Rayleigh densities of the ranges."""
    m, (strength, k) = spectral_moments(frequency, density), _power_law(curve)
    xm = m.m1 / m.m0 * np.sqrt(m.m2 / m.m4)
    gamma_ = m.alpha2
    d1 = 2.0 * (xm - gamma_**2) / (1.0 + gamma_**2)
    r = (gamma_ - xm - d1**2) / (1.0 - gamma_ - d1 + d1**2)
    d2 = (1.0 - gamma_ - d1 + d1**2) / (1.0 - r)
    d3 = 1.0 - d1 - d2
    q = 1.25 * (gamma_ - d3 - d2 * r) / d1
    expected = d1 * q**k * gamma(1.0 + k) + np.sqrt(2.0) ** k * gamma(1.0 + k / 2.0) * (d2 * abs(r) ** k + d3)
    return float(duration * m.peak_rate / strength * np.sqrt(m.m0) ** k * expected)


def tovo_benasciutti(frequency: Array, density: Array, curve: SNCurve, duration: float = 1.0) -> float:
    """Return the damage by Tovo (2002) and Benasciutti and Tovo (2005): between the bounds of rainflow counting."""
    m, (_, k) = spectral_moments(frequency, density), _power_law(curve)
    a1, a2 = m.alpha1, m.alpha2
    if 1.0 - a2 < 1e-9:
        return narrow_band(frequency, density, curve, duration)
    b = (a1 - a2) * (1.112 * (1.0 + a1 * a2 - (a1 + a2)) * np.exp(2.11 * a2) + (a1 - a2)) / (a2 - 1.0) ** 2
    return float((b + (1.0 - b) * a2 ** (k - 1.0)) * narrow_band(frequency, density, curve, duration))


def _power_law(curve: SNCurve) -> tuple[float, float]:
    """Return C and k of N = C S^-k; a curve of several slopes has no closed form here."""
    if len(curve.knees) > 1:
        raise ModelError(
            f"S–N curve '{curve.name}' has {len(curve.knees)} slopes; spectral methods take one power law: "
            "own_curve(knee, cycles, slope)"
        )
    k = curve.slopes[0]
    return curve.cycles[0] * curve.knees[0] ** k, k
