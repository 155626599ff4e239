"""Sheets of shells on mesh lines: lines through given places, and surfaces over two families of them."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import ModelError
from floatframe.fem.builders import _checks as check
from floatframe.fem.builders.plates import shell_grid
from floatframe.fem.model import FEModel
from floatframe.fem.properties import Material

_MOST = 10_000_000  # mesh lines side by side
_SAME = 1e-6  # [m] lines closer than this are one place


def mesh_lines(breaks: Iterable[float], size: float) -> Array:
    """Return mesh lines [m] about `size` apart that pass through all the breaks."""
    check.positive(size, "mesh_lines: size")
    stops = np.unique(np.round(list(breaks), 9))
    if stops.size < 2:
        raise ModelError(f"mesh_lines: found {stops.size} place; expected at least two different ones to mesh between.")
    if not (stops[-1] - stops[0]) / size < _MOST:
        raise ModelError(
            f"mesh_lines: found {stops[-1] - stops[0]:g} m in pieces of {size:g} m, expected {_MOST:.0e} pieces at most"
        )
    pieces = [np.linspace(a, b, max(1, round((b - a) / size)) + 1)[:-1] for a, b in pairwise(stops)]
    return np.concatenate([*pieces, stops[-1:]])


def lines_between(lines: Array, low: float, high: float) -> Array:
    """Return the mesh lines from low to high."""
    return lines[(lines > low - _SAME) & (lines < high + _SAME)]


def sheet(
    x: Array | float, y: Array | float, z: Array | float, thickness: float, material: Material, name: str
) -> FEModel:
    """Return a shell on the points with broadcast coordinates (two of them mesh lines), as the element set `name`."""
    points = np.stack(np.broadcast_arrays(x, y, z), axis=-1).astype(float)
    part = shell_grid(points, thickness, material, name=name)
    return part.with_element_set(name, np.arange(1, part.nelement + 1))
