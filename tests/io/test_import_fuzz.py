"""Damaged decks, matrices and meshes give a model or one sentence, never anything else."""

from __future__ import annotations

import numpy as np
import pytest

import floatframe as ff

CASES = 2000

DECK = b"""*HEADING
two bricks, a beam, a shell, springs, masses and all kinds of constraints
*NODE, NSET=ALL
1, 0., 0., 0.
2, 1., 0., 0.
3, 1., 1., 0.
4, 0., 1., 0.
5, 0., 0., 1.
6, 1., 0., 1.
7, 1., 1., 1.
8, 0., 1., 1.
9, 2., 0.5, .5
10, 3., 0.5, .5
11, 3., 1.5, .5
12, 2.5, .5, .5
*ELEMENT, TYPE=C3D8, ELSET=BRICK
1, 1, 2, 3, 4, 5,
6, 7, 8
*ELEMENT, TYPE=B32, ELSET=BAR
2, 9, 12, 10
*ELEMENT, TYPE=S3, ELSET=SKIN
3, 5, 6, 7
*NODE
20, 4., 0., 0.
24, 4., 4., 0.
30, 5., 0., 0.
34, 5., 4., 0.
*NGEN, NSET=LOW
20, 24
*NGEN, NSET=HIGH
30, 34
*NFILL
LOW, HIGH, 2, 5
*ELEMENT, TYPE=S8R, ELSET=SKIN
70, 20, 22, 32, 30, 21, 27, 31, 25
*ELEMENT, TYPE=S6, ELSET=SKIN
71, 22, 24, 34, 23, 29, 28
*ELEMENT, TYPE=B31, ELSET=ROW
50, 20, 21
*ELGEN, ELSET=ROW
50, 4, 1, 1, 2, 5, 10
*BEAM SECTION, ELSET=ROW, MATERIAL=STEEL, SECTION=ARBITRARY
3, 0., 0., .1, 0., .01
.1, .2, .01
0., 0., .02
1., 0., 0.
*ELEMENT, TYPE=MASS, ELSET=M
4, 10
*ELEMENT, TYPE=SPRINGA, ELSET=S
5, 10, 11
*ELEMENT, TYPE=SPRING1, ELSET=G
6, 11
*NSET, NSET=FACE, GENERATE
2, 3
6, 7, 1
*NSET, NSET=MORE
FACE, 1
*MATERIAL, NAME=STEEL
*ELASTIC
2.1E11, 0.3, 20.
2.0E11, 0.3, 120.
*DENSITY
7850.
*SOLID SECTION, ELSET=BRICK, MATERIAL=STEEL
*SHELL SECTION, ELSET=SKIN, MATERIAL=STEEL, OFFSET=0.5
0.01
*BEAM SECTION, ELSET=BAR, MATERIAL=STEEL, SECTION=BOX
0.1, 0.2, .01, .01, .01, .01
0., 1., 0.
*MASS, ELSET=M
3.5
*SPRING, ELSET=S

1000.
*SPRING, ELSET=G
2
500.
*TRANSFORM, NSET=FACE, TYPE=C
0., 0., 0., 0., 0., 1.
*RIGID BODY, NSET=FACE, REF NODE=9
*EQUATION
2
11, 1, 1., 10, 1, -1.
*MPC
TIE, 4, 8
*BOUNDARY
1, 1, 3
5, ENCASTRE
FACE, 2
*STEP
*FREQUENCY
10
*END STEP
"""

PARTS = b"""*PART, NAME=P
*NODE
1, 0., 0., 0.
2, 1., 0., 0.
3, 0., 1., 0.
4, 0., 0., 1.
*ELEMENT, TYPE=C3D4, ELSET=E
1, 1, 2, 3, 4
*SOLID SECTION, ELSET=E, MATERIAL=A
*END PART
*ASSEMBLY, NAME=ASM
*INSTANCE, NAME=P-1, PART=P
*END INSTANCE
*INSTANCE, NAME=P-2, PART=P
2., 0., 0.
2., 0., 0., 2., 0., 1., 45.
*END INSTANCE
*NSET, NSET=TOP, INSTANCE=P-2
4
*SURFACE, NAME=SF
P-1.E, S2
*COUPLING, REF NODE=TOP, SURFACE=SF, CONSTRAINT NAME=C
*KINEMATIC
1, 3
*END ASSEMBLY
*MATERIAL, NAME=A
*ELASTIC
7e10, .33
*DENSITY
2700.
*BOUNDARY
P-2.1, PINNED
"""

