"""The inverse problem: equations of motion from given constraints, and whether they are Lagrange's.

Constraints a(q) q̇ = a_0(q) mean q̇ = v(q) for a field v that solves them. Deviations h = q̇ − v(q) decay by

    ḣ = −(d + ∂v/∂qᵀ) h,

which are Lagrange's equations of L = ½ |q̇ − v|² with the dissipation D = ½ hᵀ d h, d symmetric.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike
from scipy import linalg

from floatframe.arrays import Array
from floatframe.equations.symbolic import Expr, Matrix, Numbers, Symbol, column, gradient, rate, sympy
from floatframe.errors import ModelError


def velocity_field(rows: Matrix, right_side: Sequence[Expr], along: Sequence[Expr] = ()) -> tuple[Expr, ...]:
    """The field v(q) that solves a(q) q̇ = a_0(q): the smallest speeds, and a motion along the constraints.

    Parameters
    ----------
    rows
        a (constraints, coordinates), a matrix of SymPy of full rank.
    right_side
        a_0, one per constraint.
    along
        Factors of the null space of a, one per column of `rows.nullspace()` (default: zero).
    """
    free = rows.nullspace()
    if along and len(along) != len(free):
        raise ModelError(
            f"equations: found {len(along)} factors, expected {len(free)}, the dimension of the null space"
        )
    smallest = rows.T * (rows * rows.T).inv() * column(right_side)
    motion = sum((factor * one for factor, one in zip(along, free, strict=False)), sympy().zeros(rows.cols, 1))
    return tuple((smallest + motion).applyfunc(sympy().simplify))


@dataclass(frozen=True)
class InverseProblem:
    """Equations whose motions reach q̇ = v(q), as SymPy expressions.

    Parameters
    ----------
    coordinates, speeds
        Symbols q and q̇.
    field
        v(q), one per coordinate; see `velocity_field`.
    damping
        Symmetric matrix d (n, n), which may depend on q.
    """

    coordinates: tuple[Symbol, ...]
    speeds: tuple[Symbol, ...]
    field: tuple[Expr, ...]
    damping: Matrix

    def __post_init__(self) -> None:
        if (self.damping - self.damping.T).applyfunc(sympy().simplify) != sympy().zeros(len(self.field)):
            raise ModelError(
                "equations: the damping matrix must be symmetric; with another one there is no dissipation"
            )

    @cached_property
    def slope(self) -> Matrix:
        """∂v/∂q."""
        return column(self.field).jacobian(self.coordinates)

    @cached_property
    def deviation(self) -> Matrix:
        """h = q̇ − v(q)."""
        return column(self.speeds) - column(self.field)

    @cached_property
    def lagrangian(self) -> Expr:
        """½ |q̇ − v|²."""
        return (self.deviation.T * self.deviation)[0, 0] / 2

    @cached_property
    def dissipation(self) -> Expr:
        """½ hᵀ d h."""
        return (self.deviation.T * self.damping * self.deviation)[0, 0] / 2

    @cached_property
    def accelerations(self) -> Matrix:
        """q̈ = ∂v/∂q q̇ − (d + ∂v/∂qᵀ) h."""
        return self.slope * column(self.speeds) - (self.damping + self.slope.T) * self.deviation

    def decay(self, q: ArrayLike, **parameters: float) -> float:
        """Least rate at which |h| falls at q: the smallest eigenvalue of the symmetric part of d + ∂v/∂q."""
        rates = self._rates(q, np.zeros(len(self.speeds)), 0.0, parameters)
        return float(linalg.eigvalsh(0.5 * (rates + rates.T))[0])

    def rates(self, t: float, y: ArrayLike, **parameters: float) -> Array:
        """Rates of coordinates and speeds (2 n,), for an integrator."""
        q, v = np.split(np.asarray(y, dtype=float), 2)
        return np.concatenate((v, self._numbers(q, v, t, parameters)[:, 0]))

    @cached_property
    def _numbers(self) -> Numbers:
        return Numbers(self.accelerations, self.coordinates, self.speeds)

    @cached_property
    def _rates(self) -> Numbers:
        return Numbers(self.damping + self.slope, self.coordinates, self.speeds)


def helmholtz_conditions(
    equations: Sequence[Expr],
    coordinates: Sequence[Symbol],
    speeds: Sequence[Symbol],
    accelerations: Sequence[Symbol],
    dissipation: Expr = 0,
) -> tuple[Matrix, Matrix, Matrix]:
    """Three matrices that vanish if, and only if, equations f = 0 are Lagrange's with a dissipation function.

    With e = f − ∂D/∂q̇ they are the differences of the two sides of ∂e_a/∂q̈_b = ∂e_b/∂q̈_a, of ∂e_a/∂q̇_b + ∂e_b/∂q̇_a =
    d/dt (∂e_a/∂q̈_b + ∂e_b/∂q̈_a), and of ∂e_a/∂q_b − ∂e_b/∂q_a = ½ d/dt (∂e_a/∂q̇_b − ∂e_b/∂q̇_a).

    Parameters
    ----------
    equations
        f, expressions that are zero: q̈ and all other terms on one side.
    coordinates, speeds, accelerations
        Symbols q, q̇ and q̈.
    dissipation
        D, of which the equations contain ∂D/∂q̇ (default: none).
    """
    e = column(equations) - gradient(dissipation, speeds)
    jerks = sympy().symbols(f"jerk:{len(accelerations)}")
    moving = [*coordinates, *speeds, *accelerations]
    motion = dict(zip(moving, [*speeds, *accelerations, *jerks], strict=True))
    by_q, by_v, by_a = (e.jacobian(list(symbols)) for symbols in (coordinates, speeds, accelerations))
    conditions = (
        by_a - by_a.T,
        by_v + by_v.T - rate(by_a + by_a.T, motion),
        by_q - by_q.T - rate(by_v - by_v.T, motion) / 2,
    )
    first, second, third = (one.applyfunc(sympy().simplify) for one in conditions)
    return first, second, third
