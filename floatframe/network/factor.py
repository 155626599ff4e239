"""Linear equations of the unknowns: dense for small networks, sparse for large ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from scipy.linalg import lapack
from scipy.sparse import csc_array
from scipy.sparse.linalg import splu

from floatframe.arrays import Array, IntArray
from floatframe.errors import ModelError

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

    def factored(self, data: Array, names: Sequence[str]) -> Solve:
        """Return the function that solves J x = b; names: of the unknowns, for the error if J is singular."""
        if self.dense:
            factors, pivots, info = lapack.dgetrf(self.matrix(data))
            if info > 0 or not np.isfinite(factors).all():
                raise singular(names[info - 1] if info > 0 else "")
            return lambda b: lapack.dgetrs(factors, pivots, b)[0]
        if not np.isfinite(data).all():
            raise singular("")
        try:
            return splu(self.matrix(data), permc_spec="MMD_AT_PLUS_A", options={"SymmetricMode": True}).solve
        except RuntimeError:
            matrix = abs(self.matrix(data))
            empty = np.flatnonzero(matrix.sum(axis=0) == 0.0)
            raise singular(names[empty[0]] if len(empty) else "") from None


class Singular(ModelError):
    """The equations of a network do not have one solution."""


def singular(name: str) -> Singular:
    """The error about equations that do not determine an unknown."""
    which = f"'{name}'" if name else "an unknown"
    return Singular(
        f"{which} is not determined by the elements that join it; give its node a mass, a capacity, a resistance or a "
        "way to the ground, and look for two sources that contradict each other"
    )
