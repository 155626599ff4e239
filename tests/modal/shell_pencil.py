"""Matrices with the pattern of a shell."""

from __future__ import annotations

import numpy as np
from scipy.sparse import coo_array, csc_array, eye_array


def shell(nx: int, ny: int, dofs: int = 6, seed: int = 0, hold: float = 1e-3) -> csc_array:
    """An FE-like matrix: quadrilaterals on a grid with random semi-definite element matrices; `hold` adds springs."""
    rng = np.random.default_rng(seed)
    i, j = np.meshgrid(np.arange(nx), np.arange(ny), indexing="ij")
    corner = (i * (ny + 1) + j).ravel()
    nodes = corner[:, None] + np.array([0, 1, ny + 1, ny + 2])
    equations = (nodes[:, :, None] * dofs + np.arange(dofs)).reshape(len(nodes), -1)
    size = 4 * dofs
    B = rng.standard_normal((len(nodes), size // 2, size))
    k = np.swapaxes(B, 1, 2) @ B
    rows, columns = np.repeat(equations, size, axis=1), np.tile(equations, size)
    n = (nx + 1) * (ny + 1) * dofs
    return csc_array(coo_array((k.ravel(), (rows.ravel(), columns.ravel())), shape=(n, n)) + hold * eye_array(n))
