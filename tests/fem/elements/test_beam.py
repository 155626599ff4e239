"""Beams: exact statics in any attitude, frequencies with measured order, section forces and stresses."""

import numpy as np
import pytest
import scipy.linalg
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

from floatframe.errors import ModelError
from floatframe.fem import RBE2, BeamSection, ElementBlock, FEModel, Material
from floatframe.fem.model import rigid_motion
from floatframe.fem.stress.sections import beam_stress, extreme_stress, fibre_stress
from tests.reference import beams as reference

STEEL = Material(E=2.1e11, nu=0.3, rho=7850.0)
EXACT = 1e-9  # round-off of one dense solve with stiffness and rotations of very different size
ANGLE = BeamSection.angle(0.1, 0.15, 0.01)
CHANNEL = BeamSection.channel(0.1, 0.2, 0.006, 0.01)
KINDS = ["beam", "beam_cubic_mass"]


def line(n, section, L=1.0, kind="beam", R=None, material=STEEL, **data):
    """A straight chain of n beams along x, or along the first column of R."""
    nodes = np.linspace([0, 0, 0], [L, 0, 0], n + 1)
    if R is not None:
        nodes = nodes @ np.asarray(R).T
    row = np.arange(n)
    data = {name: np.tile(value, (n,) + (1,) * np.ndim(value)) for name, value in data.items()}
    return FEModel(nodes, (ElementBlock(kind, np.column_stack([row, row + 1]), material, section, data),))


def solve(fe, forces, fixed):
    """Displacements (nnode, 6) under {(node, component): value} by a dense solution."""
    load = np.zeros((fe.nnode, 6))
    for (node, component), value in forces.items():
        load[node - 1, component] += value
    free = fe.free_rows(fixed)
    K = fe.stiffness().toarray()[np.ix_(free, free)]
    x = np.zeros(fe.ndof)
    x[free] = scipy.linalg.solve(K, fe.project_load(load)[free], assume_a="pos")
    return fe.expand(x)


def frequencies(fe, fixed=(), mass="consistent"):
    free = fe.free_rows(fixed)
    K, M = fe.stiffness().toarray()[np.ix_(free, free)], fe.mass(mass).toarray()[np.ix_(free, free)]
    return np.sqrt(np.abs(scipy.linalg.eigh(K, M, eigvals_only=True))) / (2 * np.pi)


def element_displacements(fe, u):
    return u[fe.blocks[0].connectivity].reshape(len(fe.blocks[0]), -1)


def section_forces(fe, u):
    block = fe.blocks[0]
    (_, batch), *_ = block.batches(fe.nodes)
    return block.element.resultants(batch, element_displacements(fe, u))


def random_model(kind, section, seed=1, n=20):
    """Beams of all directions with orientation vectors and offsets."""
    rng = np.random.default_rng(seed)
    nodes = rng.normal(loc=(3.0, -2.0, 1.0), size=(2 * n, 3))
    data = {"orientation": rng.normal(size=(n, 3)), "offsets": 0.1 * rng.normal(size=(n, 2, 3))}
    return FEModel(nodes, (ElementBlock(kind, np.arange(2 * n).reshape(n, 2), STEEL, section, data),))


# rigid motion


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("section", [BeamSection.rectangle(0.02, 0.05), ANGLE, CHANNEL.without_shear()])
def test_rigid_motion_gives_no_force(kind, section):
    fe = random_model(kind, section)
    K, shapes = fe.stiffness(), fe.rigid_shapes()
    assert np.abs(K @ shapes).max() < EXACT * np.abs(K).max()
    u = rigid_motion(fe.nodes)[:, :, 4]
    scale = STEEL.E * section.A
    assert np.abs(section_forces(fe, u)).max() < EXACT * scale


