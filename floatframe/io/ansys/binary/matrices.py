"""Matrices of ANSYS: .full (assembled) and .emat (by elements), without help of other readers.

A .full holds one triangle of K and M in nodal axes. Dofs that were held have no stiffness left in it (their rows
are unit rows), so they are left out and named; write the file without supports at interface nodes. A .emat holds every
element's matrices and gives the free structure whatever was held.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.sparse import coo_array, csc_array

from floatframe.arrays import IntArray, SparseMatrix
from floatframe.errors import ReadError
from floatframe.io.ansys.binary.records import Records, pointer

_MOST = 1 << 31


@dataclass(frozen=True)
class NodalMatrices:
    """K and M (n, n), symmetric, in nodal axes; dofs (n, 2) node number and component 0..5; held (k, 2) likewise."""

    dofs: IntArray
    K: SparseMatrix
    M: SparseMatrix
    held: IntArray
    nodes: IntArray  # all node numbers


def read_full(path: Path) -> NodalMatrices:
    """Return the matrices of a .full file of a symmetric analysis."""
    file = Records.open(path, 4)
    head = file.integers(103)
    if head.size < 40 or head[0] != -4:
        raise ReadError(f"'{path}' has no symbolically assembled matrices; use EQSLV,SPARSE and WRFULL.")
    neqn, lumped, unsymmetric, constraints = int(head[1]), int(head[10]), int(head[13]), int(head[20])
    if unsymmetric:
        raise ReadError(f"'{path}' holds unsymmetric matrices; flexible bodies need symmetric ones: switch off the "
                        "effect that makes them so (friction, gyroscopic terms, acoustics).")  # fmt: skip
    if constraints:
        raise ReadError(
            f"'{path}' holds {constraints} constraint equations, which are not applied to its matrices; replace them "
            "by rigid elements, or read the model itself (CDWRITE)."
        )
    if not 0 < neqn < file.words.size:
        raise file.broken(103, f"the file claims {neqn} equations")
    labels = file.end(103)
    nodes = file.integers(file.end(labels))
    table = pointer(head, 35, 36)
    extent, components = file.integers(table), file.integers(file.end(table))
    if extent.size != nodes.size or extent.sum() != neqn or components.size < neqn or (extent < 0).any():
        raise file.broken(table, "the table of dofs does not fit the number of equations")
    dofs = np.column_stack([np.repeat(nodes, extent), np.abs(components[:neqn]) - 1])
    free = components[:neqn] > 0
    _require_mechanical(path, dofs)
    K = _matrix(file, pointer(head, 18, 19), neqn, "stiffness")
    M = _lumped(file, pointer(head, 26, 27), neqn) if lumped else _matrix(file, pointer(head, 26, 27), neqn, "mass")
    return NodalMatrices(dofs[free], K[free][:, free], M[free][:, free], dofs[~free], np.sort(nodes))


def _require_mechanical(path: Path, dofs: IntArray) -> None:
    if dofs.size and (dofs[:, 1].min() < 0 or dofs[:, 1].max() > 5):
        raise ReadError(
            f"'{path}' has dofs other than displacements and rotations (warping, temperature, …); "
            "write the matrices of a structure without them."
        )


def _matrix(file: Records, start: int, neqn: int, what: str) -> csc_array:
    """Read one triangle, row after row, and add the other."""
    from floatframe.io.ansys.apdl import _kernels as kernels  # the compiler behind it is slow to import

    if start == 0:
        raise ReadError(
            f"'{file.path}' holds no {what} matrix; write it by a modal analysis (ANTYPE,MODAL and WRFULL)."
        )
    words = file.words if file.order == "<" else file.words.astype("<i4")
    words = np.asarray(words)
    nothing = np.empty(0, dtype=np.int64)
    terms, bad = kernels.walk_matrix(words, start, neqn, False, nothing, nothing, np.empty((0, 2), dtype=np.int32))
    if bad >= 0:
        raise file.broken(bad, f"a row of the {what} matrix is not as expected")
    columns, rows = np.empty(terms, dtype=np.int64), np.empty(terms, dtype=np.int64)
    bits = np.empty((terms, 2), dtype=np.int32)
    kernels.walk_matrix(words, start, neqn, True, columns, rows, bits)
    values = (bits if file.order == "<" else bits[:, ::-1].copy()).view("<f8").ravel()
    columns -= 1
    if terms and (columns.min() < 0 or columns.max() >= neqn):
        raise file.broken(start, f"the {what} matrix names an equation beyond {neqn}")
    return _symmetric(rows, columns, values, neqn)


def _symmetric(rows: IntArray, columns: IntArray, values: IntArray, n: int) -> csc_array:
    off = rows != columns
    both = coo_array((np.r_[values, values[off]], (np.r_[rows, columns[off]], np.r_[columns, rows[off]])), shape=(n, n))
    return csc_array(both)


def _lumped(file: Records, start: int, neqn: int) -> csc_array:
    """A lumped mass is one record: the diagonal."""
    diagonal = file.reals(start)
    if diagonal.size < neqn:
        raise file.broken(start, f"the lumped mass has {diagonal.size} terms for {neqn} equations")
    every = np.arange(neqn)
    return csc_array((diagonal[:neqn], (every, every)), shape=(neqn, neqn))


def read_emat(path: Path) -> NodalMatrices:
    """Return the free matrices assembled from the element matrices of a .emat file."""
    file = Records.open(path, 2)
    head = file.integers(103)
    if head.size < 38:
        raise file.broken(103, "the header is too short")
    nume, numdof, lenu, lenbac = (int(head[k]) for k in (1, 2, 3, 4))
    labels, nodes = file.integers(pointer(head, 30)), file.integers(pointer(head, 31))
    index = file.integers(pointer(head, 37, 25))
    if labels.size != numdof or nodes.size < lenbac or index.size < nume or not 0 < lenu < _MOST:
        raise file.broken(103, "the tables of nodes, dofs and elements do not fit together")
    wide = index.size >= 2 * nume
    starts = [int(index[k]) + ((int(index[nume + k]) << 32) if wide else 0) for k in range(nume)]
    n = numdof * lenbac
    parts: dict[str, list[tuple[IntArray, IntArray, IntArray]]] = {"K": [], "M": []}
    for start in starts:
        for name, rows, columns, values in _element(file, start, n):
            parts[name].append((rows, columns, values))
    if not parts["K"] or not parts["M"]:
        raise ReadError(f"'{path}' lacks stiffness or mass matrices of elements; write it by a modal analysis.")
    matrices = {}
    for name, part in parts.items():
        rows, columns, values = (np.concatenate([piece[k] for piece in part]) for k in range(3))
        matrices[name] = _symmetric(rows, columns, values, n)
    used = np.flatnonzero(matrices["K"].diagonal() + matrices["M"].diagonal())
    dofs = np.column_stack([np.repeat(nodes[:lenbac], numdof), np.tile(labels - 1, lenbac)])[used]
    _require_mechanical(path, dofs)
    K, M = (matrices[name][used][:, used] for name in ("K", "M"))
    return NodalMatrices(dofs, K, M, np.empty((0, 2), dtype=np.int64), np.sort(nodes[:lenbac]))


def _element(file: Records, start: int, n: int) -> list[tuple[str, IntArray, IntArray, IntArray]]:
    """Return rows, columns and values of one triangle of the matrices of an element."""
    head = file.integers(start)
    if head.size < 10:
        raise file.broken(start, "the header of an element matrix is too short")
    place = file.end(start)
    equations = file.integers(place) - 1
    size = equations.size
    if size != abs(int(head[9])) or (size and (equations.min() < 0 or equations.max() >= n)):
        raise file.broken(place, "an element matrix names dofs that do not exist")
    found = []
    for key, name in ((0, "K"), (1, "M"), (2, ""), (3, "")):
        if not head[key]:
            continue
        place = file.end(place)
        values = file.reals(place)
        if not name:
            continue
        if values.size == size:
            a = b = np.arange(size)
        elif values.size == size * (size + 1) // 2:
            a, b = np.tril_indices(size)
            # nodes that stand twice in a degenerate element: both halves fall on the diagonal
            values = np.where((a != b) & (equations[a] == equations[b]), 2.0 * values, values)
        else:
            raise ReadError(f"'{file.path}' holds unsymmetric element matrices; flexible bodies need symmetric ones.")
        found.append((name, equations[a], equations[b], values))
    return found
