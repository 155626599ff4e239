"""Nastran decks: every way to write a card, coordinate systems, constraints, matrices, and broken files."""

import math
import random
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.sparse import csc_array

import floatframe as ff
from floatframe.errors import ReadError
from floatframe.fem import RBE2, RBE3, MatrixModel
from floatframe.fem.model import rigid_motion
from floatframe.io.import_log import ImportLog
from floatframe.io.nastran import reader as nastran
from tests.io.nastran.decks import read
from tests.io.nastran.mutilation import mutilated

ROUNDING = 1e-12  # what a chain of a few additions and rotations leaves
E, NU, RHO = 2.1e11, 0.3, 7850.0
MATERIAL = "MAT1,1,2.1+11,,.3,7850.\n"
COUPLED = "PARAM,COUPMASS,1\n"  # the consistent mass, by which frequencies converge fastest


def report(folder: Path, text: str) -> ff.io.ImportReport:
    path = folder / "deck.bdf"
    path.write_text(text, encoding="utf-8")
    return ff.io.read_with_report(path).report


# cards


@pytest.mark.parametrize(
    "grid",
    [
        "GRID    7               1.5     -2.0    3.0-1\n",
        "GRID*                  7                             1.5            -2.0*G7\n*G7                  0.3\n",
        "GRID,7,,1.5,-2.0,.3\n",
        "GRID*,7,,1.5,-2.0\n*,3.D-1\n",
        "grid\t7\t\t1.5\t-2.\t0.3\n",
        "GRID    7               1.5     -2.0    0.3     $ a comment, with a comma\n",
    ],
)
def test_all_formats_say_the_same(tmp_path, grid):
    fe = read(tmp_path, grid + "CONM2,1,7,,2.0\n")
    assert fe.node_ids.tolist() == [7]
    assert fe.nodes.tolist() == [[1.5, -2.0, 0.3]]
    assert fe.point_masses[0].mass == 2.0


def test_windows_lines_byte_order_mark_and_russian_comments(tmp_path):
    deck = "SOL 103\nCEND\nBEGIN BULK\n$ узел\nGRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nCONM2,5,2,,3.\nENDDATA\nrubbish\n"
    (tmp_path / "a.bdf").write_bytes(b"\xef\xbb\xbf" + deck.encode("cp1251").replace(b"\n", b"\r\n"))
    assert ff.io.read(tmp_path / "a.bdf").nnode == 2


def test_included_files_stand_in_their_place(tmp_path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "grids.inc").write_text("GRID,1,,0.,0.,0.\nINCLUDE 'more.inc'\n")
    (tmp_path / "parts" / "more.inc").write_text("GRID,2,,1.,0.,0.\n")
    fe = read(tmp_path, "BEGIN BULK\nINCLUDE 'parts/\n  grids.inc'\nCONM2,5,2,,3.\nENDDATA\n")
    assert fe.node_ids.tolist() == [1, 2]
    with pytest.raises(ReadError, match=r"line 1: INCLUDE of 'deck.bdf' includes itself"):
        read(tmp_path, "INCLUDE 'deck.bdf'\n")


# coordinate systems


def test_grids_in_all_kinds_of_systems(tmp_path):
    fe = read(
        tmp_path,
        "CORD2R,1,,1.,0.,0.,1.,0.,1.\n,2.,0.,0.\n"  # shifted by 1 along x
        "CORD2C,2,1,0.,0.,0.,1.,0.,0.\n,0.,1.,0.\n"  # in system 1: its z is x, its x is y
        "CORD2S,3,,0.,0.,0.,0.,0.,1.\n,1.,0.,0.\n"
        "CORD1R,4,11,12,13\n"
        "GRID,1,1,1.,2.,3.\nGRID,2,2,2.,90.,5.\nGRID,3,3,2.,90.,90.\nGRID,4,4,1.,1.,1.\n"
        "GRID,11,,5.,5.,5.\nGRID,12,,5.,6.,5.\nGRID,13,,5.,5.,9.\n"
        "CONM2,5,2,,3.\n",
    )
    place = dict(zip(fe.node_ids.tolist(), fe.nodes, strict=True))
    assert_allclose(place[1], [2.0, 2.0, 3.0], atol=ROUNDING)
    assert_allclose(place[2], [6.0, 0.0, 2.0], atol=ROUNDING)
    assert_allclose(place[3], [0.0, 2.0, 0.0], atol=ROUNDING)
    assert_allclose(place[4], [6.0, 6.0, 6.0], atol=ROUNDING)  # z along y, x along z, so y along x


def test_supports_count_in_displacement_systems(tmp_path):
    fe = read(
        tmp_path,
        "CORD2C,9,,0.,0.,0.,0.,0.,1.\n,1.,0.,0.\nGRID,1,9,2.,30.,0.,9,3\nCONM2,5,1,,3.\nSPC1,1,1,1\nSPC1,1,456,1\n",
    )
    (equation,) = fe.couplings
    c, s = math.cos(math.pi / 6), math.sin(math.pi / 6)
    factor = {component: value for _, component, value in equation.terms}
    assert_allclose(factor[1] / factor[0], s / c, rtol=ROUNDING)  # u_r = c ux + s uy = 0
    assert {(1, 2), (1, 3), (1, 4), (1, 5)} == set(map(tuple, fe.supports.tolist()))


