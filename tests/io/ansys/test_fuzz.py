"""Mutated ANSYS files give a model or a ReadError, nothing else."""

from __future__ import annotations

from pathlib import Path

import mapdl_archive
import numpy as np
import pytest

import floatframe as ff
from tests.io.ansys.binary_writer import write_full, write_rst
from tests.io.ansys.complaints import complaint

WHEEL = Path(mapdl_archive.__file__).parent / "examples"
REAL = Path(__file__).parents[4] / "shared" / "realfiles" / "pymapdl-reader"
STEEL = ff.fem.Material(2.1e11, 0.3, 7850.0)

# a deck with something of everything
SMALL = b"""/PREP7
/UNITS,MPA
*SET,T,0.01
ET,1,BEAM4
ET,2,SHELL181
ET,3,MASS21
KEYOPT,3,3,2
ET,4,COMBIN14
ET,5,SOLID186
ET,6,188
ETBLOCK,        1,        1
(2i9,19a9)
        7      185        0        0        2
       -1
R,1,1e-4,1e-9,2e-9,0.01,0.02
RMORE,0,3e-9,1.2,1.2
R,3,5.0
R,4,1000.0,2.0
MP,EX,1,2.1e11
MP,PRXY,1,0.3
MPTEMP,R5.0, 2, 1,  20.0, 100.0,
MPDATA,R5.0, 2,DENS,       1, 1,  7850.0, 7800.0,
SECTYPE,2,SHELL
SECDATA,T,1,0,3
SECOFFSET,BOT
SECTYPE,6,BEAM,I
SECBLOCK,6
 0.1, 0.1, 0.2, 0.01, 0.01, 0.006
NBLOCK,6,SOLID,        12,        12
(3i9,6e21.13e3)
        1        0        0
        2        0        0 1.0000000000000E+000
        3        0        0 1.0000000000000E+000 1.0000000000000E+000
        4        0        0 0.0000000000000E+000 1.0000000000000E+000
        5        0        0 0.0000000000000E+000 0.0000000000000E+000 1.0000000000000E+000
        6        0        0 1.0000000000000E+000 0.0000000000000E+000 1.0000000000000E+000
        7        0        0 1.0000000000000E+000 1.0000000000000E+000 1.0000000000000E+000 3.0000000000000E+001
        8        0        0 0.0000000000000E+000 1.0000000000000E+000 1.0000000000000E+000
        9        0        0 2.0000000000000E+000
       10        0        0 3.0000000000000E+000
       11        0        0 3.0000000000000E+000 1.0000000000000E+000
       12        0        0 5.0000000000000E-001 0.0000000000000E+000
N,R5.3,LOC,       -1,
EBLOCK,19,SOLID,         5,         5
(19i9)
ROWS       -1
CMBLOCK,HUB,NODE,       3
(8i10)
         1        -4         9
TYPE,3
REAL,3
E,10
TYPE,4
REAL,4
E,9,10
CM,LAST,ELEM
LOCAL,11,1,0,0,0
CSYS,0
NSEL,S,LOC,X,0
D,ALL,ALL
NSEL,ALL
D,7,UX
CE,1,0,11,UZ,1,3,UZ,-1
CP,1,UY,9,10
FINISH
""".replace(
    b"ROWS",
    "".join(
        "".join(f"{value:9d}" for value in row) + "\n"
        for row in (
            (1, 7, 1, 1, 0, 0, 0, 0, 8, 0, 1, 1, 2, 3, 4, 5, 6, 7, 8),
            (1, 5, 1, 1, 0, 0, 0, 0, 20, 0, 2, 1, 2, 3, 3, 5, 6, 7, 7),
            (12, 0, 3, 0, 0, 0, 7, 0, 0, 0, 0, 0),
            (1, 2, 1, 2, 0, 0, 0, 0, 4, 0, 3, 2, 9, 11, 3),
            (1, 1, 1, 1, 0, 0, 0, 0, 3, 0, 4, 2, 9, 11),
            (1, 6, 1, 6, 0, 0, 0, 0, 2, 0, 5, 9, 10),
        )
    ).encode(),
)

