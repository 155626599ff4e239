"""From one stage of a system to the next: constraint rows that come and go, and the impulse of those that come.

All stages share the coordinates of the system, so the positions go on as they are. The speeds become those that the
rows of the new stage allow and that differ least from the old ones in the norm of the mass matrix,

    M (v+ - v-) = G^T p,   G v+ + dg/dt = 0,

which is the balance of momentum with the impulses p in the joints.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TypeVar

import numpy as np

from floatframe.arrays import AnyArray, Array, frozen, skew
from floatframe.errors import Where
from floatframe.hybrid.assembly.compiled_system import CompiledSystem, Redundant, solve_constrained
from floatframe.hybrid.assembly.consistent import mechanism_size, workspace
from floatframe.hybrid.assembly.redundancy import independent_rows, kept_rows
from floatframe.hybrid.assembly.state import Evaluation, State
from floatframe.hybrid.compile import FoundRow, SystemIndex, compiled
from floatframe.hybrid.flat import FlatStage
from floatframe.hybrid.kernels import COINCIDE, DISTANCE, EXPRESSION, IN_PLANE, PERPENDICULAR, RELATION, Data, Tables

APART = 1e-6  # times the size of the mechanism: a gap that a lever on a deformed node may bridge, or a joint may have

Kind = TypeVar("Kind", bound=CompiledSystem)


def independent_tables(
    index: SystemIndex, tables: Tables, state: State
) -> tuple[Tables, tuple[int, ...], tuple[Redundant, ...]]:
    """The arrays with those rows that hold and do not follow from others, their numbers, and the rows left out."""
    everything, _ = kept_rows(index, tables, index.rows.holding)
    kept = tuple(index.rows.holding[k] for k in independent_rows(index, everything, state))
    tables, redundant = kept_rows(index, tables, kept)
    return tables, kept, redundant


def switched(system: Kind, stage: FlatStage, state: State) -> tuple[Kind, State]:
    """The system of the stage that begins at a state, and the state with the speeds after its impulses."""
    before = system.index
    index, tables = compiled(stage.model)
    _require_same_coordinates(before, index, stage)
    memory = state.memory.copy()
    for old, m in zip(system.tables.forces["memory"], tables.forces["memory"], strict=True):
        if m >= 0 and old < 0:  # friction that begins has nothing to remember
            memory[m : m + 3] = index.room.memory[m : m + 3]
    held = {k: found for k, found in before.rows.found.items() if index.rows.names[k] not in stage.model.idle}
    here = replace(state, memory=memory)
    for name in stage.lock:
        held |= found_rows(index, tables, name, here)
    index, tables = holding(index, tables, held)
    tables, numbers, redundant = independent_tables(index, tables, here)
    _require_closed(index, tables, numbers, here, stage)
    moving = replace(here, v=_after_impulse(index, tables, here))
    after = replace(
        system,
        index=index,
        tables=tables,
        row_numbers=numbers,
        redundant=redundant,
        start=replace(moving, memory=_remembered(index, tables, moving)),
    )
    return after, after.start


def _require_same_coordinates(before: SystemIndex, index: SystemIndex, stage: FlatStage) -> None:
    """Refuse parameters that change what the coordinates mean."""
    old, new = before.tree, index.tree
    same = len(old.q) == len(new.q) and len(before.rows.names) == len(index.rows.names)
    if not same or len(before.room.memory) != len(index.room.memory):
        raise stage.where.at("set").error(
            "its parameters change the number of coordinates or joints, which must stay; set "
            "only parameters of masses and forces"
        )


def _require_closed(index: SystemIndex, tables: Tables, numbers: Sequence[int], state: State, stage: FlatStage) -> None:
    gaps = np.abs(Evaluation(tables, workspace(index, tables, state.memory))(state.t, state.q, 0).data.rows["value"])
    if len(gaps) and gaps.max() > APART * mechanism_size(index, tables):
        name = index.rows.names[numbers[int(np.argmax(gaps))]]
        raise stage.where.at("set").error(
            f"joint '{name}' is open by {gaps.max():.3g} (m or rad) when it begins; its "
            "parameters must not move the places of joints that hold"
        )


def found_rows(index: SystemIndex, tables: Tables, name: str, state: State) -> dict[int, FoundRow]:
    """The rows of a joint or relation as it finds its places; the tables are those with all rows."""
    records = index.rows.records
    data = Evaluation(tables, workspace(index, tables, state.memory))(state.t, state.q, 0).data
    rows = [k for k, owner in enumerate(index.rows.names) if owner == name]
    side, marker = "", None
    if any(records[k]["kind"] in (COINCIDE, PERPENDICULAR) for k in rows):
        side, marker = _moved_marker(index, tables, name, rows, data)
    found = {}
    for k in rows:
        row, value = records[k], float(data.rows[k]["value"])
        length = float(row["length"])
        if row["kind"] in (IN_PLANE, RELATION, EXPRESSION):
            found[k] = FoundRow(length + value)
        elif row["kind"] == DISTANCE:
            found[k] = FoundRow(float(np.linalg.norm(data.markers[row["a"]]["p"] - data.markers[row["b"]]["p"])))
        else:
            found[k] = FoundRow(length, side, marker)
    return found


def _moved_marker(
    index: SystemIndex, tables: Tables, name: str, rows: Sequence[int], data: Data
) -> tuple[str, AnyArray]:
    """The marker (1,) of one side, on its body, moved to where the other is; if one side is rigid, it is extended."""
    records, markers = index.rows.records, tables.markers
    kinds = [int(records[k]["kind"]) for k in rows]
    first = records[rows[0]]
    side = "b" if markers[first["a"]]["flexible"] >= 0 > markers[first["b"]]["flexible"] else "a"
    own, other = first[side], first["a" if side == "b" else "b"]
    moved = markers[[own]]
    marker = moved[0]
    gap = data.markers[other]["p"] - data.markers[own]["p"]
    if COINCIDE in kinds:
        if marker["flexible"] >= 0 and np.linalg.norm(gap) > APART * mechanism_size(index, tables):
            raise Where.of("joint", name).error(
                f"is to be locked with its places {np.linalg.norm(gap):.3g} m apart, which two flexible "
                "bodies do not allow; let the stage begin where they meet",
                after=" ",
            )
        marker["position"] += data.links[marker["link"]]["R"].T @ gap
    if PERPENDICULAR in kinds:
        target = np.array(data.markers[other]["R"])
        if kinds.count(PERPENDICULAR) == 1:  # universal: the axis on a is made normal to that on b
            target = _normal_to(np.array(data.markers[own]["R"]), 0, target[:, 2], side)
        node = data.markers[own]["R"] @ np.array(marker["rotation"]).T
        marker["rotation"] = np.linalg.solve(node, target)
    return side, frozen(moved)


def _normal_to(R: Array, k: int, axis: Array, side: str) -> Array:
    """R turned a little, so that its axis k (on side b, 2) is normal to an axis."""
    own = R[:, k] if side == "a" else R[:, 2]
    x = own - (own @ axis) * axis
    x /= np.linalg.norm(x)
    turn = np.cross(own, x)
    sine, cosine = float(np.linalg.norm(turn)), float(own @ x)
    if sine < 1e-15:
        return R
    n = turn / sine
    K = skew(n)
    return np.asarray((np.eye(3) + sine * K + (1.0 - cosine) * K @ K) @ R)


def holding(index: SystemIndex, tables: Tables, held: dict[int, FoundRow]) -> tuple[SystemIndex, Tables]:
    """Index and arrays with rows as they were found."""
    records = index.rows.records.copy()
    markers = [tables.markers]
    for k, found in held.items():
        records[k]["length"] = found.length
        if found.marker is not None:
            records[k][found.side] = len(tables.markers) + len(markers) - 1
            markers.append(found.marker)
    rows = replace(index.rows, records=frozen(records), found=MappingProxyType(held))
    return replace(index, rows=rows), tables._replace(markers=np.concatenate(markers))


def _after_impulse(index: SystemIndex, tables: Tables, state: State) -> Array:
    from floatframe.hybrid.kernels import JACOBIAN, MASS

    now = Evaluation(tables, workspace(index, tables, state.memory))(state.t, state.q, MASS | JACOBIAN, state.v)
    wanted = -(now.G @ state.v + now.data.rows["rate"])
    return np.asarray(state.v + solve_constrained(now.M, now.G, np.zeros(len(state.v)), wanted)[0])


def _remembered(index: SystemIndex, tables: Tables, state: State) -> Array:
    """What friction and joints remember where the stage begins."""
    from floatframe.hybrid.kernels import APPLIED, VELOCITY

    now = Evaluation(tables, workspace(index, tables, state.memory))(state.t, state.q, VELOCITY | APPLIED, state.v)
    return now.remember()
