"""Sturm counts: the negative pivots of K - shift M count how many eigenvalues lie below the shift."""

from __future__ import annotations

import numpy as np

from floatframe.arrays import Array

_CLEAR = 1e-6  # relative distance of a shift to its neighbours that keeps the signs of the pivots certain
_NEAR = 1e-3  # the shift stays this near to the last wanted eigenvalue, so that few others slip in between


def shift_above(value: Array, wanted: int, origin: float) -> float | None:
    """A shift just above the wanted-th of the ascending values, or None if the next value is too near.

    The origin is a shift below all values, outside the round-off of a zero eigenvalue.
    """
    last = float(value[wanted - 1])
    clear = max(_CLEAR * (last - origin), 0.1 * abs(origin))
    reach = max(_NEAR * (last - origin), abs(origin))
    following = value[wanted:]
    if following.size:
        gap = float(following[0]) - last
        if gap < clear:
            return None
        reach = min(reach, 0.5 * gap)
    return last + reach


def found_between(value: Array, above: float, below: float) -> int:
    """How many of the values lie in (above, below)."""
    return int(np.count_nonzero((value > above) & (value < below)))
