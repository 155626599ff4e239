"""The factorisation of `dense` for complex matrices, real and imaginary parts in arrays of their own."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from floatframe.hybrid.kernels.options import inner, reordered


@inner
def complex_factor(A, B, rows, first):
    """Factor A + i B (n, n) in place, as `lu_factor`; the diagonal is inverted. False if a pivot is zero or NaN."""
    n = len(A)
    for k in range(n):
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
        square = A[k, k] ** 2 + B[k, k] ** 2
        if not square > 0.0:
            return False
        a, b = A[k, k] / square, -B[k, k] / square
        A[k, k] = a
        B[k, k] = b
        row, other = A[k], B[k]
        for i in range(k + 1, n):
            x, y = A[i, k], B[i, k]
            if x != 0.0 or y != 0.0:
                x, y = x * a - y * b, x * b + y * a
                target, turned = A[i], B[i]
                target[k] = x
                turned[k] = y
                for j in range(k + 1, n):
                    target[j] -= x * row[j] - y * other[j]
                    turned[j] -= x * other[j] + y * row[j]
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
    for i in range(1, n):
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
        for j in range(i + 1, n):
            x -= row[j] * b[j] - other[j] * c[j]
            y -= row[j] * c[j] + other[j] * b[j]
        b[i] = x * row[i] - y * other[i]
        c[i] = x * other[i] + y * row[i]
