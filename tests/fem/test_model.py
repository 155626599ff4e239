"""The model as a whole: numbering, assembly, rigid-body properties."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.sparse import coo_array

import floatframe as ff

STEEL = ff.fem.Material(E=2.1e11, nu=0.3, rho=7850.0)


def mixed_model():
    """A plate with a beam on its edge, a brick on its corner and a mass with an arm, turned in space."""
    plate = ff.fem.plate_grid(2.0, 1.0, nx=4, ny=3, thickness=0.02, material=STEEL)
    beam = ff.fem.beam_line((0, 0, 0), (2, 0, 0), n=4, section=ff.fem.BeamSection.circle(0.05), material=STEEL)
    brick = ff.fem.solid_box((0.5, 1 / 3, 0.4), (1, 1, 1), kind="hex8", material=STEEL)
    fe = ff.fem.merge_nodes(ff.fem.join(plate, beam, brick))
    fe = fe.with_point_mass(7, mass=12.0, inertia=(0.3, 0.4, 0.5), offset=(0.1, -0.2, 0.3))
    return ff.fem.rotate(fe, (1.0, -2.0, 0.5), 1.1)


def plain_assembly(fe, matrices):
    """Scalar triplets summed by SciPy: the slow twin of the block assembly."""
    rows, cols, values = [], [], []
    for block in fe.blocks:
        for part, batch in block.batches(fe.nodes):
            m = matrices(block.element, batch)
            slots = 6 * block.connectivity[part][:, :, None] + np.arange(block.element.dof_per_node)
            eq = fe.dof_table.equation[slots].reshape(batch.size, -1)
            rows.append(np.repeat(eq, eq.shape[1], axis=1).ravel())
            cols.append(np.tile(eq, eq.shape[1]).ravel())
            values.append(m.ravel())
    data = np.concatenate(values), (np.concatenate(rows), np.concatenate(cols))
    return coo_array(data, shape=(fe.dof_table.size,) * 2).toarray()


def test_block_assembly_equals_triplet_assembly():
    fe = mixed_model()
    K = fe.stiffness().toarray()
    plain = plain_assembly(fe, lambda element, batch: element.stiffness(batch))
    assert_allclose(K, plain, atol=1e-14 * np.abs(K).max())


def test_matrices_are_symmetric_and_mass_positive_definite():
    fe = mixed_model()
    for matrix in (fe.stiffness(), fe.mass("consistent"), fe.mass("lumped")):
        assert (matrix != matrix.T).nnz == 0
    for kind in ("consistent", "lumped"):
        assert np.linalg.eigvalsh(fe.mass(kind).toarray()).min() > 0


def test_rigid_motion_of_a_mixed_model_needs_no_force():
    fe = mixed_model()
    K = fe.stiffness()
    assert np.abs(K @ fe.rigid_shapes()).max() < 1e-9 * abs(K).max()


@pytest.mark.parametrize("kind", ["consistent", "lumped"])
def test_mass_and_centre_of_a_mixed_model(kind):
    fe = mixed_model()
    found = ff.fem.mass_properties(fe, kind)
    rho = STEEL.rho
    parts = np.array([2 * 1 * 0.02 * rho, 2 * np.pi * 0.025**2 * rho, 0.5 / 3 * 0.4 * rho, 12.0])
    assert found.mass == pytest.approx(parts.sum(), rel=1e-9)


@pytest.mark.parametrize(("kind", "tolerance"), [("consistent", 1e-12), ("lumped", 2 * 2 / 40**2)])
def test_inertia_of_a_beam(kind, tolerance):
    # 1e-12: round-off; lumping at the ends of n elements overrates m L^2/12 by 2/n^2
    section = ff.fem.BeamSection.rectangle(0.1, 0.2)
    fe = ff.fem.beam_line((1, 2, 3), (5, 2, 3), n=40, section=section, material=STEEL)
    found = ff.fem.mass_properties(fe, kind)
    m = 4 * 0.02 * STEEL.rho
    expected = m / 12 * np.array([0.1**2 + 0.2**2, 4**2 + 0.2**2, 4**2 + 0.1**2])
    assert found.mass == pytest.approx(m)
    assert_allclose(found.com, [3, 2, 3], rtol=1e-12)
    assert_allclose(np.diag(found.inertia), expected, rtol=tolerance)


@pytest.mark.parametrize(("kind", "tolerance"), [("consistent", 1e-10), ("lumped", 0.03)])
def test_inertia_of_a_box_of_plates(kind, tolerance):
    # thin-walled box; 3 % is the lumping error 2/n^2 of ten elements a side, which falls with the square of n
    fe = ff.fem.box(1.0, 2.0, 3.0, 10, 10, 10, thickness=1e-3, material=STEEL)
    found = ff.fem.mass_properties(fe, kind)
    a, b, c, t = 1.0, 2.0, 3.0, 1e-3
    assert found.mass == pytest.approx(2 * (b * c + a * c + a * b) * t * STEEL.rho, rel=1e-9)
    assert_allclose(found.com, (fe.nodes.min(axis=0) + fe.nodes.max(axis=0)) / 2, atol=1e-9)
    # about x: walls normal to y and z
    rho = STEEL.rho * t
    Ixx = rho * (
        2 * b * c * (b**2 + c**2) / 12 + 2 * a * c * (c**2 / 12 + b**2 / 4) + 2 * a * b * (b**2 / 12 + c**2 / 4)
    )
    # wall thickness is left out above: (t/size)^2 is 1e-6
    assert found.inertia[0, 0] == pytest.approx(Ixx, rel=max(tolerance, 1e-5))


def test_freedoms_follow_the_elements():
    solid = ff.fem.solid_box((1, 1, 1), (1, 1, 1), kind="hex8", material=STEEL)
    assert solid.ndof == 24
    assert solid.dofs[:4].tolist() == [[1, 0], [1, 1], [1, 2], [2, 0]]
    beam = ff.fem.beam_line((0, 0, 0), (1, 0, 0), n=1, section=ff.fem.BeamSection.circle(0.1), material=STEEL)
    assert beam.ndof == 12
    assert beam.rows([(2, "uz,ry")]).tolist() == [8, 10]
    assert beam.free_rows([1]).tolist() == list(range(6, 12))


def test_any_node_numbers_work():
    beam = ff.fem.beam_line((0, 0, 0), (2, 0, 0), n=2, section=ff.fem.BeamSection.circle(0.1), material=STEEL)
    odd = ff.fem.FEModel(beam.nodes, beam.blocks, node_ids=[700, 3, 10**12])
    assert odd.node_index([10**12, 700]).tolist() == [2, 0]
    a = ff.modal.solve_static(beam, loads={(3, "uz"): 1.0}, fixed=[1])
    b = ff.modal.solve_static(odd, loads={(10**12, "uz"): 1.0}, fixed=[700])
    assert_allclose(a, b)
    with pytest.raises(ff.ModelError, match="node number 3 used more than once"):
        ff.fem.FEModel(beam.nodes, beam.blocks, node_ids=[3, 3, 4])


def test_model_is_changed_by_copy_only():
    beam = ff.fem.beam_line((0, 0, 0), (2, 0, 0), n=2, section=ff.fem.BeamSection.circle(0.1), material=STEEL)
    heavier = beam.with_point_mass(2, mass=5.0)
    assert beam.point_masses == ()
    assert heavier.mass_properties().mass == pytest.approx(beam.mass_properties().mass + 5.0)
    with pytest.raises(AttributeError):
        beam.name = "other"


def test_empty_requests_are_answered():
    beam = ff.fem.beam_line((0, 0, 0), (2, 0, 0), n=2, section=ff.fem.BeamSection.circle(0.1), material=STEEL)
    assert beam.damping().nnz == 0
    with pytest.raises(ff.ModelError, match="mass kind 'heavy' is unknown"):
        beam.mass("heavy")
    with pytest.raises(ff.ModelError, match="element kind 'beeam' is unknown"):
        ff.fem.ElementBlock("beeam", [[0, 1]])
