"""What a flat facet of a curved shell mistakes for bending in its plane.

Where a curved surface bends without stretching, rotations change along tangents only (Darboux), and a facet, whose
normal is not that of the surface at its corners, sees part of the change about its own normal. Its size is known: it is
bilinear in the curvature of the surface and the change of curvature. Taken for bending in the plane it would cost
membrane energy, and thin curved shells would lock.
"""

from __future__ import annotations

import numpy as np

from floatframe.arrays import Array
from floatframe.fem.elements.shells._triangle import corner_slopes
from floatframe.fem.elements.shells._wall import Wall

# changes of curvature xx, yy and twice xy of one
CHANGES = np.array([[[1.0, 0.0], [0.0, 0.0]], [[0.0, 0.0], [0.0, 1.0]], [[0.0, 0.5], [0.5, 0.0]]])


def in_plane_share(
    wall: Wall, area: Array, curvature: Array, rotation: Array, turned: Array, linear: Array
) -> tuple[Array, Array]:
    """Return rows of the mean (nel, 3, 9) and of the linear strains (nel, 9, 9) caused by drilling rotations.

    rotation (nel, 3, 9): rotations against the facet per displacement; turned (nel, 3, 3) and linear (nel, 9, 3):
    strain rows per rotation. A rotation is the sum of a share d in the plane and of what the facet's bending shows
    about its normal, e. Their energies are ½ dᵀ H d and, at least, ½ eᵀ e / V, where V is the sum of the squares of e
    over all changes of curvature with unit bending energy. The sum is least for d = (1 + V H)⁻¹ (d + e). In H mean
    strains do not count for their own share, because displacements of the corners can relieve them; for the linear
    ones they do.
    """
    drill = bending_drill(wall.xy, curvature)
    stiffness = wall.bending_stiffness * area
    flexibility = np.linalg.pinv(np.matmul(wall.bending.U.swapaxes(1, 2), wall.bending.U))
    spread = np.einsum("eki,eki->e", np.matmul(flexibility, drill.swapaxes(1, 2)), drill.swapaxes(1, 2))
    V = spread / np.where(stiffness > 0.0, stiffness, np.finfo(float).tiny)
    work, relief = np.matmul(linear.swapaxes(1, 2), linear), np.matmul(turned.swapaxes(1, 2), turned)
    of_mean, of_linear = (np.linalg.inv(np.eye(3) + V[:, None, None] * H) for H in (work, work + relief))
    # of what is not bending in the plane as much is held as the wall could by bending; else nodes would turn freely
    held = np.minimum(wall.thickness / np.sqrt(area), 1.0)[:, None, None]
    of_linear = held * np.eye(3) + (1.0 - held) * of_linear
    return np.matmul(turned, np.matmul(of_mean, rotation)), np.matmul(linear, np.matmul(of_linear, rotation))


def bending_drill(xy: Array, curvature: Array) -> Array:
    """Return (nel, corner, 3) rotations about the facet's normal, against the facet, per change of curvature.

    The surface is z = ½ rᵀ C r above the plane through the centroid, its deflection w = ½ rᵀ K r. Its points turn by
    ω = (w_y, -w_x, ½ rᵀ C J K r) and move by ∫ ω × dr along the line from the centroid; to first order in C.
    """
    slope = corner_slopes(xy)
    x, y = xy[..., 0, None], xy[..., 1, None]
    fall = np.einsum("eab,eib->eia", curvature, xy)  # C r
    height = 0.5 * (xy * fall).sum(axis=2)
    tilt = np.einsum("kab,eib->eika", CHANGES, xy)  # K r
    w = 0.5 * np.einsum("eia,eika->eik", xy, tilt)
    about_z = 0.5 * (fall[..., 0, None] * tilt[..., 1] - fall[..., 1, None] * tilt[..., 0])
    g = np.einsum("ei,eia->ea", height, slope)[:, None, None]  # slope of the facet through the corners
    along_x, along_y = (
        side * about_z / 3.0 - 2.0 / 3.0 * height[..., None] * tilt[..., axis] + w * g[..., axis]
        for axis, side in enumerate((-y, x))
    )
    mean = 0.5 * (np.einsum("eik,ei->ek", along_y, slope[..., 0]) - np.einsum("eik,ei->ek", along_x, slope[..., 1]))
    return about_z - (tilt[..., 1] * g[..., 0] - tilt[..., 0] * g[..., 1]) - mean[:, None]
