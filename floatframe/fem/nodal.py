"""What every model on nodes can do: find nodes by number, set or place, and name their dofs.

Users name nodes by their numbers (`node_ids`), which need neither start at 1 nor be consecutive.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, Self, get_args

import numpy as np

from floatframe.arrays import AnyArray, Array, BoolArray, IntArray, SparseMatrix, skew
from floatframe.errors import ModelError
from floatframe.fem.dofs import DOF_NAMES, DofTable, components
from floatframe.fem.numbering import picked_rows, read_only, whole_numbers
from floatframe.wording import listed

# "points" and "torsion" are the lumped masses of Nastran: without rotary inertia, or with that about the axes of beams
MassKind = Literal["consistent", "lumped", "points", "torsion"]
MassQuantity = Literal["mass", "consistent", "lumped", "points", "torsion"]
NodePick = str | int | Iterable[int] | Callable[[Array], AnyArray]
DofSpec = Iterable["str | int | tuple[str | int, str | Iterable[str]]"]

_FARTHEST = 1e50  # of coordinates, whose sixth powers occur in stiffness and inertia


def mass_quantity(kind: MassKind | None) -> MassQuantity:
    """Return the name of a mass matrix to assemble: "mass" is that of each block's own kind."""
    if kind is not None and kind not in get_args(MassKind):
        raise ModelError(f"mass kind {kind!r} is unknown; use 'consistent' or 'lumped'.")
    return kind or "mass"


@dataclass(frozen=True)
class FileSource:
    """The file that a model was read from: its name without folders, and its SHA-256; empty for models made here."""

    name: str = ""
    sha256: str = ""


