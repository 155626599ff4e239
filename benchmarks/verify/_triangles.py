"""Published triangles on the meshes of the verification problems: what others reach there.

Flat facets made of published parts: the optimal membrane of Felippa (2003), an ANDES element, or constant strain; and
plate bending with discrete Kirchhoff-Mindlin sides (DKMT, Katili 1993) or MITC3+ (`_mitc3`). They stand in for `shell3`
while a problem is solved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache

import numpy as np

from benchmarks.verify._mitc3 import mitc3_rows
from benchmarks.verify.rows import SAME_MESH, Row
from floatframe.arrays import Array
from floatframe.fem.elements import Batch, element_kind, register
from floatframe.fem.elements.shells._bending import Sides, sides
from floatframe.fem.elements.shells._flat import StrainEnergy
from floatframe.fem.elements.shells._triangle import RULE, SHAPE, corner_slopes
from floatframe.fem.elements.shells._triangle_membrane import triangle_rows
from floatframe.fem.elements.shells._wall import Wall
from floatframe.fem.elements.shells.shell3 import Shell3

Problem = Callable[[str, bool], Iterator[Row]]
DRILLING = 1e-3  # times G t A: holds rotations that constant strain leaves free


class _Optimal(Shell3):
    """The optimal triangle with DKMT bending: ANDES and discrete Kirchhoff."""

    sees_curvature = False

    def _strain_energy(self, batch: Batch, wall: Wall) -> StrainEnergy:
        area = self.size_measure(batch)
        rows = wall.local_rows(self._membrane(wall, area), self._bending(wall, area))
        return StrainEnergy(wall.model_rows(rows), np.ones((batch.size, 4)), _root(area))

    def _membrane(self, wall: Wall, area: Array) -> Array:
        return triangle_rows(wall, area, None)[0]

    def _bending(self, wall: Wall, area: Array) -> Array:
        root = _root(area)
        side, gap = sides(wall), _side_shear(wall)
        swing = side.amplitude.reshape(len(root), 3, 9)
        bulge = _bulge_curvature(wall, root)
        return _plate_rows(wall, root, np.matmul(bulge, swing), gap + 2.0 / 3.0 * swing)


class _Constant(_Optimal):
    """Constant strain with DKMT bending."""

    def _membrane(self, wall: Wall, area: Array) -> Array:
        return _constant_strain(wall, area)


class _Mitc3(_Constant):
    """Constant strain with the bending of MITC3+."""

    def _bending(self, wall: Wall, area: Array) -> Array:
        return mitc3_rows(wall, area)


PUBLISHED: dict[str, Shell3] = {"ANDES + DKMT": _Optimal(), "CST + DKMT": _Constant(), "CST + MITC3+": _Mitc3()}


@contextmanager
def standing_in(name: str) -> Iterator[None]:
    """Solve with a published triangle wherever a model has `shell3`."""
    ours = element_kind("shell3")
    register(PUBLISHED[name])
    try:
        yield
    finally:
        register(ours)


@cache
def solved(problem: Problem, element: str) -> tuple[Row, ...]:
    """Return the rows of a problem for one of our shells or one of the published triangles."""
    if element not in PUBLISHED:
        return tuple(problem(element, element in ("shell3", "shell6")))
    with standing_in(element):
        return tuple(problem("shell3", True))


def judged(problem: Problem, kind: str = "shell3") -> Iterator[Row]:
    """Yield the rows of a problem for our triangles on meshes that were published for quadrilaterals.

    The tolerance is that of the problem, or `SAME_MESH` times the error of the best published triangle on the same mesh
    where that is larger.
    """
    for row, *same in zip(solved(problem, kind), *(solved(problem, name) for name in PUBLISHED), strict=True):
        best = min(abs(other.error) for other in same)
        yield replace(row, tolerance=max(row.tolerance or 0.0, SAME_MESH * best), why_not_judged="")


def _root(area: Array) -> Array:
    return np.sqrt(2.0 * RULE.weights * area[:, None])


def _constant_strain(wall: Wall, area: Array) -> Array:
    """Return rows (nel, 12, 3, 3): strains, and rotations held to that of the triangle."""
    nel, slope = len(area), corner_slopes(wall.xy)
    strain, turn = np.zeros((nel, 3, 3, 3)), np.zeros((nel, 3, 3, 3))
    strain[:, 0, :, 0] = strain[:, 2, :, 1] = slope[..., 0]
    strain[:, 1, :, 1] = strain[:, 2, :, 0] = slope[..., 1]
    turn[..., 0], turn[..., 1] = -0.5 * slope[:, None, :, 1], 0.5 * slope[:, None, :, 0]
    turn[:, range(3), range(3), 2] = -1.0
    root = np.sqrt(wall.membrane_stiffness * area)[:, None, None, None]
    held = np.sqrt(DRILLING * wall.law.A[:, 2, 2] * wall.ratio * area / 3.0)[:, None, None, None]
    rows = np.zeros((nel, 12, 3, 3))
    rows[:, :3] = root * wall.membrane.rows(*strain.swapaxes(0, 1))
    rows[:, 3:6] = held * turn
    return rows


def _plate_rows(wall: Wall, root: Array, extra: Array, shear: Array) -> Array:
    """Return rows (nel, 15, 3, 3): corner rotations' curvature plus `extra`, and shears from those of the sides."""
    nel, slope = len(root), corner_slopes(wall.xy)
    curvature = np.zeros((nel, 3, 3, 3))
    curvature[:, 0, :, 2] = curvature[:, 2, :, 2] = slope[..., 0]
    curvature[:, 2, :, 2] = slope[..., 1]
    curvature[:, 1, :, 1], curvature[:, 2, :, 1] = -slope[..., 1], -slope[..., 0]
    bend = np.sqrt(wall.bending_stiffness)[:, None] * root
    slide = np.sqrt(wall.shear_stiffness)[:, None] * root
    corner = bend[:, None, :, None] * wall.bending.rows(*curvature.reshape(nel, 3, 9).swapaxes(0, 1))[:, :, None]
    rows = np.empty((nel, 15, 9))
    rows[:, :9] = corner.reshape(nel, 9, 9) + extra
    field = np.concatenate([slide[:, :, None] * np.matmul(SHAPE, part) for part in _corner_shear(sides(wall))], axis=1)
    rows[:, 9:] = np.matmul(field, shear)
    return rows.reshape(nel, 15, 3, 3)


