"""A mass matrix carried along by its eigenvalues and eigenvectors, A = Cᵀ Λ C, after Junkins and Schaub (1997).

Instead of a factorisation per step, C and Λ are integrated with the motion: Ċ = −Ω C, μ = C Ȧ Cᵀ = Λ̇ + Ω Λ − Λ Ω. Of
eigenvalues that are apart, Ω_ij = μ_ij / (λ_j − λ_i) and λ̇_i = μ_ii. Close ones would turn without bound: if they are
within 1 %, or if a step turns them far or brings them together, they make a group, with one block of Λ that need not be
diagonal. Inside a group Ω is zero and Λ̇ = μ.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy import linalg
from scipy.sparse.csgraph import connected_components

from floatframe.arrays import Array, short_repr
from floatframe.equations.joint_motions import coordinate_rates, unit_quaternions
from floatframe.equations.tree_matrices import TreeMatrices, tree_matrices
from floatframe.errors import ModelError, NotConverged
from floatframe.hybrid import State, System

APART = 0.2  # what a step may turn two eigenvectors, or close the gap of their values, before they make a group
NEAR = 1e-2  # relative distance of eigenvalues that make a group in any case
SWEEPS = 30  # most of Jacobi's method, which needs a handful


@short_repr
@dataclass(frozen=True)
class Eigenfactors:
    """C (n, n): eigenvectors in rows; values (n, n): Λ, diagonal but for the blocks of groups; groups: numbers."""

    C: Array
    values: Array
    groups: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, A: Array, A_rate: Array, step: float) -> Eigenfactors:
        """Factors of a symmetric matrix, with groups for a step [s] in which it changes at a rate."""
        values, vectors = linalg.eigh(A)
        return cls._grouped(vectors.T, values, A_rate, step)

    @classmethod
    def _grouped(cls, C: Array, values: Array, A_rate: Array, step: float) -> Eigenfactors:
        return cls(C, np.diag(values), _groups(values, C @ A_rate @ C.T, step))

    @property
    def matrix(self) -> Array:
        """Cᵀ Λ C."""
        return self.C.T @ self.values @ self.C

    def solve(self, b: Array) -> Array:
        """Cᵀ Λ⁻¹ C b."""
        return self.C.T @ linalg.solve(self.values, self.C @ b)

    def rates(self, A_rate: Array) -> tuple[Array, Array]:
        """Ċ and Λ̇ for a rate of the matrix."""
        mu = self.C @ A_rate @ self.C.T
        spin, values = np.zeros_like(mu), np.zeros_like(mu)
        for i, group in enumerate(self.groups):
            own = np.ix_(group, group)
            values[own] = mu[own]
            for other in self.groups[i + 1 :]:
                # Ω Λ − Λ Ω = μ between two groups; of single eigenvalues μ_ij / (λ_j − λ_i)
                between, there = np.ix_(group, other), np.ix_(other, other)
                spin[between] = linalg.solve_sylvester(-self.values[own], self.values[there], mu[between])
                spin[np.ix_(other, group)] = -spin[between].T
        return -spin @ self.C, values

    def regrouped(self, A_rate: Array, step: float) -> Eigenfactors:
        """The same matrix, its blocks made diagonal, with groups for the step that follows."""
        values, turn = linalg.eigh(self.values)
        return self._grouped(turn.T @ self.C, values, A_rate, step)

    def corrected(self, A: Array, A_rate: Array, step: float) -> Eigenfactors:
        """Factors of A by Jacobi's method from these, which need not fit: C made orthogonal, then rotated."""
        # Newton's method for the nearest orthogonal matrix; integrated ones are close to it
        C = self.C
        for _ in range(3):
            C = 1.5 * C - 0.5 * C @ C.T @ C
        values, turn = jacobi(C @ A @ C.T)
        return self._grouped(turn.T @ C, values, A_rate, step)


def jacobi(A: Array) -> tuple[Array, Array]:
    """Eigenvalues and eigenvectors (columns) of a symmetric matrix by cyclic rotations, few near a diagonal one."""
    B, V = np.array(A), np.eye(len(A))
    n = len(B)
    least = np.finfo(float).eps * np.abs(B).max(initial=0.0)  # what rounding leaves beside the diagonal
    for _ in range(SWEEPS):
        if np.all(np.abs(B - np.diag(np.diag(B))) <= least):
            break
        for i in range(n):
            for j in range(i + 1, n):
                if abs(B[i, j]) <= least:
                    continue
                theta = 0.5 * np.arctan2(2.0 * B[i, j], B[j, j] - B[i, i])
                # the smaller of the two angles that make the entry zero keeps the order of the values
                theta -= np.pi / 2 * np.round(theta / (np.pi / 2))
                G = np.array([[np.cos(theta), np.sin(theta)], [-np.sin(theta), np.cos(theta)]])
                B[:, [i, j]] = B[:, [i, j]] @ G
                B[[i, j]] = G.T @ B[[i, j]]
                V[:, [i, j]] = V[:, [i, j]] @ G
    return np.diag(B).copy(), V


