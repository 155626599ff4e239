"""Models written as Nastran, Abaqus and ANSYS decks and read back are the same structures."""

import math
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

import floatframe as ff
from floatframe.cli.main import run
from floatframe.errors import WriteError
from floatframe.fem import MPC, RBE2, RBE3, BeamSection, ElementBlock, FEModel, Material, ShellSection
from floatframe.fem.elements import element_kind
from floatframe.io.abaqus.writer import word
from floatframe.io.nastran.cards.cards import BulkCard
from floatframe.io.nastran.writer import real

SUFFIXES = (".bdf", ".inp", ".cdb")
SAME = 1e-9  # frequencies after a round trip: Nastran's sixteen columns keep eleven digits at worst
STEEL = Material(2.1e11, 0.3, 7850.0, name="steel")
ALUMINIUM = Material(7.03e10, 0.33, 2710.0, name="aluminium")


def stiffened_box() -> FEModel:
    """A box of shells with stiffeners, a mast, a solid block, springs, masses and couplings; odd coordinates."""
    nx, ny, nz = 4, 3, 2
    steps = np.array([1.3 / nx, 0.7 / ny, 0.41 / nz])
    row: dict[tuple[int, int, int], int] = {}
    nodes: list[np.ndarray] = []

    def add(place) -> int:
        nodes.append(np.asarray(place, dtype=float))
        return len(nodes) - 1

    def at(i: int, j: int, k: int) -> int:
        if (i, j, k) not in row:
            row[i, j, k] = add(steps * (i, j, k))
        return row[i, j, k]

    floor = [[at(i, j, k), at(i + 1, j, k), at(i + 1, j + 1, k), at(i, j + 1, k)]
             for i in range(nx) for j in range(ny) for k in (0, nz)]  # fmt: skip
    sides = [[at(i, j, k), at(i + 1, j, k), at(i + 1, j, k + 1), at(i, j, k + 1)]
             for i in range(nx) for k in range(nz) for j in (0, ny)]  # fmt: skip
    ends = []
    for j in range(ny):
        for k in range(nz):
            a, b, c, d = at(nx, j, k), at(nx, j + 1, k), at(nx, j + 1, k + 1), at(nx, j, k + 1)
            ends += [[a, b, c], [a, c, d]]
    stiffeners = [[at(i, 1, nz), at(i + 1, 1, nz)] for i in range(nx)]
    base = [at(0, 0, nz), at(1, 0, nz), at(1, 1, nz), at(0, 1, nz)]
    top = [add(nodes[n] + [0.01, 0.02, 0.1 + 0.003 * k]) for k, n in enumerate(base)]
    apex = add(np.mean([nodes[n] for n in top], axis=0) + np.array([0.0, 0.0, 0.08]))
    low, high = add([0.5, 0.3, 1.0]), add([0.6, 0.3, 1.3])
    hub, motor = add([0.65, 0.35, -0.3]), add([0.3, 0.35, -0.2])
    number = 11 + 3 * np.arange(len(nodes))
    arms = np.array([[[0.01, 0, 0], [0, 0.02, 0.0]], [[0, 0.02, 0], [0, 0, 0]]])
    tube = BeamSection.tube(0.05, 0.004)
    blocks = (
        ElementBlock("shell4", np.array(floor + sides), STEEL, ShellSection(0.008, offset=0.001), name="walls"),
        ElementBlock("shell3", np.array(ends), ALUMINIUM, ShellSection(0.006),
                     {"thickness": np.tile([0.005, 0.007], len(ends) // 2)}, name="end"),
        ElementBlock("beam", np.array(stiffeners), STEEL, BeamSection.rectangle(0.02, 0.05),
                     {"orientation": np.tile([0, 0.2, 1.0], (nx, 1)),
                      "offsets": np.tile([0, 0.006, -0.03], (nx, 2, 1))}),
        ElementBlock("beam", np.array([[base[2], low], [low, high]]), ALUMINIUM, tube, {"offsets": arms}, name="mast"),
        ElementBlock("hex8", np.array([base + top]), ALUMINIUM, name="block"),
        ElementBlock("pyramid5", np.array([[*top, apex]]), ALUMINIUM, name="tip"),
        ElementBlock("truss", np.array([[high, at(nx, ny, nz)]]), STEEL, tube),
        ElementBlock("axial_spring", np.array([[apex, high]]), data={"stiffness": np.array([1.7e5])}),
        ElementBlock("spring", np.array([[at(0, ny, nz), low]]),
                     data={"stiffness": np.array([[1e5, 2e5, 3e5, 1e3, 2e3, 3e3]]), "axes": np.eye(3)[None],
                           "location": np.array([0.3])}),
        ElementBlock("ground_spring", np.array([[at(nx, 0, 0)]]),
                     data={"stiffness": np.array([[1e6, 2e6, 3e6, 4e3, 5e3, 6e3]])}),
        ElementBlock("point_spring", np.array([[at(nx, ny, 0), at(nx - 1, ny, 0)]]),
                     data={"stiffness": np.array([[1e6, 0, 3e5]]), "damping": np.array([[10.0, 0, 0]])}),
    )  # fmt: skip
    fe = FEModel(np.array(nodes) + np.array([1 / 3, math.pi, math.e]), blocks, number, name="stiffened box")

    def ids(*rows: int) -> list[int]:
        return number[list(rows)].tolist()

    deck = [at(nx - 1, j, 0) for j in range(ny + 1)]
    tensor = np.array([[0.5, 0.05, 0.02], [0.05, 0.6, -0.03], [0.02, -0.03, 0.4]])
    mast_top, corner = ids(high, at(0, ny, nz))
    # the top of the mast follows a corner along x as if both were on one rigid body
    _, across, up = (nodes[high] - nodes[at(0, ny, nz)]).tolist()
    return (
        fe.with_coupling(RBE2(ids(hub)[0], ids(*deck, at(nx - 2, 1, 0)), name="hub"))
        .with_coupling(RBE3(ids(motor)[0], ids(*(at(1, j, 0) for j in range(ny + 1)), at(2, 2, 0))))
        .with_coupling(MPC([(mast_top, "ux", 1.0), (corner, "ux", -1.0), (corner, "ry", -up), (corner, "rz", across)]))
        .with_point_mass(ids(hub)[0], 12.0, tensor, offset=(0.02, 0.01, -0.05))
        .with_point_mass(ids(motor)[0], 5.0, inertia=(0.01, 0.02, 0.03))
        .with_point_mass(mast_top, 3.0)
        .with_node_set("BASE", ids(*(at(0, j, 0) for j in range(ny + 1))))
        .with_node_set("HUB", ids(hub))
        .with_element_set("STIFFENERS", fe.blocks[2].element_ids)
        .with_support(["BASE"])
    )


def round_trip(folder: Path, fe: FEModel, suffix: str) -> FEModel:
    path = folder / f"model{suffix}"
    ff.io.write(path, fe)
    imported = ff.io.read_with_report(path, strict=True)
    assert not imported.report.warnings
    return imported.model


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_stiffened_box_keeps_its_frequencies(tmp_path, suffix):
    fe = stiffened_box()
    again = round_trip(tmp_path, fe, suffix)
    expected = ff.modal.eigenmodes(fe, n=15).frequency
    assert_allclose(ff.modal.eigenmodes(again, n=15).frequency, expected, rtol=SAME)
    before, after = fe.mass_properties(), again.mass_properties()
    assert_allclose(after.mass, before.mass, rtol=SAME)
    assert_allclose(after.com, before.com, rtol=SAME)
    assert_allclose(after.inertia, before.inertia, rtol=SAME, atol=SAME * before.inertia.max())
    for name, members in fe.node_sets.items():
        assert again.node_sets[name].tolist() == members.tolist()
    assert again.element_sets["STIFFENERS"].tolist() == fe.element_sets["STIFFENERS"].tolist()
    assert_allclose(np.sum(again.damping().diagonal()), np.sum(fe.damping().diagonal()), rtol=SAME)


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("first", SUFFIXES)
def test_what_was_read_can_be_written_again(tmp_path, first, suffix):
    once = round_trip(tmp_path, stiffened_box(), first)
    twice = round_trip(tmp_path, once, suffix)
    frequency = [ff.modal.eigenmodes(fe, n=6).frequency for fe in (once, twice)]
    assert_allclose(*frequency, rtol=SAME)


SOLIDS = ("hex8", "wedge6", "pyramid5", "tet4", "hex20", "hex20_reduced", "wedge15", "pyramid13", "tet10")


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("kind", SOLIDS)
def test_every_solid_keeps_its_matrices(tmp_path, kind, suffix):
    if (kind, suffix) == ("pyramid13", ".inp"):
        with pytest.raises(WriteError, match=r"an Abaqus deck cannot hold element block \(pyramid13\)"):
            round_trip(tmp_path, one_solid(kind), suffix)
        return
    fe = one_solid(kind)
    again = round_trip(tmp_path, fe, suffix)
    assert again.blocks[0].kind == kind
    for before, after in ((fe.stiffness(), again.stiffness()), (fe.mass(), again.mass())):
        assert np.abs(before - after).max() <= SAME * np.abs(before).max()


def one_solid(kind: str) -> FEModel:
    """One element with every node a little off its place, so that no two can be exchanged unnoticed.

    Four of those with reduced integration: alone they would be read with full integration.
    """
    if kind == "hex20_reduced":
        fe = ff.fem.solid_box((4.0, 4.0, 2.0), (2, 2, 1), kind, material=STEEL)
    else:
        nodes = element_kind(kind).reference_nodes  # type: ignore[attr-defined]
        fe = FEModel(nodes, (ElementBlock(kind, np.arange(len(nodes))[None], STEEL),))
    return replace(fe, nodes=fe.nodes + 0.03 * np.sin(np.arange(fe.nodes.size).reshape(fe.nodes.shape)))


SECTIONS = {
    "no shear": (BeamSection.rectangle(0.03, 0.05).without_shear(), SUFFIXES),
    "shear": (BeamSection.box(0.05, 0.08, 0.004), SUFFIXES),
    # a channel has its shear centre off the centroid, an angle a product of inertia
    "channel": (BeamSection.channel(0.05, 0.1, 0.004, 0.006), (".bdf", ".inp")),
    "angle": (BeamSection.angle(0.05, 0.08, 0.006), (".bdf", ".inp")),
    "angle with factor 5/6": (BeamSection.angle(0.05, 0.08, 0.006).with_shear_factors(5 / 6, 5 / 6), SUFFIXES),
}


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("name", SECTIONS)
@pytest.mark.parametrize("offset", [(0.0, 0.0, 0.0), (0.0, 0.02, 0.03)])
def test_beam_sections(tmp_path, name, offset, suffix):
    section, suffixes = SECTIONS[name]
    data = {"orientation": np.tile([0.0, 1.0, 2.0], (3, 1)), "offsets": np.tile(offset, (3, 2, 1))}
    nodes = np.column_stack([np.linspace(0.1, 1.0, 4), np.zeros(4), np.zeros(4)])
    fe = FEModel(nodes, (ElementBlock("beam", np.array([[0, 1], [1, 2], [2, 3]]), STEEL, section, data),))
    fe = fe.with_support([1])
    if suffix not in suffixes:
        with pytest.raises(WriteError, match="an ANSYS archive cannot hold element block"):
            ff.io.write(tmp_path / f"model{suffix}", fe)
        return
    again = round_trip(tmp_path, fe, suffix)
    frequency = [ff.modal.eigenmodes(model, n=8).frequency for model in (fe, again)]
    assert_allclose(*frequency, rtol=SAME)


@pytest.mark.parametrize("suffix", [".bdf", ".inp"])
def test_turned_springs_and_weighted_means(tmp_path, suffix):
    turn = np.array([[0.6, 0.8, 0.0], [-0.8, 0.6, 0.0], [0.0, 0.0, 1.0]])
    law = {"stiffness": np.array([[1e4, 2e4, 3e4, 1e3, 2e3, 3e3]]), "axes": turn[None]}
    nodes = np.array([[0.0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0.3], [0.4, 0.3, 0.9]])
    lines = np.array([[0, 1], [1, 2], [2, 3]])
    fe = FEModel(
        nodes,
        (
            ElementBlock("beam", lines, STEEL, BeamSection.circle(0.03)),
            ElementBlock("ground_spring", np.array([[0]]), data=law),
            ElementBlock("ground_point_spring", np.array([[3]]), data={"stiffness": np.array([[5e3, 6e3, 0.0]])}),
        ),
    )
    fe = fe.with_coupling(RBE3(5, [1, 2, 3, 4], weights=[1.0, 2.0, 0.5, 0.25])).with_point_mass(5, 4.0, (1, 2, 2))
    again = round_trip(tmp_path, fe, suffix)
    frequency = [ff.modal.eigenmodes(model, n=8).frequency for model in (fe, again)]
    assert_allclose(*frequency, rtol=SAME)


def test_what_a_format_cannot_hold_is_named(tmp_path):
    fe = stiffened_box()
    path = tmp_path / "model.bdf"
    path.write_text("older")
    for suffix in SUFFIXES:
        odd = replace(fe, blocks=(*fe.blocks[:2], replace(fe.blocks[2], kind="beam_cubic_mass"), *fe.blocks[3:]))
        with pytest.raises(WriteError, match="beam_cubic_mass"):
            ff.io.write(tmp_path / f"model{suffix}", odd)
        full = {"stiffness": np.diag([1.0] * 6)[None] + 1.0}
        odd = FEModel(fe.nodes, (ElementBlock("ground_spring", np.array([[0]]), data=full),))
        with pytest.raises(WriteError, match="full stiffness matrix"):
            ff.io.write(tmp_path / f"model{suffix}", odd)
    with pytest.raises(WriteError, match="numbers above 99999999"):
        ff.io.write(path, replace(fe, node_ids=fe.node_ids + 10**9, **_bare()))
    weighted = fe.with_coupling(RBE3(11, [14, 17, 20, 23], weights=[1, 2, 1, 1]))
    with pytest.raises(WriteError, match="RBE3 with different weights"):
        ff.io.write(tmp_path / "model.cdb", weighted)
    # nothing was written
    assert path.read_text() == "older"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["model.bdf"]


def _bare() -> dict[str, object]:
    empty = np.empty((0, 2), dtype=np.int64)
    return {"point_masses": (), "couplings": (), "node_sets": {}, "supports": empty}


def test_reals_in_sixteen_columns():
    rng = np.random.default_rng(3)
    values = rng.normal(size=2000) * 10.0 ** rng.integers(-20, 20, 2000)
    for value in [0.0, -0.0, 1.0, 0.1, -1 / 3, 1e-300, 2.1e11, 123456789.0, *values.tolist()]:
        word = real(value)
        assert len(word) <= 16
        again = BulkCard("", ("", word), 1, Path("x")).real(1)
        assert again == pytest.approx(value, rel=1e-10)  # a sign and an exponent of two digits cost most
    assert real(0.1) == ".1"
    assert real(2.1e11) == "210000000000."


def odd_sets() -> FEModel:
    fe = ff.fem.beam_line((0, 0, 0), (1, 0, 0), 4, BeamSection.circle(0.02), STEEL)
    sets = {"line 1": [1, 2], "line_1": [3], "1st": [4], "Бабка": [5], "x" * 90: [2, 3], "BARS": [1]}
    return replace(fe, node_sets=sets, element_sets={"BARS": [1, 2], "line-1": [3]})


def test_numbers_of_decks_have_at_most_twenty_characters():
    """What is longer is cut off by CalculiX, exponent first; all that fits comes back exactly."""
    rng = np.random.default_rng(0)
    values = rng.standard_normal(3000) * 10.0 ** rng.uniform(-20, 20, 3000)
    values = [*values.tolist(), 0.0, -1.0, 1e22, 0.1, -9.797174393178826e-18, -0.0012345678901234567, 5e-324, 1e300 / 3]
    for value in values:
        assert len(word(value)) <= 20
        if len(repr(value)) <= 20:
            assert float(word(value)) == value
        # fifteen digits and the sign leave room for an exponent of two, fourteen for one of three
        assert float(word(value)) == pytest.approx(value, rel=5e-15 if abs(value) > 1e-84 else 5e-14, abs=0)
    assert word(-1e-5 / 3) == "-3.33333333333333e-6"
    assert word(1 / 3) == repr(1 / 3)
    assert word(7) == "7"


def curved_strip() -> FEModel:
    """A quarter of a ring, whose coordinates have all digits and some of them tiny sizes."""
    fe = ff.fem.solid_box((math.pi / 2, 0.1, 0.1), (8, 1, 1), "tet10", material=STEEL)
    angle, radius = fe.nodes[:, 0], 1.0 + fe.nodes[:, 1]
    return replace(fe, nodes=np.column_stack([radius * np.sin(angle), radius * np.cos(angle), fe.nodes[:, 2] / 3]))


def test_curved_mesh_in_a_deck(tmp_path):
    """Every field of the deck fits, names of sets need no quotes, and the structure comes back."""
    fe = curved_strip()
    path = tmp_path / "job.inp"
    ff.io.write(path, fe)
    lines = [line for line in path.read_text().splitlines()[2:] if not line.startswith("*")]
    fields = [field.strip() for line in lines for field in line.split(",")]
    assert max(map(len, fields)) <= 20
    assert max(len(repr(x)) for x in fe.nodes.ravel().tolist()) > 20  # the cosine of a right angle
    assert "*NSET, NSET=xmin\n" in path.read_text()
    got = ff.io.read(path)
    assert_allclose(got.nodes, fe.nodes, rtol=1e-14, atol=0)


@pytest.mark.skipif(shutil.which("ccx") is None, reason="CalculiX (ccx) is not installed")
def test_calculix_finds_the_same_frequencies(tmp_path):
    fe = curved_strip()
    path = tmp_path / "job.inp"
    ff.io.write(path, fe)
    with path.open("a") as deck:
        deck.write("*BOUNDARY\nXMIN,1,3\n*STEP\n*FREQUENCY\n4\n*END STEP\n")
    run_of = subprocess.run(["ccx", "-i", "job"], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert "*ERROR" not in run_of.stdout, run_of.stdout
    rows = [line.split() for line in (tmp_path / "job.dat").read_text().splitlines()]
    theirs = [float(row[3]) for row in rows if len(row) == 5 and row[0].isdigit()][:4]
    ours = ff.modal.eigenmodes(fe, n=4, fixed=["xmin"]).frequency
    assert_allclose(ours, theirs, rtol=1e-3)  # the same element, but other points of integration: 8e-5 measured


def test_sets_get_names_that_archives_take():
    """ANSYS: letters, digits and '_', at most 32, and a name belongs to nodes or to elements."""
    names = ff.io.renamed_sets("a.cdb", odd_sets())
    assert names == {
        "node set 'line 1'": "line_1_2",
        "node set '1st'": "S_1st",
        "node set 'Бабка'": "S_" + "_" * 5,
        f"node set '{'x' * 90}'": "x" * 32,
        "element set 'BARS'": "BARS_2",
        "element set 'line-1'": "line_1_3",
    }
    assert ff.io.renamed_sets("a.h5", odd_sets()) == {}


@pytest.mark.parametrize("suffix", [".cdb", ".inp"])
def test_renamed_sets_hold_the_same_members(tmp_path, capsys, suffix):
    fe = odd_sets()
    ff.io.write(tmp_path / "a.h5", fe)
    path = tmp_path / f"a{suffix}"
    assert run(["convert", str(tmp_path / "a.h5"), str(path)]) == 0
    said = capsys.readouterr().err
    names = ff.io.renamed_sets(path, fe)
    back = ff.io.read(path)
    for kind, sets, again in (("node", fe.node_sets, back.node_sets), ("element", fe.element_sets, back.element_sets)):
        for name, members in sets.items():
            label = f"{kind} set '{name}'"
            found = {key.upper(): ids for key, ids in again.items()}[names.get(label, name).upper()]  # no case in ANSYS
            assert found.tolist() == members.tolist()
            assert label not in names or f"{label} {names[label]}" in said
            assert label not in names or f"{label} is {names[label]} here" in path.read_text()


@pytest.mark.parametrize("offset", [0.0, 0.004])
@pytest.mark.parametrize("triangles", [False, True])
@pytest.mark.parametrize("suffix", [".inp", ".cdb", ".bdf", ".h5"])
def test_curved_shells_come_back(tmp_path, suffix, triangles, offset):
    """A bent plate of eight- or six-node shells has the same nodes and frequencies after a round through a format."""
    flat = ff.fem.plate_grid(1.0, 0.5, 2, 2, 0.01, STEEL, triangles=triangles, quadratic=True, offset=offset)
    fe = replace(flat, nodes=flat.nodes + np.outer(0.2 * flat.nodes[:, 0] ** 2, [0.0, 0.0, 1.0]))
    path = tmp_path / f"bent{suffix}"
    ff.io.write(path, fe)
    back = ff.io.read(path)
    assert [block.kind for block in back.blocks] == ["shell6" if triangles else "shell8"]
    assert_allclose(back.nodes, fe.nodes, atol=1e-12)
    exact = ff.modal.eigenmodes(fe, n=9).elastic.frequency
    assert_allclose(ff.modal.eigenmodes(back, n=9).elastic.frequency, exact, rtol=SAME)
