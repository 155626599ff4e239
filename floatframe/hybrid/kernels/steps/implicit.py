"""Implicit integration of the index-3 equations: step formulas, step control, runs between records.

The history terms v_hist, d_hist and the factors cv, cq of a step (see kernels.steps.newton) are what makes it
generalised-alpha, Newmark, BDF or Park's method.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

from floatframe.hybrid.kernels.energy import outer_power
from floatframe.hybrid.kernels.evaluate import evaluate_now
from floatframe.hybrid.kernels.options import entry, inner
from floatframe.hybrid.kernels.stepping import (
    A0,
    AUXILIARY_POWER,
    CQ,
    CV,
    D1,
    D2,
    D_HIST,
    DELTA,
    DV1,
    DV2,
    EVENT,
    EXTENT,
    FAILED,
    H_MAX,
    H_MIN,
    KIND,
    LAM,
    LAM0,
    LAM1,
    LAST_H,
    LEG_LIMIT,
    LEG_STEP,
    LEG_UNEVEN,
    LOCAL_ERROR,
    ONE_STEP,
    OPENED,
    PAUSED,
    POWER,
    Q0,
    REACHED,
    REJECTED,
    RESIDUAL,
    RTOL,
    STEPS,
    STEPS_DONE,
    TIME,
    TOO_SMALL,
    TRAVEL,
    V0,
    V_HIST,
    WEIGHT,
    WORK,
    X0,
    X1,
    H,
    Q,
    V,
    X,
)
from floatframe.hybrid.kernels.steps.accepted import accept_state, keep
from floatframe.hybrid.kernels.steps.contacts import leave_contacts, longest_step, too_long, watch_contacts
from floatframe.hybrid.kernels.steps.events import crossing, met, start_events
from floatframe.hybrid.kernels.steps.legs import advance_time, begin_leg, end_leg, next_step, recover, spend
from floatframe.hybrid.kernels.steps.newton import newton, set_state
from floatframe.hybrid.kernels.steps.spare import spare_rows_hold
from floatframe.hybrid.kernels.system import ALL_FORCES

SHORTEST = 1.0 / 64.0  # of a fixed step: where Newton's method fails, it is halved down to this share
AT_REST = 1e-7  # of the model's own sizes: displacements in a step that rtol is a share of even where nothing moves


@inner
def changed(s, h):
    """Whether a step has another length than the last one."""
    return abs(h - s[LAST_H]) >= 1e-9 * h


@inner
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
        elif c1 != 0.0 and (changed(s, h) or (s[STEPS_DONE] == 1.0 and c2 != 0.0)):
            # BDF2 over a step of another length than the last
            ratio = h / s[LAST_H]
            b, c1, c2 = (1.0 + ratio) / (1.0 + 2.0 * ratio), ratio * ratio / (1.0 + 2.0 * ratio), 0.0
        for i in range(nv):
            dv = c1 * w.vv[DV1, i] + c2 * w.vv[DV2, i]
            w.vv[V_HIST, i] = w.vv[V0, i] + dv
            w.vv[D_HIST, i] = h * b * (w.vv[V0, i] + dv) + c1 * w.vv[D1, i] + c2 * w.vv[D2, i]
        s[CV] = h * b
        s[CQ] = h * h * b * b


@inner
def accept(tables, data, w, s, formula, h):
    """Accept the end of the step, with what the step formula remembers of it."""
    nv = len(w.vv[X])
    if s[KIND] == ONE_STEP:
        am, af = formula[0], formula[1]
        for i in range(nv):
            w.vv[A0, i] = ((1.0 - af) * w.vv[X, i] + af * w.vv[X0, i] - am * w.vv[A0, i]) / (1.0 - am)
    else:
        if changed(s, h):
            # the next step knows one increment of its own length
            s[STEPS_DONE] = 0.0
        for i in range(nv):
            w.vv[D2, i] = w.vv[D1, i]
            w.vv[DV2, i] = w.vv[DV1, i]
            w.vv[D1, i] = w.vv[DELTA, i]
            w.vv[DV1, i] = w.vv[V, i] - w.vv[V0, i]
    s[STEPS_DONE] += 1.0
    count_work(tables, data, w, s, formula, h)
    leave_contacts(tables, data, w)
    accept_state(tables, data, w, s, h)


@inner
def count_work(tables, data, w, s, formula, h):
    """Integrate the power over the step, as the method integrates accelerations to speeds: both ring together."""
    power = outer_power(tables, data, w.ll[LAM], w.vv[V])
    if s[KIND] == ONE_STEP:
        am, af, gamma = formula[0], formula[1], formula[3]
        new = ((1.0 - af) * power + af * s[POWER] - am * s[AUXILIARY_POWER]) / (1.0 - am)
        s[WORK] += h * ((1.0 - gamma) * s[AUXILIARY_POWER] + gamma * new)
        s[AUXILIARY_POWER] = new
    else:
        s[WORK] += 0.5 * h * (s[POWER] + power)
    s[POWER] = power


@inner
def begin(tables, data, w, s):
    """What the first step must know of the start: the power there, and the push of contacts."""
    for i in range(len(w.qq[Q])):
        w.qq[Q, i] = w.qq[Q0, i]
    for i in range(len(w.vv[V])):
        w.vv[V, i] = w.vv[V0, i]
    evaluate_now(tables, data, w, s[TIME], ALL_FORCES, RESIDUAL)
    s[POWER] = s[AUXILIARY_POWER] = outer_power(tables, data, w.ll[LAM0], w.vv[V])
    leave_contacts(tables, data, w)


@inner
def predict(w, s, same):
    """Start values of Newton's method: accelerations and multipliers extrapolated over equal steps."""
    e = 1.0 if same and s[STEPS_DONE] > 1.0 else 0.0
    for i in range(len(w.vv[X])):
        w.vv[X, i] = w.vv[X0, i] + e * (w.vv[X0, i] - w.vv[X1, i])
    for k in range(len(w.ll[LAM])):
        w.ll[LAM, k] = w.ll[LAM0, k] + e * (w.ll[LAM0, k] - w.ll[LAM1, k])


