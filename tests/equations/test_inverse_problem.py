"""Equations from given constraints: Helmholtz's conditions, dissipation, decay."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp
from numpy.testing import assert_allclose
from scipy.integrate import solve_ivp

from floatframe.equations import InverseProblem, helmholtz_conditions, velocity_field
from floatframe.errors import ModelError

x, y = q = sp.symbols("x y")
v = sp.symbols("vx vy")
a = sp.symbols("ax ay")
ROUND = velocity_field(sp.Matrix([[x, y]]), [0], along=[-2 * x])  # along the circles about the origin
BENT = (-y + x * y / 5, x - sp.sin(y) / 3)  # a field whose slope is not symmetric
DAMPING = sp.Matrix([[3 + x**2 / 4, 1], [1, 4]])


def vanish(conditions):
    return all(one == sp.zeros(2) for one in conditions)


def equations(problem):
    return [one - other for one, other in zip(a, problem.accelerations, strict=True)]


@pytest.mark.parametrize("field", [ROUND, BENT])
def test_equations_are_lagranges_with_the_dissipation_only(field):
    problem = InverseProblem(q, v, field, DAMPING)
    assert vanish(helmholtz_conditions(equations(problem), q, v, a, problem.dissipation))
    assert not vanish(helmholtz_conditions(equations(problem), q, v, a))


def test_other_stabilisations_are_not_lagranges():
    """Deviations that decay by −d h alone miss the slope of the field."""
    problem = InverseProblem(q, v, BENT, DAMPING)
    plain = sp.Matrix(a) - problem.slope * sp.Matrix(v) + DAMPING * problem.deviation
    assert not vanish(helmholtz_conditions(list(plain), q, v, a, problem.dissipation))


def test_they_follow_from_the_lagrangian():
    problem = InverseProblem(q, v, BENT, DAMPING)
    L, D = problem.lagrangian, problem.dissipation
    for k in range(2):
        momentum = sp.diff(L, v[k])
        rate = sum(sp.diff(momentum, q[i]) * v[i] + sp.diff(momentum, v[i]) * a[i] for i in range(2))
        left = rate - sp.diff(L, q[k]) + sp.diff(D, v[k])
        assert sp.simplify(left - equations(problem)[k]) == 0


@pytest.mark.parametrize(("field", "whole"), [((2 * x, x + 3 * y), False), ((2 * x + y, x + 3 * y), True)])
def test_a_dissipation_of_the_speeds_alone_needs_a_gradient(field, whole):
    """D = ½ q̇ᵀ d q̇ leaves −d v as a force, which has a potential only if d v is a gradient."""
    d = sp.diag(2, 2)
    problem = InverseProblem(q, v, field, d)
    of_speeds = (sp.Matrix(v).T * d * sp.Matrix(v))[0, 0] / 2
    assert vanish(helmholtz_conditions(equations(problem), q, v, a, of_speeds)) is whole


def test_deviations_decay_at_least_as_fast_as_the_symmetric_part_says():
    problem = InverseProblem(q, v, BENT, DAMPING)
    start = np.array([1.0, 0.5, 2.0, -1.0])
    times = np.linspace(0.0, 2.0, 41)
    run = solve_ivp(problem.rates, (0.0, 2.0), start, "DOP853", t_eval=times, rtol=1e-10, atol=1e-12)
    field = sp.lambdify(q, BENT)
    size = np.array([np.linalg.norm(one[2:] - field(*one[:2])) for one in run.y.T])
    least = np.array([problem.decay(one[:2]) for one in run.y.T])
    assert (least > 0.5).all()
    # the mean rate between two times is no less than the smaller of the rates at its ends, but for their curvature
    assert (np.log(size[:-1] / size[1:]) / np.diff(times) > np.minimum(least[1:], least[:-1]) - 0.01).all()


def test_motions_reach_the_constraint():
    """x ẋ + y ẏ = 0: the particle ends on a circle and moves as the field says."""
    problem = InverseProblem(q, v, ROUND, sp.diag(5, 5))
    run = solve_ivp(problem.rates, (0.0, 6.0), [1.0, 0.0, 1.0, 1.0], "DOP853", rtol=1e-10, atol=1e-12)
    (x_end, y_end), speed = run.y[:2, -1], run.y[2:, -1]
    assert abs(x_end * speed[0] + y_end * speed[1]) < 1e-9
    assert_allclose(speed, [float(one.subs({x: x_end, y: y_end})) for one in ROUND], atol=1e-9)


def test_velocity_fields_solve_their_constraints():
    rows, right = sp.Matrix([[x, y, 1]]), [y + x**2]
    field = sp.Matrix(velocity_field(rows, right, along=[x * y, 1]))
    assert (rows * field - sp.Matrix(right)).applyfunc(sp.simplify) == sp.zeros(1, 1)


def test_what_is_refused():
    with pytest.raises(ModelError, match="must be symmetric"):
        InverseProblem(q, v, BENT, sp.Matrix([[1, 2], [0, 1]]))
    with pytest.raises(ModelError, match="found 2 factors, expected 1"):
        velocity_field(sp.Matrix([[x, y]]), [0], along=[1, 2])
