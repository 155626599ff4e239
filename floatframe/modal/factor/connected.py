"""Connected parts of the graph of a matrix."""

from __future__ import annotations

import numpy as np
from scipy.sparse.csgraph import connected_components

from floatframe.arrays import IntArray, SparseMatrix
from floatframe.modal.factor.products import is_small


def connected_parts(A: SparseMatrix) -> tuple[IntArray, int]:
    """Part (n,) of each row of a matrix in compressed columns, numbered as they are met, and how many there are."""
    if is_small(A):
        count, part = connected_components(A, directed=False)
        return np.asarray(part, dtype=np.int64), int(count)
    from floatframe.modal.factor._kernels_wave import connected_parts as numbered  # compiled code loads only here

    part, count = numbered(A.indptr, A.indices)
    return part, int(count)
