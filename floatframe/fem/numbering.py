"""Numbers and picks that come from users, turned into index arrays or refused in one sentence; arrays made safe."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from floatframe.arrays import AnyArray, Array, IntArray
from floatframe.errors import ModelError


def whole_numbers(values: Any, what: str) -> IntArray:
    """Return whole numbers of any shape as int64; fractions, masks and words are refused."""
    try:
        given = values if isinstance(values, np.ndarray) else np.asarray(_listed(values))
    except ValueError:
        raise ModelError(f"{what}: the rows have different lengths, expected a table of whole numbers.") from None
    if given.dtype.kind in "iu" or given.size == 0:
        return given.astype(np.int64, copy=False)
    whole = np.isfinite(given) & (given == np.floor(given)) if given.dtype.kind == "f" else np.zeros(given.shape, bool)
    if not whole.all():
        raise ModelError(f"{what}: found {given[~whole][0]!s}, expected whole numbers.")
    return given.astype(np.int64)


def one_number(value: Any, what: str) -> int:
    """Return a single whole number, from Python or NumPy."""
    if np.ndim(value):
        raise ModelError(f"{what}: found {value!r}, expected one whole number.")
    return int(whole_numbers(value, what))


def picked_rows(pick: Callable[[Array], AnyArray], points: Array, what: str) -> IntArray:
    """Return the rows of points (n, 3) that a function picks by a mask (n,) or by row indices."""
    found = np.asarray(pick(points))
    n = len(points)
    if found.dtype == bool:
        if found.shape != (n,):
            raise ModelError(f"{what}: the function gave a mask of shape {found.shape}, expected ({n},).")
        return np.flatnonzero(found)
    if found.ndim != 1 or (found.size and found.dtype.kind not in "iu"):
        raise ModelError(
            f"{what}: the function gave an array of shape {found.shape} and type {found.dtype}, expected a mask ({n},) "
            "or row indices."
        )
    rows = found.astype(np.int64)
    outside = rows[(rows < -n) | (rows >= n)]
    if outside.size:
        raise ModelError(f"{what}: the function gave row {outside[0]}, but there are {n} rows (0 to {n - 1}).")
    return rows


def read_only(values: Any, dtype: Any = None) -> AnyArray:
    """Return a contiguous array nobody can write to; what the caller could still change is copied first."""
    array = np.ascontiguousarray(values, dtype=dtype) if np.ndim(values) else np.asarray(values, dtype=dtype)
    owner = array
    while isinstance(owner.base, np.ndarray):
        owner = owner.base
    if not owner.flags.writeable and not array.flags.writeable:
        return array
    if isinstance(values, np.ndarray) and np.may_share_memory(array, values):
        array = array.copy()
    array.setflags(write=False)
    return array


def _listed(values: Any) -> Any:
    """Return sets, ranges and generators as lists, which NumPy understands."""
    return values if isinstance(values, list | tuple | str) or not hasattr(values, "__iter__") else list(values)
