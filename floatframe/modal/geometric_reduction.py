"""The geometric terms of a reduced body: load states, their stresses, and the geometric stiffness in its shapes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from floatframe.arrays import Array, IntArray, SparseMatrix
from floatframe.fem.geometric import GeometricAssembly
from floatframe.fem.nodal import rigid_motion
from floatframe.modal.flexibility import HeldStructure
from floatframe.modal.geometric_terms import PRODUCTS, GeometricTerms
from floatframe.modal.modes import multiply

if TYPE_CHECKING:
    from floatframe.fem.model import FEModel, MassKind

_AT_ONCE = 32  # states solved and held in memory together
_BALANCED = 1e-9  # part of a load left by inertia relief that is round-off: nothing but rigid motion was asked for


def geometric_terms(
    fe: FEModel, K: SparseMatrix, M: SparseMatrix, kind: MassKind, rows: IntArray, shapes: Array
) -> GeometricTerms:
    """Return the terms for interface rows (k,) of the model and shapes (6 nnode, n).

    K, M (ndof, ndof) are the model's matrices, M of the given kind. One factorisation serves all states.
    """
    held = HeldStructure(fe, K, M, fe.free_rows())
    loads = np.hstack([_unit_loads(fe, rows), multiply(M, fe.rigid_shapes()), centrifugal_loads(fe, kind)])
    inertia = multiply(held.M, held.rigid)
    H = np.asfortranarray(shapes[fe.dof_table.slots])
    assembly = GeometricAssembly(fe)
    G = np.zeros((loads.shape[1], H.shape[1], H.shape[1]))
    for start in range(0, len(G), _AT_ONCE):
        part = loads[held.rows, start : start + _AT_ONCE]
        rest = part - inertia @ (held.rigid.T @ part)
        remains = np.linalg.norm(rest, axis=0) > _BALANCED * np.linalg.norm(part, axis=0)
        states = np.zeros((fe.ndof, int(remains.sum())))
        if remains.any():
            states[held.rows] = held.solve(np.asfortranarray(rest[:, remains]))
        for k, x in zip(np.flatnonzero(remains), states.T, strict=True):
            projected = H.T @ multiply(assembly.matrix(fe.expand(x)), H)
            G[start + k] = (projected + projected.T) / 2.0
    first = len(rows)
    return GeometricTerms(G[:first], G[first : first + 3], G[first + 3 : first + 6], G[first + 6 :])


def centrifugal_loads(fe: FEModel, kind: MassKind = "consistent") -> Array:
    """Return loads (ndof, 6) of steady rotation about axes through the origin, per ωx², ωy², ωz², ωx ωy, ωy ωz, ωz ωx.

    A node that moves with v and ω and has momentum p and angular momentum L feels -ω x p and -(ω x L + v x p).
    """
    slots = fe.dof_table.slots
    motion = rigid_motion(fe.nodes)[:, :, 3:]
    flat = np.zeros((6 * fe.nnode, 3))
    flat[slots] = multiply(fe.assembled(kind), np.asfortranarray(motion.reshape(-1, 3)[slots]))
    momentum = flat.reshape(fe.nnode, 6, 3)
    columns = []
    for i, j in PRODUCTS:
        load = np.zeros((fe.nnode, 6))
        for a, b in {(i, j), (j, i)}:
            axis, p, angular = np.eye(3)[a], momentum[:, :3, b], momentum[:, 3:, b]
            load[:, :3] -= np.cross(axis, p)
            load[:, 3:] -= np.cross(axis, angular) + np.cross(motion[:, :3, a], p)
        columns.append(fe.project_load(load))
    return np.stack(columns, axis=1)


def _unit_loads(fe: FEModel, rows: IntArray) -> Array:
    loads = np.zeros((fe.ndof, rows.size))
    loads[rows, np.arange(rows.size)] = 1.0
    return loads