def test_first_system_of_defaults_and_of_the_card_itself(tmp_path):
    fe = read(
        tmp_path, "CORD2R,9,,1.,0.,0.,1.,0.,1.\n,2.,0.,0.\nGRDSET,,9,,,,,3\nGRID,1,,1.\nGRID,2,0,1.\nCONM2,5,1,,3.\n"
    )
    assert fe.nodes[:, 0].tolist() == [2.0, 1.0]
    assert [1, 2] in fe.supports.tolist()


# beams


def cantilever(count: int, card: str, prop: str) -> str:
    length = 2.0
    grids = "".join(f"GRID,{k + 1},,{length * k / count},0.,0.\n" for k in range(count + 1))
    bars = "".join(card.format(n=k + 1, a=k + 1, b=k + 2) for k in range(count))
    return MATERIAL + grids + bars + prop + "SPC1,1,123456,1\n" + COUPLED


def bernoulli(root: float, inertia: float, area: float = 4e-4, length: float = 2.0) -> float:
    return root**2 / (2 * math.pi) * math.sqrt(E * inertia / (RHO * area * length**4))


@pytest.mark.parametrize(
    ("card", "prop"),
    [
        ("CBAR,{n},1,{a},{b},0.,0.,1.\n", "PBAR,1,1,4.-4,3.-8,1.-8,2.-8\n"),
        ("CBEAM,{n},1,{a},{b},0.,0.,1.\n", "PBEAM,1,1,4.-4,3.-8,1.-8,,2.-8\n,,,,,,,,\n,0.,0.\n"),
    ],
)
def test_planes_of_bending_and_their_frequencies(tmp_path, card, prop):
    fe = read(tmp_path, cantilever(10, card, prop))
    modes = ff.modal.eigenmodes(fe, n=2)
    # rotary inertia lowers the Bernoulli frequency by about (radius of gyration over length)^2
    assert_allclose(modes.frequency, [bernoulli(1.875104, 1e-8), bernoulli(1.875104, 3e-8)], rtol=2e-4)
    shapes = fe.expand(modes.shapes)[-1]
    assert abs(shapes[1, 0]) > 1e3 * abs(shapes[2, 0])  # plane 1 holds z, so I1 resists uz and I2 the weaker uy


def test_released_rotations_make_a_hinge(tmp_path):
    deck = cantilever(8, "CBAR,{n},1,{a},{b},0.,0.,1.\n", "PBAR,1,1,4.-4,1.-8,1.-8,2.-8\n")
    deck = deck.replace("CBAR,8,1,8,9,0.,0.,1.\n", "CBAR,8,1,8,9,0.,0.,1.\n,,56\n") + "SPC1,1,123456,9\n"
    frequency = ff.modal.eigenmodes(read(tmp_path, deck), n=1).frequency[0]
    assert_allclose(frequency, bernoulli(3.926602, 1e-8), rtol=1e-3)  # clamped and hinged


def test_offsets_and_neutral_axis_are_rigid_arms(tmp_path):
    ends = "GRID,1,,0.,0.,0.\nGRID,2,,1.,.2,0.\nGRID,3,,0.,0.,.1\nGRID,4,,1.,.2,.1\nSPC1,1,123456,1\n"
    section = "PBEAM,1,1,4.-4,3.-8,1.-8,,2.-8\n,,,,,,,,\n,.8,.9\n"
    by_offset = "CBEAM,1,1,1,2,0.,0.,1.\n,,,0.,0.,.1,0.,0.,.1\n"
    by_arms = "CBEAM,1,1,3,4,0.,0.,1.\nRBE2,11,1,123456,3\nRBE2,12,2,123456,4\n"
    frequency = [
        ff.modal.eigenmodes(read(tmp_path, MATERIAL + ends + section + more), n=4).frequency
        for more in (by_offset, by_arms)
    ]
    assert_allclose(*frequency, rtol=1e-9)  # two ways through elimination


# the Quick Reference's pictures as rectangles: left, right, bottom, top (of a channel its back is on the left)
PROFILES = {
    "BAR": ((0.1, 0.2), [(0, 0.1, 0, 0.2)]),
    "BOX": (
        (0.1, 0.2, 0.01, 0.004),
        [(0, 0.1, 0, 0.01), (0, 0.1, 0.19, 0.2), (0, 0.004, 0.01, 0.19), (0.096, 0.1, 0.01, 0.19)],
    ),
    "I": (
        (0.2, 0.1, 0.08, 0.006, 0.01, 0.012),
        [(-0.05, 0.05, 0, 0.01), (-0.04, 0.04, 0.188, 0.2), (-0.003, 0.003, 0.01, 0.188)],
    ),
    "I1": (
        (0.09, 0.01, 0.16, 0.2),
        [(-0.05, 0.05, 0, 0.02), (-0.05, 0.05, 0.18, 0.2), (-0.005, 0.005, 0.02, 0.18)],
    ),
    "CHAN": ((0.1, 0.2, 0.006, 0.02), [(0, 0.1, 0, 0.02), (0, 0.1, 0.18, 0.2), (0, 0.006, 0.02, 0.18)]),
    "L": ((0.1, 0.2, 0.01, 0.006), [(0, 0.1, 0, 0.01), (0, 0.006, 0.01, 0.2)]),
    "T": ((0.1, 0.2, 0.01, 0.006), [(-0.05, 0.05, 0.19, 0.2), (-0.003, 0.003, 0, 0.19)]),
    "T2": ((0.1, 0.2, 0.01, 0.006), [(-0.05, 0.05, 0, 0.01), (-0.003, 0.003, 0.01, 0.2)]),
}


