"""MED, universal and gmsh files: the order of nodes, groups, and what cannot be read."""

from __future__ import annotations

import h5py
import meshio
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import floatframe as ff

STEEL = ff.fem.Material(2.1e11, 0.3, 7850.0)
BODY = """format = "floatframe-props/1"
[material.steel]
E = 2.1e11
nu = 0.3
rho = 7850.0
[group.BODY]
material = "steel"
[[support]]
set = "FOOT"
"""
# type in MED, corners in its order (the first face seen from outside), ends of the edges whose middles follow
MED = {
    "tet10": ("T10", (0, 2, 1, 3), "01 12 20 03 13 23"),
    "wedge6": ("PE6", (0, 2, 1, 3, 5, 4), ""),
    "wedge15": ("P15", (0, 2, 1, 3, 5, 4), "01 12 20 34 45 53 03 14 25"),
    "pyramid13": ("P13", (0, 3, 2, 1, 4), "01 12 23 30 04 14 24 34"),
    "hex20": ("H20", (0, 3, 2, 1, 4, 7, 6, 5), "01 12 23 30 45 56 67 74 04 15 26 37"),
}
# descriptor in universal files and its nodes: round a face, corner and middle in turn, the legs, the other face
UNV = {
    "tet4": (111, "0 1 2 3"),
    "tet10": (118, "0 01 1 12 2 20 03 13 23 3"),
    "wedge6": (112, "0 1 2 3 4 5"),
    "wedge15": (113, "0 01 1 12 2 20 03 14 25 3 34 4 45 5 53"),
    "pyramid13": (313, "0 01 1 12 2 23 3 30 04 14 24 34 4"),
    "hex8": (115, "0 1 2 3 4 5 6 7"),
    "hex20": (116, "0 01 1 12 2 23 3 30 04 15 26 37 4 45 5 56 6 67 7 74"),
}


def box(kind):
    return ff.fem.solid_box((0.4, 0.3, 0.2), (2, 1, 1), kind, material=STEEL)


def rows(fe, corners, words):
    """Return the node rows (nel, n) at corners ("2") and middles of edges ("02"), found by their places."""
    place = {tuple(np.round(x, 9)): row for row, x in enumerate(fe.nodes)}
    cells = fe.blocks[0].connectivity[:, list(corners)]
    middle = [fe.nodes[cells[:, [int(digit) for digit in word]]].mean(axis=1) for word in words]
    return np.array([[place[tuple(np.round(x, 9))] for x in column] for column in middle]).T


def foot(fe):
    return np.flatnonzero(fe.nodes[:, 0] < 1e-9)


def write_med(path, fe, kind, families=("BODY", "FOOT")):
    name, corners, edges = MED[kind]
    cells = rows(fe, corners, [*map(str, range(len(corners))), *edges.split()]) + 1
    held = np.zeros(fe.nnode, dtype=np.int64)
    held[foot(fe)] = 2
    with h5py.File(path, "w") as file:
        mesh = file.create_group("ENS_MAA/Mesh_1")
        mesh.attrs["ESP"] = 3
        step = mesh.create_group("-0000000000000000001-0000000000000000001")
        step["NOE/COO"], step["NOE/FAM"] = fe.nodes.T.ravel(), held
        step[f"MAI/{name}/NOD"], step[f"MAI/{name}/FAM"] = cells.T.ravel(), np.full(len(cells), -6)
        for folder, number, group in (("ELEME/FAM_-6_BODY", -6, families[0]), ("NOEUD/FAM_2_FOOT", 2, families[1])):
            family = file.create_group(f"FAS/Mesh_1/{folder}")
            family.attrs["NUM"] = number
            text = np.zeros((1, 80), dtype=np.int8)
            text[0, : len(group)] = np.frombuffer(group.encode(), np.int8)
            family["GRO/NOM"] = text


