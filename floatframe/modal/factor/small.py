"""Factors of small matrices by SuperLU: they gain nothing from substructures and threads, and nothing is compiled.

L D L^T without pivoting keeps the signs of the pivots, which are those of the eigenvalues. It is used only where it is
seen to be safe: no rows interchanged, and pivots that are positive and strong or a refinement that contracts. All
others, and what must be refused, are left to the factorisation by substructures, which has pivots of order two.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import csc_array, diags_array
from scipy.sparse.linalg import splu

from floatframe.arrays import Array
from floatframe.modal.factor.checks import checked_matrix
from floatframe.modal.factor.factored import SUSPECT_PIVOT, Factored, Kind, check_kind
from floatframe.modal.factor.products import is_small
from floatframe.modal.factor.scaling import equilibrate


class SmallFactorization(Factored):
    """A factored small matrix: solve as often as wanted, count its negative eigenvalues."""

    def __init__(self, A: csc_array, scale: Array, lu: Any, definite: bool) -> None:
        super().__init__(A, scale, definite, int((lu.U.diagonal() < 0.0).sum()), 0)
        self._lu = lu

    @property
    def memory_bytes(self) -> int:
        return 12 * int(self._lu.nnz)

    def _substitute(self, B: Array) -> Array:
        if not B.shape[1]:
            return B.copy()
        right = B * self.scale[:, None]
        # with U for D L^T rounding would leave the inverse unsymmetric, which costs Lanczos' method digits
        X = self._lu.solve(right) + self._lu.solve(right, "T")
        return np.asfortranarray(X * (0.5 * self.scale[:, None]))

    def __repr__(self) -> str:
        return f"<SmallFactorization, {self.n} equations, {self.memory_bytes / 2**20:.1f} MB>"


def factored(A: Any, *, kind: Kind = "auto", symbolic: Any = None) -> Factored:
    """Factor a sparse symmetric matrix as `factorize` does, a small one by SuperLU where that is safe."""
    check_kind(kind)
    if is_small(A):
        A = checked_matrix(A)
        F = _factored_small(A, kind)
        if F is not None:
            return F
    from floatframe.modal.factor.substructures import factorize  # compiled code loads only here

    return factorize(A, kind=kind, symbolic=symbolic)


def _factored_small(A: csc_array, kind: Kind) -> SmallFactorization | None:
    """The factor without pivoting, None where that is not safe or the matrix is not of the kind."""
    scale = equilibrate(A)
    S = diags_array(scale)
    try:
        lu = splu(
            csc_array(S @ A @ S),
            permc_spec="MMD_AT_PLUS_A",
            diag_pivot_thresh=0.0,
            options={"SymmetricMode": True},
        )
    except RuntimeError:  # a pivot is zero
        return None
    pivots = lu.U.diagonal()
    definite = kind != "indefinite" and bool((pivots > 0.0).all())
    if not np.array_equal(lu.perm_r, lu.perm_c) or (kind == "spd" and not definite):
        return None
    F = SmallFactorization(A, scale, lu, definite)
    strong = definite and float(pivots.min()) >= SUSPECT_PIVOT
    return F if strong or F.reliable else None