@pytest.mark.parametrize("shape", PROFILES)
def test_dimensions_of_profiles_stand_where_the_manual_has_them(tmp_path, shape):
    sizes, rectangles = PROFILES[shape]
    left, right, low, high = np.array(rectangles).T
    area = (right - left) * (high - low)
    up, along = (low + high) / 2, (left + right) / 2
    up, along = up - area @ up / area.sum(), along - area @ along / area.sum()
    prop = f"PBEAML,1,1,,{shape}\n," + ",".join(map(str, sizes)) + "\n"
    section = read(tmp_path, cantilever(1, "CBEAM,{n},1,{a},{b},0.,0.,1.\n", prop)).blocks[0].section
    assert_allclose(section.A, area.sum(), rtol=ROUNDING)
    assert_allclose(section.Iz, area @ (up**2 + (high - low) ** 2 / 12), rtol=ROUNDING)  # plane 1 is upright
    assert_allclose(section.Iy, area @ (along**2 + (right - left) ** 2 / 12), rtol=ROUNDING)


def test_what_springs_beams_and_parameters_lose_is_reported(tmp_path):
    """Structural damping, and non-structural mass off the axis; settings of the analysis are no physics."""
    grids = "GRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nCONM2,9,1,,3.\n"
    springs = "CELAS2,1,1.+6,1,1,2,1,.05\nCELAS1,2,3,1,2,2,2\nPELAS,3,1.+6,.05\nPARAM,G,.02\nPARAM,POST,-1\n"
    found = report(tmp_path, grids + springs)
    assert [entry.card for entry in found.ignored_physics] == ["PARAM G", "CELAS2 GE", "PELAS GE"]
    assert [entry.card for entry in found.ignored if not entry.physical] == ["PARAM"]
    beam = "PBEAM,1,1,1.-2,1.-5,2.-5,,3.-5,10.\n,\n,1.,1.,,,5.,5.\n"
    with pytest.raises(ReadError, match=r"PBEAM NSI, M1, M2 \(1, first in line .*\) carries mass"):
        report(tmp_path, cantilever(1, "CBEAM,{n},1,{a},{b},0.,0.,1.\n", beam))


def test_profiles_have_the_moments_of_their_shape(tmp_path):
    prop = "PBARL,1,1,,BAR\n,.02,.05\n"
    fe = read(tmp_path, cantilever(1, "CBAR,{n},1,{a},{b},0.,0.,1.\n", prop))
    section = fe.blocks[0].section
    assert_allclose([section.A, section.Iz, section.Iy], [1e-3, 0.02 * 0.05**3 / 12, 0.05 * 0.02**3 / 12], rtol=1e-12)
    with pytest.raises(ReadError, match=r"PBARL 1 is of type 'STAR'; ROD, TUBE"):
        read(tmp_path, cantilever(1, "CBAR,{n},1,{a},{b},0.,0.,1.\n", "PBARL,1,1,,STAR\n,.02,.05\n"))


@pytest.mark.parametrize(
    ("shape", "data", "below"),
    [
        # flange on top, where the shear centre is; below as its mirror image
        ("T", ".1,.2,.01,.006", 1.0),
        ("T2", ".1,.2,.01,.006", -1.0),
        ("I", ".2,.000001,.1,.006,.000001,.01", 1.0),
    ],
)
def test_tees_hang_from_their_shear_centre(tmp_path, shape, data, below):
    """PBEAML: grid points lie on the shear centres, here in the middle of the flange; PBARL puts the centroid there."""
    bar, beam = (
        read(tmp_path, cantilever(1, f"{card},{{n}},1,{{a}},{{b}},0.,0.,1.\n", f"{prop},1,1,,{shape}\n,{data}\n"))
        for card, prop in (("CBAR", "PBARL"), ("CBEAM", "PBEAML"))
    )
    areas, heights = np.array([0.1 * 0.01, 0.19 * 0.006]), np.array([0.0, -0.1])  # seen from the flange
    centroid = areas @ heights / areas.sum()
    moment = areas @ (heights - centroid) ** 2 + (0.1 * 0.01**3 + 0.006 * 0.19**3) / 12
    assert bar.mass_properties().com[2] == pytest.approx(0.0, abs=1e-12)
    assert beam.mass_properties().com[2] == pytest.approx(below * centroid, rel=1e-4)
    for fe in (bar, beam):
        section = fe.blocks[0].section
        assert_allclose([section.A, section.Iz], [areas.sum(), moment], rtol=1e-4)  # the tip of the I is not nothing


