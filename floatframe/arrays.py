"""Array aliases shared by all packages, and the matrix of the cross product; shapes stand in comments and docstrings.

The names tell the reader what is inside; the type checker sees any array, because NumPy's own annotations lose the
number type in most expressions.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array: TypeAlias = NDArray[Any]  # float64
IntArray: TypeAlias = NDArray[Any]  # int64
BoolArray: TypeAlias = NDArray[Any]
AnyArray: TypeAlias = NDArray[Any]
SparseMatrix: TypeAlias = Any  # scipy.sparse.csc_array, symmetric


def frozen(array: AnyArray) -> AnyArray:
    """Return the array itself, which nobody can write to from now on."""
    array.setflags(write=False)
    return array


def skew(a: ArrayLike) -> Array:
    """Return the matrices S(a) (..., 3, 3) of the cross product, S(a) b = a × b, for vectors a (..., 3)."""
    x, y, z = np.moveaxis(np.asarray(a, dtype=float), -1, 0)
    S = np.zeros((*x.shape, 3, 3))
    S[..., 0, 1], S[..., 0, 2] = -z, y
    S[..., 1, 0], S[..., 1, 2] = z, -x
    S[..., 2, 0], S[..., 2, 1] = -y, x
    return S
