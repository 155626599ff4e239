"""Rigid bodies whose shape is known from a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from floatframe.viewer.drawing.polygons import contours
from floatframe.viewer.scene import Part

if TYPE_CHECKING:
    from floatframe.arrays import Array, IntArray
    from floatframe.io import Surface

MOST_TRIANGLES = 60_000  # drawn of a body; more make pages heavy and are not seen


def surface_part(name: str, surface: Surface, **look: Any) -> Part:
    """Return the surface as a part with its sharp edges, coarser if it is very fine."""
    points, triangles = coarser(surface.points, surface.triangles, MOST_TRIANGLES)
    exact = triangles is surface.triangles
    return Part(
        name,
        points,
        (triangles,),
        edges=contours(points, (triangles,)) if exact else np.empty((0, 2), dtype=np.int64),
        closed=exact and not len(surface.open_edges),
        **look,
    )


def coarser(points: Array, triangles: IntArray, most: int) -> tuple[Array, IntArray]:
    """Return a surface of at most so many triangles: corners in one cell of a grid become one, in their middle."""
    low, size = points.min(axis=0), float(np.linalg.norm(np.ptp(points, axis=0)))
    cells, found, places = most**0.5, triangles, points
    while len(found) > most:
        grid = np.floor((points - low) * (cells / size)).astype(np.int64)
        _, row = np.unique(grid, axis=0, return_inverse=True)
        row = row.ravel()
        count = np.bincount(row)
        places = np.column_stack([np.bincount(row, x) / count for x in points.T])
        a, b, c = row[triangles].T
        whole = np.column_stack([a, b, c])[(a != b) & (b != c) & (c != a)]
        _, first = np.unique(np.sort(whole, axis=1), axis=0, return_index=True)
        found, cells = whole[np.sort(first)], 0.8 * cells
    return places, found
