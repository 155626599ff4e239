"""The finite element model: nodes, element blocks, masses, couplings, supports and named sets.

A model never changes: every `with_…` returns a new one. Users name nodes by their numbers (`node_ids`), which need
neither start at 1 nor be consecutive; inside, connectivity holds row indices into `nodes`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np

from floatframe.arrays import AnyArray, Array, IntArray, SparseMatrix
from floatframe.errors import ModelError
from floatframe.fem import assembly
from floatframe.fem.dofs import DOF_NAMES, DofTable, components
from floatframe.fem.elements import Batch, Element, element_kind
from floatframe.fem.mass_properties import MassProperties, mass_properties
from floatframe.fem.masses import PointMass
from floatframe.fem.wording import listed

if TYPE_CHECKING:
    from floatframe.fem.couplings import Coupling
    from floatframe.fem.materials import Material
    from floatframe.fem.sections import Section

MassKind = Literal["consistent", "lumped"]
NodePick = str | int | Iterable[int] | Callable[[Array], AnyArray]
DofSpec = Iterable["str | int | tuple[str | int, str | Iterable[str]]"]


@dataclass(frozen=True)
class ElementBlock:
    """Elements of one kind that share material and section.

    connectivity (nel, nnode of the kind) row indices into the model's nodes; element_ids (nel,) user numbers;
    data: per-element arrays the kind understands, e.g. "orientation" (nel, 3) and "offsets" (nel, 2, 3) of beams.
    """

    kind: str
    connectivity: IntArray
    material: Material | None = None
    section: Section | None = None
    data: Mapping[str, AnyArray] = field(default_factory=dict)
    element_ids: IntArray = None  # type: ignore[assignment]  # the model numbers blocks that have none
    name: str = ""

    def __post_init__(self) -> None:
        element = self.element
        connectivity = np.asarray(self.connectivity, dtype=np.int64)
        if connectivity.ndim != 2 or connectivity.shape[1] != element.nnode:
            raise ModelError(
                f"{self.label}: connectivity has shape {connectivity.shape}, expected (nel, {element.nnode})."
            )
        if element.needs_material and self.material is None:
            raise ModelError(f"{self.label}: no material; give material=ff.fem.Material(...).")
        if element.section_type is not None and not isinstance(self.section, element.section_type):
            found = "none" if self.section is None else type(self.section).__name__
            raise ModelError(f"{self.label}: section is {found}, expected a {element.section_type.__name__}.")
        data = {}
        for name, values in self.data.items():
            if name not in element.data_names:
                known = ", ".join(element.data_names) or "none"
                raise ModelError(f"{self.label}: data '{name}' is unknown; this kind understands: {known}.")
            values = np.asarray(values)
            if values.shape[:1] != connectivity.shape[:1]:
                raise ModelError(f"{self.label}: data '{name}' has {len(values)} rows, expected {len(connectivity)}.")
            data[name] = values
        object.__setattr__(self, "connectivity", connectivity)
        object.__setattr__(self, "data", data)
        if self.element_ids is not None:
            ids = np.asarray(self.element_ids, dtype=np.int64)
            if ids.shape != connectivity.shape[:1]:
                raise ModelError(f"{self.label}: {ids.size} element numbers for {len(connectivity)} elements.")
            object.__setattr__(self, "element_ids", ids)

    @property
    def element(self) -> Element:
        return element_kind(self.kind)

    @property
    def label(self) -> str:
        return f"element block '{self.name}' ({self.kind})" if self.name else f"element block ({self.kind})"

    def __len__(self) -> int:
        return int(self.connectivity.shape[0])

    def take(self, rows: AnyArray) -> ElementBlock:
        """Return a block with some of the elements (index array, mask or slice)."""
        ids = None if self.element_ids is None else self.element_ids[rows]
        data = {name: values[rows] for name, values in self.data.items()}
        return replace(self, connectivity=self.connectivity[rows], data=data, element_ids=ids)

    def batches(self, nodes: Array, size: int = 2048) -> Iterator[tuple[slice, Batch]]:
        """Yield (rows, batch) pieces small enough to stay in cache."""
        for start in range(0, len(self), size):
            rows = slice(start, min(start + size, len(self)))
            data = {name: values[rows] for name, values in self.data.items()}
            ids = None if self.element_ids is None else self.element_ids[rows]
            yield rows, Batch(nodes[self.connectivity[rows]], self.material, self.section, data, ids)


@dataclass(frozen=True)
class FEModel:
    """A finite element model in SI units.

    nodes (nnode, 3) positions [m]; node_ids (nnode,) user numbers, 1..nnode if not given; node_sets and
    element_sets: name -> user numbers; supports (k, 2): node number and component (0..5) of freedoms held at zero.
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

    def __post_init__(self) -> None:
        nodes = np.ascontiguousarray(self.nodes, dtype=float)
        if nodes.ndim != 2 or nodes.shape[1] != 3:
            raise ModelError(f"model '{self.name}': nodes have shape {nodes.shape}, expected (nnode, 3).")
        ids = np.arange(1, len(nodes) + 1) if self.node_ids is None else np.asarray(self.node_ids, dtype=np.int64)
        if ids.shape != (len(nodes),):
            raise ModelError(f"model '{self.name}': {ids.size} node numbers for {len(nodes)} nodes.")
        if not np.isfinite(nodes).all():
            bad = ids[~np.isfinite(nodes).all(axis=1)]
            raise ModelError(f"model '{self.name}': coordinates of {listed('node', bad)} are not finite numbers.")
        unique, count = np.unique(ids, return_counts=True)
        if (count > 1).any():
            raise ModelError(f"model '{self.name}': {listed('node number', unique[count > 1])} used more than once.")
        object.__setattr__(self, "nodes", nodes)
        object.__setattr__(self, "node_ids", ids)
        object.__setattr__(self, "blocks", _numbered(self.blocks, len(nodes), self.name))
        sets = {}
        for name, members in self.node_sets.items():
            members = np.asarray(members, dtype=np.int64)
            if not (np.diff(members) > 0).all():
                members = np.unique(members)
            sets[name] = members
            self.node_index(members, what=f"node set '{name}'")
        object.__setattr__(self, "node_sets", sets)
        supports = np.asarray(self.supports, dtype=np.int64).reshape(-1, 2)
        self.node_index(supports[:, 0], what="supports")
        object.__setattr__(self, "supports", supports)
        self._check_element_sets()
        for mass in self.point_masses:
            self.node_index([mass.node], what="point mass")
        for coupling in self.couplings:
            self.node_index(coupling.nodes, what=coupling.label)

    # counting and finding

    @property
    def nnode(self) -> int:
        return len(self.nodes)

    @property
    def nelement(self) -> int:
        return sum(len(block) for block in self.blocks)

    @property
    def ndof(self) -> int:
        """Number of equations after couplings are eliminated: rows of `stiffness()`."""
        return len(self.dofs)

    @cached_property
    def _sorted_ids(self) -> tuple[IntArray, IntArray]:
        order = np.argsort(self.node_ids, kind="stable")
        return self.node_ids[order], order

    def node_index(self, ids: Iterable[int] | int, what: str = "request") -> IntArray:
        """Return row indices into `nodes` for user node numbers."""
        wanted = np.atleast_1d(np.asarray(ids if isinstance(ids, np.ndarray | int) else list(ids), dtype=np.int64))
        sorted_ids, order = self._sorted_ids
        place = np.searchsorted(sorted_ids, wanted)
        place[place == sorted_ids.size] = 0
        known = sorted_ids[place] == wanted if sorted_ids.size else np.zeros(wanted.shape, dtype=bool)
        if not known.all():
            bad = np.unique(wanted[~known])
            span = f"{sorted_ids[0]} to {sorted_ids[-1]}" if sorted_ids.size else "none"
            raise ModelError(
                f"model '{self.name}': {what} names unknown {listed('node', bad)}; node numbers here: {span}."
            )
        return order[place]

    def pick_nodes(self, pick: NodePick) -> IntArray:
        """Return node numbers for a set name, a number, several numbers, or a function of `nodes` giving a mask."""
        if isinstance(pick, str):
            if pick not in self.node_sets:
                known = ", ".join(sorted(self.node_sets)) or "none"
                raise ModelError(f"model '{self.name}': node set '{pick}' is unknown; sets here: {known}.")
            return self.node_sets[pick]
        if callable(pick):
            return self.node_ids[np.asarray(pick(self.nodes))]
        return self.node_ids[self.node_index(pick)]

    def pick_dofs(self, spec: DofSpec) -> IntArray:
        """Return (k, 2) node indices and components for items: set name or node number, alone or with components.

        Examples: ["base", 7, ("tip", "uz"), (12, ["ux", "rx"])]. Alone means all six components.
        """
        rows = [np.empty((0, 2), dtype=np.int64)]
        for item in [spec] if isinstance(spec, str | int | np.integer) else spec:
            where, names = item if isinstance(item, tuple) else (item, "all")
            index = self.node_index(self.pick_nodes(where))
            comps = np.array(components(names), dtype=np.int64)
            rows.append(np.column_stack([np.repeat(index, comps.size), np.tile(comps, index.size)]))
        return np.unique(np.concatenate(rows), axis=0)

    # equations

    @cached_property
    def dof_table(self) -> DofTable:
        """All freedoms that exist, before couplings are eliminated."""
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
        return self._reduction.project(assembly.assemble(self, "stiffness"))

    def mass(self, kind: MassKind = "consistent") -> SparseMatrix:
        """Return the mass matrix (ndof, ndof) [kg, kg m, kg m2].

        "lumped" is diagonal with rotary inertia, except that point masses keep their full 6 x 6 block and couplings
        move the mass of their dependent nodes to the independent ones.
        """
        if kind not in ("consistent", "lumped"):
            raise ModelError(f"mass kind {kind!r} is unknown; use 'consistent' or 'lumped'.")
        return self._reduction.project(assembly.assemble(self, kind))

    def assembled(self, quantity: assembly.Quantity) -> SparseMatrix:
        """Return a matrix over all existing freedoms, before couplings are eliminated."""
        return assembly.assemble(self, quantity)

    def damping(self) -> SparseMatrix:
        """Return the damping matrix (ndof, ndof) of the damper elements [N s/m, N s, N m s]."""
        return self._reduction.project(assembly.assemble(self, "damping"))

    def rows(self, spec: DofSpec) -> IntArray:
        """Return the matrix rows of chosen freedoms (see `pick_dofs`); freedoms that do not exist are passed over."""
        picked = self.pick_dofs(spec)
        exists = self.dof_table.present[picked[:, 0], picked[:, 1] // 3]
        return np.unique(self._rows_of_slots(6 * picked[exists, 0] + picked[exists, 1]))

    def row_of(self, node_index: int, component: int) -> int:
        """Return the matrix row of one freedom that exists."""
        return int(self._rows_of_slots(np.array([6 * node_index + component]))[0])

    def _rows_of_slots(self, slots: IntArray) -> IntArray:
        row = self._reduction.row_of[self.dof_table.equation[slots]]
        if (row < 0).any():
            slot = slots[row < 0][0]
            raise ModelError(
                f"model '{self.name}': {DOF_NAMES[slot % 6]} of node {self.node_ids[slot // 6]} depends on other nodes "
                "through a coupling and cannot be addressed by itself; use the coupling's independent node, or for an "
                "averaging coupling fe.with_independent([node])."
            )
        return row

    def free_rows(self, fixed: DofSpec = ()) -> IntArray:
        """Return the matrix rows that remain when `fixed` and the model's own supports are held."""
        own = [(int(node), [DOF_NAMES[component]]) for node, component in self.supports]
        held = self.rows([*([fixed] if isinstance(fixed, str | int | np.integer) else fixed), *own])
        free = np.ones(self.ndof, dtype=bool)
        free[held] = False
        return np.flatnonzero(free)

    def expand(self, x: Array) -> Array:
        """Return nodal displacements (nnode, 6) or (nnode, 6, k) from x (ndof,) or (ndof, k)."""
        full = np.zeros((6 * self.nnode, *np.shape(x)[1:]))
        full[self.dof_table.slots] = self._reduction.expand(x)
        return full.reshape(self.nnode, 6, *np.shape(x)[1:])

    def project_load(self, f: Array) -> Array:
        """Return the load vector (ndof,) of nodal forces and moments f (nnode, 6)."""
        return self._reduction.project_load(np.asarray(f, dtype=float).ravel()[self.dof_table.slots])

    def rigid_shapes(self, origin: Iterable[float] = (0.0, 0.0, 0.0)) -> Array:
        """Return (ndof, 6): unit translations along and unit rotations about the axes through `origin`."""
        full = rigid_motion(self.nodes, origin).reshape(6 * self.nnode, 6)
        return full[self.dof_table.slots][self._reduction.independent]

    def mass_properties(self) -> MassProperties:
        """Return mass, centre of mass and inertia tensor from the element geometry (consistent mass)."""
        return mass_properties(self)

    # change by copy

    def with_node_set(self, name: str, pick: NodePick) -> FEModel:
        """Return a copy with a named node set (see `pick_nodes`)."""
        return replace(self, node_sets={**self.node_sets, name: self.pick_nodes(pick)})

    def with_element_set(self, name: str, elements: Iterable[int]) -> FEModel:
        """Return a copy with a named set of element numbers."""
        return replace(self, element_sets={**self.element_sets, name: np.unique(np.asarray(list(elements)))})

    def with_block(self, block: ElementBlock) -> FEModel:
        """Return a copy with one more element block (connectivity: row indices into `nodes`)."""
        return replace(self, blocks=(*self.blocks, block))

    def with_support(self, spec: DofSpec) -> FEModel:
        """Return a copy in which more freedoms are held at zero (see `pick_dofs`)."""
        picked = self.pick_dofs(spec)
        added = np.column_stack([self.node_ids[picked[:, 0]], picked[:, 1]])
        return replace(self, supports=np.unique(np.concatenate([self.supports, added]), axis=0))

    def with_point_mass(
        self,
        node: int,
        mass: float = 0.0,
        inertia: Iterable[float] | Array = (0.0, 0.0, 0.0),
        offset: Iterable[float] = (0.0, 0.0, 0.0),
    ) -> FEModel:
        """Return a copy with a rigid mass [kg] fixed to a node.

        inertia: three moments or the (3, 3) tensor about the mass's own centre, model axes [kg m2];
        offset: centre of the mass seen from the node [m].
        """
        point = PointMass(node, mass, np.asarray(inertia, dtype=float), np.asarray(offset, dtype=float))
        return replace(self, point_masses=(*self.point_masses, point))

    def with_coupling(self, coupling: Coupling) -> FEModel:
        """Return a copy with one more coupling (`RBE2`, `RBE3` or `MPC`)."""
        return replace(self, couplings=(*self.couplings, coupling))

    def with_independent(self, nodes: NodePick) -> FEModel:
        """Return a copy in which reference nodes of averaging couplings (RBE3) keep their own equations."""
        wanted = set(self.pick_nodes(nodes).tolist())
        return replace(self, couplings=tuple(coupling.with_independent(wanted) for coupling in self.couplings))

    def _check_element_sets(self) -> None:
        ids = np.concatenate([np.empty(0, dtype=np.int64), *(block.element_ids for block in self.blocks)])
        for name, members in self.element_sets.items():
            members = np.asarray(members, dtype=np.int64)
            unknown = np.unique(members[~np.isin(members, ids)])
            if unknown.size:
                raise ModelError(
                    f"model '{self.name}': element set '{name}' names unknown {listed('element', unknown)}."
                )


def rigid_motion(points: Array, origin: Iterable[float] = (0.0, 0.0, 0.0)) -> Array:
    """Return (npoint, 6, 6) displacements of points (npoint, 3): column j is unit rigid motion j about `origin`."""
    arm = points - np.asarray(list(origin), dtype=float)
    shapes = np.zeros((len(points), 6, 6))
    shapes[:, range(6), range(6)] = 1.0
    # rotation about x moves y by -z and z by +y, and so on round
    shapes[:, 1, 3], shapes[:, 2, 3] = -arm[:, 2], arm[:, 1]
    shapes[:, 2, 4], shapes[:, 0, 4] = -arm[:, 0], arm[:, 2]
    shapes[:, 0, 5], shapes[:, 1, 5] = -arm[:, 1], arm[:, 0]
    return shapes


def _numbered(blocks: Iterable[ElementBlock], nnode: int, model: str) -> tuple[ElementBlock, ...]:
    """Check connectivity and give element numbers to blocks that have none, after the largest number in use."""
    blocks = tuple(blocks)
    top = max((int(b.element_ids.max()) for b in blocks if b.element_ids is not None and len(b)), default=0)
    done = []
    for block in blocks:
        if len(block) and (block.connectivity.min() < 0 or block.connectivity.max() >= nnode):
            row = int(np.flatnonzero((block.connectivity < 0).any(1) | (block.connectivity >= nnode).any(1))[0])
            raise ModelError(
                f"model '{model}', {block.label}: element {row + 1} of the block points to node row "
                f"{block.connectivity[row].tolist()}, but there are {nnode} nodes (rows 0 to {nnode - 1})."
            )
        if block.element_ids is None:
            block = replace(block, element_ids=np.arange(top + 1, top + 1 + len(block)))
            top += len(block)
        done.append(block)
    ids = np.concatenate([np.empty(0, dtype=np.int64), *(block.element_ids for block in done)])
    unique, count = np.unique(ids, return_counts=True)
    if (count > 1).any():
        raise ModelError(f"model '{model}': {listed('element number', unique[count > 1])} used more than once.")
    return tuple(done)
