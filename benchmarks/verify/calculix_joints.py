"""Couplings, constraints and layered walls of decks beside `ccx`: a clamped bar of bricks and a clamped plate.

Each deck goes to both programs. Bricks are C3D20, the plate S8R. `ccx` makes bricks of shells, so that a clamped edge
cannot grow thinner or thicker when it bends: that is up to 1.5 % of a frequency where Poisson's ratio acts.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import floatframe as ff
from benchmarks.verify.calculix import ccx_frequencies, lowest
from benchmarks.verify.rows import Row
from floatframe.fem import Material, solid_box

PROBLEM = "couplings of decks beside ccx"
AGREEMENT = 0.01  # asked of every element and coupling
WALLS = 0.015  # the clamped edge
MODES = 6
END = f"*STEP\n*FREQUENCY\n{MODES}\n*END STEP\n"
# ccx sets the factors of *MPC in a static step
STATICS = f"*STEP, NLGEOM\n*STATIC\n*END STEP\n*STEP, PERTURBATION\n*FREQUENCY\n{MODES}\n*END STEP\n"
PILOT = 9001

# couplings that ccx treats otherwise
REASONS = {
    "*COUPLING with *DISTRIBUTING, held": "in ccx it hands loads on only: supports and masses of its node do not act."
}

_AHEAD = f"*NODE\n{PILOT}, .05, .05, 1.2\n"
_ROUND = "*ORIENTATION, NAME=AXES, SYSTEM=CYLINDRICAL\n.05,.05,0, .05,.05,1.\n"
_TURNED = "*ORIENTATION, NAME=AXES\n1,1,0, -1,1,0\n"
_COUPLING = f"*COUPLING, REF NODE={PILOT}, SURFACE=END, CONSTRAINT NAME=C"

BARS = {
    "no coupling": "",
    "*MPC MEANROT, held": f"*NODE\n{PILOT}, 0., 0., 1.\n*MPC\nMEANROT, {{thrice}}, {PILOT}\n*BOUNDARY\n{PILOT}, 1\n",
    "*DISTRIBUTING COUPLING (DCOUP3D), held": (
        f"{_AHEAD}*ELEMENT, TYPE=DCOUP3D, ELSET=D\n{PILOT}, {PILOT}\n*DISTRIBUTING COUPLING, ELSET=D\nTOP, 1.\n"
        f"*BOUNDARY\n{PILOT}, 1, 2\n"
    ),
    "*KINEMATIC, held": f"{_AHEAD}{_COUPLING}\n*KINEMATIC\n1, 3\n*BOUNDARY\n{PILOT}, 1, 2\n",
    "*KINEMATIC along turned axes": (
        f"{_AHEAD}{_TURNED}{_COUPLING}, ORIENTATION=AXES\n*KINEMATIC\n1, 1\n3, 3\n*BOUNDARY\n{PILOT}, 1, 6\n"
    ),
    "*RIGID BODY with a turning node": (
        f"{_AHEAD}9002, .05, .05, 1.2\n*RIGID BODY, NSET=TOP, REF NODE={PILOT}, ROT NODE=9002\n*BOUNDARY\n9002, 1\n"
        f"{PILOT}, 2\n"
    ),
    "*RIGID BODY with a mass ahead": (
        f"{_AHEAD}*ELEMENT, TYPE=MASS, ELSET=M\n{PILOT}, {PILOT}\n*MASS, ELSET=M\n50.\n"
        f"*RIGID BODY, NSET=TOP, REF NODE={PILOT}\n"
    ),
    "*COUPLING with *DISTRIBUTING, held": f"{_AHEAD}{_COUPLING}\n*DISTRIBUTING\n1, 6\n*BOUNDARY\n{PILOT}, 1, 2\n",
    "*MPC BEAM": "*MPC\nBEAM, {first}, {last}\n",
    "MASS": f"*ELEMENT, TYPE=MASS, ELSET=M\n{PILOT}, {{last}}\n*MASS, ELSET=M\n20.\n",
    "SPRINGA": (
        f"{_AHEAD}*ELEMENT, TYPE=SPRINGA, ELSET=S\n{PILOT}, {{last}}, {PILOT}\n*SPRING, ELSET=S\n\n1.e9\n"
        f"*BOUNDARY\n{PILOT}, 1, 3\n"
    ),
    "SPRING1": f"*ELEMENT, TYPE=SPRING1, ELSET=S\n{PILOT}, {{last}}\n*SPRING, ELSET=S\n1\n1.e7\n",
    "SPRING2": (
        f"{_AHEAD}*ELEMENT, TYPE=SPRING2, ELSET=S\n{PILOT}, {{last}}, {PILOT}\n*SPRING, ELSET=S\n2, 2\n1.e7\n"
        f"*BOUNDARY\n{PILOT}, 1, 3\n"
    ),
    "*EQUATION": "*EQUATION\n3\n{first}, 1, 1., {last}, 1, -1., {last}, 2, .5\n",
    "*TRANSFORM, TYPE=C": "*TRANSFORM, NSET=TOP, TYPE=C\n.05,.05,0, .05,.05,1.\n*BOUNDARY\nTOP, 2\n",
    "*TRANSFORM, TYPE=R and *EQUATION": (
        "*TRANSFORM, NSET=TOP, TYPE=R\n1,1,0, -1,1,0\n*BOUNDARY\nTOP, 1\n*EQUATION\n2\n{first}, 2, 1., {last}, 2, -1.\n"
    ),
}

_PLY = (
    "*MATERIAL, NAME=PLY\n*ELASTIC, TYPE=ENGINEERING CONSTANTS\n1.4e11, 1e10, 1e10, .3, .3, .4, 5e9, 5e9,\n3.6e9\n"
    "*DENSITY\n1600.\n*ORIENTATION, NAME=ALONG\n1,0,0, 0,1,0\n*ORIENTATION, NAME=ACROSS\n0,1,0, -1,0,0\n"
    "*ORIENTATION, NAME=SLANTED\n1,1,0, -1,1,0\n"
)
PLATES = {
    "homogeneous": "*SHELL SECTION, ELSET=E, MATERIAL=STEEL\n.02\n",
    "*NODAL THICKNESS": "*SHELL SECTION, ELSET=E, MATERIAL=STEEL, NODAL THICKNESS\n1.\n*NODAL THICKNESS\nALL, .01\n",
    "orthotropic, slanted": "*SHELL SECTION, ELSET=E, MATERIAL=PLY, ORIENTATION=SLANTED\n.02\n",
    "layers 0/90": "*SHELL SECTION, ELSET=E, COMPOSITE\n.01,, PLY, ALONG\n.01,, PLY, ACROSS\n",
    "layers 45/90/45": (
        "*SHELL SECTION, ELSET=E, COMPOSITE\n.005,, PLY, SLANTED\n.01,, PLY, ACROSS\n.005,, PLY, SLANTED\n"
    ),
}


def problems() -> Iterator[Row]:
    """Yield the worst of the lowest modes of each deck."""
    if shutil.which("ccx") is None:
        yield Row(PROBLEM, "skipped", 0.0, 0.0, None, why_not_judged="the runs need apt-get install calculix-ccx.")
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for title, cards in BARS.items():
            row = _compared(folder, title, _bar(cards), AGREEMENT, "C3D20, 2 x 2 x 6")
            yield row.unjudged(REASONS[title]) if title in REASONS else row
        for title, cards in PLATES.items():
            yield _compared(folder, f"plate: {title}", _plate(_PLY + cards), WALLS, "S8R, 8 x 4")


def _compared(folder: Path, title: str, deck: str, tolerance: float, mesh: str) -> Row:
    (folder / "deck.inp").write_text(deck)
    target = ccx_frequencies(folder, "deck")
    (folder / "deck.dat").unlink(missing_ok=True)
    if not target.size:
        return Row(PROBLEM, title, 0.0, 0.0, None, mesh, "ccx ends without frequencies.")
    ours = lowest(ff.io.read(folder / "deck.inp", dialect="calculix"), target.size)
    k = int(np.argmax(np.abs(ours / target - 1.0)))
    quantity = f"{title}, worst of {target.size} modes [Hz]"
    return Row(PROBLEM, quantity, float(target[k]), float(ours[k]), tolerance, mesh)


def _bar(cards: str) -> str:
    """Return a bar of bricks 0.1 x 0.1 x 1, clamped at one end, with these cards."""
    fe = solid_box((0.1, 0.1, 1.0), (2, 2, 6), "hex20", material=Material(2.1e11, 0.3, 7800.0))
    top = fe.node_ids[fe.nodes[:, 2] > 1.0 - 1e-9]
    last = 1 + np.flatnonzero(np.isin(fe.node_ids[fe.blocks[0].connectivity[:, 4:8]], top).all(axis=1))
    places = zip(fe.node_ids.tolist(), fe.nodes.tolist(), strict=True)
    text = "*NODE\n" + "".join(f"{n}, {x:.9g}, {y:.9g}, {z:.9g}\n" for n, (x, y, z) in places)
    text += "*ELEMENT, TYPE=C3D20, ELSET=E\n"
    for number, row in enumerate(fe.node_ids[fe.blocks[0].connectivity].tolist(), start=1):
        text += f"{number}, " + ", ".join(map(str, row[:10])) + ",\n" + ", ".join(map(str, row[10:])) + "\n"
    for name, members in (("BOTTOM", fe.node_ids[fe.nodes[:, 2] < 1e-9]), ("TOP", top)):
        text += f"*NSET, NSET={name}\n" + ",\n".join(map(str, members)) + "\n"
    text += "*MATERIAL, NAME=STEEL\n*ELASTIC\n2.1e11, .3\n*DENSITY\n7800.\n*SOLID SECTION, ELSET=E, MATERIAL=STEEL\n"
    text += "*BOUNDARY\nBOTTOM, 1, 3\n*SURFACE, NAME=END, TYPE=ELEMENT\n" + "".join(f"{k}, S2\n" for k in last)
    words = [str(n) for node in top[:8] for n in [node] * 3]
    thrice = ", ".join(words[:12]) + ",\n0, " + ", ".join(words[12:])
    return text + cards.format(thrice=thrice, first=top[0], last=top[-1]) + (STATICS if "*MPC" in cards else END)


def _plate(cards: str, nx: int = 8, ny: int = 4) -> str:
    """Return a plate 1 x 0.5 of eight-node shells, clamped at one end, with these cards."""
    text, number = "*NODE, NSET=ALL\n", {}
    for j in range(2 * ny + 1):
        for i in range(2 * nx + 1):
            if not (i % 2 and j % 2):
                number[i, j] = len(number) + 1
                text += f"{number[i, j]}, {i / (2 * nx):.9g}, {0.5 * j / (2 * ny):.9g}, 0.\n"
    text += "*ELEMENT, TYPE=S8R, ELSET=E\n"
    steps = ((0, 0), (2, 0), (2, 2), (0, 2), (1, 0), (2, 1), (1, 2), (0, 1))
    for k, (j, i) in enumerate(((j, i) for j in range(0, 2 * ny, 2) for i in range(0, 2 * nx, 2)), start=1):
        text += f"{k}, " + ", ".join(str(number[i + di, j + dj]) for di, dj in steps) + "\n"
    text += "*NSET, NSET=CLAMP\n" + ",\n".join(str(number[0, j]) for j in range(2 * ny + 1)) + "\n"
    text += "*MATERIAL, NAME=STEEL\n*ELASTIC\n2.1e11, .3\n*DENSITY\n7800.\n"
    return text + cards + "*BOUNDARY\nCLAMP, 1, 6\n" + END
