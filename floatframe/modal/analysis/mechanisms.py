"""Motions a finite element model can make without any elastic force: which nodes move, and how.

The stiffness is scaled to unit diagonal; its null space is found by inverse iteration with a tiny shift. Rigid motions
of unconnected parts are distinguished from mechanisms inside a part.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import scipy.linalg
from scipy.sparse import csc_array, diags_array, eye_array
from scipy.sparse.csgraph import connected_components

from floatframe.arrays import Array, IntArray, short_repr
from floatframe.fem import DOF_NAMES, DofSpec, rigid_motion
from floatframe.modal.analysis.null_space import MOST, localised, null_space, orthonormal
from floatframe.modal.lanczos import motions_of_parts

if TYPE_CHECKING:
    from floatframe.fem import AnyModel

_SEEN = 1e-3  # of the largest motion: what counts as moving
_SAME = 1e-6  # sine or versine of the angle between two motions that count as one


@short_repr
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


def find_mechanisms(fe: AnyModel, fixed: DofSpec = (), most: int = MOST) -> list[Mechanism]:
    """Return motions without elastic force that the supports allow, rigid ones of the largest parts first.

    A list of `most` motions may be cut off there: hundreds of loose parts have thousands of them.
    """
    free = fe.free_rows(fixed)
    if not free.size:
        return []
    K = csc_array(fe.stiffness()[free][:, free])
    count, part = connected_components(K, directed=False)
    rank = np.empty(count, dtype=np.int64)
    rank[np.argsort(-np.bincount(part, minlength=count), kind="stable")] = np.arange(count)
    d = K.diagonal()
    scale = np.ones_like(d)
    scale[d > 0] = 1.0 / np.sqrt(d[d > 0])
    Ks = csc_array(diags_array(scale) @ K @ diags_array(scale))
    R = fe.rigid_shapes(fe.nodes.mean(axis=0))[free]
    loose = motions_of_parts(fe, K, free, rank[part], R)
    known = replace(loose, Z=loose.Z / scale[:, None]).orthonormal(eye_array(free.size, format="csc"))
    inner, _ = localised(null_space(Ks, known) * scale[:, None])
    found: list[Mechanism] = []
    for basis, is_rigid in ((known.shapes(most) * scale[:, None], True), (inner, False)):
        for vector in basis.T[: most - len(found)]:
            x = np.zeros(fe.ndof)
            x[free] = vector
            found.append(_described(fe, fe.expand(x), is_rigid))
    return _whole_marked(fe, found)


def _whole_marked(fe: AnyModel, found: list[Mechanism]) -> list[Mechanism]:
    """Mark motions that add nothing to the rigid motions of the model as one body and to those of smaller parts."""
    if not found:
        return found
    size = float(np.ptp(fe.nodes, axis=0).max()) or 1.0
    slots = fe.dof_table.slots
    unit = np.where(slots % 6 < 3, 1.0, size)[:, None]
    motions, _, rank = orthonormal(rigid_motion(fe.nodes, fe.nodes.mean(axis=0)).reshape(-1, 6)[slots] * unit)
    shapes = np.stack([motion.shape.ravel()[slots] for motion in found], axis=1) * unit
    span, _, _ = orthonormal(shapes)
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


def _described(fe: AnyModel, shape: Array, rigid: bool) -> Mechanism:
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
