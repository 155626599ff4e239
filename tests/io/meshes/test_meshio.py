"""Meshes of other programs with a side-car of properties are the models our builders make."""

from __future__ import annotations

import meshio
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import floatframe as ff
from floatframe.io.deck.mesh_data import Cells, Mesh
from floatframe.io.meshes.cell_orientation import with_usual_sense

STEEL = ff.fem.Material(2.1e11, 0.3, 7850.0)
PROPS = """format = "floatframe-props/1"
units = "{units}"
[material.steel]
E = {E}
nu = 0.3
rho = {rho}
[group.{group}]
material = "steel"
thickness = {thickness}
[[support]]
set = "{group}"
components = "uz"
"""


def plate(folder, scale=1.0, suffix=".vtu"):
    """Write a plate whose cells carry the number 7 as the group `part`."""
    fe = ff.fem.plate_grid(1.0, 0.6, nx=4, ny=3, thickness=0.01, material=STEEL)
    cells = fe.blocks[0].connectivity
    mesh = meshio.Mesh(fe.nodes * scale, [("quad", cells)], cell_data={"part": [np.full(len(cells), 7)]})
    path = folder / f"plate{suffix}"
    mesh.write(path)
    return fe, path


def properties(path, group="part-7", units="SI", E=2.1e11, rho=7850.0, thickness=0.01):
    text = PROPS.format(group=group, units=units, E=E, rho=rho, thickness=thickness)
    path.with_name("plate.props.toml").write_text(text)


@pytest.mark.parametrize("suffix", [".vtu", ".vtk"])
def test_plate_with_properties(tmp_path, suffix):
    fe, path = plate(tmp_path, suffix=suffix)
    properties(path)
    got = ff.io.read(path)
    assert_array_equal(got.blocks[0].connectivity, fe.blocks[0].connectivity)
    assert_allclose(got.stiffness().toarray(), fe.stiffness().toarray(), rtol=1e-12, atol=1e-3)
    assert_allclose(got.mass_properties().mass, 0.6 * 0.01 * 7850.0, rtol=1e-12)
    assert got.supports.tolist() == [[node, 2] for node in fe.node_ids.tolist()]


@pytest.mark.parametrize(("shape", "kind"), [("quad8", "shell8"), ("quad9", "shell8"), ("triangle6", "shell6")])
def test_quadratic_surfaces_are_curved_shells(tmp_path, shape, kind):
    """Nodes in the middle of nine-node cells are left out, of the sets too, which couplings may use."""
    fe = ff.fem.plate_grid(1.0, 0.6, 2, 2, 0.01, STEEL, triangles=kind == "shell6", quadratic=True)
    nodes, cells = fe.nodes, fe.blocks[0].connectivity
    if shape == "quad9":
        middle = nodes[cells[:, :4]].mean(axis=1)
        cells = np.column_stack([cells, len(nodes) + np.arange(len(cells))])
        nodes = np.vstack([nodes, middle])
    path = tmp_path / "plate.vtu"
    meshio.Mesh(nodes, [(shape, cells)], cell_data={"part": [np.full(len(cells), 7)]}).write(path)
    properties(path)
    got = ff.io.read(path)
    assert [block.kind for block in got.blocks] == [kind]
    assert_array_equal(got.node_sets["part-7"], fe.node_ids)
    assert_allclose(got.stiffness().toarray(), fe.stiffness().toarray(), rtol=1e-12, atol=1e-3)


def test_units_of_the_side_car_hold_for_the_mesh_too(tmp_path):
    fe, path = plate(tmp_path, scale=1000.0)
    properties(path, units="mm-t-s", E=210000.0, rho=7.85e-9, thickness=10.0)
    got = ff.io.read(path)
    assert_allclose(got.nodes, fe.nodes, atol=1e-12)
    assert_allclose(got.mass_properties().mass, 0.6 * 0.01 * 7850.0, rtol=1e-12)


def test_template_can_be_read_back(tmp_path):
    _, path = plate(tmp_path)
    with pytest.raises(ff.ReadError, match=r"'plate\.props\.toml' with them does not exist.*groups here.*--template"):
        ff.io.read(path)
    ff.io.write_template(path)
    assert ff.io.read(path).nelement == 12
    with pytest.raises(ff.ReadError, match="exists already"):
        ff.io.write_template(path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("[group.part-7]", "[group.nowhere]"), r"group 'nowhere' is not in the mesh; groups there: part-7"),
        (('material = "steel"', 'material = "wood"'), r"material 'wood' is unknown; materials here: steel"),
        (("thickness = 0.01", ""), r"'thickness' is missing"),
        (("thickness = 0.01", "thickness = 0.01\ncolour = 3"), r"'colour' is unknown"),
        (("floatframe-props/1", "floatframe-props/9"), r"format is 'floatframe-props/9', expected"),
        (("E = ", "E == "), r"is not a TOML file"),
        (('set = "part-7"', 'set = "rim"'), r"node set 'rim' is unknown"),
    ],
)
def test_wrong_properties_are_named(tmp_path, change, message):
    _, path = plate(tmp_path)
    properties(path)
    side_car = path.with_name("plate.props.toml")
    assert change[0] in side_car.read_text()
    side_car.write_text(side_car.read_text().replace(*change))
    with pytest.raises(ff.ReadError, match=r"plate\.props\.toml'.*" + message):
        ff.io.read(path)


