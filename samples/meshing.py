"""What the builders of vehicle bodies share: mesh lines through given places, flat sheets, picking by coordinate."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import numpy as np

from floatframe.arrays import Array, BoolArray
from floatframe.fem import FEModel, Material, shell_grid


def mesh_lines(breaks: Iterable[float], size: float) -> Array:
    """Return mesh lines [m] about `size` apart that pass through all the breaks."""
    stops = np.unique(np.round(list(breaks), 9))
    pieces = [np.linspace(a, b, max(1, round((b - a) / size)) + 1)[:-1] for a, b in pairwise(stops)]
    return np.concatenate([*pieces, stops[-1:]])


def between(lines: Array, low: float, high: float) -> Array:
    """Return the mesh lines from low to high."""
    return lines[(lines > low - 1e-6) & (lines < high + 1e-6)]


def sheet(
    x: Array | float, y: Array | float, z: Array | float, thickness: float, material: Material, name: str
) -> FEModel:
    """Return a shell on the points with broadcast coordinates (two of them mesh lines), as the element set `name`."""
    points = np.stack(np.broadcast_arrays(x, y, z), axis=-1).astype(float)
    part = shell_grid(points, thickness, material, name=name)
    return part.with_element_set(name, np.arange(1, part.nelement + 1))


def near(value: Array, target: Array | float, tol: float = 1e-6) -> BoolArray:
    """Return where a coordinate equals a target."""
    return np.asarray(np.abs(value - target) < tol)


def on_any(value: Array, targets: Iterable[float]) -> BoolArray:
    """Return where a coordinate equals one of several targets."""
    return np.asarray(np.any([near(value, target) for target in targets], axis=0))
