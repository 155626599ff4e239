"""Events: expressions whose zero crossings end a step, and switches that turn."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from floatframe.hybrid.kernels.coordinates import program
from floatframe.hybrid.kernels.evaluate import evaluate_now
from floatframe.hybrid.kernels.held import guard, is_switch
from floatframe.hybrid.kernels.options import inner
from floatframe.hybrid.kernels.sensors import read_sensors
from floatframe.hybrid.kernels.steps.accepted import start_again
from floatframe.hybrid.kernels.system import VELOCITY

EVENT_TOLERANCE = 1e-9  # an event is met where its expression is below this share of its largest value


@inner
def crossing(tables, data, w, s, t):
    """Share of the step at which the first event changes sign, 2.0 if none does; its number goes to s.event_found.

    Switches count behind the events.
    """
    count = len(w.events)
    if count == 0 and w.traits.switches == 0:
        return 2.0
    read_sensors(tables, data, w.q, w.v, t)
    first = 2.0
    for k in range(count):
        share = share_until(w.events[k], program(tables, data, int(s.first_event) + k))
        if share < first:
            first = share
            s.event_found = k
    if w.traits.switches == 1:
        for k in range(len(tables.held)):
            share = share_until(w.held[k], guard(tables, data, k)) if is_switch(tables, k) else 2.0
            if share < first:
                first = share
                s.event_found = count + k
    return first


@inner
def share_until(event, now):
    """Share of the step at which an expression, or what guards a switch, changes sign, 2.0 if it does not."""
    before = event.before
    event.now = now
    event.largest = max(event.largest, abs(now))
    if before * now < 0.0 or (before != 0.0 and abs(now) <= EVENT_TOLERANCE * event.largest):
        return before / (before - now) if before != now else 1.0
    return 2.0


@inner
def start_events(tables, data, w, s):
    """Values of the events before the first step, so that it can be seen to cross zero."""
    if len(w.events) == 0 or s.steps > 0.0:
        return
    start_again(tables, data, w)
    evaluate_now(tables, data, w, s.time, VELOCITY, w.residual)
    crossing(tables, data, w, s, s.time)
    for k in range(len(w.events)):
        w.events[k].before = w.events[k].now


@inner
def met(w, s, h):
    """Whether the event found lies close enough to the end of the step."""
    found, count = int(s.event_found), len(w.events)
    if found >= count:
        now, largest = w.held[found - count].now, w.held[found - count].largest
    else:
        now, largest = w.events[found].now, w.events[found].largest
    return abs(now) <= EVENT_TOLERANCE * largest or h <= 1e-12 * (abs(s.time) + h)
