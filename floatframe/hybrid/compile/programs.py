"""Expressions of a model as programs of the kernels: time, local variables, sensors, states, signals, tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from floatframe.errors import Where
from floatframe.expressions import Call, Expression, Number, Table, calculus
from floatframe.hybrid.compile.build import Additions
from floatframe.hybrid.compile.program import compile_program
from floatframe.hybrid.compile.sensors import find_sensor
from floatframe.hybrid.flat import RATE, VALUE
from floatframe.hybrid.kernels import DELAYED, FIRST_SENSOR, SAMPLED, SENSE_MEMORY, SENSE_PROGRAM, SLOT_TIME, SWITCHED


def sensor_slot(b: Additions, name: str, where: Where, local: tuple[str, ...] = ()) -> int:
    """The slot of what a name in an expression means; signals and rates follow what they are made of.

    where: the place of the expression; local: the variables known there without a sensor.
    """
    name = name.removesuffix(VALUE)
    if name not in b.sensor_slot:
        sensor = _quantity(b, name) or find_sensor(b, name, local, where)
        b.sensor_slot[name] = FIRST_SENSOR + b.sensors.add(sensor)
    return b.sensor_slot[name]


def _quantity(b: Additions, name: str) -> dict[str, int] | None:
    """The sensor record of a state variable, its rate, or a signal; None for other names."""
    for state in b.model.states:
        if name == state.name:
            return {"kind": SENSE_MEMORY, "index": b.state_place(name)}
        if name == state.name + RATE:
            return {"kind": SENSE_PROGRAM, "index": add_program(b, state.rate, {})}
    if any(name == held.name for held in b.model.held):
        return {"kind": SENSE_MEMORY, "index": b.state_place(name)}
    for signal in b.model.signals:
        if name == signal.name:
            return {"kind": SENSE_PROGRAM, "index": add_program(b, signal.value, {})}
    return None


def add_states(b: Additions) -> None:
    """The state variables of a model with the slots of their rates."""
    for state in b.model.states:
        rate = sensor_slot(b, state.name + RATE, state.where)
        b.states.append({"memory": b.state_place(state.name), "rate": rate, "size": state.size})


_HELD = {"sampled": SAMPLED, "switched": SWITCHED, "delayed": DELAYED}


def add_held(b: Additions) -> None:
    """What the blocks of a model hold, with the slots of their inputs."""
    for held in b.model.held:
        b.held.append(
            {
                "kind": _HELD[held.kind],
                "memory": b.state_place(held.name),
                "input": sensor_slot(b, held.input, held.where),
                "given": held.start is not None,
                "length": held.length,
                "other": held.other,
                "size": held.size,
            }
        )


def add_program(b: Additions, expression: Expression, slots: Mapping[str, int]) -> int:
    """Compile an expression of t, the given local variables and sensors; returns the program's number."""
    known = _known(b, expression, slots)
    tables = {name: b.table_number(name) for name in sorted(expression.tables)}
    return b.programs.add(compile_program(_turned(expression, b.model.tables), known, tables))


def _turned(expression: Expression, tables: Mapping[str, Table]) -> Expression:
    """An expression that looks into periodic tables within their first period."""

    def turned(call: Call) -> Call:
        if not call.table or not tables[call.table].periodic:
            return call
        (x,), ends = call.arguments, np.asarray(tables[call.table].x)[[0, -1]]
        first, period = Number(float(ends[0])), Number(float(ends[1] - ends[0]))
        within = Call("mod", (Call("-", (x, first)), period))
        return Call(call.function, (Call("+", (within, first)),), call.table)

    if not any(tables[name].periodic for name in expression.tables):
        return expression
    return Expression(calculus.filled(expression.root, {}, turned), expression.where)


def add_programs(b: Additions, expressions: Sequence[Expression], slots: Mapping[str, int]) -> int:
    """Compile expressions to programs that follow each other; returns the number of the first."""
    for expression in expressions:
        _known(b, expression, slots)  # signals have programs of their own, which must not come in between
    first, *_ = [add_program(b, expression, slots) for expression in expressions]
    return first


def _known(b: Additions, expression: Expression, slots: Mapping[str, int]) -> dict[str, int]:
    """The slots of all names of an expression."""
    known = {"t": SLOT_TIME, **slots}
    for name in sorted(expression.names - set(known)):
        known[name] = sensor_slot(b, name, expression.where, tuple(known))
    return known