def test_box1_and_angle(tmp_path):
    """BOX1: walls on top, below, left and right; z of the beam is to the left of the drawing."""
    element = "CBEAM,{n},1,{a},{b},0.,0.,1.\n"
    box = read(tmp_path, cantilever(1, element, "PBEAML,1,1,,BOX1\n,.1,.2,.004,.008,.002,.005\n")).blocks[0].section
    assert pytest.approx(0.1 * 0.012 + 0.188 * 0.007) == box.A
    inner = 0.093 * 0.188
    centre = np.array([0.0485, 0.102])  # of the hole, from the lower left corner
    centroid = (0.1 * 0.2 * np.array([0.05, 0.1]) - inner * centre) / box.A
    product = 0.1 * 0.2 * np.prod(0.05 - centroid[0]) * (0.1 - centroid[1]) - inner * np.prod(centre - centroid)
    assert box.Iyz == pytest.approx(-product, rel=1e-9)
    angle = read(tmp_path, cantilever(1, element, "PBEAML,1,1,,L\n,.1,.2,.01,.008\n")).blocks[0].section
    assert pytest.approx(0.1 * 0.01 + 0.19 * 0.008) == angle.A
    assert angle.Iyz > 0  # legs to the right (-z) and up (+y): the material is at -z, -y and at +z, +y of the centroid


# solids and shells


CORNERS = np.array(
    [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]], dtype=float
)
# corners, edges in the order of the Nastran manual, volume
QUADRATIC = {
    "CHEXA": (
        CORNERS,
        "01 12 23 30 04 15 26 37 45 56 67 74",
        1.0,
    ),
    "CPENTA": (CORNERS[[0, 1, 3, 4, 5, 7]], "01 12 20 03 14 25 34 45 53", 0.5),
    "CTETRA": (CORNERS[[0, 1, 3, 4]], "01 12 20 03 13 23", 1 / 6),
    "CPYRAM": (CORNERS[:5], "01 12 23 30 04 14 24 34", 1 / 3),
}


@pytest.mark.parametrize("name", QUADRATIC)
def test_quadratic_solids_in_the_order_of_the_card(tmp_path, name):
    corners, edges, volume = QUADRATIC[name]
    slant = np.array([[2.0, 0.3, 0.1], [0.0, 1.5, 0.2], [0.1, 0.0, 1.2]])
    middles = [(corners[int(a)] + corners[int(b)]) / 2 for a, b in edges.split()]
    points = np.vstack([corners, middles]) @ slant
    grids = "".join(f"GRID,{k},,{x!r},{y!r},{z!r}\n" for k, (x, y, z) in enumerate(points.tolist(), start=1))
    numbers = list(map(str, range(1, len(points) + 1)))
    fields = [name, "1", "1", *numbers]
    lines = [",".join(fields[:9])] + ["," + ",".join(fields[k : k + 8]) for k in range(9, len(fields), 8)]
    fe = read(tmp_path, MATERIAL + "PSOLID,1,1\n" + grids + "\n".join(lines) + "\n")
    # a wrong order of nodes turns the element inside out
    assert_allclose(fe.mass_properties().mass, RHO * volume * np.linalg.det(slant), rtol=1e-10)
    batch = next(fe.blocks[0].batches(fe.nodes))[1]
    assert (fe.blocks[0].element.size_measure(batch) > 0).all()
    # one edge without its node
    lines[-1] = ",".join([*lines[-1].split(",")[:-1], ""])
    with_middle = read(tmp_path, MATERIAL + "PSOLID,1,1\n" + grids + "\n".join(lines) + "\n")
    assert len(with_middle.couplings) == 3
    assert_allclose(with_middle.mass_properties().mass, fe.mass_properties().mass, rtol=1e-10)


