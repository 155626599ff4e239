"""Constants of a filled section from cells: moments, St-Venant's torsion, shear centre and shear factors.

The warping of torsion and the shear stresses of a shear force are solved on biquadratic cells for Poisson's ratio
zero, in axes y to the right and z up (Pilkey, Analysis and Design of Elastic Beams, chapters 5 and 6).
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import csc_array
from scipy.sparse.linalg import splu

from floatframe.arrays import Array, IntArray
from floatframe.errors import ModelError
from floatframe.fem.properties.profiles import Point
from floatframe.fem.properties.sections import BeamSection

_ROUND = 1e-9
_GAUSS = (np.sqrt(0.6) * np.array([-1.0, 0.0, 1.0]), np.array([5.0, 8.0, 5.0]) / 9.0)
# nodes of a cell: corners round it, middles of its sides, its centre; places among (-1, 0, 1) in both directions
_PLACES = np.array([[0, 0], [2, 0], [2, 2], [0, 2], [1, 0], [2, 1], [1, 2], [0, 1], [1, 1]])


def _cell(a: float, b: float) -> tuple[Array, Array]:
    """Return shape functions (9,) and their derivatives (2, 9) at a point of a cell."""

    def line(x: float) -> tuple[Array, Array]:
        return np.array([x * (x - 1) / 2, 1 - x * x, x * (x + 1) / 2]), np.array([x - 0.5, -2 * x, x + 0.5])

    (p, dp), (q, dq) = line(a), line(b)
    i, j = _PLACES.T
    return p[i] * q[j], np.stack([dp[i] * q[j], p[i] * dq[j]])


def filled_section(points: Array, cells: IntArray, name: str) -> tuple[BeamSection, Point]:
    """Return the section of cells (n, 9) between points (m, 2) and its centroid; corners run counter-clockwise."""
    shapes, gradients, weights = [], [], []
    for a, wa in zip(*_GAUSS, strict=True):
        for b, wb in zip(*_GAUSS, strict=True):
            N, dN = _cell(float(a), float(b))
            jacobian = np.einsum("an,cnb->cab", dN, points[cells])
            size = np.linalg.det(jacobian)
            if not (size > 0.0).all():
                row = int(np.argmin(size))
                raise ModelError(f"beam section '{name}': cell {row + 1} has no area or runs clockwise.")
            shapes.append(N)
            gradients.append(np.linalg.solve(jacobian, np.broadcast_to(dN, (len(cells), 2, 9))))
            weights.append(wa * wb * size)
    N, D, w = np.array(shapes), np.array(gradients), np.array(weights)
    area = float(w.sum())
    at = np.einsum("gn,cna->gca", N, points[cells])
    centroid = np.einsum("gc,gca->a", w, at) / area
    at = at - centroid
    (Iz, Iyz), (_, Iy) = np.einsum("gc,gca,gcb->ab", w, at, at).tolist()

    used, rows = np.unique(cells, return_inverse=True)
    rows = rows.reshape(cells.shape)
    local = np.einsum("gc,gcan,gcam->cnm", w, D, D)
    at_rows, at_columns = np.repeat(rows, 9, axis=1), np.tile(rows, 9)
    K = csc_array((local.ravel(), (at_rows.ravel(), at_columns.ravel())), shape=(used.size, used.size))
    y, z = at[..., 0], at[..., 1]
    loads = np.zeros((3, used.size))
    twist = np.stack([z, -y], axis=-1)
    shares = np.linalg.solve(np.array([[Iz, Iyz], [Iyz, Iy]]), np.eye(2))
    np.add.at(loads[0], rows, np.einsum("gc,gca,gcan->cn", w, twist, D))
    for k in range(2):
        np.add.at(loads[1 + k], rows, np.einsum("gc,gc,gn->cn", w, at @ shares[:, k], N))
    try:
        # functions are free by a constant
        rest = splu(K[1:, 1:].tocsc()).solve(loads[:, 1:].T)
    except RuntimeError as error:
        raise ModelError(f"beam section '{name}': its cells are not connected.") from error
    found = np.vstack([np.zeros(3), rest])
    work = np.einsum("ni,in->i", found, loads)
    if not (np.isfinite(work).all() and (work[1:] > 0.0).all()):
        raise ModelError(f"beam section '{name}': its cells are not connected.")
    warping = np.einsum("gn,cn->gc", N, found[rows, 0])
    warping = warping - float((w * warping).sum()) / area
    moments = np.einsum("gc,gc,gca->a", w, warping, at)
    centre = np.linalg.solve(np.array([[Iyz, -Iz], [Iy, -Iyz]]), -moments)
    reach = np.abs(points[used] - centroid).max(axis=0)
    # what symmetry makes zero is zero, not round-off
    centre = np.where(np.abs(centre) > _ROUND * reach.max(), centre, 0.0)
    Iyz = Iyz if abs(Iyz) > _ROUND * np.sqrt(Iy * Iz) else 0.0
    section = BeamSection(
        A=area, Iy=Iy, Iz=Iz, Iyz=Iyz, J=Iy + Iz - float(work[0]), ky=1.0 / (area * float(work[1])),
        kz=1.0 / (area * float(work[2])), shear_centre=(float(centre[0]), float(centre[1])),
        y_max=float(reach[0]), z_max=float(reach[1]), name=name,
    )  # fmt: skip
    return section, (float(centroid[0]), float(centroid[1]))


def quadrilateral(corners: Array, name: str, cells: int = 8) -> tuple[BeamSection, Point]:
    """Return a filled quadrilateral with corners (4, 2), or a triangle whose last corners are one."""
    (y1, z1), (y2, z2) = corners[2] - corners[0], corners[3] - corners[1]
    if y1 * z2 < z1 * y2:
        corners = corners[::-1] if np.any(corners[2] != corners[3]) else corners[[1, 0, 2, 3]]
    n = 2 * cells + 1
    along = np.linspace(0.0, 1.0, n)
    s, t = (part.ravel()[:, None] for part in np.meshgrid(along, along))
    a, b, c, d = corners
    points = (1 - s) * (1 - t) * a + s * (1 - t) * b + s * t * c + (1 - s) * t * d
    number = np.arange(n * n).reshape(n, n)
    first = [number[2 * j : 2 * j + 3, 2 * i : 2 * i + 3] for j in range(cells) for i in range(cells)]
    return filled_section(points, np.array([part[_PLACES[:, 1], _PLACES[:, 0]] for part in first]), name)
