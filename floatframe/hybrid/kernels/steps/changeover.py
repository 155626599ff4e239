"""Whether a run goes on by the other method: explicit steps that have become stiff, Radau steps that need not be.

Explicit steps are suspected by the largest eigenvalue that their stages show. Once both methods have been seen, what
counts is the pace, the time simulated per evaluation; the slower one is tried again now and then, ever more rarely.
Before explicit steps are tried, a few evaluations say how fast forces answer, and with it how long such steps may be.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

from floatframe.hybrid.kernels.options import inner
from floatframe.hybrid.kernels.stepping import RUNGE_KUTTA
from floatframe.hybrid.kernels.steps.accepted import start_again
from floatframe.hybrid.kernels.steps.error_scale import speed_scale
from floatframe.hybrid.kernels.steps.index1 import find_accelerations
from floatframe.hybrid.kernels.steps.runge_kutta import NEXT
from floatframe.hybrid.kernels.steps.tableaus import A8, B8
from floatframe.hybrid.kernels.tree import move

STIFF = 2.5  # step times eigenvalue, near the end of the stable range
PROOF = 12.0  # such steps that make a motion stiff
STEADY = 0.1  # of the patience with a method: such steps after which Radau's, once seen, are tried again
PARDON = 6.0  # other steps in a row after which it is not
REFUSED, MOST_REFUSED = 48.0, 0.5  # steps, and their share of those accepted: fast decay or kinks make the errors
UNTRIED = 256.0  # steps after which Radau's are tried in any case: errors may keep steps within the stable range
CREEP = 0.05  # of the usual length of steps
FACTORS = 8.0  # evaluations of a Radau stage that new factors cost as much as
EXPLICIT_START, EXPLICIT_WINDOW = 2.0, 8.0  # steps that find their length first, and those whose pace is measured
RADAU_START, RADAU_WINDOW = 8.0, 16.0
MOST_PATIENCE = 4096.0  # steps before the other method is tried again
STABLE = 8.0  # rad of the fastest oscillation, or of what forces do, in an explicit step at most
SHIFT = 1e-8  # of what is large for a model: contacts stay closed by less than their forces press them
TURNS = 3  # of the power iteration: one rate that is far above all others shows in the second one


@inner
def creeping(w, s):
    """Whether steps of auto shrink fast, perhaps towards a singular position, which other methods step over."""
    return s.auto == 1.0 and len(w.lam) > 0 and s.time >= s.creep_from and s.leg_step < CREEP * s.usual_h


@inner
def begin_method(s):
    """Called where a method begins."""
    s.since = s.stiff_steps = s.plain_steps = 0.0
    s.rejected_before = s.rejected
    begin_window(s)


@inner
def begin_window(s):
    """Measure the pace from here on."""
    s.window_steps = 0.0
    s.window_time = s.time
    s.window_cost = cost_now(s)


@inner
def cost_now(s):
    """Evaluations of Radau stages that what was done since the start costs as much as."""
    return (s.stage_cost if s.kind == RUNGE_KUTTA else 1.0) * s.evaluations + FACTORS * s.refreshes


@inner
def pace_now(s):
    """s, simulated per evaluation since the pace is measured."""
    return (s.time - s.window_time) / max(cost_now(s) - s.window_cost, 1.0)


@inner
def judge(s, start, window):
    """After a step: whether the other method is, or may have become, the faster one.

    What is known of Radau's pace may be that of a short time in which much happened: it is soon found out again where
    explicit steps are as long as stability allows.
    """
    s.since += 1.0
    s.window_steps += 1.0
    if s.since == start:
        begin_window(s)
    elif s.since > start and s.window_steps >= window:
        s.pace = pace_now(s)
        begin_window(s)
        if s.pace < s.pace_other:
            s.change = 1.0
        elif s.stiff_steps >= STEADY * s.patience or (
            s.since >= s.patience and (s.kind == RUNGE_KUTTA or s.pace < s.explicit_pace)
        ):
            s.patience = min(2.0 * s.patience, MOST_PATIENCE)
            s.change = 1.0
        if s.change == 1.0:
            s.pace, s.pace_other = s.pace_other, s.pace


@inner
def judge_explicit(w, s):
    """After a step of dop853."""
    if stiffness(w, s) > STIFF:
        s.stiff_steps += 1.0
        s.plain_steps = 0.0
    else:
        s.plain_steps += 1.0
        if s.plain_steps >= PARDON:
            s.stiff_steps = 0.0
    if s.pace_other > 0.0:
        judge(s, EXPLICIT_START, EXPLICIT_WINDOW)
        return
    s.since += 1.0
    s.window_steps += 1.0
    refused = s.rejected - s.rejected_before
    fails = refused >= REFUSED and refused > MOST_REFUSED * s.since
    if s.stiff_steps >= PROOF or s.since >= UNTRIED or fails:
        s.pace_other = pace_now(s)
        s.change = 1.0
    elif s.stiff_steps == 0.0 and s.window_steps >= EXPLICIT_WINDOW:
        begin_window(s)


@inner
def judge_radau(tables, data, w, s, col):
    """After a Radau step; explicit ones are not tried where forces at the state accepted would make them slower."""
    judge(s, RADAU_START, RADAU_WINDOW)
    if s.change == 0.0:
        return
    rate = fastest_force(tables, data, w, s, col.dx[0], col.dx[1])
    most = STABLE / (12.0 * s.stage_cost * rate) if rate > 0.0 else math.inf
    if most < s.pace_other:
        s.change = 0.0
        s.pace, s.pace_other = s.pace_other, most
        s.since = RADAU_START


@inner
def fastest_force(tables, data, w, s, direction, here):
    """1/s, of springs and dampers at the state accepted last; direction, here (nv,): room for vectors.

    A power iteration by differences of accelerations, in shares of what is large for the model: a lower bound, of the
    right order where one force is much stiffer than others.
    """
    nv = len(w.v)
    start_again(tables, data, w)
    if not find_accelerations(tables, data, w, s, s.time):
        return 0.0
    for k in range(nv):
        here[k] = w.x[k]
    fastest = 0.0
    for kind in range(2):  # springs answer to displacements, by the square of their rate, dampers to speeds
        for k in range(nv):
            direction[k] = math.sin((k + 1.0) ** 2) / math.sqrt(nv)
        for _ in range(TURNS):
            start_again(tables, data, w)
            for k in range(nv):
                w.delta[k] = SHIFT * w.dofs[k].extent * direction[k]
            if kind == 0:
                move(tables.links, tables.flexible, w.q, w.delta)
            else:
                for k in range(nv):
                    w.v[k] += w.delta[k]
            good = find_accelerations(tables, data, w, s, s.time)
            gain = 0.0
            for k in range(nv):
                direction[k] = (w.x[k] - here[k]) / (SHIFT * w.dofs[k].extent)
                gain += direction[k] ** 2
            gain = math.sqrt(gain)
            if not good or not math.isfinite(gain) or gain == 0.0:
                break
            fastest = max(fastest, math.sqrt(gain) if kind == 0 else gain)
            for k in range(nv):
                direction[k] /= gain
    start_again(tables, data, w)
    find_accelerations(tables, data, w, s, s.time)
    return fastest


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
    for k in range(len(w.states)):
        way = 0.0
        for j in range(12):
            way += (B8[j] - A8[11, j]) * w.kz[j, k]
        top += ((w.kz[NEXT, k] - w.kz[11, k]) / w.states[k].largest) ** 2
        bottom += (way / w.states[k].largest) ** 2
    return math.sqrt(top / bottom) if bottom > 0.0 else 0.0