QUAD8 = "".join(
    f"GRID,{k},,{x},{y},0.\n"
    for k, (x, y) in enumerate([(0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (0.0, 1.0), (1.0, 0.0), (2.0, 0.5), (1.0, 1.0),
                                (0.0, 0.5)], start=1)
)  # fmt: skip


def test_quadratic_shells_are_curved_ones(tmp_path):
    cards = "PSHELL,1,1,.01,1,,1\nSET3,5,ELEM,3\nCQUAD8,3,1,1,2,3,4,5,6\n,7,8\nCTRIA6,7,1,1,2,4,5,9,8\n"
    fe = read(tmp_path, MATERIAL + QUAD8 + cards + "GRID,9,,1.,.5,0.\n")
    assert [block.kind for block in fe.blocks] == ["shell8", "shell6"]
    assert fe.element_sets["SET 5"].tolist() == [3]
    assert_allclose(fe.mass_properties().mass, RHO * 0.01 * 3.0, rtol=ROUNDING)


def test_thickness_at_the_corners_of_quadratic_shells(tmp_path):
    """Thickness grows along x from 0.01 to 0.03: the mean is 0.02, the centre of mass at 2 (1/2 + 1/12)."""
    cards = "PSHELL,1,1,.01,1,,1\nCQUAD8,3,1,1,2,3,4,5,6\n,7,8,.01,.03,.03,.01\n"
    fe = read(tmp_path, MATERIAL + QUAD8 + cards)
    found = fe.mass_properties()
    assert_allclose(found.mass, RHO * 0.02 * 2.0, rtol=ROUNDING)
    assert_allclose(found.com, [7.0 / 6.0, 0.5, 0.0], atol=ROUNDING)


def test_quadratic_shells_without_some_of_their_middle_nodes(tmp_path):
    """The missing nodes are added and follow the ends of their edge; without any the element is flat."""
    shell = "PSHELL,1,1,.01,1,,1\nCQUAD8,3,1,1,2,3,4,5,0\n,7,{last}\n"
    fe = read(tmp_path, MATERIAL + QUAD8 + shell.format(last=8))
    assert [block.kind for block in fe.blocks] == ["shell8"]
    assert fe.ndof == 6 * 7
    assert (ff.modal.eigenmodes(fe, n=8).frequency > 1.0).sum() == 2  # six rigid motions and no other without energy
    plain = read(tmp_path, MATERIAL + QUAD8 + "PSHELL,1,1,.01,1,,1\nCQUAD8,3,1,1,2,3,4\n")
    assert [block.kind for block in plain.blocks] == ["shell4"]


def test_offset_and_own_thickness_of_shells(tmp_path):
    grids = "GRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nGRID,3,,1.,1.,0.\nGRID,4,,0.,1.,0.\n"
    fe = read(tmp_path, MATERIAL + grids + "PSHELL,1,1,.01,1,,1,,2.\nCQUAD4,1,1,1,2,3,4,,.05\n,,,.02,.02,.02,.02\n")
    masses = fe.mass_properties()
    # 2 kg per unit of area besides the density, whatever the thickness
    assert_allclose(masses.mass, RHO * 0.02 + 2.0, rtol=ROUNDING)
    assert_allclose(masses.com, [0.5, 0.5, 0.05], atol=ROUNDING)


# masses and springs


def test_mass_in_a_system_of_its_own(tmp_path):
    # system 9: x is y, y is z, z is x
    deck = "CORD2R,9,,0.,0.,0.,1.,0.,0.\n,0.,1.,0.\nGRID,1,,1.,0.,0.\nCONM2,5,1,9,2.,.1,.2,.3\n,4.,.5,5.,.25,-.1,6.\n"
    mass = read(tmp_path, deck).point_masses[0]
    assert_allclose(mass.offset, [0.3, 0.1, 0.2], atol=ROUNDING)
    # moments about y, z, x are 4, 5, 6; products enter the tensor with a minus
    assert_allclose(mass.inertia, [[6, -0.25, 0.1], [-0.25, 4, -0.5], [0.1, -0.5, 5]], atol=ROUNDING)
    absolute = read(tmp_path, "GRID,1,,1.,0.,0.\nCONM2,5,1,-1,2.,1.5,0.,0.\nPARAM,WTMASS,.5\n").point_masses[0]
    assert absolute.offset.tolist() == [0.5, 0.0, 0.0]
    assert absolute.mass == 1.0


def test_mass_by_its_matrix(tmp_path):
    point = ff.fem.PointMass(1, 3.0, np.diag([1.0, 2.0, 2.5]), np.array([0.1, 0.2, -0.3]))
    lower = point.matrix()[np.tril_indices(6)].tolist()
    fields = ["CONM1", "5", "1", "", *(f"{v:.15f}" for v in lower)]
    lines = [",".join(fields[:9])] + ["," + ",".join(fields[k : k + 8]) for k in range(9, len(fields), 8)]
    mass = read(tmp_path, "GRID,1,,1.,0.,0.\n" + "\n".join(lines) + "\n").point_masses[0]
    assert_allclose(mass.matrix(), point.matrix(), atol=1e-12)


@pytest.mark.parametrize(
    ("spring", "direction"),
    [
        ("CELAS1,1,5,1,2\nPELAS,4,9.,,,5,800.\n", 1),
        ("CELAS2,1,800.,1,2\n", 1),
        ("CBUSH,1,5,1,,,,,9\nPBUSH,5,K,800.\n", 1),
        ("CBUSH,1,5,1,2\nPBUSH,5,K,800.\nSPC1,1,123,2\n", 0),
    ],
)
def test_one_mass_on_one_spring(tmp_path, spring, direction):
    # system 9 has its x along the model's y
    deck = "CORD2R,9,,0.,0.,0.,1.,0.,0.\n,0.,1.,0.\nGRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nCONM2,7,1,,2.\n" + spring
    held = "123".replace(str(direction + 1), "")
    fe = read(tmp_path, deck + f"SPC1,1,{held},1\n")
    modes = ff.modal.eigenmodes(fe, n=1)
    assert_allclose(modes.frequency[0], math.sqrt(800.0 / 2.0) / (2 * math.pi), rtol=1e-9)
    assert abs(fe.expand(modes.shapes)[0, direction, 0]) > 0.1


# constraints


FRAME = (
    MATERIAL
    + "CORD2C,9,,0.,0.,0.,0.,0.,1.\n,1.,0.,0.\n"
    + "GRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nGRID,3,9,1.4,40.,0.,9\nGRID,4,,0.,1.,.1\nGRID,5,,.4,.4,.7,9\n"
    + "PBAR,1,1,4.-4,3.-8,1.-8,2.-8\nCBAR,1,1,1,2,0.,.1,1.\nCBAR,2,1,2,3,0.,.1,1.\nCBAR,3,1,3,4,0.,.1,1.\n"
    + "CONM2,9,5,,3.\n,1.,,1.,,,1.\n"
)


@pytest.mark.parametrize(
    "coupling",
    [
        "RBE2,21,5,123456,2,3,4\n",
        "RBE2,21,5,13,2,3\n",
        "RBE2,21,5,123,3\n",
        "RBE3,21,,5,123456,1.,123,1,2\n,3,4\n",
        "RBE3,21,,5,123456,2.,123,1,2\n,3,.5,123,4\n",
        "RBE3,21,,5,123456,1.,123456,1,2\n,3,.5,12,4,UM,5,123\n",
        "RBE3,21,,5,123,1.,123456,1,3\n",
        "RBAR,21,3,5,123456\n",
        "RBAR,21,5,3,,123456,12\n",
        "RBAR,21,5,3,1234,56\n",
        "RROD,21,5,3,1\n",
        "MPC,8,5,3,2.,1,3,-2.\n,,1,4,-.8,1,5,.8\n",
    ],
)
def test_constraints_leave_rigid_motion_free(tmp_path, coupling):
    fe = read(tmp_path, FRAME + coupling)
    assert fe.couplings
    shapes = fe.rigid_shapes()
    moved = fe.expand(shapes)
    expected = rigid_motion(fe.nodes)
    there = np.repeat(fe.dof_table.present, 3, axis=1)
    assert_allclose(moved[there], expected[there], atol=1e-9)  # the fit divides by products of lengths
    # and no force in it
    assert np.abs(fe.stiffness() @ shapes).max() < 1e-8 * np.abs(fe.stiffness()).max()


def test_plain_couplings_keep_their_kind(tmp_path):
    rigid = read(tmp_path, FRAME + "RBE2,21,5,123456,2,3,4\n").couplings[0]
    assert isinstance(rigid, RBE2)
    assert rigid.dependents == (2, 3, 4)
    mean = read(tmp_path, FRAME + "RBE3,21,,5,123456,2.,123,1,2\n,3,.5,123,4\n").couplings[0]
    assert isinstance(mean, RBE3)
    assert mean.weights == (2.0, 2.0, 2.0, 0.5)


def test_case_control_chooses_the_supports(tmp_path):
    deck = "SOL 103\nCEND\nSPC = 3\nSET 4 = 1 THRU 2,\n 4\nBEGIN BULK\n" + FRAME
    deck += "SPC1,1,123,1\nSPC1,2,456,1\nSPC1,5,2,THRU,4\nSPCADD,3,1,2\nENDDATA\n".replace("SPC1,5,2,", "SPC1,5,2,2,")
    fe = read(tmp_path, deck)
    assert fe.supports.tolist() == [[1, k] for k in range(6)]
    assert fe.node_sets["SET 4"].tolist() == [1, 2, 4]
    assert read(tmp_path, deck, spc=1).supports.tolist() == [[1, k] for k in range(3)]
    with pytest.raises(ReadError, match="SPC set 77 was requested"):
        read(tmp_path, deck, spc=77)


# what is not read


def test_a_selected_set_without_cards_is_pointed_out(tmp_path):
    rod = "GRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nCROD,1,1,1,2\nPROD,1,1,1.-4\nMAT1,1,2.1+11,,.3,7850.\nENDDATA\n"
    found = report(tmp_path, f"SOL 103\nCEND\nSPC = 5\nBEGIN BULK\n{rod}")
    assert found.warnings == ("case control selects SPC set 5, but the deck has no SPC card.",)


def test_lost_elements_are_refused_unless_dropped(tmp_path):
    deck = FRAME + "CGAP,7,1,1,2\nCGAP,8,1,1,3\nFORCE,1,2,,1.,1.,0.,0.\nEIGRL,1,,,5\nNEWCARD,1,2,3\nBCTSET,1,2,3\n"
    with pytest.raises(ReadError, match=r"CGAP \(2, first in line 15\) carries stiffness.*--drop CGAP,BCTSET"):
        read(tmp_path, deck)
    found = ff.io.read_with_report(tmp_path / "deck.bdf", drop="CGAP,BCTSET").report
    assert {entry.card: entry.what for entry in found.lost} == {"CGAP": "stiffness", "BCTSET": "coupling"}
    assert {entry.card: entry.physical for entry in found.ignored} == {"FORCE": False, "EIGRL": False, "NEWCARD": True}
    with pytest.raises(ReadError, match=r"strict import does not ignore physics: NEWCARD \(1"):
        read(tmp_path, deck, strict=True, drop="CGAP,BCTSET")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("GRID,2,,1.,0.,0.", "GRID,2,,1.x,0.,0.", r"line 5: GRID needs a number in field 4, found '1.X'"),
        ("GRID,2,,1.,0.,0.", "GRID,2,77,1.,0.,0.", "GRID names coordinate system 77, which is not defined"),
        ("GRID,2,,1.,0.,0.", "GRID,1,,1.,0.,0.", "line 5: GRID 1 was defined differently in line 4"),
        ("GRID,2,,1.,0.,0.", "GRID,99999999999999999999,,1.,0.,0.", "GRID needs a whole number in field 2"),
        ("GRID,2,,1.,0.,0.\n", "", "CBAR 1 names grid 2, which is not defined"),
        ("CBAR,2,1,2,3", "CBAR,1,1,2,3", "line 11: element 1 was already defined as CBAR in line 10"),
        ("CBAR,2,1,2,3", "CBAR,2,8,2,3", "CBAR 2 uses property 8, which no PBAR or PBARL defines"),
        ("MAT1,1,", "MAT1,3,", "line 9: PBAR 1 uses material 1, which no MAT1"),
        ("MAT1,1,", "MAT3,1,", "uses MAT3 1, which cannot be read"),
        ("MAT1,1,2.1+11,,.3,7850.", "MAT8,1,2.1+11,1.+11,.3,5.+10", "uses 'MAT8 1'; bars need MAT1"),
        ("CBAR,2,1,2,3,0.,.1,1.", "CBAR,2,1,2,3", "line 11: CBAR 2 has no orientation vector"),
        ("CBAR,2,1,2,3,0.,.1,1.", "CBAR,2,1,2,2,0.,.1,1.", "CBAR 2 has no length or lies along"),
        (",1.,0.,0.\nGRID,1,", ",0.,0.,2.\nGRID,1,", "the three points of coordinate system 9 lie on one line"),
        ("MAT1,1", ",MAT1", "line 1: a continuation line has no card before it"),
        ("CONM2,9", "CONM2,1,2,3,4,5,6,7,8,9,10,11,12", "line 13: a line in free format has 16 fields"),
    ],
)
def test_broken_decks_are_refused_with_file_and_line(tmp_path, old, new, message):
    assert old in FRAME
    with pytest.raises(ReadError, match=message) as caught:
        read(tmp_path, FRAME.replace(old, new, 1))
    assert "deck.bdf" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_gigantic_numbers_are_just_numbers(tmp_path):
    fe = read(tmp_path, FRAME.replace("GRID,4,", "GRID,999999999999,").replace("3,4,0.", "3,999999999999,0."))
    assert fe.node_ids[-1] == 999999999999


