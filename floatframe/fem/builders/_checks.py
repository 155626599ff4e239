"""Input checks shared by the builders: each turns one argument into an array or number, or names what is wrong."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from floatframe.arrays import Array, IntArray
from floatframe.errors import ModelError


def point(value: Any, what: str) -> Array:
    """Return three finite coordinates (3,)."""
    return points(value, what, shape=(3,))


def points(value: Any, what: str, shape: tuple[int | None, ...] = (None, 3)) -> Array:
    """Return finite coordinates of the given shape; None: any length."""
    try:
        array = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        raise ModelError(f"{what} is {value!r}; expected numbers of shape {_shape_text(shape)}.") from None
    if array.ndim != len(shape) or any(n not in (None, m) for n, m in zip(shape, array.shape, strict=True)):
        raise ModelError(f"{what} has shape {array.shape}, expected {_shape_text(shape)}.")
    if not np.isfinite(array).all():
        row = int(np.argwhere(~np.isfinite(array))[0][0]) + 1
        raise ModelError(f"{what} contains a number that is not finite (row {row}); give finite coordinates.")
    return array


def direction(value: Any, what: str) -> Array:
    """Return a unit vector (3,) along a vector that is not zero."""
    vector = point(value, what)
    length = float(np.sqrt(vector @ vector))
    if length == 0.0:
        raise ModelError(f"{what} is the zero vector; give a direction.")
    return vector / length


def count(value: Any, what: str, least: int = 1) -> int:
    """Return a whole number that is at least `least`."""
    if not isinstance(value, int | np.integer) or isinstance(value, bool) or value < least:
        raise ModelError(f"{what} is {value!r}; expected a whole number of at least {least}.")
    return int(value)


def positive(value: Any, what: str, unit: str = "m") -> float:
    """Return a finite number greater than zero."""
    if not isinstance(value, int | float | np.number) or not math.isfinite(value) or value <= 0:
        raise ModelError(f"{what} is {value} {unit}; it must be positive.")
    return float(value)


def rows(value: Any, what: str, nnode: int, width: tuple[int, ...]) -> IntArray:
    """Return an index array (n, one of `width`) whose entries point to existing rows 0..nnode-1."""
    array = np.asarray(value)
    if array.ndim != 2 or array.shape[1] not in width or not np.issubdtype(array.dtype, np.integer):
        wanted = " or ".join(f"(n, {w})" for w in width)
        raise ModelError(f"{what} has shape {array.shape} and type {array.dtype}, expected whole numbers {wanted}.")
    bad = np.flatnonzero(((array < 0) | (array >= nnode)).any(axis=1))
    if bad.size:
        raise ModelError(
            f"{what}: row {bad[0]} is {array[bad[0]].tolist()}, but the {nnode} points have rows 0 to {nnode - 1}."
        )
    return array.astype(np.int64)


def polyline(value: Any, what: str) -> Array:
    """Return the points of a polyline (n >= 2, 3) with no two neighbours in one place."""
    line = points(value, what)
    if len(line) < 2:
        raise ModelError(f"{what} has {len(line)} point; a line needs at least two.")
    step = np.sqrt((np.diff(line, axis=0) ** 2).sum(axis=1))
    if not step.all():
        place = int(np.flatnonzero(step == 0)[0]) + 1
        raise ModelError(f"{what}: points {place} and {place + 1} lie in the same place; remove one.")
    return line


def _shape_text(shape: Iterable[int | None]) -> str:
    return "(" + ", ".join("n" if n is None else str(n) for n in shape) + ("," if len(tuple(shape)) == 1 else "") + ")"
