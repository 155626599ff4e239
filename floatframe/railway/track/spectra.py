"""Spectra of irregularities: power spectral density over the angular wavenumber Ω = 2π / wavelength.

All densities are one-sided, S in m²/(rad/m): the variance is the integral of S over Ω from 0. Two-sided ones, and those
over cycles per metre, are converted where they come in.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from floatframe.arrays import Array, short_repr
from floatframe.errors import Where
from floatframe.railway.track.columns import read_columns
from floatframe.wording import did_you_mean

#: what is irregular: mean of both rails upward and to the left; right rail over left; distance of the rails
QUANTITIES = ("vertical", "lateral", "cross_level", "gauge")


@dataclass(frozen=True)
class Spectrum:
    """S = Σ numerator_k Ω^2k / Σ denominator_k Ω^2k, one-sided [m²/(rad/m)]."""

    numerator: tuple[float, ...]
    denominator: tuple[float, ...]
    two_sided: bool = False  # whether the formula is for -∞ < Ω < ∞; it is doubled then

    def __post_init__(self) -> None:
        for name in ("numerator", "denominator"):
            given = getattr(self, name)
            right = isinstance(given, list | tuple) and given and all(isinstance(c, int | float) for c in given)
            if not right or not all(map(math.isfinite, given)) or not any(given):
                raise Where(field=name).error(
                    f"found {name} {given!r}, expected coefficients of Ω⁰, Ω², Ω⁴ …, not all zero"
                )
            object.__setattr__(self, name, tuple(map(float, given)))

    def density(self, omega: ArrayLike) -> Array:
        """Return S at wavenumbers Ω (...) [rad/m]."""
        square = np.asarray(omega, dtype=float) ** 2
        above, below = (sum(c * square**k for k, c in enumerate(part)) for part in (self.numerator, self.denominator))
        return np.asarray((2.0 if self.two_sided else 1.0) * above / below)


@short_repr
@dataclass(frozen=True, eq=False)
class SpectrumTable:
    """Densities (n,) at wavenumbers omega (n,), straight between them on logarithmic axes, zero outside."""

    omega: ArrayLike  # increasing [rad/m], or [1/m] with `cycles`
    values: ArrayLike  # positive [m²/(rad/m)], or [m²/(1/m)] with `cycles`
    two_sided: bool = False
    cycles: bool = False

    def __post_init__(self) -> None:
        omega, values = (np.array(part, dtype=float) for part in (self.omega, self.values))
        if omega.ndim != 1 or omega.shape != values.shape or omega.size < 2:
            raise Where(field="values").error(
                f"found {omega.size} wavenumbers and {values.size} densities, expected as many of both, two or more"
            )
        if not ((omega > 0) & np.isfinite(omega)).all() or (np.diff(omega) <= 0).any():
            raise Where(field="omega").error("found wavenumbers that are not positive and increasing")
        if not ((values > 0) & np.isfinite(values)).all():
            raise Where(field="values").error("found densities that are not positive")
        object.__setattr__(self, "omega", omega)
        object.__setattr__(self, "values", values)

    def density(self, omega: ArrayLike) -> Array:
        """Return S at wavenumbers Ω (...) [rad/m]."""
        scale = 2 * np.pi if self.cycles else 1.0
        with np.errstate(divide="ignore"):
            asked = np.log(np.asarray(omega, dtype=float) / scale)
        known = np.log(np.asarray(self.omega))
        found = np.exp(np.interp(asked, known, np.log(np.asarray(self.values))))
        found = np.where((asked < known[0]) | (asked > known[-1]), 0.0, found)
        return found * (2.0 if self.two_sided else 1.0) / scale


AnySpectrum: TypeAlias = Spectrum | SpectrumTable


def read_spectrum(path: str | Path, *, two_sided: bool = False) -> SpectrumTable:
    """Read a table with columns `omega` [rad/m] or `wavenumber` [1/m], and `density` over that."""
    table = read_columns(path, ("omega", "wavenumber", "density"))
    table.require_complete(*table.values)
    names = set(table.values)
    if names not in ({"omega", "density"}, {"wavenumber", "density"}):
        raise table.error(0, f"found columns {', '.join(table.values)}; expected omega or wavenumber, and density")
    x = table.values["wavenumber" if "wavenumber" in names else "omega"]
    return SpectrumTable(x, table.values["density"], two_sided, "wavenumber" in names)


@dataclass(frozen=True)
class QualityClass:
    """Spectra of a class of track quality, and the wavelengths they hold for."""

    name: str
    spectra: Mapping[str, Spectrum]
    wavelengths: tuple[float, float]  # [m]


def _erri(name: str, vertical: float, lateral: float, gauge: float) -> QualityClass:
    """ERRI B176: S = A Ω_c² / ((Ω² + Ω_r²)(Ω² + Ω_c²)), one-sided; A in m² rad/m.

    B176 gives the cross level as an angle, S_v Ω² / (b² (Ω² + Ω_s²)) with half the distance b of the rails; here it is
    the difference of heights, (2 b)² times that. The gauge is that of the German spectra of the same form.
    """
    c, r, s = (wave**2 for wave in (0.8246, 0.0206, 0.4380))
    slow = (r * c, r + c, 1.0)
    steep = (r * c * s, r * c + (r + c) * s, r + c + s, 1.0)
    spectra = {
        "vertical": Spectrum((vertical * c,), slow),
        "lateral": Spectrum((lateral * c,), slow),
        "cross_level": Spectrum((0.0, 4.0 * vertical * c), steep),
        "gauge": Spectrum((0.0, gauge * c), steep),
    }
    return QualityClass(name, MappingProxyType(spectra), (3.0, 100.0))


def _fra(number: int, vertical: float, lateral: float, corner: float) -> QualityClass:
    """FRA: S = k A Ω_c² / (Ω² (Ω² + Ω_c²)), k = 1/4; cross level, gauge 4 k A_v Ω_c² / ((Ω² + Ω_c²)(Ω² + Ω_s²)).

    One-sided; A in cm² rad/m.
    """
    c, s, unit = 0.8245**2, corner**2, 0.25e-4
    across = Spectrum((4.0 * unit * vertical * c,), (c * s, c + s, 1.0))
    spectra = {
        "vertical": Spectrum((unit * vertical * c,), (0.0, c, 1.0)),
        "lateral": Spectrum((unit * lateral * c,), (0.0, c, 1.0)),
        "cross_level": across,
        "gauge": across,
    }
    return QualityClass(f"FRA {number}", MappingProxyType(spectra), (1.524, 304.8))


#: by name; "ERRI low" is also found as "erri-low"
CLASSES: Mapping[str, QualityClass] = MappingProxyType(
    {
        one.name: one
        for one in (
            _erri("ERRI low", 4.032e-7, 2.119e-7, 0.532e-7),
            _erri("ERRI high", 1.08e-6, 6.125e-7, 1.032e-7),
            _fra(1, 1.2107, 3.3634, 0.6046),
            _fra(2, 1.0181, 1.2107, 0.9308),
            _fra(3, 0.6816, 0.4128, 0.8520),
            _fra(4, 0.5376, 0.3027, 1.1312),
            _fra(5, 0.2095, 0.0762, 0.8209),
            _fra(6, 0.0339, 0.0339, 0.4380),
        )
    }
)


def quality_class(name: str) -> QualityClass:
    """Return a class by its name; case, blanks and hyphens do not matter."""

    def plain(word: str) -> str:
        return "".join(sign for sign in word.lower() if sign.isalnum())

    found = {plain(known): one for known, one in CLASSES.items()}.get(plain(str(name)))
    if found is None:
        raise Where(field="quality").error(
            f"unknown class '{name}'{did_you_mean(str(name), CLASSES)}", missing=str(name)
        )
    return found
