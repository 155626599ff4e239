"""The index-1 equations: accelerations at given positions and speeds, and states brought onto the constraints."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

from floatframe.hybrid.kernels.constraints import row_rates
from floatframe.hybrid.kernels.layout import FREE, SPHERICAL
from floatframe.hybrid.kernels.linear import (
    accelerate_open,
    by_links,
    factor_constrained,
    is_open,
    matrices,
    solve_step,
)
from floatframe.hybrid.kernels.options import inner
from floatframe.hybrid.kernels.stepping import (
    NOT_A_NUMBER,
    NOT_CLOSED,
    OPENED,
    REACHED,
    SINGULAR,
    TREE,
)
from floatframe.hybrid.kernels.steps.error_scale import speed_scale
from floatframe.hybrid.kernels.steps.invariants import keep_invariants
from floatframe.hybrid.kernels.steps.spare import spare_rows_hold
from floatframe.hybrid.kernels.steps.stabilised import demand_accelerations
from floatframe.hybrid.kernels.steps.states import states_are_numbers
from floatframe.hybrid.kernels.system import (
    ALL_FORCES,
    APPLIED,
    CONVECTIVE,
    GATHERED,
    INERTIA,
    VELOCITY,
    evaluate_now,
)
from floatframe.hybrid.kernels.tree import move

CLOSINGS = 20  # corrections of the coordinates; near a singular position each closes three quarters of a gap
CLOSES = 0.01  # share that a correction leaves of a gap, for the next to use the same factors
UNCLOSED = 1e-9  # gap that is left of them, as a share of the mechanism's size: joints that cannot be closed


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
    """Accelerations w.x and multipliers w.lam at w.q, w.v; False if the system is singular."""
    nv, nl = len(w.x), len(w.lam)
    for i in range(nv):
        w.x[i] = 0.0
    for k in range(nl):
        w.lam[k] = 0.0
    s.evaluations += 1
    if w.traits.tree == TREE and is_open(w):
        evaluate_now(tables, data, w, t, VELOCITY | INERTIA | APPLIED | GATHERED, w.residual)
        for i in range(nv):
            w.x[i] = -w.residual[i]
        w.traits.along = TREE
        return accelerate_open(tables.links, data.links, data.dofs, w.tree_links, w.tree_dofs, w.x)
    what = ALL_FORCES | matrices(by_links(w))
    evaluate_now(tables, data, w, t, what | CONVECTIVE if nl > 0 else what, w.residual)
    if not factor_constrained(tables, data, w):
        return False
    for r in range(nv):
        w.rhs[r] = -w.residual[w.rows[r].dof]
    demand_accelerations(tables, data, w, s, t)
    solve_step(w, nl)
    for i in range(nv):
        w.x[i] = w.correction[i]
    for k in range(nl):
        w.lam[k] = w.lam_step[k]
    return True


@inner
def project(tables, data, w, s, t):
    """Bring coordinates and speeds onto the constraints along the directions of least inertia; False if it fails."""
    nv, nl = len(w.x), len(w.lam)
    reach = max(s.mechanism_size, 1.0)
    gap = before = math.inf
    for iteration in range(CLOSINGS):
        # gaps are small, so one factorisation closes most of them
        fresh = not gap < CLOSES * before
        what = matrices(by_links(w)) if fresh else 0
        evaluate_now(tables, data, w, t, what | VELOCITY, w.residual)
        if fresh and not factor_constrained(tables, data, w):
            return False
        before, gap = gap, 0.0
        for k in range(nl):
            gap = max(gap, abs(data.rows[k].value))
        if gap < 1e-14 or (iteration > 2 and gap < 1e-12 * reach):
            break
        for r in range(nv):
            w.rhs[r] = 0.0
        for k in range(nl):
            w.rhs[nv + k] = -data.rows[k].value
        solve_step(w, nl)
        move(tables.links, tables.flexible, w.q, w.correction)
    if not gap < UNCLOSED * reach:
        return False
    row_rates(tables, data, w.v, w.lam_step)
    for r in range(nv):
        w.rhs[r] = 0.0
    for k in range(nl):
        w.rhs[nv + k] = -w.lam_step[k]
    solve_step(w, nl)
    s.jolt = s.jolt_share = 0.0
    for i in range(nv):
        w.v[i] += w.correction[i]
        s.jolt = max(s.jolt, abs(w.correction[i]) / w.dofs[i].extent)
        s.jolt_share = max(s.jolt_share, abs(w.correction[i]) / speed_scale(w, s, i))
    return True


@inner
def finish_state(tables, data, w, s, t):
    """Accelerations and multipliers at the new state w.q, w.v, which becomes the last state kept."""
    normalise(tables.links, w.q)
    if s.project == 1.0 and len(w.lam) > 0 and not project(tables, data, w, s, t):
        return NOT_CLOSED
    if len(w.invariants) > 0 and not keep_invariants(tables, data, w, s, t):
        return SINGULAR
    if not find_accelerations(tables, data, w, s, t):
        return SINGULAR
    for k in range(len(w.v)):
        if not math.isfinite(w.x[k]) or not math.isfinite(w.v[k]):
            return NOT_A_NUMBER
    if not states_are_numbers(tables, data, w):
        return NOT_A_NUMBER
    return REACHED if spare_rows_hold(tables, data, w, s, t) else OPENED
