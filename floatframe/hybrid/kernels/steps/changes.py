"""Instants at which values that blocks hold change, where steps end.

These are samples, switches and kinks that delays bring back. The method begins again behind them, and the history of
delayed inputs begins a new segment. Switches are found as events are, see `crossings`.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

from floatframe.hybrid.kernels.energy import outer_power
from floatframe.hybrid.kernels.held import first_row, guard, is_switch, keep_inputs
from floatframe.hybrid.kernels.layout import DELAYED, SAMPLED
from floatframe.hybrid.kernels.options import inner
from floatframe.hybrid.kernels.sensors import read_sensors
from floatframe.hybrid.kernels.stepping import RUNGE_KUTTA
from floatframe.hybrid.kernels.steps.accepted import accept_events, exchange_memory, start_again
from floatframe.hybrid.kernels.steps.contacts import leave_contacts
from floatframe.hybrid.kernels.steps.crossings import EVENT_TOLERANCE, crossing
from floatframe.hybrid.kernels.steps.index1 import find_accelerations
from floatframe.hybrid.kernels.system import VELOCITY, evaluate_now

AGAIN = -1.0  # s.begun of a method that goes on behind a jump
SAME_TIME = 1e-14  # of the times: instants that are closer are one
GENERATIONS = 5.0  # of kinks that delays bring back; motion makes each smoother than the one before
PIECES, PIECES_OF_LONG_STEPS = 8.0, 4.0  # that the time until a change is cut into at least
INNER_POINTS = 3  # of the history, inside a step of order 8


# what blocks hold


@inner
def same_time(s):
    """s, by which two instants may differ."""
    return SAME_TIME * max(abs(s.time), s.span)


@inner
def next_change(tables, w, s):
    """The next instant at which something held changes."""
    soonest = math.inf
    for k in range(len(tables.held)):
        held, step = tables.held[k], w.held[k]
        if held.kind == SAMPLED:
            soonest = min(soonest, held.other + step.number * held.length)
        elif held.kind == DELAYED:
            row = first_row(w.history, step.number + 1.0)
            if row <= int(w.history[0, 0]):
                soonest = min(soonest, w.history[row, 0] + held.length)
    return soonest


@inner
def take_samples(tables, data, w, s):
    """Samples that are due, all of the values just before; whether there were any."""
    taken = False
    for k in range(len(tables.held)):
        held, step = tables.held[k], w.held[k]
        if held.kind == SAMPLED:
            if s.held_begun == 0.0:
                step.number = max(0.0, math.ceil((s.time - held.other - same_time(s)) / held.length))
            if held.other + step.number * held.length <= s.time + same_time(s):
                data.memory[held.memory] = data.slots[held.input]
                step.number += 1.0
                taken = True
    return taken


@inner
def turn_switches(tables, data, w, s):
    """Turn the switches whose inputs have come to where they change over; whether there were any."""
    any_turned = False
    for _ in range(len(tables.held)):
        read_sensors(tables, data, w.q, w.v, s.time)
        turned = False
        for k in range(len(tables.held)):
            if is_switch(tables, k):
                held, step = tables.held[k], w.held[k]
                step.largest = max(step.largest, abs(held.length - held.other))
                if guard(tables, data, k) <= EVENT_TOLERANCE * step.largest:
                    data.memory[held.memory] = 1.0 - data.memory[held.memory]
                    turned = True
        any_turned = any_turned or turned
        if not turned:
            break
    return any_turned


@inner
def enter_segments(tables, w, s):
    """Have delays go on with the segments of their inputs that come out now; the lowest generation of these."""
    lowest = math.inf
    for k in range(len(tables.held)):
        held, step = tables.held[k], w.held[k]
        if held.kind == DELAYED:
            row = first_row(w.history, step.number + 1.0)
            while row <= int(w.history[0, 0]) and w.history[row, 0] + held.length <= s.time + same_time(s):
                step.number = w.history[row, 1]
                lowest = min(lowest, w.history[row, 2])
                row = first_row(w.history, step.number + 1.0)
    return lowest


@inner
def begin_delays(tables, data, w, s):
    """Before the history delayed values are those given, or the inputs at the start, which may be delayed too."""
    for _ in range(len(tables.held)):
        read_sensors(tables, data, w.q, w.v, s.time)
        for k in range(len(tables.held)):
            if tables.held[k].kind == DELAYED:
                w.held[k].number = -1.0
                if tables.held[k].given == 0:
                    data.memory[tables.held[k].memory] = data.slots[tables.held[k].input]


@inner
def change_now(tables, data, w, s):
    """Change what is due at the accepted state, and begin again from there; False if it is singular."""
    s.due = 0.0
    start_again(tables, data, w)
    generation = enter_segments(tables, w, s) + 1.0
    evaluate_now(tables, data, w, s.time, VELOCITY, w.residual)
    if s.held_begun == 0.0:
        begin_delays(tables, data, w, s)
    read_sensors(tables, data, w.q, w.v, s.time)
    if take_samples(tables, data, w, s):
        generation = 0.0
    if turn_switches(tables, data, w, s) or s.held_begun == 0.0:
        generation = 0.0
    if w.traits.delays == 1 and generation < GENERATIONS:
        read_sensors(tables, data, w.q, w.v, s.time)
        w.history[0, 1] += 1.0
        keep_inputs(tables, data, w, s.time, generation)
    s.held_begun = 1.0
    return begin_again(tables, data, w, s)


@inner
def begin_again(tables, data, w, s):
    """Accelerations, rates and power just behind a jump, from which the method begins again."""
    if not find_accelerations(tables, data, w, s, s.time):
        return False
    for i in range(len(w.x)):
        dof = w.dofs[i]
        dof.x0 = dof.x1 = dof.a0 = w.x[i]
    for k in range(len(w.lam)):
        w.multipliers[k].lam0 = w.multipliers[k].lam1 = w.lam[k]
    for k in range(len(w.states)):
        state = w.states[k]
        state.rate0 = state.rate1 = state.a0 = data.slots[tables.states[k].rate]
    s.power = s.auxiliary_power = outer_power(tables, data, w.lam, w.v)
    leave_contacts(tables, data, w)
    crossing(tables, data, w, s, s.time)
    accept_events(w)
    s.age, s.steps_done, s.leg_end = -1.0, 0.0, math.nan
    s.begun = AGAIN
    return True


@inner
def next_piece(w, s, change):
    """The end of the present piece of the time until a change: short segments have enough points too, to any order."""
    row = first_row(w.history, w.history[0, 1])
    start = w.history[row, 0]
    length = (change - start) / (PIECES_OF_LONG_STEPS if s.stages == 12.0 else PIECES)
    if s.rtol == 0.0 or not length < s.h_max:
        return change
    return start + length * (math.floor((s.time - start + same_time(s)) / length) + 1.0)


@inner
def room_left(w):
    """Whether the history has room for one more step."""
    return w.history[0, 0] + INNER_POINTS + 3.0 < len(w.history)


@inner
def keep_step(inside, tables, data, w, s, own):
    """The inputs of the delays in the last step accepted as rows of the history.

    Steps of order 8 are long: their own polynomial gives points inside them.
    """
    if s.kind == RUNGE_KUTTA and s.stages == 12.0:
        h = s.time - s.before_time
        exchange_memory(tables, data, w)
        for i in range(INNER_POINTS):
            t = s.before_time + h * (i + 1.0) / (INNER_POINTS + 1.0)
            if inside(tables, data, w, s, own, t):
                evaluate_now(tables, data, w, t, VELOCITY, w.residual)
                read_sensors(tables, data, w.q, w.v, t)
                keep_inputs(tables, data, w, t, 0.0)
        exchange_memory(tables, data, w)
    start_again(tables, data, w)
    evaluate_now(tables, data, w, s.time, VELOCITY, w.residual)
    read_sensors(tables, data, w.q, w.v, s.time)
    keep_inputs(tables, data, w, s.time, 0.0)
