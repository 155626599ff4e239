"""What is measured: channels and expressions of them, at states that differ a little from each other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import ModelError
from floatframe.hybrid.assembly import CompiledSystem
from floatframe.hybrid.kernels import new_kept
from floatframe.hybrid.response.ports import Port
from floatframe.hybrid.results import Observer, column_of, read_formula
from floatframe.hybrid.settings import Record


class Outputs:
    """Outputs by name: a component of a channel, a channel with all its components, or an expression of components."""

    def __init__(self, system: CompiledSystem, names: Sequence[str]) -> None:
        if not names:
            raise ModelError("response: no output is given; name a channel, such as 'seat.acceleration.z'")
        self.formulas, self.ports = [], []
        channels: list[str] = []
        for name in names:
            for part in _parts(system, name.strip()):
                formula = read_formula(part)
                if formula.chain.filters:
                    raise ModelError(f"response: '{part}' filters a history; take the expression alone")
                found = {one: column_of(system, one) for one in formula.names}
                channels += [whole for _, whole in found.values() if whole not in channels]
                unit = formula.channel(lambda one, found=found: found[one][0]).unit  # type: ignore[misc]
                self.formulas.append(formula)
                self.ports.append(Port(part, unit))
        self.channels = tuple(channels)

    def meter(self, system: CompiledSystem) -> Meter:
        """The outputs of one system."""
        return Meter(system, self)


def _parts(system: CompiledSystem, name: str) -> list[str]:
    """The components of a channel, or the expression itself."""
    formula = read_formula(name)
    if formula.names == (name,):
        channel, whole = column_of(system, name)
        if whole == name and channel.width > 1:
            return list(channel.columns)
    for one in formula.names:
        if column_of(system, one)[0].width > 1:
            raise ModelError(f"response: '{one}' in '{name}' has several components; take one, such as '{one}.x'")
    return [name]


class Meter:
    """Reads the outputs of a system, one state after another."""

    def __init__(self, system: CompiledSystem, outputs: Outputs) -> None:
        self._formulas = outputs.formulas
        self._observer = Observer(system, Record(channels=outputs.channels))
        self._kept = new_kept(1, system.nq, system.nv, system.nlambda, len(system.start.memory))

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
        return np.array([formula.values(kept.t, values.__getitem__)[0] for formula in self._formulas])
