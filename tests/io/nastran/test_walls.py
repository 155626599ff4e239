"""Shells, panels, rods and beams of Nastran decks that have more than one material, thickness or section."""

import math
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

import floatframe as ff
from floatframe.fem.properties.wall_law import section_law
from tests.io.nastran.decks import read

MAT8 = "MAT8,1,1.4+11,1.+10,.3,5.+9,5.+9,4.+9,1600.\n"
MAT1 = "MAT1,2,7.+10,,.3,2700.\n"
QUAD = "GRID,1,,0.,0.,0.\nGRID,2,,2.,0.,0.\nGRID,3,,2.,1.,0.\nGRID,4,,0.,1.,0.\n"


def law_of(folder: Path, prop: str, element: str = "CQUAD4,1,1,1,2,3,4\n"):
    (block,) = read(folder, QUAD + element + prop).blocks
    return section_law(block.section, block.material), block


def ply(angle: float) -> np.ndarray:
    """Reduced stiffness of the lamina above in turned axes, by hand (Jones 1975)."""
    E1, E2, nu, G = 1.4e11, 1.0e10, 0.3, 5.0e9
    d = 1.0 - nu**2 * E2 / E1
    Q11, Q22, Q12 = E1 / d, E2 / d, nu * E2 / d
    c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    a = Q11 * c**4 + 2 * (Q12 + 2 * G) * s**2 * c**2 + Q22 * s**4
    b = (Q11 + Q22 - 4 * G) * s**2 * c**2 + Q12 * (s**4 + c**4)
    e = Q11 * s**4 + 2 * (Q12 + 2 * G) * s**2 * c**2 + Q22 * c**4
    f = (Q11 - Q12 - 2 * G) * s * c**3 + (Q12 - Q22 + 2 * G) * s**3 * c
    g = (Q11 - Q12 - 2 * G) * s**3 * c + (Q12 - Q22 + 2 * G) * s * c**3
    h = (Q11 + Q22 - 2 * Q12 - 2 * G) * s**2 * c**2 + G * (s**4 + c**4)
    return np.array([[a, b, f], [b, e, g], [f, g, h]])


@pytest.mark.parametrize(
    "prop",
    [
        "PCOMP,1\n,1,1.-3,0.,,,,45.\n,2,3.-3\n",
        "PCOMPG,1\n,101,1,1.-3,0.,YES\n,102,,,45.\n,103,2,3.-3\n",
    ],
)
def test_plies_from_the_bottom_up(tmp_path, prop):
    """A ply takes what it leaves out from the one before; the bottom is at minus half the thickness."""
    law, block = law_of(tmp_path, prop + MAT8 + MAT1)
    E, nu = 7.0e10, 0.3
    metal = E / (1 - nu**2) * np.array([[1, nu, 0], [nu, 1, 0], [0, 0, (1 - nu) / 2]])
    levels = np.array([-2.5e-3, -1.5e-3, -0.5e-3, 2.5e-3])
    Q = np.array([ply(0.0), ply(45.0), metal])
    for n, found in enumerate((law.A, law.B, law.D), 1):
        expected = np.einsum("k,kij->ij", np.diff(levels**n) / n, Q)
        assert_allclose(found, expected, atol=1e-9 * np.abs(expected).max())
    assert float(law.m0) == pytest.approx(2e-3 * 1600 + 3e-3 * 2700)
    assert block.section.offset == 0.0


