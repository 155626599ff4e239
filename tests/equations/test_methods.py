"""The methods of open trees carried out with numbers that count: answers, operations, fill-in, and the cost model."""

from __future__ import annotations

import json

import numpy as np
import pytest

from floatframe import hybrid as h
from floatframe.equations import calibrated, compare_solvers, count_flops
from floatframe.equations.methods.count import count_with_loops
from floatframe.errors import ReadError, WriteError
from floatframe.hybrid import SolverFactors, Structure, known_factors, own_factors, solver_flops, tree_flops
from tests.hybrid import random_systems as make
from tests.hybrid.closed_trees import four_bars, ring, tangled
from tests.network.examples import slider_crank

METHODS = ("dec", "cbm", "lgr", "itr")
KINDS = (
    "revolute",
    "prismatic",
    "cylindrical",
    "spherical",
    "universal",
    "planar",
    "screw",
    "free",
    "fixed",
    "general",
)


def chain(dofs, count):
    """Bodies in a row, joined by joints of so many dofs."""
    model = h.Model(gravity=(0.3, 0, -9.81))
    place = model.ground.at()
    turns = [h.rotate((1, 0, 0)), h.rotate((0, 1, 0)), h.rotate((0, 0, 1))]
    for k in range(count):
        body = model.add(h.RigidBody(f"b{k}", 1.3, (0.9, 1.1, 1.2), com=(0.5, 0.1, 0.2)))
        at = body.at()
        model.add(
            {
                1: lambda at=at, k=k, place=place: h.revolute(
                    f"j{k}", at, place, axis=(0, 1, 0) if k % 2 else (0, 0, 1)
                ),
                2: lambda at=at, k=k, place=place: h.universal(f"j{k}", at, place, (1, 0, 0), (0, 1, 0)),
                3: lambda at=at, k=k, place=place: h.spherical(f"j{k}", at, place),
                4: lambda at=at, k=k, place=place: h.general(f"j{k}", at, place, [*turns, h.translate((0, 0, 1))]),
                5: lambda at=at, k=k, place=place: h.general(
                    f"j{k}", at, place, [h.translate((1, 0, 0)), *turns, h.translate((0, 0, 1))]
                ),
                6: lambda at=at, k=k, place=place: h.free(f"j{k}", at, place),
            }[dofs]()
        )
        place = body.at((1, 0.1, 0))
    return model.compile()


def star(arms):
    """Arms of two bodies on a body that moves freely."""
    model = h.Model(gravity=(0, 0, -9.81))
    hub = model.add(h.RigidBody("hub", 2.0, (1, 1, 1)))
    model.add(h.free("base", hub.at(), model.ground.at()))
    for k in range(arms):
        place = hub.at((np.cos(k), np.sin(k), 0))
        for i in range(2):
            rod = model.add(h.RigidBody(f"rod{k}_{i}", 1.0, (0.01, 0.08, 0.08), com=(0.5, 0, 0)))
            model.add(h.revolute(f"hinge{k}_{i}", rod.at(), place, axis=(0, 1, 0)))
            place = rod.at((1, 0, 0))
    return model.compile()


def random_tree(seed, count=8):
    rng = np.random.default_rng(seed)
    return make.tree(rng, rng.choice(KINDS, count), (1.0, -2.0, -9.0)).compile()


TREES = {
    **{f"{dofs} dofs, {count} bodies": (chain, dofs, count) for dofs in range(1, 7) for count in (1, 2, 6)},
    "star": (star, 4),
    **{f"random {seed}": (random_tree, seed) for seed in range(6)},
}


@pytest.mark.parametrize("name", TREES)
def test_counted_methods_agree_and_take_no_more_operations_than_their_formulas(name):
    make_system, *sizes = TREES[name]
    system = make_system(*sizes)
    state = make.any_state(np.random.default_rng(1), system, far=0.4)
    exact = system.accelerations(state)[0]
    before = np.linalg.inv(system.mass_matrix(system.move(state, -1e-3 * state.v)))
    close = max(1e-10, 100 * np.finfo(float).eps * np.linalg.cond(system.mass_matrix(state))) * np.abs(exact).max()
    for method in METHODS:
        count = count_flops(system, state, method, before if method == "itr" else None)
        np.testing.assert_allclose(count.accelerations, exact, rtol=0, atol=close, err_msg=method)
        most = solver_flops(system.tables, float(count.iterations))[method]
        ratio = count.flops / most
        print(f"{name}: {method} {count.flops} of {most:.0f}, {ratio:.2f}")
        assert 0 < ratio <= 1, method
        assert count.fill_in == 0


