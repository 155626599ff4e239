"""What is shared while a `Deck` becomes a finite element model: nodes with their rows, blocks, masses, couplings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from floatframe.arrays import AnyArray, Array, BoolArray, IntArray
from floatframe.errors import ModelError
from floatframe.fem import ElementBlock, Material, PointMass, Section, ShellSection, element_kind
from floatframe.io.ansys.apdl import element_name, rotation
from floatframe.io.ansys.commands import Deck, TypeData
from floatframe.io.deck import GivenMaterials, given_material
from floatframe.io.import_log import ImportLog

_PARALLEL = 1e-3  # sine of the angle below which walls lie in one plane
_SPARSE = 8  # largest node number over number of nodes up to which a table finds their rows


@dataclass(frozen=True)
class Group:
    """Elements of one type with the same material, real constants, section and system: ids (n,), nodes (n, k)."""

    type: TypeData
    material: int
    real: int
    section: int
    ids: IntArray
    nodes: IntArray
    system: int = 0  # ESYS

    @property
    def name(self) -> str:
        return element_name(self.type.number)


@dataclass
class Builder:
    """The model in the making; nodes added on the way get the next free numbers."""

    deck: Deck
    log: ImportLog
    temperature: float | None
    given: GivenMaterials
    ids: IntArray  # (nnode,) rising
    xyz: Array
    angles: Array | None
    blocks: list[ElementBlock] = field(default_factory=list)
    masses: list[PointMass] = field(default_factory=list)
    active: dict[int, set[int]] = field(default_factory=dict)  # dofs of nodes by elements that have some of a triple
    membranes: dict[int, list[Array]] = field(default_factory=dict)  # normals of membranes at nodes
    whole: list[tuple[IntArray, int]] = field(default_factory=list)  # rows of nodes of all others, dofs of each
    turning: set[int] = field(default_factory=set)  # nodes whose mass elements have rotations, with inertia or not
    children: dict[int, list[int]] = field(default_factory=dict)  # element -> numbers of the parts it was split into
    middles: dict[tuple[int, int], int] = field(default_factory=dict)  # ends of an edge -> node tied to its middle
    turning_middles: set[int] = field(default_factory=set)  # those of shells, whose rotations are tied too
    added: list[Array] = field(default_factory=list)  # places of nodes the file does not have
    walls: Mapping[str, ShellSection] = field(default_factory=dict)  # the user's, for sections the file does not have
    _materials: dict[int, Material] = field(default_factory=dict)

    @classmethod
    def of(cls, deck: Deck, temperature: float | None, given: GivenMaterials) -> Builder:
        nodes = deck.nodes.merged()
        if deck.nodes.repeated:
            deck.text.log.warn(f"{deck.nodes.repeated} nodes are defined more than once; the last definition counts.")
        order = np.argsort(nodes.ids, kind="stable")
        if (order == np.arange(order.size)).all():
            return cls(deck, deck.text.log, temperature, given, nodes.ids, nodes.xyz, nodes.angles)
        angles = None if nodes.angles is None else nodes.angles[order]
        return cls(deck, deck.text.log, temperature, given, nodes.ids[order], nodes.xyz[order], angles)

    # nodes

    @cached_property
    def _row_of(self) -> IntArray | None:
        """Rows by node number, -1 for none; None where numbers are so sparse that a table would waste memory."""
        if self.top > _SPARSE * self.ids.size:
            return None
        table = np.full(self.top + 1, -1, dtype=np.int64)
        table[self.ids] = np.arange(self.ids.size)
        return table

    def rows(self, nodes: IntArray, what: str, elements: IntArray | None = None) -> IntArray:
        """Return rows of node numbers; those added on the way come after all others."""
        if self._row_of is None:
            place = np.searchsorted(self.ids, nodes)
            known = place < self.ids.size
            known[known] = self.ids[place[known]] == nodes[known]
        else:
            inside = (nodes >= 0) & (nodes < self._row_of.size)
            place = self._row_of[np.where(inside, nodes, 0)]
            known = inside & (place >= 0)
        if self.added:
            extra = ~known & (nodes > self.top) & (nodes <= self.top + len(self.added))
            place = np.where(extra, self.ids.size + nodes - self.top - 1, place)
            known |= extra
        if not known.all():
            bad = np.argwhere(~known)[0]
            who = what if elements is None else f"{what} {elements[bad[0]]}"
            raise self.log.error(f"{who} names node {nodes[tuple(bad)]}, which the file does not define.")
        return place

    @property
    def top(self) -> int:
        """The largest node number of the file."""
        return int(self.ids[-1]) if self.ids.size else 0

    def places(self, nodes: IntArray, what: str, elements: IntArray) -> Array:
        """Return positions (..., 3) of node numbers."""
        rows = self.rows(nodes, what, elements)
        return self.all_places()[rows] if self.added else self.xyz[rows]

    def all_places(self) -> Array:
        return np.vstack([self.xyz, *self.added]) if self.added else self.xyz

    def all_ids(self) -> IntArray:
        return np.concatenate([self.ids, self.top + 1 + np.arange(len(self.added))]) if self.added else self.ids

    def add_nodes(self, places: Array) -> IntArray:
        """Add nodes at places (n, 3) and return their numbers."""
        first = self.top + 1 + len(self.added)
        self.added += list(places)
        return np.arange(first, first + len(places))

    def axes(self, node: int) -> Array:
        """Return the nodal system (3, 3) of a node, its axes as columns."""
        if self.angles is None or node > self.top:
            return np.eye(3)
        row = self.rows(np.array([node]), "a condition")[0]
        return rotation(self.angles[row : row + 1])[0] if self.angles[row].any() else np.eye(3)

    def fill_middles(self, kind: str, nodes: IntArray) -> IntArray:
        """Replace missing mid-side nodes (0) by new ones tied to stay in the middle of their edge, as ANSYS has it."""
        element = element_kind(kind)
        missing = np.argwhere(nodes[:, element.corners :] == 0)
        if not missing.size:
            return nodes
        nodes = nodes.copy()
        edges = element.edges  # type: ignore[attr-defined]  # quadratic kinds list their edges
        for row, edge in missing.tolist():
            a, b = sorted(int(nodes[row, corner]) for corner in edges[edge])
            if (a, b) not in self.middles:
                ends = self.places(np.array([a, b]), kind, np.array([0, 0]))
                self.middles[a, b] = int(self.add_nodes(ends.mean(axis=0)[None])[0])
            nodes[row, element.corners + edge] = self.middles[a, b]
            if element.dof_per_node == 6:
                self.turning_middles.add(self.middles[a, b])
        self.log.warn("mid-side nodes that elements leave out were added and tied to the middle of their edge.")
        return nodes

    # elements

    def material(self, number: int) -> Material:
        if number not in self._materials:
            given = given_material(self.given, number)
            if given is None:
                given = self.deck.materials.material(number, self.temperature, self.log)
            self._materials[number] = given
        return self._materials[number]

    def add_block(
        self,
        kind: str,
        group: Group,
        ids: IntArray,
        nodes: IntArray,
        material: Material | None = None,
        section: Section | None = None,
        data: Mapping[str, AnyArray] | None = None,
        active: Iterable[int] | None = None,
    ) -> None:
        """Add elements; active: the dofs they give their nodes in ANSYS, if these are fewer than here."""
        rows = self.rows(nodes, f"{group.name} element", ids)
        try:
            block = ElementBlock(kind, rows, material, section, data or {}, ids, name=group.name)
        except ModelError as error:
            raise self.log.error(str(error)) from error
        self.blocks.append(block)
        if active is None:
            self.whole.append((rows, block.element.dof_per_node))
        else:
            self.activate(nodes, active)

    def activate(self, nodes: IntArray, dofs: Iterable[int]) -> None:
        """Note that an element gives nodes these dofs and no others."""
        chosen = tuple(dofs)
        for node in np.unique(nodes).tolist():
            self.active.setdefault(node, set()).update(chosen)

    def inactive(self, present: BoolArray) -> list[tuple[int, int]]:
        """Return dofs (node, component) that are here, but that no element has in ANSYS; present (nnode, 2)."""
        ids = self.all_ids()
        full = {n: set(np.unique(np.concatenate(found)).tolist()) for n, found in self._full_rows().items()}
        found = []
        for node, dofs in sorted(self.active.items()):
            if not node:
                continue
            row = int(np.searchsorted(ids, node))
            known = dofs | {k for size, rows in full.items() if row in rows for k in range(size)}
            found += [(node, k) for k in range(6) if present[row, k // 3] and k not in known]
        return found

    def slack_turns(self) -> list[tuple[int, Array]]:
        """Return nodes and axes (3,) about which membranes alone leave them free to turn."""
        ids, full = self.all_ids(), self._full_rows().get(6, [])
        stiff = set(ids[np.unique(np.concatenate(full))].tolist()) if full else set()
        found = []
        for node, normals in self.membranes.items():
            if node not in stiff:
                _, sizes, axes = np.linalg.svd(np.array(normals))
                held = int((sizes > _PARALLEL * sizes[0]).sum())
                found += [(node, axis) for axis in axes[held:]]
        return found

    def _full_rows(self) -> dict[int, list[IntArray]]:
        rows: dict[int, list[IntArray]] = {}
        for part, size in self.whole:
            rows.setdefault(size, []).append(part.ravel())
        return rows

    def split(self, ids: IntArray, parts: int) -> IntArray:
        """Return numbers (n, parts) for parts of elements: the first keeps the number, the others get new ones."""
        highest = max([self.deck.elements.highest, *(max(more) for more in self.children.values())])
        new = highest + 1 + np.arange(ids.size * (parts - 1)).reshape(ids.size, parts - 1)
        self.children.update(zip(ids.tolist(), new.tolist(), strict=True))
        return np.column_stack([ids, new])

    def fresh(self, count: int) -> IntArray:
        """Return numbers (count,) that no element has; they are taken from then on."""
        highest = max([self.deck.elements.highest, *(max(more) for more in self.children.values())])
        self.children.setdefault(0, []).append(highest + count)
        return highest + 1 + np.arange(count)

    def reals(self, number: int) -> list[float]:
        return self.deck.reals.get(number, [])

    def needed_reals(self, group: Group) -> list[float]:
        if group.real not in self.deck.reals:
            raise self.log.error(
                f"{group.name} element {group.ids[0]} uses real constants {group.real}, which the file does not define."
            )
        return self.deck.reals[group.real]
