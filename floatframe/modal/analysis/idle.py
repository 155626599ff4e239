"""Dofs that nothing resists and nothing moves: without stiffness and without mass, along an axis or askew.

Rotations that only trusses hold, nodes of a plane truss across the plane, ends of arms, pieces without density that can
turn on themselves. Such a motion v has K v = 0 and M v = 0, so any amount of it may be added to a mode: one dof of each
is held at zero, which changes no frequency and no force. Motions with mass are mechanisms and stay.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csc_array, diags_array, hstack
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import splu

from floatframe.arrays import Array, IntArray, SparseMatrix
from floatframe.fem import DOF_NAMES

if TYPE_CHECKING:
    from floatframe.fem import AnyModel

_NOTHING = 1e-12  # stiffness and mass of a direction in units of those of its dofs; round-off is below 1e-14
_DENSE = 64  # rows of a piece whose null motions are found by dense algebra
_NAMED = 6  # dofs that are named in a sentence


@dataclass(frozen=True)
class Idle:
    """Rows (r,) to be held, the motions V (n, r) they stand for, with ones in their own rows, and all other rows."""

    rows: IntArray
    V: csc_array
    kept: IntArray

    def at_rest(self, X: Array) -> Array:
        """X (n, k) with so much of the motions taken off that the rows are at rest."""
        return np.asfortranarray(X - self.V @ X[self.rows]) if self.rows.size else X

    def smallest(self, X: Array) -> Array:
        """X (n, k) with so much of the motions taken off that they have no part in it."""
        if self.V.nnz == self.rows.size:
            return X  # single dofs, which are at rest
        return np.asfortranarray(X - self.V @ splu(csc_array(self.V.T @ self.V)).solve(self.V.T @ X))


def idle_dofs(fe: AnyModel, K: SparseMatrix, M: SparseMatrix, rows: IntArray) -> Idle:
    """Find dofs without stiffness and mass among some rows of a model; K and M (nrow, nrow) are those of the rows.

    Semi-definite matrices that see nothing of a motion in its own dofs see nothing of it at all, so it is enough to
    look at dofs that lack one of the two: node by node first, then at connected groups. A mass at the end of an arm,
    for instance, leaves one turn of its node without inertia.
    """
    n = K.shape[0]
    stiff, heavy = K.diagonal(), M.diagonal()
    light = np.flatnonzero((heavy == 0.0) | (stiff == 0.0))
    held, V = np.empty(0, dtype=np.int64), csc_array((n, 0))
    if light.size:
        both = (stiff > 0.0) & (heavy > 0.0)
        alike = float(np.median(stiff[both] / heavy[both])) if both.any() else 1.0
        block = csc_array(csc_array(K)[light][:, light] + alike * csc_array(M)[light][:, light])
        held, V = _taken_out(block, light, fe.dofs[rows[light], 0], n)
        left = np.flatnonzero(~np.isin(light, held))
    if light.size and left.size:
        block = csc_array(block[left][:, left])
        more, W = _taken_out(block, light[left], connected_components(block, directed=False)[1], n)
        # each motion leaves the rows of the others at rest
        V, held = csc_array(hstack([V - W @ V[more], W])), np.concatenate([held, more])
    return Idle(held, V, np.setdiff1d(np.arange(n), held))


def idle_of_model(fe: AnyModel) -> IntArray:
    """Return (k, 2) node numbers and components of the dofs without stiffness and mass that modes hold at rest."""
    free = fe.free_rows()
    K, M = (csc_array(A[free][:, free]) for A in (fe.stiffness(), fe.mass()))
    return np.asarray(fe.dofs[free[idle_dofs(fe, K, M, free).rows]])


def _taken_out(block: csc_array, light: IntArray, piece: IntArray, n: int) -> tuple[IntArray, csc_array]:
    """Return a row for each null motion of the pieces of a block, of whose rows `light` holds the places, and all
    the motions (n, r).
    """
    held, found = [], []
    for members, motions, own in _null_motions(block, np.unique(piece, return_inverse=True)[1]):
        held.append(light[members[own]])
        found += [(light[members[there]], v[there]) for v in motions.T for there in [np.flatnonzero(v)]]
    indices = np.concatenate([np.empty(0, dtype=np.int64), *(row for row, _ in found)])
    indptr = np.concatenate([[0], np.cumsum([row.size for row, _ in found])]).astype(np.int64)
    data = np.concatenate([np.empty(0), *(value for _, value in found)])
    rows = np.concatenate([np.empty(0, dtype=np.int64), *held])
    return rows, csc_array((data, indices, indptr), shape=(n, rows.size))


def _null_motions(block: csc_array, piece: IntArray) -> Iterator[tuple[IntArray, Array, IntArray]]:
    """Yield rows (s,) of a piece, its null motions (s, k) and the row each has alone; piece (n,) numbers from 0."""
    from floatframe.modal.analysis.null_space import localised, null_space  # compiled code loads only here

    diagonal = block.diagonal()
    scale = np.where(diagonal > 0.0, 1.0 / np.sqrt(np.where(diagonal > 0.0, diagonal, 1.0)), 1.0)
    scaled = csc_array(diags_array(scale) @ block @ diags_array(scale))
    size = np.bincount(piece)
    order = np.argsort(piece, kind="stable")
    first = np.cumsum(size) - size
    place = np.empty(piece.size, dtype=np.int64)
    place[order] = np.arange(piece.size) - first[piece[order]]
    entry = scaled.tocoo()
    row, column = entry.coords
    inside = piece[row] == piece[column]
    row, column, value = row[inside], column[inside], entry.data[inside]
    for s in np.unique(size):
        some = np.flatnonzero(size == s)
        members = order[first[some][:, None] + np.arange(s)]
        if s > _DENSE:
            for rows in members:
                motions, own = localised(null_space(csc_array(scaled[rows][:, rows])) * scale[rows, None])
                yield rows, motions, own
            continue
        number = np.full(size.size, -1, dtype=np.int64)
        number[some] = np.arange(some.size)
        mine = number[piece[row]] >= 0
        A = np.zeros((some.size, s, s))
        A[number[piece[row[mine]]], place[row[mine]], place[column[mine]]] = value[mine]
        weight, vector = np.linalg.eigh(A)
        for k in np.flatnonzero(weight[:, 0] < _NOTHING):
            motions, own = localised(vector[k][:, weight[k] < _NOTHING] * scale[members[k], None])
            yield members[k], motions, own


def idle_note(table: IntArray) -> str:
    """Say which dofs (k, 2), node numbers and components, are held because they are idle: how many, the first few."""
    by_node: dict[int, list[str]] = {}
    for node, part in table[np.lexsort((table[:, 1], table[:, 0]))].tolist():
        by_node.setdefault(node, []).append(DOF_NAMES[part])
    first = [f"{', '.join(parts)} of node {node}" for node, parts in list(by_node.items())[:_NAMED]]
    rest = len(by_node) - len(first)
    more = f" and of {rest} more nodes" if rest else ""
    dofs, are = ("dof", "is") if len(table) == 1 else ("dofs", "are")
    return f"{len(table)} {dofs} without stiffness and mass {are} held at rest: {'; '.join(first)}{more}"
