"""The nine inertia constants of a flexible body in its floating frame (Mikheev 2004, §2.2).

With node masses m_k at ρ_k, rotary inertia J_k and shape rows H_k^r = [h_k1, h_k2, …], H_k^φ they are the sums

    m = Σ m_k                     ρ  = Σ m_k ρ_k                          H  = Σ m_k H_k^r
    ρH = Σ m_k ρ̃_k H_k^r + J_k H_k^φ                                      hH[i] = Σ m_k h̃_ki H_k^r
    HH = Σ m_k H_k^rᵀ H_k^r + H_k^φᵀ J_k H_k^φ                            ρρ = Σ m_k ρ̃_kᵀ ρ̃_k + J_k
    ρh[i] = Σ m_k ρ̃_k h̃_ki        hh[i,j] = Σ m_k h̃_ki h̃_kj

Everything follows from second moments Σ m a bᵀ, because ã b̃ = b aᵀ - (a·b) E and a × b is their skew part.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from floatframe.arrays import Array, SparseMatrix, short_repr, skew
from floatframe.errors import ModelError

if TYPE_CHECKING:
    from floatframe.fem import AnyModel

_CHUNK = 4096  # nodes summed at once, so that mapped shapes are never copied as a whole
_AT_ONCE = 8  # shapes whose three rotated fields are multiplied by the consistent mass at once


@short_repr
@dataclass(frozen=True)
class InertiaConstants:
    """The nine constants, body axes, SI units; n is the number of shapes."""

    m: float
    rho: Array  # (3,)
    H: Array  # (3, n)
    rhoH: Array  # (3, n)  # noqa: N815  (named as in the theory)
    hH: Array  # (n, 3, n)  # noqa: N815
    HH: Array  # (n, n)
    rhorho: Array  # (3, 3)
    rhoh: Array  # (n, 3, 3)
    hh: Array  # (n, n, 3, 3)

    @property
    def com(self) -> Array:
        """Centre of mass (3,) of the undeformed body [m]."""
        return self.rho / self.m if self.m else np.zeros(3)

    @property
    def inertia_about_com(self) -> Array:
        """Inertia tensor (3, 3) of the undeformed body about its centre of mass [kg m2]."""
        arm = skew(self.com)
        return self.rhorho + self.m * arm @ arm

    def transformed(self, T: Array) -> InertiaConstants:
        """Return the constants of the shapes H T, for T (n, k)."""
        hH = np.tensordot(T, self.hH, axes=(0, 0)) @ T
        hh = np.tensordot(T, np.tensordot(T, self.hh, axes=(0, 1)), axes=(0, 1))
        rhoh = np.tensordot(T, self.rhoh, axes=(0, 0))
        HH = T.T @ self.HH @ T
        return InertiaConstants(self.m, self.rho, self.H @ T, self.rhoH @ T, hH, HH, self.rhorho, rhoh, hh)


def nodal_inertia_constants(
    nodes: Array, shapes: Array, mass: Array, inertia: Array, offset: Array | None = None
) -> InertiaConstants:
    """Return the constants of rigid pieces fixed to nodes.

    nodes (nnode, 3) [m]; shapes (6 nnode, n); mass (nnode,) [kg]; inertia (nnode, 3, 3) about the centre of each
    piece [kg m2]; offset (nnode, 3) from node to centre [m].
    """
    nnode, n = len(nodes), shapes.shape[1]
    if shapes.shape[0] != 6 * nnode:
        raise ModelError(f"shapes have {shapes.shape[0]} rows, expected 6 for each of {nnode} nodes.")
    arm = np.zeros((nnode, 3)) if offset is None else offset
    centre = nodes + arm
    by_node = shapes.reshape(nnode, 6, n)
    first, with_rotation = np.zeros((3, n)), np.zeros((3, n))
    cross, rotary = np.zeros((3, 3, n)), np.zeros((n, n))
    products = np.zeros((3, 3, n, n))
    for start in range(0, nnode, _CHUNK):
        part = slice(start, start + _CHUNK)
        block = np.ascontiguousarray(by_node[part])
        m, J, c = mass[part], inertia[part], centre[part]
        turn = block[:, 3:]
        move = block[:, :3]
        if arm[part].any():
            move = move - skew(arm[part]) @ turn  # a rigid arm carries the centre of the piece
        weighted = m[:, None, None] * move
        first += weighted.sum(axis=0)
        cross += np.tensordot(c, weighted, axes=(0, 0))
        spin = J @ turn
        with_rotation += spin.sum(axis=0)
        rotary += np.tensordot(turn, spin, axes=((0, 1), (0, 1)))
        for p in range(3):
            for q in range(p, 3):
                products[p, q] += move[:, p].T @ weighted[:, q]
    for p, q in ((0, 1), (0, 2), (1, 2)):
        products[q, p] = products[p, q].T
    second = np.einsum("k,kp,kq->pq", mass, centre, centre)
    return InertiaConstants(
        m=float(mass.sum()),
        rho=mass @ centre,
        H=first,
        rhoH=_cross(cross) + with_rotation,
        hH=np.moveaxis(_cross(products), 0, 1),
        HH=products[0, 0] + products[1, 1] + products[2, 2] + rotary,
        rhorho=np.trace(second) * np.eye(3) - second + inertia.sum(axis=0),
        rhoh=_double_skew(cross),
        hh=_double_skew(products),
    )


def exact_inertia_constants(fe: AnyModel, shapes: Array, mass: SparseMatrix | None = None) -> InertiaConstants:
    """Return the constants of shapes (6 nnode, n) from the consistent mass of the elements.

    mass: `fe.assembled("consistent")`, if it is at hand.

    Node velocities of the turning, deforming body are put into the element mass matrices. For solids this is the exact
    integral; for beams and shells so are the six constants without a product of two shapes or of place and shape.
    """
    from scipy.sparse import csc_array  # machines take bodies as they are, and need none of these

    from floatframe.modal.factor import multiply

    slots = fe.dof_table.slots
    M = fe.assembled("consistent") if mass is None else mass
    X = np.asarray(shapes)[slots]
    n = X.shape[1]
    rigid = fe.rigid_motions()
    M_rigid, MX = multiply(M, rigid), multiply(M, X)
    body = rigid.T @ M_rigid
    coupling = rigid.T @ MX
    # a turning body moves deformed nodes along, it does not turn them further: translations alone remain
    rows = np.flatnonzero((slots % 6 < 3) & fe.placed[slots // 6])
    nodes = np.unique(slots[rows] // 6)
    # where these rows stand among three for each of their nodes: matrices may lack some
    among = 3 * np.searchsorted(nodes, slots[rows] // 6) + slots[rows] % 6
    lacking = among.size < 3 * nodes.size
    move = np.asarray(shapes).reshape(fe.nnode, 6, n)[nodes, :3]
    x, y, z = np.ascontiguousarray(move.swapaxes(0, 1))
    M_move, M_turn, MX_move = csc_array(M[rows][:, rows]), M_rigid[rows, 3:], MX[rows]
    rhoh, hH, hh = np.empty((n, 3, 3)), np.empty((n, 3, n)), np.empty((n, n, 3, 3))
    for start in range(0, n, _AT_ONCE):
        part = slice(start, min(start + _AT_ONCE, n))
        k = part.stop - part.start
        turned = _turned(move[:, :, part])
        turned = np.asfortranarray(turned[among]) if lacking else turned
        rhoh[part] = -(M_turn.T @ turned).reshape(3, k, 3).swapaxes(0, 1)
        hH[part] = (turned.T @ MX_move).reshape(k, 3, n)
        # f · (e × h) = e · (h × f) for nodal forces f: six products with all shapes are enough
        forces = multiply(M_move, turned)
        if lacking:
            whole = np.zeros((3 * nodes.size, 3 * k))
            whole[among] = forces
            forces = whole
        fx, fy, fz = forces.reshape(-1, 3, 3 * k).swapaxes(0, 1)
        cross = np.stack([y.T @ fz - z.T @ fy, z.T @ fx - x.T @ fz, x.T @ fy - y.T @ fx])
        hh[part] = -cross.reshape(3, n, k, 3).transpose(2, 1, 3, 0)
    # translation and rotation are coupled by -m skew(com)
    rho = np.array([body[1, 5] - body[2, 4], body[2, 3] - body[0, 5], body[0, 4] - body[1, 3]]) / 2.0
    m = float(np.trace(body[:3, :3])) / 3.0
    HH = X.T @ MX
    return InertiaConstants(m, rho, coupling[:3], coupling[3:], hH, (HH + HH.T) / 2.0, body[3:, 3:], rhoh, hh)


def _turned(move: Array) -> Array:
    """Return (3 nnode, 3k): translations of shapes (nnode, 3, k) under unit rotation rates of the body."""
    field = -skew(move.swapaxes(1, 2)).swapaxes(1, 2)  # node, axis, shape, rate
    return np.asfortranarray(field.reshape(3 * len(move), -1))


def _cross(moments: Array) -> Array:
    """Return Σ m a × b (3, …) from second moments Σ m a_p b_q (3, 3, …)."""
    return np.stack([moments[1, 2] - moments[2, 1], moments[2, 0] - moments[0, 2], moments[0, 1] - moments[1, 0]])


def _double_skew(moments: Array) -> Array:
    """Return Σ m ã b̃ (…, 3, 3) from second moments Σ m a_p b_q (3, 3, …)."""
    trace = moments[0, 0] + moments[1, 1] + moments[2, 2]
    return np.moveaxis(moments.swapaxes(0, 1), (0, 1), (-2, -1)) - trace[..., None, None] * np.eye(3)
