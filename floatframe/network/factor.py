"""Linear equations of the unknowns: dense for small networks, sparse for large ones."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.linalg import lapack
from scipy.sparse import csc_array
from scipy.sparse.linalg import splu

from floatframe.arrays import Array, IntArray

MOST_DENSE = 64  # unknowns, up to which a dense factor takes less time

Solve = Callable[[Array], Array]


class Pattern:
    """Where the entries of a Jacobian (n, n) are: all of them, or those that elements fill."""

    def __init__(self, n: int, rows: IntArray, columns: IntArray) -> None:
        """rows, columns: of all entries that elements may fill; those of the ground, n, are left out."""
        self.n = n
        self.dense = n <= MOST_DENSE
        if self.dense:
            self.size = n * n
            return
        inside = (rows < n) & (columns < n)
        keys = np.unique(np.concatenate((columns[inside] * n + rows[inside], np.arange(n) * (n + 1))))
        self._keys, self.size = keys, len(keys)
        self._rows = (keys % n).astype(np.int32)
        self._starts = np.searchsorted(keys, np.arange(n + 1) * n).astype(np.int32)

    def positions(self, rows: IntArray, columns: IntArray) -> IntArray:
        """Places of entries in the data; those of the ground come after the last."""
        inside = (rows < self.n) & (columns < self.n)
        keys = rows * self.n + columns if self.dense else np.searchsorted(self._keys, columns * self.n + rows)
        return np.where(inside, keys, self.size)

    def matrix(self, data: Array) -> csc_array | Array:
        """The matrix of some data (size,)."""
        if self.dense:
            return data.reshape(self.n, self.n)
        return csc_array((data, self._rows, self._starts), shape=(self.n, self.n))

    def factored(self, data: Array) -> Solve:
        """Return the function that solves J x = b; a `Singular` tells of the unknown that is not determined."""
        if self.dense:
            factors, pivots, info = lapack.dgetrf(self.matrix(data))
            if info > 0 or not np.isfinite(factors).all():
                raise Singular(info - 1 if info > 0 else None)
            return lambda b: lapack.dgetrs(factors, pivots, b)[0]
        if not np.isfinite(data).all():
            raise Singular(None)
        try:
            return splu(self.matrix(data), permc_spec="MMD_AT_PLUS_A", options={"SymmetricMode": True}).solve
        except RuntimeError:
            matrix = abs(self.matrix(data))
            empty = np.flatnonzero(matrix.sum(axis=0) == 0.0)
            raise Singular(int(empty[0]) if len(empty) else None) from None


class Singular(Exception):
    """The equations do not have one solution; unknown: the number of one that they do not determine, if it is known."""

    def __init__(self, unknown: int | None) -> None:
        super().__init__(unknown)
        self.unknown = unknown
