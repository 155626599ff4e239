"""Stiffness and mass matrices on DMIG cards (.pch), and what they share with those of OUTPUT4 files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.sparse import block_diag, coo_array, csr_array

from floatframe.arrays import Array, IntArray
from floatframe.fem import MatrixModel
from floatframe.io.import_log import ImportLog
from floatframe.io.nastran_cards import BulkCard, NastranDeck
from floatframe.io.nastran_systems import Grids
from floatframe.io.nastran_text import read_bulk

REAL_TYPES = (1, 2)


@dataclass(frozen=True)
class NamedMatrix:
    """Entries of a matrix; rows and columns are 6 * node number + component, or plain numbers from OUTPUT4."""

    rows: IntArray
    columns: IntArray
    values: Array
    line: int
    size: int = 0  # rows where they have no names


def direct_matrices(
    deck: NastranDeck, log: ImportLog, nodes: Path | str | None, stiffness: str | None, mass: str | None
) -> MatrixModel:
    """Return the model of the stiffness and mass matrices on DMIG cards."""
    matrices = _dmig(deck, log)
    K, M = (pick_matrix(matrices, log, wanted, letter) for wanted, letter in ((stiffness, "K"), (mass, "M")))
    places = deck_grids(deck, log, nodes)
    slots = np.unique(np.concatenate([part for m in (K, M) for part in (m.rows, m.columns)]))
    n = slots.size

    def full(matrix: NamedMatrix) -> csr_array:
        place = np.searchsorted(slots, matrix.rows), np.searchsorted(slots, matrix.columns)
        return csr_array(coo_array((matrix.values, place), shape=(n, n)))

    return model_of(log, places, np.column_stack([slots // 6, slots % 6]), full(K), full(M))


def _dmig(deck: NastranDeck, log: ImportLog) -> dict[str, NamedMatrix]:
    """Return all matrices by name; symmetric ones are completed."""
    entries: dict[str, list[tuple[int, int, float]]] = {}
    symmetric: dict[str, bool] = {}
    lines: dict[str, int] = {}
    for card in deck.of("DMIG"):
        name = card.text(1)
        if card.text(2) == "0":
            if card.integer(3) not in (1, 6):
                log.skip("DMIG", f"matrix {name} is not square", physical=False, line=card.line)
            if card.integer(4, 1) not in REAL_TYPES:
                raise card.error(f"DMIG {name} is complex (TIN = {card.text(4)}); only real matrices can be read.")
            symmetric[name] = card.integer(3) == 6
            lines[name] = card.line
            continue
        if name not in symmetric:
            raise card.error(f"a column of DMIG {name} comes before its header (DMIG,{name},0,…).")
        column = 6 * card.number(2) + _component(card, 3)
        for k in range(5, len(card.fields), 4):
            if card.text(k):
                row = 6 * card.number(k) + _component(card, k + 1)
                entries.setdefault(name, []).append((row, column, card.real(k + 2)))
    found = {}
    for name, triples in entries.items():
        rows, columns = (np.array([t[k] for t in triples], dtype=np.int64) for k in (0, 1))
        values = np.array([t[2] for t in triples])
        if symmetric[name]:
            off = rows != columns
            rows, columns = np.concatenate([rows, columns[off]]), np.concatenate([columns, rows[off]])
            values = np.concatenate([values, values[off]])
        found[name] = NamedMatrix(rows, columns, values, lines[name])
        log.took(f"DMIG {name}")
    return found


def _component(card: BulkCard, field: int) -> int:
    """Return the component 0..5 in a field of DMIG."""
    number = card.integer(field, 0)
    if not 0 <= number <= 6:
        raise card.error(f"DMIG {card.text(1)} has the component {number} in field {field + 1}; expected 0 to 6.")
    # scalar points have component 0: their one freedom takes the first place
    return max(number, 1) - 1


def pick_matrix(matrices: dict[str, NamedMatrix], log: ImportLog, wanted: str | None, letter: str) -> NamedMatrix:
    what, option = ("stiffness", "stiffness=") if letter == "K" else ("mass", "mass=")
    names = [name for name in matrices if name == wanted or (wanted is None and name.startswith(letter))]
    if len(names) != 1:
        known = ", ".join(matrices) or "none"
        raise log.error(f"there is no single {what} matrix; name it with {option} (matrices here: {known}).")
    for name in set(matrices) - {name for name in matrices if name[0] in "KM"}:
        log.skip(f"DMIG {name}", "only stiffness and mass are taken", line=matrices[name].line)
    return matrices[names[0]]


def deck_grids(deck: NastranDeck | None, log: ImportLog, nodes: Path | str | None) -> tuple[Grids, NastranDeck]:
    if nodes is not None:
        path = Path(nodes) if Path(nodes).is_absolute() else log.path.parent / nodes
        if not path.is_file():
            raise log.error(f"the deck with the grids, '{path}', does not exist.")
        deck = read_bulk(path)
    if deck is None or not deck.cards.get("GRID"):
        raise log.error("the file has no grids (GRID); name the deck that has them with nodes=.")
    return Grids(deck, log), deck


def model_of(
    log: ImportLog, places: tuple[Grids, NastranDeck], dofs: IntArray, K: csr_array, M: csr_array
) -> MatrixModel:
    """Return the model with all freedoms in model axes."""
    grids = places[0]
    used = np.unique(dofs[:, 0])
    rows = np.searchsorted(grids.ids, used)
    rows[rows == grids.ids.size] = 0
    unknown = used[grids.ids[rows] != used]
    if unknown.size:
        raise log.error(f"the matrices name grid {unknown[0]}, which is not defined; scalar points cannot be read.")
    if (grids.cd[rows] != 0).any():
        T = _turned(log, grids, dofs, rows)
        K, M = csr_array(T @ K @ T.T), csr_array(T @ M @ T.T)
    return MatrixModel(grids.xyz[rows], used, dofs, K, M, name=log.path.stem)


def _turned(log: ImportLog, grids: Grids, dofs: IntArray, rows: IntArray) -> csr_array:
    """Return the matrix from freedoms in displacement systems to those in model axes."""
    row_of = {int(grids.ids[row]): row for row in rows.tolist()}
    names = [tuple(dof) for dof in dofs.tolist()]
    parts: list[Array] = []
    at = 0
    while at < len(names):
        node, component = names[at]
        if not grids.cd[row_of[node]]:
            parts.append(np.eye(1))
            at += 1
            continue
        first = 3 * (component // 3)
        if names[at : at + 3] != [(node, first + k) for k in range(3)]:
            raise log.error(f"grid {node} has turned axes and only some of its freedoms in the matrices.")
        parts.append(grids.axes(node, grids.cards[node]))
        at += 3
    return csr_array(block_diag(parts))