# matrices


def _frame(folder: Path) -> ff.fem.FEModel:
    return read(folder, FRAME + "RBE2,21,5,123456,4\n" + COUPLED).with_support([1])


def test_direct_matrices_give_the_same_frequencies(tmp_path):
    fe = _frame(tmp_path)
    names = {"KAAX": fe.stiffness(), "MAAX": fe.mass()}
    lines = [f"GRID,{n},,{x!r},{y!r},{z!r}" for n, (x, y, z) in zip(fe.node_ids, fe.nodes.tolist(), strict=True)]
    for name, matrix in names.items():
        lines.append(f"DMIG    {name:<8}{0:8d}{6:8d}{2:8d}{0:8d}")
        matrix = csc_array(matrix)
        for column in range(fe.ndof):
            node, component = fe.dofs[column]
            lines.append(f"DMIG*   {name:<16}{node:16d}{component + 1:16d}")
            for k in range(matrix.indptr[column], matrix.indptr[column + 1]):
                row = matrix.indices[k]
                if row >= column:
                    other, which = fe.dofs[row]
                    lines.append(f"*       {other:16d}{which + 1:16d}{matrix.data[k]:16.8E}".replace("E", "D"))
    (tmp_path / "matrices.pch").write_text("\n".join(lines) + "\n")
    model = ff.io.read(tmp_path / "matrices.pch").with_support([1])
    assert isinstance(model, MatrixModel)
    expected = ff.modal.eigenmodes(fe, n=6).frequency
    # nine digits in sixteen columns, and the softest mode feels those of the stiffest entries
    assert_allclose(ff.modal.eigenmodes(model, n=6).frequency, expected, rtol=1e-4)