def exact_mass_properties(fe, section):
    """Mass, first moment and inertia tensor about the origin of straight rods with rotary inertia."""
    block = fe.blocks[0]
    (_, batch), *_ = block.batches(fe.nodes)
    ends = batch.xyz + batch.data["offsets"]
    mass, first, inertia = 0.0, np.zeros(3), np.zeros((3, 3))
    for (a, b), R in zip(ends, block.element.axes(batch), strict=True):
        L = np.linalg.norm(b - a)
        m = STEEL.rho * section.A * L
        mass += m
        first += m * (a + b) / 2
        second = m * (np.outer(a, a) + np.outer(b, b) + np.outer(a + b, a + b)) / 6
        Iy, Iz, Iyz = section.Iy, section.Iz, section.Iyz
        second += STEEL.rho * L * R.T @ np.array([[0, 0, 0], [0, Iz, Iyz], [0, Iyz, Iy]]) @ R
        inertia += np.trace(second) * np.eye(3) - second
    return mass, first, inertia


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("section", [BeamSection.rectangle(0.2, 0.5), ANGLE, CHANNEL])
def test_mass_centre_and_inertia_of_slanted_offset_beams_are_exact(kind, section):
    fe = random_model(kind, section)
    mass, first, inertia = exact_mass_properties(fe, section)
    R = fe.rigid_shapes()
    G = R.T @ (fe.mass() @ R)
    assert_allclose(G[:3, :3], mass * np.eye(3), atol=1e-12 * mass)
    assert_allclose([G[1, 5], G[2, 3], G[0, 4]], first, rtol=1e-10)
    assert_allclose(G[3:, 3:], inertia, rtol=1e-10, atol=1e-10 * np.trace(inertia))


def test_lumped_mass_keeps_mass_and_centre_and_is_positive():
    fe = random_model("beam", ANGLE)
    consistent = fe.mass_properties()
    R = fe.rigid_shapes()
    M = fe.mass("lumped")
    G = R.T @ (M @ R)
    assert G[0, 0] == pytest.approx(consistent.mass, rel=1e-12)
    assert_allclose(np.array([G[1, 5], G[2, 3], G[0, 4]]) / G[0, 0], consistent.com, rtol=1e-10)
    assert scipy.linalg.eigvalsh(M.toarray()).min() > 0
    plain = line(5, ANGLE).mass("lumped")
    assert plain.nnz == plain.shape[0]  # diagonal without offsets


def test_lumped_inertia_converges_to_the_exact_one():
    section = BeamSection.rectangle(0.02, 0.02)
    error = []
    for n in (8, 16):
        fe = line(n, section)
        R = fe.rigid_shapes(origin=(0.5, 0, 0))
        inertia = (R.T @ (fe.mass("lumped") @ R))[5, 5]
        exact = STEEL.rho * section.A / 12 + STEEL.rho * section.Iz
        error.append(inertia / exact - 1)
    assert reference.fitted_order((8, 16), error) == pytest.approx(2.0, abs=0.05)


# statics


@pytest.mark.parametrize("R", [np.eye(3), Rotation.from_euler("xyz", [0.3, -0.7, 1.1]).as_matrix()])
def test_one_timoshenko_element_is_exact_for_end_loads(R):
    s, L = BeamSection.rectangle(0.2, 0.3), 1.5
    fe = line(1, s, L, R=R, orientation=R[:, 2])
    E, G = STEEL.E, STEEL.G
    exact = {
        0: {0: L / (E * s.A)},
        1: {1: L**3 / (3 * E * s.Iz) + L / (s.ky * G * s.A), 5: L**2 / (2 * E * s.Iz)},
        2: {2: L**3 / (3 * E * s.Iy) + L / (s.kz * G * s.A), 4: -(L**2) / (2 * E * s.Iy)},
        3: {3: L / (G * s.J)},
        4: {2: -(L**2) / (2 * E * s.Iy), 4: L / (E * s.Iy)},
        5: {1: L**2 / (2 * E * s.Iz), 5: L / (E * s.Iz)},
    }
    turn = scipy.linalg.block_diag(R, R)  # from local to model axes
    for component, answer in exact.items():
        unit = turn[:, component]
        u = solve(fe, {(2, k): unit[k] for k in range(6)}, fixed=[1])[1]
        local = np.zeros(6)
        for k, value in answer.items():
            local[k] = value
        assert_allclose(turn.T @ u, local, rtol=EXACT, atol=EXACT * np.abs(local).max())


