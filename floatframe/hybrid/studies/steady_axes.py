"""The axes of a steady motion: which bodies go round with their spin, and about what.

The origin of a floating body that spins stays where it is or travels straight on, if it is the centre of mass, or goes
round about a point that does. Of bodies that hang together but not on the ground that point is the common centre of
mass, which nothing accelerates; of those that joints hold on the ground it stands still. A body on springs alone may
sag in them without going round, or go round with its unbalance: both are tried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from floatframe.arrays import Array
from floatframe.hybrid.assembly import CompiledSystem, State
from floatframe.hybrid.dense import connected_groups
from floatframe.hybrid.kernels import FREE, OFF, Tables
from floatframe.hybrid.studies.element_forces import evaluation
from floatframe.hybrid.studies.tangent import jointed_links, turning

ROUND = 1e-6  # of the acceleration towards the centre that a body which goes round may lack


@dataclass(frozen=True)
class Axes:
    """Links that go round with their spin, and the velocities of the points that they go round about."""

    tables: Tables
    links: frozenset[int]
    centre: Array  # (nv,) world axes, in the places of the positions of those links; zero elsewhere

    def turning(self, state: State) -> tuple[Array, Array]:
        """The matrices `turning_x` and `turning_v` (nv, nv) of a tangent."""
        return turning(self.tables, state, self.links)

    def acceleration(self, state: State, speed: float = 1.0) -> Array:
        """Accelerations (nv,) of a motion whose speeds are constant in these axes; speed: share of the centres'."""
        return np.asarray(self.turning(state)[1] @ (state.v - speed * self.centre))


def possible_axes(
    system: CompiledSystem, tables: Tables, start: State, closed: Callable[[State], State]
) -> Iterator[Axes]:
    """The axes that a motion from a start may have, most usual first; `closed` gives states with closed joints."""
    from floatframe.hybrid.kernels import MASS

    links = tables.links
    floating = [k for k, link in enumerate(links) if link["kind"] == FREE]
    at = {k: slice(int(links[k]["iv"]), int(links[k]["iv"]) + 3) for k in floating}
    group = _hanging_together(tables)
    begun = closed(start)
    centre = np.zeros(system.nv)
    M = evaluation(system, tables, begun)(begun.t, begun.q, MASS).M.copy()
    loose = [k for k in floating if group[k] != group[0]]
    for k in loose:
        own = [at[j] for j in loose if group[j] == group[k]]
        mass = sum(M[part.start, part.start] for part in own)
        momentum = sum((M[part] @ begun.v for part in own), start=np.zeros(3))
        centre[at[k]] = momentum / mass if mass > 0.0 else begun.v[at[k]]
    going = jointed_links(tables).union(loose)
    yield Axes(tables, going, centre)
    sprung = [k for k in floating if k not in going and begun.v[at[k].stop : at[k].stop + 3].any()]
    if not sprung:
        return
    # the points that springs hold are those where the bodies would be if they did not spin
    v = np.array(start.v)
    for k in sprung:
        v[at[k].stop : at[k].stop + 3] = 0.0
    still = closed(State(start.t, start.q, v, start.memory)).v
    centre = np.array(centre)
    for k in sprung:
        centre[at[k]] = still[at[k]]
    yield Axes(tables, going.union(sprung), centre)


def going_round(tables: Tables, state: State, acceleration: Array) -> frozenset[int]:
    """Links that go round with their spin: those that joints hold, those on springs if accelerations (nv,) say so."""
    group, jointed = _hanging_together(tables), jointed_links(tables)
    sprung = frozenset(
        k for k, link in enumerate(tables.links) if link["kind"] == FREE and group[k] == group[0] and k not in jointed
    )
    wanted = turning(tables, state, sprung)[1] @ state.v
    for k in sprung:
        own = slice(int(tables.links[k]["iv"]), int(tables.links[k]["iv"]) + 3)
        size = np.abs(wanted[own]).max()
        if size > 0.0 and np.abs(acceleration[own] - wanted[own]).max() <= ROUND * size:
            jointed = jointed.union({k})
    return jointed


def _hanging_together(tables: Tables) -> Array:
    """Groups (nlink,) of links that joints or forces connect."""
    links, forces = tables.links, tables.forces[tables.forces["kind"] != OFF]
    carrier = np.append(tables.markers["link"], 0)  # of markers; the last stands for those that are not used
    pairs = [(k, int(link["parent"])) for k, link in enumerate(links) if k and link["kind"] != FREE]
    for table in (tables.rows, forces, tables.coordinates):
        pairs += zip(carrier[table["a"]].tolist(), carrier[table["b"]].tolist(), strict=True)
    first, last = np.array(pairs, dtype=int).reshape(-1, 2).T
    linked = np.zeros((len(links), len(links)), dtype=bool)
    linked[first, last] = True
    return connected_groups(linked)
