"""Decks of Abaqus and CalculiX describe the structures our own builders make."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.linalg
from numpy.testing import assert_allclose, assert_array_equal

import floatframe as ff
from floatframe.errors import ReadError
from floatframe.fem import MPC, RBE2, RBE3, BeamSection, ElementBlock, FEModel, Material, ShellSection

STEEL = Material(2.1e11, 0.3, 7850.0)
MATERIAL = """*MATERIAL, NAME=STEEL
*ELASTIC
2.1e11, .3
*DENSITY
7850.,
"""
SAME = 1e-9  # two ways to one pencil: round-off of assembly and eigenvalues


def read(tmp_path, text, **options):
    path = tmp_path / "deck.inp"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return ff.io.read(path, **options)


def frequencies(fe, n=6, fixed=()):
    """Return the lowest frequencies [Hz] by a dense solution, which these small models allow."""
    free = fe.free_rows(fixed)
    K, M = (matrix.toarray()[np.ix_(free, free)] for matrix in (fe.stiffness(), fe.mass()))
    squares = scipy.linalg.eigh(K, M, eigvals_only=True, subset_by_index=(0, n - 1))
    return np.sqrt(np.maximum(squares, 0.0)) / (2.0 * np.pi)


def written(fe, kind):
    """Return *NODE and *ELEMENT cards of a model with one block."""
    nodes = "".join(
        f"{n}, {x!r}, {y!r}, {z!r}\n" for n, (x, y, z) in zip(fe.node_ids.tolist(), fe.nodes.tolist(), strict=True)
    )
    elements = ""
    for number, row in enumerate(fe.node_ids[fe.blocks[0].connectivity].tolist(), start=1):
        words = [str(number), *map(str, row)]
        # many nodes go on in a second line, after a comma
        elements += ", ".join(words[:12]) + (",\n" + ", ".join(words[12:]) if len(words) > 12 else "") + "\n"
    return f"*NODE, NSET=ALL\n{nodes}*ELEMENT, TYPE={kind}, ELSET=E\n{elements}"


def brick(kind, deck_kind, more="", size=(0.3, 0.2, 0.1), counts=(3, 2, 2)):
    fe = ff.fem.solid_box(size, counts, kind, material=STEEL)
    deck = written(fe, deck_kind) + MATERIAL + "*SOLID SECTION, ELSET=E, MATERIAL=STEEL\n" + more
    return fe, deck


@pytest.mark.parametrize(
    ("kind", "deck_kind"),
    [
        ("tet4", "C3D4"),
        ("tet10", "c3d10"),
        ("hex8", "C3D8I"),
        ("hex20", "C3D20"),
        ("hex20_reduced", "C3D20R"),
        ("wedge6", "C3D6"),
        ("wedge15", "C3D15"),
        ("pyramid5", "C3D5"),
    ],
)
def test_solids_keep_their_nodes_in_order(tmp_path, kind, deck_kind):
    fe, deck = brick(kind, deck_kind)
    got = read(tmp_path, deck)
    assert [block.kind for block in got.blocks] == [kind]
    assert_array_equal(got.blocks[0].connectivity, fe.blocks[0].connectivity)
    assert_array_equal(got.nodes, fe.nodes)
    assert got.blocks[0].material == Material(2.1e11, 0.3, 7850.0, name="STEEL")


BEAM = """*HEADING
cantilever along x; n1 along y: 2 cm wide, 3 cm high
*NODE
 1, 0., 0., 0.
 11, 1., 0., 0.
 {middle}
