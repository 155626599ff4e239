"""What a simulation gives: times, coordinates and channels by name, from a file or from memory."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from floatframe.arrays import Array, BoolArray
from floatframe.errors import ModelError, ReadError
from floatframe.hybrid.results.source import Source
from floatframe.io import (
    Channel,
    PathLike,
    ResultMeta,
    Status,
    column_slices,
    write_csv,
)
from floatframe.wording import did_you_mean

if TYPE_CHECKING:
    from floatframe.hybrid.assembly import CompiledSystem
    from floatframe.hybrid.results.formula import Formula
    from floatframe.hybrid.results.stresses import Recovered


_NAME = re.compile(r"[\w.\[\]]+")  # of a channel or component, without anything to compute
AMBIGUOUS = "reactions_not_unique"  # the setting of a run that names those joints
GRAVITY = "gravity"  # the setting of a run; older runs have it in their model only


class Results:
    """The outcome of a simulation.

    result.t (nt,) [s]; result["A.force"] (nt, 3), result["A.force.x"] (nt,); result.q (nt, nq), result.v (nt, nv);
    result.statistics by name; result.status: why the run ended; result.meta: model text and settings;
    result.ambiguous: joints whose recorded reactions are not unique. Arrays are read when they are asked for. Motions
    of nodes, result["rod.node[12].displacement"], need not be recorded: they are recovered from the coordinates;
    accelerations of nodes must be. Stresses, result["rod.element[12].von_mises"], are always recovered.
    Formulas are taken like names: result["A.force.x - B.force.x : lowpass(20)"].
    """

    def __init__(self, source: Source, system: CompiledSystem | None = None) -> None:
        if isinstance(source, str | Path):
            raise ModelError(f'Results: found the name of a file; open it by ff.hybrid.Results.open("{source}").')
        self.source = source
        self.system = system  # what was simulated, if it is at hand; else see `system_of`
        self._channels = {channel.name: channel for channel in source.channels}
        self._slices = column_slices(source.channels)
        self._stresses: dict[str, Recovered] = {}

    @classmethod
    def open(cls, path: PathLike, system: CompiledSystem | None = None) -> Results:
        """Return the results in a file, as far as they are written by now."""
        from floatframe.io import ResultFile, format_of, read  # brings HDF5, which runs in memory do not need

        file = read(path)
        if not isinstance(file, ResultFile):
            raise ReadError(f"'{path}' holds {format_of(path).name}, expected results of a simulation.")
        return cls(file, system)

    @property
    def channels(self) -> tuple[Channel, ...]:
        """What was recorded: names, units, components."""
        return self.source.channels

    @property
    def meta(self) -> ResultMeta:
        """Model, settings and sizes of the run."""
        return self.source.meta

    @property
    def status(self) -> Status:
        """How the run ended, and when."""
        return self.source.status

    @property
    def ambiguous(self) -> tuple[str, ...]:
        """Joints whose forces and torques are one of many sets that balance, because constraints are redundant."""
        return tuple(map(str, self.meta.setting(AMBIGUOUS, list, tuple) or ()))

    @cached_property
    def gravity(self) -> Array:
        """Of the model (3,), world axes [m/s²]."""
        known = self.meta.setting(GRAVITY, list, tuple)
        if known is None:
            return np.array(system_of(self).model.gravity, dtype=float)
        if len(known) != 3 or not all(isinstance(x, int | float) for x in known):
            raise ModelError(f"the setting '{GRAVITY}' of the run is not a vector; run the simulation again.")
        return np.array(known, dtype=float)

    @cached_property
    def t(self) -> Array:
        """Times of the records (n,) [s]."""
        return self.source.t

    @property
    def q(self) -> Array:
        """Coordinates (n, nq), as the system orders them."""
        return self.source.q

    @property
    def v(self) -> Array:
        """Speeds (n, nv), as the system orders them."""
        return self.source.v

    @property
    def statistics(self) -> Mapping[str, Array]:
        """What the run says of itself at every record, such as constraint drift and energy balance."""
        return self.source.statistics

    def __len__(self) -> int:
        """Number of records."""
        return self.source.nrecord

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self._place(name) is not None

    def __getitem__(self, name: str) -> Array:
        """Return a channel, (nt,) or (nt, n), or one component of it, (nt,)."""
        return self.history(name)

    def history(self, name: str, inside: BoolArray | slice = slice(None)) -> Array:
        """Return a channel or component, or what an expression with filters makes of them, at the records inside.

        Filters see the whole run; what `detrend` and `demean` take off is fitted to the records inside.
        """
        place = self._place(name)
        if place is None:
            return (self._recovered(name) if self._unrecorded(name) else self._computed(name, inside))[inside]
        channel, columns = place
        values = self.source.columns(columns.start, columns.stop)[inside]
        return values if channel.name == name and channel.components else values[:, 0]

    def between(self, start: float | None, end: float | None = None) -> BoolArray:
        """Return which records (nt,) lie from start to end [s]; None: from the first, to the last."""
        return (self.t >= (-np.inf if start is None else start)) & (self.t <= (np.inf if end is None else end))

    def _computed(self, text: str, inside: BoolArray | slice) -> Array:
        """Return the values of a formula at all records."""
        formula = self._formula(text)
        formula.channel(self._column)  # refuses what does not go together
        return formula.values(self.t, self.__getitem__, inside)

    def _formula(self, text: str) -> Formula:
        """Return an expression of channels; a name alone is a channel that does not exist."""
        from floatframe.hybrid.results.formula import MAGNITUDE, read_formula

        if _NAME.fullmatch(text) and not text.endswith(f".{MAGNITUDE}"):
            self._known(text)
        formula = read_formula(text, self.__contains__)
        if formula.chain.numbers:
            numbers = ", ".join(each.text for each in formula.chain.numbers)
            raise ModelError(
                f"'{text}' asks for numbers ({numbers}), expected a history; leave them out, or take Results.measure"
            )
        return formula

    def _recovered(self, name: str) -> Array:
        """Return a motion of a node or angles of a body that were not recorded."""
        from floatframe.hybrid.results.recovery import recovered
        from floatframe.hybrid.results.stress_names import STRESS

        channel = self._known(name)
        if match := STRESS.fullmatch(channel.name):
            values = self.stress(match["body"]).values(channel.name)
            return values if channel.name == name and channel.components else values[:, channel.columns.index(name)]
        why = f"'{channel.name}' was not recorded and cannot be recovered"
        if channel.name.endswith("acceleration"):
            raise ModelError(f"{why} from coordinates and speeds; name it among the channels to record")
        if not self.meta.nq:
            raise ModelError(f"{why}, because the run kept no coordinates; name it among the channels to record")
        try:
            system = system_of(self)
        except ModelError as error:
            raise ModelError(f"{why}: {error}") from error
        values = recovered(system, channel.name, self.t, self.q, self.v)
        return values if channel.name == name else values[:, channel.columns.index(name)]

    def stress(self, body: str) -> Recovered:
        """Return what the stresses of a flexible body in this run follow from; its channels are taken by name."""
        from floatframe.hybrid.results.stresses import DRIVES, recover_stress

        if body not in self._stresses:
            if not len(self) or not self.meta.nq:
                raise ModelError(
                    f"stresses of '{body}': the run has no coordinates; record them: Record(coordinates=True)"
                )
            names = [f"{body}.{what}" for what in DRIVES]
            recorded = {name: self[name] for name in names} if all(name in self for name in names) else {}
            self._stresses[body] = recover_stress(system_of(self), body, self.t, self.q, self.v, recorded)
        return self._stresses[body]

    def measure(self, text: str, start: float | None = None) -> dict[str, float]:
        """Return numbers of a history from time start [s] on: "A.force.x:lowpass(20):rms,peak" gives {"rms": …, …}."""
        from floatframe.hybrid.results.formula import split_numbers

        history, chain = split_numbers(text)
        if not chain.numbers or len(self.column_names(history)) > 1:
            raise ModelError(f"'{text}' must name one component and a measure, as in 'A.force.x:rms'")
        inside = self.between(start)
        numbers = chain.measured(self.t[inside], self.history(history, inside))
        return {each.text: value for each, value in zip(chain.numbers, numbers, strict=True)}

    def unit(self, name: str) -> str:
        """Return the unit of a channel."""
        return self._channel(name).unit

    def column_names(self, name: str) -> tuple[str, ...]:
        """Return the names of the columns of a channel: ("A.force.x", …), or the one that was asked for."""
        channel = self._channel(name)
        return (name,) if name in channel.columns else channel.columns

    def to_csv(self, path: PathLike, channels: Iterable[str] | None = None) -> None:
        """Write time and channels, all of them by default, one column each with its unit."""
        names = [channel.name for channel in self.channels] if channels is None else list(channels)
        headings = ["t [s]"]
        for name in names:
            unit = self.unit(name)
            headings += [f"{column} [{unit}]" if unit else column for column in self.column_names(name)]
        write_csv(path, headings, np.column_stack([self.t, *(self[name] for name in names)]))

    def __repr__(self) -> str:
        span = f"t = {self.t[0]:.6g} … {self.t[-1]:.6g} s, " if len(self) else ""
        return f"Results({len(self)} records, {span}{len(self.channels)} channels, {self.status.reason})"

    def _channel(self, name: str) -> Channel:
        """Return the channel a name belongs to: a recorded one, that of a node, or what a formula makes."""
        place = self._place(name)
        if place is not None:
            return place[0]
        return self._unrecorded(name) or self._formula(name).channel(self._column)

    def _column(self, name: str) -> Channel:
        """Return a channel, or a component of one as a channel of its own."""
        channel = self._known(name)
        return channel if channel.name == name else Channel(name, channel.unit)

    def _known(self, name: str) -> Channel:
        """Return the channel that a plain name belongs to."""
        place = self._place(name)
        channel = self._unrecorded(name) if place is None else place[0]
        if channel is None:
            raise ModelError(f"channel '{name}' does not exist in these results{self._near(name)}")
        return channel

    def _near(self, name: str) -> str:
        """Say which components of its channel, or which channels and components, have a name like this one."""
        whole = name.rpartition(".")[0]
        place = self._place(whole)
        channel = place[0] if place else self._unrecorded(whole)
        if channel is not None and channel.name == whole and channel.components:
            return did_you_mean(name, channel.columns)
        known = [*self._channels, *(column for channel in self.channels for column in channel.columns)]
        return did_you_mean(name, known)

    def _unrecorded(self, name: str) -> Channel | None:
        """Return the channel of a node or of angles, which can be recovered."""
        from floatframe.hybrid.results.channels import unlisted_channel

        for whole in (name, name.rpartition(".")[0]):
            channel = unlisted_channel(whole)
            if channel is not None and name in (whole, *channel.columns):
                return channel
        return None

    def _place(self, name: str) -> tuple[Channel, slice] | None:
        """Return the channel a name belongs to and its columns; names of channels go before those of components."""
        if name in self._channels:
            return self._channels[name], self._slices[name]
        whole, _, part = name.rpartition(".")
        channel = self._channels.get(whole)
        if channel is None or part not in channel.components:
            return None
        first = self._slices[whole].start + channel.components.index(part)
        return channel, slice(first, first + 1)


def system_of(result: Results, model: str | Path | None = None) -> CompiledSystem:
    """Return the system of a run: the one that was simulated, or one made of the model text in the file.

    model: a model file to take instead. Files of flexible bodies are looked for beside the run.
    """
    from floatframe.hybrid.results.rebuilding import rebuilt  # brings the compiled kernels

    if model is None and result.system is not None:
        return result.system
    return rebuilt(result.source, model)
