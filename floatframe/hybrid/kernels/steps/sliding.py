"""Smooth dry friction in the iteration matrix: its slope follows every iterate without a new factorisation.

Friction grows steeply with the rate near rest and not at all where it slides, so that a matrix made a few steps ago is
a bad one for it, while the rest of it still fits. A damper between two places changes the matrix by its slope times a
product of one column with itself: Woodbury's formula puts that right at the price of one solution per damper and
factorisation.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from floatframe.hybrid.kernels.coordinates import ZERO
from floatframe.hybrid.kernels.forces import line_of
from floatframe.hybrid.kernels.linear import solve_step
from floatframe.hybrid.kernels.options import inner
from floatframe.hybrid.kernels.steps.slopes import put_motion
from floatframe.hybrid.kernels.vectors import difference


@inner
def keep_sliding(tables, data, w):
    """After a factorisation: the slopes of friction in it, and what a unit force of each damper answers by it.

    The forces must be those the matrix was made at. w.correction, w.lam_step and w.rhs are workspace.
    """
    nv, nl = len(w.x), len(w.lam)
    for k in range(len(w.sliding)):
        number = w.sliding[k].element
        element = tables.forces[number]
        w.sliding[k].factored = data.forces[number].state[0]
        arm = difference(data.markers[element.a].p, data.markers[element.b].p)
        column, answer = w.rubs[k], w.answers[k]
        put_motion(tables, data, column, element, arm, line_of(data, element, arm), ZERO)
        for r in range(nv):
            w.rhs[r] = column[w.rows[r].dof]
        for r in range(nl):
            w.rhs[nv + r] = 0.0
        solve_step(w, nl)
        for j in range(nv):
            answer[j] = w.correction[j]
        for r in range(nl):
            answer[nv + r] = w.lam_step[r]


@inner
def correct_sliding(data, w, cv):
    """Turn a solution by the factors into one by the matrix with the present slopes of friction.

    With columns U of the dampers, answers Z = S^-1 U and changes D of their slopes, x - Z (1 + D U^T Z)^-1 D U^T x.
    """
    nv, nl, count = len(w.x), len(w.lam), len(w.sliding)
    E = w.grips  # (count, count + 1): the equations and their right side
    for k in range(count):
        change = cv * (data.forces[w.sliding[k].element].state[0] - w.sliding[k].factored)
        column = w.rubs[k]
        for j in range(count):
            E[k, j] = change * along(column, w.answers[j])
        E[k, k] += 1.0
        E[k, count] = change * along(column, w.correction)
    for k in range(count):
        for i in range(k + 1, count):
            factor = E[i, k] / E[k, k]
            for j in range(k + 1, count + 1):
                E[i, j] -= factor * E[k, j]
    for k in range(count - 1, -1, -1):
        for j in range(k + 1, count):
            E[k, count] -= E[k, j] * E[j, count]
        E[k, count] /= E[k, k]
        size, answer = E[k, count], w.answers[k]
        for i in range(nv):
            w.correction[i] -= size * answer[i]
        for r in range(nl):
            w.lam_step[r] -= size * answer[nv + r]


@inner
def along(column, values):
    """Sum of the products of a column (nv,) with the first of the values."""
    total = 0.0
    for i in range(len(column)):
        total += column[i] * values[i]
    return total
