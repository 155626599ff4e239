"""Second-order motion of all nodes of a flexible body (docs/theory/geometric-stiffness.md, "All nodes").

Geometric terms give how far the dofs of the interface move to second order, g_s(w) = -½ wᵀ G_s w. The other nodes are
seen to follow with the least strain energy: u₂ = H c + r, a motion c in its own shapes and a rigid one r, equal to
g at the interface, so that no node jumps against its neighbours. It is a motion without stress: stresses belong to the
linear field H w alone. Forces at other nodes act on the linear motion, because static shapes know u₂ between the
interface nodes too roughly for the stiffness that such forces would get from it.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from floatframe.arrays import Array, IntArray, skew
from floatframe.modal import ReducedBody

_INDEPENDENT = 1e-9  # of the largest motion of the interface: less than that is the round-off of another one


class SecondOrder:
    """Second-order motion of the nodes of an orthonormalised body that has geometric terms."""

    def __init__(self, body: ReducedBody) -> None:
        if body.geometric is None:
            raise ValueError(f"body '{body.name}' has no geometric terms")
        self.body, self._terms = body, body.geometric.interface

    @cached_property
    def _follow(self) -> Array:
        return following(self.body)

    def coordinates(self, w: Array) -> tuple[Array, Array]:
        """Return c (m, n) in the shapes and rigid r (m, 6), shift and turn about the origin, at w (m, n)."""
        g = np.zeros((len(w), len(self._terms)))
        for s, G in enumerate(self._terms):
            g[:, s] = -0.5 * np.einsum("mi,mi->m", w @ G, w)
        both = g @ self._follow.T
        return both[:, : self.body.nmode], both[:, self.body.nmode :]

    def known(self, node: int) -> bool:
        """Whether the terms know all six motions of a node."""
        return len(self._own(node)) == 6

    def acting(self, node: int) -> Array | None:
        """Return the matrices of a node for what acts there, as [j, k, i] (n, 6, n): motion k is -½ wᵀ G_k w.

        They are zero for dofs that the interface does not have; None for a node that is not of it.
        """
        return self._put(np.zeros((6, self.body.nmode, self.body.nmode)), node) if len(self._own(node)) else None

    def seen(self, node: int) -> Array:
        """Return the matrices of a node, any, by which it is seen to move; in the same order."""
        row = int(self.body.node_index([node])[0])
        rows = np.hstack([self.body.shapes[6 * row : 6 * row + 6], rigid_rows(self.body.nodes[row])])
        return self._put(np.tensordot(rows @ self._follow, self._terms, axes=1), node)

    def _own(self, node: int) -> IntArray:
        return np.flatnonzero(np.asarray(self.body.interface)[:, 0] == node)

    def _put(self, G: Array, node: int) -> Array:
        """Put the known matrices of a node among its six (6, n, n)."""
        own = self._own(node)
        G[np.asarray(self.body.interface)[own, 1]] = self._terms[own]
        return np.ascontiguousarray(np.transpose(G, (1, 0, 2)))


def rigid_rows(point: Array) -> Array:
    """Return how a point (3,) moves and turns (6, 6) with six rigid motions, shifts and turns about the origin."""
    return np.block([[np.eye(3), -skew(point)], [np.zeros((3, 3)), np.eye(3)]])


def following(body: ReducedBody) -> Array:
    """Return the motion (n + 6, k) of least strain energy, in shapes and rigid, for k unit motions of the interface.

    Rotations count as displacements at the end of an arm as long as the body, so that one measure serves all rows.
    """
    table = np.asarray(body.interface)
    rows = body.node_index(table[:, 0])
    H = body.shapes[6 * rows + table[:, 1]]  # (k, n)
    R = np.array([rigid_rows(body.nodes[row])[part] for row, part in zip(rows, table[:, 1], strict=True)])
    length = float(np.linalg.norm(np.ptp(body.nodes, axis=0))) or 1.0
    weight = np.where(table[:, 1] < 3, 1.0, length)[:, None]
    value, vectors = np.linalg.eigh(body.stiffness)
    soft = vectors / np.sqrt(value)  # shapes of unit strain energy
    hold = np.linalg.pinv(weight * R, rcond=_INDEPENDENT)
    bent = weight * (H @ soft)
    strained = bent - weight * R @ (hold @ bent)
    unit = np.diag(weight[:, 0])
    c = soft @ np.linalg.pinv(strained, rcond=_INDEPENDENT) @ (unit - weight * R @ (hold @ unit))
    return np.vstack([c, hold @ (unit - weight * (H @ c))])