def test_options_of_laminates(tmp_path):
    plies = "\n,1,1.-3,0.,,1,1.-3,90.\n" + MAT8
    half, whole = ply(0.0) * 1e-3, ply(90.0) * 1e-3
    law, block = law_of(tmp_path, "PCOMP,1,.004,7.,,,,,SYM" + plies)
    assert_allclose(law.A, 2 * (half + whole), atol=1e-7)  # of 1e8; quarter turns are exact here
    assert_allclose(law.B, 0.0, atol=1e-9)
    assert float(law.m0) == pytest.approx(4e-3 * 1600 + 7.0)
    assert block.section.offset == pytest.approx(0.004 + 0.002)  # Z0 leads to the bottom
    law, _ = law_of(tmp_path, "PCOMP,1,,,,,,,MEM" + plies)
    assert_allclose(law.A, half + whole, atol=1e-7)
    assert not law.D.any()
    law, _ = law_of(tmp_path, "PCOMP,1,,,,,,,BEND" + plies)
    assert law.D.any() and not law.A.any()  # noqa: PT018  (one thing said twice)
    law, _ = law_of(tmp_path, "PCOMP,1,,,,,,,SMEAR" + plies)
    assert_allclose(law.D, (half + whole) * (2e-3) ** 2 / 12, atol=1e-9)
    assert not law.B.any()


def test_directions_of_plies(tmp_path):
    """An angle from the first side, or x of a system: here radial at the middle of the element."""
    prop = "PCOMP,1\n,1,1.-3,0.\n" + MAT8
    for word, expected in (
        ("", None),
        ("30.", [math.cos(math.pi / 6), 0.5, 0.0]),
        ("9", [2.0, 0.5, 0.0]),
        ("0", [1, 0, 0]),
    ):
        system = "CORD2C,9,,-1.,0.,0.,-1.,0.,1.\n,1.,0.,0.\n"
        _, block = law_of(tmp_path, prop + system, f"CQUAD4,1,1,1,2,3,4,{word}\n")
        if expected is None:
            assert "direction" not in block.data
        else:
            found = block.data["direction"][0] / np.linalg.norm(block.data["direction"][0])
            assert_allclose(found, np.array(expected) / np.linalg.norm(expected), atol=1e-12)


@pytest.mark.parametrize(
    ("element", "expected"),
    [("CTRIA3,1,1,1,2,3,30.\n", 30.0), ("CTRIAR,1,1,1,3,2,30.\n", math.degrees(math.atan(0.5)) - 30.0)],
)
def test_directions_of_plies_in_triangles(tmp_path, element, expected):
    """The angle counts from the first side, about the normal that the order of grids gives."""
    _, block = law_of(tmp_path, "PCOMP,1\n,1,1.-3,0.\n" + MAT8, element)
    x, y, _ = block.data["direction"][0]
    assert_allclose(math.degrees(math.atan2(y, x)), expected, atol=1e-9)


def test_shells_with_several_materials(tmp_path):
    """PSHELL with MAT2 and MAT8: membrane, bending, shear and coupling by their own matrices, of other sign."""
    mat2 = "MAT2,5,9.+10,2.+10,1.+9,5.+10,2.+9,3.+10,1600.\nMAT2,6,1.+9,,,2.+9\nMAT2,7,1.+9,2.+8,,3.+9,,5.+8\n"
    law, _ = law_of(tmp_path, "PSHELL,1,5,2.-3,1,2.,6,.5,3.\n,,,7\n" + mat2 + MAT8)
    t = 2e-3
    assert_allclose(law.A, t * np.array([[9e10, 2e10, 1e9], [2e10, 5e10, 2e9], [1e9, 2e9, 3e10]]), rtol=1e-9)
    assert_allclose(law.D, 2.0 * t**3 / 12 * ply(0.0), rtol=1e-9, atol=1e-9)
    assert_allclose(law.B, -(t**2) * np.array([[1e9, 2e8, 0], [2e8, 3e9, 0], [0, 0, 5e8]]), rtol=1e-9)
    assert_allclose(law.S, 0.5 * t * np.diag([1e9, 2e9]), rtol=1e-9)
    assert float(law.m0) == pytest.approx(1600 * t + 3.0)
    law, _ = law_of(tmp_path, "PSHELL,1,2,.01\n" + MAT1)  # a membrane
    assert not law.D.any()
    law, _ = law_of(tmp_path, "PSHELL,1,,.01,2,,2\n" + MAT1)  # a plate
    assert not law.A.any()


