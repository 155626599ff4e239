"""What expressions of forces and events read of the motion: the slots of the machine that runs them."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from floatframe.hybrid.kernels.layout import (
    FIRST_SENSOR,
    SENSE_ANGULAR_VELOCITY,
    SENSE_COORDINATE,
    SENSE_MODAL,
    SENSE_MODAL_RATE,
    SENSE_POSITION,
    SENSE_RATE,
    SENSE_VELOCITY,
    SLOT_TIME,
)
from floatframe.hybrid.kernels.options import inner
from floatframe.hybrid.kernels.vectors import turn_back


@inner
def read_sensors(tables, data, q, v, t):
    """The time and all sensors; markers and coordinates must be up to date."""
    data.slots[SLOT_TIME] = t
    for i in range(len(tables.sensors)):
        sensor = tables.sensors[i]
        kind, k = sensor.kind, sensor.component
        value = 0.0
        if kind == SENSE_POSITION:
            value = data.markers[sensor.index].p[k]
        elif kind == SENSE_VELOCITY:
            value = data.markers[sensor.index].v[k]
        elif kind == SENSE_ANGULAR_VELOCITY:
            here = data.markers[sensor.index]
            value = turn_back(here.R, here.w)[k]
        elif kind == SENSE_COORDINATE:
            value = data.coordinates[sensor.index].value
        elif kind == SENSE_RATE:
            value = data.coordinates[sensor.index].rate
        elif kind == SENSE_MODAL:
            value = q[sensor.index]
        elif kind == SENSE_MODAL_RATE:
            value = v[sensor.index]
        data.slots[FIRST_SENSOR + i] = value
