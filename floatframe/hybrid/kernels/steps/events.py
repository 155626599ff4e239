"""Events: expressions whose zero crossings end a step."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from floatframe.hybrid.kernels.constraints import program
from floatframe.hybrid.kernels.evaluate import evaluate_now
from floatframe.hybrid.kernels.forces import read_sensors
from floatframe.hybrid.kernels.options import inner
from floatframe.hybrid.kernels.stepping import EVENT_FOUND, FIRST_EVENT, Q0, RESIDUAL, STEPS, TIME, V0, Q, V
from floatframe.hybrid.kernels.system import VELOCITY

EVENT_TOLERANCE = 1e-9  # an event is met where its expression is below this share of its largest value


@inner
def crossing(tables, data, w, s, t):
    """Share of the step at which the first event changes sign, 2.0 if none does; its number goes to s[EVENT_FOUND]."""
    count = w.events.shape[1]
    if count == 0:
        return 2.0
    read_sensors(tables, data, w.qq[Q], w.vv[V], t)
    first = 2.0
    for k in range(count):
        before = w.events[0, k]
        now = program(tables, data, int(s[FIRST_EVENT]) + k)
        w.events[1, k] = now
        w.events[2, k] = max(w.events[2, k], abs(now))
        if before * now < 0.0 or (before != 0.0 and abs(now) <= EVENT_TOLERANCE * w.events[2, k]):
            share = before / (before - now) if before != now else 1.0
            if share < first:
                first = share
                s[EVENT_FOUND] = k
    return first


@inner
def start_events(tables, data, w, s):
    """Values of the events before the first step, so that it can be seen to cross zero."""
    if w.events.shape[1] == 0 or s[STEPS] > 0.0:
        return
    for i in range(len(w.qq[Q])):
        w.qq[Q, i] = w.qq[Q0, i]
    for i in range(len(w.vv[V])):
        w.vv[V, i] = w.vv[V0, i]
    evaluate_now(tables, data, w, s[TIME], VELOCITY, RESIDUAL)
    crossing(tables, data, w, s, s[TIME])
    for k in range(w.events.shape[1]):
        w.events[0, k] = w.events[1, k]


@inner
def met(w, s, h):
    """Whether the event found lies close enough to the end of the step."""
    k = int(s[EVENT_FOUND])
    return abs(w.events[1, k]) <= EVENT_TOLERANCE * w.events[2, k] or h <= 1e-12 * (abs(s[TIME]) + h)
