"""What an ANSYS input file says, before it becomes a finite element model: tables of nodes, elements and properties."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from floatframe.arrays import Array, IntArray
from floatframe.io.ansys.apdl import Command, Elements, Nodes, System, Text
from floatframe.io.ansys.commands.materials import MaterialTable

ATTRIBUTES = {"MAT": 0, "TYPE": 1, "REAL": 2, "SECN": 3, "ESYS": 4}  # columns of the attributes of an element
_MOST_PICKED = 10_000_000  # of one range


@dataclass(frozen=True)
class TypeData:
    """An element type of the file: the number of the ANSYS element and its key options."""

    number: int
    keys: Mapping[int, int] = field(default_factory=dict)

    def key(self, option: int) -> int:
        return self.keys.get(option, 0)


@dataclass(frozen=True)
class Average:
    """RBE3: components of a node that follow the weighted mean motion of others."""

    node: int
    others: list[int]
    weights: list[float]
    components: list[int]


@dataclass
class SectionData:
    """A section: type and subtype in capitals, rows of data, and where the nodes lie in it."""

    kind: str
    subtype: str = ""
    name: str = ""
    rows: list[list[float]] = field(default_factory=list)
    location: str = ""
    offset: tuple[float, float] = (0.0, 0.0)
    control: list[float] = field(default_factory=list)  # SECCONTROL
    more: dict[str, list[list[str]]] = field(default_factory=dict)  # other commands of it, by their first four letters
    cells: tuple[Array, IntArray] | None = None  # of BEAM,MESH: points (m, 2), nine of them for each cell (n, 9)
    line: int = 0


@dataclass
class NodeTable:
    """Nodes in the order of definition; a later definition of a number replaces the earlier one."""

    chunks: list[Nodes] = field(default_factory=list)
    single: dict[int, tuple[float, ...]] = field(default_factory=dict)  # number -> x, y, z, thxy, thyz, thzx
    repeated: int = 0
    _changed: set[int] = field(default_factory=set)

    def put(self, number: int, values: tuple[float, ...]) -> None:
        self.single[number] = values

    def change(self, number: int, values: tuple[float, ...]) -> None:
        """Put a node that may be there already, on purpose."""
        self.put(number, values)
        self._changed.add(number)

    def append(self, nodes: Nodes) -> None:
        self._close()
        self.chunks.append(nodes)

    @property
    def highest(self) -> int:
        """The largest number in use, 0 without nodes."""
        return max(max(self.single, default=0), *(int(c.ids.max(initial=0)) for c in self.chunks), 0)

    def _close(self) -> None:
        if self.single:
            values = np.array(list(self.single.values()), dtype=float)
            angles = values[:, 3:] if values[:, 3:].any() else None
            self.chunks.append(Nodes(np.array(list(self.single), dtype=np.int64), values[:, :3], angles))
            self.single = {}

    def merged(self) -> Nodes:
        """Return all nodes, each number once, in rising order of numbers."""
        self._close()
        if not self.chunks:
            return Nodes(np.empty(0, dtype=np.int64), np.empty((0, 3)), None)
        nodes = self.chunks[0]
        if len(self.chunks) > 1:
            angles = None
            if any(chunk.angles is not None for chunk in self.chunks):
                angles = np.concatenate(
                    [np.zeros((c.ids.size, 3)) if c.angles is None else c.angles for c in self.chunks]
                )
            nodes = Nodes(
                np.concatenate([chunk.ids for chunk in self.chunks]),
                np.concatenate([chunk.xyz for chunk in self.chunks]),
                angles,
            )
        keep = last_of_each(nodes.ids)
        if keep is not None:
            gone = np.delete(nodes.ids, keep)
            self.repeated += int((~np.isin(gone, list(self._changed))).sum()) if self._changed else gone.size
            nodes = Nodes(nodes.ids[keep], nodes.xyz[keep], None if nodes.angles is None else nodes.angles[keep])
        self.chunks = [nodes]
        return nodes

    def rows(self, numbers: IntArray) -> list[tuple[int, tuple[float, ...] | None]]:
        """Return numbers with place and angles, all found before any of them changes."""
        return [(number, self.row(number)) for number in numbers.tolist()]

    def row(self, number: int) -> tuple[float, ...] | None:
        """Return place and angles of one node, None if there is none."""
        if number in self.single:
            return self.single[number]
        nodes = self.merged()
        place = int(np.searchsorted(nodes.ids, number))
        if place == nodes.ids.size or nodes.ids[place] != number:
            return None
        angles = (0.0, 0.0, 0.0) if nodes.angles is None else tuple(nodes.angles[place].tolist())
        return (*nodes.xyz[place].tolist(), *angles)


@dataclass
class ElementTable:
    """Elements in the order of definition; a later definition of a number replaces the earlier one."""

    chunks: list[Elements] = field(default_factory=list)
    single: list[tuple[int, tuple[int, ...], tuple[int, ...]]] = field(default_factory=list)
    highest: int = 0

    def put(self, number: int, attributes: tuple[int, ...], nodes: tuple[int, ...]) -> None:
        self.single.append((number, attributes, nodes))
        self.highest = max(self.highest, number)

    def append(self, parts: list[Elements]) -> None:
        self._close()
        self.chunks += [part for part in parts if part.ids.size]
        self.highest = max([self.highest, *(int(part.ids.max()) for part in parts if part.ids.size)])

    def _close(self) -> None:
        by_size: dict[int, list[tuple[int, tuple[int, ...], tuple[int, ...]]]] = {}
        for entry in self.single:
            by_size.setdefault(len(entry[2]), []).append(entry)
        for entries in by_size.values():
            ids, attributes, nodes = (np.array([entry[k] for entry in entries], dtype=np.int64) for k in range(3))
            self.chunks.append(Elements(ids, attributes, nodes))
        self.single = []

    def merged(self) -> list[Elements]:
        """Return all elements, each number once, in groups of equal node count."""
        self._close()
        if not self.chunks:
            return []
        ids = np.concatenate([chunk.ids for chunk in self.chunks])
        keep = last_of_each(ids)
        if keep is not None and keep.size < ids.size:
            alive = np.zeros(ids.size, dtype=bool)
            alive[keep] = True
            ends = np.cumsum([chunk.ids.size for chunk in self.chunks])[:-1]
            self.chunks = [
                Elements(chunk.ids[mask], chunk.attributes[mask], chunk.nodes[mask])
                for chunk, mask in zip(self.chunks, np.split(alive, ends), strict=True)
            ]
        return self.chunks


def last_of_each(ids: IntArray) -> IntArray | None:
    """Return rows that leave every number once (its last row) in rising order, None if that is how they are."""
    if ids.size < 2 or (np.diff(ids) > 0).all():
        return None
    _, first_from_behind = np.unique(ids[::-1], return_index=True)
    return ids.size - 1 - first_from_behind


@dataclass
class Deck:
    """Everything a file has said so far."""

    text: Text
    nodes: NodeTable = field(default_factory=NodeTable)
    elements: ElementTable = field(default_factory=ElementTable)
    types: dict[int, TypeData] = field(default_factory=dict)
    reals: dict[int, list[float]] = field(default_factory=dict)
    materials: MaterialTable = field(default_factory=MaterialTable)
    sections: dict[int, SectionData] = field(default_factory=dict)
    components: dict[str, tuple[str, IntArray]] = field(default_factory=dict)  # name -> ("NODE" | "ELEM", numbers)
    held: dict[tuple[int, int], float] = field(default_factory=dict)  # (node, component) -> prescribed displacement
    equations: dict[int, tuple[list[tuple[int, int, float]], float]] = field(default_factory=dict)  # terms, constant
    coupled: dict[tuple[int, int], list[int]] = field(default_factory=dict)  # (set, component) -> nodes
    rigid: list[tuple[int, list[int], str]] = field(default_factory=list)  # CERIG: reference, others, components
    averages: list[Average] = field(default_factory=list)  # RBE3
    # CEINTF: nodes, elements, components, tolerance
    interfaces: list[tuple[IntArray, IntArray, list[int], float]] = field(default_factory=list)
    systems: dict[int, System] = field(default_factory=dict)
    active_system: int = 0
    plane: System = field(default_factory=System)  # the working plane, system 4
    attributes: list[int] = field(default_factory=lambda: [1, 1, 1, 1, 0])  # of the next element, as ATTRIBUTES
    current_real: int = 1
    current_section: int = 1
    node_pick: IntArray | None = None  # selected node numbers, None for all
    element_pick: IntArray | None = None
    declared_units: str = ""
    lumped_mass: bool = False  # LUMPM,ON
    in_preparation: bool = False  # between /PREP7 and /SOLU
    last_nodes: tuple[int, int] = (0, 0)  # numbers of the last two N commands
    picks: list[int] = field(default_factory=list)  # FLST and FITEM, a negative number closes a range
    of_geometry: set[str] = field(default_factory=set)  # components of keypoints, lines, areas, volumes
    geometry: bool = False  # whether it has keypoints, lines, areas or volumes

    def element_rows(self) -> tuple[IntArray, IntArray]:
        """Return numbers (n,) and attributes (n, 5) of all elements."""
        parts = self.elements.merged()
        if not parts:
            return np.empty(0, dtype=np.int64), np.empty((0, 5), dtype=np.int64)
        return np.concatenate([p.ids for p in parts]), np.concatenate([p.attributes for p in parts])

    def used_nodes(self) -> IntArray:
        """Return numbers of nodes that elements name."""
        parts = [part.nodes.ravel() for part in self.elements.merged()]
        return np.unique(np.concatenate(parts)) if parts else np.empty(0, dtype=np.int64)

    @property
    def picked(self) -> IntArray:
        """Return the numbers that FITEM lists."""
        found: set[int] = set()
        for before, number in zip([0, *self.picks], self.picks, strict=False):
            if number > 0:
                found.add(number)
            elif 0 < -number - before <= _MOST_PICKED:
                found.update(range(before, 1 - number))
        return np.array(sorted(found), dtype=np.int64)

    def node_numbers(self, field_text: str) -> IntArray:
        """Return node numbers for a field that holds a number, ALL (the selection) or the name of a component."""
        word = field_text.upper()
        if word == "ALL":
            return self.nodes.merged().ids if self.node_pick is None else self.node_pick
        if word.startswith("P51X"):
            return self.picked
        if word in self.components:
            kind, numbers = self.components[word]
            if kind != "NODE":
                raise self.text.error(f"component '{word}' holds elements, but nodes are needed here.")
            return numbers
        return np.array([self.text.integer(field_text, "node number")], dtype=np.int64)


Handler = Callable[[Deck, Command], None]
