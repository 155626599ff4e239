"""Runs of Radau IIA of order 5 on the index-1 equations, with projection onto the constraints."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

from floatframe.hybrid.kernels.linear import solve_step
from floatframe.hybrid.kernels.options import COLLOCATION, FLOATS, KEPT, SYSTEM, entry, inner
from floatframe.hybrid.kernels.stepping import (
    CHANGE_OVER,
    CREEPING,
    EVENT,
    NOT_A_NUMBER,
    NOT_CLOSED,
    OPENED,
    PAUSED,
    REACHED,
    SINGULAR,
    TOO_SMALL,
)
from floatframe.hybrid.kernels.steps.accepted import accept_state, start_again
from floatframe.hybrid.kernels.steps.changeover import begin_method, creeping, judge_radau
from floatframe.hybrid.kernels.steps.changes import AGAIN
from floatframe.hybrid.kernels.steps.contacts import (
    leave_contacts,
    longest_step,
    step_to_contact,
    too_long,
    touch_passed,
    turn_passed,
)
from floatframe.hybrid.kernels.steps.crossings import crossing, met
from floatframe.hybrid.kernels.steps.error_scale import is_hop, jolted, passable, see_speeds, step_tolerance, stuck
from floatframe.hybrid.kernels.steps.index1 import find_accelerations, finish_state, project
from floatframe.hybrid.kernels.steps.legs import advance_time, begin_leg, end_leg, next_step, recover, spend
from floatframe.hybrid.kernels.steps.radau import (
    MAX_ITERATIONS,
    A,
    C,
    radau_error,
    set_stage,
    size_of_rounding,
    solve_stages,
)
from floatframe.hybrid.kernels.steps.runs import run_steps
from floatframe.hybrid.kernels.steps.spare import spare_rows_hold
from floatframe.hybrid.kernels.steps.states import read_rates, states_are_numbers
from floatframe.hybrid.kernels.system import ALL_FORCES, CONVECTIVE, evaluate_now
from floatframe.hybrid.kernels.tree import move
from floatframe.native import TRUTH

SAFETY = 0.9
ESTIMATE = 0.3  # of order 4 that belongs to an error of order 6: times the tolerance to the power 4/6
UNCLEAR = 0.05  # of an error that rounding hides: the next step is about twice as long at most
REGROWTH, RELEASE = 1.05, 2.0  # of steps after one whose iterations failed; where they converge at once again
SAME, SAME_BELOW = 1.8, 1.3  # growth of a step that does not pay for new factors; below one whose iterations failed


@inner
def begin_radau(tables, data, w, s):
    """What the first step needs: accelerations at the start; nothing is known of earlier steps."""
    start_again(tables, data, w)
    if not find_accelerations(tables, data, w, s, s.time):
        return False
    for k in range(len(w.x)):
        w.dofs[k].x0 = w.x[k]
    for k in range(len(w.lam)):
        w.multipliers[k].lam0 = w.lam[k]
    for k in range(len(w.states)):
        w.states[k].rate0 = data.slots[tables.states[k].rate]
    see_speeds(tables, data, w, s)
    leave_contacts(tables, data, w)
    if s.begun != AGAIN:
        begin_method(s)
    s.begun = s.kind
    s.age = -1.0
    s.stage_h = s.error_before = 0.0
    s.newton_limit = math.inf
    return True


@inner
def finish_step(tables, data, w, s, t):
    """As `finish_state`, from the accelerations of the last stage: one correction by the factors of the projection."""
    nv, nl = len(w.x), len(w.lam)
    if nl == 0 or s.project == 0.0:
        return finish_state(tables, data, w, s, t)
    if not project(tables, data, w, s, t):
        return NOT_CLOSED
    evaluate_now(tables, data, w, t, ALL_FORCES | CONVECTIVE, w.residual)
    s.evaluations += 1
    for r in range(nv):
        w.rhs[r] = -w.residual[w.rows[r].dof]
    for k in range(nl):
        w.rhs[nv + k] = -data.rows[k].convective
    solve_step(w, nl)
    for k in range(nv):
        w.x[k] += w.correction[k]
        if not math.isfinite(w.x[k]) or not math.isfinite(w.v[k]):
            return NOT_A_NUMBER
    for k in range(nl):
        w.lam[k] += w.lam_step[k]
    if not states_are_numbers(tables, data, w):
        return NOT_A_NUMBER
    return REACHED if spare_rows_hold(tables, data, w, s, t) else OPENED


@inner
def accept_radau(tables, data, w, s, col, h):
    """Accept the end of the step, and keep its stages."""
    s.work_before = s.work
    for i in range(3):
        s.work += h * A[2, i] * col.power[i]
        for k in range(len(w.x)):
            col.x_last[i, k] = col.x[i, k]
        for k in range(len(w.lam)):
            col.lam_last[i, k] = col.lam[i, k]
        for k in range(len(w.states)):
            col.rho_last[i, k] = col.rho[i, k]
    s.stage_h = h
    leave_contacts(tables, data, w)
    for k in range(len(w.v)):
        w.dofs[k].v_before = w.dofs[k].v0
    for k in range(len(w.q)):
        w.coordinates[k].q_before = w.coordinates[k].q0
    for k in range(len(w.states)):
        w.states[k].z_before = w.states[k].z0
    read_rates(tables, data, w)
    s.before_time = s.time
    see_speeds(tables, data, w, s)
    accept_state(tables, data, w, s, h)


@inner
def growth(s, h, error):
    """By how much the next step may be longer, by the errors of this step and the last one."""
    safety = min(SAFETY, SAFETY * (2.0 * MAX_ITERATIONS + 1.0) / (2.0 * MAX_ITERATIONS + s.newton_count))
    error = max(error, 1e-4)
    grow = safety * error**-0.3
    if s.error_before > 0.0 and error <= 1.0:
        grow = min(grow, SAFETY * h / s.stage_h * (s.error_before / error**2) ** 0.3)
    return min(max(grow, 0.2), 8.0)


@inner
def advance_radau(tables, data, w, s, col, t_end, single):
    """As `advance` of the other methods: fixed steps of s.h_max (fitted), or controlled ones with s.rtol > 0."""
    controlled = s.rtol > 0.0
    watched = not controlled and len(w.contacts) > 0
    if s.begun != s.kind and not begin_radau(tables, data, w, s):
        return SINGULAR
    begin_leg(s, t_end, min(s.h_max, 1e-3 * (s.horizon - s.time)))
    while s.time < t_end:
        if s.change == 1.0:
            return CHANGE_OVER
        if not spend(s):
            return PAUSED
        wanted = s.leg_step
        h = next_step(s)
        if controlled:
            h = step_to_contact(w, s, h)
        outcome = solve_stages(tables, data, w, s, col, h)
        if outcome != REACHED:
            if 0.3 * h < s.h_min or (not controlled and 0.3 * h < s.h_max / 64.0):
                return outcome
            s.rejected += 1.0
            s.leg_step = s.newton_limit = 0.3 * h
            s.leg_uneven = 1.0
            continue
        set_stage(tables, data, w, col, h, 2)
        if controlled:
            allowed = ESTIMATE * step_tolerance(s, h) ** (2.0 / 3.0)
            error = radau_error(tables, data, w, s, col, h) / allowed
            if math.isfinite(error):  # what rounding may be is no error of the step, and shorter ones have it too
                error = max(error - size_of_rounding(w, s, col, h) / allowed, min(error, UNCLEAR))
            s.local_error = error
            if not error <= 1.0 and not passable(s, h, error):
                s.rejected += 1.0
                s.leg_step = h * (growth(s, h, error) if math.isfinite(error) else 0.2)
                if creeping(w, s):
                    return CREEPING
                if s.leg_step < s.h_min:
                    return TOO_SMALL
                continue
            grow = growth(s, h, error) if error <= 1.0 else 1.0
            if is_hop(s, h):
                s.leg_step = wanted
            elif h == wanted or grow > 1.0:
                s.leg_step = min(h * (1.0 if 1.0 <= grow < SAME and h == wanted else grow), s.h_max)
                if s.newton_limit < s.leg_step:
                    s.leg_step = s.newton_limit if s.newton_limit >= SAME_BELOW * h else min(h, s.newton_limit)
            s.newton_limit *= RELEASE if s.newton_count == 1.0 else REGROWTH
        outcome = finish_step(tables, data, w, s, s.time + h)
        unclosed = outcome == NOT_CLOSED and 0.2 * h >= s.h_min
        if controlled and (unclosed or (outcome == REACHED and jolted(s, h))):
            s.rejected += 1.0
            s.leg_step = 0.2 * h
            continue
        if outcome != REACHED:
            return outcome
        if controlled and (touch_passed(tables, data, w, s, h) or turn_passed(tables, data, s, h)):
            continue
        longest = math.inf
        if watched:
            longest = longest_step(tables, data, w, s)
            if too_long(s, h, longest):
                continue
        share = crossing(tables, data, w, s, s.time + h)
        if share < 2.0 and not met(w, s, h):
            s.leg_step = h * share
            s.leg_uneven = 1.0
            continue
        hop = controlled and is_hop(s, h)
        if controlled:
            s.error_before = max(s.local_error, 1e-2)
        accept_radau(tables, data, w, s, col, h)
        if hop:
            s.stage_h = s.error_before = 0.0  # its stages lead nowhere
        if share < 2.0:
            s.time += h
            return EVENT
        advance_time(s, h)
        if controlled and stuck(s, h):
            return TOO_SMALL
        if s.auto == 1.0:
            judge_radau(tables, data, w, s, col)
        if not controlled and s.leg_step < s.leg_limit and longest == math.inf:
            recover(s)
        if single:
            break
    end_leg(s)
    return REACHED


@inner
def inside_radau(tables, data, w, s, col, t):
    """w.q, w.v = the state at a time inside the last step by the collocation polynomial, the work to s.work_inside.

    Displacements know their rate at the start of the step as well, and are of one order more than speeds.
    """
    h = s.time - s.before_time
    x = (t - s.before_time) / h
    s.work_inside = s.work_before
    for k in range(len(w.v)):
        w.v[k] = w.dofs[k].v_before
        w.delta[k] = 0.0
    for k in range(len(w.states)):
        data.memory[tables.states[k].memory] = w.states[k].z_before
    for j in range(3):
        a, b = C[(j + 1) % 3], C[(j + 2) % 3]
        own = (C[j] - a) * (C[j] - b)
        # integrals from 0 to x of the polynomials that are 1 at C[j] and 0 at the others, and at 0
        plain = h * x * (x * x / 3.0 - (a + b) * x / 2.0 + a * b) / own
        rooted = h * x * x * (x * x / 4.0 - (a + b) * x / 3.0 + a * b / 2.0) / (own * C[j])
        for k in range(len(w.v)):
            w.v[k] += plain * col.x_last[j, k]
            w.delta[k] += rooted * col.rate[j, k]
        for k in range(len(w.states)):
            data.memory[tables.states[k].memory] += plain * col.rho_last[j, k]
        s.work_inside += plain * col.power[j]
    # the same for 0, where all of them are 0: (x - c_0) (x - c_1) (x - c_2), whose last root is 1
    both, twice = C[0] + C[1], C[0] * C[1]
    first = h * x * (1.0 - x / 2.0 * (both + twice) / twice + x * x / 3.0 * (1.0 + both) / twice - x**3 / 4.0 / twice)
    for k in range(len(w.v)):
        w.delta[k] += first * w.dofs[k].v_before
    for k in range(len(w.q)):
        w.q[k] = w.coordinates[k].q_before
    move(tables.links, tables.flexible, w.q, w.delta)
    return True


@entry(*SYSTEM, COLLOCATION, FLOATS, TRUTH, KEPT)
def run_radau(tables, data, w, s, col, times, single, kept):
    """As `run` of the other methods."""
    return run_steps(advance_radau, inside_radau, tables, data, w, s, col, times, single, kept)
