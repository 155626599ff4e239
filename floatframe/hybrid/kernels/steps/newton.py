"""Newton's method on one implicit step.

With the accelerations x at the end of the step as unknowns,

    speeds        v = v_hist + cv x
    positions     q = q_0 moved by d,  d = d_hist + cq x
    equations     M x + k - f - G^T lam = 0,   g(q, t) / cq = 0

The division by cq is the scaling that keeps the iteration matrix well conditioned however small the step.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

from floatframe.hybrid.kernels.constraints import program
from floatframe.hybrid.kernels.evaluate import evaluate_now
from floatframe.hybrid.kernels.layout import COORDINATE_FORCE, SLOT_COORDINATE, SLOT_RATE, TREE_COORDINATE
from floatframe.hybrid.kernels.linear import articulated_factor, articulated_solve, factor_constrained, solve_step
from floatframe.hybrid.kernels.options import inner
from floatframe.hybrid.kernels.stepping import (
    AGE,
    CONTRACTION,
    CORRECTION,
    CQ,
    CV,
    D_HIST,
    DELTA,
    EVALUATIONS,
    EXTRA,
    FACTORED_CQ,
    FAILED,
    ITERATIONS,
    LAM,
    LAM_START,
    LAM_STEP,
    LEVEL,
    NEWTON_TOLERANCE,
    NOT_A_NUMBER,
    PIVOT,
    Q0,
    REACHED,
    REFRESHES,
    RESIDUAL,
    SHIFTED,
    SINGULAR,
    SIZE,
    TREE,
    V_HIST,
    WEIGHT,
    X_START,
    H,
    Q,
    V,
    X,
)
from floatframe.hybrid.kernels.steps.contacts import keep_touch, same_touch
from floatframe.hybrid.kernels.system import ALL_FORCES, JACOBIAN, MASS
from floatframe.hybrid.kernels.tree import move

MAX_ITERATIONS = 12
ROUNDING = 1e-13  # share of the speeds below which corrections mean nothing
ROUNDED_PLACE = 4e-16  # rounding of positions as a share of the mechanism's size, of angles as a share of 1 rad
STAGNANT = 1e-6  # share of the speeds that a correction with a fresh matrix may have and shrink no more
SLOW = 0.12  # contraction above which a new iteration matrix pays


@inner
def set_state(tables, w, cv, cq):
    """Speeds and positions that belong to the accelerations w.vv[X]."""
    nv = len(w.vv[X])
    for i in range(nv):
        w.vv[V, i] = w.vv[V_HIST, i] + cv * w.vv[X, i]
        w.vv[DELTA, i] = w.vv[D_HIST, i] + cq * w.vv[X, i]
    for i in range(len(w.qq[Q])):
        w.qq[Q, i] = w.qq[Q0, i]
    move(tables.links, tables.flexible, w.qq[Q], w.vv[DELTA])


@inner
def joint_slopes(tables, data, w, cv, cq):
    """What forces in tree joints add to the diagonal of the iteration matrix: w.vv[EXTRA] (nv,)."""
    for i in range(len(w.vv[X])):
        w.vv[EXTRA, i] = 0.0
    for i in range(len(tables.forces)):
        element = tables.forces[i]
        if element.kind != COORDINATE_FORCE or tables.coordinates[element.coordinate].kind != TREE_COORDINATE:
            continue
        here = data.coordinates[element.coordinate]
        # one shift of acceleration moves coordinate and rate together, as in the step
        shift = 1e-6 / cv
        data.slots[SLOT_COORDINATE] = here.value + cq * shift
        data.slots[SLOT_RATE] = here.rate + cv * shift
        slope = (data.forces[i].value - program(tables, data, element.program)) / shift
        w.vv[EXTRA, tables.coordinates[element.coordinate].iv] += max(slope, 0.0)


@inner
def iteration_matrix(tables, data, w, t, cv, cq, level):
    """Factor the iteration matrix at the present iterate; False if it is singular.

    Level 0 takes mass, elastic stiffness and damping of flexible bodies; level 1 differentiates the whole residual by
    the rigid coordinates as well; level 2 by all coordinates.
    """
    nv = len(w.vv[X])
    tree = level == 0 and w.flags[TREE] == 1
    what = ALL_FORCES if tree else ALL_FORCES | MASS | JACOBIAN
    evaluate_now(tables, data, w, t, what, RESIDUAL)
    keep_touch(data, w)
    joint_slopes(tables, data, w, cv, cq)
    if tree:
        # the factors keep the poses they were made at in w.links, w.dofs
        for i in range(len(tables.links)):
            w.links[i] = data.links[i]
        for i in range(nv):
            w.dofs[i] = data.dofs[i]
        good = articulated_factor(tables.links, w.links, w.dofs, w.vv[EXTRA], w.inertia, w.U, w.vv[PIVOT])
        for i in range(nv):
            w.vv[WEIGHT, i] = w.vv[PIVOT, i]
        return good
    S = w.M
    for i in range(nv):
        w.vv[WEIGHT, i] = S[i, i]
        S[i, i] += w.vv[EXTRA, i]
    for b in range(len(tables.flexible)):
        body = tables.flexible[b]
        n, iv = body.n, body.iv
        k = body.matrices
        if body.diagonal == 1:
            for i in range(n):
                S[iv + i, iv + i] += cq * tables.pool[k + n + i] + cv * tables.pool[k + 2 * n + i]
        else:
            for i in range(n):
                for j in range(n):
                    place = i * n + j
                    S[iv + i, iv + j] += cq * tables.pool[k + n * n + place] + cv * tables.pool[k + 2 * n * n + place]
    if level > 0:
        for j in range(nv):
            if level < 2 and tables.dofs[j].link < 0:
                continue
            keep = w.vv[X, j]
            step = 1e-7 / cq
            w.vv[X, j] = keep + step
            set_state(tables, w, cv, cq)
            evaluate_now(tables, data, w, t, ALL_FORCES, SHIFTED)
            w.vv[X, j] = keep
            for i in range(nv):
                S[i, j] = (w.vv[SHIFTED, i] - w.vv[RESIDUAL, i]) / step
        set_state(tables, w, cv, cq)
    return factor_constrained(w)


@inner
def farthest_place(links, reach):
    """The largest coordinate [m] of a link in the world, or `reach` if that is more."""
    for i in range(len(links)):
        for k in range(3):
            reach = max(reach, abs(links[i].p[k]))
    return reach


@inner
def newton(tables, data, w, s, t):
    """Solve one step from the predicted accelerations and multipliers; returns REACHED or why not."""
    nv, nl = len(w.vv[X]), len(w.ll[LAM])
    cv, cq = s[CV], s[CQ]
    for i in range(nv):
        w.vv[X_START, i] = w.vv[X, i]
    for k in range(nl):
        w.ll[LAM_START, k] = w.ll[LAM, k]
    reach = farthest_place(data.links, max(s[SIZE], 1.0))
    while True:
        fresh = False
        if s[FACTORED_CQ] != cq or s[AGE] < 0.0:
            set_state(tables, w, cv, cq)
            if not iteration_matrix(tables, data, w, t, cv, cq, int(s[LEVEL])):
                return SINGULAR
            s[FACTORED_CQ] = cq
            s[AGE] = 0.0
            s[CONTRACTION] = 0.5
            s[REFRESHES] += 1
            fresh = True
        before = 0.0
        for iteration in range(MAX_ITERATIONS):
            set_state(tables, w, cv, cq)
            evaluate_now(tables, data, w, t, ALL_FORCES, RESIDUAL)
            s[EVALUATIONS] += 1
            s[ITERATIONS] += 1
            if s[LEVEL] > 0.0 and not same_touch(data, w):
                # the stiffness of a contact that has closed or opened hides how far off the forces are
                if not iteration_matrix(tables, data, w, t, cv, cq, int(s[LEVEL])):
                    return SINGULAR
                evaluate_now(tables, data, w, t, ALL_FORCES, RESIDUAL)
                s[REFRESHES] += 1
                before = 0.0
            if s[LEVEL] == 0.0 and w.flags[TREE] == 1:
                for i in range(nv):
                    w.vv[CORRECTION, i] = -w.vv[RESIDUAL, i]
                articulated_solve(tables.links, w.links, w.dofs, w.U, w.vv[PIVOT], w.wrench, w.vv[CORRECTION])
            else:
                for r in range(nv):
                    w.rhs[r] = -w.vv[RESIDUAL, w.order[r]]
                for k in range(nl):
                    w.rhs[nv + k] = -data.rows[k].value / cq
                solve_step(w, nl)
            size = 0.0
            speed = 0.0
            change = 0.0
            weight = 0.0
            for i in range(nv):
                w.vv[X, i] += w.vv[CORRECTION, i]
                size += w.vv[WEIGHT, i] * (cv * w.vv[CORRECTION, i]) ** 2
                speed += w.vv[WEIGHT, i] * w.vv[V, i] ** 2
                change += w.vv[WEIGHT, i] * (s[H] * w.vv[X, i]) ** 2
                weight += w.vv[WEIGHT, i]
            for k in range(nl):
                w.ll[LAM, k] += w.ll[LAM_STEP, k]
            size = math.sqrt(abs(size))
            # errors of single steps add up, so they are judged by the change of speed in the step
            allowed = s[NEWTON_TOLERANCE] * math.sqrt(abs(change)) + ROUNDING * math.sqrt(abs(speed)) + 1e-300
            # gaps and forces are known to the rounding of positions only, and the step turns gaps into speeds; at rest
            # nothing else is left of the corrections
            rounded = ROUNDED_PLACE * reach * cv / cq * math.sqrt(abs(weight))
            allowed += rounded
            if not math.isfinite(size) or not math.isfinite(speed):
                break
            if iteration > 0 and before > 0.0:
                s[CONTRACTION] = size / before
                if s[CONTRACTION] > 0.9 and size > allowed:
                    # near a singular position rounding is all that is left of the corrections
                    if fresh and size <= STAGNANT * math.sqrt(abs(speed)):
                        s[AGE] = -1.0
                        return REACHED
                    break
            # the first correction of a step is judged with care: the contraction known is that of an earlier step
            rate = min(s[CONTRACTION] if iteration > 0 else max(s[CONTRACTION], 0.1), 0.9)
            if size * rate / (1.0 - rate) <= allowed or size <= rounded:
                # a slow but successful iteration asks for a new matrix in the next step; one step of it tells no speed
                if not fresh and iteration > 0 and (s[CONTRACTION] > SLOW or iteration > 2):
                    s[AGE] = -1.0
                else:
                    s[AGE] += 1.0
                return REACHED
            before = size
        finite = True
        for i in range(nv):
            finite = finite and math.isfinite(w.vv[RESIDUAL, i])
            w.vv[X, i] = w.vv[X_START, i]
        for k in range(nl):
            w.ll[LAM, k] = w.ll[LAM_START, k]
        if fresh:
            if s[LEVEL] >= 2.0:
                return FAILED if finite else NOT_A_NUMBER
            s[LEVEL] += 1.0
        s[AGE] = -1.0
