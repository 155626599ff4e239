"""What the builders of vehicle bodies share: picking by coordinate."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from floatframe.arrays import Array, BoolArray


def near(value: Array, target: Array | float, tol: float = 1e-6) -> BoolArray:
    """Return where a coordinate equals a target."""
    return np.asarray(np.abs(value - target) < tol)


def on_any(value: Array, targets: Iterable[float]) -> BoolArray:
    """Return where a coordinate equals one of several targets."""
    return np.asarray(np.any([near(value, target) for target in targets], axis=0))
