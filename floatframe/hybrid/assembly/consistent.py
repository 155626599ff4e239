"""Consistent start states: bodies assembled so that all joints close, with speeds the joints allow.

Corrections are the smallest ones in a norm weighted by inertia and, for modal coordinates, by stiffness; no body is
bent if moving them is enough. Start coordinates of joints that the user gave are kept exactly if the joints can close
that way; if not, they are weighted so heavily that they give way last, and `start_checks` reports it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

import numpy as np

from floatframe.arrays import Array, BoolArray
from floatframe.errors import Where
from floatframe.hybrid.assembly.attitude_gaps import attitude_gaps
from floatframe.hybrid.assembly.endless_motions import endless_motion
from floatframe.hybrid.assembly.start_speeds import Rank, require_numbers, start_speeds
from floatframe.hybrid.assembly.state import Evaluation, State, new_data
from floatframe.hybrid.compile import SystemIndex, flexible_part
from floatframe.hybrid.kernels import DISTANCE, EXPRESSION, PERPENDICULAR, PLACES, RELATION, ROW, TERM, Data, Tables

CLOSED = 1e-12  # times the size of the mechanism: a closed joint, close to rounding
OPEN = 1e-9  # likewise: a joint that stays open
TRIES = 10  # places from which an assembly is tried before it is called impossible
GIVEN = 1e4  # weight of what the user gave against what was guessed
LIGHT = 1e-2  # weight of coordinates without inertia, as a share of the lightest one


def workspace(index: SystemIndex, tables: Tables, memory: Array) -> Data:
    """A workspace; what a system remembers beyond the memory of a state starts as its index says."""
    memory = np.concatenate((memory, index.room.memory[len(memory) :]))
    return new_data(tables, index.room.work, index.room.stack, memory)


def initial_state(index: SystemIndex, tables: Tables, t: float = 0.0, row_names: Sequence[str] | None = None) -> State:
    """The start state: positions, then speeds. `row_names` are the joints of the rows, default: of all rows."""
    from floatframe.hybrid.kernels import APPLIED, VELOCITY

    if endless := endless_motion(index.model, (t,), derivatives=1):
        raise endless.error()
    q = np.array(index.tree.q, dtype=np.float64)
    nv = len(tables.dofs)
    memory = np.array(index.room.memory, dtype=np.float64)
    data = workspace(index, tables, memory)
    weight = coordinate_weights(index, tables, data, t, q)
    names = index.rows.names if row_names is None else row_names
    require_numbers(index, tables, data, t, q, names)
    wishes = Wishes(index, tables)
    q = wishes.closed(t, q, weight, memory)
    q = close_joints(index, tables, data, t, q, weight, row_names, TRIES)
    closed = State(t, q, np.zeros(nv), memory)
    v = start_speeds(index, tables, data, closed, weight, wishes.speeds(closed), names)
    if np.any(tables.forces["memory"] >= 0):
        # friction with stick holds from where it stands
        memory = Evaluation(tables, data)(t, q, VELOCITY | APPLIED, v).remember()
    return State(t, q, v, memory)


class Wishes:
    """Start values of joints that the user gave: those of tree joints are held, those of cut joints are extra rows."""

    def __init__(self, index: SystemIndex, tables: Tables) -> None:
        self.index, self.count = index, len(tables.rows)
        measured = [
            (index.numbers.coordinates[number, k], _entry(joint.start, k), _entry(joint.start_rate, k))
            for number, joint in enumerate(index.model.joints)
            for k in range(len(joint.coordinates))
            if number not in index.tree.joint_coordinates and (number, k) in index.numbers.coordinates
        ]
        self.start = np.array([np.nan if start is None else start for _, start, _ in measured])
        self.rate = np.array([np.nan if rate is None else rate for _, _, rate in measured])
        rows, terms = np.zeros(len(measured), ROW), np.zeros(len(measured), TERM)
        rows["kind"], rows["program"] = RELATION, -1
        rows["first_term"] = len(tables.terms) + np.arange(len(measured))
        rows["last_term"] = rows["first_term"] + 1
        terms["coordinate"], terms["factor"] = [coordinate for coordinate, _, _ in measured], 1.0
        self.tables = tables._replace(
            rows=np.concatenate((tables.rows, rows)), terms=np.concatenate((tables.terms, terms))
        )

    def closed(self, t: float, q: Array, weight: Array, memory: Array) -> Array:
        """Coordinates as the user gave them with all joints closed, if they can be nothing bent; else nearest."""
        moving, bodies = np.ones(len(weight), dtype=bool), self.tables.dofs["link"] >= 0
        for number, coordinates in self.index.tree.joint_coordinates.items():
            for (_, iv), value in zip(coordinates, self.index.model.joints[number].start, strict=False):
                if value is not None:
                    moving[iv] = False
        asked = np.append(np.ones(self.count, dtype=bool), np.isfinite(self.start))
        wanted = not moving.all() or asked[self.count :].any()
        if not wanted and bodies.all():
            return q
        tables = self.tables._replace(rows=np.ascontiguousarray(self.tables.rows[asked]))
        now = Evaluation(tables, workspace(self.index, tables, memory))
        target = np.append(np.zeros(self.count), self.start)[asked]
        size, nearest, smallest = mechanism_size(self.index, self.tables), q, np.inf
        for bent in (False, True) if wanted and not bodies.all() else (False,):
            scale = (moving & (bodies | bent)) / np.sqrt(weight)
            for place in chain([q], other_places(now, q, moving & bodies, TRIES if wanted else 1)):
                found, gaps = newton(now, t, place, scale, size, target)
                gap = np.abs(gaps).max(initial=0.0)
                if gap <= OPEN * size:
                    return found
                if gap < smallest:
                    nearest, smallest = found, gap
        return nearest

    def speeds(self, state: State) -> Rank:
        """Rows (m, nv) and values (m,) of the rates given for cut joints."""
        from floatframe.hybrid.kernels import JACOBIAN

        asked = np.isfinite(self.rate)
        if not asked.any():
            return np.zeros((0, len(self.tables.dofs))), np.zeros(0)
        now = Evaluation(self.tables, workspace(self.index, self.tables, state.memory))
        return np.array(now(state.t, state.q, JACOBIAN).G[self.count :][asked]), self.rate[asked]


def _entry(values: Sequence[float | None], k: int) -> float | None:
    return values[k] if k < len(values) else None


def coordinate_weights(index: SystemIndex, tables: Tables, data: Data, t: float, q: Array) -> Array:
    """How hard each tangent coordinate (nv,) is to move: its inertia, and stiffness over one second for modes."""
    from floatframe.hybrid.kernels import MASS

    weight = np.abs(np.diag(Evaluation(tables, data)(t, q, MASS).M)).copy()
    for body, number in index.flexible_of.items():
        record, reduced = tables.flexible[number], flexible_part(index.model.bodies[body])
        span = slice(int(record["iv"]), int(record["iv"]) + reduced.nmode)
        weight[span] += np.abs(np.diag(reduced.stiffness))
    weight[weight <= 0.0] = LIGHT * weight[weight > 0.0].min(initial=1.0)
    for number, coordinates in index.tree.joint_coordinates.items():
        joint = index.model.joints[number]
        for (_, iv), value in zip(coordinates, joint.start, strict=False):
            if value is not None:
                weight[iv] *= GIVEN
    return weight


def close_joints(
    index: SystemIndex,
    tables: Tables,
    data: Data,
    t: float,
    q: Array,
    weight: Array,
    row_names: Sequence[str] | None = None,
    tries: int = 1,
) -> Array:
    """Coordinates moved as little as possible until every constraint row is zero; more tries begin elsewhere."""
    from floatframe.hybrid.kernels import JACOBIAN

    if len(tables.rows) == 0:
        return q
    size, scale = mechanism_size(index, tables), 1.0 / np.sqrt(weight)
    now, target = Evaluation(tables, data), np.zeros(len(tables.rows))
    q, g = newton(now, t, first := q, scale, size, target)
    places = other_places(now, first, tables.dofs["link"] >= 0, tries)
    while np.abs(g).max() > OPEN * size and (place := next(places, None)) is not None:
        trial, gaps = newton(now, t, place, scale, size, target)
        if np.abs(gaps).max() < np.abs(g).max():
            q, g = trial, gaps
    if np.abs(g).max() > OPEN * size:
        worst = int(np.argmax(np.abs(g)))
        name = (index.rows.names if row_names is None else row_names)[worst]
        kind = int(tables.rows[worst]["kind"])
        unit = {PERPENDICULAR: "rad", RELATION: "(m or rad)", EXPRESSION: "(m or rad)"}.get(kind, "m")
        # seen as a row and as a rotation
        gap = max(abs(g[worst]), abs(now(t, q, JACOBIAN).data.rows["value"][worst]))
        found = ""
        if kind == DISTANCE:
            gap = distance_gap(tables.rows[worst], g[worst])
            length = float(tables.rows[worst]["length"])
            apart = length + (gap if g[worst] > 0 else -gap)
            found = f": its places come to {apart:.4g} m from each other, its length is {length:.4g} m"
        raise Where.of("joint", name).error(
            f"stays open by {gap:.3g} {unit} however the bodies are moved{found}. Check its two "
            "places, the lengths of the bodies between them and the start positions.",
            after=" ",
        )
    return q


def other_places(now: Evaluation, q: Array, moving: BoolArray, tries: int) -> Iterator[Array]:
    """Coordinates farther and farther from q, in those of the tangent coordinates (nv,) that move; always the same."""
    rng = np.random.default_rng(1)
    for k in range(1, tries):
        yield now.moved(q, moving * rng.normal(scale=k / tries, size=len(moving)))


def newton(now: Evaluation, t: float, q: Array, scale: Array, size: float, target: Array) -> tuple[Array, Array]:
    """Coordinates and rows less target after Newton's method with smallest corrections, scaled by (nv,).

    Rows of speeds leave all places within reach.
    """
    from floatframe.hybrid.kernels import JACOBIAN

    scales = np.where(now.tables.rows["level"] == PLACES, 1.0, 0.0)[:, None] * scale

    def gaps(trial: Array) -> Array:
        return attitude_gaps(now.tables, now(t, trial, JACOBIAN).data) - target

    g = gaps(q)
    for _ in range(200):
        if np.abs(g).max(initial=0.0) <= CLOSED * size:
            break
        step = -scale * np.linalg.lstsq(now.G * scales, g, rcond=1e-10)[0]
        largest = np.abs(step).max(initial=0.0)
        step *= min(1.0, 0.5 * max(size, 1.0) / largest) if largest > 0 else 1.0
        for halving in range(12):
            trial = now.moved(q, step * 0.5**halving)
            closer = gaps(trial)
            if np.linalg.norm(closer) < np.linalg.norm(g):
                break
        else:
            break
        q, g = trial, closer
    return q, g


def distance_gap(row: Any, value: float) -> float:
    """Gap [m, rad] of a constraint row with a value; that of a distance is measured by its square."""
    if int(row["kind"]) != DISTANCE:
        return abs(float(value))
    length = float(row["length"])
    return abs(math.sqrt(max(length**2 + 2.0 * length * float(value), 0.0)) - length)


def mechanism_size(index: SystemIndex, tables: Tables) -> float:
    """A length (m) to judge gaps by: the farthest place from its body's origin or body from the world's."""
    places = np.concatenate((tables.markers["position"], [pose.p for pose in index.poses]))
    return max(float(np.linalg.norm(places, axis=1).max(initial=0.0)), 1e-3)
