"""A machine as others drive it: residual and tangent of its equations with ports, for networks of elements.

A port is a joint with one coordinate, or a spring element between two points, whose own law stays. Its velocity is that
of the coordinate or of the distance, B v; its force acts on the machine with B^T.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import Where
from floatframe.hybrid.assembly import CompiledSystem, Evaluation, coordinate_names
from floatframe.hybrid.kernels import COUNTERS, Kept
from floatframe.hybrid.results import Observer, available, node_channel
from floatframe.hybrid.settings import Record
from floatframe.hybrid.studies import evaluation, natural_units
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


@dataclass(frozen=True, eq=False)
class Motion:
    """Equations at a state: M a + k - f - G^T lam without port forces, rows of the constraints, velocities of ports."""

    residual: Array  # (nv,)
    M: Array  # (nv, nv)
    G: Array  # (nrow, nv)
    gap: Array  # (nrow,) of the constraints
    gap_rate: Array  # (nrow,) what speeds do not give of it
    B: Array  # (nport, nv)


class Coupling:
    """A system with ports; coordinates are those of an anchor moved by x (nv,) less what the anchor has gone already.

    Bodies that turn freely have no coordinates that add up: the anchor has to follow a motion from step to step.
    """

    def __init__(self, system: CompiledSystem, ports: Sequence[str]) -> None:
        where = Where.of("machine", system.model.name)
        if system.nz or system.model.stages or system.model.held:
            raise where.error("has states, stages or sampled blocks; put its controller into the network instead")
        self.system, self.ports = system, tuple(_port(system, name, where) for name in ports)
        self._state = system.initial_state()
        self._now = system.evaluation(self._state)
        self.turns_freely = system.nq != system.nv
        self.begin()
        self._pulled = {port.force: self._tightened(port.force) for port in self.ports if port.force >= 0}
        self._units = natural_units(system)
        self.names = tuple(map(_short, coordinate_names(system)))
        self.start_speeds = self._state.v

    def begin(self) -> None:
        """Put the anchor where the machine starts."""
        self._anchor, self._gone = self._state.q, np.zeros(self.system.nv)

    def follow(self, x: Array) -> None:
        """Put the anchor where the machine is."""
        self._anchor, self._gone = self._q(x).copy(), x.copy()

    def anchored(self) -> Array:
        """The anchor (nq + nv,), for a run that is resumed."""
        return np.concatenate((self._anchor, self._gone))

    def anchor(self, kept: Array) -> None:
        """Put the anchor where it was."""
        self._anchor, self._gone = kept[: self.system.nq].copy(), kept[self.system.nq :].copy()

    def _q(self, x: Array) -> Array:
        return self._now.moved(self._anchor, x - self._gone)

    def _tightened(self, number: int) -> Evaluation:
        """The kernels with a tension of 1 N more in a spring element."""
        forces = self.system.tables.forces.copy()
        forces["preload"][number] += 1.0
        return evaluation(self.system, self.system.tables._replace(forces=forces), self._state)

    def equations(self, t: float, x: Array, v: Array, a: Array, lam: Array) -> Motion:
        """Residual and matrices at a motion."""
        from floatframe.hybrid.kernels import ALL_FORCES, JACOBIAN, MASS

        q = self._q(x)
        B = self._port_velocities(t, q)
        now = self._now(t, q, ALL_FORCES | MASS | JACOBIAN, v, a, lam)
        rows = now.data.rows
        return Motion(now.residual.copy(), now.M.copy(), now.G.copy(), rows["value"].copy(), rows["rate"].copy(), B)

    def tangent(self, t: float, x: Array, v: Array, a: Array, lam: Array) -> tuple[Array, Array]:
        """Stiffness and damping (nv, nv): derivatives of the residual by x and v, from central differences."""
        from floatframe.hybrid.kernels import ALL_FORCES, JACOBIAN

        def residual(dx: Array, dv: Array) -> Array:
            q = self._q(x + dx)
            return self._now(t, q, ALL_FORCES | JACOBIAN, v + dv, a, lam).residual.copy()

        n = len(v)
        K, C, none = np.zeros((n, n)), np.zeros((n, n)), np.zeros(n)
        rates = self._units * max(1.0, float(np.abs(v / self._units).max(initial=0.0)))
        for j in range(n):
            step = np.zeros(n)
            step[j] = STEP * self._units[j]
            K[:, j] = (residual(step, none) - residual(-step, none)) / (2.0 * step[j])
            step[j] = STEP * rates[j]
            C[:, j] = (residual(none, step) - residual(none, -step)) / (2.0 * step[j])
        return K, C

    def _port_velocities(self, t: float, q: Array) -> Array:
        """B (nport, nv): a tension of 1 N more changes the residual by the slope of the length."""
        from floatframe.hybrid.kernels import APPLIED, VELOCITY

        B, plain = np.zeros((len(self.ports), self.system.nv)), None
        for k, port in enumerate(self.ports):
            if port.force < 0:
                B[k, port.speed] = 1.0
                continue
            if plain is None:
                plain = self._now(t, q, VELOCITY | APPLIED).residual.copy()
            B[k] = self._pulled[port.force](t, q, VELOCITY | APPLIED).residual - plain
        return B

    def channels(self, wanted: Sequence[str] = ()) -> dict[str, Channel]:
        """What can be recorded of the machine, by name; wanted: names that may be those of nodes of its bodies."""
        found = {name: one.channel for name, one in available(self.system).items()}
        bodies = {body.name for body in self.system.model.bodies}
        for name in wanted:
            if name.partition(".node[")[0] in bodies and (node := node_channel(self.system, name)):
                found[name] = node.channel
        return found

    def reader(self, names: Sequence[str]) -> Callable[[float, Array, Array, Array, Array], Array]:
        """Return the function that reads the columns of some channels at t, x, v, a, lam."""
        observer, memory = Observer(self.system, Record(channels=tuple(names))), self._state.memory
        counters = np.zeros(1, COUNTERS)

        def read(t: float, x: Array, v: Array, a: Array, lam: Array) -> Array:
            q = self._q(x)
            rows = (np.array([t]), q[None], v[None].copy(), a[None].copy(), lam[None].copy(), memory[None].copy())
            return observer(Kept(*rows, counters)).values[0]

        return read


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
