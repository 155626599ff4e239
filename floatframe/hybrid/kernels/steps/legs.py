"""Legs: the steps that lead to the next time that must be met, which one call may begin and another finish."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

from floatframe.hybrid.kernels.options import inner
from floatframe.hybrid.kernels.stepping import (
    BUDGET,
    H_MAX,
    LAST_H,
    LEG_COUNT,
    LEG_END,
    LEG_LIMIT,
    LEG_START,
    LEG_STEP,
    LEG_UNEVEN,
    RTOL,
    TIME,
)


@inner
def begin_leg(s, t_end, first_step):
    """Begin a leg to t_end, unless the last call paused on the way there.

    Fixed steps are fitted to the leg; controlled ones go on as the last leg left them, or begin with first_step.
    """
    if s[LEG_END] == t_end:
        return
    s[LEG_END] = t_end
    s[LEG_START] = s[TIME]
    s[LEG_COUNT] = 0.0
    s[LEG_UNEVEN] = 0.0
    if s[RTOL] > 0.0:
        s[LEG_STEP] = s[LAST_H] if s[LAST_H] > 0.0 else first_step
    else:
        s[LEG_STEP] = (t_end - s[TIME]) / max(1.0, math.ceil((t_end - s[TIME]) / s[H_MAX] - 1e-6))
        s[LEG_LIMIT] = s[LEG_STEP]


@inner
def next_step(s):
    """Length of the next step: to the end of the leg if that is near, and after shorter fixed steps to their grid."""
    wanted = s[LEG_STEP]
    left = s[LEG_END] - s[TIME]
    if wanted >= left * (1.0 - 1e-9):
        return left
    if s[RTOL] == 0.0 and s[LEG_STEP] < s[LEG_LIMIT]:
        number = math.floor((s[TIME] - s[LEG_START]) / s[LEG_LIMIT] + 1e-6) + 1.0
        wanted = min(wanted, s[LEG_START] + number * s[LEG_LIMIT] - s[TIME])
    return wanted


@inner
def recover(s):
    """After a fixed step that was shortened: the next one is twice as long, back to the grid of the leg."""
    s[LEG_STEP] = min(2.0 * s[LEG_STEP], s[LEG_LIMIT])
    done = (s[TIME] - s[LEG_START]) / s[LEG_LIMIT]
    if s[LEG_STEP] < s[LEG_LIMIT]:
        return
    if abs(done - round(done)) < 1e-6:
        s[LEG_COUNT] = round(done)
        s[LEG_UNEVEN] = 0.0
    else:
        # just less than the whole step, so that it still ends on the grid
        s[LEG_STEP] = s[LEG_LIMIT] * (1.0 - 1e-9)


@inner
def spend(s):
    """Whether one more step may be tried in this call."""
    s[BUDGET] -= 1.0
    return s[BUDGET] >= 0.0


@inner
def advance_time(s, h):
    """The time after a step h of the leg, its end met exactly and fixed steps not summed up."""
    s[LEG_COUNT] += 1.0
    if h == s[LEG_END] - s[TIME]:
        s[TIME] = s[LEG_END]
    elif s[RTOL] > 0.0 or s[LEG_UNEVEN] == 1.0:
        s[TIME] += h
    else:
        s[TIME] = s[LEG_START] + s[LEG_COUNT] * s[LEG_STEP]


@inner
def end_leg(s):
    """The end of a leg, or of the only step wanted of it."""
    if s[RTOL] > 0.0:
        s[LAST_H] = s[LEG_STEP]
    s[LEG_END] = math.nan
