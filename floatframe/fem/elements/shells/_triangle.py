"""Plate bending of a triangle.

The mean curvature and the shear along the sides are those of the discrete Kirchhoff-Mindlin triangle (DKMT; Katili
1993). Its linear curvatures are replaced by those of the smallest cubic deflection that bends the sides in the same
way, which also contains the twist along the sides; they have zero mean, so patch tests hold. Its shear strains are
replaced by those that vary least, see `_side_shear`.
"""

from __future__ import annotations

import numpy as np

from floatframe.arrays import Array
from floatframe.fem.elements import _gauss
from floatframe.fem.elements.shells._bending import Sides, curvature_rows, shear_rows, sides
from floatframe.fem.elements.shells._wall import Wall

RULE = _gauss.triangle(2)

# linear curvatures are enlarged, which makes up for what nodal values cannot see; measured with plate frequencies
LINEAR_CURVATURE = 1.15


def corner_functions(at: Array) -> Array:
    """Barycentric coordinates (npoint, 3)."""
    return np.column_stack([1.0 - at.sum(axis=1), at])


def side_functions(at: Array) -> Array:
    """Functions 4 λi λj (npoint, 3) of sides 0-1, 1-2, 2-0."""
    corner = corner_functions(at)
    return 4.0 * corner * np.roll(corner, -1, axis=1)


SHAPE = corner_functions(RULE.points)
SIDE_MIDDLES = 0.5 * (np.eye(3) + np.roll(np.eye(3), 1, axis=1))  # corner functions at the middles of the sides


def corner_slopes(xy: Array) -> Array:
    """Slopes along x and y of the corner functions of triangles xy (nel, 3, 2), constant over the triangle."""
    across = np.roll(xy, 1, axis=1) - np.roll(xy, -1, axis=1)
    double_area = across[:, 2, 0] * across[:, 0, 1] - across[:, 2, 1] * across[:, 0, 0]
    return np.stack([-across[..., 1], across[..., 0]], axis=2) / double_area[:, None, None]


def bending_rows(wall: Wall, root: Array, width: Array) -> Array:
    """Return rows (nel, 15, 3, 3) for (uz, rx, ry) of 3 nodes: curvatures, then transverse shears.

    root (nel, 3): roots of the integration weights, which are the same at the points of RULE and at the middles of the
    sides, where the shears are taken; width (nel, 3) as in `Around`.
    """
    nel = len(root)
    side = sides(wall, width)
    bend = np.sqrt(wall.bending_stiffness)[:, None] * root * wall.taper(SHAPE) ** 1.5
    slide = np.sqrt(wall.shear_stiffness)[:, None] * root * wall.taper(SIDE_MIDDLES) ** 0.5
    # slopes of the corner functions, and those of the side functions at the centroid
    slopes = corner_slopes(wall.xy)
    corner_slope = [bend[:, :, None] * slopes[:, None, :, axis] for axis in range(2)]
    side_slope = [4.0 / 3.0 * (slope + np.roll(slope, -1, axis=2)) for slope in corner_slope]
    rows = np.empty((nel, 15, 3, 3))
    rows[:, :9] = curvature_rows(wall, side, *corner_slope, *side_slope)
    rows[:, :9] += _linear_curvature(wall, side, bend)
    rows[:, 9:] = shear_rows(wall, side, *(slide[:, :, None] * shear for shear in _side_shear(side)))
    return rows


def _linear_curvature(wall: Wall, side: Sides, scale: Array) -> Array:
    """Return rows (nel, 9, 3, 3) of curvatures that vary linearly and vanish at the centroid.

    The curvature gradient is sought as Σ λk ek ek ek over the side vectors ek, which is the smallest (third-order,
    symmetric) one whose parts along the sides are those of the side bulges: Σ λk (ek·el)³ = -8 length × amplitude.
    """
    nel = len(scale)
    along = np.stack([side.c, side.s], axis=2) * side.length[:, :, None]
    gram = np.matmul(along, along.swapaxes(1, 2)) ** 3
    bulge = (-8.0 * side.length)[:, :, None] * side.amplitude.reshape(nel, 3, 9)
    x, y = along[..., 0], along[..., 1]
    lever = np.matmul(np.matmul(SHAPE, wall.xy), along.swapaxes(1, 2)) * (LINEAR_CURVATURE * scale)[:, :, None]
    curvature = wall.bending.rows(x**2, y**2, 2.0 * x * y)[:, :, None] * lever[:, None]
    return np.matmul(curvature.reshape(nel, 9, 3), np.linalg.solve(gram, bulge)).reshape(nel, 9, 3, 3)


def _side_shear(side: Sides) -> tuple[Array, Array]:
    """Shears x and y (nel, middle of a side, side) of a linear field with unit mean along one side, none along others.

    Of all such fields the one that varies least: the constant field next to the three means, by least squares, plus
    what is left along each side. The field of DKMT cannot vary across the sides of a narrow triangle unless it also
    varies along them, and locks where twist has shear in a layer along a free edge.
    """
    c, s = side.c, side.s
    cc, cs, ss = (c * c).sum(axis=1), (c * s).sum(axis=1), (s * s).sum(axis=1)
    det = (cc * ss - cs * cs)[:, None]
    x, y = (ss[:, None] * c - cs[:, None] * s) / det, (cc[:, None] * s - cs[:, None] * c) / det
    left = np.eye(3) - c[:, :, None] * x[:, None] - s[:, :, None] * y[:, None]
    return x[:, None] + c[:, :, None] * left, y[:, None] + s[:, :, None] * left
