"""Loads that the shapes of a body do not represent, against statics of the full finite element model."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import floatframe as ff
from floatframe.modal.analysis import HeldStructure
from floatframe.modal.factor import factorize, inverse_diagonal

STEEL = ff.fem.Material(E=2.1e11, nu=0.3, rho=7850.0)
NODE = 8  # loaded, neither an end nor the middle
ROUND_OFF = 1e-9  # of displacements: statics of a beam of 40 elements lose five digits or so

BODIES = {
    "craig-bampton": {"interface": [1, 41], "n_modes": 4},
    "one end": {"interface": [1], "n_modes": 6},
    "guyan": {"interface": [1, 41], "n_modes": 0, "method": "guyan"},
    "eigenmodes": {"n_modes": 6, "method": "eigenmodes"},
    "attachment": {"interface": [1], "n_modes": 6, "method": "attachment"},
    "macneal": {"interface": [1], "n_modes": 6, "method": "macneal"},
}


@pytest.fixture(scope="module")
def beam():
    section = ff.fem.BeamSection.rectangle(0.02, 0.03)
    return ff.fem.beam_line((0, 0, 0), (2, 0, 0), n=40, section=section, material=STEEL)


@pytest.fixture(scope="module", params=BODIES)
def body(request, beam):
    return ff.modal.reduce(beam, **BODIES[request.param])


def test_the_diagonal_of_an_inverse_needs_no_solutions():
    fe = ff.fem.plate_grid(1.0, 2.0, nx=24, ny=40, thickness=0.01, material=STEEL)
    F = factorize(fe.stiffness() + 1e5 * fe.mass(), kind="spd")
    picked = np.arange(0, F.n, 401)
    unit = np.zeros((F.n, picked.size))
    unit[picked, np.arange(picked.size)] = 1.0
    expected = F.solve(unit)[picked, np.arange(picked.size)]
    assert_allclose(inverse_diagonal(F)[picked], expected, rtol=1e-10)  # the condition is 1e5 or so


def test_own_displacements_are_those_of_a_free_body_balanced_by_inertia(beam):
    held = HeldStructure(beam, beam.stiffness(), beam.mass(), beam.free_rows())
    assert_allclose(held.own_displacements(), np.diag(held.elastic(np.eye(held.n))), rtol=ROUND_OFF)


def test_what_is_missing_is_the_model_less_the_body(body, beam):
    """Sums over three unit forces or moments at a node, by solutions of the full model."""
    found = body.missing_flexibility([NODE])
    for column, names in enumerate((("ux", "uy", "uz"), ("rx", "ry", "rz"))):
        each = [ff.modal.load_residual(body, beam, {(NODE, name): 1.0}) for name in names]
        assert found.model[0, column] == pytest.approx(sum(r.work for r in each), rel=ROUND_OFF)
        assert found.missing[0, column] == pytest.approx(sum(r.missing_work for r in each), rel=ROUND_OFF)
        assert 0.0 < found.share[0, column] <= 1.0 + ROUND_OFF


def test_the_missing_displacement_is_that_of_full_statics(beam):
    """Ends clamped: the model by `solve_static`, the body by its own matrices with the static shapes at rest."""
    body = ff.modal.reduce(beam, interface=[1, 41], n_modes=4)
    load = {(NODE, "uz"): 100.0, (NODE, "rx"): 3.0}
    inner = body.columns("eigen")
    H = body.shapes[:, inner]
    f = np.zeros((beam.nnode, 6))
    row = beam.node_index([NODE])[0]
    f[row, 2], f[row, 3] = 100.0, 3.0
    own = H @ np.linalg.solve(body.stiffness[np.ix_(inner, inner)], H.T @ f.ravel())
    whole = ff.modal.solve_static(beam, loads=load, fixed=[1, 41])
    found = ff.modal.load_residual(body, beam, load)
    assert_allclose(found.displacement, whole, atol=ROUND_OFF * np.abs(whole).max())
    assert_allclose(found.missing, whole - own.reshape(-1, 6), atol=ROUND_OFF * np.abs(whole).max())


@pytest.mark.parametrize("case", ["craig-bampton", "eigenmodes"])
def test_the_residual_load_moves_the_model_by_what_is_missing(beam, case):
    """For eigenmodes of the held structure f - M H H^T f is orthogonal to them, and its statics are the rest."""
    body = ff.modal.reduce(beam, **BODIES[case])
    found = ff.modal.load_residual(body, beam, {(NODE, "uz"): 1.0})
    held = beam.free_rows([1, 41] if case == "craig-bampton" else ())
    structure = HeldStructure(beam, beam.stiffness(), beam.mass(), held)
    force = beam.project_load(found.force)[structure.rows, None]
    moved = structure.elastic(force)[:, 0]
    expected = beam.compress(found.missing.reshape(-1, 1))[structure.rows, 0]
    assert_allclose(moved, expected, atol=1e-7 * np.abs(expected).max())


def test_the_cures_bring_the_missing_part_to_nothing(beam):
    loads = ff.modal.ExtraShapes(loads=[NODE])
    with_loads = ff.modal.reduce(beam, interface=[1, 41], n_modes=4, extra=loads)
    with_node = ff.modal.reduce(beam, interface=[1, NODE, 41], n_modes=4)
    for body in (with_loads, with_loads.orthonormalised(), with_node):
        assert body.missing_flexibility([NODE]).share.max() < 1e-6  # round-off of the difference


def test_fewer_modes_miss_more_and_an_orthonormal_body_the_same(beam):
    body = ff.modal.reduce(beam, interface=[1, 41], n_modes=8)
    share = body.missing_flexibility().share
    fewer = body.lowest(4).missing_flexibility().share
    assert (fewer >= share - ROUND_OFF).all()
    assert fewer[NODE - 1, 0] > 1.5 * share[NODE - 1, 0]
    assert_allclose(body.orthonormalised().missing_flexibility().share, share, atol=1e-6)
    assert share[0].max() == 0.0  # the interface is carried exactly


def test_flexibility_stays_in_hdf5_and_is_described(beam, tmp_path):
    body = ff.modal.reduce(beam, interface=[1, 41], n_modes=4)
    ff.io.write(tmp_path / "body.h5", body)
    again = ff.io.read(tmp_path / "body.h5")
    assert_allclose(again.flexibility.force, body.flexibility.force, rtol=0)
    force, moment = ff.io.describe(again)["uncarried_loads"]
    assert (force["load"], moment["load"]) == ("force", "moment")
    assert force["node_count"] == 39
    assert 0.0 < force["median_share"] < 0.5 < moment["median_share"]
    ff.io.write(tmp_path / "input.fum", body)
    assert ff.io.describe(ff.io.read(tmp_path / "input.fum"))["uncarried_loads"] == []


def test_quality_names_the_forces_that_are_carried_least(beam):
    body = ff.modal.reduce(beam, interface=[1, 41], n_modes=4)
    rows = ff.modal.quality_report(body, beam).describe()["loads"]
    assert len(rows) == 5
    missing = [row["missing_m_per_n"] for row in rows]
    assert missing == sorted(missing, reverse=True) or max(missing) < 2.0 * min(missing)
    for row in rows:
        whole = ff.modal.solve_static(beam, loads={(row["node"], row["component"]): 1.0}, fixed=[1, 41])
        there = whole[row["node"] - 1, ff.fem.DOF_NAMES.index(row["component"])]
        assert row["model_m_per_n"] == pytest.approx(there, rel=ROUND_OFF)
