"""Iterative solution of M x = f for open trees of rigid links, with an approximate inverse H kept from step to step.

Powell and Broyden's method for a quadratic function: with the residual r = f - M x found along the tree, M never
formed,

    u = H r,  alpha = 1 / u^T (r_before - r),  H += alpha u u^T,  x += (1 + alpha u^T r) u,

which ends after as many turns as the rank of what M has changed by since H was exact. Where an update would divide by
next to nothing it is left out; where the turns come to nothing H is found again from the factors of the tree.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

from floatframe.hybrid.kernels.linear.articulated import (
    add_wrench,
    articulated_solve,
    carry_out,
    factor_kept,
    keep_inertias,
)
from floatframe.hybrid.kernels.linear.fronts import six_product
from floatframe.hybrid.kernels.options import apart, inner, reordered
from floatframe.hybrid.kernels.stepping import ITERATION_NUMBERS, TREE
from floatframe.hybrid.kernels.vectors import product

CLOSE = 1e-13  # of the forces that a turn may leave; H times that is still added
ROUNDED = 2e-12  # of the forces: above it, a turn that leaves more than those before is no sign of rounding
SHRINKS = 0.5  # of the residual, at most, that a turn leaves if it comes to anything
SMALL = 1e-8  # cosine between u and r_before - r below which an update divides by next to nothing
MOST_TURNS = 60  # beside one for each dof
# places of the first numbers: whether H is there, what was done so far, whether the factors at hand are of the tree
KNOWN, SOLUTIONS, TURNS, RENEWED, BY_TREE = range(ITERATION_NUMBERS)


@inner
def begin_iterations(tables, data, w):
    """Keep M + diag(tree_dofs.extra) at the poses in the workspace; False if an inverse is wanted and M is singular."""
    keep_inertias(tables.links, data.links, data.dofs, w.tree_links, w.tree_dofs)
    w.numbers[BY_TREE] = 0.0
    return w.numbers[KNOWN] == 1.0 or find_inverse(w)


@inner
def find_inverse(w):
    """H from the factors of the tree, which take the place of what was kept and solve for all that follows."""
    n = len(w.x)
    w.traits.along = TREE
    w.numbers[BY_TREE] = 1.0
    if not factor_kept(w.fronts, w.tree_links, w.tree_dofs):
        return False
    unit = w.places[0]
    for k in range(n):
        unit[:] = 0.0
        unit[k] = 1.0
        articulated_solve(w.fronts, w.tree_links, w.tree_dofs, unit)
        row = ITERATION_NUMBERS + k * n
        for i in range(n):
            w.numbers[row + i] = unit[i]
    w.numbers[KNOWN] = 1.0
    w.numbers[RENEWED] += 1.0
    return True


@inner
def solve_iteratively(w, f):
    """f (nv,) <- (M + diag(extra))^-1 f at the poses kept."""
    n, numbers = len(f), w.numbers
    x, r, before, u = w.places[0], w.places[1], w.places[2], w.places[3]
    numbers[SOLUTIONS] += 1.0
    size = product(f, f)
    if not size > 0.0:
        return
    times_inverse(w, f, x)
    for i in range(n):
        before[i] = f[i]
    smallest = math.inf
    for _ in range(n + MOST_TURNS):
        mass_product(w, x, r)
        for i in range(n):
            r[i] = f[i] - r[i]
        left = product(r, r)
        times_inverse(w, r, u)
        if left <= CLOSE * CLOSE * size or (left <= ROUNDED * ROUNDED * size and left > SHRINKS * SHRINKS * smallest):
            for i in range(n):
                f[i] = x[i] + u[i]
            return
        smallest = min(smallest, left)
        numbers[TURNS] += 1.0
        for i in range(n):
            before[i] -= r[i]
        along, forward = product(u, before), product(u, r)
        step = 1.0
        if abs(along) > SMALL * math.sqrt(product(u, u) * product(before, before)):
            step += forward / along
            for i in range(n):
                add_scaled_row(numbers, ITERATION_NUMBERS + i * n, u[i] / along, u, n)
        for i in range(n):
            x[i] += step * u[i]
            before[i] = r[i]
    numbers[KNOWN] = 0.0
    if find_inverse(w):
        articulated_solve(w.fronts, w.tree_links, w.tree_dofs, f)
    else:
        f[0] = math.nan  # what is not a number ends the step


@inner
def times_inverse(w, f, x):
    """x = H f."""
    n = len(f)
    for i in range(n):
        x[i] = row_product_at(w.numbers, ITERATION_NUMBERS + i * n, f, n)


@reordered
def row_product_at(numbers, first, x, n):
    total = 0.0
    for i in range(n):
        total += numbers[first + i] * x[i]
    return total


@apart
def add_scaled_row(numbers, first, factor, u, n):
    for i in range(n):
        numbers[first + i] += factor * u[i]


@inner
def mass_product(w, x, out):
    """out = (M + diag(extra)) x along the tree: accelerations outwards, wrenches inwards."""
    links, tree_links, dofs = w.fronts, w.tree_links, w.tree_dofs
    tree_links[0].wrench[:] = 0.0
    for i in range(1, len(links)):
        link, a = links[i], tree_links[i].wrench
        carry_out(tree_links[link.parent], tree_links[i])
        for j in range(link.iv, link.iv + link.nv):
            for r in range(3):
                a[r] += x[j] * dofs[j].linear[r]
                a[3 + r] += x[j] * dofs[j].angular[r]
    for i in range(1, len(links)):
        I, a = tree_links[i].inertia, tree_links[i].wrench  # noqa: E741
        p0, p1, p2 = six_product(I[0], a), six_product(I[1], a), six_product(I[2], a)
        p3, p4, p5 = six_product(I[3], a), six_product(I[4], a), six_product(I[5], a)
        a[0], a[1], a[2], a[3], a[4], a[5] = p0, p1, p2, p3, p4, p5
    for i in range(len(links) - 1, 0, -1):
        link, p = links[i], tree_links[i].wrench
        for j in range(link.iv, link.iv + link.nv):
            y, z = dofs[j].linear, dofs[j].angular
            total = y[0] * p[0] + y[1] * p[1] + y[2] * p[2] + z[0] * p[3] + z[1] * p[4] + z[2] * p[5]
            out[j] = total + dofs[j].extra * x[j]
        add_wrench(tree_links[link.parent].wrench, p, tree_links[i].arm)
