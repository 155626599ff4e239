"""Solids, shells and rods of Nastran decks, and the element blocks in the making."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from floatframe.arrays import AnyArray, Array, IntArray
from floatframe.fem import ElementBlock, Material, ShellSection
from floatframe.fem.elements import element_kind
from floatframe.fem.sections import Section
from floatframe.io.element_splits import QUAD8, TRIANGLE6, Split
from floatframe.io.import_log import ImportLog
from floatframe.io.nastran_cards import BulkCard, NastranDeck
from floatframe.io.nastran_properties import Properties, Wall, made
from floatframe.io.nastran_systems import Grids

# corners, linear and quadratic kind, and where our nodes stand on the card
_UPRIGHT_LAST_20 = (*range(12), *range(16, 20), *range(12, 16))
_UPRIGHT_LAST_15 = (*range(9), *range(12, 15), *range(9, 12))
SOLIDS: dict[str, tuple[int, str, str, tuple[int, ...]]] = {
    "CHEXA": (8, "hex8", "hex20", _UPRIGHT_LAST_20),
    "CPENTA": (6, "wedge6", "wedge15", _UPRIGHT_LAST_15),
    "CTETRA": (4, "tet4", "tet10", tuple(range(10))),
    "CPYRAM": (5, "pyramid5", "pyramid13", tuple(range(13))),
}


@dataclass(frozen=True)
class _ShellCard:
    """Where things stand on the card of a shell: nodes, offset, thicknesses and the flag of relative ones."""

    nodes: int
    corners: int
    offset: int
    thickness: int
    flag: int
    parts: Split = ()


SHELLS = {
    **dict.fromkeys(("CQUAD4", "CQUADR"), _ShellCard(4, 4, 8, 11, 10)),
    **dict.fromkeys(("CTRIA3", "CTRIAR"), _ShellCard(3, 3, 7, 11, 10)),
    "CQUAD8": _ShellCard(8, 4, 16, 11, 17, QUAD8),
    "CTRIA6": _ShellCard(6, 3, 10, 11, 14, TRIANGLE6),
}


@dataclass
class _Part:
    """Elements of one block in the making."""

    kind: str
    material: Material | None
    section: Section | None
    cards: list[BulkCard] = field(default_factory=list)
    ids: list[int] = field(default_factory=list)
    nodes: list[list[int]] = field(default_factory=list)
    data: dict[str, list[AnyArray | float]] = field(default_factory=dict)


class Blocks:
    """Collects elements; nodes that the deck does not have get numbers after the largest."""

    def __init__(self, deck: NastranDeck, grids: Grids, log: ImportLog) -> None:
        self.grids, self.log = grids, log
        self._parts: dict[tuple[object, ...], _Part] = {}
        self._used: dict[int, BulkCard] = {}
        self._kinds: dict[tuple[str, int], BulkCard] = {}
        self.added: list[Array] = []
        self.middles: dict[tuple[int, int], int] = {}  # ends of an edge -> node tied to its middle
        self.children: dict[int, list[int]] = {}  # element -> further parts it was split into
        self._top = int(grids.ids[-1]) if grids.ids.size else 0
        self._highest = max((_number(card) for cards in deck.cards.values() for card in cards), default=0)
        self._waiting: list[tuple[BulkCard, str, Material | None, Section | None, list[int], dict[str, float]]] = []

    def claim(self, card: BulkCard) -> int:
        """Return the number of an element; one that an element of another kind has too becomes a new one."""
        number = card.number(1)
        twin = self._kinds.setdefault((card.name, number), card)
        if twin is not card:
            raise card.error(f"element {number} was already defined as {card.name} in line {twin.line}.")
        other = self._used.setdefault(number, card)
        self.log.took(card.name)
        if other is card:
            return number
        self.log.warn(
            f"{card.name} and {other.name} share element numbers; those of {card.name} that are in use get new ones."
        )
        return self.next_number()

    def new_node(self, place: Array) -> int:
        self.added.append(np.asarray(place, dtype=float))
        return self._top + len(self.added)

    def add(
        self, card: BulkCard, number: int, kind: str, nodes: list[int], material: Material | None = None,
        section: Section | None = None, data: Mapping[str, AnyArray | float] | None = None,
    ) -> None:  # fmt: skip
        """Add one element; `data` are its own values of per-element data."""
        data = data or {}
        shapes = tuple((name, np.shape(value)) for name, value in data.items())
        part = self._parts.setdefault((kind, id(material), id(section), shapes), _Part(kind, material, section))
        part.cards.append(card)
        part.ids.append(number)
        part.nodes.append(nodes)
        for name, value in data.items():
            part.data.setdefault(name, []).append(value)

    def add_split(
        self, card: BulkCard, nodes: list[int], parts: Split, material: Material, section: Section,
        data: dict[str, float],
    ) -> None:  # fmt: skip
        """Add a shell that is divided; its parts get numbers once all numbers of the deck are known."""
        for part in parts:
            self._waiting.append((card, f"shell{len(part)}", material, section, [nodes[k] for k in part], data))

    @property
    def ids(self) -> IntArray:
        """All node numbers, those of new nodes at the end."""
        return np.concatenate([self.grids.ids, self._top + 1 + np.arange(len(self.added))])

    @property
    def xyz(self) -> Array:
        return np.concatenate([self.grids.xyz, np.array(self.added).reshape(-1, 3)])

    def next_number(self) -> int:
        """Return an element number that is not in use."""
        self._highest += 1
        return self._highest

    def blocks(self) -> tuple[ElementBlock, ...]:
        """Return the finished blocks."""
        for card, kind, material, section, nodes, data in self._waiting:
            parent = card.number(1)
            first = parent not in self.children and self._used.get(parent) is card
            number = parent if first else self.next_number()
            self.children.setdefault(parent, []).extend([number] if number != parent else [])
            self.add(card, number, kind, nodes, material, section, data)
        self._waiting.clear()
        return tuple(self._block(part) for part in self._parts.values())

    def _block(self, part: _Part) -> ElementBlock:
        ids = self.ids
        nodes = np.array(part.nodes, dtype=np.int64)
        rows = np.searchsorted(ids, nodes)
        rows[rows == ids.size] = 0
        unknown = ids[rows] != nodes if ids.size else np.ones(nodes.shape, dtype=bool)
        if unknown.any():
            k, j = np.argwhere(unknown)[0]
            card = part.cards[k]
            raise card.error(f"{card.name} {card.text(1)} names grid {nodes[k, j]}, which is not defined.")
        data = {name: np.array(values, dtype=float) for name, values in part.data.items()}
        numbers = np.array(part.ids, dtype=np.int64)
        name = "" if part.section is None else part.section.name
        return made(
            part.cards[0],
            lambda: ElementBlock(part.kind, rows, part.material, part.section, data, numbers, name=name),
        )


def _number(card: BulkCard) -> int:
    """Return the number of a card that may have one."""
    word = card.text(1)
    return int(word) if word.isdecimal() and len(word) < 13 else 0


class Surfaces:
    """Reads solids, shells and rods into blocks."""

    def __init__(self, blocks: Blocks, properties: Properties) -> None:
        self.blocks, self.properties, self.log = blocks, properties, blocks.log
        self._sections: dict[tuple[Wall, float], ShellSection] = {}

    def solid(self, card: BulkCard) -> None:
        """CHEXA, CPENTA, CTETRA, CPYRAM; with a part of their mid-side nodes the missing ones are added."""
        corners, linear, quadratic, order = SOLIDS[card.name]
        number = self.blocks.claim(card)
        material, reduced = self.properties.solid(card.integer(2, number), card)
        nodes = [card.number(3 + k) for k in range(corners)]
        more = [card.integer(3 + k, 0) for k in range(corners, len(order))]
        if not any(more):
            self.blocks.add(card, number, linear, nodes, material)
            return
        nodes = [(nodes + more)[k] for k in order]
        if not all(more):
            edges = element_kind(quadratic).edges  # type: ignore[attr-defined]  # quadratic solids list their edges
            nodes[corners:] = [
                node or self._middle(card, nodes[a], nodes[b])
                for node, (a, b) in zip(nodes[corners:], edges, strict=True)
            ]
        kind = "hex20_reduced" if reduced and quadratic == "hex20" else quadratic
        self.blocks.add(card, number, kind, nodes, material)

    def _middle(self, card: BulkCard, a: int, b: int) -> int:
        """Return the node in the middle of an edge whose node the deck leaves out."""
        key = (min(a, b), max(a, b))
        if key not in self.blocks.middles:
            grids = self.blocks.grids
            place = (grids.place(a, card) + grids.place(b, card)) / 2.0
            self.blocks.middles[key] = self.blocks.new_node(place)
            self.log.warn("mid-side nodes that solids leave out were added and tied to the middle of their edge.")
        return self.blocks.middles[key]

    def shell(self, card: BulkCard) -> None:
        """CQUAD4, CTRIA3, …; quadratic ones are divided into flat elements on their own nodes."""
        where, number = SHELLS[card.name], self.blocks.claim(card)
        wall = self.properties.wall(card.integer(2, number), card)
        corners = where.corners
        nodes = [card.number(3 + k) for k in range(corners)]
        nodes += [card.integer(3 + k, 0) for k in range(corners, where.nodes)]
        section = self._section(card, wall, card.real(where.offset, wall.offset))
        data = self._thickness(card, wall, where, corners)
        if where.nodes == corners or not all(nodes):
            if any(nodes[corners:]):
                self.log.skip(card.name, "one without some of its mid-side nodes is taken without all", line=card.line)
            self.blocks.add(card, number, f"shell{corners}", nodes[:corners], wall.material, section, data)
            return
        self.blocks.add_split(card, nodes, where.parts, wall.material, section, data)
        self.log.warn(f"{card.name} elements are divided into {len(where.parts)} flat shell elements each.")

    def _section(self, card: BulkCard, wall: Wall, offset: float) -> ShellSection:
        if (wall, offset) not in self._sections:
            self._sections[wall, offset] = made(
                card, lambda: ShellSection(wall.thickness, offset, wall.shear_factor, name=wall.name)
            )
        return self._sections[wall, offset]

    def _thickness(self, card: BulkCard, wall: Wall, where: _ShellCard, corners: int) -> dict[str, float]:
        """Return the thickness an element gives by itself at its corners, as their mean."""
        words = [card.text(where.thickness + k) for k in range(corners)]
        if not any(words):
            return {}
        scale = wall.thickness if card.integer(where.flag, 0) else 1.0
        values = [card.real(where.thickness + k) * scale if word else wall.thickness for k, word in enumerate(words)]
        if max(values) - min(values) > 1e-9 * abs(values[0]):
            self.log.skip(
                f"{card.name} T1…", "the thickness varies over the element; its mean is taken", line=card.line
            )
        mean = float(np.mean(values))
        if not mean > 0.0:
            raise card.error(f"{card.name} {card.text(1)} has the thickness {mean:g}; it must be positive.")
        return {"thickness": mean}

    def rod(self, card: BulkCard) -> None:
        """CROD, CTUBE, CONROD."""
        number = self.blocks.claim(card)
        if card.name == "CONROD":
            ends = [card.number(2), card.number(3)]
            material, section = self.properties.bar_of_area(card, card.number(4), card.real(5), 6, 8)
        else:
            ends = [card.number(3), card.number(4)]
            find = self.properties.rod if card.name == "CROD" else self.properties.tube
            material, section = find(card.integer(2, number), card)
        self.blocks.add(card, number, "truss", ends, material, section)
