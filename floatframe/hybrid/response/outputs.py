"""What may come out of a linear system: components of channels, stresses among them, and expressions of these."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import ModelError
from floatframe.hybrid.assembly import CompiledSystem, flexible_body
from floatframe.hybrid.kernels import new_kept
from floatframe.hybrid.response.ports import Port
from floatframe.hybrid.results import (
    MAGNITUDE,
    Observer,
    StressRows,
    column_of,
    inertia_channels,
    inertia_drives,
    read_formula,
    stress_rows,
)
from floatframe.hybrid.settings import Record
from floatframe.io import Channel


class Outputs:
    """Outputs by name: a component of a channel, a channel with all its components, or an expression of components."""

    def __init__(self, system: CompiledSystem, names: Sequence[str]) -> None:
        if not names:
            raise ModelError("response: no output is given; name a channel, such as 'seat.acceleration.z'")
        self.formulas, self.ports = [], []
        self.stresses: dict[str, StressRows] = {}
        channels: list[str] = []
        for name in names:
            for part in self._parts(system, name.strip()):
                formula = read_formula(part)
                if formula.chain.filters or formula.chain.numbers:
                    alone = part.partition(":")[0].strip()
                    raise ModelError(
                        f"response: '{part}' filters a history or asks for its numbers; take '{alone}' alone"
                    )
                found = {one: self._column(system, one) for one in formula.names}
                channels += [whole for _, whole in found.values() if whole not in self.stresses]
                unit = formula.channel(lambda one, found=found: found[one][0]).unit  # type: ignore[misc]
                self.formulas.append(formula)
                self.ports.append(Port(part, unit))
        self.bodies = list(dict.fromkeys(one.body for one in self.stresses.values()))
        shapes = {body: flexible_body(system, body, "stresses")[0].stress_shapes for body in self.bodies}
        self.corrected = [body for body in self.bodies if shapes[body].corrected]
        channels += [name for body in self.corrected for name in inertia_channels(body)]
        self.channels = tuple(dict.fromkeys(channels))

    def meter(self, system: CompiledSystem) -> Meter:
        """The outputs of one system."""
        return Meter(system, self)

    def _parts(self, system: CompiledSystem, name: str) -> list[str]:
        """The components of a channel, or the expression itself."""
        formula = read_formula(name)
        if formula.names == (name,):
            channel, whole = self._column(system, name)
            if whole == name and channel.width > 1:
                return list(channel.columns)
        for one in formula.names:
            channel, _ = self._column(system, one)
            if channel.width > 1:
                raise ModelError(
                    f"response: '{one}' in '{name}' has several components; take one, such as '{channel.columns[0]}'"
                )
        return [name]

    def _column(self, system: CompiledSystem, name: str) -> tuple[Channel, str]:
        """The channel or component of a name, and the name of the channel that has it."""
        for whole in (name, name.rpartition(".")[0]):
            found = self.stresses.get(whole) or stress_rows(system, whole)
            if found is not None and (whole == name or name in found.channel.columns):
                self.stresses[whole] = found
                return (found.channel if whole == name else Channel(name, found.channel.unit)), whole
        channel, whole = column_of(system, name)
        if whole != name and name.endswith(f".{MAGNITUDE}"):
            raise ModelError(f"response: '{name}' is the length of a vector, which is not linear; take its components")
        return channel, whole


class Meter:
    """Reads the outputs of a system, one state after another."""

    def __init__(self, system: CompiledSystem, outputs: Outputs) -> None:
        self._system, self._outputs = system, outputs
        self._observer = Observer(system, Record(channels=outputs.channels))
        self._kept = new_kept(1, system.nq, system.nv, system.nlambda, len(system.start.memory))
        self._modal = {}
        for body in outputs.bodies:
            reduced, record = flexible_body(system, body, "stresses")
            self._modal[body] = slice(int(record["iq"]), int(record["iq"]) + reduced.nmode)

    def __call__(self, t: float, q: Array, v: Array, a: Array, lam: Array, memory: Array) -> Array:
        """Outputs (p,) at a time, coordinates, speeds, accelerations, multipliers and memory."""
        kept = self._kept
        kept.t[0], kept.q[0], kept.v[0], kept.x[0], kept.lam[0], kept.memory[0] = t, q, v, a, lam, memory
        columns = self._observer(kept).values
        values: dict[str, Array] = {}
        first = 0
        for channel in self._observer.channels:
            values[channel.name] = columns[:, first : first + channel.width]
            values |= {name: columns[:, first + k] for k, name in enumerate(channel.columns)}
            first += channel.width
        values |= self._stresses(values)
        return np.array([formula.values(kept.t, values.__getitem__)[0] for formula in self._outputs.formulas])

    def _stresses(self, values: dict[str, Array]) -> dict[str, Array]:
        """Stress channels and their components at the state, from what was observed."""
        drives = {body: self._kept.q[:, places] for body, places in self._modal.items()}
        for body in self._outputs.corrected:
            drives[body] = np.hstack([drives[body], inertia_drives(self._system, body, values)])
        found: dict[str, Array] = {}
        for name, one in self._outputs.stresses.items():
            stress = drives[one.body] @ one.rows
            found[name] = stress
            found |= {column: stress[:, k] for k, column in enumerate(one.channel.columns)}
        return found
