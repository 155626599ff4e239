"""The times in a run at which laws of a model change by themselves: controlled steps end there and begin again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from floatframe.arrays import Array
from floatframe.expressions import Expression, parse, switching_times
from floatframe.hybrid.flat import FlatModel


def switches(model: FlatModel, events: Sequence[str], start: float, end: float, hop: float) -> Array:
    """Times (n,) [s] after the start of a run and before its end at which pulses, ramps and tables of t change.

    What holds at such a time is what comes after it. With a hop [s] the time just before is one too: steps up to there
    know nothing of what comes, and that over the hop is too short to do anything.
    """
    found = {t for law in _laws(model, events) for t in switching_times(law, model.tables)}
    times = np.array(sorted(t for t in found if start < t < end))
    if hop > 0.0:
        times = np.unique(np.concatenate((times - hop, times)))
    return times[times > start]


def _laws(model: FlatModel, events: Sequence[str]) -> Iterator[Expression]:
    """All expressions that may depend on the time."""
    for force in model.forces:
        yield from force.expressions.values()
    for joint in model.joints:
        yield from (law for law in joint.driven if law is not None)
    yield from (row.law for constraint in model.constraints for row in constraint.rows)
    yield from (relation.value for relation in model.relations)
    yield from (state.rate for state in model.states)
    yield from (signal.value for signal in model.signals)
    yield from model.whens
    yield from map(parse, events)
