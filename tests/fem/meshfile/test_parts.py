"""Every type of part against its builder, and where parts stand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import floatframe as ff
from floatframe import fem
from floatframe.errors import FloatframeError
from floatframe.fem.meshfile.parts import PARTS
from tests.fem.meshfile.mesh_text import PLATE, assert_same, mesh

STEEL = fem.standard_material("S355")
IPE = fem.standard_section("IPE 200")
WALL = 'thickness = 0.01\nmaterial = "S355"\n'
BEAM = 'section = "IPE 200"\nmaterial = "S355"\n'
# text of a part -> what the builder makes of the same numbers
SAME = {
    "beam": (
        f"a = [0, 0, 0]\nb = [2, 1, 0]\nn = 4\n{BEAM}orientation = [0, 0, 1]\noffset = [0, 0, 0.1]",
        lambda: fem.beam_line((0, 0, 0), (2, 1, 0), 4, IPE, STEEL, (0, 0, 1), np.array([0, 0, 0.1])),
    ),
    "frame": (
        f"lines = [[[0, 0, 0], [0, 0, 2]], [[0, 0, 2], [3, 0, 2]]]\nn = 3\n{BEAM}",
        lambda: fem.frame([[0, 0, 0], [0, 0, 2], [3, 0, 2]], [[0, 1], [1, 2]], IPE, STEEL, 3),
    ),
    "plate": (
        f"lx = 2\nly = 1\nnx = 4\nny = 3\n{WALL}quadratic = true\noffset = 0.01",
        lambda: fem.plate_grid(2, 1, 4, 3, 0.01, STEEL, offset=0.01, quadratic=True),
    ),
    "patch": (
        f"corners = [[0, 0, 0], [2, 0, 0], [2, 1, 1], [0, 1, 0]]\nnx = 3\nny = 2\n{WALL}",
        lambda: fem.quad_patch([[0, 0, 0], [2, 0, 0], [2, 1, 1], [0, 1, 0]], 3, 2, 0.01, STEEL),
    ),
    "sheet": (
        f'u = {{ from = 0, to = 2, n = 4 }}\nv = [0, 0.5, 1]\nx = "u"\ny = "v"\nz = "0.1*x*y"\n{WALL}',
        lambda: fem.sheet(
            np.linspace(0, 2, 5)[None, :],
            np.array([[0], [0.5], [1]]),
            0.1 * np.linspace(0, 2, 5)[None, :] * np.array([[0], [0.5], [1]]),
            0.01,
            STEEL,
            "sheet",
        ),
    ),
    "shell": (
        f"points = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [2, 0, 0]]\n{WALL}elements = [[1, 2, 3, 4], [2, 5, 3]]",
        lambda: fem.shell_mesh(
            [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [2, 0, 0]], [[0, 1, 2, 3], [1, 4, 2]], 0.01, STEEL
        ),
    ),
    "extrusion": (
        f"profile = [[0, 0, 0], [1, 0, 0], [1, 1, 0]]\nvector = [0, 0, 2]\nn = 3\n{WALL}",
        lambda: fem.extrusion([[0, 0, 0], [1, 0, 0], [1, 1, 0]], (0, 0, 2), 3, 0.01, STEEL),
    ),
    "revolution": (
        f'profile = [[1, 0, 0], [1, 0, 1]]\naxis = "z"\nn = 8\nangle = "pi"\n{WALL}',
        lambda: fem.revolution([[1, 0, 0], [1, 0, 1]], "z", 8, 0.01, STEEL, angle=np.pi),
    ),
    "box": (
        f'lx = 2\nly = 1\nlz = 1\nnx = 3\nny = 2\nnz = 2\n{WALL}walls = ["xmin", "zmin", "ymax"]',
        lambda: fem.box(2, 1, 1, 3, 2, 2, 0.01, STEEL, walls=("xmin", "zmin", "ymax")),
    ),
    "panel": (
        f"lx = 2\nly = 1\nnx = 4\nny = 4\n{WALL}rib = {{ height = -0.1, thickness = 0.005 }}\nribs_x = [0.25, 0.75]\n"
        "ribs_y = 1\nopenings = [{ box = [[0, 0.3, -1], [0.6, 0.7, 1]] }]",
        lambda: fem.stiffened_panel(
            2, 1, 4, 4, 0.01, STEEL, rib=fem.ShellRib(-0.1, 0.005), ribs_x=(0.25, 0.75), ribs_y=(1.0,),
            openings=[fem.in_box((0, 0.3, -1), (0.6, 0.7, 1))],
        ),
    ),
    "solid": (
        'size = [1, 2, 3]\ndivisions = [1, 2, 2]\nkind = "tet10"\nmaterial = "S355"\norigin = [0, 0, 1]',
        lambda: fem.solid_box((1, 2, 3), (1, 2, 2), "tet10", material=STEEL, origin=(0, 0, 1)),
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", SAME)
def test_a_part_is_what_its_builder_makes(kind, tmp_path):
    text, build = SAME[kind]
    assert_same(mesh(tmp_path, f'[[part]]\ntype = "{kind}"\n{text}'), build())


def test_all_types_are_tried():
    assert SAME.keys() | {"file", "use"} == PARTS.keys()


def test_ribs_of_beams_on_a_panel(tmp_path):
    panel = f'[[part]]\ntype = "panel"\nlx = 2\nly = 1\nnx = 4\nny = 4\n{WALL}ribs_x = 0.5\n'
    text = panel + 'rib = { section = "FLAT 10x80", offset = -0.04 }'
    rib = fem.BeamRib(fem.standard_section("FLAT 10x80"), -0.04)
    assert_same(mesh(tmp_path, text), fem.stiffened_panel(2, 1, 4, 4, 0.01, STEEL, rib=rib, ribs_x=(0.5,)))


def test_parts_are_turned_moved_mirrored_and_repeated(tmp_path):
    text = PLATE + (
        'rotate = { axis = "x", angle = "pi/2" }\nmove = [0, 0.5, 0]\nmirror = "y"\n'
        "repeat = { n = 2, step = [2, 0, 0] }"
    )
    plate = fem.translate(fem.rotate(fem.plate_grid(2, 1, 4, 2, 0.01, STEEL), "x", np.pi / 2), (0, 0.5, 0))
    pair = fem.join(plate, fem.mirror(plate, "y"))
    assert_same(mesh(tmp_path, text), fem.merge_nodes(fem.array(pair, 2, (2, 0, 0))))


def test_repeated_about_an_axis(tmp_path):
    text = (
        f'[[part]]\ntype = "beam"\na = [1, 0, 0]\nb = [2, 0, 0]\nn = 2\n{BEAM}'
        'repeat = { n = 4, axis = "z", angle = "pi/2" }'
    )
    fe = mesh(tmp_path, text)
    ends = fe.nodes[fe.node_index(fe.node_sets["end"])]
    assert np.allclose(ends, [[2, 0, 0], [0, 2, 0], [-2, 0, 0], [0, -2, 0]], atol=1e-12)


def test_a_mirror_image_alone(tmp_path):
    fe = mesh(tmp_path, PLATE + 'mirror = { normal = "x", keep = false, origin = [-1, 0, 0] }')
    assert np.ptp(fe.nodes[:, 0]) == 2.0
    assert fe.nodes[:, 0].max() == -2.0


def test_loops_conditions_and_names(tmp_path):
    text = """
