"""A car body of shell-like quadrilaterals for solver benchmarks: box, floors, bulkheads, ribs, windows and doors.

Every quadrilateral is a lattice of six spatial beams (its sides and diagonals), so that the graph is that of a shell
mesh with six dofs per node and the values are those of an engineering stiffness matrix.
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import csc_array


def car_body(ndof: int = 164_000) -> tuple[csc_array, csc_array, np.ndarray]:
    """Stiffness and lumped mass of the body clamped at four bogie pivots, and the coordinates of each row."""
    n = max(2, round(np.sqrt(ndof / 164_000) * 24.5))  # quadrilaterals over the width
    xyz, quads = _mesh(n)
    pairs = quads[:, [[0, 1], [1, 2], [2, 3], [3, 0], [0, 2], [1, 3]]].reshape(-1, 2)
    K = _assemble(_beams(xyz[pairs[:, 1]] - xyz[pairs[:, 0]], side=0.01), pairs, len(xyz))
    length = np.sqrt(((xyz[pairs[:, 1]] - xyz[pairs[:, 0]]) ** 2).sum(axis=1))
    mass = 0.5 * 7850.0 * 1e-4 * np.bincount(pairs.ravel(), np.repeat(length, 2), len(xyz))
    m = (mass[:, None] * np.array([1.0, 1.0, 1.0, 1e-3, 1e-3, 1e-3])).ravel()
    pivots = (np.abs(np.abs(xyz[:, 0] - 10.0) - 6.0) < 0.3) & (np.abs(xyz[:, 1] - 1.5) < 0.3) & (xyz[:, 2] == 0.0)
    free = np.flatnonzero(~np.repeat(pivots, 6))
    M = csc_array((m[free], (np.arange(free.size), np.arange(free.size))), shape=(free.size, free.size))
    return csc_array(K[free][:, free]), M, np.repeat(xyz, 6, axis=0)[free]


def _mesh(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Nodes and quadrilaterals of a 20 x 3 x 3 m body on a grid with n cells over the width."""
    nx, ny, nz = round(20 / 3 * n), n, n
    shape = (nx + 1, ny + 1, nz + 1)

    def number(i: np.ndarray, j: np.ndarray, k: np.ndarray) -> np.ndarray:
        return np.ravel_multi_index((i, j, k), shape)

    def sheet(axis: int, at: int, keep: np.ndarray | None = None) -> np.ndarray:
        sizes = [s - 1 for a, s in enumerate(shape) if a != axis]
        a, b = np.meshgrid(np.arange(sizes[0]), np.arange(sizes[1]), indexing="ij")
        if keep is not None:
            a, b = a[keep], b[keep]
        a, b = a.ravel(), b.ravel()
        corners = [(a, b), (a + 1, b), (a + 1, b + 1), (a, b + 1)]
        full = np.full_like(a, at)
        return np.stack([number(*np.insert(np.stack(c), axis, full, axis=0)) for c in corners], axis=1)

    a, b = np.meshgrid(np.arange(nx), np.arange(nz), indexing="ij")
    window = (a % max(n // 2, 2) > n // 6) & (b > n // 2) & (b < 4 * n // 5)
    door = (a > nx // 2) & (a < nx // 2 + n // 4) & (b > n // 10) & (b < 4 * n // 5)
    rib, beam = np.meshgrid(np.arange(ny), np.arange(nz), indexing="ij")
    depth = max(n // 10, 1)
    ring = (rib < depth) | (rib >= ny - depth) | (beam < depth) | (beam >= nz - depth)
    sheets = [sheet(2, 0), sheet(2, depth), sheet(2, nz), sheet(1, 0, ~(window | door)), sheet(1, ny, ~window)]
    sheets += [sheet(0, i) for i in (0, nx // 8, nx - nx // 8, nx)]
    sheets += [sheet(0, i, ring) for i in range(depth, nx, max(n // 5, 2))]
    quads = np.concatenate(sheets)
    used, quads = np.unique(quads, return_inverse=True)
    xyz = np.stack(np.unravel_index(used, shape), axis=1) * (3.0 / n)
    return xyz, quads.reshape(-1, 4)


def _beams(d: np.ndarray, side: float) -> np.ndarray:
    """Stiffness (n, 12, 12) in global axes of steel beams of square section along d (n, 3)."""
    length = np.sqrt((d**2).sum(axis=1))
    x = d / length[:, None]
    helper = np.where(np.abs(x[:, [2]]) > 0.9, [[0.0, 1.0, 0.0]], [[0.0, 0.0, 1.0]])
    y = np.cross(helper, x)
    y /= np.sqrt((y**2).sum(axis=1))[:, None]
    R = np.stack([x, y, np.cross(x, y)], axis=1)
    young, area, inertia = 2.1e11, side**2, side**4 / 12.0
    ea, ei, gj = young * area / length, young * inertia / length, young * inertia / 1.3 / length
    k = np.zeros((len(d), 12, 12))
    for axis, value in ((0, ea), (3, gj)):
        k[:, axis, axis] = k[:, axis + 6, axis + 6] = value
        k[:, axis, axis + 6] = k[:, axis + 6, axis] = -value
    for u, r, sign in ((1, 5, 1.0), (2, 4, -1.0)):
        index = np.array([u, r, u + 6, r + 6])
        s = sign * length
        block = np.array([[12 + 0 * s, 6 * s, -12 + 0 * s, 6 * s], [6 * s, 4 * s**2, -6 * s, 2 * s**2],
                          [-12 + 0 * s, -6 * s, 12 + 0 * s, -6 * s], [6 * s, 2 * s**2, -6 * s, 4 * s**2]])
        k[:, index[:, None], index] = np.moveaxis(block * (ei / length**2), 2, 0)
    T = np.zeros_like(k)
    for b in range(0, 12, 3):
        T[:, b : b + 3, b : b + 3] = R
    return np.swapaxes(T, 1, 2) @ k @ T


def _assemble(k: np.ndarray, pairs: np.ndarray, nnode: int) -> csc_array:
    dofs = (6 * pairs[:, :, None] + np.arange(6)).reshape(len(pairs), 12)
    rows, columns = np.repeat(dofs, 12, axis=1), np.tile(dofs, 12)
    return csc_array((k.ravel(), (rows.ravel(), columns.ravel())), shape=(6 * nnode, 6 * nnode))
