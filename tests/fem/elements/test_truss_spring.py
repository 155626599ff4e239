"""Trusses, springs, dampers and bushings."""

import numpy as np
import pytest
import scipy.linalg
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

from floatframe.errors import ModelError
from floatframe.fem import BeamSection, ElementBlock, FEModel, Material
from floatframe.fem.model import rigid_motion
from tests.reference.beams import fitted_order

STEEL = Material(E=2.1e11, nu=0.3, rho=7850.0)
ROD = BeamSection.circle(0.05)
EXACT = 1e-9  # round-off of one dense solve
RNG = np.random.default_rng(2)


def random_spd(n, size):
    A = RNG.normal(size=(n, size, size))
    return A @ A.swapaxes(1, 2)


def model(kind, nodes, connectivity, section=None, **data):
    material = STEEL if kind == "truss" else None
    return FEModel(np.array(nodes, dtype=float), (ElementBlock(kind, connectivity, material, section, data),))


def scattered(kind, n=15, **data):
    """Two-node elements of all directions."""
    nodes = RNG.normal(loc=(3.0, -2.0, 1.0), size=(2 * n, 3))
    return model(kind, nodes, np.arange(2 * n).reshape(n, 2), ROD if kind == "truss" else None, **data)


def solve(fe, forces, fixed):
    load = np.zeros((fe.nnode, 6))
    for (node, component), value in forces.items():
        load[node - 1, component] = value
    free = fe.free_rows(fixed)
    x = np.zeros(fe.ndof)
    K = fe.stiffness().toarray()[np.ix_(free, free)]
    x[free] = scipy.linalg.solve(K, fe.project_load(load)[free], assume_a="pos")
    return fe.expand(x)


def resultants(fe, u, block=0):
    b = fe.blocks[block]
    (_, batch), *_ = b.batches(fe.nodes)
    local = u[b.connectivity, : b.element.dof_per_node].reshape(len(b), -1)
    return b.element.resultants(batch, local)


@pytest.mark.parametrize(
    "fe",
    [
        scattered("truss"),
        scattered("axial_spring", stiffness=np.linspace(1e3, 1e6, 15)),
        scattered("spring", stiffness=random_spd(15, 6), damping=random_spd(15, 6)),
        scattered(
            "spring", stiffness=random_spd(15, 6), location=np.linspace(0, 1, 15), orientation=RNG.normal(size=(15, 3))
        ),
        scattered("spring", stiffness=random_spd(15, 6), axes=Rotation.random(15, rng=3).as_matrix()),
    ],
    ids=["truss", "axial_spring", "spring", "spring orientation", "spring axes"],
)
def test_rigid_motion_gives_no_force(fe):
    R = fe.rigid_shapes()
    for matrix in (fe.stiffness(), fe.damping()):
        assert np.abs(matrix @ R).max() <= EXACT * np.abs(matrix).max()


def test_truss_mass_and_inertia_are_exact():
    fe = scattered("truss")
    R = fe.rigid_shapes()
    G = R.T @ (fe.mass() @ R)
    ends = fe.nodes.reshape(-1, 2, 3)
    m = STEEL.rho * ROD.A * np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)
    a, b = ends[:, 0], ends[:, 1]
    second = sum(np.einsum("e,ei,ej->ij", m / 6, p, p) for p in (a, b, a + b))
    assert_allclose(G[:3, :3], m.sum() * np.eye(3), atol=1e-12 * m.sum())
    assert_allclose(G[3:, 3:], np.trace(second) * np.eye(3) - second, rtol=1e-10, atol=1e-10 * np.trace(second))
    assert fe.mass("lumped").sum() == pytest.approx(3 * m.sum())