def test_unsymmetric_bending_of_an_angle():
    P, L = 100.0, 2.0
    s = BeamSection(A=ANGLE.A, Iy=ANGLE.Iy, Iz=ANGLE.Iz, Iyz=ANGLE.Iyz, J=ANGLE.J)  # no shear, twist left apart
    u = solve(line(3, s, L), {(4, 2): -P}, fixed=[1])[-1]
    determinant = s.Iy * s.Iz - s.Iyz**2
    v = P * L**3 / (3 * STEEL.E) * s.Iyz / determinant
    w = -P * L**3 / (3 * STEEL.E) * s.Iz / determinant
    assert_allclose(u[[1, 2]], [v, w], rtol=EXACT)
    assert abs(v) > 0.3 * abs(w)  # the coupling is not small


def test_section_in_principal_axes_gives_the_same_beam():
    angle = 0.5 * np.arctan2(2 * ANGLE.Iyz, ANGLE.Iz - ANGLE.Iy)
    c, s = np.cos(angle), np.sin(angle)
    Q = np.array([[c, s], [-s, c]])  # rows: principal axes in y, z
    moments = Q @ np.array([[ANGLE.Iz, ANGLE.Iyz], [ANGLE.Iyz, ANGLE.Iy]]) @ Q.T
    assert_allclose(moments[0, 1], 0.0, atol=1e-12 * moments[0, 0])
    centre = tuple(Q @ np.array(ANGLE.shear_centre))
    principal = BeamSection(ANGLE.A, Iy=moments[1, 1], Iz=moments[0, 0], J=ANGLE.J, shear_centre=centre)
    tilted = line(2, principal, orientation=np.array([0.0, *Q[1]]))
    straight = line(2, ANGLE.without_shear())
    assert (
        np.abs((tilted.stiffness() - straight.stiffness()).toarray()).max() < EXACT * np.abs(straight.stiffness()).max()
    )
    assert np.abs((tilted.mass() - straight.mass()).toarray()).max() < EXACT * np.abs(straight.mass()).max()


def test_load_through_the_shear_centre_does_not_twist_a_channel():
    P, L = 1000.0, 2.0
    fe, e = line(2, CHANNEL, L), CHANNEL.shear_centre[0]
    at_centroid = solve(fe, {(3, 2): P}, fixed=[1])[-1]
    at_centre = solve(fe, {(3, 2): P, (3, 3): P * e}, fixed=[1])[-1]
    assert abs(at_centre[3]) < EXACT * abs(at_centroid[3])
    assert at_centroid[3] == pytest.approx(-P * e * L / (STEEL.G * CHANNEL.J), rel=EXACT)
    free_of_twist = P * L**3 / (3 * STEEL.E * CHANNEL.Iy) + P * L / (CHANNEL.kz * STEEL.G * CHANNEL.A)
    # with the shear centre at rest about its axis, the centroid moves as the shear centre does
    assert at_centre[2] == pytest.approx(free_of_twist, rel=EXACT)


def test_offset_beam_equals_beam_on_rigid_arms():
    arms = np.array([[0.1, 0.2, -0.3], [-0.05, 0.15, 0.1]])
    section = BeamSection.box(0.1, 0.2, 0.01)
    offset = line(1, section, 2.0, orientation=np.array([0.1, 0.2, 1.0]), offsets=arms)
    nodes = np.concatenate([offset.nodes, offset.nodes + arms])
    block = ElementBlock("beam", np.array([[2, 3]]), STEEL, section, {"orientation": [[0.1, 0.2, 1.0]]})
    rigid = FEModel(nodes, (block,)).with_coupling(RBE2(1, [3])).with_coupling(RBE2(2, [4]))
    assert rigid.ndof == offset.ndof == 12
    for matrix in ("stiffness", "mass"):
        ours, theirs = getattr(offset, matrix)().toarray(), getattr(rigid, matrix)().toarray()
        assert_allclose(ours, theirs, atol=1e-12 * np.abs(theirs).max())


