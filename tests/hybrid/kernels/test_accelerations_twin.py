"""Accelerations as the integrators find them against the dense equations of the NumPy twin."""

from __future__ import annotations

import numpy as np
import pytest

from floatframe.hybrid.kernels import new_work
from floatframe.hybrid.kernels.entry import do
from floatframe.hybrid.kernels.stepping import REACHED, TASK_ACCELERATE
from tests.hybrid import random_systems as make
from tests.hybrid.twin import TINY, Twin

GRAVITY = (1.0, -2.0, -9.0)


def by_kernel(system, state):
    """Accelerations, multipliers and rates of the coordinates by the kernel that Runge-Kutta steps are made of."""
    now, w = system.evaluation(state), new_work(system.tables, order=system.order)
    w.q[:], w.v[:], now.settings.time = state.q, state.v, state.t
    assert do(TASK_ACCELERATE, now.tables, now.data, w, now.settings, False) == REACHED
    return w.x, w.lam, w.kq[0]


def elastic_forces(system, state):
    forces = np.zeros(system.nv)
    for body, number in system.index.flexible_of.items():
        record = system.tables.flexible[number]
        w = state.q[record["iq"] : record["iq"] + record["n"]]
        forces[record["iv"] : record["iv"] + record["n"]] = -system.model.bodies[body].reduced.stiffness @ w
    return forces


def by_twin(system, state):
    twin = Twin(system, state)
    nv, nl = system.nv, system.nlambda
    G = twin.jacobian()
    K = np.block([[twin.mass_matrix(), -G.T], [G, np.zeros((nl, nl))]])
    force = twin.weight() + elastic_forces(system, state) - twin.inertia_forces()
    found = np.linalg.solve(K, np.concatenate((force, -twin.convective())))
    return found[:nv], found[nv:], twin.moved(1j * TINY * state.v).imag / TINY


@pytest.mark.parametrize("seed", range(3))
def test_trees_of_all_joints(seed):
    """Along the tree, without a matrix."""
    rng = np.random.default_rng(40 + seed)
    system = make.tree(rng, rng.permutation(make.TREE_KINDS), GRAVITY).compile()
    state = make.any_state(rng, system)
    a, _, rates = by_kernel(system, state)
    expected, _, expected_rates = by_twin(system, state)
    # 2e-10 measured, with mass matrices of a condition of up to 1500
    np.testing.assert_allclose(a, expected, rtol=0, atol=2e-9 * np.abs(expected).max())
    np.testing.assert_allclose(rates, expected_rates, rtol=0, atol=1e-12 * np.abs(rates).max())


@pytest.mark.parametrize("seed", range(2))
def test_mixed_systems_with_constraints(seed):
    """Rows and modes along the tree; the joints are open, which accelerations do not ask about."""
    rng = np.random.default_rng(50 + seed)
    system = make.mixed(rng, GRAVITY)
    state = make.any_state(rng, system, far=0.5, bend=1e-5)
    assert system.nlambda > 0
    a, lam, rates = by_kernel(system, state)
    expected, expected_lam, expected_rates = by_twin(system, state)
    # truncation of the twin's differences: 3e-8 measured, 700 times as much with a step three times as long
    np.testing.assert_allclose(a, expected, rtol=0, atol=1e-7 * np.abs(expected).max())
    np.testing.assert_allclose(lam, expected_lam, rtol=0, atol=1e-7 * np.abs(expected_lam).max())
    np.testing.assert_allclose(rates, expected_rates, rtol=0, atol=1e-12 * np.abs(rates).max())


@pytest.mark.parametrize("seed", range(2))
def test_factors_are_those_of_the_same_matrices(seed):
    """The kernel's elimination beside that of LAPACK: only the order of the sums and the regularised rows differ."""
    rng = np.random.default_rng(60 + seed)
    system = make.mixed(rng, GRAVITY)
    system.__dict__["order"] = None  # dense
    state = make.any_state(rng, system, far=0.5, bend=1e-5)
    a, lam, _ = by_kernel(system, state)
    expected, expected_lam = system.accelerations(state)
    np.testing.assert_allclose(a, expected, rtol=0, atol=1e-10 * np.abs(expected).max())
    np.testing.assert_allclose(lam, expected_lam, rtol=0, atol=1e-10 * np.abs(expected_lam).max())
