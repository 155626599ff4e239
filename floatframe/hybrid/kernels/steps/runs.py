"""Runs between records, the same for all methods whose steps end on the constraints.

`advance` takes steps towards a time, `inside` finds states in the last of them; `own` is what the method needs.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

from floatframe.hybrid.kernels.held import read_delays
from floatframe.hybrid.kernels.options import inner
from floatframe.hybrid.kernels.stepping import EVENT, PAUSED, REACHED, SINGULAR
from floatframe.hybrid.kernels.steps.accepted import exchange_memory, keep
from floatframe.hybrid.kernels.steps.changes import (
    change_now,
    keep_step,
    next_change,
    next_piece,
    room_left,
    same_time,
)
from floatframe.hybrid.kernels.steps.crossings import start_events
from floatframe.hybrid.kernels.steps.index1 import finish_state

AFTER_SWITCH = 0.05  # of the usual step, with which steps go on behind a switch


@inner
def keep_inside(inside, tables, data, w, s, own, kept, m, t):
    """Record m at a time inside the last step, brought onto the constraints as ends of steps are.

    Its evaluations are not those of the steps: `auto` would choose its method by how often records are kept.
    """
    evaluations = s.evaluations
    exchange_memory(tables, data, w)
    good = inside(tables, data, w, s, own, t)
    outcome = finish_state(tables, data, w, s, t) if good else SINGULAR
    keep(tables, data, w, s, kept, m)
    exchange_memory(tables, data, w)
    s.evaluations = evaluations
    if not good:
        return SINGULAR
    kept.t[m] = t
    kept.counters[m].work = s.work_inside
    for i in range(len(w.q)):
        kept.q[m, i] = w.q[i]
    for i in range(len(w.v)):
        kept.v[m, i] = w.v[i]
        kept.x[m, i] = w.x[i]
    for i in range(len(w.lam)):
        kept.lam[m, i] = w.lam[i]
    for k in range(len(w.states)):
        place = tables.states[k].memory
        kept.memory[m, place] = data.memory[place]
    if w.traits.delays == 1:
        read_delays(tables, data, w, t)
        for k in range(len(w.held)):
            place = tables.held[k].memory
            kept.memory[m, place] = data.memory[place]
    return outcome


@inner
def next_switch(w, s, t_end):
    """The next time at which laws change, t_end if none comes before."""
    for k in range(len(w.switches)):
        if w.switches[k] > s.time:
            return min(w.switches[k], t_end)
    return t_end


@inner
def advance_over(advance, tables, data, w, s, own, t_end, single):
    """Advance to t_end, or by one step, and meet all times at which laws change."""
    while True:
        stop = next_switch(w, s, t_end)
        outcome = advance(tables, data, w, s, own, stop, single)
        if outcome != REACHED or single or stop == t_end:
            return outcome


@inner
def advance_held(advance, inside, tables, data, w, s, own, t_end, single):
    """As `advance`, over the instants at which values that blocks hold change."""
    if len(tables.held) == 0:
        return advance_over(advance, tables, data, w, s, own, t_end, single)
    while True:
        if s.due == 1.0 and not change_now(tables, data, w, s):
            return SINGULAR
        if s.time >= t_end:
            return REACHED
        if w.traits.delays == 1 and not room_left(w):
            return PAUSED
        change = next_change(tables, w, s)
        stop = min(next_piece(w, s, change) if w.traits.delays == 1 else change, t_end)
        outcome = advance_over(advance, tables, data, w, s, own, stop, single or w.traits.delays == 1)
        if outcome not in (REACHED, EVENT):
            return outcome
        if w.traits.delays == 1:
            keep_step(inside, tables, data, w, s, own)
        turns = outcome == EVENT and int(s.event_found) >= len(w.events)
        if turns:
            s.leg_end = math.nan
            s.last_h = max(s.last_h, AFTER_SWITCH * s.usual_h)
        if turns or s.time >= change - same_time(s):
            s.due = 1.0
        if outcome == EVENT and not turns:
            return EVENT
        if single or s.time >= t_end:
            return REACHED


@inner
def run_through(advance, inside, tables, data, w, s, own, times, kept):
    """As `run_steps` for controlled steps that take no notice of records: those are kept from inside the steps."""
    m = 0
    while m < len(times):
        if times[m] < s.time:
            outcome = keep_inside(inside, tables, data, w, s, own, kept, m, times[m])
            if outcome != REACHED:
                return m, outcome
            m += 1
        elif times[m] == s.time:
            if s.due == 1.0 and not change_now(tables, data, w, s):
                return m, SINGULAR
            keep(tables, data, w, s, kept, m)
            m += 1
        elif s.event_ahead == 1.0:
            keep(tables, data, w, s, kept, m)
            return m + 1, EVENT
        else:
            outcome = advance_held(advance, inside, tables, data, w, s, own, s.horizon, True)
            if outcome == EVENT:
                s.event_ahead = 1.0
            elif outcome != REACHED:
                return m, outcome
    return m, EVENT if s.event_ahead == 1.0 and times[m - 1] == s.time else REACHED


@inner
def run_steps(advance, inside, tables, data, w, s, own, times, single, kept):
    """Advance to each of the times and keep the states there; returns how many were kept and why it ended.

    With `single` every accepted step on the way to times[0] is kept instead.
    """
    start_events(tables, data, w, s)
    if s.through == 1.0 and not single:
        return run_through(advance, inside, tables, data, w, s, own, times, kept)
    return run_to(advance, inside, tables, data, w, s, own, times, single, kept)


@inner
def run_to(advance, inside, tables, data, w, s, own, times, single, kept):
    """As `run_steps` where steps end at the times of records."""
    for m in range(len(kept.t) if single else len(times)):
        t_end = times[0] if single else times[m]
        if single and s.time >= t_end:
            return m, REACHED
        outcome = advance_held(advance, inside, tables, data, w, s, own, t_end, single)
        if outcome not in (REACHED, EVENT):
            return m, outcome
        if s.due == 1.0 and not change_now(tables, data, w, s):
            return m, SINGULAR
        keep(tables, data, w, s, kept, m)
        if outcome == EVENT:
            return m + 1, EVENT
    return len(kept.t) if single else len(times), REACHED
