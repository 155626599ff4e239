"""Fatigue life of a flexible body in one or several runs: damage of every node that has stresses, worst first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from floatframe.arrays import Array, IntArray, short_repr
from floatframe.durability.curves import SNCurve
from floatframe.durability.damage import MeanStress, stress_damages
from floatframe.errors import ModelError
from floatframe.modal import NodalPoints, ReducedBody, place_name

if TYPE_CHECKING:
    from floatframe.hybrid import Recovered


@dataclass(frozen=True)
class Share:
    """A run of a load spectrum: what its stresses follow from, and how often it is repeated."""

    found: Recovered
    repetitions: float = 1.0


@short_repr
@dataclass(frozen=True)
class LifeTable:
    """Damage of points of a body by all runs of a spectrum; points are nodes with their places, worst first.

    node, place (k,); position (k, 3) [m]; damage (k,) of the spectrum, 1 is failure; amplitude (k,) the largest
    equivalent amplitude [Pa]; duration: of the spectrum [s]; corrected: whether stresses have the static correction.
    """

    body: str
    curve: SNCurve
    node: IntArray
    place: tuple[str, ...]
    position: Array
    damage: Array
    amplitude: Array
    duration: float
    corrected: bool

    @property
    def repetitions(self) -> Array:
        """How often the spectrum can be repeated until failure (k,)."""
        with np.errstate(divide="ignore"):
            return np.asarray(1.0 / self.damage)

    @property
    def life(self) -> Array:
        """Time until failure (k,) [s]."""
        return self.repetitions * self.duration

    def nodal_damage(self) -> tuple[IntArray, Array]:
        """Return node numbers and the damage of the worst place of each."""
        nodes, which = np.unique(self.node, return_inverse=True)
        worst = np.zeros(len(nodes))
        np.maximum.at(worst, which, self.damage)
        return nodes, worst


def life_table(
    spectrum: Sequence[Share] | Recovered,
    curve: SNCurve,
    mean: MeanStress | None = None,
    measure: str = "critical_plane",
    nodes: Iterable[int] | None = None,
) -> LifeTable:
    """Return the damage of all nodes with stresses, or of some, by the runs of a spectrum.

    Stresses are means over the shells or solids of one material that meet at a node; of beams that meet there, the
    one with the most damage counts. Runs are counted one by one; cycles from one into the next
    are not. Amplitudes outside the S–N curve are refused.
    """
    from floatframe.hybrid import Recovered as Found

    shares = [Share(spectrum)] if isinstance(spectrum, Found) else list(spectrum)
    if not shares:
        raise ModelError("life: a load spectrum needs at least one run")
    body = shares[0].found.body
    for share in shares:
        if not 0.0 < share.repetitions < np.inf:
            raise ModelError(f"life: a run is repeated {share.repetitions} times; it must be positive")
        if not np.array_equal(share.found.body.node_ids, body.node_ids):
            raise ModelError(
                f"life: body '{share.found.name}' has other nodes than '{shares[0].found.name}'; the runs of "
                "a spectrum must have the same body"
            )
    rule = _rule(mean, curve, measure)
    points = body.stress_shapes.nodal_points()
    chosen = chosen_points(points.node, nodes, body, shares[0].found.name)
    damage, largest = np.zeros(len(chosen)), np.zeros(len(chosen))
    for share in shares:
        here = points if share.found.body is body else share.found.body.stress_shapes.nodal_points()
        if not (np.array_equal(here.node, points.node) and np.array_equal(here.place, points.place)):
            raise ModelError(
                f"life: the bodies '{shares[0].found.name}' of the runs keep stresses of different elements; reduce "
                "with the same --stress for all runs of a spectrum"
            )
        own, high = stress_damages(here.stress[chosen], share.found.drive, curve, rule, measure)
        damage, largest = damage + share.repetitions * own, np.maximum(largest, high)
    duration = float(sum(share.repetitions * (share.found.t[-1] - share.found.t[0]) for share in shares))
    return worst_first(shares[0].found.name, body, curve, points, chosen, damage, largest, duration)


def worst_first(
    name: str,
    body: ReducedBody,
    curve: SNCurve,
    points: NodalPoints,
    chosen: IntArray,
    damage: Array,
    amplitude: Array,
    duration: float,
) -> LifeTable:
    """Return the table of damages and largest amplitudes (k,) of chosen points; none may exceed the curve.

    Of points with the same node and place, the worst is taken.
    """
    if len(chosen):
        worst = int(np.argmax(amplitude))
        curve.require(float(amplitude[worst]), f" at node {points.node[chosen[worst]]} of '{name}'")
    order = np.lexsort((-amplitude, -damage))  # where nothing is damaged, the most stressed places first
    _, worst_of_each = np.unique(np.stack([points.node, points.place])[:, chosen[order]], axis=1, return_index=True)
    order = order[np.sort(worst_of_each)]
    picked = chosen[order]
    return LifeTable(
        name,
        curve,
        points.node[picked],
        tuple(place_name(int(points.place[k])) for k in picked),
        body.nodes[body.node_index(points.node[picked])],
        damage[order],
        amplitude[order],
        duration,
        body.stress_shapes.corrected,
    )


def _rule(mean: MeanStress | None, curve: SNCurve, measure: str) -> MeanStress | None:
    """Return the mean-stress correction; by default that of the curve, if it knows a sensitivity that counts."""
    if mean is not None or curve.sensitivity is None or measure == "critical_shear":
        return mean
    return MeanStress("fkm", curve.sensitivity)


def chosen_points(known: IntArray, nodes: Iterable[int] | None, body: ReducedBody, name: str) -> IntArray:
    """Return which points of a body belong to the nodes that are asked for; known (k,): node numbers of the points."""
    if nodes is None:
        return np.arange(len(known))
    wanted = np.unique(np.asarray(list(nodes), dtype=np.int64))
    missing = np.setdiff1d(wanted, body.node_ids)
    if missing.size:
        known_ids = f"{len(body.node_ids)} from {body.node_ids.min()} to {body.node_ids.max()}"
        raise ModelError(f"life: node {missing[0]} of body '{name}' does not exist; it has {known_ids}")
    unknown = np.setdiff1d(wanted, known)
    if unknown.size:
        raise ModelError(
            f"life: node {unknown[0]} of body '{name}' has no stresses; keep those of its elements: floatframe reduce "
            "--stress all"
        )
    return np.flatnonzero(np.isin(known, wanted))