def test_truss_frequencies_converge_with_fourth_order():
    L, sizes, error = 2.0, (4, 8, 16), []
    for n in sizes:
        row = np.arange(n)
        fe = model("truss", np.linspace([0, 0, 0], [L, 0, 0], n + 1), np.column_stack([row, row + 1]), ROD)
        free = fe.free_rows([1, *((k, "uy,uz") for k in range(2, n + 2))])
        K, M = (matrix.toarray()[np.ix_(free, free)] for matrix in (fe.stiffness(), fe.mass()))
        omega = np.sqrt(scipy.linalg.eigh(K, M, eigvals_only=True)[1])
        error.append(omega / (1.5 * np.pi / L * np.sqrt(STEEL.E / STEEL.rho)) - 1)
    assert fitted_order(sizes, error) == pytest.approx(4.0, abs=0.2)


def test_two_bar_truss():
    # symmetric two-bar truss with half-angle 30 degrees to the vertical under a vertical load
    h, P = 1.0, 5e4
    half = h * np.tan(np.pi / 6)
    fe = model("truss", [[-half, 0, h], [half, 0, h], [0, 0, 0]], np.array([[0, 2], [1, 2]]), ROD)
    u = solve(fe, {(3, 2): -P}, fixed=[1, 2, (3, "uy")])
    N = P / (2 * np.cos(np.pi / 6))
    length = h / np.cos(np.pi / 6)
    assert_allclose(resultants(fe, u)[:, :, 0], N, rtol=EXACT)
    assert u[2, 2] == pytest.approx(-N * length / (STEEL.E * ROD.A) / np.cos(np.pi / 6), rel=EXACT)


def test_bushing_between_beam_halves_of_subdyn():
    # two tubes of 5 m with a 6 x 6 spring between coincident nodes, tip force along x
    material = Material(E=2.1e11, nu=2.1e11 / 2 / 8.08e10 - 1)
    tube = BeamSection.tube(1.0, 0.025, nu=material.nu)
    nodes = np.array([[0, 0, 0], [0, 0, 5], [0, 0, 5], [0, 0, 10]], dtype=float)
    k = np.array([[2e7, 1e12, 1e12, 1e12, 1e8, 1e12]])
    fe = FEModel(
        nodes,
        (
            ElementBlock("beam", np.array([[0, 1], [2, 3]]), material, tube),
            ElementBlock("spring", np.array([[1, 2]]), data={"stiffness": k}),
        ),
    )
    u = solve(fe, {(4, 0): 2e6}, fixed=[1])
    assert_allclose(u[1:, 0], [0.11218, 0.21218, 0.95511], atol=6e-6)  # all published digits
    assert_allclose(resultants(fe, u, block=1)[0, 0], [2e6, 0, 0, 0, 1e7, 0], atol=1e-3)


def test_bushing_acts_at_its_place_on_the_line():
    # lateral spring only: a force at the node turns about nothing, the other end sees the moment of its arm
    k, location = np.array([[0.0, 1e5, 0, 0, 0, 0]]), 0.3
    fe = model("spring", [[0, 0, 0], [2.0, 0, 0]], np.array([[0, 1]]), stiffness=k, location=[location])
    reaction = fe.stiffness() @ np.eye(12)[:, 7] * 1e-3  # node 2 moves 1 mm along y
    force = 1e5 * 1e-3
    assert_allclose(reaction[[7, 11]], [force, -force * 2.0 * (1 - location)], rtol=EXACT)
    assert_allclose(reaction[[1, 5]], [-force, -force * 2.0 * location], rtol=EXACT)


def test_turned_axes_turn_the_spring():
    R = Rotation.from_euler("zyx", [0.4, -0.2, 0.9]).as_matrix()
    k = np.array([[3.0, 5.0, 7.0, 11.0, 13.0, 17.0]])
    for kind, nodes, rows in (("ground_spring", [[1, 2, 3]], [[0]]), ("spring", [[1, 2, 3], [1, 2, 3]], [[0, 1]])):
        fe = model(kind, nodes, np.array(rows), stiffness=k, damping=2 * k, axes=R[None])
        expected = scipy.linalg.block_diag(R.T @ np.diag(k[0, :3]) @ R, R.T @ np.diag(k[0, 3:]) @ R)
        assert_allclose(fe.stiffness().toarray()[:6, :6], expected, atol=1e-12)
        assert_allclose(fe.damping().toarray()[-6:, -6:], 2 * expected, atol=1e-12)


