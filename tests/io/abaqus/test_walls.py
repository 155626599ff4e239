"""Walls of shells in decks: layers, directions of materials, thickness by nodes and elements, stiffness in numbers."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import floatframe as ff
from floatframe.errors import ReadError
from floatframe.fem import LayeredSection, ShellSection
from tests.io.abaqus.decks import read

LENGTH, WIDTH, COUNT = 1.0, 0.05, 8
OUTER = 7 / 8 * 1e11 + 1 / 8 * 1e10  # modulus in bending of a wall whose outer halves lie along
MATERIALS = (
    "*MATERIAL, NAME=STEEL\n*ELASTIC\n2e11, 0.\n*DENSITY\n8000.\n"
    "*MATERIAL, NAME=PLY\n*ELASTIC, TYPE=LAMINA\n1e11, 1e10, 0., 4e9, 4e9, 4e9\n*DENSITY\n1500.\n"
    "*ORIENTATION, NAME=ALONG\n1,0,0, 0,1,0\n3, 0.\n*ORIENTATION, NAME=ACROSS\n1,0,0, 0,1,0\n3, 90.\n"
)


def strip(section, kind="S4"):
    """Return a strip along x of one row of shells, clamped at x = 0."""
    x = np.linspace(0.0, LENGTH, 2 * COUNT + 1)
    text = "*NODE, NSET=ALL\n" + "".join(
        f"{1 + 3 * k + j}, {value!r}, {j * WIDTH / 2!r}, 0.\n" for k, value in enumerate(x.tolist()) for j in range(3)
    )
    text += f"*ELEMENT, TYPE={kind}, ELSET=E\n"
    for k in range(COUNT):
        a, b, c = (1 + 3 * (2 * k + j) for j in range(3))
        if kind == "S8R":
            text += f"{k + 1}, {a}, {c}, {c + 2}, {a + 2}, {b}, {c + 1}, {b + 2}, {a + 1}\n"
        else:
            text += f"{k + 1}, {a}, {c}, {c + 2}, {a + 2}\n"
    return text + MATERIALS + section + "\n*BOUNDARY\n1, 1, 6\n2, 1, 6\n3, 1, 6\n"


def tip(fe, component="uz"):
    """Return the deflection at the free end under a force of 1 N, shared by two nodes."""
    used = fe.node_ids[np.unique(np.concatenate([block.connectivity.ravel() for block in fe.blocks]))]
    ends = [int(n) for n in used if n > 6 * COUNT]
    corners = [ends[0], ends[-1]]
    u = ff.modal.solve_static(fe, loads={(node, component): 0.5 for node in corners})
    return float(np.mean([u[fe.node_index(node)[0], "xyz".index(component[1])] for node in corners]))


def beam(E, t):
    return LENGTH**3 / (3.0 * E * WIDTH * t**3 / 12.0)


@pytest.mark.parametrize("kind", ["S4", "S8R"])
@pytest.mark.parametrize(
    ("section", "bending"),
    [
        ("*SHELL SECTION, ELSET=E, MATERIAL=PLY\n.01", 1e11),
        ("*SHELL SECTION, ELSET=E, MATERIAL=PLY, ORIENTATION=ACROSS\n.01", 1e10),
        ("*SHELL SECTION, ELSET=E, COMPOSITE, ORIENTATION=ALONG\n.005,3,PLY,90.\n.005,3,PLY,90.", 1e10),
        ("*SHELL SECTION, ELSET=E, COMPOSITE\n.0025,,PLY,ALONG\n.005,,PLY,ACROSS\n.0025,,PLY,ALONG", OUTER),
        ("*SHELL SECTION, ELSET=E, COMPOSITE, SYMMETRIC, ORIENTATION=ACROSS\n.0025,,PLY,-90.\n.0025,,PLY", OUTER),
        ("*SHELL GENERAL SECTION, ELSET=E, MATERIAL=STEEL\n.01", 2e11),
    ],
)  # fmt: skip
def test_fibres_bend_where_they_lie(tmp_path, kind, section, bending):
    """A narrow strip without Poisson's ratio is a beam; the outer layers have 1 - 1/8 of the moment of inertia."""
    found = tip(read(tmp_path, strip(section, kind)))
    shear = LENGTH / (5.0 / 6.0 * 4e9 * WIDTH * 0.01)  # of the softest; all others are below it
    assert beam(bending, 0.01) * 0.998 < found < beam(bending, 0.01) * 1.002 + shear


