"""Non-structural mass of Nastran decks on cards of its own: NSM, NSM1, NSML, NSML1, joined by NSMADD.

Values of NSM and NSM1 are per length or area, those of NSML and NSML1 totals, spread evenly over the elements. The mass
goes to the nodes of the elements in equal shares, as a lumped mass does.
"""

from __future__ import annotations

import numpy as np

from floatframe.arrays import IntArray
from floatframe.fem import ElementBlock, PointMass
from floatframe.io.import_log import ImportLog
from floatframe.io.nastran.cards import BulkCard, NastranDeck

_CARDS = ("NSM", "NSM1", "NSML", "NSML1")
_PROPERTIES = {
    "PSHELL": ("CQUAD", "CTRIA"), "PCOMP": ("CQUAD", "CTRIA"), "PCOMPG": ("CQUAD", "CTRIA"), "PSHEAR": ("CSHEAR",),
    "PBAR": ("CBAR",), "PBARL": ("CBAR",), "PBEAM": ("CBEAM",), "PBEAML": ("CBEAM",), "PROD": ("CROD",),
    "CONROD": ("CONROD",), "PTUBE": ("CTUBE",), "PBEND": ("CBEND",), "PBCOMP": ("CBEAM",),
}  # fmt: skip


class NonStructuralMass:
    """Turns the set of non-structural masses in force into masses at nodes."""

    def __init__(
        self, deck: NastranDeck, log: ImportLog, blocks: tuple[ElementBlock, ...], ids: IntArray, xyz: np.ndarray,
        children: dict[int, list[int]],
    ) -> None:  # fmt: skip
        self.deck, self.log = deck, log
        self._where = {
            number: (block, row) for block in blocks for row, number in enumerate(block.element_ids.tolist())
        }
        self._ids, self._xyz, self._children = ids, xyz, children

    def masses(self, mass_factor: float) -> list[PointMass]:
        """Return the masses at the nodes."""
        at: dict[int, float] = {}
        for card in self._chosen():
            total = card.name.startswith("NSML")
            for kind, numbers, value in self._entries(card):
                shares = [(nodes, size) for n in self._elements(card, kind, numbers) for nodes, size in self._parts(n)]
                whole = sum(size for _, size in shares) or 1.0
                for nodes, size in shares:
                    mass = value * mass_factor * (size / whole if total else size)
                    for node in nodes:
                        at[node] = at.get(node, 0.0) + mass / len(nodes)
            self.log.took(card.name)
        return [PointMass(node, mass) for node, mass in at.items() if mass > 0.0]

    def _chosen(self) -> list[BulkCard]:
        number = self.deck.selected.get("NSM")
        if number is None:
            for card in self.deck.of(*_CARDS):
                self.log.skip(card.name, "case control selects no NSM set", False, card.line)
            return []
        parts = {number}
        for card in self.deck.of("NSMADD"):
            if card.number(1) == number:
                parts |= {card.number(k) for k in range(2, len(card.fields)) if card.text(k)}
                self.log.took("NSMADD")
        return [card for card in self.deck.of(*_CARDS) if card.number(1) in parts]

    def _entries(self, card: BulkCard) -> list[tuple[str, list[str], float]]:
        """Return kind of property, numbers and value: pairs on NSM and NSML, one value for a list on the others."""
        kind = card.text(2)
        if card.name.endswith("1"):
            return [(kind, [card.text(k) for k in range(4, len(card.fields))], card.real(3))]
        return [(kind, [card.text(k)], card.real(k + 1, 0.0)) for k in range(3, len(card.fields), 2) if card.text(k)]

    def _elements(self, card: BulkCard, kind: str, numbers: list[str]) -> list[int]:
        if kind == "ELEMENT":
            known = np.array(sorted(self._where), dtype=np.int64)
            return known.tolist() if "ALL" in numbers else card.members(numbers, known).tolist()
        if kind not in _PROPERTIES:
            raise card.error(f"{card.name} {card.text(1)} has the kind '{kind[:10]}', expected ELEMENT or a property.")
        of = {
            one.number(1): one.integer(2, one.number(1))
            for name, cards in self.deck.cards.items()
            if name.startswith(_PROPERTIES[kind])
            for one in cards
        }
        wanted = set(card.members(numbers, np.unique(list(of.values()))).tolist()) if "ALL" not in numbers else None
        return [number for number, prop in of.items() if wanted is None or prop in wanted]

    def _parts(self, number: int) -> list[tuple[list[int], float]]:
        """Return nodes and length or area of an element and of what it was divided into."""
        found = []
        for one in (number, *self._children.get(number, ())):
            if one in self._where:
                block, row = self._where[one]
                rows = block.connectivity[row][: block.element.corners]
                found.append((self._ids[rows].tolist(), _size(self._xyz[rows])))
        return found


def _size(xyz: np.ndarray) -> float:
    """Return the length of a line or the area of a triangle or quadrilateral."""
    if len(xyz) < 3:
        return float(np.sqrt(((xyz[-1] - xyz[0]) ** 2).sum()))
    across = np.cross(xyz[2] - xyz[0], xyz[-1] - (xyz[1] if len(xyz) == 4 else xyz[0]))
    return float(np.sqrt(across @ across)) / 2.0
