"""Implicit integration of the index-3 equations: step formulas, step control, runs between records.

The history terms v_hist, d_hist and the factors cv, cq of a step (see kernels.steps.newton) are what makes it
generalised-alpha, Newmark, BDF or Park's method.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

from floatframe.hybrid.kernels.energy import outer_power
from floatframe.hybrid.kernels.linear import row_times, solve_step
from floatframe.hybrid.kernels.options import STEPS, entry, inner
from floatframe.hybrid.kernels.stepping import (
    EVENT,
    FAILED,
    ONE_STEP,
    OPENED,
    PAUSED,
    REACHED,
    TOO_SMALL,
)
from floatframe.hybrid.kernels.steps.accepted import accept_state, start_again
from floatframe.hybrid.kernels.steps.contacts import leave_contacts, longest_step, too_long, watch_contacts
from floatframe.hybrid.kernels.steps.crossings import crossing, met, start_events
from floatframe.hybrid.kernels.steps.legs import advance_time, begin_leg, end_leg, next_step, recover, spend
from floatframe.hybrid.kernels.steps.newton import newton, set_state
from floatframe.hybrid.kernels.steps.runs import run_to
from floatframe.hybrid.kernels.steps.spare import spare_rows_hold
from floatframe.hybrid.kernels.steps.states import state_scale
from floatframe.hybrid.kernels.system import ALL_FORCES, evaluate_now

SHORTEST = 1.0 / 64.0  # of a fixed step: where Newton's method fails, it is halved down to this share
AT_REST = 1e-7  # of the model's own sizes: displacements that rtol is a share of even where nothing moves
SHRINK = 0.8  # of a step that has become too long, at least: the next ones keep its length
SHORT, JUMP = 0.1, 1e-3  # of the usual length: a shorter step has met a jump of rates, and may err by that of rtol
ORDER = 2.0  # of the error of a step over its length


@inner
def changed(s, h):
    """Whether a step has another length than the last one."""
    return abs(h - s.last_h) >= 1e-9 * h


@inner
def auxiliary(dof, s, formula, h):
    """Auxiliary acceleration of generalised-alpha at the start of a step h.

    It is that of a time beside the accepted one, by a share of the step: after one of another length it has to move, or
    the method is of first order there (Brüls and Arnold 2008).
    """
    if not (changed(s, h) and s.last_h > 0.0):
        return dof.a0
    return dof.a0 + (formula.alpha_m - formula.alpha_f) * (h - s.last_h) / s.last_h * (dof.x0 - dof.x1)


@inner
def history(w, s, formula, h):
    """History terms and factors of the step formula for a step h."""
    nv = len(w.x)
    if s.kind == ONE_STEP:
        am, af, beta, gamma = formula.alpha_m, formula.alpha_f, formula.beta, formula.gamma
        c = (1.0 - af) / (1.0 - am)
        for i in range(nv):
            dof = w.dofs[i]
            a0 = auxiliary(dof, s, formula, h)
            rest = (af * dof.x0 - am * a0) / (1.0 - am)
            dof.v_hist = dof.v0 + h * (1.0 - gamma) * a0 + h * gamma * rest
            dof.d_hist = h * dof.v0 + h * h * ((0.5 - beta) * a0 + beta * rest)
        s.cv = h * gamma * c
        s.cq = h * h * beta * c
        state_history(w, s, formula, h)
    else:
        # increments of the step: d = h b v + c1 d_1 + c2 d_2, and the same for speeds; the first steps are shorter
        b, c1, c2 = formula.b, formula.c1, formula.c2
        if s.steps_done == 0.0:
            b, c1, c2 = 1.0, 0.0, 0.0
        elif c1 != 0.0 and (changed(s, h) or (s.steps_done == 1.0 and c2 != 0.0)):
            # BDF2 over a step of another length than the last
            ratio = h / s.last_h
            b, c1, c2 = (1.0 + ratio) / (1.0 + 2.0 * ratio), ratio * ratio / (1.0 + 2.0 * ratio), 0.0
        for i in range(nv):
            dof = w.dofs[i]
            dv = c1 * dof.dv1 + c2 * dof.dv2
            dof.v_hist = dof.v0 + dv
            dof.d_hist = h * b * (dof.v0 + dv) + c1 * dof.d1 + c2 * dof.d2
        for k in range(len(w.states)):
            state = w.states[k]
            state.z_hist = state.z0 + c1 * state.dz1 + c2 * state.dz2
        s.cv = s.cz = h * b
        s.cq = h * h * b * b


@inner
def state_auxiliary(state, s, formula, h):
    """As `auxiliary`, for the rate of a state variable."""
    if not (changed(s, h) and s.last_h > 0.0):
        return state.a0
    shift = (formula.state_alpha_m - formula.alpha_f) * (h - s.last_h) / s.last_h
    return state.a0 + shift * (state.rate0 - state.rate1)


@inner
def state_history(w, s, formula, h):
    """The same for state variables, whose equations are of first order."""
    am, af, gamma = formula.state_alpha_m, formula.alpha_f, formula.state_gamma
    for k in range(len(w.states)):
        state = w.states[k]
        a0 = state_auxiliary(state, s, formula, h)
        state.z_hist = state.z0 + h * (1.0 - gamma) * a0 + h * gamma * (af * state.rate0 - am * a0) / (1.0 - am)
    s.cz = h * gamma * (1.0 - af) / (1.0 - am)


@inner
def accept(tables, data, w, s, formula, h):
    """Accept the end of the step, with what the step formula remembers of it."""
    nv = len(w.x)
    if s.kind == ONE_STEP:
        am, af = formula.alpha_m, formula.alpha_f
        for i in range(nv):
            dof = w.dofs[i]
            dof.a0 = ((1.0 - af) * w.x[i] + af * dof.x0 - am * auxiliary(dof, s, formula, h)) / (1.0 - am)
        am = formula.state_alpha_m
        for k in range(len(w.states)):
            state = w.states[k]
            before = state_auxiliary(state, s, formula, h)
            state.a0 = ((1.0 - af) * state.rate + af * state.rate0 - am * before) / (1.0 - am)
    else:
        if changed(s, h):
            # the next step knows one increment of its own length
            s.steps_done = 0.0
        for i in range(nv):
            dof = w.dofs[i]
            dof.d2 = dof.d1
            dof.dv2 = dof.dv1
            dof.d1 = w.delta[i]
            dof.dv1 = w.v[i] - dof.v0
        for k in range(len(w.states)):
            state = w.states[k]
            state.dz2 = state.dz1
            state.dz1 = data.memory[tables.states[k].memory] - state.z0
    for i in range(nv):
        dof = w.dofs[i]
        dof.way += w.delta[i]
        dof.farthest = max(dof.farthest, abs(dof.way))
    s.steps_done += 1.0
    count_work(tables, data, w, s, formula, h)
    leave_contacts(tables, data, w)
    accept_state(tables, data, w, s, h)


@inner
def count_work(tables, data, w, s, formula, h):
    """Integrate the power over the step, as the method integrates accelerations to speeds: both ring together."""
    power = outer_power(tables, data, w.lam, w.v)
    if s.kind == ONE_STEP:
        am, af, gamma = formula.alpha_m, formula.alpha_f, formula.gamma
        new = ((1.0 - af) * power + af * s.power - am * s.auxiliary_power) / (1.0 - am)
        s.work += h * ((1.0 - gamma) * s.auxiliary_power + gamma * new)
        s.auxiliary_power = new
    else:
        s.work += 0.5 * h * (s.power + power)
    s.power = power


@inner
def begin(tables, data, w, s):
    """What the first step must know of the start: the power there, and the push of contacts."""
    start_again(tables, data, w)
    evaluate_now(tables, data, w, s.time, ALL_FORCES, w.residual)
    s.power = s.auxiliary_power = outer_power(tables, data, w.lam, w.v)
    leave_contacts(tables, data, w)


@inner
def predict(w, s, same):
    """Start values of Newton's method: accelerations and multipliers extrapolated over equal steps."""
    e = 1.0 if same and s.steps_done > 1.0 else 0.0
    for i in range(len(w.x)):
        dof = w.dofs[i]
        w.x[i] = dof.x0 + e * (dof.x0 - dof.x1)
    for k in range(len(w.lam)):
        multiplier = w.multipliers[k]
        w.lam[k] = multiplier.lam0 + e * (multiplier.lam0 - multiplier.lam1)
    for k in range(len(w.states)):
        state = w.states[k]
        state.rate = state.rate0 + e * (state.rate0 - state.rate1)


