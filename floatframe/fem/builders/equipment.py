"""What is put on a structure: single nodes, machines on struts, named places."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from floatframe.arrays import Array
from floatframe.fem.builders.picks import nearest
from floatframe.fem.builders.ribs import with_beams
from floatframe.fem.model import FEModel
from floatframe.fem.properties import BeamSection, Material

Place = Sequence[float] | Array


def node_near(fe: FEModel, place: Place) -> int:
    """Return the number of the node closest to a place."""
    return int(fe.pick_nodes(nearest(place))[0])


def with_node(fe: FEModel, place: Place) -> tuple[FEModel, int]:
    """Return the model and the number of the node at a place, which is added if there is none."""
    if fe.nnode:
        number = node_near(fe, place)
        if np.abs(fe.nodes[fe.node_index(number)] - np.asarray(place)).max() < 1e-6:
            return fe, number
    number = int(fe.node_ids.max(initial=0)) + 1
    return replace(fe, nodes=np.vstack([fe.nodes, place]), node_ids=np.append(fe.node_ids, number)), number


def with_machine(
    fe: FEModel, name: str, mass: float, mounts: Iterable[Place], height: float, strut: BeamSection, material: Material
) -> FEModel:
    """Return the model with a machine: a node with its mass [kg] and inertia, a strut to each mount.

    The machine is a brick over its mounts [m] whose centre stands `height` above them; its node is the set `name`.
    """
    feet = np.array(list(mounts), dtype=float)
    nodes = [node_near(fe, foot) for foot in feet]
    size = np.array([np.ptp(feet[:, 0]) + 0.5, np.ptp(feet[:, 1]), 2 * abs(height)])
    fe, centre = with_node(fe, feet.mean(axis=0) + np.array([0.0, 0.0, height]))
    for node in nodes:
        fe = with_beams(fe, [centre, node], strut, material, name="struts")
    return fe.with_point_mass(centre, mass, mass / 12 * ((size**2).sum() - size**2)).with_node_set(name, [centre])


def with_places(fe: FEModel, group: str, single: str, places: Iterable[Place]) -> FEModel:
    """Return the model with the nodes nearest to some places as the set `group`, and each alone as "single 1", …."""
    nodes = [node_near(fe, place) for place in places]
    fe = fe.with_node_set(group, nodes)
    for number, node in enumerate(nodes, start=1):
        fe = fe.with_node_set(f"{single} {number}", [node])
    return fe
