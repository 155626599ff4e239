"""Whether a run goes on by the other method: explicit steps that have become stiff, Radau steps that need not be.

Explicit steps are suspected by the largest eigenvalue that their stages show. What counts then is the pace of both, the
time simulated per evaluation; Radau steps let explicit ones try again from time to time, ever more rarely.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

from floatframe.hybrid.kernels.options import inner
from floatframe.hybrid.kernels.steps.dormand_prince8 import A8, B8
from floatframe.hybrid.kernels.steps.error_scale import speed_scale
from floatframe.hybrid.kernels.steps.runge_kutta import NEXT

STIFF = 3.0  # step times eigenvalue, near the end of the stable range
PROOF = 12.0  # such steps in a row that make a motion stiff
PARDON = 6.0  # other steps in a row after which it is not
TRIAL = 8.0  # explicit steps after which they are compared with Radau steps
FACTORS = 5.0  # evaluations that new factors cost as much as
MOST_PATIENCE = 3000.0  # Radau steps before explicit ones are tried


@inner
def begin_pace(s):
    """Count time and evaluations from here on."""
    s.pace_time = s.time
    s.pace_cost = s.evaluations + FACTORS * s.refreshes
    s.since = s.stiff_steps = s.plain_steps = 0.0


@inner
def pace(s):
    """s, simulated per evaluation since the method began."""
    return (s.time - s.pace_time) / max(s.evaluations + FACTORS * s.refreshes - s.pace_cost, 1.0)


@inner
def change_over(s):
    """Let the other method go on from the state accepted last."""
    s.pace_other = pace(s)
    s.change = 1.0


@inner
def judge_explicit(w, s):
    """After a step of dop853."""
    s.since += 1.0
    if stiffness(w, s) > STIFF:
        s.stiff_steps += 1.0
        s.plain_steps = 0.0
    else:
        s.plain_steps += 1.0
        if s.plain_steps >= PARDON:
            s.stiff_steps = 0.0
    suspected = s.stiff_steps >= PROOF or (s.pace_other > 0.0 and s.since == TRIAL)
    if suspected and (s.pace_other == 0.0 or pace(s) < s.pace_other):
        change_over(s)


@inner
def judge_radau(s):
    """After a Radau step."""
    s.since += 1.0
    if s.since >= s.patience:
        s.patience = min(2.0 * s.patience, MOST_PATIENCE)
        change_over(s)


@inner
def stiffness(w, s):
    """Step times the largest eigenvalue, by the end of the step and the last stage, which lies at the same time."""
    top = bottom = 0.0
    for k in range(len(w.q)):
        way = 0.0
        for j in range(12):
            way += (B8[j] - A8[11, j]) * w.kq[j, k]
        top += ((w.kq[NEXT, k] - w.kq[11, k]) / w.coordinates[k].extent) ** 2
        bottom += (way / w.coordinates[k].extent) ** 2
    for k in range(len(w.v)):
        way = 0.0
        for j in range(12):
            way += (B8[j] - A8[11, j]) * w.kv[j, k]
        scale = speed_scale(w, s, k)
        top += ((w.kv[NEXT, k] - w.kv[11, k]) / scale) ** 2
        bottom += (way / scale) ** 2
    return math.sqrt(top / bottom) if bottom > 0.0 else 0.0
