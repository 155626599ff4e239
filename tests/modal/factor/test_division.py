"""Substructures by hand: planes, labels, wave numbering inside each, and the profiles that the source stores."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import floatframe as ff
from floatframe.modal import LanczosOptions, analyse, by_planes, factorize, profile, profiles, wave_order
from floatframe.samples.ballast_cleaner import build as ballast_cleaner
from floatframe.samples.railcar import build as railcar
from tests.modal.shell_pencil import shell

GAIN = 3.0  # profile before over after wave renumbering on railcar and ballast cleaner: the source has 3 to 5


@pytest.fixture(scope="module")
def strip():
    """A matrix of a shell along x with its coordinates, and labels of three parts."""
    nx, ny = 24, 5
    x = np.repeat(np.arange(nx + 1.0), ny + 1)
    place = np.zeros((6 * x.size, 3))
    place[:, 0] = np.repeat(x, 6)
    return shell(nx, ny), place


def test_planes_and_labels_are_the_same_division(strip):
    A, place = strip
    labels = by_planes(place, [7.5, 15.5], 0, A.shape[0])
    assert np.unique(labels).tolist() == [0, 1, 2]
    planes, hand = analyse(A, coordinates=place, cuts=[7.5, 15.5]), analyse(A, division=10 * labels + 3)
    assert planes.order.tolist() == hand.order.tolist()
    assert hand.substructures == 3
    b = np.arange(A.shape[0], dtype=float)
    x = factorize(A, division=labels, ordering="wave").solve(b)
    assert_allclose(A @ x, b, atol=1e-8 * b.max())  # condition of the random matrix


def test_profiles_follow_the_numbering_in_each_part(strip):
    A, place = strip
    whole = profiles(A)
    assert whole.before == (profile(A),)
    assert whole.after == (profile(A, wave_order(A)),)
    assert (whole.boundary_size, whole.boundary) == (0, 0)
    labels = by_planes(place, [7.5, 15.5], 0, A.shape[0])
    divided = profiles(A, labels)
    section = 36  # six nodes of six dofs at each plane
    assert divided.boundary_size == 2 * section
    assert divided.boundary == 2 * section * (section + 1) // 2 + section**2  # block tridiagonal, full blocks
    last = np.flatnonzero(labels == 2)
    assert divided.before[2] == profile(A[last][:, last])


@pytest.mark.parametrize("build", [railcar, ballast_cleaner], ids=["railcar", "ballast cleaner"])
def test_wave_renumbering_shortens_the_profiles_of_the_machines(build):
    found = profiles(build().stiffness())
    megabytes = [8e-6 * sum(entries) for entries in (found.before, found.after)]
    print(f"\n{build.__module__}: {megabytes[0]:.1f} -> {megabytes[1]:.1f} MB, {found.gain:.2f} times smaller")
    assert found.gain > GAIN


def test_modes_do_not_depend_on_the_division():
    steel = ff.fem.Material(E=2.1e11, nu=0.3, rho=7850.0)
    fe = ff.fem.plate_grid(1.0, 2.0, nx=8, ny=16, thickness=0.01, material=steel)
    index = fe.node_index(fe.dofs[:, 0])
    division = by_planes(fe.nodes[index], [0.55, 1.05, 1.45], 1, fe.ndof)
    expected = ff.modal.eigenmodes(fe, n=12)
    for ordering in ("metis", "wave"):
        found = ff.modal.eigenmodes(fe, n=12, options=LanczosOptions(division=division, ordering=ordering))
        assert_allclose(found.frequency[6:], expected.frequency[6:], rtol=1e-9)  # tol of the search
        report = found.statistics.report
        assert report.substructures == 4
        assert report.boundary_size == profiles(fe.stiffness(), division).boundary_size


@pytest.mark.parametrize("division", [np.zeros(5, dtype=int), np.zeros(20)])
def test_a_division_that_does_not_fit_is_refused(division):
    A = shell(1, 4)[:20][:, :20]
    with pytest.raises(ff.ModelError, match=r"division is .* expected a whole number for each of 20 equations"):
        factorize(A, division=division)
    with pytest.raises(ff.ModelError, match=r"division has shape \(3,\)"):
        ff.modal.lanczos(A, A, n=2, options=LanczosOptions(division=np.zeros(3, dtype=int)))
