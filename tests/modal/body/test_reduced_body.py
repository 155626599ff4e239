"""The reduced body as a value: choosing modes, orthonormalising, expanding, and what it refuses."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import floatframe as ff
from floatframe.modal.body.inertia import exact_inertia_constants
from floatframe.modal.body.mass_points import nodal_pieces, with_plain_masses
from tests.reference.bodies import tiny_body

STEEL = ff.fem.Material(E=2.1e11, nu=0.3, rho=7850.0)


@pytest.fixture(scope="module")
def beam():
    section = ff.fem.BeamSection.rectangle(0.02, 0.03)
    return ff.fem.beam_line((0, 0, 0), (2, 0, 0), n=20, section=section, material=STEEL)


@pytest.fixture(scope="module")
def body(beam):
    return ff.modal.reduce(beam, interface=[1, 21], n_modes=6)


def test_counts_and_order_of_modes(body):
    assert body.kind == ("eigen",) * 6 + ("static",) * 12
    assert body.origin[0] == "fixed-interface mode 1"
    assert body.origin[6] == "node 1 ux"
    assert body.origin[-1] == "node 21 rz"
    assert np.isnan(body.frequency[6:]).all()
    assert (np.diff(body.frequency[:6]) >= 0).all()


def test_dropping_modes_is_choosing_rows_and_columns(body):
    small = body.drop(modes=[3, 5])  # counted from 1
    rest = [0, 1, 3, *range(5, 18)]
    assert_array_equal(small.shapes, body.shapes[:, rest])
    assert_array_equal(small.mass, body.mass[np.ix_(rest, rest)])
    assert_array_equal(small.stiffness, body.stiffness[np.ix_(rest, rest)])
    assert_array_equal(small.frequency[:4], body.frequency[[0, 1, 3, 5]])
    assert small.origin[2] == "fixed-interface mode 4"
    assert_array_equal(body.keep([1, 2, 4, 6]).shapes, small.shapes)
    assert_array_equal(body.drop(3).drop(4).shapes, small.shapes)  # one at a time
    assert_array_equal(body.drop(np.isin(np.arange(18), [2, 4])).shapes, small.shapes)
    assert body.nmode == 18


@pytest.mark.parametrize(
    ("modes", "message"),
    [
        ([7], r"mode 7 is a static shape \(node 1 ux\) and cannot be dropped"),
        ([0], "mode 0 does not exist; modes are numbered 1 to 18"),
        ([19], "mode 19 does not exist"),
        ([1.5], "by whole numbers or a mask"),
        (np.ones(3, dtype=bool), "the mask has 3 entries for 18 shapes"),
    ],
)
def test_what_cannot_be_dropped(body, modes, message):
    with pytest.raises(ff.ModelError, match=message):
        body.drop(modes=modes)


@pytest.mark.parametrize("modes", [[7], [1, 7], np.arange(18) < 8])
def test_only_eigenmodes_are_named_to_be_kept(body, modes):
    with pytest.raises(ff.ModelError, match=r"mode 7 is a static shape \(node 1 ux\), which is always kept"):
        body.keep(modes)


def test_exact_constants_follow_dropped_modes(beam):
    body = ff.modal.reduce(beam, interface=[1, 21], n_modes=4, inertia="exact")
    small = body.drop([2, 3])
    direct = exact_inertia_constants(beam, small.shapes)
    for name, value in vars(small.inertia).items():
        assert_allclose(value, getattr(direct, name), rtol=1e-9, atol=1e-12, err_msg=name)


def test_orthonormalised_body_has_diagonal_matrices_and_no_rigid_motion(body):
    free = body.orthonormalised()
    assert free.nmode == 12
    assert "6 rigid motions left out" in free.notes[-1]
    assert_array_equal(free.mass, np.eye(12))
    assert_allclose(np.diag(free.stiffness), (2 * np.pi * free.frequency) ** 2)
    assert body.orthonormalised(keep_rigid=True).nmode == 18


@pytest.mark.parametrize(("mass", "inertia"), [("lumped", "nodal"), ("consistent", "exact")])
def test_orthonormalised_shapes_move_neither_centre_nor_angular_momentum(beam, mass, inertia):
    J = ff.modal.reduce(beam, interface=[1, 21], mass=mass, inertia=inertia).orthonormalised().inertia
    # mean axes: both momenta of every shape vanish; round-off of the static solutions, whose condition is 20^4
    assert np.abs(J.H).max() < 1e-8 * np.sqrt(J.m)
    assert np.abs(J.rhoH).max() < 1e-8 * np.sqrt(np.abs(J.rhorho).max())
    assert_allclose(J.HH, np.eye(len(J.HH)), atol=1e-8)


def test_orthonormalised_body_keeps_its_modes(body):
    with pytest.raises(ff.ModelError, match="mixed its static shapes into every column"):
        body.orthonormalised().drop(modes=[1])


def test_orthonormalised_eigenmodes_may_be_dropped(beam):
    body = ff.modal.reduce(beam, n_modes=5, method="eigenmodes").orthonormalised()
    assert body.drop(modes=[2]).nmode == 4


def test_expand_gives_nodal_displacements(body):
    w = np.zeros(body.nmode)
    w[7] = 1e-3  # node 1 uy
    u = body.expand(w)
    assert u.shape == (21, 6)
    assert_allclose(u[0], [0, 1e-3, 0, 0, 0, 0], atol=1e-12)
    assert_allclose(u[-1], 0.0, atol=1e-12)
    with pytest.raises(ff.ModelError, match="expected 18 rows"):
        body.expand(np.zeros(3))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"mass": np.eye(2)}, r"mass has shape \(2, 2\)"),
        ({"shapes": np.zeros((17, 3))}, "shapes has shape"),
        ({"mass": np.arange(9.0).reshape(3, 3)}, "mass matrix is not symmetric"),
        ({"nodal_mass": np.array([1.0, -1.0, 1.0])}, "nodal mass is negative"),
        ({"stiffness": np.full((3, 3), np.nan)}, "not finite"),
        ({"kind": ("eigen", "static", "odd")}, "kinds of shapes"),
        ({"node_ids": [1, 1, 2]}, "used more than once"),
        ({"interface": [[11, 1], [35, 2]]}, "interface names node 11"),
    ],
)
def test_inconsistent_bodies_are_refused(changes, message):
    with pytest.raises(ff.ModelError, match=message):
        tiny_body(**changes)


def test_nodal_pieces_carry_the_mass_of_the_model(beam):
    offset = np.array([0.0, 0.3, -0.1])
    tensor = np.array([[3.0, 0.2, 0.1], [0.2, 2.0, -0.3], [0.1, -0.3, 2.5]])
    fe = beam.with_point_mass(7, mass=40.0, inertia=tensor, offset=offset).with_point_mass(9, mass=5.0)
    pieces = nodal_pieces(fe)
    assert_allclose(pieces.mass.sum(), fe.mass_properties().mass, rtol=1e-12)
    # the piece of node 7 is the point mass and the beam's share at the node
    share = pieces.mass[6] - 40.0
    assert_allclose(pieces.offset[6], 40.0 * offset / pieces.mass[6], rtol=1e-9)
    assert share == pytest.approx(STEEL.rho * 6e-4 * 0.1, rel=1e-9)


@pytest.mark.parametrize(
    ("masses", "added"),
    [
        ([{"mass": 40.0, "inertia": (0, 0, 0), "offset": (0, 0.3, -0.1)}], 1),  # divided between node and centre
        ([{"mass": 40.0, "inertia": (3.0, 2.0, 2.5), "offset": (0.2, 0.3, -0.1)}], 1),
        ([{"mass": 40.0, "offset": (0.2, 0.3, -0.1)}, {"mass": 30.0, "offset": (0.2, -0.1, 0.4)}], 6),
    ],
)
def test_plain_masses_keep_the_body(beam, masses, added):
    fe = beam
    for mass in masses:
        fe = fe.with_point_mass(7, **mass)
    body = ff.modal.reduce(fe, interface=[1, 21], n_modes=4, mass="lumped")
    plain = with_plain_masses(body)
    assert plain.nnode == body.nnode + added
    for name in ("m", "rho", "H", "rhoH", "HH", "rhorho"):
        value = getattr(body.inertia, name)
        scale = np.abs(value).max()
        assert_allclose(getattr(plain.inertia, name), value, rtol=1e-8, atol=1e-8 * scale, err_msg=name)
    assert_allclose(plain.inertia.HH, body.mass, rtol=1e-8, atol=1e-8 * np.abs(body.mass).max())
    off_diagonal = plain.nodal_inertia * (1 - np.eye(3))
    assert np.abs(off_diagonal).max() == 0.0
    assert (plain.nodal_mass >= 0).all()
