"""Which finite element model belongs to which flexible body; sections, masses and stresses are drawn with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import ModelError
from floatframe.fem import FEModel, stresses

if TYPE_CHECKING:
    from floatframe.arrays import IntArray
    from floatframe.modal import ReducedBody

# from modal coordinates, or all drives of stresses, to stresses (nnode,) [Pa] of a body
StressField = Callable[[Array], Array]

_SAME_PLACE = 1e-6  # of the size of a model: nodes nearer than that are one


class BodyModel(NamedTuple):
    """The finite element model of a body, and the rows (fe.nnode,) of its nodes among those of the body."""

    fe: FEModel
    place: IntArray

    def von_mises(self, shape: Array) -> Array:
        """Return von Mises stresses [Pa] at the nodes of the body for displacements (nnode, 6); NaN where none are."""
        values = np.full(len(shape), np.nan)
        values[self.place] = von_mises(self.fe, shape[self.place])
        return values


def von_mises(fe: FEModel, u: Array) -> Array:
    """Return nodal von Mises stresses (nnode,) [Pa] of a displacement (nnode, 3 or 6)."""
    full = np.hstack([u, np.zeros((len(u), 6 - u.shape[1]))])
    return stresses(fe, full).nodal_von_mises()


def kept_stress(body: ReducedBody) -> StressField:
    """Return the stresses of a body that keeps those of its shapes; NaN at nodes of which it keeps none."""

    def field(drive: Array) -> Array:
        nodes, values = body.stress_shapes.nodal_von_mises(drive)
        whole = np.full(body.nnode, np.nan)
        whole[body.node_index(nodes)] = values
        return whole

    return field


def body_model(body: ReducedBody, fe: FEModel, name: str = "") -> BodyModel:
    """Return the model of a body; refuse another one."""
    if not belongs(body, fe):
        raise ModelError(
            f"body '{name or body.name}' has other nodes than model '{fe.name}'; give the model it was made from."
        )
    return BodyModel(fe, _rows(body, fe))


def belongs(body: ReducedBody, fe: FEModel) -> bool:
    """Whether all nodes of a model are nodes of a body, by number and place."""
    rows = _rows(body, fe)
    size = float(np.linalg.norm(np.ptp(fe.nodes, axis=0)))
    same = (body.node_ids[rows] == fe.node_ids).all()
    return bool(same and np.abs(body.nodes[rows] - fe.nodes).max(initial=0.0) <= _SAME_PLACE * size)


def models_of_bodies(
    bodies: Mapping[int, tuple[str, ReducedBody]], given: FEModel | Sequence[FEModel] | None
) -> dict[int, BodyModel]:
    """Return the models of flexible bodies by number, found by their nodes; one model may belong to several bodies.

    bodies: name and reduced body by number. A model that belongs to none of them is refused.
    """
    models = [given] if isinstance(given, FEModel) else list(given or ())
    found: dict[int, BodyModel] = {}
    for fe in models:
        owners = [number for number, (_, body) in bodies.items() if belongs(body, fe)]
        if not owners:
            names = ", ".join(f"'{name}'" for name, _ in bodies.values())
            have = f"flexible bodies {names} have other nodes" if names else "there are no flexible bodies"
            raise ModelError(f"finite element model '{fe.name}': {have}; give the model a body was made from.")
        found |= {number: BodyModel(fe, _rows(bodies[number][1], fe)) for number in owners}
    return found


def _rows(body: ReducedBody, fe: FEModel) -> IntArray:
    order = np.argsort(body.node_ids)
    return order[np.searchsorted(body.node_ids[order], fe.node_ids).clip(max=body.nnode - 1)]