[parameters]
n = 3
gap = "1/n"

[points]
top = [0, 0, 5]

[[part]]
type = "beam"
for = { i = { from = 0, to = 1, n = "n" }, j = [0, 1] }
when = "i.number != 2 or j == 1"
a = ["i", "j*gap", 0]
b = "top"
n = 2
section = { type = "profile", profile = "CHS 88.9x4" }
material = { like = "S355", rho = 0 }
"""
    fe = mesh(tmp_path, text)
    assert fe.nelement == 2 * 7
    assert fe.nnode == 1 + 2 * 7  # the tops are one
    assert fe.mass_properties().mass == 0.0


def test_definitions_have_parameters(tmp_path):
    text = """
[define.square]
parameters = { side = 1, level = "side/2" }

[[define.square.part]]
type = "plate"
lx = "side"
ly = "side"
nx = 2
ny = 2
thickness = 0.01
material = "S355"
move = [0, 0, "level"]

[[part]]
type = "use"
use = "square"

[[part]]
type = "use"
use = "square"
parameters = { side = 3 }
"""
    fe = mesh(tmp_path, text)
    assert sorted(set(fe.nodes[:, 2])) == [0.5, 1.5]
    assert fe.mass_properties().mass == pytest.approx(78.5 * (1 + 9))


def test_parts_from_other_files(tmp_path):
    plate = fem.plate_grid(1, 1, 2, 2, 0.01, STEEL)
    ff.io.write(tmp_path / "plate.h5", plate)
    ff.io.write(tmp_path / "plate.inp", plate)
    (tmp_path / "beam.toml").write_text(
        'format = "floatframe-mesh/1"\n[parameters]\nn = 1\n[[part]]\ntype = "beam"\na = [0, 0, 0]\nb = [0, 0, 1]\n'
        f'n = "n"\n{BEAM}'
    )
    text = """