@pytest.mark.parametrize("content", [b"", b"garbage", b"$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\nx\n"])
def test_what_breaks_inside_meshio_is_one_sentence(tmp_path, content):
    """meshio leaves the program with SystemExit on some of these."""
    path = tmp_path / "bad.msh"
    path.write_bytes(content)
    with pytest.raises(ff.ReadError, match=r"bad\.msh' cannot be read as gmsh mesh"):
        ff.io.read(path)


GMSH_2 = """$MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
3
1 5 "RIB"
2 7 "PLATE"
3 9 "BLOCK"
$EndPhysicalNames
$Nodes
{nodes}$EndNodes
$Elements
3
1 1 2 5 1 1 2
2 3 2 7 2 1 2 3 4
3 5 2 9 3 1 2 3 4 5 6 7 8
$EndElements
"""
GMSH_4 = """$MeshFormat
4.1 0 8
$EndMeshFormat
$PhysicalNames
3
1 5 "RIB"
2 7 "PLATE"
3 9 "BLOCK"
$EndPhysicalNames
$Entities
0 1 1 1
1 0 0 0 1 0 0 1 5 0
2 0 0 0 1 1 0 1 7 0
3 0 0 0 1 1 1 1 9 0
$EndEntities
$Nodes
1 8 1 8
3 3 0 8
{numbers}{places}$EndNodes
$Elements
3 3 1 3
1 1 1 1
1 1 2
2 2 3 1
2 1 2 3 4
3 3 5 1
3 1 2 3 4 5 6 7 8
$EndElements
"""
CORNERS = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
THREE = """format = "floatframe-props/1"
[material.steel]
E = 2.1e11
nu = 0.3
rho = 7850.0
[group.RIB]
material = "steel"
beam = { shape = "rectangle", width = 0.1, height = 0.2 }
orientation = [0, 0, 1]
[group.PLATE]
material = "steel"
thickness = 0.02
[group.BLOCK]
material = "steel"
[[mass]]
set = "RIB"
mass = 3.0
[[coupling]]
set = "PLATE"
kind = "rbe3"
"""


def gmsh_2(path):
    nodes = "".join(f"{k} {x} {y} {z}\n" for k, (x, y, z) in enumerate(CORNERS, 1))
    path.write_text(GMSH_2.format(nodes=f"8\n{nodes}"))


def gmsh_4(path):
    places = "".join(f"{x} {y} {z}\n" for x, y, z in CORNERS)
    path.write_text(GMSH_4.format(numbers="".join(f"{k}\n" for k in range(1, 9)), places=places))


def med(path):
    pytest.importorskip("h5py")
    cells = [("line", np.array([[0, 1]])), ("quad", np.array([[0, 1, 2, 3]])), ("hexahedron", np.arange(8)[None])]
    mesh = meshio.Mesh(np.array(CORNERS, float), cells, cell_data={"cell_tags": [np.array([-k]) for k in (5, 7, 9)]})
    mesh.cell_tags = {-5: ["RIB"], -7: ["PLATE"], -9: ["BLOCK"]}
    mesh.write(path)


@pytest.mark.parametrize(("suffix", "write"), [(".msh", gmsh_2), (".msh", gmsh_4), (".med", med)])
def test_lines_surfaces_and_volumes_of_named_groups(tmp_path, suffix, write):
    """Named groups of gmsh, old and new, and of Salome become beams, shells and solids."""
    path = tmp_path / f"mesh{suffix}"
    write(path)
    with pytest.raises(ff.ReadError, match=r"groups here: (RIB, PLATE, BLOCK|BLOCK, PLATE, RIB)\)"):
        ff.io.read(path)
    (tmp_path / "mesh.props.toml").write_text(THREE)
    fe = ff.io.read(path)
    assert {block.name: block.kind for block in fe.blocks} == {"RIB": "beam", "PLATE": "shell4", "BLOCK": "hex8"}
    masses = 7850.0 * (0.1 * 0.2 + 0.02 + 1.0) + 2 * 3.0
    assert fe.mass_properties().mass == pytest.approx(masses, rel=1e-12)
    assert fe.node_sets["RIB"].tolist() == [1, 2]
    assert fe.node_sets["PLATE_ref"].tolist() == [9]
    assert_allclose(fe.nodes[8], [0.5, 0.5, 0.0], atol=1e-15)
    assert fe.element_sets["BLOCK"].size == 1


