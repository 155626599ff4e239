"""State variables in steps: values tried and accepted, their error scale, and the slopes that implicit steps need.

Values as tried lie in data.memory, where expressions read them; what steps know of them is in w.states. Row j of
w.slopes (nz, 3 nv + nz) belongs to state j: slopes of its rate by displacements, by speeds, then those of the residual
by its value, then those of its rate by all states.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

from floatframe.hybrid.kernels.coordinates import ZERO, add_coordinate_row, add_marker, program
from floatframe.hybrid.kernels.layout import (
    FIRST_SENSOR,
    SENSE_ANGULAR_VELOCITY,
    SENSE_COORDINATE,
    SENSE_MEMORY,
    SENSE_MODAL,
    SENSE_MODAL_RATE,
    SENSE_POSITION,
    SENSE_PROGRAM,
    SENSE_RATE,
    SENSE_VELOCITY,
)
from floatframe.hybrid.kernels.options import inner
from floatframe.hybrid.kernels.system import APPLIED, PLACED, evaluate_now
from floatframe.hybrid.kernels.vectors import column

STATE_SHIFT = 1e-6  # of the error scale of a state, for differences
SENSOR_SHIFT = 1e-7  # m, rad, m/s, rad/s and share of what is measured, likewise
ROUNDING = 1e-13  # share of a state below which corrections mean nothing


@inner
def start_states(tables, data, w):
    """Try the states accepted last."""
    for k in range(len(w.states)):
        data.memory[tables.states[k].memory] = w.states[k].z0


@inner
def read_rates(tables, data, w):
    """Rates of the states at the last evaluation of the forces."""
    for k in range(len(w.states)):
        w.states[k].rate = data.slots[tables.states[k].rate]


@inner
def accept_states(tables, data, w):
    """Make the states tried, and their rates in w.states, those that the next step starts from."""
    for k in range(len(w.states)):
        state = w.states[k]
        state.z0 = data.memory[tables.states[k].memory]
        state.rate1 = state.rate0
        state.rate0 = state.rate
        state.largest = max(state.largest, abs(state.z0))


@inner
def state_scale(tables, data, w, k):
    """What errors of state k are a share of: its largest value."""
    return max(w.states[k].largest, abs(data.memory[tables.states[k].memory]))


@inner
def states_are_numbers(tables, data, w):
    """Whether the states tried and their rates at the last evaluation are numbers."""
    good = True
    for k in range(len(w.states)):
        state = tables.states[k]
        good = good and math.isfinite(data.memory[state.memory]) and math.isfinite(data.slots[state.rate])
    return good


@inner
def combine_states(tables, data, w, h, count, weights):
    """Try the states at the start of the step + h * weighted stages."""
    for k in range(len(w.states)):
        total = 0.0
        for j in range(count):
            total += weights[j] * w.kz[j, k]
        data.memory[tables.states[k].memory] = w.states[k].z0 + h * total


# slopes


@inner
def run_programs(tables, data, first):
    """Work off the programs among the sensors again, from number `first` on."""
    for i in range(first, len(tables.sensors)):
        if tables.sensors[i].kind == SENSE_PROGRAM:
            data.slots[FIRST_SENSOR + i] = program(tables, data, tables.sensors[i].index)


@inner
def sensor_row(tables, data, sensor, target):
    """To target (nv,) the change of what a sensor measures per displacement, or per speed if it measures a speed."""
    target[:] = 0.0
    kind, k = sensor.kind, sensor.component
    unit = (1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0)
    if kind in (SENSE_POSITION, SENSE_VELOCITY):
        add_marker(tables, data, sensor.index, unit, ZERO, target)
    elif kind == SENSE_ANGULAR_VELOCITY:
        add_marker(tables, data, sensor.index, ZERO, column(data.markers[sensor.index].R, k), target)
    elif kind in (SENSE_COORDINATE, SENSE_RATE):
        add_coordinate_row(tables, data, sensor.index, 1.0, target)
    elif kind == SENSE_MODAL_RATE:
        target[sensor.index] = 1.0
    elif kind == SENSE_MODAL:
        for b in range(len(tables.flexible)):
            body = tables.flexible[b]
            if body.iq <= sensor.index < body.iq + body.n:
                target[body.iv + sensor.index - body.iq] = 1.0


@inner
def find_slopes(tables, data, w, t):
    """Fill w.slopes at the state tried, where all forces are evaluated; w.correction, w.shifted are workspace."""
    nv, nz = len(w.x), len(w.states)
    slopes, base = w.slopes, w.eliminated
    evaluate_now(tables, data, w, t, PLACED | APPLIED, w.correction)
    for k in range(nz):
        base[k, 0] = data.slots[tables.states[k].rate]
        for i in range(2 * nv):
            slopes[k, i] = 0.0
    for j in range(nz):
        place = tables.states[j].memory
        keep, shift = data.memory[place], STATE_SHIFT * state_scale(tables, data, w, j)
        data.memory[place] = keep + shift
        evaluate_now(tables, data, w, t, PLACED | APPLIED, w.shifted)
        for i in range(nv):
            slopes[j, 2 * nv + i] = (w.shifted[i] - w.correction[i]) / shift
        for k in range(nz):
            slopes[k, 3 * nv + j] = (data.slots[tables.states[k].rate] - base[k, 0]) / shift
        data.memory[place] = keep
    # forces and sensors as they were
    evaluate_now(tables, data, w, t, PLACED | APPLIED, w.correction)
    for i in range(len(tables.sensors)):
        sensor = tables.sensors[i]
        if sensor.kind in (SENSE_MEMORY, SENSE_PROGRAM):
            continue
        keep = data.slots[FIRST_SENSOR + i]
        shift = SENSOR_SHIFT * (1.0 + abs(keep))
        data.slots[FIRST_SENSOR + i] = keep + shift
        run_programs(tables, data, i)
        sensor_row(tables, data, sensor, w.shifted)
        at_rest = sensor.kind in (SENSE_POSITION, SENSE_COORDINATE, SENSE_MODAL)
        first = 0 if at_rest else nv
        for k in range(nz):
            slope = (data.slots[tables.states[k].rate] - base[k, 0]) / shift
            if slope != 0.0:
                for c in range(nv):
                    slopes[k, first + c] += slope * w.shifted[c]
        data.slots[FIRST_SENSOR + i] = keep
        run_programs(tables, data, i)


# one implicit step: the states are eliminated from its equations


@inner
def eliminate_states(w, cv, cq, cz):
    """Solve the equations of the rates for them, and add to w.M what that leaves; False if they are singular.

    With E = 1 - cz d(rate)/dz and C = -cq d(rate)/dx - cv d(rate)/dv, w.eliminated becomes [1, E^-1 C, E^-1].
    """
    nv, nz = len(w.x), len(w.states)
    W, slopes = w.eliminated, w.slopes
    for i in range(nz):
        for k in range(nz):
            W[i, k] = -cz * slopes[i, 3 * nv + k]
            W[i, nz + nv + k] = 0.0
        W[i, i] += 1.0
        W[i, nz + nv + i] = 1.0
        for j in range(nv):
            W[i, nz + j] = -cq * slopes[i, j] - cv * slopes[i, nv + j]
    for k in range(nz):
        p = k
        for i in range(k + 1, nz):
            if abs(W[i, k]) > abs(W[p, k]):
                p = i
        pivot = W[p, k]
        if pivot == 0.0 or not math.isfinite(pivot):
            return False
        for j in range(nv + 2 * nz):
            own = W[k, j]
            W[k, j] = W[p, j] / pivot
            if p != k:
                W[p, j] = own
        for i in range(nz):
            factor = W[i, k]
            if i != k and factor != 0.0:
                for j in range(nv + 2 * nz):
                    W[i, j] -= factor * W[k, j]
    for j in range(nz):
        for i in range(nv):
            factor = cz * slopes[j, 2 * nv + i]
            if factor != 0.0:
                for c in range(nv):
                    w.M[i, c] -= factor * W[j, nz + c]
    return True


@inner
def try_states(tables, data, w, cz):
    """The states that belong to their rates in w.states."""
    for k in range(len(w.states)):
        data.memory[tables.states[k].memory] = w.states[k].z_hist + cz * w.states[k].rate


@inner
def take_states_off(tables, data, w, cz):
    """What the rates leave of their equations, solved for; its part in the motion is put on the right-hand side."""
    nv, nz = len(w.x), len(w.states)
    for k in range(nz):
        total = 0.0
        for j in range(nz):
            rest = w.states[j].rate - data.slots[tables.states[j].rate]
            total += w.eliminated[k, nz + nv + j] * rest
        w.states[k].left = total
    for r in range(nv):
        i = w.rows[r].dof
        for j in range(nz):
            w.rhs[r] += cz * w.slopes[j, 2 * nv + i] * w.states[j].left


@inner
def correct_states(tables, data, w, s):
    """Correct the rates after the accelerations; the largest correction over what iterations may leave."""
    nv, nz = len(w.x), len(w.states)
    largest = 0.0
    for k in range(nz):
        state = w.states[k]
        change = -state.left
        for j in range(nv):
            change -= w.eliminated[k, nz + j] * w.correction[j]
        state.rate += change
        allowed = s.newton_tolerance * s.h * abs(state.rate) + ROUNDING * state_scale(tables, data, w, k)
        size = abs(s.cz * change) / allowed
        largest = size if math.isnan(size) else max(largest, size)
    return largest
