"""The solvers of accelerations: they agree, and are refused where they cannot be used."""

from __future__ import annotations

import typing
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from floatframe import hybrid as h
from floatframe.cli.main import run as command
from floatframe.equations import count_flops, equations, tree_matrices
from floatframe.errors import ModelError
from floatframe.hybrid.kernels import TASK_ACCELERATE, do, new_work
from floatframe.hybrid.kernels.linear import RENEWED, TURNS
from floatframe.hybrid.settings import RareOptions
from floatframe.hybrid.simulation.solvers import order_for, with_solver
from tests.hybrid import random_systems as make
from tests.hybrid.closed_trees import four_bars, ring
from tests.hybrid.simulation.solved import EPS, SOLVERS, accelerate, accelerations, reactions

SAMPLES = Path(__file__).parents[3] / "samples"
KINDS = ("revolute", "prismatic", "cylindrical", "spherical", "universal", "planar", "screw", "free", "general")


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


def random_tree(seed):
    rng = np.random.default_rng(seed)
    return make.tree(rng, rng.choice(KINDS, 10), (1.0, -2.0, -9.0))


@pytest.mark.parametrize("model", [chain(30), star(6), random_tree(1), random_tree(2)], ids=["chain", "star", "a", "b"])
def test_solvers_agree_on_trees(model):
    system = model.compile()
    state = make.any_state(np.random.default_rng(3), system, far=0.3)
    found = [accelerations(system, state, solver) for solver in SOLVERS]
    cond = np.linalg.cond(system.mass_matrix(state))
    # 1e-10 up to 30 bodies, or what the mass matrix leaves of the digits
    close = max(1e-10, 100 * EPS * cond) * np.abs(found[0]).max()
    for other in found[1:]:
        np.testing.assert_allclose(other, found[0], rtol=0, atol=close)


@pytest.mark.parametrize("count", [100, 300])
def test_solvers_agree_on_long_chains_as_far_as_the_mass_matrix_allows(count):
    system = chain(count).compile()
    state = h.State(0.0, system.start.q, np.sin(np.arange(system.nv)), system.start.memory)
    dec, *others = (accelerations(system, state, solver) for solver in SOLVERS)
    cond = np.linalg.cond(system.mass_matrix(state))
    for other in others:
        np.testing.assert_allclose(other, dec, rtol=0, atol=100 * EPS * cond * np.abs(dec).max())


def pendulum_chain(count, heavier):
    """Links that turn about one direction, the first of them of more inertia about it."""
    model = h.Model(gravity=(0, -9.81, 0))
    place = model.ground.at()
    for k in range(count):
        about = 0.12 if k < heavier else 0.08
        rod = model.add(h.RigidBody(f"rod{k}", 1.0, (0.08, 0.08, about), com=(0.5, 0, 0)))
        model.add(h.revolute(f"hinge{k}", rod.at(), place, axis=(0, 0, 1), start=0.3))
        place = rod.at((1, 0, 0))
    return model.compile()


@pytest.mark.parametrize("rank", [1, 2, 3, 5, 8])
def test_iterations_end_after_as_many_turns_as_the_rank_of_the_change(rank):
    before, after = pendulum_chain(10, 0), pendulum_chain(10, rank)
    state = h.State(0.0, before.start.q, np.sin(np.arange(before.nv)), before.start.memory)
    change = after.mass_matrix(state) - before.mass_matrix(state)
    assert np.linalg.matrix_rank(change, 1e-9) == rank
    w = with_solver(new_work(before.tables), before, "itr", None)
    accelerate(before, state, w)
    assert w.numbers[TURNS] == 0
    found = accelerate(after, state, w)
    assert 0 < w.numbers[TURNS] <= rank
    assert w.numbers[RENEWED] == 1  # at the start
    exact = accelerations(after, state, "dec")
    np.testing.assert_allclose(found, exact, rtol=0, atol=1e-12 * np.abs(exact).max())