@inner
def take_off_normal(w, change):
    """Leave of a change of accelerations (nv,) what the constraints allow where the iteration matrix was made."""
    nv, nl = len(w.x), len(w.lam)
    if nl == 0:
        return
    for r in range(nv):
        w.rhs[r] = 0.0
    for k in range(nl):
        w.rhs[nv + k] = row_times(w, k, change)
    solve_step(w, nl)
    for i in range(nv):
        change[i] -= w.correction[i]


@inner
def local_error(w, s, formula, h):
    """Estimated error of the step's displacements over its share of the tolerance, weighted by inertia.

    Errors of steps add up. At the end they may be rtol of the farthest displacement from the start, which counts as far
    as the model is large (one radian for angles); a step gets the share of its length in the whole run. A smooth motion
    from rest begins like a power of time, whose relative error no step makes small: a little of the model's own sizes
    is part of the scale. Reactions ring where the length of steps changes: only accelerations along the constraints
    count. Without numerical damping they ring from step to step and never settle, which cancels over two steps; what is
    left of it allows no more than rtol of the longest displacement in a step.
    """
    error = 0.0
    scale = 0.0
    undamped = formula.gamma == 0.5
    ringing = undamped and s.steps_done > 1.0
    share = h / (h + s.last_h) if ringing else 1.0
    part = h / s.span
    change = w.shifted
    for i in range(len(w.x)):
        change[i] = share * (w.x[i] - (w.dofs[i].x1 if ringing else w.dofs[i].x0))
    held = len(w.lam) >= len(w.x)  # drives lead everything: what they do in a step is all there is to judge
    if not undamped and not held:
        take_off_normal(w, change)
    for i in range(len(w.x)):
        dof = w.dofs[i]
        error += dof.weight * (h * h / 12.0 * change[i]) ** 2
        dof.travel = max(dof.travel, abs(h * w.v[i]), h * h * abs(w.x[i]))
        far = min(max(dof.farthest, abs(dof.way + w.delta[i])), dof.extent)
        moved = dof.travel if undamped or held else part * far
        scale += dof.weight * (moved**2 + ((1.0 if held else part) * AT_REST * dof.extent) ** 2)
    return math.sqrt(error) / (s.rtol * math.sqrt(scale) + 1e-300)


