"""A machine as others drive it: residual and tangent of its equations with ports, for networks of elements.

Its state variables z come along, each with its rate.
A port is a joint with one coordinate, or a spring element between two points, whose own law stays. Its velocity is that
of the coordinate or of the distance, B v; its force acts on the machine with B^T.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from floatframe.arrays import Array, short_repr
from floatframe.errors import Where
from floatframe.hybrid.assembly import CompiledSystem, Evaluation, State, coordinate_names
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
    G: Array  # (nrow, nv)
    gap: Array  # (nrow,) of the constraints
    gap_rate: Array  # (nrow,) what speeds do not give of it
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

        where = Where.of("machine", system.model.name)
        self.system, self._state = system, system.initial_state()
        _require_plain(system, self._state, where)
        if twice := next((name for k, name in enumerate(ports) if name in ports[:k]), ""):
            raise where.error(f"port '{twice}' is named twice; let all that acts on it join one node")
        self.ports = tuple(_port(system, name, where) for name in ports)
        self._now = system.evaluation(self._state)
        tables = system.tables
        self._places, self.state_sizes = tables.states["memory"], tables.states["size"]
        # bodies that turn freely, and what joints and friction remember, follow a motion from step to step
        remembers = (tables.forces["memory"] >= 0).any() or (tables.coordinates["kind"] == ANGLE).any()
        self.follows = system.nq != system.nv or bool(remembers)
        self.begin()
        self._pulled = {port.force: self._tightened(port.force) for port in self.ports if port.force >= 0}
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
        self._anchor, self._gone, self._memory = self._state.q, np.zeros(self.system.nv), self._state.memory

    def follow(self, t: float, x: Array, v: Array, a: Array, lam: Array, z: Array) -> None:
        """Put the anchor where the machine is."""
        self.equations(t, x, v, a, lam, z)
        self._anchor, self._gone, self._memory = self._q(x).copy(), x.copy(), self._now.remember().copy()

    def anchored(self) -> Array:
        """The anchor (nq + nv + nmemory,), for a run that is resumed."""
        return np.concatenate((self._anchor, self._gone, self._memory))

    def anchor(self, kept: Array) -> None:
        """Put the anchor where it was."""
        ends = np.cumsum([self.system.nq, self.system.nv])
        self._anchor, self._gone, self._memory = (part.copy() for part in np.split(kept, ends))

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
        now = self._with_states(self._now, z)(t, q, ALL_FORCES | MASS | JACOBIAN, v, a, lam)
        longer = now.data.forces["elongation"] - self._lengths
        moved = np.array([x[port.speed] if port.force < 0 else longer[port.force] for port in self.ports])
        rows = now.data.rows
        motion = now.residual.copy(), now.M.copy(), now.G.copy(), rows["value"].copy(), rows["rate"].copy()
        return Motion(*motion, B, moved, now.rates)

    def slopes(self, t: float, x: Array, v: Array, a: Array, lam: Array, z: Array) -> Slopes:
        """Derivatives at a motion, from central differences."""
        from floatframe.hybrid.kernels import ALL_FORCES, JACOBIAN

        def moved(dx: Array, dv: Array, dz: Array) -> Array:
            now = self._with_states(self._now, z + dz)
            now(t, self._q(x + dx), ALL_FORCES | JACOBIAN, v + dv, a, lam)
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
        found = {name: one.channel for name, one in available(self.system).items()}
        bodies = {body.name for body in self.system.model.bodies}
        for name in wanted:
            if name.partition(".node[")[0] in bodies and (node := node_channel(self.system, name)):
                found[name] = node.channel
        return found

    def reader(self, names: Sequence[str]) -> Callable[[float, Array, Array, Array, Array, Array], Array]:
        """Return the function that reads the columns of some channels at t, x, v, a, lam, z."""
        observer = Observer(self.system, Record(channels=tuple(names)))
        counters = np.zeros(1, COUNTERS)

        def read(t: float, x: Array, v: Array, a: Array, lam: Array, z: Array) -> Array:
            q, memory = self._q(x), self._memory.copy()
            memory[self._places] = z
            rows = (np.array([t]), q[None], v[None].copy(), a[None].copy(), lam[None].copy(), memory[None])
            return observer(Kept(*rows, counters)).values[0]

        return read


def _require_plain(system: CompiledSystem, state: State, where: Where) -> None:
    """Refuse machines whose equations change from time to time, and states in constraints."""
    if system.model.stages:
        name = system.model.stages[0].name
        raise where.error(
            f"stage '{name}' changes its joints and forces on the way, which a network cannot follow; leave out the "
            "stages, or simulate the machine by itself with its drive as [[state]] and forces of expressions"
        )
    if system.model.held:
        held = system.model.held[0]
        raise where.error(
            f"block '{held.name}' is {held.kind}: its value changes at instants that a network does not look for; put "
            "it into the network, as state or signal, or take a continuous block"
        )
    if system.nz and (inside := state_in_rows(system, system.tables, state)):
        raise where.error(
            f"{inside} stands in a constraint, which a network cannot follow; drive the joint by a force or by a node"
        )


def _port(system: CompiledSystem, name: str, where: Where) -> DrivenPlace:
    """The place that a name stands for."""
    joints = {joint.name: number for number, joint in enumerate(system.model.joints)}
    springs = {force.name: number for number, force in enumerate(system.model.forces) if force.kind == "spring"}
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
