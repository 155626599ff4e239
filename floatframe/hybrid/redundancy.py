"""Which constraint rows follow from others.

Rows are dependent if they are so wherever the mechanism can go. A start pose may be singular, as a slider-crank at its
dead centre or a parallelogram that lies flat: rows that depend on each other only there have to stay. So rows that
seem dependent at the start are judged again in poses moved away from it and closed again.
"""

from __future__ import annotations

import numpy as np
import scipy.linalg

from floatframe.arrays import Array, IntArray
from floatframe.hybrid.assembly import OPEN, coordinate_weights, mechanism_size, newton, workspace
from floatframe.hybrid.build import Build
from floatframe.hybrid.compiled_system import CompiledSystem
from floatframe.hybrid.layout import RELATION, Tables
from floatframe.hybrid.start_speeds import null_space
from floatframe.hybrid.state import Evaluation, State

DEPENDENT = 1e-9  # rows whose part normal to the others is smaller than this share are dependent
SMALL = 1e-4  # share of the largest row: smaller ones are not blown up to unit length, they may be rounding
INVOLVED = 1e-8  # share of a kept row in a dependent one
AWAY = 0.05  # rad, or times the size of the mechanism: how far poses are moved
LATER = 1e-2  # s: where motions that follow the time are judged again


def independent_rows(names: Build, tables: Tables, state: State) -> tuple[int, ...]:
    """Numbers of a largest set of rows that do not follow from each other, at the start and near it."""
    from floatframe.hybrid._kernels_system import JACOBIAN

    if len(tables.rows) == 0:
        return ()
    now = Evaluation(tables, workspace(names, tables, state.memory))
    G = np.array(now(state.t, state.q, JACOBIAN).G)
    best = leading_rows(G)
    if len(best) < len(G):
        for moved in _moved_jacobians(names, tables, state, now, G):
            found = leading_rows(moved)
            if len(found) > len(best):
                best = found
    return tuple(sorted(int(k) for k in best))


def leading_rows(G: Array) -> IntArray:
    """Numbers of a largest set of independent rows of G (m, n)."""
    size = np.linalg.norm(G, axis=1)
    scaled = G / np.maximum(size, SMALL * size.max(initial=0.0) + 1e-300)[:, None]
    _, R, order = scipy.linalg.qr(scaled.T, mode="economic", pivoting=True)
    pivots = np.abs(np.diag(R))
    rank = int(np.count_nonzero(pivots > DEPENDENT * pivots.max(initial=0.0)))
    return np.asarray(order[:rank])


def _moved_jacobians(names: Build, tables: Tables, state: State, now: Evaluation, G: Array) -> list[Array]:
    """Jacobians in poses near the start that the joints allow."""
    from floatframe.hybrid._kernels_system import JACOBIAN

    size = mechanism_size(names)
    scale = 1.0 / np.sqrt(coordinate_weights(names, tables, now.data, state.t, state.q))
    free = scale[:, None] * null_space(G * scale)
    rng = np.random.default_rng(1)  # any direction will do, but always the same
    poses = []
    for _ in range(2 if free.shape[1] else 0):
        step = free @ rng.standard_normal(free.shape[1])
        poses.append((state.t, AWAY * min(1.0, size) / np.abs(step).max() * step))
    if np.any(tables.rows["kind"] == RELATION):
        poses.append((state.t + LATER, np.zeros(len(scale))))
    found = []
    for t, step in poses:
        q, gaps = newton(now, t, now.moved(state.q, step), scale, size, np.zeros(len(G)))
        if np.abs(gaps).max() <= OPEN * size:
            found.append(np.array(now(t, q, JACOBIAN).G))
    return found


def ambiguous_joints(system: CompiledSystem) -> tuple[str, ...]:
    """Joints whose reactions are not unique: those of rows that follow from each other, and the tree joints between."""
    from floatframe.hybrid._kernels_system import JACOBIAN
    from floatframe.hybrid.compile import tables_of

    if not system.redundant:
        return ()
    names, state = system.names, system.start
    tables = tables_of(names)
    G = np.array(Evaluation(tables, workspace(names, tables, state.memory))(state.t, state.q, JACOBIAN).G)
    kept = list(system.row_numbers)
    left = [k for k in range(len(G)) if k not in kept and names.row_names[k] not in names.model.idle]
    shares = np.linalg.lstsq(G[kept].T, G[left].T, rcond=DEPENDENT)[0]
    taking_part = [*left, *np.array(kept, dtype=int)[np.abs(shares).max(axis=1, initial=0.0) > INVOLVED]]
    found = {names.row_names[k] for k in taking_part}
    numbers = {joint.name: k for k, joint in enumerate(names.model.joints)}
    for name in sorted(found & set(numbers)):
        joint = names.model.joints[numbers[name]]
        ways = [_way_to_ground(names, place.body) for place in (joint.a, joint.b)]
        found |= {names.model.joints[k].name for k in ways[0] ^ ways[1]}
    return tuple(name for name in dict.fromkeys([*numbers, *names.row_names]) if name in found)


def _way_to_ground(names: Build, body: int) -> set[int]:
    """Numbers of the tree joints between a body and the ground."""
    joint_of = {link: number for number, (link, _) in names.tree.joint_links.items()}
    link, way = names.tree.carriers[body].link, set()
    while link > 0:
        if link in joint_of:
            way.add(joint_of[link])
        link = int(names.tree.records[link]["parent"])
    return way
