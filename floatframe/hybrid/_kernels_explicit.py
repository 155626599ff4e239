"""Explicit Runge-Kutta methods on the index-1 equations, with projection onto the constraints after every step."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

import numpy as np

from floatframe.hybrid._kernels_accepted import accept_state, keep
from floatframe.hybrid._kernels_articulated import articulated_factor, articulated_solve
from floatframe.hybrid._kernels_bordered import factor_constrained, solve_step
from floatframe.hybrid._kernels_constraints import remember_angles, row_rates
from floatframe.hybrid._kernels_evaluate import evaluate_now
from floatframe.hybrid._kernels_events import crossing, met, start_events
from floatframe.hybrid._kernels_observe import energy_parts
from floatframe.hybrid._kernels_system import ALL_FORCES, CONVECTIVE, JACOBIAN, MASS, VELOCITY
from floatframe.hybrid._kernels_tree import move
from floatframe.hybrid.kernel_options import entry, inner
from floatframe.hybrid.layout import FREE, SPHERICAL
from floatframe.hybrid.stepping import (
    CONSERVE,
    CORRECTION,
    ENERGY,
    EVALUATIONS,
    EVENT,
    EXTRA,
    FAILED,
    H_MAX,
    H_MIN,
    LAM,
    LAM_STEP,
    LAST_H,
    LOCAL_ERROR,
    NOT_A_NUMBER,
    PIVOT,
    PROJECT,
    Q0,
    REACHED,
    REJECTED,
    RESIDUAL,
    RTOL,
    SINGULAR,
    STABILISE_RATE,
    STABILISE_VALUE,
    STAGES,
    STEPS,
    TIME,
    TOO_SMALL,
    TREE,
    V0,
    Q,
    V,
    X,
)

STANDSTILL = 0.01  # an energy error above this share of the kinetic energy is not mended by the speeds
# classical fourth order, and the pair of Dormand and Prince of orders 5 and 4
A4 = np.array([[0.0, 0, 0, 0], [0.5, 0, 0, 0], [0, 0.5, 0, 0], [0, 0, 1, 0]])
B4 = np.array([1 / 6, 1 / 3, 1 / 3, 1 / 6])
A5 = np.array(
    [
        [0.0, 0, 0, 0, 0, 0, 0],
        [1 / 5, 0, 0, 0, 0, 0, 0],
        [3 / 40, 9 / 40, 0, 0, 0, 0, 0],
        [44 / 45, -56 / 15, 32 / 9, 0, 0, 0, 0],
        [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729, 0, 0, 0],
        [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656, 0, 0],
        [35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84, 0],
    ]
)
B5 = A5[6].copy()
# difference of the two orders
E5 = np.array([71 / 57600, 0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40])


@inner
def coordinate_derivatives(links, flexible, q, v, out):
    """out (nq,) = dq/dt of coordinates q at speeds v."""
    for i in range(1, len(links)):
        link = links[i]
        iq, iv, kind = link.iq, link.iv, link.kind
        if kind in (SPHERICAL, FREE):
            if kind == FREE:
                for k in range(3):
                    out[iq + k] = v[iv + k]
                iq += 3
                iv += 3
            w, x, y, z = q[iq], q[iq + 1], q[iq + 2], q[iq + 3]
            a, b, c = 0.5 * v[iv], 0.5 * v[iv + 1], 0.5 * v[iv + 2]
            out[iq] = -x * a - y * b - z * c
            out[iq + 1] = w * a + y * c - z * b
            out[iq + 2] = w * b + z * a - x * c
            out[iq + 3] = w * c + x * b - y * a
        elif link.nv == 1:
            out[iq] = v[iv]
    for i in range(len(flexible)):
        body = flexible[i]
        for k in range(body.n):
            out[body.iq + k] = v[body.iv + k]


@inner
def normalise(links, q):
    """Quaternions back to length one."""
    for i in range(1, len(links)):
        kind = links[i].kind
        if kind in (SPHERICAL, FREE):
            k = links[i].iq + (3 if kind == FREE else 0)
            f = 1.0 / math.sqrt(q[k] ** 2 + q[k + 1] ** 2 + q[k + 2] ** 2 + q[k + 3] ** 2)
            for j in range(k, k + 4):
                q[j] *= f


@inner
def find_accelerations(tables, data, w, s, t):
    """Accelerations w.vv[X] and multipliers w.ll[LAM] at w.qq[Q], w.vv[V]; False if the system is singular."""
    nv, nl = len(w.vv[X]), len(w.ll[LAM])
    tree = w.flags[TREE] == 1
    what = ALL_FORCES if tree else ALL_FORCES | MASS | JACOBIAN | CONVECTIVE
    for i in range(nv):
        w.vv[X, i] = 0.0
    for k in range(nl):
        w.ll[LAM, k] = 0.0
    evaluate_now(tables, data, w, t, what, RESIDUAL)
    s[EVALUATIONS] += 1
    if tree:
        for i in range(nv):
            w.vv[EXTRA, i] = 0.0
            w.vv[X, i] = -w.vv[RESIDUAL, i]
        if not articulated_factor(tables.links, data.links, data.dofs, w.vv[EXTRA], w.inertia, w.U, w.vv[PIVOT]):
            return False
        articulated_solve(tables.links, data.links, data.dofs, w.U, w.vv[PIVOT], w.wrench, w.vv[X])
        return True
    if not factor_constrained(w):
        return False
    for r in range(nv):
        w.rhs[r] = -w.vv[RESIDUAL, w.order[r]]
    a, b = s[STABILISE_RATE], s[STABILISE_VALUE]
    row_rates(tables, data, w.ll[LAM_STEP])
    for k in range(nl):
        w.rhs[nv + k] = -data.rows[k].convective - 2.0 * a * w.ll[LAM_STEP, k] - b * b * data.rows[k].value
    solve_step(w, nl)
    for i in range(nv):
        w.vv[X, i] = w.vv[CORRECTION, i]
    for k in range(nl):
        w.ll[LAM, k] = w.ll[LAM_STEP, k]
    return True


@inner
def project(tables, data, w, t):
    """Bring coordinates and speeds onto the constraints along the directions of least inertia; False if it fails."""
    nv, nl = len(w.vv[X]), len(w.ll[LAM])
    for iteration in range(8):
        evaluate_now(tables, data, w, t, MASS | JACOBIAN | VELOCITY, RESIDUAL)
        gap = 0.0
        for k in range(nl):
            gap = max(gap, abs(data.rows[k].value))
        if not factor_constrained(w):
            return False
        if gap < 1e-14 or (iteration > 2 and gap < 1e-12):
            break
        for r in range(nv):
            w.rhs[r] = 0.0
        for k in range(nl):
            w.rhs[nv + k] = -data.rows[k].value
        solve_step(w, nl)
        move(tables.links, tables.flexible, w.qq[Q], w.vv[CORRECTION])
    row_rates(tables, data, w.ll[LAM_STEP])
    for r in range(nv):
        w.rhs[r] = 0.0
    for k in range(nl):
        w.rhs[nv + k] = -w.ll[LAM_STEP, k]
    solve_step(w, nl)
    for i in range(nv):
        w.vv[V, i] += w.vv[CORRECTION, i]
    return math.isfinite(w.vv[V, 0]) if nv > 0 else True


@inner
def stages(tables, data, w, s, h, count, A):
    """Derivatives of all stages of a step into w.kq, w.kv; the first is known. False if the system is singular."""
    nq, nv = len(w.qq[Q]), len(w.vv[V])
    for i in range(count):
        c = 0.0
        for k in range(nq):
            w.qq[Q, k] = w.qq[Q0, k]
        for k in range(nv):
            w.vv[V, k] = w.vv[V0, k]
        for j in range(i):
            a = h * A[i, j]
            c += A[i, j]
            if a != 0.0:
                for k in range(nq):
                    w.qq[Q, k] += a * w.kq[j, k]
                for k in range(nv):
                    w.vv[V, k] += a * w.kv[j, k]
        if i > 0 or s[STEPS] == 0.0:
            if not find_accelerations(tables, data, w, s, s[TIME] + c * h):
                return False
            for k in range(nv):
                w.kv[i, k] = w.vv[X, k]
            coordinate_derivatives(tables.links, tables.flexible, w.qq[Q], w.vv[V], w.kq[i])
    return True


@inner
def combine(w, h, count, weights):
    """w.qq[Q], w.vv[V] = start + h * weighted stages."""
    for k in range(len(w.qq[Q])):
        total = 0.0
        for j in range(count):
            total += weights[j] * w.kq[j, k]
        w.qq[Q, k] = w.qq[Q0, k] + h * total
    for k in range(len(w.vv[V])):
        total = 0.0
        for j in range(count):
            total += weights[j] * w.kv[j, k]
        w.vv[V, k] = w.vv[V0, k] + h * total


@inner
def error_of(w, s, h):
    """Estimated error of the step over its tolerance, root mean square over positions and speeds."""
    total = 0.0
    nq, nv = len(w.qq[Q]), len(w.vv[V])
    for k in range(nq):
        e = 0.0
        for j in range(7):
            e += E5[j] * w.kq[j, k]
        total += (h * e / (s[RTOL] * (1e-3 + max(abs(w.qq[Q0, k]), abs(w.qq[Q, k]))))) ** 2
    for k in range(nv):
        e = 0.0
        for j in range(7):
            e += E5[j] * w.kv[j, k]
        total += (h * e / (s[RTOL] * (1e-3 + max(abs(w.vv[V0, k]), abs(w.vv[V, k]))))) ** 2
    return math.sqrt(total / max(1, nq + nv))


@inner
def conserve_energy(tables, data, w, s, t):
    """Scale the speeds w.vv[V] so that the energy is that of the start; constraints at rest allow any scale.

    Near standstill no scale can mend the energy, and it waits there for the steps that follow.
    """
    evaluate_now(tables, data, w, t, VELOCITY, RESIDUAL)
    kinetic, potential, elastic = energy_parts(tables, data, w.qq[Q], w.vv[V])
    if math.isnan(s[ENERGY]):
        s[ENERGY] = kinetic + potential + elastic
    wanted = s[ENERGY] - potential - elastic
    if abs(wanted - kinetic) > STANDSTILL * kinetic:
        return
    scale = math.sqrt(wanted / kinetic) if kinetic > 0.0 else 1.0
    for i in range(len(w.vv[V])):
        w.vv[V, i] *= scale


@inner
def finish_state(tables, data, w, s, t):
    """Accelerations and multipliers at the new state w.qq[Q], w.vv[V], which becomes the last state kept."""
    normalise(tables.links, w.qq[Q])
    if s[PROJECT] == 1.0 and len(w.ll[LAM]) > 0 and not project(tables, data, w, t):
        return FAILED
    if s[CONSERVE] == 1.0:
        conserve_energy(tables, data, w, s, t)
    if not find_accelerations(tables, data, w, s, t):
        return SINGULAR
    for k in range(len(w.vv[V])):
        if not math.isfinite(w.vv[X, k]) or not math.isfinite(w.vv[V, k]):
            return NOT_A_NUMBER
    return REACHED


@inner
def accept_explicit(tables, data, w, s, h):
    """Accept the end of the step; its derivatives are the first stage of the next one."""
    for k in range(len(w.vv[V])):
        w.kv[0, k] = w.vv[X, k]
    coordinate_derivatives(tables.links, tables.flexible, w.qq[Q], w.vv[V], w.kq[0])
    accept_state(tables, data, w, s, h)


@inner
def advance_explicit(tables, data, w, s, t_end, single):
    """Steps until t_end, met exactly: fixed ones of s[H_MAX] (fitted), or controlled with s[RTOL] > 0."""
    controlled = s[RTOL] > 0.0
    count = int(s[STAGES])
    wanted = s[LAST_H] if controlled and s[LAST_H] > 0.0 else s[H_MAX]
    if not controlled:
        wanted = (t_end - s[TIME]) / max(1.0, math.ceil((t_end - s[TIME]) / s[H_MAX] - 1e-6))
    elif s[LAST_H] == 0.0:
        wanted = min(s[H_MAX], 1e-3 * (t_end - s[TIME]))
    if s[CONSERVE] == 1.0 and s[STEPS] == 0.0:
        for k in range(len(w.qq[Q])):
            w.qq[Q, k] = w.qq[Q0, k]
        for k in range(len(w.vv[V])):
            w.vv[V, k] = w.vv[V0, k]
        conserve_energy(tables, data, w, s, s[TIME])
    t_start = s[TIME]
    done = 0
    hunting = False
    while s[TIME] < t_end:
        left = t_end - s[TIME]
        h = left if wanted >= left * (1.0 - 1e-9) else wanted
        good = stages(tables, data, w, s, h, count, A5 if count == 7 else A4)
        if not good:
            # a stage may lie beyond a place that the step itself need not reach
            if not controlled or 0.2 * h < s[H_MIN]:
                return SINGULAR
            s[REJECTED] += 1.0
            wanted = 0.2 * h
            continue
        combine(w, h, count, B5 if count == 7 else B4)
        if controlled:
            error = error_of(w, s, h)
            s[LOCAL_ERROR] = error
            if not error <= 1.0:
                s[REJECTED] += 1.0
                wanted = h * (max(0.2, 0.9 * error**-0.2) if math.isfinite(error) else 0.2)
                if wanted < s[H_MIN]:
                    return TOO_SMALL if math.isfinite(error) else NOT_A_NUMBER
                continue
            if h == wanted or error < 0.5:
                wanted = min(h * min(5.0, 0.9 * (error + 1e-10) ** -0.2), s[H_MAX])
        outcome = finish_state(tables, data, w, s, s[TIME] + h)
        if outcome != REACHED:
            return outcome
        share = crossing(tables, data, w, s, s[TIME] + h)
        if share < 2.0 and not met(w, s, h):
            wanted = h * share
            hunting = True
            continue
        accept_explicit(tables, data, w, s, h)
        done += 1
        if share < 2.0:
            s[TIME] += h
            return EVENT
        s[TIME] = t_end if h == left else (s[TIME] + h if controlled or hunting else t_start + done * wanted)
        if single:
            break
    if controlled:
        s[LAST_H] = wanted
    return REACHED


@entry
def run_explicit(tables, data, w, s, formula, times, single, kept):
    """As `run` of the implicit methods."""
    start_events(tables, data, w, s)
    for m in range(len(kept.t)):
        t_end = times[0] if single else times[m]
        if single and s[TIME] >= t_end:
            return m, REACHED
        outcome = advance_explicit(tables, data, w, s, t_end, single)
        if outcome not in (REACHED, EVENT):
            return m, outcome
        keep(data, w, s, kept, m)
        if outcome == EVENT:
            return m + 1, EVENT
    return len(kept.t), REACHED


@entry
def accelerate(tables, data, w, s, settle):
    """Accelerations, multipliers and, in w.kq[0], dq/dt at s[TIME] and the tried coordinates and speeds.

    With `settle` they are first brought onto the constraints, and joints remember their angles there. Returns REACHED
    or why not.
    """
    if settle:
        outcome = finish_state(tables, data, w, s, s[TIME])
        remember_angles(tables.coordinates, data.coordinates, data.memory)
    else:
        outcome = REACHED if find_accelerations(tables, data, w, s, s[TIME]) else SINGULAR
    coordinate_derivatives(tables.links, tables.flexible, w.qq[Q], w.vv[V], w.kq[0])
    return outcome