def test_bracket_bends_and_twists():
    # L-shaped bracket in the x-y plane, load along z at the free end
    a, b, P = 1.2, 0.7, 50.0
    s = BeamSection.circle(0.03).without_shear()
    nodes = np.array([[0, 0, 0], [a, 0, 0], [a, b, 0]], dtype=float)
    fe = FEModel(nodes, (ElementBlock("beam", np.array([[0, 1], [1, 2]]), STEEL, s),))
    u = solve(fe, {(3, 2): P}, fixed=[1])
    EI, GJ = STEEL.E * s.Iy, STEEL.G * s.J
    assert u[2, 2] == pytest.approx(P * (a**3 + b**3) / (3 * EI) + P * b**2 * a / GJ, rel=EXACT)


def test_quarter_circle_converges_to_the_curved_beam():
    R, P = 1.0, 10.0
    s = BeamSection.rectangle(0.01, 0.01)
    EI, EA, GA = STEEL.E * s.Iz, STEEL.E * s.A, STEEL.G * s.A * s.ky
    exact = np.pi * P * R / 4 * (R**2 / EI + 1 / EA + 1 / GA)  # Castigliano, thin curved beam, radial tip load
    error = []
    for n in (8, 16, 32):
        angle = np.linspace(0, np.pi / 2, n + 1)
        nodes = R * np.column_stack([np.sin(angle), 1 - np.cos(angle), 0 * angle])
        row = np.arange(n)
        fe = FEModel(nodes, (ElementBlock("beam", np.column_stack([row, row + 1]), STEEL, s),))
        u = solve(fe, {(n + 1, 0): P}, fixed=[1])
        error.append(u[-1, 0] / exact - 1)
    assert abs(error[-1]) < 6e-4  # about 0.2 (angle per element)^2
    assert reference.fitted_order((8, 16, 32), error) == pytest.approx(2.0, abs=0.1)  # straight pieces of an arc


def test_subdyn_two_beam_cantilever():
    material = Material(E=2.1e11, nu=2.1e11 / 2 / 8.08e10 - 1)
    fe = line(
        2,
        BeamSection.tube(1.0, 0.025, nu=material.nu),
        10.0,
        R=Rotation.from_euler("y", -90, degrees=True).as_matrix(),
        material=material,
    )
    u = solve(fe, {(3, 0): 2e6}, fixed=[1])
    assert_allclose(u[1:, 0], [0.112182, 0.355108], rtol=5e-6)  # all published digits


# frequencies


def square_beam(n, kind="beam"):
    """A slender beam without shear, whose rotary inertia changes bending by less than 1e-7."""
    s = BeamSection.rectangle(1e-3, 1e-3).without_shear()
    return line(n, s, 2.0, kind), s


FIXED = {
    "clamped-free": lambda end: [1],
    "clamped-clamped": lambda end: [1, end],
    "free-free": lambda end: [],
    "clamped-pinned": lambda end: [1, (end, "u,rx")],
    "free-pinned": lambda end: [(1, "u,rx")],
    "clamped-guided": lambda end: [1, (end, "ux,rx,ry,rz")],
    "pinned-pinned": lambda end: [(1, "u,rx"), (end, "u,rx")],
}


