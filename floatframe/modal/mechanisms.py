"""Motions a finite element model can make without any elastic force: which nodes move, and how.

The stiffness is scaled to unit diagonal; its null space is found by inverse iteration with a tiny shift. Rigid motions
of unconnected parts are told apart from mechanisms inside a part.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import scipy.linalg
from scipy.sparse import csc_array, diags_array, eye_array
from scipy.sparse.csgraph import connected_components

from floatframe.arrays import Array, IntArray
from floatframe.fem.dofs import DOF_NAMES
from floatframe.fem.nodal import DofSpec, rigid_motion
from floatframe.modal.substructures import factorize

if TYPE_CHECKING:
    from floatframe.fem.model import FEModel

_SHIFT = 1e-11  # of the unit diagonal: far below any elastic value, far above round-off
_ZERO = 1e-14  # Rayleigh quotients of null vectors end at round-off, a few 1e-16
_MOST = 96  # null vectors looked for at once in one part
_SEEN = 1e-3  # of the largest motion: what counts as moving
_SAME = 1e-6  # sine or versine of the angle between two motions that count as one


@dataclass(frozen=True)
class Mechanism:
    """One free motion: `shape` (nnode, 6), the node numbers that move, and whether they move as one rigid part.

    whole: together with the motions that are not, it makes a rigid motion of the model as one body, which a free body
    has by right.
    """

    shape: Array
    nodes: IntArray
    rigid: bool
    description: str
    whole: bool = False

    def __str__(self) -> str:
        return self.description


def find_mechanisms(fe: FEModel, fixed: DofSpec = ()) -> list[Mechanism]:
    """Return all motions without elastic force that the supports allow, rigid ones of whole parts first."""
    free = fe.free_rows(fixed)
    K = csc_array(fe.stiffness()[free][:, free])
    R = fe.rigid_shapes(fe.nodes.mean(axis=0))[free]
    count, part = connected_components(K, directed=False)
    sizes = np.bincount(part, minlength=count)
    rigid: list[Mechanism] = []
    inner: list[Mechanism] = []
    for number in np.argsort(-sizes, kind="stable"):
        rows = np.flatnonzero(part == number)
        whole, local = _null_vectors(csc_array(K[rows][:, rows]), R[rows])
        for basis, found, is_rigid in ((whole, rigid, True), (local, inner, False)):
            for vector in basis.T:
                x = np.zeros(fe.ndof)
                x[free[rows]] = vector
                found.append(_described(fe, fe.expand(x), is_rigid))
    return _whole_marked(fe, rigid + inner)


def _whole_marked(fe: FEModel, found: list[Mechanism]) -> list[Mechanism]:
    """Mark motions that add nothing to the rigid motions of the model as one body and to those of smaller parts."""
    if not found:
        return found
    size = float(np.ptp(fe.nodes, axis=0).max()) or 1.0
    slots = fe.dof_table.slots
    unit = np.where(slots % 6 < 3, 1.0, size)[:, None]
    motions, _, rank = _orthonormal(rigid_motion(fe.nodes, fe.nodes.mean(axis=0)).reshape(-1, 6)[slots] * unit)
    shapes = np.stack([motion.shape.ravel()[slots] for motion in found], axis=1) * unit
    span, _, _ = _orthonormal(shapes)
    # rigid motions of the model that nothing resists lie in both spaces
    turn, cosine, _ = scipy.linalg.svd(span.T @ motions[:, :rank], full_matrices=False)
    known = span @ turn[:, cosine > 1.0 - _SAME]
    marked = []
    for motion, shape in zip(reversed(found), shapes.T[::-1], strict=True):
        rest = shape - known @ (known.T @ shape)
        rest -= known @ (known.T @ rest)
        whole = bool(scipy.linalg.norm(rest) < _SAME * scipy.linalg.norm(shape))
        if not whole:
            known = np.column_stack([known, rest / scipy.linalg.norm(rest)])
        marked.append(replace(motion, whole=whole))
    return marked[::-1]


def _null_vectors(K: csc_array, R: Array) -> tuple[Array, Array]:
    """Return rigid (n, a) and other (n, b) null vectors of the stiffness of one connected part."""
    d = K.diagonal()
    scale = np.ones_like(d)
    scale[d > 0] = 1.0 / np.sqrt(d[d > 0])
    Ks = csc_array(diags_array(scale) @ K @ diags_array(scale))
    # rigid motions of the part: the null space of the stiffness seen by them
    Rs = R / scale[:, None]
    Q, _, rank = _orthonormal(Rs)
    Q = Q[:, :rank]
    value, vector = scipy.linalg.eigh(Q.T @ (Ks @ Q))
    rigid = Q @ vector[:, value < _ZERO]
    other = _null_space(Ks, rigid)
    return rigid * scale[:, None], _localised(other * scale[:, None])


def _null_space(Ks: csc_array, known: Array) -> Array:
    """Return an orthonormal basis of the null space of Ks that is orthogonal to the known null vectors (n, k)."""
    n = Ks.shape[0]
    if n <= known.shape[1]:
        return np.empty((n, 0))
    F = factorize(csc_array(Ks + _SHIFT * eye_array(n)))
    generator = np.random.default_rng(0)
    size = min(8, n - known.shape[1])
    while True:
        X = generator.standard_normal((n, size))
        for _ in range(3):
            X = F.solve(X - known @ (known.T @ X))
            X, _, _ = _orthonormal(X - known @ (known.T @ X))
        value, vector = scipy.linalg.eigh(X.T @ (Ks @ X))
        null = value < _ZERO
        if not null.all() or size >= min(_MOST, n - known.shape[1]):
            return X @ vector[:, null]
        size = min(4 * size, _MOST, n - known.shape[1])


def _orthonormal(X: Array) -> tuple[Array, Array, int]:
    Q, T, pivot = scipy.linalg.qr(X, mode="economic", pivoting=True)
    diagonal = np.abs(np.diag(T))
    return Q, pivot, int((diagonal > 1e-10 * diagonal.max(initial=0.0)).sum())


def _localised(X: Array) -> Array:
    """Return a basis of the same space whose vectors touch as few freedoms as possible."""
    if X.shape[1] == 0:
        return X
    _, _, pivot = scipy.linalg.qr(X.T, mode="economic", pivoting=True)
    local = X @ scipy.linalg.inv(X[pivot[: X.shape[1]]])
    local[np.abs(local) < 1e-9 * np.abs(local).max(axis=0)] = 0.0
    return local


def _described(fe: FEModel, shape: Array, rigid: bool) -> Mechanism:
    """Say in words which nodes move and how."""
    size = float(np.ptp(fe.nodes, axis=0).max()) or 1.0
    motion = shape * np.r_[np.ones(3), np.full(3, size)]
    amount = np.abs(motion).max(axis=1)
    shape = shape / max(amount.max(), np.finfo(float).tiny)
    moving = np.flatnonzero(amount > _SEEN * amount.max())
    nodes = fe.node_ids[moving]
    most = int(moving[np.argmax(amount[moving])])
    strongest = np.flatnonzero(np.abs(motion[most]) > 0.5 * amount[most])
    how = ", ".join(DOF_NAMES[k] for k in strongest)
    if moving.size == 1:
        text = f"node {nodes[0]} moves freely in {how}"
    elif rigid:
        part = "the whole model" if moving.size == fe.nnode else f"a part of {moving.size} nodes with node {nodes[0]}"
        text = f"{part} moves freely as a rigid body (most in {how} of node {fe.node_ids[most]})"
    else:
        listed = ", ".join(str(node) for node in nodes[:6]) + (" …" if nodes.size > 6 else "")
        text = f"{nodes.size} nodes ({listed}) move without resistance, most in {how} of node {fe.node_ids[most]}"
    return Mechanism(shape, nodes, rigid, text)
