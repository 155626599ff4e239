"""Values that blocks hold: sampled ones, switches with hysteresis, and delayed ones, which are read from a history.

w.history (row, 3 + nheld): row 0 has the number of rows behind it and the number of the last segment; the others have a
time, a segment, its generation, and the inputs of the delays at that time. Inside a segment inputs are smooth; where
one begins its row repeats the time of the row before. w.held[k].number is the number of the next sample, or the segment
that a delay is in, -1 before the history begins.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from floatframe.hybrid.kernels.layout import DELAYED, SWITCHED
from floatframe.hybrid.kernels.options import inner

FIRST_VALUE = 3  # column of the history
MOST_POINTS = 8  # of the history that one delayed value is interpolated from
SPREAD = 0.5  # of the interval around it, that these points are apart at least


@inner
def read_delays(tables, data, w, t):
    """Put the delayed values at a time into the memory; without a history they stay."""
    for k in range(len(tables.held)):
        held, step = tables.held[k], w.held[k]
        if held.kind == DELAYED and step.number >= 0.0:
            data.memory[held.memory] = interpolated(w, FIRST_VALUE + k, step.number, t - held.length)


@inner
def first_row(history, segment):
    """The first row of a segment, or behind the last row if it has not begun."""
    low, high = 1, int(history[0, 0]) + 1
    while low < high:
        middle = (low + high) // 2
        if history[middle, 1] < segment:
            low = middle + 1
        else:
            high = middle
    return low


@inner
def interpolated(w, column, segment, t):
    """A column of the history at a time in or just beside a segment."""
    history, points = w.history, w.points
    first, end = first_row(history, segment), first_row(history, segment + 1.0)
    # the interval around t, or the one nearest to it
    low, high = first, end - 1
    while high - low > 1:
        middle = (low + high) // 2
        if history[middle, 0] <= t:
            low = middle
        else:
            high = middle
    count = take_point(history, points, column, low, 0)
    if high == low:
        return points[1, 0]
    count = take_point(history, points, column, high, count)
    apart = SPREAD * (history[high, 0] - history[low, 0])
    # points that are close together beside a long interval would spoil its digits
    while count < MOST_POINTS and (low >= first or high < end):
        if low >= first:
            last = history[low, 0]
            low -= 1
            while low >= first and last - history[low, 0] < apart:
                low -= 1
            if low >= first:
                count = take_point(history, points, column, low, count)
        if high < end and count < MOST_POINTS:
            last = history[high, 0]
            high += 1
            while high < end and history[high, 0] - last < apart:
                high += 1
            if high < end:
                count = take_point(history, points, column, high, count)
    total = 0.0
    for i in range(count):
        weight = 1.0
        for j in range(count):
            if j != i:
                weight *= (t - points[0, j]) / (points[0, i] - points[0, j])
        total += weight * points[1, i]
    return total


@inner
def take_point(history, points, column, row, count):
    """A row of the history as one more point; returns how many there are then."""
    points[0, count] = history[row, 0]
    points[1, count] = history[row, column]
    return count + 1


@inner
def keep_inputs(tables, data, w, t, generation):
    """The inputs of the delays at the last evaluation as one more row of the history, in its last segment."""
    row = int(w.history[0, 0]) + 1
    w.history[0, 0] = row
    w.history[row, 0] = t
    w.history[row, 1] = w.history[0, 1]
    w.history[row, 2] = generation
    for k in range(len(tables.held)):
        if tables.held[k].kind == DELAYED:
            w.history[row, FIRST_VALUE + k] = data.slots[tables.held[k].input]


@inner
def guard(tables, data, k):
    """How far the input of a switch is from where it changes over."""
    held = tables.held[k]
    value = data.slots[held.input]
    upward = 1.0 if held.length > held.other else -1.0
    return upward * (value - held.other if data.memory[held.memory] == 1.0 else held.length - value)


@inner
def is_switch(tables, k):
    """Whether a value held is that of a switch."""
    return tables.held[k].kind == SWITCHED