@pytest.mark.parametrize("supports", FIXED)
def test_bending_frequencies_of_all_supports(supports):
    n = 20
    fe, s = square_beam(n)
    # only the x-y plane
    fixed = [*FIXED[supports](n + 1), *((k, "ux,uz,rx,ry") for k in range(1, n + 2))]
    found = frequencies(fe, fixed)
    rigid = {"free-free": 2, "free-pinned": 1}.get(supports, 0)
    exact = [reference.bending_frequency(supports, k, STEEL.E * s.Iz, STEEL.rho * s.A, 2.0) for k in (1, 2, 3, 4)]
    # the leading error of the cubic element, (beta h)^4 / 1440, is 2e-4 at 14.1/20
    assert_allclose(found[rigid : rigid + 4], exact, rtol=4e-4)
    assert found[:rigid].max(initial=0.0) < 1e-3 * found[rigid]


@pytest.mark.parametrize("kind", KINDS)
def test_bending_frequencies_converge_with_fourth_order(kind):
    sizes, error = (4, 8, 16), []
    for n in sizes:
        fe, s = square_beam(n, kind)
        fixed = [1, *((k, "ux,uz,rx,ry") for k in range(1, n + 2))]
        exact = reference.bending_frequency("clamped-free", 3, STEEL.E * s.Iz, STEEL.rho * s.A, 2.0)
        error.append(frequencies(fe, fixed)[2] / exact - 1)
    assert reference.fitted_order(sizes, error) == pytest.approx(4.0, abs=0.2)
    assert min(error) > 0  # consistent mass: from above


@pytest.mark.parametrize(("component", "order"), [("ux", 4.0), ("rx", 4.0)])
def test_axial_and_torsional_frequencies_converge_with_fourth_order(component, order):
    s, L = BeamSection.rectangle(0.1, 0.2), 3.0
    speed = np.sqrt(STEEL.E / STEEL.rho) if component == "ux" else np.sqrt(STEEL.G * s.J / (STEEL.rho * s.Ip))
    held = ",".join(name for name in ("ux", "uy", "uz", "rx", "ry", "rz") if name != component)
    sizes, error = (4, 8, 16), []
    for n in sizes:
        fixed = [1, *((k, held) for k in range(1, n + 2))]
        error.append(frequencies(line(n, s, L), fixed)[1] / (3 * speed / (4 * L)) - 1)
    assert reference.fitted_order(sizes, error) == pytest.approx(order, abs=0.2)


def deep_constants(s, material):
    return material.E * s.Iz, s.ky * material.G * s.A, material.rho * s.A, material.rho * s.Iz


@pytest.mark.parametrize("supports", ["pinned-pinned", "clamped-free"])
def test_deep_beam_converges_to_the_exact_timoshenko_beam(supports):
    material, s, L = Material(E=200e9, nu=0.3, rho=8000.0), BeamSection.rectangle(2.0, 2.0), 10.0
    exact = reference.timoshenko_frequencies(supports, 3, *deep_constants(s, material), L, highest=400.0)
    for n, tolerance in ((5, 3e-3), (40, 2e-4)):  # measured: 1.4e-3 and 8e-5, order two in the shear terms
        fe = line(n, s, L, material=material)
        fixed = [*FIXED[supports](n + 1), *((k, "ux,uz,rx,ry") for k in range(1, n + 2))]
        assert_allclose(frequencies(fe, fixed)[:3], exact, rtol=tolerance)


def test_transfer_matrix_agrees_with_the_closed_form():
    material, s = Material(E=200e9, nu=0.3, rho=8000.0), BeamSection.rectangle(2.0, 2.0)
    constants = deep_constants(s, material)
    closed = [reference.timoshenko_pinned(n, *constants, 10.0) for n in (1, 2, 3)]
    assert_allclose(reference.timoshenko_frequencies("pinned-pinned", 3, *constants, 10.0, 400.0), closed, rtol=1e-9)


