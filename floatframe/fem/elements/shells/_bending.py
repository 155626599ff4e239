"""Plate bending with discrete Kirchhoff-Mindlin sides (DKMQ and DKMT; Katili 1993).

Rotations vary quadratically along a side; the extra amplitude of each side follows from its equilibrium, so that the
transverse shear strain of a thin plate vanishes by itself and a thick plate keeps it. No shear locking.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from floatframe.arrays import Array
from floatframe.fem.elements.shells._wall import Wall


@dataclass(frozen=True)
class Sides:
    """Sides of flat polygons, each array (nel, nside): direction cosines c, s, length [m].

    phi (nel, nside): flexibility in shear over that in bending, over the length of a side or its width if less;
    amplitude (nel, nside, nnode, 3): extra rotation of a side per unit (uz, rx, ry) of the nodes.
    """

    c: Array
    s: Array
    length: Array
    phi: Array
    amplitude: Array


def sides(wall: Wall, width: Array | float = np.inf) -> Sides:
    """Return the sides 0-1, 1-2, ... of all elements.

    width (nel, nside): least width of the elements on both sides. Near a free edge the rotations leave the slopes of
    the deflection, over a layer about as wide as the wall is thick: where elements are narrow enough to see it, a
    long side must not tie one to the other. Both elements must use the same width, or the patch test fails.
    """
    along = np.roll(wall.xy, -1, axis=1) - wall.xy
    nel, nside, _ = along.shape
    length = np.hypot(along[..., 0], along[..., 1])
    c, s = along[..., 0] / length, along[..., 1] / length
    phi = 12.0 * (wall.bending_along(c, s) / wall.shear_along(c, s)) / np.minimum(length, width) ** 2
    factor = 1.5 / (1.0 + phi)
    amplitude = np.zeros((nel, nside, nside, 3))
    for k in range(nside):
        i, j = k, (k + 1) % nside
        amplitude[:, k, i, 0] = factor[:, k] / length[:, k]
        amplitude[:, k, j, 0] = -amplitude[:, k, i, 0]
        amplitude[:, k, i, 1] = amplitude[:, k, j, 1] = 0.5 * factor[:, k] * s[:, k]
        amplitude[:, k, i, 2] = amplitude[:, k, j, 2] = -0.5 * factor[:, k] * c[:, k]
    return Sides(c, s, length, phi, amplitude)


def curvature_rows(wall: Wall, side: Sides, gx: Array, gy: Array, px: Array, py: Array) -> Array:
    """Return rows (nel, 3 npoint, nnode, 3) of the curvatures, component by component.

    gx, gy (nel, npoint, nnode) slopes of the corner functions and px, py (nel, npoint, nside) of the side functions,
    already multiplied by the root of weight and bending stiffness.
    """
    nel, npoint, nnode = gx.shape
    c, s = side.c[:, None, :], side.s[:, None, :]
    of_side = wall.bending.rows(px * c, py * s, py * c + px * s)
    rows = np.matmul(of_side.reshape(nel, 3 * npoint, nnode), side.amplitude.reshape(nel, nnode, 3 * nnode))
    rows = rows.reshape(nel, 3, npoint, nnode, 3)
    # curvatures of the corner rotations, βx = ry and βy = -rx
    U = wall.bending.U[:, :, :, None, None]
    rows[:, 0, ..., 2] += U[:, 0, 0] * gx
    rows[:, 0, ..., 1] -= U[:, 0, 1] * gy
    rows[:, 1, ..., 1] -= U[:, 1, 1] * gy
    rows[:, 2, ..., 2] += U[:, 2, 2] * gy
    rows[:, 2, ..., 1] -= U[:, 2, 2] * gx
    for k in (0, 1):
        if U[:, k, 2].any():
            rows[:, k, ..., 2] += U[:, k, 2] * gy
            rows[:, k, ..., 1] -= U[:, k, 2] * gx
    return rows.reshape(nel, 3 * npoint, nnode, 3)


def shear_rows(wall: Wall, side: Sides, shear_x: Array, shear_y: Array) -> Array:
    """Return rows (nel, 2 npoint, nnode, 3) from the strains (nel, npoint, nside) that unit side strains cause."""
    nel, npoint, nnode = shear_x.shape
    of_side = wall.shear.rows(shear_x, shear_y).reshape(nel, 2 * npoint, nnode)
    of_side *= (-2.0 / 3.0 * side.phi)[:, None, :]
    rows = np.matmul(of_side, side.amplitude.reshape(nel, nnode, 3 * nnode))
    return rows.reshape(nel, 2 * npoint, nnode, 3)
