"""The finite element model: nodes, element blocks, masses, couplings, supports and named sets.

A model never changes: every `with_…` returns a new one. Users name nodes by their numbers (`node_ids`); inside,
connectivity holds row indices into `nodes`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain

import numpy as np

from floatframe.arrays import Array, BoolArray, IntArray, SparseMatrix
from floatframe.errors import ModelError
from floatframe.fem import assembly, coats, faces, geometric
from floatframe.fem.blocks import ElementBlock, acquainted, numbered
from floatframe.fem.couplings import RBE2, RBE3, Coupling
from floatframe.fem.dofs import DOF_NAMES, DofTable
from floatframe.fem.mass_properties import MassProperties, mass_properties
from floatframe.fem.masses import PointMass
from floatframe.fem.nodal import DofSpec, FileSource, MassKind, NodePick, mass_quantity, rigid_motion
from floatframe.fem.numbering import read_only, whole_numbers
from floatframe.wording import listed

__all__ = ["DofSpec", "ElementBlock", "FEModel", "MassKind", "NodePick", "rigid_motion"]


@dataclass(frozen=True)
class FEModel(assembly.ElementModel):
    """A finite element model in SI units.

    nodes (nnode, 3) positions [m]; node_ids (nnode,) user numbers, 1..nnode if not given; node_sets and
    element_sets: name -> user numbers; supports (k, 2): node number and component (0..5) of dofs held at zero.
    """

    nodes: Array
    blocks: tuple[ElementBlock, ...] = ()
    node_ids: IntArray = None  # type: ignore[assignment]  # filled in below
    node_sets: Mapping[str, IntArray] = field(default_factory=dict)
    element_sets: Mapping[str, IntArray] = field(default_factory=dict)
    point_masses: tuple[PointMass, ...] = ()
    couplings: tuple[Coupling, ...] = ()
    supports: IntArray = field(default_factory=lambda: np.empty((0, 2), dtype=np.int64))
    name: str = "model"
    source: FileSource = field(default_factory=FileSource)

    def __post_init__(self) -> None:
        self._check_nodes()
        object.__setattr__(self, "blocks", acquainted(numbered(self.blocks, len(self.nodes), self.name), self.nodes))
        object.__setattr__(self, "element_sets", self._checked_element_sets())
        object.__setattr__(self, "point_masses", tuple(self.point_masses))
        object.__setattr__(self, "couplings", tuple(self.couplings))
        for mass in self.point_masses:
            self.node_index(mass.node, what="point mass")
        self._check_couplings()

    def _check_couplings(self) -> None:
        named = np.fromiter(chain.from_iterable(coupling.nodes for coupling in self.couplings), np.int64)
        if not np.isin(named, self.node_ids).all():
            for coupling in self.couplings:
                self.node_index(coupling.nodes, what=coupling.label)

    def __repr__(self) -> str:
        kinds: Counter[str] = Counter()
        for block in self.blocks:
            kinds[block.kind] += len(block)
        counted = {
            "nodes": self.nnode,
            "elements": self.nelement,
            "point masses": len(self.point_masses),
            "couplings": len(self.couplings),
            "supports": len(self.supports),
            "node sets": len(self.node_sets),
            "element sets": len(self.element_sets),
        }
        elements = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common(4))
        words = [f"{count} {what}" for what, count in counted.items() if count or what in ("nodes", "elements")]
        return f"FEModel({self.name!r}: {', '.join(words)}{f'; {elements}' if elements else ''})"

    # counting

    @property
    def nelement(self) -> int:
        """Number of elements."""
        return sum(len(block) for block in self.blocks)

    @property
    def ndof(self) -> int:
        """Number of equations after couplings are eliminated: rows of `stiffness()`."""
        return len(self.dofs)

    @cached_property
    def outer_faces(self) -> tuple[BoolArray, ...]:
        """For every block (nel, nface): which faces of its solid elements no other solid shares; all of a shell."""
        return faces.outer_faces(self.blocks)

    @cached_property
    def coats(self) -> tuple[BoolArray, ...]:
        """For every block (nel,): its shells that lie on or in solids; see `floatframe.fem.coats`."""
        return coats.coats(self.blocks, self.nnode)

    # equations

    @cached_property
    def dof_table(self) -> DofTable:
        """All dofs that exist, before couplings are eliminated."""
        return assembly.dof_table(self)

    @cached_property
    def _reduction(self) -> assembly.Elimination:
        return assembly.eliminate_couplings(self)

    @cached_property
    def dofs(self) -> IntArray:
        """(ndof, 2) node number and component (0..5) of every row of the matrices."""
        slots = self.dof_table.slots[self._reduction.independent]
        return np.column_stack([self.node_ids[slots // 6], slots % 6])

    def stiffness(self) -> SparseMatrix:
        """Return the stiffness matrix (ndof, ndof) [N/m, N, N m], supports not applied."""
        return self._projected("stiffness")

    def mass(self, kind: MassKind | None = None) -> SparseMatrix:
        """Return the mass matrix (ndof, ndof) [kg, kg m, kg m2], by default of the kind that each block has.

        "lumped" is diagonal with rotary inertia, except that point masses keep their full 6 x 6 block and couplings
        move the mass of their dependent nodes to the independent ones; "points" is the same without rotary inertia,
        "torsion" with that about the axes of beams alone.
        """
        return self._projected(mass_quantity(kind))

    def _projected(self, quantity: assembly.Quantity) -> SparseMatrix:
        """Return a matrix (ndof, ndof) over independent dofs; refuse what no memory would hold."""
        matrix = assembly.assemble(self, quantity)
        crowded = self._reduction.crowded(matrix)
        if crowded.size:
            node = int(self.node_ids[self.dof_table.slots[crowded[0]] // 6])
            count = int(np.diff(self._reduction.T.indptr)[crowded[0]])  # type: ignore[union-attr]
            raise ModelError(
                f"model '{self.name}': node {node} follows {count} dofs and carries mass or stiffness itself, "
                "which would couple them all in one dense block; couple fewer nodes, or rigidly (rbe2)."
            )
        return self._reduction.project(matrix)

    @property
    def mass_rule(self) -> str:
        """The kind of mass of all blocks, or "mixed": what `mass` takes by default."""
        kinds = {block.mass for block in self.blocks if block.element.needs_material and len(block)}
        return kinds.pop() if len(kinds) == 1 else "mixed" if kinds else "consistent"

    def assembled(self, quantity: assembly.Quantity) -> SparseMatrix:
        """Return a matrix over all existing dofs, before couplings are eliminated."""
        return assembly.assemble(self, quantity)

    def damping(self) -> SparseMatrix:
        """Return the damping matrix (ndof, ndof) of the damper elements [N s/m, N s, N m s]."""
        return self._projected("damping")

    def geometric_stiffness(self, u: Array) -> SparseMatrix:
        """Return the geometric stiffness (ndof, ndof) of the stresses that displacements u (nnode, 6) cause.

        Tension stiffens. The matrix is linear in u and symmetric; see `floatframe.fem.geometric`.
        """
        return self._reduction.project(geometric.geometric_stiffness(self, u))

    def rows(self, spec: DofSpec) -> IntArray:
        """Return the matrix rows of chosen dofs (see `pick_dofs`); dofs that do not exist are passed over."""
        picked = self.pick_dofs(spec)
        exists = self.dof_table.present[picked[:, 0], picked[:, 1] // 3]
        return np.unique(self._rows_of_slots(6 * picked[exists, 0] + picked[exists, 1]))

    def row_of(self, node_index: int, component: int) -> int:
        """Return the matrix row of one dof that exists."""
        return int(self._rows_of_slots(np.array([6 * node_index + component]))[0])

    def _rows_of_slots(self, slots: IntArray) -> IntArray:
        row = self._reduction.row_of[self.dof_table.equation[slots]]
        if (row < 0).any():
            slot = slots[row < 0][0]
            raise ModelError(
                f"{self.label}: {DOF_NAMES[slot % 6]} of node {self.node_ids[slot // 6]} depends on other nodes "
                "through a coupling and cannot be addressed by itself; use the coupling's independent node, or for an "
                "averaging coupling fe.with_independent([node])."
            )
        return row

    def expand(self, x: Array) -> Array:
        """Return nodal displacements (nnode, 6) or (nnode, 6, k) from x (ndof,) or (ndof, k)."""
        full = np.zeros((6 * self.nnode, *np.shape(x)[1:]))
        full[self.dof_table.slots] = self._reduction.expand(x)
        return full.reshape(self.nnode, 6, *np.shape(x)[1:])

    def compress(self, u: Array) -> Array:
        """Return x (ndof, k) of displacements u (6 nnode, k) that the couplings allow; the inverse of `expand`."""
        return np.asarray(u)[self.dof_table.slots][self._reduction.independent]

    def project_load(self, f: Array) -> Array:
        """Return the load vector (ndof,) of nodal forces and moments f (nnode, 6)."""
        return self._reduction.project_load(np.asarray(f, dtype=float).ravel()[self.dof_table.slots])

    def rigid_shapes(self, origin: Iterable[float] = (0.0, 0.0, 0.0)) -> Array:
        """Return (ndof, 6): unit translations along and unit rotations about the axes through `origin`."""
        return self.rigid_motions(origin)[self._reduction.independent]

    def mass_properties(self) -> MassProperties:
        """Return mass, centre of mass and inertia tensor from the element geometry (consistent mass)."""
        return mass_properties(self)

    # change by copy

    def with_node_set(self, name: str, pick: NodePick) -> FEModel:
        """Return a copy with a named node set (see `pick_nodes`)."""
        return replace(self, node_sets={**self.node_sets, name: self.pick_nodes(pick, f"node set '{name}'")})

    def with_element_set(self, name: str, elements: Iterable[int]) -> FEModel:
        """Return a copy with a named set of element numbers."""
        return replace(self, element_sets={**self.element_sets, name: np.asarray(list(elements))})

    def with_block(self, block: ElementBlock) -> FEModel:
        """Return a copy with one more element block (connectivity: row indices into `nodes`)."""
        return replace(self, blocks=(*self.blocks, block))

    def with_support(self, spec: DofSpec) -> FEModel:
        """Return a copy in which more dofs are held at zero (see `pick_dofs`)."""
        return replace(self, supports=self.supports_with(spec))

    def without_supports(self) -> FEModel:
        """Return a copy in which nothing is held, neither along the axes nor, by equations of one node, askew to them.

        Where supports of a deck meet its equations, these stay as they are; `ff.io.read(path, supports=False)` releases
        them too.
        """
        couplings = tuple(coupling for coupling in self.couplings if len(set(coupling.nodes)) > 1)
        return replace(self, supports=self.supports[:0], couplings=couplings)

    def with_point_mass(
        self,
        node: str | int,
        mass: float = 0.0,
        inertia: Iterable[float] | Array = (0.0, 0.0, 0.0),
        offset: Iterable[float] = (0.0, 0.0, 0.0),
    ) -> FEModel:
        """Return a copy with a rigid mass [kg] fixed to a node, given by its number or by a set that holds it alone.

        inertia: three moments or the (3, 3) tensor about the mass's own centre, model axes [kg m2];
        offset: centre of the mass seen from the node [m].
        """
        point = PointMass(
            self.one_node(node, "point mass"), mass, np.asarray(inertia, dtype=float), np.asarray(offset, dtype=float)
        )
        return replace(self, point_masses=(*self.point_masses, point))

    def with_spring(
        self,
        a: str | int,
        b: str | int | None = None,
        stiffness: float | Iterable[float] = 0.0,
        damping: float | Iterable[float] = 0.0,
    ) -> FEModel:
        """Return a copy with a spring and damper from node a to node b, or to ground without b.

        Six numbers: along and about the local axes [N/m, N m/rad; N s/m, N m s/rad], x from a to b, the model axes for
        ground. Three: the same for translations alone, for nodes without rotations. One: along the line from a to b.
        """
        laws = [np.atleast_1d(np.asarray(law, dtype=float)) for law in (stiffness, damping)]
        size = max(law.size for law in laws)
        kind = {6: ("ground_spring", "spring"), 3: ("ground_point_spring", "point_spring"), 1: (None, "axial_spring")}
        found = kind.get(size, (None, None))[b is not None]
        if found is None or any(law.ndim != 1 or law.size not in (1, size) for law in laws):
            raise ModelError(
                f"model '{self.name}', spring at node {a}: stiffness and damping have {laws[0].size} and "
                f"{laws[1].size} numbers; give both 6 or 3, or 1 between two nodes."
            )
        ends = self.node_index([self.one_node(end, "spring") for end in (a, b) if end is not None])
        full = [np.broadcast_to(law, (size,)) if size > 1 else law[0] for law in laws]
        data = {"stiffness": np.array([full[0]]), "damping": np.array([full[1]])}
        return self.with_block(ElementBlock(found, ends[None, :], data=data))

    def with_rbe2(self, reference: str | int, dependents: NodePick, components: str = "all", name: str = "") -> FEModel:
        """Return a copy in which nodes (see `pick_nodes`) follow a reference node like one rigid piece."""
        return self.with_coupling(RBE2(*self._reference_and_others(reference, dependents, "RBE2"), components, name))

    def with_rbe3(
        self,
        reference: str | int,
        averaged: NodePick,
        weights: Sequence[float] | None = None,
        independent: bool = False,
        name: str = "",
    ) -> FEModel:
        """Return a copy in which a reference node follows the mean motion of nodes (see `pick_nodes`)."""
        nodes = self._reference_and_others(reference, averaged, "RBE3")
        return self.with_coupling(RBE3(*nodes, weights, independent, name=name))

    def _reference_and_others(self, reference: str | int, others: NodePick, what: str) -> tuple[int, list[int]]:
        first = self.one_node(reference, what)
        return first, [node for node in self.pick_nodes(others, what).tolist() if node != first]

    def with_coupling(self, coupling: Coupling) -> FEModel:
        """Return a copy with one more coupling (`RBE2`, `RBE3` or `MPC`)."""
        return replace(self, couplings=(*self.couplings, coupling))

    def with_independent(self, nodes: NodePick) -> FEModel:
        """Return a copy in which reference nodes of averaging couplings (RBE3) keep their own equations."""
        wanted = set(self.pick_nodes(nodes).tolist())
        return replace(self, couplings=tuple(coupling.with_independent(wanted) for coupling in self.couplings))

    def _checked_element_sets(self) -> dict[str, IntArray]:
        ids = np.concatenate([np.empty(0, dtype=np.int64), *(block.element_ids for block in self.blocks)])
        sets = {}
        for name, given in self.element_sets.items():
            members = np.unique(whole_numbers(given, f"{self.label}: element set '{name}'"))
            unknown = members[~np.isin(members, ids)]
            if unknown.size:
                raise ModelError(f"{self.label}: element set '{name}' names unknown {listed('element', unknown)}.")
            sets[name] = read_only(members)
        return sets
