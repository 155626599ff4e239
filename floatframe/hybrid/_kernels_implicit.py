"""Implicit integration of the index-3 equations: Newton's method on one step, step formulas, runs between records.

All methods here share one form. With the accelerations x at the end of the step as unknowns,

    speeds        v = v_hist + cv x
    positions     q = q_0 moved by d,  d = d_hist + cq x
    equations     M x + k - f - G^T lam = 0,   g(q, t) / cq = 0

and the history terms and the two factors are what makes it generalised-alpha, Newmark, BDF or Park's method. The
division by cq is the scaling that keeps the iteration matrix well conditioned however small the step.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

from numba import njit

from floatframe.hybrid._kernels_articulated import articulated_factor, articulated_solve
from floatframe.hybrid._kernels_constraints import program, remember_angles, row_rates
from floatframe.hybrid._kernels_dense import lu_factor, lu_solve
from floatframe.hybrid._kernels_evaluate import evaluate_now
from floatframe.hybrid._kernels_forces import read_sensors, remember_forces
from floatframe.hybrid._kernels_system import ALL_FORCES, JACOBIAN, MASS, VELOCITY
from floatframe.hybrid._kernels_tree import move
from floatframe.hybrid.layout import COORDINATE_FORCE, SLOT_COORDINATE, SLOT_RATE, TREE_COORDINATE
from floatframe.hybrid.stepping import (
    A0,
    AGE,
    CONTRACTION,
    CORRECTION,
    CQ,
    CV,
    D1,
    D2,
    D_HIST,
    DELTA,
    DV1,
    DV2,
    EVALUATIONS,
    EVENT,
    EVENT_FOUND,
    EXTRA,
    FACTORED_CQ,
    FAILED,
    FIRST_EVENT,
    H_MAX,
    H_MIN,
    ITERATIONS,
    KIND,
    LAM,
    LAM0,
    LAM1,
    LAM_START,
    LAM_STEP,
    LAST_H,
    LEVEL,
    LOCAL_ERROR,
    NEWTON_TOLERANCE,
    NOT_A_NUMBER,
    ONE_STEP,
    PIVOT,
    PROJECT,
    Q0,
    REACHED,
    REFRESHES,
    REJECTED,
    RESIDUAL,
    RTOL,
    SAFE,
    SHIFTED,
    SINGULAR,
    SIZE,
    STEPS,
    STEPS_DONE,
    TIME,
    TOO_SMALL,
    TRAVEL,
    TREE,
    V0,
    V_HIST,
    WEIGHT,
    X0,
    X1,
    X_START,
    H,
    Q,
    V,
    X,
)

MAX_ITERATIONS = 12
EVENT_TOLERANCE = 1e-9  # an event is met where its expression is below this share of its largest value
ROUNDING = 1e-13  # share of the speeds below which corrections mean nothing
ROUNDED_GAP = 4e-16  # rounding of a gap as a share of the mechanism's size
STAGNANT = 1e-6  # share of the speeds that a correction with a fresh matrix may have and shrink no more
SLOW = 0.12  # contraction above which a new iteration matrix pays
PROJECTIONS, CONSISTENT = 5, 1e-10  # of recorded speeds: sweeps, and share of the speeds that ends them
REGULAR = 1e-12  # share of a row's own stiffness added to it, so that dependent rows do no harm


@njit(cache=True, error_model="numpy", _nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True)
def set_state(tables, w, cv, cq):
    """Speeds and positions that belong to the accelerations w.vv[X]."""
    nv = len(w.vv[X])
    for i in range(nv):
        w.vv[V, i] = w.vv[V_HIST, i] + cv * w.vv[X, i]
        w.vv[DELTA, i] = w.vv[D_HIST, i] + cq * w.vv[X, i]
    for i in range(len(w.qq[Q])):
        w.qq[Q, i] = w.qq[Q0, i]
    move(tables.links, tables.flexible, w.qq[Q], w.vv[DELTA])


@njit(cache=True, error_model="numpy", _nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True)
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


@njit(cache=True, error_model="numpy", _nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True)
def iteration_matrix(tables, data, w, t, cv, cq, level):
    """Factor the iteration matrix at the present iterate; False if it is singular.

    Level 0 takes mass, elastic stiffness and damping of flexible bodies; level 1 differentiates the whole residual by
    the rigid coordinates as well; level 2 by all coordinates.
    """
    nv, nl = len(w.vv[X]), len(w.ll[LAM])
    tree = level == 0 and w.flags[TREE] == 1
    what = ALL_FORCES if tree else ALL_FORCES | MASS | JACOBIAN
    evaluate_now(tables, data, w, t, what, RESIDUAL)
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
        k = body.constants + 3 + 6 * n + 6 + 6 * n + 9 * n * n
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
    A = w.A
    for r in range(nv):
        i = w.order[r]
        for c in range(nv):
            A[r, c] = S[i, w.order[c]]
        for k in range(nl):
            A[r, nv + k] = -w.G[k, i]
            A[nv + k, r] = w.G[k, i]
    for k in range(nl):
        own = 0.0
        for c in range(nv):
            i = w.order[c]
            own += w.G[k, i] * w.G[k, i] / abs(S[i, i])
        for c in range(nl):
            A[nv + k, nv + c] = 0.0
        A[nv + k, nv + k] = REGULAR * own
    return lu_factor(A, w.pivots, w.flags[SAFE])


@njit(cache=True, error_model="numpy", _nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True)
def solve_step(w, rows):
    """Solve for w.rhs with the dense factors; accelerations go to w.vv[CORRECTION], multipliers to w.ll[LAM_STEP]."""
    nv = len(w.vv[X])
    lu_solve(w.A, w.pivots, w.rhs)
    for r in range(nv):
        w.vv[CORRECTION, w.order[r]] = w.rhs[r]
    for k in range(rows):
        w.ll[LAM_STEP, k] = w.rhs[nv + k]


@njit(cache=True, error_model="numpy", _nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True)
def newton(tables, data, w, s, t):
    """Solve one step from the predicted accelerations and multipliers; returns REACHED or why not."""
    nv, nl = len(w.vv[X]), len(w.ll[LAM])
    cv, cq = s[CV], s[CQ]
    for i in range(nv):
        w.vv[X_START, i] = w.vv[X, i]
    for k in range(nl):
        w.ll[LAM_START, k] = w.ll[LAM, k]
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
            if nl > 0:
                # gaps are known to the rounding of positions only, and the step turns gaps into speeds
                allowed += ROUNDED_GAP * s[SIZE] * cv / cq * math.sqrt(abs(weight))
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
            if size * rate / (1.0 - rate) <= allowed:
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


@njit(cache=True, error_model="numpy", _nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True)
def project_speeds(tables, data, w, t):
    """Bring the speeds w.vv[V] of the accepted state onto the velocity constraints with the factors at hand.

    The steps go on from the speeds as they were: a correction along directions of an older iteration matrix is no
    error in one record, but it would add up over the steps.
    """
    nv, nl = len(w.vv[X]), len(w.ll[LAM])
    if nl == 0:
        return
    for _ in range(PROJECTIONS):
        evaluate_now(tables, data, w, t, VELOCITY, RESIDUAL)
        row_rates(tables, data, w.ll[LAM_STEP])
        for r in range(nv):
            w.rhs[r] = 0.0
        for k in range(nl):
            w.rhs[nv + k] = -w.ll[LAM_STEP, k]
        solve_step(w, nl)
        size = 0.0
        speed = 0.0
        for i in range(nv):
            w.vv[V, i] += w.vv[CORRECTION, i]
            size += w.vv[WEIGHT, i] * w.vv[CORRECTION, i] ** 2
            speed += w.vv[WEIGHT, i] * w.vv[V, i] ** 2
        if size <= CONSISTENT**2 * speed:
            return


@njit(cache=True, error_model="numpy", _nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True)
def history(w, s, formula, h):
    """History terms and factors of the step formula for a step h."""
    nv = len(w.vv[X])
    if s[KIND] == ONE_STEP:
        am, af, beta, gamma = formula[0], formula[1], formula[2], formula[3]
        c = (1.0 - af) / (1.0 - am)
        for i in range(nv):
            rest = (af * w.vv[X0, i] - am * w.vv[A0, i]) / (1.0 - am)
            w.vv[V_HIST, i] = w.vv[V0, i] + h * (1.0 - gamma) * w.vv[A0, i] + h * gamma * rest
            w.vv[D_HIST, i] = h * w.vv[V0, i] + h * h * ((0.5 - beta) * w.vv[A0, i] + beta * rest)
        s[CV] = h * gamma * c
        s[CQ] = h * h * beta * c
    else:
        # increments of the step: d = h b v + c1 d_1 + c2 d_2, and the same for speeds; the first steps are shorter
        b, c1, c2 = formula[0], formula[1], formula[2]
        if s[STEPS_DONE] == 0.0:
            b, c1, c2 = 1.0, 0.0, 0.0
        elif s[STEPS_DONE] == 1.0 and c2 != 0.0:
            b, c1, c2 = 2.0 / 3.0, 1.0 / 3.0, 0.0
        for i in range(nv):
            dv = c1 * w.vv[DV1, i] + c2 * w.vv[DV2, i]
            w.vv[V_HIST, i] = w.vv[V0, i] + dv
            w.vv[D_HIST, i] = h * b * (w.vv[V0, i] + dv) + c1 * w.vv[D1, i] + c2 * w.vv[D2, i]
        s[CV] = h * b
        s[CQ] = h * h * b * b


@njit(cache=True, error_model="numpy", _nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True)
def accept(tables, data, w, s, formula):
    """Make the end of the step the start of the next one."""
    nv = len(w.vv[X])
    if s[KIND] == ONE_STEP:
        am, af = formula[0], formula[1]
        for i in range(nv):
            w.vv[A0, i] = ((1.0 - af) * w.vv[X, i] + af * w.vv[X0, i] - am * w.vv[A0, i]) / (1.0 - am)
    else:
        for i in range(nv):
            w.vv[D2, i] = w.vv[D1, i]
            w.vv[DV2, i] = w.vv[DV1, i]
            w.vv[D1, i] = w.vv[DELTA, i]
            w.vv[DV1, i] = w.vv[V, i] - w.vv[V0, i]
    for i in range(nv):
        w.vv[X1, i] = w.vv[X0, i]
        w.vv[X0, i] = w.vv[X, i]
        w.vv[V0, i] = w.vv[V, i]
    for i in range(len(w.qq[Q])):
        w.qq[Q0, i] = w.qq[Q, i]
    for k in range(len(w.ll[LAM])):
        w.ll[LAM1, k] = w.ll[LAM0, k]
        w.ll[LAM0, k] = w.ll[LAM, k]
    for k in range(w.events.shape[1]):
        w.events[0, k] = w.events[1, k]
    remember_angles(tables.coordinates, data.coordinates, data.memory)
    remember_forces(tables, data)
    s[STEPS_DONE] += 1.0
    s[STEPS] += 1.0


@njit(cache=True, error_model="numpy", _nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True)
def predict(w, s, same):
    """Start values of Newton's method: accelerations and multipliers extrapolated over equal steps."""
    e = 1.0 if same and s[STEPS_DONE] > 1.0 else 0.0
    for i in range(len(w.vv[X])):
        w.vv[X, i] = w.vv[X0, i] + e * (w.vv[X0, i] - w.vv[X1, i])
    for k in range(len(w.ll[LAM])):
        w.ll[LAM, k] = w.ll[LAM0, k] + e * (w.ll[LAM0, k] - w.ll[LAM1, k])