def test_orientation_by_elements_is_the_same_as_one_for_all(tmp_path):
    table = "*DISTRIBUTION TABLE, NAME=T\nCOORD3D, COORD3D\n*DISTRIBUTION, NAME=D, LOCATION=ELEMENT, TABLE=T\n"
    lines = ", 0.,1.,0., -1.,0.,0.\n" + "".join(f"{k}, 0.,1.,0., -1.,0.,0.\n" for k in range(1, 5))
    oriented = "*ORIENTATION, NAME=EACH, SYSTEM=RECTANGULAR\nD\n3, 0.\n"
    oriented += "*SHELL SECTION, ELSET=E, MATERIAL=PLY, ORIENTATION="
    each = read(tmp_path, strip(table + lines + oriented + "EACH\n.01"))
    whole = read(tmp_path, strip("*SHELL SECTION, ELSET=E, MATERIAL=PLY, ORIENTATION=ACROSS\n.01"))
    assert_allclose(tip(each), tip(whole), rtol=1e-8)  # round-off of the turn, times the condition


def test_offsets_count_from_the_nodes(tmp_path):
    for word, offset in (("SPOS", -0.005), ("SNEG", 0.005), ("0.25", -0.0025)):
        wall = read(tmp_path, strip(f"*SHELL SECTION, ELSET=E, MATERIAL=STEEL, OFFSET={word}\n.01")).blocks[0].section
        assert isinstance(wall, ShellSection)
        assert wall.offset == pytest.approx(offset)
        layers = f"*SHELL SECTION, ELSET=E, COMPOSITE, OFFSET={word}\n.005,,STEEL\n.005,,PLY"
        wall = read(tmp_path, strip(layers)).blocks[0].section
        assert isinstance(wall, LayeredSection)
        assert wall.offset == pytest.approx(offset)


@pytest.mark.parametrize("kind", ["S4", "S8R"])
def test_thickness_at_nodes_tapers_the_strip(tmp_path, kind):
    """Deflection of a cantilever whose thickness falls from 2 t to t: the integral of x²/EI."""
    lines = "".join(
        f"{1 + 3 * k + j}, {0.02 - 0.01 * k / (2 * COUNT)!r}\n" for k in range(2 * COUNT + 1) for j in range(3)
    )
    section = "*SHELL SECTION, ELSET=E, MATERIAL=STEEL, NODAL THICKNESS\n1.\n*NODAL THICKNESS\n" + lines
    x = np.linspace(0.0, LENGTH, 2001)
    inertia = WIDTH * (0.02 - 0.01 * (LENGTH - x) / LENGTH) ** 3 / 12.0
    exact = np.trapezoid((LENGTH - x[::-1]) ** 2 / (2e11 * inertia), x)
    # S4 bends as its mean thickness at points of integration; eight elements are good to 1 %
    assert_allclose(tip(read(tmp_path, strip(section, kind))), exact, rtol=0.01)


def test_thickness_at_nodes_replaces_that_of_the_section(tmp_path):
    """CalculiX asks for no number on the section then; offsets count in the thickness of the nodes."""
    lines = "*NODAL THICKNESS\n" + "".join(f"{k}, 0.01\n" for k in range(1, 6 * COUNT + 4))
    section = "*SHELL SECTION, ELSET=E, MATERIAL=STEEL, OFFSET=.5"
    plain = read(tmp_path, strip(section + "\n.01"))
    for number in ("", "\n3."):
        fe = read(tmp_path, strip(f"{section}, NODAL THICKNESS{number}\n{lines}"))
        assert_allclose(tip(fe), tip(plain), rtol=1e-9)
        assert fe.blocks[0].section.offset == pytest.approx(plain.blocks[0].section.offset)


def test_thickness_by_elements(tmp_path):
    table = "*DISTRIBUTION, NAME=D, LOCATION=ELEMENT, TABLE=T\n, 0.01\n" + "".join(f"{k}, 0.02\n" for k in range(1, 5))
    fe = read(tmp_path, strip(table + "*SHELL SECTION, ELSET=E, MATERIAL=STEEL, SHELL THICKNESS=D\n"))
    E, half = 2e11, LENGTH / 2
    stiff, soft = (WIDTH * t**3 / 12.0 * E for t in (0.02, 0.01))
    exact = half**3 / (3 * soft) + (LENGTH**3 - half**3) / (3 * stiff)
    assert_allclose(tip(fe), exact, rtol=0.005)  # flat elements at a step: shear and a coarse mesh


