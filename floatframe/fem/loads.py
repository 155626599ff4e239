"""Loads of a finite element model as nodal forces and moments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from floatframe.arrays import Array, BoolArray
from floatframe.errors import ModelError
from floatframe.fem import assembly
from floatframe.fem.dofs import DOF_NAMES

if TYPE_CHECKING:
    from floatframe.fem.model import FEModel

NodalValues = Mapping[tuple["int | str", str], float]


def load_vector(
    fe: FEModel,
    loads: NodalValues | None = None,
    gravity: Sequence[float] | None = None,
    pressure: Mapping[str, float] | None = None,
) -> Array:
    """Return nodal forces and moments (nnode, 6) [N, N m] in model axes.

    loads: {(node number or set name, component): value}, a set taking the value at each of its nodes; gravity: the
    acceleration (3,) [m/s2] that pulls all mass, e.g. (0, 0, -9.81); pressure: {set name: value [Pa]}, where an
    element set loads its shells against their normal and a node set loads all outer faces that lie fully in it.
    """
    f = np.zeros((fe.nnode, 6))
    for where, value in nodal_values(fe, loads or {}, "load"):
        f[where] += value
    if gravity is not None:
        f += gravity_load(fe, gravity)
    for name, value in (pressure or {}).items():
        f += pressure_load(fe, name, value)
    return f


def nodal_values(fe: FEModel, values: NodalValues, what: str) -> Iterator[tuple[tuple[int, int], float]]:
    """Yield (node index, component) and value for every dof named; those that do not exist are refused."""
    for key, value in values.items():
        if not (isinstance(key, tuple) and len(key) == 2):
            raise ModelError(f"{what} {key!r}: expected a pair (node or set, component) such as (7, 'uz').")
        if not np.isfinite(value):
            raise ModelError(f"{what} at {key!r}: the value is {value}; give a finite number.")
        for node, component in fe.pick_dofs([key]):
            if not fe.dof_table.present[node, component // 3]:
                raise ModelError(
                    f"{what} at {key!r}: node {fe.node_ids[node]} has no {DOF_NAMES[component]}, because its elements "
                    "have no such dof."
                )
            yield (int(node), int(component)), float(value)


def gravity_load(fe: FEModel, gravity: Sequence[float]) -> Array:
    """Return (nnode, 6): the weight of all elements and point masses in a uniform field (3,) [m/s2]."""
    g = np.asarray(gravity, dtype=float)
    if g.shape != (3,) or not np.isfinite(g).all():
        raise ModelError(f"gravity is {gravity!r}; expected three numbers [m/s2], e.g. (0, 0, -9.81).")
    acceleration = np.tile(np.r_[g, 0, 0, 0], fe.nnode)[fe.dof_table.slots]
    weight = np.zeros(6 * fe.nnode)
    weight[fe.dof_table.slots] = assembly.assemble(fe, "consistent") @ acceleration
    return weight.reshape(fe.nnode, 6)


def pressure_load(fe: FEModel, name: str, pressure: float) -> Array:
    """Return (nnode, 6) of a pressure [Pa] on an element set (shells) or on the outer faces within a node set."""
    f = np.zeros((fe.nnode, 6))
    loaded = 0
    if not np.isfinite(pressure):
        raise ModelError(f"pressure on '{name}': the value is {pressure}; give a finite number of pascals.")
    for number, block in enumerate(fe.blocks):
        if block.element.dimension < 2:
            continue
        for face in range(len(block.element.faces)):
            rows = np.flatnonzero(_loaded_faces(fe, number, face, name))
            loaded += rows.size
            part = block.take(rows)
            per_node = block.element.dof_per_node
            for piece, batch in part.batches(fe.nodes):
                nodal = block.element.pressure_load(batch, face, np.full(batch.size, float(pressure)))
                nodal = nodal.reshape(batch.size, block.element.nnode, per_node)
                np.add.at(f[:, :per_node], part.connectivity[piece], nodal)
    if not loaded:
        raise ModelError(
            f"pressure on '{name}': no shell of an element set and no outer face with all nodes in a node set has this "
            f"name; element sets: {', '.join(sorted(fe.element_sets)) or 'none'}; "
            f"node sets: {', '.join(sorted(fe.node_sets)) or 'none'}."
        )
    return f


def _loaded_faces(fe: FEModel, block: int, face: int, name: str) -> BoolArray:
    """Return a mask (nel,) of elements of a block whose face belongs to the named set."""
    elements, element = fe.blocks[block], fe.blocks[block].element
    if name in fe.element_sets:
        return np.isin(elements.element_ids, fe.element_sets[name]) & (element.dimension == 2)
    if name not in fe.node_sets:
        return np.zeros(len(elements), dtype=bool)
    inside = np.zeros(fe.nnode, dtype=bool)
    inside[fe.node_index(fe.node_sets[name])] = True
    corners = [node for node in element.faces[face] if node < element.corners]
    whole = np.asarray(inside[elements.connectivity[:, corners]].all(axis=1))
    return whole & fe.outer_faces[block][:, face]
