"""Archives of ANSYS as its releases write them: unblocked lines, blocks of other formats, blocked supports."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import floatframe as ff

HEX = [(0, 0, 0), (2, 0, 0), (2, 1, 0), (0, 1, 0), (0, 0, 3), (2, 0, 3), (2, 1, 3), (0, 1, 3)]
ATTRIBUTES = (1, 1, 1, 1, 0)


@pytest.fixture
def read(tmp_path):
    def reader(text: str | bytes, **options):
        path = tmp_path / "deck.cdb"
        path.write_bytes(text if isinstance(text, bytes) else text.encode("latin-1"))
        found = ff.io.read_with_report(path, **options)
        return found.model, found.report

    return reader


def nblock(whole: int, width: int, real: str, real_width: int, tail: str = "N,UNBL,LOC,       -1,\n") -> str:
    rows = "".join(
        f"{number:{width}d}" + f"{0:{width}d}" * (whole - 1) + "".join(f"{x:{real_width}.9E}" for x in place) + "\n"
        for number, place in enumerate(HEX, start=1)
    )
    return f"NBLOCK,6,SOLID,       8,       8\n({whole}i{width},{real})\n{rows}{tail}"


EBLOCK = "EBLOCK,19,SOLID,       1,       1\n(19i9)\n" + "".join(
    f"{value:9d}" for value in (*ATTRIBUTES, 0, 0, 0, 8, 0, 1, *range(1, 9))
)
ARCHIVE = f"""/COM,ANSYS RELEASE 2023 R1           BUILD 23.1
/PREP7
/NOPR
DOF,DELETE
ET,       1,185
{nblock(3, 9, "6e21.13e3", 21)}{EBLOCK}
       -1
LOCAL,UNBL,LOC,       11, 1,  1.0, 0.0, 0.0
LOCAL,UNBL,ANG,       11, 1,  90.0, 0.0, 0.0
LOCAL,UNBL,PRM,       11, 1,  1.0, 1.0
CSCIR,      11, 0, 0
MPTEMP,UNBL, 1, 1,  0.00000000    ,
MPDATA,UNBL, 1,EX  ,       1, 1,  210000000000.    ,
MPTEMP,UNBL, 1, 1,  0.00000000    ,
MPDATA,UNBL, 1,PRXY,       1, 1, 0.300000000    ,
MPDATA,UNBL, 1,DENS,       1, 1,  7850.00000    ,
MP,UVID,1,9f3b
MP,UMID,1,6e2d
CNCHECK,AUTO
CMWRITE,parts,cm
RSTSUPPRESS,NODE
DBLOCK,       3
(i9,a6,2(pg16.9))
        1UX     0.00000000E+00  0.00000000E+00
        1UY    0.00000000E+00  0.00000000E+00
        2ROTX   0.0             0.0
       -1
FBLOCK,       1
(i9,a6,2(pg16.9))
        7FX     5.00000000E+00  0.00000000E+00
       -1
SFEBLOCK,4,PRES,       1,256,0
(i9,i4,i4,6(pg20.9))
        1   4   1          1.00000000          1.00000000
SFE,end,LOC,-1,
/GO
FINISH
"""


def test_an_archive_of_today_is_read_with_nothing_left_out(read):
    fe, report = read(ARCHIVE, strict=True)
    assert_array_equal(fe.nodes, HEX)
    material = fe.blocks[0].material
    assert (material.E, material.nu, material.rho) == (2.1e11, 0.3, 7850.0)
    # a rotation that no element of the node has holds nothing
    assert fe.free_rows().size == 3 * 8 - 2
    assert report.ignored_physics == ()


@pytest.mark.parametrize(
    ("whole", "width", "real", "real_width"),
    [
        (3, 8, "6e16.9", 16),
        (3, 9, "6e20.13", 20),
        (1, 7, "3e22.13,3e22.13", 22),
        (2, 9, "3e21.13e3", 21),
        (3, 10, "1p,6e21.13e3", 21),
    ],
)
def test_nodes_in_other_columns(read, whole, width, real, real_width):
    old = nblock(3, 9, "6e21.13e3", 21)
    fe, _ = read(ARCHIVE.replace(old, nblock(whole, width, real, real_width)))
    assert_array_equal(fe.nodes, HEX)


@pytest.mark.parametrize("form", ["blocked", "compact", "unblocked"])
def test_elements_in_other_forms(read, form):
    """Compact rows have the attributes in force; unblocked lines give attributes, then nodes."""
    nodes = range(1, 9)
    new = {
        "blocked": "EBLOCK,10,,,1\n(15i9)\n" + "".join(f"{v:9d}" for v in (1, 1, 1, 1, 0, *nodes)) + "\n       -1\n",
        "compact": "TYPE,1\nMAT,1\nEBLOCK,10,COMPACT,,1\n(15i9)\n"
        + "".join(f"{v:9d}" for v in (1, *nodes))
        + "\n       -1\n",
        "unblocked": "EN,R5.5,ATTR,8,1,1,1,1,0,1,0,0,0\nEN,R5.5,NODE,1,2,3,4,5,6,7,8\nEN,R5.5,ATTR,-1\n",
    }[form]
    fe, _ = read(ARCHIVE.replace(f"{EBLOCK}\n       -1\n", new))
    assert fe.blocks[0].kind == "hex8"
    assert_array_equal(fe.blocks[0].connectivity, [range(8)])


def test_numbers_of_card_images_are_no_data(read):
    """Columns 73 to 80 of fixed records count the cards; beside nodes of 72 columns they look like angles."""
    rows = [
        *("/PREP7", "ET,1,185", "MP,EX,1,2.1E11", "MP,DENS,1,7850", "NBLOCK,6,SOLID", "(3i8,6e16.9)"),
        *(f"{n:8d}{0:8d}{0:8d}" + "".join(f"{x:16.9E}" for x in place) for n, place in enumerate(HEX, start=1)),
        *("N,R5.3,LOC,-1,", "E,1,2,3,4,5,6,7,8", "D,1,UX", "FINISH"),
    ]
    fe, _ = read("".join(f"{row:<72}{10 * k:08d}\n" for k, row in enumerate(rows, start=1)))
    assert_array_equal(fe.nodes, HEX)
    # angles would have made an equation of the support
    assert_array_equal(fe.supports, [[1, 0]])
    assert fe.couplings == ()


def test_bytes_of_other_alphabets_do_no_harm(read):
    fe, _ = read(ARCHIVE.replace("/NOPR", "/TITLE,Träger ½ Gehäuse\n/COM,\xc3\xa4 $ ! '"))
    assert_allclose(fe.mass().sum(), 3 * 7850.0 * 6.0, rtol=1e-12)  # whole mass in three directions


def test_an_archive_of_today_gives_the_modes_of_an_old_one(read):
    old = ARCHIVE.replace("UNBL", "R5.0").replace("N,R5.0", "N,R5.3")
    K = [read(text)[0].stiffness().toarray() for text in (ARCHIVE, old)]
    assert_array_equal(K[0], K[1])
    assert np.abs(K[0]).max() > 0