def test_operations_grow_as_the_formulas_say():
    """Between chains of 20 and 40 bodies: dec adds as much per body, cbm nearly eight times as much, lgr is linear."""
    found = {}
    for count in (10, 20, 40):
        system = chain(1, count)
        found[count] = {method: count_flops(system, system.start, method).flops for method in ("dec", "cbm", "lgr")}
    for method in ("dec", "lgr"):
        per_body = (found[40][method] - found[20][method]) / 20
        assert (found[20][method] - found[10][method]) / 10 == pytest.approx(per_body, rel=0.02)
    assert (found[40]["cbm"] - found[20]["cbm"]) > 2.5 * (found[20]["cbm"] - found[10]["cbm"])


@pytest.mark.parametrize(
    ("structure", "expected"),
    [
        (Structure.chains(1, 1, 1), {"cbm": 291, "lgr": 927, "itr": 451, "dec": 324}),
        (Structure.chains(1, 10, 1), {"cbm": 7740, "lgr": 19827, "itr": 8443, "dec": 9936}),
        (Structure.chains(1, 50, 1), {"cbm": 138520, "lgr": 103827, "itr": 63563, "dec": 52656}),
    ],
)
def test_formulas_have_the_values_of_the_source(structure, expected):
    found = tree_flops(structure, 2.0)
    assert {name: round(value) for name, value in found.items()} == expected


def test_chains_change_from_composite_bodies_to_the_extended_equations_where_the_source_says():
    for dofs, wanted in zip(range(1, 7), (17, 8, 5, 4, 4, 3), strict=True):
        costs = [tree_flops(Structure.chains(1, length, dofs)) for length in range(1, 40)]
        assert 1 + next(k for k, cost in enumerate(costs) if cost["dec"] < cost["cbm"]) == wanted
    best = [
        length
        for length in range(1, 60)
        if min(tree_flops(Structure.chains(1, length, 1), 2.0).items(), key=lambda one: one[1])[0] == "itr"
    ]
    assert best == list(range(13, 28))


def test_links_without_mass_are_parts_of_joints():
    system = random_tree(3, 12)
    structure = Structure.of(system.tables)
    assert len(structure.dofs) == 12
    assert structure.dofs.sum() == system.nv


def test_bodies_whose_numbers_are_all_known_are_counted_too():
    """A free body of mass 1 and inertia 1, which falls: accelerations are gravity, exactly, by every method."""
    model = h.Model(gravity=(0, 0, -1))
    model.add(h.RigidBody("ball", mass=1, inertia=(1, 1, 1)))
    system = model.compile()
    for method in ("dec", "cbm", "lgr"):
        found = count_flops(system, system.start, method).accelerations
        assert np.array_equal(found, [0, 0, -1, 0, 0, 0])


def test_known_numbers_other_than_one_are_not_taken_for_one():
    """Bodies of mass 1 that fall on a slide and could turn: together they have mass 2 and 3, which are known too."""
    for n in (2, 3):
        model = h.Model(gravity=(0, 0, -1))
        bodies = [model.add(h.RigidBody(f"b{k}", mass=1, inertia=(1, 1, 1))) for k in range(n)]
        model.add(h.prismatic("slide", bodies[0].at(), model.ground.at(), axis=(0, 0, 1)))
        for k in range(1, n):
            model.add(h.revolute(f"j{k}", bodies[k].at(), bodies[k - 1].at(), axis=(0, 0, 1)))
        system = model.compile()
        for method in ("dec", "cbm", "lgr"):
            found = count_flops(system, system.start, method).accelerations
            np.testing.assert_allclose(found, [-1, *np.zeros(n - 1)], atol=1e-14)


def test_comparison_counts_predicts_and_measures():
    costs = compare_solvers(chain(1, 6))
    assert [cost.name for cost in costs] == ["dec", "cbm", "lgr", "itr", "dense"]
    assert sum(cost.chosen for cost in costs) == 1
    chosen = next(cost for cost in costs if cost.chosen)
    assert chosen.predicted == min(cost.predicted for cost in costs)
    assert all(cost.measured > 0 for cost in costs)
    assert costs[3].iterations > 0


