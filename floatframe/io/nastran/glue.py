"""Glued surfaces of NX Nastran decks: BGSET pairs of regions, made of shells or of faces of solids."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from floatframe.arrays import IntArray
from floatframe.fem import ElementBlock
from floatframe.io.deck import LinearConstraints, bond
from floatframe.io.import_log import ImportLog
from floatframe.io.nastran.cards import BulkCard, NastranDeck

_REGIONS = ("BSURF", "BSURFS", "BCPROP", "BCPROPS")
_Face = tuple[int, ...]  # node numbers, corners first


class Glue:
    """Ties the nodes of source regions to the faces of target regions."""

    def __init__(self, deck: NastranDeck, log: ImportLog, blocks: Sequence[ElementBlock], ids: IntArray) -> None:
        self.deck, self.log = deck, log
        self._elements = {
            int(number): (block, row) for block in blocks for row, number in enumerate(block.element_ids.tolist())
        }
        self._ids = ids
        self._numbers = np.array(sorted(self._elements), dtype=np.int64)
        self._regions: dict[int, list[BulkCard]] = {}
        for card in deck.of(*_REGIONS):
            self._regions.setdefault(card.number(1), []).append(card)

    def join(self, found: LinearConstraints) -> None:
        """Add the pairs of the glue set in force, or of all there are, to the constraints."""
        for card in self._chosen():
            for at in range(2, len(card.fields), 8):
                if card.text(at) and card.text(at + 1):
                    self._pair(card, at, found)
            self.log.took(card.name)

    def _chosen(self) -> list[BulkCard]:
        cards = list(self.deck.of("BGSET"))
        number = self.deck.selected.get("BGSET")
        if number is None:
            return cards
        parts = {number}
        for card in self.deck.of("BGADD"):
            if card.number(1) == number:
                parts |= {card.number(k) for k in range(2, len(card.fields)) if card.text(k)}
                self.log.took("BGADD")
        return [card for card in cards if card.number(1) in parts]

    def _pair(self, card: BulkCard, at: int, found: LinearConstraints) -> None:
        """BGSET,GSID,SID,TID,SDIST: source nodes follow target faces nearer than SDIST."""
        source, target = card.number(at), card.number(at + 1)
        slaves, masters = (list(self._faces(card, region)) for region in (source, target))
        if not slaves or not masters:
            empty = source if not slaves else target
            self.log.lose("BGSET", "coupling", f"region {empty} has no faces that can be read", card.line)
            return
        nodes = np.unique(np.concatenate([np.array(face) for face in slaves]))
        faces = [np.array([f for f in masters if len(f) == size]) for size in sorted({len(f) for f in masters})]
        distance = card.real(at + 2, 0.0) or None
        made = bond(nodes, faces, found, distance)
        for sentence in made.sentences(f"region {source}", f"region {target}"):
            self.log.warn(f"BGSET {card.text(1)}: {sentence}")
        if not made.tied and made.apart:
            self.log.lose("BGSET", "coupling", f"no node of region {source} is near region {target}", card.line)

    def _faces(self, card: BulkCard, region: int) -> Iterator[_Face]:
        if region not in self._regions:
            raise card.error(f"{card.name} {card.text(1)} names region {region}, which no BSURF or BCPROP defines.")
        for part in self._regions[region]:
            words = [part.text(k) for k in range(2, len(part.fields))]
            self.log.took(part.name)
            if part.name == "BSURF":
                for number in part.members(words, self._numbers).tolist():
                    yield from self._of(number)
            elif part.name == "BSURFS":
                yield from self._listed(part)
            else:
                wanted = set(part.members(words, np.array(self._properties, dtype=np.int64)).tolist())
                yield from self._free([n for n, p in self._property_of.items() if p in wanted])

    def _of(self, number: int) -> list[_Face]:
        """Return the faces of an element: one of a shell."""
        if number not in self._elements:
            return []
        block, row = self._elements[number]
        nodes = self._ids[block.connectivity[row]]
        if block.element.dimension == 2:
            return [tuple(nodes.tolist())]
        # polygons go round the edge; corners come first here, then the middles
        found = []
        for face in block.element.faces:
            corners = [k for k in face if k < block.element.corners]
            middles = [k for k in face if k >= block.element.corners]
            found.append(tuple(nodes[[*corners, *middles]].tolist()))
        return found

    def _listed(self, card: BulkCard) -> Iterator[_Face]:
        """BSURFS,ID,,,,EID1,G1,G2,G3,EID2,…: the face of a solid with three of its corners."""
        for at in range(5, len(card.fields), 4):
            if card.text(at):
                corners = {card.number(at + k) for k in (1, 2, 3)}
                yield from (face for face in self._of(card.number(at)) if corners <= set(face))

    @property
    def _property_of(self) -> dict[int, int]:
        """Return element numbers and their properties, of solids and shells."""
        names = ("CHEXA", "CPENTA", "CTETRA", "CPYRAM", "CQUAD4", "CTRIA3", "CQUADR", "CTRIAR", "CQUAD8", "CTRIA6")
        return {card.number(1): card.integer(2, card.number(1)) for card in self.deck.of(*names)}

    @property
    def _properties(self) -> list[int]:
        return sorted(set(self._property_of.values()))

    def _free(self, numbers: Sequence[int]) -> Iterator[_Face]:
        """Yield the faces of elements that no two of them share."""
        faces = [face for number in numbers for face in self._of(number)]
        count = Counter(frozenset(face) for face in faces)
        yield from (face for face in faces if count[frozenset(face)] == 1)
