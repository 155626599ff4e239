"""Compiled kernels of the eigenvalue search: a few columns against a whole basis, entries of one matrix in another.

Q (n, m), W and R (n, k) are stored column by column. A range of rows at a time stays in the first-level cache.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import numpy as np
from numba import njit

ROWS = 1024
FAST = {"reassoc", "contract", "nsz"}  # sums may be vectorised; not-a-number keeps its meaning


@njit(cache=True, nogil=True, fastmath=FAST)
def _dots_four_two(a, b, c, d, v, w):
    av, bv, cv, dv = 0.0, 0.0, 0.0, 0.0
    aw, bw, cw, dw = 0.0, 0.0, 0.0, 0.0
    for i in range(v.size):
        av += a[i] * v[i]
        bv += b[i] * v[i]
        cv += c[i] * v[i]
        dv += d[i] * v[i]
        aw += a[i] * w[i]
        bw += b[i] * w[i]
        cw += c[i] * w[i]
        dw += d[i] * w[i]
    return av, bv, cv, dv, aw, bw, cw, dw


@njit(cache=True, nogil=True, fastmath=FAST)
def _dot(a, v):
    total = 0.0
    for i in range(v.size):
        total += a[i] * v[i]
    return total


@njit(cache=True, nogil=True)
def add_overlaps(low, high, Q, W, H):
    """H (m, k) += Q^T W over the rows [low, high)."""
    m, k = Q.shape[1], W.shape[1]
    fours, pairs = m - m % 4, k - k % 2
    for first in range(low, high, ROWS):
        last = min(first + ROWS, high)
        for c in range(0, fours, 4):
            for r in range(0, pairs, 2):
                dots = _dots_four_two(
                    Q[first:last, c],
                    Q[first:last, c + 1],
                    Q[first:last, c + 2],
                    Q[first:last, c + 3],
                    W[first:last, r],
                    W[first:last, r + 1],
                )
                for j in range(4):
                    H[c + j, r] += dots[j]
                    H[c + j, r + 1] += dots[4 + j]
        for c in range(m):
            for r in range(pairs if c < fours else 0, k):
                H[c, r] += _dot(Q[first:last, c], W[first:last, r])


@njit(cache=True, nogil=True, fastmath=FAST)
def _subtract_four_two(a, b, c, d, f, g, v, w):
    for i in range(v.size):
        v[i] -= a[i] * f[0] + b[i] * f[1] + c[i] * f[2] + d[i] * f[3]
        w[i] -= a[i] * g[0] + b[i] * g[1] + c[i] * g[2] + d[i] * g[3]


@njit(cache=True, nogil=True, fastmath=FAST)
def _subtract_one(a, f, v):
    for i in range(v.size):
        v[i] -= a[i] * f


@njit(cache=True, nogil=True)
def subtract_product(low, high, Q, H, R):
    """R -= Q H in the rows [low, high); H (m, k)."""
    m, k = Q.shape[1], R.shape[1]
    fours, pairs = m - m % 4, k - k % 2
    for first in range(low, high, ROWS):
        last = min(first + ROWS, high)
        for c in range(0, fours, 4):
            for r in range(0, pairs, 2):
                f = (H[c, r], H[c + 1, r], H[c + 2, r], H[c + 3, r])
                g = (H[c, r + 1], H[c + 1, r + 1], H[c + 2, r + 1], H[c + 3, r + 1])
                _subtract_four_two(
                    Q[first:last, c],
                    Q[first:last, c + 1],
                    Q[first:last, c + 2],
                    Q[first:last, c + 3],
                    f,
                    g,
                    R[first:last, r],
                    R[first:last, r + 1],
                )
        for c in range(m):
            for r in range(pairs if c < fours else 0, k):
                _subtract_one(Q[first:last, c], H[c, r], R[first:last, r])


@njit(cache=True, nogil=True)
def places_in(indptr, indices, other_indptr, other_indices):
    """Where the entries of another matrix are in this one, -1 where they are not; both in sorted compressed columns."""
    places = np.full(other_indices.size, -1, dtype=np.int64)
    for j in range(indptr.size - 1):
        k, end = indptr[j], indptr[j + 1]
        for i in range(other_indptr[j], other_indptr[j + 1]):
            while k < end and indices[k] < other_indices[i]:
                k += 1
            if k < end and indices[k] == other_indices[i]:
                places[i] = k
    return places
