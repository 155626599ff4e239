"""OUTPUT2 files of Nastran (.op2) that hold stiffness and mass: DMIG tables or matrices of a reduced body.

DMIG tables (EXTSEOUT with DMIGOP2) name their rows; matrices (KAA, MAA …) have the rows of EXTRN. Grids, systems and
EXTRN come from the geometry in the file, or from the .pch, .asm or deck beside it.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from floatframe.arrays import AnyArray, IntArray
from floatframe.fem import MatrixModel
from floatframe.io.format import Format
from floatframe.io.import_log import ImportLog
from floatframe.io.nastran.cards import BulkCard, NastranDeck, plain_name
from floatframe.io.nastran.matrices.dmig import REAL_TYPES, NamedMatrix, completed, has_both, named_model, ordered_model
from floatframe.io.nastran.matrices.geometry import find_geometry
from floatframe.io.nastran.matrices.op2_records import Block, Op2, word_layout
from floatframe.io.nastran.matrices.op4 import read_matrices

_DMIG = (114, 1, 120)  # the key that begins a table of a DMIG matrix
_GEOMETRY = ("GEOM1", "GEOM2")
# tables of geometry: key -> card, its fields as i (whole), f (real) and d (double)
_CARDS = {
    (4501, 45, 1): ("GRID", "iifffiii"),
    (4501, 45, 1120001): ("GRID", "iidddiii"),
    (2101, 21, 8): ("CORD2R", "iiiifffffffff"),
    (2001, 20, 9): ("CORD2C", "iiiifffffffff"),
    (2201, 22, 10): ("CORD2S", "iiiifffffffff"),
    (1627, 16, 463): ("EXTRN", "ii"),
    (5551, 49, 105): ("SPOINT", "i"),
}


def load(
    path: Path,
    log: ImportLog,
    nodes: Path | str | None = None,
    stiffness: str | None = None,
    mass: str | None = None,
    geometry: Path | str | None = None,
) -> MatrixModel:
    """Return the model of an OUTPUT2 file; options as for OUTPUT4."""
    tables, matrices, deck, names = _content(path, log)
    if not has_both(tables, stiffness, mass) and not has_both(matrices, stiffness, mass):
        raise log.error(
            f"it holds no stiffness and mass matrices (data blocks: {', '.join(names) or 'none'}); read the deck "
            "(.bdf), or write them with EXTSEOUT(…,DMIGOP2=unit)."
        )
    places = find_geometry(deck, log, nodes or geometry)
    if has_both(tables, stiffness, mass):
        return named_model(tables, places, log, stiffness, mass)
    return ordered_model(matrices, places, log, stiffness, mass)


def reduced_body(deck: NastranDeck, log: ImportLog, stiffness: str | None, mass: str | None) -> MatrixModel:
    """Return the body whose interface a .pch or .asm describes; its matrices are in the .op4 or .op2 of its name."""
    bodies = len(deck.cards.get("SEBULK", ()))
    if bodies > 1:
        raise log.error(
            f"it joins {bodies} reduced bodies; read each by itself (.pch, .op4 or .op2) and join them in a machine."
        )
    # the .pch says which dofs the grids of the .asm have
    places = find_geometry(deck if "EXTRN" in deck.cards else None, log, None) if _has(log.path, ".pch") else None
    places = places or find_geometry(deck, log, None)
    if (beside := _has(log.path, ".op4")) is not None:
        return ordered_model(read_matrices(beside, log), places, log, stiffness, mass)
    if (beside := _has(log.path, ".op2")) is not None:
        tables, matrices, _, _ = _content(beside, log)
        if has_both(tables, stiffness, mass):
            return named_model(tables, places, log, stiffness, mass)
        if has_both(matrices, stiffness, mass):
            return ordered_model(matrices, places, log, stiffness, mass)
    raise log.error(
        f"it describes the interface of a reduced body, but its matrices are not in it; put {log.path.stem}.op4 or "
        f"{log.path.stem}.op2 beside it, or write them here with EXTSEOUT(…,DMIGPCH)."
    )


def _has(path: Path, suffix: str) -> Path | None:
    """Return the file of the same name with another suffix, None if there is none."""
    found = (path.with_suffix(suffix), path.with_suffix(suffix.upper()))
    return next((candidate for candidate in found if candidate.is_file()), None)


def _content(
    path: Path, log: ImportLog
) -> tuple[dict[str, NamedMatrix], dict[str, NamedMatrix], NastranDeck | None, list[str]]:
    """Return DMIG matrices, plain ones, the geometry as a deck, and the names of all blocks."""
    file = Op2(path, log)
    tables, matrices, names = {}, {}, []
    deck = NastranDeck(path)
    for block in file.blocks():
        names.append(block.name)
        if block.matrix:
            if block.trailer[4] in REAL_TYPES and block.trailer[1] == block.trailer[2]:
                matrices[block.name] = NamedMatrix.of_pieces(block.pieces, block.trailer[2], block.trailer[3] == 6)
                log.took(f"OUTPUT2 {block.name}")
        elif block.name.startswith(_GEOMETRY):
            _geometry(file, block, deck)
        elif block.tables and tuple(file.integers(block.tables[0])[:3].tolist()) == _DMIG:
            name = plain_name(block.tables[0][3 * file.word : 5 * file.word]) or block.name
            found = _dmig(file, block, log)
            if found is not None:
                tables[name] = found
                log.took(f"DMIG {name}")
    return tables, matrices, deck if deck.cards.get("GRID") else None, names


def _dmig(file: Op2, block: Block, log: ImportLog) -> NamedMatrix | None:
    """Return a square real matrix: form and type in words 6 and 7, from word 12 on columns that end with -1, -1."""
    words = file.integers(block.tables[0])
    raw = np.frombuffer(block.tables[0][: words.size * file.word], file.whole)
    if words.size < 12:
        raise log.error(f"DMIG {block.name} is too short.")
    form, kind = int(words[6]), int(words[7])
    if form not in (1, 6) or kind not in REAL_TYPES:
        log.skip(f"DMIG {block.name}", "it is not square or not real", physical=False)
        return None
    width = kind if file.word == 4 else 1
    rows, columns, places = [], [], []
    at = 12
    while at + 1 < words.size - 2 and words[at] > 0:
        column = _slot(words, at)
        at += 2
        while at + 1 < words.size and words[at] > 0:
            rows.append(_slot(words, at))
            columns.append(column)
            places.append(at + 2)
            at += 2 + width
        at += 2
    place = np.array(places, dtype=np.int64)
    if place.size and place.max() + width > words.size:
        raise log.error(f"DMIG {block.name} ends early.")
    real = f"{file.order}f{4 * width if file.word == 4 else 8}"
    values = np.ascontiguousarray(raw[place[:, None] + np.arange(width)]).view(real).ravel().astype(float)
    if not np.isfinite(values).all():
        raise log.error(f"DMIG {block.name} holds numbers that are not finite.")
    entries: tuple[IntArray, IntArray, AnyArray] = (np.array(rows), np.array(columns), values)
    return NamedMatrix(*(completed(*entries) if form == 6 else entries), 0)


def _slot(words: IntArray, at: int) -> int:
    return 6 * int(words[at]) + min(max(int(words[at + 1]), 1), 6) - 1


def _geometry(file: Op2, block: Block, deck: NastranDeck) -> None:
    """Put the cards of a block of geometry into a deck."""
    for table in block.tables:
        key = tuple(file.integers(table[: 3 * file.word]).tolist())
        if key not in _CARDS:
            continue
        name, fields = _CARDS[key]
        kinds = {"i": file.whole, "f": file.real, "d": np.dtype(f"{file.order}f8")}
        row = np.dtype([(f"f{k}", kinds[kind]) for k, kind in enumerate(fields)])
        body = table[3 * file.word :]
        rows = np.frombuffer(body[: len(body) // row.itemsize * row.itemsize], row)
        if name == "EXTRN":
            words = [str(value) for pair in rows.tolist() if pair[0] > 0 for value in pair]
            deck.cards.setdefault(name, []).append(BulkCard(name, (name, *words), 0, deck.path))
            continue
        for values in rows.tolist():
            words = [repr(value) if isinstance(value, float) else str(value) for value in values]
            if name.startswith("CORD2"):
                # number, kind, kind, reference system, then three points
                words = [words[0], *words[3:]]
            elif name == "GRID":
                words = [*words[:6], "" if words[6] == "0" else words[6], ""]
                words[5] = words[5] if int(words[5]) >= 0 else "0"
            deck.cards.setdefault(name, []).append(BulkCard(name, (name, *words), 0, deck.path))


def recognises(path: Path) -> bool:
    """Whether a file begins as an OUTPUT2 file does."""
    with path.open("rb") as file:
        return word_layout(file.read(32)) is not None


FORMAT: Format = Format(
    "Nastran OUTPUT2",
    (".op2",),
    (),
    recognises=recognises,
    load=load,
    options=("nodes", "stiffness", "mass", "geometry"),
)
