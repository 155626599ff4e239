"""L^T L factors of the mass matrix of an open tree, from the leaves to the root: no entry appears that M does not have.

A dof is coupled with those on its way to the ground only, and so is its row of L. Where the dofs of a way follow each
other in number, they are worked through at once.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

from floatframe.hybrid.kernels.options import apart, inner, reordered


@apart
def take_share(target, row, factor, first, last):
    """target[first … last] -= factor row[first … last]."""
    for c in range(first, last + 1):
        target[c] -= factor * row[c]


@reordered
def share_product(row, x, first, last):
    """Sum of row times x from first to last."""
    total = 0.0
    for c in range(first, last + 1):
        total += row[c] * x[c]
    return total


@inner
def factor_composite(w):
    """Factor w.M, of which the lower triangle along the tree is read, into w.A; False if it is not positive."""
    L, dofs = w.A, w.tree_dofs
    for i in range(len(w.x)):
        j = i
        while j >= 0:
            first = dofs[j].run
            for c in range(first, j + 1):
                L[i, c] = w.M[i, c]
            j = dofs[first].previous
    for k in range(len(w.x) - 1, -1, -1):
        row = L[k]
        if not row[k] > 0.0:
            return False
        root = math.sqrt(row[k])
        row[k] = root
        inverse = 1.0 / root
        j = dofs[k].previous
        while j >= 0:
            first = dofs[j].run
            for c in range(first, j + 1):
                row[c] *= inverse
            j = dofs[first].previous
        i = dofs[k].previous
        while i >= 0:
            j = i
            while j >= 0:
                first = dofs[j].run
                take_share(L[i], row, row[i], first, j)
                j = dofs[first].previous
            i = dofs[i].previous
    return True


@inner
def solve_composite(w, x):
    """x (nv,) <- M^-1 x with the factors at hand."""
    L, dofs = w.A, w.tree_dofs
    for i in range(len(x) - 1, -1, -1):
        x[i] /= L[i, i]
        j = dofs[i].previous
        while j >= 0:
            first = dofs[j].run
            take_share(x, L[i], x[i], first, j)
            j = dofs[first].previous
    for i in range(len(x)):
        total = x[i]
        j = dofs[i].previous
        while j >= 0:
            first = dofs[j].run
            total -= share_product(L[i], x, first, j)
            j = dofs[first].previous
        x[i] = total / L[i, i]
