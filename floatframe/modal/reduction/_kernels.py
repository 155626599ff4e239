"""Compiled kernel of the geometric terms: products of all pairs of slopes at points of elements."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from floatframe.compiled import kernel


@kernel(nogil=True)
def pair_products(products, slopes, component, first, second, factor):
    """Write Σ factor slopes[first, i] slopes[second, j] for pairs j <= i, packed row by row of the lower triangle.

    products (npoint, ncomponent, n (n + 1) / 2); slopes (npoint, nrow, n); the terms belong to components in order.
    """
    npoint, _, n = slopes.shape
    for p in range(npoint):
        products[p] = 0.0
        for t in range(component.size):
            row = products[p, component[t]]
            a, b = slopes[p, first[t]], slopes[p, second[t]]
            k = 0
            for i in range(n):
                scaled = factor[t] * a[i]
                for j in range(i + 1):
                    row[k + j] += scaled * b[j]
                k += i + 1