def write_unv(path, fe, kind):
    descriptor, words = UNV[kind]
    cells = rows(fe, range(8 if kind[:3] == "hex" else {"tet": 4, "wed": 6, "pyr": 5}[kind[:3]]), words.split())
    lines = ["    -1", "  2411"]
    for number, (x, y, z) in enumerate(fe.nodes, 11):
        lines += [f"{number:10d}{1:10d}{1:10d}{11:10d}", f"{x:25.16E}{y:25.16E}{z:25.16E}".replace("E", "D")]
    lines += ["    -1", "    -1", "  2412"]
    for number, nodes in enumerate(cells.tolist(), 1):
        lines.append(f"{number:10d}{descriptor:10d}{3:10d}{1:10d}{7:10d}{len(nodes):10d}")
        lines += ["".join(f"{node + 11:10d}" for node in nodes[k : k + 8]) for k in range(0, len(nodes), 8)]
    lines += ["    -1", "    -1", "  2467"]
    held = (foot(fe) + 11).tolist()
    for group, (name, code, members) in enumerate((("BODY", 8, range(1, len(cells) + 1)), ("FOOT", 7, held)), 1):
        lines += [f"{group:10d}" + f"{0:10d}" * 6 + f"{len(members):10d}", name]
        words = [f"{code:10d}{member:10d}{0:10d}{0:10d}" for member in members]
        lines += ["".join(words[k : k + 2]) for k in range(0, len(words), 2)]
    path.write_text("\n".join([*lines, "    -1", ""]))


def read(path):
    path.with_name(f"{path.stem}.props.toml").write_text(BODY)
    return ff.io.read(path)


def same_structure(got, fe, kind):
    assert got.blocks[0].kind == kind
    assert got.element_sets["BODY"].size == fe.nelement
    assert_array_equal(got.node_sets["FOOT"] - 1, foot(fe))
    K = fe.stiffness().toarray()
    assert_allclose(got.stiffness().toarray(), K, atol=1e-12 * np.abs(K).max())  # round-off of the sums


@pytest.mark.parametrize("kind", MED)
def test_solids_of_med_files(tmp_path, kind):
    fe = box(kind)
    write_med(tmp_path / "box.med", fe, kind)
    same_structure(read(tmp_path / "box.med"), fe, kind)


@pytest.mark.parametrize("kind", UNV)
def test_solids_of_universal_files(tmp_path, kind):
    fe = box(kind)
    write_unv(tmp_path / "box.unv", fe, kind)
    same_structure(read(tmp_path / "box.unv"), fe, kind)


def test_elements_of_universal_files_outside_groups_are_named_by_their_property(tmp_path):
    path = tmp_path / "box.unv"
    write_unv(path, box("tet4"), "tet4")
    path.write_text(path.read_text().split("    -1\n  2467")[0])
    with pytest.raises(ff.ReadError, match=r"groups here: property-3\)"):
        ff.io.read(path)


def test_rigid_elements_and_restraints_of_universal_files_are_lost(tmp_path):
    path = tmp_path / "box.unv"
    write_unv(path, box("tet4"), "tet4")
    rigid = f"    -1\n  2412\n{99:10d}{121:10d}{0:10d}{0:10d}{7:10d}{2:10d}\n{11:10d}{12:10d}\n    -1\n"
    path.write_text(path.read_text() + rigid + "    -1\n   755\n         1\n    -1\n")
    with pytest.raises(ff.ReadError, match=r"element 121 \(1.*a coupling.*dataset 755 .*a support.*--drop ELEMENT-121"):
        read(path)
    assert ff.io.read(path, drop="element-121,755").nelement > 0


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("        11        12", "        11     99999", "an element names node 99999, which is not defined"),
        ("D-01", "D-x1", "line 6: .* must be numbers"),
        ("  2411", "  2999", r"holds no nodes \(dataset 2411\)"),
        ("        11        12", "        11 9999999999999999999999", "has more than 18 digits"),
    ],
)
def test_mistakes_in_universal_files_are_named(tmp_path, old, new, message):
    path = tmp_path / "box.unv"
    write_unv(path, box("tet4"), "tet4")
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new, 1))
    with pytest.raises(ff.ReadError, match=rf"box\.unv'.*{message}"):
        read(path)


