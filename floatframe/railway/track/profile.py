"""A quantity along the track, piece by piece: curvature, cant, gauge or gradient over the distance s [m].

Every piece is c0 + c1 d + c2 d² + c3 d³ + a cos(k d) + b sin(k d) over the distance d from its left end, so that ramps
of all shapes have one formula, exact derivatives and an exact integral.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from floatframe.arrays import Array, short_repr

#: shapes of a ramp between two values
LINEAR, COSINE, BLOSS = "linear", "cosine", "bloss"
_SAME = 1e-12  # difference of values, relative to the largest, that comes from rounding
_SHARE = 0.45  # of a piece that the rounding of one of its ends may take


class Ramp(NamedTuple):
    """A piece of a profile: its length [m], the values at its ends, the shape between them."""

    length: float
    start: float
    end: float
    shape: str = LINEAR


@short_repr
@dataclass(frozen=True, eq=False)
class Profile:
    """A quantity over the distance; before the first and behind the last piece it stays what it is there."""

    s: Array  # (n + 1,) ends of the pieces [m]
    pieces: Array  # (n, 7) coefficients about the left ends

    @classmethod
    def of_ramps(cls, start: float, ramps: Sequence[Ramp]) -> Profile:
        """Return the profile of ramps one behind the other, from the distance `start` [m]; empty ones are left out."""
        kept = [ramp for ramp in ramps if ramp.length > 0.0]
        s = start + np.concatenate([[0.0], np.cumsum([ramp.length for ramp in kept])])
        return cls(s, np.array([_coefficients(ramp) for ramp in kept]))

    def __call__(self, s: ArrayLike, order: int = 0) -> Array:
        """Return the value (order 0) or a derivative by s at distances s; at the end of a piece that of the next."""
        s = np.asarray(s, dtype=float)
        return values(self.about(s), np.zeros_like(s), order)

    def about(self, s: ArrayLike, inside: ArrayLike | None = None) -> Array:
        """Return the coefficients (..., 7) of pieces about distances s: of those that begin or go on there.

        inside: distances in the pieces that are meant, where s may differ from their ends by rounding.
        """
        s = np.asarray(s, dtype=float)
        at = s if inside is None else np.asarray(inside, dtype=float)
        index = np.clip(np.searchsorted(self.s, at, side="right") - 1, 0, len(self.pieces) - 1)
        c = shifted(self.pieces[index], np.clip(s, self.s[0], self.s[-1]) - self.s[index])
        outside = (at < self.s[0]) | (at >= self.s[-1])
        c[outside, 0] += c[outside, 4]
        c[outside, 1:] = 0.0
        return c

    @cached_property
    def sides(self) -> tuple[Array, Array]:
        """Values (n + 1, 2) just before and behind the ends of the pieces, and slopes likewise."""
        length = np.diff(self.s)
        left, right = ([values(self.pieces, d, order) for order in (0, 1)] for d in (np.zeros_like(length), length))
        value, slope = (
            np.column_stack([np.r_[begin[0], end], np.r_[begin, end[-1]]])
            for begin, end in zip(left, right, strict=True)
        )
        slope[0, 0] = slope[-1, 1] = 0.0  # outside the value is held
        return value, slope

    @property
    def jumps(self) -> Array:
        """Distances (m,) [m] where the value jumps."""
        value, _ = self.sides
        return self.s[np.abs(value[:, 1] - value[:, 0]) > _SAME * max(np.abs(value).max(), 1e-9)]

    def rounded(self, length: float) -> Profile:
        """Return the profile with its kinks rounded over a length [m], less where pieces are shorter.

        Two straight ramps meet in a parabola, others in a cubic with their values and slopes.
        """
        value, slope = self.sides
        size = max(np.abs(value).max(), 1e-9)
        smooth = np.abs(value[:, 1] - value[:, 0]) <= _SAME * size
        bent = np.abs(slope[:, 1] - slope[:, 0]) > _SAME * size
        spans = np.r_[np.inf, np.diff(self.s), np.inf]
        half = np.minimum(0.5 * length, _SHARE * np.minimum(spans[:-1], spans[1:]))
        half[~(smooth & bent)] = 0.0
        s = np.unique(np.concatenate([self.s - half, self.s + half]))
        pieces = self.about(s[:-1])
        for knot, reach in zip(self.s[half > 0], half[half > 0], strict=True):
            ends = np.array([knot - reach, knot + reach])
            v, m = self(ends), self(ends, 1)
            pieces[np.searchsorted(s, ends[0])] = _cubic(2 * reach, v, m)
        return Profile(s, pieces)


def values(c: Array, d: Array, order: int = 0) -> Array:
    """Return pieces (..., 7) (order 0), a derivative by d (1, 2, 3), or the integral from 0 (-1) at d (...)."""
    c0, c1, c2, c3, a, b, k = np.moveaxis(c, -1, 0)
    cos, sin = np.cos(k * d), np.sin(k * d)
    if order == -1:
        wave = np.where(k > 0, k, 1.0)
        waves = (a * sin + b * (1.0 - cos)) / wave + np.where(k > 0, 0.0, a * d)
        return d * (c0 + d * (c1 / 2 + d * (c2 / 3 + d * c3 / 4))) + waves
    if order == 0:
        return c0 + d * (c1 + d * (c2 + d * c3)) + a * cos + b * sin
    if order == 1:
        return c1 + d * (2 * c2 + d * 3 * c3) + k * (b * cos - a * sin)
    if order == 2:
        return 2 * c2 + d * 6 * c3 - k**2 * (a * cos + b * sin)
    return 6 * c3 - k**3 * (b * cos - a * sin)


def shifted(c: Array, by: Array) -> Array:
    """Return pieces (..., 7) about points that lie `by` (...) farther [m]."""
    c0, c1, c2, c3, a, b, k = np.moveaxis(c, -1, 0)
    cos, sin = np.cos(k * by), np.sin(k * by)
    return np.stack(
        [
            c0 + by * (c1 + by * (c2 + by * c3)),
            c1 + by * (2 * c2 + by * 3 * c3),
            c2 + by * 3 * c3,
            c3,
            a * cos + b * sin,
            b * cos - a * sin,
            k,
        ],
        axis=-1,
    )


def _coefficients(ramp: Ramp) -> Array:
    """Return the coefficients (7,) of a ramp about its start."""
    rise, length = ramp.end - ramp.start, ramp.length
    if rise == 0.0 or ramp.shape == LINEAR:
        return np.array([ramp.start, rise / length, 0, 0, 0, 0, 0])
    if ramp.shape == COSINE:
        return np.array([ramp.start + rise / 2, 0, 0, 0, -rise / 2, 0, np.pi / length])
    return np.array([ramp.start, 0, 3 * rise / length**2, -2 * rise / length**3, 0, 0, 0])


def _cubic(length: float, v: Array, m: Array) -> Array:
    """Return the cubic (7,) with values v (2,) and slopes m (2,) at its ends."""
    secant = (v[1] - v[0]) / length
    c2, c3 = (3 * secant - 2 * m[0] - m[1]) / length, (m[0] + m[1] - 2 * secant) / length**2
    return np.array([v[0], m[0], c2, c3, 0, 0, 0])
