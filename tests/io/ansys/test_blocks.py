"""Blocks of ANSYS archives: every number exactly, every kind of damage as one sentence with its line."""

from __future__ import annotations

from pathlib import Path

import mapdl_archive
import numpy as np
import pytest
from numpy.testing import assert_array_equal

import floatframe as ff
from floatframe.errors import ReadError
from floatframe.io.ansys.commands.reader import read_deck
from floatframe.io.import_log import ImportLog

HEX_BEAM = (Path(mapdl_archive.__file__).parent / "examples" / "HexBeam.cdb").read_bytes()


@pytest.fixture
def deck(tmp_path):
    """The deck of a file given as text or bytes."""

    def reader(text: str | bytes):
        path = tmp_path / "deck.cdb"
        path.write_bytes(text if isinstance(text, bytes) else text.encode("latin-1"))
        return read_deck(path, ImportLog(path))

    return reader


# numbers


@pytest.mark.parametrize(
    ("layout", "write"),
    [
        ("(3i9,6e21.13e3)", lambda i, x: f"{i:9d}{0:9d}{0:9d}" + "".join(_fortran(v, 21, 13, 3) for v in x)),
        ("(3i8,6e20.13)", lambda i, x: f"{i:8d}{0:8d}{0:8d}" + "".join(f"{v:20.13E}" for v in x)),
        ("(1i9,3e20.9e3)", lambda i, x: f"{i:9d}" + "".join(_fortran(v, 20, 9, 3) for v in x)),
        ("(3i8,6e16.9)", lambda i, x: f"{i:8d}{0:8d}{0:8d}" + "".join(f"{v:16.5f}" for v in x)),
        ("(3i9,6e25.17)", lambda i, x: f"{i:9d}{0:9d}{0:9d}" + "".join(f"{v:25.17E}" for v in x)),
    ],
)
def test_coordinates_are_read_to_the_last_bit(deck, layout, write):
    """Against Python's own conversion, for magnitudes from noise to kilometres in millimetres."""
    rng = np.random.default_rng(5)
    x = rng.normal(size=(500, 3)) * 10.0 ** rng.integers(-18, 7, size=(500, 3))
    x[::50] = 0.0
    rows = [write(k + 1, row) for k, row in enumerate(x.tolist())]
    text = f"NBLOCK,6,SOLID,500,500\n{layout}\n" + "\n".join(rows) + "\nN,R5.3,LOC,       -1,\n"
    nodes = deck(text).nodes.merged()
    width = int(layout.split("e")[1].split(".")[0])
    start = int(layout[1]) * int(layout.split("i")[1].split(",")[0])
    expected = [[float(row[start + k * width : start + (k + 1) * width]) for k in range(3)] for row in rows]
    assert_array_equal(nodes.xyz, expected)


def _fortran(value: float, width: int, digits: int, exponent: int) -> str:
    mantissa, power = f"{value:.{digits}E}".split("E")
    return f"{mantissa}E{int(power):+0{exponent + 1}d}".rjust(width)


def test_short_rows_leave_zeros_and_long_ones_have_angles(deck):
    text = (
        "NBLOCK,6,SOLID\n(3i8,6e16.9)\n       1       0       0\n       2       0       0     1.000000000\n"
        "       7       0       0     1.000000000     2.000000000     3.000000000    30.000000000\nN,R5.3,LOC,-1\n"
    )
    nodes = deck(text).nodes.merged()
    assert_array_equal(nodes.ids, [1, 2, 7])
    assert_array_equal(nodes.xyz, [[0, 0, 0], [1, 0, 0], [1, 2, 3]])
    assert_array_equal(nodes.angles, [[0, 0, 0], [0, 0, 0], [30, 0, 0]])


def test_elements_of_all_lengths_and_layouts(deck):
    row = "".join(f"{value:9d}" for value in (3, 2, 1, 4, 5, 0, 0, 0, 20, 0, 77, *range(1, 9)))
    more = "".join(f"{value:9d}" for value in range(9, 21))
    short = "".join(f"{value:9d}" for value in (3, 2, 1, 4, 5, 0, 0, 0, 2, 0, 78, 1, 2))
    solid = deck(f"EBLOCK,19,SOLID,78,2\n(19i9)\n{row}\n{more}\n{short}\n       -1\n").elements.merged()
    found = {int(part.ids[0]): part for part in solid}
    assert_array_equal(found[77].nodes, [range(1, 21)])
    assert_array_equal(found[77].attributes, [[3, 2, 1, 4, 5]])
    assert_array_equal(found[78].nodes, [[1, 2]])
    plain = "".join(f"{value:9d}" for value in (12, 3, 4, 5, 0, 21, 22, 23, 24))
    (part,) = deck(f"eblock,10,,,1\n(15i9)\n{plain}\n-1\n").elements.merged()
    assert_array_equal(part.ids, [12])
    assert_array_equal(part.attributes, [[5, 3, 4, 3, 0]])
    assert_array_equal(part.nodes, [[21, 22, 23, 24]])


