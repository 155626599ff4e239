"""Records of implicit steps: speeds on the constraints, accelerations and multipliers that belong to the state.

A step's own accelerations and multipliers are those of its formula, which ring where its length changes; what is
recorded follows from time, positions and speeds alone.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

from floatframe.hybrid.kernels.linear import (
    by_links,
    factor_constrained,
    matrices,
    row_times,
    row_times_sizes,
    solve_step,
)
from floatframe.hybrid.kernels.options import KEPT, SYSTEM, entry, inner
from floatframe.hybrid.kernels.steps.index1 import find_accelerations
from floatframe.hybrid.kernels.system import (
    APPLIED,
    CONVECTIVE,
    ELASTIC,
    INERTIA,
    PLACED,
    VELOCITY,
    evaluate_now,
)

SWEEPS = 2  # the second mends what the regularised rows leave of the first
ROUNDING = 1e-14  # share of the terms of a row that its sum may lack
LEFT = 1e-9  # share of what the rows lacked before the first sweep that calls for the second


@inner
def settle_state(tables, data, w, s, t, dynamic):
    """Speeds w.v, and if `dynamic` accelerations w.x and multipliers w.lam, at w.q, w.v, all evaluated there.

    False if the equations are singular there.
    """
    if len(w.lam) == 0 and by_links(w):
        if not find_accelerations(tables, data, w, s, t):
            return False
        evaluate_now(tables, data, w, t, PLACED | INERTIA | APPLIED | CONVECTIVE, w.residual)
    else:
        evaluate_now(tables, data, w, t, matrices(by_links(w)), w.residual)
        if not factor_constrained(tables, data, w):
            return False
        if s.project == 1.0:
            settle_speeds(data, w, s)
        if dynamic:
            settle_accelerations(tables, data, w, t)
        else:
            evaluate_now(tables, data, w, t, PLACED | VELOCITY | APPLIED, w.residual)
    good = True
    for i in range(len(w.v)):
        good = good and math.isfinite(w.v[i]) and math.isfinite(w.x[i])
    return good


@inner
def settle_accelerations(tables, data, w, t):
    """Accelerations and multipliers at w.q, w.v with the factors at hand; they are evaluated there.

    The equations are linear in them: from those of the step, which are near, little is left to rounding.
    """
    nv, nl = len(w.x), len(w.lam)
    lacking = 0.0
    for sweep in range(SWEEPS + 1):
        what = PLACED | INERTIA | ELASTIC | APPLIED | CONVECTIVE
        evaluate_now(tables, data, w, t, what | VELOCITY if sweep == 0 else what, w.residual)
        for k in range(nl):
            w.lam_step[k] = data.rows[k].convective
        largest = demand(w)
        if sweep == 0:
            lacking = largest
        elif sweep == SWEEPS or largest <= LEFT * lacking or is_rounding(w, w.x, largest):
            break
        for r in range(nv):
            w.rhs[r] = -w.residual[w.rows[r].dof]
        solve_step(w, nl)
        for i in range(nv):
            w.x[i] += w.correction[i]
        for k in range(nl):
            w.lam[k] += w.lam_step[k]


@inner
def settle_speeds(data, w, s):
    """Bring the speeds onto the constraints, along the directions of least inertia, with Jacobian and factors at hand.

    Nothing is evaluated for them: rates of rows are linear in the speeds. How far off they were goes to s.speed_gap.
    """
    nv, nl = len(w.x), len(w.lam)
    lacking = 0.0
    for sweep in range(SWEEPS + 1):
        for k in range(nl):
            w.lam_step[k] = data.rows[k].rate + row_times(w, k, w.v)
        if sweep == 0:
            s.speed_gap = largest_of(w.lam_step)
        largest = demand(w)
        if sweep == 0:
            lacking = largest
        if sweep == SWEEPS or largest <= LEFT * lacking or is_rounding(w, w.v, largest):
            break
        for r in range(nv):
            w.rhs[r] = 0.0
        solve_step(w, nl)
        for i in range(nv):
            w.v[i] += w.correction[i]


@inner
def is_rounding(w, rates, largest):
    """Whether what rows lack at most is no more than the rounding of their terms, coefficients times rates (nv,)."""
    size = 0.0
    for k in range(len(w.lam)):
        size = max(size, row_times_sizes(w, k, rates))
    return largest <= ROUNDING * size


@inner
def largest_of(values):
    """The largest size of values (n,)."""
    largest = 0.0
    for k in range(len(values)):
        largest = max(largest, abs(values[k]))
    return largest


@inner
def demand(w):
    """Put what the rows lack, w.lam_step, on the right-hand side; the largest of it. Rows left out lack nothing."""
    nv = len(w.x)
    largest = 0.0
    for k in range(len(w.lam)):
        lack = w.lam_step[k] if w.rows[nv + k].held == 1 else 0.0
        w.rhs[nv + k] = -lack
        largest = max(largest, abs(lack))
    return largest


@inner
def try_record(w, kept, m):
    """Take record m as the state to evaluate."""
    for i in range(len(w.q)):
        w.q[i] = kept.q[m, i]
    for i in range(len(w.v)):
        w.v[i] = kept.v[m, i]
        w.x[i] = kept.x[m, i]
    for k in range(len(w.lam)):
        w.lam[k] = kept.lam[m, k]


@inner
def settle_record(tables, data, w, s, kept, m, dynamic):
    """Find speeds, accelerations and multipliers of record m and put them there; False if it is singular and stays."""
    try_record(w, kept, m)
    if not settle_state(tables, data, w, s, kept.t[m], dynamic):
        return False
    for i in range(len(w.v)):
        kept.v[m, i] = w.v[i]
        kept.x[m, i] = w.x[i]
    for k in range(len(w.lam)):
        kept.lam[m, k] = w.lam[k]
    return True


@entry(*SYSTEM, KEPT)
def settle(tables, data, w, s, kept):
    """Speeds, accelerations and multipliers of m records from their times and positions; singular ones stay."""
    for m in range(len(kept.t)):
        for i in range(len(data.memory)):
            data.memory[i] = kept.memory[m, i]
        settle_record(tables, data, w, s, kept, m, True)
