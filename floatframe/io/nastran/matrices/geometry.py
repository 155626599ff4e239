"""Grids and names of rows for matrices of Nastran: in their own file, in a deck beside it, or in one the user names.

Reduced bodies (EXTSEOUT) come with a .pch, whose EXTRN card lists the dofs in the order of the rows: interface grids
with their components, then scalar points, which are amplitudes of modes. Without it the rows are the components of the
ASET, or what SECONCT lists, or all six of all grids.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from floatframe.arrays import IntArray
from floatframe.errors import ReadError
from floatframe.io.import_log import ImportLog
from floatframe.io.nastran.cards import BulkCard, Grids, NastranDeck, read_bulk

_BESIDE = (".pch", ".asm", ".bdf", ".dat", ".nas", ".fem", ".blk")
REDUCED = ("EXTRN", "SEBULK", "SECONCT")  # cards of decks that belong to a reduced body
_MASTERS = ("ASET", "BSET", "CSET", "QSET")


@dataclass(frozen=True)
class Geometry:
    """The deck that has the grids, its grids, and its scalar points (k,) in rising order."""

    deck: NastranDeck
    grids: Grids
    scalars: IntArray

    def modal(self) -> set[tuple[int, int]]:
        """Return dofs of grids that are amplitudes of modes: those of the QSET, as older decks have them."""
        return {pair for pair in _masters(self, ("QSET",)) if pair[0] not in self.scalars}


def whole_deck(deck: NastranDeck) -> NastranDeck:
    """Return a deck with the cards of its one BEGIN SUPER among the others, as a reduced body has them."""
    if "GRID" in deck.cards or len(deck.parts) != 1:
        return deck
    (part,) = deck.parts.values()
    names = dict.fromkeys([*deck.cards, *part])
    cards = {name: [*deck.cards.get(name, []), *part.get(name, [])] for name in names}
    return replace(deck, cards=cards, parts={})


def find_geometry(deck: NastranDeck | None, log: ImportLog, nodes: Path | str | None) -> Geometry:
    """Return the grids of the deck the user names, of the matrices' own deck, or of one of the same name beside it."""
    if nodes is not None:
        path = Path(nodes) if Path(nodes).is_absolute() else log.path.parent / nodes
        if not path.is_file():
            raise log.error(f"the deck with the grids, '{path}', does not exist.")
        own = deck
        deck = whole_deck(read_bulk(path))
        if own is not None and not any(name in deck.cards for name in ("EXTRN", "SPOINT")):
            # a deck of the whole model knows the places, the file itself which of them it has
            kept = {name: own.cards[name] for name in ("EXTRN", "SPOINT", *_listed(own)) if name in own.cards}
            others = {name: cards for name, cards in deck.cards.items() if name not in _listed(deck)}
            deck = replace(deck, cards={**others, **kept})
    elif deck is None or not deck.cards.get("GRID"):
        deck = _beside(log.path)
    if deck is None or not deck.cards.get("GRID"):
        raise log.error(
            "the file has no grids (GRID), and no deck of its name beside it has any; name the deck that has them with "
            "nodes= (--option nodes=FILE)."
        )
    if deck.path != log.path:
        log.took(f"grids of {deck.path.name}")
    return Geometry(deck, Grids(deck, log), _scalar_points(deck))


def _listed(deck: NastranDeck) -> tuple[str, ...]:
    return tuple(name for name in deck.cards if name.rstrip("1") in _MASTERS)


def _beside(path: Path) -> NastranDeck | None:
    for suffix in _BESIDE:
        for candidate in (path.with_suffix(suffix), path.with_suffix(suffix.upper())):
            if candidate.is_file() and candidate.name.lower() != path.name.lower():
                try:
                    deck = whole_deck(read_bulk(candidate))
                except ReadError:
                    continue
                if deck.cards.get("GRID"):
                    return deck
    return None


def _scalar_points(deck: NastranDeck) -> IntArray:
    found: set[int] = set()
    for card in deck.of("SPOINT"):
        found |= set(_numbers(card, [card.text(k) for k in range(1, len(card.fields))]))
    found |= {node for node, components in _external(deck) if not components}
    return np.array(sorted(found), dtype=np.int64)


def _numbers(card: BulkCard, words: list[str], most: int = 1_000_000) -> list[int]:
    """Return numbers of a list with THRU, all of a range, which must be reasonable."""
    words = [word for word in words if word]
    if "THRU" in words:
        at = words.index("THRU")
        ends = [int(word) if word.isdecimal() else 0 for word in (words[at - 1], *words[at + 1 : at + 2])]
        if at == 0 or len(ends) < 2 or not 0 < ends[0] <= ends[1] <= ends[0] + most:
            raise card.error(f"{card.name} has an invalid range.")
        every = np.arange(ends[0], ends[1] + 1)
    else:
        every = np.empty(0, dtype=np.int64)
    return card.members(words, every).tolist()


def _external(deck: NastranDeck) -> list[tuple[int, list[int]]]:
    """Return grids and components 0..5 of EXTRN in the order of the card; scalar points have none."""
    found = []
    for card in deck.of("EXTRN"):
        for k in range(1, len(card.fields), 2):
            if card.text(k):
                scalar = card.text(k + 1) in ("", "0")
                found.append((card.number(k), [] if scalar else card.components(k + 1)))
    return found


def row_names(geometry: Geometry) -> IntArray:
    """Return (n, 2) node numbers and components 0..5 of the rows of matrices that do not name them."""
    deck, scalars = geometry.deck, set(geometry.scalars.tolist())
    if external := _external(deck):
        pairs = [(node, component) for node, components in external for component in components or [0]]
        return np.array(pairs, dtype=np.int64).reshape(-1, 2)
    if found := _masters(geometry, _MASTERS):
        return np.array(sorted(found), dtype=np.int64)
    order = _connected(deck) or [*geometry.grids.ids.tolist(), *geometry.scalars.tolist()]
    rows = [(node, k) for node in order for k in range(1 if node in scalars else 6)]
    return np.array(rows, dtype=np.int64)


def _masters(geometry: Geometry, names: tuple[str, ...]) -> set[tuple[int, int]]:
    """Return node numbers and components of sets such as ASET."""
    deck, scalars = geometry.deck, set(geometry.scalars.tolist())
    found: set[tuple[int, int]] = set()
    known = np.union1d(geometry.grids.ids, geometry.scalars)

    def add(card: BulkCard, node: int, field: int) -> None:
        if node in scalars:
            found.add((node, 0))
        else:
            found.update((node, k) for k in card.components(field))

    for card in deck.of(*(f"{name}1" for name in names)):
        for node in card.members([card.text(k) for k in range(2, len(card.fields))], known).tolist():
            add(card, node, 1)
    for card in deck.of(*names):
        for k in range(1, len(card.fields), 2):
            if card.text(k):
                add(card, card.number(k), k + 1)
    return found


def _connected(deck: NastranDeck) -> list[int]:
    """Return the grids of the body that SECONCT lists in pairs, from the ninth field on, or in pairs of ranges."""
    found: list[int] = []
    for card in deck.of("SECONCT"):
        words = [card.text(k) for k in range(9, len(card.fields)) if card.text(k)]
        at = 0
        while at + 1 < len(words):
            if words[at + 1] == "THRU":
                found += _numbers(card, words[at : at + 3])
                at += 6
            else:
                found += _numbers(card, words[at : at + 1])
                at += 2
    return list(dict.fromkeys(found))