@pytest.mark.parametrize(
    ("prop", "thickness"),
    [("PSHELL,1,2,.01,2,,2\n", ",,.01,.02,.03,\n"), ("PSHELL,1,2,.02,2,,2\n", ",1,.5,1.,1.5,.5\n"),
     ("PSHELL,1,2,,2,,2\n", ",,.01,.02,.03,.01\n")],
)  # fmt: skip
def test_thickness_that_varies_over_an_element(tmp_path, prop, thickness):
    fe = read(tmp_path, QUAD + "CQUAD4,1,1,1,2,3,4\n," + thickness + prop + MAT1)
    assert_allclose(fe.blocks[0].data["thickness"], [[0.01, 0.02, 0.03, 0.01]], rtol=1e-12)
    # a rectangle: the mean of bilinear values is that of the corners
    assert fe.mass_properties().mass == pytest.approx(2700 * 2.0 * 0.0175, rel=1e-9)


def test_solid_with_directions(tmp_path):
    """MAT9 of a spring along x of a turned system: a column of it stretches by that modulus."""
    grids = "".join(f"GRID,{k + 1},,{x},{y},{z}\n" for k, (z, y, x) in enumerate(np.ndindex(2, 2, 2)))
    deck = grids + "CHEXA,1,1,1,2,4,3,5,6\n,8,7\nPSOLID,1,1,9\nCORD2R,9,,0.,0.,0.,1.,0.,0.\n,0.,1.,0.\n"
    deck += "MAT9,1,3.+10,,,,,,2.+10\n,,,,,1.+10\n,5.+9,,,5.+9,,5.+9,1000.\n"
    fe = read(tmp_path, deck + "SPC1,1,123,1,2,3,4,5,6\n,7,8\n", supports=False)
    K = fe.stiffness().toarray()
    for axis, modulus in ((1, 3e10), (2, 2e10), (0, 1e10)):  # x of the system is y of the model, z is x
        stretch = np.zeros((8, 3))
        stretch[:, axis] = fe.nodes[:, axis]
        assert stretch.ravel() @ K @ stretch.ravel() == pytest.approx(modulus, rel=1e-9)


# panels, rods, bends


def panel(corners: list[tuple[float, float]], factors: str = "") -> str:
    grids = "".join(f"GRID,{k + 1},,{x},{y},0.\n" for k, (x, y) in enumerate(corners))
    return grids + f"CSHEAR,1,1,1,2,3,4\nPSHEAR,1,2,.002,,{factors}\n" + MAT1


@pytest.mark.parametrize("lean", [0.0, 0.3])
def test_shear_panel_has_garveys_stiffness(tmp_path, lean):
    """A parallelogram under flows along its sides: the energy of σxx = 2 q tan θ and τ = q."""
    fe = read(tmp_path, panel([(0, 0), (1, 0), (1 + lean, 0.5), (lean, 0.5)]))
    K = fe.stiffness().toarray()
    values = np.linalg.eigvalsh(K)
    assert (values[:-1] < 1e-9 * values[-1]).all()  # one state of stress
    E, nu, t = 7e10, 0.3, 0.002
    G, tan = E / 2.6, lean / 0.5
    shear = np.zeros((4, 3))
    shear[:, 0] = [0.0, 0.0, 0.5, 0.5]  # unit shear of the sides along x
    flow = G * t / (1.0 + 2.0 * tan**2 / (1.0 + nu))
    assert shear.ravel() @ K @ shear.ravel() == pytest.approx(flow * 0.5, rel=1e-9)
    assert fe.mass_properties().mass == pytest.approx(2700 * 0.5 * t)


def test_shear_panel_leaves_rigid_motion_free_and_takes_rods(tmp_path):
    corners = [(0.0, 0.0), (1.0, 0.1), (0.9, 0.7), (0.05, 0.5)]
    fe = read(tmp_path, panel(corners))
    shapes = fe.rigid_shapes()
    assert np.abs(fe.stiffness() @ shapes).max() < 1e-9 * np.abs(fe.stiffness()).max()
    fe = read(tmp_path, panel([(0, 0), (1, 0), (1, 0.5), (0, 0.5)], "1.,20."))
    areas = sorted({round(block.section.A, 12) for block in fe.blocks if block.kind == "truss"})
    # half the width of a fully effective panel, and ten times the square of its thickness
    assert_allclose(areas, [10 * 0.002**2, 0.5 * 0.002 * 0.5], rtol=1e-9)