# commands and elements of hand-written decks: loops, generation, pipes, springs, joints, layers
WRITTEN = b"""/PREP7
*AFUN,DEG
*DIM,LIST,ARRAY,4
LIST(1)=1,2,3,4
ET,1,PIPE16
ET,2,PIPE18
ET,3,COMBIN40,,,2,,,1
ET,4,COMBIN39,,,,1
ET,5,184,6,,,1
ET,6,190
ET,7,181,1
ET,8,COMBI214
ET,9,BEAM3
ET,10,SURF154
ET,11,181
ET,12,21
R,1,0.1,0.005,,,,1000
R,2,0.1,0.005,0.5
R,3,100,1,2,,,50
R,4,0,0,0.1,50
R,8,5,6,1,1
R,9,1e-4,1e-9,0.01
R,10,,,,10,,3
R,12,1,1,1
MPTEMP,UNBL, 2, 1,  20.0, 100.0,
MPDATA,UNBL, 2,EX  ,       1, 1,  2.1e11, 2.0e11,
MPDATA,UNBL, 1,DENS,       1, 1,  7850.0,
MP,UVID,1,abc
MP,EX,2,1.4e11
MP,EY,2,9e9
MP,GXY,2,5e9
MP,PRXY,2,0.3
TB,ANEL,3,1,21,0
TBTEMP,0
TBDATA,1,1e11,3e10,3e10,,,
TBDATA,7,1e11,3e10,,,,1e11
TBDATA,16,3e10,,,3e10,,3e10
TB,JOIN,4,,,STIF
TBDATA,21,30
SECTYPE,5,JOINT,REVO
SECJOINT,LSYS,11
SECTYPE,6,SHELL
SECDATA,0.01,3
SECTYPE,7,SHELL
SECDATA,0.01,1
SECTYPE,11,SHELL
SECDATA,0.01,2,45
SECDATA,0.02,1
SECCONTROL,,,,2
LOCAL,UNBL,LOC,       11, 0,  1.0, 0.0, 0.0
LOCAL,UNBL,ANG,       11, 0,  90.0, 0.0, 0.0
WPLANE,,0,0,0,1,0,0,0,1,0
CSWPLA,12,1
CSYS,0
N,1
N,5,4
FILL,,,,,,,,2
NGEN,3,10,1,5,1,0,1,0,1.5
NSYM,Z,100,1,25
NSCALE,0,101,125,1,1,1,2
*DO,I,1,3
  *IF,I,EQ,2,CYCLE
  N,200+I,COS(30*I),SIN(30*I),I
*ENDDO
*GET,TOP,NODE,0,NUM,MAX
*CREATE,MAKE,MAC
N,ARG1,ARG2,5,5
*END
*USE,MAKE,300,7
TYPE,1
E,1,2
EGEN,2,1,1,,,,,,,,1
TYPE,2
REAL,2
N,400,0,0
N,401,0.5,0.5
N,402,0.5,0
E,400,401,402
TYPE,3
REAL,3
E,3,4
TYPE,4
REAL,4
E,4,5
TYPE,5
MAT,4
SECNUM,5
E,5,15
TYPE,6
MAT,1
SECNUM,6
N,111,0,1,1
N,112,1,1,1
N,121,0,2,1
N,122,1,2,1
E,11,12,22,21,111,112,122,121
TYPE,7
SECNUM,7
E,13,14,24,23
TYPE,8
REAL,8
E,201,203
TYPE,9
REAL,9
E,201,203
TYPE,10
REAL,10
E,13,14,24,23
TYPE,11
SECNUM,11
ESYS,11
E,14,15,25,24
ESYS,0
TYPE,12
REAL,12
E,300
NSEL,,NODE,,1,5,2
DSYM,SYMM,X,11
NSEL,ALL
DBLOCK,       2
(i9,a6,2(pg16.9))
        1UX     0.00000000E+00  0.00000000E+00
       21UY    0.00000000E+00  0.00000000E+00
       -1
CP,1,UX,11,12
CPLGEN,1,UY
CPSGEN,2,1,1,2
RBE3,300,ALL,LIST
CERIG,400,201,UX,UY
NUMMRG,NODE,1e-6
FLST,2,2,1,ORDE,2
FITEM,2,1
FITEM,2,-3
D,P51X, , , , , ,UZ
FINISH
"""