*ELEMENT, TYPE={kind}, ELSET=E
{elements}
*BEAM SECTION, ELSET=E, MATERIAL=STEEL, SECTION=RECT{options}
0.02, 0.03
{n1}
*BOUNDARY
1, ENCASTRE
"""


ONE_BEAM = "*NODE\n1\n2, 1.\n*ELEMENT, TYPE=B31, ELSET=E\n1,1,2\n"


def cantilever(tmp_path, kind="B31", elements="1, 1, 11", n1="0., 1., 0.", options="", middle=""):
    text = BEAM.format(kind=kind, elements=elements, n1=n1, options=options, middle=middle) + MATERIAL
    return read(tmp_path, text)


def test_beam_section_has_its_width_along_n1(tmp_path):
    fe = cantilever(tmp_path)
    section = fe.blocks[0].section
    assert_allclose([section.A, section.Iz, section.Iy], [6e-4, 0.03 * 0.02**3 / 12, 0.02 * 0.03**3 / 12])
    assert_allclose(fe.blocks[0].data["orientation"], [[0, 0, 1]])
    # the tip yields like L^3 / 3EI along z with the larger moment
    free = fe.free_rows()
    flexibility = scipy.linalg.inv(fe.stiffness().toarray()[np.ix_(free, free)])
    tip = free.tolist().index(fe.rows([(11, "uz")])[0])
    assert_allclose(flexibility[tip, tip], 1.0 / (3 * 2.1e11 * section.Iy), rtol=1e-3)  # shear adds 0.7 h^2 / L^2


def test_orientation_node_and_default_direction(tmp_path):
    by_node = cantilever(tmp_path, elements="1, 1, 11, 12", middle="12, 0., 5., 0.", n1="0., 0., 1.")
    by_default = cantilever(tmp_path, n1="")
    assert_allclose(by_node.blocks[0].data["orientation"], [[0, 0, 1]])
    assert_allclose(by_default.blocks[0].data["orientation"], [[0, 1, 0]])  # n1 = (0, 0, -1)


def test_three_node_beam_is_two_beams(tmp_path):
    fe = cantilever(tmp_path, kind="B32", elements="1, 1, 6, 11", middle="6, .5, 0., 0.")
    ours = ff.fem.beam_line((0, 0, 0), (1, 0, 0), 2, BeamSection.rectangle(0.02, 0.03), STEEL)
    assert fe.nelement == 2
    assert_array_equal(fe.element_sets["E"], [1, 2])
    assert_allclose(frequencies(fe), frequencies(ours, fixed=[1]), rtol=SAME)


def test_offset_puts_the_axis_below_the_nodes(tmp_path):
    fe = cantilever(tmp_path, options=", OFFSET2=0.5")
    assert_allclose(fe.blocks[0].data["offsets"], [[[0, 0, -0.015]] * 2], atol=1e-15)


@pytest.mark.parametrize(
    ("shape", "sizes", "expected"),
    [
        ("CIRC", "0.02", BeamSection.circle(0.04)),
        ("PIPE", "0.05, 0.004", BeamSection.tube(0.1, 0.004)),
        ("BOX", "0.1, 0.2, .005, .008, .005, .008", BeamSection.box(0.1, 0.2, 0.005, 0.008)),
        ("I", "0.1, 0.2, .1, .1, .01, .01, .006", BeamSection.i_section(0.1, 0.2, 0.006, 0.01)),
        ("GENERAL", "1e-3, 2e-6, 0., 3e-6, 4e-6", BeamSection(1e-3, 2e-6, 3e-6, 4e-6, ky=1.0, kz=1.0)),
    ],
)
def test_profiles(tmp_path, shape, sizes, expected):
    card = "*BEAM GENERAL SECTION" if shape == "GENERAL" else "*BEAM SECTION"
    deck = f"{ONE_BEAM}{card}, ELSET=E, SECTION={shape}, MATERIAL=STEEL\n{sizes}\n0,1,0\n"
    section = read(tmp_path, deck + MATERIAL).blocks[0].section
    for symbol in ("A", "Iy", "Iz", "J", "ky", "kz"):
        assert_allclose(getattr(section, symbol), getattr(expected, symbol), rtol=1e-12)


def test_round_bar_by_radius_or_diameter(tmp_path):
    deck = f"{ONE_BEAM}*BEAM SECTION, ELSET=E, SECTION=CIRC, MATERIAL=STEEL\n.02\n0,1,0\n"
    assert_allclose(read(tmp_path, deck + MATERIAL).blocks[0].section.A, np.pi * 0.02**2)
    assert_allclose(read(tmp_path, deck + MATERIAL, dialect="calculix").blocks[0].section.A, np.pi * 0.01**2)


def test_shells_with_offset(tmp_path):
    ours = ff.fem.plate_grid(1.0, 0.6, nx=5, ny=3, thickness=0.01, material=STEEL)
    ours = FEModel(
        ours.nodes, (ElementBlock("shell4", ours.blocks[0].connectivity, STEEL, ShellSection(0.01, -0.005)),)
    )
    deck = written(ours, "S4R") + MATERIAL + "*SHELL SECTION, ELSET=E, MATERIAL=STEEL, OFFSET=SPOS\n0.01\n"
    assert_allclose(frequencies(read(tmp_path, deck), 9), frequencies(ours, 9), rtol=SAME, atol=1e-3)


@pytest.mark.parametrize("n", [4, 8])
def test_eight_node_shells_on_their_own_nodes(tmp_path, n):
    """Simply supported square plate, Navier: ω = π² (i² + j²) √(D / ρ t) for unit sides."""
    step = 1.0 / (2 * n)
    number = {}
    for i in range(2 * n + 1):
        for j in range(2 * n + 1):
            if not (i % 2 and j % 2):
                number[i, j] = len(number) + 1
    nodes = "".join(f"{k}, {i * step!r}, {j * step!r}\n" for (i, j), k in number.items())
    cells = ""
    for i in range(0, 2 * n, 2):
        for j in range(0, 2 * n, 2):
            places = ((0, 0), (2, 0), (2, 2), (0, 2), (1, 0), (2, 1), (1, 2), (0, 1))
            cells += f"{len(cells.splitlines()) + 1}, " + ", ".join(str(number[i + a, j + b]) for a, b in places) + "\n"
    rim = "".join(f"{k}, 1, 3\n" for (i, j), k in number.items() if {i, j} & {0, 2 * n})
    deck = f"*NODE\n{nodes}*ELEMENT, TYPE=S8R, ELSET=E\n{cells}*BOUNDARY\n{rim}"
    deck += "*SHELL SECTION, ELSET=E, MATERIAL=STEEL\n.01\n"
    fe = read(tmp_path, deck + MATERIAL)
    assert fe.nnode == len(number)
    D = STEEL.E * 0.01**3 / (12 * (1 - 0.3**2))
    exact = np.pi / 2 * np.sqrt(D / (7850.0 * 0.01)) * np.array([2.0, 5.0, 5.0])
    assert_allclose(frequencies(fe, 3), exact, rtol=0.01 * (4 / n))  # two elements to a half wave, and four


def test_quadratic_shells_of_all_types(tmp_path):
    """A square as S8R5, STRI65 pairs, S9R5 and S8R collapsed to two triangles: the same mass, curved elements."""
    places = [(0, 0), (2, 0), (2, 2), (0, 2), (1, 0), (2, 1), (1, 2), (0, 1), (1, 1)]
    nodes = "*NODE\n" + "".join(f"{k}, {x}, {y}\n" for k, (x, y) in enumerate(places, start=1))
    wall = "*SHELL SECTION, ELSET=E, MATERIAL=STEEL\n.01\n" + MATERIAL
    for name, cells, kind in (
        ("S8R5", "1, 1, 2, 3, 4, 5, 6, 7, 8\n", "shell8"),
        ("S9R5", "1, 1, 2, 3, 4, 5, 6, 7, 8, 9\n", "shell8"),
        ("STRI65", "1, 1, 2, 3, 5, 6, 9\n2, 1, 3, 4, 9, 7, 8\n", "shell6"),
        ("S8R", "1, 1, 2, 3, 3, 5, 6, 3, 9\n2, 1, 1, 3, 4, 1, 9, 7, 8\n", "shell6"),
    ):
        fe = read(tmp_path, f"{nodes}*ELEMENT, TYPE={name}, ELSET=E\n{cells}{wall}")
        assert {block.kind for block in fe.blocks} == {kind}
        assert (
            sorted(number for block in fe.blocks for number in block.element_ids) == [1, 2][: len(cells.splitlines())]
        )
        assert_allclose(fe.mass_properties().mass, 4.0 * 0.01 * 7850.0, rtol=1e-12)
        assert all(
            (block.element.size_measure(batch) > 0).all() for block in fe.blocks for _, batch in block.batches(fe.nodes)
        )


def test_sets_by_range_name_and_number(tmp_path):
    fe, deck = brick("hex8", "C3D8")
    more = """*NSET, NSET=Ends, GENERATE