JOINED = b"""*NODE, NSET=ALL
1, 0., 0., 0.
2, 1., 0., 0.
3, 1., 1., 0.
4, 0., 1., 0.
5, 0., 0., 1.
6, 1., 0., 1.
7, 1., 1., 1.
8, 0., 1., 1.
11, 0., 0., 1.01
12, 1., 0., 1.01
13, 1., 1., 1.01
14, 0., 1., 1.01
21, .5, .5, 2.
22, 0., 0., 1.
23, 1., 1., 2.
*ELEMENT, TYPE=C3D8R, ELSET=BRICK
1, 1, 2, 3, 4, 5, 6, 7, 8
*ELEMENT, TYPE=S4R, ELSET=SKIN
2, 11, 12, 13, 14
*ELEMENT, TYPE=DCOUP3D, ELSET=D
3, 21
*ELEMENT, TYPE=CONN3D2, ELSET=C
4, 21, 23
5, 23
*MATERIAL, NAME=STEEL
*ELASTIC
2.1E11, 0.3, 20.
2.0E11, 0.3, 120.
*DENSITY
7850.
*MATERIAL, NAME=PLY
*ELASTIC, TYPE=LAMINA
1.4E11, 1E10, .3, 5E9, 5E9, 4E9
*DISTRIBUTION TABLE, NAME=T
COORD3D, COORD3D
*DISTRIBUTION, NAME=DIR, LOCATION=ELEMENT, TABLE=T
, 1., 0., 0., 0., 1., 0.
2, 0., 1., 0., -1., 0., 0.
*ORIENTATION, NAME=EACH, SYSTEM=RECTANGULAR
DIR
3, 0.
*ORIENTATION, NAME=ROUND, SYSTEM=CYLINDRICAL, DEFINITION=NODES
1, 5
*SOLID SECTION, ELSET=BRICK, MATERIAL=STEEL
*SHELL SECTION, ELSET=SKIN, COMPOSITE, ORIENTATION=EACH, OFFSET=SPOS, SYMMETRIC
.001, 3, PLY, 45.
.002, 3, STEEL, EACH
*NONSTRUCTURAL MASS, ELSET=SKIN, UNITS=MASS PER AREA
3.
*INITIAL CONDITIONS, TYPE=TEMPERATURE
ALL, 40.
*SURFACE, NAME=TOP
BRICK, S2
*SURFACE, NAME=SIDE
BRICK,
*SURFACE, NAME=BOTH, COMBINE=UNION
TOP, SIDE
*SURFACE, NAME=WALL
SKIN, SNEG
*SURFACE INTERACTION, NAME=BOND
*SURFACE BEHAVIOR, PRESSURE-OVERCLOSURE=TIED
1E9, 1E8
*CONTACT PAIR, INTERACTION=BOND
WALL, BOTH
*TIE, POSITION TOLERANCE=.1
WALL, TOP
*COUPLING, REF NODE=23, SURFACE=TOP, ORIENTATION=ROUND, INFLUENCE RADIUS=9.
*DISTRIBUTING, WEIGHTING METHOD=LINEAR
1, 3
*DISTRIBUTING COUPLING, ELSET=D
2, 1.
3, 2.
6, 1.
*CONNECTOR BEHAVIOR, NAME=K
*CONNECTOR ELASTICITY, COMPONENT=4
100.
*CONNECTOR SECTION, ELSET=C, BEHAVIOR=K
CARTESIAN, CARDAN
ROUND,
*MPC
MEANROT, 1, 1, 1, 2, 2, 2, 3, 3, 3,
0, 4, 4, 4, 22
PLANE, 1, 2, 3, 4
STRAIGHT, 1, 5, 4
LINEAR, 8, 5, 7
BEAM, 7, 6
*BOUNDARY
1, XSYMM
4, 1, 3
"""

WORDS = (
    b"",
    b",",
    b"\n",
    b"\r\n",
    b"*",
    b"**",
    b"*NODE\n",
    b"-1",
    b"0",
    b"1e999",
    b"99999999999999999999",
    b"nan",
    b"=",
)
WORDS += (b"NSET=FACE", b"GENERATE", b"*END STEP\n", b"\x00", b"\xff\xfe", b"1", b"3", b"E", b".", b"TYPE=C3D20")


