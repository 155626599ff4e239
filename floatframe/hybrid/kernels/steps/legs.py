"""Legs: the steps that lead to the next time that must be met, which one call may begin and another finish."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

from floatframe.hybrid.kernels.options import inner


@inner
def begin_leg(s, t_end, first_step):
    """Begin a leg to t_end, unless the last call paused on the way there.

    Fixed steps are fitted to the leg; controlled ones go on as the last leg left them, or begin with first_step.
    """
    if s.leg_end == t_end:
        return
    s.leg_end = t_end
    s.leg_start = s.time
    s.leg_count = 0.0
    s.leg_uneven = 0.0
    if s.rtol > 0.0:
        s.leg_step = s.last_h if s.last_h > 0.0 else first_step
    else:
        s.leg_step = (t_end - s.time) / max(1.0, math.ceil((t_end - s.time) / s.h_max - 1e-6))
        s.leg_limit = s.leg_step


@inner
def next_step(s):
    """Length of the next step: to the end of the leg if that is near, and after shorter fixed steps to their grid."""
    wanted = s.leg_step
    left = s.leg_end - s.time
    if wanted >= left * (1.0 - 1e-9):
        return left
    if s.rtol == 0.0 and s.leg_step < s.leg_limit:
        number = math.floor((s.time - s.leg_start) / s.leg_limit + 1e-6) + 1.0
        wanted = min(wanted, s.leg_start + number * s.leg_limit - s.time)
    return wanted


@inner
def recover(s):
    """After a fixed step that was shortened: the next one is twice as long, back to the grid of the leg."""
    s.leg_step = min(2.0 * s.leg_step, s.leg_limit)
    done = (s.time - s.leg_start) / s.leg_limit
    if s.leg_step < s.leg_limit:
        return
    if abs(done - round(done)) < 1e-6:
        s.leg_count = round(done)
        s.leg_uneven = 0.0
    else:
        # just less than the whole step, so that it still ends on the grid
        s.leg_step = s.leg_limit * (1.0 - 1e-9)


@inner
def spend(s):
    """Whether one more step may be tried in this call."""
    s.budget -= 1.0
    return s.budget >= 0.0


@inner
def advance_time(s, h):
    """The time after a step h of the leg, its end met exactly and fixed steps not summed up."""
    s.leg_count += 1.0
    if h == s.leg_end - s.time:
        s.time = s.leg_end
    elif s.rtol > 0.0 or s.leg_uneven == 1.0:
        s.time += h
    else:
        s.time = s.leg_start + s.leg_count * s.leg_step


@inner
def end_leg(s):
    """The end of a leg, or of the only step wanted of it."""
    if s.rtol > 0.0:
        s.last_h = s.leg_step
    s.leg_end = math.nan
