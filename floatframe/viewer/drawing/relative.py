"""Numbers relative to a large one of them, so that a few hot spots do not leave all the rest dark."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeVar

import numpy as np

if TYPE_CHECKING:
    from floatframe.arrays import Array

Name = TypeVar("Name")

_BRIGHT = 99.0  # per cent of the numbers that share the colours; those above have the last one


def relative_values(values: Mapping[Name, Array]) -> dict[Name, Array]:
    """Return groups of numbers (n,) from 0 to 1 on one scale; NaN stays."""
    known = np.concatenate([np.empty(0), *(v[np.isfinite(v)] for v in values.values())])
    high = float(np.percentile(known, _BRIGHT)) if known.size else 0.0
    return {name: np.minimum(v / high, 1.0) if high else v for name, v in values.items()}