@njit(cache=True, error_model="numpy", _nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True)
def local_error(w, s, h):
    """Estimated error of the step's displacements in units of the tolerance, weighted by inertia."""
    error = 0.0
    scale = 0.0
    for i in range(len(w.vv[X])):
        error += w.vv[WEIGHT, i] * (h * h / 12.0 * (w.vv[X, i] - w.vv[X0, i])) ** 2
        scale += w.vv[WEIGHT, i] * (w.vv[TRAVEL, i] ** 2)
    return math.sqrt(error) / (s[RTOL] * math.sqrt(scale) + 1e-300)


@njit(cache=True, error_model="numpy", _nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True)
def one_step(tables, data, w, s, formula, h):
    """A step of length h from the accepted state; on success the new state is in the rows Q, V, X, LAM."""
    s[H] = h
    history(w, s, formula, h)
    predict(w, s, abs(h - s[LAST_H]) < 1e-9 * h)
    outcome = newton(tables, data, w, s, s[TIME] + h)
    if outcome == REACHED:
        set_state(tables, w, s[CV], s[CQ])
    return outcome


@njit(cache=True, error_model="numpy", _nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True)
def crossing(tables, data, w, s, t):
    """Share of the step at which the first event changes sign, 2.0 if none does; its number goes to s[EVENT_FOUND]."""
    count = w.events.shape[1]
    if count == 0:
        return 2.0
    read_sensors(tables, data, w.qq[Q], w.vv[V], t)
    first = 2.0
    for k in range(count):
        before = w.events[0, k]
        now = program(tables, data, int(s[FIRST_EVENT]) + k)
        w.events[1, k] = now
        w.events[2, k] = max(w.events[2, k], abs(now))
        if before * now < 0.0 or (before != 0.0 and abs(now) <= EVENT_TOLERANCE * w.events[2, k]):
            share = before / (before - now) if before != now else 1.0
            if share < first:
                first = share
                s[EVENT_FOUND] = k
    return first


