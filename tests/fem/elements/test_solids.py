"""Solid elements: patch tests, rigid motions, mass, exactness, convergence, locking, loads, stresses."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import scipy.linalg
from numpy.testing import assert_allclose
from scipy.sparse.linalg import splu
from scipy.spatial.transform import Rotation
from vtkmodules import vtkCommonDataModel

from floatframe.errors import ModelError
from floatframe.fem import FEModel, Material, element_kind, load_vector, mass_properties, solid_box
from floatframe.fem.elements import Batch
from floatframe.fem.elements.solids._solid import with_first_moments
from floatframe.fem.model import rigid_motion

LINEAR = ["tet4", "hex8", "wedge6", "pyramid5"]
QUADRATIC = ["tet10", "hex20_reduced", "hex20", "wedge15", "pyramid13"]
KINDS = LINEAR + QUADRATIC
STEEL = Material(E=2.1e11, nu=0.3, rho=7850.0)
ROUND_OFF = 1e-10  # exact in theory; leaves room for the condition of a small mesh


# helpers


def straighten(fe: FEModel, nodes: np.ndarray) -> FEModel:
    """Put edge nodes back into the middle of their edges after corners have moved."""
    nodes, cells, element = nodes.copy(), fe.blocks[0].connectivity, fe.blocks[0].element
    if element.nnode > element.corners:
        nodes[cells[:, element.corners :]] = nodes[cells[:, np.array(element.edges)]].mean(axis=2)
    return replace(fe, nodes=nodes)


def distorted(fe: FEModel, amount: float, inside_only: bool = True) -> FEModel:
    """Move corner nodes at random, by default only those inside a unit box."""
    moved = fe.nodes + np.random.default_rng(7).uniform(-amount, amount, fe.nodes.shape)
    if inside_only:
        moved = np.where(boundary(fe)[:, None], fe.nodes, moved)
    return straighten(fe, moved)


def boundary(fe: FEModel) -> np.ndarray:
    return ((fe.nodes < 1e-12) | (fe.nodes > 1 - 1e-12)).any(axis=1)


def one_element(kind: str, distortion: float = 0.08) -> Batch:
    """A single straight-sided element of irregular shape."""
    element = element_kind(kind)
    xyz = element.reference_nodes * [1.0, 0.8, 1.3]
    xyz = xyz + np.random.default_rng(3).uniform(-distortion, distortion, xyz.shape)
    if element.nnode > element.corners:
        xyz[element.corners :] = xyz[np.array(element.edges)].mean(axis=1)
    return Batch(xyz[None], STEEL, None)


def solve(fe: FEModel, force: np.ndarray, known: np.ndarray, held: np.ndarray) -> np.ndarray:
    """Displacements (nnode, 3) under nodal forces (nnode, 3); where `held` they are those of `known` (nnode, 3)."""
    K, free = fe.stiffness(), ~held.ravel()
    u = np.where(held, known, 0.0).ravel()
    u[free] = splu(K[free][:, free].tocsc()).solve((force.ravel() - K @ u)[free])
    return u.reshape(-1, 3)


def nodal_stress(fe: FEModel, u: np.ndarray) -> np.ndarray:
    """Stresses (nel, nnode of the element, 6) for nodal displacements u (nnode, 3)."""
    block = fe.blocks[0]
    batch = Batch(fe.nodes[block.connectivity], block.material, None)
    return block.element.resultants(batch, u[block.connectivity].reshape(batch.size, -1))


def isotropic_stress(H: np.ndarray, material: Material) -> np.ndarray:
    """Stresses (..., 6) from displacement gradients (..., 3, 3), written out independently of the elements."""
    lam = material.E * material.nu / ((1 + material.nu) * (1 - 2 * material.nu))
    S = lam * np.trace(H, axis1=-2, axis2=-1)[..., None, None] * np.eye(3) + material.G * (H + H.swapaxes(-1, -2))
    return np.stack([S[..., 0, 0], S[..., 1, 1], S[..., 2, 2], S[..., 0, 1], S[..., 1, 2], S[..., 2, 0]], axis=-1)


# shape functions and node order


@pytest.mark.parametrize("kind", KINDS)
def test_shape_functions_are_one_at_their_node_and_zero_at_the_others(kind):
    element = element_kind(kind)
    assert_allclose(element.shape(element.reference_nodes), np.eye(element.nnode), atol=1e-14)


@pytest.mark.parametrize(
    ("kind", "vtk_class"),
    [
        ("tet4", "vtkTetra"),
        ("tet10", "vtkQuadraticTetra"),
        ("hex8", "vtkHexahedron"),
        ("hex20_reduced", "vtkQuadraticHexahedron"),
        ("wedge15", "vtkQuadraticWedge"),
        ("pyramid5", "vtkPyramid"),
        ("pyramid13", "vtkQuadraticPyramid"),
    ],
)
def test_nodes_stand_where_vtk_has_them(kind, vtk_class):
    element, cell = element_kind(kind), getattr(vtkCommonDataModel, vtk_class)()
    assert cell.GetCellType() == element.vtk_type
    theirs = np.reshape(cell.GetParametricCoords(), (-1, 3))
    ours = element.reference_nodes
    # vtk's reference shapes run from 0 to 1; its pyramid is a cube with one face shrunk, so only the base compares
    ours = (ours - ours.min(axis=0)) / np.ptp(ours, axis=0)
    if kind.startswith("pyramid"):
        base = ours[:, 2] == 0
        theirs, ours = theirs[base], ours[base]
    assert_allclose(ours, theirs, atol=1e-15)


# stiffness


@pytest.mark.parametrize("kind", KINDS)
def test_patch_test_is_exact(kind):
    fe = distorted(solid_box((1, 1, 1), (2, 2, 2), kind, material=STEEL), 0.12)
    H = np.array([[1.0, 0.5, -0.3], [0.2, -0.7, 0.4], [0.6, 0.1, 0.9]]) * 1e-3
    exact = fe.nodes @ H.T
    held = np.repeat(boundary(fe)[:, None], 3, axis=1)
    assert not held.all()
    u = solve(fe, np.zeros_like(exact), exact, held)
    assert_allclose(u, exact, atol=ROUND_OFF * np.abs(exact).max())
    stress = isotropic_stress(H, STEEL)
    assert np.abs(nodal_stress(fe, u) - stress).max() < ROUND_OFF * np.abs(stress).max()


@pytest.mark.parametrize("kind", KINDS)
def test_rigid_motion_gives_no_force_in_any_position(kind):
    element, batch = element_kind(kind), one_element(kind)
    for seed in range(3):
        R = Rotation.random(random_state=seed).as_matrix()
        xyz = batch.xyz @ R.T + [3.0, -2.0, 1.0]
        K = element.stiffness(Batch(xyz, STEEL, None))[0]
        motions = rigid_motion(xyz[0])[:, :3].reshape(element.ndof, 6)
        assert np.abs(K @ motions).max() < 1e-9 * np.abs(K).max() * np.abs(motions).max()


@pytest.mark.parametrize("kind", KINDS)
def test_stiffness_turns_with_the_element(kind):
    element, batch = element_kind(kind), one_element(kind)
    R = Rotation.from_rotvec([0.4, -1.1, 0.7]).as_matrix()
    T = np.kron(np.eye(element.nnode), R)
    K, turned = element.stiffness(batch)[0], element.stiffness(Batch(batch.xyz @ R.T, STEEL, None))[0]
    assert_allclose(turned, T @ K @ T.T, atol=1e-12 * np.abs(K).max())
    assert (K == K.T).all()


@pytest.mark.parametrize("kind", KINDS)
def test_single_element_has_exactly_the_rigid_motions_without_energy(kind):
    values = scipy.linalg.eigvalsh(element_kind(kind).stiffness(one_element(kind))[0])
    # 8 points with 6 strains each are 6 short of the 54 deformations of 20 nodes
    zero = 12 if kind == "hex20_reduced" else 6
    assert (np.abs(values) < 1e-10 * values[-1]).sum() == zero
    assert values[zero] > 1e-4 * values[-1]


@pytest.mark.parametrize(
    ("divisions", "zero"),
    [((2, 1, 1), 9), ((3, 1, 1), 10), ((2, 2, 1), 6), ((2, 2, 2), 6)],
)
def test_reduced_hex20_is_sound_from_two_elements_in_two_directions(divisions, zero):
    fe = solid_box((2, 1.3, 0.7), divisions, "hex20_reduced", material=STEEL)
    values = scipy.linalg.eigvalsh(fe.stiffness().toarray())
    assert (np.abs(values) < 1e-10 * values[-1]).sum() == zero


@pytest.mark.parametrize("kind", ["tet10", "hex20_reduced", "wedge15", "pyramid5"])
def test_stiffness_equals_the_strain_matrix_form(kind):
    """The product form λP + μPᵀ + μ tr(P)I against the textbook Bᵀ D B."""
    element, batch = element_kind(kind), one_element(kind)
    gradients, volume = element.gradients(batch)
    B = np.zeros((gradients.shape[1], 6, element.ndof))
    for row, (a, b) in enumerate([(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0)]):
        B[:, row, a::3] += gradients[0, :, :, b] * (0.5 if a == b else 1.0)
        B[:, row, b::3] += gradients[0, :, :, a] * (0.5 if a == b else 1.0)
    K = np.einsum("qri,rs,qsj,q->ij", B, STEEL.elasticity(), B, volume[0])
    assert_allclose(element.stiffness(batch)[0], K, atol=1e-12 * np.abs(K).max())


# exactness and convergence


@pytest.mark.parametrize("kind", QUADRATIC)
def test_quadratic_field_is_exact(kind):
    """With the body force that a quadratic field needs; hexahedra and wedges hold it while their sides are parallel."""
    fe = solid_box((1, 1, 1), (2, 2, 2), kind, material=STEEL)
    held = np.repeat(boundary(fe)[:, None], 3, axis=1)
    sheared = fe.nodes @ [[1, 0.3, 0], [0, 1, 0.2], [0.1, 0, 1]]
    fe = distorted(fe, 0.12) if kind == "tet10" else replace(fe, nodes=sheared)
    Q = np.random.default_rng(1).normal(size=(3, 3, 3))
    Q = Q + Q.swapaxes(1, 2)  # u_a = Q_aij x_i x_j / 2
    x = fe.nodes
    exact = 0.5 * np.einsum("aij,ni,nj->na", Q, x, x)
    lam, mu = STEEL.E * 0.3 / (1.3 * 0.4), STEEL.G
    body = -(lam + mu) * np.einsum("aai->i", Q) - mu * np.einsum("aii->a", Q)
    force = (fe.mass() @ np.tile(body / STEEL.rho, fe.nnode)).reshape(-1, 3)
    u = solve(fe, force, exact, held)
    assert_allclose(u, exact, atol=ROUND_OFF * np.abs(exact).max())
    stress = isotropic_stress(np.einsum("aij,nj->nai", Q, x), STEEL)[fe.blocks[0].connectivity]
    assert_allclose(nodal_stress(fe, u), stress, atol=ROUND_OFF * np.abs(stress).max())


@pytest.mark.parametrize(
    ("kind", "meshes", "order"),
    [*((kind, (4, 8), 2.0) for kind in LINEAR), *((kind, (2, 4), 3.0) for kind in QUADRATIC)],
)
def test_error_falls_with_the_order_of_the_shape_functions(kind, meshes, order):
    """Plane wave u = a sin(k·x) in a cube, held on the surface, driven by its body force."""
    material = Material(E=1.0, nu=0.3, rho=1.0)
    a, k = np.array([1.0, -0.5, 0.7]), np.array([1.9, 1.3, -1.6])
    lam, mu = 0.3 / (1.3 * 0.4), material.G
    errors = []
    for n in meshes:
        fe = solid_box((1, 1, 1), (n, n, n), kind, material=material)
        wave = np.sin(fe.nodes @ k)[:, None]
        force = (fe.mass() @ (wave * ((lam + mu) * (a @ k) * k + mu * (k @ k) * a)).ravel()).reshape(-1, 3)
        u = solve(fe, force, wave * a, np.repeat(boundary(fe)[:, None], 3, axis=1))
        errors.append(field_error(fe, u, lambda x: np.sin(x @ k)[..., None] * a))
    # measured 1.9 to 2.0; 3.0 (tet10), 3.2 (wedge15), 3.5 (hex20_reduced, with luckier sample points)
    assert np.log2(errors[0] / errors[1]) > order - 0.15


def field_error(fe: FEModel, u: np.ndarray, exact) -> float:
    """Root mean square of u - exact over the elements, which must all have the same volume."""
    element, cells = fe.blocks[0].element, fe.blocks[0].connectivity
    N, weights = element.shape(element.mass_rule.points), element.mass_rule.weights
    difference = N @ u[cells] - exact(N @ fe.nodes[cells])
    return np.sqrt(np.einsum("eqa,eqa,q->", difference, difference, weights) / weights.sum() / len(cells))


# bending and locking


def bending_bar(kind: str, nu: float, divisions=(6, 1, 1)) -> tuple[FEModel, np.ndarray]:
    """A slender bar 6 x 0.2 x 0.1 whose root section stays plane but may contract, and the held dofs."""
    fe = solid_box((6, 0.2, 0.1), divisions, kind, material=Material(E=1e7, nu=nu))
    root = fe.nodes[:, 0] == 0
    held = np.column_stack([root, root & (fe.nodes[:, 1] == 0), root & (fe.nodes[:, 2] == 0)])
    held[:, 1] &= fe.nodes[:, 2] == 0
    return fe, held


@pytest.mark.parametrize("nu", [0.0, 0.3, 0.499])
def test_hex8_bends_exactly_with_one_layer(nu):
    fe, held = bending_bar("hex8", nu)
    E, h, curvature = 1e7, 0.1, 1e-3
    x, y, z = (fe.nodes - [0, 0, h / 2]).T
    exact = curvature * np.column_stack([x * z, -nu * y * z, -(x**2 + nu * (z**2 - y**2)) / 2])
    # the end traction E κ z on a bilinear face
    force = np.zeros_like(exact)
    force[:, 0] = np.where(x == 6.0, np.sign(z) * E * curvature * (0.2 * h**3 / 12) / (2 * h), 0.0)
    u = solve(fe, force, exact, held)
    # exact but for the condition of a slender, nearly incompressible bar: 1e-16 (L/h)⁴ / (1 - 2 nu)
    assert_allclose(u, exact, atol=1e-6 * np.abs(exact).max())
    stress = nodal_stress(fe, u)
    expected = np.zeros_like(stress)
    expected[..., 0] = E * curvature * z[fe.blocks[0].connectivity]
    assert_allclose(stress, expected, atol=1e-5 * np.abs(expected).max())


@pytest.mark.parametrize(
    ("kind", "nu", "tolerance"),
    [
        ("hex8", 0.3, 0.02),
        ("hex8", 0.499, 0.02),
        ("hex20", 0.3, 0.03),
        ("tet10", 0.3, 0.04),
        ("wedge15", 0.3, 0.03),
    ],
)
def test_slender_cantilever_does_not_lock(kind, nu, tolerance):
    fe, held = bending_bar(kind, nu)
    force = np.zeros((fe.nnode, 3))
    force[:, 2] = load_vector(fe, pressure={"xmax": -1 / 0.02})[:, 0]  # unit shear force
    deflection = (solve(fe, force, 0 * force, held) * force).sum()
    G, area, inertia = 1e7 / (2 * (1 + nu)), 0.02, 0.2 * 0.1**3 / 12
    assert deflection == pytest.approx(6**3 / (3e7 * inertia) + 6 / (5 / 6 * G * area), rel=tolerance)


def test_hex8_does_not_lock_in_a_nearly_incompressible_block():
    """Clamped short beam: stiffness may depend on nu only as the fine quadratic mesh says."""
    deflection = {}
    for kind, divisions in (("hex8", (8, 2, 2)), ("hex20", (10, 4, 4))):
        fe = solid_box((4, 1, 1), divisions, kind, material=Material(E=1.0, nu=0.499))
        held = np.repeat((fe.nodes[:, 0] == 0)[:, None], 3, axis=1)
        force = np.zeros((fe.nnode, 3))
        force[:, 2] = load_vector(fe, pressure={"xmax": -1.0})[:, 0]
        deflection[kind] = (solve(fe, force, 0 * force, held) * force).sum()
    assert deflection["hex8"] == pytest.approx(deflection["hex20"], rel=0.05)


@pytest.mark.parametrize(("divisions", "share"), [((30, 1, 1), 0.75), ((60, 2, 1), 0.85)])
def test_wedge6_bends_out_of_its_plane(divisions, share):
    """Far from the 39 % and 66 % of the plain linear wedge."""
    fe, held = bending_bar("wedge6", 0.3, divisions)
    force = np.zeros((fe.nnode, 3))
    force[:, 2] = load_vector(fe, pressure={"xmax": -1 / 0.02})[:, 0]
    deflection = (solve(fe, force, 0 * force, held) * force).sum()
    assert share < deflection / 0.4321 < 1.01


# mass


@pytest.mark.parametrize("kind", KINDS)
def test_translational_mass_and_volume_are_exact(kind):
    fe = distorted(solid_box((1, 1, 1), (2, 2, 2), kind, material=STEEL), 0.12)
    one = np.tile(np.eye(3), (fe.nnode, 1))
    assert_allclose(one.T @ (fe.mass() @ one), STEEL.rho * np.eye(3), atol=1e-12 * STEEL.rho)
    lumped = fe.mass("lumped")
    assert_allclose(one.T @ (lumped @ one), STEEL.rho * np.eye(3), atol=1e-12 * STEEL.rho)
    assert (lumped.diagonal() > 0).all()
    assert lumped.nnz == fe.ndof


@pytest.mark.parametrize("kind", KINDS)
def test_rigid_body_properties_of_a_brick_are_exact(kind):
    size = np.array([1.2, 0.7, 0.4])
    fe = solid_box(size, (2, 1, 2), kind, material=STEEL, origin=(0.5, -1.0, 2.0))
    mass = STEEL.rho * size.prod()
    found = mass_properties(fe)
    assert found.mass == pytest.approx(mass, rel=1e-12)
    assert_allclose(found.com, [1.1, -0.65, 2.2], rtol=1e-12)
    assert_allclose(found.inertia, np.diag(mass / 12 * ((size**2).sum() - size**2)), atol=1e-11 * mass)
    lumped = mass_properties(fe, "lumped")
    assert_allclose(lumped.com, [1.1, -0.65, 2.2], rtol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("mesh", ["distorted", "graded"])
def test_lumped_mass_is_positive_and_keeps_the_centre_of_mass(kind, mesh):
    fe = solid_box((1, 1, 1), (2, 2, 2), kind, material=STEEL)
    # grading moves edge nodes out of the middle of their edges
    fe = (
        distorted(fe, 0.1, inside_only=False)
        if mesh == "distorted"
        else replace(fe, nodes=fe.nodes * (0.6 + 0.4 * fe.nodes))
    )
    found, exact = mass_properties(fe, "lumped"), mass_properties(fe)
    assert found.mass == pytest.approx(exact.mass, rel=1e-12)
    assert_allclose(found.com, exact.com, atol=1e-12)
    assert (fe.mass("lumped").diagonal() > 0).all()


def test_lumped_inertia_converges_with_second_order():
    error = []
    for n in (2, 4):
        fe = solid_box((1, 1, 1), (n, n, n), "hex20", material=STEEL)
        error.append(mass_properties(fe, "lumped").inertia[0, 0] / (STEEL.rho / 6) - 1)
    assert error[0] > 0  # nodes lie on the surface of their element
    assert np.log2(error[0] / error[1]) == pytest.approx(2.0, abs=1e-6)


def test_weights_stay_positive_when_their_centre_is_out_of_reach():
    nodes = element_kind("tet10").reference_nodes[None]
    weights = np.full((1, 10), 0.1)
    beyond = with_first_moments(weights, nodes, np.array([[2.0, 0.0, 0.0]]))
    assert beyond.min() == pytest.approx(0.01)
    assert beyond.sum() == pytest.approx(1.0)
    assert (beyond @ nodes)[0, 0, 0] > (weights @ nodes)[0, 0, 0]


# loads


@pytest.mark.parametrize("kind", KINDS)
def test_pressure_on_all_faces_is_in_balance_and_works_against_the_volume(kind):
    element, batch = element_kind(kind), one_element(kind)
    load = sum(element.pressure_load(batch, face, np.array([2.0])) for face in range(len(element.faces)))
    nodal, x = load.reshape(-1, 3), batch.xyz[0]
    volume = element.mass(batch).sum() / 3 / STEEL.rho
    assert_allclose(nodal.sum(axis=0), 0, atol=1e-12)
    assert_allclose(np.cross(x, nodal).sum(axis=0), 0, atol=1e-12)
    # every face pushes inwards: ∮ -p n·x = -3 p V
    assert (nodal * x).sum() == pytest.approx(-3 * 2.0 * volume, rel=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_load_totals(kind):
    fe = solid_box((2, 0.5, 0.4), (2, 2, 1), kind, material=STEEL)
    f = load_vector(fe, pressure={"xmax": 3.0e5})
    assert_allclose(f.sum(axis=0), [-3.0e5 * 0.2, 0, 0, 0, 0, 0], atol=1e-9 * 3e5)
    assert_allclose(np.cross(fe.nodes, f[:, :3]).sum(axis=0), np.cross([2, 0.25, 0.2], [-6e4, 0, 0]), atol=1e-9 * 3e5)
    weight = load_vector(fe, gravity=(0, 0, -9.81))
    assert weight[:, 2].sum() == pytest.approx(-9.81 * STEEL.rho * 0.4, rel=1e-12)


def test_pressure_follows_curved_faces():
    """Inner pressure in a quarter ring: the resultant along x is p times the projected area, ri * length."""
    fe = solid_box((1, 1, 1), (1, 4, 1), "hex20_reduced", material=STEEL)
    r, angle = 1 + fe.nodes[:, 0], fe.nodes[:, 1] * np.pi / 2
    ring = replace(fe, nodes=np.column_stack([r * np.cos(angle), r * np.sin(angle), fe.nodes[:, 2]]))
    f = load_vector(ring, pressure={"xmin": 5.0})
    # the parabolas end exactly on the circle at 0 and 90 degrees, and only the ends count
    assert_allclose(f[:, :2].sum(axis=0), [5.0, 5.0], rtol=1e-12)


# checks


@pytest.mark.parametrize("kind", KINDS)
def test_inverted_element_is_named(kind):
    element, good = element_kind(kind), one_element(kind)
    bad = replace(good, xyz=good.xyz * [1, 1, -1], element_ids=np.array([42]))
    assert element.size_measure(good)[0] > 0
    assert element.size_measure(bad)[0] < 0
    with pytest.raises(ModelError, match=rf"element 42 \({kind}\): the Jacobian determinant is -"):
        element.stiffness(bad)
    with pytest.raises(ModelError, match="element 42"):
        element.mass(bad)


@pytest.mark.parametrize("kind", KINDS)
def test_faces_are_outward_polygons_over_all_nodes(kind):
    element = element_kind(kind)
    x, middle = element.reference_nodes, element.reference_nodes[: element.corners].mean(axis=0)
    assert set().union(*element.faces) == set(range(element.nnode))
    for face in element.faces:
        around = x[list(face)]
        area = np.cross(around, np.roll(around, -1, axis=0)).sum(axis=0)
        assert area @ (around.mean(axis=0) - middle) > 0


def test_box_refuses_unknown_kinds_and_sizes():
    with pytest.raises(ModelError, match="kind 'hex9'"):
        solid_box((1, 1, 1), (1, 1, 1), "hex9", material=STEEL)
    with pytest.raises(ModelError, match="three numbers"):
        solid_box((1, 1), (1, 1, 1), material=STEEL)
    with pytest.raises(ModelError, match="size"):
        solid_box((1, -1, 1), (1, 1, 1), material=STEEL)


@pytest.mark.parametrize("kind", KINDS)
def test_box_has_its_faces_as_node_sets(kind):
    fe = solid_box((2, 1, 1), (2, 2, 2), kind, material=STEEL)
    assert set(fe.node_sets) == {"xmin", "xmax", "ymin", "ymax", "zmin", "zmax"}
    assert_allclose(fe.nodes[fe.node_index(fe.node_sets["xmax"])][:, 0], 2.0)
    batch = Batch(fe.nodes[fe.blocks[0].connectivity], STEEL, None)
    assert (fe.blocks[0].element.size_measure(batch) > 0).all()