@pytest.mark.parametrize("first", [True, False])
def test_nodes_in_cylindrical_systems_are_refused_wherever_the_system_stands(tmp_path, first):
    path = tmp_path / "box.unv"
    write_unv(path, box("tet4"), "tet4")
    mesh = path.read_text()
    used = mesh[mesh.index("2411") + 5 :].split()[1]
    rows = "1. 0. 0.\n0. 1. 0.\n0. 0. 1.\n0. 0. 0.\n"
    system = f"    -1\n  2420\n         1\npart\n{used:>10}         1         8\nround\n{rows}    -1\n"
    path.write_text(system + mesh if first else mesh + system)
    with pytest.raises(ff.ReadError, match=rf"nodes are given in system {used}, which is cylindrical"):
        read(path)


@pytest.mark.parametrize("change", [("NOE/COO", 7), ("MAI/T10/NOD", 9), ("NOE/FAM", 3)])
def test_damaged_med_files_are_refused_in_words(tmp_path, change):
    path = tmp_path / "box.med"
    write_med(path, box("tet10"), "tet10")
    with h5py.File(path, "r+") as file:
        (step,) = file["ENS_MAA/Mesh_1"].values()
        kept = step[change[0]][: change[1]]
        del step[change[0]]
        step[change[0]] = kept
    with pytest.raises(ff.ReadError, match=r"box\.med' cannot be read as med mesh: "):
        read(path)


# type in gmsh and its nodes: edges in the order of its manual
GMSH = {
    "tet10": (11, "0 1 2 3 01 12 02 03 23 13"),
    "wedge15": (18, "0 1 2 3 4 5 01 02 03 12 14 25 34 35 45"),
    "pyramid13": (19, "0 1 2 3 4 01 03 04 12 14 23 24 34"),
    "hex20": (17, "0 1 2 3 4 5 6 7 01 03 04 12 15 23 26 37 45 47 56 67"),
}


def gmsh_parts(fe, kind):
    """Return rows of nodes: foot nodes as points, all nodes as more points, cells."""
    number, words = GMSH[kind]
    count = {"tet": 4, "wed": 6, "pyr": 5, "hex": 8}[kind[:3]]
    return number, rows(fe, range(count), words.split()) + 1


def write_gmsh_2(path, fe, kind):
    """All is saved: points of the foot in a group, a line in none; the cells twice, as in two groups."""
    number, cells = gmsh_parts(fe, kind)
    lines = [f"15 2 4 1 {node + 1}" for node in foot(fe)] + ["1 2 0 1 1 2"]
    lines += [f"{number} 2 {group} 1 " + " ".join(map(str, cell)) for group in (7, 8) for cell in cells.tolist()]
    places = "".join(f"{k} {x!r} {y!r} {z!r}\n" for k, (x, y, z) in enumerate(fe.nodes.tolist(), 1))
    elements = "".join(f"{k} {line}\n" for k, line in enumerate(lines, 1))
    path.write_text(
        '$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n3\n0 4 "FOOT"\n3 7 "BODY"\n3 8 "ALL"\n'
        f"$EndPhysicalNames\n$Nodes\n{fe.nnode}\n{places}$EndNodes\n"
        f"$Elements\n{len(lines)}\n{elements}$EndElements\n"
    )


