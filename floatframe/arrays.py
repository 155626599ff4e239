"""Array aliases shared by all packages; shapes stand in comments and docstrings.

The names tell the reader what is inside; the type checker sees any array, because NumPy's own annotations lose the
number type in most expressions.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from numpy.typing import NDArray

Array: TypeAlias = NDArray[Any]  # float64
IntArray: TypeAlias = NDArray[Any]  # int64
BoolArray: TypeAlias = NDArray[Any]
AnyArray: TypeAlias = NDArray[Any]
SparseMatrix: TypeAlias = Any  # scipy.sparse.csc_array, symmetric


def frozen(array: AnyArray) -> AnyArray:
    """Return the array itself, which nobody can write to from now on."""
    array.setflags(write=False)
    return array
