"""Slopes of the laws of force elements, each at the scale of its own law, and where a law has a corner.

A contact may be pressed in by a micrometre, a table may have a corner a millimetre away, friction may grow within
1e-3 m/s: no step suits all elements. Every law is sampled on both sides of the state at a ladder of steps, each a
quarter of the one before. Differences are used only at steps at which the slopes of the two sides agree; if they agree
at none, the state lies on a corner or a jump of the law, and the slopes of both sides are the result.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from floatframe.arrays import Array, BoolArray

LONGEST_STEP = 4e-3  # in natural units: rounding and truncation of smooth forces both stay near 1e-13
RATIO = 4.0
LEVELS = 16  # down to 4e-12: nearer corners are lost in the rounding of the coordinates
AGREE = 1e-4  # slopes of both sides differ by less, as a share of them, where a law is smooth
JUMP = 1e-2  # likewise what the law jumps by, over the step
CROSS_TALK = 1e-9  # slopes of this share of the element's largest one are rounding of its measure
EPS = float(np.finfo(float).eps)

# forces and torques (ne, 6), and what the element measures (ne,), after a step (n,)
Law = Callable[[Array], tuple[Array, Array]]


@dataclass(frozen=True)
class Slopes:
    """Derivatives (ne, 6, n) of element forces by n variables; where a law has a corner, on both sides of it.

    `up` belongs to a growing measure of the element (elongation, penetration, joint coordinate, or its rate), `down`
    to a falling one; elements without such a measure are steeper on the side `up`.
    """

    up: Array
    down: Array
    error: Array  # estimated
    corner: BoolArray  # (ne,)
    rising: Array  # (ne, n) sign of the change of the measure with each variable, 0 where there is none

    def side(self, sign: int) -> Array:
        return self.up if sign > 0 else self.down


def element_slopes(law: Law, units: Array, lever: float, measured: BoolArray, quick: bool = False) -> Slopes:
    """Slopes of the laws at zero; units (n,) are large changes of the variables, lever [m] weighs torques.

    measured (ne,): elements whose measure decides about the sides. quick: three digits are enough, as in an iteration.
    """
    here, _ = law(np.zeros(len(units)))
    ne, n = here.shape[0], len(units)
    up, down, error = (np.zeros((ne, 6, n)) for _ in range(3))
    corner, rising = np.zeros(ne, dtype=bool), np.zeros((ne, n))
    if not ne:
        return Slopes(up, down, error, corner, rising)
    weight = np.array([1.0, 1.0, 1.0, *(3 * [1.0 / lever])])
    steps = LONGEST_STEP / RATIO ** np.arange(LEVELS)
    first = 3 if quick else 5
    ladders = [_Ladder(law, j, units[j], n) for j in range(n)]
    for ladder in ladders:
        ladder.sample(steps[:first])
    largest = np.zeros(ne)  # slope of each element over a unit of any variable
    for ladder in ladders:
        steepest = ladder.unit * ladder.sides(weight)[2].max(axis=0)
        largest = np.maximum(largest, np.where(np.isfinite(steepest), steepest, 0.0))
    for ladder in ladders:
        if not ladder.settled(weight, largest, 1e-5 if quick else 1e-9).all():
            ladder.sample(steps[first:])
        rising[:, ladder.j] = np.where(measured, ladder.measure, 0.0)
        column = ladder.chosen(weight, largest, rising[:, ladder.j])
        up[:, :, ladder.j], down[:, :, ladder.j], error[:, :, ladder.j] = column[:3]
        corner |= column[3]
    return Slopes(up, down, error, corner, rising)


class _Ladder:
    """Samples of all elements along one variable."""

    def __init__(self, law: Law, j: int, unit: float, n: int) -> None:
        self.law, self.j, self.unit, self.n = law, j, float(unit), n
        self.h = np.zeros(0)
        self.plus, self.minus = np.zeros(0), np.zeros(0)  # (level, ne, 6)
        self.measure = np.zeros(0)  # (ne,) sign of the change of the measure along the variable

    def sample(self, steps: Array) -> None:
        """Add shorter steps, given in units."""
        plus, minus = [], []
        for h in self.unit * steps:
            step = np.zeros(self.n)
            step[self.j] = h
            (ahead, high), (behind, low) = self.law(step), self.law(-step)
            plus.append(ahead)
            minus.append(behind)
            if not len(self.measure):
                change = np.asarray(high - low)
                rounding = 1e3 * EPS * (np.abs(high) + np.abs(low))
                self.measure = np.where(np.abs(change) > rounding, np.sign(change), 0.0)
        old = len(self.h)
        self.h = np.concatenate((self.h, self.unit * steps))
        self.plus = np.concatenate((self.plus, plus)) if old else np.array(plus)
        self.minus = np.concatenate((self.minus, minus)) if old else np.array(minus)

    def sides(self, weight: Array) -> tuple[Array, Array, Array]:
        """Slopes ahead and behind (level, ne, 6) from points of one side each, and the size of the larger."""
        width = (self.h[:-1] - self.h[1:])[:, None, None]
        ahead, behind = (self.plus[:-1] - self.plus[1:]) / width, (self.minus[1:] - self.minus[:-1]) / width
        ahead, behind = ((RATIO * s[1:] - s[:-1]) / (RATIO - 1.0) for s in (ahead, behind))
        return ahead, behind, np.maximum(_norm(ahead, weight), _norm(behind, weight))

    def smooth(self, weight: Array, largest: Array) -> tuple[BoolArray, Array, Array, Array]:
        """Levels (level, ne) at which both sides agree; central values, their changes and their rounding there."""
        h = self.h[:, None, None]
        central = (self.plus - self.minus) / (2.0 * h)
        central = (RATIO**2 * central[1:] - central[:-1]) / (RATIO**2 - 1.0)
        change = _norm(np.diff(central, axis=0), weight)
        ahead, behind, slope = self.sides(weight)
        gap = _norm(ahead - behind, weight)
        # both sides drawn on to the state itself
        ends = [(RATIO * s[1:] - s[:-1]) / (RATIO - 1.0) for s in (self.plus, self.minus)]
        jump = _norm(ends[0] - ends[1], weight)[:-1] / self.h[:-2, None]
        size = np.maximum(_norm(self.plus, weight), _norm(self.minus, weight))[:-2]
        rounding = 8.0 * EPS * size / self.h[2:, None]
        noise = 16.0 * rounding + largest / self.unit * (CROSS_TALK + 8.0 * EPS * self.unit / self.h[2:, None])
        fine = (gap <= AGREE * slope + noise) & (jump <= JUMP * slope + noise)
        return fine, central, change, rounding

    def settled(self, weight: Array, largest: Array, share: float) -> BoolArray:
        """Elements (ne,) whose slopes need no shorter steps."""
        fine, _, change, _ = self.smooth(weight, largest)
        small = change <= share * np.maximum(self.sides(weight)[2], largest / self.unit)
        return np.asarray((fine & small).any(axis=0))

    def chosen(self, weight: Array, largest: Array, rising: Array) -> tuple[Array, Array, Array, BoolArray]:
        """Slopes up and down (ne, 6), their error, and which elements (ne,) have a corner here."""
        fine, central, change, rounding = self.smooth(weight, largest)
        elements = np.arange(central.shape[1])
        best = np.argmin(np.where(fine, change + rounding, np.inf), axis=0)
        # changes that still shrink at the shortest step are truncation, and the shortest step is the best
        value = central[np.where(best == len(change) - 1, best + 1, best), elements]
        error = 4.0 * np.abs(np.diff(central, axis=0))[best, elements]
        corner = np.asarray(~fine.any(axis=0))
        if not corner.any():
            return value, value, error, corner
        ahead, behind, _ = self.sides(weight)
        ahead, behind = (_steadiest(side, weight, rounding) for side in (ahead, behind))
        steeper = np.where(_norm(ahead, weight) >= _norm(behind, weight), 1.0, -1.0)
        turn = (np.where(rising == 0.0, steeper, rising) < 0.0)[:, None]
        up, down = np.where(turn, behind, ahead), np.where(turn, ahead, behind)
        at = corner[:, None]
        return np.where(at, up, value), np.where(at, down, value), np.where(at, 0.0, error), corner


def _steadiest(slopes: Array, weight: Array, rounding: Array) -> Array:
    """The slopes (ne, 6) of the level at which they change least from one to the next."""
    change = _norm(np.diff(slopes, axis=0), weight) + rounding[:-1]
    best = np.argmin(np.where(np.isfinite(change), change, np.inf), axis=0)
    return np.asarray(slopes[np.where(best == len(change) - 1, best + 1, best), np.arange(slopes.shape[1])])


def _norm(values: Array, weight: Array) -> Array:
    return np.asarray(np.sqrt(np.sum((values * weight) ** 2, axis=-1)))
