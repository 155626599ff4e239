"""The factorisation of `dense` for complex matrices, real and imaginary parts in arrays of their own."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from floatframe.hybrid.kernels.linear.dense import diagonal_rows
from floatframe.hybrid.kernels.options import apart, inner, reordered


@inner
def inverted(x, y):
    """1 / (x + i y), zero if that is zero or not a number."""
    square = x * x + y * y
    return (x / square, -y / square) if square > 0.0 else (0.0, 0.0)


@apart
def take_row(A, B, k, i, first, x, y):
    """Take x + i y times row k off row i, from column `first` on."""
    row, other, target, turned = A[k], B[k], A[i], B[i]
    for j in range(first, len(A)):
        target[j] -= x * row[j] - y * other[j]
        turned[j] -= x * other[j] + y * row[j]


@apart
def complex_factor(A, B, rows, first):
    """Factor A + i B (n, n) in place, as `lu_factor`; the diagonal is inverted. False if a pivot is zero or NaN."""
    n = len(A)
    alone = min(diagonal_rows(A, first), diagonal_rows(B, first))
    for k in range(alone):
        rows[k].pivot = k
        rows[k].after = alone
        a, b = inverted(A[k, k], B[k, k])
        if a == 0.0 and b == 0.0:
            return False
        A[k, k] = a
        B[k, k] = b
    for i in range(alone, n):
        for k in range(alone):
            x, y = A[i, k], B[i, k]
            if x != 0.0 or y != 0.0:
                a, b = A[k, k], B[k, k]
                x, y = x * a - y * b, x * b + y * a
                A[i, k] = x
                B[i, k] = y
                take_row(A, B, k, i, alone, x, y)
    for k in range(alone, n):
        p = k
        if k >= first:
            best = abs(A[k, k]) + abs(B[k, k])
            for i in range(k + 1, n):
                size = abs(A[i, k]) + abs(B[i, k])
                if size > best:
                    best = size
                    p = i
            if p != k:
                for j in range(n):
                    A[k, j], A[p, j] = A[p, j], A[k, j]
                    B[k, j], B[p, j] = B[p, j], B[k, j]
        rows[k].pivot = p
        rows[k].after = k + 1
        a, b = inverted(A[k, k], B[k, k])
        if a == 0.0 and b == 0.0:
            return False
        A[k, k] = a
        B[k, k] = b
        for i in range(k + 1, n):
            x, y = A[i, k], B[i, k]
            if x != 0.0 or y != 0.0:
                x, y = x * a - y * b, x * b + y * a
                A[i, k] = x
                B[i, k] = y
                take_row(A, B, k, i, k + 1, x, y)
    return True


@reordered
def complex_solve(A, B, rows, b, c):
    """b + i c (n,) <- (A + i B)^-1 (b + i c) with the factors of complex_factor."""
    n = len(A)
    for k in range(n):
        p = rows[k].pivot
        if p != k:
            b[k], b[p] = b[p], b[k]
            c[k], c[p] = c[p], c[k]
    for i in range(rows[0].after if n > 0 else 0, n):
        x, y = b[i], c[i]
        row, other = A[i], B[i]
        for j in range(i):
            x -= row[j] * b[j] - other[j] * c[j]
            y -= row[j] * c[j] + other[j] * b[j]
        b[i] = x
        c[i] = y
    for i in range(n - 1, -1, -1):
        x, y = b[i], c[i]
        row, other = A[i], B[i]
        for j in range(rows[i].after, n):
            x -= row[j] * b[j] - other[j] * c[j]
            y -= row[j] * c[j] + other[j] * b[j]
        b[i] = x * row[i] - y * other[i]
        c[i] = x * other[i] + y * row[i]
