"""Rainflow counting of histories by ASTM E1049, section 5.4.4."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from floatframe.arrays import Array, IntArray, short_repr
from floatframe.errors import ModelError


@short_repr
@dataclass(frozen=True)
class Cycles:
    """Cycles of a history: low, high (m,), count (m,) 1 or ½, and where in the history they begin and end (m,)."""

    low: Array
    high: Array
    count: Array
    begin: IntArray
    end: IntArray

    def __len__(self) -> int:
        """Return the number of whole and half cycles."""
        return len(self.count)

    @property
    def range(self) -> Array:
        """From the low to the high of each cycle (m,)."""
        return self.high - self.low

    @property
    def mean(self) -> Array:
        """Mean of each cycle (m,)."""
        return (self.low + self.high) / 2.0


def turning_points(values: Sequence[float] | Array) -> tuple[Array, IntArray]:
    """Return the reversals of a history, its first and last value among them, and their places."""
    from floatframe.durability import _kernels

    history = checked_history(values)
    found, places = np.empty(len(history)), np.empty(len(history), dtype=np.int64)
    count = _kernels.turning_points(history, found, places)
    return found[:count], places[:count]


def rainflow(values: Sequence[float] | Array) -> Cycles:
    """Return the cycles of a history (nt,): what is left open at the end counts as half cycles."""
    from floatframe.durability import _kernels

    points, places = turning_points(values)
    cycles, stack = np.empty((max(len(points), 1), 3)), np.empty(len(points), dtype=np.int64)
    count = _kernels.count_cycles(points, cycles, stack)
    first, second = cycles[:count, 1].astype(np.int64), cycles[:count, 2].astype(np.int64)
    low, high = np.minimum(points[first], points[second]), np.maximum(points[first], points[second])
    return Cycles(low, high, cycles[:count, 0], places[first], places[second])


def checked_history(values: Sequence[float] | Array) -> Array:
    """Return a history as numbers; one that cannot be counted is refused."""
    history = np.ascontiguousarray(values, dtype=float)
    if history.ndim != 1 or not np.isfinite(history).all():
        raise ModelError(
            f"rainflow: the history has shape {history.shape}; expected one row of finite numbers, one per sample"
        )
    return history
