"""Events and switches: where expressions of the motion cross zero inside a step.

Between the ends of a step an expression is taken as the cubic of its values and rates there. Where that dips to the
other side of zero and comes back, the step is tried again up to the lowest place of the dip: the sign changes by then,
and the first crossing is found as any other.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

from floatframe.hybrid.kernels.coordinates import program
from floatframe.hybrid.kernels.held import guard, is_switch
from floatframe.hybrid.kernels.options import inner
from floatframe.hybrid.kernels.sensors import read_sensors
from floatframe.hybrid.kernels.steps.accepted import accept_events, start_again
from floatframe.hybrid.kernels.system import VELOCITY, evaluate_now
from floatframe.hybrid.kernels.tree import move

EVENT_TOLERANCE = 1e-9  # an event is met where its expression is below this share of its largest value
BACK = 1e-6  # of the step, over which rates are measured: half the digits of a value are left to its rate
SHORTEST = 0.02  # of the usual step: dips inside shorter ones are not looked for, as at kinks there is no end of them


@inner
def crossing(tables, data, w, s, t):
    """Share of the step at which the first event changes sign, 2.0 if none does; its number goes to s.event_found.

    Switches count behind the events. The state tried is evaluated again, forces are not.
    """
    count = len(w.events)
    if count == 0 and w.traits.switches == 0:
        return 2.0
    h = t - s.time
    back = BACK * (h if h > 0.0 else s.h_max)
    look_back(tables, data, w, s, t, back)
    watch_dips = h > SHORTEST * s.usual_h
    first = 2.0
    for k in range(count):
        now = program(tables, data, int(s.first_event) + k)
        share = share_until(w.events[k], now, back, h, watch_dips)
        if share < first:
            first = share
            s.event_found = k
    if w.traits.switches == 1:
        for k in range(len(tables.held)):
            share = 2.0
            if is_switch(tables, k):
                share = share_until(w.held[k], guard(tables, data, k), back, h, watch_dips)
            if share < first:
                first = share
                s.event_found = count + k
    return first


@inner
def look_back(tables, data, w, s, t, back):
    """Put the values of events and switches a moment before time t where their rates go; all is then as at time t."""
    for i in range(len(w.q)):
        w.coordinates[i].here = w.q[i]
    for i in range(len(w.v)):
        w.shifted[i] = w.v[i]
        w.correction[i] = -back * w.v[i]
        w.v[i] -= back * w.x[i]
    move(tables.links, tables.flexible, w.q, w.correction)
    for k in range(len(w.states)):
        place = tables.states[k].memory
        w.states[k].here = data.memory[place]
        data.memory[place] -= back * data.slots[tables.states[k].rate]
    evaluate_now(tables, data, w, t - back, VELOCITY, w.residual)
    read_sensors(tables, data, w.q, w.v, t - back)
    for k in range(len(w.events)):
        w.events[k].rate = program(tables, data, int(s.first_event) + k)
    for k in range(len(tables.held) if w.traits.switches == 1 else 0):
        if is_switch(tables, k):
            w.held[k].rate = guard(tables, data, k)
    for i in range(len(w.q)):
        w.q[i] = w.coordinates[i].here
    for i in range(len(w.v)):
        w.v[i] = w.shifted[i]
    for k in range(len(w.states)):
        data.memory[tables.states[k].memory] = w.states[k].here
    evaluate_now(tables, data, w, t, VELOCITY, w.residual)
    read_sensors(tables, data, w.q, w.v, t)


@inner
def share_until(event, now, back, h, watch_dips):
    """Share of the step h at which an expression, or what guards a switch, changes sign, 2.0 if it does not.

    back: s, between the value in event.rate and the one now; the rate takes its place. Where it changes sign twice, the
    share is that of the place between.
    """
    before = event.before
    event.rate = (now - event.rate) / back
    event.now = now
    event.largest = max(event.largest, abs(now))
    if before * now < 0.0 or (before != 0.0 and abs(now) <= EVENT_TOLERANCE * event.largest):
        return before / (before - now) if before != now else 1.0
    if watch_dips and before * event.rate_before < 0.0 and now * event.rate > 0.0 and before * now > 0.0:
        return lowest_place(before, h * event.rate_before, now, h * event.rate, EVENT_TOLERANCE * event.largest)
    return 2.0


@inner
def lowest_place(before, rate_before, now, rate, least):
    """Where in (0, 1) the cubic of two values and slopes lies farthest beyond zero, 2.0 if not by `least`.

    It runs towards zero at 0 and away from it at 1, so that one extremum lies between.
    """
    sign = 1.0 if before > 0.0 else -1.0
    # its slope a x² + b x + c
    a = 3.0 * (rate_before + rate) - 6.0 * (now - before)
    b = 6.0 * (now - before) - 4.0 * rate_before - 2.0 * rate
    c = rate_before
    root = math.sqrt(max(b * b - 4.0 * a * c, 0.0))
    half = -0.5 * (b + root if b > 0.0 else b - root)
    place = c / half if half != 0.0 else 2.0
    if not 0.0 < place < 1.0 and a != 0.0:
        place = half / a
    if not 0.0 < place < 1.0:
        return 2.0
    rest = 1.0 - place
    value = (before * (1.0 + 2.0 * place) + rate_before * place) * rest * rest
    value += (now * (1.0 + 2.0 * rest) - rate * rest) * place * place
    return place if sign * value < -least else 2.0


@inner
def start_events(tables, data, w, s):
    """Values of the events before the first step, so that it can be seen to cross zero."""
    if len(w.events) == 0 or s.steps > 0.0:
        return
    start_again(tables, data, w)
    for i in range(len(w.x)):
        w.x[i] = w.dofs[i].x0
    evaluate_now(tables, data, w, s.time, VELOCITY, w.residual)
    crossing(tables, data, w, s, s.time)
    accept_events(w)


@inner
def met(w, s, h):
    """Whether the event found lies close enough to the end of the step."""
    found, count = int(s.event_found), len(w.events)
    if found >= count:
        now, largest = w.held[found - count].now, w.held[found - count].largest
    else:
        now, largest = w.events[found].now, w.events[found].largest
    return abs(now) <= EVENT_TOLERANCE * largest or h <= 1e-12 * (abs(s.time) + h)
