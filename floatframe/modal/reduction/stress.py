"""Stresses of the shapes of a reduced body, and what its shapes miss of stresses under inertia: the static correction.

The interior of a moving body is loaded by its own inertia and by gravity alone; forces of joints act at its interface,
whose displacements static or attachment shapes carry exactly. So the displacements of full statics are those of the
shapes and, with the interface held, what is missing under the inertia forces of rigid and modal accelerations.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, cast

import numpy as np

from floatframe.arrays import Array, IntArray
from floatframe.errors import ModelError
from floatframe.fem import MatrixModel, Pull, pick_elements, rigid_motion, stress_rows
from floatframe.modal.body import PRODUCTS, ReducedBody, StressShapes
from floatframe.modal.factor import multiply
from floatframe.modal.reduction.geometric import centrifugal_loads
from floatframe.modal.reduction.interface import rows_from_nodes
from floatframe.modal.reduction.residual import LoadCheck
from floatframe.modal.reduction.same_model import same_model

if TYPE_CHECKING:
    from floatframe.fem import AnyModel, FEModel, MassKind


def with_stress(
    body: ReducedBody,
    fe: AnyModel,
    elements: Iterable[int | str] | None = None,
    correction: bool = True,
    mass: MassKind | None = None,
) -> ReducedBody:
    """Return the body with the stresses of its shapes (`body.stress`), made from the model that it was reduced from.

    Parameters
    ----------
    body
        A reduced body; `floatframe reduce --stress` adds them while reducing.
    fe
        The model that the body was made from.
    elements
        Element numbers and names of element sets (default: all elements).
    correction
        Whether to add the static correction: stresses under inertia that the shapes miss.
    mass
        The kind of mass that the body was made with; not needed if the body names it.
    """
    fe, kind = same_model(body, fe)
    if isinstance(fe, MatrixModel) or not fe.blocks:
        raise ModelError(f"model '{fe.name}' is given by its matrices; stresses need elements, leave stress out.")
    chosen = _chosen(fe, elements)
    n = body.nmode
    fields = body.shapes.reshape(body.nnode, 6, n)[: fe.nnode]
    weight: list[Pull] = []
    if correction:
        weight = _pulls(fe, fields)
        fields = np.concatenate([fields, missed(body, fe, mass or kind)], axis=2)
    rows = stress_rows(fe, fields, chosen, weight)
    if not len(rows.element) and not len(rows.force_element):
        raise ModelError(
            f"model '{fe.name}': none of the chosen elements has stresses or section forces; choose others."
        )
    c = fields.shape[2]
    stress = StressShapes(
        element=rows.element,
        node=rows.node,
        place=rows.place,
        elastic=rows.elastic,
        names=rows.names,
        force_element=rows.force_element,
        force_node=rows.force_node,
        force_name=rows.force_name,
        columns=np.eye(c),
        corrected=correction,
        group=rows.group,
        values=np.vstack([rows.stress.reshape(-1, c), rows.shear.reshape(-1, c), rows.force]),
    )
    return replace(body, stress=stress)


def _chosen(fe: FEModel, elements: Iterable[int | str] | None) -> IntArray | None:
    if elements is None:
        return None
    items = list(elements)
    names = [item for item in items if isinstance(item, str)]
    numbers = [int(item) for item in items if not isinstance(item, str)]
    parts = [pick_elements(fe, name) for name in names]
    return np.unique(np.concatenate([*parts, pick_elements(fe, numbers) if numbers else np.empty(0, np.int64)]))


def _pulls(fe: FEModel, shapes: Array) -> list[Pull]:
    """Return what pulls the mass of beams between their nodes under the drives of inertia."""
    n, axes = shapes.shape[2], np.eye(3)
    rigid = np.moveaxis(rigid_motion(fe.nodes), 2, 0)
    found = [Pull(n + k, -motion) for k, motion in enumerate(rigid)]
    for k, (i, j) in enumerate(PRODUCTS):
        found += [Pull(n + 6 + k, -rigid[3 + b], axes[a]) for a, b in {(i, j), (j, i)}]
    return found + [Pull(n + 12 + k, -motion) for k, motion in enumerate(np.moveaxis(shapes, 2, 0))]


def missed(body: ReducedBody, fe: FEModel, mass: MassKind | None) -> Array:
    """Return displacements (nnode, 6, 12 + n) that the shapes miss under the drives of inertia, see `StressShapes`."""
    K, M = fe.stiffness(), fe.mass(mass)
    motions = np.hstack([fe.rigid_shapes(), rows_from_nodes(fe, body.shapes.reshape(body.nnode, 6, -1))])
    inertia = -multiply(M, np.asfortranarray(motions))
    loads = np.hstack([inertia[:, :6], centrifugal_loads(fe, mass), inertia[:, 6:]])
    return LoadCheck(body, cast("AnyModel", fe), K, M).missing(loads)
