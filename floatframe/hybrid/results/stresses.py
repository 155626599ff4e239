"""Stresses of flexible bodies in a run, recovered from its coordinates by the stresses of the bodies' shapes.

Their names stand in `stress_names`. Where a body has the static correction, it is part of all of them, see
docs/theory/stress-recovery.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from floatframe.arrays import Array, IntArray
from floatframe.errors import ModelError
from floatframe.hybrid.assembly import CompiledSystem, State, flexible_body
from floatframe.hybrid.kernels import COUNTERS, Kept
from floatframe.hybrid.results.channels import Observer
from floatframe.hybrid.results.stress_names import FORCES, STRESS, stress_channel
from floatframe.hybrid.settings import Record
from floatframe.io import Channel
from floatframe.modal import ReducedBody

# channels of a body that its static correction needs
DRIVES = ("acceleration", "angular_acceleration", "modal_acceleration")
ALL_DRIVES = ".stress_drives"
_FEW_FIBRES = 4  # that messages name one by one


@dataclass(frozen=True)
class Recovered:
    """What stresses of one body in a run follow from: times t (nt,) and drives (nt, c), see `StressShapes`."""

    name: str
    body: ReducedBody
    t: Array
    drive: Array

    def __repr__(self) -> str:
        return f"Recovered({len(self.t)} records of {self.drive.shape[-1]} drives)"

    @property
    def corrected(self) -> bool:
        """Whether stresses have the static correction."""
        return self.body.stress_shapes.corrected

    def at(self, time: float) -> Recovered:
        """Return the record nearest to a time [s]."""
        if not self.t[0] <= time <= self.t[-1]:
            raise ModelError(f"time {time:g} s is outside the run, which goes from {self.t[0]:g} to {self.t[-1]:g} s")
        k = int(np.argmin(np.abs(self.t - time)))
        return Recovered(self.name, self.body, self.t[k : k + 1], self.drive[k : k + 1])

    def values(self, name: str) -> Array:
        """Return a channel (nt, n), see `stress_names`."""
        match = STRESS.fullmatch(name)
        if match is None:
            raise ModelError(f"'{name}' is not the name of a stress, such as {self.name}.element[12].von_mises")
        what, place = match["what"], match["place"]
        node = None if match["node"] is None else self._node(match["node"])
        element = None if match["element"] is None else int(match["element"])
        if what in FORCES and element is not None:
            nodes, force = self.body.stress_shapes.section_forces(self.drive, element, what)
            return np.asarray(force[:, [self._corner(nodes, node, element)]])
        points = self._points(element, node, place)
        if what == "von_mises":
            return self._von_mises(points, averaged=element is None)[:, None]
        self._require_one_place(points, name)
        tensors = self.body.stress_shapes.stress if what == "stress" else self.body.stress_shapes.strain
        return np.asarray(tensors(self.drive, points).mean(axis=1))

    def _node(self, text: str) -> int:
        if text.isdigit():
            return int(text)
        if text not in self.body.node_names:
            raise ModelError(f"body '{self.name}' has no node '{text}'; name a node by its number")
        return self.body.node_names[text]

    def _corner(self, nodes: IntArray, node: int | None, element: int) -> int:
        found = np.flatnonzero(nodes == node)
        if not found.size:
            raise ModelError(f"element {element} of body '{self.name}' has no node {node}; it has {nodes.tolist()}")
        return int(found[0])

    def _points(self, element: int | None, node: int | None, place: str | None) -> IntArray:
        shapes = self.body.stress_shapes
        try:
            points = shapes.at_node(node or 0) if element is None else shapes.of_element(element)
        except ModelError as error:
            raise ModelError(f"body '{self.name}': {error}") from None
        if element is not None and node is not None:
            corners = shapes.node[points]
            self._corner(corners, node, element)
            points = points[corners == node]
        if place is None:
            return points
        wanted = place.replace("[", " ").rstrip("]")
        chosen = points[[shapes.place_name(int(point)) == wanted for point in points]]
        if not chosen.size:
            raise ModelError(
                f"body '{self.name}' has no '{wanted}' there; it has {_in_words(self._places(points)) or 'one place'}"
            )
        return np.asarray(chosen)

    def _places(self, points: IntArray) -> list[str]:
        return list(dict.fromkeys(self.body.stress_shapes.place_name(int(point)) for point in points))

    def _require_one_place(self, points: IntArray, name: str) -> None:
        places = self._places(points)
        if len(places) > 1:
            whole, _, what = name.rpartition(".")
            example = places[0].replace(" ", "[") + ("]" if " " in places[0] else "")
            raise ModelError(
                f"'{name}': there are several places ({_in_words(places)}); name one, as in {whole}.{example}.{what}"
            )

    def _von_mises(self, points: IntArray, averaged: bool) -> Array:
        """Return (nt,) the greatest of points, or averaged as in `StressShapes.nodal_von_mises`."""
        found = self.body.stress_shapes.von_mises(self.drive, points)
        if not averaged:
            return np.asarray(found.max(axis=1))
        elements, families = self.body.stress_shapes.element[points], self.body.stress_shapes.family[points]
        means = [
            np.mean([found[:, elements == k].max(axis=1) for k in np.unique(elements[families == family])], axis=0)
            for family in np.unique(families)
        ]
        return np.asarray(np.max(means, axis=0))


def require_stress(body: ReducedBody, name: str) -> None:
    """Refuse a body without stresses by the name that it has in the model."""
    if body.stress is None:
        raise ModelError(
            f"flexible body '{name}' keeps no stresses of its shapes; reduce it with them: floatframe reduce MODEL … "
            "--stress all -o body.h5, or ff.modal.with_stress(body, fe)"
        )


def recover_stress(
    system: CompiledSystem, body: str, t: Array, q: Array, v: Array, recorded: Mapping[str, Array]
) -> Recovered:
    """Return what the stresses of a flexible body follow from at times t (nt,), coordinates q and speeds v of a run.

    A static correction needs accelerations: those among the recorded channels if all are there, see DRIVES, else those
    that the equations of motion give at these states.
    """
    reduced, _ = flexible_body(system, body, "stresses")
    require_stress(reduced, body)
    if not recorded and reduced.stress_shapes.corrected:
        _require_plain(system, body)
    return _recovered(system, body, _states(system, t, q, v, np.tile(system.start.memory, (len(t), 1))), recorded)


def stress_at(system: CompiledSystem, state: State, body: str) -> Recovered:
    """Return the same for one state of a system, such as an equilibrium."""
    arrays = (np.atleast_1d(state.t), np.atleast_2d(state.q), np.atleast_2d(state.v), np.atleast_2d(state.memory))
    return _recovered(system, body, _states(system, *arrays), {})


def _recovered(system: CompiledSystem, body: str, kept: Kept, recorded: Mapping[str, Array]) -> Recovered:
    reduced, record = flexible_body(system, body, "stresses")
    require_stress(reduced, body)
    first = int(record["iq"])
    drive = kept.q[:, first : first + reduced.nmode]
    if reduced.stress_shapes.corrected:
        drive = np.hstack([drive, _inertia(system, body, kept, recorded)])
    return Recovered(body, reduced, kept.t, drive)


def _inertia(system: CompiledSystem, body: str, kept: Kept, recorded: Mapping[str, Array]) -> Array:
    """Return the drives of inertia (nt, 12 + n) of a body, body axes."""
    channels = tuple(name for name in inertia_channels(body) if name not in recorded)
    observer = Observer(system, Record(channels=channels))
    values, first = observer(kept, settle=not recorded).values, 0
    found = dict(recorded)
    for channel in observer.channels:
        found[channel.name] = values[:, first : first + channel.width]
        first += channel.width
    return inertia_drives(system, body, found)


def inertia_channels(body: str) -> tuple[str, ...]:
    """Return the channels of a body that the drives of inertia follow from."""
    return tuple(f"{body}.{what}" for what in (*DRIVES, "angular_velocity", "rotation"))


def inertia_drives(system: CompiledSystem, body: str, found: Mapping[str, Array]) -> Array:
    """Return the drives of inertia (nt, 12 + n) of a body, body axes, from its `inertia_channels`."""
    a, alpha, modal, omega, attitude = (found[name].reshape(len(found[name]), -1) for name in inertia_channels(body))
    relative = a - np.asarray(system.model.gravity, dtype=float)
    products = [omega[:, i] * omega[:, j] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0))]
    return np.hstack([_in_body_axes(attitude, relative), alpha, np.stack(products, axis=1), modal])


@dataclass(frozen=True)
class StressRows:
    """A stress channel as what the drives of its body do to it: rows (c, n), for n components."""

    channel: Channel
    body: str
    rows: Array


def stress_rows(system: CompiledSystem, name: str) -> StressRows | None:
    """Return a stress channel as a matrix, if the name is one; what is not linear in the drives is refused.

    "BODY.stress_drives" are the drives themselves, from which all stresses follow.
    """
    if name.endswith(ALL_DRIVES):
        body = name.removesuffix(ALL_DRIVES)
        reduced, _ = flexible_body(system, body, "stresses")
        require_stress(reduced, body)
        c = reduced.stress_shapes.columns.shape[1]
        return StressRows(Channel(name, "", tuple(f"d{k + 1}" for k in range(c))), body, np.eye(c))
    match, channel = STRESS.fullmatch(name), stress_channel(name)
    if match is None or channel is None:
        return None
    body = match["body"]
    reduced, _ = flexible_body(system, body, "stresses")
    require_stress(reduced, body)
    if match["what"] == "von_mises":
        raise ModelError(
            f"'{name}' is not linear in the motion, so that it has no response of its own; take components instead, "
            f"such as {name.removesuffix('von_mises')}stress.xx"
        )
    shapes = reduced.stress_shapes
    if "," in channel.unit:
        own = {shapes.names[k] for k in shapes.force_name[shapes.force_element == int(match["element"])]}
        channel = replace(channel, unit=channel.unit.split(", ")["Nx" in own])  # walls have it per length
    c = shapes.columns.shape[1]
    return StressRows(channel, body, Recovered(body, reduced, np.zeros(c), np.eye(c)).values(name))


def _require_plain(system: CompiledSystem, body: str) -> None:
    """Refuse models whose accelerations do not follow from time, coordinates and speeds alone."""
    if system.start.memory.size or system.model.stages:
        names = ", ".join(f'"{body}.{what}"' for what in DRIVES)
        raise ModelError(
            f"stresses of '{body}' with static correction need its accelerations, which do not follow from the "
            f"coordinates of this model (it has state variables, memory or stages); record them: channels = [{names}]"
        )


def _states(system: CompiledSystem, t: Array, q: Array, v: Array, memory: Array) -> Kept:
    x, lam = np.zeros((len(t), system.nv)), np.zeros((len(t), system.nlambda))
    return Kept(np.array(t), np.array(q), np.array(v), x, lam, memory, np.zeros(len(t), COUNTERS))


def _in_body_axes(attitude: Array, vector: Array) -> Array:
    """Return vectors (nt, 3) of world axes in those of a body with quaternions w x y z (nt, 4)."""
    w, u = attitude[:, :1], -attitude[:, 1:]
    return np.asarray(vector + 2.0 * np.cross(u, np.cross(u, vector) + w * vector))


def _in_words(places: list[str]) -> str:
    """Places for a message: of many fibres the first and the last."""
    fibres = [place for place in places if place.startswith("fibre")]
    if len(fibres) <= _FEW_FIBRES:
        return ", ".join(places)
    return ", ".join([*(place for place in places if place not in fibres), f"{fibres[0]} … {fibres[-1]}"])
