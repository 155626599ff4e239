"""Small dense LU factorisation and solution, row by row so that the inner loops are vector operations."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

from floatframe.hybrid.kernels.options import inner, reordered


@inner
def lu_factor(A, rows, first):
    """Factor A (n, n) in place, partial pivoting (rows.pivot) from row `first` on; False if a pivot is zero or NaN.

    Rows before `first` must be safe pivots as they stand (positive diagonal); zero multipliers are skipped, so leading
    diagonal blocks cost next to nothing.
    """
    n = len(A)
    for k in range(n):
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
        pivot = A[k, k]
        if pivot == 0.0 or math.isnan(pivot):
            return False
        inverse = 1.0 / pivot
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
    for i in range(1, n):
        total = b[i]
        row = A[i]
        for j in range(i):
            total -= row[j] * b[j]
        b[i] = total
    for i in range(n - 1, -1, -1):
        total = b[i]
        row = A[i]
        for j in range(i + 1, n):
            total -= row[j] * b[j]
        b[i] = total / row[i]
