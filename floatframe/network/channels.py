"""Channels of a network: what can be recorded, under which name.

NODE.displacement, velocity, acceleration; angle, angular_velocity, …; voltage; temperature; pressure
ELEMENT.force, torque, current, heat_flow, flow   into the element at its first terminal, or by terminals
ELEMENT.current, value, …                         unknowns of an element's own
ELEMENT.power                                     what it takes in at all terminals
energy.network                                    in springs, masses, coils, capacitors, volumes, heat capacities
BODY.position, JOINT.angle, energy.total, …       of a machine, as it has them by itself; with its name in front where
                                                  a node or another machine has the name already
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from floatframe.arrays import Array, IntArray
from floatframe.hybrid import Record
from floatframe.io import Channel
from floatframe.network.compiled import Batch, CompiledNetwork
from floatframe.network.equations import Equations
from floatframe.network.laws import At, Domain

STORED = "energy.network"

# from the flows (N, R, ne) and potentials' velocities (N, R, ne) of a batch to the columns (R,) or (C, R) of a channel
Look = Callable[[Array, Array], Array]


@dataclass(frozen=True, eq=False)
class _Flow:
    """Columns that come from the flows of an element."""

    batch: int
    look: Look


class Observer:
    """Reads the wanted channels from unknowns."""

    def __init__(self, equations: Equations, record: Record) -> None:
        self.equations, self.network = equations, equations.network
        places: dict[str, tuple[int, int]] = {}
        flows: dict[str, _Flow] = {}
        found: dict[str, Channel] = {}
        for number, unknown in enumerate(self.network.unknowns):
            shown = unknown.of.shown if isinstance(unknown.of, Domain) else (1,)
            for level in shown:
                if name := unknown.names[level]:
                    found[name], places[name] = Channel(name, unknown.units[level]), (level, number)
        for number, batch in enumerate(self.network.batches):
            for k in range(len(batch.elements)):
                for channel, look in _of_element(batch, k):
                    if channel.name not in found:
                        found[channel.name], flows[channel.name] = channel, _Flow(number, look)
        others: dict[str, tuple[int, str]] = {}
        for number, batch in enumerate(self.network.batches):
            if batch.kind.observable is not None:
                # what a node or another machine has the name of already begins with the name of the machine
                owner = batch.elements[0].name
                asked = [name.removeprefix(f"{owner}.") for name in record.channels]
                for own, one in batch.kind.observable.channels((*record.channels, *asked)).items():
                    name = f"{owner}.{own}" if own in found else own
                    found[name], others[name] = replace(one, name=name), (number, own)
        found[STORED] = Channel(STORED, "J")
        names = record.pick(found)
        self.channels = tuple(found[name] for name in names)
        widths = np.cumsum([0, *(channel.width for channel in self.channels)])
        self._width = int(widths[-1])
        spans = {name: slice(widths[k], widths[k + 1]) for k, name in enumerate(names)}
        plain = [name for name in names if name in places]
        self._columns = np.array([spans[name].start for name in plain], dtype=int)
        self._levels, self._dofs = (np.array([places[name][k] for name in plain], dtype=int) for k in (0, 1))
        self._flows: dict[int, list[tuple[slice, Look]]] = {}
        for name in names:
            if name in flows:
                self._flows.setdefault(flows[name].batch, []).append((spans[name], flows[name].look))
        self._readers: list[tuple[Batch, IntArray, Callable[[At], Array]]] = []
        for number in dict.fromkeys(batch for batch, _ in others.values()):
            wanted = [name for name in names if name in others and others[name][0] == number]
            batch = self.network.batches[number]
            if wanted and batch.kind.observable is not None:
                columns = np.concatenate([np.arange(spans[name].start, spans[name].stop) for name in wanted])
                self._readers.append(
                    (batch, columns, batch.kind.observable.reader([others[name][1] for name in wanted]))
                )
        self._stored = spans.get(STORED)

    def values(self, y: Array, t: Array) -> Array:
        """Return the columns (R, ncolumn) of all channels at times t (R,) with unknowns y (R, 3, n + 1)."""
        rows = np.zeros((len(t), self._width))
        rows[:, self._columns] = y[:, self._levels, self._dofs]
        for number, looks in self._flows.items():
            batch = self.network.batches[number]
            F, v = batch.flows(y, t), y[:, 1, batch.dofs].transpose(1, 0, 2)
            for span, look in looks:
                rows[:, span] = look(F, v).reshape(-1, len(t)).T
        for batch, columns, read in self._readers:
            for row, own, now in zip(rows, y, t, strict=True):
                row[columns] = read(batch.at(own, float(now)))
        if self._stored is not None:
            rows[:, self._stored] = self.equations.stored_energy(y, t)[:, None]
        return rows


def observed_network(network: CompiledNetwork) -> tuple[Channel, ...]:
    """All channels of a network."""
    return Observer(Equations(network), Record()).channels


def _of_element(batch: Batch, k: int) -> list[tuple[Channel, Look]]:
    """The flows of an element, and the power that it takes in."""
    name, terminals = batch.elements[k].name, batch.kind.terminals
    found: list[tuple[Channel, Look]] = []
    for domain in dict.fromkeys(terminal.domain for terminal in terminals):
        rows = [number for number, terminal in enumerate(terminals) if terminal.domain is domain]
        if batch.kind.through or len(rows) == 1 or _opposite(batch, rows):
            found.append((Channel(f"{name}.{domain.flow}", domain.flow_unit), _row(rows[0], k)))
        else:
            parts = tuple(terminals[row].name for row in rows)
            found.append((Channel(f"{name}.{domain.flow}", domain.flow_unit, parts), _rows(rows, k)))
    if terminals and not any(one.domain.heat or not one.domain.dual for one in terminals):
        found.append((Channel(f"{name}.power", "W"), _power(len(terminals), k)))
    return found


def _opposite(batch: Batch, rows: list[int]) -> bool:
    """Whether the second of two terminals is only what the first acts against: the housing of a motor."""
    return len(rows) == 2 and batch.kind.terminals[rows[1]].optional


def _row(row: int, k: int) -> Look:
    return lambda F, v: F[row, :, k]


def _rows(rows: list[int], k: int) -> Look:
    return lambda F, v: F[rows, :, k]


def _power(count: int, k: int) -> Look:
    return lambda F, v: (F[:count, :, k] * v[:count, :, k]).sum(axis=0)
