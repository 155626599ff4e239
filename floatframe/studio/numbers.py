"""Numbers as they are typed into a field."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np

from floatframe.errors import ModelError

if TYPE_CHECKING:
    from floatframe.arrays import Array, BoolArray

_RANGE = re.compile(r"([xyz])\s+(\S+)\s+(\S+)")
_NEAR = 1e-6  # of the size of the nodes: what lies on the side of a box is inside


@overload
def number_in(words: object, what: str, whole: Literal[True]) -> int | None: ...
@overload
def number_in(words: object, what: str, whole: Literal[False] = False) -> float | None: ...
def number_in(words: object, what: str, whole: bool = False) -> Any:
    """Return the number that was typed into a field called `what`, None for nothing."""
    text = str(words if words is not None else "").strip()
    if not text:
        return None
    try:
        found = int(text) if whole else float(text)
    except ValueError:
        found = math.nan
    if not math.isfinite(found) or found < 0:
        raise ModelError(f"{what}: '{text}' is not {'a whole number' if whole else 'a number'}, zero or more")
    return found


def in_box(nodes: Array, words: str) -> BoolArray:
    """Return which nodes (n, 3) lie in a box: "x 0 0.1, z 2 2" for x from 0 to 0.1 at z = 2, any y."""
    inside = np.ones(len(nodes), dtype=bool)
    gap = _NEAR * float(np.linalg.norm(np.ptp(nodes, axis=0))) if len(nodes) else 0.0
    pieces = [piece.strip() for piece in words.split(",") if piece.strip()]
    for piece in pieces:
        found = _RANGE.fullmatch(piece)
        try:
            low, high = sorted((float(found[2]), float(found[3]))) if found else (math.nan, math.nan)
        except ValueError:
            low = high = math.nan
        if found is None or not math.isfinite(low + high):
            raise ModelError(f"'{piece}' is not a side of a box; write an axis and two numbers, as in x 0 0.1")
        value = nodes[:, "xyz".index(found[1])]
        inside &= (value >= low - gap) & (value <= high + gap)
    if not pieces or not inside.any():
        raise ModelError(f"no node lies in the box '{words}'; write axes with two numbers each, as in x 0 0.1, z 2 2")
    return inside
