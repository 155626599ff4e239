"""From what was collected about a model to the arrays that kernels read and the index of what is where in them.

This is done once when a model is compiled; what is measured later, in events and records, is put behind it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import numpy as np

from floatframe.arrays import AnyArray, frozen
from floatframe.expressions import NO_TABLES, TableBook, link_tables
from floatframe.hybrid.compile.build import Additions, Build
from floatframe.hybrid.compile.index import Numbers, Room, RowIndex, SystemIndex, TreeIndex
from floatframe.hybrid.compile.program import NO_PROGRAMS, ProgramBook, link
from floatframe.hybrid.flat import FlatModel
from floatframe.hybrid.kernels import (
    COORDINATE,
    DOF,
    FLEXIBLE,
    FORCE,
    HELD,
    LINK,
    MARKER,
    ROW,
    SENSOR,
    STATE,
    TERM,
    Tables,
    sealed,
)

NOTHING = Tables(
    links=np.zeros(0, LINK),
    dofs=np.zeros(0, DOF),
    flexible=np.zeros(0, FLEXIBLE),
    markers=np.zeros(0, MARKER),
    coordinates=np.zeros(0, COORDINATE),
    rows=np.zeros(0, ROW),
    spare=np.zeros(0, ROW),
    terms=np.zeros(0, TERM),
    forces=np.zeros(0, FORCE),
    sensors=np.zeros(0, SENSOR),
    states=np.zeros(0, STATE),
    held=np.zeros(0, HELD),
    gravity=np.zeros(3),
    pool=np.zeros(1),
    code=NO_PROGRAMS.code,
    constants=NO_PROGRAMS.constants,
    begin=NO_PROGRAMS.begin,
    table_begin=NO_TABLES.begin,
    table_x=NO_TABLES.x,
    table_coefficients=NO_TABLES.coefficients,
)


def finished(b: Build) -> tuple[SystemIndex, Tables]:
    """Index and arrays of the links, joints and relations that were built, with all their constraint rows."""
    model = b.model
    rows = _records(ROW, b.rows)
    tables = NOTHING._replace(
        links=b.tree.table(),
        dofs=_records(DOF, b.tree.dofs),
        flexible=_records(FLEXIBLE, b.flexible),
        rows=rows,
        spare=rows[:0],
        terms=_records(TERM, b.terms),
        gravity=np.array(model.gravity, dtype=np.float64),
    )
    index = SystemIndex(
        model=model,
        poses=b.poses,
        tree=_tree_index(b),
        flexible_of=MappingProxyType(b.flexible_of),
        cut_joints=MappingProxyType(b.cut_joints),
        rows=RowIndex(
            records=rows,
            names=tuple(b.row_names),
            holding=tuple(k for k, name in enumerate(b.row_names) if name not in model.idle),
        ),
    )
    return extended(index, tables, b)


def with_damping(index: SystemIndex, tables: Tables, model: FlatModel) -> tuple[SystemIndex, Tables]:
    """Index and arrays with the damping of the bodies of a model whose ratios were those of modes as held."""
    pool = tables.pool.copy()
    for number, k in index.flexible_of.items():
        if index.model.bodies[number].held_ratios is not None:
            n, start = int(tables.flexible[k]["n"]), int(tables.flexible[k]["matrices"])
            pool[start + 2 * n * n : start + 3 * n * n] = model.bodies[number].damping.ravel()
    return replace(index, model=model), tables._replace(pool=pool)


def _tree_index(b: Build) -> TreeIndex:
    tree = b.tree
    return TreeIndex(
        carriers=MappingProxyType(tree.carriers),
        joint_links=MappingProxyType(tree.joint_links),
        joint_coordinates=MappingProxyType({joint: tuple(steps) for joint, steps in tree.joint_coordinates.items()}),
        particles=MappingProxyType(tree.particles),
        q=frozen(np.array(tree.q0, dtype=np.float64)),
    )


def extended(index: SystemIndex, tables: Tables, added: Additions) -> tuple[SystemIndex, Tables]:
    """Index and arrays of a system with what was added to it."""
    book = link(added.programs, ProgramBook(tables.code, tables.constants, tables.begin, index.room.stack))
    lookup = link_tables(added.tables, TableBook(tables.table_begin, tables.table_x, tables.table_coefficients))
    pool = np.concatenate([tables.pool[: index.room.pool], *added.pool]) if added.pool else tables.pool
    numbers = Numbers(
        markers=MappingProxyType(added.marker_number),
        coordinates=MappingProxyType(added.coordinate_number),
        sensors=MappingProxyType(added.sensor_slot),
        tables=MappingProxyType(added.table_numbers),
        states=MappingProxyType(added.state_places),
    )
    memory = frozen(np.concatenate([index.room.memory, added.memory]))
    room = Room(memory, added.work_size, book.stack_depth, added.pool_size)
    tables = tables._replace(
        markers=_behind(tables.markers, added.markers),
        coordinates=_behind(tables.coordinates, added.coordinates),
        sensors=_behind(tables.sensors, added.sensors),
        states=_behind(tables.states, added.states),
        held=_behind(tables.held, added.held),
        forces=_behind(tables.forces, added.forces),
        pool=pool if pool.size else np.zeros(1),
        code=book.code,
        constants=book.constants,
        begin=book.begin,
        table_begin=lookup.begin,
        table_x=lookup.x,
        table_coefficients=lookup.coefficients,
    )
    functions = (*index.functions, *added.functions)
    wheels = (*index.wheels, *added.wheels)
    return replace(index, numbers=numbers, room=room, functions=functions, wheels=wheels), sealed(tables)


def _fill(record: Any, value: dict[str, Any]) -> None:
    """Put values into the fields of a record; a dictionary goes into a record inside it."""
    for name, entry in value.items():
        if isinstance(entry, dict):
            _fill(record[name], entry)
        else:
            record[name] = entry


def _behind(records: AnyArray, values: Sequence[dict[str, Any]]) -> AnyArray:
    """Records with others behind them; `np.concatenate` takes long to find out that their types are the same."""
    if not values or not len(records):
        return _records(records.dtype, values) if values else records
    out = np.zeros(len(records) + len(values), records.dtype)
    out[: len(records)] = records
    out[len(records) :] = _records(records.dtype, values)
    return out


def _records(dtype: np.dtype[Any], values: Sequence[dict[str, Any]]) -> AnyArray:
    out = np.zeros(len(values), dtype)
    for k, value in enumerate(values):
        _fill(out[k], value)
    return out
