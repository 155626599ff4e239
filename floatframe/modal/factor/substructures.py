"""Solution of large sparse symmetric systems by substructures: interiors are eliminated, boundaries joined in a tree.

One level of this is the method of Mikheev (2004, equations 2.44 to 2.50): interiors C_i, boundary sets D_i, the
boundary system G x_D = g. Here the division is applied recursively, which makes it a multifrontal factorisation.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Any

import numpy as np
from scipy.sparse import csc_array

from floatframe.arrays import Array, IntArray
from floatframe.errors import ModelError
from floatframe.modal.factor import _kernels_solve as kernels
from floatframe.modal.factor.checks import checked_matrix
from floatframe.modal.factor.factored import SUSPECT_PIVOT, Factored, Kind, check_kind
from floatframe.modal.factor.numeric import Numeric, eliminate
from floatframe.modal.factor.ordering import Ordering
from floatframe.modal.factor.products import available_threads
from floatframe.modal.factor.report import Report
from floatframe.modal.factor.symbolic import Symbolic, analyse, fingerprint
from floatframe.modal.factor.vector import LANES

__all__ = ["Factorization", "Report", "Symbolic", "analyse", "factorize"]

# a breakdown with a pivot this close to zero is a singular matrix, below it an indefinite one
SINGULAR_PIVOT = -1e-8
# right-hand sides carried through the factor in one pass
COLUMNS_AT_ONCE = 32
# below this many factor entries threads cost more than they bring
SMALL_FACTOR = 200_000


class Factorization(Factored):
    """A factored sparse symmetric matrix: solve as often as wanted, count its negative eigenvalues."""

    def __init__(self, A: csc_array, symbolic: Symbolic, numeric: Numeric, threads: int) -> None:
        super().__init__(A, numeric.scale, numeric.d.size == 0, numeric.negative, numeric.raised)
        self.symbolic = symbolic
        self.threads = threads
        self.numeric = numeric

    @property
    def nnz_factor(self) -> int:
        """Stored entries of the factor."""
        return self.symbolic.nnz_factor

    @property
    def memory_bytes(self) -> int:
        """Memory held by the factor and its index lists."""
        s, num = self.symbolic, self.numeric
        arrays = (num.factor, num.scale, num.pivot_order, num.d, num.e, s.rows, s.relative, s.order)
        return int(sum(array.nbytes for array in arrays))

    def _substitute(self, B: Array) -> Array:
        """Forward and backward substitution of (n, k) right-hand sides."""
        B, X = np.asfortranarray(B), np.empty(B.shape, order="F")
        for first in range(0, B.shape[1], COLUMNS_AT_ONCE):
            chunk = slice(first, first + COLUMNS_AT_ONCE)
            self._pass(B.T[chunk], X.T[chunk])
        return X

    def _pass(self, BT: Array, XT: Array) -> None:
        """Solutions of some right-hand sides, both transposed (k, n)."""
        s, num = self.symbolic, self.numeric
        unit, height, boundary, end = not self.definite, s.greatest_height, s.boundary_column, s.panel_column.size - 1
        lists = (s.panel_column, s.panel_offset, s.panel_row, s.rows)
        cuts = s.front_panel[s.subtree].tolist()
        x = np.empty((-(-BT.shape[0] // LANES), s.n, LANES))
        ends = np.linspace(0, s.n, self.threads + 1).astype(np.int64).tolist()

        def down(first: int, last: int, own: int, shared: Array) -> Array:
            kernels.forward(first, last, lists, height, num.factor, unit, num.pivot_order, own, x, shared)
            return shared

        def up(first: int, last: int) -> None:
            kernels.backward(first, last, lists, height, num.factor, unit, num.pivot_order, x)

        def down_substructure(first: int, last: int) -> Array:
            return down(first, last, boundary, np.zeros((x.shape[0], s.n - boundary, LANES)))

        with ExitStack() as stack:
            spread: Callable[..., Any] = map
            if self.threads > 1 and s.nnz_factor > SMALL_FACTOR:
                spread = stack.enter_context(ThreadPoolExecutor(self.threads)).map
            list(spread(lambda low, high: kernels.gather(low, high, BT, s.order, num.scale, x), ends[:-1], ends[1:]))
            for shared in spread(down_substructure, cuts[:-1], cuts[1:]):
                x[:, boundary:] += shared
            down(cuts[-1], end, s.n, np.empty((x.shape[0], 0, LANES)))
            if unit:
                kernels.divide_by_pivots(num.d, num.e, x)
            up(cuts[-1], end)
            list(spread(up, cuts[:-1], cuts[1:]))
            list(spread(lambda low, high: kernels.scatter(low, high, x, s.order, num.scale, XT), ends[:-1], ends[1:]))

    def report(self) -> Report:
        """Substructures, memory and times; print it for a table."""
        s = self.symbolic
        inside = int(s.panel_offset[s.front_panel[s.subtree[-1]]])
        return Report(
            equations=s.n,
            substructures=s.substructures,
            interior_memory=8 * inside,
            boundary_size=s.n - s.boundary_column,
            boundary_memory=8 * (s.nnz_factor - inside),
            fronts=s.parent.size,
            factor_entries=s.nnz_factor,
            gigaflop=2e-9 * float(s.work.sum()),
            ordering_seconds=s.ordering_seconds,
            analysis_seconds=s.analysis_seconds,
            factor_seconds=self.numeric.seconds,
            solve_seconds=self.solve_seconds,
        )

    def __repr__(self) -> str:
        kind = "Cholesky" if self.definite else "LDL^T"
        return (
            f"<Factorization {kind}, {self.n} equations, {self.symbolic.substructures} substructures, "
            f"{self.memory_bytes / 2**20:.0f} MB>"
        )


def factorize(
    A: object,
    *,
    kind: Kind = "auto",
    coordinates: Array | None = None,
    cuts: Sequence[float] | None = None,
    axis: int = 0,
    division: IntArray | None = None,
    ordering: Ordering = "metis",
    symbolic: Symbolic | None = None,
    threads: int | None = None,
    block: int = 96,
) -> Factorization:
    """Factor a sparse symmetric matrix A (both triangles) by substructures.

    kind "spd" is Cholesky, "indefinite" is L D L^T and allows inertia counts, "auto" tries the first and falls back to
    the second where A turns out to be indefinite. A singular matrix is refused except with "indefinite". The division
    into substructures is found automatically, or made at the planes `cuts` along `axis` of the `coordinates` (n, 3), or
    by labels `division` (n,) of the equations.
    `symbolic` from an earlier matrix of the same pattern saves the analysis. `block` is the greatest number of columns
    eliminated at once.
    """
    check_kind(kind)
    if (cuts is not None or division is not None) and symbolic is not None:
        raise ModelError(
            "cuts or division and symbolic are both given: a symbolic analysis has its own division; give one of them."
        )
    C = checked_matrix(A)
    count = available_threads() if threads is None else max(1, int(threads))
    if symbolic is None or symbolic.pattern != fingerprint(C.indptr, C.indices):
        symbolic = analyse(
            C,
            coordinates=coordinates,
            cuts=cuts,
            axis=axis,
            division=division,
            ordering=ordering,
            threads=count,
            block=block,
        )
    return factorize_again(C, symbolic, kind=kind, threads=count)


def factorize_again(
    A: csc_array, symbolic: Symbolic, *, kind: Kind = "auto", threads: int | None = None
) -> Factorization:
    """What `factorize` does, for a matrix that is known to be in order and to have the pattern that was analysed."""
    count = available_threads() if threads is None else threads
    refuse_singular = kind != "indefinite"
    if kind == "auto" and (A.diagonal() <= 0.0).any():
        kind = "indefinite"
    if kind != "indefinite":
        numeric = eliminate(A, symbolic, indefinite=False, threads=count)
        pivots = _pivots(symbolic, numeric)
        if numeric.broken < 0:
            F = Factorization(A, symbolic, numeric, count)
            weakest = int(np.argmin(pivots))
            if pivots[weakest] < SUSPECT_PIVOT and not F.reliable:
                raise _singular(symbolic, weakest, float(pivots[weakest]))
            return F
        pivot = float(pivots[numeric.broken])
        if pivot > SINGULAR_PIVOT:
            raise _singular(symbolic, numeric.broken, pivot)
        if kind == "spd":
            raise ModelError(
                f"the matrix is not positive definite: the pivot of equation {symbolic.order[numeric.broken]} is "
                f"{pivot:.2e} of its diagonal; use kind='indefinite'."
            )
    numeric = eliminate(A, symbolic, indefinite=True, threads=count)
    F = Factorization(A, symbolic, numeric, count)
    if refuse_singular and not F.reliable:
        weakest = int(np.argmin(np.abs(numeric.d) + np.abs(numeric.e)))
        raise _singular(symbolic, weakest, float(numeric.d[weakest]))
    return F


def _pivots(symbolic: Symbolic, numeric: Numeric) -> Array:
    """Pivots (n,) relative to the diagonal of the matrix; at a breakdown the one that failed is not squared."""
    width = np.diff(symbolic.panel_column)
    height = np.diff(symbolic.panel_offset) // width
    start = np.repeat(symbolic.panel_offset[:-1], width)
    inside = np.arange(symbolic.n) - np.repeat(symbolic.panel_column[:-1], width)
    diagonal = numeric.factor[start + inside * (np.repeat(height, width) + 1)]
    pivots = diagonal**2
    if numeric.broken >= 0:
        pivots[numeric.broken] = diagonal[numeric.broken]
    return np.asarray(pivots)


def _singular(symbolic: Symbolic, column: int, pivot: float) -> ModelError:
    return ModelError(
        f"the matrix is singular: equation {symbolic.order[column]} is left with {pivot:.1e} of its diagonal when the "
        "others are eliminated; support the free body or mechanism, or use kind='indefinite'."
    )