[[part]]
type = "file"
file = "plate.h5"
[[part]]
type = "file"
file = "plate.inp"
units = "mm-t-s"
move = [1, 0, 0]
[[part]]
type = "file"
file = "beam.toml"
parameters = { n = 5 }
"""
    fe = mesh(tmp_path, text)
    assert fe.nelement == 4 + 4 + 5
    assert fe.nnode == 9 + 9 + 6 - 2  # two pairs of nodes are one
    assert np.ptp(fe.nodes[:, 0]) == pytest.approx(1.001)


FACET = """facet normal 0 0 1
outer loop
vertex 0 0 0
vertex {}
vertex {}
endloop
endfacet
"""
STL = "solid s\n" + FACET.format("1000 0 0", "1000 500 0") + FACET.format("1000 500 0", "0 500 0") + "endsolid s\n"
SKIN = '[[part]]\ntype = "file"\nfile = "skin.stl"\nunits = "mm-t-s"\nthickness = 0.01\nmaterial = "S355"\n'


def test_a_cad_mesh_gets_material_and_thickness(tmp_path):
    (tmp_path / "skin.stl").write_text(STL)
    read = mesh(tmp_path, SKIN + "move = [0, 0, 2]")
    points = [[0, 0, 2], [1, 0, 2], [1, 0.5, 2], [0, 0.5, 2]]
    made = fem.shell_mesh(points, [[0, 1, 2], [0, 2, 3]], 0.01, STEEL)
    assert np.allclose(read.nodes, made.nodes, atol=1e-15)
    for ours, theirs in ((read.stiffness(), made.stiffness()), (read.mass(), made.mass())):
        theirs = theirs.toarray()
        assert np.allclose(ours.toarray(), theirs, atol=1e-12 * np.abs(theirs).max())  # of millimetres and back


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ('material = "S355"\n', "", "has a thickness and no material; give both"),
        ("thickness = 0.01\n", "", "'thickness' is missing"),
        ("skin.stl", "plate.inp", "Abaqus/CalculiX deck has its properties; leave out material"),
        ("skin.stl", "plate.h5", "holds all properties; leave out material"),
        ("skin.stl", "other.stl", "'other.props.toml' gives its properties; leave out material"),
    ],
)
def test_properties_from_two_sides_are_refused(before, after, words, tmp_path):
    for name in ("skin.stl", "other.stl"):
        (tmp_path / name).write_text(STL)
    (tmp_path / "other.props.toml").write_text('format = "floatframe-props/1"\n')
    for name in ("plate.h5", "plate.inp"):
        ff.io.write(tmp_path / name, fem.plate_grid(1, 1, 2, 2, 0.01, STEEL))
    text = SKIN.replace(before, after)
    with pytest.raises(FloatframeError, match=words):
        mesh(tmp_path, text.replace('units = "mm-t-s"\n', "") if after.endswith(".h5") else text)


def test_nodes_stay_apart_if_wished(tmp_path):
    both = PLATE + PLATE.replace("[[part]]", "[[part]]\nmove = [2, 0, 0]")
    assert mesh(tmp_path, both).nnode == 2 * 15 - 3
    assert mesh(tmp_path, "merge = 0\n" + both).nnode == 2 * 15


def test_a_part_names_its_elements(tmp_path):
    fe = mesh(tmp_path, PLATE)
    assert fe.element_sets["plate"].size == 8
    assert replace(fe).name == "mesh"
