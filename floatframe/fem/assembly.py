"""From element matrices to the sparse matrices of the model.

Entries are found by pairs of nodes, not by single dofs: there are 36 times fewer of them to sort, and the element
matrices are added where they belong as they come, so that only the result is held in memory.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from scipy.sparse import csc_array, csr_array, diags_array
from scipy.sparse.csgraph import connected_components

from floatframe.arrays import Array, BoolArray, IntArray, SparseMatrix
from floatframe.errors import ModelError
from floatframe.fem import coats
from floatframe.fem.blocks import ElementBlock
from floatframe.fem.couplings import Coupling, dependency_matrix
from floatframe.fem.dofs import DofTable
from floatframe.fem.elements import Batch, Element, without_rotary_inertia
from floatframe.fem.masses import PointMass
from floatframe.fem.nodal import NodalModel
from floatframe.fem.surface import surface_curvature

CROWD = 4e8  # entries that one dependent dof may fill in: more than ten GB while they are summed
_ROUND_OFF = 16.0 * float(np.finfo(np.float64).eps)  # of the terms of a sum; a spring that matters is far above
# "mass": that of each block's own kind
Quantity = Literal["stiffness", "mass", "consistent", "lumped", "points", "torsion", "damping"]
_OF_COATS = {
    "stiffness": coats.stiffness,
    "consistent": coats.mass,
    "lumped": coats.lumped_mass,
    "points": coats.lumped_mass,
    "torsion": coats.lumped_mass,
}


class ElementModel(NodalModel):
    """A model on nodes that is made of elements, point masses and couplings: what can be assembled."""

    blocks: tuple[ElementBlock, ...]
    point_masses: tuple[PointMass, ...]
    couplings: tuple[Coupling, ...]

    @property
    @abstractmethod
    def coats(self) -> tuple[BoolArray, ...]:
        """For every block (nel,): its shells that lie on or in solids."""

    @cached_property
    def _curvature(self) -> dict[int, Array]:
        return surface_curvature(self.nodes, self.blocks)

    def batches(self, block: ElementBlock, size: int = 2048) -> Iterator[tuple[slice, Batch]]:
        """Yield (rows, batch) pieces of one of the model's blocks, with the curvature of their surroundings."""
        place = next((k for k, known in enumerate(self.blocks) if known is block), None)
        if place is None:
            raise ModelError(
                f"{block.label} is not one of the model's {len(self.blocks)} blocks; take it from `blocks`."
            )
        yield from block.batches(self.nodes, size, self._curvature.get(place))


def dof_table(fe: ElementModel) -> DofTable:
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


def assemble(fe: ElementModel, quantity: Quantity) -> SparseMatrix:
    """Return the matrix over all existing dofs, before couplings are eliminated."""
    groups = list(_groups(fe, quantity))
    return summed(Pattern.of(fe, [group.nodes for group in groups]), groups)


def summed(pattern: Pattern, groups: Iterable[Group]) -> SparseMatrix:
    """Return the sum of matrices between nodes of the pattern."""
    n = int(pattern.size.sum())
    data = np.zeros(pattern.nnz)
    for group in groups:
        for part, matrices in group.matrices:
            pattern.add(data, group.nodes[part], matrices)
    matrix = csr_array((data, *pattern.columns()), shape=(n, n))
    matrix.eliminate_zeros()
    # symmetric: the arrays of rows are also the arrays of columns
    return csc_array((matrix.data, matrix.indices, matrix.indptr), shape=(n, n))


@dataclass(frozen=True)
class Group:
    """Matrices between nodes (nel, n): pieces of rows with (nel, n d, n d), d dofs per node."""

    nodes: IntArray
    matrices: Iterable[tuple[slice, Array]]


def _groups(fe: ElementModel, quantity: Quantity) -> Iterator[Group]:
    """Yield what the blocks and point masses contribute, large matrices only when needed."""
    for block, coat in zip(fe.blocks, fe.coats, strict=True):
        wanted: Quantity = block.mass if quantity == "mass" else quantity
        pieces = _matrices_of(fe, block, coat, wanted)
        if wanted in ("stiffness", "consistent"):
            yield Group(block.connectivity, pieces)
            continue
        # lumped masses are small, and most of them stand on the diagonal: single nodes without pairs
        for part, matrices in pieces:
            nodes = block.connectivity[part]
            if matrices.ndim == 2:
                diagonal = matrices.reshape(nodes.size, -1)
                nodes, matrices = nodes.reshape(-1, 1), diagonal[:, :, None] * np.eye(diagonal.shape[1])
            yield Group(nodes, [(slice(None), matrices)])
    if quantity not in ("stiffness", "damping"):
        for mass in fe.point_masses:
            size = 6 if mass.has_rotation else 3
            yield Group(fe.node_index(mass.node)[:, None], [(slice(None), mass.matrix()[None, :size, :size])])


