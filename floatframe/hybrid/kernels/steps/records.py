"""Records of implicit steps: speeds on the constraints, accelerations and multipliers that belong to the state.

A step's own accelerations and multipliers are those of its formula, which ring where its length changes; what is
recorded follows from time, positions and speeds alone.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

from floatframe.hybrid.kernels.constraints import row_rates
from floatframe.hybrid.kernels.evaluate import evaluate_now
from floatframe.hybrid.kernels.linear import factor_constrained, solve_step
from floatframe.hybrid.kernels.options import entry, inner
from floatframe.hybrid.kernels.stepping import CORRECTION, LAM, LAM_STEP, PROJECT, RESIDUAL, TREE, Q, V, X
from floatframe.hybrid.kernels.steps.index1 import find_accelerations
from floatframe.hybrid.kernels.system import ALL_FORCES, CONVECTIVE, JACOBIAN, MASS, VELOCITY

SWEEPS = 2  # the second mends what the regularised rows leave of the first


@inner
def settle_state(tables, data, w, s, t):
    """Speeds, accelerations and multipliers at w.qq[Q], w.vv[V]; False if the equations are singular there."""
    nv, nl = len(w.vv[X]), len(w.ll[LAM])
    if w.flags[TREE] == 1:
        return find_accelerations(tables, data, w, s, t)
    evaluate_now(tables, data, w, t, MASS | JACOBIAN | VELOCITY, RESIDUAL)
    if not factor_constrained(w):
        return False
    if s[PROJECT] == 1.0 and nl > 0:
        for sweep in range(SWEEPS):
            if sweep > 0:
                evaluate_now(tables, data, w, t, VELOCITY, RESIDUAL)
            row_rates(tables, data, w.ll[LAM_STEP])
            for r in range(nv):
                w.rhs[r] = 0.0
            for k in range(nl):
                w.rhs[nv + k] = -w.ll[LAM_STEP, k]
            solve_step(w, nl)
            for i in range(nv):
                w.vv[V, i] += w.vv[CORRECTION, i]
    for i in range(nv):
        w.vv[X, i] = 0.0
    for k in range(nl):
        w.ll[LAM, k] = 0.0
    for _ in range(SWEEPS):
        evaluate_now(tables, data, w, t, ALL_FORCES | CONVECTIVE, RESIDUAL)
        for r in range(nv):
            w.rhs[r] = -w.vv[RESIDUAL, w.order[r]]
        for k in range(nl):
            w.rhs[nv + k] = -data.rows[k].convective
        solve_step(w, nl)
        for i in range(nv):
            w.vv[X, i] += w.vv[CORRECTION, i]
        for k in range(nl):
            w.ll[LAM, k] += w.ll[LAM_STEP, k]
    return True


@entry
def settle(tables, data, w, s, kept):
    """Speeds, accelerations and multipliers of m records from their times and positions; singular ones stay."""
    for m in range(len(kept.t)):
        for i in range(len(data.memory)):
            data.memory[i] = kept.memory[m, i]
        for i in range(len(w.qq[Q])):
            w.qq[Q, i] = kept.q[m, i]
        for i in range(len(w.vv[V])):
            w.vv[V, i] = kept.v[m, i]
        good = settle_state(tables, data, w, s, kept.t[m])
        for i in range(len(w.vv[V])):
            good = good and math.isfinite(w.vv[V, i]) and math.isfinite(w.vv[X, i])
        if not good:
            continue
        for i in range(len(w.vv[V])):
            kept.v[m, i] = w.vv[V, i]
            kept.x[m, i] = w.vv[X, i]
        for k in range(len(w.ll[LAM])):
            kept.lam[m, k] = w.ll[LAM, k]
