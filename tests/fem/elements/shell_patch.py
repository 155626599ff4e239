"""A patch of irregular quadrilaterals, static solutions and stress resultants of shells."""

from __future__ import annotations

import numpy as np
from scipy.sparse.linalg import splu

from floatframe.fem import FEModel

PATCH = np.array(
    [[0, 0], [0.24, 0], [0.24, 0.12], [0, 0.12], [0.04, 0.02], [0.18, 0.03], [0.16, 0.08], [0.08, 0.08]], dtype=float
)

QUADS = np.array([[0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7], [4, 5, 6, 7]])


def solve(fe: FEModel, fixed, force: np.ndarray, given: np.ndarray | None = None) -> np.ndarray:
    K, free = fe.stiffness(), fe.free_rows(fixed)
    x = np.zeros(fe.ndof) if given is None else fe.project_load(given)
    x[free] = 0.0
    x[free] = splu(K[free][:, free].tocsc()).solve((fe.project_load(force) - K @ x)[free])
    return fe.expand(x)


def resultants(fe: FEModel, u: np.ndarray) -> np.ndarray:
    block = fe.blocks[0]
    _, batch = next(block.batches(fe.nodes))
    return block.element.resultants(batch, u[block.connectivity].reshape(len(block), -1))
