"""Bodies that another program has reduced, as matrix models: interface nodes and amplitudes of modes."""

from __future__ import annotations

import numpy as np
import scipy.linalg
from scipy.sparse import csr_array

from floatframe.arrays import Array, IntArray, SparseMatrix
from floatframe.fem import MatrixModel
from floatframe.io.import_log import ImportLog

INTERFACE = "INTERFACE"  # the set of all places of a reduced body
_STRAINLESS = 1e-7  # of the uncancelled strain energy: what the digits of a file may leave of a rigid motion's
_MOST = 3000  # rows up to which the stiffness is freed of it


def reduced_model(
    log: ImportLog, xyz: Array, ids: IntArray, dofs: IntArray, K: SparseMatrix, M: SparseMatrix, scalars: IntArray
) -> MatrixModel:
    """Return the model of matrices; places of scalars do not count."""
    placed = ~np.isin(ids, scalars)
    xyz = np.array(xyz, dtype=float)
    # in the middle they change no measure of the model's size
    xyz[~placed] = xyz[placed].mean(axis=0)
    model = MatrixModel(xyz, ids, dofs, K, M, {INTERFACE: ids[placed]}, name=log.path.stem, scalars=scalars)
    if scalars.size:
        log.took("amplitudes of modes", scalars.size)
    if len(dofs) > _MOST:
        return model
    size = float(np.ptp(xyz, axis=0).max()) or 1.0
    R = model.rigid_shapes(xyz.mean(axis=0)) / np.array([1.0, 1.0, 1.0, size, size, size])
    clean = _without_rigid_strain(log, model.K, model.M, R)
    return MatrixModel(xyz, ids, model.dofs, clean, model.M, model.node_sets, name=model.name, scalars=scalars)


def _without_rigid_strain(log: ImportLog, K: SparseMatrix, M: SparseMatrix, R: Array) -> SparseMatrix:
    """Return a stiffness free of the strain that the digits of the file leave in rigid motions R of a free body."""
    energy = np.einsum("ij,ij->j", R, K @ R)
    uncancelled = np.einsum("ij,ij->j", np.abs(R), abs(K) @ np.abs(R))
    left = np.abs(energy) / np.where(uncancelled > 0, uncancelled, 1.0)
    if left.max() > _STRAINLESS:
        log.warn("the body is not free: its stiffness resists rigid motions, so it is tied to the ground.")
        return K
    MR = M @ R
    P = np.eye(len(R)) - R @ scipy.linalg.pinvh(R.T @ MR) @ MR.T
    return csr_array(P.T @ (K @ P))
