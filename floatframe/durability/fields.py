"""Stress fields of a body in a run: at a moment, the largest of the whole run, and where it is largest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from floatframe.arrays import Array, IntArray, short_repr
from floatframe.errors import ModelError

if TYPE_CHECKING:
    from floatframe.hybrid import Recovered

_NUMBERS = 1 << 22  # of a block of records at all points, so that no history of the whole body is kept


@short_repr
@dataclass(frozen=True)
class PeakMap:
    """The largest von Mises stress of every node in a run: node (k,) numbers, value (k,) [Pa], time (k,) [s]."""

    node: IntArray
    value: Array
    time: Array


@dataclass(frozen=True)
class HotSpot:
    """A node where the stress of a run is largest: value [Pa], time [s], and where it lies in the body [m]."""

    node: int
    value: float
    time: float
    position: tuple[float, float, float]


def field_at(found: Recovered, time: float) -> tuple[IntArray, Array]:
    """Return node numbers (k,) and von Mises stresses (k,) [Pa] at the record nearest to a time [s]."""
    return found.body.stress_shapes.nodal_von_mises(found.at(time).drive[0])


def peak_hold(found: Recovered) -> PeakMap:
    """Return the largest von Mises stress that each node has in a run, and when."""
    nodes, _ = found.body.stress_shapes.nodal_von_mises(found.drive[0])
    value, record = np.full(len(nodes), -1.0), np.zeros(len(nodes), dtype=np.int64)
    size = max(1, _NUMBERS // max(6 * len(found.body.stress_shapes), 1))
    for first in range(0, len(found.t), size):
        _, some = found.body.stress_shapes.nodal_von_mises(found.drive[first : first + size])
        place = np.argmax(some, axis=0)
        here = some[place, np.arange(len(nodes))]
        better = here > value
        value[better], record[better] = here[better], first + place[better]
    return PeakMap(nodes, value, found.t[record])


def hot_spots(found: Recovered, count: int = 10, apart: float = 0.0) -> list[HotSpot]:
    """Return the nodes with the largest stresses of a run, the worst first, none nearer than `apart` [m] to another."""
    if count < 1:
        raise ModelError(f"hot spots: count is {count}; it must be positive")
    peaks = peak_hold(found)
    places = found.body.nodes[found.body.node_index(peaks.node)]
    chosen: list[int] = []
    for k in np.argsort(-peaks.value, kind="stable"):
        if all(np.linalg.norm(places[k] - places[j]) >= apart for j in chosen):
            chosen.append(int(k))
        if len(chosen) == count:
            break
    return [
        HotSpot(int(peaks.node[k]), float(peaks.value[k]), float(peaks.time[k]), tuple(places[k].tolist()))
        for k in chosen
    ]
