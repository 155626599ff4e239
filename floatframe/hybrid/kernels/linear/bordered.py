"""Systems bordered by constraint rows, [M, -G^T; G, 0], a little regularised, so dependent rows do no harm.

They are solved along the tree (see `fronts`), or as dense ones, as symmetric ones where they have modes and nothing
else than inertia and rows is in them; those of open trees of rigid bodies also by composite bodies, by the forces in
their joints or iteratively.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from floatframe.hybrid.kernels.linear.articulated import articulated_factor, articulated_solve
from floatframe.hybrid.kernels.linear.composite import factor_composite, solve_composite
from floatframe.hybrid.kernels.linear.dense import lu_factor, lu_solve
from floatframe.hybrid.kernels.linear.first_kind import factor_first_kind, solve_first_kind
from floatframe.hybrid.kernels.linear.fronts import REGULAR, factor_tree, row_product, row_size, solve_tree
from floatframe.hybrid.kernels.linear.iterative import begin_iterations, solve_iteratively
from floatframe.hybrid.kernels.linear.symmetric import factor_symmetric, solve_symmetric, weighted_square
from floatframe.hybrid.kernels.options import apart, inner, reordered
from floatframe.hybrid.kernels.stepping import COMPOSITE, DENSE, FIRST_KIND, ITERATIVE, SYMMETRIC, TREE
from floatframe.hybrid.kernels.system import JACOBIAN, MASS
from floatframe.hybrid.kernels.vectors import product


@apart
def put_in_order(w, values, row):
    """Values by dof (nv,) to a row, in the order of the factors; dofs that follow each other at once."""
    r = 0
    while r < len(w.x):
        dof, count = w.rows[r].dof, w.rows[r].together
        for k in range(count):
            row[r + k] = values[dof + k]
        r += count


@inner
def lightness_of(w, mass, lightness):
    """1 / inertia of each dof, in the order of the factors; coordinates without mass follow the others."""
    for r in range(len(w.x)):
        own = abs(mass[w.rows[r].dof, w.rows[r].dof])
        lightness[r] = 1.0 / own if own != 0.0 else 0.0


@inner
def by_links(w):
    """Whether systems are solved without a mass matrix, from links and joints."""
    return w.traits.tree not in (DENSE, COMPOSITE)


@inner
def matrices(by_links):
    """What an evaluation must fill for the factors: those of links have coefficients of their own."""
    return 0 if by_links else MASS | JACOBIAN


@inner
def factor_constrained(tables, data, w):
    """Factor the mass matrix bordered by the rows; dense systems must be evaluated with `matrices`."""
    if w.traits.tree == DENSE and w.traits.alone > 0:
        w.traits.along = SYMMETRIC
        if factor_symmetric(w):
            return True
    if not by_links(w):
        return factor_matrix(w)
    for i in range(len(w.x)):
        w.tree_dofs[i].extra = 0.0
    return factor_along_tree(tables, data, w, 0.0, 0.0)


@inner
def factor_along_tree(tables, data, w, cv, cq):
    """As `factor_tree`, for the solutions that follow; open trees of rigid bodies need less."""
    w.traits.along = w.traits.tree
    if w.traits.tree == FIRST_KIND:
        return factor_first_kind(tables, data, w)
    if w.traits.tree == ITERATIVE:
        return begin_iterations(tables, data, w)
    if is_open(w):
        return articulated_factor(tables.links, data.links, data.dofs, w.tree_links, w.tree_dofs)
    return factor_tree(tables, data, w, cv, cq)


@inner
def is_open(w):
    """Whether there are neither rows nor modes."""
    return len(w.lam) == 0 and w.traits.safe == 0


@inner
def factor_matrix(w):
    """Factor w.M with nothing in it beside the tree, bordered by w.G."""
    if w.traits.tree == COMPOSITE:
        w.traits.along = COMPOSITE
        return factor_composite(w)
    return factor_dense(w)


@apart
def factor_dense(w):
    """Factor w.M, in the order of the coordinates that suits it, bordered by the constraint Jacobian w.G."""
    w.traits.along = DENSE
    nv, nl = len(w.x), len(w.lam)
    A, lightness = w.A, w.rhs
    lightness_of(w, w.M, lightness)
    for r in range(nv):
        put_in_order(w, w.M[w.rows[r].dof], A[r])
    for k in range(nl):
        held = w.rows[nv + k].held == 1
        row = A[nv + k]
        put_in_order(w, w.G[k], row)
        for r in range(nv):
            if not held:
                row[r] = 0.0
            A[r, nv + k] = -row[r]
        for c in range(nl):
            row[nv + c] = 0.0
        row[nv + k] = REGULAR * weighted_square(row[:nv], lightness) if held else 1.0
    return lu_factor(A, w.rows, w.traits.safe)


@inner
def solve_step(w, rows):
    """Solve for w.rhs with the factors at hand; accelerations go to w.correction, multipliers to w.lam_step."""
    nv = len(w.x)
    if w.traits.along not in (DENSE, SYMMETRIC):
        for r in range(nv):
            w.correction[w.rows[r].dof] = w.rhs[r]
        if w.traits.along == COMPOSITE:
            solve_composite(w, w.correction)
            return
        if w.traits.along == FIRST_KIND:
            solve_first_kind(w, w.correction)
            return
        if w.traits.along == ITERATIVE:
            solve_iteratively(w, w.correction)
            return
        if is_open(w):
            articulated_solve(w.fronts, w.tree_links, w.tree_dofs, w.correction)
            return
        for k in range(len(w.lam)):
            w.steps[k].right = w.rhs[nv + k]
        solve_tree(w)
        for k in range(rows):
            w.lam_step[k] = -w.steps[k].right
        return
    if w.traits.along == SYMMETRIC:
        solve_symmetric(w)
    else:
        lu_solve(w.A, w.rows, w.rhs)
    for r in range(nv):
        w.correction[w.rows[r].dof] = w.rhs[r]
    for k in range(rows):
        w.lam_step[k] = w.rhs[nv + k]


@inner
def row_times(w, k, x):
    """Row k of the Jacobian of the factors at hand times x (nv,)."""
    return row_product(w, k, x) if w.traits.along == TREE else product(w.G[k], x)


@inner
def row_times_sizes(w, k, x):
    """The same with the sizes of the terms."""
    return row_size(w, k, x) if w.traits.along == TREE else absolute_product(w.G[k], x)


@reordered
def absolute_product(a, b):
    """Sum of the sizes of the terms of a scalar product."""
    total = 0.0
    for i in range(len(a)):
        total += abs(a[i] * b[i])
    return total