def test_stiffness_in_numbers_is_that_of_the_wall_it_stands_for(tmp_path):
    E, t = 2e11, 0.01
    A, D = E * t, E * t**3 / 12
    # upper triangle by columns: forces 11, 22, 12, then moments
    numbers = [A, 0, A, 0, 0, A / 2, 0, 0, 0, D, 0, 0, 0, 0, D, 0, 0, 0, 0, 0, D / 2]
    lines = "\n".join(", ".join(f"{v!r}" for v in numbers[k : k + 8]) for k in (0, 8, 16))
    shear = f"*TRANSVERSE SHEAR STIFFNESS\n{5 / 6 * A / 2!r}, {5 / 6 * A / 2!r}, 0.\n"
    section = f"*SHELL GENERAL SECTION, ELSET=E, DENSITY={8000 * t!r}\n{lines}\n{shear}"
    given = ff.modal.eigenmodes(read(tmp_path, strip(section)), n=3).frequency
    plain = ff.modal.eigenmodes(read(tmp_path, strip("*SHELL SECTION, ELSET=E, MATERIAL=STEEL\n.01")), n=3).frequency
    assert_allclose(given, plain, rtol=1e-6)  # two ways to one wall


def test_layers_without_material_are_named(tmp_path):
    with pytest.raises(ReadError, match=r"a layer of .SHELL SECTION, COMPOSITE needs thickness, points and material"):
        read(tmp_path, strip("*SHELL SECTION, ELSET=E, COMPOSITE\n.005,3"))


def test_membranes_stretch_as_shells_and_do_not_bend(tmp_path):
    membrane = read(tmp_path, strip("*MEMBRANE SECTION, ELSET=E, MATERIAL=STEEL\n.01", "M3D4"))
    shell = read(tmp_path, strip("*SHELL SECTION, ELSET=E, MATERIAL=STEEL\n.01"))
    assert tip(membrane, "ux") == pytest.approx(tip(shell, "ux"), rel=1e-6)  # the same stiffness in the plane
    assert tip(membrane) > 1e4 * tip(shell)  # next to nothing holds it across


def test_nodes_of_membranes_do_not_turn(tmp_path):
    section = "*MEMBRANE SECTION, ELSET=E, MATERIAL=STEEL\n.01\n*BOUNDARY\nALL, 3"
    fe = read(tmp_path, strip(section, "M3D4"))
    # in its plane the strip is a beam; turns of its nodes had modes far below
    expected = 1.8751**2 / (2 * np.pi * LENGTH**2) * np.sqrt(2e11 * WIDTH**2 / 12 / 8000)
    assert ff.modal.eigenmodes(fe, n=1).frequency[0] == pytest.approx(expected, rel=0.01)  # a beam of 8 elements


CUBE = "*NODE\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,0,0,1\n6,1,0,1\n7,1,1,1\n8,0,1,1\n"
CUBE += "*ELEMENT,TYPE=C3D8I,ELSET=E\n1,1,2,3,4,5,6,7,8\n"


@pytest.mark.parametrize(("stack", "expected"), [(3, (1e11 + 2e11) / 2), (1, 2 / (1 / 1e11 + 1 / 2e11))])
def test_layered_solids_stretch_as_layers_side_by_side_or_in_a_row(tmp_path, stack, expected):
    """Two materials without Poisson's ratio: springs side by side along the layers, in a row across them."""
    soft = "*MATERIAL, NAME=SOFT\n*ELASTIC\n1e11, 0.\n"
    section = f"*SOLID SECTION, ELSET=E, COMPOSITE, STACK DIRECTION={stack}\n.5, 3, STEEL, 0.\n.5, 3, SOFT, 0.\n"
    held = "*BOUNDARY\n1,1,3\n4,1\n5,1,2\n8,1\n"
    fe = read(tmp_path, CUBE + MATERIALS + soft + section + held)
    u = ff.modal.solve_static(fe, loads={(node, "ux"): 0.25 for node in (2, 3, 6, 7)})
    assert u[fe.node_index(2)[0], 0] == pytest.approx(1.0 / expected, rel=1e-9)


def test_layered_solids_turn_their_fibres(tmp_path):
    section = "*SOLID SECTION, ELSET=E, COMPOSITE\n1., 3, FIBRE, {}\n"
    fibre = "*MATERIAL, NAME=FIBRE\n*ELASTIC, TYPE=ENGINEERING CONSTANTS\n1e11,1e10,1e10,0.,0.,0.,4e9,4e9,\n4e9\n"
    held = "*BOUNDARY\n1,1,3\n4,1\n5,1,2\n8,1\n"
    for angle, modulus in ((0.0, 1e11), (90.0, 1e10)):
        fe = read(tmp_path, CUBE + MATERIALS + fibre + section.format(angle) + held)
        u = ff.modal.solve_static(fe, loads={(node, "ux"): 0.25 for node in (2, 3, 6, 7)})
        assert u[fe.node_index(2)[0], 0] == pytest.approx(1.0 / modulus, rel=1e-9)
