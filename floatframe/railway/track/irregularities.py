"""Irregularities of a track: drawn at random from spectra, measured, or single faults.

Each is asked for its quantities at distances in equal steps; see `spectra.QUANTITIES` for their names and signs.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np

from floatframe.arrays import Array, short_repr
from floatframe.errors import Where
from floatframe.railway.track.columns import read_columns
from floatframe.railway.track.sections import checked_choice, checked_length, checked_number
from floatframe.railway.track.spectra import QUANTITIES, AnySpectrum, quality_class
from floatframe.wording import did_you_mean

#: of single rails: upward and to the left
OF_RAILS = ("left_vertical", "right_vertical", "left_lateral", "right_lateral")
FAULT_KINDS = ("dip", "joint", "switch")
#: what is done where a measured record is shorter than the track
WHERE_SHORT = ("error", "zero", "repeat")
PER_WAVE = 12  # steps of the table in the shortest wavelength
PER_FAULT = 40  # steps in a fault
_LEAST_PERIOD = 10.0  # of random irregularities, in the longest wavelengths
_MOST_OWN = 2**25  # values of their own
_OWN_PER_WAVE = 24  # steps of their own in the shortest: a spline through them is right to 1e-5 of a wave


@short_repr
@dataclass(frozen=True, eq=False)
class Irregularity:
    """Random irregularities with given spectra: sums of waves with random phases, the same for the same seed.

    They are stationary with the spectrum between two wavelengths; `start` and `end` limit where they are, `fade` is the
    length over which they grow and vanish there.
    """

    spectra: Mapping[str, AnySpectrum]  # by quantity
    wavelengths: tuple[float, float] = (3.0, 100.0)  # shortest and longest [m]
    seed: int = 0
    scale: float = 1.0  # of the heights
    start: float | None = None  # [m] (default: that of the track)
    end: float | None = None
    fade: float = 0.0  # [m]
    name: str = "spectrum"

    def __post_init__(self) -> None:
        _require_quantities(self.spectra, QUANTITIES, "spectra")
        given = self.wavelengths
        if not (isinstance(given, list | tuple) and len(given) == 2 and 0 < given[0] < given[1] < math.inf):
            raise Where(field="wavelengths").error(
                f"found wavelengths {given!r}, expected the shortest and longest [m]"
            )
        if not isinstance(self.seed, int) or isinstance(self.seed, bool) or self.seed < 0:
            raise Where(field="seed").error(f"found seed {self.seed!r}, expected a whole number from 0")
        checked_number(self.scale, "scale", 0.0, True)
        checked_length(self.fade, "fade", zero=True)
        object.__setattr__(self, "wavelengths", (float(given[0]), float(given[1])))

    @classmethod
    def of_class(
        cls,
        quality: str,
        quantities: Sequence[str] = QUANTITIES,
        wavelengths: tuple[float, float] | None = None,
        seed: int = 0,
        scale: float = 1.0,
        start: float | None = None,
        end: float | None = None,
        fade: float = 0.0,
    ) -> Irregularity:
        """Return the irregularities of a class: "ERRI low", "ERRI high", "FRA 1" … "FRA 6"."""
        found = quality_class(quality)
        _require_quantities(quantities, QUANTITIES, "quantities")
        spectra = {name: found.spectra[name] for name in quantities}
        return cls(spectra, wavelengths or found.wavelengths, seed, scale, start, end, fade, found.name)

    @property
    def longest_step(self) -> float:
        """Of a table that shows it [m]."""
        return self.wavelengths[0] / PER_WAVE

    def sampled(self, s: Array) -> dict[str, Array]:
        """Return the quantities at distances s (n,) in equal steps [m]."""
        from scipy.interpolate import CubicSpline

        shortest, longest = self.wavelengths
        # powers of two, so that neither the step nor a little more length changes the irregularities
        period = 2.0 ** math.ceil(math.log2(max(float(s[-1] - s[0]), _LEAST_PERIOD * longest)))
        step = 2.0 ** math.floor(math.log2(shortest / _OWN_PER_WAVE))
        count = round(period / step)
        if count > _MOST_OWN:
            raise Where(field="wavelengths").error(
                f"found wavelengths from {shortest:g} to {longest:g} m on {float(s[-1] - s[0]):g} m, which take "
                f"{count:.3g} values, expected {_MOST_OWN:.3g} at most; give a shorter longest one"
            )
        omega = 2 * np.pi * np.fft.rfftfreq(count, step)
        own = float(s[0]) + step * np.arange(count + 1)
        inside = (omega >= 2 * np.pi / longest) & (omega <= 2 * np.pi / shortest)
        around = self._window(s)
        found = {}
        for name, spectrum in self.spectra.items():
            random = np.random.Generator(np.random.PCG64([self.seed, QUANTITIES.index(name)]))
            phase = 2 * np.pi * random.random(len(omega))  # those of long waves first
            size = np.zeros(len(omega))
            size[inside] = np.sqrt(2 * spectrum.density(omega[inside]) * omega[1])
            waves = np.fft.irfft(0.5 * count * size * np.exp(1j * phase), count)
            curve = CubicSpline(own, np.append(waves, waves[0]), bc_type="periodic")
            found[name] = self.scale * around * curve(s)
        return found

    def _window(self, s: Array) -> Array:
        """Return 1 where the irregularities are, 0 outside, half a cosine between."""
        first = s[0] if self.start is None else self.start
        last = s[-1] if self.end is None else self.end
        if last <= first:
            raise Where(field="end").error(f"the irregularities begin at {first:g} m and end at {last:g} m")
        inside = np.minimum(s - first, last - s)
        if self.fade == 0.0:
            return np.where(inside >= 0.0, 1.0, 0.0)
        return 0.5 - 0.5 * np.cos(np.pi * np.clip(inside / self.fade, 0.0, 1.0))


@short_repr
@dataclass(frozen=True, eq=False)
class Measured:
    """Irregularities as measured: values (n,) by quantity, or of single rails, at increasing distances s (n,) [m]."""

    s: Array
    values: Mapping[str, Array]  # [m]
    beyond: str = "error"  # where the track is longer: refuse it, "zero", or "repeat" the record
    scale: float = 1.0
    name: str = "measured"

    def __post_init__(self) -> None:
        _require_quantities(self.values, (*QUANTITIES, *OF_RAILS), "values")
        checked_choice(self.beyond, "beyond", WHERE_SHORT)
        s = np.asarray(self.s, dtype=float)
        if s.ndim != 1 or s.size < 4 or (np.diff(s) <= 0).any():
            raise Where(field="s").error(f"found {s.size} distances, expected four or more that increase")
        for name, value in self.values.items():
            if np.shape(value) != s.shape or not np.isfinite(value).all():
                raise Where(field="values").error(
                    f"found {name} of shape {np.shape(value)}, expected {s.shape}, finite"
                )

    @property
    def longest_step(self) -> float:
        """Of a table that shows it [m]."""
        return float(np.diff(self.s).min())

    def sampled(self, s: Array) -> dict[str, Array]:
        """Return the quantities at distances s (n,) [m], by a cubic spline through the values."""
        from scipy.interpolate import CubicSpline

        first, last = float(self.s[0]), float(self.s[-1])
        outside = (s < first - 1e-9) | (s > last + 1e-9)
        if self.beyond == "error" and outside.any():
            raise Where(field="beyond").error(
                f"the irregularities '{self.name}' cover {first:g} … {last:g} m, the track {s[0]:g} … {s[-1]:g} m; "
                'give a longer record, or beyond = "zero" or "repeat"'
            )
        at = first + (s - first) % (last - first) if self.beyond == "repeat" else np.clip(s, first, last)
        keep = np.where(outside, 0.0, 1.0) if self.beyond == "zero" else 1.0
        return {name: self.scale * keep * CubicSpline(self.s, value)(at) for name, value in self.values.items()}


@dataclass(frozen=True)
class Fault:
    """A single fault of the rails about a place.

    "dip": the rails sink by `depth` within `length`, as one wave of a cosine; "joint": they dip with a kink in the
    middle, z = -depth (1 - |x|)², x from -1 to 1, so that the rail ends meet at an angle of 8 depth / length; "switch":
    one rail bends outward by `depth` over `length` and comes back on the last fifth, as a wheel meets it that passes
    from the stock rail on to the blade.
    """

    kind: str
    at: float  # middle of a dip or joint, beginning of a switch [m]
    depth: float  # [m]; negative: a bump, or a narrowing
    length: float  # [m]
    rail: str = "both"

    def __post_init__(self) -> None:
        checked_choice(self.kind, "kind", FAULT_KINDS)
        checked_number(self.at, "at", -math.inf, False, "m")
        checked_number(self.depth, "depth", -math.inf, False, "m")
        checked_length(self.length, "length")
        checked_choice(self.rail, "rail", ("both", "left", "right"))
        if self.kind == "switch" and self.rail == "both":
            raise Where(field="rail").error('a switch has its blade at one rail; expected rail "left" or "right"')

    @property
    def name(self) -> str:
        """In words."""
        return f"{self.kind} at {self.at:g} m"

    @property
    def longest_step(self) -> float:
        """Of a table that shows it [m]."""
        return self.length / PER_FAULT

    def sampled(self, s: Array) -> dict[str, Array]:
        """Return the quantities at distances s (n,) [m]."""
        before = 0.0 if self.kind == "switch" else 0.5 * self.length
        if not s[0] - self.length < self.at - before < s[-1]:
            raise Where(field="at").error(
                f"the {self.name} is outside the track, which goes from {s[0]:g} to {s[-1]:g} m"
            )
        if self.kind == "switch":
            u = (s - self.at) / self.length
            outward = self.depth * np.interp(u, [0.0, 0.8, 1.0], [0.0, 1.0, 0.0])
            return {f"{self.rail}_lateral": outward if self.rail == "left" else -outward}
        x = np.clip(2 * (s - self.at) / self.length, -1.0, 1.0)
        down = 0.5 * (1 + np.cos(np.pi * x)) if self.kind == "dip" else (1 - np.abs(x)) ** 2
        rails = ("left", "right") if self.rail == "both" else (self.rail,)
        return {f"{rail}_vertical": -self.depth * down for rail in rails}


AnyIrregularity: TypeAlias = Irregularity | Measured | Fault


def read_measured(path: str | Path, beyond: str = "error", scale: float = 1.0) -> Measured:
    """Read measured irregularities from a text file with headings: `s` or `km`, and quantities, e.g. vertical [mm]."""
    table = read_columns(path, ("s", "km", *QUANTITIES, *OF_RAILS))
    table.require_complete(*table.values)
    values = dict(table.values)
    if ("s" in values) == ("km" in values):
        raise table.error(0, f"found columns {', '.join(values)}; expected one of 's' and 'km'")
    s = values.pop("s") if "s" in values else 1e3 * values.pop("km")
    if (back := np.flatnonzero(np.diff(s) <= 0)).size:
        k = int(back[0])
        raise table.error(k + 1, f"the distance {s[k + 1]:g} m follows {s[k]:g} m, expected increasing ones")
    return Measured(s, values, beyond, scale, Path(path).name)


def _require_quantities(given: Sequence[str] | Mapping[str, object], known: Sequence[str], field: str) -> None:
    if not given:
        raise Where(field=field).error(f"found no quantity, expected one or more of {', '.join(known)}")
    for name in given:
        if name not in known:
            raise Where(field=field).error(f"unknown quantity '{name}'{did_you_mean(name, known)}", missing=name)
