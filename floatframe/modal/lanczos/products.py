"""Products of a Lanczos basis with a few columns, on all processors: BLAS is built for blocks of many columns."""

from __future__ import annotations

import numpy as np
from scipy.linalg.blas import dgemm

from floatframe.arrays import Array
from floatframe.modal.factor import in_threads

_SMALL = 1_000_000  # below this many entries of the basis BLAS is as good
_FEW = 8  # columns above which BLAS catches up


def overlaps(Q: Array, W: Array) -> Array:
    """Q^T W (m, k) for columns Q (n, m) and W (n, k), both stored column by column."""
    if Q.size < _SMALL or W.shape[1] > _FEW:
        return np.asarray(Q.T @ W)
    from floatframe.modal.lanczos._kernels import add_overlaps  # compiled code loads only here

    def part(low: int, high: int) -> Array:
        H = np.zeros((Q.shape[1], W.shape[1]))
        add_overlaps(low, high, Q, W, H)
        return H

    return np.asarray(sum(in_threads(part, Q.shape[0])))


def subtract_product(R: Array, Q: Array, H: Array) -> None:
    """R -= Q H in place, for columns R (n, k) and Q (n, m) stored column by column."""
    if Q.size < _SMALL or R.shape[1] > _FEW:
        dgemm(-1.0, Q, H, beta=1.0, c=R, overwrite_c=1)
        return
    from floatframe.modal.lanczos import _kernels as kernels

    H = np.ascontiguousarray(H)
    in_threads(lambda low, high: kernels.subtract_product(low, high, Q, H, R), Q.shape[0])
