"""The smooth track: its profiles over the distance, and the table of stations that places are looked up in."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from floatframe.arrays import Array, frozen, short_repr
from floatframe.errors import ModelError
from floatframe.railway.track.kernels import STATION
from floatframe.railway.track.profile import Profile, values

BEYOND = 500.0  # curvature, cant and gradient go on so far at both ends, behind that the track is straight [m]
_LONGEST = 5.0  # of a station [m]
_TURN, _WAVE = 0.05, 0.1  # most turn and share of a cosine within a station [rad]; places are then right to 1e-9 m
_LEAST = 4  # stations where the curvature changes
_MOST = 5_000_000  # stations
_BISECTIONS = 60
_GAUSS = np.polynomial.legendre.leggauss(8)


@short_repr
@dataclass(frozen=True, eq=False)
class Layout:
    """Profiles over the distance s along the track in plan [m], which begins at the origin of the world along x."""

    curvature: Profile  # in plan [1/m], positive to the left
    cant: Profile  # right rail over left [m]
    gauge: Profile  # [m]
    gradient: Profile  # rise over run
    start: float  # [m]
    end: float  # [m]
    rail_distance: float = 1.5  # between the middles of the rail heads, to which the cant refers [m]
    lifted: bool = False  # whether the lower rail stays on the grade line; else the middle does

    @property
    def length(self) -> float:
        """In plan [m]."""
        return self.end - self.start

    @cached_property
    def stations(self) -> Array:
        """Pieces of the layout as `kernels.STATION` records; the last one is the end of the table."""
        s = self._ends()
        table = np.zeros(len(s), STATION)
        table["s"] = s
        h = np.diff(s)
        middle = np.append(s[:-1] + 0.5 * h, s[-1] + 1.0)
        for name in ("curvature", "cant", "gauge", "gradient"):
            table[name] = getattr(self, name).about(s, middle)
        if self.lifted:
            table["lift"] = 0.5 * np.sign(self.cant(middle))
        begin = int(np.searchsorted(s, self.start))
        table["heading"] = _summed(values(table["curvature"][:-1], h, -1), begin)
        table["height"] = _summed(values(table["gradient"][:-1], h, -1), begin)
        # integrals of cosine and sine of the heading within every station, then the polynomials between
        nodes, weights = _GAUSS
        d = 0.5 * h[:, None] * (1.0 + nodes)
        turned = table["heading"][:-1, None] + values(table["curvature"][:-1, None], d, -1)
        heading = table["heading"][:-1], table["heading"][1:]
        bends = table["curvature"][:-1], h
        ends = values(bends[0], np.zeros_like(h)), values(*bends)
        for name, first, second in (("x", np.cos, -np.sin(heading)), ("y", np.sin, np.cos(heading))):
            way = 0.5 * h * (first(turned) @ weights)
            slopes = first(heading[0]), first(heading[1])
            curves = ends[0] * second[0], ends[1] * second[1]
            table[name][:-1] = _quintic(h, way, slopes, curves)
            table[name][:, 0] = _summed(way, begin)
        return frozen(table)

    @property
    def kinks(self) -> Array:
        """Distances (m,) [m] where the other rail becomes the lower one that stays on the grade line."""
        lift = self.stations["lift"]
        return self.stations["s"][1:][lift[1:] * lift[:-1] < 0.0]

    def _ends(self) -> Array:
        """Ends (n + 1,) of stations: of all pieces of profiles, and between so that they are short."""
        first, last = self.start - BEYOND, self.end + BEYOND
        profiles = (self.curvature, self.cant, self.gauge, self.gradient)
        marks = np.concatenate([[first, self.start, self.end, last], *(one.s for one in profiles)])
        marks = _apart(np.sort(marks[(marks >= first) & (marks <= last)]))
        if self.lifted:
            marks = _apart(np.sort(np.r_[marks, _sign_changes(self.cant, marks)]))
        sharpest = float(np.abs(self.curvature.sides[0]).max())
        pieces = self.curvature.about(marks[:-1], 0.5 * (marks[:-1] + marks[1:]))
        waves, least = pieces[:, 6], np.where(pieces[:, 1:6].any(axis=1), _LEAST, 1)
        longest = np.minimum(_LONGEST, np.minimum(_TURN / max(sharpest, 1e-9), _WAVE / np.maximum(waves, 1e-9)))
        needed = np.maximum(np.ceil(np.diff(marks) / longest), least)
        if not needed.sum() <= _MOST:
            raise ModelError(
                f"track: {needed.sum():.3g} stations would be needed for {self.length:g} m, expected {_MOST} at most; "
                "check its lengths, radii and irregularities"
            )
        counts = needed.astype(int).tolist()
        parts = [np.linspace(a, b, n, endpoint=False) for a, b, n in zip(marks[:-1], marks[1:], counts, strict=True)]
        return np.concatenate([*parts, [last]])

    def station_of(self, s: ArrayLike) -> tuple[Array, Array, Array]:
        """Return for distances s: the records they lie in, how far behind the beginning, how far beyond the table."""
        s = np.asarray(s, dtype=float)
        table = self.stations
        held = np.clip(s, table["s"][0], table["s"][-1])
        index = np.clip(np.searchsorted(table["s"], held, side="right") - 1, 0, len(table) - 2)
        return table[index], held - table["s"][index], s - held


def _summed(parts: Array, begin: int) -> Array:
    """Return running sums (n + 1,) of parts (n,) that are zero at an index."""
    total = np.concatenate([[0.0], np.cumsum(parts)])
    return total - total[begin]


def _apart(marks: Array) -> Array:
    """Return increasing distances without those that differ by rounding only."""
    return marks[np.r_[True, np.diff(marks) > 1e-9 * max(1.0, np.abs(marks).max())]]


def _sign_changes(profile: Profile, marks: Array) -> Array:
    """Return where a profile changes its sign between neighbouring marks, halved down to rounding."""
    inner = np.concatenate([np.linspace(a, b, 9)[:-1] for a, b in pairwise(marks)])
    value = profile(inner)
    crossing = np.flatnonzero(np.sign(value[:-1]) != np.sign(value[1:]))
    low, high = inner[crossing], inner[crossing + 1]
    for _ in range(_BISECTIONS):
        middle = 0.5 * (low + high)
        same = profile(middle) * profile(low) > 0.0
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    return low


def _quintic(h: Array, way: Array, slopes: tuple[Array, Array], curves: tuple[Array, Array]) -> Array:
    """Return polynomials (n, 6) from 0 to `way` over h, with slopes and second derivatives at both ends."""
    (m0, m1), (k0, k1) = slopes, curves
    a = way - m0 * h - 0.5 * k0 * h**2
    b = (m1 - m0 - k0 * h) * h
    c = (k1 - k0) * h**2
    third, fourth, fifth = 10 * a - 4 * b + c / 2, 7 * b - 15 * a - c, 6 * a - 3 * b + c / 2
    return np.stack([np.zeros_like(h), m0, k0 / 2, third / h**3, fourth / h**4, fifth / h**5], axis=-1)