def test_rods_twist_where_their_grids_turn(tmp_path):
    """PROD without area: a torsion bar between two wheels, beside a rod between points."""
    deck = (
        "GRID,1,,0.,0.,0.,,12356\nGRID,2,,0.,0.,2.,,123\nGRID,3,,1.,0.,0.\nMAT1,1,2.08+11,,.3\nPROD,1,1,0.,2.-8\n"
        "CROD,1,1,1,2\nCONM2,2,2,,1.\n,1.,,1.,,,.5\nCONROD,3,2,3,1,1.-4,1.-8\n"
    )
    fe = read(tmp_path, deck + "SPC1,1,123456,1\nSPC1,1,45,2\nSPC1,1,123,3\n")
    expected = math.sqrt(8e10 * 2e-8 / 2.0 / 0.5) / (2 * math.pi)
    assert_allclose(ff.modal.eigenmodes(fe, n=1).frequency, expected, rtol=1e-9)


def test_bend_has_the_flexibility_of_a_curved_beam(tmp_path):
    """A quarter circle clamped at one end, by Castigliano: in its plane and across it."""
    R, E, nu = 1.0, 2e11, 0.3
    A, I1, I2, J = 1e-2, 2e-8, 1e-8, 3e-8
    deck = (
        f"GRID,1,,{R},0.,0.\nGRID,2,,0.,{R},0.\nMAT1,1,2.+11,,.3\nPBEND,1,1,{A},{I1},{I2},{J}\n"
        "CBEND,1,1,1,2,-1.,0.,0.,1\nSPC1,1,123456,1\n"
    )
    fe = read(tmp_path, deck)
    G = E / (2 * (1 + nu))
    radial = math.pi / 4 * R**3 / (E * I1)  # a moment R sin φ along the arc; the stretch is nothing beside it
    across = R**3 * (math.pi / 4 / (E * I2) + (3 * math.pi / 4 - 2) / (G * J))
    motion = fe.expand(np.eye(fe.stiffness().shape[0]))
    free = ~motion[int(np.flatnonzero(fe.node_ids == 1)[0])].any(axis=0)  # the first grid is clamped
    K = fe.stiffness().toarray()[np.ix_(free, free)]
    tip = motion[int(np.flatnonzero(fe.node_ids == 2)[0])][:, free]
    for axis, expected in ((0, (3 * math.pi / 4 - 2) * R**3 / (E * I1)), (1, radial), (2, across)):
        found = tip[axis] @ np.linalg.solve(K, tip[axis])
        assert found == pytest.approx(expected, rel=5e-3)  # twelve straight pieces


@pytest.mark.parametrize("geometry", ["0.,1.,0.,2", "0.,5.,0.,1"])
def test_bends_by_their_centre_or_their_tangent(tmp_path, geometry):
    grids = "GRID,1,,1.,0.,0.\nGRID,2,,0.,1.,0.\nMAT1,1,2.+11,,.3,7850.\nPBEND,1,1,1.-2,2.-8,1.-8,3.-8\n"
    fe = read(tmp_path, grids + f"CBEND,1,1,1,2,{geometry}\n")
    centre = (0.0, 0.0) if geometry.endswith("2") else (1.0, 1.0)
    assert_allclose(np.hypot(*(fe.nodes[:, :2] - centre).T), 1.0, rtol=1e-12)
    assert fe.mass_properties().mass == pytest.approx(7850 * 1e-2 * math.pi / 2, rel=1e-3)  # twelve chords


# beams


