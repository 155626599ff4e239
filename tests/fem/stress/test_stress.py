"""Section forces and stresses against strength of materials."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

import floatframe as ff
from floatframe.fem.stress.meeting import meeting

STEEL = ff.fem.Material(E=2.1e11, nu=0.3, rho=7850.0)
ROUND_OFF = 1e-6  # element forces are differences of displacements times stiffness


def test_cantilever_section_forces_and_fibre_stress():
    fe = ff.fem.beam_line((0, 0, 0), (2, 0, 0), n=4, section=ff.fem.BeamSection.rectangle(0.02, 0.04), material=STEEL)
    u = ff.modal.solve_static(fe, loads={(5, "uz"): -100.0, (5, "ux"): 500.0}, fixed=[1])
    stress = ff.fem.stresses(fe, u).blocks[0]
    x = fe.nodes[fe.blocks[0].connectivity, 0]
    assert_allclose(stress["N"], 500.0, rtol=ROUND_OFF)
    assert_allclose(stress["Vz"], -100.0, rtol=ROUND_OFF)
    # tension stands above: My = integral of stress times z
    assert_allclose(stress["My"], 100.0 * (2 - x), atol=1e-4)
    bending = 100.0 * 2 * 0.02 / (0.02 * 0.04**3 / 12)
    assert stress.von_mises[0, 0] == pytest.approx(bending + 500.0 / 0.0008, rel=0.01)  # 1 %: shear joins in von Mises


def test_stretched_plate_has_the_same_stress_in_every_layer():
    fe = ff.fem.plate_grid(1.0, 0.5, nx=4, ny=2, thickness=0.01, material=STEEL)
    turned = ff.fem.rotate(fe, (1.0, 2.0, 3.0), 0.7)
    u = turned.expand(np.zeros(turned.ndof))
    strain = 1e-4
    R = turned_axes(fe, turned)
    local = np.zeros((fe.nnode, 3))
    local[:, 0] = strain * fe.nodes[:, 0]
    u[:, :3] = local @ R.T
    result = ff.fem.stresses(turned, u)
    sigma = STEEL.E / (1 - 0.3**2) * strain
    expected = R @ np.diag([sigma, 0.3 * sigma, 0.0]) @ R.T
    wanted = [expected[i, j] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0))]
    for layer in ("top", "bottom", "middle"):
        assert_allclose(result.nodal_tensor(layer), np.tile(wanted, (fe.nnode, 1)), rtol=1e-9, atol=1e-9 * sigma)
    mises = sigma * np.sqrt(1 - 0.3 + 0.3**2)
    assert_allclose(result.nodal_von_mises(), mises, rtol=1e-9)


def turned_axes(before, after):
    """Rotation between two models from three node differences."""
    picks = [1, 7]
    a, b = before.nodes[picks] - before.nodes[0], after.nodes[picks] - after.nodes[0]
    a, b = (np.vstack([m, np.cross(m[0], m[1])]) for m in (a, b))
    return np.linalg.solve(a, b).T


def test_bent_plate_carries_opposite_stress_on_its_faces():
    fe = ff.fem.plate_grid(1.0, 0.2, nx=10, ny=2, thickness=0.01, material=ff.fem.Material(E=2.1e11, nu=0.0))
    # moment per length at the free edge: 30 N m spread over three nodes 1:2:1
    edge = fe.node_sets["xmax"]
    order = np.argsort(fe.nodes[fe.node_index(edge), 1])
    loads = {(int(edge[k]), "ry"): m for k, m in zip(order, (-0.25 * 6, -0.5 * 6, -0.25 * 6), strict=True)}
    u = ff.modal.solve_static(fe, loads=loads, fixed=["xmin"])
    result = ff.fem.stresses(fe, u)
    sigma = 6.0 * (6 / 0.2) / 0.01**2
    # a positive turn about -y lifts the edge: the top face is compressed
    assert u[:, 2].max() > 0
    assert_allclose(result.nodal_tensor("top")[:, 0], -sigma, rtol=1e-6)
    assert_allclose(result.nodal_tensor("bottom")[:, 0], sigma, rtol=1e-6)


def test_solid_bar_in_tension():
    fe = ff.fem.solid_box((1.0, 0.1, 0.1), (4, 1, 1), kind="hex20", material=STEEL)
    u = np.zeros((fe.nnode, 6))
    u[:, :3] = 1e-4 * fe.nodes * [1.0, -0.3, -0.3]
    result = ff.fem.stresses(fe, u)
    assert_allclose(result.nodal_von_mises(), STEEL.E * 1e-4, rtol=1e-9)


def test_weight_between_the_nodes_counts_in_section_forces():
    # a cantilever of one element under its own weight: q L and q L^2 / 2 at the root, nothing at the tip
    section = ff.fem.BeamSection.channel(0.06, 0.1, 0.005, 0.008)
    fe = ff.fem.beam_line((0, 0, 0), (2, 0, 0), n=1, section=section, material=STEEL, offsets=(0.0, 0.03, 0.02))
    solution = ff.modal.static_solution(fe, fixed=[1], gravity=(0, 0, -9.81))
    beam = solution.stresses().blocks[0]
    q = 9.81 * section.A * STEEL.rho
    assert_allclose(beam["Vz"][0], [-2 * q, 0], atol=1e-7 * q)
    assert_allclose(beam["My"][0], [q * 2**2 / 2, 0], atol=1e-7 * q)
    # the weight acts at the centroid, the torque is about the shear centre
    assert_allclose(beam["T"][0], [2 * q * section.shear_centre[0], 0], atol=1e-7 * q)


def test_springs_report_forces_but_no_stress():
    fe = ff.fem.beam_line((0, 0, 0), (1, 0, 0), n=1, section=ff.fem.BeamSection.circle(0.05), material=STEEL)
    spring = ff.fem.ElementBlock("ground_spring", [[1]], data={"stiffness": [[1e4] * 6]})
    fe = fe.with_block(spring)
    u = ff.modal.solve_static(fe, loads={(2, "uz"): -50.0}, fixed=[1])
    result = ff.fem.stresses(fe, u)
    assert_allclose(np.abs(result.blocks[1]["Fz"]), 1e4 * abs(u[1, 2]), rtol=1e-9)
    assert np.isfinite(result.nodal_von_mises()).all()


def test_sections_given_by_constants_have_forces_but_no_stress():
    """One such section must not keep the stresses of the other elements back, nor spoil the nodes they share."""
    known = ff.fem.BeamSection.rectangle(0.02, 0.04)
    bare = ff.fem.BeamSection(A=known.A, Iy=known.Iy, Iz=known.Iz, J=known.J)
    fe = ff.fem.beam_line((0, 0, 0), (1, 0, 0), n=2, section=known, material=STEEL)
    block = fe.blocks[0]
    mixed = replace(fe, blocks=(block.take([0]), replace(block.take([1]), section=bare)))
    u = np.zeros((3, 6))
    u[:, 0] = 1e-4 * fe.nodes[:, 0]
    result = ff.fem.stresses(mixed, u)
    assert_allclose(result.blocks[1]["N"], STEEL.E * known.A * 1e-4, rtol=1e-9)
    assert np.isnan(result.blocks[1].von_mises).all()
    assert_allclose(result.nodal_von_mises(), [STEEL.E * 1e-4, STEEL.E * 1e-4, np.nan], rtol=1e-9)


def test_wrong_shape_and_name_are_refused():
    fe = ff.fem.solid_box((1.0, 0.1, 0.1), (1, 1, 1), kind="hex8", material=STEEL)
    with pytest.raises(ff.ModelError, match=r"expected \(8, 6\)"):
        ff.fem.stresses(fe, np.zeros((8, 3)))
    with pytest.raises(ff.ModelError, match="has no 'Mz'"):
        ff.fem.stresses(fe, np.zeros((8, 6))).blocks[0]["Mz"]


def test_walls_that_meet_at_an_angle_keep_their_own_stress():
    """A stretched plate and one of the same wall across it that carries nothing: a mean would halve the stress."""
    flat = ff.fem.plate_grid(1.0, 0.5, nx=4, ny=2, thickness=0.01, material=STEEL)
    across = ff.fem.rotate(flat, (1.0, 0.0, 0.0), np.pi / 2)
    fe = ff.fem.merge_nodes(ff.fem.join(flat, across))
    u = np.zeros((fe.nnode, 6))
    u[:, 1] = 1e-4 * fe.nodes[:, 1]
    result = ff.fem.stresses(fe, u)
    sigma = STEEL.E / (1 - 0.3**2) * 1e-4
    stretched = fe.nodes[:, 2] < 1e-9
    assert_allclose(result.nodal_von_mises()[stretched], sigma * np.sqrt(1 - 0.3 + 0.3**2), rtol=1e-9)
    assert_allclose(result.nodal_von_mises()[~stretched], 0.0, atol=1e-9 * sigma)
    assert_allclose(result.nodal_tensor("top")[stretched, 1], sigma, rtol=1e-9)


@pytest.mark.parametrize(("sides", "groups"), [(12, 1), (11, 2)])
def test_walls_are_one_up_to_thirty_degrees(sides, groups):
    angle = 2 * np.pi * np.arange(sides) / sides
    ring = np.stack([np.cos(angle), np.sin(angle), np.zeros(sides)], axis=1)
    k = np.arange(sides)
    faces = np.stack([k, (k + 1) % sides, sides + (k + 1) % sides, sides + k], axis=1)
    fe = ff.fem.shell_mesh(np.vstack([ring, ring + np.array([0.0, 0.0, 0.5])]), faces, 0.01, STEEL)
    (found,) = meeting(fe, fe.blocks)
    assert len(np.unique(found)) == groups * fe.nnode