def test_iterations_end_where_residuals_are_rounding():
    """Residuals do not fall in every turn: one that stays above rounding is no reason to end."""
    system = chain(30).compile()
    run = system.simulate(t_end=3.0, step=5e-3, method="rk4", options=h.SolverOptions(solver="dec"))
    w, tree = (with_solver(new_work(system.tables), system, s, order_for(system, s)) for s in ("itr", "dec"))
    states = [h.State(run.t[k], run.q[k], run.v[k], system.start.memory) for k in range(0, len(run.t), 4)]
    assert len(states) > 120
    for state in states:
        exact = accelerate(system, state, tree)
        # mass matrices of 3e5: 100 * EPS * cond is 7e-9, itr does better; 1.4e-8 where 1e-9 of the forces were left
        np.testing.assert_allclose(accelerate(system, state, w), exact, rtol=0, atol=1e-10 * np.abs(exact).max())
    assert w.numbers[RENEWED] == 1  # the turns alone did that


def test_iterations_find_their_inverse_again_after_a_jump():
    """Far from the pose of the inverse the turns come to nothing; the tree helps out, and they begin from there."""
    system = chain(12).compile()
    rng = np.random.default_rng(7)
    w = with_solver(new_work(system.tables), system, "itr", None)
    for _ in range(10):
        state = make.any_state(rng, system, far=2.0)
        exact = accelerations(system, state, "dec")
        close = max(1e-10, 100 * EPS * np.linalg.cond(system.mass_matrix(state))) * np.abs(exact).max()
        np.testing.assert_allclose(accelerate(system, state, w), exact, rtol=0, atol=close)


def test_forces_in_joints_are_solved_for_without_fill_in():
    """The factors L^T L of the first kind are those of Z^T S M^-1 S^T Z, whose blocks they have and no others."""
    system = star(4).compile()
    w = with_solver(new_work(system.tables), system, "lgr", None)
    accelerate(system, system.start, w)
    begin = np.concatenate(([0], np.cumsum(w.bodies["rows"])))
    L = np.zeros((begin[-1], begin[-1]))
    for k, body in enumerate(w.bodies):
        own = w.numbers[body["place"] :][: 6 * body["width"]].reshape(6, body["width"])[: body["rows"]]
        family = w.lists[body["siblings"] :][: body["rank"]]
        columns = [k] if body["parent"] < 0 else [k, body["parent"], *family]
        for block, other in enumerate(columns):
            rows = w.bodies["rows"][other]
            part = own[:, 6 * block : 6 * block + rows]
            L[begin[k] : begin[k + 1], begin[other] : begin[other + 1]] = np.tril(part) if other == k else part
    tree = tree_matrices(system, system.start)
    border = tree.S.T @ tree.Z
    H = border.T @ np.linalg.solve(tree.M, border)
    # the bases of hindered directions are orthonormal in other axes, at the same origins: the determinant stays
    np.testing.assert_allclose(np.linalg.slogdet(L.T @ L)[1], np.linalg.slogdet(H)[1], rtol=1e-9)
    same = L != 0
    product = np.abs(L.T @ L) > 1e-12 * np.abs(L.T @ L).max()
    assert not np.any(product & ~(same | same.T) & blocks(w, begin))
    assert same.sum() < 0.6 * len(L) ** 2 / 2


def blocks(w, begin):
    """Where joints that share no body would be coupled (n, n)."""
    found = np.ones((begin[-1], begin[-1]), bool)
    for k, body in enumerate(w.bodies):
        for j, other in enumerate(w.bodies):
            if j in (k, body["parent"]) or k == other["parent"] or body["parent"] == other["parent"] >= 0:
                found[begin[k] : begin[k + 1], begin[j] : begin[j + 1]] = False
    return found


