"""Expressions of a model as programs of the kernels: time, local variables of an element, sensors, tables."""

from __future__ import annotations

from collections.abc import Mapping

from floatframe.expressions import Expression
from floatframe.hybrid.compile.build import Additions
from floatframe.hybrid.compile.program import compile_program
from floatframe.hybrid.compile.sensors import find_sensor
from floatframe.hybrid.kernels import FIRST_SENSOR, SLOT_TIME


def add_program(b: Additions, expression: Expression, slots: Mapping[str, int]) -> int:
    """Compile an expression of t, the given local variables and sensors; returns the program's number."""
    known = {"t": SLOT_TIME, **slots}
    for name in sorted(expression.names - set(known)):
        if name not in b.sensor_slot:
            sensor = find_sensor(b, name, tuple(known), expression.where)
            b.sensor_slot[name] = FIRST_SENSOR + b.sensors.add(sensor)
        known[name] = b.sensor_slot[name]
    tables = {name: b.table_number(name) for name in sorted(expression.tables)}
    return b.programs.add(compile_program(expression, known, tables))