def test_springs_between_solid_nodes_add_no_rotations():
    fe = model("axial_spring", [[0, 0, 0], [0, 3, 4]], np.array([[0, 1]]), stiffness=[2000.0], damping=[30.0])
    assert fe.ndof == 6
    direction = np.array([0, 0.6, 0.8])
    assert_allclose(fe.stiffness().toarray()[3:, 3:], 2000 * np.outer(direction, direction), atol=1e-10)
    assert_allclose(fe.damping().toarray()[:3, 3:], -30 * np.outer(direction, direction), atol=1e-12)
    assert_allclose(resultants(fe, np.array([[0, 0, 0, 0, 0, 0], [0, 0.006, 0.008, 0, 0, 0]])), 20.0, rtol=1e-12)
    ground = model("ground_point_spring", [[0, 0, 0]], np.array([[0]]), stiffness=[[1.0, 2.0, 3.0]])
    assert_allclose(ground.stiffness().toarray(), np.diag([1.0, 2.0, 3.0]))


def test_point_springs_out_of_balance_are_found():
    """A spring between nodes apart has to act along their line; the matrix must agree with the verdict."""
    nodes = np.array([[0, 0, 0], [0, 0, 0], [0, 3, 4], [2, 0, 0]], dtype=float)
    along = np.array([0, 0.6, 0.8])
    laws = np.array(
        [np.diag([1e6, 2e6, 3e6]), 1e6 * np.outer(along, along), np.diag([1e6, 0, 0]), np.diag([1e6, 1.0, 0])]
    )
    fe = model("point_spring", nodes, np.array([[0, 1], [0, 2], [0, 3], [0, 3]]), stiffness=laws)
    _, batch = next(fe.blocks[0].batches(fe.nodes))
    found = fe.blocks[0].element.resists_turning(batch)
    assert found.tolist() == [False, False, False, True]
    turn = rigid_motion(batch.xyz.reshape(-1, 3))[:, :3, 3:].reshape(-1, 6, 3)
    force = np.abs(fe.blocks[0].element.stiffness(batch) @ turn).max(axis=(1, 2))
    assert (force > 1e-3).tolist() == found.tolist()
    damper = model("point_spring", nodes, np.array([[0, 3]]), damping=[[0.0, 5.0, 0.0]])
    _, batch = next(damper.blocks[0].batches(damper.nodes))
    assert damper.blocks[0].element.resists_turning(batch).tolist() == [True]


def test_springs_have_no_mass():
    fe = scattered("spring", stiffness=random_spd(15, 6))
    assert fe.mass().nnz == 0
    assert fe.mass("lumped").nnz == 0
    assert fe.damping().nnz == 0


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: model("truss", [[1, 1, 1], [1, 1, 1]], np.array([[0, 1]]), ROD), "truss 1: its two ends coincide"),
        (lambda: model("axial_spring", [[1, 1, 1], [1, 1, 1]], np.array([[0, 1]]), stiffness=[1.0]), "axial_spring 1"),
        (
            lambda: model("spring", [[0, 0, 0], [1, 0, 0]], np.array([[0, 1]]), stiffness=[[1.0, 2.0]]),
            "expected .1, 6.",
        ),
        (
            lambda: model("ground_spring", [[0, 0, 0]], np.array([[0]]), stiffness=[[np.nan] * 6]),
            "stiffness is not a finite number",
        ),
        (
            lambda: model("ground_spring", [[0, 0, 0]], np.array([[0]]), stiffness=[np.triu(np.ones((6, 6)))]),
            "not symmetric",
        ),
        (
            lambda: model("ground_spring", [[0, 0, 0]], np.array([[0]]), stiffness=[[1.0] * 6], axes=[2 * np.eye(3)]),
            "ground_spring 1: its axes are not three orthonormal",
        ),
    ],
)
def test_bad_springs_are_named(make, words):
    with pytest.raises(ModelError, match=words) as caught:
        make().stiffness()
    assert "\n" not in str(caught.value)