def _matrices_of(
    fe: ElementModel, block: ElementBlock, coat: BoolArray, quantity: Quantity
) -> Iterator[tuple[slice, Array]]:
    for part, batch in fe.batches(block):
        matrices = element_matrices(block.element, batch, quantity)
        if matrices is None:
            continue
        on_solids = np.flatnonzero(coat[part])
        if on_solids.size and quantity in _OF_COATS:
            matrices[on_solids] = _OF_COATS[quantity](block.element, batch.picked(on_solids))
        # matrices given as such keep what they hold; only masses that follow from a material are lumped here
        if quantity in ("points", "torsion") and block.element.dof_per_node == 6 and block.element.needs_material:
            spin = block.element.spin_inertia(batch) if quantity == "torsion" else None
            matrices = without_rotary_inertia(matrices, spin)
        yield part, matrices


def element_matrices(element: Element, batch: Batch, quantity: Quantity) -> Array | None:
    """Return (nel, ndof, ndof) matrices, or (nel, ndof) when they are diagonal."""
    if quantity == "stiffness":
        return element.stiffness(batch)
    if quantity == "consistent":
        return element.mass(batch)
    if quantity in ("lumped", "points", "torsion"):
        return element.lumped_mass(batch)
    return element.damping(batch)


@dataclass(frozen=True)
class Pattern:
    """Places of all entries of a matrix, known from the pairs of nodes that meet in an element.

    first, size (nnode,): first row and number of rows of a node; key (npair,) sorted, row node * nnode + column node;
    offset (npair,): place of the pair in its rows; start, width (nnode,): see the kernels.
    """

    first: IntArray
    size: IntArray
    key: IntArray
    offset: IntArray
    start: IntArray
    width: IntArray

    @classmethod
    def of(cls, fe: ElementModel, groups: list[IntArray]) -> Pattern:
        n = fe.nnode
        size = 3 * fe.dof_table.present.sum(axis=1)
        key = np.concatenate([np.empty(0, dtype=np.int64), *(_pairs(nodes, n).ravel() for nodes in groups)])
        key.sort()  # several times faster than np.unique
        key = key[np.diff(key, prepend=-1) > 0]
        row, columns = key // n, size[key % n]
        width = np.bincount(row, columns, minlength=n).astype(np.int64)
        before = np.cumsum(columns) - columns
        offset = before - (np.cumsum(width) - width)[row]
        return cls(np.cumsum(size) - size, size, key, offset, np.cumsum(size * width) - size * width, width)

    @property
    def nnz(self) -> int:
        return int((self.size * self.width).sum())

    def add(self, data: Array, nodes: IntArray, matrices: Array) -> None:
        """Add matrices (nel, n d, n d) between nodes (nel, n)."""
        from floatframe.fem._kernels_assembly import add_matrices

        pairs = np.searchsorted(self.key, _pairs(nodes, self.size.size))
        add_matrices(data, self.start, self.width, self.offset, nodes, pairs, matrices)

    def columns(self) -> tuple[IntArray, IntArray]:
        """Return column indices (nnz,) and row pointers."""
        from floatframe.fem._kernels_assembly import fill_columns

        n, index = self.size.size, np.int32 if self.nnz < np.iinfo(np.int32).max else np.int64
        indices = np.empty(self.nnz, dtype=index)
        pair_start = np.searchsorted(self.key, np.arange(n + 1) * n)
        fill_columns(indices, pair_start, self.key % n, self.first, self.size, self.start, self.width)
        indptr = np.concatenate([[0], np.cumsum(np.repeat(self.width, self.size))]).astype(index)
        return indices, indptr


