"""What wavelengths the irregularities of a track hold, beside the spectra they were drawn from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from floatframe.arrays import Array, short_repr
from floatframe.railway.track.irregularities import Irregularity
from floatframe.railway.track.track import Track
from floatframe.signals import psd

_SHORTEST = 64  # values of a table that has a spectrum
_STRIPS = 4000  # of an integral over wavenumbers


@short_repr
@dataclass(frozen=True, eq=False)
class RailSpectrum:
    """One-sided density (n,) of a quantity [m²/(rad/m)] at wavenumbers omega (n,) [rad/m], by the method of Welch."""

    quantity: str
    omega: Array
    density: Array
    target: Array  # (n,) what it was drawn from, zero where nothing was
    pieces: int  # of the mean
    rms: float  # of the quantity [m]
    peak: float  # its largest magnitude [m]
    target_rms: float  # [m]; zero without a target


def rail_spectra(track: Track, segment: float | None = None) -> dict[str, RailSpectrum]:
    """Return the spectra of what is irregular, from pieces of `segment` metres (default: 2/9 of all)."""
    rails = track.rails
    found = {}
    for quantity, value in rails.quantities.items():
        if len(value) < _SHORTEST or not value.any():
            continue
        power = psd(rails.s, value, segment)
        omega = 2 * np.pi * power.frequency[1:]
        found[quantity] = RailSpectrum(
            quantity,
            omega,
            power.density[1:] / (2 * np.pi),
            target_density(track, quantity, omega),
            power.pieces,
            float(np.sqrt(np.mean(value**2))),
            float(np.abs(value).max()),
            _target_rms(track, quantity),
        )
    return found


def target_density(track: Track, quantity: str, omega: ArrayLike) -> Array:
    """Return the sum of the spectra that a quantity is drawn from [m²/(rad/m)] at wavenumbers [rad/m]."""
    omega = np.asarray(omega, dtype=float)
    total = np.zeros_like(omega)
    for one in _drawn(track, quantity):
        inside = (omega >= 2 * np.pi / one.wavelengths[1]) & (omega <= 2 * np.pi / one.wavelengths[0])
        total[inside] += one.scale**2 * one.spectra[quantity].density(omega[inside])
    return total


def _target_rms(track: Track, quantity: str) -> float:
    total = 0.0
    for one in _drawn(track, quantity):
        omega = 2 * np.pi / np.geomspace(one.wavelengths[1], one.wavelengths[0], _STRIPS)
        total += float(one.scale**2 * np.trapezoid(one.spectra[quantity].density(omega), omega))
    return float(np.sqrt(total))


def _drawn(track: Track, quantity: str) -> list[Irregularity]:
    """Return the random irregularities of a quantity."""
    given = (one for one in track.irregularities if isinstance(one, Irregularity))
    return [one for one in given if quantity in one.spectra]
