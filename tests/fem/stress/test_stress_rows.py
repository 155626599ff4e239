"""Stress shapes of every element kind: fields of constant strain, curvature and twist against strength of materials."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import floatframe as ff
from floatframe.fem import BeamSection, ElementBlock, FEModel, Layer, LayeredSection, Material, element_kinds
from floatframe.fem.stress import BOTTOM, SOLID, TOP, stress_rows, von_mises

STEEL = Material(E=2.1e11, nu=0.3, rho=7850.0)
R = Rotation.from_euler("xyz", [0.3, -0.7, 1.1]).as_matrix()  # away from all axes
PAIRS = ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0))
EXACT = 1e-8  # fields that elements hold exactly; differences of displacements times stiffness
SOLIDS = [kind for kind, element in element_kinds().items() if element.dimension == 3]
SHELLS = [kind for kind, element in element_kinds().items() if element.dimension == 2]
LINES = ["beam", "beam_cubic_mass", "truss"]
SPRINGS = ["spring", "point_spring", "axial_spring", "ground_spring", "ground_point_spring"]
MATRICES = ["node_matrix", "pair_matrix", "point_node_matrix", "point_pair_matrix", "point_quad_matrix"]


def columns(tensor: np.ndarray) -> np.ndarray:
    """Components (..., 6) of tensors (..., 3, 3) that are turned into model axes."""
    turned = R @ tensor @ R.T
    return np.stack([turned[..., i, j] for i, j in PAIRS], axis=-1)


def placed(fe: FEModel, shift: np.ndarray, turn: np.ndarray) -> tuple[FEModel, np.ndarray]:
    """The model in turned axes, and its displacements (nnode, 6, 1)."""
    field = np.hstack([shift @ R.T, turn @ R.T])
    return replace(fe, nodes=fe.nodes @ R.T), field[:, :, None]


def test_no_kind_is_forgotten():
    assert set(SOLIDS + SHELLS + LINES + SPRINGS + MATRICES) == set(element_kinds())


@pytest.mark.parametrize("kind", SOLIDS)
def test_solids_have_the_stress_of_a_uniform_strain_at_all_corners(kind):
    fe = ff.fem.solid_box((1.0, 0.8, 0.6), (2, 1, 1), kind.removesuffix("_shell"), material=STEEL)
    fe = replace(fe, blocks=(replace(fe.blocks[0], kind=kind),))
    H = 1e-4 * np.random.default_rng(4).normal(size=(3, 3))
    moved, field = placed(fe, fe.nodes @ H.T, np.zeros_like(fe.nodes))
    rows = stress_rows(moved, field)
    lam = STEEL.E * STEEL.nu / ((1 + STEEL.nu) * (1 - 2 * STEEL.nu))
    expected = columns(lam * np.trace(H) * np.eye(3) + STEEL.G * (H + H.T))
    block = fe.blocks[0]
    assert np.array_equal(rows.element, np.repeat(block.element_ids, block.element.nnode))
    assert np.array_equal(rows.node, fe.node_ids[block.connectivity].reshape(-1))
    assert set(rows.place) == {SOLID}
    scale = np.abs(expected).max()
    assert rows.stress[:, :, 0] == pytest.approx(np.tile(expected, (len(rows.element), 1)), abs=EXACT * scale)


@pytest.mark.parametrize("layers", [1, 2])
@pytest.mark.parametrize("kind", SHELLS)
def test_both_faces_of_shells_have_the_stress_of_stretch_and_bending(kind, layers):
    thickness = 0.02
    fe = ff.fem.plate_grid(
        1.0, 0.8, 2, 2, thickness, STEEL, triangles=kind in ("shell3", "shell6"), quadratic=kind in ("shell6", "shell8")
    )
    block = fe.blocks[0]
    assert block.kind == kind
    if layers == 2:  # of one material: the same wall
        section = LayeredSection((Layer(STEEL, 0.3 * thickness), Layer(STEEL, 0.7 * thickness)))
        fe = replace(fe, blocks=(ElementBlock(kind, block.connectivity, None, section),))
    x, y = fe.nodes[:, 0], fe.nodes[:, 1]
    ex, ey, g = 3e-5, -1e-5, 4e-5  # strains of the middle, and what they gain per height
    kx, ky, kxy = 2e-3, 1e-3, -3e-3
    w = -(kx * x**2 + ky * y**2 + kxy * x * y) / 2.0
    shift = np.column_stack([ex * x + g / 2 * y, ey * y + g / 2 * x, w])
    turn = np.column_stack([-(ky * y + kxy * x / 2.0), kx * x + kxy * y / 2.0, np.zeros(fe.nnode)])
    rows = stress_rows(*placed(fe, shift, turn))
    plane = STEEL.E / (1 - STEEL.nu**2)
    for place, z in ((TOP, thickness / 2), (BOTTOM, -thickness / 2)):
        sx, sy, sxy = ex + z * kx, ey + z * ky, STEEL.G * (g + z * kxy)
        stress = np.zeros((3, 3))
        stress[0, 0], stress[1, 1] = plane * (sx + STEEL.nu * sy), plane * (sy + STEEL.nu * sx)
        stress[0, 1] = stress[1, 0] = sxy
        found = rows.stress[rows.place == place, :, 0]
        expected = columns(stress)
        assert len(found) == block.connectivity.size
        assert found == pytest.approx(np.tile(expected, (len(found), 1)), abs=EXACT * np.abs(expected).max())
    bending = STEEL.E * thickness**3 / 12 / (1 - STEEL.nu**2)
    moments = rows.force[rows.force_name == rows.names.index("Mx"), 0] if layers == 1 else []
    # element axes follow the sides, which triangles have in several directions: the sum Mx + My has none
    sums = moments + rows.force[rows.force_name == rows.names.index("My"), 0] if layers == 1 else np.empty(0)
    assert sums == pytest.approx(np.full(len(sums), bending * (1 + STEEL.nu) * (kx + ky)), rel=1e-7)


@pytest.mark.parametrize("kind", ["beam", "beam_cubic_mass"])
@pytest.mark.parametrize("section", [BeamSection.circle(0.05), BeamSection.rectangle(0.03, 0.05)])
def test_fibres_of_beams_have_stretch_bending_and_the_shear_of_the_torque(kind, section):
    x = np.linspace(0.0, 1.0, 4)
    nodes = np.column_stack([x, 0 * x, 0 * x])
    fe = FEModel(nodes, (ElementBlock(kind, np.array([[0, 1], [1, 2], [2, 3]]), STEEL, section),))
    stretch, by, bz, twist = 2e-5, 3e-4, -5e-4, 4e-4  # strain, curvatures of w(x) and v(x), twist per length
    zero = np.zeros_like(x)
    shift = np.column_stack([stretch * x, bz * x**2 / 2, by * x**2 / 2])
    turn = np.column_stack([twist * x, -by * x, bz * x])
    rows = stress_rows(*placed(fe, shift, turn))
    # local axes as the element chose them after turning: section points in model axes
    turned = replace(fe, nodes=nodes @ R.T)
    [(_, batch)] = list(turned.batches(turned.blocks[0], 8))
    axes = R.T @ turned.blocks[0].element.axes(batch)[0].T  # columns: local axes seen before turning
    points = np.array(section.outline) @ axes[:, 1:].T
    assert points[:, 0] == pytest.approx(zero[:1].repeat(len(points)), abs=1e-12)
    tau = STEEL.G * section.J * twist / section.Wt
    for k, (_, y, z) in enumerate(points):
        stress, radius = np.zeros((3, 3)), np.hypot(y, z)
        stress[0, 0] = STEEL.E * (stretch - y * bz - z * by)
        stress[0, 1] = stress[1, 0] = -tau * z / radius
        stress[0, 2] = stress[2, 0] = tau * y / radius
        found = rows.stress[rows.place == -1 - k, :, 0]
        expected = columns(stress)
        assert found == pytest.approx(np.tile(expected, (6, 1)), abs=EXACT * np.abs(expected).max())
    forces = {name: rows.force[rows.force_name == n, 0] for n, name in enumerate(rows.names)}
    assert forces["N"] == pytest.approx(np.full(6, STEEL.E * section.A * stretch), rel=1e-8)
    assert forces["T"] == pytest.approx(np.full(6, STEEL.G * section.J * twist), rel=1e-8)
    assert rows.shear[:, 2, 0] == pytest.approx(np.full(len(rows.shear), tau), rel=1e-8)
    # no shear forces in pure bending
    assert np.abs([forces["Vy"], forces["Vz"]]).max() < 1e-6 * STEEL.E * section.A * stretch


def test_bars_have_their_normal_stress():
    nodes = np.array([[0.0, 0, 0], [1.0, 0.0, 0.0], [2.5, 0, 0]])
    section = BeamSection.circle(0.02)
    fe = FEModel(nodes, (ElementBlock("truss", np.array([[0, 1], [1, 2]]), STEEL, section),))
    rows = stress_rows(*placed(fe, 1e-4 * nodes, np.zeros_like(nodes)))
    expected = columns(np.diag([STEEL.E * 1e-4, 0.0, 0.0]))
    assert rows.stress[:, :, 0] == pytest.approx(np.tile(expected, (4, 1)), rel=1e-9)
    assert rows.force[:, 0] == pytest.approx(np.full(4, STEEL.E * 1e-4 * section.A), rel=1e-9)


@pytest.mark.parametrize("kind", SPRINGS)
def test_springs_have_forces_alone(kind):
    element = element_kinds()[kind]
    nodes = np.array([[0.0, 0, 0], [0.5, 0, 0]])[: element.nnode]
    stiffness = np.arange(1.0, 1.0 + len(element.resultant_names))[None]
    fe = FEModel(nodes, (ElementBlock(kind, np.arange(element.nnode)[None], data={"stiffness": stiffness}),))
    field = np.zeros((element.nnode, 6, 1))
    field[-1, 0] = 2e-3
    rows = stress_rows(fe, field)
    assert len(rows.element) == 0
    assert rows.names == element.resultant_names
    expected = np.zeros(len(rows.names))
    expected[0] = 2e-3
    assert rows.force[:, 0] == pytest.approx(np.tile(expected, element.nnode), abs=1e-15)


@pytest.mark.parametrize("suffix", ["inp", "bdf", "cdb"])
def test_elements_from_decks_have_the_same_stresses(suffix, tmp_path):
    """Written for another program and read again; decks with constants of beams know no shear stress of a torque."""
    plate = ff.fem.plate_grid(1.0, 0.8, 2, 2, 0.02, STEEL)
    box = ff.fem.solid_box((1.0, 0.8, 0.6), (1, 1, 1), "hex20", material=STEEL)
    beam = ff.fem.beam_line((0, 0, 0), (1, 0.2, 0), n=2, section=BeamSection.rectangle(0.02, 0.04), material=STEEL)
    for fe in (plate, box, beam):
        path = tmp_path / f"{fe.blocks[0].kind}.{suffix}"
        ff.io.write(path, fe)
        again = ff.io.read(path)
        order = [int(np.argmin(np.linalg.norm(fe.nodes - place, axis=1))) for place in again.nodes]
        field = 1e-4 * np.random.default_rng(6).normal(size=(fe.nnode, 6, 1))
        one, other = stress_rows(fe, field), stress_rows(again, field[order])
        assert len(one.element) == len(other.element)
        number = (lambda stress: stress[:, :3].sum(axis=1)) if fe is beam else von_mises
        first, second = (np.sort(number(rows.stress[:, :, 0])) for rows in (one, other))
        assert second == pytest.approx(first, rel=1e-6, abs=1e-6 * np.abs(first).max())  # digits of cards