@pytest.mark.parametrize("solver", ["lgr", "itr", "cbm"])
def test_springs_in_joints_are_in_the_factors(solver):
    """Stiff springs and dampers in joints: implicit steps converge with few factors, as along the tree."""
    model = chain(6)
    for k in range(0, 6, 2):
        model.add(h.joint_torque(f"spring{k}", f"hinge{k}", "-1e5*angle - 100*rate"))
    system = model.compile()

    def run(solver):
        options = h.SolverOptions(solver=solver)
        return system.simulate(t_end=0.05, step=1e-3, method="generalised-alpha", options=options)

    own, tree = run(solver), run("dec")
    np.testing.assert_allclose(own.q[-1], tree.q[-1], rtol=0, atol=1e-6)  # as the iterations end
    assert own.statistics["iterations"][-1] <= 1.1 * tree.statistics["iterations"][-1]


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
        for s in SOLVERS
    ]
    for other in runs[1:]:
        # controlled steps of radau5 end at 1e-5, iterations of implicit ones at 1e-6 of the change of speed
        np.testing.assert_allclose(other.q[-1], runs[0].q[-1], rtol=0, atol=1e-6)


@pytest.mark.parametrize("solver", ["cbm", "lgr", "itr"])
def test_a_run_by_a_solver_of_trees_goes_on_bit_by_bit(tmp_path, solver):
    def run(path, t_end, **more):
        return (
            chain(5)
            .compile()
            .simulate(t_end=t_end, step=1e-3, options=h.SolverOptions(solver=solver), path=path, **more)
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
    model = chain(2)
    point = model.add(h.RigidBody("point", 1.0, (0, 0, 0)))
    model.add(h.spherical("ball", point.at((0.1, 0, 0)), h.Place("rod1", (1, 0, 0))))
    with pytest.raises(ModelError, match=r"solver 'lgr' divides by the inertia of every body, found 'point' without"):
        model.compile().simulate(t_end=0.1, options=h.SolverOptions(solver="lgr"))


def test_solvers_are_asked_for_in_calls_files_and_commands(tmp_path, capsys):
    """A solver that a ring cannot use is refused in all three ways, at its line in the file."""
    begin = {"t_end": 0.01, "step": 1e-3}
    for asked in ({"solver": "cbm"}, {"solver": "cbm", "options": h.SolverOptions(solver="dec")}):
        with pytest.raises(ModelError, match="solver 'cbm' is for open trees"):
            ring(3).compile().simulate(**begin, **asked)
    assert ring(3).compile().simulate(solver="dec", options=h.SolverOptions(solver="cbm"), **begin).status.ok
    with pytest.raises(ModelError, match="simulate: 'sover' is not a setting; did you mean solver"):
        chain(1).compile().simulate(sover="dec", **begin)
    assert typing.get_type_hints(RareOptions).keys() == {one.name for one in fields(h.SolverOptions)}
    text = (SAMPLES / "slider_crank" / "rigid.toml").read_text()
    path = tmp_path / "crank.toml"
    path.write_text(text.replace("[simulate]\n", '[simulate]\nsolver = "lgr"\n'))
    line = text[: text.index("[simulate]")].count("\n") + 2
    output = tmp_path / "run.h5"
    assert command(["simulate", str(path), "-o", str(output)]) == 1
    assert f"crank.toml:{line}: simulate: solver 'lgr' is for open trees" in capsys.readouterr().err
    assert command(["simulate", str(path), "-o", str(output), "--solver", "itr"]) == 1
    assert "solver 'itr' is for open trees" in capsys.readouterr().err
    assert command(["simulate", str(path), "-o", str(output), "--solver", "dec", "--t-end", "0.01"]) == 0
    assert h.Results.open(output).meta.settings["solver"] == "dec"


def test_auto_takes_dense_equations_for_small_loops_only():
    assert order_for(four_bars(1).compile(), "auto") is None
    assert order_for(four_bars(30).compile(), "auto") is not None
    assert order_for(four_bars(1).compile(), "dec") is not None


def moving_tree(count, seed=0, kinds=("revolute", "prismatic", "universal", "cylindrical", "spherical", "general")):
    """A random tree on a base that moves freely, each body on one of the last few."""
    rng = np.random.default_rng(seed)
    model = h.Model(gravity=(0, 0, -9.81))
    places = [model.add(make.rigid_body(rng, "base"))]
    model.add(h.free("floating", places[0].at(), model.ground.at()))
    for k in range(1, count):
        body = model.add(make.rigid_body(rng, f"body{k}"))
        near = places[rng.integers(max(0, k - 20), k)].at(rng.normal(size=3))
        model.add(make.joint(rng, str(rng.choice(kinds)), f"joint{k}", body.at(rng.normal(size=3)), near))
        places.append(body)
    return model.compile()


@pytest.mark.parametrize("count", [30, 120, pytest.param(1000, marks=pytest.mark.slow)])
def test_solvers_agree_on_random_trees_on_a_moving_base(count):
    system = moving_tree(count)
    state = make.any_state(np.random.default_rng(1), system, far=0.05)
    dec, *others = (accelerations(system, state, solver) for solver in SOLVERS)
    weights = np.linalg.eigvalsh(system.mass_matrix(state))
    close = 100 * EPS * weights[-1] / weights[0]
    for solver, other in zip(SOLVERS[1:], others, strict=True):
        close_here = 1e-10 if count <= 30 else close
        np.testing.assert_allclose(other, dec, rtol=0, atol=close_here * np.abs(dec).max(), err_msg=solver)


def needs(system, state, a):
    """What each dof adds to the reactions if it alone accelerates by a (nv, nlink, 6)."""
    resting = reactions(system, state, np.zeros(system.nv))
    return np.array([reactions(system, state, one) - resting for one in a * np.eye(system.nv)])


@pytest.mark.parametrize(
    "make_system",
    [
        lambda: chain(30).compile(),
        lambda: star(6).compile(),
        lambda: random_tree(1).compile(),
        lambda: moving_tree(30),
        lambda: moving_tree(200),
        lambda: chain(100).compile(),
    ],
    ids=["chain", "star", "joints of all kinds", "moving base", "large tree", "long chain"],
)
def test_solvers_and_forms_agree_on_the_reactions(make_system):
    """Forces and torques in the joints by every solver and by the forms of the equations."""
    system = make_system()
    state = make.any_state(np.random.default_rng(4), system, far=0.05)
    found = [accelerations(system, state, solver) for solver in SOLVERS]
    dec, *others = (reactions(system, state, a) for a in found)
    weights = np.linalg.eigvalsh(system.mass_matrix(state))
    # accelerations agree to 100 * EPS * cond, and forces are sums of what each of them needs
    parts = np.abs(needs(system, state, np.abs(found[0]).max())).sum(axis=0).max()
    close = max(1e-10, 100 * EPS * weights[-1] / weights[0]) * max(np.abs(dec).max(), parts)
    for solver, other in zip(SOLVERS[1:], others, strict=True):
        np.testing.assert_allclose(other, dec, rtol=0, atol=close, err_msg=solver)
    links = tree_matrices(system, state).links if system.nv < 200 else ()
    for form in (1, 2, 3) if len(links) else ():
        found = equations(system, state, form).reactions
        np.testing.assert_allclose(found, dec[list(links)], rtol=0, atol=close, err_msg=f"form {form}")


def oblique_chain(count, hinged):
    """Links whose axes lie along none of their own: hinges about any directions, or balls."""
    rng = np.random.default_rng(0)
    model = h.Model(gravity=(0, 0, -9.81))
    place = model.ground.at()
    for k in range(count):
        rod = model.add(h.RigidBody(f"rod{k}", 1.0, (0.01, 0.08, 0.08), com=(0.3, 0.25, 0.31)))
        ends = f"joint{k}", rod.at(), place
        model.add(h.revolute(*ends, make.direction(rng)) if hinged else h.spherical(*ends))
        place = rod.at((0.6, 0.5, 0.62))
    return model


@pytest.mark.parametrize(
    "make_system",
    [
        lambda: moving_tree(60),
        lambda: moving_tree(300),
        lambda: star(30).compile(),
        lambda: chain(300).compile(),
        lambda: oblique_chain(300, hinged=True).compile(),
        lambda: oblique_chain(100, hinged=False).compile(),
        pytest.param(lambda: moving_tree(1000), marks=pytest.mark.slow),
        pytest.param(lambda: oblique_chain(1000, hinged=True).compile(), marks=pytest.mark.slow),
    ],
    ids=["tree", "large tree", "star", "chain", "hinges", "balls", "larger tree", "longer chain"],
)
@pytest.mark.parametrize("far", [0.02, 0.3], ids=["stretched", "bent"])
def test_dec_errs_by_rounding_only(make_system, far):
    """Beside the same method in body axes and numbers of 64 bits of mantissa; M takes ten digits from long chains."""
    if np.finfo(np.longdouble).nmant < 60:
        pytest.skip("this machine has no numbers longer than double ones")
    system = make_system()
    state = make.any_state(np.random.default_rng(1), system, far=far)
    exact = count_flops(system, state, "dec", kind=np.longdouble).accelerations
    # hundreds of roundings of 1e-16 in a row: up to 7e-14 measured
    np.testing.assert_allclose(accelerations(system, state, "dec"), exact, rtol=0, atol=2e-13 * np.abs(exact).max())


@pytest.mark.parametrize("solver", SOLVERS)
def test_rounding_refuses_no_steps(solver):
    """Mass matrices of long chains leave accelerations 1e-12 of rounding, which no shorter step has less of."""
    system = chain(20).compile()
    wanted, found = (
        system.simulate(t_end=0.2, method="dop853", rtol=1e-8, solver=one, record=h.Record(every=0.1))
        for one in ("dec", solver)
    )
    assert found.statistics["steps"][-1] < 2 * wanted.statistics["steps"][-1]  # 1e5 to 1e6 before
    # far below rtol: rounding of accelerations, about 1e-11, over 0.2 s
    np.testing.assert_allclose(found.q[-1], wanted.q[-1], rtol=0, atol=1e-10)
    np.testing.assert_allclose(found.v[-1], wanted.v[-1], rtol=0, atol=1e-9)


def test_a_pendulum_with_hardly_any_inertia_moves_as_a_point():
    """Turning about the arm is known to 1e-7 only: steps go on, and a run whose rtol asks for more says so."""
    arm, g, inertia = np.array([0.627, 0.0, -0.497]), 9.81, 1e-9
    model = h.Model(gravity=(0, 0, -g))
    bob = model.add(h.RigidBody("bob", 1.7, (inertia,) * 3, com=tuple(arm), angular_velocity=(0, 0, 2.5)))
    model.add(h.spherical("pivot", bob.at(), model.ground.at()))
    system = model.compile()
    found = system.simulate(t_end=1.0, method="auto", rtol=1e-8, record=h.Record(every=0.5))
    assert found.status.reason == "finished"
    assert "Rounding of accelerations" in str(found.status)

    def point(_, y):
        place, speed = y[:3], y[3:]
        gravity = np.array([0.0, 0.0, -g])
        return np.concatenate((speed, gravity - (gravity @ place + speed @ speed) / (arm @ arm) * place))

    start = np.concatenate((arm, np.cross((0, 0, 2.5), arm)))
    wanted = solve_ivp(point, (0.0, 1.0), start, method="DOP853", rtol=1e-12, atol=1e-12).y[:3, -1]
    scalar, vector = found.q[-1][0], found.q[-1][1:]
    place = arm + 2.0 * np.cross(vector, np.cross(vector, arm) + scalar * arm)
    # inertia over that of the point, 1e-9, and rtol over 1 s
    np.testing.assert_allclose(place, wanted, rtol=0, atol=3e-8)
    assert np.abs(found.statistics["energy_balance"]).max() < 1e-7  # rtol of 8 J
