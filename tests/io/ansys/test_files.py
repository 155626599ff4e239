"""Files that ANSYS, Workbench and HyperMesh wrote: counts, masses, frequencies and shapes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import mapdl_archive
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import floatframe as ff
from floatframe.errors import ReadError
from floatframe.io.ansys.binary.matrices import read_emat, read_full
from tests.io.ansys.real_files import SAME, real

WHEEL = Path(mapdl_archive.__file__).parent / "examples"
TRUTH = ff.fem.Material(E=16.9e6, nu=0.31, rho=4.1408e-4)  # of file.full and file.rst
STEEL = ff.fem.Material(E=2.0e11, nu=0.3, rho=1.0)


def read_both(path: Path, **options):
    found = ff.io.read_with_report(path, **options)
    return found.model, found.report


def archive_of(path: Path) -> mapdl_archive.Archive:
    return mapdl_archive.Archive(path)


# input files


@pytest.mark.parametrize(
    ("name", "kinds", "volume"),
    [
        ("HexBeam.cdb", {"hex20_reduced": 40}, 5.0),
        ("TetBeam.cdb", {"tet4": 3913}, 10.0),
        ("sector.cdb", {"hex8": 101, "wedge6": 4}, None),
        ("academic_rotor.cdb", {"hex8": 524}, None),
    ],
)
def test_archives_of_the_wheel_agree_with_another_reader(name, kinds, volume):
    fe = ff.io.read(WHEEL / name, materials=STEEL)
    theirs = archive_of(WHEEL / name)
    assert_array_equal(fe.node_ids, theirs.nnum)
    assert_allclose(fe.nodes, theirs.nodes, rtol=5e-16, atol=0)  # its last digit may be off by one
    assert {kind: sum(len(b) for b in fe.blocks if b.kind == kind) for kind in kinds} == kinds
    assert fe.nelement == theirs.n_elem
    numbers = np.concatenate([block.element_ids for block in fe.blocks])
    assert_array_equal(np.sort(numbers), np.sort(theirs.enum))
    # every element has the nodes it has there
    at = dict(zip(theirs.enum.tolist(), theirs.elem, strict=True))
    for block in fe.blocks:
        for number, row in zip(block.element_ids.tolist(), block.connectivity, strict=True):
            assert set(fe.node_ids[row]) == set(at[number][10:][at[number][10:] > 0])
    if volume is not None:
        assert fe.mass_properties().mass == pytest.approx(volume, rel=1e-10)


def test_hex_beam_has_its_material_mass_and_components():
    fe, report = read_both(WHEEL / "HexBeam.cdb")
    assert (fe.nnode, fe.nelement) == (321, 40)
    assert fe.mass_properties().mass == pytest.approx(13500.0, rel=1e-12)
    material = fe.blocks[0].material
    assert (material.E, material.nu, material.rho) == (7e10, 0.35, 2700.0)
    theirs = archive_of(WHEEL / "HexBeam.cdb")
    for name, members in theirs.node_components.items():
        assert_array_equal(fe.node_sets[name.strip()], members)
    for name, members in theirs.element_components.items():
        assert_array_equal(fe.element_sets[name.strip()], members)
    assert not report.ignored_physics
    assert ff.io.read(WHEEL / "HexBeam.cdb", strict=True).nnode == 321


def test_missing_material_is_named():
    with pytest.raises(
        ReadError, match=r"academic_rotor.cdb': elements use material 1, of which the file gives nothing"
    ):
        ff.io.read(WHEEL / "academic_rotor.cdb")


def test_all_degenerate_shapes_of_a_quadratic_brick():
    fe = ff.io.read(real("pymapdl-reader/all_solid_cells.cdb"), materials=STEEL)
    assert {b.kind: len(b) for b in fe.blocks} == {"hex20": 1, "wedge15": 1, "pyramid13": 1, "tet10": 1}
    for block in fe.blocks:
        for _, batch in block.batches(fe.nodes):
            assert (block.element.size_measure(batch) > 0).all()
    # six rigid motions for each of the separate elements and none besides
    for block in fe.blocks:
        values = np.linalg.eigvalsh(replace(fe, blocks=(block,)).stiffness().toarray())
        assert (values < 1e-9 * values[-1]).sum() == 6


def test_shells_of_hypermesh_in_millimetres():
    path = real("pymapdl-reader/hypermesh.cdb")
    fe, report = read_both(path, units="mm-t-s")
    assert (fe.nnode, [(b.kind, len(b)) for b in fe.blocks]) == (105, [("shell4", 80)])
    section, material = fe.blocks[0].section, fe.blocks[0].material
    assert section.thickness == pytest.approx(0.375e-3)
    assert (material.E, material.rho) == (pytest.approx(72e9), pytest.approx(2570.0))
    assert set(fe.element_sets["PSHELL_1"]) == set(range(1, 81))
    assert not report.warnings
    _, wrong = read_both(path)
    assert any("--units mm-t-s" in sentence for sentence in wrong.warnings)


def test_mesh_without_physics_is_refused_in_one_sentence():
    with pytest.raises(ReadError, match="none of its elements has stiffness or mass"):
        ff.io.read(real("pymapdl-reader/mesh200.cdb"))


def test_workbench_deck_keeps_remote_points_and_names_what_it_leaves_out():
    fe, report = read_both(real("pymapdl-reader/Panel_Transient.dat"))
    assert {b.kind: len(b) for b in fe.blocks} == {"hex20": 160}  # KEYOPT(2) = 1: full integration
    assert {7354, 7355} <= set(fe.node_ids)
    assert [(type(c).__name__, c.reference, len(c.dependents)) for c in fe.couplings] == [
        ("RBE2", 7354, 43),
        ("RBE2", 7355, 43),
    ]
    assert len(fe.supports) == 12
    assert len(fe.node_sets["SUPPORT_XMIN"]) == 43
    assert fe.mass_properties().mass == pytest.approx(7850.0 * 0.5 * 0.2 * 0.001, rel=1e-9)
    ignored = {entry.card: entry for entry in report.ignored}
    assert ignored["SURF154"].count == 160
    assert not ignored["SURF154"].physical
    assert ignored["/INPUT"].physical  # before /PREP7 and after /SOLU: settings and loads
    assert not report.lost
    # the ends follow their remote points, which are held: a panel clamped at both short sides
    plate = ff.fem.Material(2e11, 0.3, 7850.0)
    strip = np.sqrt(plate.E / (1 - plate.nu**2) / (12 * plate.rho)) * 0.001 * 22.373 / (2 * np.pi * 0.5**2)
    beam = strip * np.sqrt(1 - plate.nu**2)
    first = ff.modal.eigenmodes(fe, n=1).frequency[0]
    # elements 25 times as long as thick: 0.1 % too stiff
    assert beam < first < 1.002 * strip


def test_workbench_deck_keeps_its_layers_and_orthotropy():
    path = real("pymapdl-reader/shell281_workbench_ds.dat")
    fe, report = read_both(path)
    assert (fe.nnode, [b.kind for b in fe.blocks]) == (8, ["shell8"])
    assert fe.blocks[0].section.thickness == pytest.approx(0.003)
    assert fe.blocks[0].section.offset == pytest.approx(0.0015)
    assert [layer.angle for layer in fe.blocks[0].section.layers] == [0.0, 45.0, -45.0]
    assert fe.blocks[0].section.layers[0].material.matrix is not None
    assert not report.ignored_physics


def test_unblocked_deck_gives_the_published_reactions():
    """VM1 (Timoshenko, Strength of Materials I, p. 26): reactions 900 and 600 lb."""
    fe = ff.io.read(real("pymapdl-reader/vm1.dat"), materials=ff.fem.Material(30e6, 0.3))
    assert [fe.nodes[k, 1] for k in range(4)] == [0.0, 4.0, 7.0, 10.0]
    u = ff.modal.solve_static(
        fe.with_support([(2, "ux,uz"), (3, "ux,uz")]), loads={(2, "uy"): -500.0, (3, "uy"): -1000.0}
    )
    reaction = 30e6 * u[[1, 2], 1] / [4.0, 3.0]
    assert_allclose([-reaction[0], -30e6 * u[2, 1] / 3.0], [600.0, 900.0], rtol=1e-9)


@pytest.mark.parametrize("name", ["mapdl-archive/corrupt_a.cdb"])
def test_broken_file_fails_with_one_sentence_and_its_line(name):
    with pytest.raises(ReadError, match=r"line 143: .*the file is broken here\.$"):
        ff.io.read(real(name))


def test_element_types_by_block():
    with pytest.raises(ReadError, match="SHELL181 element 1 has neither shell section 1 nor real constants 1"):
        ff.io.read(real("mapdl-archive/etblock.cdb"))


# matrices and results


def test_full_file_gives_the_frequencies_of_ansys():
    model = ff.io.read(real("pymapdl-reader/file.full"))
    assert (model.nnode, model.ndof, len(model.supports)) == (321, 900, 63)
    found = ff.modal.eigenmodes(model, n=6).frequency
    expected = [1283.200369, 1283.200369, 5781.974862, 6919.398877, 6919.398877, 10172.614977]
    assert_allclose(found, expected, rtol=SAME)


def test_rotor_of_full_file_is_free():
    found = read_full(real("pymapdl-reader/sparse.full"))
    assert found.K.shape == (345, 345)
    values = np.linalg.eigvals(np.linalg.solve(found.M.toarray(), found.K.toarray())).real
    frequency = np.sqrt(np.abs(np.sort(values))) / (2 * np.pi)
    assert frequency[5] < 1e-3
    assert_allclose(frequency[6:8], 116.733109, rtol=SAME)


def test_own_elements_reproduce_the_matrices_of_ansys():
    """hex20_reduced: 2 x 2 x 2 Gauss points for the stiffness, Irons' 14 points for the mass (SOLID186 by default)."""
    theirs = read_full(real("pymapdl-reader/file.full"))
    fe = ff.io.read(WHEEL / "HexBeam.cdb", materials=TRUTH)
    row = {tuple(dof): k for k, dof in enumerate(fe.dofs.tolist())}
    order = [row[tuple(dof)] for dof in theirs.dofs.tolist()]
    for ours, matrix in ((fe.stiffness(), theirs.K), (fe.mass(), theirs.M)):
        assert abs(ours[order][:, order] - matrix).max() < 1e-11 * abs(matrix).max()


