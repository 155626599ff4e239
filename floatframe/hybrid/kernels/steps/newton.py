"""Newton's method on one implicit step.

With the accelerations x at the end of the step as unknowns,

    speeds        v = v_hist + cv x
    positions     q = q_0 moved by d,  d = d_hist + cq x  (+ S^-1 G^T mu)
    states        z = z_hist + cz z',  z' = rate(z, q, v, t)
    equations     M x + k - f - G^T lam = 0,   g(q, t) / cq = 0,   of rows of speeds  g'(q, v, t) / cv = 0

The division by cq and cv is the scaling that keeps the iteration matrix well conditioned however small the step.

With s.enforce the rates of all rows vanish at the end of the step, g'(q, v, t) / cv = 0, and g(q, t) = 0 is met by the
displacement in brackets, along the iteration matrix S: the form of index 2 of Gear, Leimkuhler and Gupta (1985), of the
order of the method. It takes one more solution with the factors at hand per iteration.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

from floatframe.hybrid.kernels.constraints import row_rate
from floatframe.hybrid.kernels.coordinates import program
from floatframe.hybrid.kernels.layout import COORDINATE_FORCE, SLOT_COORDINATE, SLOT_RATE, SPEEDS, TREE_COORDINATE
from floatframe.hybrid.kernels.linear import (
    by_links,
    factor_along_tree,
    factor_dense,
    factor_matrix,
    matrices,
    solve_step,
)
from floatframe.hybrid.kernels.options import inner
from floatframe.hybrid.kernels.stepping import (
    FAILED,
    NOT_A_NUMBER,
    REACHED,
    SINGULAR,
)
from floatframe.hybrid.kernels.steps.contacts import keep_touch, same_touch, shift_inside
from floatframe.hybrid.kernels.steps.sliding import correct_sliding, keep_sliding
from floatframe.hybrid.kernels.steps.slopes import add_force_slopes
from floatframe.hybrid.kernels.steps.states import (
    correct_states,
    eliminate_states,
    find_slopes,
    take_states_off,
    try_states,
)
from floatframe.hybrid.kernels.system import ALL_FORCES, evaluate_now
from floatframe.hybrid.kernels.tree import move

MAX_ITERATIONS = 12
ROUNDING = 1e-13  # share of the speeds below which corrections mean nothing
ROUNDED_PLACE = 4e-16  # rounding of positions as a share of the mechanism's size, of angles as a share of 1 rad
STAGNANT = 1e-6  # share of the speeds that a correction with a fresh matrix may have and shrink no more
SAME = 1e-8  # share of cq by which steps of one length differ: times of records are rounded
FASTEST = 0.01  # contraction believed: small parts of a correction may shrink more slowly than the whole
SLOW = 0.12  # contraction above which a new iteration matrix pays


@inner
def set_state(tables, data, w, s):
    """Speeds, positions and states that belong to the accelerations w.x and the rates in w.states."""
    cv, cq = s.cv, s.cq
    nv = len(w.x)
    for i in range(nv):
        w.v[i] = w.dofs[i].v_hist + cv * w.x[i]
        w.delta[i] = w.dofs[i].d_hist + cq * w.x[i] + w.dofs[i].shift
    for i in range(len(w.q)):
        w.q[i] = w.coordinates[i].q0
    move(tables.links, tables.flexible, w.q, w.delta)
    try_states(tables, data, w, s.cz)


@inner
def along_tree(w, s):
    """Whether the iteration matrix has nothing beside the tree and its rows, and is solved along it."""
    return s.level == 0.0 and by_links(w) and len(w.states) == 0


@inner
def joint_slopes(tables, data, w, cv, cq):
    """What forces in tree joints add to the diagonal of the iteration matrix: w.tree_dofs.extra."""
    for i in range(len(w.x)):
        w.tree_dofs[i].extra = 0.0
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
        w.tree_dofs[tables.coordinates[element.coordinate].iv].extra += max(slope, 0.0)


@inner
def iteration_matrix(tables, data, w, s, t):
    """Factor the iteration matrix at the present iterate; False if it is singular.

    Level 0 takes mass, elastic stiffness and damping of flexible bodies; level 1 differentiates the whole residual by
    the rigid coordinates as well, or with wheels on a track their forces and others between places; level 2 the whole
    residual by all coordinates.
    """
    nv = len(w.x)
    cv, cq, level = s.cv, s.cq, s.level
    tree = along_tree(w, s)
    evaluate_now(tables, data, w, t, ALL_FORCES | matrices(tree), w.residual)
    keep_touch(data, w)
    if len(w.states) > 0:
        find_slopes(tables, data, w, t)
    joint_slopes(tables, data, w, cv, cq)
    if tree:
        good = factor_along_tree(tables, data, w, cv, cq)
        for i in range(nv):
            w.dofs[i].weight = w.tree_dofs[i].pivot
        return good
    S = w.M
    for i in range(nv):
        w.dofs[i].weight = S[i, i]
        S[i, i] += w.tree_dofs[i].extra
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
    if level == 1.0 and w.traits.wheels == 1:
        add_force_slopes(tables, data, w, cv, cq, shift_inside(tables, data, w))
    elif level > 0.0:
        step = shift_inside(tables, data, w) / cq
        for j in range(nv):
            if level < 2.0 and tables.dofs[j].link < 0:
                continue
            keep = w.x[j]
            w.x[j] = keep + step
            set_state(tables, data, w, s)
            evaluate_now(tables, data, w, t, ALL_FORCES, w.shifted)
            w.x[j] = keep
            for i in range(nv):
                S[i, j] = (w.shifted[i] - w.residual[i]) / step
        set_state(tables, data, w, s)
    if len(w.states) > 0 and not eliminate_states(w, cv, cq, s.cz):
        return False
    good = factor_matrix(w) if level == 0.0 and len(w.states) == 0 else factor_dense(w)
    if good and level == 1.0:
        keep_sliding(tables, data, w)
    return good


@inner
def close_rows(tables, data, w, s):
    """Add to the displacement of the step what closes the rows after the correction at hand; its size as a speed.

    The correction takes the rates of the rows to zero, and their values along with it.
    """
    nv, nl = len(w.x), len(w.lam)
    faster = s.cv / s.cq
    for r in range(nv):
        w.rhs[r] = 0.0
    for k in range(nl):
        row, here = tables.rows[k], data.rows[k]
        left = 0.0 if row.level == SPEEDS else here.value - row_rate(tables, data, row, here, w.v) / faster
        w.rhs[nv + k] = -left
    solve_step(w, 0)
    s.enforced += 1.0
    size = 0.0
    for i in range(nv):
        w.dofs[i].shift += w.correction[i]
        size += w.dofs[i].weight * (faster * w.correction[i]) ** 2
    return size


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
    nv, nl = len(w.x), len(w.lam)
    cv, cq = s.cv, s.cq
    for i in range(nv):
        w.dofs[i].x_start = w.x[i]
        w.dofs[i].shift = 0.0
    for k in range(nl):
        w.multipliers[k].lam_start = w.lam[k]
    for k in range(len(w.states)):
        w.states[k].rate_start = w.states[k].rate
    # states in rows reach the motion one iteration later, so the second correction may be as large as the first
    lag = 1 if nl > 0 and len(w.states) > 0 else 0
    reach = farthest_place(data.links, max(s.mechanism_size, 1.0))
    while True:
        fresh = False
        if abs(s.factored_cq - cq) > SAME * cq or s.age < 0.0:
            set_state(tables, data, w, s)
            if not iteration_matrix(tables, data, w, s, t):
                return SINGULAR
            s.factored_cq = cq
            s.age = 0.0
            s.contraction = 0.5
            s.refreshes += 1
            fresh = True
        before = 0.0
        for iteration in range(MAX_ITERATIONS):
            set_state(tables, data, w, s)
            evaluate_now(tables, data, w, t, ALL_FORCES, w.residual)
            s.evaluations += 1
            s.iterations += 1
            if s.level > 0.0 and not same_touch(data, w):
                # the stiffness of a contact that has closed or opened hides how far off the forces are
                if not iteration_matrix(tables, data, w, s, t):
                    return SINGULAR
                evaluate_now(tables, data, w, t, ALL_FORCES, w.residual)
                s.refreshes += 1
                before = 0.0
            for r in range(nv):
                w.rhs[r] = -w.residual[w.rows[r].dof]
            for k in range(nl):
                row, here = tables.rows[k], data.rows[k]
                of_speeds = row.level == SPEEDS or s.enforce == 1.0
                w.rhs[nv + k] = -row_rate(tables, data, row, here, w.v) / cv if of_speeds else -here.value / cq
            take_states_off(tables, data, w, s.cz)
            solve_step(w, nl)
            if s.level == 1.0:
                correct_sliding(data, w, cv)
            size = 0.0
            speed = 0.0
            change = 0.0
            weight = 0.0
            for i in range(nv):
                w.x[i] += w.correction[i]
                own = w.dofs[i].weight
                size += own * (cv * w.correction[i]) ** 2
                speed += own * w.v[i] ** 2
                change += own * (s.h * w.x[i]) ** 2
                weight += own
            for k in range(nl):
                w.lam[k] += w.lam_step[k]
            # before rows are closed, which takes the place of the correction
            over = correct_states(tables, data, w, s) if len(w.states) > 0 else 0.0
            if s.enforce == 1.0:
                size += close_rows(tables, data, w, s)
            size = math.sqrt(abs(size))
            # errors of single steps add up, so they are judged by the change of speed in the step
            allowed = s.newton_tolerance * math.sqrt(abs(change)) + ROUNDING * math.sqrt(abs(speed)) + 1e-300
            # gaps and forces are known to the rounding of positions only, and the step turns gaps into speeds; at rest
            # nothing else is left of the corrections
            rounded = ROUNDED_PLACE * reach * cv / cq * math.sqrt(abs(weight))
            allowed += rounded
            if len(w.states) > 0:
                size = over * allowed if math.isnan(over) else max(size, over * allowed)
            if not math.isfinite(size) or not math.isfinite(speed):
                break
            if iteration > 0 and before > 0.0:
                s.contraction = size / before
                if s.contraction > 0.9 and size > allowed and iteration > lag:
                    # near a singular position rounding is all that is left of the corrections
                    if fresh and size <= STAGNANT * math.sqrt(abs(speed)):
                        s.age = -1.0
                        return REACHED
                    break
            # the first correction of a step is judged with care: the contraction known is that of an earlier step
            rate = min(max(s.contraction, FASTEST if iteration > 0 else 0.1), 0.9)
            if size * rate / (1.0 - rate) <= allowed or size <= rounded:
                # a slow but successful iteration asks for a new matrix in the next step; one step of it tells no speed
                if not fresh and iteration > 0 and (s.contraction > SLOW or iteration > 2):
                    s.age = -1.0
                else:
                    s.age += 1.0
                return REACHED
            before = size
        finite = True
        for i in range(nv):
            finite = finite and math.isfinite(w.residual[i])
            w.x[i] = w.dofs[i].x_start
            w.dofs[i].shift = 0.0
        for k in range(nl):
            w.lam[k] = w.multipliers[k].lam_start
        for k in range(len(w.states)):
            finite = finite and math.isfinite(data.slots[tables.states[k].rate])
            w.states[k].rate = w.states[k].rate_start
        if fresh:
            if s.level >= 2.0:
                s.level = 2.0 - w.traits.wheels  # it did not help, and takes long with wheels
                return FAILED if finite else NOT_A_NUMBER
            s.level += 1.0
        s.age = -1.0