@njit(cache=True, error_model="numpy", _nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True)
def start_events(tables, data, w, s):
    """Values of the events before the first step, so that it can be seen to cross zero."""
    if w.events.shape[1] == 0 or s[STEPS] > 0.0:
        return
    for i in range(len(w.qq[Q])):
        w.qq[Q, i] = w.qq[Q0, i]
    for i in range(len(w.vv[V])):
        w.vv[V, i] = w.vv[V0, i]
    evaluate_now(tables, data, w, s[TIME], VELOCITY, RESIDUAL)
    crossing(tables, data, w, s, s[TIME])
    for k in range(w.events.shape[1]):
        w.events[0, k] = w.events[1, k]


@njit(cache=True, error_model="numpy", _nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True)
def met(w, s, h):
    """Whether the event found lies close enough to the end of the step."""
    k = int(s[EVENT_FOUND])
    return abs(w.events[1, k]) <= EVENT_TOLERANCE * w.events[2, k] or h <= 1e-12 * (abs(s[TIME]) + h)


@njit(cache=True, error_model="numpy", _nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True)
def advance(tables, data, w, s, formula, t_end, single):
    """Steps until t_end, which is met exactly; fixed steps of s[H_MAX] (fitted) or, with s[RTOL] > 0, controlled ones.

    With `single` it returns after one accepted step. At an event the last step ends where the event expression crosses
    zero, and EVENT is returned.
    """
    controlled = s[RTOL] > 0.0
    wanted = s[LAST_H] if controlled and s[LAST_H] > 0.0 else s[H]
    if not controlled:
        wanted = (t_end - s[TIME]) / max(1.0, math.ceil((t_end - s[TIME]) / s[H_MAX] - 1e-6))
    t_start = s[TIME]
    count = 0
    hunting = False
    while s[TIME] < t_end:
        left = t_end - s[TIME]
        h = left if wanted >= left * (1.0 - 1e-9) else wanted
        if controlled and h < left < 2.0 * h:
            h = 0.5 * left
        outcome = one_step(tables, data, w, s, formula, h)
        if controlled:
            error = 2.0
            if outcome == REACHED:
                for i in range(len(w.vv[X])):
                    w.vv[TRAVEL, i] = max(w.vv[TRAVEL, i], abs(h * w.vv[V, i]), h * h * abs(w.vv[X, i]))
                error = local_error(w, s, h)
                s[LOCAL_ERROR] = error
            if outcome != REACHED or error > 1.0:
                s[REJECTED] += 1.0
                wanted = h * (0.25 if outcome != REACHED else max(0.2, 0.9 * error ** (-1.0 / 3.0)))
                if wanted < s[H_MIN]:
                    return TOO_SMALL if outcome == REACHED else outcome
                continue
            grow = 0.9 * (error + 1e-12) ** (-1.0 / 3.0)
            # keep the step, and with it the factors, unless a change pays
            if grow > 1.5:
                wanted = min(h * min(grow, 3.0), s[H_MAX])
            elif h == wanted and grow < 1.0:
                wanted = h * max(grow, 0.5)
        elif outcome != REACHED:
            return outcome
        share = crossing(tables, data, w, s, s[TIME] + h)
        if share < 2.0 and not met(w, s, h):
            # regula falsi over the present step
            wanted = h * share
            hunting = True
            continue
        accept(tables, data, w, s, formula)
        count += 1
        s[LAST_H] = h
        if share < 2.0:
            s[TIME] += h
            return EVENT
        s[TIME] = t_end if h == left else (s[TIME] + h if controlled or hunting else t_start + count * wanted)
        if single:
            break
    if controlled:
        s[LAST_H] = wanted
    return REACHED