@pytest.mark.parametrize("name", ["ring", "four-bars", "slider-crank", "tangled"])
def test_operations_with_loops_are_those_of_the_formula_about_and_predict_the_faster_solver(name):
    """Kernels carried out with numbers that count; the formula takes joints for oblique and loops for spatial."""
    system, faster = {
        "ring": lambda: (ring(60).compile(), "dec"),
        "four-bars": lambda: (four_bars(20).compile(), "dec"),
        "slider-crank": lambda: (slider_crank().compile(), "dense"),
        "tangled": lambda: (tangled(np.random.default_rng(0)), "dec"),  # with a flexible body, a gear, an expression
    }[name]()
    state = make.any_state(np.random.default_rng(1), system, far=1e-3, bend=1e-3)
    flops, accelerations = count_with_loops(system, state)
    exact = system.accelerations(state)[0]
    # rows are regularised by 1e-12 of their stiffness
    np.testing.assert_allclose(accelerations, exact, rtol=0, atol=1e-9 * np.abs(exact).max())
    formula = solver_flops(system.tables)
    assert 0.4 < flops / formula["dec"] < 1.1
    dense = system.nv + system.nlambda
    assert (flops < 2.0 / 3.0 * dense**3) == (faster == "dec")  # of the dense factorisation alone
    predicted = own_factors().times(system.tables)
    assert min(predicted, key=predicted.get) == min(formula, key=formula.get) == faster


def test_comparison_says_what_a_loop_cannot_use_and_what_decides():
    """`auto` takes the way of fewer operations; of a ring of 40 links that along the tree."""
    for count, chosen in ((3, "dense"), (40, "dec")):
        system = ring(count).compile()
        costs = compare_solvers(system)
        assert [cost.name for cost in costs] == ["dec", "dense"]
        assert [cost.name for cost in costs if cost.chosen] == [chosen]
        assert h.unusable_solvers(system).keys() == {"cbm", "lgr", "itr"}
    assert costs[0].table < costs[1].table
    assert costs[0].predicted < costs[1].predicted
    assert costs[0].counted == pytest.approx(costs[0].table, rel=0.1)  # about


def test_without_a_place_factors_are_refused_with_the_cure(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("FLOATFRAME_CONFIG_DIR", str(tmp_path / "file"))
    with pytest.raises(WriteError, match=r"cannot be written: .*set FLOATFRAME_CONFIG_DIR to a folder"):
        SolverFactors({}).save()

    def nobody_knows():
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr("floatframe.hybrid.simulation.solver_choice.factors_file", nobody_knows)
    with pytest.raises(WriteError, match="home directory"):
        SolverFactors({}).save()


def test_factors_are_kept_and_damaged_ones_refused(tmp_path, monkeypatch):
    monkeypatch.setenv("FLOATFRAME_CONFIG_DIR", str(tmp_path))
    known_factors.cache_clear()
    assert known_factors().origin == "the program"
    system = chain(1, 3)
    monkeypatch.setattr("floatframe.equations.methods.comparison._trees", lambda: [system] * 3)
    monkeypatch.setattr("floatframe.equations.methods.comparison._loops", lambda: [ring(4).compile()] * 3)
    path = calibrated().save()
    assert path == tmp_path / "solvers.json"
    assert str(path) in known_factors().origin
    content = json.loads(path.read_text())
    content["seconds"]["cbm"] = [0.0, 0.0, 0.0]  # faster than anything
    path.write_text(json.dumps(content))
    known_factors.cache_clear()
    assert h.chosen_solver(system, "auto") == "cbm"
    del content["seconds"]["dec with loops"]  # as files of versions that did not know it
    path.write_text(json.dumps(content))
    known_factors.cache_clear()
    assert known_factors().each["dec with loops"] == own_factors().each["dec with loops"]
    content["seconds"]["cbm"] = [0.0, 0.0, -1.0]
    path.write_text(json.dumps(content))
    known_factors.cache_clear()
    with pytest.raises(ReadError, match=r"for solver 'cbm', expected three times of at least 0 s; remove it, or make"):
        known_factors()
    path.write_text("{")
    with pytest.raises(ReadError, match="does not hold factors of the solvers"):
        known_factors()
    path.unlink()
    known_factors.cache_clear()


def test_a_run_goes_on_with_the_solver_it_began_with(tmp_path, monkeypatch):
    """Factors that change on the way leave a resumed run bit by bit what it would have been."""

    def run(path, t_end, **more):
        return chain(1, 5).simulate(t_end=t_end, step=1e-3, path=path, **more)

    monkeypatch.setenv("FLOATFRAME_CONFIG_DIR", str(tmp_path))
    known_factors.cache_clear()
    whole = run(tmp_path / "whole.h5", 0.02)
    run(tmp_path / "parts.h5", 0.01)
    factors = known_factors()
    type(factors)({**factors.each, "itr": (0.0, 0.0, 0.0)}).save()
    assert np.array_equal(run(tmp_path / "parts.h5", 0.02, resume=True).q, whole.q)
    (tmp_path / "solvers.json").unlink()
    known_factors.cache_clear()
