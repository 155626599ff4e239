"""Lagrange's equations with multipliers for constraints that are linear in the speeds, generated from expressions."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from floatframe.arrays import Array
from floatframe.equations.symbolic import Expr, Matrix, Numbers, Symbol, column, gradient, rate, sympy
from floatframe.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True)
class LagrangianSystem:
    """A Lagrangian and its constraints, as SymPy expressions of coordinates, speeds, parameters and the time t.

    Parameters
    ----------
    coordinates, speeds
        Symbols q and those that stand for their rates, in the same order.
    lagrangian
        Kinetic less potential energy.
    constraints
        Expressions Σ a_k(q, t) q̇_k + a_0(q, t) that are zero.
    forces
        Generalised forces that have no potential, one per coordinate (default: none).
    """

    coordinates: Sequence[Symbol]
    speeds: Sequence[Symbol]
    lagrangian: Expr
    constraints: Sequence[Expr] = ()
    forces: Sequence[Expr] = ()

    def __post_init__(self) -> None:
        for name in ("coordinates", "speeds", "constraints", "forces"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        n = len(self.coordinates)
        if len(self.speeds) != n:
            raise ModelError(f"equations: found {len(self.speeds)} speeds, expected {n}, one per coordinate")
        if self.forces and len(self.forces) != n:
            raise ModelError(f"equations: found {len(self.forces)} forces, expected {n}, one per coordinate, or none")
        for k, row in enumerate(self.constraints):
            if self.rows[k, :].free_symbols & {*self.speeds}:
                raise ModelError(f"equations: constraint {k + 1}, {row}, is not linear in the speeds; write it linear")

    @cached_property
    def rows(self) -> Matrix:
        """Coefficients a (constraints, coordinates) of the speeds."""
        return sympy().Matrix(
            len(self.constraints),
            len(self.speeds),
            lambda k, i: sympy().expand(sympy().diff(self.constraints[k], self.speeds[i])),
        )

    @cached_property
    def rest(self) -> Matrix:
        """What constraints have besides, a_0 (constraints,)."""
        still = dict.fromkeys(self.speeds, 0)
        return column([sympy().sympify(row).subs(still) for row in self.constraints])

    @cached_property
    def applied(self) -> Matrix:
        """Generalised forces without a potential, a column."""
        return column(self.forces or [0] * len(self.coordinates))

    @cached_property
    def mass(self) -> Matrix:
        """Second derivatives of the Lagrangian by the speeds."""
        return sympy().hessian(self.lagrangian, self.speeds)

    @cached_property
    def right_side(self) -> Matrix:
        """What `mass` times the accelerations is without constraints."""
        momenta = gradient(self.lagrangian, self.speeds)
        motion = dict(zip(self.coordinates, self.speeds, strict=True))
        return gradient(self.lagrangian, self.coordinates) - rate(momenta, motion) + self.applied

    @cached_property
    def row_bias(self) -> Matrix:
        """Second derivative of the constraints where accelerations are zero."""
        motion = dict(zip(self.coordinates, self.speeds, strict=True))
        return rate(self.rows, motion) * column(self.speeds) + rate(self.rest, motion)


@dataclass(frozen=True)
class MultiplierEquations:
    """H q̈ − aᵀ λ = Q, a q̈ = −bias: all coordinates, a multiplier per constraint."""

    system: LagrangianSystem

    def accelerations(self, q: ArrayLike, v: ArrayLike, t: float = 0.0, **parameters: float) -> tuple[Array, Array]:
        """Accelerations (n,) and multipliers (constraints,); aᵀ λ are the forces of the constraints."""
        whole = self._numbers(q, v, t, parameters)
        solution = np.linalg.solve(whole[:, :-1], whole[:, -1])
        n = len(self.system.coordinates)
        return solution[:n], solution[n:]

    def rates(self, t: float, y: ArrayLike, **parameters: float) -> Array:
        """Rates of the coordinates followed by all speeds (2 n,), for an integrator."""
        q, v = np.split(np.asarray(y, dtype=float), 2)
        return np.concatenate((v, self.accelerations(q, v, t, **parameters)[0]))

    @cached_property
    def _numbers(self) -> Numbers:
        one, m = self.system, len(self.system.constraints)
        stacked = sympy().Matrix.vstack
        left = stacked(one.mass, one.rows)
        border = stacked(-one.rows.T, sympy().zeros(m, m))
        right = stacked(one.right_side, -one.row_bias)
        return Numbers(sympy().Matrix.hstack(left, border, right), tuple(one.coordinates), tuple(one.speeds))


def with_multipliers(system: LagrangianSystem) -> MultiplierEquations:
    """Lagrange's equations of all coordinates, with a multiplier for every constraint."""
    return MultiplierEquations(system)
