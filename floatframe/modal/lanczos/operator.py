"""The inverse operator of a pencil in its two forms: M-inner product, or Cholesky factor of the mass.

With a shift s all have the eigenvalues theta = 1/(lambda - s):

    inner-product   (K - s M)^-1 M          self-adjoint in <x, y> = x^T M y
    cholesky        L^T (K - s M)^-1 L      symmetric, M = L L^T, basis vectors are L^T x

The first has a twin that costs less where K - s M = C C^T is definite:

    sandwich        C^-1 M C^-T             symmetric, basis vectors are C^T x
"""

from __future__ import annotations

from time import perf_counter
from typing import Any, Protocol

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import splu

from floatframe.arrays import Array, SparseMatrix
from floatframe.errors import ModelError
from floatframe.modal.lanczos.modes import norm
from floatframe.modal.lanczos.part_motions import PartMotions
from floatframe.modal.lanczos.pencil import Pencil

_NOTHING = 1e-14  # theta up to this part of the greatest is round-off


class Doubtful(Exception):
    """Some theta are negative: the mass is indefinite, or soft motions without mass drown the others."""


class Factor(Protocol):
    """What the recurrence needs of a factorised K - s M."""

    def solve(self, B: Array) -> Array: ...


class Inverse:
    """The operator (K - s M)^-1 M in the M-inner product."""

    def __init__(self, pencil: Pencil, factor: Factor, shift: float, apart: PartMotions | None = None) -> None:
        self.pencil = pencil
        self.factor = factor
        self.shift = shift
        self.apart = apart  # motions that everything is kept clear of
        self.size = pencil.size  # length of a basis vector
        self.metric_norm = norm(pencil.M)
        self.solves = 0
        self.seconds = 0.0

    def solve(self, B: Array) -> Array:
        """(K - s M)^-1 B for columns B (n, k), counted and timed."""
        start = perf_counter()
        X = self.factor.solve(B[:, 0])[:, None] if B.shape[1] == 1 else self.factor.solve(B)
        self.seconds += perf_counter() - start
        self.solves += B.shape[1]
        return np.asfortranarray(X)

    def plain(self) -> Inverse:
        """The operator in the form that takes shapes as basis vectors."""
        return self

    def weigh(self, Q: Array) -> Array:
        """The metric times Q, or Q itself: inner products are Q^T weigh(Q)."""
        return self.pencil.weigh(Q)

    def image(self, Q: Array, weighed: Array) -> Array:
        """The operator applied to columns Q, whose weighed columns are known."""
        return self._clear(self.solve(weighed))

    def _clear(self, X: Array) -> Array:
        return X if self.apart is None else self.apart.cleared(X)

    def certain(self, theta: Array) -> Array:
        """Eigenvalues theta of the operator, those that round-off alone makes differ from zero set to zero."""
        return theta

    def enter(self, X: Array) -> Array:
        """Basis vectors of the shapes X."""
        return self._clear(np.array(X, order="F"))

    def shapes(self, Q: Array, theta: Array) -> Array:
        """Shapes (ndof, k) of Ritz vectors Q."""
        if not self.pencil.massless.any():
            return Q
        # massless dofs are invisible to the metric: restore them from equilibrium
        X = self._clear(self.solve(self.weigh(Q)))
        X /= theta
        return X


class SandwichInverse(Inverse):
    """The operator C^-1 M C^-T with the Euclidean inner product, for a Cholesky factor of our own."""

    def __init__(self, pencil: Pencil, factor: Any, shift: float) -> None:
        from floatframe.modal.factor import Sandwich  # compiled code loads only here

        super().__init__(pencil, factor, shift)
        self.metric_norm = 1.0
        self._sandwich = Sandwich(factor, pencil.M)

    def plain(self) -> Inverse:
        other = Inverse(self.pencil, self.factor, self.shift)
        other.solves, other.seconds = self.solves, self.seconds
        return other

    def weigh(self, Q: Array) -> Array:
        return Q

    def image(self, Q: Array, weighed: Array) -> Array:
        start = perf_counter()
        R = self._sandwich(Q)
        self.seconds += perf_counter() - start
        self.solves += Q.shape[1]
        return R

    def certain(self, theta: Array) -> Array:
        # motions without mass, which the metric of the mass would not see, are here those of theta zero
        greatest = theta.max(initial=0.0)
        if theta.min(initial=0.0) < -_NOTHING * greatest:
            raise Doubtful
        return np.where(theta > _NOTHING * greatest, theta, 0.0)

    def shapes(self, Q: Array, theta: Array) -> Array:
        X = self._sandwich.up(Q)
        X /= np.sqrt(theta)
        return X


class CholeskyInverse(Inverse):
    """The operator L^T (K - s M)^-1 L with the Euclidean inner product."""

    def __init__(self, pencil: Pencil, factor: Factor, shift: float, L: SparseMatrix) -> None:
        super().__init__(pencil, factor, shift)
        self._L = L
        self._rows = sparse.csr_array(L.T)
        self.size = int(L.shape[1])
        self.metric_norm = 1.0

    def weigh(self, Q: Array) -> Array:
        return Q

    def image(self, Q: Array, weighed: Array) -> Array:
        return np.asfortranarray(self._rows @ self.solve(np.asfortranarray(self._L @ Q)))

    def enter(self, X: Array) -> Array:
        return np.asfortranarray(self._rows @ X)

    def shapes(self, Q: Array, theta: Array) -> Array:
        # x = theta^-1 (K - s M)^-1 L q needs no solution with L^T and fills massless dofs
        return self.solve(np.asfortranarray(self._L @ Q)) / theta


def mass_cholesky(pencil: Pencil) -> SparseMatrix:
    """A sparse L (n, r) with M = L L^T; r counts the dofs with mass."""
    heavy = np.flatnonzero(~pencil.massless)
    scatter = sparse.csc_array((np.ones(heavy.size), (heavy, np.arange(heavy.size))), shape=(pencil.size, heavy.size))
    if pencil.lumped:
        return sparse.csc_array(scatter * np.sqrt(pencil.M.diagonal()[heavy]))
    block = sparse.csc_array(pencil.M[heavy][:, heavy])
    failure = ModelError("mass: no Cholesky factor exists (semi-definite matrix); use form='inner-product'.")
    options: dict[str, Any] = {"SymmetricMode": True}
    try:
        lu = splu(block, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options=options)
    except RuntimeError as reason:
        raise failure from reason
    pivots = lu.U.diagonal()
    if (pivots <= 0.0).any() or (lu.perm_r != lu.perm_c).any():
        raise failure
    lower = sparse.csc_array(lu.L) * np.sqrt(pivots)  # scales the columns
    return sparse.csc_array(scatter @ sparse.csc_array(lower)[lu.perm_r])
