"""Symmetric factors of bordered systems against NumPy, what they refuse, and where they are used."""

from __future__ import annotations

import numpy as np
import pytest

from floatframe import hybrid as h
from floatframe.hybrid.kernels.entry import do
from floatframe.hybrid.kernels.linear.bordered import solve_step
from floatframe.hybrid.kernels.linear.symmetric import factor_symmetric
from floatframe.hybrid.kernels.options import WORK, entry
from floatframe.hybrid.kernels.stepping import (
    DENSE,
    DENSE_ROW,
    REACHED,
    SYMMETRIC,
    TASK_ACCELERATE,
    TRAITS,
    new_work,
)
from tests.hybrid.closed_trees import four_bars, tangled
from tests.hybrid.random_systems import beam_body


@entry(WORK)
def factor(w):
    w.traits.along = SYMMETRIC
    return factor_symmetric(w)


@entry(WORK)
def solve(w):
    solve_step(w, len(w.lam))


def flexible_pendulum():
    """A beam in a hinge that is a constraint."""
    model = h.Model(gravity=(0, -9.81, 0))
    beam = model.add(h.FlexibleBody("beam", beam_body().orthonormalised()))
    model.add(h.revolute("hinge", beam.node(1), model.ground.at()))
    return model


def work(rng, n_modes, rigid, rows, apart=True):
    """A workspace with modes before and behind the rigid dofs, and a random inertia and rows in it."""
    nv = n_modes + rigid
    order = np.r_[np.arange(3), np.arange(3 + rigid, nv), np.arange(3, 3 + rigid)] if n_modes else np.arange(nv)
    whole = new_work(tangled(rng).tables)
    dense_rows = np.zeros(nv + rows, DENSE_ROW)
    dense_rows["held"], dense_rows["together"], dense_rows["dof"][:nv] = 1, 1, order
    traits = np.zeros(1, TRAITS)[0]
    traits.safe, traits.alone = n_modes, n_modes if apart else 0
    factors = rng.normal(size=(nv, nv))
    M = factors @ factors.T + nv * np.eye(nv)
    modes = order[:n_modes]
    if apart:
        M[np.ix_(modes, modes)] = np.diag(np.diag(M)[modes])
    vectors = {name: np.zeros(nv) for name in ("v", "x", "residual", "delta", "correction", "shifted")}
    return whole._replace(
        **vectors, M=M, G=rng.normal(size=(rows, nv)), lam=np.zeros(rows), lam_step=np.zeros(rows), traits=traits,
        A=np.full((nv + rows, nv + rows), np.nan), rhs=np.zeros(nv + rows), rows=dense_rows,
    )  # fmt: skip


def solved(w, f, g):
    """Accelerations and multipliers of [M, -G^T; G, 0] for loads by dof and row."""
    w.rhs[:] = np.r_[f[w.rows["dof"][: len(f)]], g]
    solve(w)
    return np.r_[w.correction, w.lam_step]


def by_numpy(w, f, g):
    zero = np.zeros((len(g), len(g)))
    return np.linalg.solve(np.block([[w.M, -w.G.T], [w.G, zero]]), np.r_[f, g])


@pytest.mark.parametrize("apart", [True, False], ids=["modes apart", "modes coupled"])
@pytest.mark.parametrize(("n_modes", "rigid", "rows"), [(9, 5, 4), (6, 6, 3), (4, 1, 0), (0, 7, 3), (3, 2, 4)])
def test_solutions_are_those_of_numpy(n_modes, rigid, rows, apart):
    rng = np.random.default_rng(n_modes + rows)
    w = work(rng, n_modes, rigid, rows, apart)
    f, g = rng.normal(size=n_modes + rigid), rng.normal(size=rows)
    assert factor(w)
    # rows are softer than rigid by 1e-12 of their own stiffness
    np.testing.assert_allclose(solved(w, f, g), by_numpy(w, f, g), rtol=1e-8, atol=1e-10)


def test_rows_left_out_carry_nothing():
    rng = np.random.default_rng(1)
    w = work(rng, 6, 4, 3)
    f, g = rng.normal(size=10), rng.normal(size=3)
    w.rows["held"][10 + 1] = 0
    g[1] = 0.0
    assert factor(w)
    found = solved(w, f, g)
    kept = w._replace(G=w.G[[0, 2]])
    np.testing.assert_allclose(found[[*range(10), 10, 12]], by_numpy(kept, f, g[[0, 2]]), rtol=1e-8, atol=1e-10)
    assert found[11] == 0.0


def test_pivots_that_are_not_sure_are_refused():
    """A dof without inertia that a row holds, a motion without inertia, and no inertia at all: matters for LU."""
    rng = np.random.default_rng(2)
    w = work(rng, 6, 4, 3)
    w.M[3, :] = w.M[:, 3] = 0.0
    assert not factor(w)
    w = work(rng, 6, 4, 3)
    w.M[4, :], w.M[:, 4] = w.M[3, :], w.M[:, 3]
    w.M[4, 4] = w.M[3, 4]
    assert not factor(w)
    w.M[:], w.G[:] = 0.0, 0.0
    assert not factor(w)


def test_a_row_that_repeats_another_one_shares_its_load():
    rng = np.random.default_rng(4)
    w = work(rng, 6, 4, 3)
    w.G[2] = w.G[1]
    f, g = rng.normal(size=10), rng.normal(size=3)
    assert factor(w)
    found, wanted = solved(w, f, np.r_[g[:2], g[1]]), by_numpy(w._replace(G=w.G[:2]), f, g[:2])
    # rounding, 1e-16, over the softness of rows, 1e-12
    np.testing.assert_allclose(found[:10], wanted[:10], rtol=0, atol=1e-3 * np.abs(wanted).max())
    np.testing.assert_allclose(found[11] + found[12], wanted[11], rtol=1e-3)


def test_systems_with_modes_are_solved_so_and_others_by_lu():
    """Explicit steps of a flexible body; the answers are those of NumPy on the same equations."""
    for model, way in ((flexible_pendulum(), SYMMETRIC), (four_bars(2), DENSE)):
        system = model.compile()
        state = h.State(0.0, system.start.q, np.random.default_rng(5).normal(size=system.nv), system.start.memory)
        now, w = system.evaluation(state), new_work(system.tables)
        w.q[:], w.v[:], now.settings.time = state.q, state.v, state.t
        assert do(TASK_ACCELERATE, now.tables, now.data, w, now.settings, False) == REACHED
        assert w.traits.along == way
        for found, wanted in zip((w.x, w.lam), system.accelerations(state), strict=True):
            np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-9 * np.abs(wanted).max())
