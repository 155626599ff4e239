"""A machine as one element of a network: its equations of motion are rows beside those of circuits and pipes.

Rows: flows of the ports; M a + k - f - G^T lam - B^T force = 0; constraints at velocity level,
G v + rate + gap/TIME = 0, so that positions stay closed; v_node - B v = 0. The forces of the ports are unknowns.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np

from floatframe.arrays import Array
from floatframe.hybrid import CompiledSystem, Coupling
from floatframe.io import Channel
from floatframe.network.laws import ROTATION, TRANSLATION, At, Internal, Kind, Out, Terminal

TIME = 0.01  # s, in which gaps of joints close
PATIENCE = 3  # iterations of one step after which stiffness and damping are found again
LASTING = 25  # steps after which they are found again


def machine_kind(system: CompiledSystem, ports: Sequence[str]) -> Kind:
    """Return the kind of element that a machine is; its terminals are the ports, in their order.

    ports: names of joints with one coordinate, and of spring elements between two points.
    """
    return Machine(Coupling(system, ports)).kind


class Machine:
    """The law of a machine; stiffness and damping stay those of an earlier step while iterations go well."""

    def __init__(self, coupling: Coupling) -> None:
        self.coupling = coupling
        system, domains = coupling.system, [ROTATION if port.turns else TRANSLATION for port in coupling.ports]
        nport, nv, nrow = len(coupling.ports), system.nv, system.nlambda
        ends = np.cumsum([0, nport, nv, nrow, nport])
        self._parts = tuple(slice(int(a), int(b)) for a, b in pairwise(ends))
        self._tangent: tuple[Array, Array] | None = None
        self._t, self._turns, self._age = float("nan"), 0, 0
        speeds = [
            Internal(f"{name}.speed", "", 1e-6, float(v))
            for name, v in zip(coupling.names, coupling.start_speeds, strict=True)
        ]
        rows = [Internal(f"{name}.multiplier_{k + 1}", "", 1e-3) for k, name in enumerate(system.row_names)]
        forces = [
            Internal(f"{port.name}.port", domain.flow_unit, 1e-3)
            for port, domain in zip(coupling.ports, domains, strict=True)
        ]
        self.kind = Kind(
            "machine",
            f"the machine {system.model.name}",
            tuple(Terminal(port.name, domain) for port, domain in zip(coupling.ports, domains, strict=True)),
            (),
            self.law,
            internals=(*speeds, *rows, *forces),
            closing=(nrow, 1.0 / TIME),
            observable=self,
            carried=self if coupling.turns_freely else None,
        )

    def law(self, at: At, out: Out) -> None:
        """Flows and Jacobians."""
        ports, s, rows, f = self._parts
        x, v, a = at.x[s, 0], at.v[s, 0], at.a[s, 0]
        lam, force = at.v[rows, 0], at.v[f, 0]
        K, C = self._slopes(at.t, x, v, a, lam)
        now = self.coupling.equations(at.t, x, v, a, lam)
        out.F[ports, 0] += force
        out.F[s, 0] += now.residual - now.B.T @ force
        out.F[rows, 0] += now.G @ v + now.gap_rate + now.gap / TIME
        out.F[f, 0] += at.v[ports, 0] - now.B @ v
        eye = np.eye(len(force))
        out.D[ports, f, 0] += eye
        out.M[s, s, 0] += now.M
        out.D[s, s, 0] += C
        out.K[s, s, 0] += K
        out.D[s, rows, 0] -= now.G.T
        out.D[s, f, 0] -= now.B.T
        out.D[rows, s, 0] += now.G
        out.K[rows, s, 0] += now.G / TIME
        out.D[f, ports, 0] += eye
        out.D[f, s, 0] -= now.B

    def _slopes(self, t: float, x: Array, v: Array, a: Array, lam: Array) -> tuple[Array, Array]:
        """Stiffness and damping, found again from time to time."""
        self._turns, self._age = (self._turns + 1, self._age) if t == self._t else (0, self._age + 1)
        self._t = t
        if self._tangent is None or self._turns >= PATIENCE or self._age >= LASTING:
            self._tangent, self._turns, self._age = self.coupling.tangent(t, x, v, a, lam), 0, 0
        return self._tangent

    def begin(self) -> None:
        """Back to the start, with slopes to be found there."""
        self.coupling.begin()
        self._tangent = None

    def follow(self, at: At) -> None:
        """To the end of a step."""
        self.coupling.follow(np.ascontiguousarray(at.x[self._parts[1], 0]))

    def content(self) -> Array:
        """Attitudes, and the displacements that led there."""
        return self.coupling.anchored()

    def restore(self, kept: Array) -> None:
        """To where a run was."""
        self.coupling.anchor(kept)

    def channels(self, wanted: Sequence[str]) -> dict[str, Channel]:
        """Those of the machine, and nodes of its bodies that are wanted."""
        return self.coupling.channels(wanted)

    def reader(self, names: Sequence[str]) -> Callable[[At], Array]:
        """The function that reads some of them."""
        read = self.coupling.reader(names)
        _, s, rows, _ = self._parts

        def values(at: At) -> Array:
            x, v, a = at.x[s, 0], at.v[s, 0], at.a[s, 0]
            return read(at.t, np.ascontiguousarray(x), v, a, at.v[rows, 0])

        return values
