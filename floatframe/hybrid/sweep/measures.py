"""What a sweep keeps of a point: numbers such as the root mean square of a channel, written as "A.force.x:rms"."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import ModelError
from floatframe.hybrid.assembly import CompiledSystem
from floatframe.hybrid.kernels import new_kept
from floatframe.hybrid.results import Observer, Results
from floatframe.hybrid.settings import Record
from floatframe.hybrid.studies import Equilibrium
from floatframe.io import Channel
from floatframe.signals import peak, period, rms
from floatframe.wording import did_you_mean

MAGNITUDE = "magnitude"  # stands for the length of a vector in place of a component
DEFAULT_KINDS = ("rms", "peak")

Numbers = dict[Channel, float]  # name and unit, value


def _mean(t: Array, y: Array) -> float:
    return float(np.trapezoid(y, t) / (t[-1] - t[0]))


def _deviation(t: Array, y: Array) -> float:
    return float(rms(t, y - _mean(t, y)))


KINDS: dict[str, Callable[[Array, Array], float]] = {
    "rms": lambda t, y: float(rms(t, y)),
    "std": _deviation,  # root mean square about the mean
    "peak": lambda t, y: float(abs(peak(t, y).value)),
    "mean": _mean,
    "min": lambda t, y: float(y.min()),
    "max": lambda t, y: float(y.max()),
    "end": lambda t, y: float(y[-1]),
    "period": period,
}


@dataclass(frozen=True)
class Measure:
    """One channel, or one component or the magnitude of it, and the kinds of numbers wanted of it."""

    channel: Channel
    part: str  # name of a component, MAGNITUDE, or "" of a scalar
    kinds: tuple[str, ...]

    @property
    def name(self) -> str:
        return f"{self.channel.name}.{self.part}" if self.part else self.channel.name

    def of(self, values: Array) -> Array:
        """Return the history (nt,) in the values (nt, n) or (nt,) of the channel."""
        if self.part == MAGNITUDE:
            return np.asarray(np.linalg.norm(values, axis=1))
        return values[:, self.channel.components.index(self.part)] if self.part else values


def measures(system: CompiledSystem, texts: Sequence[str], default: Sequence[str] = DEFAULT_KINDS) -> list[Measure]:
    """Return what texts such as "A.force:rms,peak", "A.force.magnitude:peak", "hinge.angle" ask for.

    Vectors are measured component by component; names may hold "*" as in `Record`. Without ":" the kinds are `default`.
    """
    found = []
    for text in texts:
        target, colon, words = text.partition(":")
        kinds = tuple(word.strip() for word in words.split(",")) if colon else tuple(default)
        for kind in kinds:
            if kind not in KINDS:
                raise ModelError(f"measure '{text}': kind '{kind}' does not exist{did_you_mean(kind, KINDS)}")
        for channel, part in _targets(system, target.strip()):
            found += [Measure(channel, each, kinds) for each in ([part] if part else channel.components or [""])]
    return found


def _targets(system: CompiledSystem, target: str) -> list[tuple[Channel, str]]:
    """Return the channels of a name, each with "", or those that have a component of this name."""
    try:
        return [(channel, "") for channel in Observer(system, Record(channels=(target,))).channels]
    except ModelError as error:
        whole, _, part = target.rpartition(".")
        try:
            channels = Observer(system, Record(channels=(whole,))).channels if whole else ()
        except ModelError:
            channels = ()
        fitting = [c for c in channels if part in c.components or (part == MAGNITUDE and len(c.components) == 3)]
        if fitting:
            return [(channel, part) for channel in fitting]
        raise ModelError(str(error).replace("record:", "measure:", 1)) from None


def of_run(result: Results, wanted: Sequence[Measure], start: float | None) -> Numbers:
    """Return the numbers of a simulation, from time `start` [s] on."""
    t = result.t
    first = 0 if start is None else int(np.searchsorted(t, start))
    if len(t) - first < 2:
        raise ModelError(
            f"measures from t = {t[0] if start is None else start:g} s need two records, found {len(t) - first}; "
            f"the run has {len(t)} up to {t[-1]:g} s"
        )
    numbers: Numbers = {}
    for measure in wanted:
        y = measure.of(result[measure.channel.name])[first:]
        for kind in measure.kinds:
            unit = "s" if kind == "period" else measure.channel.unit
            numbers[Channel(f"{measure.name}:{kind}", unit)] = KINDS[kind](t[first:], y)
    return numbers


def at_rest(system: CompiledSystem, found: Equilibrium, wanted: Sequence[Measure]) -> Numbers:
    """Return the values of channels at an equilibrium."""
    names = tuple(dict.fromkeys(measure.channel.name for measure in wanted))
    observer = Observer(system, Record(channels=names))
    state = found.state
    kept = new_kept(1, system.nq, system.nv, system.nlambda, len(state.memory))
    for target, value in zip(kept, (state.t, state.q, state.v, 0.0, found.reactions, state.memory), strict=False):
        target[0] = value
    row = observer(kept).values
    numbers: Numbers = {}
    first = 0
    for channel in observer.channels:
        values = row[:, first : first + channel.width]
        first += channel.width
        for measure in wanted:
            if measure.channel == channel:
                value = measure.of(values if channel.components else values[:, 0])[0]
                numbers[Channel(measure.name, channel.unit)] = float(value)
    return numbers