@inner
def local_error(w, s, formula, h):
    """Estimated error of the step's displacements in units of the tolerance, weighted by inertia.

    A smooth motion from rest begins like a power of time, whose relative error no step makes small: a little of the
    model's own sizes is part of the scale. Without numerical damping reactions ring from step to step and never settle;
    over two steps that cancels.
    """
    error = 0.0
    scale = 0.0
    ringing = s[KIND] == ONE_STEP and formula[3] == 0.5 and s[STEPS_DONE] > 1.0
    share = h / (h + s[LAST_H]) if ringing else 1.0
    for i in range(len(w.vv[X])):
        change = share * (w.vv[X, i] - (w.vv[X1, i] if ringing else w.vv[X0, i]))
        error += w.vv[WEIGHT, i] * (h * h / 12.0 * change) ** 2
        scale += w.vv[WEIGHT, i] * (w.vv[TRAVEL, i] ** 2 + (AT_REST * w.vv[EXTENT, i]) ** 2)
    return math.sqrt(error) / (s[RTOL] * math.sqrt(scale) + 1e-300)


@inner
def one_step(tables, data, w, s, formula, h):
    """A step of length h from the accepted state; on success the new state is in the rows Q, V, X, LAM."""
    s[H] = h
    history(w, s, formula, h)
    predict(w, s, not changed(s, h))
    outcome = newton(tables, data, w, s, s[TIME] + h)
    if outcome == REACHED:
        set_state(tables, w, s[CV], s[CQ])
        if not spare_rows_hold(tables, data, s, s[TIME] + h):
            return OPENED
    return outcome


