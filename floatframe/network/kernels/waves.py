"""When inputs change their law by themselves; the twin of `floatframe.network.switches`."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from floatframe.network.kernels.constants import HALVES, LOOKS, ROUNDING
from floatframe.network.kernels.equations import program
from floatframe.network.kernels.options import inner


@inner
def next_jump(tables, w, after, end):
    """Whether something jumps later than `after` and before `end`, the last time before it and the first behind."""
    found, last, first = False, end, end
    k = _later_than(tables.times, after)
    if k < len(tables.times) and tables.times[k] < end:
        width = 8.0 * ROUNDING * abs(tables.times[k])
        found, last, first = True, tables.times[k] - width, tables.times[k] + width
    if len(tables.waves) > 0:
        _values(tables, w, after)
        low = after
        for look in range(LOOKS):
            high = after + (last - after) * (look + 1) / LOOKS
            if high > low and _differ(tables, w, high):
                low, high = _halved(tables, w, low, high)
                return True, low, high
            low = high
    return found, last, first


@inner
def _later_than(times, t):
    """Number of the first time later than t."""
    low, high = 0, len(times)
    while low < high:
        middle = (low + high) // 2
        if times[middle] <= t:
            low = middle + 1
        else:
            high = middle
    return low


@inner
def _halved(tables, w, low, high):
    for _ in range(HALVES):
        middle = 0.5 * (low + high)
        if not (low < middle and middle < high):
            break
        if _differ(tables, w, middle):
            high = middle
        else:
            low = middle
    return low, high


@inner
def _values(tables, w, t):
    """Keep the values of the waves at a time."""
    w.slots[0] = t
    for k in range(len(tables.waves)):
        w.wave_values[k] = program(tables, w, tables.waves[k])


@inner
def _differ(tables, w, t):
    """Whether they are others at a time."""
    w.slots[0] = t
    same = 0
    for k in range(len(tables.waves)):
        same += program(tables, w, tables.waves[k]) == w.wave_values[k]
    return same < len(tables.waves)
