"""How much the missing fixed-interface modes change the frequencies of a Craig–Bampton body, and how many are enough.

For an eigenpair (λ, q) of the reduced pencil the residual inside is -λ times the inertia load of the static shapes that
the kept modes cannot follow, so the eigenvalue is too high by about

    δλ = λ² q_Sᵀ (Q - Σ_{j ≤ n} m_j m_jᵀ / λ_j) q_S / (1 - λ / λ_{n+1}),   Q = Fᵀ K_ii⁻¹ F,  F = (M S)_i,  m_j = Fᵀ y_j

with static shapes S and fixed-interface modes y_j. All neglected modes are in it, statically; the divisor bounds what
their own inertia adds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import NotConverged
from floatframe.modal.lanczos import LanczosOptions, Modes, Progress, end_of_cluster, reduced_modes

if TYPE_CHECKING:
    from floatframe.modal.analysis import HeldStructure

_REACH = (1.3, 1.7, 2.3, 3.2, 4.5, 7.0, 12.0)  # modes are sought up to these multiples of the frequency, in turn
_MOST = 400  # modes that are worth having; a body that needs more is better given more interface nodes


@dataclass(frozen=True)
class Truncation:
    """Small matrices that give the error of any number of modes.

    value (a,) eigenvalues of the fixed-interface modes at hand [rad2/s2]; coupling (a, b) their mass coupling with the
    static shapes; flexibility (b, b) the matrix Q; stiffness and mass (b, b) of the static shapes.
    """

    value: Array
    coupling: Array
    flexibility: Array
    stiffness: Array
    mass: Array

    def estimate(self, n: int, following: float | None = None) -> tuple[Array, Array]:
        """Return elastic frequencies [Hz] of the free body with n modes, and their estimated relative errors.

        following: the lowest eigenvalue left out, if it is known [rad2/s2].
        """
        a, m = self.value[:n], self.coupling[:n]
        b = len(self.mass)
        K = np.block([[np.diag(a), np.zeros((n, b))], [np.zeros((b, n)), self.stiffness]])
        M = np.block([[np.eye(n), m], [m.T, self.mass]])
        value, vector = reduced_modes(M, K)
        vector = vector[n:, value > 0.0]
        value = value[value > 0.0]
        elastic = a > 0.0
        rest = self.flexibility - (m[elastic].T / a[elastic]) @ m[elastic]
        shift = value**2 * np.maximum(np.einsum("ik,ij,jk->k", vector, rest, vector), 0.0)
        if following is None:
            following = self.value[n] if n < self.value.size else self.value.max(initial=0.0)
        with np.errstate(divide="ignore"):
            error = np.where(value < following, shift / (2.0 * value * np.abs(1.0 - value / following)), np.inf)
        error[shift == 0.0] = 0.0
        return np.sqrt(value) / (2.0 * np.pi), error

    def largest_error(self, n: int, up_to: float) -> float:
        """Return the largest estimated relative error of frequencies up to a limit [Hz]."""
        frequency, error = self.estimate(n)
        return float(error[frequency <= up_to * (1.0 + 1e-12)].max(initial=0.0))


def truncation(held: HeldStructure, modes: Modes, static: Array, K_static: Array, M_static: Array) -> Truncation:
    """Return the matrices for modes of the held structure, its rigid motions before them with eigenvalue zero.

    static (ndof, b) shapes of the interface, with K and M times them.
    """
    F = M_static[held.rows]
    value = np.concatenate([np.zeros(held.rigid.shape[1]), modes.value])
    coupling = np.vstack([held.rigid.T @ F, modes.shapes.T @ F])
    return Truncation(value, coupling, F.T @ held.elastic(F), static.T @ K_static, static.T @ M_static)


def enough_modes(
    held: HeldStructure,
    static: Array,
    K_static: Array,
    M_static: Array,
    up_to: float,
    accuracy: float,
    options: LanczosOptions | None = None,
    progress: Progress | None = None,
) -> Modes:
    """Return as few fixed-interface modes as keep all frequencies of the free body up to a limit [Hz] accurate."""
    error, modes = np.inf, held.modes(0)
    for reach in _REACH:
        if held.count_below(reach * up_to) > _MOST:
            break
        modes = held.modes(None, reach * up_to, options, progress)
        known = truncation(held, modes, static, K_static, M_static)
        rigid = held.rigid.shape[1]
        error = known.largest_error(rigid + len(modes), up_to)
        if error <= accuracy:
            fewest = _fewest(known, rigid + len(modes), up_to, accuracy) - rigid
            return _first(modes, end_of_cluster(modes.value, fewest))
    raise NotConverged(
        f"frequencies up to {up_to:g} Hz are estimated to be off by {error:.1e} with {len(modes)} fixed-interface "
        f"modes, required {accuracy:g}; allow a larger error with accuracy, or choose n_modes yourself."
    )


def _fewest(known: Truncation, enough: int, up_to: float, accuracy: float) -> int:
    """Return by bisection the least number of modes whose error is within the accuracy; modes below the limit stay."""
    least = int((known.value <= (2.0 * np.pi * up_to) ** 2).sum())
    while least < enough:
        middle = (least + enough) // 2
        if known.largest_error(middle, up_to) <= accuracy:
            enough = middle
        else:
            least = middle + 1
    return enough


def _first(modes: Modes, n: int) -> Modes:
    return Modes(modes.omega[:n], modes.shapes[:, :n], modes.residual[:n], modes.orthogonality, modes.kind[:n])
