"""What loads leave over: the part of a load that the shapes of a body do not represent, and what it would move."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import numpy as np

from floatframe.arrays import Array, short_repr
from floatframe.errors import ModelError
from floatframe.fem import DOF_NAMES, NodalValues, load_vector, rigid_motion
from floatframe.modal.analysis import HeldStructure
from floatframe.modal.body import NodalFlexibility, ReducedBody, held_modes
from floatframe.modal.factor import multiply
from floatframe.modal.reduction.interface import rows_from_nodes
from floatframe.modal.reduction.same_model import same_model

if TYPE_CHECKING:
    from floatframe.arrays import SparseMatrix
    from floatframe.fem import AnyModel, FEModel, MassKind


@short_repr
@dataclass(frozen=True)
class LoadResidual:
    """A load that a body cannot take up as a whole; arrays (nnode, 6) at the nodes of the model.

    The interface is held where the body has static shapes; a body that is free is balanced by inertia forces. For
    eigenmodes of the structure as it is held, `missing` is the static displacement of `force`.
    """

    force: Array  # f - M H H^T f with mass-orthonormal shapes H [N, N m]; zero at what is held
    displacement: Array  # of the model under the load [m, rad]
    missing: Array  # displacement of the model less that of the body
    work: float  # of the load in the displacement of the model [J], and ...
    missing_work: float  # ... in what is missing of it

    @property
    def share(self) -> float:
        """Missing part of the displacement at the load, by its work there; 0: the shapes carry the load."""
        return self.missing_work / self.work if self.work > 0.0 else 0.0


class LoadCheck:
    """Sets static displacements of a body beside those of its model, one factorisation for all loads.

    fe: the model as the body was made from it, with its stiffness K and mass M.
    """

    def __init__(self, body: ReducedBody, fe: AnyModel, K: SparseMatrix, M: SparseMatrix) -> None:
        known, rows = body.flexibility, fe.free_rows()
        interface_held = body.n_static > 0 if known is None else known.interface_held
        if interface_held:
            rows = np.setdiff1d(rows, fe.rows([(int(node), DOF_NAMES[part]) for node, part in body.interface]))
        self.held = HeldStructure(fe, K, M, rows)
        value, frame, T = held_modes(body, interface_held)
        elastic = value > 0.0
        motion = body.expand(T[:, elastic])
        if len(frame):
            motion = motion + rigid_motion(body.nodes) @ frame[:, elastic]
        self.value = value[elastic]
        self.modes = np.asfortranarray(rows_from_nodes(fe, motion)[self.held.rows])  # mass-orthonormal

    def missing(self, loads: Array) -> Array:
        """Return displacements (nnode, 6, k) of the model under loads (ndof, k) less those of the body."""
        f, fe = loads[self.held.rows], self.held.fe
        missing = np.zeros(loads.shape)
        missing[self.held.rows] = self.held.elastic(f) - self.modes @ ((self.modes.T @ f) / self.value[:, None])
        return fe.expand(missing)

    def residual(self, loads: NodalValues) -> LoadResidual:
        """Return what is left of the load {(node or set, "uz"): value}."""
        held, X = self.held, self.modes
        fe = held.fe
        f = fe.project_load(load_vector(cast("FEModel", fe), loads))[held.rows, None]
        whole, amplitude = held.elastic(f), X.T @ f
        missing = whole - X @ (amplitude / self.value[:, None])
        represented = X @ amplitude + held.rigid @ (held.rigid.T @ f)
        force = f - multiply(held.M, np.asfortranarray(represented))
        force, displacement, rest = (self._at_nodes(values) for values in (force, whole, missing))
        return LoadResidual(force, displacement, rest, float((f.T @ whole).item()), float((f.T @ missing).item()))

    def _at_nodes(self, x: Array) -> Array:
        """Place values (n, 1) of the free rows at their nodes (nnode, 6)."""
        fe = self.held.fe
        placed, dofs = np.zeros((fe.nnode, 6)), fe.dofs[self.held.rows]
        placed[fe.node_index(dofs[:, 0]), dofs[:, 1]] = x[:, 0]
        return placed


def load_residual(body: ReducedBody, fe: AnyModel, loads: NodalValues, mass: MassKind | None = None) -> LoadResidual:
    """Return what the shapes of a body leave of a load on the model it was made from, {(node or set, "uz"): value}.

    mass: the kind that the body was made with; not needed if the body names it or its generalised mass shows it.
    """
    fe, kind = same_model(body, fe)
    return LoadCheck(body, fe, fe.stiffness(), fe.mass(mass or kind)).residual(loads)


def nodal_flexibility(held: HeldStructure, interface_held: bool) -> NodalFlexibility | None:
    """Return the static displacements at each node under loads there; None where parts of the model move freely."""
    fe = held.fe
    free = np.zeros(fe.ndof)
    try:
        free[held.rows] = held.own_displacements()
    except ModelError:
        return None
    own = np.full((fe.nnode, 6), np.nan)
    own[fe.node_index(fe.dofs[:, 0]), fe.dofs[:, 1]] = free
    here = fe.placed
    return NodalFlexibility(own[here, :3].sum(axis=1), own[here, 3:].sum(axis=1), interface_held)