class NodalModel(ABC):
    """Nodes (nnode, 3) [m] with user numbers (nnode,), named sets of them, and supports (k, 2).

    Frozen dataclasses derive from it and declare these fields; `_check_nodes` brings them into shape.
    """

    nodes: Array
    node_ids: IntArray
    node_sets: Mapping[str, IntArray]
    supports: IntArray
    name: str
    source: FileSource

    @property
    @abstractmethod
    def ndof(self) -> int:
        """Number of equations: rows of the matrices."""

    @cached_property
    @abstractmethod
    def dof_table(self) -> DofTable:
        """All dofs that exist, before couplings are eliminated."""

    @abstractmethod
    def mass(self, kind: MassKind = "consistent") -> SparseMatrix:
        """Return the mass matrix (ndof, ndof) [kg, kg m, kg m2]."""

    @abstractmethod
    def assembled(self, quantity: MassQuantity) -> SparseMatrix:
        """Return a mass matrix over all dofs of `dof_table`."""

    @abstractmethod
    def rows(self, spec: DofSpec) -> IntArray:
        """Return the matrix rows of chosen dofs (see `pick_dofs`); dofs that do not exist are passed over."""

    @abstractmethod
    def rigid_shapes(self, origin: Iterable[float] = (0.0, 0.0, 0.0)) -> Array:
        """Return (ndof, 6): unit translations along and unit rotations about the axes through `origin`."""

    @abstractmethod
    def without_supports(self) -> Self:
        """Return a copy in which nothing is held."""

    def rigid_motions(self, origin: Iterable[float] = (0.0, 0.0, 0.0)) -> Array:
        """Return the same at all dofs of `dof_table` (n, 6), whether couplings let the model move so or not."""
        motion = rigid_motion(self.nodes, origin) * self.placed[:, None, None]
        return np.asarray(motion.reshape(6 * self.nnode, 6)[self.dof_table.slots])

    @property
    def nnode(self) -> int:
        """Number of nodes."""
        return len(self.nodes)

    @property
    def placed(self) -> BoolArray:
        """Which nodes (nnode,) are places; all, except in matrices of reduced bodies."""
        return np.ones(self.nnode, dtype=bool)

    def with_source(self, source: FileSource) -> Self:
        """Return a copy that says which file it was read from; whatever is made of the copy says so too."""
        other = copy(self)  # nothing else changes, so that nothing is checked again
        object.__setattr__(other, "source", source)
        return other

    @property
    def label(self) -> str:
        """How messages name the model."""
        return f"model '{self.name}'"

    @cached_property
    def _sorted_ids(self) -> tuple[IntArray, IntArray]:
        order = np.argsort(self.node_ids, kind="stable")
        return self.node_ids[order], order

    def node_index(self, ids: Iterable[int] | int, what: str = "request") -> IntArray:
        """Return row indices into `nodes` for user node numbers."""
        wanted = np.atleast_1d(whole_numbers(ids, f"{self.label}: node numbers of {what}"))
        sorted_ids, order = self._sorted_ids
        place = np.searchsorted(sorted_ids, wanted)
        place[place == sorted_ids.size] = 0
        known = sorted_ids[place] == wanted if sorted_ids.size else np.zeros(wanted.shape, dtype=bool)
        if not known.all():
            bad = np.unique(wanted[~known])
            span = f"{sorted_ids[0]} to {sorted_ids[-1]}" if sorted_ids.size else "none"
            raise ModelError(f"{self.label}: {what} names unknown {listed('node', bad)}; node numbers here: {span}.")
        return order[place]

    def pick_nodes(self, pick: NodePick, what: str = "request") -> IntArray:
        """Return node numbers for a set name, a number, several numbers, or a function of `nodes` giving a mask."""
        if isinstance(pick, str):
            if pick not in self.node_sets:
                known = ", ".join(sorted(self.node_sets)) or "none"
                raise ModelError(f"{self.label}: node set '{pick}' is unknown; sets here: {known}.")
            return self.node_sets[pick]
        if callable(pick):
            return self.node_ids[picked_rows(pick, self.nodes, f"{self.label}, {what}")]
        return self.node_ids[self.node_index(pick, what)]

    def one_node(self, pick: str | int, what: str = "request") -> int:
        """Return the number of the single node that a number or a set names."""
        found = self.pick_nodes(pick, what)
        if found.size != 1:
            raise ModelError(
                f"{self.label}: {what} needs one node, but set '{pick}' has {found.size}; `with_reference_node` makes "
                "one for all of them."
            )
        return int(found[0])

    def pick_dofs(self, spec: DofSpec) -> IntArray:
        """Return (k, 2) node indices and components for items: set name or node number, alone or with components.

        Examples: ["base", 7, ("tip", "uz"), (12, ["ux", "rx"]), "12:ux+rx"]. Alone means all six components.
        """
        rows = [np.empty((0, 2), dtype=np.int64)]
        for where, names in self.dof_items(spec):
            index = self.node_index(self.pick_nodes(where))
            comps = np.array(components(names), dtype=np.int64)
            rows.append(np.column_stack([np.repeat(index, comps.size), np.tile(comps, index.size)]))
        return np.unique(np.concatenate(rows), axis=0)

    def dof_items(self, spec: DofSpec) -> list[tuple[Any, Any]]:
        """Return pairs of place and components; a word such as "12:ux+uy" is one unless a node set is called so."""
        pairs: list[tuple[Any, Any]] = []
        for item in as_items(spec):
            if isinstance(item, tuple):
                place, names = item
            elif isinstance(item, str) and ":" in item and item not in self.node_sets:
                place, names = item.split(":", 1)
                place = int(place) if place.isdecimal() else place
            else:
                place, names = item, "all"
            pairs.append((int(place) if isinstance(place, np.integer) else place, names))
        return pairs

    def free_rows(self, fixed: DofSpec = ()) -> IntArray:
        """Return the matrix rows that remain when `fixed` and the model's own supports are held."""
        own = [(int(node), [DOF_NAMES[component]]) for node, component in self.supports]
        free = np.ones(self.ndof, dtype=bool)
        free[self.rows([*as_items(fixed), *own])] = False
        return np.flatnonzero(free)

    def supports_with(self, spec: DofSpec) -> IntArray:
        """Return the supports (k, 2) when more dofs are held (see `pick_dofs`)."""
        picked = self.pick_dofs(spec)
        added = np.column_stack([self.node_ids[picked[:, 0]], picked[:, 1]])
        return np.unique(np.concatenate([self.supports, added]), axis=0)

    def _check_nodes(self) -> None:
        """Check nodes, numbers, sets and supports and keep them as read-only arrays."""
        nodes = read_only(self.nodes, float)
        if nodes.ndim != 2 or nodes.shape[1] != 3:
            raise ModelError(f"{self.label}: nodes have shape {nodes.shape}, expected (nnode, 3).")
        given = np.arange(1, len(nodes) + 1) if self.node_ids is None else self.node_ids
        ids = read_only(whole_numbers(given, f"{self.label}: node numbers"))
        if ids.shape != (len(nodes),):
            raise ModelError(f"{self.label}: {ids.size} node numbers for {len(nodes)} nodes.")
        if not np.isfinite(nodes).all():
            bad = ids[~np.isfinite(nodes).all(axis=1)]
            raise ModelError(f"{self.label}: coordinates of {listed('node', bad)} are not finite numbers.")
        if (far := np.abs(nodes).max(initial=0.0)) > _FARTHEST:
            bad = ids[(np.abs(nodes) > _FARTHEST).any(axis=1)]
            raise ModelError(
                f"{self.label}: found a coordinate of {far:.3g}, expected {_FARTHEST:g} at most; check "
                f"{listed('node', bad)}."
            )
        unique, count = np.unique(ids, return_counts=True)
        if (count > 1).any():
            raise ModelError(f"{self.label}: {listed('node number', unique[count > 1])} used more than once.")
        object.__setattr__(self, "nodes", nodes)
        object.__setattr__(self, "node_ids", ids)
        sets = {}
        for name, given in self.node_sets.items():
            members = whole_numbers(given, f"{self.label}: node set '{name}'")
            self.node_index(members, what=f"node set '{name}'")
            sets[name] = read_only(members if (np.diff(members) > 0).all() else np.unique(members))
        object.__setattr__(self, "node_sets", sets)
        supports = whole_numbers(self.supports, f"{self.label}: supports")
        if supports.size and (supports.ndim != 2 or supports.shape[1] != 2):
            raise ModelError(f"{self.label}: supports have shape {supports.shape}, expected (k, 2): node, component.")
        supports = read_only(supports.reshape(-1, 2))
        self.node_index(supports[:, 0], what="supports")
        self.check_components(supports, "supports")
        object.__setattr__(self, "supports", supports)

    def check_components(self, dofs: IntArray, what: str) -> None:
        """Raise ModelError if a row (node number, component) of dofs (k, 2) has no component 0 to 5."""
        bad = dofs[(dofs[:, 1] < 0) | (dofs[:, 1] > 5)]
        if bad.size:
            raise ModelError(
                f"{self.label}: {what} name component {bad[0, 1]} of node {bad[0, 0]}; components are 0 (ux) to 5 (rz)."
            )


def as_items(spec: DofSpec) -> list[Any]:
    """Return dofs named one by one or as a list, as a list."""
    return [spec] if isinstance(spec, str | int | np.integer) else list(spec)


def rigid_motion(points: Array, origin: Iterable[float] = (0.0, 0.0, 0.0)) -> Array:
    """Return (npoint, 6, 6) displacements of points (npoint, 3): column j is unit rigid motion j about `origin`."""
    arm = points - np.asarray(list(origin), dtype=float)
    shapes = np.zeros((len(points), 6, 6))
    shapes[:, range(6), range(6)] = 1.0
    # rotation about x moves y by -z and z by +y, and so on round
    shapes[:, :3, 3:] = skew(-arm)
    return shapes