@pytest.mark.parametrize(
    ("card", "prop"),
    [
        ("CBEAM", "PBEAM,1,2,4.-4,2.-8,2.-8,,4.-8\n,,,,,,,,\n,YES,1.,1.-4,1.25-9,1.25-9,,2.5-9\n,,,,,,,,\n,,\n"),
        ("CBEAM", "PBEAML,1,2,,BAR\n,.02,.02,,YES,1.,.01,.01\n"),
    ],
)
def test_tapers_are_followed(tmp_path, card, prop):
    """Mass of a beam whose area is linear between the stations, and its centre of mass."""
    fe = read(tmp_path, f"GRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\n{card},1,1,1,2,0.,1.,0.\n" + prop + MAT1)
    x = np.linspace(0.0, 1.0, 10001)
    area = 4e-4 - 3e-4 * x if "PBEAML" not in prop else (0.02 - 0.01 * x) ** 2
    mass = np.trapezoid(area, x)
    found = fe.mass_properties()
    assert found.mass == pytest.approx(2700 * mass, rel=5e-3)  # six pieces of a square law
    assert found.com[0] == pytest.approx(np.trapezoid(area * x, x) / mass, rel=1e-2)


def outline(points: list[tuple[float, float]]) -> np.ndarray:
    """Area and moments about the centroid of a polygon y, z: A, ∫z², ∫y², ∫yz (Green)."""
    p = np.array(points)
    q = np.roll(p, -1, axis=0)
    w = p[:, 0] * q[:, 1] - q[:, 0] * p[:, 1]
    A = w.sum() / 2
    c = (w[:, None] * (p + q)).sum(axis=0) / (6 * A)
    yy, zz = ((w * (p[:, k] ** 2 + p[:, k] * q[:, k] + q[:, k] ** 2)).sum() / 12 for k in (0, 1))
    yz = (w * (p[:, 0] * q[:, 1] + 2 * p[:, 0] * p[:, 1] + 2 * q[:, 0] * q[:, 1] + q[:, 0] * p[:, 1])).sum() / 24
    return np.array([A, zz - A * c[1] ** 2, yy - A * c[0] ** 2, yz - A * c[0] * c[1]])


SHAPES = {
    # dimensions as on the card, and the polygon they draw, anticlockwise with y to the right and z up
    "CROSS": ((6, 2, 10, 1), [(-4, -0.5), (-1, -0.5), (-1, -5), (1, -5), (1, -0.5), (4, -0.5), (4, 0.5), (1, 0.5),
                              (1, 5), (-1, 5), (-1, 0.5), (-4, 0.5)]),
    "H": ((6, 2, 10, 1), [(-4, -5), (-3, -5), (-3, -0.5), (3, -0.5), (3, -5), (4, -5), (4, 5), (3, 5), (3, 0.5),
                          (-3, 0.5), (-3, 5), (-4, 5)]),
    "T1": ((10, 6, 2, 1), [(0, -5), (2, -5), (2, 5), (0, 5), (0, 0.5), (-6, 0.5), (-6, -0.5), (0, -0.5)]),
    "CHAN1": ((5, 1, 8, 10), [(0, 0), (6, 0), (6, 1), (1, 1), (1, 9), (6, 9), (6, 10), (0, 10)]),
    "CHAN2": ((1, 2, 9, 10), [(0, 0), (10, 0), (10, 9), (9, 9), (9, 2), (1, 2), (1, 9), (0, 9)]),
    "Z": ((5, 1, 8, 10), [(0, 0), (6, 0), (6, 1), (1, 1), (1, 10), (-5, 10), (-5, 9), (0, 9)]),
    "HEXA": ((2, 10, 6), [(5, 0), (3, 3), (-3, 3), (-5, 0), (-3, -3), (3, -3)]),
    "HAT": ((8, 1, 6, 3), [(-6, 0), (-2, 0), (-2, 7), (2, 7), (2, 0), (6, 0), (6, 1), (3, 1), (3, 8), (-3, 8), (-3, 1),
                           (-6, 1)]),
}  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES)
def test_profiles_have_the_moments_of_their_outline(tmp_path, shape):
    """Plane 1 is upright, z of the bar to the left of the drawing."""
    sizes, points = SHAPES[shape]
    data = ",".join(f"{size / 100:.4f}" for size in sizes)
    deck = f"GRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nCBAR,1,1,1,2,0.,1.,0.\nPBARL,1,2,,{shape}\n,{data}\n" + MAT1
    section = read(tmp_path, deck).blocks[0].section
    A, up, along, product = outline([(y / 100, z / 100) for y, z in points])
    assert_allclose([section.A, section.Iz, section.Iy], [A, up, along], rtol=1e-9)
    assert section.Iyz == pytest.approx(-product, abs=1e-12)