1, 5
10, 20, 5
*nset, nset=OTHER
ends, 30
31, 32,
*ELSET, ELSET=TWO
1, E
*NSET, NSET=OFELEMENTS, ELSET=TWO
"""
    got = read(tmp_path, deck + more)
    assert_array_equal(got.node_sets["Ends"], [1, 2, 3, 4, 5, 10, 15, 20])
    assert_array_equal(got.node_sets["OTHER"], [1, 2, 3, 4, 5, 10, 15, 20, 30, 31, 32])
    assert_array_equal(got.element_sets["TWO"], np.arange(1, 13))
    assert_array_equal(got.node_sets["OFELEMENTS"], fe.node_ids)
    assert_array_equal(got.node_sets["ALL"], fe.node_ids)


def test_supports_are_those_of_the_frequency_step(tmp_path):
    more = """*BOUNDARY
1, 1, 3
2, 2
*STEP
*STATIC
*BOUNDARY
3, PINNED
*END STEP
*STEP
*FREQUENCY
5
*BOUNDARY, OP=NEW
4, XSYMM
*END STEP
*STEP
*BOUNDARY
5, 1
*END STEP
"""
    held = read(tmp_path, brick("hex8", "C3D8")[1] + more).supports.tolist()
    assert sorted(held) == [[4, 0], [4, 4], [4, 5]]
    held = read(tmp_path, brick("hex8", "C3D8")[1] + more.replace(", OP=NEW", "")).supports.tolist()
    assert sorted(held) == [[1, 0], [1, 1], [1, 2], [2, 1], [3, 0], [3, 1], [3, 2], [4, 0], [4, 4], [4, 5]]


TURN = np.radians(30.0)
TURNED_AXES = f"{np.cos(TURN):.17g}, {np.sin(TURN):.17g}, 0., {-np.sin(TURN):.17g}, {np.cos(TURN):.17g}, 0."


def test_supports_in_turned_axes_hold_the_turned_body(tmp_path):
    """A body turned by 30 degrees, held along its turned axes, has the frequencies of the body held along x."""
    fe, deck = brick("hex8", "C3D8")
    slide = "*NSET, NSET=S\n{}\n*BOUNDARY\nS, 1, 2\n5, 3\n40, 1\n".format(
        ", ".join(map(str, fe.node_ids[fe.nodes[:, 0] == 0][:9]))
    )
    straight = read(tmp_path, deck + slide)
    turned = ff.fem.rotate(fe, "z", TURN)
    deck = written(turned, "C3D8") + MATERIAL + "*SOLID SECTION, ELSET=E, MATERIAL=STEEL\n"
    got = read(tmp_path, deck + slide + f"*TRANSFORM, NSET=ALL, TYPE=R\n{TURNED_AXES}\n")
    assert_allclose(frequencies(got), frequencies(straight), rtol=SAME)


def test_cylindrical_axes(tmp_path):
    """Held round the axis: what a hinge along z leaves of a body is its rotation about z and its motion along z."""
    fe, deck = brick("hex8", "C3D8")
    hold = "*TRANSFORM, NSET=ALL, TYPE=C\n0., 0., 0., 0., 0., 1.\n*NSET, NSET=R\n1, 4, 20, 36\n*BOUNDARY\nR, 1\n"
    got = read(tmp_path, deck + hold)
    x, y = fe.nodes[fe.node_index([1, 4, 20, 36])][:, :2].T
    for node, a, b in zip((4, 20, 36), x[1:], y[1:], strict=True):
        motion = got.rigid_shapes()
        full = got.expand(motion[:, 5])
        assert_allclose(full[node - 1, 0] * a + full[node - 1, 1] * b, 0.0, atol=1e-12)
    assert len(got.supports) + len(got.couplings) == 4


def test_equation_makes_two_dofs_one(tmp_path):
    fe, deck = brick("hex8", "C3D8")
    got = read(tmp_path, deck + "*EQUATION\n3\n36, 1, 1., 1, 1, -1.,\n5, 2, 0.5\n")
    ours = fe.with_coupling(MPC([(36, "ux", 1.0), (1, "ux", -1.0), (5, "uy", 0.5)]))
    assert_allclose(frequencies(got, 8), frequencies(ours, 8), rtol=SAME, atol=1e-2)


def test_chains_of_equations_and_supports_on_dependent_dofs(tmp_path):
    """36 = 35 = 34 along x, and 34 held: all are held; order does not matter."""
    fe, deck = brick("hex8", "C3D8")
    lines = ["*EQUATION\n2\n36,1,1.,35,1,-1.\n", "*EQUATION\n2\n36,1,1.,34,1,-1.\n", "*BOUNDARY\n34, 1\n"]
    ours = fe.with_support([(34, "ux"), (35, "ux"), (36, "ux")])
    for order in ((0, 1, 2), (2, 1, 0), (1, 2, 0)):
        got = read(tmp_path, deck + "".join(lines[k] for k in order))
        assert_allclose(frequencies(got, 8), frequencies(ours, 8), rtol=SAME, atol=1e-2)


def test_control_node_of_an_equation_gets_its_dof(tmp_path):
    """A node without elements drives the mean of two others: holding it holds the mean."""
    fe, deck = brick("hex8", "C3D8")
    deck = deck.replace("*ELEMENT", "900, 9., 9., 9.\n*ELEMENT") + "*EQUATION\n3\n1,3,.5,2,3,.5,900,3,-1.\n"
    free = read(tmp_path, deck)
    assert free.dofs[free.dofs[:, 0] == 900].tolist() == [[900, 0], [900, 1], [900, 2]]
    assert_allclose(frequencies(free, 9)[6:], frequencies(fe, 9)[6:], rtol=1e-7)
    held = read(tmp_path, deck + "*BOUNDARY\n900, 3\n")
    ours = fe.with_coupling(MPC([(1, "uz", 0.5), (2, "uz", 0.5)]))
    assert_allclose(frequencies(held, 8), frequencies(ours, 8), rtol=1e-7, atol=1e-2)


def rim_and_deck(counts=(3, 2, 2)):
    fe, deck = brick("hex8", "C3D8", counts=counts)
    deck = deck.replace("*ELEMENT", "500, .5, .1, .05\n*ELEMENT")
    ours = FEModel(np.vstack([fe.nodes, [0.5, 0.1, 0.05]]), fe.blocks, np.append(fe.node_ids, 500))
    rim = fe.node_ids[np.isclose(fe.nodes[:, 0], 0.3)]
    return ours, deck, rim


@pytest.mark.parametrize(
    "card",
    [
        "*RIGID BODY, NSET=RIM, REF NODE=500\n",
        "*KINEMATIC COUPLING, REF NODE=500\nRIM\n",
        "*SURFACE, NAME=END, TYPE=NODE\nRIM\n*COUPLING, REF NODE=500, SURFACE=END\n*KINEMATIC\n1, 6\n",
        "*MPC\nBEAM, RIM, 500\n",
        "*ELSET, ELSET=L\n{last}\n*SURFACE, NAME=S\nL, {face}\n*COUPLING, REF NODE=500, SURFACE=S\n*KINEMATIC\n",
    ],
)
def test_rigid_couplings(tmp_path, card):
    ours, deck, rim = rim_and_deck()
    expected = frequencies(ours.with_coupling(RBE2(500, rim.tolist())), fixed=[500])
    at_rim = np.isin(ours.node_ids[ours.blocks[0].connectivity], rim)
    last = np.flatnonzero(at_rim.any(axis=1))
    corners = np.flatnonzero(at_rim[last[0]])
    faces = {(0, 1, 2, 3): 1, (4, 5, 6, 7): 2, (0, 1, 4, 5): 3, (1, 2, 5, 6): 4, (2, 3, 6, 7): 5, (0, 3, 4, 7): 6}
    card = card.replace("{last}", ", ".join(map(str, last + 1)))
    card = card.replace("{face}", f"S{faces[tuple(corners.tolist())]}")
    more = f"*NSET, NSET=RIM\n{', '.join(map(str, rim))}\n{card}*BOUNDARY\n500, 1, 6\n"
    assert_allclose(frequencies(read(tmp_path, deck + more)), expected, rtol=SAME)


def test_rigid_body_with_supported_nodes_and_a_turning_node(tmp_path):
    """CalculiX holds rotations of a rigid body at its ROT NODE; nodes of the body may be held themselves."""
    ours, deck, rim = rim_and_deck()
    deck = deck.replace("*ELEMENT", "501, 0., 0., 0.\n*ELEMENT")
    more = f"*NSET, NSET=RIM\n{', '.join(map(str, rim))}\n*RIGID BODY, NSET=RIM, REF NODE=500, ROT NODE=501\n"
    expected = frequencies(ours.with_coupling(RBE2(500, rim.tolist())), fixed=[500])
    got = read(tmp_path, deck + more + "*BOUNDARY\n500, 1, 3\n501, 1, 3\n")
    assert_allclose(frequencies(got), expected, rtol=SAME)
    # three nodes of the rigid face hold it as well as its reference node does
    got = read(tmp_path, deck + more + f"*BOUNDARY\n{rim[0]}, 1, 3\n{rim[2]}, 1, 3\n{rim[-1]}, 1, 3\n")
    assert_allclose(frequencies(got), expected, rtol=1e-7)


def test_distributing_coupling_follows_the_mean(tmp_path):
    ours, deck, rim = rim_and_deck()
    more = f"*NSET, NSET=RIM\n{', '.join(map(str, rim))}\n*SURFACE, NAME=END, TYPE=NODE\nRIM\n"
    more += "*COUPLING, REF NODE=500, SURFACE=END\n*DISTRIBUTING\n"
    more += "*ELEMENT, TYPE=MASS, ELSET=M\n99, 500\n*MASS, ELSET=M\n20.\n"
    expected = ours.with_coupling(RBE3(500, rim.tolist())).with_point_mass(500, 20.0)
    assert_allclose(frequencies(read(tmp_path, deck + more), 9), frequencies(expected, 9), rtol=SAME, atol=1e-2)


SPRINGS = """*NODE
1, 0., 0., 0.
2, 0., 0., 1.
*ELEMENT, TYPE=MASS, ELSET=M
1, 2
*MASS, ELSET=M
4.
*ELEMENT, TYPE={kind}, ELSET=S
2, {nodes}
*SPRING, ELSET=S
{data}
*BOUNDARY
1, 1, 3
{held}
"""


@pytest.mark.parametrize(
    ("kind", "nodes", "data", "held"),
    [
        ("SPRINGA", "1, 2", "\n100.", "2, 1, 2"),
        ("SPRING1", "2", "3\n100.", "2, 1, 2"),
        ("SPRING2", "1, 2", "2, 2\n100.", "2, 1\n2, 3"),
        ("springa", "1, 2", "\n100.", "2, 1, 2"),
    ],
)
def test_mass_on_a_spring(tmp_path, kind, nodes, data, held):
    """k = 100 N/m, m = 4 kg: 5 rad/s."""
    fe = read(tmp_path, SPRINGS.format(kind=kind, nodes=nodes, data=data, held=held))
    assert_allclose(frequencies(fe, 1), 5.0 / (2 * np.pi), rtol=1e-12)


def test_a_mass_may_differ_between_directions(tmp_path):
    """4 kg along the spring of 100 N/m, here turned into x by an orientation: 5 rad/s."""
    text = SPRINGS.format(kind="SPRING1", nodes="2", data="1\n100.", held="2, 2, 3")
    turned = (
        "*ORIENTATION, NAME=O\n0., 1., 0., -1., 0., 0.\n*MASS, ELSET=M, TYPE=ANISOTROPIC, ORIENTATION=O\n7., 4., 9."
    )
    fe = read(tmp_path, text.replace("*MASS, ELSET=M\n4.", turned))
    assert_allclose(frequencies(fe, 1), 5.0 / (2 * np.pi), rtol=1e-12)


def test_nonlinear_spring_counts_by_its_slope_at_rest(tmp_path):
    text = SPRINGS.format(kind="SPRINGA", nodes="1, 2", data="\n-50., -1.\n0., 0.\n100., 1.\n250., 2.", held="2, 1, 2")
    path = tmp_path / "deck.inp"
    path.write_text(text.replace("*SPRING, ELSET=S", "*SPRING, ELSET=S, NONLINEAR"))
    imported = ff.io.read_with_report(path)
    assert_allclose(frequencies(imported.model, 1), 5.0 / (2 * np.pi), rtol=1e-12)
    assert [entry.card for entry in imported.report.ignored_physics] == ["*SPRING, NONLINEAR"]


def test_dashpots_give_damping(tmp_path):
    text = SPRINGS.format(kind="DASHPOTA", nodes="1, 2", data="\n7.", held="2, 1, 2").replace("*SPRING", "*DASHPOT")
    fe = read(tmp_path, text)
    row = fe.rows([(2, "uz")])[0]
    assert fe.damping()[row, row] == 7.0


def test_rotary_inertia(tmp_path):
    inertia = "*ELEMENT, TYPE=ROTARYI, ELSET=J\n7, 2\n*ROTARY INERTIA, ELSET=J\n1., 2., 3., .1, .2, .3\n"
    deck = f"{ONE_BEAM}{inertia}*BEAM SECTION, ELSET=E, SECTION=RECT, MATERIAL=STEEL\n.1, .1\n0, 1, 0\n"
    (mass,) = read(tmp_path, deck + MATERIAL).point_masses
    assert_allclose(mass.inertia, [[1, 0.1, 0.2], [0.1, 2, 0.3], [0.2, 0.3, 3]])


PARTS = """*PART, NAME=BAR
{body}*SOLID SECTION, ELSET=E, MATERIAL=STEEL
*NSET, NSET=TIP
36
*END PART
*ASSEMBLY, NAME=A
*INSTANCE, NAME=left, PART=BAR
*END INSTANCE
*INSTANCE, NAME=right, PART=BAR
1., 0., 0.
1., 0., 0., 1., 0., 1., 90.
*END INSTANCE
*NSET, NSET=BOTH
left.TIP, right.TIP
*NSET, NSET=ONE, INSTANCE=right
1, 2
*END ASSEMBLY
*BOUNDARY
left.1, 1, 3
"""


def test_instances_are_moved_and_turned_copies(tmp_path):
    fe = ff.fem.solid_box((0.3, 0.2, 0.1), (3, 2, 2), "hex8", material=STEEL)
    got = read(tmp_path, PARTS.format(body=written(fe, "C3D8")) + MATERIAL)
    assert got.nnode == 2 * fe.nnode
    assert_allclose(got.nodes[: fe.nnode], fe.nodes)
    # moved by 1 along x, then turned by 90 degrees about the upright line through x = 1
    x, y, z = fe.nodes.T
    assert_allclose(got.nodes[fe.nnode :], np.column_stack([1 - y, x, z]), atol=1e-15)
    assert_array_equal(got.node_sets["BOTH"], [36, 72])
    assert_array_equal(got.node_sets["ONE"], [37, 38])
    assert_array_equal(got.node_sets["right.TIP"], [72])
    assert got.supports.tolist() == [[1, 0], [1, 1], [1, 2]]
    assert_allclose(got.mass_properties().mass, 2 * 0.3 * 0.2 * 0.1 * 7850.0, rtol=1e-12)


def test_nodes_of_the_assembly_have_a_count_of_their_own(tmp_path):
    # reference points as preprocessors write them: numbered from 1 on, like the nodes of every part
    fe = ff.fem.solid_box((0.3, 0.2, 0.1), (3, 2, 2), "hex8", material=STEEL)
    point = "*NODE, NSET=REF\n1, 5., 0., 0.\n*ELEMENT, TYPE=MASS, ELSET=M\n1, 1\n*MASS, ELSET=M\n3.\n*NSET, NSET=BOTH"
    deck = PARTS.format(body=written(fe, "C3D8")).replace("*NSET, NSET=BOTH", point) + "1, 1, 6\n" + MATERIAL
    got = read(tmp_path, deck)
    assert_array_equal(got.node_sets["REF"], [73])
    assert_allclose(got.nodes[72], [5, 0, 0])
    assert [(mass.node, mass.mass) for mass in got.point_masses] == [(73, 3.0)]
    assert [73, 0] in got.supports.tolist()
    # numbers that clash with nothing stay what they are
    far = deck.replace("\n1, 5.", "\n900, 5.").replace("\n1, 1\n", "\n800, 900\n").replace("\n1, 1, 6", "\n900, 1, 6")
    assert_array_equal(read(tmp_path, far).node_sets["REF"], [900])


def test_files_included(tmp_path):
    fe, _ = brick("hex8", "C3D8")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "mesh.inc").write_text(written(fe, "C3D8"))
    (tmp_path / "sub" / "all.inc").write_text("*INCLUDE, INPUT=mesh.inc\n")
    rest = MATERIAL + "*SOLID SECTION, ELSET=E, MATERIAL=STEEL\n"
    got = read(tmp_path, "*INCLUDE, INPUT=sub/all.inc\n" + rest)
    assert got.nelement == fe.nelement
    (tmp_path / "sub" / "mesh.inc").write_text("*INCLUDE, INPUT=all.inc\n")
    with pytest.raises(ff.ReadError, match=r"mesh\.inc', line 1: \*INCLUDE of 'all.inc' includes itself"):
        read(tmp_path, "*INCLUDE, INPUT=sub/all.inc\n" + rest)
    with pytest.raises(ff.ReadError, match=r"deck\.inp', line 1: \*INCLUDE: file 'nothing.inc' does not exist"):
        read(tmp_path, "*INCLUDE, INPUT=nothing.inc\n" + rest)


def test_data_of_an_open_keyword_come_from_an_included_file(tmp_path):
    """The text of an included file stands in the place of its line: it ends, opens and goes on with keywords."""
    fe, deck = brick("hex8", "C3D8", "*BOUNDARY\n1, 1, 3\n2, 1, 2\n3, 3, 3\n*NSET, NSET=TIP\n5\n6\n")
    whole = read(tmp_path, deck)
    (tmp_path / "bc.txt").write_text("** held here\n2, 1, 2\n")
    (tmp_path / "tip.txt").write_text("3, 3, 3\n*NSET, NSET=TIP\n5")
    (tmp_path / "empty.txt").write_text("** nothing\n\n")
    head, nodes = "*NODE, NSET=ALL\n", deck.split("NSET=ALL\n")[1].split("*ELEMENT")[0]
    (tmp_path / "nodes.txt").write_text(nodes)
    split = deck.replace(nodes, "*INCLUDE, INPUT=nodes.txt\n").replace(head, "*INCLUDE, INPUT=empty.txt\n" + head)
    split = split.replace("2, 1, 2\n", "*INCLUDE, INPUT=bc.txt\n")
    split = split.replace("3, 3, 3\n*NSET, NSET=TIP\n5\n", "*INCLUDE, INPUT=tip.txt\n")
    got = read(tmp_path, split)
    assert_array_equal(got.supports, whole.supports)
    assert len(got.supports) == 6
    assert_array_equal(got.node_sets["TIP"], [5, 6])
    assert_array_equal(got.nodes, fe.nodes)
    # messages name the file and the line where the data stand
    (tmp_path / "bc.txt").write_text("** held here\n2, x, 2\n")
    with pytest.raises(ReadError, match=r"bc\.txt', line 2: .*'x'"):
        read(tmp_path, split)
    (tmp_path / "bc.txt").write_text("2, 1, 2\n")
    last = split.count("\n") + 1
    with pytest.raises(ReadError, match=rf"deck\.inp', line {last}: .*'y'"):
        read(tmp_path, split + "y\n")
    with pytest.raises(ReadError, match=r"bc\.txt', line 1: there are data before the first keyword"):
        read(tmp_path, "*INCLUDE, INPUT=bc.txt\n" + split)


def test_temperature_tables(tmp_path):
    deck = brick("hex8", "C3D8")[1].replace("2.1e11, .3\n", "2.1e11, .3, 20.\n1.9e11, .31, 120.\n")
    assert read(tmp_path, deck).blocks[0].material.E == 2.1e11
    material = read(tmp_path, deck, temperature=70.0).blocks[0].material
    assert_allclose([material.E, material.nu], [2.0e11, 0.305])


def test_units_of_a_deck(tmp_path):
    ours = ff.fem.solid_box((0.3, 0.2, 0.1), (3, 2, 2), "hex8", material=STEEL)
    small = FEModel(ours.nodes * 1000.0, ours.blocks)
    deck = written(small, "C3D8") + MATERIAL.replace("2.1e11", "210000.").replace("7850.", "7.85e-9")
    deck += "*SOLID SECTION, ELSET=E, MATERIAL=STEEL\n"
    assert_allclose(frequencies(read(tmp_path, deck, units="mm-t-s"), 9)[6:], frequencies(ours, 9)[6:], rtol=1e-9)
    (tmp_path / "deck.inp").write_text(deck)
    warnings = ff.io.read_with_report(tmp_path / "deck.inp").report.warnings
    assert any("--units mm-t-s" in sentence for sentence in warnings)


def test_report_and_strictness(tmp_path):
    fe, deck = brick("hex8", "C3D8")
    deck += "*CONTACT PAIR, NAME=T\na, b\n*PLASTIC\n1.,2.\n*STEP\n*FREQUENCY\n3\n*NODE PRINT\nU\n*END STEP\n"
    path = tmp_path / "deck.inp"
    path.write_text(deck)
    line = deck.splitlines().index("*CONTACT PAIR, NAME=T") + 1
    with pytest.raises(ff.ReadError, match=rf"\*CONTACT PAIR \(1, first in line {line}\) carries a coupling"):
        ff.io.read(path)
    report = ff.io.read_with_report(path, drop=("CONTACT-PAIR",)).report
    assert report.read["*NODE"] == fe.nnode
    assert report.read["*ELEMENT C3D8"] == fe.nelement
    assert [entry.card for entry in report.ignored_physics] == ["*PLASTIC"]
    assert {entry.card for entry in report.ignored if not entry.physical} >= {"*FREQUENCY", "*NODE PRINT"}
    with pytest.raises(ff.ReadError, match=r"strict import does not ignore physics: \*PLASTIC"):
        ff.io.read(path, strict=True, drop=("CONTACT-PAIR",))


def test_line_ends_marks_and_foreign_letters_change_nothing(tmp_path):
    _, deck = brick("hex8", "C3D8")
    expected = frequencies(read(tmp_path, deck), 8)
    for text in (
        deck.replace("\n", "\r\n").encode(),
        b"\xef\xbb\xbf" + deck.encode(),
        "** балка\n".encode("cp1251") + deck.encode(),
        deck.replace("\n", "\r").encode(),
        deck.lower().replace("*node, nset=all", "  *node ,  nset = ALL").encode(),
        deck.encode().rstrip(),
    ):
        assert_array_equal(frequencies(read(tmp_path, text), 8), expected)


def test_gigantic_numbers_are_kept(tmp_path):
    _, deck = brick("hex8", "C3D8")
    deck = deck.replace("*ELEMENT", "9007199254740000, 1., 2., 3.\n*ELEMENT")
    assert read(tmp_path, deck).node_ids[-1] == 9007199254740000
    with pytest.raises(ff.ReadError, match="where a whole number from 1 on is expected"):
        read(tmp_path, deck.replace("9007199254740000,", "9007199254740993000,"))


GOOD = """*NODE
1,0,0,0
2,1,0,0
3,0,1,0
4,0,0,1
*ELEMENT,TYPE=C3D4,ELSET=E
1,1,2,3,4
*SOLID SECTION,ELSET=E,MATERIAL=STEEL
"""


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("TYPE=C3D4", "TYPE=CAX8"), r"CAX8 \(1, first in line 6\) carries stiffness: an axisymmetric .*--drop CAX8 "),
        (
            ("TYPE=C3D4", "TYPE=F3D8"),
            r"F3D8 \(1, first in line 6\) carries stiffness: a fluid or acoustic .*--drop F3D8 ",
        ),
        (("TYPE=C3D4", "TYPE=CPS4"), r"CPS4 \(1, first in line 6\) carries stiffness: a plane .*--drop CPS4 "),
        (("TYPE=C3D4,", ""), r"line 6: \*ELEMENT needs the option TYPE="),
        (("1,1,2,3,4\n", "1,1,2,3\n"), r"line 7: an element of type C3D4 has 4 nodes"),
        (("1,1,2,3,4\n", "1,1,2,3,9\n"), r"line 6: element 1 of type C3D4 names node 9, which is not defined"),
        (("1,1,2,3,4\n", "1,1,2,3,4\n1,1,2,3,4\n"), r"element number 1 used more than once"),
        (("3,0,1,0", "3,0,1.x,0"), r"line 4: '1.x' in the data of \*NODE is not a number"),
        (("3,0,1,0", "3,0,1,0\n3,0,2,0"), r"line 5: node 3 is defined twice, at different places"),
        (("3,0,1,0", "3.5,0,1,0"), r"line 1: \*NODE holds the number 3.5 where a whole number"),
        (("MATERIAL=STEEL\n", "MATERIAL=BRONZE\n"), r"line 8: \*SOLID SECTION: material 'BRONZE' is unknown; .* STEEL"),
        (("ELSET=E,M", "ELSET=F,M"), r"line 8: \*SOLID SECTION: element set 'F' is unknown; sets so far: E\."),
        (("*SOLID SECTION,ELSET=E,MATERIAL=STEEL\n", ""), r"line 6: element 1 of type C3D4 has no section"),
        (("*ELASTIC\n", "*ELASTIC, TYPE=ORTHO\n"), r"line 10: material 'STEEL': its matrix is not positive definite"),
        (("*ELASTIC\n", "*HYPERELASTIC, USER\n"), r"material 'STEEL' has no \*ELASTIC but \*HYPERELASTIC"),
        (("2.1e11, .3", "2.1e11, .7"), r"line 10: material 'STEEL': nu is 0.7"),
        (("*NODE\n", "*PARAMETER\na=1\n*NODE\n"), r"line 1: \*PARAMETER: parameters cannot be read"),
        (("*NODE\n", "*HEADING\n"), "there are no nodes"),
    ],
)
def test_errors_name_file_line_and_thing(tmp_path, change, message):
    deck = GOOD + MATERIAL
    assert change[0] in deck
    with pytest.raises(ff.ReadError, match=r"deck\.inp'.*" + message):
        read(tmp_path, deck.replace(*change))


def test_content_that_is_no_deck_is_refused(tmp_path):
    with pytest.raises(ff.ReadError, match="its content is not what"):
        read(tmp_path, "hello\nworld\n")


GENERATED = """*NODE, NSET=LEFT
1, 0., 0.
41, 0., 2.
*NGEN, NSET=LEFT
1, 41, 10
*NODE
5, 1., 0.5
45, 1., 2.5
*NGEN, NSET=RIGHT
5, 45, 10
*NFILL, NSET=ALL
LEFT, RIGHT, 4
*ELEMENT, TYPE=S4
1, 1, 2, 12, 11
*ELGEN, ELSET=E
1, 4, 1, 1, 4, 10, 4
*SHELL SECTION, ELSET=E, MATERIAL=STEEL
0.01
"""


def test_generated_meshes_are_those_written_out(tmp_path):
    got = read(tmp_path, GENERATED + MATERIAL)
    ids = [10 * j + i for j in range(5) for i in range(1, 6)]
    assert got.node_ids.tolist() == ids
    places = [(i / 4, j / 2 + i / 8, 0.0) for j in range(5) for i in range(5)]  # rows rise by half along x
    assert_allclose(got.nodes, places, atol=1e-15)
    corners = [[10 * j + i, 10 * j + i + 1, 10 * j + i + 11, 10 * j + i + 10] for j in range(4) for i in range(1, 5)]
    order = np.argsort(np.concatenate([block.element_ids for block in got.blocks]))
    assert got.node_ids[np.concatenate([block.connectivity for block in got.blocks])][order].tolist() == corners
    assert got.element_sets["E"].tolist() == list(range(1, 17))
    assert {name: members.tolist() for name, members in got.node_sets.items()} == {
        "LEFT": [1, 11, 21, 31, 41],
        "RIGHT": [5, 15, 25, 35, 45],
        "ALL": ids,
    }


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("1, 41, 10", "1, 41, 7", r"line 5: \*NGEN: 1 to 41 is not a whole number of steps of 7"),
        ("1, 41, 10", "1, 51, 10", r"line 5: \*NGEN names node 51, which is not defined before it"),
        ("*NGEN, NSET=RIGHT", "*NGEN, NSET=RIGHT, LINE=C", r"line 9: \*NGEN, LINE= cannot be read"),
        ("LEFT, RIGHT, 4", "LEFT, 45, 4", r"line 12: \*NFILL: set 'LEFT' has 5 nodes and '45' has 1"),
        ("*NFILL, ", "*NFILL, BIAS=0.8, ", r"line 11: \*NFILL with BIAS"),
        ("1, 4, 1, 1, 4, 10, 4", "2, 4, 1, 1", r"line 16: \*ELGEN names element 2, which is not defined before it"),
        ("1, 4, 1, 1, 4, 10, 4", "1, 999999999", r"line 16: \*ELGEN makes more than"),
        ("*ELGEN", "*ELCOPY", r"line 15: \*ELCOPY: copied meshes cannot be read"),
    ],
)
def test_wrong_generators_are_named(tmp_path, old, new, message):
    assert old in GENERATED
    with pytest.raises(ff.ReadError, match=message):
        read(tmp_path, GENERATED.replace(old, new, 1) + MATERIAL)


# what must not be lost without a word

_TWO_BARS = (
    "*NODE\n1,0,0,0\n2,1,0,0\n3,2,0,0\n4,0,1,0\n5,1,1,0\n6,2,1,0\n"
    "*ELEMENT,TYPE=B31,ELSET=B\n1,1,2\n2,2,3\n3,4,5\n4,5,6\n"
    f"{MATERIAL}*BEAM SECTION,SECTION=RECT,ELSET=B,MATERIAL=STEEL\n0.1,0.2\n0,0,-1\n"
)
_SPRING = "*ELEMENT,TYPE=SPRING2,ELSET=SP\n9,1,4\n*SPRING,ELSET=SP,ORIENTATION=O\n1,1\n1e5\n*ORIENTATION,NAME=O\n"


def test_unsorted_sets_pair_as_they_are_written(tmp_path):
    sets = "*NSET,NSET=P,UNSORTED\n3,1\n*NSET,NSET=Q\n4,6\n*EQUATION\n2\nP,1,1.,Q,1,-1.\n"
    tied = [{node for node, _, _ in coupling.terms} for coupling in read(tmp_path, _TWO_BARS + sets).couplings]
    assert tied == [{3, 4}, {1, 6}]


@pytest.mark.parametrize(
    ("points", "x"),
    [
        ("1,0,0,0,1,0\n3,90.\n", (0, 1, 0)),  # turned about the local z axis
        ("5,6,0,4,5,0,5,5,0\n", (0, 1, 0)),  # points seen from an origin of their own
        ("0,0,2,0,1,0\n1,30.\n", (0, 0, 1)),
    ],
)
def test_orientations_have_an_origin_and_a_turn(tmp_path, points, x):
    block = read(tmp_path, _TWO_BARS + _SPRING + points).blocks[-1]
    assert_allclose(block.data["axes"][0][0], x, atol=1e-15)


@pytest.mark.parametrize(
    ("cards", "name"),
    [
        ("*NORMAL\n1,1,0.,1.,0.\n", "*NORMAL"),
        ("*NODE\n10,5.,0.,0.,0.,0.,1.\n", "*NODE normals"),
    ],
)
def test_what_is_left_out_is_reported(tmp_path, cards, name):
    (tmp_path / "deck.inp").write_text(_TWO_BARS + cards)
    report = ff.io.read_with_report(tmp_path / "deck.inp").report
    assert [entry.card for entry in report.ignored_physics] == [name]


def test_a_distribution_that_is_not_there_is_named(tmp_path):
    wall = "*ELEMENT,TYPE=S4,ELSET=W\n11,1,2,5,4\n*SHELL SECTION,ELSET=W,MATERIAL=STEEL,SHELL THICKNESS=D\n0.01\n"
    with pytest.raises(ReadError, match=r"line 23: .SHELL SECTION: distribution 'D' is unknown"):
        read(tmp_path, _TWO_BARS + wall)


def test_missing_density_is_reported(tmp_path):
    (tmp_path / "deck.inp").write_text(_TWO_BARS.replace("*DENSITY\n7850.,\n", ""))
    assert "material 'STEEL' has no density" in " ".join(ff.io.read_with_report(tmp_path / "deck.inp").report.warnings)


def test_supports_of_an_empty_set_are_reported(tmp_path):
    (tmp_path / "deck.inp").write_text(_TWO_BARS + "*NSET,NSET=NONE\n*BOUNDARY\nNONE,1,3\n")
    warnings = " ".join(ff.io.read_with_report(tmp_path / "deck.inp").report.warnings)
    assert "*BOUNDARY holds nothing, since the set 'NONE' is empty" in warnings


def test_decks_of_heat_alone_are_named(tmp_path):
    with pytest.raises(ReadError, match=r"it has DC1D2 \(a heat transfer element\)"):
        read(tmp_path, ONE_BEAM.replace("B31", "DC1D2"))


def test_a_row_of_reduced_bricks_has_no_motions_without_stiffness(tmp_path):
    """C3D20R, ten in a row: CalculiX 2.20 finds bending, torsion and stretching and nothing before them."""
    _, deck = brick("hex20_reduced", "C3D20R", size=(10.0, 1.0, 1.0), counts=(10, 1, 1))
    got = read(tmp_path, deck)
    assert [block.kind for block in got.blocks] == ["hex20"]
    base = got.node_ids[got.nodes[:, 0] == 0.0]
    found = ff.modal.eigenmodes(got, n=6, fixed=base).frequency
    # of steel with 7800 kg/m3; full integration bends a little stiffer
    assert_allclose(found * np.sqrt(7850.0 / 7800.0), [8.41823, 8.41823, 50.6798, 50.6798, 80.4482, 130.196], rtol=0.01)
