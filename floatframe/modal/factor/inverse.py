"""The diagonal of an inverse, from a Cholesky factor at hand: no equation is solved.

Takahashi's identity on the tree of fronts, from the root down. A front with own columns 1 and boundary rows 2 has
X = L21 L11^-1; the inverse Z over its boundary is a part of that over its parent, and

    Z21 = -Z22 X,    Z11 = (L11 L11^T)^-1 - X^T Z21.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.linalg import solve_triangular
from scipy.linalg.lapack import dpotri

from floatframe.arrays import Array
from floatframe.errors import ModelError
from floatframe.modal.factor.factored import Factored

if TYPE_CHECKING:
    from floatframe.modal.factor.symbolic import Symbolic

_AT_ONCE = 256  # columns of the unit matrix solved together


def inverse_diagonal(F: Factored) -> Array:
    """Diagonal (n,) of the inverse of a factored definite matrix; about the work of two factorisations."""
    if not F.definite:
        raise ModelError("the diagonal of an inverse needs a Cholesky factor; factor with kind='spd'.")
    if F.symbolic is None:
        return _by_solutions(F)
    return _down_the_tree(F.symbolic, F.numeric.factor) * F.scale**2  # type: ignore[attr-defined]


def _by_solutions(F: Factored) -> Array:
    """The same for a small matrix, which has no tree."""
    diagonal = np.empty(F.n)
    for first in range(0, F.n, _AT_ONCE):
        columns = np.arange(first, min(first + _AT_ONCE, F.n))
        unit = np.zeros((F.n, columns.size), order="F")
        unit[columns, columns - first] = 1.0
        diagonal[columns] = F.solve(unit)[columns, columns - first]
    return diagonal


def _down_the_tree(s: Symbolic, factor: Array) -> Array:
    """Diagonal (n,) of the inverse of the scaled matrix, by equation."""
    below = s.update_order
    waiting = np.diff(s.child_start)
    inverse: dict[int, Array] = {}  # over the rows of the fronts that still have children to come
    diagonal = np.empty(s.n)
    for front in range(s.parent.size - 1, -1, -1):
        parent, b = int(s.parent[front]), int(below[front])
        Z22 = np.empty((0, 0))
        if b:
            place = s.relative[s.front_row[front + 1] - b : s.front_row[front + 1]]
            Z22 = inverse[parent][np.ix_(place, place)]
        if parent >= 0:
            waiting[parent] -= 1
            if not waiting[parent]:
                inverse.pop(parent, None)
        Z = _of_front(_columns(s, factor, front), Z22)
        own = slice(int(s.front_column[front]), int(s.front_column[front + 1]))
        diagonal[own] = np.diag(Z)[: own.stop - own.start]
        if waiting[front]:
            inverse[front] = Z
    by_equation: Array = np.empty(s.n)
    by_equation[s.order] = diagonal
    return by_equation


def _of_front(L: Array, Z22: Array) -> Array:
    """The inverse (m + b, m + b) over the rows of a front with columns L (m + b, m)."""
    size, m = L.shape
    Z = np.empty((size, size), order="F")
    own, _ = dpotri(L[:m], lower=1)
    own = np.tril(own) + np.tril(own, -1).T
    X = solve_triangular(L[:m], L[m:].T, lower=True, trans="T", check_finite=False).T
    Z21 = -Z22 @ X
    Z[:m, :m] = own - X.T @ Z21
    Z[m:, :m], Z[:m, m:], Z[m:, m:] = Z21, Z21.T, Z22
    return Z


def _columns(s: Symbolic, factor: Array, front: int) -> Array:
    """The columns (m + b, m) of the factor that belong to a front, its panels side by side."""
    first, last = int(s.front_panel[front]), int(s.front_panel[front + 1])
    size = int(s.front_row[front + 1] - s.front_row[front])
    begin = int(s.front_column[front])
    L = np.zeros((size, int(s.front_column[front + 1]) - begin), order="F")
    for panel in range(first, last):
        skipped = int(s.panel_column[panel]) - begin
        width = int(s.panel_column[panel + 1]) - int(s.panel_column[panel])
        entries = factor[s.panel_offset[panel] : s.panel_offset[panel + 1]]
        L[skipped:, skipped : skipped + width] = entries.reshape(width, size - skipped).T
    return L