def _pairs(nodes: IntArray, nnode: int) -> IntArray:
    """Return (nel, n, n) keys of all pairs of nodes (nel, n)."""
    return nodes[:, :, None] * nnode + nodes[:, None, :]


@dataclass(frozen=True)
class Elimination:
    """Dependent dofs expressed by independent ones: u = T x.

    independent (ndof,) equations kept; row_of (nequation,) their row or -1; T None when there is no coupling.
    """

    independent: IntArray
    row_of: IntArray
    T: csr_array | None

    def crowded(self, matrix: SparseMatrix) -> IntArray:
        """Return equations with entries in a matrix that follow so many others that these would all meet in Tᵀ … T."""
        if self.T is None:
            return np.empty(0, dtype=np.int64)
        follows = np.diff(self.T.indptr).astype(float)
        return np.flatnonzero((follows**2 > CROWD) & (np.diff(matrix.indptr) > 0))

    def project(self, matrix: SparseMatrix) -> SparseMatrix:
        """Return Tᵀ matrix T."""
        if self.T is None:
            return matrix
        projected = csc_array(self.T.T @ (matrix @ self.T))
        return self._without_round_off((projected + projected.T) * 0.5, matrix)

    def _without_round_off(self, projected: SparseMatrix, matrix: SparseMatrix) -> SparseMatrix:
        """Return Tᵀ matrix T with zeros in rows that are nothing against the terms they are the sum of.

        Forces inside a part that couplings make rigid cancel; what round-off leaves of them must not look like springs.
        """
        T = csc_array(self.T)
        shared = np.flatnonzero(np.diff(T.indptr) > 1)  # dofs that others follow
        size = csr_array(abs(T[:, shared].T) @ abs(matrix) @ abs(T))
        beyond = csr_array(abs(csr_array(projected)[shared]) > _ROUND_OFF * size)
        stays = np.ones(projected.shape[0])
        stays[shared[np.diff(beyond.indptr) == 0]] = 0.0
        if stays.all():
            return projected
        left = csc_array(diags_array(stays) @ projected @ diags_array(stays))
        left.eliminate_zeros()
        return left

    def expand(self, x: Array) -> Array:
        return x if self.T is None else self.T @ x

    def project_load(self, f: Array) -> Array:
        return f if self.T is None else self.T.T @ f


def eliminate_couplings(fe: ElementModel) -> Elimination:
    """Turn all couplings into one matrix T from independent to all dofs, following chains of couplings."""
    n = fe.dof_table.size
    if not fe.couplings:
        every = np.arange(n)
        return Elimination(every, every, None)
    dependent, D = dependency_matrix(fe, fe.couplings)
    kept = np.ones(n, dtype=bool)
    kept[dependent] = False
    independent = np.flatnonzero(kept)
    row_of = np.full(n, -1, dtype=np.int64)
    row_of[independent] = np.arange(independent.size)
    _refuse_circles(fe, dependent, D)
    # u = T x + A u with A among dependent dofs, hence u = … (1 + A⁴)(1 + A²)(1 + A) T x: each factor follows chains
    # of twice the length
    P = csr_array((np.ones(independent.size), (independent, np.arange(independent.size))), shape=(n, independent.size))
    T, step = P + csr_array(D[:, independent]), _among(D, dependent)
    while step.nnz:
        T = T + csr_array(step @ T)
        step = csr_array(step @ step)
    return Elimination(independent, row_of, csr_array(T))


def _among(D: csr_array, dependent: IntArray) -> csr_array:
    """Return what of D leads from dependent dofs to dependent ones."""
    follows = np.zeros(D.shape[0])
    follows[dependent] = 1.0
    among = csr_array(D @ diags_array(follows))
    among.eliminate_zeros()
    return among


def _refuse_circles(fe: ElementModel, dependent: IntArray, D: csr_array) -> None:
    """Raise ModelError where dependent dofs depend on each other, or one on itself, in a circle."""
    among = D[dependent][:, dependent]
    _, member = connected_components(among, connection="strong")
    circling = (np.bincount(member)[member] > 1) | (among.diagonal() != 0.0)
    if circling.any():
        first = int(np.flatnonzero(circling)[0])
        node = fe.node_ids[fe.dof_table.slots[dependent[first]] // 6]
        raise ModelError(
            f"model '{fe.name}': couplings depend on each other in a circle at node {node}; make it independent in one "
            "of them."
        )