def test_components_with_ranges(deck):
    rows = "         3        -6         9        20       -22\n"
    found = deck(f"CMBLOCK,HUB ,NODE,       5  ! users node component\n(8i10)\n{rows}")
    assert_array_equal(found.components["HUB"][1], [3, 4, 5, 6, 9, 20, 21, 22])


def test_real_constants_over_several_lines(deck):
    values = [1.5 + k for k in range(15)]
    fields = [f"{value:16.9E}" for value in values]
    text = "RLBLOCK,       2,       4,      15,       7\n(2i8,6g16.9)\n(7g16.9)\n"
    text += f"{1:8d}{15:8d}" + "".join(fields[:6]) + "\n" + "".join(fields[6:13]) + "\n" + "".join(fields[13:]) + "\n"
    text += f"{4:8d}{1:8d}" + fields[0] + "\n"
    assert deck(text).reals == {1: values, 4: [1.5]}


# damage


def damaged(old: bytes, new: bytes, count: int = 1) -> bytes:
    assert old in HEX_BEAM
    return HEX_BEAM.replace(old, new, count)


LINES = HEX_BEAM.split(b"\n")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (b"\n".join(LINES[:200]), r"line 200: NBLOCK announces 321 rows, but 164 were found"),
        (b"\n".join(LINES[:400]), r"line \d+: EBLOCK announces 40 elements, but \d+ were found|do not hold them"),
        (damaged(b"321,       321", b"321,       999"), "line 357: NBLOCK announces 999"),
        (damaged(b"40,        40", b"40,        41"), "EBLOCK announces 41 elements"),
        (damaged(b"(3i9,6e21.13e3)", b"(3x9,garbage)"), "line 36: NBLOCK needs a format"),
        (damaged(b"(3i9,6e21.13e3)", b"(3i999999,6e21.13e3)"), "line 36: .* columns of impossible width"),
        (damaged(LINES[99], LINES[99].replace(b"E", b"Q")), "line 100: NBLOCK needs a number here"),
        (damaged(LINES[99], b"   x" + LINES[99][4:]), "line 99: NBLOCK announces 321 rows, but 63"),
        (damaged(LINES[99], LINES[99][:12] + b"x" + LINES[99][13:]), "line 100: a row of NBLOCK does not"),
        (damaged(b"ET,        1,186", b"ET,        2,186"), "element 1 is of type 1, which no ET command defines"),
        (damaged(b",DENS,       1, 1,", b",DENS,       x, 1,"), "line 469: the value of 'x' is not known"),
        (damaged(b",EX  ,       1", b",EX  ,       2"), "line 467: elements use material 1, .* only DENS, NUXY"),
        (damaged(b"0.350000000", b"0.550000000"), "nu is 0.55"),
        (damaged(b"CMBLOCK,NCOMP2  ,NODE,      42", b"CMBLOCK,NCOMP2  ,NODE, 9999999"), "more than the file can hold"),
        (b"/PREP7\nET,1,186\nVMESH,ALL\n", "line 3: VMESH makes the mesh from geometry"),
        (b"/PREP7\n*USE,MAKE\n", r"line 2: \*USE runs the macro 'MAKE', which is neither made here nor beside"),
        (b"/PREP7\nET,1,186\n", "no nodes were found"),
        (b"/PREP7\nN,1,1/0\n", "line 2: the expression '1/0' has no value"),
        (b"/PREP7\nN,99999999999,1\n", "line 2: the node number '99999999999' is not a whole number within the range"),
        (b"/PREP7\nN,-4,1\n", "line 2: node number -4 is not positive"),
        (b"/PREP7\nN,1,1e999\n", "line 2: '1e999' is not a finite number"),
        (b"/PREP7\nN,1\nNGEN,1000000000,1,1\n", "would make 1000000000"),
    ],
)  # fmt: skip
def test_damage_is_one_sentence_with_its_line(read, text, sentence):
    with pytest.raises(ReadError, match=sentence) as caught:
        read(text)
    assert "\n" not in str(caught.value)


def test_unknown_nodes_and_types_are_named(read):
    text = HEX_BEAM.replace(LINES[361], LINES[361][:-10] + b"     99912", 1)
    with pytest.raises(ReadError, match=r"SOLID186 element \d+ names node 99912, which the file does not define"):
        read(text)


def test_gigantic_numbers_in_a_block(read):
    row = LINES[40]
    with pytest.raises(ReadError, match="does not hold whole numbers"):
        read(damaged(b"(3i9,6e21.13e3)", b"(3i30,6e21.13e3)").replace(row, b"9" * 30 + row[9:], 1))


def test_repeated_nodes_and_elements_take_their_last_definition(tmp_path):
    path = tmp_path / "twice.cdb"
    path.write_bytes(HEX_BEAM.replace(b"EBLOCK,19", b"N,5,9.0,9.0,9.0\nEBLOCK,19", 1))
    found = ff.io.read_with_report(path)
    assert_array_equal(found.model.nodes[found.model.node_index(5)[0]], [9.0, 9.0, 9.0])
    assert found.model.nnode == 321
    assert any("more than once" in sentence for sentence in found.report.warnings)
