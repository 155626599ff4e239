"""Peaks of a response: found on a grid of frequencies, then refined by solving between its points."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from floatframe.arrays import AnyArray, Array
from floatframe.hybrid.response.modes import is_undamped

CLOSE = 1e-7  # share of a frequency to which a peak is found; its height is then exact but for the square of that
BESIDE = 1e-7  # share of a frequency beside a peak where its resonance is measured


@dataclass(frozen=True)
class ResponsePeak:
    """A local maximum of a magnitude: frequency [Hz] and complex value, infinite where nothing damps."""

    frequency: float
    value: complex

    @property
    def magnitude(self) -> float:
        """Absolute value."""
        return abs(self.value)

    @property
    def phase(self) -> float | None:
        """Phase [°]; None of an infinite value."""
        return float(np.degrees(np.angle(self.value))) if np.isfinite(self.magnitude) else None


def refined_peaks(
    frequency: Array, values: AnyArray, solve: Callable[[Array], AnyArray], most: int
) -> list[ResponsePeak]:
    """Return the highest peaks of values (nf,) at frequency (nf,) [Hz], the highest first.

    solve: values (k,) at other frequencies (k,). Every peak is sought between the neighbours of its highest point.
    """
    size = np.abs(values)
    inner = np.flatnonzero((size[1:-1] > size[:-2]) & (size[1:-1] >= size[2:])) + 1
    chosen = inner[np.argsort(-size[inner], kind="stable")][:most]
    found = [_refined(frequency[k - 1 : k + 2], complex(values[k]), solve) for k in chosen]
    return sorted(found, key=lambda one: -one.magnitude)


def _refined(near: Array, highest: complex, solve: Callable[[Array], AnyArray]) -> ResponsePeak:
    from scipy.optimize import minimize_scalar

    def below(f: float) -> float:
        return -float(np.abs(solve(np.array([f]))[0]))

    try:
        found = minimize_scalar(below, bounds=(near[0], near[2]), method="bounded", options={"xatol": CLOSE * near[1]})
        best = float(found.x) if -found.fun > abs(highest) else float(near[1])
        pole = _pole(best * np.array([1.0 - BESIDE, 1.0 + BESIDE]), solve)
        within = near[0] < pole.real < near[2]
        if within and is_undamped(1j * pole):
            return ResponsePeak(best, complex(np.inf))
        finest = np.array([best, pole.real if within else best])
        values = solve(finest)
    except np.linalg.LinAlgError:  # exactly on an undamped motion
        return ResponsePeak(float(near[1]), complex(np.inf))
    k = int(np.argmax(np.abs(values)))
    return ResponsePeak(float(finest[k]), complex(values[k]))


def _pole(two: Array, solve: Callable[[Array], AnyArray]) -> complex:
    """The frequency [Hz] (1 + i ratio) at which a response about it is infinite: 1 over it is a straight line there."""
    with np.errstate(divide="ignore", invalid="ignore"):  # of a response that is zero or does not change
        left, right = 1.0 / solve(two)
        return complex(two[0] - left * (two[1] - two[0]) / (right - left))
