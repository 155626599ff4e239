"""Which constraint rows follow from others.

Rows are dependent if they are so wherever the mechanism can go. A start pose may be singular, as a slider-crank at its
dead centre or a parallelogram that lies flat: rows that depend on each other only there have to stay. So rows that
seem dependent at the start are judged again in poses moved away from it and closed again. The rows kept may become
singular later, where the mechanism itself is not; `rows_for_pose` then chooses those that suit the pose. Rows of places
are chosen before those of speeds, which they may imply.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np

from floatframe.arrays import Array, BoolArray, IntArray
from floatframe.hybrid.assembly.compiled_system import CompiledSystem, Redundant
from floatframe.hybrid.assembly.consistent import OPEN, coordinate_weights, mechanism_size, newton, workspace
from floatframe.hybrid.assembly.start_speeds import null_space
from floatframe.hybrid.assembly.state import Evaluation, State
from floatframe.hybrid.compile import SystemIndex
from floatframe.hybrid.dense import pivoted_qr
from floatframe.hybrid.kernels import EXPRESSION, LENGTHS, RELATION, SPEEDS, Tables, sealed

DEPENDENT = 1e-9  # rows whose part normal to the others is smaller than this share are dependent
SMALL = 1e-4  # share of the largest row: smaller ones are not blown up to unit length, they may be rounding
NOTHING = 1e-12  # of a row, over the size of the mechanism or 1
INVOLVED = 1e-8  # share of a kept row in a dependent one
AWAY = 0.05  # rad, or times the size of the mechanism: how far poses are moved
CLOSED_RATE = 1e-8  # share of the largest rate of a row: smaller ones are rounding of a singular position
LATER = 1e-2  # s: where motions that follow the time are judged again


def independent_rows(index: SystemIndex, tables: Tables, state: State) -> tuple[int, ...]:
    """Numbers of a largest set of rows that do not follow from each other, at the start and near it."""
    from floatframe.hybrid.kernels import JACOBIAN

    if len(tables.rows) == 0:
        return ()
    now = Evaluation(tables, workspace(index, tables, state.memory))
    G = np.array(now(state.t, state.q, JACOBIAN).G)
    units = np.where(np.isin(tables.rows["kind"], LENGTHS), mechanism_size(index, tables), 1.0)
    units[np.isin(tables.rows["kind"], (RELATION, EXPRESSION))] = 0.0
    speeds = tables.rows["level"] == SPEEDS
    best = leading_rows(G, units, speeds)
    if len(best) < len(G):
        for moved in _moved_jacobians(index, tables, state, now, G):
            found = leading_rows(moved, units, speeds)
            if len(found) > len(best):
                best = found
    return tuple(sorted(int(k) for k in best))


def leading_rows(G: Array, units: Array | float = 0.0, later: BoolArray | None = None) -> IntArray:
    """Numbers of a largest set of independent rows of G (m, n); rows far below their units (m,) are rounding.

    later (m,): rows that are taken only where the others leave something to them.
    """
    size = np.linalg.norm(G, axis=1)
    # a joint between places that another joint holds together already has no rows but rounding
    there = np.flatnonzero(size > NOTHING * units)
    if not len(there):
        return there
    length = np.maximum(size, SMALL * size.max() + 1e-300)[there]
    order, pivots = ranked_rows(G[there] / length[:, None], None if later is None else later[there])
    return np.asarray(there[order[pivots > DEPENDENT * pivots.max()]])


def ranked_rows(G: Array, later: BoolArray | None = None) -> tuple[IntArray, Array]:
    """Numbers of the rows of G (m, n), each followed by the one that adds most to it, and how much each adds.

    later (m,): rows that come behind the others, with what they add to them.
    """
    if later is None or not later.any():
        R, order = pivoted_qr(G.T)
        return order[: len(R)], np.abs(np.diag(R))
    first, second = np.flatnonzero(~later), np.flatnonzero(later)
    order, pivots = ranked_rows(G[first]) if len(first) else (first, np.zeros(0))
    leading = G[first[order[pivots > DEPENDENT * pivots.max(initial=0.0)]]]
    normal = np.linalg.qr(leading.T)[0]
    rest, more = ranked_rows(G[second] - (G[second] @ normal) @ normal.T)
    return np.concatenate((first[order], second[rest])), np.concatenate((pivots, more))


def kept_rows(index: SystemIndex, tables: Tables, kept: Sequence[int]) -> tuple[Tables, tuple[Redundant, ...]]:
    """The arrays with these of all rows, the others that hold as spare ones, and the names of those."""
    left = [k for k in index.rows.holding if k not in kept]
    redundant = (Redundant(index.rows.names[k], k - index.rows.names.index(index.rows.names[k]) + 1) for k in left)
    rows, spare = (np.ascontiguousarray(index.rows.records[list(numbers)]) for numbers in (kept, left))
    return sealed(tables._replace(rows=rows, spare=spare)), tuple(redundant)


AnySystem = TypeVar("AnySystem", bound=CompiledSystem)


def with_rows(system: AnySystem, kept: Sequence[int]) -> AnySystem:
    """The system with these of all its rows."""
    tables, redundant = kept_rows(system.index, system.tables, kept)
    return replace(system, tables=tables, row_numbers=tuple(kept), redundant=redundant)


def all_rows(system: CompiledSystem, state: State) -> Evaluation:
    """The kernels with all rows that hold."""
    tables = with_rows(system, system.index.rows.holding).tables
    return Evaluation(tables, workspace(system.index, tables, state.memory))


def rows_for_pose(system: AnySystem, state: State) -> tuple[AnySystem, State]:
    """The system with as many rows as before, those that suit the pose best, and the state closed in all rows."""
    from floatframe.hybrid.kernels import JACOBIAN

    now = all_rows(system, state)
    scale = 1.0 / np.sqrt(coordinate_weights(system.index, now.tables, now.data, state.t, np.array(state.q)))
    size = mechanism_size(system.index, system.tables)
    q, _ = newton(now, state.t, np.array(state.q), scale, size, np.zeros(len(now.tables.rows)))
    G = np.array(now(state.t, q, JACOBIAN).G)
    opening = G @ state.v + now.data.rows["rate"]
    v = state.v - scale * np.linalg.lstsq(G * scale, opening, rcond=CLOSED_RATE)[0]
    # a row that is about to vanish is a bad one, so rows are not brought to one length here
    lengths = np.isin(now.tables.rows["kind"], LENGTHS)
    later = now.tables.rows["level"] == SPEEDS
    best = ranked_rows(G / np.where(lengths, size, 1.0)[:, None], later)[0][: system.nlambda]
    kept = sorted(system.index.rows.holding[k] for k in best)
    return with_rows(system, kept), State(state.t, q, v, state.memory)


def _moved_jacobians(index: SystemIndex, tables: Tables, state: State, now: Evaluation, G: Array) -> list[Array]:
    """Jacobians in poses near the start that the joints allow."""
    from floatframe.hybrid.kernels import JACOBIAN

    size = mechanism_size(index, tables)
    scale = 1.0 / np.sqrt(coordinate_weights(index, tables, now.data, state.t, state.q))
    free = scale[:, None] * null_space(G * scale)
    rng = np.random.default_rng(1)  # any direction will do, but always the same
    poses = []
    for _ in range(2 if free.shape[1] else 0):
        step = free @ rng.standard_normal(free.shape[1])
        poses.append((state.t, AWAY * min(1.0, size) / np.abs(step).max() * step))
    if np.isin(tables.rows["kind"], (RELATION, EXPRESSION)).any():
        poses.append((state.t + LATER, np.zeros(len(scale))))
    found = []
    for t, step in poses:
        q, gaps = newton(now, t, now.moved(state.q, step), scale, size, np.zeros(len(G)))
        if np.abs(gaps).max() <= OPEN * size:
            found.append(np.array(now(t, q, JACOBIAN).G))
    return found


def ambiguous_joints(system: CompiledSystem) -> tuple[str, ...]:
    """Joints whose reactions are not unique: those of rows that follow from each other, and the tree joints between."""
    from floatframe.hybrid.kernels import JACOBIAN

    if not system.redundant:
        return ()
    index, state = system.index, system.start
    G = np.array(all_rows(system, state)(state.t, state.q, JACOBIAN).G)
    kept = list(system.row_numbers)
    left = [k for k in index.rows.holding if k not in kept]
    place = {row: k for k, row in enumerate(index.rows.holding)}
    shares = np.linalg.lstsq(G[[place[k] for k in kept]].T, G[[place[k] for k in left]].T, rcond=DEPENDENT)[0]
    taking_part = [*left, *np.array(kept, dtype=int)[np.abs(shares).max(axis=1, initial=0.0) > INVOLVED]]
    found = {index.rows.names[k] for k in taking_part}
    numbers = {joint.name: k for k, joint in enumerate(index.model.joints)}
    for name in sorted(found & set(numbers)):
        joint = index.model.joints[numbers[name]]
        ways = [_way_to_ground(system, place.body) for place in (joint.a, joint.b)]
        found |= {index.model.joints[k].name for k in ways[0] ^ ways[1]}
    return tuple(name for name in dict.fromkeys([*numbers, *index.rows.names]) if name in found)


def _way_to_ground(system: CompiledSystem, body: int) -> set[int]:
    """Numbers of the tree joints between a body and the ground."""
    joint_of = {link: number for number, (link, _) in system.index.tree.joint_links.items()}
    link, way = system.index.tree.carriers[body].link, set()
    while link > 0:
        if link in joint_of:
            way.add(joint_of[link])
        link = int(system.tables.links[link]["parent"])
    return way
