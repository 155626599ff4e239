"""Null vectors of a stiffness: by inverse iteration with a tiny shift, and in a form that touches few dofs."""

from __future__ import annotations

import numpy as np
import scipy.linalg
from scipy.sparse import csc_array, eye_array

from floatframe.arrays import Array, IntArray
from floatframe.modal.factor import factored
from floatframe.modal.lanczos import PartMotions

SHIFT = 1e-11  # of the unit diagonal: far below any elastic value, far above round-off
ZERO = 1e-14  # Rayleigh quotients of null vectors end at round-off, a few 1e-16
MOST = 96  # null vectors looked for at once


def null_space(Ks: csc_array, known: PartMotions | None = None) -> Array:
    """Return an orthonormal basis (n, k) of the null space of Ks, of unit diagonal, without known null vectors."""
    n = Ks.shape[0]
    room = n - (0 if known is None else known.count)
    if room <= 0:
        return np.empty((n, 0))

    def cleared(X: Array) -> Array:
        return X if known is None else known.cleared(X)

    F = factored(csc_array(Ks + SHIFT * eye_array(n)))
    generator = np.random.default_rng(0)
    size = min(8, room)
    while True:
        X = generator.standard_normal((n, size))
        for _ in range(3):
            X = F.solve(cleared(X))
            X, _, _ = orthonormal(cleared(X))
        value, vector = scipy.linalg.eigh(X.T @ (Ks @ X))
        null = value < ZERO
        if not null.all() or size >= min(MOST, room):
            return np.asarray(X @ vector[:, null])
        size = min(4 * size, MOST, room)


def orthonormal(X: Array) -> tuple[Array, IntArray, int]:
    """Return Q of X = Q T with pivots, the pivots, and the rank."""
    Q, T, pivot = scipy.linalg.qr(X, mode="economic", pivoting=True)
    diagonal = np.abs(np.diag(T))
    return Q, pivot, int((diagonal > 1e-10 * diagonal.max(initial=0.0)).sum())


def localised(X: Array) -> tuple[Array, IntArray]:
    """Return a basis of the same space whose vectors touch as few dofs as possible, and the dof that each has alone."""
    if X.shape[1] == 0:
        return X, np.empty(0, dtype=np.int64)
    _, _, pivot = scipy.linalg.qr(X.T, mode="economic", pivoting=True)
    own = pivot[: X.shape[1]].astype(np.int64)
    local = X @ scipy.linalg.inv(X[own])
    local[np.abs(local) < 1e-9 * np.abs(local).max(axis=0)] = 0.0
    return local, own
