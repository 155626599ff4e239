"""What an element of a surface must know of the elements it meets.

A flat element sees neither whether the surface round it is flat or curved, nor how wide the element beyond a side is.
Shells need both: see `_quad_membrane` and `_bending` in `elements.shells`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from floatframe.arrays import Array, BoolArray, IntArray

FLAT = 1e-13  # squared angle between normals that is round-off


@dataclass(frozen=True)
class Around:
    """Surroundings of some elements of one kind with n corners.

    width (nel, n): least width [m], across side k to k+1, of the elements that meet there; beside_triangle (nel, n):
    whether one of them is a triangle; sag (nel,): how far elements at one of the corners leave the plane of one another
    [m], zero in a plane; side_sag (nel, n): the largest sag of the elements that meet at a side.
    """

    width: Array
    beside_triangle: BoolArray
    sag: Array
    side_sag: Array

    def take(self, rows: slice | IntArray) -> Around:
        return Around(self.width[rows], self.beside_triangle[rows], self.sag[rows], self.side_sag[rows])


@dataclass(frozen=True, eq=False)
class Neighbours:
    """All elements of the surfaces of a model: their corners as rows of `nodes`, block by block."""

    nodes: Array
    corners: tuple[IntArray, ...]

    def of(self, corners: IntArray) -> Around | None:
        """Return what surrounds one of the blocks, or None if its corners are none of these."""
        for known, around in zip(self.corners, self.all, strict=True):
            if known is corners:
                return around
        return None

    @cached_property
    def all(self) -> tuple[Around, ...]:
        """What surrounds each of the blocks."""
        xyz = [self.nodes[corners] for corners in self.corners]
        sags = self._sags(xyz)
        widths = self._at_sides([_widths(at) for at in xyz])
        corners = self._at_sides([np.full(at.shape[:2], float(at.shape[1])) for at in xyz])
        side_sags = self._at_sides([np.tile(sag[:, None], at.shape[1]) for sag, at in zip(sags, xyz, strict=True)])
        return tuple(
            Around(width, fewest == 3.0, sag, largest)
            for (width, _), (fewest, _), sag, (_, largest) in zip(widths, corners, sags, side_sags, strict=True)
        )

    @cached_property
    def _sides(self) -> tuple[IntArray, IntArray]:
        """Order of all sides of all elements that brings equal ones together, and where each group begins."""
        ahead = [np.roll(corners, -1, axis=1) for corners in self.corners]
        pairs = zip(self.corners, ahead, strict=True)
        keys = _joined(np.minimum(a, b) * len(self.nodes) + np.maximum(a, b) for a, b in pairs)
        order = np.argsort(keys)
        return order, np.flatnonzero(np.diff(keys[order], prepend=-1))

    def _at_sides(self, values: list[Array]) -> list[tuple[Array, Array]]:
        """Return the least and the largest of the values (nel, n) of all elements that meet at a side."""
        order, first = self._sides
        if not order.size:
            return [(part, part) for part in values]
        together = _joined(values)[order]
        found = np.empty((2, order.size))
        for row, pick in enumerate((np.minimum, np.maximum)):
            found[row, order] = np.repeat(pick.reduceat(together, first), np.diff(first, append=order.size))
        return list(zip(*(_split(row, self.corners) for row in found), strict=True))

    def _sags(self, xyz: list[Array]) -> list[Array]:
        """Sag of each element: size times the root of the mean square sine between normals, largest at its corners."""
        rows = _joined(self.corners)
        count = np.bincount(rows, minlength=len(self.nodes))
        normal = np.concatenate([np.empty((0, 3)), *(_corner_normals(at).reshape(-1, 3) for at in xyz)])
        # mean of n nᵀ over the corners that meet: the same for either side of the surface
        spread = np.empty((len(self.nodes), 3, 3))
        for i in range(3):
            for j in range(i, 3):
                total = np.bincount(rows, normal[:, i] * normal[:, j], len(self.nodes))
                spread[:, i, j] = spread[:, j, i] = total / np.maximum(count, 1)
        largest = np.zeros(len(self.nodes))
        for corners, at in zip(self.corners, xyz, strict=True):
            mean = _corner_normals(at).sum(axis=1)
            mean /= np.maximum(np.sqrt((mean**2).sum(axis=1, keepdims=True)), np.finfo(float).tiny)
            cosine = (np.matmul(spread[corners], mean[:, None, :, None])[..., 0] * mean[:, None]).sum(axis=2)
            sine = np.sqrt(np.maximum(1.0 - FLAT - cosine, 0.0))
            np.maximum.at(largest, corners, np.sqrt(_area(at))[:, None] * sine)
        return [largest[corners].max(axis=1, initial=0.0) for corners in self.corners]


def alone(xyz: Array) -> Around:
    """Surroundings of elements xyz (nel, ncorner, 3) that meet nothing."""
    corners = np.arange(xyz.shape[0] * xyz.shape[1]).reshape(xyz.shape[:2])
    return Neighbours(xyz.reshape(-1, 3), (corners,)).all[0]


def _joined(parts: Iterable[Array]) -> Array:
    return np.concatenate([np.empty(0, dtype=np.int64), *(part.ravel() for part in parts)])


def _split(values: Array, like: tuple[IntArray, ...]) -> list[Array]:
    ends = np.cumsum([corners.size for corners in like])
    return [part.reshape(corners.shape) for part, corners in zip(np.split(values, ends[:-1]), like, strict=True)]


def _area(xyz: Array) -> Array:
    """Areas (nel,) of triangles or of quadrilaterals seen along their mean normals."""
    across = xyz[:, -1] - xyz[:, 1]
    normal = np.cross(xyz[:, 2] - xyz[:, 0], across)
    return np.asarray(0.5 * np.sqrt((normal**2).sum(axis=1)))


def _corner_normals(xyz: Array) -> Array:
    """Unit normals (nel, ncorner, 3) at the corners; zero where two sides lie on one line."""
    normal = np.cross(np.roll(xyz, -1, axis=1) - xyz, np.roll(xyz, 1, axis=1) - xyz)
    length = np.sqrt((normal**2).sum(axis=2, keepdims=True))
    return np.asarray(normal / np.where(length > 0.0, length, 1.0))


def _widths(xyz: Array) -> Array:
    """Widths (nel, ncorner) across the sides: what counts is how finely nodes can show a rotation that varies there.

    Of quadrilaterals the mean lengths along the other sides. Of triangles the shortest side, over the sine of its angle
    with the side in question: a square cut in two is as wide as its cut is long.
    """
    sides = np.roll(xyz, -1, axis=1) - xyz
    if xyz.shape[1] == 3:
        length = np.sqrt((sides**2).sum(axis=2))
        shortest, double_area = length.min(axis=1, initial=np.inf)[:, None], 2.0 * _area(xyz)[:, None]
        flat = double_area == 0.0
        return np.where(flat, np.inf, np.maximum(shortest, length * shortest**2 / np.where(flat, 1.0, double_area)))
    mean = 0.5 * (sides[:, :2] - sides[:, 2:])
    length = np.sqrt((mean**2).sum(axis=2))
    return np.tile(length[:, ::-1], 2)
