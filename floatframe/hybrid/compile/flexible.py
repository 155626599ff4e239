"""The numbers of a flexible body in the order the kernels read them (see kernels.flexible)."""

from __future__ import annotations

import numpy as np

from floatframe.arrays import Array
from floatframe.modal import ReducedBody

_SIX = ((0, 0), (1, 1), (2, 2), (1, 2), (0, 2), (0, 1))


def six(tensor: Array) -> Array:
    """Components xx yy zz yz xz xy of the symmetric part of tensors (..., 3, 3), last axis first: (6, ...)."""
    return np.stack([0.5 * (tensor[..., r, c] + tensor[..., c, r]) for r, c in _SIX])


def pack_body(body: ReducedBody, damping: Array, stiffening: str = "off", diagonal: bool = True) -> tuple[Array, bool]:
    """All constants of a body as one vector, and whether mass, stiffness and damping are kept as diagonals.

    diagonal: False keeps the matrices even if they are, for damping that is put in later.
    With stiffening "full" (or "auto") the inertia tensor changes with the second-order displacement in rotation.
    """
    J, n = body.inertia, body.nmode
    # dJ/dw_i = P_i + sum_j Q_ij w_j
    P = -2.0 * six(np.asarray(J.rhoh))  # (6, n)
    Q = -2.0 * six(np.asarray(J.hh))  # (6, n, n), symmetric in the modes
    if stiffening in ("auto", "full") and body.geometric is not None:
        # J2_ii = -w^T G_ii w, J2_ij = -1/2 w^T G_ij w; the terms come in the order xx yy zz xy yz zx
        xx, yy, zz, xy, yz, zx = body.geometric.centrifugal
        Q = Q - np.stack([2.0 * xx, 2.0 * yy, 2.0 * zz, yz, zx, xy])
    X = np.empty((n, 9, n))
    X[:, :6, :] = np.transpose(Q, (1, 0, 2))
    hH = np.asarray(J.hH)  # (n, 3, n)
    X[:, 6:, :] = 0.5 * (hH - np.transpose(hH, (2, 1, 0)))
    M, K = np.asarray(body.mass), np.asarray(body.stiffness)
    D = np.diag(damping) if damping.ndim == 1 else damping
    diagonal = diagonal and all(np.count_nonzero(A - np.diag(np.diag(A))) == 0 for A in (M, K, D))
    matrices = [np.diag(A) for A in (M, K, D)] if diagonal else [M, K, D]
    parts = [J.rho, J.H, J.rhoH, six(np.asarray(J.rhorho)), P, X, *matrices]
    return np.concatenate([np.asarray(part, dtype=np.float64).ravel() for part in parts]), diagonal


def matrices_start(n: int) -> int:
    """Where mass, stiffness and damping begin among the numbers of `pack_body` for n modes."""
    return 9 + 12 * n + 9 * n * n


def shape_rows(body: ReducedBody, node: int) -> Array:
    """Shape rows (6, nmode) of a node: three displacements, three rotations, body axes."""
    row = int(body.node_index([node])[0])
    return np.asarray(body.shapes[6 * row : 6 * row + 6], dtype=np.float64)
