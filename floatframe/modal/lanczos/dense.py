"""Eigenmodes of small dense pencils, as reduced bodies have them; with NumPy, since every machine with one needs them.

Loading `scipy.linalg` takes longer than all else from a body to its machine.
"""

from __future__ import annotations

import numpy as np

from floatframe.arrays import Array

_RIGID = 1e-8  # strain energy below this part of what the columns would store without cancelling is round-off
_MASSLESS = 1e-13  # of the largest eigenvalue of the scaled mass: directions without inertia


def reduced_modes(mass: Array, stiffness: Array) -> tuple[Array, Array]:
    """Return eigenvalues (k,) [rad2/s2], zero for rigid motions, and mass-orthonormal vectors (n, k) of a dense pencil.

    Directions without mass (n - k of them) follow the others without inertia.
    """
    # columns of very different size (unit rotations, unit displacements, normalised modes) are brought to one scale
    diagonal = np.diag(mass)
    scale = 1.0 / np.sqrt(np.where(diagonal > 0, diagonal, 1.0))
    M, K = mass * np.outer(scale, scale), stiffness * np.outer(scale, scale)
    weight, V = np.linalg.eigh((M + M.T) / 2.0)
    heavy = weight > _MASSLESS * weight.max(initial=0.0)
    T, light = V[:, heavy] / np.sqrt(weight[heavy]), V[:, ~heavy]
    if light.shape[1]:
        T = T - light @ np.linalg.solve(light.T @ K @ light, light.T @ K @ T)
    G = T.T @ K @ T
    value, vector = np.linalg.eigh((G + G.T) / 2.0)
    T = T @ vector
    # a rigid motion strains each column by itself, and these strains cancel
    uncancelled = np.einsum("ik,ij,jk->k", np.abs(T), np.abs(K), np.abs(T))
    resolved = value.size * np.finfo(float).eps * np.abs(value).max(initial=0.0)
    return np.where(value <= np.maximum(_RIGID * uncancelled, resolved), 0.0, value), scale[:, None] * T
