"""Linear analysis of a network, machines in it included: small motions about a state.

M z'' + D z' + K z = 0 with the potentials' displacements z; electric, thermal and hydraulic unknowns live in z', so
that eigenvalues of zero belong to displacements that nothing depends on, and are left out.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import eig

from floatframe.arrays import Array, short_repr
from floatframe.network.compiled import CompiledNetwork
from floatframe.network.equations import Equations

INFINITE = 1e12  # over the size of the others: eigenvalues of constraints
ZERO = 1e-9  # over the largest finite one


@short_repr
@dataclass(frozen=True, eq=False)
class NetworkModes:
    """Eigenvalues [1/s] by rising size, one of each conjugate pair, and shapes (n, nmode) of velocities."""

    eigenvalues: Array
    shapes: Array
    names: tuple[str, ...]

    @property
    def frequency(self) -> Array:
        """Frequencies [Hz] of the oscillations; 0 of what decays without one."""
        return np.abs(self.eigenvalues.imag) / (2.0 * np.pi)

    @property
    def damping(self) -> Array:
        """Damping ratios; 1 of what decays without oscillation."""
        size = np.abs(self.eigenvalues)
        return np.where(size > 0.0, -self.eigenvalues.real / np.where(size > 0.0, size, 1.0), 0.0)


def linearise(network: CompiledNetwork, y: Array, t: float) -> NetworkModes:
    """Return eigenvalues and shapes about unknowns y (3, n + 1)."""
    equations = Equations(network)
    _, outs = equations.residual(y, t)
    n = network.n
    K, D, M = (
        _dense(equations.pattern.matrix(equations.data(y, t, outs, *factors)))
        for factors in ((1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.0, 1.0, 0.0))
    )
    # equations and unknowns of all physics at one size: eigenvalues do not change, rounding does
    size = np.abs(K) + np.abs(D) + np.abs(M)
    rows = 1.0 / np.maximum(size.max(axis=1), 1e-300)
    columns = 1.0 / np.maximum((rows[:, None] * size).max(axis=0), 1e-300)
    K, D, M = (rows[:, None] * one * columns for one in (K, D, M))
    eye, none = np.eye(n), np.zeros((n, n))
    values, vectors = eig(np.block([[none, eye], [-K, -D]]), np.block([[eye, none], [none, M]]))
    finite = np.isfinite(values) & (np.abs(values) < INFINITE)
    if not finite.any():
        return NetworkModes(np.zeros(0, complex), np.zeros((n, 0), complex), tuple(equations.names))
    largest = float(np.abs(values[finite]).max())
    kept = np.flatnonzero(finite & (np.abs(values) > ZERO * largest) & (values.imag >= 0.0))
    kept = kept[np.argsort(np.abs(values[kept]), kind="stable")]
    shapes = columns[:, None] * vectors[n:, kept]
    shapes /= np.maximum(np.abs(shapes).max(axis=0), 1e-300)
    return NetworkModes(values[kept], shapes, tuple(equations.names))


def _dense(matrix: object) -> Array:
    return np.asarray(matrix.toarray() if hasattr(matrix, "toarray") else matrix)
