"""What a factorisation accepts: matrices, right-hand sides, panel widths."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import csc_array, issparse

from floatframe.arrays import Array
from floatframe.errors import ModelError
from floatframe.modal.factor.products import is_small


def checked_matrix(A: object) -> csc_array:
    """The matrix as float64 columns without duplicates; refuses what is not a finite symmetric sparse matrix."""
    if not issparse(A) or A.ndim != 2 or A.shape[0] != A.shape[1] or A.shape[0] == 0:  # type: ignore[attr-defined]
        found = getattr(A, "shape", type(A).__name__)
        raise ModelError(f"the matrix is {found}, expected a square scipy.sparse matrix.")
    if A.dtype.kind == "c":  # type: ignore[attr-defined]
        raise ModelError("the matrix is complex, expected real numbers.")
    C = csc_array(A, dtype=np.float64)
    if not C.has_canonical_format:
        C = C.copy()
        C.sum_duplicates()
    if not np.isfinite(C.data).all():
        column = int(np.searchsorted(C.indptr, np.flatnonzero(~np.isfinite(C.data))[0], side="right")) - 1
        raise ModelError(f"the matrix holds a value that is not finite in column {column}.")
    x, y = np.random.default_rng(2).standard_normal((2, C.shape[0]))
    size = np.sqrt(_row_sizes(C))
    Cx, Cy = C @ (x / size), C @ (y / size)
    difference = abs((y / size) @ Cx - (x / size) @ Cy)
    magnitude = np.abs(y / size) @ np.abs(Cx) + np.abs(x / size) @ np.abs(Cy)
    if difference > 1e-9 * magnitude:
        raise ModelError("the matrix is not symmetric: its two triangles must hold equal values, as in (A + A.T) / 2.")
    # rounding may leave an entry in one triangle and drop its twin
    return C if _has_symmetric_pattern(C) else csc_array(0.5 * (C + C.T))


def _has_symmetric_pattern(C: csc_array) -> bool:
    """Whether every entry has its twin; rows are sorted."""
    if is_small(C):
        T = csc_array(C.T)
        return np.array_equal(C.indptr, T.indptr) and np.array_equal(C.indices, T.indices)
    from floatframe.modal.factor.symbolic import symmetric  # compiled code loads only here

    return symmetric(C.indptr, C.indices)


def _row_sizes(C: csc_array) -> Array:
    """What the entries of each row are measured by: the diagonal, where it is zero the largest entry, else one."""
    size = np.abs(C.diagonal())
    bare = np.flatnonzero(size == 0.0)
    if bare.size:
        largest = abs(C[:, bare]).max(axis=0).toarray().ravel()
        size[bare] = np.where(largest > 0.0, largest, 1.0)
    return np.asarray(size)


def checked_right_hand_side(B: Any, n: int) -> Array:
    """Right-hand sides (n,) or (n, k) as float64."""
    B = np.asarray(B)
    if B.dtype.kind == "c":
        raise ModelError("the right-hand side is complex, expected real numbers: solve for both parts.")
    if B.ndim not in (1, 2) or B.shape[0] != n:
        raise ModelError(f"the right-hand side has shape {B.shape}, expected ({n},) or ({n}, k).")
    return B.astype(np.float64, copy=False)