def test_lumped_mass_frequencies_converge():
    sizes, error = (8, 16, 32), []
    for n in sizes:
        fe, s = square_beam(n)
        fixed = [1, *((k, "ux,uz,rx,ry") for k in range(1, n + 2))]
        exact = reference.bending_frequency("clamped-free", 1, STEEL.E * s.Iz, STEEL.rho * s.A, 2.0)
        error.append(frequencies(fe, fixed, "lumped")[0] / exact - 1)
    assert reference.fitted_order(sizes, error) == pytest.approx(2.0, abs=0.2)


def test_cubic_mass_of_subdyns_hanging_spar():
    material = Material(E=2.1e11, nu=0.3125, rho=7850.0)
    s = BeamSection.circle(2.4164, nu=material.nu)
    fe = line(20, s, 150.0, "beam_cubic_mass", material=material)
    assert_allclose(frequencies(fe)[[6, 8, 10, 12, 14]], [0.4941340, 1.360329, 2.661805, 4.389474, 6.538158], rtol=1e-6)
    assert_allclose(frequencies(fe, [1])[[0, 2, 4]], [0.07769716, 0.4864739, 1.360155], rtol=1e-6)


# section forces and stresses


def test_section_forces_of_a_cantilever():
    s, L = BeamSection.rectangle(0.04, 0.06), 2.0
    fe = line(2, s, L)
    forces = {(3, 0): 700.0, (3, 1): 30.0, (3, 2): -50.0, (3, 3): 11.0, (3, 4): 5.0, (3, 5): -3.0}
    r = section_forces(fe, solve(fe, forces, fixed=[1]))
    for element, end, x in ((0, 0, 0.0), (0, 1, 1.0), (1, 0, 1.0), (1, 1, 2.0)):
        # forces beyond the cut, moments about the cut: M = M_tip + arm x F
        expected = [700.0, 30.0, -50.0, 11.0, 5.0 - (L - x) * -50.0, -3.0 + (L - x) * 30.0]
        assert_allclose(r[element, end], expected, rtol=1e-6)


def test_section_forces_balance_nodal_forces_of_slanted_unsymmetric_beams():
    fe = random_model("beam", ANGLE, seed=3)
    u = np.random.default_rng(5).normal(size=(fe.nnode, 6)) * 1e-3
    nodal = (fe.stiffness() @ u.ravel()).reshape(-1, 2, 6)
    (_, batch), *_ = fe.blocks[0].batches(fe.nodes)
    axes, r = fe.blocks[0].element.axes(batch), section_forces(fe, u)
    force = np.einsum("eij,ei->ej", axes, r[:, 1, :3])
    assert_allclose(nodal[:, 1, :3], force, rtol=1e-7, atol=1e-7 * np.abs(force).max())
    # moments about the node: those about the shear centre and centroid moved along section and arm
    ey, ez = ANGLE.shear_centre
    _, Vy, Vz, T, My, Mz = r[:, 1].T
    local = np.stack([T + ey * Vz - ez * Vy, My, Mz], axis=1)
    moment = np.einsum("eij,ei->ej", axes, local) + np.cross(batch.data["offsets"][:, 1], force)
    assert_allclose(nodal[:, 1, 3:], moment, rtol=1e-7, atol=1e-7 * np.abs(moment).max())


def test_stresses_of_a_rectangle():
    s = BeamSection.rectangle(0.04, 0.06)
    r = np.array([1000.0, 0.0, 0.0, 0.0, 20.0, 10.0])
    axial, about_y, about_z = 1000 / s.A, 20 * 0.03 / s.Iy, 10 * 0.02 / s.Iz
    stress = extreme_stress(s, r)
    assert stress.highest == pytest.approx(axial + about_y + about_z)
    assert stress.lowest == pytest.approx(axial - about_y - about_z)
    assert beam_stress(s, r) == pytest.approx(stress.highest)
    # torsion of a square: T / (0.208 a^3); von Mises of pure shear is sqrt(3) times it
    square = BeamSection.rectangle(0.05, 0.05)
    twist = beam_stress(square, np.array([0, 0, 0, 100.0, 0, 0]))
    assert twist == pytest.approx(np.sqrt(3) * 100 / (0.2082 * 0.05**3), rel=1e-3)


