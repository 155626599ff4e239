"""Scales of the equations of a matrix."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csc_array

from floatframe.arrays import Array


def equilibrate(A: csc_array) -> Array:
    """Powers of two (n,) that bring the diagonal of S A S near one; largest entry of the row where it is zero."""
    size = np.abs(A.diagonal())
    if not (size > 0).all():
        largest = np.zeros(size.size)
        np.maximum.at(largest, A.indices, np.abs(A.data))
        size = np.where(size > 0, size, np.where(largest > 0, largest, 1.0))
    return np.asarray(np.ldexp(1.0, -np.rint(0.5 * np.log2(size)).astype(np.int32)))