@inner
def advance(tables, data, w, s, formula, t_end, single):
    """Steps until t_end, which is met exactly; fixed steps of s[H_MAX] (fitted) or, with s[RTOL] > 0, controlled ones.

    With `single` it returns after one accepted step, with PAUSED when the steps allowed in this call are used up. At an
    event the last step ends where the event expression crosses zero, and EVENT is returned.
    """
    controlled = s[RTOL] > 0.0
    watched = not controlled and len(w.contacts) > 0
    if s[STEPS] == 0.0:
        begin(tables, data, w, s)
    begin_leg(s, t_end, s[H])
    while s[TIME] < t_end:
        if not spend(s):
            return PAUSED
        wanted = s[LEG_STEP]
        left = t_end - s[TIME]
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
                for i in range(len(w.vv[X])):
                    w.vv[TRAVEL, i] = max(w.vv[TRAVEL, i], abs(h * w.vv[V, i]), h * h * abs(w.vv[X, i]))
                error = local_error(w, s, formula, h)
                s[LOCAL_ERROR] = error
            if outcome != REACHED or error > 1.0:
                s[REJECTED] += 1.0
                s[LEG_STEP] = h * (0.25 if outcome != REACHED else max(0.2, 0.9 * error ** (-1.0 / 3.0)))
                if s[LEG_STEP] < s[H_MIN]:
                    return TOO_SMALL if outcome == REACHED else outcome
                continue
            grow = 0.9 * (error + 1e-12) ** (-1.0 / 3.0)
            # keep the step, and with it the factors, unless a change pays
            if grow > 1.5:
                s[LEG_STEP] = min(h * min(grow, 3.0), s[H_MAX])
            elif h == wanted and grow < 1.0:
                s[LEG_STEP] = h * max(grow, 0.5)
            if len(w.contacts) > 0:
                watch_contacts(tables, data, w, True)
                longest = longest_step(tables, data, w, s)
                if too_long(s, h, longest):
                    continue
                s[LEG_STEP] = min(s[LEG_STEP], longest)
        elif outcome != REACHED:
            # a fixed step may be too long at one place only: the rest of the leg goes on in shorter ones
            shortest = s[H_MIN] if watched else SHORTEST * s[H_MAX]
            if outcome != FAILED or 0.5 * h < shortest:
                return outcome
            s[REJECTED] += 1.0
            s[LEG_STEP] = 0.5 * h
            if not watched:
                s[LEG_LIMIT] = 0.5 * h
            s[LEG_UNEVEN] = 1.0
            continue
        elif watched:
            watch_contacts(tables, data, w, True)
            longest = longest_step(tables, data, w, s)
            if too_long(s, h, longest):
                continue
        share = crossing(tables, data, w, s, s[TIME] + h)
        if share < 2.0 and not met(w, s, h):
            # regula falsi over the present step
            s[LEG_STEP] = h * share
            s[LEG_UNEVEN] = 1.0
            continue
        accept(tables, data, w, s, formula, h)
        if share < 2.0:
            s[TIME] += h
            return EVENT
        advance_time(s, h)
        if not controlled and s[LEG_STEP] < s[LEG_LIMIT] and longest == math.inf:
            recover(s)
        if single:
            break
    end_leg(s)
    return REACHED


@entry
def run(tables, data, w, s, formula, times, single, kept):
    """Advance to each of the times and keep the states there; returns how many were kept and why it ended.

    With `single` every accepted step on the way to times[0] is kept instead.
    """
    start_events(tables, data, w, s)
    for m in range(len(kept.t) if single else len(times)):
        t_end = times[0] if single else times[m]
        if single and s[TIME] >= t_end:
            return m, REACHED
        outcome = advance(tables, data, w, s, formula, t_end, single)
        if outcome not in (REACHED, EVENT):
            return m, outcome
        keep(data, w, s, kept, m)
        if outcome == EVENT:
            return m + 1, EVENT
    return len(kept.t) if single else len(times), REACHED