# the first face of a solid in MED has its normal point outwards; the nodes of edges follow in this order of their ends
MED_SOLIDS = {
    "tet4": ("tetra", (0, 2, 1, 3), ""),
    "tet10": ("tetra10", (0, 2, 1, 3), "01 12 20 03 13 23"),
    "wedge6": ("wedge", (0, 2, 1, 3, 5, 4), ""),
    "wedge15": ("wedge15", (0, 2, 1, 3, 5, 4), "01 12 20 34 45 53 03 14 25"),
    "pyramid5": ("pyramid", (0, 3, 2, 1, 4), ""),
    "pyramid13": ("pyramid13", (0, 3, 2, 1, 4), "01 12 23 30 04 14 24 34"),
    "hex8": ("hexahedron", (0, 3, 2, 1, 4, 7, 6, 5), ""),
    "hex20": ("hexahedron20", (0, 3, 2, 1, 4, 7, 6, 5), "01 12 23 30 45 56 67 74 04 15 26 37"),
}


def as_salome(fe, kind):
    """Return meshio's shape and the connectivity in the order of MED, middle nodes found by their places."""
    shape, corner, edges = MED_SOLIDS[kind]
    place = {tuple(np.round(x, 9)): row for row, x in enumerate(fe.nodes)}
    cells = fe.blocks[0].connectivity[:, list(corner)]
    middle = [fe.nodes[cells[:, [int(a), int(b)]]].mean(axis=1) for a, b in edges.split()]
    more = [[place[tuple(np.round(x, 9))] for x in column] for column in middle]
    return shape, np.column_stack([cells, *more])


@pytest.mark.parametrize("kind", MED_SOLIDS)
def test_solids_in_the_order_of_med_get_ours(kind):
    """Corners and middles of edges come back to the places they have in our own order."""
    fe = ff.fem.solid_box((0.4, 0.3, 0.2), (2, 2, 1), kind, material=STEEL)
    shape, cells = as_salome(fe, kind)
    mesh = with_usual_sense(Mesh(fe.nodes, (Cells(shape, cells, {}),), {}))
    assert_array_equal(mesh.cells[0].nodes, fe.blocks[0].connectivity)
    # a writer that keeps the usual order is understood too
    assert_array_equal(with_usual_sense(mesh).cells[0].nodes, fe.blocks[0].connectivity)


@pytest.mark.parametrize("kind", ["tet4", "tet10", "wedge6", "pyramid5", "hex8", "hex20"])
def test_solids_of_salome(tmp_path, kind):
    """A mesh in MED's order of nodes is the same structure."""
    pytest.importorskip("h5py")
    fe = ff.fem.solid_box((0.4, 0.3, 0.2), (2, 2, 1), kind, material=STEEL)
    shape, cells = as_salome(fe, kind)
    mesh = meshio.Mesh(fe.nodes, [(shape, cells)], cell_data={"cell_tags": [np.full(len(cells), -3)]})
    mesh.cell_tags = {-3: ["BODY"]}
    mesh.write(tmp_path / "plate.med")
    text = PROPS.format(group="BODY", units="SI", E=2.1e11, rho=7850.0, thickness=0)
    (tmp_path / "plate.props.toml").write_text(text.replace("thickness = 0\n", ""))
    got = ff.io.read(tmp_path / "plate.med")
    assert got.blocks[0].kind == kind
    assert got.node_sets["BODY"].size == fe.nnode
    K = fe.stiffness().toarray()
    assert_allclose(got.stiffness().toarray(), K, atol=1e-12 * np.abs(K).max())  # round-off of the sums


def test_template_leaves_out_groups_of_points(tmp_path):
    # gmsh writes physical points as cells; they are node sets and the template must be readable as it is
    path = tmp_path / "bar.msh"
    path.write_text(
        '$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n0 1 "foot"\n1 2 "leg"\n$EndPhysicalNames\n'
        "$Nodes\n2\n1 0 0 0\n2 1 0 0\n$EndNodes\n$Elements\n2\n1 15 2 1 1 1\n2 1 2 2 1 1 2\n$EndElements\n"
    )
    text = ff.io.write_template(path).read_text()
    assert "[group.leg]  # lines" in text
    assert "[group.foot]" not in text
    assert "# node sets in the mesh: foot" in text
    fe = ff.io.read(path)
    assert fe.node_sets["foot"].tolist() == [1]
    assert fe.nelement == 1


def test_empty_mesh_is_refused_in_words(tmp_path):
    path = tmp_path / "empty.msh"
    path.write_text("")
    with pytest.raises(ff.ReadError, match="cannot be read as gmsh mesh: it is empty, damaged"):
        ff.io.read(path)
