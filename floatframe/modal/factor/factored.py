"""What factored matrices have in common: solutions, refined where pivots were weak, and counts that can be trusted."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from functools import cached_property
from typing import Any, Literal, get_args

import numpy as np
from scipy.sparse import csc_array

from floatframe.arrays import Array
from floatframe.errors import ModelError, NotConverged
from floatframe.modal.factor.checks import checked_right_hand_side
from floatframe.modal.factor.products import multiply

Kind = Literal["auto", "spd", "indefinite"]

# a pivot below this share of its diagonal makes a matrix suspect, the inverse iteration then decides
SUSPECT_PIVOT = 1e-9
# refinement must shrink the error of the worst direction at least so much for a solution or an inertia to be trusted
TRUSTED_CONTRACTION = 0.1


def check_kind(kind: str) -> None:
    """Refuse a kind of factorisation that does not exist."""
    if kind not in get_args(Kind):
        raise ModelError(f"kind is {kind!r}, expected 'auto', 'spd' or 'indefinite'.")


class Factored(ABC):
    """S A S = L D L^T with powers of two in the diagonal S; a definite A has positive pivots and no refinement."""

    symbolic: Any = None  # what can be used again for a matrix of the same pattern

    def __init__(self, A: csc_array, scale: Array, definite: bool, negative: int, zero_pivots: int) -> None:
        self.n = scale.size  # number of equations
        self.scale = scale  # (n,) diagonal of S
        self.definite = definite  # whether all pivots were required to be positive
        self.zero_pivots = zero_pivots  # pivots that were too small to divide by and have been raised
        self._A: csc_array | None = A
        self._negative = negative
        self._seconds, self._solved = 0.0, 0

    @property
    @abstractmethod
    def memory_bytes(self) -> int:
        """Memory held by the factor and its index lists."""

    @abstractmethod
    def _substitute(self, B: Array) -> Array:
        """Forward and backward substitution of (n, k) right-hand sides."""

    @property
    def negative_pivots(self) -> int:
        """Number of negative eigenvalues; NotConverged if rounding leaves it in doubt."""
        if self.definite:
            return 0
        if not self.reliable:
            raise NotConverged(
                f"the matrix is singular to working precision ({self.zero_pivots} vanishing pivots, refinement factor "
                f"{self.contraction:.1e}), its negative pivots cannot be counted: move the shift."
            )
        return self._negative

    @property
    def reliable(self) -> bool:
        """Whether solutions and the count of negative pivots can be trusted."""
        return self.contraction < TRUSTED_CONTRACTION

    def forget_matrix(self) -> None:
        """Give the matrix back after Cholesky: solutions do without it, `contraction` and `reliable` do not."""
        if self.definite:
            self._A = None

    @cached_property
    def contraction(self) -> float:
        """Factor by which one refinement shrinks the error in the worst direction, about rounding error x condition.

        The factor is exact for a matrix A + E. Inverse iteration finds the direction v where A is smallest; the
        residual of a solution for v is E v / lambda. Below one, E cannot have changed the sign of any eigenvalue.
        """
        if self._A is None:
            raise ModelError("the matrix of this factorisation was released; compute the contraction before that.")
        unit = 1.0 / self.scale
        v = np.random.default_rng(1).standard_normal((self.n, 2))
        worst = 0.0
        for _ in range(3):
            v /= np.sqrt((v * v).sum(axis=0))
            right = v * unit[:, None]
            x = self._substitute(right)
            if not np.isfinite(x).all():
                return np.inf
            # residual and solution measured in the scaled unknowns
            residual = (right - multiply(self._A, x)) / unit[:, None]
            worst = max(worst, float(np.sqrt((residual * residual).sum(axis=0)).max()))
            v = x * unit[:, None]
        return worst

    def solve(self, B: Array) -> Array:
        """Solution X of A X = B for one right-hand side (n,) or many (n, k); refined where pivots were weak."""
        B = checked_right_hand_side(B, self.n)
        begun = time.perf_counter()
        columns = B.reshape(self.n, -1)
        X = self._substitute(columns)
        for _ in range(self._refinements):
            X += self._substitute(columns - self._A @ X)
        self._seconds += time.perf_counter() - begun
        self._solved += columns.shape[1]
        return X.reshape(B.shape)

    @property
    def solve_seconds(self) -> float | None:
        """Time of a solution, on average over those so far."""
        return self._seconds / self._solved if self._solved else None

    @cached_property
    def _refinements(self) -> int:
        """Steps of refinement that bring the solution to working precision; none after Cholesky."""
        if self.definite or self.contraction < 1e-8:
            return 0
        return 5 if self.contraction >= 1e-3 else 2
