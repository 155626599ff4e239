"""A machine as others drive it: residual and tangent of its equations with ports, for networks of elements.

Its state variables z come along, each with its rate.
A port is a joint with one coordinate, or a spring element between two points, whose own law stays. Its velocity is that
of the coordinate or of the distance, B v; its force acts on the machine with B^T.

Stages change the equations at their times. All have the same unknowns: rows of joints that do not hold are idle.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from floatframe.arrays import Array, BoolArray, short_repr
from floatframe.errors import ModelError, Where
from floatframe.hybrid.assembly import CompiledSystem, Evaluation, State, coordinate_names, switched
from floatframe.hybrid.kernels import ANGLE, COUNTERS, Kept
from floatframe.hybrid.results import Observer, available, node_channel
from floatframe.hybrid.settings import Record
from floatframe.hybrid.studies import evaluation, natural_units, state_in_rows, turning_coordinates
from floatframe.io import Channel
from floatframe.wording import did_you_mean

STEP = 1e-5  # of the differences that tangents are made of, over the size of coordinates


@dataclass(frozen=True)
class DrivenPlace:
    """A place of a machine where others act: a speed of a joint, or a spring element."""

    name: str
    turns: bool
    speed: int = -1  # number of the speed, of a joint
    force: int = -1  # number of the force element


@short_repr
@dataclass(frozen=True, eq=False)
class Motion:
    """Equations at a state: M a + k - f - G^T lam without port forces, rows of the constraints, motion of the ports."""

    residual: Array  # (nv,)
    M: Array  # (nv, nv)
    G: Array  # (nrow, nv), zero in rows that are idle, as gap and gap_rate
    gap: Array  # (nrow,) of the constraints
    gap_rate: Array  # (nrow,) what speeds do not give of it
    idle: BoolArray  # (nrow,)
    B: Array  # (nport, nv)
    moved: Array  # (nport,) displacements of ports from the start
    rates: Array  # (nz,) of the state variables


class Slopes(NamedTuple):
    """Derivatives of the residual of a motion and of the rates of states, by displacements, speeds and states."""

    K: Array  # (nv, nv) of the residual
    C: Array
    Z: Array  # (nv, nz)
    rates_by_x: Array  # (nz, nv)
    rates_by_v: Array
    rates_by_z: Array  # (nz, nz)


class Coupling:
    """A system with ports; coordinates are those of an anchor moved by x (nv,) less what the anchor has gone already.

    Bodies that turn freely have no coordinates that add up: the anchor has to follow a motion from step to step.
    """

    def __init__(self, system: CompiledSystem, ports: Sequence[str]) -> None:
        from floatframe.hybrid.kernels import APPLIED, VELOCITY

        self._where = where = Where.of("machine", system.model.name)
        self._first, self._state = system, system.initial_state()
        _require_plain(system, self._state, where)
        stages = system.model.stages
        self._rows = tuple(range(len(system.index.rows.names))) if stages else system.row_numbers
        self.row_names = tuple(system.index.rows.names[k] for k in self._rows)
        if twice := next((name for k, name in enumerate(ports) if name in ports[:k]), ""):
            raise where.error(f"port '{twice}' is named twice; let all that acts on it join one node")
        self.ports = tuple(_port(system, name, where) for name in ports)
        tables = system.tables
        self._places, self.state_sizes = tables.states["memory"], tables.states["size"]
        # bodies that turn freely, and what joints and friction remember, follow a motion from step to step
        remembers = (tables.forces["memory"] >= 0).any() or (tables.coordinates["kind"] == ANGLE).any()
        self.follows = system.nq != system.nv or bool(remembers)
        self.begin()
        plain = self._now(self._state.t, self._state.q, VELOCITY | APPLIED)
        self._lengths = plain.data.forces["elongation"].copy()
        self._units = natural_units(system)
        self.names = tuple(map(_short, coordinate_names(system)))
        self.turning = turning_coordinates(system)  # (nv,)
        self.start_speeds = self._state.v
        self.state_names = tuple(one.name for one in system.model.states)
        self.start_states = self._state.memory[self._places]

    def begin(self) -> None:
        """Put the anchor where the machine starts."""
        self._begun: list[State] = []  # states that later stages were begun from
        self._enter(self._first)
        self._anchor, self._gone, self._memory = self._state.q, np.zeros(self.system.nv), self._state.memory

    def _enter(self, system: CompiledSystem) -> None:
        """Take the equations of a system, of which each stage has one."""
        self.system = system
        self._now = system.evaluation(self._state)
        self._pulled = {port.force: self._tightened(port.force) for port in self.ports if port.force >= 0}
        place = {number: k for k, number in enumerate(self._rows)}
        self._order = np.array([place[number] for number in system.row_numbers], dtype=int)  # of rows that hold
        self.active = np.isin(self._rows, system.row_numbers)

    @property
    def next_stage(self) -> float:
        """When the next stage begins [s]."""
        stages = self._first.model.stages
        return stages[len(self._begun)].when.evaluate() if len(self._begun) < len(stages) else math.inf

    @property
    def words(self) -> str:
        """Which stages have begun."""
        names = (stage.name for stage in self._first.model.stages)
        return " ".join(
            f"Stage '{name}' began at t = {state.t:.6g} s." for name, state in zip(names, self._begun, strict=False)
        )

    def change(self, t: float, x: Array, v: Array, a: Array, lam: Array, z: Array) -> None:
        """Go over to the next stage where the machine is; its speeds are not yet those that the new rows allow."""
        self.follow(t, x, v, a, lam, z)
        memory = self._memory.copy()
        memory[self._places] = z
        self._begin_stage(State(t, self._anchor, v.copy(), memory))

    def _begin_stage(self, state: State) -> None:
        stage = self._first.model.stages[len(self._begun)]
        system, after = switched(self.system, stage, state)
        if system.nz and (inside := state_in_rows(system, system.tables, after)):
            raise _in_rows(self._where, inside)
        self._begun.append(state)
        self._enter(system)
        self._anchor, self._memory = state.q, after.memory

    def follow(self, t: float, x: Array, v: Array, a: Array, lam: Array, z: Array) -> None:
        """Put the anchor where the machine is."""
        self.equations(t, x, v, a, lam, z)
        self._anchor, self._gone, self._memory = self._q(x).copy(), x.copy(), self._now.remember().copy()

    def anchored(self) -> Array:
        """Anchor and stages, in a row whose length does not change, for a run that is resumed."""
        begun = [np.concatenate(([state.t], state.q, state.v, state.memory)) for state in self._begun]
        left = len(self._first.model.stages) - len(begun)
        empty = np.zeros(left * (1 + len(self._anchor) + len(self._gone) + len(self._memory)))
        return np.concatenate((self._anchor, self._gone, self._memory, [len(begun)], *begun, empty))

    def anchor(self, kept: Array) -> None:
        """Put the anchor where it was."""
        sizes = nq, nv, _ = self.system.nq, self.system.nv, len(self._memory)
        own, count, begun = np.split(kept, (sum(sizes), sum(sizes) + 1))
        self.begin()
        for row in begun.reshape(-1, 1 + sum(sizes))[: int(count[0])]:
            q, v, memory = np.split(row[1:], (nq, nq + nv))
            self._begin_stage(State(float(row[0]), q, v, memory))
        self._anchor, self._gone, self._memory = (part.copy() for part in np.split(own, (nq, nq + nv)))

    def _q(self, x: Array) -> Array:
        return self._now.moved(self._anchor, x - self._gone)

    def _with_states(self, now: Evaluation, z: Array) -> Evaluation:
        """Kernels that see what was remembered, and states."""
        now.data.memory[: len(self._memory)] = self._memory
        now.data.memory[self._places] = z
        return now

    def _tightened(self, number: int) -> Evaluation:
        """The kernels with a tension of 1 N more in a spring element."""
        forces = self.system.tables.forces.copy()
        forces["preload"][number] += 1.0
        return evaluation(self.system, self.system.tables._replace(forces=forces), self._state)

    def equations(self, t: float, x: Array, v: Array, a: Array, lam: Array, z: Array) -> Motion:
        """Residual and matrices at a motion."""
        from floatframe.hybrid.kernels import ALL_FORCES, JACOBIAN, MASS

        q = self._q(x)
        B = self._port_velocities(t, q, z)
        now = self._with_states(self._now, z)(t, q, ALL_FORCES | MASS | JACOBIAN, v, a, lam[self._order])
        longer = now.data.forces["elongation"] - self._lengths
        moved = np.array([x[port.speed] if port.force < 0 else longer[port.force] for port in self.ports])
        G, (gap, gap_rate) = np.zeros((len(self._rows), self.system.nv)), np.zeros((2, len(self._rows)))
        G[self._order], gap[self._order], gap_rate[self._order] = now.G, now.data.rows["value"], now.data.rows["rate"]
        return Motion(now.residual.copy(), now.M.copy(), G, gap, gap_rate, ~self.active, B, moved, now.rates)

    def slopes(self, t: float, x: Array, v: Array, a: Array, lam: Array, z: Array) -> Slopes:
        """Derivatives at a motion, from central differences."""
        from floatframe.hybrid.kernels import ALL_FORCES, JACOBIAN

        def moved(dx: Array, dv: Array, dz: Array) -> Array:
            now = self._with_states(self._now, z + dz)
            now(t, self._q(x + dx), ALL_FORCES | JACOBIAN, v + dv, a, lam[self._order])
            return np.concatenate((now.residual, now.rates))

        n = len(v)
        rates = self._units * max(1.0, float(np.abs(v / self._units).max(initial=0.0)))
        steps = STEP * np.concatenate((self._units, rates, np.maximum(self.state_sizes, np.abs(z))))
        found = np.zeros((n + len(z), len(steps)))
        for j, step in enumerate(steps):
            move = np.zeros(len(steps))
            move[j] = step
            parts = np.split(move, (n, 2 * n))
            found[:, j] = (moved(*parts) - moved(*(-part for part in parts))) / (2.0 * step)
        K, C, Z = np.split(found, (n, 2 * n), axis=1)
        return Slopes(K[:n], C[:n], Z[:n], K[n:], C[n:], Z[n:])

    def _port_velocities(self, t: float, q: Array, z: Array) -> Array:
        """B (nport, nv): a tension of 1 N more changes the residual by the slope of the length."""
        from floatframe.hybrid.kernels import APPLIED, VELOCITY

        B, plain = np.zeros((len(self.ports), self.system.nv)), None
        for k, port in enumerate(self.ports):
            if port.force < 0:
                B[k, port.speed] = 1.0
                continue
            if plain is None:
                plain = self._with_states(self._now, z)(t, q, VELOCITY | APPLIED).residual.copy()
            B[k] = self._with_states(self._pulled[port.force], z)(t, q, VELOCITY | APPLIED).residual - plain
        return B

    def channels(self, wanted: Sequence[str] = ()) -> dict[str, Channel]:
        """What can be recorded of the machine, by name; wanted: names that may be those of nodes of its bodies."""
        found = {name: one.channel for name, one in available(self.system).items() if not _of_impulse(name)}
        bodies = {body.name for body in self.system.model.bodies}
        for name in wanted:
            if name.partition(".node[")[0] in bodies and (node := node_channel(self.system, name)):
                found[name] = node.channel
        return found

    def reader(self, names: Sequence[str]) -> Callable[[float, Array, Array, Array, Array, Array], Array]:
        """Return the function that reads the columns of some channels at t, x, v, a, lam, z."""
        record, counters = Record(channels=tuple(names)), np.zeros(1, COUNTERS)
        observers: dict[int, Observer] = {}  # by stage

        def read(t: float, x: Array, v: Array, a: Array, lam: Array, z: Array) -> Array:
            q, memory, stage = self._q(x), self._memory.copy(), len(self._begun)
            memory[self._places] = z
            if stage not in observers:
                observers[stage] = Observer(self.system, record)
            rows = (np.array([t]), q[None], v[None].copy(), a[None].copy(), lam[None, self._order], memory[None])
            return observers[stage](Kept(*rows, counters)).values[0]

        return read


def _require_plain(system: CompiledSystem, state: State, where: Where) -> None:
    """Refuse machines whose equations change at times that are not known in advance, and states in constraints."""
    for stage in system.model.stages:
        if not stage.when.is_constant:
            raise where.error(
                f"stage '{stage.name}' begins with an event, which a network does not look for; give its time [s] as "
                "`when`, or simulate the machine by itself with its drive as [[state]] and forces of expressions"
            )
    if system.model.held:
        held = system.model.held[0]
        raise where.error(
            f"block '{held.name}' is {held.kind}: its value changes at instants that a network does not look for; put "
            "it into the network, as state or signal, or take a continuous block"
        )
    if system.nz and (inside := state_in_rows(system, system.tables, state)):
        raise _in_rows(where, inside)


def _in_rows(where: Where, inside: Where) -> ModelError:
    return where.error(
        f"{inside} stands in a constraint, which a network cannot follow; drive the joint by a force or by a node"
    )


def _of_impulse(name: str) -> bool:
    """Whether a channel is the impulse of a stage, which in a network is that of a short step."""
    return name.rpartition(".")[2] in ("impulse", "angular_impulse")


def _port(system: CompiledSystem, name: str, where: Where) -> DrivenPlace:
    """The place that a name stands for."""
    joints = {joint.name: number for number, joint in enumerate(system.model.joints)}
    springs = {force.name: number for number, force in enumerate(system.model.forces) if force.kind == "spring"}
    if name in system.model.switched or any(
        name in (stage.model.off | system.model.off) for stage in system.model.stages
    ):
        raise where.error(f"'{name}' comes or goes with a stage; connect what stays, or leave it out of the stages")
    if name in springs:
        return DrivenPlace(name, False, force=springs[name])
    if name not in joints:
        raise where.error(
            f"'{name}' is neither a joint nor a spring element{did_you_mean(name, [*joints, *springs])}", missing=name
        )
    joint = system.model.joints[joints[name]]
    if len(joint.coordinates) != 1:
        raise where.error(
            f"joint '{name}' has {len(joint.coordinates)} coordinates, expected one; connect a revolute or prismatic "
            "joint"
        )
    held = system.index.tree.joint_coordinates.get(joints[name])
    if held is None:
        raise where.error(f"joint '{name}' closes a loop; connect another joint, or set cut = true on another one")
    return DrivenPlace(name, joint.coordinates[0] == "angle", speed=held[0][1])


def _short(name: str) -> str:
    """The name of a coordinate without blanks: "angle of joint 'A'" is A.angle, "mode 3 of body 'rod'" rod.mode_3."""
    what, _, thing = name.partition(" of ") if " of " in name else name.partition(" in ")
    label = thing.split("'")[1] if "'" in thing else ""
    return f"{label}.{what}".strip(".").replace(" ", "_")
