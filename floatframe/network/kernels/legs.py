"""Legs of a run: steps, their lengths, and what begins again behind a jump; until a block is full."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

from floatframe.network.kernels.constants import (
    CALM,
    FALLS,
    FIRST,
    LAST_SHARE,
    LEFT_BEHIND,
    MOST_GROWTH,
    MOST_LEAPS,
    OFF_GRID,
    ROUNDING,
    SAFETY,
    SETTLING_SHARE,
    SHORTEST,
    SILENT,
    SLIVER,
)
from floatframe.network.kernels.equations import fill_slots, program, stored_power
from floatframe.network.kernels.layout import ALPHA, BDF2, FULL, GO_ON, SETTLING, STEP, STUCK
from floatframe.network.kernels.options import BEHIND, BLOCK, NUMBERS, TABLES, WORK, entry, inner
from floatframe.network.kernels.step import OK, SINGULAR, shortest_step, try_step
from floatframe.network.kernels.waves import next_jump


@entry(TABLES, NUMBERS, BEHIND, WORK, BLOCK)
def run(tables, s, b, w, block):
    """Steps until the block is full, the run at its end or a step one for Python; why it ended, and rows filled."""
    rows, used = len(block.t), 0
    if s.power != s.power:
        s.power = stored_power(tables, b.y)
    while used + 2 <= rows:
        left = s.t_end - s.t
        if left <= LAST_SHARE * max(abs(s.t_end), s.h):
            return FULL, used
        longest = left if left <= s.h * SLIVER or left > 2.0 * s.h else 0.5 * left
        outcome = _attempt(tables, s, b, w, longest)
        if outcome == _OVER:
            return STUCK, used
        if outcome == _REFUSED:
            continue
        _keep(s, w.y, block, used, STEP)
        used += 1
        if outcome == _JUMPING:
            if not _begin_again(tables, s, b, w):
                return SETTLING, used
            _keep(s, b.y, block, used, GO_ON)
            used += 1
    return FULL, used


_OVER, _REFUSED, _TAKEN, _JUMPING = range(4)  # jumping: taken, and what follows has to begin again


@inner
def _attempt(tables, s, b, w, longest):
    """Try one step, at most so long, and take it or prepare a shorter one; unusual ones are left to Python."""
    controlled = s.step == 0.0
    h = min(s.h, longest) if abs(s.h - longest) > 8.0 * ROUNDING * abs(s.t) else s.h
    if not controlled and longest > 2.0 * h:
        h = min(h, _to_grid(s))
    shortest = shortest_step(s)
    jumps, last, after = False, 0.0, 0.0
    if controlled:
        jumps, last, after = next_jump(tables, w, max(s.passed, s.t), s.t + h)
        if jumps:
            h = max(last - s.t, shortest)
    outcome = try_step(tables, s, b, w, s.method, h)
    if outcome == SINGULAR:
        return _OVER
    if outcome != OK:
        if 0.5 * h < (s.step_min if s.step_min > 0.0 else SHORTEST * s.t_end):
            return _OVER
        s.h = 0.5 * h
        s.iterations += s.count
        s.halved += 1
        return _REFUSED
    if _rejects(s, controlled, shortest, h):
        s.iterations += s.count
        s.rejected += 1
        s.refused_error = s.error
        if s.refused == 0:
            s.refused, s.refused_h = 1, h
        s.h = max(min(_next_step(s, h, s.error), 0.5 * h), shortest)
        return _REFUSED
    leaps = controlled and s.first == 0 and s.error > 1.0 and h <= shortest
    if leaps and s.in_a_row + 1 > MOST_LEAPS:
        return _OVER
    if _crosses(tables, b, w, s.end):
        return _OVER
    s.iterations += s.count
    if leaps:
        s.in_a_row += 1
        s.leaps += 1
    elif h > LEFT_BEHIND * shortest:
        s.in_a_row = 0
    _go_on(s, controlled, h)
    _take(tables, s, b, w, h)
    if not leaps and not jumps:
        return _TAKEN
    s.passed = after if jumps else s.t
    least = shortest_step(s)
    s.h = max(least if leaps else min(FIRST * s.t_end, CALM * h), least)
    return _JUMPING


@inner
def _to_grid(s):
    """What is left to the next multiple of a fixed step, which halved steps lead away from."""
    passed = s.t / s.step
    left = math.floor(passed + OFF_GRID) + 1.0 - passed
    return left * s.step if left < 1.0 - OFF_GRID else math.inf


@inner
def _rejects(s, controlled, shortest, h):
    """Whether a step is to be tried again; what stores nothing may jump, and then its error does not fall."""
    if not controlled or (s.steps == 0 and s.settles_at_start == 0) or h <= shortest or s.error <= 1.0:
        return False
    if s.stored_error > 1.0 or s.first == 1:
        return s.stored_error > 1.0
    if s.refused == 1 and s.error > FALLS * s.refused_error:
        s.silent = SILENT
    return s.silent == 0


@inner
def _next_step(s, h, error):
    """The step that follows from a local error, by the rule that was chosen."""
    if error == 0.0:
        return h * MOST_GROWTH
    ratio = 1.0 / error
    power = 1.0 / (s.order + 1.0)
    if s.corrected == 1:
        power *= 2.0 if ratio < 0.25 else 0.5 if ratio > 7.0 else 1.0
    return h * min(SAFETY * ratio**power, MOST_GROWTH)


@inner
def _go_on(s, controlled, h):
    """Choose the step after one that is taken."""
    longest = s.step_max if s.step_max > 0.0 else math.inf
    if not controlled:
        s.h = min(s.step, 2.0 * s.h)
    elif s.first == 1:
        s.h = h
    elif s.error > 1.0:
        known = h if s.refused == 0 else s.refused_h
        s.h = min(_next_step(s, h, s.stored_error), known, longest)
    elif h == s.h:
        s.h = min(_next_step(s, h, s.error), longest)


@inner
def _take(tables, s, b, w, h):
    """Go to the end of a step."""
    first = s.first == 1 and s.settles == 0
    for i in range(len(w.sizes)):
        if s.method == ALPHA:
            b.alpha[i] = ((w.y[1, i] - b.y[1, i]) / h - (1.0 - s.gamma) * b.alpha[i]) / s.gamma
        b.older[i] = b.before[1, i]
        for level in range(3):
            b.before[level, i] = b.y[level, i]
            b.y[level, i] = w.y[level, i]
        if first:
            b.before[2, i] = b.y[2, i]
    s.has_older, s.has_before = s.has_before, 1
    s.h_older, s.h_before = s.h_before, s.end - s.t
    s.t = s.end
    s.first, s.refused = 0, 0
    s.refused_error, s.refused_h = 0.0, 0.0
    if s.silent > 0:
        s.silent -= 1
    s.steps += 1
    power = stored_power(tables, b.y)
    s.work += 0.5 * h * (power + s.power) if s.steps > 1 else h * power
    s.power = power


@inner
def _begin_again(tables, s, b, w):
    """Forget what lies behind a jump: two short steps of backward Euler find the accelerations."""
    s.has_before, s.has_older, s.first = 0, 0, 1
    h = shortest_step(s) if s.step == 0.0 else SETTLING_SHARE * s.h
    for _ in range(2):
        if try_step(tables, s, b, w, BDF2, h) != OK:
            return False
        for i in range(len(w.sizes)):
            for level in range(3):
                b.y[level, i] = w.y[level, i]
            b.alpha[i] = w.y[2, i]
        s.t = s.end
        s.h_before = 0.0
    s.power = stored_power(tables, b.y)
    return True


@inner
def _crosses(tables, b, w, t):
    """Whether an expression crosses zero in the step; else its value at the end is kept."""
    if len(tables.events) == 0:
        return False
    fill_slots(tables, w, w.y, t)
    for k in range(len(tables.events)):
        now, before = program(tables, w, tables.events[k]), b.event_values[k]
        if before * now < 0.0 or (now == 0.0 and before != 0.0):
            return True
        w.event_values[k] = now
    for k in range(len(tables.events)):
        b.event_values[k] = w.event_values[k]
    return False


@inner
def _keep(s, y, block, row, kind):
    block.kind[row], block.t[row], block.h[row], block.work[row] = kind, s.t, s.h_before, s.work
    block.counters[row, 0], block.counters[row, 1] = s.steps, s.iterations
    block.counters[row, 2], block.counters[row, 3] = s.rejected + s.halved, s.leaps
    kept = block.y[row]
    for level in range(3):
        for i in range(len(kept[level])):
            kept[level, i] = y[level, i]
