"""What expressions of forces, constraints and events read of the motion: the slots of the machine that runs them."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from floatframe.hybrid.kernels.coordinates import program
from floatframe.hybrid.kernels.layout import (
    FIRST_SENSOR,
    SENSE_ANGULAR_VELOCITY,
    SENSE_AXIS,
    SENSE_COORDINATE,
    SENSE_FOOT,
    SENSE_MEMORY,
    SENSE_MODAL,
    SENSE_POSITION,
    SENSE_PROGRAM,
    SENSE_RATE,
    SENSE_VELOCITY,
    SLOT_TIME,
)
from floatframe.hybrid.kernels.options import inner
from floatframe.hybrid.kernels.vectors import column, dot

MOST_STEPS = 50  # to a foot
ROUNDED = 1e-15  # of its coordinates


@inner
def read_sensors(tables, data, q, v, t):
    """The time and all sensors; markers and coordinates must be up to date."""
    data.slots[SLOT_TIME] = t
    for i in range(len(tables.sensors)):
        sensor = tables.sensors[i]
        if sensor.kind == SENSE_PROGRAM:
            data.slots[FIRST_SENSOR + i] = program(tables, data, sensor.index)
        elif sensor.kind == SENSE_FOOT:
            find_foot(tables, data, sensor, FIRST_SENSOR + i)
        else:
            data.slots[FIRST_SENSOR + i] = (
                sensed_place(data, sensor, q) if is_place(sensor) else sensed_speed(data, sensor, v)
            )


@inner
def read_places(tables, data, q, t):
    """The time, the sensors of places, states, and signals as far as they are made of these."""
    data.slots[SLOT_TIME] = t
    for i in range(len(tables.sensors)):
        sensor = tables.sensors[i]
        if is_place(sensor):
            data.slots[FIRST_SENSOR + i] = sensed_place(data, sensor, q)
        elif sensor.kind == SENSE_PROGRAM:
            data.slots[FIRST_SENSOR + i] = program(tables, data, sensor.index)
        elif sensor.kind == SENSE_FOOT:
            find_foot(tables, data, sensor, FIRST_SENSOR + i)


@inner
def find_foot(tables, data, sensor, slot):
    """Both coordinates of a foot into their slots, by Newton's method; the second sensor finds them there."""
    if sensor.component > 0:
        return
    k = sensor.index
    data.slots[slot], data.slots[slot + 1] = program(tables, data, k), program(tables, data, k + 1)
    for _ in range(MOST_STEPS):
        x, y = program(tables, data, k + 2), program(tables, data, k + 3)
        data.slots[slot] += x
        data.slots[slot + 1] += y
        if abs(x) + abs(y) <= ROUNDED * (1.0 + abs(data.slots[slot]) + abs(data.slots[slot + 1])):
            break


@inner
def is_place(sensor):
    """Whether a sensor measures a place, or what is remembered, and not a speed."""
    return sensor.kind in (SENSE_POSITION, SENSE_COORDINATE, SENSE_MODAL, SENSE_MEMORY, SENSE_AXIS)


@inner
def sensed_place(data, sensor, q):
    """What a sensor of a place measures."""
    if sensor.kind == SENSE_POSITION:
        return data.markers[sensor.index].p[sensor.component]
    if sensor.kind == SENSE_COORDINATE:
        return data.coordinates[sensor.index].value
    if sensor.kind == SENSE_MEMORY:
        return data.memory[sensor.index]
    if sensor.kind == SENSE_AXIS:
        axis = column(data.markers[sensor.index].R, sensor.component // 3)
        return dot(axis, column(data.markers[sensor.other].R, sensor.component % 3))
    return q[sensor.index]


@inner
def sensed_speed(data, sensor, v):
    """What a sensor of a speed measures."""
    kind, k = sensor.kind, sensor.component
    if kind == SENSE_VELOCITY:
        return data.markers[sensor.index].v[k]
    if kind == SENSE_ANGULAR_VELOCITY:
        here = data.markers[sensor.index]
        return dot(column(here.R, k), here.w)
    if kind == SENSE_RATE:
        return data.coordinates[sensor.index].rate
    return v[sensor.index]
