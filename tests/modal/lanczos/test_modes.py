"""The result of an eigenvalue computation and the modes of finite element models."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import floatframe as ff
from floatframe.modal.lanczos.modes import Modes, SturmCheck, backward_errors, norm
from floatframe.modal.lanczos.sturm import shift_above
from tests.reference import pencils

STEEL = ff.fem.Material(E=2.1e11, nu=0.3, rho=7850.0)
SIDE, LENGTH = 0.02, 2.0


def beam(n=40):
    section = ff.fem.BeamSection.rectangle(SIDE, SIDE)
    return ff.fem.beam_line((0, 0, 0), (LENGTH, 0, 0), n=n, section=section, material=STEEL)


def bending_frequency(root):
    """Euler-Bernoulli frequency [Hz] for a root of the characteristic equation."""
    return root**2 / (2.0 * np.pi * LENGTH**2) * np.sqrt(STEEL.E * SIDE**2 / 12.0 / STEEL.rho)


def plate(n=10):
    return ff.fem.plate_grid(1.0, 1.0, nx=n, ny=n, thickness=0.01, material=STEEL)


def test_backward_error_is_relative_to_both_matrices():
    K, M = pencils.mikota(10)
    value, shape = np.array([1.0]), np.zeros((10, 1))
    shape[0] = 1.0
    residual, orthogonality = backward_errors(K, M, value, shape)
    rest = K.toarray()[:, 0] - M.toarray()[:, 0]
    size = np.abs(K.toarray()).sum(axis=0).max() + np.abs(M.toarray()).sum(axis=0).max()
    assert residual[0] == pytest.approx(np.sqrt((rest**2).sum()) / size)
    assert orthogonality == 0.0
    assert norm(K) == np.abs(K.toarray()).sum(axis=0).max()


def test_check_names_what_fails():
    good = Modes(np.array([1.0]), np.ones((1, 1)), np.array([1e-12]), 1e-15, ("elastic",), SturmCheck(1, 1, 2.0))
    assert good.check() is good
    with pytest.raises(ff.NotConverged, match="1 of 1 modes"):
        good.check(1e-14)
    bad = Modes(good.omega, good.shapes, good.residual, 1e-3)
    with pytest.raises(ff.NotConverged, match="M-orthonormal"):
        bad.check()
    missed = Modes(good.omega, good.shapes, good.residual, sturm=SturmCheck(1, 2, 4.0 * np.pi**2))
    with pytest.raises(ff.NotConverged, match="1 of 2 eigenvalues below 1 Hz"):
        missed.check()
    nothing = Modes(good.omega, good.shapes, np.array([np.nan]))
    with pytest.raises(ff.NotConverged):
        nothing.check()


def test_a_shift_is_placed_in_a_gap():
    value = np.array([1.0, 2.0, 2.0 + 1e-9, 5.0])
    assert 1.0 < shift_above(value, 1, -1e-3) < 1.5
    assert shift_above(value, 2, -1e-3) is None
    assert 2.0 + 1e-9 < shift_above(value, 3, -1e-3) < 3.0
    assert shift_above(value, 4, -1e-3) > 5.0


@pytest.mark.parametrize("mass", ["consistent", "lumped"])
def test_free_beam(mass):
    modes = ff.modal.eigenmodes(beam(), n=10, mass=mass)
    assert modes.kind == ("rigid",) * 6 + ("elastic",) * 4
    assert_allclose(modes.frequency[:6], 0.0)
    # free-free roots; shear and rotary inertia (slenderness 100) and a lumped mass take less than a percent
    expected = np.repeat([bending_frequency(root) for root in (4.730041, 7.853205)], 2)
    assert_allclose(modes.frequency[6:], expected, rtol=0.01)
    assert len(modes.elastic) == 4
    assert modes.sturm.passed


def test_cantilever_rows_and_zeros():
    fe = beam()
    modes = ff.modal.eigenmodes(fe, n=4, fixed=[1])
    assert_allclose(modes.frequency[:2], bending_frequency(1.875104), rtol=2e-3)
    assert modes.shapes.shape == (fe.ndof, 4)
    held = np.setdiff1d(np.arange(fe.ndof), fe.free_rows([1]))
    assert held.size == 6
    assert not modes.shapes[held].any()
    M = fe.mass("consistent")
    assert_allclose(modes.shapes.T @ (M @ modes.shapes), np.eye(4), atol=1e-12)


def test_free_square_plate_has_six_rigid_modes_and_a_double_frequency():
    modes = ff.modal.eigenmodes(plate(), n=12)
    assert modes.kind.count("rigid") == 6
    assert modes.frequency[10] == pytest.approx(modes.frequency[9], rel=1e-9)
    # Leissa 1973, completely free square plate, nu = 0.3: 13.49 of sqrt(D/(rho h))/a^2; coarse mesh
    stiffness = STEEL.E * 0.01**3 / 12.0 / (1.0 - 0.3**2)
    first = 13.49 * np.sqrt(stiffness / (STEEL.rho * 0.01)) / (2.0 * np.pi)
    assert modes.frequency[6] == pytest.approx(first, rel=0.02)


def test_slices_agree_with_the_lowest():
    fe = plate(8)
    lowest = ff.modal.eigenmodes(fe, n=20)
    cut = 0.5 * (lowest.frequency[14] + lowest.frequency[15])
    below = ff.modal.eigenmodes(fe, below=cut)
    assert_allclose(below.frequency, lowest.frequency[:15], rtol=1e-9)
    band = ff.modal.eigenmodes(fe, band=(1.0, cut))
    assert_allclose(band.frequency, lowest.frequency[6:15], rtol=1e-9)


def test_two_free_bodies_have_twelve_rigid_modes():
    fe = ff.fem.join(beam(10), ff.fem.translate(plate(4), (0.0, 0.0, 5.0)))
    modes = ff.modal.eigenmodes(fe, n=14)
    assert modes.kind == ("rigid",) * 12 + ("elastic",) * 2


def test_six_equal_free_beams():
    fe = beam(10)
    for k in range(1, 6):
        fe = ff.fem.join(fe, ff.fem.translate(beam(10), (0.0, float(k), 0.0)))
    modes = ff.modal.eigenmodes(fe, n=40)
    assert modes.kind == ("rigid",) * 36 + ("elastic",) * 4
    assert_allclose(modes.frequency[36:], bending_frequency(4.730041), rtol=5e-3)
    assert modes.sturm.passed


def test_a_single_mass_point():
    fe = ff.fem.FEModel(nodes=[[0.0, 0.0, 0.0]], point_masses=[ff.fem.PointMass(1, 2.0, np.eye(3))])
    assert ff.modal.eigenmodes(fe, n=6).kind == ("rigid",) * 6


def test_a_beam_that_may_spin():
    # a hinge leaves three rotations: rigid modes that no list of six motions holds
    modes = ff.modal.eigenmodes(beam(20), n=6, fixed=[(1, ["ux", "uy", "uz"])])
    assert modes.kind == ("rigid",) * 3 + ("elastic",) * 3
    assert_allclose(modes.frequency[3:5], bending_frequency(3.926602), rtol=5e-3)


def test_everything_fixed_is_refused():
    with pytest.raises(ff.ModelError, match="every dof is fixed"):
        ff.modal.eigenmodes(beam(2), fixed=[1, 2, 3])


def test_slender_clamped_wire_is_not_rigid():
    # 10 m long, 1 mm thick, 2000 elements: its first eigenvalue is 2e-16 of the stiffest one
    steel = ff.fem.Material(E=2.1e11, nu=0.3, rho=7850.0)
    fe = ff.fem.beam_line((0, 0, 0), (10, 0, 0), n=2000, section=ff.fem.BeamSection.circle(0.001), material=steel)
    modes = ff.modal.eigenmodes(fe, 2, fixed=["start"])
    expected = 1.87510407**2 / (2 * np.pi * 10**2) * np.sqrt(2.1e11 * 0.001**2 / 16 / 7850.0)
    assert modes.kind == ("elastic", "elastic")
    # 1e-3: round-off of a stiffness with condition 1e16, seen 1e-4
    assert modes.frequency == pytest.approx(expected, rel=1e-3)
