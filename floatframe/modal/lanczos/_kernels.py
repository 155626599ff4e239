"""Compiled kernels of the eigenvalue search: a few columns against a whole basis, and looks at sparse matrices.

Q (n, m), W and R (n, k) of a basis are stored column by column. A range of rows at a time stays in the first-level
cache. Sparse matrices are symmetric, in sorted compressed columns.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import numpy as np

from floatframe.compiled import kernel

ROWS = 1024
FAST = {"reassoc", "contract", "nsz"}  # sums may be vectorised; not-a-number keeps its meaning


@kernel(nogil=True, fastmath=FAST)
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


@kernel(nogil=True, fastmath=FAST)
def _dot(a, v):
    total = 0.0
    for i in range(v.size):
        total += a[i] * v[i]
    return total


@kernel(nogil=True)
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


@kernel(nogil=True, fastmath=FAST)
def _subtract_eight(a, b, c, d, e, g, h, k, f, v):
    # one target: with two the compiler could not rule out overlaps and would not vectorise
    for i in range(v.size):
        near = a[i] * f[0] + b[i] * f[1] + c[i] * f[2] + d[i] * f[3]
        v[i] -= near + e[i] * f[4] + g[i] * f[5] + h[i] * f[6] + k[i] * f[7]


@kernel(nogil=True, fastmath=FAST)
def _subtract_one(a, f, v):
    for i in range(v.size):
        v[i] -= a[i] * f


@kernel(nogil=True)
def subtract_product(low, high, Q, H, R):
    """R -= Q H in the rows [low, high); H (m, k)."""
    m, k = Q.shape[1], R.shape[1]
    eights = m - m % 8
    for first in range(low, high, ROWS):
        last = min(first + ROWS, high)
        for c in range(0, eights, 8):
            for r in range(k):
                _subtract_eight(
                    Q[first:last, c],
                    Q[first:last, c + 1],
                    Q[first:last, c + 2],
                    Q[first:last, c + 3],
                    Q[first:last, c + 4],
                    Q[first:last, c + 5],
                    Q[first:last, c + 6],
                    Q[first:last, c + 7],
                    (
                        H[c, r],
                        H[c + 1, r],
                        H[c + 2, r],
                        H[c + 3, r],
                        H[c + 4, r],
                        H[c + 5, r],
                        H[c + 6, r],
                        H[c + 7, r],
                    ),
                    R[first:last, r],
                )
        for c in range(eights, m):
            for r in range(k):
                _subtract_one(Q[first:last, c], H[c, r], R[first:last, r])


@kernel(nogil=True)
def inspect_columns(indptr, indices, values, probe):
    """What shows faults of a square matrix A in compressed columns, from one look at it.

    A^T p and A p, the same of its pattern with ones, and the greatest |entry| (not finite if one is not).
    """
    n = indptr.size - 1
    left, left_marks = np.empty(n), np.empty(n)
    right, right_marks = np.zeros(n), np.zeros(n)
    greatest, poison = 0.0, 0.0
    for j in range(n):
        total, marks, own = 0.0, 0.0, probe[j]
        for k in range(indptr[j], indptr[j + 1]):
            i, value = indices[k], values[k]
            total += value * probe[i]
            marks += probe[i]
            right[i] += value * own
            right_marks[i] += own
            greatest = max(greatest, abs(value))
            poison += 0.0 * value
        left[j], left_marks[j] = total, marks
    return left, right, left_marks, right_marks, greatest + poison


@kernel(nogil=True)
def greatest_column_sum(indptr, values):
    """Largest sum of |entries| of a column."""
    greatest = 0.0
    for j in range(indptr.size - 1):
        total = 0.0
        for k in range(indptr[j], indptr[j + 1]):
            total += abs(values[k])
        greatest = max(greatest, total)
    return greatest


@kernel(nogil=True)
def indefinite_pair(indptr, indices, values, diagonal, floor):
    """A column of a symmetric matrix with A_ij^2 > A_ii A_jj + floor^2, beyond round-off, or -1 if there is none."""
    for j in range(indptr.size - 1):
        for k in range(indptr[j], indptr[j + 1]):
            i = indices[k]
            if i > j and values[k] ** 2 > (1.0 + 1e-10) * diagonal[i] * diagonal[j] + floor**2:
                return j
    return -1


@kernel(nogil=True)
def united(indptr, indices, other_indptr, other_indices):
    """Union of two patterns in sorted compressed columns: (indptr, indices), and the places of both in it."""
    n = indptr.size - 1
    start = np.zeros(n + 1, dtype=np.int64)
    own, others = np.empty(indices.size, dtype=np.int64), np.empty(other_indices.size, dtype=np.int64)
    rows = np.empty(indices.size + other_indices.size, dtype=indices.dtype)
    fill = 0
    for j in range(n):
        a, b = indptr[j], other_indptr[j]
        while a < indptr[j + 1] or b < other_indptr[j + 1]:
            here = indices[a] if a < indptr[j + 1] else n
            there = other_indices[b] if b < other_indptr[j + 1] else n
            rows[fill] = min(here, there)
            if here <= there:
                own[a] = fill
                a += 1
            if there <= here:
                others[b] = fill
                b += 1
            fill += 1
        start[j + 1] = fill
    return start, rows[:fill].copy(), own, others
