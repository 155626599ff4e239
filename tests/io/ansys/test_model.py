"""ANSYS commands and what they mean: elements, sections, materials, supports, couplings, selections."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.linalg import eigh

import floatframe as ff
from floatframe.errors import ReadError
from floatframe.fem import RBE2, RBE3, BeamSection
from tests.reference import beams as reference

E, NU, RHO = 2.1e11, 0.3, 7850.0
STEEL = f"MP,EX,1,{E}\nMP,PRXY,1,{NU}\nMP,DENS,1,{RHO}\n"
EXACT = 1e-10


@pytest.fixture
def report(tmp_path):
    def reader(text: str, **options):
        path = tmp_path / "deck.cdb"
        path.write_text(text)
        return ff.io.read_with_report(path, refuse=False, **options)

    return reader


def line(n: int, direction=(1.0, 0.0, 0.0), length: float = 2.0) -> str:
    """N commands of nodes 1 to n + 1 along a line from the origin."""
    step = np.array(direction) / np.linalg.norm(direction) * length / n
    return "".join(f"N,{k + 1},{x},{y},{z}\n" for k, (x, y, z) in enumerate(np.outer(np.arange(n + 1), step).tolist()))


def _free_stiffness(fe):
    return fe.stiffness().toarray()[np.ix_(fe.free_rows(), fe.free_rows())]


def _free_mass(fe):
    return fe.mass().toarray()[np.ix_(fe.free_rows(), fe.free_rows())]


def frequencies(fe, n=4, fixed=()):
    return ff.modal.eigenmodes(fe, n=n, fixed=fixed).frequency


# beams

B, H = 0.02, 0.03  # along local y and z


def beam4(n: int, reals: str = "", guide: bool = True) -> str:
    area, iy, iz = B * H, B * H**3 / 12, H * B**3 / 12
    elements = "".join(f"E,{k},{k + 1}" + (",100\n" if guide else "\n") for k in range(1, n + 1))
    return f"/PREP7\nET,1,BEAM4\nR,1,{area},{iz},{iy},{H},{B}{reals}\n{STEEL}{line(n)}N,100,0,1,0\n{elements}"


def test_beam4_bends_as_its_orientation_node_says(read):
    """Node K in the xy plane turns local z into global y, so the tall side stands along y."""
    fe = read(beam4(20))
    section = fe.blocks[0].section
    assert (section.Iy, section.Iz) == (pytest.approx(B * H**3 / 12), pytest.approx(H * B**3 / 12))
    modes = ff.modal.eigenmodes(fe, n=2, fixed=[1])
    tip = fe.expand(modes.shapes)[20]
    soft = reference.bending_frequency("clamped-free", 1, E * H * B**3 / 12, RHO * B * H, 2.0)
    stiff = reference.bending_frequency("clamped-free", 1, E * B * H**3 / 12, RHO * B * H, 2.0)
    # rotary inertia, which the formula leaves out, lowers them by some 1e-4
    assert_allclose(modes.frequency, [soft, stiff], rtol=5e-4)
    assert abs(tip[2, 0]) > 1e3 * abs(tip[1, 0])
    assert abs(tip[1, 1]) > 1e3 * abs(tip[2, 1])


@pytest.mark.parametrize(
    ("direction", "weak"),
    [((1, 0, 0), (0, 1, 0)), ((0, 1, 0), (1, 0, 0)), ((0, 0, 1), (0, 1, 0)), ((1, 1, 1), (-1, 1, 0))],
)
def test_beam_without_orientation_node_has_y_parallel_to_the_xy_plane(read, direction, weak):
    """Softer about z (B < H), so it swings along local y: level, or global y for an upright beam."""
    elements = "".join(f"E,{k},{k + 1}\n" for k in range(1, 11))
    fe = read(f"/PREP7\nET,1,188\nSECTYPE,1,BEAM,RECT\nSECDATA,{B},{H}\n{STEEL}{line(10, direction)}{elements}")
    modes = ff.modal.eigenmodes(fe, n=1, fixed=[1])
    tip = fe.expand(modes.shapes)[10, :3, 0]
    weak = np.array(weak) / np.linalg.norm(weak)
    assert abs(tip @ weak) == pytest.approx(np.linalg.norm(tip), rel=1e-9)


def test_beam4_angle_turns_the_section(read):
    straight = frequencies(read(beam4(4, guide=False)), fixed=[1])
    modes = ff.modal.eigenmodes(read(beam4(4, ",30", guide=False)), n=1, fixed=[1])
    assert modes.frequency[0] == pytest.approx(straight[0], rel=1e-9)
    tip = read(beam4(4, ",30", guide=False)).expand(modes.shapes)[4, :3, 0]
    # soft direction is local y, turned by 30 degrees from y towards z
    assert abs(tip @ [0, np.cos(np.pi / 6), np.sin(np.pi / 6)]) == pytest.approx(np.linalg.norm(tip), rel=1e-9)


def test_shear_constants_of_beam4(read):
    section = read(beam4(1, ",0\nRMORE,0,0,1.2,1.5")).blocks[0].section
    assert (section.ky, section.kz) == (pytest.approx(1 / 1.2), pytest.approx(1 / 1.5))
    assert pytest.approx(section.Iy + section.Iz) == section.J  # IXX = 0


def test_beam44_offsets_are_rigid_arms(read):
    area, iy, iz = B * H, B * H**3 / 12, H * B**3 / 12
    text = (
        f"/PREP7\nET,1,44\nR,1,{area},{iz},{iy},,,1e-8\nRMORE\nRMORE,0.0,0.1,0.2,0.0,0.1,0.2\n"
        f"{STEEL}{line(1)}N,9,0,0,1\nE,1,2,9\n"
    )
    fe = read(text)
    assert_allclose(fe.blocks[0].data["offsets"], [[[0, 0.1, 0.2]] * 2], atol=1e-15)
    assert_allclose(fe.mass_properties().com, [1.0, 0.1, 0.2], atol=1e-12)


@pytest.mark.parametrize(
    ("subtype", "data", "expected"),
    [
        ("RECT", "0.02,0.03", BeamSection.rectangle(0.02, 0.03, nu=0.0)),
        ("CSOLID", "0.01", BeamSection.circle(0.02, nu=0.0)),
        ("CTUBE", "0.008,0.01", BeamSection.tube(0.02, 0.002, nu=0.0)),
        ("I", "0.1,0.1,0.2,0.01,0.01,0.006", BeamSection.i_section(0.1, 0.2, 0.006, 0.01)),
        ("CHAN", "0.1,0.1,0.2,0.01,0.01,0.006", BeamSection.channel(0.1, 0.2, 0.006, 0.01)),
        ("HREC", "0.1,0.2,0.004,0.004,0.006,0.006", BeamSection.box(0.1, 0.2, 0.004, 0.006)),
    ],
)
def test_profiles(read, subtype, data, expected):
    fe = read(f"/PREP7\nET,1,188\nSECTYPE,1,BEAM,{subtype}\nSECDATA,{data}\n{STEEL}{line(1)}E,1,2\n")
    section = fe.blocks[0].section
    for symbol in ("A", "Iy", "Iz", "Iyz", "J", "ky", "kz"):
        assert getattr(section, symbol) == pytest.approx(getattr(expected, symbol), rel=1e-12, abs=1e-20)


@pytest.mark.parametrize(("subtype", "data"), [("L", "0.1,0.2,0.01,0.01"), ("T", "0.1,0.2,0.01,0.008"),
                                               ("I", "0.1,0.05,0.2,0.01,0.02,0.006")])  # fmt: skip
def test_unsymmetric_profiles_have_the_moments_of_their_rectangles(read, subtype, data):
    """Against moments of many small strips."""
    d = [float(x) for x in data.split(",")]
    rectangles = {
        "L": [(0, d[0], 0, d[2]), (0, d[-1], d[2], d[1])],
        "T": [(-d[0] / 2, d[0] / 2, 0, d[2]), (-d[3] / 2, d[3] / 2, d[2], d[1])],
        "I": [(-0.05, 0.05, 0, 0.01), (-0.025, 0.025, 0.18, 0.2), (-0.003, 0.003, 0.01, 0.18)],
    }[subtype]
    points, weights = [], []
    for y0, y1, z0, z1 in rectangles:
        y, z = np.meshgrid(*(a + (np.arange(400) + 0.5) / 400 * (b - a) for a, b in ((y0, y1), (z0, z1))))
        points.append(np.column_stack([y.ravel(), z.ravel()]))
        weights.append(np.full(y.size, (y1 - y0) * (z1 - z0) / y.size))
    x, w = np.concatenate(points), np.concatenate(weights)
    x = x - w @ x / w.sum()
    section = (
        read(f"/PREP7\nET,1,188\nSECTYPE,1,BEAM,{subtype}\nSECDATA,{data}\n{STEEL}{line(1)}E,1,2\n").blocks[0].section
    )
    moments = [w.sum(), w @ x[:, 1] ** 2, w @ x[:, 0] ** 2, w @ (x[:, 0] * x[:, 1])]
    assert_allclose([section.A, section.Iy, section.Iz, section.Iyz], moments, rtol=1e-5, atol=1e-12)


def test_section_offsets_of_beams(read):
    def centre(offset: str, profile: str = "I,\nSECDATA,0.1,0.1,0.2,0.01,0.01,0.006"):
        text = f"/PREP7\nET,1,188\nSECTYPE,1,BEAM,{profile}\nSECOFFSET,{offset}\n{STEEL}{line(1)}N,9,0,0,1\nE,1,2,9\n"
        return read(text).mass_properties().com - [1.0, 0, 0]

    assert_allclose(centre("CENT"), 0, atol=1e-12)
    assert_allclose(centre("ORIGIN"), [0, 0, 0.1], atol=1e-12)  # nodes in the middle of the bottom flange
    assert_allclose(centre("USER,0.02,0.05"), [0, -0.02, 0.05], atol=1e-12)
    channel = "CHAN,\nSECDATA,0.1,0.1,0.2,0.01,0.01,0.006"
    ey, _ = BeamSection.channel(0.1, 0.2, 0.006, 0.01).shear_centre
    assert_allclose(centre("SHRC", channel), [0, -ey, 0], atol=1e-12)


def test_what_a_section_offset_leaves_open_is_reported(report):
    head = f"/PREP7\nET,1,188\nSECTYPE,1,BEAM,T\nSECDATA,0.1,0.2,0.01,0.01\n{STEEL}{line(1)}E,1,2\n"
    assert not report(f"{head}SECOFFSET,CENT\n").report.warnings
    assert "section 1 (T): its origin is taken" in report(f"{head}SECOFFSET,ORIGIN\n").report.warnings[0]
    found = report(f"{head}SECOFFSET,CENT,,,0.01\n").report
    assert [entry.card for entry in found.ignored_physics] == ["SECOFFSET"]


def test_beam189_is_two_beams_with_one_orientation(read):
    nodes = "N,1\nN,2,2\nN,3,1\nN,4,0,1\n"
    head = f"/PREP7\nET,1,189\nSECTYPE,1,BEAM,RECT\nSECDATA,{B},{H}\n{STEEL}"
    fe = read(f"{head}{nodes}EN,7,1,2,3,4\nCM,BARS,ELEM\n")
    two = read(f"/PREP7\nET,1,188\nSECTYPE,1,BEAM,RECT\nSECDATA,{B},{H}\n{STEEL}{line(2)}N,4,0,1\nE,1,2,4\nE,2,3,4\n")
    assert_allclose(frequencies(fe, fixed=[1]), frequencies(two, fixed=[1]), rtol=EXACT)
    assert len(fe.element_sets["BARS"]) == 2


def test_section_block_of_an_archive(read):
    section = f"SECTYPE,       1,BEAM,RECT,,0\nSECOFFSET,CENT\nSECBLOCK, 6\n   {B},   {H},  2.0,\n  2.0, 0.0, 0.0\n"
    fe = read(f"/PREP7\nET,1,188\n{section}{STEEL}{line(1)}E,1,2\n")
    assert pytest.approx(B * H) == fe.blocks[0].section.A


# links, masses, springs


def test_links_take_their_area_from_section_or_real_constants(read):
    by_section = read(f"/PREP7\nET,1,LINK180\nSECTYPE,1,LINK\nSECDATA,1e-4\n{STEEL}{line(1)}E,1,2\n")
    by_reals = read(f"/PREP7\nET,1,LINK8\nR,1,1e-4\n{STEEL}{line(1)}E,1,2\n")
    for fe in (by_section, by_reals):
        assert fe.blocks[0].kind == "truss"
        assert fe.stiffness().max() == pytest.approx(E * 1e-4 / 2.0)


def test_plane_links_stay_in_their_plane(read):
    fe = read(f"/PREP7\nET,1,1\nR,1,1e-4\n{STEEL}N,1\nN,2,1\nN,3,1,1\nE,1,2\nE,2,3\nE,1,3\nD,1,UX,,,,,UY\nD,2,UY\n")
    assert {(1, 2), (2, 2), (3, 2)} <= {tuple(row) for row in fe.supports.tolist()}
    assert (frequencies(fe, n=3) > 0).all()


@pytest.mark.parametrize(
    ("keys", "reals", "mass", "inertia"),
    [
        ("", "5,5,5,1,2,3", 5.0, (1, 2, 3)),
        ("KEYOPT,2,3,2\n", "7", 7.0, (0, 0, 0)),
        ("KEYOPT,2,3,3\n", "7,4", 7.0, (0, 0, 4)),
        ("KEYOPT,2,3,4\n", "7", 7.0, (0, 0, 0)),
        ("KEYOPT,2,3,2\nKEYOPT,2,1,1\n", "0.001", 0.001 * RHO, (0, 0, 0)),
    ],
)
def test_point_masses_by_key_option(read, keys, reals, mass, inertia):
    text = beam4(1) + f"ET,2,MASS21\n{keys}R,2,{reals}\nTYPE,2\nREAL,2\nE,2\n"
    (point,) = read(text).point_masses
    assert (point.node, point.mass) == (2, pytest.approx(mass))
    assert_allclose(point.inertia, np.diag(inertia))


def test_point_mass_in_nodal_axes(read):
    text = beam4(1) + "N,2,2,0,0,90\nET,2,MASS21\nKEYOPT,2,2,1\nR,2,5,5,5,1,2,3\nTYPE,2\nREAL,2\nE,2\n"
    assert_allclose(read(text).point_masses[0].inertia, np.diag([2, 1, 3]), atol=1e-12)


@pytest.mark.parametrize(
    ("keys", "second", "component", "angle"),
    [
        ("", "N,2,0.5,0,0", 0, ""),
        ("KEYOPT,1,2,2\n", "N,2", 1, ""),
        ("KEYOPT,1,2,2\n", "N,2", 0, ",0,0,0,-90"),  # nodal y points along global x
    ],
)
def test_spring_and_mass_swing_as_they_should(read, keys, second, component, angle):
    text = (
        f"/PREP7\nET,1,COMBIN14\n{keys}ET,2,MASS21\nKEYOPT,2,3,2\nR,1,4000.0,3.0\nR,2,10.0\nN,1{angle}\n{second}\n"
        "TYPE,1\nREAL,1\nE,1,2\nTYPE,2\nREAL,2\nE,2\nD,1,ALL\n"
    )
    fe = read(text)
    others = [(2, name) for k, name in enumerate(("ux", "uy", "uz")) if k != component]
    assert frequencies(fe, n=1, fixed=others)[0] == pytest.approx(np.sqrt(400.0) / (2 * np.pi), rel=1e-12)
    assert fe.damping().max() == pytest.approx(3.0)


def test_spring_between_nodes_with_different_axes_is_reported(report):
    head = f"/PREP7\nET,1,14\nKEYOPT,1,2,1\nR,1,100\n{STEEL}"
    assert not report(f"{head}N,1,0,0,0,30\nN,2,1,0,0,30\nE,1,2\n").report.ignored
    found = report(f"{head}N,1,0,0,0,30\nN,2,1\nE,1,2\n").report
    assert [entry.card for entry in found.ignored_physics] == ["COMBIN14"]


@pytest.mark.parametrize("middles", ["", "N,5,1\nN,6,2,.5\nN,7,1,1\nN,8,0,.5\n"])
def test_surface_elements_add_mass_and_a_foundation(read, middles):
    """Their mass is that of the area, with its centre there, and a foundation carries a plate moving across it."""
    corners = f"N,1\nN,2,2\nN,3,2,1\nN,4,0,1\n{middles}"
    more = ",5,6,7,8" if middles else ""
    text = f"/PREP7\nET,1,LINK8\nR,1,1e-6\nET,2,SURF154\nR,2,,,,100,,5\nMP,EX,1,1\n{corners}E,1,2\nTYPE,2\nREAL,2\n"
    fe = read(f"{text}E,1,2,3,4{more}\n")
    assert sum(mass.mass for mass in fe.point_masses) == pytest.approx(5 * 2.0, rel=EXACT)
    centre = sum(mass.mass * fe.nodes[fe.node_index(mass.node)[0]] for mass in fe.point_masses) / 10.0
    assert_allclose(centre, [1.0, 0.5, 0.0], atol=EXACT)
    lift = np.tile([0.0, 0.0, 1.0], len(fe.nodes))
    assert lift @ fe.stiffness() @ lift == pytest.approx(100 * 2.0, rel=EXACT)


def test_surface_elements_without_mass_only_load(report):
    corners = "N,1\nN,2,1\nN,3,1,1\nN,4,0,1\n"
    text = f"/PREP7\nET,1,LINK8\nR,1,1\nET,2,SURF154\nR,2,1\n{STEEL}{corners}E,1,2\nTYPE,2\nREAL,2\nE,1,2,3,4\n"
    assert [(entry.card, entry.physical) for entry in report(text).report.ignored] == [("SURF154", False)]


def test_torsion_spring(read):
    text = (
        "/PREP7\nET,1,14\nKEYOPT,1,3,1\nET,2,21\nR,1,50.0\nR,2,1,1,1,2,2,2\nN,1\nN,2,0,0,1\n"
        "TYPE,1\nREAL,1\nE,1,2\nTYPE,2\nREAL,2\nE,2\nD,1,ALL\nD,2,ALL\nDDELE,2,ROTZ\n"
    )
    assert frequencies(read(text), n=1)[0] == pytest.approx(5.0 / (2 * np.pi), rel=1e-12)


# shells


def plate(kind: str, extra: str, nx: int = 4, ny: int = 3) -> str:
    nodes = "".join(f"N,{1 + i + 10 * j},{i * 0.25},{j * 0.25}\n" for j in range(ny + 1) for i in range(nx + 1))
    cells = "".join(
        f"E,{a},{a + 1},{a + 11},{a + 10}\n" for j in range(ny) for i in range(nx) for a in [1 + i + 10 * j]
    )
    return f"/PREP7\nET,1,{kind}\n{extra}{STEEL}{nodes}{cells}"


def test_shells_equal_the_same_mesh_built_here(read):
    own = ff.fem.plate_grid(1.0, 0.75, nx=4, ny=3, thickness=0.01, material=ff.fem.Material(E, NU, RHO))
    by_section = read(plate("SHELL181", "SECTYPE,1,SHELL\nSECDATA,0.01,1,0,3\n"))
    by_reals = read(plate("SHELL63", "R,1,0.01\n"))
    expected = ff.modal.eigenmodes(own, n=10).elastic.frequency
    for fe in (by_section, by_reals):
        assert_allclose(ff.modal.eigenmodes(fe, n=10).elastic.frequency, expected, rtol=1e-9)


@pytest.mark.parametrize(("where", "height"), [("TOP", -0.005), ("MID", 0), ("BOT", 0.005), ("USER,0.02", -0.02)])
def test_shell_offset_moves_the_wall(read, where, height):
    fe = read(plate("181", f"SECTYPE,1,SHELL\nSECDATA,0.01\nSECOFFSET,{where}\n"))
    assert fe.mass_properties().com[2] == pytest.approx(height, abs=1e-12)


def test_layers_of_one_material_add_up(read):
    fe = read(plate("181", "SECTYPE,1,SHELL\nSECBLOCK,2\n 0.004, 1, 0.0, 3\n 0.006, 1, 90.0, 3\n"))
    assert fe.blocks[0].section.thickness == pytest.approx(0.01)


def test_triangles_by_repeated_nodes(read):
    text = (
        f"/PREP7\nET,1,181\nSECTYPE,1,SHELL\nSECDATA,0.01\n{STEEL}N,1\nN,2,1\nN,3,1,1\nN,4,0,1\nE,1,2,3,3\nE,1,3,4,4\n"
    )
    fe = read(text)
    assert [block.kind for block in fe.blocks] == ["shell3"]
    assert fe.mass_properties().mass == pytest.approx(0.01 * RHO)


PLATE281 = f"/PREP7\nET,1,281\nSECTYPE,1,SHELL\nSECDATA,0.01\n{STEEL}"


def test_eight_node_shells_are_curved_shells(read):
    """A plate of 2 x 2 elements as the deck has them and as our own grid has them."""
    grid = {(i, j): 1 + i + 10 * j for i in range(5) for j in range(5) if i % 2 == 0 or j % 2 == 0}
    nodes = "".join(f"N,{n},{i * 0.25},{j * 0.25}\n" for (i, j), n in grid.items())
    cells = ""
    for j in (0, 2):
        for i in (0, 2):
            corner = [grid[i, j], grid[i + 2, j], grid[i + 2, j + 2], grid[i, j + 2]]
            middle = [grid[i + 1, j], grid[i + 2, j + 1], grid[i + 1, j + 2], grid[i, j + 1]]
            cells += "E," + ",".join(map(str, corner + middle)) + "\n"
    fe = read(f"{PLATE281}{nodes}{cells}")
    material = ff.fem.Material(E, NU, RHO)
    own = ff.fem.plate_grid(1.0, 1.0, nx=2, ny=2, thickness=0.01, material=material, quadratic=True)
    assert {block.kind for block in fe.blocks} == {"shell8"}
    elastic = [ff.modal.eigenmodes(m, n=10).elastic.frequency for m in (fe, own)]
    assert_allclose(elastic[0], elastic[1], rtol=1e-9)


def test_six_node_triangles_repeat_their_third_corner(read):
    nodes = "N,1\nN,2,1\nN,3,0,1\nN,4,0.5\nN,5,0.5,0.5\nN,6,0,0.5\n"
    fe = read(f"{PLATE281}{nodes}E,1,2,3,3,4,5,3,6\n")
    assert [block.kind for block in fe.blocks] == ["shell6"]
    assert fe.node_ids[fe.blocks[0].connectivity[0]].tolist() == [1, 2, 3, 4, 5, 6]
    assert fe.mass_properties().mass == pytest.approx(0.5 * 0.01 * RHO)


def test_edge_without_its_middle_node_stays_straight(read):
    """Nodes that the deck leaves out are added; they follow the ends of their edge, rotations too."""
    nodes = "N,1\nN,2,1\nN,3,1,1\nN,4,0,1\nN,5,0.5\nN,7,0.5,1\n"
    fe = read(f"{PLATE281}{nodes}E,1,2,3,4,5,,7\n")
    assert [block.kind for block in fe.blocks] == ["shell8"]
    assert fe.nnode == 8
    assert fe.ndof == 6 * 6
    assert fe.mass_properties().mass == pytest.approx(0.01 * RHO)
    assert (ff.modal.eigenmodes(fe, n=8).frequency > 1.0).sum() == 2  # six rigid motions and no other without energy
    bare = read(f"{PLATE281}{nodes}E,1,2,3,4\n")
    assert [block.kind for block in bare.blocks] == ["shell4"]


# solids

CORNERS = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
CUBE = "".join(f"N,{k + 1},{x},{y},{z}\n" for k, (x, y, z) in enumerate([*CORNERS, (0.5, 0.5, 0.5)]))


def test_a_cube_of_wedges_pyramids_and_tetrahedra_has_its_mass_and_passes_the_patch_test(read):
    wedges = "E,1,2,3,3,5,6,7,7\nE,1,3,4,4,5,7,8,8\n"
    faces = [(1, 2, 3, 4), (8, 7, 6, 5), (1, 5, 6, 2), (2, 6, 7, 3), (3, 7, 8, 4), (4, 8, 5, 1)]
    pyramids = "".join(f"E,{a},{b},{c},{d},9,9,9,9\n" for a, b, c, d in faces)
    tets = "".join(f"E,{a},{b},{c},{c},9,9,9,9\nE,{a},{c},{d},{d},9,9,9,9\n" for a, b, c, d in faces)
    H = np.array([[1.0, 0.5, -0.3], [0.2, -0.7, 0.4], [0.6, 0.1, 0.9]])
    for cells, kind in ((wedges, "wedge6"), (pyramids, "pyramid5"), (tets, "tet4")):
        fe = read(f"/PREP7\nET,1,SOLID185\n{STEEL}{CUBE}{cells}")
        assert {block.kind for block in fe.blocks} == {kind}
        assert fe.mass_properties().mass == pytest.approx(RHO, rel=1e-12)
        if kind != "wedge6":
            inner = fe.row_of(8, 0) + np.arange(3)
            u = (fe.nodes @ H.T)[fe.dofs[:, 0] - 1, fe.dofs[:, 1]]
            force = fe.stiffness() @ u
            assert np.abs(force[inner]).max() < 1e-9 * np.abs(force).max()


@pytest.mark.parametrize("element", [45, 185, 95, 186])
@pytest.mark.parametrize(
    ("corners", "kind", "volume"),
    [
        ("1,2,3,4,5,6,7,8", "hex8", 1.0),
        ("1,2,3,3,5,6,7,7", "wedge6", 1 / 2),
        ("1,2,3,4,5,5,5,5", "pyramid5", 1 / 3),
        ("1,2,3,3,5,5,5,5", "tet4", 1 / 6),
        ("1,2,3,4,5,6,6,5", "hex8", 1 / 2),  # a wedge lying on its side, which ANSYS does not describe
    ],
)
def test_degenerate_bricks_have_their_volume(report, element, corners, kind, volume):
    """Without mid-side nodes quadratic bricks are linear ones."""
    places = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
    nodes = "".join(f"N,{k},{x},{y},{z}\n" for k, (x, y, z) in enumerate(places, start=1))
    found = report(f"/PREP7\nET,1,{element}\n{STEEL}{nodes}E,{corners}\n")
    assert [block.kind for block in found.model.blocks] == [kind]
    along_x = (np.arange(found.model.ndof) % 3 == 0).astype(float)
    assert_allclose(along_x @ found.model.mass() @ along_x, RHO * volume, rtol=EXACT)
    assert any("coincident corners" in warning for warning in found.report.warnings) == (corners.endswith("6,6,5"))


def test_dropped_mid_side_node_stays_in_the_middle(read):
    """ANSYS lets an edge without its node stay straight."""
    corner = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
    edges = [(0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4), (0, 4), (1, 5), (2, 6), (3, 7)]
    places = np.array([*corner, *((np.array(corner[a]) + corner[b]) / 2 for a, b in edges)])
    nodes = "".join(f"N,{k + 1},{x},{y},{z}\n" for k, (x, y, z) in enumerate(places.tolist()) if k != 9)
    first, rest = "E,1,2,3,4,5,6,7,8", "EMORE,9,0,11,12,13,14,15,16\nEMORE,17,18,19,20"
    fe = read(f"/PREP7\nET,1,186\nKEYOPT,1,2,1\n{STEEL}{nodes}{first}\n{rest}\n")
    assert (fe.nnode, fe.ndof, len(fe.couplings)) == (20, 57, 3)
    x = np.zeros(fe.ndof)
    x[fe.rows([(2, "ux"), (3, "ux")])] = [1.0, 3.0]
    middle = fe.expand(x)[np.flatnonzero(fe.node_ids == 21)[0]]
    assert_allclose(middle[:3], [2.0, 0, 0])
    values = np.linalg.eigvalsh(fe.stiffness().toarray())
    assert (values < 1e-9 * values[-1]).sum() == 6


@pytest.mark.parametrize(
    ("element", "key", "kind"),
    [
        (186, "", "hex20_reduced"),
        (186, "KEYOPT,1,2,1\n", "hex20"),
        (95, "", "hex20"),
        (95, "KEYOPT,1,11,1\n", "hex20_reduced"),
    ],
)
def test_integration_follows_the_key_options(tmp_path, element, key, kind):
    deck = tmp_path / "plate.cdb"
    ff.io.write(deck, ff.fem.solid_box((2, 2, 1), (2, 2, 1), "hex20_reduced", material=ff.fem.Material(2e11)))
    text = deck.read_text()
    assert text.count("ET,1,186\n") == 1
    deck.write_text(text.replace("ET,1,186\n", f"ET,1,{element}\n{key}"))
    assert [block.kind for block in ff.io.read(deck).blocks] == [kind]


@pytest.mark.parametrize(("key", "noted"), [("", True), ("KEYOPT,1,2,1\n", True), ("KEYOPT,1,2,3\n", False)])
def test_report_tells_how_linear_bricks_bend(report, key, noted):
    nodes = "".join(f"N,{k},{k & 1},{k >> 1 & 1},{k >> 2 & 1}\n" for k in range(8)).replace("N,0,", "N,8,")
    found = report(f"/PREP7\nET,1,185\n{key}{STEEL}{nodes}E,8,1,3,2,4,5,7,6\n")
    assert any("incompatible modes" in sentence for sentence in found.report.notes) == noted


# materials


def test_tables_are_read_at_a_chosen_temperature(report):
    text = (
        "/PREP7\nET,1,LINK180\nSECTYPE,1,LINK\nSECDATA,1e-4\n"
        "MPTEMP,R5.0, 3, 1,  20.0,  100.0,  200.0,\nMPDATA,R5.0, 3,EX  ,  1, 1, 2.1E+11, 2.0E+11, 1.8E+11,\n"
        f"MP,DENS,1,7850\n{line(1)}E,1,2\n"
    )
    assert pytest.approx(1.9e11) == report(text, temperature=150.0).model.blocks[0].material.E
    found = report(text)
    assert pytest.approx(2.1e11) == found.model.blocks[0].material.E
    assert any("depends on temperature" in sentence for sentence in found.report.warnings)
    generated = text.replace("MPTEMP,R5.0, 3, 1,  20.0,  100.0,  200.0,", "MPTGEN,1,3,0,100")
    assert pytest.approx(2.05e11) == report(generated, temperature=50.0).model.blocks[0].material.E
    with_reference = text.replace("/PREP7\n", "/PREP7\nTREF,100\n")
    assert pytest.approx(2.0e11) == report(with_reference).model.blocks[0].material.E
    for own in ("BFUNIF,TEMP,150", "TUNIF,150", "BFUNIF,TEMP,150\nBFUNIF,TEMP,_TINY"):
        warm = report(with_reference + f"FINISH\n/SOLU\n{own}\n")
        assert pytest.approx(1.9e11) == warm.model.blocks[0].material.E
        assert any("BFUNIF = 150" in sentence for sentence in warm.report.warnings)
    for none in ("BFUNIF,TEMP,_TINY", "BFUNIF,FLUE,150", "TUNIF"):
        assert pytest.approx(2.0e11) == report(with_reference + f"{none}\n").model.blocks[0].material.E


def test_polynomial_material(read):
    text = f"/PREP7\nET,1,LINK180\nSECTYPE,1,LINK\nSECDATA,1e-4\nMP,EX,1,2e11,-1e8\nMP,DENS,1,7850\n{line(1)}E,1,2\n"
    assert pytest.approx(1.9e11) == read(text, temperature=100.0).blocks[0].material.E


def test_poisson_ratio_from_shear_modulus_or_default(read):
    text = f"/PREP7\nET,1,LINK180\nSECTYPE,1,LINK\nSECDATA,1e-4\nMP,EX,1,2e11\n{line(1)}E,1,2\n"
    assert read(text).blocks[0].material.nu == 0.3
    assert read(text.replace("MP,EX", "MP,GXY,1,8e10\nMP,EX")).blocks[0].material.nu == pytest.approx(0.25)


# supports and couplings


def test_support_in_turned_axes_lets_the_node_slide(read):
    """A bar pushed down a slope of 30 degrees: the node moves along the slope only."""
    fe = read(beam4(4) + "D,1,ALL\nN,5,2,0,0,30\nD,5,UY\n")
    u = ff.modal.solve_static(fe, loads={(5, "uy"): -100.0})[4]
    normal = np.array([-np.sin(np.pi / 6), np.cos(np.pi / 6), 0.0])
    assert abs(u[:3] @ normal) < 1e-12 * np.abs(u).max()
    assert u[0] < 0
    assert len(fe.couplings) == 1


def test_two_supports_in_turned_axes_leave_one_direction(read):
    fe = read(beam4(4) + "D,1,ALL\nN,5,2,0,0,30,20,10\nD,5,UX,,,,,UZ\n")
    u = ff.modal.solve_static(fe, loads={(5, "uy"): -100.0, (5, "uz"): 30.0})[4, :3]
    from floatframe.io.ansys.apdl.systems import rotation

    axes = rotation(np.array([[30.0, 20.0, 10.0]]))[0]
    assert_allclose(u @ axes[:, [0, 2]], 0, atol=1e-12 * np.abs(u).max())
    assert np.abs(u).max() > 0


def test_a_turned_model_with_turned_nodes_has_the_same_frequencies(read):
    """All nodes turned with the structure: supports and equations in nodal axes turn with it."""

    def deck(angle: float) -> str:
        c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
        nodes = "".join(f"N,{k + 1},{0.5 * k * c},{0.5 * k * s},0,{angle}\n" for k in range(5))
        more = f"N,6,{2 * c - 0.3 * s},{2 * s + 0.3 * c},0,{angle}\nN,7,{2 * c - 0.8 * s},{2 * s + 0.8 * c},0,{angle}\n"
        cells = "".join(f"E,{k},{k + 1}\n" for k in (1, 2, 3, 4)) + "E,6,7\n"
        ties = "CE,1,0,6,UX,1,5,UX,-1,5,ROTZ,0.3\nCE,2,0,6,UY,1,5,UY,-1\nCP,1,UZ,6,5\nCP,2,ROTX,5,6\n"
        ties += "CP,3,ROTY,5,6\nCP,4,ROTZ,5,6\nD,1,ALL\nD,7,UX\nD,7,ROTZ\n"
        section = f"ET,1,188\nSECTYPE,1,BEAM,RECT\nSECDATA,{B},{H}\n"
        return f"/PREP7\n{section}{STEEL}{nodes}{more}{cells}{ties}"

    assert_allclose(frequencies(read(deck(37.0)), n=6), frequencies(read(deck(0.0)), n=6), rtol=1e-8)


def test_equations_and_coupled_sets_tie_two_parts_into_one(read):
    """Two beams that meet in two nodes tied by CE or CP vibrate as one beam."""
    whole = frequencies(read(beam4(4)), fixed=[1])
    area, iy, iz = B * H, B * H**3 / 12, H * B**3 / 12
    head = f"/PREP7\nET,1,BEAM4\nR,1,{area},{iz},{iy}\n{STEEL}{line(4)}N,6,1\nN,100,0,1,0\n"
    cells = "E,1,2,100\nE,2,3,100\nE,6,4,100\nE,4,5,100\n"
    labels = ("UX", "UY", "UZ", "ROTX", "ROTY", "ROTZ")
    equations = "".join(f"CE,{k + 1},0,3,{lab},1,6,{lab},-1\n" for k, lab in enumerate(labels))
    archive = "".join(
        f"CE,R5.0,DEFI,       2,       {k + 1},  0.00000000    \n"
        f"CE,R5.0,NODE,       3,{lab:4s},  1.00000000    ,       6,{lab:4s}, -1.00000000    ,\n"
        for k, lab in enumerate(labels)
    )
    for ties in (equations, archive, "CP,1,ALL,3,6\n", "CERIG,3,6,ALL\n"):
        assert_allclose(frequencies(read(head + cells + ties), fixed=[1]), whole, rtol=1e-8)


def test_equations_at_a_node_that_only_a_massless_element_holds(read):
    """MASS21 with KEYOPT(3) = 0 gives a pilot node its rotations, even without mass: CE as CERIG writes them."""
    head = beam4(2) + "N,20,2,0.5,0\nET,2,21\nR,2,0,0,0,0,0,0\nTYPE,2\nREAL,2\nE,20\nET,3,21\nR,3,4,4,4,0,0,0\nTYPE,3\n"
    head += "REAL,3\nN,30,2,0.5,0\nE,30\nCERIG,20,30,UXYZ\n"
    ties = "CE,1,0,3,UX,1,20,UX,-1,20,ROTZ,-0.5\nCE,2,0,3,UY,1,20,UY,-1\nCE,3,0,3,UZ,1,20,UZ,-1\nCE,3,0,20,ROTX,0.5\n"
    ties += "".join(f"CE,{4 + k},0,3,{lab},1,20,{lab},-1\n" for k, lab in enumerate(("ROTX", "ROTY", "ROTZ")))
    tied, rigid = read(head + ties), read(head + "CERIG,20,3,ALL\n")
    assert_allclose(frequencies(tied, fixed=[1]), frequencies(rigid, fixed=[1]), rtol=1e-8)


def test_redundant_and_chained_equations(read):
    """Saying the same twice, or in a circle, changes nothing."""
    fe = read(beam4(3) + "CP,1,UY,2,3\nCP,2,UY,3,4\nCE,9,0,4,UY,2,2,UY,-2\nCP,3,UY,4,2\n")
    assert len(fe.couplings) == 2
    assert fe.ndof == 24 - 2


def test_conditions_on_nodes_of_a_rigid_region_hold_the_region(read):
    """CE and D on nodes that CERIG ties say the same as CE and D on its reference node."""
    area, iy, iz = B * H, B * H**3 / 12, H * B**3 / 12
    head = f"/PREP7\nET,1,BEAM4\nR,1,{area},{iz},{iy}\n{STEEL}N,1\nN,2,1\nN,3,2\nN,4,0,1\nN,5,1,1\nN,6,2,1\n"
    head += "E,1,2\nE,2,3\nE,4,5\nE,5,6\nCERIG,1,2,ALL\nCERIG,4,5,ALL\nD,6,ALL\n"
    on_members = read(head + "CE,1,0,2,UY,1,5,UY,-1\nD,2,ROTX\n")
    on_references = read(head + "CE,1,0,1,UY,1,1,ROTZ,1,4,UY,-1\nCE,1,0,4,ROTZ,-1\nD,1,ROTX\n")
    # six nodes, two of them follow, one is held; of the other eighteen one equation and one support take two
    assert [fe.free_rows().size for fe in (on_members, on_references)] == [16, 16]
    K, M = ([matrix(fe) for fe in (on_members, on_references)] for matrix in (_free_stiffness, _free_mass))
    squares = [eigh(k, m, eigvals_only=True) for k, m in zip(K, M, strict=True)]
    assert_allclose(squares[0], squares[1], rtol=1e-8, atol=1e-8 * squares[0].max())


def test_a_held_remote_point_holds_the_mean_of_its_surface(read):
    """D on the pilot of a distributed coupling needs no further choice; the mean of its nodes stays in place."""
    fe = read(remote_point(BONDED + "KEYOPT,3,4,1\n"))
    u = ff.modal.solve_static(fe, loads={(1, "ux"): 1.0e6})
    rows = fe.node_index([3, 6, 9, 12])
    assert abs(u[rows, 0].mean()) < 1e-9 * abs(u[fe.node_index(1)[0], 0])


def test_displacements_by_component_and_pattern(read):
    fe = read(
        beam4(4)
        + "D,1,UX,0,,5,2\nNSEL,S,NODE,,2,4,2\nCM,PAIR,NODE\nNSEL,ALL\nD,PAIR,ROTX\nCMSEL,S,PAIR\nD,ALL,UZ\nALLSEL\n"
    )
    assert {tuple(row) for row in fe.supports.tolist()} == {(1, 0), (3, 0), (5, 0), (2, 3), (4, 3), (2, 2), (4, 2)}


def remote_point(contact: str, target: str = "KEYOPT,4,4,111111\n") -> str:
    """Two bricks with a pilot node bonded to the end face."""
    nodes = "".join(f"N,{1 + i + 3 * j + 6 * k},{i},{j},{k}\n" for k in (0, 1) for j in (0, 1) for i in (0, 1, 2))
    cells = "".join(f"E,{a},{a + 1},{a + 4},{a + 3},{a + 6},{a + 7},{a + 10},{a + 9}\n" for a in (1, 2))
    pair = f"ET,3,174\nET,4,170\n{contact}{target}TYPE,3\nREAL,3\nE,3,6,12,9\n"
    pair += "N,50,2.5,0.5,0.5\nTYPE,4\nTSHAPE,PILO\nE,50\n"
    return f"/PREP7\nET,1,185\n{STEEL}{nodes}{cells}{pair}D,50,ALL\n"


BONDED = "KEYOPT,3,2,2\nKEYOPT,3,12,5\n"


def test_bonded_remote_points_become_couplings(read):
    rigid, spread = read(remote_point(BONDED + "KEYOPT,3,4,2\n")), read(remote_point(BONDED + "KEYOPT,3,4,1\n"))
    assert [type(c) for c in rigid.couplings + spread.couplings] == [RBE2, RBE3]
    assert rigid.couplings[0].dependents == (3, 6, 9, 12)
    part = read(remote_point(BONDED + "KEYOPT,3,4,2\n", "KEYOPT,4,4,000111\n"))
    assert part.couplings[0].components == "ux,uy,uz"
    stiff = frequencies(rigid, n=1)[0]
    soft = frequencies(spread.with_independent(50), n=1)[0]
    assert 0 < soft < stiff


def test_a_pilot_node_may_lead_all_nodes_alike(read):
    fe = read(remote_point(BONDED + "KEYOPT,3,4,3\n", "KEYOPT,4,4,000110\n").replace("D,50,ALL", "D,1,ALL"))
    # uy and uz of the four nodes are those of the pilot
    assert {coupling.terms[0][:2] for coupling in fe.couplings} == {(n, k) for n in (3, 6, 9, 12) for k in (1, 2)}


def test_contact_that_opens_is_a_lost_coupling(report):
    found = report(remote_point("KEYOPT,3,12,0\n"))
    assert not found.model.couplings
    assert [(entry.card, entry.what) for entry in found.report.lost] == [("CONTA174 TARGE170", "coupling")]
    assert "--drop CONTA174-TARGE170" in found.report.refusal


def test_rigid_beams_form_rigid_bodies(read):
    text = (
        beam4(2)
        + "N,20,2,1\nN,21,2,1,1\nET,5,184\nKEYOPT,5,1,1\nTYPE,5\nE,3,20\nE,20,21\n"
        + "ET,6,21\nKEYOPT,6,3,2\nR,6,5\nTYPE,6\nREAL,6\nE,21\n"
    )
    (rigid,) = read(text).couplings
    assert isinstance(rigid, RBE2)
    assert {rigid.reference, *rigid.dependents} == {3, 20, 21}


# language


def test_local_systems_place_nodes(read):
    text = (
        f"/PREP7\nET,1,LINK8\nR,1,1e-4\n{STEEL}CSYS,1\nN,1,2,90\nCSYS,0\nN,2\nLOCAL,11,1,1,0,0,0,90,0\nN,3,2,90,5\nCSYS,0\n"
        "N,10,1,1,1\nN,11,1,2,1\nN,12,0,1,1\nCS,12,0,10,11,12\nN,4,1,2,3\nE,1,2\nE,2,3\nE,3,4\n"
    )
    fe = read(text)
    # system 11: cylinder about -y of the model, theta = 90 is its y axis, the model's z
    assert_allclose(fe.nodes[:4], [[0, 2, 0], [0, 0, 0], [1, -5, 2], [-1, 2, 4]], atol=1e-12)


def test_nodes_turned_into_a_cylinder_hold_the_radius(read):
    nodes = "".join(f"N,{k + 1},2,{30 * k}\n" for k in range(4))
    cells = "".join(f"E,{k},{k + 1}\n" for k in (1, 2, 3))
    head = f"/PREP7\nET,1,188\nSECTYPE,1,BEAM,RECT\nSECDATA,{B},{H}\n{STEEL}CSYS,1\n{nodes}NROTAT,ALL\n{cells}"
    fe = read(head + "D,1,ALL\nD,4,UX\n")  # node 4 at 90 degrees: radial is global y
    u = ff.modal.solve_static(fe, loads={(4, "ux"): 10.0, (4, "uy"): 5.0})
    assert abs(u[3, 1]) < 1e-12 * np.abs(u).max()


def test_generation_commands(read):
    fe = read(f"/PREP7\nET,1,LINK8\nR,1,1e-4\n{STEEL}N,1\nN,5,4\nFILL,1,5\nNGEN,2,10,1,5,1,,1\nE,1,2\nEGEN,4,1,1\n")
    assert_allclose(fe.nodes[fe.node_index([2, 3, 4])][:, 0], [1, 2, 3])
    assert_allclose(fe.nodes[fe.node_index([11, 15])], [[0, 1, 0], [4, 1, 0]])
    assert_array_equal(
        fe.node_ids[np.concatenate([b.connectivity for b in fe.blocks])], [[1, 2], [2, 3], [3, 4], [4, 5]]
    )


def test_parameters_conditions_and_separators(read):
    text = (
        f"/PREP7\nL = 1.5 ! length\n*SET,N2,3*(L+0.5)/2 $ AREA=1e-4\nET,1,LINK8 $ R,1,AREA\n{STEEL}N,1\nN,2,N2\n"
        "*IF,UNKNOWN,EQ,1,THEN\nN,2,99\n*ELSE\nN,3,L**2\n*ENDIF\n*IF,L,GT,1,THEN\nE,1,2\n*ELSE\nE,1,3\n*ENDIF\nE,2,3\n"
    )
    fe = read(text)
    assert_allclose(fe.nodes[:, 0], [0, 3.0, 2.25])
    assert fe.nelement == 2


@pytest.mark.parametrize("a", [1, 2, 3])
def test_one_branch_of_a_condition_counts(read, a):
    """Inside a block that is passed over, no branch of an inner one counts either."""
    inner = "*IF,1,EQ,2,THEN\nN,9,9\n*ELSE\nN,9,9\n*ENDIF\n"
    text = (
        f"/PREP7\nA={a}\nET,1,LINK8\nR,1,1e-4\n{STEEL}N,1\n*IF,A,EQ,1,THEN\nN,2,1\n*ELSEIF,A,EQ,2,THEN\nN,2,2\n"
        f"*ELSE\nN,2,3\n*ENDIF\n*IF,A,GT,5,THEN\n{inner}*ENDIF\nE,1,2\n"
    )
    assert_allclose(read(text).nodes, [[0, 0, 0], [a, 0, 0]])


@pytest.mark.parametrize(("condition", "holds"), [("1,EQ,1,AND,1,EQ,2", 0), ("1,EQ,2,OR,2,EQ,2", 1), ("1,LT,2", 1)])
def test_joined_conditions(read, condition, holds):
    text = f"/PREP7\nET,1,LINK8\nR,1,1e-4\n{STEEL}N,1\nN,2,5\n*IF,{condition},THEN\nN,2,7\n*ENDIF\nE,1,2\n"
    assert read(text).nodes[1, 0] == (7.0 if holds else 5.0)


def test_conditions_that_are_not_understood_are_reported(report):
    text = f"/PREP7\nET,1,LINK8\nR,1,1e-4\n{STEEL}N,1\nN,2,5\nE,1,2\n*IF,'A',GT,1,THEN\n*ENDIF\n*IF,1,EQ,1,:GO\n"
    message = " ".join(report(text).report.warnings)
    assert "'A',GT,1" in message
    assert ":GO may jump" in message


def test_a_node_without_number_follows_the_largest_of_all(read):
    block = "NBLOCK,6,SOLID,7,1\n(3i9,6e21.13e3)\n        7        0        0  1.0000000000000E+000\n-1\n"
    fe = read(f"/PREP7\nET,1,LINK8\nR,1,1e-4\n{STEEL}{block}N,,5\nE,7,8\n")
    assert_array_equal(fe.node_ids, [7, 8])


def test_fill_runs_backwards_and_needs_its_ends(read):
    head = f"/PREP7\nET,1,LINK8\nR,1,1e-4\n{STEEL}N,1\nN,5,4\n"
    fe = read(f"{head}FILL,5,1\nE,1,2\n")
    assert_allclose(fe.nodes[fe.node_index([2, 3, 4])][:, 0], [1, 2, 3])
    with pytest.raises(ReadError, match="line 9: FILL runs from node 11 to node 15"):
        read(f"{head}FILL,1,5,,,,2,10\nE,1,2\n")


@pytest.mark.parametrize("command", ["TBCOPY,1,2", "DL,1,,ALL", "CECYC"])
def test_commands_that_change_the_structure_are_lost(report, command):
    text = f"/PREP7\nET,1,LINK8\nR,1,1e-4\n{STEEL}N,1\nN,2,5\nE,1,2\nPSTRES,OFF\n{command}\n"
    name = command.split(",")[0]
    assert [entry.card for entry in report(text).report.lost] == [name]


@pytest.mark.parametrize("command", ["CNCHECK,AUTO", "CMWRITE,a", "RSTSUPPRESS,NODE", "/GRAPHICS,FULL", "OUTRES,ALL"])
def test_commands_without_structure_are_no_reason_to_refuse(report, command):
    text = f"/PREP7\nET,1,LINK8\nR,1,1e-4\n{STEEL}N,1\nN,2,5\nE,1,2\n{command}\n"
    assert report(text, strict=True).model.nelement == 1


def test_stress_stiffening_is_ignored_physics(report):
    text = f"/PREP7\nET,1,LINK8\nR,1,1e-4\n{STEEL}N,1\nN,2,5\nE,1,2\nPSTRES,ON\n"
    assert [entry.card for entry in report(text).report.ignored_physics] == ["PSTRES"]


def test_included_files_are_lost_where_the_model_is_made(report):
    text = f"/INPUT,settings\n/PREP7\nET,1,LINK8\nR,1,1e-4\n{STEEL}N,1\nN,2,5\nE,1,2\n"
    assert not report(text).report.lost
    assert [entry.card for entry in report(text + "/INPUT,more,dat\n").report.lost] == ["/INPUT"]


@pytest.mark.parametrize(("element", "place"), [(63, 19), (43, 8), (93, 6), (181, 6)])
def test_added_mass_of_shells_is_theirs(report, element, place):
    reals = ["0.01", *["0"] * 18]
    reals[place - 1] = "7"
    more = "".join("RMORE," + ",".join(reals[k : k + 6]) + "\n" for k in (6, 12, 18))
    corners = "N,1\nN,2,1\nN,3,1,1\nN,4,0,1\n"
    text = f"/PREP7\nET,1,{element}\nR,1,{','.join(reals[:6])}\n{more}{STEEL}{corners}E,1,2,3,4\n"
    plate = report(text).model
    shift = np.tile([1.0, 0.0, 0.0, 0.0, 0.0, 0.0], len(plate.nodes))
    assert shift @ plate.mass() @ shift == pytest.approx(0.01 * RHO + 7, rel=EXACT)
    turned = text.replace(",7", ",0").replace("0.01,0,0,0,0", "0.01,0,0,0,30") if element == 181 else ""
    assert not turned or not report(turned).report.ignored


def test_line_ends_marks_and_foreign_comments_change_nothing(read):
    text = beam4(3) + "D,1,ALL\n"
    plain = read(text)
    windows = text.replace("\n", "\r\n").encode()
    marked = b"\xef\xbb\xbf" + text.encode()
    commented = ("! Рама тележки\n".encode("cp1251") + text.encode()).replace(
        b"ET,1", "/COM,Балка\nET,1".encode("cp1251")
    )
    for variant in (windows, marked, commented):
        fe = read(variant)
        assert_array_equal(fe.nodes, plain.nodes)
        assert_array_equal(fe.supports, plain.supports)
        assert (fe.stiffness() != plain.stiffness()).nnz == 0


def test_declared_units_that_are_not_used_are_pointed_out(report):
    found = report("/UNITS,MPA\n" + beam4(1))
    assert any("mm-t-s" in sentence for sentence in found.report.warnings)


def test_hollow_rectangle_with_four_walls(read):
    """HREC has its origin in the lower left corner: left, right, bottom and top wall follow width and height."""
    head = "/PREP7\nET,1,188\nSECTYPE,1,BEAM,HREC\nSECDATA,0.1,0.2,0.002,0.005,0.008,0.004\nSECOFFSET,ORIGIN\n"
    fe = read(f"{head}{STEEL}{line(1)}N,9,0,0,1\nE,1,2,9\n")
    areas = {(0.001, 0.102): 0.002 * 0.188, (0.0975, 0.102): 0.005 * 0.188,
             (0.05, 0.004): 0.1 * 0.008, (0.05, 0.198): 0.1 * 0.004}  # fmt: skip
    total = sum(areas.values())
    centre = [sum(place[k] * area for place, area in areas.items()) / total for k in (0, 1)]
    assert pytest.approx(total, rel=1e-12) == fe.blocks[0].section.A
    assert_allclose(fe.mass_properties().com, [1.0, *centre], rtol=1e-9)


def test_an_archive_that_cdread_names_is_read(report, tmp_path):
    part = f"/PREP7\nET,1,LINK8\nR,1,1e-4\n{STEEL}N,1\nN,2,5\nE,1,2\nFINISH\n"
    (tmp_path / "part.cdb").write_text(part)
    found = report("/PREP7\nCDREAD,DB,part\nN,3,9\nE,2,3\n")
    assert found.model.nelement == 2
    assert not found.report.lost