@njit(cache=True, error_model="numpy", _nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True)
def keep(data, w, s, kept, m):
    """The accepted state as record m."""
    kept.t[m] = s[TIME]
    for i in range(len(w.qq[Q0])):
        kept.q[m, i] = w.qq[Q0, i]
    for i in range(len(w.vv[V0])):
        kept.v[m, i] = w.vv[V0, i]
        kept.x[m, i] = w.vv[X0, i]
    for i in range(len(w.ll[LAM0])):
        kept.lam[m, i] = w.ll[LAM0, i]
    kept.counters[m, 0] = s[STEPS]
    kept.counters[m, 1] = s[ITERATIONS]
    kept.counters[m, 2] = s[EVALUATIONS]
    kept.counters[m, 3] = s[REFRESHES]
    kept.counters[m, 4] = s[REJECTED]
    kept.counters[m, 5] = s[LAST_H]
    for i in range(len(data.memory)):
        kept.memory[m, i] = data.memory[i]


@njit(cache=True, error_model="numpy", _nrt=False)
def run(tables, data, w, s, formula, times, single, kept):
    """Advance to each of the times and keep the states there; returns how many were kept and why it ended.

    With `single` every accepted step on the way to times[0] is kept instead.
    """
    start_events(tables, data, w, s)
    for m in range(len(kept.t)):
        t_end = times[0] if single else times[m]
        if single and s[TIME] >= t_end:
            return m, REACHED
        outcome = advance(tables, data, w, s, formula, t_end, single)
        if outcome not in (REACHED, EVENT):
            return m, outcome
        keep(data, w, s, kept, m)
        if s[PROJECT] == 1.0:
            project_speeds(tables, data, w, s[TIME])
            for i in range(len(w.vv[V])):
                kept.v[m, i] = w.vv[V, i]
        if outcome == EVENT:
            return m + 1, EVENT
    return len(kept.t), REACHED
