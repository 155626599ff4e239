"""Small dense LU factorisation and solution, row by row so that the inner loops are vector operations."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

from floatframe.hybrid.kernels.options import apart, reordered


@reordered
def diagonal_rows(A, first):
    """How many leading rows, `first` or none, hold nothing beside the diagonal in the columns up to `first`."""
    for i in range(first):
        row = A[i]
        beside = 0.0
        for j in range(i):
            beside += abs(row[j])
        for j in range(i + 1, first):
            beside += abs(row[j])
        if beside != 0.0:
            return 0
    return first


@apart
def eliminate_diagonal(A, alone):
    """Take the leading rows, diagonal among themselves and inverted, off those below.

    Four of them at a time and off two rows below, so that numbers are fetched less often.
    """
    n = len(A)
    for i in range(alone, n):
        target = A[i]
        for k in range(alone):
            target[k] *= A[k, k]
    for i in range(alone, n - 1, 2):
        for k in range(0, alone, 4):
            take_four(A, k, alone, A[i], A[i + 1])
    if (n - alone) % 2 == 1:
        for k in range(alone):
            target, row, factor = A[n - 1], A[k], A[n - 1, k]
            for j in range(alone, n):
                target[j] -= factor * row[j]


@apart
def take_four(A, k, alone, upper, lower):
    """Take leading rows k … k + 3, as far as there are so many, off two rows below."""
    left = alone - k
    a0, b0 = upper[k], lower[k]
    a1, b1 = (upper[k + 1], lower[k + 1]) if left > 1 else (0.0, 0.0)
    a2, b2 = (upper[k + 2], lower[k + 2]) if left > 2 else (0.0, 0.0)
    a3, b3 = (upper[k + 3], lower[k + 3]) if left > 3 else (0.0, 0.0)
    if a0 == 0.0 and a1 == 0.0 and a2 == 0.0 and a3 == 0.0 and b0 == 0.0 and b1 == 0.0 and b2 == 0.0 and b3 == 0.0:
        return
    first, second, third, fourth = A[k], A[min(k + 1, alone - 1)], A[min(k + 2, alone - 1)], A[min(k + 3, alone - 1)]
    for j in range(alone, len(A)):
        p, q, r, s = first[j], second[j], third[j], fourth[j]
        upper[j] -= a0 * p + a1 * q + a2 * r + a3 * s
        lower[j] -= b0 * p + b1 * q + b2 * r + b3 * s


@apart
def lu_factor(A, rows, first):
    """Factor A (n, n) in place, partial pivoting (rows.pivot) from row `first` on; False if a pivot is zero or NaN.

    The diagonal is inverted. Rows before `first` must be safe pivots as they stand (positive diagonal). If they are
    diagonal among themselves, their zeros are passed over here and in solutions; other zero multipliers are skipped.
    """
    n = len(A)
    alone = diagonal_rows(A, first)
    for k in range(alone):
        rows[k].pivot = k
        rows[k].after = alone
        if A[k, k] == 0.0 or math.isnan(A[k, k]):
            return False
        A[k, k] = 1.0 / A[k, k]
    eliminate_diagonal(A, alone)
    for k in range(alone, n):
        p = k
        if k >= first:
            best = abs(A[k, k])
            for i in range(k + 1, n):
                if abs(A[i, k]) > best:
                    best = abs(A[i, k])
                    p = i
            if p != k:
                for j in range(n):
                    A[k, j], A[p, j] = A[p, j], A[k, j]
        rows[k].pivot = p
        rows[k].after = k + 1
        pivot = A[k, k]
        if pivot == 0.0 or math.isnan(pivot):
            return False
        inverse = 1.0 / pivot
        A[k, k] = inverse
        row = A[k]
        for i in range(k + 1, n):
            factor = A[i, k]
            if factor != 0.0:
                factor *= inverse
                target = A[i]
                target[k] = factor
                for j in range(k + 1, n):
                    target[j] -= factor * row[j]
    return True


@reordered
def lu_solve(A, rows, b):
    """b (n,) <- A^-1 b with the factors of lu_factor."""
    n = len(A)
    for k in range(n):
        p = rows[k].pivot
        if p != k:
            b[k], b[p] = b[p], b[k]
    for i in range(rows[0].after if n > 0 else 0, n):
        total = b[i]
        row = A[i]
        for j in range(i):
            total -= row[j] * b[j]
        b[i] = total
    for i in range(n - 1, -1, -1):
        total = b[i]
        row = A[i]
        for j in range(rows[i].after, n):
            total -= row[j] * b[j]
        b[i] = total * row[i]