@inner
def state_error(tables, data, w, s, formula, h):
    """Estimated error of the states over their share of the tolerance, that of the worst one.

    The error of a step grows with its length cubed and the third derivative, which is found by differences of the
    rates at its ends and at the start of the last step.
    """
    worst = 0.0
    part = h / s.span
    if h < SHORT * s.usual_h:
        part = max(part, JUMP)
    for k in range(len(w.states)):
        state = w.states[k]
        if s.steps_done > 0.0:
            bend = (state.rate - state.rate0) / h - (state.rate0 - state.rate1) / s.last_h
            third = 2.0 * bend / (h + s.last_h)
        else:
            third = 2.0 * (state.rate - state.rate0) / (h * h)
        error = abs(formula.state_error * h**3 * third) / (s.rtol * part * state_scale(tables, data, w, k))
        worst = error if math.isnan(error) else max(worst, error)
    return worst


@inner
def one_step(tables, data, w, s, formula, h):
    """A step of length h from the accepted state; on success the new state is in the rows Q, V, X, LAM."""
    s.h = h
    history(w, s, formula, h)
    predict(w, s, not changed(s, h))
    outcome = newton(tables, data, w, s, s.time + h)
    if outcome == REACHED:
        set_state(tables, data, w, s)
        if not spare_rows_hold(tables, data, w, s, s.time + h):
            return OPENED
    return outcome


