"""Every structural element of `ccx` in a small deck of its own, frequencies beside those of `ccx`.

Solids and walls are clamped at one end, walls of membranes held in their plane, bars of trusses along their line. What
differs by more than 1 % says why; solids are also judged by the rules of `ccx`, which leaves no difference.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

import floatframe as ff
from benchmarks.verify._ccx_elements import RULES, by_rules_of_ccx, register_all
from benchmarks.verify.calculix import AGREEMENT, ccx_frequencies, lowest
from benchmarks.verify.rows import Row
from floatframe.fem import FEModel

PROBLEM = "elements of decks beside ccx"
WITHIN = 0.01  # asked of every element
MODES = 4
END = f"*STEP\n*FREQUENCY\n{MODES}\n*END STEP\n"
STEEL = "*MATERIAL, NAME=STEEL\n*ELASTIC\n2.1e11, {nu}\n*DENSITY\n7800.\n"

_HEX = ((0, 1, 2, 3, 4, 5, 6, 7),)
_WEDGES = ((0, 1, 2, 4, 5, 6), (0, 2, 3, 4, 6, 7))
_TETS = ((0, 1, 2, 6), (0, 2, 3, 6), (0, 3, 7, 6), (0, 7, 4, 6), (0, 4, 5, 6), (0, 5, 1, 6))
_HEX_EDGES = ((0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4), (0, 4), (1, 5), (2, 6), (3, 7))
_WEDGE_EDGES = ((0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (0, 3), (1, 4), (2, 5))
_TET_EDGES = ((0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3))
_QUAD, _QUAD_EDGES = ((0, 1, 2, 3),), ((0, 1), (1, 2), (2, 3), (3, 0))
_TRIANGLES, _TRIANGLE_EDGES = ((0, 1, 2), (0, 2, 3)), ((0, 1), (1, 2), (2, 0))

_Split = tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, int], ...]]
SOLIDS: dict[str, _Split] = {
    "C3D4": (_TETS, ()),
    "C3D6": (_WEDGES, ()),
    "C3D8": (_HEX, ()),
    "C3D8R": (_HEX, ()),
    "C3D8I": (_HEX, ()),
    "C3D10": (_TETS, _TET_EDGES),
    "C3D10T": (_TETS, _TET_EDGES),
    "C3D15": (_WEDGES, _WEDGE_EDGES),
    "C3D20": (_HEX, _HEX_EDGES),
    "C3D20R": (_HEX, _HEX_EDGES),
}
WALLS: dict[str, _Split] = {
    "3": (_TRIANGLES, ()),
    "4": (_QUAD, ()),
    "4R": (_QUAD, ()),
    "6": (_TRIANGLES, _TRIANGLE_EDGES),
    "8": (_QUAD, _QUAD_EDGES),
    "8R": (_QUAD, _QUAD_EDGES),
}
SECTIONS = {"RECT": ".05, .03", "CIRC": ".02", "PIPE": ".03, .003", "BOX": ".05, .03, .003, .003, .003, .003"}

LOCKS = "it locks in ccx, ours has modes inside; by the rules of ccx nothing differs."
ONE_POINT = "ccx integrates the mass with one point; by the rules of ccx nothing differs."
SOFT = "ccx has one point in each brick: soft by its hourglasses; ours is that of full integration."
WEDGE = "ccx makes one layer of C3D6 of it, which locks in bending; its own S6 agrees with ours."
LAYER = "ccx makes one layer of C3D8I of it; its own S8R on this mesh is nearer to ours."
HINGES = "ccx makes bricks with hinges of it, which sway; its plane stress (CPS) beside it is the membrane."
ROD = "ccx makes bricks with hinges of it, which sway; the closed form beside it is the rod."
THIN = "the bricks of ccx keep the section of a thin pipe plane: no shear flow, higher modes too stiff."
REASONS = {
    "C3D4": ONE_POINT,
    **dict.fromkeys(("C3D6", "C3D8"), LOCKS),
    **dict.fromkeys(("C3D8R", "S4R", "B31R RECT"), SOFT),
    "S3": WEDGE,
    "S4": LAYER,
    **dict.fromkeys((f"M3D{kind}" for kind in WALLS), HINGES),
    **dict.fromkeys(("T3D2", "T3D3"), ROD),
    "B32R PIPE": THIN,
}


class _Mesh:
    """Nodes by place and lines of elements."""

    def __init__(self) -> None:
        self.number: dict[tuple[float, float, float], int] = {}
        self.elements: list[list[int]] = []

    def node(self, place: Iterable[float]) -> int:
        x, y, z = (round(float(value), 9) for value in place)
        return self.number.setdefault((x, y, z), len(self.number) + 1)

    def cell(self, corners: np.ndarray, split: _Split) -> None:
        parts, edges = split
        for part in parts:
            places = corners[list(part)]
            middles = [0.5 * (places[a] + places[b]) for a, b in edges]
            self.elements.append([self.node(place) for place in (*places, *middles)])

    def text(self, kind: str, length: float) -> str:
        lines = "".join(f"{n}, {x:.9g}, {y:.9g}, {z:.9g}\n" for (x, y, z), n in self.number.items())
        text = f"*NODE, NSET=ALL\n{lines}*ELEMENT, TYPE={kind}, ELSET=E\n"
        for k, row in enumerate(self.elements, start=1):
            words = [str(k), *map(str, row)]
            text += ", ".join(words[:11]) + (",\n" + ", ".join(words[11:]) if words[11:] else "") + "\n"
        for name, x in (("START", 0.0), ("TIP", length)):
            members = [str(n) for place, n in self.number.items() if place[0] == x]
            text += f"*NSET, NSET={name}\n" + ",\n".join(members) + "\n"
        return text


def solid(kind: str) -> str:
    """Return a clamped bar 1 x 0.2 x 0.1 of solids."""
    mesh, size = _Mesh(), np.array([0.1, 0.1, 0.05])
    low = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], dtype=float)
    unit = np.concatenate([low, np.add(low, (0.0, 0.0, 1.0))])
    for i, j, k in np.ndindex(10, 2, 2):
        mesh.cell(np.add(unit, (i, j, k)) * size, SOLIDS[kind])
    text = mesh.text(kind, 1.0) + STEEL.format(nu=0.3)
    return text + "*SOLID SECTION, ELSET=E, MATERIAL=STEEL\n*BOUNDARY\nSTART, 1, 3\n" + END


def wall(name: str, kind: str) -> str:
    """Return a plate 1 x 0.5 clamped at one end; membranes (M3D) and plane stress (CPS) are held in its plane."""
    mesh, size = _Mesh(), np.array([1.0 / 12.0, 1.0 / 12.0, 0.0])
    unit = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], dtype=float)
    for i, j in np.ndindex(12, 6):
        mesh.cell(np.add(unit, (i, j, 0)) * size, WALLS[kind])
    section, membrane = {"S": "SHELL", "M3D": "MEMBRANE", "CPS": "SOLID"}[name], name != "S"
    # no Poisson's ratio: a clamped edge of the bricks that ccx makes cannot grow thinner where it bends
    text = mesh.text(name + kind, 1.0) + STEEL.format(nu=0.3 if membrane else 0.0)
    held = "START, 1, 2\nALL, 3\n" if membrane else "START, 1, 6\n"
    return text + f"*{section} SECTION, ELSET=E, MATERIAL=STEEL\n.02\n*BOUNDARY\n{held}" + END


def bar(kind: str, section: str) -> str:
    """Return a bar of length 1 along x: beams clamped at one end, trusses held across."""
    mesh, quadratic, count = _Mesh(), kind in ("B32", "B32R", "T3D3"), 20
    for i in range(count):
        a, b = i / count, (i + 1) / count
        places = (a, 0.5 * (a + b), b) if quadratic else (a, b)
        mesh.elements.append([mesh.node((x, 0.0, 0.0)) for x in places])
    text = mesh.text(kind, 1.0) + STEEL.format(nu=0.0)
    if kind.startswith("T"):
        return text + "*SOLID SECTION, ELSET=E, MATERIAL=STEEL\n1e-3\n*BOUNDARY\nALL, 2, 3\nSTART, 1\n" + END
    text += f"*BEAM SECTION, ELSET=E, MATERIAL=STEEL, SECTION={section}\n{SECTIONS[section]}\n0., 1., 0.\n"
    return text + "*BOUNDARY\nSTART, 1, 6\n" + END


def decks() -> Iterator[tuple[str, str, str]]:
    """Yield title, element type and deck."""
    for kind in SOLIDS:
        yield kind, kind, solid(kind)
    for name in ("S", "M3D"):
        for kind in WALLS:
            yield name + kind, name + kind, wall(name, kind)
    for kind in ("T3D2", "T3D3"):
        yield kind, kind, bar(kind, "")
    for kind in ("B31", "B31R", "B32", "B32R"):
        for section in SECTIONS:
            # pipes and boxes only as B32R in ccx, round bars only of three nodes
            if section == "RECT" or kind == "B32R" or (kind == "B32" and section == "CIRC"):
                yield f"{kind} {section}", kind, bar(kind, section)


def problems() -> Iterator[Row]:
    """Yield the worst of the lowest modes of each deck."""
    if shutil.which("ccx") is None:
        yield Row(PROBLEM, "skipped", 0.0, 0.0, None, why_not_judged="the runs need apt-get install calculix-ccx.")
        return
    register_all()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for title, kind, deck in decks():
            (folder / "deck.inp").write_text(deck)
            target = ccx_frequencies(folder, "deck")
            (folder / "deck.dat").unlink(missing_ok=True)
            if not target.any():
                yield Row(PROBLEM, title, 0.0, 0.0, None, why_not_judged="ccx ends without frequencies.")
                continue
            fe = ff.io.read(folder / "deck.inp", dialect="calculix")
            row = _worst(title, target, lowest(fe, target.size), WITHIN)
            yield row.unjudged(REASONS[title]) if title in REASONS else row
            if kind in RULES:
                same = lowest(by_rules_of_ccx(fe, {kind}), target.size)
                yield _worst(f"{title} by the rules of ccx", target, same, 2.0 * AGREEMENT)
            if kind.startswith("M3D"):
                yield _beside_plane_stress(folder, kind.removeprefix("M3D"), fe)
            if kind.startswith("T3D"):
                speed = float(np.sqrt(2.1e11 / 7800.0))
                closed = speed * (2.0 * np.arange(1, 3) - 1.0) / 4.0
                yield _worst(f"{title} beside the closed form", closed, lowest(fe, 2), WITHIN)


def _beside_plane_stress(folder: Path, kind: str, fe: FEModel) -> Row:
    """Return the row of a membrane beside CPS8R of ccx; linear ones may be as far off as CPS of their own mesh is."""
    found = {}
    for plane in ("8R", kind):
        (folder / "plane.inp").write_text(wall("CPS", plane))
        found[plane] = ccx_frequencies(folder, "plane")
    scatter = float(np.abs(found[kind] / found["8R"] - 1.0).max())
    return _worst(f"M3D{kind} beside CPS8R", found["8R"], lowest(fe, MODES), max(WITHIN, scatter))


def _worst(title: str, target: np.ndarray, ours: np.ndarray, tolerance: float) -> Row:
    k = int(np.argmax(np.abs(ours / target - 1.0)))
    quantity = f"{title}, worst of {target.size} modes [Hz]"
    return Row(PROBLEM, quantity, float(target[k]), float(ours[k]), tolerance)