def test_closed_profiles(tmp_path):
    """HAT1 and DBOX by hand: areas, and Bredt's torsion of thin cells."""
    base = "GRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nCBAR,1,1,1,2,0.,1.,0.\nPBARL,1,2,,"
    hat = read(tmp_path, base + "HAT1\n,.2,.1,.1,.002,.002\n" + MAT1).blocks[0].section
    assert pytest.approx(0.2 * 0.002 + 0.1 * 0.002 + 2 * 0.05 * 0.002 + 2 * 0.094 * 0.002 + 4e-6, rel=1e-2) == hat.A
    cell = 4 * (0.098 * 0.098) ** 2 / (4 * 0.098 / 0.002)
    assert pytest.approx(cell, rel=1e-2) == hat.J  # the brims add little
    # a middle web carries no shear when both cells are the same: one box
    box = read(tmp_path, base + "DBOX\n,.2,.1,.1,.002,.002,.002,.002,.002\n,.002,.002\n" + MAT1).blocks[0].section
    assert pytest.approx(2 * 0.2 * 0.002 + 3 * 0.096 * 0.002, rel=1e-2) == box.A
    assert pytest.approx(4 * (0.198 * 0.098) ** 2 / (2 * 0.296 / 0.002), rel=2e-2) == box.J


@pytest.mark.parametrize(
    ("card", "mass"),
    [
        ("NSM,5,PSHELL,1,3.\n", 3.0 * 2.0),
        ("NSM1,5,PSHELL,3.,ALL\n", 3.0 * 2.0),
        ("NSML1,5,ELEMENT,3.,1\n", 3.0),
        ("NSMADD,5,6,7\nNSML,6,PBAR,4,3.\nNSM,7,ELEMENT,2,1.5,1,.5\n", 3.0 + 1.5 * 2.0 + 0.5 * 2.0),
    ],
)
def test_masses_on_cards_of_their_own(tmp_path, card, mass):
    """A shell of 2 m² and a bar of 2 m without mass of their own; NSM per area or length, NSML in all."""
    deck = (
        "SOL 103\nCEND\nNSM = 5\nBEGIN BULK\n" + QUAD + "CQUAD4,1,1,1,2,3,4\nPSHELL,1,2,.01,2,,2\n"
        "CBAR,2,4,1,2,0.,0.,1.\nPBAR,4,2,1.-4,1.-8,1.-8,1.-8\nMAT1,2,7.+10,,.3\n"
    )
    fe = read(tmp_path, deck + card + "ENDDATA\n")
    assert sum(point.mass for point in fe.point_masses) == pytest.approx(mass, rel=1e-12)


def test_plies_over_parts_of_a_shell(tmp_path):
    """PCOMPP of OptiStruct: the element in the set of a ply is thicker by it."""
    deck = (
        QUAD
        + "GRID,5,,4.,0.,0.\nGRID,6,,4.,1.,0.\nCQUAD4,1,1,1,2,3,4\nCQUAD4,2,1,2,5,6,3\nPCOMPP,1\nSTACK,1,SYM,11,12\n"
    )
    deck += "PLY,11,1,1.-3,0.\nPLY,12,1,2.-3,90.,YES\n,7\nSET,7,ELEM,LIST\n,2,THRU,9\n" + MAT8
    fe = read(tmp_path, deck)
    thickness = {int(n): block.section.thickness for block in fe.blocks for n in block.element_ids}
    assert thickness == {1: pytest.approx(2e-3), 2: pytest.approx(6e-3)}
    assert fe.mass_properties().mass == pytest.approx(2.0 * 1600 * 8e-3)


