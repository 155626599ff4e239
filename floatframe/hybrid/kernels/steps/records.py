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
from floatframe.hybrid.kernels.options import KEPT, SYSTEM, entry, inner
from floatframe.hybrid.kernels.steps.index1 import find_accelerations
from floatframe.hybrid.kernels.system import ALL_FORCES, CONVECTIVE, JACOBIAN, MASS, VELOCITY

SWEEPS = 2  # the second mends what the regularised rows leave of the first


@inner
def settle_state(tables, data, w, s, t):
    """Speeds, accelerations and multipliers at w.q, w.v; False if the equations are singular there."""
    nv, nl = len(w.x), len(w.lam)
    if w.traits.tree == 1:
        return find_accelerations(tables, data, w, s, t)
    evaluate_now(tables, data, w, t, MASS | JACOBIAN | VELOCITY, w.residual)
    if not factor_constrained(w):
        return False
    if s.project == 1.0 and nl > 0:
        for sweep in range(SWEEPS):
            if sweep > 0:
                evaluate_now(tables, data, w, t, VELOCITY, w.residual)
            row_rates(tables, data, w.lam_step)
            for r in range(nv):
                w.rhs[r] = 0.0
            for k in range(nl):
                w.rhs[nv + k] = -w.lam_step[k]
            solve_step(w, nl)
            for i in range(nv):
                w.v[i] += w.correction[i]
    for i in range(nv):
        w.x[i] = 0.0
    for k in range(nl):
        w.lam[k] = 0.0
    for _ in range(SWEEPS):
        evaluate_now(tables, data, w, t, ALL_FORCES | CONVECTIVE, w.residual)
        for r in range(nv):
            w.rhs[r] = -w.residual[w.rows[r].dof]
        for k in range(nl):
            w.rhs[nv + k] = -data.rows[k].convective
        solve_step(w, nl)
        for i in range(nv):
            w.x[i] += w.correction[i]
        for k in range(nl):
            w.lam[k] += w.lam_step[k]
    return True


@entry(*SYSTEM, KEPT)
def settle(tables, data, w, s, kept):
    """Speeds, accelerations and multipliers of m records from their times and positions; singular ones stay."""
    for m in range(len(kept.t)):
        for i in range(len(data.memory)):
            data.memory[i] = kept.memory[m, i]
        for i in range(len(w.q)):
            w.q[i] = kept.q[m, i]
        for i in range(len(w.v)):
            w.v[i] = kept.v[m, i]
        good = settle_state(tables, data, w, s, kept.t[m])
        for i in range(len(w.v)):
            good = good and math.isfinite(w.v[i]) and math.isfinite(w.x[i])
        if not good:
            continue
        for i in range(len(w.v)):
            kept.v[m, i] = w.v[i]
            kept.x[m, i] = w.x[i]
        for k in range(len(w.lam)):
            kept.lam[m, k] = w.lam[k]
