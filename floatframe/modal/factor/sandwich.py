"""The operator L^-1 (S M S) L^-T of a Cholesky factor S A S = L L^T, most of the factor read from memory once.

Applied one after the other, both substitutions read the whole factor. Here a branch of the tree that fits in the cache
is left upwards as soon as it was entered downwards. That works for a diagonal M and for every other whose pattern was
part of the analysis: it couples columns only to those above them in the tree. The operator has the eigenvalues of
A^-1 M; its vectors are in the order of the columns of L.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from floatframe.arrays import Array, IntArray, SparseMatrix
from floatframe.modal.factor import _kernels_solve as kernels
from floatframe.modal.factor._kernels_symbolic import subtree_sums
from floatframe.modal.factor.substructures import SMALL_FACTOR, Factorization
from floatframe.modal.factor.symbolic import Symbolic
from floatframe.modal.factor.vector import LANES

CACHED = 4 * 2**20  # bytes of a branch of the factor that stay in the cache of a processor


class Sandwich:
    """L^-1 (S M S) L^-T on columns (n, k) in the order of L."""

    def __init__(self, factorization: Factorization, M: SparseMatrix) -> None:
        s, numeric = factorization.symbolic, factorization.numeric
        self._symbolic = s
        self._factor = ((s.panel_column, s.panel_offset, s.panel_row, s.rows), s.greatest_height, numeric.factor)
        self._plain = numeric.pivot_order
        self._scale = numeric.scale
        self._mass = kernels.permuted_lower(M.indptr, M.indices, M.data, s.order, s.place, numeric.scale)
        self._branches = branches(s, CACHED // 8)
        self._parts = np.linspace(0, s.n, factorization.threads + 1).astype(np.int64).tolist()
        threaded = factorization.threads > 1 and s.nnz_factor > SMALL_FACTOR
        self._map: Callable[..., Any] = ThreadPoolExecutor(factorization.threads).map if threaded else map

    def __call__(self, Q: Array) -> Array:
        """The operator applied to columns Q (n, k)."""
        s = self._symbolic
        boundary, cuts, end = s.boundary_column, s.front_panel[s.subtree].tolist(), s.panel_column.size - 1
        x = self._packed(Q)
        y = np.zeros_like(x)

        def substructure(first: int, last: int) -> Array:
            low, high = np.searchsorted(self._branches[:, 0], (first, last))
            shared = np.zeros((x.shape[0], s.n - boundary, LANES))
            own = self._branches[low:high]
            kernels.there_and_back(
                first, last, own, *self._factor, False, self._plain, self._mass, boundary, x, y, shared
            )
            return shared

        kernels.backward(cuts[-1], end, *self._factor, False, self._plain, x)
        for shared in self._map(substructure, cuts[:-1], cuts[1:]):
            y[:, boundary:] += shared
        nothing = np.empty((x.shape[0], 0, LANES))
        kernels.add_product(boundary, s.n, self._mass, s.n, x, y, nothing)
        kernels.forward(cuts[-1], end, *self._factor, False, self._plain, s.n, y, nothing)
        return self._unpacked(y, Q.shape[1])

    def up(self, Q: Array) -> Array:
        """S L^-T Q, columns (n, k) in the order of the equations: eigenvectors of A^-1 M from those of this."""
        s = self._symbolic
        cuts, end = s.front_panel[s.subtree].tolist(), s.panel_column.size - 1
        x = self._packed(Q)
        kernels.backward(cuts[-1], end, *self._factor, False, self._plain, x)
        substructures = (cuts[:-1], cuts[1:])
        self._each(lambda a, b: kernels.backward(a, b, *self._factor, False, self._plain, x), *substructures)
        X = np.empty_like(Q, order="F")
        parts = (self._parts[:-1], self._parts[1:])
        self._each(lambda low, high: kernels.scatter(low, high, x, s.order, self._scale, X.T), *parts)
        return X

    def _packed(self, Q: Array) -> Array:
        x = np.empty((-(-Q.shape[1] // LANES), Q.shape[0], LANES))
        columns = np.asfortranarray(Q).T
        self._each(lambda low, high: kernels.pack(low, high, columns, x), self._parts[:-1], self._parts[1:])
        return x

    def _unpacked(self, x: Array, columns: int) -> Array:
        Q = np.empty((x.shape[1], columns), order="F")
        self._each(lambda low, high: kernels.unpack(low, high, x, Q.T), self._parts[:-1], self._parts[1:])
        return Q

    def _each(self, work: Any, *arguments: Any) -> None:
        for _ in self._map(work, *arguments):
            pass


def branches(s: Symbolic, entries: int) -> IntArray:
    """Panels [begin, end) (k, 2) of the largest branches inside substructures with at most this many factor entries."""
    inner = int(s.subtree[-1])
    own = np.diff(s.panel_offset[s.front_panel]).astype(np.float64)[:inner]
    parent = np.where(s.parent[:inner] < inner, s.parent[:inner], -1)
    fits = subtree_sums(parent, own) <= entries
    head = np.flatnonzero(fits & ((parent < 0) | ~fits[parent]))
    size = subtree_sums(parent, np.ones(inner)).astype(np.int64)[head]
    return np.stack([s.front_panel[head + 1 - size], s.front_panel[head + 1]], axis=1)
