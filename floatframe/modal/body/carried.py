"""What loads at single nodes of a body do that its shapes cannot follow.

A load f on a node moves the model by its flexibility A, f^T A f. The shapes follow with the flexibility of their own
pencil; the rest is missing whatever else the body does, because static shapes carry the motion of the interface
exactly and rigid motion belongs to the frame. So one number per node says what the finite element model would do,
and any choice of shapes can be measured by it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from floatframe.arrays import Array, IntArray, short_repr, skew
from floatframe.fem import rigid_motion
from floatframe.modal.body.inertia import InertiaConstants
from floatframe.modal.lanczos import reduced_modes

_INTERFACE = 1e-9  # singular value, over the largest, of interface motion that counts as none


@short_repr
@dataclass(frozen=True)
class NodalFlexibility:
    """Static displacements of the finite element model at each node under a load there; arrays (nnode,).

    force: sum of the displacements along x, y, z, each under a unit force along it [m/N]; moment: the same of rotations
    under unit moments [rad/(N m)]. NaN where a node has no dofs of its own. The interface is held, or the body is
    free and inertia forces balance the load.
    """

    force: Array
    moment: Array
    interface_held: bool

    def extended(self, n: int) -> NodalFlexibility:
        """Return the same with n further nodes of which nothing is known."""
        more = np.full(n, np.nan)
        force, moment = np.append(self.force, more), np.append(self.moment, more)
        return NodalFlexibility(force, moment, self.interface_held)


@short_repr
@dataclass(frozen=True)
class Missing:
    """What the shapes lack of static displacements under loads at some nodes; arrays (k, 2) for force and moment.

    Both are sums over three directions, so that the soft ones decide. NaN where the model's flexibility is unknown.
    """

    nodes: IntArray  # (k,) numbers
    model: Array  # displacement of the model [m/N], [rad/(N m)]
    missing: Array  # part of it that the shapes do not have

    @property
    def share(self) -> Array:
        """Missing part (k, 2) of the static displacement, from 0 to 1; an interface dof, which is held, misses none."""
        still = self.model <= 0.0
        return np.where(still, 0.0, np.clip(self.missing / np.where(still, 1.0, self.model), 0.0, 1.0))


class Shaped(Protocol):
    """What is taken of a reduced body, see there."""

    @property
    def nodes(self) -> Array: ...
    @property
    def shapes(self) -> Array: ...
    @property
    def mass(self) -> Array: ...
    @property
    def stiffness(self) -> Array: ...
    @property
    def interface(self) -> IntArray: ...
    @property
    def supports(self) -> IntArray: ...
    @property
    def inertia(self) -> InertiaConstants: ...
    @property
    def flexibility(self) -> NodalFlexibility | None: ...
    def node_index(self, ids: IntArray, /) -> IntArray: ...


def missing_flexibility(body: Shaped, nodes: IntArray) -> Missing | None:
    """What `ReducedBody.missing_flexibility` does."""
    known = body.flexibility
    if known is None:
        return None
    rows = body.node_index(nodes)
    value, frame, T = held_modes(body, known.interface_held)
    elastic = value > 0.0
    motion = np.asarray(body.shapes).reshape(len(body.nodes), 6, -1)[rows] @ T[:, elastic]
    if len(frame):
        motion = motion + rigid_motion(body.nodes[rows]) @ frame[:, elastic]
    carried = (motion**2 / value[elastic]).sum(axis=2).reshape(-1, 2, 3).sum(axis=2)
    model = np.column_stack([known.force, known.moment])[rows]
    return Missing(nodes, model, model - carried)


def held_modes(body: Shaped, interface_held: bool = True) -> tuple[Array, Array, Array]:
    """Return eigenvalues (k,) of the body with all interface dofs held or none, and its mass-normalised modes.

    These are a motion (6, k) of the frame, (0, k) if the shapes hold rigid motions or supports hold the frame, and
    the amplitudes (nmode, k) of the shapes.
    """
    import scipy.linalg  # bodies are read by commands that need none of it

    M, K = body.mass, body.stiffness
    rows = 6 * body.node_index(body.interface[:, 0]) + body.interface[:, 1]
    at = np.asarray(body.shapes)[rows]
    moves = 0
    if not len(body.supports) and (reduced_modes(M, K)[0] > 0.0).all():
        J, moves = body.inertia, 6
        lever = -skew(J.rho)
        frame = np.block([[J.m * np.eye(3), lever], [lever.T, J.rhorho]])
        coupling = np.vstack([J.H, J.rhoH])
        M = np.block([[frame, coupling], [coupling.T, M]])
        K = scipy.linalg.block_diag(np.zeros((6, 6)), K)
        at = np.hstack([rigid_motion(body.nodes).reshape(-1, 6)[rows], at])
    free = np.eye(len(M))
    if interface_held and len(at):
        size = np.sqrt((at**2).sum(axis=0))
        size[size == 0.0] = 1.0
        free = scipy.linalg.null_space(at / size, rcond=_INTERFACE) / size[:, None]
    if not free.shape[1]:
        return np.empty(0), np.empty((moves, 0)), np.empty((len(body.mass), 0))
    value, T = reduced_modes(free.T @ M @ free, free.T @ K @ free)
    T = free @ T
    return value, T[:moves], T[moves:]
