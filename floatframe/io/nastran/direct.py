"""Matrices that a Nastran deck adds to its elements: DMIG selected by K2GG, M2GG and B2GG of case control."""

from __future__ import annotations

import re

import numpy as np

from floatframe.arrays import Array
from floatframe.io.import_log import ImportLog, What
from floatframe.io.nastran.blocks import Blocks
from floatframe.io.nastran.cards import BulkCard, NastranDeck
from floatframe.io.nastran.matrices import NamedMatrix, dmig_matrices

_KINDS: dict[str, tuple[str, What]] = {
    "K2GG": ("stiffness", "stiffness"),
    "M2GG": ("mass", "mass"),
    "B2GG": ("damping", "stiffness"),
}
_CHOICE = re.compile(r"(?:(?P<factor>[-+.\dE]+)\s*\*\s*)?(?P<name>[A-Z]\w*)")
_SYMMETRIC = 1e-6  # of the largest entry
_MOST = 200_000  # pairs of nodes; a denser matrix belongs into a file of its own


def add_direct_matrices(deck: NastranDeck, blocks: Blocks, log: ImportLog, mass_factor: float) -> None:
    """Add the chosen matrices as elements between the nodes they name."""
    if not deck.chosen:
        return
    matches = [_CHOICE.fullmatch(word) for words in deck.chosen.values() for word in words]
    matrices = dmig_matrices(deck, log, {match["name"] for match in matches if match})
    for command, words in deck.chosen.items():
        data, what = _KINDS[command]
        for word in words:
            match = _CHOICE.fullmatch(word)
            if match is None or match["name"] not in matrices:
                log.lose(f"{command} {word}", what, "no DMIG of this name can be read")
                continue
            card = next(card for card in deck.of("DMIG") if card.text(1) == match["name"])
            factor = card_value(card, match["factor"]) * (mass_factor if command == "M2GG" else 1.0)
            _add(blocks, card, matrices[match["name"]], data, what, factor, log)


def card_value(card: BulkCard, word: str | None) -> float:
    """Return a factor of case control, one where there is none."""
    return 1.0 if word is None else BulkCard(card.name, ("", word), card.line, card.path).real(1)


def _add(
    blocks: Blocks, card: BulkCard, matrix: NamedMatrix, data: str, what: What, factor: float, log: ImportLog
) -> None:
    pairs: dict[tuple[int, int], Array] = {}
    for row, column, value in zip(matrix.rows.tolist(), matrix.columns.tolist(), matrix.values.tolist(), strict=True):
        (a, i), (b, j) = divmod(row, 6), divmod(column, 6)
        block = pairs.setdefault((a, b), np.zeros((6, 6)))
        block[i, j] += factor * value
    if len(pairs) > _MOST:
        log.lose(f"DMIG {card.text(1)}", what, f"it joins more than {_MOST} pairs of nodes", card.line)
        return
    size = max((float(np.abs(block).max()) for block in pairs.values()), default=0.0)
    for (a, b), block in pairs.items():
        other = pairs.get((b, a), np.zeros((6, 6)))
        if np.abs(block - other.T).max() > _SYMMETRIC * size:
            log.lose(f"DMIG {card.text(1)}", what, "it is not symmetric", card.line)
            return
    for (a, b), block in pairs.items():
        if a > b:
            continue
        turn = [np.kron(np.eye(2), blocks.grids.axes(node, card)) for node in (a, b)]
        block = turn[0] @ block @ turn[1].T
        nodes = [a] if a == b else [a, b]
        whole = block if a == b else np.block([[np.zeros((6, 6)), block], [block.T, np.zeros((6, 6))]])
        whole = (whole + whole.T) / 2.0
        plain = np.arange(len(whole)) % 6 < 3
        kind = "node_matrix" if a == b else "pair_matrix"
        if not whole[~plain].any():
            kind, whole = f"point_{kind}", whole[np.ix_(plain, plain)]
        blocks.add(card, blocks.next_number(), kind, nodes, data={data: whole})
    log.took(f"DMIG {card.text(1)}")
