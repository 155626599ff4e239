"""The model as a whole: numbering, assembly, rigid-body properties."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.sparse import coo_array
from scipy.spatial.transform import Rotation

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
    # middles of plate, beam and brick, and the mass on its arm from node 7, all turned with the model
    untouched = ff.fem.plate_grid(2.0, 1.0, nx=4, ny=3, thickness=0.02, material=STEEL)
    seventh = untouched.nodes[6] + [0.1, -0.2, 0.3]
    middles = np.array([[1.0, 0.5, 0.0], [1.0, 0.0, 0.0], [0.25, 1 / 6, 0.2], seventh])
    axis = np.array([1.0, -2.0, 0.5])
    R = Rotation.from_rotvec(1.1 * axis / np.linalg.norm(axis)).as_matrix()
    assert_allclose(found.com, R @ (parts @ middles) / parts.sum(), atol=1e-12)


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


def test_dofs_follow_the_elements():
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


def small_plate():
    return ff.fem.plate_grid(0.4, 0.4, nx=4, ny=4, thickness=0.01, material=STEEL)


def test_dofs_are_named_as_on_the_command_line():
    fe = ff.fem.beam_line((0, 0, 0), (1, 0, 0), n=2, section=ff.fem.BeamSection.circle(0.1), material=STEEL)
    fe = fe.with_node_set("tip:rz", [3])  # a set may be called so in a deck
    assert fe.rows(["2:ux+uy", "end:r"]).tolist() == fe.rows([(2, "ux,uy"), ("end", ["rx", "ry", "rz"])]).tolist()
    assert fe.rows("tip:rz").size == 6
    body = ff.modal.reduce(fe, interface=["1:u+rz", 3], n_modes=1)
    assert len(body.interface) == 10


def test_numbers_from_numpy_name_nodes():
    fe = ff.fem.beam_line((0, 0, 0), (1, 0, 0), n=4, section=ff.fem.BeamSection.circle(0.1), material=STEEL)
    first, third, last = fe.node_ids[[0, 2, -1]]
    assert fe.pick_nodes(third).tolist() == [3]
    assert fe.free_rows([first]).size == fe.free_rows(first).size == 24
    loaded = ff.fem.load_vector(fe, {(last, "uz"): 2.0})
    assert loaded[4, 2] == 2.0
    heavy = fe.with_point_mass(third, 10.0).with_coupling(ff.fem.RBE2(first, [last]))
    assert type(heavy.point_masses[0].node) is int
    assert type(heavy.couplings[0].reference) is int
    assert type(ff.fem.RBE3(first, fe.node_ids[1:]).reference) is int


def test_arrays_of_a_model_cannot_be_written():
    given = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    pairs, up = np.array([[0, 1]]), np.array([[0.0, 0.0, 1.0]])
    block = ff.fem.ElementBlock("beam", pairs, STEEL, ff.fem.BeamSection.circle(0.1), {"orientation": up})
    fe = ff.fem.FEModel(given, (block,), node_sets={"ends": [1, 2]}, supports=[[1, 0]])
    arrays = [fe.nodes, fe.node_ids, fe.node_sets["ends"], fe.supports]
    arrays += [fe.blocks[0].connectivity, fe.blocks[0].element_ids, fe.blocks[0].data["orientation"]]
    arrays += [fe.with_point_mass(1, 1.0).point_masses[0].inertia]
    for array in arrays:
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    # the caller's own arrays stay writable and no longer matter
    given[1, 0] = pairs[0, 0] = up[0, 2] = 5
    assert fe.nodes[1, 0] == 1.0
    assert fe.blocks[0].connectivity.tolist() == [[0, 1]]
    assert fe.blocks[0].data["orientation"][0, 2] == 1.0


def test_copies_of_a_model_share_its_arrays():
    fe = small_plate()
    again = fe.with_node_set("some", [1, 2])
    assert again.nodes is fe.nodes
    assert again.blocks[0].connectivity is fe.blocks[0].connectivity


class TestRefusedNumbers:
    """Each names the thing, what was found and what was expected."""

    @pytest.mark.parametrize(
        ("supports", "message"),
        [([[1, 7]], "component 7 of node 1"), ([[1, -1]], "component -1 of node 1"), ([[1, 2, 3]], "expected .k, 2.")],
    )
    def test_supports(self, supports, message):
        with pytest.raises(ff.ModelError, match=message):
            ff.fem.FEModel(np.eye(3), supports=supports)

    def test_fractions(self):
        fe = small_plate()
        with pytest.raises(ff.ModelError, match=r"found 2\.7, expected whole numbers"):
            fe.pick_nodes([2.7])
        with pytest.raises(ff.ModelError, match=r"node set 'a': found 1\.9"):
            ff.fem.FEModel(np.eye(3), node_sets={"a": [1.9]})
        with pytest.raises(ff.ModelError, match=r"connectivity: found 1\.7"):
            ff.fem.ElementBlock("truss", [[0.0, 1.7]], STEEL, ff.fem.BeamSection.circle(0.1))
        with pytest.raises(ff.ModelError, match=r"element numbers: found 3\.5"):
            ff.fem.pick_elements(fe, [3.5])
        assert fe.pick_nodes(np.array([2.0])).tolist() == [2]

    def test_rows_of_different_lengths(self):
        with pytest.raises(ff.ModelError, match="rows have different lengths"):
            ff.fem.ElementBlock("truss", [[0, 1], [2]], STEEL, ff.fem.BeamSection.circle(0.1))

    def test_a_set_with_an_unknown_node_is_named(self):
        with pytest.raises(ff.ModelError, match="node set 'a' names unknown node 99"):
            small_plate().with_node_set("a", [99])

    @pytest.mark.parametrize(
        ("pick", "message"),
        [
            (lambda x: x[:3, 0] > 0.0, r"mask of shape \(3,\), expected \(\d+,\)"),
            (lambda x: [0, 99], r"gave row 99, but there are \d+ rows"),
            (lambda x: x[:, 0], r"type float64, expected a mask"),
        ],
    )
    def test_pick_functions(self, pick, message):
        fe = small_plate()
        section = ff.fem.BeamSection.circle(0.1)
        for use in (fe.pick_nodes, lambda f: ff.fem.pick_elements(fe, f)):
            with pytest.raises(ff.ModelError, match=message):
                use(pick)
        with pytest.raises(ff.ModelError, match=message):
            ff.fem.with_ribs(fe, pick, section, STEEL)

    def test_no_component(self):
        with pytest.raises(ff.ModelError, match="no dof is named"):
            small_plate().free_rows([("xmin", "")])


def test_inertia_tensor_turned_by_rounding_is_symmetric():
    R = Rotation.from_rotvec([0.3, -0.2, 0.9]).as_matrix()
    tensor = R @ np.diag([3.3, 3.3, 3.3]) @ R.T
    mass = ff.fem.PointMass(1, 1.0, tensor)
    assert (mass.inertia == mass.inertia.T).all()
    assert_allclose(mass.inertia, 3.3 * np.eye(3), atol=1e-14)
    with pytest.raises(ff.ModelError, match="not symmetric"):
        ff.fem.PointMass(1, 1.0, [[1, 0.1, 0], [0, 1, 0], [0, 0, 1]])


def test_empty_model_weighs_nothing():
    assert ff.fem.FEModel(np.empty((0, 3))).mass_properties().mass == 0.0


def test_springs_by_node_numbers():
    beam = ff.fem.beam_line((0, 0, 0), (2, 0, 0), n=2, section=ff.fem.BeamSection.circle(0.1), material=STEEL)
    held = beam.with_spring(3, stiffness=[0, 0, 2e4, 0, 0, 0], damping=[0, 0, 5.0, 0, 0, 0]).with_spring(1, 3, 7e3)
    difference = (held.stiffness() - beam.stiffness()).toarray()
    assert difference[14, 14] == pytest.approx(2e4)
    assert_allclose(difference[np.ix_([0, 12], [0, 12])], [[7e3, -7e3], [-7e3, 7e3]], rtol=1e-6)
    assert held.damping()[14, 14] == pytest.approx(5.0)
    with pytest.raises(ff.ModelError, match="spring at node 3: stiffness and damping have 1 and 1 numbers"):
        beam.with_spring(3, stiffness=1e4)
    with pytest.raises(ff.ModelError, match="spring names unknown node 9"):
        beam.with_spring(9, stiffness=[1.0] * 6)
