"""Linear analysis of a network, machines in it included: small motions about a state.

M z'' + D z' + K z = 0 with the potentials' displacements z; electric, thermal and hydraulic unknowns live in z'. What
nothing depends on is left out: displacements beside the row space of K, whose basis is Q,

    b' = Q' z',   M z'' + D z' + K Q b = 0,   K Q Q' = K

and then motions in which nothing changes, of eigenvalue zero: charges, heat and bodies that nothing holds or damps.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg import eig

from floatframe.arrays import Array, BoolArray, short_repr
from floatframe.errors import ModelError
from floatframe.network.compiled import CompiledNetwork
from floatframe.network.equations import Equations

INFINITE = 1e12  # over the size of the others: eigenvalues of constraints
RANK = 1e-12  # singular value of the stiffness, its rows and columns at one size, over the largest: none
ROUNDING = 1e-12  # change in a motion, of equations with numbers up to 1, that counts as none
NOTHING = 1e-6  # of currents, speeds and the like that count as nothing, when they are compared with potentials
REAL = 1e-10  # imaginary part over modulus that is rounding
CLOSES = 1e-6  # relative distance from the rate at which gaps of joints close
GROWS = 1e-7  # real part over modulus of an eigenvalue above which a motion counts as growing
MOST = 2000  # unknowns, whose dense pencil takes a minute or two
MOST_NAMED = 3  # unknowns of a mode that are listed


@short_repr
@dataclass(frozen=True, eq=False)
class NetworkModes:
    """Eigenvalues [1/s] by rising size, one of each conjugate pair, and shapes (n, nmode) of velocities.

    As of machines: natural frequency |eigenvalue| / 2π, and damping 1 of what dies out without oscillation.
    """

    eigenvalues: Array
    shapes: Array
    names: tuple[str, ...]
    sizes: Array  # (n,) what counts as nothing of each unknown, to compare those of different physics by

    @property
    def frequency(self) -> Array:
        """Natural frequencies [Hz]."""
        return np.asarray(np.abs(self.eigenvalues) / (2.0 * np.pi))

    @property
    def damped_frequency(self) -> Array:
        """Frequencies [Hz] of the oscillations themselves, 0 where nothing oscillates."""
        return np.asarray(np.abs(self.eigenvalues.imag) / (2.0 * np.pi))

    @property
    def damping(self) -> Array:
        """Damping ratios, negative of what grows."""
        size = np.abs(self.eigenvalues)
        return np.where(size > 0.0, -self.eigenvalues.real / np.where(size > 0.0, size, 1.0), 0.0)

    @property
    def unstable(self) -> BoolArray:
        """Modes that grow; a real part within the rounding of its eigenvalue is none."""
        return np.asarray(self.eigenvalues.real > GROWS * np.abs(self.eigenvalues))

    @property
    def stable(self) -> bool:
        """Whether nothing grows."""
        return not self.unstable.any()

    def described(self, count: int | None = None) -> list[dict[str, Any]]:
        """The first modes in plain numbers, each with the unknowns that move most within their own physics."""
        rows, unstable = [], self.unstable
        for k, value in enumerate(self.eigenvalues[:count]):
            size = np.abs(self.shapes[:, k]) / self.sizes
            order = np.argsort(-size, kind="stable")[:MOST_NAMED]
            rows.append(
                {
                    "mode": k + 1,
                    "real_per_s": float(value.real),
                    "imaginary_per_s": float(value.imag),
                    "frequency_hz": float(self.frequency[k]),
                    "damped_frequency_hz": float(self.damped_frequency[k]),
                    "kind": "unstable" if unstable[k] else "no_oscillation" if value.imag == 0.0 else "oscillation",
                    "damping_ratio": float(self.damping[k]),
                    "participants": {self.names[i]: float(size[i] / size[order[0]]) for i in order if size[i] > 0.0},
                }
            )
        return rows


def linearise(network: CompiledNetwork, y: Array, t: float, carried: Array | None = None) -> NetworkModes:
    """Return eigenvalues and shapes about unknowns y (3, n + 1); carried: what elements know besides."""
    if network.n > MOST:
        raise ModelError(
            f"network '{network.network.name}' has {network.n} unknowns, of which linear analysis takes {MOST} at "
            "most; join what moves alike to fewer nodes, or simulate it"
        )
    equations = Equations(network)
    equations.begin()
    if carried is not None:
        equations.carried = carried
        equations.renew()
    equations.require_determined(y, t)
    _, outs = equations.residual(y, t)
    n = network.n
    K, D, M = (
        _dense(equations.pattern.matrix(equations.data(y, t, outs, *factors)))
        for factors in ((1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.0, 1.0, 0.0))
    )
    # equations and unknowns of all physics at one size: eigenvalues do not change, rounding does
    rows, columns = _evening(np.abs(K) + np.abs(D) + np.abs(M))
    K, D, M = (rows[:, None] * one * columns for one in (K, D, M))
    Q = _row_space(K)
    r = Q.shape[1]
    A = np.block([[np.zeros((r, r)), Q.T], [-K @ Q, -D]])
    E = np.block([[np.eye(r), np.zeros((r, n))], [np.zeros((n, r)), M]])
    values, vectors = eig(A, E)
    finite = np.isfinite(values) & (np.abs(values) < INFINITE)
    rests = np.linalg.norm(A @ vectors, axis=0) <= ROUNDING
    names, sizes = tuple(equations.names), np.maximum(network.small, NOTHING)
    values = np.where(np.abs(values.imag) <= REAL * np.abs(values), values.real + 0j, values)
    kept = np.flatnonzero(finite & ~rests & (values.imag >= 0.0) & ~_closing(network, values))
    kept = kept[np.argsort(np.abs(values[kept]), kind="stable")]
    shapes = columns[:, None] * vectors[r:, kept]
    shapes /= np.maximum(np.abs(shapes).max(axis=0), 1e-300)
    return NetworkModes(values[kept], shapes, names, sizes)


def _evening(size: Array) -> tuple[Array, Array]:
    """Factors (n,) of rows, then of columns, by which the largest numbers in a matrix of sizes (n, n) become 1."""
    rows = 1.0 / np.maximum(size.max(axis=1), 1e-300)
    return rows, 1.0 / np.maximum((rows[:, None] * size).max(axis=0), 1e-300)


def _row_space(K: Array) -> Array:
    """Orthonormal basis (n, r) of the rows of a matrix (n, n), soft springs counted like stiff ones."""
    rows, columns = _evening(np.abs(K))
    _, size, across = np.linalg.svd(rows[:, None] * K * columns)
    found = across[size > RANK * size.max()] / columns
    return np.asarray(np.linalg.qr(found.T)[0])


def _closing(network: CompiledNetwork, values: Array) -> BoolArray:
    """Eigenvalues that only say how gaps of joints close in machines."""
    found = np.zeros(len(values), dtype=bool)
    for count, rate in (batch.kind.closing for batch in network.batches if batch.kind.closing[0]):
        near = np.flatnonzero(~found & (np.abs(values + rate) <= CLOSES * rate))
        found[near[np.argsort(np.abs(values[near] + rate), kind="stable")[:count]]] = True
    return found


def _dense(matrix: object) -> Array:
    return np.asarray(matrix.toarray() if hasattr(matrix, "toarray") else matrix)
