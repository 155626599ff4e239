"""Stiffness and mass matrices on DMIG cards (.pch), and how matrices of all kinds of files become a model.

Rows are dofs of grids and, in bodies that Nastran has reduced (EXTSEOUT), scalar points: amplitudes of modes.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.sparse import block_diag, coo_array, csr_array

from floatframe.arrays import Array, IntArray
from floatframe.fem import MatrixModel
from floatframe.io.deck import reduced_model
from floatframe.io.import_log import ImportLog
from floatframe.io.nastran.cards import BulkCard, NastranDeck
from floatframe.io.nastran.matrices.geometry import REDUCED, Geometry, find_geometry, row_names

REAL_TYPES = (1, 2)
_FIRST = {"K": ("KAAX", "KAA", "KXX", "KGG", "KJJ"), "M": ("MAAX", "MAA", "MXX", "MGG", "MJJ")}  # of several
_OTHERS = (
    "K4",
    "KHH",
    "MHH",
    "KASM",
    "MASM",
    "MUG",
    "MES",
    "MEF",
    "MEE",
    "MQG",
    "MQMG",
    "MGPF",
)  # damping, modal, recovery


@dataclass(frozen=True)
class NamedMatrix:
    """Entries of a matrix; rows and columns are 6 * node number + component, or plain numbers from OUTPUT4."""

    rows: IntArray
    columns: IntArray
    values: Array
    line: int
    size: int = 0  # rows where they have no names

    @classmethod
    def of_pieces(
        cls, pieces: list[tuple[IntArray, int, Array]], size: int, symmetric: bool, line: int = 0
    ) -> NamedMatrix:
        """Return a square matrix of pieces of columns; a symmetric one with one triangle only is completed."""
        empty = np.empty(0, dtype=np.int64)
        rows = np.concatenate([empty, *(rows for rows, _, _ in pieces)])
        columns = np.concatenate([empty, *(np.full(rows.size, column) for rows, column, _ in pieces)])
        values = np.concatenate([np.empty(0), *(values for _, _, values in pieces)])
        lower, upper = bool((rows > columns).any()), bool((rows < columns).any())
        if symmetric and lower != upper:
            return cls(*completed(rows, columns, values), line, size)
        return cls(rows, columns, values, line, size)


def completed(rows: IntArray, columns: IntArray, values: Array) -> tuple[IntArray, IntArray, Array]:
    """Return the entries of a symmetric matrix of which one triangle is given."""
    off = rows != columns
    return (
        np.concatenate([rows, columns[off]]),
        np.concatenate([columns, rows[off]]),
        np.concatenate([values, values[off]]),
    )


def direct_matrices(
    deck: NastranDeck, log: ImportLog, nodes: Path | str | None, stiffness: str | None, mass: str | None
) -> MatrixModel:
    """Return the model of the stiffness and mass matrices on DMIG cards."""
    matrices = dmig_matrices(deck, log)
    return named_model(matrices, find_geometry(deck, log, nodes), log, stiffness, mass)


def named_model(
    matrices: dict[str, NamedMatrix], geometry: Geometry, log: ImportLog, stiffness: str | None, mass: str | None
) -> MatrixModel:
    """Return the model of matrices that name the dofs of their rows."""
    K, M = (pick_matrix(matrices, log, wanted, letter) for wanted, letter in ((stiffness, "K"), (mass, "M")))
    slots = np.unique(np.concatenate([part for m in (K, M) for part in (m.rows, m.columns)]))
    n = slots.size

    def full(matrix: NamedMatrix) -> csr_array:
        place = np.searchsorted(slots, matrix.rows), np.searchsorted(slots, matrix.columns)
        return csr_array(coo_array((matrix.values, place), shape=(n, n)))

    return model_of(log, geometry, np.column_stack([slots // 6, slots % 6]), full(K), full(M))


def ordered_model(
    matrices: dict[str, NamedMatrix], geometry: Geometry, log: ImportLog, stiffness: str | None, mass: str | None
) -> MatrixModel:
    """Return the model of matrices whose rows are the dofs of the deck with the grids, in its order."""
    K, M = (pick_matrix(matrices, log, wanted, letter) for wanted, letter in ((stiffness, "K"), (mass, "M")))
    dofs = row_names(geometry)
    if not K.size == M.size == len(dofs):
        raise log.error(
            f"the matrices have {K.size} and {M.size} rows, but '{geometry.deck.path.name}' has {len(dofs)} dofs (its "
            "EXTRN or ASET, or six for each grid); give their deck with nodes=."
        )
    full = [csr_array(coo_array((m.values, (m.rows, m.columns)), shape=(m.size, m.size))) for m in (K, M)]
    return model_of(log, geometry, dofs, *full)


def dmig_matrices(deck: NastranDeck, log: ImportLog, wanted: Container[str] | None = None) -> dict[str, NamedMatrix]:
    """Return all matrices by name, or those wanted; symmetric ones are completed."""
    entries: dict[str, list[tuple[int, int, float]]] = {}
    symmetric: dict[str, bool] = {}
    lines: dict[str, int] = {}
    for card in deck.of("DMIG"):
        name = card.text(1)
        if wanted is not None and name not in wanted:
            continue
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
            rows, columns, values = completed(rows, columns, values)
        found[name] = NamedMatrix(rows, columns, values, lines[name])
        log.took(f"DMIG {name}")
    return found


def _component(card: BulkCard, field: int) -> int:
    """Return the component 0..5 in a field of DMIG."""
    number = card.integer(field, 0)
    if not 0 <= number <= 6:
        raise card.error(f"DMIG {card.text(1)} has the component {number} in field {field + 1}; expected 0 to 6.")
    # scalar points have component 0: their one dof takes the first place
    return max(number, 1) - 1


def pick_matrix(matrices: dict[str, NamedMatrix], log: ImportLog, wanted: str | None, letter: str) -> NamedMatrix:
    """Return the stiffness (letter K) or mass (M): the one wanted by name, or the one that is called so."""
    what, option = ("stiffness", "stiffness=") if letter == "K" else ("mass", "mass=")
    names = [name for name in matrices if name == wanted or (wanted is None and _may_be(name, letter))]
    if len(names) > 1:
        # files of reduced bodies hold empty matrices of one row for what they do not have
        largest = max(matrices[name].size for name in names)
        names = [name for name in names if matrices[name].size == largest]
        names = [name for name in _FIRST[letter] if name in names][:1] or names
    if len(names) != 1:
        known = ", ".join(matrices) or "none"
        raise log.error(f"the {what} matrix is not unique; name it with {option} (matrices here: {known}).")
    if letter == "K":
        for name in sorted(matrices):
            damps = name.startswith(("B", "K4")) and bool(matrices[name].values.any())
            if damps:
                log.skip(
                    f"matrix {name}", "damping is specified for the flexible body", line=matrices[name].line or None
                )
            elif name[:1] not in ("K", "M") and matrices[name].values.size:
                log.skip(f"matrix {name}", "only stiffness and mass are taken", False, matrices[name].line or None)
    return matrices[names[0]]


def has_both(matrices: Iterable[str], *wanted: str | None) -> bool:
    """Whether a stiffness and a mass are among the names of matrices."""
    return all(any(name == asked or _may_be(name, letter) for name in matrices)
               for letter, asked in zip("KM", wanted, strict=True))  # fmt: skip


def _may_be(name: str, letter: str) -> bool:
    return name.startswith(letter) and not name.startswith(_OTHERS)


def model_of(log: ImportLog, geometry: Geometry, dofs: IntArray, K: csr_array, M: csr_array) -> MatrixModel:
    """Return the model with all dofs in model axes; what is not a grid and has one dof is a scalar point."""
    grids = geometry.grids
    if modal := geometry.modal():
        amplitudes = [k for k, dof in enumerate(dofs.tolist()) if tuple(dof) in modal]
        numbers = 1 + int(max(dofs[:, 0].max(), grids.ids.max(initial=0))) + np.arange(len(amplitudes))
        dofs = dofs.copy()
        dofs[amplitudes] = np.column_stack([numbers, np.zeros_like(numbers)])
    used = np.unique(dofs[:, 0])
    rows = np.searchsorted(grids.ids, used).clip(max=grids.ids.size - 1)
    placed = grids.ids[rows] == used
    beyond = np.setdiff1d(dofs[dofs[:, 1] > 0, 0], grids.ids)
    if beyond.size:
        raise log.error(f"the matrices name grid {beyond[0]}, which is not defined; name its deck with nodes=.")
    scalars = used[~placed]
    if not placed.any():
        raise log.error("no row of the matrices is at a grid; give the deck of their grids with nodes=.")
    if (grids.cd[rows[placed]] != 0).any():
        T = _turned(log, geometry, dofs)
        K, M = csr_array(T @ K @ T.T), csr_array(T @ M @ T.T)
    if scalars.size or any(name in geometry.deck.cards for name in REDUCED):
        return reduced_model(log, grids.xyz[rows], used, dofs, K, M, scalars)
    return MatrixModel(grids.xyz[rows], used, dofs, K, M, name=log.path.stem)


def _turned(log: ImportLog, geometry: Geometry, dofs: IntArray) -> csr_array:
    """Return the matrix from dofs in displacement systems to those in model axes."""
    grids = geometry.grids
    system = dict(zip(grids.ids.tolist(), grids.cd.tolist(), strict=True))
    names = [tuple(dof) for dof in dofs.tolist()]
    parts: list[Array] = []
    at = 0
    while at < len(names):
        node, component = names[at]
        if not system.get(node):
            parts.append(np.eye(1))
            at += 1
            continue
        first = 3 * (component // 3)
        if names[at : at + 3] != [(node, first + k) for k in range(3)]:
            raise log.error(f"grid {node} has turned axes and only some of its dofs in the matrices.")
        parts.append(grids.axes(node, grids.cards[node]))
        at += 3
    return csr_array(block_diag(parts))
