"""Lumped masses at the ends of rigid arms."""

from __future__ import annotations

import numpy as np

from floatframe.arrays import Array, skew


def rigid_masses(mass: Array, inertia: Array, arms: Array) -> Array:
    """Return the lumped mass of elements whose nodes carry rigid masses on arms.

    mass (nel, nnode), moments of inertia (nel, nnode, 3) about the model axes, arms (nel, nnode, 3) from the nodes to
    the masses. Diagonal (nel, 6 nnode) where there are no arms, else (nel, 6 nnode, 6 nnode), one block for each node.
    """
    nel, n = mass.shape
    diagonal = np.concatenate([np.repeat(mass[:, :, None], 3, axis=2), inertia], axis=2).reshape(nel, 6 * n)
    if not arms.any():
        return diagonal
    matrices = diagonal[:, :, None] * np.eye(6 * n)
    arm = skew(arms)
    coupling = mass[:, :, None, None] * arm
    for node in range(n):
        u, r = slice(6 * node, 6 * node + 3), slice(6 * node + 3, 6 * node + 6)
        matrices[:, u, r] -= coupling[:, node]
        matrices[:, r, u] += coupling[:, node]
        matrices[:, r, r] -= coupling[:, node] @ arm[:, node]
    return matrices


def without_rotary_inertia(mass: Array, instead: Array | None = None) -> Array:
    """Return lumped masses of such elements (see `rigid_masses`) as those of points at the ends of the arms.

    instead (nel, 3, 3): inertia that the points have all the same.
    """
    mass = mass.copy() if instead is None or mass.ndim == 3 else mass[:, :, None] * np.eye(mass.shape[1])
    n = mass.shape[1] // 6
    for node in range(n):
        u, r = slice(6 * node, 6 * node + 3), slice(6 * node + 3, 6 * node + 6)
        if mass.ndim == 2:
            mass[:, r] = 0.0
            continue
        coupling, size = mass[:, u, r], mass[:, 6 * node, 6 * node]
        square = coupling.swapaxes(1, 2) @ coupling
        mass[:, r, r] = square / np.where(size > 0.0, size, 1.0)[:, None, None]
        if instead is not None:
            mass[:, r, r] += instead
    return mass
