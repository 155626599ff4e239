"""Shapes beside eigenmodes and static shapes: what loads and accelerations do that the modes cannot follow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, cast

import numpy as np

from floatframe.arrays import Array, IntArray, short_repr
from floatframe.errors import ModelError
from floatframe.fem import DOF_NAMES, NodalValues, as_items, load_vector
from floatframe.modal.lanczos import Modes
from floatframe.modal.reduction.basis import Shape
from floatframe.modal.reduction.interface import existing_dofs, rows_from_nodes

if TYPE_CHECKING:
    from floatframe.fem import DofSpec, FEModel
    from floatframe.modal.analysis import HeldStructure

_NOTHING = 1e-9  # residual displacement, relative to the whole one, that is round-off


@short_repr
@dataclass(frozen=True)
class ExtraShapes:
    """Shapes of a reduced body besides eigenmodes and static shapes; those that the others contain are dropped."""

    loads: DofSpec = ()  # dofs that will be loaded, for elastic shapes under what the modes cannot carry
    load_cases: Mapping[str, NodalValues] = field(default_factory=dict)  # the same for {name: {(node, "uz"): force}}
    inertia_relief: bool = False  # shapes under uniform accelerations
    shapes: Array | None = None  # (nnode, 6[, k]) displacements given by the user [m, rad]

    def with_loads(self, table: IntArray) -> ExtraShapes:
        """Return a copy that loads the dofs of an interface table (k, 2) as well, and first."""
        first = [(int(node), [DOF_NAMES[part]]) for node, part in table]
        return replace(self, loads=[*first, *as_items(self.loads)])


def extra_shapes(
    held: HeldStructure, modes: Modes, extras: ExtraShapes, static: Array, boundary: IntArray
) -> tuple[Array, tuple[Shape, ...]]:
    """Return columns (ndof, k) that leave the boundary rows at rest, and what they are."""
    fe = held.fe
    forces, labels = _forces(held, extras)
    X = np.zeros((fe.ndof, len(labels)), order="F")
    if labels:
        X[held.rows] = _residual(held, modes, forces)
    if extras.shapes is not None:
        given = np.asarray(extras.shapes, dtype=float)
        if given.shape[:2] != (fe.nnode, 6) or given.ndim > 3:
            raise ModelError(f"shapes have shape {given.shape}, expected ({fe.nnode}, 6) or ({fe.nnode}, 6, k).")
        if not np.isfinite(given).all():
            raise ModelError("shapes hold numbers that are not finite; give displacements of all nodes.")
        own = rows_from_nodes(fe, given.reshape(fe.nnode, 6, -1))
        # the interface moves by its static shapes alone
        X = np.hstack([X, _less(own, static @ own[boundary])])
        labels += [Shape("attachment", f"given shape {k + 1}") for k in range(own.shape[1])]
    return X, tuple(labels)


def _forces(held: HeldStructure, extras: ExtraShapes) -> tuple[Array, list[Shape]]:
    """Return loads (n, k) on the free rows of the held structure."""
    fe = held.fe
    columns, labels = [], []
    for item in fe.dof_items(extras.loads):
        for node, part in existing_dofs(fe, item, "loaded"):
            nodal = np.zeros((fe.nnode, 6))
            nodal[node, part] = 1.0
            columns.append(fe.project_load(nodal))
            labels.append(Shape("attachment", f"load at node {fe.node_ids[node]} {DOF_NAMES[part]}"))
    for name, case in extras.load_cases.items():
        columns.append(fe.project_load(load_vector(cast("FEModel", fe), case)))
        labels.append(Shape("attachment", f"load case {name}"))
    forces = np.stack(columns, axis=1)[held.rows] if columns else np.empty((held.n, 0))
    if extras.inertia_relief:
        forces = np.hstack([forces, held.inertia_load(fe.rigid_shapes(fe.nodes.mean(axis=0)))])
        labels += [Shape("attachment", f"inertia relief {name}") for name in DOF_NAMES]
    return forces, labels


def _residual(held: HeldStructure, modes: Modes, forces: Array) -> Array:
    """Return elastic displacements (n, k) less what the modes carry."""
    return _less(held.elastic(forces), modes.shapes @ ((modes.shapes.T @ forces) / modes.value[:, None]))


def _less(whole: Array, part: Array) -> Array:
    """Return columns of whole - part; those of which only round-off is left become zero."""
    rest = whole - part
    size = np.abs(whole).max(axis=0, initial=0.0)
    rest[:, np.abs(rest).max(axis=0, initial=0.0) <= _NOTHING * size] = 0.0
    return rest
