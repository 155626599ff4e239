"""A structure given by its matrices: K and M of another program, with the places of its nodes.

It answers the same questions as an `FEModel` (rows, supports, rigid motion, lumped mass), so that modes and reduction
work on it; what needs elements (stresses, drawings) is empty. Bodies that another program reduced have, besides nodes,
amplitudes of modes, which have no place: they neither take part in rigid motion nor carry mass anywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import ClassVar

import numpy as np
from scipy.sparse import csc_array, diags_array

from floatframe.arrays import Array, BoolArray, IntArray, SparseMatrix
from floatframe.errors import ModelError
from floatframe.fem.assembly import Quantity
from floatframe.fem.dofs import DofTable
from floatframe.fem.mass_properties import MassProperties, mass_properties
from floatframe.fem.model import FEModel
from floatframe.fem.nodal import DofSpec, FileSource, MassKind, NodalModel, NodePick, mass_quantity
from floatframe.fem.numbering import read_only, whole_numbers

_SYMMETRY = 1e-8  # largest skew part over largest entry: text files often carry nine digits


@dataclass(frozen=True)
class MatrixModel(NodalModel):
    """Stiffness and mass matrices with their nodes, in SI units.

    nodes (nnode, 3) [m]; node_ids (nnode,) user numbers; dofs (ndof, 2) node number and component (0..5) of every row
    of K and M (ndof, ndof), sparse and symmetric; node_sets name -> node numbers; supports (k, 2) node number and
    component held at zero; scalars, numbers of "nodes" whose one dof (component 0) is not a displacement of a place.
    """

    nodes: Array
    node_ids: IntArray
    dofs: IntArray
    K: SparseMatrix
    M: SparseMatrix
    node_sets: Mapping[str, IntArray] = field(default_factory=dict)
    supports: IntArray = field(default_factory=lambda: np.empty((0, 2), dtype=np.int64))
    name: str = "model"
    scalars: IntArray = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    source: FileSource = field(default_factory=FileSource)

    def __repr__(self) -> str:
        return f"MatrixModel({self.name!r}: {self.nnode} nodes, {self.ndof} dofs, {len(self.supports)} supports)"

    # no elements stand behind the matrices
    blocks: ClassVar[tuple[()]] = ()
    point_masses: ClassVar[tuple[()]] = ()
    couplings: ClassVar[tuple[()]] = ()
    element_sets: ClassVar[Mapping[str, IntArray]] = {}

    def __post_init__(self) -> None:
        self._check_nodes()
        dofs = whole_numbers(self.dofs, f"{self.label}: table of dofs").reshape(-1, 2)
        where = self.label
        index = self.node_index(dofs[:, 0], what="table of dofs")
        self.check_components(dofs, "rows")
        scalars = np.unique(whole_numbers(self.scalars, f"{where}: scalars"))
        self.node_index(scalars, what="scalars")
        if (dofs[np.isin(dofs[:, 0], scalars), 1] != 0).any():
            raise ModelError(f"{where}: a scalar has another component than the first.")
        object.__setattr__(self, "scalars", read_only(scalars))
        slots = 6 * index + dofs[:, 1]
        if np.unique(slots).size < slots.size:
            order = np.sort(slots)
            slot = order[1:][order[1:] == order[:-1]][0]
            raise ModelError(f"{where}: component {slot % 6} of node {self.node_ids[slot // 6]} has two rows.")
        # one order for all: by node row, then component
        order = np.argsort(slots, kind="stable")
        matrices = {symbol: _checked(getattr(self, symbol), len(dofs), where, symbol) for symbol in ("K", "M")}
        if (order != np.arange(order.size)).any():
            matrices = {symbol: csc_array(matrix[order][:, order]) for symbol, matrix in matrices.items()}
        for symbol, value in {"dofs": read_only(dofs[order]), **matrices}.items():
            object.__setattr__(self, symbol, value)

    @classmethod
    def of(cls, fe: FEModel) -> MatrixModel:
        """Return the matrices of a model, its couplings eliminated."""
        return cls(fe.nodes, fe.node_ids, fe.dofs, fe.stiffness(), fe.mass(), fe.node_sets, fe.supports, fe.name)

    @property
    def nelement(self) -> int:
        """Number of elements: none, the matrices are given."""
        return 0

    @property
    def ndof(self) -> int:
        """Number of rows of the matrices."""
        return len(self.dofs)

    @cached_property
    def dof_table(self) -> DofTable:
        """The dofs that have a row."""
        slots = 6 * self.node_index(self.dofs[:, 0]) + self.dofs[:, 1]
        equation = np.full(6 * self.nnode, -1, dtype=np.int64)
        equation[slots] = np.arange(slots.size)
        present = np.asarray((equation.reshape(self.nnode, 2, 3) >= 0).any(axis=2))
        return DofTable(present, equation, slots)

    @cached_property
    def placed(self) -> BoolArray:
        """Which nodes (nnode,) are places, not scalars."""
        return ~np.isin(self.node_ids, self.scalars)

    @property
    def n_modal(self) -> int:
        """How many scalars carry mass."""
        return int((self.M.diagonal()[np.isin(self.dofs[:, 0], self.scalars)] > 0).sum())

    def rows(self, spec: DofSpec) -> IntArray:
        """Return the matrix rows of chosen dofs; dofs that do not exist are passed over."""
        picked = self.pick_dofs(spec)
        row = self.dof_table.equation[6 * picked[:, 0] + picked[:, 1]]
        return np.unique(row[row >= 0])

    def row_of(self, node_index: int, component: int) -> int:
        """Return the matrix row of one dof that exists."""
        return int(self.dof_table.equation[6 * node_index + component])

    def stiffness(self) -> SparseMatrix:
        """Return K (ndof, ndof) [N/m, N, N m]."""
        return self.K

    def mass(self, kind: MassKind | None = None) -> SparseMatrix:
        """Return M as given, or lumped (see `lumped`)."""
        return self.M if mass_quantity(kind) in ("mass", "consistent") else self.lumped

    @property
    def mass_rule(self) -> str:
        """The kind of mass by default, which is the one that is given."""
        return "consistent"

    def damping(self) -> SparseMatrix:
        """Return an empty damping matrix (ndof, ndof)."""
        return csc_array((self.ndof, self.ndof))

    def assembled(self, quantity: Quantity) -> SparseMatrix:
        """Return a matrix over all dofs: "stiffness", "consistent", "lumped" or "damping"."""
        if quantity == "stiffness":
            return self.K
        if quantity == "damping":
            return self.damping()
        return self.mass(None if quantity == "mass" else quantity)

    @cached_property
    def lumped(self) -> SparseMatrix:
        """Mass without terms between nodes; that of scalars is on the diagonal.

        A mass that has none stays as it is. Otherwise each node gets the sum of its rows of translations, which keeps
        mass and centre of mass, or, where such sums are not all positive (quadratic elements), its diagonal scaled to
        the total mass; rotations keep their diagonal.
        """
        M = self.M.tocoo()
        row, column = (self.dofs[index] for index in M.coords)
        if (row[:, 0] == column[:, 0]).all():
            return self.M
        # scalars have no direction
        direction = np.where(np.isin(self.dofs[:, 0], self.scalars), 6, self.dofs[:, 1])
        along = direction[M.coords[0]]
        same = (along == direction[M.coords[1]]) & (along < 3)
        sums = np.bincount(M.coords[0][same], M.data[same], minlength=self.ndof)
        diagonal = self.M.diagonal()
        lumps = np.where(direction < 3, sums, diagonal)
        if not (sums[direction < 3] > 0).all():
            for k in range(3):
                mine = direction == k
                total = diagonal[mine].sum()
                lumps[mine] = diagonal[mine] * (sums[mine].sum() / total if total else 0.0)
        # a node weighs the same in all its directions
        node = self.node_index(self.dofs[:, 0])
        moves = direction < 3
        count = np.bincount(node[moves], minlength=self.nnode)
        mean = np.bincount(node[moves], lumps[moves], minlength=self.nnode) / np.maximum(count, 1)
        lumps[moves] = mean[node[moves]]
        return csc_array(diags_array(lumps))

    def expand(self, x: Array) -> Array:
        """Return nodal displacements (nnode, 6) or (nnode, 6, k) from x (ndof,) or (ndof, k)."""
        full = np.zeros((6 * self.nnode, *np.shape(x)[1:]))
        full[self.dof_table.slots] = x
        return full.reshape(self.nnode, 6, *np.shape(x)[1:])

    def project_load(self, f: Array) -> Array:
        """Return the load vector (ndof,) of nodal forces and moments f (nnode, 6)."""
        return np.asarray(f, dtype=float).ravel()[self.dof_table.slots]

    def rigid_shapes(self, origin: Iterable[float] = (0.0, 0.0, 0.0)) -> Array:
        """Return (ndof, 6): unit translations along and unit rotations about the axes through `origin`."""
        return self.rigid_motions(origin)

    def mass_properties(self) -> MassProperties:
        """Return mass, centre of mass and inertia tensor carried by M."""
        return mass_properties(self)

    def with_node_set(self, name: str, pick: NodePick) -> MatrixModel:
        """Return a copy with a named node set."""
        return replace(self, node_sets={**self.node_sets, name: self.pick_nodes(pick, f"node set '{name}'")})

    def with_support(self, spec: DofSpec) -> MatrixModel:
        """Return a copy in which more dofs are held at zero."""
        return replace(self, supports=self.supports_with(spec))

    def without_supports(self) -> MatrixModel:
        """Return a copy in which nothing is held; refused where the matrices say nothing of dofs that are."""
        held = np.setdiff1d(np.arange(self.ndof), self.free_rows())
        if not self.K.diagonal()[held].all():
            raise ModelError(
                f"{self.label}: dofs that it holds have no stiffness in the file; export the matrices without supports."
            )
        return replace(self, supports=self.supports[:0])

    def with_independent(self, nodes: NodePick) -> MatrixModel:
        """Return the model itself: there are no couplings left to reverse."""
        self.pick_nodes(nodes)
        return self


def _checked(matrix: SparseMatrix, n: int, where: str, symbol: str) -> csc_array:
    matrix = csc_array(matrix)
    if matrix.shape != (n, n):
        raise ModelError(f"{where}: {symbol} has shape {matrix.shape}, expected ({n}, {n}) as the table of dofs.")
    if not np.isfinite(matrix.data).all():
        raise ModelError(f"{where}: {symbol} holds numbers that are not finite.")
    size = abs(matrix).max() if matrix.nnz else 0.0
    skewness = abs(matrix - matrix.T).max() if matrix.nnz else 0.0
    if skewness > _SYMMETRY * size:
        raise ModelError(
            f"{where}: {symbol} is not symmetric (largest difference {skewness:g}); give both triangles or say that "
            "only one is stored."
        )
    return csc_array((matrix + matrix.T) * 0.5) if skewness else matrix


AnyModel = FEModel | MatrixModel  # what studies and reduction take
