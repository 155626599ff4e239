"""Rigid motions that strain nothing: the one measure that distinguishes a soft support from none."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import scipy.linalg

from floatframe.arrays import Array, BoolArray, IntArray, SparseMatrix
from floatframe.modal.factor import multiply

if TYPE_CHECKING:
    from floatframe.fem import AnyModel

AtRest = Callable[[Array], Array]
# strain energy below this part of |x|ᵀ|K||x| is round-off of the assembly, of which free models show up to 4e-16
ROUND_OFF = 1e3 * float(np.finfo(np.float64).eps)
_HELD = 1e-9  # motion of the held dofs that counts as none


def strainless_motions(fe: AnyModel, K: SparseMatrix, rows: IntArray, at_rest: AtRest | None = None) -> Array:
    """Return (nrow, r) independent rigid motions of a model that leave all other rows at rest and strain nothing.

    K (nrow, nrow) is the stiffness of the rows. Motions are about one in size, whatever the unit of length; at_rest
    takes off what moves the idle dofs among the rows.
    """
    size = float(np.ptp(fe.nodes, axis=0).max()) or 1.0
    R = fe.rigid_shapes(fe.nodes.mean(axis=0)) / np.array([1.0, 1.0, 1.0, size, size, size])
    held = np.setdiff1d(np.arange(fe.ndof), rows)
    scale = np.where(fe.dofs[held, 1] < 3, 1.0, size)
    free = scipy.linalg.null_space(R[held] * scale[:, None], rcond=_HELD) if held.size else np.eye(6)
    Z = np.asfortranarray(R[rows] @ free)
    if at_rest is not None:
        Z = at_rest(Z)
    if not Z.shape[1]:
        return Z
    energy = Z.T @ multiply(K, Z)
    _, vector = scipy.linalg.eigh((energy + energy.T) / 2.0)
    # each motion by itself: a stiff support of one must not hide a soft support of another
    Z = np.asfortranarray(Z @ vector)
    return np.asfortranarray(Z[:, strainless(K, Z)])


def strainless(K: SparseMatrix, X: Array) -> BoolArray:
    """Which motions, the columns of X (n, k), store no more strain energy than the round-off of K does."""
    own = np.einsum("ij,ij->j", X, multiply(K, X))
    uncancelled = np.einsum("ij,ij->j", np.abs(X), multiply(abs(K), np.abs(X)))
    return np.asarray(np.abs(own) <= ROUND_OFF * uncancelled)