@pytest.mark.parametrize("form", ["dense", "sparse", "bigmat"])
def test_output4_gives_the_same_frequencies(tmp_path, form):
    fe = _frame(tmp_path)
    lines = []
    for name, matrix in (("KAA", fe.stiffness().toarray()), ("MAA", fe.mass().toarray())):
        n = len(matrix)
        lines.append(f"{n:8d}{-n if form == 'bigmat' else n:8d}{6:8d}{2:8d}{name:<8}1P,3E24.16")
        for column in range(n):
            values = matrix[:, column]
            first, last = np.flatnonzero(values)[[0, -1]]
            words = [f"{v:24.16E}" for v in values[first : last + 1]]
            count = len(words)
            if form == "dense":
                lines.append(f"{column + 1:8d}{first + 1:8d}{count:8d}")
            elif form == "sparse":
                lines += [f"{column + 1:8d}{0:8d}{count + 1:8d}", f"{first + 1 + 65536 * (count + 1):8d}"]
            else:
                lines += [f"{column + 1:8d}{0:8d}{count + 2:8d}", f"{count + 1:8d}{first + 1:8d}"]
            lines += ["".join(words[k : k + 3]) for k in range(0, count, 3)]
        lines += [f"{n + 1:8d}{1:8d}{1:8d}", f"{1.0:24.16E}"]
    grids = [f"GRID,{k},,{x!r},{y!r},{z!r}" for k, (x, y, z) in zip(fe.node_ids, fe.nodes.tolist(), strict=True)]
    members = [f"ASET1,{component + 1},{node}" for node, component in fe.dofs.tolist()]
    (tmp_path / "grids.bdf").write_text("\n".join([*grids, *members]) + "\n")
    (tmp_path / "matrices.op4").write_text("\n".join(lines) + "\n")
    model = ff.io.read(tmp_path / "matrices.op4", nodes="grids.bdf").with_support([1])
    expected = ff.modal.eigenmodes(fe, n=6).frequency
    assert_allclose(ff.modal.eigenmodes(model, n=6).frequency, expected, rtol=1e-8)  # soft modes beside stiff bars
    (tmp_path / "short.op4").write_text("\n".join(lines[:-3]) + "\n")
    with pytest.raises(ReadError, match=r"short.op4', line \d+: "):
        ff.io.read(tmp_path / "short.op4", nodes="grids.bdf")
    with pytest.raises(ReadError, match="name the deck that has them with nodes="):
        ff.io.read(tmp_path / "matrices.op4")


