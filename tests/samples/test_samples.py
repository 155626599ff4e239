"""What the samples claim: sizes of the published models, masses, sound meshes, frequencies they were tuned to."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.sparse import csc_matrix
from scipy.sparse.linalg import LinearOperator, eigsh, splu

from floatframe.fem import FEModel, boundary_edges, check_model, connected_parts
from floatframe.samples import ballast_cleaner, beam, locomotive_body, railcar


def modes(fe: FEModel, n: int, shift: float) -> tuple[np.ndarray, np.ndarray]:
    """Return n frequencies [Hz] and displacements (nnode, 6, n) by SciPy; shift [1/s2] below zero: free bodies too."""
    K, M = fe.stiffness(), fe.mass()
    symmetric = {"permc_spec": "MMD_AT_PLUS_A", "diag_pivot_thresh": 0.0, "options": {"SymmetricMode": True}}
    factor = splu(csc_matrix(K + shift * M), **symmetric)
    value, vector = eigsh(K, n, M, sigma=-shift, OPinv=LinearOperator(K.shape, factor.solve), ncv=2 * n + 20)
    order = np.argsort(value)
    return np.sqrt(np.abs(value[order])) / (2 * np.pi), fe.expand(vector[:, order])


@pytest.fixture(scope="module")
def car() -> FEModel:
    return railcar.build()


@pytest.fixture(scope="module")
def frame() -> FEModel:
    return ballast_cleaner.build()


@pytest.fixture(scope="module")
def body() -> FEModel:
    return locomotive_body.build()


# beam


def test_beam_is_the_published_one():
    fe = beam.build()
    assert (fe.nnode, fe.nelement) == (201, 200)
    assert fe.node_ids.tolist() == list(range(1, 202))
    properties = fe.mass_properties()
    assert properties.mass == pytest.approx(6.28, rel=1e-9)
    assert properties.inertia[1, 1] == pytest.approx(2.08, rel=0.01)  # as published; 6.28 * 2² / 12 = 2.093


def test_free_beam_has_its_exact_bending_frequencies_in_pairs():
    frequency, _ = modes(beam.build(), 12, shift=100.0)
    root = np.array([4.730040745, 7.853204624, 10.99560784])
    exact = root**2 / (2 * np.pi * 2.0**2) * np.sqrt(2.1e11 * 0.02**4 / 12 / (7850.0 * 4e-4))
    # rotary inertia of the consistent mass lowers the third by (r k)²/2 ~ 5e-4, r = 5.8 mm
    assert_allclose(frequency[6:], np.repeat(exact, 2), rtol=1e-3)


# sound meshes


def test_meshes_are_whole_and_have_nothing_to_complain_about(car, frame, body):
    for fe in (car, frame, body):
        assert check_model(fe).problems == ()
        assert len(connected_parts(fe)) == 1


# (nodes, elements, dofs) of the published models; ours are free to differ by two in a hundred
SIZE_TOLERANCE = 0.02


def test_sizes_are_those_of_the_published_models(car, frame, body):
    published = {"car": (1273, 2478, 7474), "frame": (1990, 2485, 11_940), "body": (27_880, 32_189, 164_088)}
    for fe, size in zip((car, frame, body), published.values(), strict=True):
        assert_allclose((fe.nnode, fe.nelement, fe.ndof), size, rtol=SIZE_TOLERANCE)


# locomotive body


def test_locomotive_body_has_its_openings_machines_and_supports(body):
    assert 40e3 < body.mass_properties().mass < 60e3
    assert body.node_sets["pivots"].size == 8
    assert sum(mass.mass for mass in body.point_masses) == pytest.approx(39_200.0)
    # free edges: rims of windows, doors and fans in walls, fronts and roof
    edges = boundary_edges(body)
    place = body.nodes[body.node_index(edges.ravel())].reshape(-1, 2, 3)
    in_wall = (np.abs(np.abs(place[..., 1]) - 1.5) < 1e-6).all(axis=1) & (place[..., 2] > 0.01).all(axis=1)
    rims = 2 * (2 * (0.8 + 0.8) * 2 + 2 * (0.8 + 1.9) * 2 + 2 * (0.8 + 0.6) * 5)
    length = np.sqrt(((place[in_wall, 1] - place[in_wall, 0]) ** 2).sum(axis=1)).sum()
    assert length == pytest.approx(rims, rel=1e-3)


@pytest.mark.parametrize(("refine", "ndof"), [(0.2, 20_700), (0.7, 87_200)])
def test_locomotive_body_can_be_made_coarser(refine, ndof):
    fe = locomotive_body.build(refine)
    assert fe.ndof == pytest.approx(ndof, rel=0.02)
    assert len(connected_parts(fe)) == 1
    assert fe.mass_properties().mass == pytest.approx(54_000.0, rel=0.02)


def test_locomotive_body_is_no_mechanism():
    frequency, _ = modes(locomotive_body.build(0.2), 12, shift=100.0)
    assert frequency[5] < 1e-2
    assert 4.0 < frequency[6] < 15.0


# ballast cleaner


def test_ballast_cleaner_has_25_modes_between_2_and_28_hertz(frame):
    frequency, _ = modes(frame, 34, shift=10.0)
    assert frequency[5] < 1e-2
    assert frequency[6] > 2.0
    assert np.count_nonzero(frequency[6:] <= 28.0) == 25


def test_ballast_cleaner_names_its_measuring_points_and_springs(frame):
    x = [frame.nodes[frame.node_index(frame.node_sets[f"point {k}"])][0, 0] for k in range(1, 9)]
    assert_allclose(x, (2.35, 5.25, 8.70, 11.70, 14.70, 18.25, 21.15, 23.50), atol=1e-9)
    points = frame.nodes[frame.node_index(frame.node_sets["points"])]
    assert_allclose(points[:, 1], -0.95)  # on the right girder, y is to the left
    for name in ("screen 1", "screen 2", "supports"):
        assert frame.node_sets[name].size == 4
