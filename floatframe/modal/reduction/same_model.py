"""Is this the model that a body was made from, and which of its mass matrices was taken?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from floatframe.errors import ModelError
from floatframe.fem import DOF_NAMES
from floatframe.modal.body import ReducedBody
from floatframe.modal.factor import multiply
from floatframe.modal.reduction.interface import Interface, find_interface, rows_from_nodes

if TYPE_CHECKING:
    from floatframe.fem import AnyModel, MassKind

_PROJECTED = 1e-5  # how well the shapes must give the generalised mass, each of unit size


def same_model(body: ReducedBody, fe: AnyModel) -> tuple[AnyModel, MassKind | None]:
    """Return the model as the body was made from it, and the kind of its mass; refuse another model."""
    fe = interface_of(body, fe).fe
    return fe, kind_of_mass(body, fe)


def interface_of(body: ReducedBody, fe: AnyModel) -> Interface:
    """Return the body's interface in its model."""
    place = find_interface(fe, [(int(node), DOF_NAMES[part]) for node, part in body.interface])
    _require_same_nodes(body, place.fe)
    return place


def _require_same_nodes(body: ReducedBody, fe: AnyModel) -> None:
    """Refuse another model; nodes that a file has added to the body for masses beside theirs belong to no element."""
    n = fe.nnode
    same = body.nnode >= n and (body.node_ids[:n] == fe.node_ids).all()
    if not same or (body.nnode > n and body.mesh.connectivity.max(initial=-1) >= n):
        raise ModelError(f"body '{body.name}' has other nodes than model '{fe.name}'; give the model it was made from.")


def kind_of_mass(body: ReducedBody, fe: AnyModel) -> MassKind | None:
    """Return the mass that the body was made with: as it says itself, else the one that gives its generalised mass.

    None is the model's own rule.
    """
    kinds: tuple[MassKind | None, ...] = ("consistent", "lumped", "points", "torsion", None)
    known = body.provenance.settings.get("mass")
    if known == fe.mass_rule:
        return None
    X = np.asfortranarray(rows_from_nodes(fe, body.shapes.reshape(body.nnode, 6, -1)))
    size = np.sqrt(np.maximum(np.diag(body.mass), np.finfo(float).tiny))
    for kind in kinds:
        if known is not None and kind == known:
            return kind
        projected = X.T @ multiply(fe.mass(kind), X)
        if known is None and (np.abs(projected - body.mass) <= _PROJECTED * np.outer(size, size)).all():
            return kind
    raise ModelError(
        f"body '{body.name}' does not record its kind of mass, and neither mass of model '{fe.name}', "
        "consistent or lumped, gives its generalised mass; give the model it was made from, or mass='consistent'."
    )
