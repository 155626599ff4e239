"""Small dense-free solvers for the verification problems."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from scipy.sparse.linalg import eigsh, splu

from floatframe.arrays import Array
from floatframe.fem import FEModel
from floatframe.fem.model import DofSpec


def static(fe: FEModel, force: Array, fixed: DofSpec = (), given: Array | None = None) -> Array:
    """Return displacements (nnode, 6) under nodal forces (nnode, 6).

    The dofs named by `fixed` take the values of `given` (nnode, 6), zero if not given.
    """
    K, free = fe.stiffness(), fe.free_rows(fixed)
    x = np.zeros(fe.ndof) if given is None else fe.project_load(given)
    x[free] = 0.0
    x[free] = splu(K[free][:, free].tocsc()).solve((fe.project_load(force) - K @ x)[free])
    return fe.expand(x)


def frequencies(fe: FEModel, n: int, fixed: DofSpec = (), rigid: int = 0, mass: str = "consistent") -> Array:
    """Return the first n natural frequencies above the `rigid` zero ones [Hz]."""
    free = fe.free_rows(fixed)
    K, M = (matrix[free][:, free].tocsc() for matrix in (fe.stiffness(), fe.mass(mass)))  # type: ignore[arg-type]
    # a shift below zero keeps the matrix definite when there are rigid-body modes
    shift = -1e-9 * K.diagonal().max() / M.diagonal().max() if rigid else 0.0
    values = eigsh(K, n + rigid, M, sigma=shift, v0=np.ones(free.size), return_eigenvectors=False)
    return np.sqrt(np.sort(values)[rigid:]) / (2.0 * np.pi)


def nodal_load(fe: FEModel, forces: Mapping[int, Mapping[int, float]]) -> Array:
    """Return (nnode, 6) from {node row: {component: value}}."""
    load = np.zeros((fe.nnode, 6))
    for node, parts in forces.items():
        for component, value in parts.items():
            load[node, component] += value
    return load