@pytest.mark.parametrize("bar", ["CBAR", "CBEAM", "CROD"])
@pytest.mark.parametrize("moduli", ["2.+11,2.+10,.3", "2.+11,2.+10,"])
def test_bars_take_the_shear_modulus_as_it_is_given(tmp_path, bar, moduli):
    """Twist of 1 m by a disc of 1 kg m²: sqrt(G J / L I), whatever Poisson's ratio says, or would have to be."""
    axis = "" if bar == "CROD" else ",0.,0.,1."
    bars = {"CBAR": "PBAR,1,1,1.-4,1.-8,1.-8,2.-8", "CBEAM": "PBEAM,1,1,1.-4,1.-8,1.-8,,2.-8"}
    section = {**bars, "CROD": "PROD,1,1,1.-4,2.-8"}
    deck = f"GRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\n{bar},1,1,1,2{axis}\n{section[bar]}\nMAT1,1,{moduli},0.\n"
    fe = read(tmp_path, deck + "CONM2,9,2,,1.\n,1.,0.,1.,0.,0.,1.\nSPC1,1,123456,1\nSPC1,1,12356,2\n")
    found = ff.modal.eigenmodes(fe, n=1).frequency[0]
    assert found == pytest.approx(math.sqrt(2e10 * 2e-8) / (2 * math.pi), rel=1e-9)


@pytest.mark.parametrize("given", [".02", ""])
@pytest.mark.parametrize("materials", ["1,,1", "2,,1"])  # one for all, or one of its own for bending
def test_mass_per_area_does_not_grow_with_the_thickness_of_elements(tmp_path, given, materials):
    """A square metre of 10 mm with 30 kg/m² more, on a property of 20 mm or of none."""
    deck = "GRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nGRID,3,,1.,1.,0.\nGRID,4,,0.,1.,0.\n"
    deck += f"CQUAD4,1,1,1,2,3,4\n,,,.01,.01,.01,.01\nPSHELL,1,1,{given},{materials},,30.\n"
    fe = read(tmp_path, deck + "MAT1,1,2.+11,,.3,1000.\nMAT1,2,1.+11,,.3,1000.\n")
    assert fe.mass_properties().mass == pytest.approx(1000.0 * 0.01 + 30.0, rel=1e-9)


def test_superelements_and_periodic_grids_are_lost(tmp_path):
    bar = "GRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nCROD,1,1,1,2\nPROD,1,1,1.-4\nMAT1,1,2.+11,,.3,7850.\n"
    for card, what in (("CSUPER,5,0,1,2", "stiffness"), ("GMSPC,1,1,2", "a support"), ("PERBC,1,1,2", "a coupling")):
        with pytest.raises(ff.errors.ReadError, match=f"{card.split(',')[0]} .* carries {what}"):
            read(tmp_path, bar + card + "\n")


@pytest.mark.parametrize(
    ("element", "prop", "middle"),
    [
        ("CQUAD4,1,1,1,2,3,4,,TOP\n", "PSHELL,1,2,.02,2\n", -0.01),
        ("CQUAD4,1,1,4,3,2,1,,TOP\n", "PSHELL,1,2,.02,2\n", 0.01),
        ("CTRIA3,1,1,1,2,3,,BOTTOM\n,,,.06,.06,.06\n", "PSHELL,1,2,.02,2\n", 0.03),
        ("CQUAD4,1,1,1,2,3,4\n", "PSHELL,1,2,.02,2\n,,,,,BOTTOM\n", 0.01),
    ],
)
def test_faces_of_walls_on_the_grids(tmp_path, element, prop, middle):
    fe = read(tmp_path, QUAD + element + prop + MAT1)
    assert_allclose(fe.mass_properties().com[2], middle, rtol=1e-9)
