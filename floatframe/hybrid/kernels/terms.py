"""Terms of constraint rows that are expressions: slopes by what they measure, times the speeds of that.

Of a row E(p, t) of places p the programs are E, its partial derivative by time, the part of its second derivative that
is without accelerations, and the slopes of E by each p. Of a row E = sum of a_i(p, t) r_i + a_0(p, t) of speeds r they
are 0, a_0, the same part of the first derivative, and each a_i. In both the rate is the sum of slope times speed plus
the second program.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from floatframe.hybrid.kernels.coordinates import (
    ZERO,
    add_coordinate_row,
    add_marker,
    apply_at,
    apply_to_coordinate,
    program,
    scaled,
)
from floatframe.hybrid.kernels.layout import SENSE_ANGULAR_VELOCITY, SENSE_RATE, SENSE_VELOCITY
from floatframe.hybrid.kernels.options import inner
from floatframe.hybrid.kernels.sensors import sensed_speed
from floatframe.hybrid.kernels.vectors import column, dot

SLOPES = 3  # programs before those of the slopes


@inner
def expression_values(tables, data, row, here):
    """Value, partial rate and slopes of a row; the sensors of places must be read."""
    here.value = program(tables, data, row.program) - row.length
    here.rate = program(tables, data, row.program + 1)
    for k in range(row.last_term - row.first_term):
        data.pool[row.work + k] = program(tables, data, row.program + SLOPES + k)


@inner
def expression_rate(tables, data, row, v):
    """First derivative of a row, but for its partial one by time."""
    total = 0.0
    for k in range(row.first_term, row.last_term):
        slope = data.pool[row.work + k - row.first_term]
        total += slope * sensed_speed(data, tables.sensors[tables.terms[k].sensor], v)
    return total


@inner
def expression_speed(tables, data, row, here, v):
    """The speeds that the rate of a row is made of, whatever their signs."""
    total = abs(here.rate)
    for k in range(row.first_term, row.last_term):
        slope = data.pool[row.work + k - row.first_term]
        total += abs(slope * sensed_speed(data, tables.sensors[tables.terms[k].sensor], v))
    return total


@inner
def expression_acceleration(tables, data, row, acc):
    """Second derivative of a row at coordinate accelerations acc; all sensors must be read."""
    total = program(tables, data, row.program + 2)
    for k in range(row.first_term, row.last_term):
        slope = data.pool[row.work + k - row.first_term]
        total += slope * sensed_acceleration(tables, data, tables.sensors[tables.terms[k].sensor], acc)
    return total


@inner
def sensed_acceleration(tables, data, sensor, acc):
    """Derivative of what a sensor of a speed measures; markers and coordinates must carry accelerations."""
    kind, k = sensor.kind, sensor.component
    if kind == SENSE_VELOCITY:
        return data.markers[sensor.index].a[k] + tables.gravity[k]
    if kind == SENSE_ANGULAR_VELOCITY:
        here = data.markers[sensor.index]
        return dot(column(here.R, k), here.e)
    if kind == SENSE_RATE:
        return data.coordinates[sensor.index].convective
    return acc[sensor.index]


@inner
def sensed_wrench(data, sensor):
    """Coefficients of a velocity or angular velocity on those of its marker."""
    k = sensor.component
    if sensor.kind == SENSE_VELOCITY:
        return (1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0), ZERO
    return ZERO, column(data.markers[sensor.index].R, k)


@inner
def add_expression_row(tables, data, row, target):
    """target (nv,) += d(rate of the row)/dv."""
    for k in range(row.first_term, row.last_term):
        sensor, slope = tables.sensors[tables.terms[k].sensor], data.pool[row.work + k - row.first_term]
        if sensor.kind == SENSE_RATE:
            add_coordinate_row(tables, data, sensor.index, slope, target)
        elif sensor.kind in (SENSE_VELOCITY, SENSE_ANGULAR_VELOCITY):
            force, torque = sensed_wrench(data, sensor)
            add_marker(tables, data, sensor.index, scaled(slope, force), scaled(slope, torque), target)
        else:
            target[sensor.index] += slope


@inner
def apply_expression(tables, data, row, value, residual):
    """The loads of a multiplier, into those of markers and the residual."""
    for k in range(row.first_term, row.last_term):
        sensor, size = tables.sensors[tables.terms[k].sensor], value * data.pool[row.work + k - row.first_term]
        if sensor.kind == SENSE_RATE:
            apply_to_coordinate(tables, data, sensor.index, size, residual)
        elif sensor.kind in (SENSE_VELOCITY, SENSE_ANGULAR_VELOCITY):
            force, torque = sensed_wrench(data, sensor)
            apply_at(tables, data, sensor.index, scaled(size, force), scaled(size, torque), residual)
        else:
            residual[sensor.index] -= size
