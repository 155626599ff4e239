"""Loops, relations and flexible bodies solved along the tree, against the dense equations."""

from __future__ import annotations

import numpy as np
import pytest

from floatframe import hybrid as h
from floatframe.hybrid.kernels import new_work
from floatframe.hybrid.kernels.entry import do
from floatframe.hybrid.kernels.order import elimination
from floatframe.hybrid.kernels.stepping import REACHED, TASK_ACCELERATE
from tests.hybrid import random_systems as make
from tests.hybrid.closed_trees import four_bars, ring, scissors, solved, tangled

GRAVITY = (1.0, -2.0, -9.0)


def by_tree(system, state, left_out=()):
    """Accelerations and multipliers as explicit steps find them along the tree, some rows left out."""
    now, w = system.evaluation(state), new_work(system.tables, order=elimination(system.tables))
    w.q[:], w.v[:], now.settings.time = state.q, state.v, state.t
    w.rows["held"][system.nv :][list(left_out)] = 0
    assert do(TASK_ACCELERATE, now.tables, now.data, w, now.settings, False) == REACHED
    assert w.traits.along == 1
    return w.x, w.lam


def close(found, expected, share):
    np.testing.assert_allclose(found, expected, rtol=0, atol=share * np.abs(expected).max())


@pytest.mark.parametrize("seed", range(3))
def test_trees_with_everything(seed):
    """Loops inside each other, relations, constraints on places, flexible bodies whose modes are apart and not."""
    rng = np.random.default_rng(seed)
    system = tangled(rng)
    moved = make.any_state(rng, system, far=1e-3, bend=1e-3)
    a, lam = by_tree(system, moved)
    expected, expected_lam = system.accelerations(moved)
    # both lose digits with the condition of the equations, 1e4 to 1e6 here
    close(a, expected, 1e-9)
    close(lam, expected_lam, 1e-9)


@pytest.mark.parametrize("seed", range(2))
def test_modes_that_are_not_apart(seed):
    rng = np.random.default_rng(60 + seed)
    system = make.mixed(rng, GRAVITY)
    state = make.any_state(rng, system, far=0.5, bend=1e-5)
    assert 0 in system.tables.flexible["diagonal"]
    for found, expected in zip(by_tree(system, state), system.accelerations(state), strict=True):
        close(found, expected, 1e-10)


@pytest.mark.parametrize("model", [ring(9), four_bars(4), scissors(4)], ids=["ring", "four-bars", "scissors"])
def test_mechanisms(model):
    system = model.compile()
    rng = np.random.default_rng(1)
    state = h.State(0.0, system.start.q, rng.normal(size=system.nv), system.start.memory)
    for found, expected in zip(by_tree(system, state), system.accelerations(state), strict=True):
        close(found, expected, 1e-9)


def test_rows_left_out_carry_nothing():
    """Observers settle records with all rows of the joints, of which those that follow from others are left out."""
    system = ring(9).compile()
    state = system.start
    _, lam = by_tree(system, state, left_out=range(system.nlambda))
    assert not lam.any()
    a, _ = by_tree(system, state, left_out=range(system.nlambda))
    M, force = system.mass_matrix(state), system.forces(state) - system.inertia_forces(state)
    close(M @ a, force, 1e-10)


@pytest.mark.parametrize("make_model", [ring, four_bars, scissors])
def test_factors_grow_with_the_number_of_loops(make_model):
    """Numbers of the factors, which is fill-in and all: twice as many bodies take twice as many."""
    sizes = [len(elimination(make_model(count).compile().tables).numbers) for count in (6, 12, 24)]
    # constant differences, but for the ends of the mechanism
    assert sizes[2] - sizes[1] == pytest.approx(2 * (sizes[1] - sizes[0]), rel=0.1)


@pytest.mark.parametrize("method", ["generalised-alpha", "rk4", "radau5"])
def test_runs_agree(method):
    """The same steps by both solvers: positions, and reactions of the joint that is cut."""
    runs = [
        solved(four_bars(5).compile(), along).simulate(
            t_end=0.1, step=None if method == "radau5" else 2e-3, method=method
        )
        for along in (False, True)
    ]
    for name in ("q", "C3.force"):
        dense, tree = (run.q if name == "q" else run[name] for run in runs)
        # iterations end at 1e-6 of the change of speed in a step, controlled steps at 1e-5
        np.testing.assert_allclose(tree[-1], dense[-1], rtol=0, atol=1e-5 * np.abs(dense).max())


def test_resumed_runs_go_on_along_the_tree(tmp_path):
    """Bit by bit as if nothing had happened; the checkpoint holds no dense matrix."""

    def run(path, t_end, **more):
        return solved(ring(8).compile(), True).simulate(t_end=t_end, step=1e-3, path=path, **more)

    whole = run(tmp_path / "whole.h5", 0.06)
    run(tmp_path / "parts.h5", 0.03)
    parts = run(tmp_path / "parts.h5", 0.06, resume=True)
    assert np.array_equal(parts.q, whole.q)
    assert np.array_equal(parts["last.force"], whole["last.force"])
