"""Superelements of ANSYS (.sub): matrices of master nodes and, after component mode synthesis, amplitudes of modes.

The header counts rows, matrices and nodes and points to the tables: nodes, their places and angles, the labels of dofs,
the dof of every row, and the matrices, row by row, one row of each. Modal dofs stand on virtual nodes, the last ones.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from scipy.sparse import csc_array

from floatframe.arrays import Array, IntArray
from floatframe.errors import ReadError
from floatframe.fem import MatrixModel
from floatframe.io.ansys.binary.matrices import NodalMatrices
from floatframe.io.ansys.binary.matrix_model import recognises, to_model_axes
from floatframe.io.ansys.binary.records import Records
from floatframe.io.ansys.binary.results import NodeGeometry
from floatframe.io.deck import reduced_model
from floatframe.io.format import Format
from floatframe.io.import_log import ImportLog

# places in the header
_ROWS, _MATRICES, _PER_NODE, _NODES, _UNSYMMETRIC, _PRESENT, _MOVED = 1, 2, 4, 8, 9, 10, 20
_AT_MATRICES, _AT_DOFS, _AT_LOCAL, _AT_NODES, _AT_PLACES, _AT_LABELS = 21, 30, 31, 34, 35, 37
_MODES, _VIRTUAL = 43, 50
_MOST = 20_000  # rows
_SAME = 1e-6  # largest skew part of a matrix read in the right order
_SPARSE = 9


def load(path: Path, log: ImportLog) -> MatrixModel:
    """Return the superelement: its master nodes and, as scalars, the amplitudes of its modes."""
    file = Records.open(path, 8)
    head = file.integers(103)
    if head.size < 44:
        raise file.broken(103, "the header is too short")
    if head[0] == _SPARSE:
        raise ReadError(f"'{path}' holds sparse matrices; make the superelement with full ones (SEOPT, EQSLV,SPARSE).")
    n, nodes = int(head[_ROWS]), int(head[_NODES])
    if not (0 < n <= _MOST and 0 < nodes < file.words.size):
        raise file.broken(103, f"the file claims {n} rows and {nodes} nodes")
    if head[_UNSYMMETRIC]:
        raise ReadError(f"'{path}' holds unsymmetric matrices; flexible bodies need symmetric ones.")
    if head[_MOVED]:
        log.warn("the superelement was copied or reflected (SETRAN, SESYMM); compare the places of its nodes.")
    ids, xyz, angles = _nodes(file, head, nodes)
    dofs = _row_dofs(file, head, ids, n)
    K, M = _matrices(file, head, n)
    virtual = _virtual_nodes(head, ids, dofs)
    modal = np.isin(dofs[:, 0], virtual)
    log.took("master dofs", int((~modal).sum()))
    placed = ~np.isin(ids, virtual)
    if not placed.any():
        raise ReadError(f"'{path}' has no master nodes, only modes; keep the interface as master dofs (M command).")
    scalars = int(dofs[:, 0].max()) + 1 + np.arange(int(modal.sum()))
    dofs[modal] = np.column_stack([scalars, np.zeros_like(scalars)])
    used = np.concatenate([ids[placed], scalars])
    places, turns = (np.vstack([rows[placed], np.zeros((scalars.size, 3))]) for rows in (xyz, angles))
    order = np.argsort(used)
    geometry = NodeGeometry(used[order], places[order], turns[order])
    T = to_model_axes(path, NodalMatrices(dofs, K, M, np.empty((0, 2), dtype=np.int64), geometry.ids), geometry)
    if T is not None:
        K, M = T @ K @ T.T, T @ M @ T.T
    return reduced_model(log, geometry.xyz, geometry.ids, dofs, K, M, scalars)


def _nodes(file: Records, head: IntArray, count: int) -> tuple[IntArray, Array, Array]:
    """Return numbers (n,), places (n, 3) and angles (n, 3) [degrees] of the nodes."""
    ids = file.integers(int(head[_AT_NODES]))[:count]
    if ids.size < count or (ids < 1).any() or np.unique(ids).size < count:
        raise file.broken(int(head[_AT_NODES]), "the list of nodes is invalid")
    rows = np.zeros((count, 6))
    for which, table in file.batches(file.chain(int(head[_AT_PLACES]), count)):
        if table.dtype.kind != "f" or table.shape[1] < 3:
            raise file.broken(int(head[_AT_PLACES]), "a node has no coordinates")
        rows[which, : min(6, table.shape[1])] = table[:, :6]
    if not np.isfinite(rows).all():
        raise file.broken(int(head[_AT_PLACES]), "a node has invalid coordinates")
    return ids, rows[:, :3], rows[:, 3:]


def _virtual_count(head: IntArray) -> int:
    """Return how many nodes carry amplitudes of modes."""
    count = int(head[_VIRTUAL]) if head.size > _VIRTUAL else 0
    return max(0, count) or -(-int(head[_MODES]) // max(1, int(head[_PER_NODE])))


def _virtual_nodes(head: IntArray, ids: IntArray, dofs: IntArray) -> IntArray:
    """Return the nodes that carry amplitudes of modes: those without a place, or the highest of those with one."""
    beyond = np.setdiff1d(dofs[:, 0], ids)
    return beyond if beyond.size else np.sort(ids)[max(0, ids.size - _virtual_count(head)) :]


def _row_dofs(file: Records, head: IntArray, ids: IntArray, n: int) -> IntArray:
    """Return node number and component of every row.

    Files have a dof as 32 N + DOF or as (N - 1) numdof + its place among the labels, N a node number or its place in
    the list of nodes; what fits all nodes of the list is right.
    """
    tables = [file.integers(int(head[place])) for place in (_AT_LOCAL, _AT_DOFS, _AT_LABELS) if head[place] > 0]
    per_node = int(head[_PER_NODE])
    if not 0 < per_node <= 64:
        raise file.broken(103, f"the file claims {per_node} dofs of a node")
    labels = next((t for t in reversed(tables) if _are_labels(t, per_node)), np.arange(1, per_node + 1))
    for table in (t for t in tables if t.size >= n):
        codes = table[:n]
        for numbers in (ids, np.arange(1, ids.size + 1)):
            for shift, start in ((32, 0), (32, 1), (per_node, 1)):
                node, part = (codes - 1) // shift + start, (codes - 1) % shift
                if shift == per_node:
                    part = labels[part.clip(max=labels.size - 1)] - 1
                found = _matched(node, part, numbers, ids, labels, _virtual_count(head))
                if found is not None:
                    return found
    if n == ids.size * labels.size and labels.max() <= 6:
        return np.column_stack([np.repeat(np.sort(ids), labels.size), np.tile(labels - 1, ids.size)])
    raise file.broken(103, "the dofs of its rows do not fit its nodes")


def _are_labels(table: IntArray, count: int) -> bool:
    sensible = (table >= 1).all() and (table <= 64).all() and (np.diff(table) > 0).all()
    return table.size == count > 0 and bool(sensible)


def _matched(
    node: IntArray, part: IntArray, numbers: IntArray, ids: IntArray, labels: IntArray, virtual: int
) -> IntArray | None:
    """Return the dofs if they name all nodes of the list and known labels, and nothing twice.

    Virtual nodes may be missing in the list.
    """
    named = np.unique(node)
    beyond = np.setdiff1d(named, numbers)
    if not np.isin(numbers, named).all() or beyond.size not in (0, virtual):
        return None
    if not np.isin(part + 1, labels).all() or part.max() > 5:
        return None
    every = np.concatenate([numbers, beyond])
    own = np.concatenate([ids, int(ids.max()) + 1 + np.arange(beyond.size)])
    order = np.argsort(every)
    dofs = np.column_stack([own[order][np.searchsorted(every[order], node)], part])
    return dofs if len(np.unique(dofs, axis=0)) == len(dofs) else None


def _matrices(file: Records, head: IntArray, n: int) -> tuple[csc_array, csc_array]:
    """Return stiffness and mass; rows of all matrices follow each other, row after row or matrix after matrix."""
    present = [bool(key) for key in head[_PRESENT : _PRESENT + 4]]
    count = int(head[_MATRICES])
    if sum(present) != count:
        present = [k < count for k in range(4)]
    if not (present[0] and present[1]):
        missing = "mass" if present[0] else "stiffness"
        raise ReadError(f"'{file.path}' holds no {missing} matrix; make the superelement with both (SEOPT,name,2).")
    starts = file.chain(int(head[_AT_MATRICES]), n * count)
    if n * n * count > 100 * file.words.size:
        raise file.broken(103, f"the file is too small for {count} matrices of {n} rows")
    rows = np.zeros((n * count, n))
    for which, table in file.batches(starts):
        if table.dtype.kind != "f" or table.shape[1] != n:
            raise file.broken(int(head[_AT_MATRICES]), f"a row of a matrix has {table.shape[1]} terms for {n} dofs")
        rows[which] = table
    if not np.isfinite(rows).all():
        raise file.broken(int(head[_AT_MATRICES]), "a matrix holds numbers that are not finite")
    for found in (rows.reshape(n, count, n).swapaxes(0, 1), rows.reshape(count, n, n)):
        K, M = (_whole(matrix) for matrix in found[:2])
        if K is not None and M is not None:
            return csc_array(K), csc_array(M)
    raise file.broken(int(head[_AT_MATRICES]), "the matrices are not symmetric")


def _whole(matrix: Array) -> Array | None:
    """Return a symmetric matrix, of which one triangle may be all there is; None if it is not symmetric."""
    lower, upper = np.tril(matrix, -1), np.triu(matrix, 1)
    if not lower.any() or not upper.any():
        return np.asarray(matrix + (lower + upper).T)
    size = np.abs(matrix).max(initial=0.0)
    return (matrix + matrix.T) / 2.0 if np.abs(matrix - matrix.T).max() <= _SAME * size else None


def refuse_motions(path: Path, log: ImportLog) -> MatrixModel:
    """Say what a .dsub file is."""
    raise log.error(
        "it holds the motions of a superelement in an analysis that used it, not its matrices; read the superelement "
        "itself (.sub)."
    )


FORMAT: Format = Format("ansys-sub", (".sub",), MatrixModel, None, None, recognises(8), load)
MOTIONS: Format = Format("ansys-dsub", (".dsub",), MatrixModel, None, None, recognises(13), refuse_motions)
