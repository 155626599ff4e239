"""Block factors L^T L of symmetric matrices, from the last row to the first; blocks that appear are counted."""

from __future__ import annotations

import numpy as np

from floatframe.arrays import AnyArray
from floatframe.equations.methods.counting import root, zeros

Blocks = dict[tuple[int, int], AnyArray]  # (i, j), j <= i


def factor(blocks: Blocks, count: int) -> tuple[Blocks, int]:
    """L by blocks, and how many blocks it has that the matrix has not."""
    L, before = dict(blocks), len(blocks)
    columns = [sorted(j for i, j in blocks if i == k and j < k) for k in range(count)]
    for k in range(count - 1, -1, -1):
        L[k, k] = own = cholesky(L[k, k])
        for j in columns[k]:
            L[k, j] = solve_transposed(own, L[k, j])
        for i in columns[k]:
            for j in columns[k]:
                if j > i:
                    continue
                if (i, j) not in L:
                    L[i, j] = zeros(L[k, i].shape[1], L[k, j].shape[1])
                    columns[i] = sorted({*columns[i], j})
                L[i, j] = minus_product(L[i, j], L[k, i], L[k, j], i == j)
    return L, len(L) - before


def solve(L: Blocks, right: list[AnyArray]) -> list[AnyArray]:
    """x of L^T L x = right, by blocks."""
    x = [np.array(one, object) for one in right]
    rows: list[list[int]] = [[] for _ in x]
    for i, j in L:
        if j < i:
            rows[i].append(j)
    for i in range(len(x) - 1, -1, -1):
        x[i] = solve_transposed(L[i, i], x[i][:, None])[:, 0]
        for j in rows[i]:
            x[j] = x[j] - L[i, j].T @ x[i]
    for i in range(len(x)):
        own = x[i]
        for j in rows[i]:
            own = own - L[i, j] @ x[j]
        x[i] = solve_lower(L[i, i], own)
    return x


def cholesky(M: AnyArray) -> AnyArray:
    """Lower triangular L (n, n) with L^T L = M."""
    n = len(M)
    L = zeros(n, n)
    A = np.array(M, object)
    for k in range(n - 1, -1, -1):
        L[k, k] = root(A[k, k])
        for j in range(k):
            L[k, j] = A[k, j] / L[k, k]
        for i in range(k):
            for j in range(i + 1):
                A[i, j] = A[i, j] - L[k, i] * L[k, j]
    return L


def solve_transposed(L: AnyArray, B: AnyArray) -> AnyArray:
    """X (n, m) of L^T X = B."""
    X = np.array(B, object)
    for k in range(len(L) - 1, -1, -1):
        for i in range(k + 1, len(L)):
            X[k] = X[k] - L[i, k] * X[i]
        X[k] = np.array([one / L[k, k] for one in X[k]], object)
    return X


def solve_lower(L: AnyArray, b: AnyArray) -> AnyArray:
    """x (n,) of L x = b."""
    x = np.array(b, object)
    for k in range(len(L)):
        for j in range(k):
            x[k] = x[k] - L[k, j] * x[j]
        x[k] = x[k] / L[k, k]
    return x


def minus_product(target: AnyArray, left: AnyArray, right: AnyArray, symmetric: bool) -> AnyArray:
    """target - left^T right; of a symmetric one only the lower half is computed."""
    found = np.array(target, object)
    for a in range(found.shape[0]):
        for b in range(a + 1 if symmetric else found.shape[1]):
            found[a, b] = found[a, b] - left[:, a] @ right[:, b]
            if symmetric:
                found[b, a] = found[a, b]
    return found
