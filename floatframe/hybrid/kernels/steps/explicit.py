"""Runs of explicit Runge-Kutta methods on the index-1 equations, with projection onto the constraints."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

from floatframe.hybrid.kernels.coordinates import remember_angles
from floatframe.hybrid.kernels.energy import outer_power
from floatframe.hybrid.kernels.options import STEPS, SYSTEM, entry, inner
from floatframe.hybrid.kernels.stepping import (
    CHANGE_OVER,
    CREEPING,
    EVENT,
    NOT_A_NUMBER,
    NOT_CLOSED,
    NOT_STABILISED,
    PAUSED,
    REACHED,
    SINGULAR,
    TOO_SMALL,
)
from floatframe.hybrid.kernels.steps.accepted import accept_state, start_again
from floatframe.hybrid.kernels.steps.changeover import begin_method, creeping, judge_explicit
from floatframe.hybrid.kernels.steps.changes import AGAIN
from floatframe.hybrid.kernels.steps.contacts import (
    leave_contacts,
    longest_step,
    step_to_contact,
    too_long,
    touch_passed,
    touched,
    turn_passed,
    watch_contacts,
)
from floatframe.hybrid.kernels.steps.crossings import crossing, met
from floatframe.hybrid.kernels.steps.error_scale import (
    is_hop,
    jolted,
    passable,
    see_speeds,
    step_tolerance,
    stuck,
    try_speeds,
)
from floatframe.hybrid.kernels.steps.index1 import coordinate_derivatives, find_accelerations, finish_state
from floatframe.hybrid.kernels.steps.invariants import start_invariants
from floatframe.hybrid.kernels.steps.legs import advance_time, begin_leg, end_leg, next_step, recover, spend
from floatframe.hybrid.kernels.steps.runge_kutta import (
    NEXT,
    combine,
    error_of,
    inside,
    keep_stage,
    measure_rounding,
    stages,
)
from floatframe.hybrid.kernels.steps.runs import run_steps
from floatframe.hybrid.kernels.steps.stabilised import see_deviations, see_start
from floatframe.hybrid.kernels.steps.states import combine_states, read_rates
from floatframe.hybrid.kernels.steps.tableaus import A4, A5, A8, B1, B4, B5, B8
from floatframe.native import TRUTH

ESTIMATED = 6.0  # times the rounding measured at one place, in an estimate from all stages
UNCLEAR = 0.05  # of the error of a step that rounding hides: the next one is hardly twice as long
DOUBTFUL, SELDOM = 0.25, 16  # error from which rounding may keep steps short; in how many it is looked for


@inner
def accept_explicit(tables, data, w, s, h):
    """Accept the end of the step; its derivatives are the first stage of the next one."""
    count = int(s.stages)
    weights = B8 if count == 12 else B5 if count == 7 else B4 if count == 4 else B1
    s.work_before = s.work
    for j in range(count):
        s.work += h * weights[j] * w.power[j]
    keep_stage(tables, data, w, NEXT)
    if s.stabilise != NOT_STABILISED:
        see_deviations(tables, data, w, s, h)
        s.shortest_h = min(s.shortest_h, h)
        s.longest_h = max(s.longest_h, h)
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
def begin_explicit(tables, data, w, s):
    """What the first step needs: its first stage, and the invariants to keep."""
    start_again(tables, data, w)
    start_invariants(tables, data, w, s)
    if not find_accelerations(tables, data, w, s, s.time):
        return False
    see_speeds(tables, data, w, s)
    keep_stage(tables, data, w, NEXT)
    see_start(tables, data, w, s)
    leave_contacts(tables, data, w)
    if s.begun != AGAIN:
        begin_method(s)
    s.begun = s.kind
    return True


@inner
def clear_error(tables, data, w, s, h, count, weights):
    """Estimated error of the step tried over its tolerance, but for what rounding of accelerations may be of it.

    Shorter steps have the same share of it, so that it refuses none. With loops it counts: it grows near singular
    poses, which steps must not pass unseen.
    """
    error = error_of(tables, data, w, s, h, count, 0.0)
    if len(w.lam) > 0 or not DOUBTFUL < error < math.inf:
        return error
    if error > 1.0 or int(s.steps) % SELDOM == 0:
        measure_rounding(tables, data, w, s)
        combine(w, h, count, weights)
        combine_states(tables, data, w, h, count, weights)
    clear = max(error_of(tables, data, w, s, h, count, ESTIMATED), UNCLEAR)
    if clear <= 1.0 and error > 1.0:
        s.rounded += (error - clear) * step_tolerance(s, h)
    return clear


@inner
def advance_explicit(tables, data, w, s, formula, t_end, single):
    """As `advance` of the implicit methods: fixed steps of s.h_max (fitted), or controlled ones with s.rtol > 0."""
    controlled = s.rtol > 0.0
    watched = not controlled and len(w.contacts) > 0
    count = int(s.stages)
    power = -1.0 / 7.0 if count == 12 else -0.25
    if s.begun != s.kind and not begin_explicit(tables, data, w, s):
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
        good = stages(tables, data, w, s, h, count, A8 if count == 12 else A5 if count == 7 else A4)
        if not good:
            # a stage may lie beyond a place that the step itself need not reach
            if watched and touched(w) and too_long(s, h, 0.0):
                continue
            if not controlled or 0.2 * h < s.h_min:
                return SINGULAR
            s.rejected += 1.0
            s.leg_step = 0.2 * h
            continue
        weights = B8 if count == 12 else B5 if count == 7 else B4 if count == 4 else B1
        combine(w, h, count, weights)
        combine_states(tables, data, w, h, count, weights)
        if controlled:
            try_speeds(w, s)
            error = clear_error(tables, data, w, s, h, count, weights)
            s.local_error = error
            if not error <= 1.0 and not passable(s, h, error):
                s.rejected += 1.0
                s.leg_step = h * (max(0.2, 0.9 * error**power) if math.isfinite(error) else 0.2)
                if creeping(w, s):
                    return CREEPING
                if s.leg_step < s.h_min:
                    return TOO_SMALL if math.isfinite(error) else NOT_A_NUMBER
                continue
            if is_hop(s, h):
                s.leg_step = wanted
            elif error > 1.0:
                s.leg_step = h
            elif h == wanted or error < 0.5:
                s.leg_step = min(h * min(5.0, 0.9 * (error + 1e-10) ** power), s.h_max)
        outcome = finish_state(tables, data, w, s, s.time + h)
        unclosed = outcome == NOT_CLOSED and 0.2 * h >= s.h_min
        if controlled and (unclosed or (outcome == REACHED and jolted(s, h))):
            s.rejected += 1.0
            s.leg_step = 0.2 * h
            continue
        if outcome != REACHED:
            if not watched or not touched(w) or not too_long(s, h, 0.0):
                return outcome
            continue
        if controlled and (touch_passed(tables, data, w, s, h) or turn_passed(tables, data, s, h)):
            continue
        longest = math.inf
        if watched:
            watch_contacts(tables, data, w, False)
            longest = longest_step(tables, data, w, s)
            if too_long(s, h, longest):
                continue
        share = crossing(tables, data, w, s, s.time + h)
        if share < 2.0 and not met(w, s, h):
            s.leg_step = h * share
            s.leg_uneven = 1.0
            continue
        accept_explicit(tables, data, w, s, h)
        if share < 2.0:
            s.time += h
            return EVENT
        advance_time(s, h)
        if controlled and stuck(s, h):
            return TOO_SMALL
        if s.auto == 1.0:
            judge_explicit(w, s)
        if not controlled and s.leg_step < s.leg_limit and longest == math.inf:
            recover(s)
        if single:
            break
    end_leg(s)
    return REACHED


@entry(*STEPS)
def run_explicit(tables, data, w, s, formula, times, single, kept):
    """As `run` of the implicit methods."""
    return run_steps(advance_explicit, inside, tables, data, w, s, formula, times, single, kept)


@entry(*SYSTEM, TRUTH)
def accelerate(tables, data, w, s, settle):
    """Accelerations, multipliers, power and, in w.kq[0], dq/dt at s.time and the tried coordinates and speeds.

    With `settle` they are first brought onto the constraints, and joints remember their angles there. Returns REACHED
    or why not.
    """
    if settle:
        outcome = finish_state(tables, data, w, s, s.time)
        if outcome == REACHED:
            remember_angles(tables.coordinates, data.coordinates, data.memory)
    else:
        outcome = REACHED if find_accelerations(tables, data, w, s, s.time) else SINGULAR
    s.power = outer_power(tables, data, w.lam, w.v)
    coordinate_derivatives(tables.links, tables.flexible, w.q, w.v, w.kq[0])
    return outcome
