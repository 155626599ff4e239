"""Dense systems with modes, bordered by constraint rows, as symmetric ones: [M, -G^T; -G, -r] = U^T D U.

Inertia comes first and is positive, what it leaves of the rows is negative: such quasidefinite matrices have these
factors in any order, without rows exchanged (Vanderbei 1995). Leading modes that are diagonal among themselves are
taken off four at a time, so that it takes little more than half the time of LU. The upper triangle is used, with the
inverse of D on its diagonal.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from floatframe.hybrid.kernels.linear.fronts import REGULAR
from floatframe.hybrid.kernels.options import apart, inner, reordered

SURE = 1e-6  # share of an inertia that must be left as its pivot: less of it is rounding, and a matter for LU


@apart
def upper_triangle(w):
    """w.M bordered by w.G to the upper triangle of w.A, in the order of the factors; the diagonal also to w.rhs."""
    nv, nl, alone = len(w.x), len(w.lam), w.traits.alone
    A, lightness = w.A, w.rhs
    for i in range(nv):
        own = abs(w.M[i, i])
        lightness[i] = 1.0 / own if own != 0.0 else 0.0
    for k in range(nl):
        A[nv + k, nv + k] = -REGULAR * weighted_square(w.G[k], lightness)
    for r in range(nv):
        dof, target = w.rows[r].dof, A[r]
        own = w.M[dof]
        target[r] = own[dof]
        c = max(r, alone)
        while c < nv:
            first, count = w.rows[c].dof, w.rows[c].together
            for k in range(count):
                target[c + k] = own[first + k]
            c += count
        for k in range(nl):
            target[nv + k] = -w.G[k, dof]
    for k in range(nl):
        row = A[nv + k]
        for c in range(k + 1, nl):
            row[nv + c] = 0.0
        if w.rows[nv + k].held == 0:
            row[nv + k] = -1.0
            for r in range(nv):
                A[r, nv + k] = 0.0
    for r in range(nv + nl):
        w.rhs[r] = A[r, r]


@reordered
def weighted_square(a, weight):
    """Sum of the squares of a, each times its weight."""
    total = 0.0
    for i in range(len(a)):
        total += a[i] * a[i] * weight[i]
    return total


@apart
def factor_symmetric(w):
    """Factor w.M, bordered by w.G; False if a pivot has lost its sign or is all but rounding."""
    upper_triangle(w)
    A, first, alone = w.A, w.rhs, w.traits.alone
    n, nv = len(A), len(w.x)
    for k in range(alone):
        if not A[k, k] > 0.0:
            return False
        A[k, k] = 1.0 / A[k, k]
    for i in range(alone, n - 1, 2):
        for k in range(0, alone, 4):
            take_modes(A, k, alone, i)
    for k in range(alone if (n - alone) % 2 == 1 else 0):
        A[n - 1, n - 1] -= A[k, n - 1] * A[k, k] * A[k, n - 1]
    for k in range(alone, n, 2):
        upper, lower = A[k], A[min(k + 1, n - 1)]
        if not is_sure(upper[k], first[k], k < nv):
            return False
        p = 1.0 / upper[k]
        upper[k] = p
        if k + 1 == n:
            return True
        share = upper[k + 1] * p
        for j in range(k + 1, n):
            lower[j] -= share * upper[j]
        if not is_sure(lower[k + 1], first[k + 1], k + 1 < nv):
            return False
        q = 1.0 / lower[k + 1]
        lower[k + 1] = q
        for i in range(k + 2, n):
            a, b = upper[i] * p, lower[i] * q
            if a != 0.0 or b != 0.0:
                target = A[i]
                for j in range(i, n):
                    target[j] -= a * upper[j] + b * lower[j]
    return True


@apart
def take_modes(A, k, alone, i):
    """Take modes k … k + 3, as far as there are so many, off rows i and i + 1; on their diagonal is the inverse."""
    left = alone - k
    first, second, third, fourth = A[k], A[min(k + 1, alone - 1)], A[min(k + 2, alone - 1)], A[min(k + 3, alone - 1)]
    a0, b0 = first[i] * first[k], first[i + 1] * first[k]
    a1, b1 = (second[i] * second[k + 1], second[i + 1] * second[k + 1]) if left > 1 else (0.0, 0.0)
    a2, b2 = (third[i] * third[k + 2], third[i + 1] * third[k + 2]) if left > 2 else (0.0, 0.0)
    a3, b3 = (fourth[i] * fourth[k + 3], fourth[i + 1] * fourth[k + 3]) if left > 3 else (0.0, 0.0)
    if a0 == 0.0 and a1 == 0.0 and a2 == 0.0 and a3 == 0.0 and b0 == 0.0 and b1 == 0.0 and b2 == 0.0 and b3 == 0.0:
        return
    upper, lower = A[i], A[i + 1]
    for j in range(i, len(A)):
        p, q, r, s = first[j], second[j], third[j], fourth[j]
        upper[j] -= a0 * p + a1 * q + a2 * r + a3 * s
        lower[j] -= b0 * p + b1 * q + b2 * r + b3 * s


@inner
def is_sure(pivot, first, inertia):
    """Whether a pivot has its sign and a size that is not rounding, beside what stood in its place at first."""
    return pivot > SURE * first if inertia else pivot < 0.5 * first


@apart
def solve_symmetric(w):
    """w.rhs <- the solution of [M, -G^T; G, r] with the factors at hand."""
    A, b, alone = w.A, w.rhs, w.traits.alone
    n = len(A)
    for k in range(len(w.x), n):
        b[k] = -b[k]
    for k in range(0, alone, 4):
        take_modes_off(A, b, k, alone)
    for k in range(alone, n):
        row, share = A[k], b[k] * A[k, k]
        for j in range(k + 1, n):
            b[j] -= share * row[j]
    for k in range(n - 1, -1, -1):
        row, total = A[k], 0.0
        for j in range(max(k + 1, alone), n):
            total += row[j] * b[j]
        b[k] = (b[k] - total) * row[k]


@apart
def take_modes_off(A, b, k, alone):
    """Take modes k … k + 3, as far as there are so many, off what stands below them in b."""
    left = alone - k
    first, second, third, fourth = A[k], A[min(k + 1, alone - 1)], A[min(k + 2, alone - 1)], A[min(k + 3, alone - 1)]
    p = b[k] * first[k]
    q = b[k + 1] * second[k + 1] if left > 1 else 0.0
    r = b[k + 2] * third[k + 2] if left > 2 else 0.0
    s = b[k + 3] * fourth[k + 3] if left > 3 else 0.0
    for j in range(alone, len(A)):
        b[j] -= p * first[j] + q * second[j] + r * third[j] + s * fourth[j]
