"""The solvers of accelerations: they agree, and are refused where they cannot be used."""

from __future__ import annotations

import numpy as np
import pytest

from floatframe import hybrid as h
from floatframe.errors import ModelError
from floatframe.hybrid.kernels import TASK_ACCELERATE, do, new_work
from floatframe.hybrid.simulation.solvers import order_for, with_solver
from tests.hybrid import random_systems as make
from tests.hybrid.closed_trees import four_bars, ring

KINDS = ("revolute", "prismatic", "cylindrical", "spherical", "universal", "planar", "screw", "free", "general")
EPS = np.finfo(float).eps


def chain(count):
    model = h.Model(gravity=(0, 0, -9.81))
    place = model.ground.at()
    for k in range(count):
        rod = model.add(h.RigidBody(f"rod{k}", 1.0, (0.01, 0.08, 0.08), com=(0.5, 0, 0)))
        model.add(h.revolute(f"hinge{k}", rod.at(), place, axis=(0, 1, 0) if k % 2 else (0, 0, 1), start=0.1))
        place = rod.at((1, 0, 0))
    return model


def star(count):
    """Branches of three bodies on a body that moves freely."""
    model = h.Model(gravity=(0, 0, -9.81))
    hub = model.add(h.RigidBody("hub", 2.0, (1, 1, 1)))
    model.add(h.free("base", hub.at(), model.ground.at()))
    for k in range(count):
        place = hub.at((np.cos(k), np.sin(k), 0))
        for i in range(3):
            rod = model.add(h.RigidBody(f"rod{k}_{i}", 1.0, (0.01, 0.08, 0.08), com=(0.5, 0, 0)))
            model.add(h.revolute(f"hinge{k}_{i}", rod.at(), place, axis=(0, 1, 0)))
            place = rod.at((1, 0, 0))
    return model


def accelerations(system, state, solver):
    now = system.evaluation(state)
    w = with_solver(new_work(system.tables), system, solver, order_for(system, solver))
    w.q[:], w.v[:], now.settings.time = state.q, state.v, state.t
    do(TASK_ACCELERATE, now.tables, now.data, w, now.settings, False)
    return w.x


def random_tree(seed):
    rng = np.random.default_rng(seed)
    return make.tree(rng, rng.choice(KINDS, 10), (1.0, -2.0, -9.0))


@pytest.mark.parametrize("model", [chain(30), star(6), random_tree(1), random_tree(2)], ids=["chain", "star", "a", "b"])
def test_solvers_agree_on_trees(model):
    system = model.compile()
    state = make.any_state(np.random.default_rng(3), system, far=0.3)
    found = [accelerations(system, state, solver) for solver in ("dec", "cbm", "dense")]
    cond = np.linalg.cond(system.mass_matrix(state))
    # 1e-10 up to 30 bodies, or what the mass matrix leaves of the digits
    close = max(1e-10, 100 * EPS * cond) * np.abs(found[0]).max()
    for other in found[1:]:
        np.testing.assert_allclose(other, found[0], rtol=0, atol=close)


@pytest.mark.parametrize("count", [100, 300])
def test_solvers_agree_on_long_chains_as_far_as_the_mass_matrix_allows(count):
    system = chain(count).compile()
    state = h.State(0.0, system.start.q, np.sin(np.arange(system.nv)), system.start.memory)
    dec, cbm = (accelerations(system, state, solver) for solver in ("dec", "cbm"))
    cond = np.linalg.cond(system.mass_matrix(state))
    np.testing.assert_allclose(cbm, dec, rtol=0, atol=100 * EPS * cond * np.abs(dec).max())


def test_composite_factors_have_no_fill_in():
    """Entries of L are where a dof is coupled with one on its way to the ground, as in the mass matrix."""
    system = star(4).compile()
    now = system.evaluation(system.start)
    w = with_solver(new_work(system.tables), system, "cbm", None)
    w.q[:] = system.start.q
    do(TASK_ACCELERATE, now.tables, now.data, w, now.settings, False)
    coupled = np.zeros((system.nv, system.nv), bool)
    for i in range(system.nv):
        j = i
        while j >= 0:
            coupled[i, j] = True
            j = int(system.tables.dofs[j]["previous"])
    L, M = w.A, system.mass_matrix(system.start)
    assert not np.any(L[~coupled])
    assert coupled.sum() < 0.4 * system.nv**2
    np.testing.assert_allclose(L.T @ L, M, rtol=0, atol=1e-12 * np.abs(M).max())


@pytest.mark.parametrize("method", ["generalised-alpha", "rk4", "radau5"])
def test_runs_by_all_solvers_are_the_same_motion(method):
    step = None if method == "radau5" else 2e-3
    runs = [
        chain(8).compile().simulate(t_end=0.1, step=step, method=method, options=h.SolverOptions(solver=s))
        for s in ("dec", "cbm", "dense")
    ]
    for other in runs[1:]:
        # controlled steps of radau5 end at 1e-5, iterations of implicit ones at 1e-6 of the change of speed
        np.testing.assert_allclose(other.q[-1], runs[0].q[-1], rtol=0, atol=1e-6)


def test_a_run_by_composite_bodies_goes_on_bit_by_bit(tmp_path):
    def run(path, t_end, **more):
        return (
            chain(5)
            .compile()
            .simulate(t_end=t_end, step=1e-3, options=h.SolverOptions(solver="cbm"), path=path, **more)
        )

    whole = run(tmp_path / "whole.h5", 0.04)
    run(tmp_path / "parts.h5", 0.02)
    assert np.array_equal(run(tmp_path / "parts.h5", 0.04, resume=True).q, whole.q)


def test_solvers_that_cannot_be_used_are_refused():
    with pytest.raises(
        ModelError, match=r"'cbm' is for open trees of rigid bodies, found 2 constraint rows; use 'dec'"
    ):
        ring(3).compile().simulate(t_end=0.1, options=h.SolverOptions(solver="cbm"))
    with pytest.raises(ModelError, match=r"solver 'cmb' does not exist; did you mean cbm"):
        chain(2).compile().simulate(t_end=0.1, options=h.SolverOptions(solver="cmb"))


def test_auto_takes_dense_equations_for_small_loops_only():
    assert order_for(four_bars(1).compile(), "auto") is None
    assert order_for(four_bars(30).compile(), "auto") is not None
    assert order_for(four_bars(1).compile(), "dec") is not None
