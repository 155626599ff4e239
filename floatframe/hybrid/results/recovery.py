"""Channels at given states: motions of nodes that were not recorded, and what studies ask of a system."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import ModelError
from floatframe.hybrid.assembly import CompiledSystem
from floatframe.hybrid.kernels import COUNTERS, Kept
from floatframe.hybrid.results.channels import Observer, available, listed, node_channel, unlisted_channel
from floatframe.hybrid.results.formula import MAGNITUDE, read_formula
from floatframe.hybrid.settings import RECORD, Record
from floatframe.io import Channel
from floatframe.wording import did_you_mean


def recovered(system: CompiledSystem, name: str, t: Array, q: Array, v: Array) -> Array:
    """The channel (nt, n) of a node of a flexible body, such as rod.node[12].displacement.

    t (nt,), q (nt, nq) and v (nt, nv) are what a run of the system kept.
    """
    count = len(t)
    kept = Kept(
        t,
        q,
        v,
        x=np.zeros((count, system.nv)),
        lam=np.zeros((count, system.nlambda)),
        memory=np.tile(system.start.memory, (count, 1)),
        counters=np.zeros(count, COUNTERS),
    )
    return Observer(system, Record(channels=(name,)))(kept).values


def observed(system: CompiledSystem, channels: Sequence[str], kept: Kept) -> dict[str, Array]:
    """The values (m, n) of channels, and (m,) of each of their components, by name at m states of the system."""
    observer = Observer(system, Record(channels=tuple(channels)))
    columns = observer(kept).values
    values: dict[str, Array] = {}
    first = 0
    for channel in observer.channels:
        values[channel.name] = columns[:, first : first + channel.width]
        values |= {name: columns[:, first + k] for k, name in enumerate(channel.columns)}
        first += channel.width
    return values


def column_of(system: CompiledSystem, name: str) -> tuple[Channel, str]:
    """The channel, component or length that a name means, as a channel of its own, and the channel that has it."""
    whole, _, part = name.rpartition(".")
    for channel in _named(system, name):
        if channel.name == name:
            return channel, name
    for channel in _named(system, whole) if whole else ():
        if channel.name == whole and (name in channel.columns or (part == MAGNITUDE and channel.components)):
            return Channel(name, channel.unit), whole
    for text in (name, whole):
        node_channel(system, text)  # says what is wrong with its body, node or quantity
        if unlisted_channel(text):
            Observer(system, Record(channels=(text,)))
    raise ModelError(f"channel '{name}' does not exist{did_you_mean(name, available(system))}")


def with_sources(system: CompiledSystem, record: Record) -> Record:
    """Return what is to be recorded with the channels that components and expressions of channels need."""
    channels, more = [], []
    for number, name in enumerate(record.channels):
        try:
            first, *others = _sources(system, name)
        except ModelError as error:
            raise RECORD.at("channels").at(number).error(str(error), missing=name) from None
        channels.append(first)
        more += others  # behind all, so that every name keeps its place for messages
    return replace(record, channels=tuple(dict.fromkeys((*channels, *more))))


def _sources(system: CompiledSystem, name: str) -> tuple[str, ...]:
    """The channels that a component or an expression needs; a name of channels, or of nothing, is what it is."""
    if name in listed(system) or unlisted_channel(name) or _named(system, name):
        return (name,)
    try:
        formula = read_formula(name)
    except ModelError:
        return (name,)
    if formula.chain.filters or formula.chain.numbers:
        raise ModelError(f"'{name}' is filtered or measured, which is done with what is recorded; leave out the colon")
    return tuple(dict.fromkeys(column_of(system, part)[1] for part in formula.names)) or (name,)


def _named(system: CompiledSystem, name: str) -> tuple[Channel, ...]:
    try:
        return Observer(system, Record(channels=(name,))).channels
    except ModelError:
        return ()
