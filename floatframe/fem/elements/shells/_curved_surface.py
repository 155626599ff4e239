"""The mid-surface of curved shell elements: tangents, normals and the strains of its covariant directions.

A wall point moves by v + ζ φ with the height ζ over the mid-surface: v = u + o θ x n and φ = θ x n at a node with the
normal n of the element there and the offset o. Rows act on v and φ of the nodes until `on_nodes` changes them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from floatframe.arrays import Array


@dataclass(frozen=True)
class Table:
    """Shape functions (npoint, nshape) at points of the reference shape and their slopes (2, npoint, nshape)."""

    shape: Array
    slopes: Array


@dataclass(frozen=True)
class Surface:
    """A mid-surface at points: tangents along r and s (2, nel, npoint, 3), the director and its slopes alike.

    The director is interpolated from the normals at the nodes; it has no length [-].
    """

    tangents: Array
    director: Array
    director_slopes: Array


def surface(xyz: Array, normals: Array, table: Table) -> Surface:
    """Return the surface through xyz (nel, nnode, 3) with nodal normals (nel, nnode, 3)."""
    n = xyz.shape[1]
    return Surface(
        np.matmul(table.slopes[:, None, :, :n], xyz[None]),
        np.matmul(table.shape[:, :n], normals),
        np.matmul(table.slopes[:, None, :, :n], normals[None]),
    )


def area_vectors(xyz: Array, slopes: Array) -> Array:
    """Return (nel, npoint, 3): normals as long as the area per unit of r, s, from slopes (2, npoint, nnode)."""
    first, second = np.matmul(slopes[:, None], xyz[None])
    return np.cross(first, second)


def turned_axes(axes: Array, normals: Array) -> Array:
    """Return axes (nel, npoint, 3, 3) with rows x, y and the given unit normals (nel, npoint, 3).

    They come from axes (nel, 3, 3) by the shortest turn of their z to the normal.
    """
    z = axes[:, None, 2]
    half = (z + normals) / (1.0 + (z * normals).sum(axis=2, keepdims=True))
    plane = [axes[:, None, k] - (axes[:, None, k] * normals).sum(axis=2, keepdims=True) * half for k in (0, 1)]
    return np.stack([*plane, normals], axis=2)


def membrane_rows(at: Surface, table: Table, directions: Array) -> Array:
    """Return rows (nel, npoint, nshape, 3) on v: stretches with directions (npoint, 3) of rr, ss and 2 rs."""
    return _stretches(at.tangents, table, directions)


def curvature_rows(at: Surface, table: Table, plane: Array) -> Array:
    """Return rows (nel, npoint, 3, nshape, 6) on v and φ: changes of curvature x, y, xy by `plane` of `cartesian`."""
    rows = [
        np.concatenate(
            [_stretches(along, table, plane[:, :, k]) for along in (at.director_slopes, at.tangents)], axis=3
        )
        for k in range(3)
    ]
    return np.stack(rows, axis=2)


def shear_rows(at: Surface, table: Table, directions: Array) -> Array:
    """Return rows (nel, npoint, nshape, 6) on v and φ: shears across the wall with directions (npoint, 2) of rt, st."""
    slope = np.einsum("pk,kpn->pn", directions, table.slopes)
    tangent = np.einsum("pk,kepx->epx", directions, at.tangents)
    on_v = slope[:, :, None] * at.director[:, :, None]
    return np.concatenate([on_v, table.shape[:, :, None] * tangent[:, :, None]], axis=3)


def _stretches(along: Array, table: Table, directions: Array) -> Array:
    rr, ss, rs = np.moveaxis(directions, -1, 0)[..., None]
    first, second = rr * along[0] + rs * along[1], rs * along[0] + ss * along[1]
    r, s = table.slopes[..., None]
    return r * first[:, :, None] + s * second[:, :, None]


def on_nodes(rows: Array, normals: Array, offset: Array | float) -> Array:
    """Return rows (nel, nrow, nnode, 6) on u and θ of nodes from rows on v and φ; normals (nel, nnode, 3)."""
    on_v, on_phi = rows[..., :3], rows[..., 3:]
    return np.concatenate([on_v, np.cross(normals[:, None], on_phi + offset * on_v)], axis=3)


def cartesian(tangents: Array, axes: Array) -> tuple[Array, Array, Array]:
    """Return what turns strains rr, ss, 2 rs into x, y, xy (nel, npoint, 3, 3), the same for rt, st (.., 2, 2), and
    the areas (nel, npoint) per unit of r, s; axes (nel, npoint, 3, 3)."""
    # (nel, npoint, axis, coordinate)
    J = np.stack([(axes[:, :, :2] * along[:, :, None]).sum(axis=3) for along in tangents], axis=3)
    det = J[..., 0, 0] * J[..., 1, 1] - J[..., 0, 1] * J[..., 1, 0]
    rx, ry = J[..., 1, 1] / det, -J[..., 0, 1] / det
    sx, sy = -J[..., 1, 0] / det, J[..., 0, 0] / det
    plane = np.stack(
        [
            *(rx * rx, sx * sx, rx * sx),
            *(ry * ry, sy * sy, ry * sy),
            *(2 * rx * ry, 2 * sx * sy, rx * sy + ry * sx),
        ],
        axis=-1,
    ).reshape(*det.shape, 3, 3)
    across = np.stack([rx, sx, ry, sy], axis=-1).reshape(*det.shape, 2, 2)
    return plane, across, det
