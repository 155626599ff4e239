"""A symmetric pencil (K, M), checked once, and its shifted combinations K - shift M on one sparsity pattern."""

from __future__ import annotations

import warnings
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse

from floatframe.arrays import Array, BoolArray, IntArray, SparseMatrix
from floatframe.errors import ModelError
from floatframe.modal.factor import multiply

_ASYMMETRY = 1e-10  # largest |A - A^T| accepted, relative to |A|: round-off of an assembly is far below
_ROUND_OFF = 1e-13  # couplings of dofs without mass below this part of the largest mass are round-off
# shift for a singular stiffness, in units of a typical K_ii/M_ii: above round-off, below the elastic modes
_FREE_SHIFT = 1e-10


class Pencil:
    """K and M as compressed columns; both are verified to be square, finite, symmetric and of one size."""

    def __init__(self, K: Any, M: Any) -> None:
        self.K = _checked(K, "stiffness")
        self.M = _checked(M, "mass")
        if self.K.shape != self.M.shape:
            raise ModelError(f"stiffness {self.K.shape} and mass {self.M.shape} differ in size; give the same dofs.")
        diagonal = self.M.diagonal()
        if (diagonal < 0.0).any():
            row = int(np.flatnonzero(diagonal < 0.0)[0])
            raise ModelError(
                f"mass: diagonal entry {row} is {diagonal[row]:g}; expected at least zero; check densities."
            )
        self.massless: BoolArray = diagonal == 0.0
        if self.massless.all():
            raise ModelError("mass: no dof carries any mass; give a density or point masses.")
        self.lumped = bool(_diagonal_positions(self.M).size == self.M.nnz)
        self._mass_diagonal = diagonal
        if not self.lumped:
            self._refuse_indefinite_pairs()

    def _refuse_indefinite_pairs(self) -> None:
        """Two dofs coupled more strongly than their masses allow have motions of negative kinetic energy."""
        from floatframe.modal.lanczos._kernels import indefinite_pair  # compiled code loads only here

        M, floor = self.M, _ROUND_OFF * self._mass_diagonal.max()
        row = int(indefinite_pair(M.indptr, M.indices, M.data, self._mass_diagonal, floor))
        if row >= 0:
            raise ModelError(
                f"mass: the matrix is indefinite, dof {row} is coupled to another more strongly than their diagonal "
                "entries allow; check offsets and point masses."
            )

    def part(self, rows: IntArray) -> Pencil:
        """The pencil of some rows."""
        return Pencil(self.K[rows][:, rows], self.M[rows][:, rows])

    @property
    def size(self) -> int:
        return int(self.K.shape[0])

    @property
    def finite(self) -> int:
        """Upper bound of the number of finite eigenvalues: the dofs that carry mass."""
        return int(np.count_nonzero(~self.massless))

    @cached_property
    def scale(self) -> float:
        """A typical K_ii / M_ii [rad^2/s^2], near the upper end of the spectrum of a mesh."""
        heavy = ~self.massless
        ratio = self.K.diagonal()[heavy] / self._mass_diagonal[heavy]
        ratio = ratio[ratio > 0.0]
        return float(np.median(ratio)) if ratio.size else 1.0

    @property
    def free_shift(self) -> float:
        """A small negative shift that makes K - shift M definite even for free bodies."""
        return -_FREE_SHIFT * self.scale

    def weigh(self, X: Array) -> Array:
        """M X for columns X (n, k)."""
        if self.lumped:
            return np.asfortranarray(X * self._mass_diagonal[:, None])
        return multiply(self.M, X)

    @cached_property
    def _union(self) -> tuple[SparseMatrix, IntArray | slice, Array]:
        """K on the union of both patterns, explicit zeros kept; where the values of M belong in it; those values."""
        K, M = self.K, self.M
        if np.array_equal(K.indptr, M.indptr) and np.array_equal(K.indices, M.indices):
            return K, slice(None), M.data
        if self.lumped and (diagonal := _diagonal_positions(K)).size == self.size:
            return K, diagonal, self._mass_diagonal
        from floatframe.modal.lanczos._kernels import united  # compiled code loads only here

        indptr, indices, own, places = united(K.indptr, K.indices, M.indptr, M.indices)
        if indices.size == K.nnz:
            return K, places, M.data
        if indices.size <= np.iinfo(K.indptr.dtype).max:
            indptr = indptr.astype(K.indptr.dtype)  # SciPy would widen the rows as well
        stiffness = np.zeros(indices.size)
        stiffness[own] = K.data
        return sparse.csc_array((stiffness, indices, indptr), shape=K.shape), places, M.data

    @property
    def pattern(self) -> SparseMatrix:
        """A matrix with the pattern that all shifts share; its values mean nothing."""
        return self._union[0]

    def shifted(self, shift: float) -> SparseMatrix:
        """K - shift M; all shifts share one sparsity pattern."""
        K, where, mass = self._union
        data = K.data.copy()
        data[where] -= shift * mass
        return sparse.csc_array((data, K.indices, K.indptr), shape=K.shape)


def _diagonal_positions(A: SparseMatrix) -> IntArray:
    """Where in A.data the stored diagonal entries are."""
    return np.flatnonzero(A.indices == np.repeat(np.arange(A.shape[0]), np.diff(A.indptr)))


def _checked(A: Any, name: str) -> SparseMatrix:
    if np.iscomplexobj(A):
        raise ModelError(f"{name}: the matrix is complex; expected real numbers.")
    with warnings.catch_warnings():
        warnings.simplefilter("error", sparse.SparseEfficiencyWarning)
        try:
            matrix = sparse.csc_array(A, dtype=np.float64)
        except (TypeError, ValueError) as reason:
            raise ModelError(f"{name}: not a real matrix ({reason}); give a sparse or square array.") from reason
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or matrix.shape[0] == 0:
        raise ModelError(f"{name}: shape is {matrix.shape}; expected a square matrix with at least one row.")
    matrix.sum_duplicates()
    from floatframe.modal.lanczos._kernels import inspect_columns  # compiled code loads only here

    # one random vector shows any asymmetry of values or of the pattern
    probe = np.random.default_rng(0).standard_normal(matrix.shape[0])
    left, right, left_marks, right_marks, largest = inspect_columns(matrix.indptr, matrix.indices, matrix.data, probe)
    if not np.isfinite(largest):
        raise ModelError(f"{name}: there are entries that are not finite; check materials, sections and coordinates.")
    if np.abs(left - right).max() > _ASYMMETRY * largest * np.abs(probe).max():
        raise ModelError(f"{name}: the matrix is not symmetric; give (A + A.T) / 2 if that is meant.")
    if np.abs(left_marks - right_marks).max() > _ASYMMETRY * matrix.shape[0]:
        # an entry that vanished by round-off on one side only
        matrix = sparse.csc_array(0.5 * (matrix + matrix.T))
    return matrix