def test_fibre_stresses_of_an_angle_carry_the_section_forces():
    r = np.array([500.0, 0.0, 0.0, 0.0, 20.0, -35.0])
    # Gauss points of the two legs, about the centroid
    x, w = np.polynomial.legendre.leggauss(2)
    heel = np.array(ANGLE.outline[0])
    points, weights = [], []
    for y0, y1, z0, z1 in ((0.0, 0.1, 0.0, 0.01), (0.0, 0.01, 0.01, 0.15)):
        for i in range(2):
            for j in range(2):
                place = [(y0 + y1 + x[i] * (y1 - y0)) / 2, (z0 + z1 + x[j] * (z1 - z0)) / 2]
                points.append(np.add(heel, place))
                weights.append(w[i] * w[j] * (y1 - y0) * (z1 - z0) / 4)
    points, weights = np.array(points), np.array(weights)
    stress = fibre_stress(ANGLE, r, points) * weights
    assert_allclose([stress.sum(), stress @ points[:, 1], -stress @ points[:, 0]], r[[0, 4, 5]], rtol=1e-10)


def test_stresses_need_the_size_of_the_section():
    with pytest.raises(ModelError, match="outline or y_max"):
        beam_stress(BeamSection(A=1.0, Iy=1.0, Iz=1.0, J=1.0), np.ones(6))


# axes and bad input


def axes_of(nodes, **data):
    fe = FEModel(np.array(nodes, dtype=float), (ElementBlock("beam", np.array([[0, 1]]), STEEL, ANGLE, data),))
    (_, batch), *_ = fe.blocks[0].batches(fe.nodes)
    return fe.blocks[0].element.axes(batch)[0]


def test_default_axes():
    assert_allclose(axes_of([[0, 0, 0], [2, 0, 0]]), np.eye(3))
    assert_allclose(axes_of([[0, 0, 0], [0, 0, 2]]), [[0, 0, 1], [1, 0, 0], [0, 1, 0]])
    assert_allclose(axes_of([[0, 0, 0], [0, 2, 0]])[2], [0, 0, 1])
    tilted = axes_of([[0, 0, 0], [1, 1, 0]], orientation=[[5.0, 0.0, 5.0]])
    assert_allclose(tilted @ tilted.T, np.eye(3), atol=1e-15)
    assert abs(np.linalg.det([tilted[0], tilted[2], [5.0, 0.0, 5.0]])) < 1e-12  # z in the plane of x and orientation
    assert tilted[2] @ [5.0, 0.0, 5.0] > 0


def bad_model(nodes, **data):
    block = ElementBlock("beam", np.array([[0, 1], [1, 2]]), STEEL, ANGLE, data, element_ids=[7, 42])
    return FEModel(np.array(nodes, dtype=float), (block,))


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (
            lambda: bad_model([[0, 0, 0], [1, 0, 0], [1, 1, 0]], orientation=[[0, 0, 1], [0, 2, 0]]),
            "beam 42: it lies along its orientation vector",
        ),
        (lambda: bad_model([[0, 0, 0], [1, 0, 0], [1, 0, 0]]), "beam 42: its two ends coincide"),
        (
            lambda: bad_model([[0, 0, 0], [1, 0, 0], [1, 1, 0]], orientation=[[0, 0, 0], [0, 2, 0]]),
            "beam 7.*orientation vector is zero",
        ),
        (lambda: bad_model([[0, 0, 0], [1, 0, 0], [1, 1, 0]], orientation=np.ones((2, 2))), "shape"),
        (lambda: bad_model([[0, 0, 0], [1, 0, 0], [1, 1, 0]], offsets=np.full((2, 2, 3), np.nan)), "finite"),
    ],
)
def test_bad_beams_are_named(model, words):
    with pytest.raises(ModelError, match=words) as caught:
        model().stiffness()
    assert "\n" not in str(caught.value)
