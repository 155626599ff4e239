"""What a sweep keeps of a point: numbers such as the root mean square of a channel, written as "A.force.x:rms"."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import ModelError
from floatframe.hybrid.assembly import CompiledSystem
from floatframe.hybrid.kernels import new_kept
from floatframe.hybrid.results import MAGNITUDE, Observer, Results, column_of, observed, read_formula
from floatframe.hybrid.settings import Record
from floatframe.hybrid.studies import Equilibrium
from floatframe.io import Channel
from floatframe.signals import Chain, read_chain

DEFAULT_KINDS = ("rms", "peak")

Numbers = dict[Channel, float]  # name and unit, value


@dataclass(frozen=True)
class Measure:
    """One history and the numbers wanted of it.

    name, unit: of the history; text: the channel, component or expression that results take; column: of its values,
    None of a scalar; channels: what has to be recorded for it.
    """

    name: str
    unit: str
    text: str
    column: int | None
    channels: tuple[str, ...]
    chain: Chain

    def of(self, values: Array) -> Array:
        """Return the history (nt,) in the values (nt,) or (nt, n) of its text."""
        return values if self.column is None else values[:, self.column]


def measures(system: CompiledSystem, texts: Sequence[str], default: Sequence[str] = DEFAULT_KINDS) -> list[Measure]:
    """Return what texts such as "A.force:rms,peak", "A.force.x - B.force.x:lowpass(20):rms", "hinge.angle" ask for.

    Vectors are measured component by component; names may hold "*" as in `Record`. Without numbers they are `default`.
    """

    def named(name: str) -> tuple[Channel, ...]:
        return Observer(system, Record(channels=(name,))).channels

    return measures_among(MeasureNames(named, lambda name: column_of(system, name)), texts, default)


@dataclass(frozen=True)
class MeasureNames:
    """Where names lead: to the channels that a text with "*" stands for, to a component and the channel that has it."""

    channels: Callable[[str], tuple[Channel, ...]]
    column: Callable[[str], tuple[Channel, str]]


def measures_among(names: MeasureNames, texts: Sequence[str], default: Sequence[str] = DEFAULT_KINDS) -> list[Measure]:
    """Return what texts ask for, as `measures`, of whatever has channels."""
    found = []
    for text in texts:
        target, colon, rest = text.partition(":")
        try:
            chain = read_chain(rest) if colon else Chain()
        except ModelError as error:
            raise ModelError(f"measure '{text}': {error}") from None
        if not chain.numbers:
            chain = Chain(chain.filters, read_chain(",".join(default)).numbers)
        filters = "".join(f":{each.text}" for each in chain.filters)
        for channel, text_of, needed in _targets(names, target.strip()):
            columns = range(channel.width) if channel.components else (None,)
            for name, column in zip(channel.columns, columns, strict=True):
                found.append(Measure(name + filters, channel.unit, text_of + filters, column, needed, chain))
    return found


def _targets(names: MeasureNames, target: str) -> list[tuple[Channel, str, tuple[str, ...]]]:
    """Return the histories of a text: what each is, the text that results take, the channels it needs."""
    try:
        return [(channel, channel.name, (channel.name,)) for channel in names.channels(target)]
    except ModelError as error:
        why = ModelError(str(error).replace("record:", "measure:", 1))
    whole, _, part = target.rpartition(".")
    try:
        fitting = [
            c for c in names.channels(whole) if part in c.components or (part == MAGNITUDE and len(c.components) == 3)
        ]
    except ModelError:
        fitting = []
    if fitting:
        return [(Channel(f"{c.name}.{part}", c.unit), f"{c.name}.{part}", (c.name,)) for c in fitting]
    return _of_formula(names, target, why)


def _of_formula(names: MeasureNames, target: str, why: ModelError) -> list[tuple[Channel, str, tuple[str, ...]]]:
    """Return the history of an expression of channels; why: what is said of a plain name."""
    try:
        formula = read_formula(target)
    except ModelError as error:
        raise ModelError(f"measure: {error}") from why
    if formula.names == (target,):
        raise why
    channel = formula.channel(lambda name: names.column(name)[0])
    needed = dict.fromkeys(names.column(name)[1] for name in formula.names)
    return [(channel, target, tuple(needed))]


def numbers_of_run(result: Results, wanted: Sequence[Measure], start: float | None) -> Numbers:
    """Return the numbers of a simulation, from time `start` [s] on."""
    t, inside = result.t, result.between(start)
    if (count := int(inside.sum())) < 2:
        raise ModelError(
            f"measures from t = {t[0] if start is None else start:g} s need two records, found {count}; "
            f"the run has {len(t)} up to {t[-1]:g} s"
        )
    numbers: Numbers = {}
    for measure in wanted:
        y = measure.of(result.history(measure.text, inside))
        for number, value in zip(measure.chain.numbers, measure.chain.measured(t[inside], y), strict=True):
            numbers[Channel(f"{measure.name}:{number.text}", number.unit(measure.unit))] = value
    return numbers


def at_rest(system: CompiledSystem, found: Equilibrium, wanted: Sequence[Measure]) -> Numbers:
    """Return the values of channels at an equilibrium."""
    names = tuple(dict.fromkeys(name for measure in wanted for name in measure.channels))
    state = found.state
    kept = new_kept(1, system.nq, system.nv, system.nlambda, len(state.memory))
    for target, value in zip(kept, (state.t, state.q, state.v, 0.0, found.reactions, state.memory), strict=False):
        target[0] = value
    return numbers_at(state.t, observed(system, names, kept), wanted)


def numbers_at(t: float, values: Mapping[str, Array], wanted: Sequence[Measure]) -> Numbers:
    """Return what is wanted at one time; values: of all channels and components by name, each with one row."""
    numbers: Numbers = {}
    for measure in wanted:
        formula = read_formula(measure.text, values.__contains__)
        history = measure.of(formula.values(np.array([t]), values.__getitem__))
        numbers[Channel(measure.name, measure.unit)] = float(history[0])
    return numbers
