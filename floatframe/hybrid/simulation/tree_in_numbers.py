"""Accelerations along the tree of a system with loops and flexible bodies, with numbers of any kind: such that count.

The kernels that runs use are carried out as plain Python on arrays of these numbers.
"""

# mypy: allow-untyped-calls
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from floatframe.arrays import AnyArray, Array
from floatframe.errors import ModelError
from floatframe.hybrid.assembly import CompiledSystem, State
from floatframe.hybrid.kernels import ALL_FORCES, CONVECTIVE, elimination, factor_tree, new_work, solve_tree

_TABLES = ("links", "dofs", "flexible", "markers", "coordinates", "rows", "terms", "sensors", "pool")
_DATA = ("links", "dofs", "markers", "coordinates", "rows", "pool")
_WORK = ("correction", "shifted", "rows", "tree_links", "tree_dofs", "fronts", "open", "steps", "numbers")


def accelerations_in(system: CompiledSystem, state: State, number: Callable[[float], Any]) -> AnyArray:
    """Factor the equations at a state and solve them for accelerations (nv,); number: makes one of a float."""
    now = system.evaluation(state)(state.t, state.q, ALL_FORCES | CONVECTIVE, state.v)
    residual = now.residual.copy()
    tables = system.tables._replace(**_each(system.tables, _TABLES, number))
    data = now.data._replace(**_each(now.data, _DATA, number))
    work = new_work(system.tables, order=elimination(system.tables))
    work = work._replace(**_each(work, _WORK, number))
    if not factor_tree(tables, data, work, 0.0, 0.0):
        raise ModelError("the equations of motion are singular at this state; take another one")
    for j, force in enumerate(residual.tolist()):
        work.correction[j] = number(-force)
    for k, row in enumerate(data.rows):
        work.steps[k].right = -row.convective
    solve_tree(work)
    return np.asarray(work.correction)


def _each(of: Any, names: tuple[str, ...], number: Callable[[float], Any]) -> dict[str, Any]:
    return {name: _with_numbers(getattr(of, name), number) for name in names}


def _with_numbers(array: Array | AnyArray, number: Callable[[float], Any]) -> AnyArray:
    """An array, or one of records, with such numbers in place of floats."""
    if array.dtype.names is None:
        if array.dtype.kind != "f":
            return array
        found = np.empty(array.shape, object)
        for place, value in np.ndenumerate(array):
            found[place] = number(float(value))
        return found
    fields = []
    for name in array.dtype.names:
        base, shape = array.dtype[name].subdtype or (array.dtype[name], ())
        fields.append((name, object if base.kind == "f" else base, shape))
    records = np.empty(array.shape, np.dtype((np.record, fields)))
    for name in array.dtype.names:
        records[name] = _with_numbers(array[name], number)
    return records
