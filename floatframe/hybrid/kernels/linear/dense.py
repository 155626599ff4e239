"""Small dense LU factorisation and solution, row by row so that the inner loops are vector operations."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

from floatframe.hybrid.kernels.options import inner, reordered


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


@inner
def eliminate_diagonal(A, alone):
    """Take the leading rows, diagonal among themselves and inverted, off those below.

    Four at a time, so that each row below is passed over less often.
    """
    n = len(A)
    fours = alone - alone % 4
    for i in range(alone, n):
        target = A[i]
        for k in range(alone):
            target[k] *= A[k, k]
        for k in range(0, fours, 4):
            a, b, c, d = target[k], target[k + 1], target[k + 2], target[k + 3]
            if a != 0.0 or b != 0.0 or c != 0.0 or d != 0.0:
                for j in range(alone, n):
                    target[j] -= a * A[k, j] + b * A[k + 1, j] + c * A[k + 2, j] + d * A[k + 3, j]
        for k in range(fours, alone):
            factor = target[k]
            if factor != 0.0:
                for j in range(alone, n):
                    target[j] -= factor * A[k, j]


@inner
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
