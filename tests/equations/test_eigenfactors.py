"""The mass matrix by its eigenfactors: their rates, groups of close eigenvalues, Jacobi's correction."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.linalg import expm

from floatframe import hybrid as h
from floatframe.equations import Eigenfactors, integrate_eigenfactors
from floatframe.equations.eigenfactors import jacobi
from tests.equations.pendulum import energy, pendulum, swinging


def rotating(t, values):
    """A symmetric matrix with given eigenvalues whose eigenvectors turn."""
    spin = np.array([[0, 1.0, -0.5, 0.3], [-1.0, 0, 0.7, 0.2], [0.5, -0.7, 0, 0.4], [-0.3, -0.2, -0.4, 0]])
    C = expm(t * spin)
    return C.T @ np.diag(values) @ C


def slope(matrix, t):
    return (matrix(t + 1e-4) - matrix(t - 1e-4)) / 2e-4


def carried(matrix, t_end, steps):
    """Factors integrated by Runge-Kutta along matrix(t)."""
    dt = t_end / steps
    factors = Eigenfactors.of(matrix(0.0), slope(matrix, 0.0), dt)
    for k in range(steps):

        def rates(one, t):
            return one.rates(slope(matrix, t))

        def moved(change, part, base=factors):
            return Eigenfactors(base.C + part * change[0], base.values + part * change[1], base.groups)

        t = k * dt
        a = rates(factors, t)
        b = rates(moved(a, dt / 2), t + dt / 2)
        c = rates(moved(b, dt / 2), t + dt / 2)
        d = rates(moved(c, dt), t + dt)
        mean = [(w + 2 * x + 2 * y + z) / 6 for w, x, y, z in zip(a, b, c, d, strict=True)]
        factors = moved(mean, dt).regrouped(slope(matrix, t + dt), dt)
    return factors


def test_rates_follow_a_matrix_whose_eigenvectors_turn():
    values = np.array([1.0, 2.0, 4.0, 7.0])
    found = carried(lambda t: rotating(t, values), 1.0, 200)
    # Runge-Kutta: 1/200^4; slopes by differences: 1e-8
    assert_allclose(found.matrix, rotating(1.0, values), atol=1e-7)
    assert_allclose(np.diag(found.values), values, atol=1e-7)


@pytest.mark.parametrize("gap", [0.0, 1e-9, 1e-4])
def test_close_eigenvalues_stay_in_a_block(gap):
    """Two eigenvalues that part: nothing in the matrix is fast, though Ω of single ones would be 1/gap."""

    def matrix(t):
        return rotating(t, [1.0, 2.0, 2.0 + gap + 0.3 * t * t, 5.0])

    found = carried(matrix, 1.0, 200)
    assert_allclose(found.matrix, matrix(1.0), atol=1e-7)
    start = Eigenfactors.of(matrix(0.0), np.ones((4, 4)), 0.005)
    assert found.groups == ((0,), (1,), (2,), (3,))
    assert start.groups == ((0,), (1, 2), (3,))
    assert np.abs(start.rates(np.ones((4, 4)))[0]).max() < 10.0
    if gap:
        single = Eigenfactors(start.C, start.values, found.groups)
        assert np.abs(single.rates(np.ones((4, 4)))[0]).max() > 0.01 / gap


def test_jacobi_finds_eigenvalues_and_barely_turns_what_is_almost_diagonal():
    rng = np.random.default_rng(1)
    A = rng.normal(size=(7, 7))
    A = A @ A.T
    values, vectors = jacobi(A)
    assert_allclose(np.sort(values), np.linalg.eigvalsh(A), rtol=0, atol=1e-14 * np.abs(A).max())
    assert_allclose(vectors @ np.diag(values) @ vectors.T, A, atol=1e-13 * np.abs(A).max())
    near = np.diag(np.arange(1.0, 5.0)) + 1e-6
    assert np.abs(jacobi(near)[1] - np.eye(4)).max() < 1e-5


def test_correction_returns_to_the_matrix():
    A = rotating(0.3, [1.0, 2.0, 2.0, 9.0])
    still = np.zeros((4, 4))
    off = Eigenfactors(Eigenfactors.of(A, still, 0.0).C + 1e-3, np.eye(4), ((0, 1, 2, 3),))
    found = off.corrected(A, still, 0.0)
    assert_allclose(found.matrix, A, atol=1e-14 * 9)
    assert_allclose(found.solve(np.ones(4)), np.linalg.solve(A, np.ones(4)), rtol=1e-12)
    assert sorted(map(len, found.groups)) == [1, 1, 2]


@cache
def motion(correct):
    system = pendulum()
    return integrate_eigenfactors(system, swinging(system), 0.6, 0.02, correct)


def test_five_links_with_and_without_correction():
    """Jacobi's correction keeps the factors at the mass matrix to rounding, a million times closer than without."""
    assert motion(False).distance.max() > 1e6 * motion(True).distance.max()
    assert motion(True).distance.max() < 1e-14


def test_corrected_motion_keeps_the_energy_and_the_path():
    system, found = pendulum(), motion(True)
    state = swinging(system)
    expected = system.simulate(state, t_end=0.6, rtol=1e-10, record=h.Record(every=0.6))
    assert_allclose(found.q[-1], expected.q[-1], atol=1e-3)  # Runge-Kutta in steps of 0.02 s
    swing = energy(system, state) - energy(system, system.start)
    drift = energy(system, found.state(-1)) - energy(system, state)
    assert abs(drift) < 2e-4 * swing  # 1.1e-4 measured; a quarter of that at half the step
