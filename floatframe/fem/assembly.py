"""From element matrices to the sparse matrices of the model.

Every node has up to two triples of freedoms (translations, rotations), so all matrices are sums of 3 x 3 blocks
between triples. Sorting the block positions once and adding runs of equal position is faster than sorting scalars.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
from scipy.sparse import bsr_array, csc_array, csr_array
from scipy.sparse.csgraph import connected_components

from floatframe.arrays import Array, IntArray, SparseMatrix
from floatframe.errors import ModelError
from floatframe.fem.couplings import dependency_matrix
from floatframe.fem.dofs import DofTable

if TYPE_CHECKING:
    from floatframe.fem.elements import Batch, Element
    from floatframe.fem.model import FEModel

Quantity = Literal["stiffness", "consistent", "lumped", "damping"]


def dof_table(fe: FEModel) -> DofTable:
    """Find which translations and rotations exist in a model."""
    present = np.zeros((fe.nnode, 2), dtype=bool)
    for block in fe.blocks:
        present[block.connectivity, 0] = True
        if block.element.dof_per_node == 6:
            present[block.connectivity, 1] = True
    for mass in fe.point_masses:
        node = fe.node_index(mass.node)
        present[node, 0] = True
        present[node, 1] |= mass.has_rotation
    for coupling in fe.couplings:
        coupling.mark_present(fe, present)
    return DofTable.from_presence(present)


def assemble(fe: FEModel, quantity: Quantity) -> SparseMatrix:
    """Return the matrix over all existing freedoms, before couplings are eliminated."""
    triple = np.cumsum(fe.dof_table.present.ravel()) - 1  # triple number of (node, translations | rotations)
    triple[~fe.dof_table.present.ravel()] = -1
    ntriple = fe.dof_table.size // 3
    rows, cols, values = [], [], []
    for block in fe.blocks:
        per_node = block.element.dof_per_node // 3
        triples = triple[2 * block.connectivity[:, :, None] + np.arange(per_node)].reshape(len(block), -1)
        for part, batch in block.batches(fe.nodes):
            matrices = element_matrices(block.element, batch, quantity)
            if matrices is not None:
                r, c, v = _blocks(triples[part], matrices)
                rows.append(r)
                cols.append(c)
                values.append(v)
    if quantity in ("consistent", "lumped"):
        for mass in fe.point_masses:
            node = fe.node_index(mass.node)
            triples = triple[2 * node[:, None] + np.arange(2 if mass.has_rotation else 1)]
            size = 3 * triples.size
            r, c, v = _blocks(triples, mass.matrix()[None, :size, :size])
            rows.append(r)
            cols.append(c)
            values.append(v)
    if not rows:
        return csc_array((3 * ntriple, 3 * ntriple))
    return _sum_blocks(np.concatenate(rows), np.concatenate(cols), np.concatenate(values), ntriple)


def element_matrices(element: Element, batch: Batch, quantity: Quantity) -> Array | None:
    """Return (nel, ndof, ndof) matrices, or (nel, ndof) when they are diagonal."""
    if quantity == "stiffness":
        return element.stiffness(batch)
    if quantity == "consistent":
        return element.mass(batch)
    if quantity == "lumped":
        return element.lumped_mass(batch)
    return element.damping(batch)


def _blocks(triples: IntArray, matrices: Array) -> tuple[IntArray, IntArray, Array]:
    """Split matrices over triples (nel, nt) into 3 x 3 blocks: rows (k,), columns (k,), values (k, 3, 3)."""
    nel, nt = triples.shape
    if matrices.ndim == 2:
        values = np.zeros((nel * nt, 3, 3))
        values[:, range(3), range(3)] = matrices.reshape(-1, 3)
        return triples.ravel(), triples.ravel(), values
    values = matrices.reshape(nel, nt, 3, nt, 3).swapaxes(2, 3).reshape(-1, 3, 3)
    return np.repeat(triples, nt, axis=1).ravel(), np.tile(triples, nt).ravel(), values


def _sum_blocks(rows: IntArray, cols: IntArray, values: Array, n: int) -> SparseMatrix:
    """Return the sparse matrix (3n, 3n) of summed 3 x 3 blocks, which must be symmetric."""
    key = rows * n + cols
    order = np.argsort(key, kind="stable")
    key = key[order]
    start = np.flatnonzero(np.r_[True, key[1:] != key[:-1]])
    # one row for each place in the matrix, with ones at the blocks that meet there
    gather = csr_array((np.ones(order.size), order, np.r_[start, order.size]), shape=(start.size, order.size))
    total = (gather @ values.reshape(-1, 9)).reshape(-1, 3, 3)
    indptr = np.searchsorted(key[start], np.arange(n + 1) * n)
    matrix = csr_array(bsr_array((total, key[start] % n, indptr), shape=(3 * n, 3 * n)))
    matrix.eliminate_zeros()
    # symmetric: the arrays of rows are also the arrays of columns
    return csc_array((matrix.data, matrix.indices, matrix.indptr), shape=matrix.shape)


@dataclass(frozen=True)
class Elimination:
    """Dependent freedoms expressed by independent ones: u = T x.

    independent (ndof,) equations kept; row_of (nequation,) their row or -1; T None when there is no coupling.
    """

    independent: IntArray
    row_of: IntArray
    T: csr_array | None

    def project(self, matrix: SparseMatrix) -> SparseMatrix:
        """Return Tᵀ matrix T."""
        if self.T is None:
            return matrix
        projected = csc_array(self.T.T @ (matrix @ self.T))
        return (projected + projected.T) * 0.5

    def expand(self, x: Array) -> Array:
        return x if self.T is None else self.T @ x

    def project_load(self, f: Array) -> Array:
        return f if self.T is None else self.T.T @ f


def eliminate_couplings(fe: FEModel) -> Elimination:
    """Turn all couplings into one matrix T from independent to all freedoms, following chains of couplings."""
    n = fe.dof_table.size
    if not fe.couplings:
        every = np.arange(n)
        return Elimination(every, every, None)
    dependent, D = dependency_matrix(fe)
    independent = np.setdiff1d(np.arange(n), dependent)
    row_of = np.full(n, -1, dtype=np.int64)
    row_of[independent] = np.arange(independent.size)
    _refuse_circles(fe, dependent, D)
    # u = P x + D u; a chain of couplings is followed by substituting until nothing dependent is left on the right
    P = csr_array((np.ones(independent.size), (independent, np.arange(independent.size))), shape=(n, independent.size))
    T = step = P
    while step.nnz:
        step = csr_array(D @ step)
        T = T + step
    return Elimination(independent, row_of, csr_array(T))


def _refuse_circles(fe: FEModel, dependent: IntArray, D: csr_array) -> None:
    """Raise ModelError where dependent freedoms depend on each other in a circle."""
    among = D[dependent][:, dependent]
    count, member = connected_components(among, connection="strong")
    if count < dependent.size:
        first = int(np.flatnonzero(np.bincount(member)[member] > 1)[0])
        node = fe.node_ids[fe.dof_table.slots[dependent[first]] // 6]
        raise ModelError(
            f"model '{fe.name}': couplings depend on each other in a circle at node {node}; make it independent in one "
            "of them."
        )
