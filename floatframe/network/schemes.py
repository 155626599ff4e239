"""Integration formulas: x and a of the end of a step as linear functions of its v, the basic variable.

A scheme gives x = x0 + cx v and a = a0 + ca v from what lies behind; the equations at the end of the step then have v
as their only unknown. The predictions are explicit and serve as the start of Newton's method and to estimate the error.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from floatframe.arrays import Array


@dataclass(frozen=True, eq=False)
class Past:
    """What lies behind a step: unknowns y (3, n + 1) at time t, and those one step before, if there is one.

    alpha: the acceleration that generalised-alpha carries beside that of the equations (n + 1,).
    """

    t: float
    y: Array
    alpha: Array
    before: Array | None = None  # y one step earlier
    h: float = 0.0  # length of that step
    older: Array | None = None  # v (n + 1,) another step earlier
    older_h: float = 0.0

    def after(self, t: float, y: Array, alpha: Array) -> Past:
        """The past of the next step."""
        older = None if self.before is None else self.before[1]
        return Past(t, y, alpha, self.y, t - self.t, older, self.h)

    def extrapolated(self, h: float, order: int) -> Array | None:
        """v (n + 1,) ahead by the polynomial through what lies behind, if there is enough of it."""
        if self.before is None:
            return None
        v, slope = self.y[1], (self.y[1] - self.before[1]) / self.h
        if order == 1 or self.older is None:
            return v + h * slope
        bend = (slope - (self.before[1] - self.older) / self.older_h) / (self.h + self.older_h)
        return v + h * slope + h * (h + self.h) * bend


def first_past(t: float, y: Array) -> Past:
    """The past of the first step: accelerations count as zero."""
    return Past(t, y, np.zeros(y.shape[1]))


class Scheme(Protocol):
    """One set of formulas."""

    order: int
    error_share: float  # of the local error in the difference between prediction and solution
    settles: bool  # whether it needs accelerations at the start

    def predicted(self, past: Past, h: float) -> Array:
        """Explicit v (n + 1,) at the end of a step."""
        ...

    def formulas(self, past: Past, h: float) -> tuple[Array, float, Array, float]:
        """Constant part and factor of v for x, and for a."""
        ...

    def alpha(self, past: Past, h: float, v: Array) -> Array:
        """What is carried to the next step."""
        ...


class Stormer:
    """Implicit one-step scheme of PRADIS: a = (v - v0)/h, x = x0 + (v0 + v) h/2. First order."""

    order, error_share, settles = 1, 0.5, False

    def predicted(self, past: Past, h: float) -> Array:
        return past.y[1] + h * past.y[2]

    def formulas(self, past: Past, h: float) -> tuple[Array, float, Array, float]:
        x, v, _ = past.y
        return x + 0.5 * h * v, 0.5 * h, -v / h, 1.0 / h

    def alpha(self, past: Past, h: float, v: Array) -> Array:
        return past.alpha


def _quadratic(past: Past, h: float) -> Array:
    """v from accelerations now and one step before."""
    _, v, a = past.y
    ahead = v + h * a
    return ahead if past.before is None else ahead + 0.5 * h * h * (a - past.before[2]) / past.h


class BDF2:
    """Backward differences over two steps that need not be equal; the first step has one. Second order."""

    order, error_share, settles = 2, 1.0 / 3.0, False

    def predicted(self, past: Past, h: float) -> Array:
        return _quadratic(past, h)

    def formulas(self, past: Past, h: float) -> tuple[Array, float, Array, float]:
        x, v, _ = past.y
        if past.before is None:
            return x, h, -v / h, 1.0 / h
        ratio = h / past.h
        lead = (1.0 + 2.0 * ratio) / (1.0 + ratio) / h
        old, older = (1.0 + ratio) / h, ratio * ratio / (1.0 + ratio) / h
        x1, v1, _ = past.before
        return (old * x - older * x1) / lead, 1.0 / lead, older * v1 - old * v, lead

    def alpha(self, past: Past, h: float, v: Array) -> Array:
        return past.alpha


class GeneralisedAlpha:
    """Newmark's formulas for an acceleration that follows that of the equations with a lag. Second order."""

    order, error_share, settles = 2, 1.0 / 3.0, True

    def __init__(self, spectral_radius: float) -> None:
        r = spectral_radius
        self.alpha_m, self.alpha_f = (2.0 * r - 1.0) / (r + 1.0), r / (r + 1.0)
        self.gamma = 0.5 + self.alpha_f - self.alpha_m
        self.beta = 0.25 * (self.gamma + 0.5) ** 2

    def predicted(self, past: Past, h: float) -> Array:
        return _quadratic(past, h)

    def formulas(self, past: Past, h: float) -> tuple[Array, float, Array, float]:
        x, v, a = past.y
        beta, gamma, m, f = self.beta, self.gamma, self.alpha_m, self.alpha_f
        rest = -(v / h + (1.0 - gamma) * past.alpha) / gamma  # alpha = rest + v / (h gamma)
        lag = (m * past.alpha - f * a) / (1.0 - f)
        x0 = x + h * v + h * h * ((0.5 - beta) * past.alpha + beta * rest)
        factor = (1.0 - m) / (1.0 - f)
        return x0, h * beta / gamma, lag + factor * rest, factor / (h * gamma)

    def alpha(self, past: Past, h: float, v: Array) -> Array:
        return ((v - past.y[1]) / h - (1.0 - self.gamma) * past.alpha) / self.gamma


SCHEMES = ("stormer", "bdf2", "generalised-alpha")


def scheme_of(method: str, spectral_radius: float) -> Scheme:
    """The scheme of a name."""
    if method == "stormer":
        return Stormer()
    return BDF2() if method == "bdf2" else GeneralisedAlpha(spectral_radius)


def settled(t: float, y: Array) -> Past:
    """The past without what lies before, the acceleration being that of the equations."""
    return Past(t, y, y[2].copy())