def _side_shear(wall: Wall) -> Array:
    """Return (nel, 3, 9) mean shear along each side of linear deflections and rotations."""
    side = sides(wall)
    shear = np.zeros((len(side.c), 3, 3, 3))
    for k in range(3):
        for node, sign in ((k, -1.0), ((k + 1) % 3, 1.0)):
            shear[:, k, node, 0] = sign / side.length[:, k]
            shear[:, k, node, 1], shear[:, k, node, 2] = -0.5 * side.s[:, k], 0.5 * side.c[:, k]
    return shear.reshape(-1, 3, 9)


def _bulge_curvature(wall: Wall, root: Array) -> Array:
    """Return rows (nel, 9, 3) of the curvature of rotations that bulge along each side."""
    side, slope = sides(wall), corner_slopes(wall.xy)
    ahead = np.roll(slope, -1, axis=1)
    here, next_ = SHAPE[None, :, :, None], np.roll(SHAPE, -1, axis=1)[None, :, :, None]
    bulge = 4.0 * (here * ahead[:, None] + next_ * slope[:, None])
    c, s = side.c[:, None], side.s[:, None]
    plane = wall.bending.rows(bulge[..., 0] * c, bulge[..., 1] * s, bulge[..., 1] * c + bulge[..., 0] * s)
    return ((np.sqrt(wall.bending_stiffness)[:, None] * root)[:, None, :, None] * plane).reshape(len(root), 9, 3)


def _corner_shear(side: Sides) -> tuple[Array, Array]:
    """Shears x and y at the corners (nel, corner, side) with unit components along the two sides that meet there."""
    x, y = np.zeros((2, len(side.c), 3, 3))
    for corner in range(3):
        out, back = corner, (corner + 2) % 3
        det = side.c[:, out] * side.s[:, back] - side.c[:, back] * side.s[:, out]
        x[:, corner, out], x[:, corner, back] = side.s[:, back] / det, -side.s[:, out] / det
        y[:, corner, out], y[:, corner, back] = -side.c[:, back] / det, side.c[:, out] / det
    return x, y