def test_own_modes_are_those_of_the_result_file():
    theirs = ff.io.read(real("pymapdl-reader/file.rst"), content="modes")
    assert_allclose(
        theirs.frequency,
        [7366.49503969, 7366.49503969, 11504.89523664, 17285.70459456, 17285.70459456, 20137.19299035],
        rtol=1e-11,
    )
    fe = ff.io.read(WHEEL / "HexBeam.cdb", materials=TRUTH)
    modes = ff.modal.eigenmodes(fe, n=12).elastic
    assert_allclose(modes.frequency[:6], theirs.frequency, rtol=SAME)
    assert_array_equal(theirs.node_ids, fe.node_ids)
    x = theirs.displacement.reshape(6 * fe.nnode, -1)[fe.dof_table.slots]
    M = fe.mass()
    assert_allclose(x.T @ (M @ x), np.eye(6), atol=1e-9)  # ANSYS normalises to unit mass
    # double frequencies: compare the planes the shapes span
    for group in ([0, 1], [2], [3, 4], [5]):
        share = modes.shapes[:, group].T @ (M @ x[:, group])
        mac = (share**2).sum(axis=0)
        assert (mac > 0.9999).all()


def test_element_matrices_give_the_free_structure():
    found = read_emat(real("pymapdl-reader/file.emat"))
    assert found.K.shape == (1926, 1926)
    one = np.zeros((len(found.dofs), 3))
    one[np.arange(len(one)), found.dofs[:, 1]] = 1.0
    assert abs(found.K @ one).max() < 1e-8 * abs(found.K).max()
    mass = one.T @ (found.M @ one)
    assert_allclose(mass, mass[0, 0] * np.eye(3), atol=1e-9 * mass[0, 0])


@pytest.mark.parametrize(
    ("name", "nodes", "sets"),
    [
        ("shell63_beam4", 24, 1),
        ("mass21_shell281_contact", 25, 2),
        ("shell181", 4, 4),
        ("link1", 3, 1),
        ("beam44", 17, 1),
    ],
)
def test_static_results_are_read_and_refused_as_modes(name, nodes, sets):
    from floatframe.io.ansys.binary.results import read_results

    path = real(f"pymapdl-reader/{name}.rst")
    results = read_results(path)
    assert (results.geometry.ids.size, results.values.size) == (nodes, sets)
    assert np.abs(results.displacement).max() < 100.0
    with pytest.raises(ReadError, match="expected the modes of a modal analysis"):
        ff.io.read(path, content="modes")
