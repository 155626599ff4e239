"""Nonholonomic systems without multipliers: the equations of Voronets and, as their special case, of Chaplygin.

Constraints solved for some speeds, q̇_σ = b_σν q̇_ν + b_σ0, leave equations of the others alone,

    d/dt ∂L*/∂q̇_ν − ∂L*/∂q_ν − b_σν ∂L*/∂q_σ − (∂L/∂q̇_σ) β^σ_νμ q̇_μ = Q_ν + b_σν Q_σ,

with L* the Lagrangian in which the dependent speeds are put in, β^σ_νμ = D_μ b_σν − D_ν b_σμ and D_μ = ∂/∂q_μ +
b_τμ ∂/∂q_τ. Time counts as one more coordinate of speed one, with the number 0, where constraints depend on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from floatframe.arrays import Array
from floatframe.equations.lagrangian import LagrangianSystem
from floatframe.equations.symbolic import Expr, Matrix, Numbers, Symbol, column, gradient, rate, sympy, time
from floatframe.errors import ModelError


@dataclass(frozen=True)
class ReducedEquations:
    """Equations of the independent coordinates; the dependent speeds follow from the constraints.

    matrix, right_side: of the independent accelerations, SymPy; b, b_0: dependent speeds = b · independent ones + b_0.
    """

    system: LagrangianSystem
    independent: tuple[int, ...]
    dependent: tuple[int, ...]
    b: Matrix
    b_0: Matrix
    matrix: Matrix
    right_side: Matrix

    def speeds(self, q: ArrayLike, independent: ArrayLike, t: float = 0.0, **parameters: float) -> Array:
        """All speeds (n,) from the independent ones."""
        own = np.asarray(independent, dtype=float)
        slopes = self._slopes(q, np.zeros(len(self.system.speeds)), t, parameters)
        v = np.empty(len(self.system.speeds))
        v[list(self.independent)] = own
        v[list(self.dependent)] = slopes[:, :-1] @ own + slopes[:, -1]
        return v

    def accelerations(self, q: ArrayLike, v: ArrayLike, t: float = 0.0, **parameters: float) -> tuple[Array, Array]:
        """All accelerations (n,) and the multipliers (constraints,) they need, at speeds that meet the constraints."""
        a = np.empty(len(self.system.speeds))
        whole = self._numbers(q, v, t, parameters)
        own = np.linalg.solve(whole[:, :-1], whole[:, -1])
        a[list(self.independent)] = own
        a[list(self.dependent)] = self._slopes(q, v, t, parameters)[:, :-1] @ own + self._bias(q, v, t, parameters)
        return a, self._multipliers(a, q, v, t, parameters)

    def rates(self, t: float, y: ArrayLike, **parameters: float) -> Array:
        """Rates of all coordinates followed by the independent speeds, for an integrator."""
        n = len(self.system.coordinates)
        q, own = np.split(np.asarray(y, dtype=float), [n])
        v = self.speeds(q, own, t, **parameters)
        whole = self._numbers(q, v, t, parameters)
        return np.concatenate((v, np.linalg.solve(whole[:, :-1], whole[:, -1])))

    def _multipliers(self, a: Array, q: ArrayLike, v: ArrayLike, t: float, parameters: dict[str, float]) -> Array:
        """From those of Lagrange's equations that belong to the dependent coordinates."""
        n = len(self.system.speeds)
        mass, right, rows = np.split(self._full(q, v, t, parameters), [n, n + 1], axis=1)
        own = list(self.dependent)
        return np.linalg.solve(rows[own], (mass @ a - right[:, 0])[own])

    def _of(self, expressions: Matrix) -> Numbers:
        return Numbers(expressions, tuple(self.system.coordinates), tuple(self.system.speeds))

    @cached_property
    def _numbers(self) -> Numbers:
        return self._of(self.matrix.row_join(self.right_side))

    @cached_property
    def _slopes(self) -> Numbers:
        return self._of(self.b.row_join(self.b_0))

    @cached_property
    def _biases(self) -> Numbers:
        motion = dict(zip(self.system.coordinates, self.system.speeds, strict=True))
        own = column([self.system.speeds[i] for i in self.independent])
        return self._of(rate(self.b, motion) * own + rate(self.b_0, motion))

    def _bias(self, q: ArrayLike, v: ArrayLike, t: float, parameters: dict[str, float]) -> Array:
        return self._biases(q, v, t, parameters)[:, 0]

    @cached_property
    def _full(self) -> Numbers:
        one = self.system
        return self._of(sympy().Matrix.hstack(one.mass, one.right_side, one.rows.T))


