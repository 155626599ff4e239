"""Models inside .rst files: ANSYS' own frequencies and displacements, tables against a deck, parts, sectors, damage."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import floatframe as ff
from floatframe.errors import ReadError
from floatframe.io.ansys.apdl.systems import GLOBAL
from floatframe.io.ansys.binary.result_model import read_deck
from floatframe.io.ansys.binary.results import read_results, result_parts
from floatframe.io.import_log import ImportLog
from tests.io.ansys.binary_writer import STEEL, Writer, write_rst
from tests.io.ansys.complaints import complaint
from tests.io.ansys.real_files import SAME, real

DECK = """/PREP7
ET,1,SHELL181
KEYOPT,1,3,2
ET,4,MASS21
KEYOPT,4,3,2
ET,5,188
R,7,2.5
SECTYPE,3,SHELL
SECDATA,0.01,2
SECOFFSET,BOT
SECTYPE,6,BEAM,ASEC
SECDATA,4e-4,2e-8,0,1.5e-8,0,3e-8,0,0,0,0,0,0,0.6,0.7
MPTEMP,1,20,100
MPDATA,EX,2,1,2.1e11,1.9e11
MP,PRXY,2,0.3
MP,DENS,2,7850
N,1,0,0,0
N,2,1,0,0
N,3,1,1,0
N,4,0,1,0
N,9,1,1,0.7
N,10,1,0,2
TYPE,1
MAT,2
SECNUM,3
E,1,2,3,4
TYPE,5
SECNUM,6
E,3,9,10
TYPE,4
REAL,7
E,9
D,1,ALL
D,4,UX,,,,,UZ
"""


def write_model(path, mapped: bool = True, **head: int):
    """A .rst file of the model in DECK; head: further items of the header of the file or of the geometry (g53=…)."""
    file = Writer(12)
    header = file.integers([0] * 80)
    equivalence = file.integers([1, 2, 3, 4, 9, 10])
    geometry = file.integers([0] * 80)
    places = {1: (0, 0, 0), 2: (1, 0, 0), 3: (1, 1, 0), 4: (0, 1, 0), 9: (1, 1, 0.7), 10: (1, 0, 2)}
    loc = file.size
    for number, place in places.items():
        file.reals([number, *place, 0, 0, 0])

    def table(entries, write, most):
        start = file.size
        numbers = sorted(entries)
        slots = len(numbers) if mapped else most
        first = file.integers(numbers if mapped else [0] * slots)
        second = file.integers([0] * slots) if mapped else first
        for k, number in enumerate(numbers):
            patches[second + 2 + (k if mapped else number - 1)] = [write(entries[number]) - start]
        return start

    patches: dict[int, list[int]] = {}
    types = {1: [181, 0, 0, 2], 4: [21, 0, 0, 2], 5: [188]}
    ety = table({n: [n, *v, *[0] * (199 - len(v))] for n, v in types.items()}, file.integers, 5)
    rel = table({7: [2.5, 0.0]}, file.reals, 7)
    shell = np.zeros(56)
    shell[[0, 1, 4, 5, 6, 7]], shell[30:34] = [3, 2, 0.01, 1, 3, 3], [0.01, 2, 0, 3]
    beam = np.zeros(40)
    beam[[0, 1, 2, 7, 12, 14, 15, 23, 25]] = [6, 1, 13, 4e-4, 2e-8, 1.5e-8, 3e-8, 0.7, 0.6]
    sec = table({3: shell, 6: beam}, file.reals, 6)
    mat = file.size
    row = file.integers([-101, 3, 198, 2, *[0] * 194]) + 2 + 3
    modulus = np.zeros(102)
    modulus[:2], modulus[100:] = [20, 100], [2.1e11, 1.9e11]
    for label, values in ((1, modulus), (28, [*[0] * 100, 0.3]), (13, [*[0] * 100, 7850.0])):
        patches[row + label] = [file.reals(values) - mat]
    eid = file.integers([0] * 6)
    rows = [[2, 1, 0, 3, 1, 1, 2, 3, 4], [2, 5, 0, 6, 2, 3, 9, 10], [2, 4, 7, 6, 3, 9]]
    for k, (material, kind, constants, section, number, *nodes) in enumerate(rows):
        at = file.integers([material, kind, constants, section, 0, 1, 0, 0, number, 0, *nodes])
        patches[eid + 2 + 2 * k] = [at - eid]
    name = np.frombuffer(b"TIPS".ljust(32), dtype=">i4")
    comp = file.integers([1, *name.tolist(), 1, -3, 9])
    index, times = file.integers([0, 0]), file.reals([1.0])
    first = file.integers([0] * 150)
    file.reals([0.0] * 4 + [20.0] + [0.0] * 95)
    held = [(1, k) for k in range(1, 7)] + [(4, 1), (4, 3)]
    bc = file.integers([0] * 40)
    nodes = file.integers([node for node, _ in held])
    file.integers([label for _, label in held])
    values = file.reals([0.0] * 4 * len(held))
    patches |= {
        bc + 2: [len(held), nodes - bc, values - bc, 0, 0, 0, 1],
        first + 2 + 110: [bc - first],
        index + 2: [first],
        header + 2: [12, 10, 6, 1, 6, 3, 3, 0, 1, 0, index, times, 0, 0, equivalence, geometry],
        geometry + 2 + 3: [6, 3],
        geometry + 2 + 20: [ety, 0, rel, 0, 0, 0, loc, 0, eid, 0, 0, 0, sec, 0, mat, 0],
        geometry + 2 + 13: [1],
        geometry + 2 + 48: [1, 12, comp, 0, 194],
        geometry + 2 + 64: [int(mapped)],
    }
    for item, value in head.items():
        patches[(geometry if item[0] == "g" else header) + 2 + int(item[1:])] = [value]
    return file.save(path, patches)


# what ANSYS computed


def test_the_model_in_a_results_file_has_the_frequencies_listed_there():
    path = real("pymapdl-reader/file.rst")
    listed = ff.io.read(path, content="modes").frequency
    assert_allclose(ff.modal.eigenmodes(ff.io.read(path), n=12).elastic.frequency[:6], listed, rtol=SAME)


def test_the_model_in_a_results_file_bends_as_listed_there():
    """16 BEAM44, clamped at node 1 by the supports in the file, -1000 N at node 4; both are exact beams."""
    path = real("pymapdl-reader/beam44.rst")
    found = ff.modal.solve_static(ff.io.read(path), loads={(4, "uz"): -1000.0})
    listed = read_results(path).displacement[:, :, 0]
    assert_allclose(found, listed, atol=1e-11 * np.abs(listed).max())


def test_global_systems_are_those_in_a_results_file():
    """ANSYS writes the axes of its systems 1, 2, 4, 5 (about y) and 6 (about x)."""
    path = real("pymapdl-reader/mass21_shell281_contact.rst")
    found = read_deck(path, result_parts(path), ImportLog(path)).systems
    for number in (1, 2, 4, 5, 6):
        assert_allclose(GLOBAL[number].axes, found[number].axes, atol=1e-15)
        assert GLOBAL[number].kind == found[number].kind


def test_remote_points_in_a_results_file():
    """The pilot node of a bonded contact moves as the mean of its nodes; the internal node behind it is passed over."""
    path = real("pymapdl-reader/mass21_shell281_contact.rst")
    fe = ff.io.read(path)
    assert sum(isinstance(coupling, ff.fem.RBE3) for coupling in fe.couplings) == 1
    assert_array_equal([point.node for point in fe.point_masses], [23])


def test_a_laminate_in_a_results_file_bends_as_listed_there():
    """Four SHELL281 of six layers in turned axes, nodes in the top, loaded across and along at the pilot node.

    Of such few elements the formulations differ by 3.4 % across and 5.9 % along, where nodes in the bottom would
    change the sign.
    """
    path = real("pymapdl-reader/mass21_shell281_contact.rst")
    fe = ff.io.read(path)
    listed = read_results(path)
    (pilot,) = np.flatnonzero(listed.geometry.ids == 22)
    for k, load in enumerate(({(22, "uy"): 100.0}, {(22, "ux"): 50.0})):
        found = ff.modal.solve_static(fe, loads=load)[fe.node_index([22])[0]]
        assert_allclose(found[:2], listed.displacement[pilot, :2, k], rtol=0.07)


# tables


@pytest.mark.parametrize("mapped", [True, False])
def test_tables_of_a_results_file_are_those_of_the_deck(tmp_path, mapped):
    (tmp_path / "deck.dat").write_text(DECK)
    deck = ff.io.read(tmp_path / "deck.dat", temperature=60)
    fe = ff.io.read(write_model(tmp_path / "a.rst", mapped), temperature=60)
    assert_array_equal(fe.supports, deck.supports)
    assert_array_equal(fe.node_sets["TIPS"], [1, 2, 3, 9])
    for ours, theirs in ((fe.stiffness(), deck.stiffness()), (fe.mass(), deck.mass())):
        assert abs(ours - theirs).max() == 0.0  # the same numbers on the same way


def test_releasing_the_supports_and_choosing_the_content(tmp_path):
    path = write_model(tmp_path / "a.rst")
    assert len(ff.io.read(path).supports) == 8
    assert not len(ff.io.read(path, supports=False).supports)
    with pytest.raises(ReadError, match="content=stress is unknown; use model or modes"):
        ff.io.read(path, content="stress")


# parts of the whole


def test_sectors_of_cyclic_analyses_are_refused(tmp_path):
    for item, value, words in (("h20", 24, "one sector of 24 of a cyclic"), ("g53", 2, "2 stages of a multistage")):
        with pytest.raises(ReadError, match=words):
            ff.io.read(write_model(tmp_path / "a.rst", **{item: value}))


def test_parts_of_a_distributed_run_are_joined_or_refused(tmp_path):
    """Two halves of a beam that share a node, as two processes write them."""
    section = ff.fem.BeamSection.rectangle(0.02, 0.03)
    fe = ff.fem.beam_line((0, 0, 0), (2, 0, 0), n=6, section=section, material=STEEL)
    modes = ff.modal.eigenmodes(fe, n=3, fixed=[1])
    shapes = fe.expand(modes.shapes)

    def part(name: str, rows: slice) -> None:
        half = ff.fem.FEModel(fe.nodes[rows], (), fe.node_ids[rows])
        data = write_rst(tmp_path / name, half, shapes[rows], modes.frequency, 2).read_bytes()
        words = np.frombuffer(data, dtype="<i4").copy()
        words[103 + 2 + 48] = fe.nnode
        (tmp_path / name).write_bytes(words.tobytes())

    # the model itself: nodes, elements and supports that stand in both parts count once
    for name in ("run0.rst", "run1.rst"):
        write_model(tmp_path / name, h2=4, h48=6)
    whole = ff.io.read(write_model(tmp_path / "whole.rst"))
    assert abs(ff.io.read(tmp_path / "run0.rst").stiffness() - whole.stiffness()).max() == 0.0

    part("job10.rst", slice(0, 4))
    with pytest.raises(ReadError, match=r"one part of a distributed run: it has 4 of 7 nodes; put all parts"):
        ff.io.read(tmp_path / "job10.rst")
    part("job11.rst", slice(3, 7))
    for name in ("job10.rst", "job11.rst"):
        found = ff.io.read(tmp_path / name)
        assert_array_equal(found.node_ids, fe.node_ids)
        assert_array_equal(found.displacement, shapes)


# damage


def test_mutated_models_give_a_model_or_one_sentence(tmp_path):
    good = np.frombuffer(write_model(tmp_path / "a.rst").read_bytes(), dtype="<i4")
    rng = np.random.default_rng(5)
    models = 0
    for _ in range(120):
        words = good.copy()
        for _ in range(rng.integers(1, 4)):
            words[rng.integers(words.size)] = rng.choice(
                [0, 1, -1, 2**31 - 1, -(2**31), int(rng.integers(words.size)), 1 << 28, 1 << 27, 10**7]
            )
        data = words.tobytes()[: int(rng.integers(400, words.nbytes)) if rng.random() < 0.2 else None]
        (tmp_path / "b.rst").write_bytes(data)
        sentence = complaint(tmp_path / "b.rst", materials=STEEL)
        models += not sentence
        assert "\n" not in sentence
    assert models > 10