def mutated(data: bytes, rng: np.random.Generator) -> bytes:
    """Change, drop, repeat or swap bytes and lines, or cut the end off."""
    raw = bytearray(data)
    for _ in range(rng.integers(1, 4)):
        place = int(rng.integers(len(raw)))
        choice = rng.integers(7)
        if choice == 0:
            raw[place] = int(rng.integers(256))
        elif choice == 1:
            raw[place] = int(rng.choice(list(b"0123456789-+.,EeDd \n\r$!*/()")))
        elif choice == 2:
            del raw[place : place + int(rng.integers(1, 30))]
        elif choice == 3:
            raw[place:place] = raw[place : place + int(rng.integers(1, 200))]
        elif choice == 4:
            del raw[place:]
        elif choice == 5:
            lines = bytes(raw).split(b"\n")
            a, b = rng.integers(len(lines), size=2)
            lines[a], lines[b] = lines[b], lines[a]
            raw = bytearray(b"\n".join(lines))
        else:
            raw[place : place + 9] = rng.choice([b"999999999", b"       -1", b"      0  ", b"1e999    ", b"NaN      "])
        raw = raw or bytearray(b"\n")
    return bytes(raw)


def survives(path: Path, data: bytes, rng: np.random.Generator, cases: int, **options) -> int:
    """Read mutations of a file; return how many gave a model."""
    models = 0
    for _ in range(cases):
        path.write_bytes(mutated(data, rng))
        sentence = complaint(path, **options)
        models += not sentence
        assert not sentence or (str(path) in sentence and "\n" not in sentence)
    return models


def test_small_deck_is_sound(tmp_path):
    path = tmp_path / "small.cdb"
    path.write_bytes(SMALL)
    assert ff.io.read(path).nelement == 6


def test_mutated_small_decks(tmp_path):
    models = survives(tmp_path / "deck.cdb", SMALL, np.random.default_rng(11), 1000)
    assert 30 < models < 970  # the mutations matter, and do not break everything


def test_written_deck_is_sound(tmp_path):
    path = tmp_path / "written.cdb"
    path.write_bytes(WRITTEN)
    report = ff.io.read_with_report(path).report
    assert not report.lost
    assert report.read["PIPE18"] == report.read["SOLSH190"] == report.read["MPC184"] == 1


def test_mutated_written_decks(tmp_path):
    models = survives(tmp_path / "deck.cdb", WRITTEN, np.random.default_rng(15), 60, drop="all")
    assert 5 < models < 55  # the mutations matter, and do not break everything


@pytest.mark.parametrize("name", ["HexBeam.cdb", "sector.cdb", "academic_rotor.cdb"])
def test_mutated_archives_of_ansys(tmp_path, name):
    data = (WHEEL / name).read_bytes()
    assert survives(tmp_path / "deck.cdb", data, np.random.default_rng(12), 700, materials=STEEL) > 20


@pytest.mark.parametrize("name", ["hypermesh.cdb", "all_solid_cells.cdb", "shell281_workbench_ds.dat", "vm1.dat"])
def test_mutated_real_files(tmp_path, name):
    if not (REAL / name).is_file():
        pytest.skip("the collection of real files is not beside the repository")
    data = (REAL / name).read_bytes()
    survives(tmp_path / "deck.cdb", data, np.random.default_rng(13), 150, materials=STEEL)


def test_mutated_binary_files(tmp_path):
    """Words, not characters: lengths, pointers, counts and flags."""
    section = ff.fem.BeamSection.rectangle(0.02, 0.03)
    fe = ff.fem.beam_line((0, 0, 0), (2, 0, 0), n=3, section=section, material=STEEL)
    modes = ff.modal.eigenmodes(fe, n=2, fixed=[1])
    shapes = write_rst(tmp_path / "a.rst", fe, fe.expand(modes.shapes), modes.frequency, 2).read_bytes()
    matrices = write_full(tmp_path / "a.full", fe).read_bytes()
    rng = np.random.default_rng(14)
    good = {"b.full": matrices, "b.rst": shapes}
    models = 0
    for case in range(400):
        name, other = ("b.full", "b.rst") if case % 2 else ("b.rst", "b.full")
        words = np.frombuffer(good[name], dtype="<i4").copy()
        for _ in range(rng.integers(1, 4)):
            words[rng.integers(words.size)] = rng.choice(
                [0, 1, -1, 2**31 - 1, -(2**31), int(rng.integers(words.size)), 1 << 28, 1 << 27]
            )
        data = words.tobytes()[: int(rng.integers(400, words.nbytes)) if rng.random() < 0.2 else None]
        (tmp_path / name).write_bytes(data)
        (tmp_path / other).write_bytes(good[other])
        sentence = complaint(tmp_path / "b.full") or complaint(tmp_path / "b.rst")
        models += not sentence
        assert "\n" not in sentence
    assert models > 25