def voronets(system: LagrangianSystem, dependent: Sequence[Symbol]) -> ReducedEquations:
    """Voronets' equations.

    Parameters
    ----------
    system
        Lagrangian and constraints.
    dependent
        As many coordinates as there are constraints, whose speeds the constraints give.
    """
    return _reduced(system, _numbers_of(system, dependent))


def chaplygin(system: LagrangianSystem, dependent: Sequence[Symbol]) -> ReducedEquations:
    """Chaplygin's equations: those of Voronets where nothing depends on the dependent coordinates.

    Parameters
    ----------
    system
        Lagrangian and constraints.
    dependent
        As many coordinates as there are constraints; an expression in which one of them occurs is refused.
    """
    chosen = _numbers_of(system, dependent)
    everything = column([system.lagrangian, *system.constraints, *system.forces])
    if found := sorted(map(str, everything.free_symbols & set(dependent))):
        raise ModelError(
            f"equations: Chaplygin's equations expect that nothing depends on the dependent coordinates; found "
            f"{', '.join(found)}; use voronets"
        )
    return _reduced(system, chosen)


def _numbers_of(system: LagrangianSystem, dependent: Sequence[Symbol]) -> tuple[int, ...]:
    unknown = [str(one) for one in dependent if one not in system.coordinates]
    if unknown:
        raise ModelError(f"equations: {unknown[0]} is not a coordinate; coordinates: {list(system.coordinates)}")
    if len(set(dependent)) != len(system.constraints):
        raise ModelError(
            f"equations: found {len(set(dependent))} dependent coordinates, expected {len(system.constraints)}, "
            "as many as constraints"
        )
    return tuple(system.coordinates.index(one) for one in dependent)


def _reduced(system: LagrangianSystem, dependent: tuple[int, ...]) -> ReducedEquations:
    """Voronets' equations; what the dependent coordinates do not occur in drops out by itself."""
    q, v = system.coordinates, system.speeds
    independent = tuple(i for i in range(len(q)) if i not in dependent)
    block = system.rows[:, list(dependent)]
    if dependent and sympy().simplify(block.det()) == 0:
        raise ModelError(
            f"equations: the constraints do not give the speeds of {', '.join(str(q[i]) for i in dependent)}; choose "
            "other dependent coordinates"
        )
    inverse = block.inv() if dependent else block
    b = (-inverse * system.rows[:, list(independent)]).applyfunc(sympy().simplify)
    b_0 = (-inverse * system.rest).applyfunc(sympy().simplify)

    own_q, own_v = [q[i] for i in independent], [v[i] for i in independent]
    other_q = [q[i] for i in dependent]
    put_in = dict(zip([v[i] for i in dependent], b * column(own_v) + b_0, strict=True))
    L = sympy().sympify(system.lagrangian).subs(put_in)

    def along(expression: Expr, k: int) -> Expr:
        """D_k, of the time for k = -1."""
        by, slope = (time(), b_0) if k < 0 else (own_q[k], b[:, k])
        return sympy().diff(expression, by) + (slope.T * gradient(expression, other_q))[0, 0]

    momenta = gradient(L, own_v)
    hidden = gradient(system.lagrangian, [v[i] for i in dependent]).subs(put_in)
    motion = dict(zip(own_q, own_v, strict=True)) | dict(zip(other_q, put_in.values(), strict=True))
    right = -rate(momenta, motion) + column([along(L, k) for k in range(len(own_q))])
    for k in range(len(own_q)):
        right[k] += sum(
            hidden[s] * (along(b[s, k], m) - along(b_0[s] if m < 0 else b[s, m], k)) * (1 if m < 0 else own_v[m])
            for s in range(len(dependent))
            for m in range(-1, len(own_q))
        )
    forces = system.applied[list(independent), :] + b.T * system.applied[list(dependent), :]
    right = right + forces.subs(put_in)
    return ReducedEquations(system, independent, dependent, b, b_0, momenta.jacobian(own_v), right)