def damaged(data: bytes, generator: np.random.Generator) -> bytes:
    """Return the data with one to four pieces cut, doubled, replaced, moved or cut off."""
    for _ in range(int(generator.integers(1, 5))):
        if not data:
            break
        kind = generator.integers(6)
        a = int(generator.integers(len(data)))
        b = min(len(data), a + int(generator.integers(1, 40)))
        word = WORDS[int(generator.integers(len(WORDS)))]
        if kind == 0:
            data = data[:a] + data[b:]
        elif kind == 1:
            data = data[:b] + data[a:]
        elif kind == 2:
            data = data[:a] + word + data[a + 1 :]
        elif kind == 3:
            data = data[:a] if generator.integers(4) == 0 else data
        elif kind == 4:
            lines = data.split(b"\n")
            k, m = generator.integers(len(lines), size=2)
            lines[k], lines[m] = lines[m], lines[k]
            data = b"\n".join(lines)
        else:
            # one number becomes another
            lines = data.split(b"\n")
            k = int(generator.integers(len(lines)))
            fields = lines[k].split(b",")
            fields[int(generator.integers(len(fields)))] = word
            lines[k] = b",".join(fields)
            data = b"\n".join(lines)
    return data


def outcome(path) -> str:
    """Return the report of an import, or nothing where it was refused in one line."""
    sentence = ""
    try:
        return str(ff.io.read_with_report(path).report)
    except ff.ReadError as error:
        sentence = str(error)
    assert sentence
    assert "\n" not in sentence
    return ""


@pytest.mark.parametrize(
    ("deck", "cases"),
    [
        pytest.param(DECK, CASES, id="deck", marks=pytest.mark.slow),
        pytest.param(PARTS, CASES, id="parts", marks=pytest.mark.slow),
        pytest.param(JOINED, 150, id="joined"),
    ],
)
def test_damaged_decks(tmp_path, deck, cases):
    path = tmp_path / "deck.inp"
    path.write_bytes(deck)
    ff.io.read(path)
    generator = np.random.default_rng(5)
    read = 0
    for _ in range(cases):
        path.write_bytes(damaged(deck, generator))
        read += outcome(path) != ""
    # most damage is noticed, some is harmless
    assert 0.02 * cases < read < 0.9 * cases


def test_damaged_matrices(tmp_path):
    fe = ff.fem.beam_line((0, 0, 0), (1, 0, 0), 1, ff.fem.BeamSection.circle(0.1), ff.fem.Material(2.1e11, 0.3, 7850.0))
    path = tmp_path / "beam.nodes"
    ff.io.write(path, ff.fem.MatrixModel.of(fe))
    whole = {suffix: path.with_suffix(suffix).read_bytes() for suffix in (".nodes", ".mg", ".mm")}
    generator = np.random.default_rng(6)
    for _ in range(CASES // 4):
        suffix = (".nodes", ".mg", ".mm")[int(generator.integers(3))]
        path.with_suffix(suffix).write_bytes(damaged(whole[suffix], generator))
        outcome(path)
        path.with_suffix(suffix).write_bytes(whole[suffix])


def meshes(folder):
    """Yield small files of the mesh formats that are read here, each with a side-car."""
    from tests.io.meshes import test_files as files

    fe = files.box("tet10")
    for name, write in (
        *(("box.unv", files.write_unv), ("two.msh", files.write_gmsh_2)),
        *(("four.msh", files.write_gmsh_4), ("box.med", files.write_med)),
    ):
        write(folder / name, fe, "tet10")
        yield folder / name


def test_damaged_meshes(tmp_path):
    generator = np.random.default_rng(7)
    for path in meshes(tmp_path):
        whole = path.read_bytes()
        path.with_name(f"{path.stem}.props.toml").write_text(
            'format = "floatframe-props/1"\n[material.s]\nE = 1e9\nnu = 0.3\nrho = 1\n[group."*"]\nmaterial = "s"\n'
        )
        assert outcome(path)
        read = 0
        for _ in range(CASES // 25):
            path.write_bytes(damaged(whole, generator))
            read += outcome(path) != ""
        assert read < 0.95 * CASES / 25  # most damage is noticed, some is harmless