def test_matrices_in_turned_axes_are_turned_back(tmp_path):
    k = np.array([[3.0, 1.0, 0.0], [1.0, 2.0, 0.0], [0.0, 0.0, 5.0]])
    # the displacement system has its x along the model's y and its y along the model's z
    deck = "CORD2R,9,,0.,0.,0.,1.,0.,0.\n,0.,1.,0.\nGRID,1,,0.,0.,0.,9\n"
    for name, matrix in (("KAAX", k), ("MAAX", np.eye(3))):
        deck += f"DMIG,{name},0,6,2\n"
        for j in range(3):
            for i in range(j, 3):
                if matrix[i, j]:
                    deck += f"DMIG,{name},1,{j + 1},,1,{i + 1},{matrix[i, j]}\n"
    model = read(tmp_path, deck)
    turn = np.roll(np.eye(3), 1, axis=0)  # model components of the local axes
    assert_allclose(model.K.toarray(), turn @ k @ turn.T, atol=ROUNDING)


# mutilated decks


_RICH = (
    "SOL 103\nCEND\nSPC = 1\nSET 4 = 1 THRU 2,\n 4\nBEGIN BULK\n"
    + FRAME
    + "GRID*                 11                              0.              0.*A\n*A                    2.\n"
    + "GRID    12              1.0     0.0     2.0\nGRID    13              1.0     1.0     2.0\n"
    + "GRID    14              0.0     1.0     2.0\nGRID,15,,0.,0.,3.\nGRID,16,,.5,0.,2.\n"
    + "PSHELL  1       2       .01     2               2\n"
    + "MAT1*                  2          7.2E10                             .33\n*                 2700.0\n"
    + "CQUAD4  21      1       11      12      13      14              .01\n"
    + "CTRIA6,22,1,11,12,14,16,4,3\n,,,.01\nPSOLID,5,2\nCTETRA,23,5,11,12,13,15\nCONROD,24,11,1,2,1.-4\n"
    + "CBUSH,25,6,1,11,0.,1.,0.\nPBUSH,6,K,1.,2.,3.,4.,5.,6.\n,,B,1.\nCELAS2,26,100.,2,1\nPBEAML,8,1,,TUBE\n,.1,.05\n"
    + "CBEAM,27,8,1,15,,,\n,,,.1,.2,.3\nRBE2,31,11,123,2,THRU,3\nRBE3,32,,15,123456,1.,123,12,13\n,14\n"
    + "MPC,8,4,3,2.,1,3,-2.\nSPC,1,1,123456\nSET1,3,1,THRU,11\nFORCE,1,2,,1.,1.,0.,0.\nENDDATA\n"
)


def test_mutilated_decks_give_a_model_or_one_sentence(tmp_path):
    rng = random.Random(20260)
    lines = _RICH.encode().split(b"\n")
    path = tmp_path / "deck.bdf"
    path.write_bytes(b"\n".join(lines))
    assert ff.io.read(path).nelement == 10
    read_well, sentences = 0, []
    for _ in range(2000):
        path.write_bytes(mutilated(lines, rng))
        try:
            # the content may no longer look like a deck: the reader itself is on trial
            model = nastran.load(path, ImportLog(path))
        except (ReadError, ff.errors.ModelError) as error:
            sentences.append(str(error))
        else:
            read_well += 1
            assert isinstance(model, ff.fem.FEModel | MatrixModel)
    assert not any("\n" in sentence for sentence in sentences)
    assert min(read_well, len(sentences)) > 200  # both outcomes were tried


def test_component_beyond_six_is_refused(tmp_path):
    deck = "GRID,1,,0.,0.,0.\nDMIG,K,0,6,2\nDMIG,K,1,9,,1,9,5.\n"
    with pytest.raises(ReadError, match="line 3: DMIG K has the component 9 in field 4"):
        read(tmp_path, deck)


def test_mean_of_grids_that_only_a_rigid_element_carries(tmp_path):
    # a spider on the tip of a beam, and a mass on the mean of its feet: as if the mass sat on the tip
    spider = "".join(f"GRID,{n},,2.,{y},{z}\n" for n, y, z in ((901, 0.1, 0.0), (902, -0.1, 0.0), (903, 0.0, 0.1)))
    deck = cantilever(4, "CBAR,{n},1,{a},{b},0.,0.,1.\n", "PBAR,1,1,4.-4,3.-8,1.-8,2.-8\n")
    tip = "RBE2,31,5,123456,901,902,903\nGRID,910,,2.,0.,0.\nRBE3,32,,910,123456,1.,123,901,902\n,903\n"
    plain = ff.modal.eigenmodes(read(tmp_path, deck + "CONM2,41,5,,3.\n"), n=2).frequency
    far = ff.modal.eigenmodes(read(tmp_path, deck + spider + tip + "CONM2,41,910,,3.\n"), n=2).frequency
    # the same equations up to rounding
    assert_allclose(far, plain, rtol=1e-8)


def test_missing_density_is_reported(tmp_path):
    rod = "GRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nCROD,1,1,1,2\nPROD,1,1,1.-4\nMAT1,1,2.1+11,,.3\nENDDATA\n"
    assert "MAT1 1 has no density" in report(tmp_path, rod).warnings[0]
