"""Linear algebra of small dense matrices with NumPy alone.

Loading `scipy.linalg` takes as long as most models take from their file to their equilibrium.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from floatframe.arrays import Array, BoolArray, IntArray

_LARGE = 50_000  # entries above which LAPACK's pivoted QR is worth its loading


@contextmanager
def one_thread() -> Iterator[None]:
    """Let BLAS work with one thread, in the whole process.

    Its other threads wait for work with full power, on the cores that steps, their observer or other workers need; and
    sums are in the same order everywhere.
    """
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1, "blas"):
        yield


def null_space(A: Array, rcond: float | None = None) -> Array:
    """Orthonormal basis (n, k) of what A (m, n) maps to zero; rcond: singular values up to this part of the largest."""
    _, s, Vt = np.linalg.svd(A)
    least = np.finfo(float).eps * max(A.shape) if rcond is None else rcond
    return np.asarray(Vt[int(np.count_nonzero(s > least * s.max(initial=0.0))) :].T)


def pivoted_qr(A: Array) -> tuple[Array, IntArray]:
    """R (k, n) and `order` (n,) of A[:, order] = Q R, k = min(m, n): each column adds most to those before it."""
    if A.size > _LARGE:
        import scipy.linalg

        _, R, order = scipy.linalg.qr(A, mode="economic", pivoting=True)
        return np.asarray(R), np.asarray(order)
    R, order = np.array(A, dtype=float), np.arange(A.shape[1])
    count = min(A.shape)
    for k in range(count):
        best = k + int(np.argmax(np.einsum("ij,ij->j", R[k:, k:], R[k:, k:])))
        R[:, [k, best]], order[[k, best]] = R[:, [best, k]], order[[best, k]]
        # Householder's reflection of what is left of the column onto its first entry
        normal = R[k:, k].copy()
        normal[0] += np.copysign(np.linalg.norm(normal), normal[0])
        square = normal @ normal
        if square > 0.0:
            R[k:, k:] -= np.outer(normal, (2.0 / square) * (normal @ R[k:, k:]))
        R[k + 1 :, k] = 0.0
    return R[:count], order


def pencil_modes(A: Array, B: Array) -> tuple[Array, Array]:
    """Values ascending (n,) and vectors (n, n) of A y = mu B y with y^T B y = 1; `LinAlgError` unless B is positive."""
    L = np.linalg.cholesky(B)
    half = np.linalg.solve(L, A)
    inside = np.linalg.solve(L, half.T)
    values, vectors = np.linalg.eigh(0.5 * (inside + inside.T))
    return values, np.linalg.solve(L.T, vectors)


def connected_groups(linked: BoolArray) -> IntArray:
    """Number (n,) of the group of each of n things, of which `linked` (n, n) says which belong together."""
    linked = linked | linked.T | np.eye(len(linked), dtype=bool)
    group = np.arange(len(linked))
    while True:  # everyone takes the lowest number among its neighbours
        lowest = np.where(linked, group, len(group)).min(axis=1, initial=len(group))
        if (lowest == group).all():
            return np.searchsorted(np.flatnonzero(group == np.arange(len(group))), group)
        group = lowest
