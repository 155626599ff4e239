"""Plane stress with drilling rotations: an improved bilinear quadrilateral and an optimal triangle."""

from __future__ import annotations

import numpy as np

from floatframe.arrays import Array
from floatframe.fem.elements._shell_quad import RULE, SHAPE, SLOPES, Quad
from floatframe.fem.elements._shell_wall import Wall, rooted

# slopes of the internal modes 1-ξ² and 1-η²
MODE_SLOPES = -2.0 * np.stack([RULE.points * [1.0, 0.0], RULE.points * [0.0, 1.0]])
# least root of stiffness left to the linear strains of thin triangles: with less, drilling itself vibrates among the
# lowest modes of a membrane (measured: FV32 with t = size / 1000)
SOFTEST = 0.03


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


def triangle_rows(wall: Wall, area: Array) -> tuple[Array, Array]:
    """Return rows (nel, 13, 3, 3): strains x, y, xy (component by component) and drilling for (ux, uy, rz) of 3 nodes.

    The optimal triangle with drilling freedoms of Felippa (2003): at the first of the four points stands the constant
    strain, at the others the linear strains at the middles of the sides. Bending in the plane is exact for
    rectangles of any aspect ratio made of two or four such triangles. The linear strains are the work of the drilling
    rotations, and as in `_soften_drilling` only their mean keeps its stiffness in thin elements: a drilling row makes
    up for what the softened strains lack. Also returns the roots (nel, 4) of the weights of the points.
    """
    nel = len(area)
    stretch = np.sqrt(wall.membrane_stiffness)
    hierarchical = _hierarchical_rotation(wall.xy, area)
    higher = 0.75 * max(0.5 * (1.0 - 4.0 * wall.material.nu**2), 0.01)
    linear = rooted(wall, *np.moveaxis(_linear_strain(wall.xy, area), 2, 0))
    linear = linear.reshape(nel, 9, 3) * (stretch * np.sqrt(higher * area))[:, None, None]
    change = np.clip(wall.thickness / np.sqrt(area), SOFTEST, 1.0)
    strain = np.empty((nel, 3, 4, 9))
    basic = rooted(wall, *_basic_strain(wall.xy, area).swapaxes(0, 1))
    strain[:, :, 0] = (stretch * np.sqrt(area))[:, None, None] * basic
    strain[:, :, 1:] = np.matmul(change[:, None, None] * linear, hierarchical).reshape(nel, 3, 3, 9)
    mean_root = np.sqrt((1.0 - change**2) * _mean_stiffness(linear))
    drilling = mean_root[:, None] * hierarchical.mean(axis=1)
    rows = np.concatenate([strain.reshape(nel, 12, 9), drilling[:, None]], axis=1)
    root = np.sqrt(area)[:, None] * np.stack([np.ones(nel), *[np.sqrt(higher) * change] * 3], axis=1)
    return rows.reshape(nel, 13, 3, 3), root


def _mean_stiffness(linear: Array) -> Array:
    """Return (nel,) the least energy, times two, of rotations with mean one; their strain rows are (nel, 9, 3)."""
    R = np.asarray(np.linalg.qr(linear, mode="r"))
    flexibility = np.linalg.solve(R.swapaxes(1, 2), np.full((len(R), 3, 1), 1.0 / 3.0))
    return np.asarray(1.0 / (flexibility**2).sum(axis=(1, 2)))


def _basic_strain(xy: Array, area: Array) -> Array:
    """Mean strains (nel, 3, 9) of displacements whose sides bend with the drilling rotations by the factor 3/2."""
    strain = np.zeros((len(xy), 3, 3, 3))
    factor = 1.5
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        (xi, yi), (xj, yj), (xk, yk) = (xy[:, n].T for n in (i, j, k))
        strain[:, 0, i, 0] = strain[:, 2, i, 1] = yj - yk
        strain[:, 1, i, 1] = strain[:, 2, i, 0] = xk - xj
        strain[:, 0, i, 2] = factor / 6.0 * (yj - yk) * ((yi - yk) - (yj - yi))
        strain[:, 1, i, 2] = factor / 6.0 * (xk - xj) * ((xk - xi) - (xi - xj))
        strain[:, 2, i, 2] = factor / 3.0 * ((xk - xi) * (yi - yk) - (xi - xj) * (yj - yi))
    return strain.reshape(-1, 3, 9) / (2.0 * area)[:, None, None]


def _hierarchical_rotation(xy: Array, area: Array) -> Array:
    """Nodal rotations less the mean rotation of the triangle (nel, 3, 9)."""
    rotation = np.zeros((len(xy), 3, 3, 3))
    for i in range(3):
        across = (xy[:, (i + 2) % 3] - xy[:, (i + 1) % 3]) / (4.0 * area)[:, None]
        rotation[:, :, i, :2] = across[:, None]
        rotation[:, i, i, 2] = 1.0
    return rotation.reshape(-1, 3, 9)


# linear natural strains along sides 0-1, 1-2, 2-0 at corner 0 per rotation of corners 0, 1, 2 (Felippa's β1 ... β9)
CORNER_STRAIN = np.array([[1.0, 2.0, 1.0], [0.0, 1.0, -1.0], [-1.0, -1.0, -2.0]])


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