@inner
def advance(tables, data, w, s, formula, t_end, single):
    """Steps until t_end, which is met exactly; fixed steps of s.h_max (fitted) or, with s.rtol > 0, controlled ones.

    With `single` it returns after one accepted step, with PAUSED when the steps allowed in this call are used up. At an
    event the last step ends where the event expression crosses zero, and EVENT is returned.
    """
    controlled = s.rtol > 0.0
    watched = not controlled and len(w.contacts) > 0
    if s.steps == 0.0:
        begin(tables, data, w, s)
    begin_leg(s, t_end, s.h)
    while s.time < t_end:
        if not spend(s):
            return PAUSED
        wanted = s.leg_step
        left = t_end - s.time
        h = next_step(s)
        if controlled and h < left < 2.0 * h:
            h = 0.5 * left
        outcome = one_step(tables, data, w, s, formula, h)
        longest = math.inf
        if outcome == OPENED:
            return OPENED
        if controlled:
            error = 2.0
            if outcome == REACHED:
                error = local_error(w, s, formula, h)
                if len(w.states) > 0:
                    error = max(error, state_error(tables, data, w, s, formula, h))
                s.local_error = error
            if outcome != REACHED or error > 1.0:
                s.rejected += 1.0
                s.leg_step = h * (0.25 if outcome != REACHED else max(0.2, 0.9 * error ** (-1.0 / ORDER)))
                if s.leg_step < s.h_min:
                    return TOO_SMALL if outcome == REACHED else outcome
                continue
            grow = 0.9 * (error + 1e-12) ** (-1.0 / ORDER)
            # keep the step, and with it the factors, unless a change pays
            if grow > 1.5:
                s.leg_step = min(h * min(grow, 3.0), s.h_max)
            elif h == wanted and grow < 1.0:
                s.leg_step = h * min(max(grow, 0.5), SHRINK)
            if len(w.contacts) > 0:
                watch_contacts(tables, data, w, True)
                longest = longest_step(tables, data, w, s)
                if too_long(s, h, longest):
                    continue
                s.leg_step = min(s.leg_step, longest)
        elif outcome != REACHED:
            # a fixed step may be too long at one place only: the rest of the leg goes on in shorter ones
            shortest = s.h_min if watched else SHORTEST * s.h_max
            if outcome != FAILED or 0.5 * h < shortest:
                return outcome
            s.rejected += 1.0
            s.leg_step = 0.5 * h
            if not watched:
                s.leg_limit = 0.5 * h
            s.leg_uneven = 1.0
            continue
        elif watched:
            watch_contacts(tables, data, w, True)
            longest = longest_step(tables, data, w, s)
            if too_long(s, h, longest):
                continue
        share = crossing(tables, data, w, s, s.time + h)
        if share < 2.0 and not met(w, s, h):
            # regula falsi over the present step
            s.leg_step = h * share
            s.leg_uneven = 1.0
            continue
        accept(tables, data, w, s, formula, h)
        if share < 2.0:
            s.time += h
            return EVENT
        advance_time(s, h)
        if not controlled and s.leg_step < s.leg_limit and longest == math.inf:
            recover(s)
        if single:
            break
    end_leg(s)
    return REACHED


@inner
def nothing_inside(tables, data, w, s, formula, t):
    """Inside these steps nothing is known."""
    return False


@entry(*STEPS)
def run(tables, data, w, s, formula, times, single, kept):
    """Advance to each of the times and keep the states there; returns how many were kept and why it ended.

    With `single` every accepted step on the way to times[0] is kept instead.
    """
    start_events(tables, data, w, s)
    return run_to(advance, nothing_inside, tables, data, w, s, formula, times, single, kept)
