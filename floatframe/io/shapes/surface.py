"""A surface of triangles, and mass, centre and inertia of the solid that it encloses.

The solid is the sum of the tetrahedra between one point and the triangles, those on the far side counted negative. The
integrals of 1, x and x xᵀ over a tetrahedron are polynomials of its corners, so they are exact up to rounding.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from floatframe.arrays import Array, IntArray, short_repr
from floatframe.errors import ModelError
from floatframe.io.shapes.shells import stray_inward_shell

MOST_TRIANGLES = 5_000_000
SAME_PLACE = 1e-7  # of the size: corners nearer than that are one; files keep about seven digits
_EMPTY = 1e-12  # of the box around it: a solid of less volume is none
_ROUNDING = 1e-6  # of the size: its square is what spread and centre may err by


class MassProperties(NamedTuple):
    """Mass [kg], centre of mass (3,) [m] and inertia (3, 3) about it [kg m2], in the axes of the surface."""

    mass: float
    com: Array
    inertia: Array


@short_repr
@dataclass(frozen=True, eq=False)
class Surface:
    """Triangles (k, 3) of corners (n, 3) [m], counter-clockwise seen from outside; name for errors.

    Corners at one place are one corner, so neighbours share them.
    """

    name: str
    points: Array
    triangles: IntArray

    @classmethod
    def of(cls, name: str, points: Array, triangles: IntArray) -> Surface:
        """Return a surface without double corners and triangles without area; turned outwards if it is closed."""
        points, row = _merged(np.asarray(points, dtype=float))
        triangles = row[np.asarray(triangles, dtype=np.int64).reshape(-1, 3)]
        a, b, c = triangles.T
        triangles = triangles[(a != b) & (b != c) & (c != a)]
        used, rows = np.unique(triangles, return_inverse=True)
        surface = cls(name, points[used], rows.reshape(-1, 3))
        if not len(surface.open_edges) and surface.volume < 0:
            return cls(name, surface.points, np.ascontiguousarray(surface.triangles[:, ::-1]))
        return surface

    @cached_property
    def open_edges(self) -> IntArray:
        """Edges (m, 2) at which the solid has a gap: not passed by triangles as often in one direction as back."""
        start = self.triangles.ravel()
        end = np.roll(self.triangles, -1, axis=1).ravel()
        forward = start < end
        low, high = np.minimum(start, end), np.maximum(start, end)
        edges, row = np.unique(low * len(self.points) + high, return_inverse=True)
        passed = np.bincount(row.ravel(), np.where(forward, 1, -1), minlength=len(edges))
        gaps = edges[passed != 0]
        return np.column_stack([gaps // max(len(self.points), 1), gaps % max(len(self.points), 1)])

    def require_closed(self) -> None:
        """Refuse a surface that encloses no volume or whose inside is not clear."""
        gaps = self.open_edges
        if len(gaps):
            x, y, z = self.points[gaps[0]].mean(axis=0)
            raise ModelError(
                f"the surface in '{self.name}' is not closed: {len(gaps)} of its edges are not shared by two triangles "
                f"that are turned alike, one at ({x:.4g}, {y:.4g}, {z:.4g}) m; close it in the program it is from, or "
                "give mass and inertia instead of a density"
            )
        box = float(np.prod(np.ptp(self.points, axis=0))) if len(self.points) else 0.0
        if self.volume <= _EMPTY * box:
            raise ModelError(f"the surface in '{self.name}' encloses no volume; expected that of a solid")
        stray = stray_inward_shell(self.points, self.triangles, self._six_volumes / 6.0, _EMPTY * box)
        if stray is not None:
            x, y, z = stray.mean(axis=(0, 1))
            raise ModelError(
                f"the surface in '{self.name}' has a part of {len(stray)} triangles about "
                f"({x:.4g}, {y:.4g}, {z:.4g}) m turned inwards, which is no cavity as no other part surrounds it; turn "
                "its triangles round in the program it is from, or give mass and inertia instead of a density"
            )
        self._require_moments_of_a_solid()

    def _require_moments_of_a_solid(self) -> None:
        """Refuse a surface whose parts pass through each other, so that what counts negative outweighs the rest."""
        volume, first, second = self._moments
        centre = first / volume
        spread = np.linalg.eigvalsh(second / volume - np.outer(centre, centre))
        low, high = (self.points - self._middle).min(axis=0), (self.points - self._middle).max(axis=0)
        slack = _ROUNDING * float(np.linalg.norm(high - low))
        if spread[0] < -slack * slack or (centre < low - slack).any() or (centre > high + slack).any():
            raise ModelError(
                f"parts of the surface in '{self.name}' pass through each other or are turned against each other: its "
                "inertia is not positive or its centre of mass lies outside; mend it in the program it is from, or "
                "give mass and inertia instead of a density"
            )

    @cached_property
    def _six_volumes(self) -> Array:
        """Six times the volumes (k,) of the tetrahedra between the triangles and the middle."""
        a, b, c = (self.points - self._middle)[self.triangles].transpose(1, 0, 2)
        return np.einsum("ij,ij->i", a, np.cross(b, c))

    @cached_property
    def _moments(self) -> tuple[float, Array, Array]:
        """∫ 1, ∫ x (3,) and ∫ x xᵀ (3, 3) over the solid, about its middle, where rounding is least."""
        corners = (self.points - self._middle)[self.triangles]
        six = self._six_volumes
        total = corners.sum(axis=1)
        second = np.einsum("i,icj,ick->jk", six, corners, corners) + np.einsum("i,ij,ik->jk", six, total, total)
        return float(six.sum()) / 6.0, six @ total / 24.0, second / 120.0

    @cached_property
    def _middle(self) -> Array:
        return self.points.mean(axis=0) if len(self.points) else np.zeros(3)

    @property
    def volume(self) -> float:
        """The volume of the solid [m3]; negative if its triangles are turned inwards."""
        return self._moments[0]

    @property
    def area(self) -> float:
        """The area of the surface [m2]."""
        a, b, c = self.points[self.triangles].transpose(1, 0, 2)
        return float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2.0)

    def mass_properties(self, density: float) -> MassProperties:
        """Return mass, centre and inertia of the solid of a density [kg/m3]; refuse a surface with gaps."""
        self.require_closed()
        volume, first, second = self._moments
        centre = first / volume
        about = second - volume * np.outer(centre, centre)
        inertia = density * (np.trace(about) * np.eye(3) - about)
        return MassProperties(density * volume, self._middle + centre, inertia)


def _merged(points: Array) -> tuple[Array, IntArray]:
    """Return the distinct places (m, 3) of points (n, 3), and the place (n,) of each."""
    if not len(points):
        return points.reshape(0, 3), np.empty(0, dtype=np.int64)
    places, row = np.unique(points, axis=0, return_inverse=True)
    row = row.ravel()
    apart = SAME_PLACE * float(np.linalg.norm(np.ptp(places, axis=0)))
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components
    from scipy.spatial import cKDTree

    pairs = cKDTree(places).query_pairs(apart, output_type="ndarray")
    if not len(pairs):
        return places, row
    graph = coo_matrix((np.ones(len(pairs)), pairs.T), shape=(len(places), len(places)))
    count, group = connected_components(graph, directed=False)
    first = np.empty(count, dtype=np.int64)
    first[group[::-1]] = np.arange(len(places))[::-1]
    return places[first], group[row].astype(np.int64)
