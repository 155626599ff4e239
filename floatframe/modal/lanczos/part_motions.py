"""Rigid motions of unconnected parts, six columns for all of them together.

A deck of five hundred bolts has three thousand motions without strain. Each moves one part alone, so all of them fit
into six numbers per row, and to clear a vector of them costs what it costs for one body.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import coo_array, csr_array
from scipy.sparse.csgraph import connected_components

from floatframe.arrays import Array, BoolArray, IntArray, SparseMatrix
from floatframe.modal.factor import connected_parts, multiply
from floatframe.modal.lanczos.strainless import ROUND_OFF

if TYPE_CHECKING:
    from floatframe.fem import AnyModel

_DEPENDENT = 1e-12  # kinetic energy of a motion of size one that is left when others are taken out of it


@dataclass(frozen=True)
class PartMotions:
    """Motions of parts: row i belongs to part[i] and moves by Z[i] (6,) in the six motions of that part.

    part (n,) numbers from zero; motions that a part lacks are columns of zeros in its rows. MZ is the mass times Z once
    they are orthonormal.
    """

    part: IntArray
    Z: Array
    MZ: Array | None = None

    def of_rows(self, rows: IntArray) -> PartMotions:
        """The same motions seen in some rows."""
        _, part = np.unique(self.part[rows], return_inverse=True)
        return PartMotions(part, self.Z[rows])

    def orthonormal(self, M: SparseMatrix) -> PartMotions:
        """M-orthonormal motions of the same span; those without mass and those that follow from others are left out."""
        gram = self.summed(self.Z, multiply(M, self.Z))
        size = np.sqrt(np.maximum(np.einsum("pii->pi", gram), 0.0))
        scale = np.where(size > 0.0, 1.0 / np.where(size > 0.0, size, 1.0), 0.0)
        weight, vector = np.linalg.eigh(gram * scale[:, :, None] * scale[:, None, :])
        root = np.where(weight > _DEPENDENT, 1.0 / np.sqrt(np.where(weight > _DEPENDENT, weight, 1.0)), 0.0)
        motions = self.turned(scale[:, :, None] * vector * root[:, None, :])
        return replace(motions, MZ=multiply(M, motions.Z))

    def turned(self, V: Array) -> PartMotions:
        """The motions of each part combined by V (npart, 6, 6)."""
        return PartMotions(self.part, np.asfortranarray(np.einsum("ni,nij->nj", self.Z, V[self.part])))

    def summed(self, X: Array, Y: Array) -> Array:
        """Products XᵀY (npart, 6, 6) of columns (n, 6) part by part."""
        order = np.argsort(self.part, kind="stable")
        first = np.searchsorted(self.part[order], np.arange(self.part.max() + 1))
        return np.asarray(np.add.reduceat(X[order, :, None] * Y[order, None, :], first))

    @cached_property
    def there(self) -> BoolArray:
        """(npart, 6): which motions there are."""
        return np.einsum("pii->pi", self.summed(self.Z, self.Z)) > 0.0

    @property
    def count(self) -> int:
        return int(self.there.sum())

    def shapes(self, most: int) -> Array:
        """The first motions as columns (n, k) with zeros in the rows of other parts, `most` at most."""
        parts, column = np.nonzero(self.there)
        X = np.zeros((self.part.size, min(most, parts.size)), order="F")
        for k in range(X.shape[1]):
            rows = self.part == parts[k]
            X[rows, k] = self.Z[rows, column[k]]
        return X

    @cached_property
    def _columns(self) -> tuple[csr_array, csr_array]:
        """All motions (n, 6 npart) as sparse columns, and the mass times them as sparse rows."""
        if self.MZ is None:
            raise ValueError("motions must be orthonormal before anything is made orthogonal to them")
        n, parts = self.part.size, int(self.part.max()) + 1
        indices = (6 * self.part[:, None] + np.arange(6)).ravel()
        indptr = np.arange(0, 6 * n + 1, 6)
        N, W = (csr_array((A.ravel(), indices, indptr), shape=(n, 6 * parts)) for A in (self.Z, self.MZ))
        return N, csr_array(W.T)

    def cleared(self, X: Array) -> Array:
        """X (n, k) without its share in these motions, in place."""
        N, weighed = self._columns
        X -= N @ (weighed @ X)
        return X


def part_motions(fe: AnyModel, K: SparseMatrix, M: SparseMatrix, rows: IntArray, R: Array) -> PartMotions | None:
    """Rigid motions without strain of every unconnected part of some rows; None where all are connected.

    K, M (nrow, nrow) are those of the rows, R (nrow, 6) the rigid motions of the model about the mean of its nodes.
    Dofs of one node belong together.
    """
    part = _parts(K, M, fe.dofs[rows, 0])
    return None if part.max(initial=0) == 0 else motions_of_parts(fe, K, rows, part, R)


def motions_of_parts(fe: AnyModel, K: SparseMatrix, rows: IntArray, part: IntArray, R: Array) -> PartMotions:
    """Rigid motions without strain of given parts (nrow,) of some rows."""
    centre, size = _places(fe, rows, part)
    Z = R.copy()
    # turning about the middle of the part: what turning about the origin moves the middle by is taken off
    arm = (centre - fe.nodes.mean(axis=0))[part]
    for axis in range(3):
        shift = np.cross(np.eye(3)[axis], arm)
        Z[:, 3 + axis] -= np.einsum("nk,nk->n", Z[:, :3], shift)
    Z[:, 3:] /= size[part, None]
    motions = PartMotions(part, np.asfortranarray(Z))
    _, vector = np.linalg.eigh(_symmetric(motions.summed(Z, multiply(K, Z))))
    motions = motions.turned(vector)
    own = motions.summed(motions.Z, multiply(K, motions.Z))
    uncancelled = motions.summed(np.abs(motions.Z), multiply(abs(K), np.abs(motions.Z)))
    free = np.abs(np.einsum("pii->pi", own)) <= ROUND_OFF * np.einsum("pii->pi", uncancelled)
    return motions.turned(free[:, :, None] * np.eye(6))


def _parts(K: SparseMatrix, M: SparseMatrix, node: IntArray) -> IntArray:
    """Number of the part (n,) of each row; stiffness, mass and common nodes connect."""
    labels = [connected_parts(A) for A in (K, M)]
    if labels[0][1] == 1:
        return np.zeros(node.size, dtype=np.int64)
    _, own = np.unique(node, return_inverse=True)
    (by_stiffness, n), (by_mass, m) = labels
    ends = np.concatenate([n + by_mass, n + m + own])
    graph = coo_array(
        (np.ones(ends.size, dtype=bool), (np.tile(by_stiffness, 2), ends)), shape=(n + m + own.max() + 1,) * 2
    )
    together = connected_components(graph, directed=False)[1]
    return np.asarray(np.unique(together[by_stiffness], return_inverse=True)[1], dtype=np.int64)


def _places(fe: AnyModel, rows: IntArray, part: IntArray) -> tuple[Array, Array]:
    """Middle (npart, 3) and size (npart,) of the nodes of every part."""
    xyz = fe.nodes[fe.node_index(fe.dofs[rows, 0])]
    order = np.argsort(part, kind="stable")
    first = np.searchsorted(part[order], np.arange(part.max() + 1))
    low, high = (extreme.reduceat(xyz[order], first) for extreme in (np.minimum, np.maximum))
    size = (high - low).max(axis=1)
    return (low + high) / 2.0, np.where(size > 0.0, size, 1.0)


def _symmetric(A: Array) -> Array:
    return (A + A.transpose(0, 2, 1)) / 2.0
