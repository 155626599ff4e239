"""Plane stress with drilling rotations: an improved bilinear quadrilateral."""

from __future__ import annotations

import numpy as np

from floatframe.arrays import Array
from floatframe.fem.elements._shell_quad import RULE, SHAPE, SLOPES, Quad
from floatframe.fem.elements._shell_wall import Wall

# slopes of the internal modes 1-ξ² and 1-η²
MODE_SLOPES = -2.0 * np.stack([RULE.points * [1.0, 0.0], RULE.points * [0.0, 1.0]])


def quad_rows(wall: Wall, quad: Quad, root: Array) -> tuple[Array, Array]:
    """Return rows (nel, 16, 4, 3): strains x, y, xy and drilling at 4 points for (ux, uy, rz) of 4 nodes.

    Two internal modes per displacement (Wilson; made to pass the patch test by Taylor, Beresford and Wilson 1976) are
    eliminated; the rotation of the membrane, modes included, is tied to the nodal rotations (Hughes and Brezzi 1989).
    root (nel, 4): roots of the integration weights. Also returns the amplitudes (nel, 4, 12) of the modes: those of
    1-ξ² for ux and uy, then those of 1-η².
    """
    nel = len(root)
    stretch = (np.sqrt(wall.membrane_stiffness)[:, None] * root)[:, :, None]
    within = stretch * (quad.det0[:, None] / quad.det)[:, :, None]
    strains = np.zeros((nel, 4, 4, 4, 3))
    strains[..., :2] = _strain_rows(wall, *(stretch * slope for slope in quad.slopes(SLOPES)))
    strains[:, 3, ..., 2] = -wall.plane_stress_root[2] * (stretch * SHAPE)
    rows = strains.reshape(nel, 16, 12)
    modes = _strain_rows(wall, *(within * slope for slope in quad.slopes0(MODE_SLOPES))).reshape(nel, 16, 4)
    for part in (rows[:, 12:], modes[:, 12:]):
        _soften_drilling(wall, root, part)
    across = modes.swapaxes(1, 2)
    amplitude = np.linalg.solve(np.matmul(across, modes), np.matmul(across, rows))
    rows -= np.matmul(modes, amplitude)
    return rows.reshape(nel, 16, 4, 3), -amplitude


def _strain_rows(wall: Wall, gx: Array, gy: Array) -> Array:
    """Return strains x, y, xy and rotation (nel, 4, npoint, n, 2) of ux, uy from slopes (nel, npoint, n)."""
    nu, root_y, root_xy = wall.plane_stress_root
    rows = np.zeros((len(gx), 4, *gx.shape[1:], 2))
    rows[:, 0, ..., 0] = gx
    rows[:, 0, ..., 1] = nu * gy
    rows[:, 1, ..., 1] = root_y * gy
    rows[:, 2, ..., 0] = root_xy * gy
    rows[:, 2, ..., 1] = root_xy * gx
    rows[:, 3, ..., 0] = -0.5 * root_xy * gy
    rows[:, 3, ..., 1] = 0.5 * root_xy * gx
    return rows


def _soften_drilling(wall: Wall, root: Array, rows: Array) -> None:
    """Leave the mean of the drilling rows (nel, 4, n) tied with G t and weaken their variation over the element.

    Next to a curved shell's flat elements rotations about tangents look like drilling that varies; tied by no more than
    the bending stiffness, G t (t / size)², it cannot lock a thin shell.
    """
    area = (root**2).sum(axis=1)
    mean = root[:, :, None] * np.matmul((root / area[:, None])[:, None, :], rows)
    change = np.minimum(wall.thickness / np.sqrt(area), 1.0)[:, None, None]
    rows *= change
    rows += (1.0 - change) * mean