def write_gmsh_4(path, fe, kind):
    """All is saved: a line in no group, the cells in two entities of which each is in two groups."""
    number, cells = gmsh_parts(fe, kind)
    half = len(cells) // 2
    blocks = [
        f"0 1 15 {len(foot(fe))}",
        *(f"{k} {node + 1}" for k, node in enumerate(foot(fe), 1)),
        "1 1 1 1",
        "90 1 2",
    ]
    for entity, part in ((1, cells[:half]), (2, cells[half:])):
        blocks += [f"3 {entity} {number} {len(part)}"]
        blocks += [f"{100 * entity + k} " + " ".join(map(str, cell)) for k, cell in enumerate(part.tolist())]
    numbers = "".join(f"{k}\n" for k in range(1, fe.nnode + 1))
    places = "".join(f"{x!r} {y!r} {z!r}\n" for x, y, z in fe.nodes.tolist())
    path.write_text(
        '$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$PhysicalNames\n3\n0 4 "FOOT"\n3 7 "BODY"\n3 8 "ALL"\n'
        "$EndPhysicalNames\n$Entities\n1 1 0 2\n1 0 0 0 1 4\n1 0 0 0 1 0 0 0 0\n1 0 0 0 1 1 1 2 7 8 0\n"
        f"2 0 0 0 1 1 1 2 7 8 0\n$EndEntities\n$Nodes\n1 {fe.nnode} 1 {fe.nnode}\n3 1 0 {fe.nnode}\n{numbers}{places}"
        f"$EndNodes\n$Elements\n4 {len(cells) + 1} 1 999\n" + "\n".join(blocks) + "\n$EndElements\n"
    )


@pytest.mark.parametrize("write", [write_gmsh_2, write_gmsh_4])
@pytest.mark.parametrize("kind", GMSH)
def test_quadratic_solids_of_gmsh_saved_with_all_else(tmp_path, kind, write):
    fe = box(kind)
    write(tmp_path / "box.msh", fe, kind)
    got = read(tmp_path / "box.msh")
    same_structure(got, fe, kind)
    assert got.nelement == fe.nelement
    assert "ALL" in got.node_sets


def test_solids_outside_all_groups_of_gmsh_are_lost_unless_given(tmp_path):
    fe = box("hex20")
    path = tmp_path / "box.msh"
    write_gmsh_4(path, fe, "hex20")
    path.write_text(path.read_text().replace("2 0 0 0 1 1 1 2 7 8 0", "2 0 0 0 1 1 1 0 0"))
    with pytest.raises(ff.ReadError, match=r"hexahedron20 \(1\) carries stiffness: no group with properties"):
        read(path)
    path.with_name("box.props.toml").unlink()
    text = ff.io.write_template(path).read_text()
    assert '[group."*"]  # volumes' in text
    assert "# shares cells with BODY: a cell has properties from one group:\n# [group.ALL]" in text
    assert ff.io.read(path).nelement == fe.nelement
    text = text.replace("# [group.ALL]", "[group.ALL]").replace('# material = "steel"', 'material = "steel"')
    path.with_name("box.props.toml").write_text(text)
    with pytest.raises(ff.ReadError, match="has properties from two groups"):
        ff.io.read(path)


def test_templates_take_faces_of_solids_as_node_sets(tmp_path):
    """The group of a clamped face must not become a wall that nobody asked for."""
    path = tmp_path / "box.msh"
    path.write_text(
        '$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n2 1 "CLAMP"\n3 2 "BODY"\n$EndPhysicalNames\n'
        "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n"
        "$Elements\n2\n1 2 2 1 1 1 2 3\n2 4 2 2 1 1 2 3 4\n$EndElements\n"
    )
    ff.io.write_template(path)
    fe = ff.io.read(path)
    assert [block.kind for block in fe.blocks] == ["tet4"]
    assert fe.node_sets["CLAMP"].tolist() == [1, 2, 3]


@pytest.mark.parametrize("form", ["gmsh22", "gmsh"])
def test_binary_files_of_gmsh(tmp_path, form):
    fe = box("hex8")
    cells = fe.blocks[0].connectivity
    tags = {"gmsh:physical": [np.full(len(cells), 7)], "gmsh:geometrical": [np.full(len(cells), 1)]}
    mesh = meshio.Mesh(fe.nodes, [("hexahedron", cells)], cell_data=tags, field_data={"BODY": np.array([7, 3])})
    path = tmp_path / "box.msh"
    meshio.write(path, mesh, file_format=form, binary=True)
    path.with_name("box.props.toml").write_text(BODY.replace('[[support]]\nset = "FOOT"\n', "").replace("BODY", '"*"'))
    got = ff.io.read(path)
    K = fe.stiffness().toarray()
    assert_allclose(got.stiffness().toarray(), K, atol=1e-12 * np.abs(K).max())  # round-off of the sums
