"""Element blocks of Nastran decks in the making, with the nodes and numbers that the deck does not have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from floatframe.arrays import AnyArray, Array, IntArray
from floatframe.fem import ElementBlock, Material, Section
from floatframe.io.import_log import ImportLog
from floatframe.io.nastran.cards import BulkCard, Grids, NastranDeck
from floatframe.io.nastran.properties import made


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
        self.turning: set[int] = set()  # those of shells, whose rotations are tied too
        self.children: dict[int, list[int]] = {}  # element -> further parts it was split into
        self._top = int(grids.ids[-1]) if grids.ids.size else 0
        self._highest = max((_number(card) for cards in deck.cards.values() for card in cards), default=0)

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

    def part_of(self, card: BulkCard) -> int:
        """Return the number of a further part of an element."""
        number = self.next_number()
        self.children.setdefault(card.number(1), []).append(number)
        return number

    @property
    def ids(self) -> IntArray:
        """All node numbers, those of new nodes at the end."""
        return np.concatenate([self.grids.ids, self._top + 1 + np.arange(len(self.added))])

    @property
    def xyz(self) -> Array:
        return np.concatenate([self.grids.xyz, np.array(self.added).reshape(-1, 3)])

    def xyz_of(self, node: int, card: BulkCard) -> Array:
        """Return the place of a node of the deck or of an added one."""
        return self.added[node - self._top - 1] if node > self._top else self.grids.place(node, card)

    def next_number(self) -> int:
        """Return an element number that is not in use."""
        self._highest += 1
        return self._highest

    def blocks(self) -> tuple[ElementBlock, ...]:
        """Return the finished blocks."""
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