@short_repr
@dataclass(frozen=True)
class EigenfactorMotion:
    """Times (k,), coordinates, speeds, and how far Cᵀ Λ C is from the mass matrix, ‖CᵀΛC − A‖/‖A‖ (k,)."""

    t: Array
    q: Array
    v: Array
    memory: Array
    distance: Array

    def state(self, k: int) -> State:
        """The state at the k-th time."""
        return State(float(self.t[k]), self.q[k], self.v[k], self.memory)


def integrate_eigenfactors(
    system: System, state: State, t_end: float, step: float, correct: bool = True
) -> EigenfactorMotion:
    """Integrate a tree of rigid bodies, its mass matrix carried along by its eigenfactors; classical Runge-Kutta.

    Parameters
    ----------
    system
        A tree of joints without coordinates that follow the time.
    state
        Start.
    t_end, step
        End of the motion and step [s].
    correct
        Correct C and Λ by Jacobi's method after every step; without, they drift away from the mass matrix.
    """
    if system.nlambda:
        raise ModelError("equations: found constraints, expected a tree without any; simulate the system instead")
    steps = max(1, round((t_end - state.t) / step))
    h = (t_end - state.t) / steps
    tree = tree_matrices(system, state)
    factors = Eigenfactors.of(tree.mass, tree.mass_rate, h)
    states, distance = [state], [0.0]
    for _ in range(steps):
        try:
            state, factors = _runge_kutta(system, state, factors, h)
            tree = tree_matrices(system, state)
            A, A_rate = tree.mass, tree.mass_rate
            factors = factors.corrected(A, A_rate, h) if correct else factors.regrouped(A_rate, h)
        except (ValueError, linalg.LinAlgError) as error:  # of SciPy, for numbers that are not finite
            cure = "shorten the step" if correct else "correct them, or shorten the step"
            raise NotConverged(
                f"equations: Cᵀ Λ C has left the mass matrix by {distance[-1]:.1g} at t = {state.t:g} s and the motion "
                f"grows without bound; {cure}"
            ) from error
        states.append(state)
        distance.append(float(linalg.norm(factors.matrix - A) / linalg.norm(A)))
    return EigenfactorMotion(
        np.array([one.t for one in states]),
        np.array([one.q for one in states]),
        np.array([one.v for one in states]),
        state.memory,
        np.array(distance),
    )


def _runge_kutta(system: System, state: State, factors: Eigenfactors, h: float) -> tuple[State, Eigenfactors]:
    """One step of coordinates, speeds, C and Λ."""

    def rates(now: State, own: Eigenfactors) -> tuple[Array, ...]:
        tree: TreeMatrices = tree_matrices(system, now)
        return (
            coordinate_rates(system.tables.links, now.q, now.v),
            own.solve(tree.force),
            *own.rates(tree.mass_rate),
        )

    def moved(change: tuple[Array, ...], part: float) -> tuple[State, Eigenfactors]:
        q, v, C, values = (part * one for one in change)
        now = State(state.t + part, unit_quaternions(system.tables.links, state.q + q), state.v + v, state.memory)
        return now, replace(factors, C=factors.C + C, values=factors.values + values)

    first = rates(state, factors)
    second = rates(*moved(first, 0.5 * h))
    third = rates(*moved(second, 0.5 * h))
    fourth = rates(*moved(third, h))
    mean = tuple((a + 2.0 * b + 2.0 * c + d) / 6.0 for a, b, c, d in zip(first, second, third, fourth, strict=True))
    return moved(mean, h)


def _groups(values: Array, mu: Array, step: float) -> tuple[tuple[int, ...], ...]:
    """Numbers of the eigenvalues that come close to each other within a step, or whose vectors turn far."""
    rates = np.diag(mu)
    moving = step * (np.abs(mu) + np.abs(np.subtract.outer(rates, rates)))
    gaps = np.abs(np.subtract.outer(values, values))
    near = gaps <= NEAR * np.maximum.outer(values, values)
    count, labels = connected_components(near | (moving > APART * gaps), directed=False)
    return tuple(tuple(int(i) for i in np.flatnonzero(labels == k)) for k in range(count))
