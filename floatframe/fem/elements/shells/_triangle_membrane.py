"""Plane stress of a triangle with drilling rotations: the optimal triangle of Felippa (2003).

Mean strains follow from the sides, which bend with the drilling rotations; linear strains are the work of the rotations
alone. Bending in the plane is exact for rectangles of any aspect ratio made of two or four such triangles.
"""

from __future__ import annotations

import numpy as np

from floatframe.arrays import Array
from floatframe.fem.elements.shells._triangle import SIDE_MIDDLES
from floatframe.fem.elements.shells._triangle_facet import in_plane_share
from floatframe.fem.elements.shells._wall import Wall

SIDE_BENDING = 1.5  # α: share of the drilling rotations in the bending of the sides
# linear natural strains along sides 0-1, 1-2, 2-0 at corner 0 per rotation of corners 0, 1, 2 (β1 ... β9)
CORNER_STRAIN = np.array([[1.0, 2.0, 1.0], [0.0, 1.0, -1.0], [-1.0, -1.0, -2.0]])

POINTS = np.concatenate([np.full((1, 3), 1.0 / 3.0), SIDE_MIDDLES])  # corner functions where the strains are taken


def triangle_rows(wall: Wall, area: Array, curvature: Array | None) -> tuple[Array, Array]:
    """Return rows (nel, 12, 3, 3): strains x, y, xy (component by component) for (ux, uy, rz) of 3 nodes.

    At the first of the four points stands the mean strain, at the others the linear strains at the middles of the
    sides. Also returns the roots (nel, 4) of the weights of the points. curvature (nel, 2, 2) of the surface in the
    axes of the wall: only a part of the rotations then bends the facet in its plane, see `in_plane_share`.
    """
    nel = len(area)
    # β0; its limit keeps the rank where it would vanish
    higher = np.broadcast_to(0.75 * np.maximum(0.5 * (1.0 - 4.0 * wall.mean_nu**2), 0.01), nel)
    root = np.sqrt(area)[:, None] * np.stack([np.ones(nel), *[np.sqrt(higher)] * 3], axis=1)
    scale = np.sqrt(wall.membrane_stiffness)[:, None] * root * wall.taper(POINTS) ** 0.5
    moved, turned = _mean_strain(wall.xy, area)
    moved, turned = (scale[:, 0, None, None] * wall.membrane.rows(*part.swapaxes(0, 1)) for part in (moved, turned))
    linear = scale[:, None, 1:, None] * wall.membrane.rows(*np.moveaxis(_linear_strain(wall.xy, area), 2, 0))
    linear = linear.reshape(nel, 9, 3)
    rotation = _hierarchical_rotation(wall.xy, area)
    of_mean, of_linear = np.matmul(turned, rotation), np.matmul(linear, rotation)
    if curvature is not None and curvature.any():
        of_mean, of_linear = in_plane_share(wall, area, curvature, rotation, turned, linear)
    strain = np.empty((nel, 3, 4, 9))
    strain[:, :, 0] = moved + of_mean
    strain[:, :, 1:] = of_linear.reshape(nel, 3, 3, 9)
    return strain.reshape(nel, 12, 3, 3), root


def _mean_strain(xy: Array, area: Array) -> tuple[Array, Array]:
    """Return mean strains (nel, 3, 9) of displacements and (nel, 3, 3) of rotations against the triangle."""
    moved, turned = np.zeros((len(xy), 3, 3, 3)), np.zeros((len(xy), 3, 3))
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        (xi, yi), (xj, yj), (xk, yk) = (xy[:, n].T for n in (i, j, k))
        moved[:, 0, i, 0] = moved[:, 2, i, 1] = yj - yk
        moved[:, 1, i, 1] = moved[:, 2, i, 0] = xk - xj
        turned[:, 0, i] = (yj - yk) * ((yi - yk) - (yj - yi))
        turned[:, 1, i] = (xk - xj) * ((xk - xi) - (xi - xj))
        turned[:, 2, i] = 2.0 * ((xk - xi) * (yi - yk) - (xi - xj) * (yj - yi))
    scale = 1.0 / (2.0 * area)[:, None, None]
    return scale * moved.reshape(-1, 3, 9), SIDE_BENDING / 6.0 * scale * turned


def _hierarchical_rotation(xy: Array, area: Array) -> Array:
    """Nodal rotations less the mean rotation of the triangle (nel, 3, 9)."""
    rotation = np.zeros((len(xy), 3, 3, 3))
    for i in range(3):
        across = (xy[:, (i + 2) % 3] - xy[:, (i + 1) % 3]) / (4.0 * area)[:, None]
        rotation[:, :, i, :2] = across[:, None]
        rotation[:, i, i, 2] = 1.0
    return rotation.reshape(-1, 3, 9)


def _linear_strain(xy: Array, area: Array) -> Array:
    """Return strains x, y, xy at the middles of the sides per hierarchical rotation (nel, side, 3, 3)."""
    side = np.roll(xy, -1, axis=1) - xy  # (nel, side, 2): 0-1, 1-2, 2-0
    square = (side**2).sum(axis=2)
    to_cartesian = np.empty((len(xy), 3, 3))
    for k in range(3):
        # the other two sides are free of strain when only this one stretches
        (ax, ay), (bx, by) = side[:, (k + 1) % 3].T, side[:, (k + 2) % 3].T
        scale = -square[:, k] / (4.0 * area**2)
        to_cartesian[:, 0, k] = scale * ay * by
        to_cartesian[:, 1, k] = scale * ax * bx
        to_cartesian[:, 2, k] = -scale * (ax * by + ay * bx)
    corner = np.empty((len(xy), 3, 3, 3))
    for i in range(3):
        corner[:, i] = np.roll(CORNER_STRAIN, (i, i), axis=(0, 1))
    corner *= (2.0 / 3.0 * area[:, None] / square)[:, None, :, None]
    corner = np.matmul(to_cartesian[:, None], corner)
    return 0.5 * (corner + np.roll(corner, -1, axis=1))
