"""A machine as one element of a network: its equations of motion are rows beside those of circuits and pipes.

Rows: flows of the ports; M a + k - f - G^T lam - B^T force = 0; constraints at velocity level,
G v + rate + gap/TIME = 0, so that positions stay closed, or lam = 0 in stages in which a joint does not hold;
v_node - B v + apart/TIME = 0, so that nodes stay at their ports; z' - rate = 0 of state variables. The forces of the
ports are unknowns.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import ModelError
from floatframe.hybrid import CompiledSystem, Coupling, Slopes
from floatframe.io import Channel
from floatframe.network.laws import ROTATION, TRANSLATION, At, Internal, Kind, Out, Terminal

TIME = 0.01  # s, in which gaps of joints close
PATIENCE = 3  # iterations of one step after which stiffness and damping are found again
LASTING = 25  # steps after which they are found again


def machine_kind(system: CompiledSystem, ports: Sequence[str]) -> Kind:
    """Return the kind of element that a machine is; its terminals are the ports, in their order.

    ports: names of joints with one coordinate, and of spring elements between two points.
    """
    if not isinstance(system, CompiledSystem):
        raise ModelError(f"machine_kind: found {system!r}, expected a compiled model: machine_kind(model.compile(), …)")
    if isinstance(ports, str) or not isinstance(ports, Sequence) or not all(isinstance(one, str) for one in ports):
        raise ModelError(f'machine_kind: ports is {ports!r}, expected a list of names such as ["A", "lift"]')
    return Machine(Coupling(system, ports)).kind


class Machine:
    """The law of a machine; stiffness and damping stay those of an earlier step while iterations go well."""

    def __init__(self, coupling: Coupling) -> None:
        self.coupling = coupling
        system, domains = coupling.system, [ROTATION if port.turns else TRANSLATION for port in coupling.ports]
        nport, nv, nrow = len(coupling.ports), system.nv, len(coupling.row_names)
        ends = np.cumsum([0, nport, nv, nrow, nport, system.nz])
        self._parts = tuple(slice(int(a), int(b)) for a, b in pairwise(ends))
        self._found: Slopes | None = None
        self._t, self._turns, self._age = 0.0, 0, 0
        self._origins = np.zeros(nport)
        shapes = (nv, nv), (nv, nv), (nv, system.nz), (system.nz, nv), (system.nz, nv), (system.nz, system.nz)
        self._slope_shapes, self._slope_count = shapes, sum(rows * columns for rows, columns in shapes)
        speeds = [
            Internal(f"{name}.speed", "", 1e-6, float(v), motion=ROTATION if turns else TRANSLATION)
            for name, v, turns in zip(coupling.names, coupling.start_speeds, coupling.turning, strict=True)
        ]
        rows = [Internal(f"{name}.multiplier_{k + 1}", "", 1e-3) for k, name in enumerate(coupling.row_names)]
        forces = [
            Internal(f"{port.name}.port", domain.flow_unit, 1e-3)
            for port, domain in zip(coupling.ports, domains, strict=True)
        ]
        states = [
            Internal(name, "", 1e-6 * float(size), float(z))
            for name, size, z in zip(coupling.state_names, coupling.state_sizes, coupling.start_states, strict=True)
        ]
        self.kind = Kind(
            "machine",
            f"the machine {system.model.name}",
            tuple(Terminal(port.name, domain) for port, domain in zip(coupling.ports, domains, strict=True)),
            (),
            self.law,
            internals=(*speeds, *rows, *forces, *states),
            closing=(int(coupling.active.sum()) + nport, 1.0 / TIME),
            observable=self,
            carried=self,
        )

    def law(self, at: At, out: Out) -> None:
        """Flows and Jacobians."""
        ports, s, rows, f, states = self._parts
        motion = self._motion(at)
        now, slopes = self.coupling.equations(at.t, *motion), self._slopes(at.t, motion)
        v, force = motion[1], at.v[f, 0]
        out.F[ports, 0] += force
        out.F[s, 0] += now.residual - now.B.T @ force
        out.F[rows, 0] += now.G @ v + now.gap_rate + now.gap / TIME + now.idle * at.v[rows, 0]
        out.F[f, 0] += at.v[ports, 0] - now.B @ v + (at.x[ports, 0] - self._origins - now.moved) / TIME
        out.F[states, 0] += at.a[states, 0] - now.rates
        eye = np.eye(len(force))
        out.D[ports, f, 0] += eye
        out.M[s, s, 0] += now.M
        out.D[s, s, 0] += slopes.C
        out.K[s, s, 0] += slopes.K
        out.D[s, states, 0] += slopes.Z
        out.D[s, rows, 0] -= now.G.T
        out.D[s, f, 0] -= now.B.T
        out.D[rows, s, 0] += now.G
        out.K[rows, s, 0] += now.G / TIME
        out.D[rows, rows, 0] += np.diag(now.idle.astype(float))
        out.D[f, ports, 0] += eye
        out.D[f, s, 0] -= now.B
        out.K[f, ports, 0] += eye / TIME
        out.K[f, s, 0] -= now.B / TIME
        out.M[states, states, 0] += np.eye(len(now.rates))
        out.K[states, s, 0] -= slopes.rates_by_x
        out.D[states, s, 0] -= slopes.rates_by_v
        out.D[states, states, 0] -= slopes.rates_by_z

    def _motion(self, at: At) -> tuple[Array, Array, Array, Array, Array]:
        """Displacements, speeds and accelerations, multipliers and states."""
        _, s, rows, _, states = self._parts
        x = np.ascontiguousarray(at.x[s, 0])
        return x, at.v[s, 0], at.a[s, 0], at.v[rows, 0], at.v[states, 0]

    def _slopes(self, t: float, motion: tuple[Array, Array, Array, Array, Array]) -> Slopes:
        """Stiffness, damping and slopes of states, found again from time to time."""
        self._turns, self._age = (self._turns + 1, self._age) if t == self._t else (0, self._age + 1)
        self._t = t
        if self._found is None or self._turns >= PATIENCE or self._age >= LASTING:
            self._found, self._turns, self._age = self.coupling.slopes(t, *motion), 0, 0
        return self._found

    def begin(self, at: At) -> None:
        """Back to the start, with slopes to be found there; nodes may count from other numbers than zero."""
        self.coupling.begin()
        self._origins = at.x[self._parts[0], 0].copy()
        self.renew()

    def follow(self, at: At) -> None:
        """To the end of a step."""
        if self.coupling.follows:
            self.coupling.follow(at.t, *self._motion(at))

    @property
    def next_change(self) -> float:
        """When the next stage begins [s]."""
        return self.coupling.next_stage

    @property
    def words(self) -> str:
        """Which stages have begun."""
        return self.coupling.words

    def change(self, at: At) -> None:
        """Go over to the next stage."""
        self.coupling.change(at.t, *self._motion(at))
        self.renew()

    def content(self) -> Array:
        """Attitudes, the displacements that led there, what joints and friction remember, and slopes."""
        found = self._found
        if found is None:
            times, slopes = np.zeros(4), np.zeros(self._slope_count)
        else:
            times = np.array([1.0, self._t, self._turns, self._age])
            slopes = np.concatenate([one.ravel() for one in found])
        return np.concatenate((self.coupling.anchored(), times, slopes))

    def restore(self, kept: Array) -> None:
        """To where a run was."""
        anchored, (known, t, turns, age), slopes = np.split(kept, (-self._slope_count - 4, -self._slope_count))
        self.coupling.anchor(anchored)
        self._t, self._turns, self._age = float(t), int(turns), int(age)
        parts = np.split(slopes, np.cumsum([r * c for r, c in self._slope_shapes])[:-1])
        shaped = (part.reshape(shape) for part, shape in zip(parts, self._slope_shapes, strict=True))
        self._found = Slopes(*shaped) if known else None

    def renew(self) -> None:
        """Slopes that belong to where it is."""
        self._found = None

    def channels(self, wanted: Sequence[str]) -> dict[str, Channel]:
        """Those of the machine, and nodes of its bodies that are wanted."""
        return self.coupling.channels(wanted)

    def reader(self, names: Sequence[str]) -> Callable[[At], Array]:
        """The function that reads some of them."""
        read = self.coupling.reader(names)
        return lambda at: read(at.t, *self._motion(at))
