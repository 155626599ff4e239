"""Roots of the laws of walls: upper triangular U with Uᵀ U = law, which turn strains into rows of energy."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from floatframe.arrays import Array


@dataclass(frozen=True)
class Root:
    """U (k, n, n) upper triangular with size Uᵀ U = law (k, n, n), k one or the number of elements.

    For an isotropic wall the rows are (x + νy, √(1-ν²) y, √((1-ν)/2) xy).
    """

    U: Array
    size: Array  # (k,), the largest of the diagonal

    def rows(self, *strains: Array) -> Array:
        """Return U times strains, n arrays (nel, ...), as (nel, n, ...)."""
        # many entries are zero or one: the laws of most walls do not couple shear to stretching
        found = np.empty((len(strains[0]), len(strains), *strains[0].shape[1:]))
        for i in range(len(strains)):
            found[:, i] = self._entry(i, i, strains[i]) * strains[i]
            for j in range(i + 1, len(strains)):
                if self._coupled[i][j]:
                    found[:, i] += self._entry(i, j, strains[j]) * strains[j]
        return found

    def forces(self, rows: Array) -> Array:
        """Return Uᵀ times rows (nel, n, ...)."""
        found = np.empty_like(rows)
        for j in range(rows.shape[1]):
            found[:, j] = self._entry(j, j, rows[:, j]) * rows[:, j]
            for i in range(j):
                if self._coupled[i][j]:
                    found[:, j] += self._entry(i, j, rows[:, i]) * rows[:, i]
        return found

    def energy(self, *strains: Array) -> Array:
        """Return twice the energy (nel, ...) of strains, over the size."""
        return np.asarray((self.rows(*strains) ** 2).sum(axis=1))

    def _entry(self, i: int, j: int, like: Array) -> Array:
        return self.U[:, i, j].reshape(-1, *[1] * (like.ndim - 1))

    @cached_property
    def _coupled(self) -> list[list[bool]]:
        return np.asarray(self.U.any(axis=0)).tolist()


def root_of(law: Array) -> Root:
    """Return the root of symmetric positive semidefinite matrices (k, n, n); of zero it is one, with the size zero."""
    n = law.shape[-1]
    size = np.einsum("kii->ki", law).max(axis=1)
    some = (size > 0.0)[:, None, None]
    left = np.where(some, law / np.where(some, size[:, None, None], 1.0), np.eye(n))
    U = np.zeros_like(left)
    for i in range(n):
        pivot = np.sqrt(np.maximum(left[:, i, i], 0.0))
        U[:, i, i:] = left[:, i, i:] / np.where(pivot > 0.0, pivot, 1.0)[:, None]
        left = left - U[:, i, :, None] * U[:, i, None, :]
    return Root(U, size)
