"""Decks of `calculix-ccx-test` whose frequencies differ from those of `ccx` by more than 1 %, each with the reason.

Where the reason can be shown it is: `ccx` and ours agree once the elements follow the rules of `ccx`, once `ccx` has
run a static step without load, or in a pull of one brick.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import floatframe as ff
from benchmarks.verify._ccx_elements import by_rules_of_ccx, register_all
from benchmarks.verify.calculix import AGREEMENT, DENSITY, ccx_frequencies, element_types, lowest, missing, unpack
from benchmarks.verify.rows import Row
from floatframe.arrays import Array
from floatframe.fem import FEModel

PROBLEM = "CalculiX decks, more than 1 % off"
WITHIN = 0.01
FULL = "C3D8 of ccx has no modes inside and locks in bending; ours bends as C3D8I does."
INNER = "in C3D8I of ccx the modes inside carry mass: higher modes of coarse meshes come out lower."
POINTS = "ccx integrates C3D20 with 27 points and C3D6 with two, ours with 14 and with modes inside: a few elements."
MASS = "ccx integrates the mass of C3D20R with eight points, ours with 14: a few elements."
UPDATED = "ccx sets the factors of *MPC only in a static step: before one, any or none."
AT_REST = "the tangent of ccx where all stretches are equal is not that of the law; a pull gives the law's modulus."
LOCKED = "bars and walls of one or a few elements: the bricks ccx makes of them lock; it comes nearer on finer meshes."
THIN = "the bricks ccx makes of a thin-walled bar keep their section plane: far too stiff in torsion; bending agrees."
OPEN = "contact and gaps that may open are lost by name; ccx takes them as closed or open, as it finds them."
CYCLIC = "cyclic symmetry and stages are lost by name: ours is one sector, free at its cuts."
BOLT = "*PRE-TENSION SECTION is lost by name: the bolt is cut through in ours."
LOOSE = "two loose bodies have twelve rigid motions; ten modes are round-off."

RULES = {
    **dict.fromkeys(("beam8b", "beam8p", "beampsensfreq", "equrem1", "sens_orien1", "sensitivity_I"), FULL),
    **dict.fromkeys(("sensitivity_V", "contact8"), FULL),
    "dloadlinI": INNER,
    **dict.fromkeys(("anipla", "sc123", "sc123creep", "c3d6", "punch1"), POINTS),
    **dict.fromkeys(("achteld", "segment1", "segment2", "segmentf", "segmentm"), MASS),
}
AFTER_STATICS = ("dist", "beamplane", "beamstraight")
LAWS = {
    "beamog": ("*HYPERELASTIC, OGDEN, N=1\n3.488, 2.163, 0.\n", AT_REST),
    "beamhf": ("*HYPERFOAM, N=2\n0.164861, 8.88413, 2.302e-5, -4.81798, 0., 0.\n", AT_REST),
}
SHOWN = {
    **dict.fromkeys(("b31", "beamlin", "beamtor", "rot1", "swing", "section", "section4", "simplebeam"), LOCKED),
    **dict.fromkeys(("shell1", "shell2", "shell3", "shellf", "shellnor", "solidshell1", "solidshell2"), LOCKED),
    **dict.fromkeys(("simplebeampipe1", "shellbeam", "leifer1", "leifer2", "concretebeam"), LOCKED),
    **dict.fromkeys(("boxprofile", "uprofile"), THIN),
    "gap2": OPEN,
    **dict.fromkeys(("segment", "fullseg", "ringfcontact1"), CYCLIC),
    **dict.fromkeys(("pret1", "pret3"), BOLT),
    "cube2": LOOSE,
}
_CUBE = (
    "*NODE, NSET=ALL\n1, 0, 0, 0\n2, 1, 0, 0\n3, 1, 1, 0\n4, 0, 1, 0\n5, 0, 0, 1\n6, 1, 0, 1\n7, 1, 1, 1\n8, 0, 1, 1\n"
    "*ELEMENT, TYPE=C3D8, ELSET=E\n1, 1, 2, 3, 4, 5, 6, 7, 8\n*MATERIAL, NAME=M\n{law}"
    "*DENSITY\n1.\n*SOLID SECTION, ELSET=E, MATERIAL=M\n"
)
_PULL = (
    "*NSET, NSET=TOP\n5, 6, 7, 8\n*BOUNDARY\n1, 1, 3\n2, 2, 3\n3, 3\n4, 1\n4, 3\n5, 1, 2\n6, 2\n8, 1\n"
    "*STEP, NLGEOM\n*STATIC\n*BOUNDARY\nTOP, 3, 3, {strain}\n*EL PRINT, ELSET=E\nS\n*END STEP\n"
)


def problems() -> Iterator[Row]:
    """Yield the worst mode of each deck with the reason, and a row that shows the reason where one can."""
    if reason := missing():
        yield Row(PROBLEM, "skipped", 0.0, 0.0, None, why_not_judged=reason)
        return
    register_all()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        unpack(folder)
        for deck, why in (RULES | SHOWN).items():
            target, fe = _both(folder, deck)
            yield _worst(deck, target, fe, None, why)
            if deck in RULES:
                same = by_rules_of_ccx(fe, element_types(folder / f"{deck}.inp"))
                yield _worst(f"{deck}: by the rules of ccx", target, same, AGREEMENT)
        for deck in AFTER_STATICS:
            yield _worst(f"{deck}: after a static step", *_both(folder, deck, after_statics=True), WITHIN)
        yield _worst("dist", *_both(folder, "dist"), None, UPDATED)
        for deck, (law, why) in LAWS.items():
            yield _worst(deck, *_both(folder, deck), None, why)
            yield _pulled(folder, f"{deck}: modulus in a pull", law)


def _both(folder: Path, deck: str, after_statics: bool = False) -> tuple[Array, FEModel]:
    """Return the frequencies of ccx, few of a deck of few dofs, and our model."""
    text = (folder / f"{deck}.inp").read_text(encoding="latin-1")
    model, *steps = re.split(r"(?im)^\*\s*STEP", text)
    if "*DENSITY" not in model.upper():
        model = re.sub(r"(?im)^(\*\s*MATERIAL\s*,.*\n)", rf"\1{DENSITY}", model)
    held = "".join(re.findall(r"(?im)^\*\s*BOUNDARY[^\n]*\n(?:(?!\*).*\n)*", re.split(r"(?i)\*\s*END", steps[0])[0]))
    target = np.empty(0)
    for modes in (10, 4, 2, 1):
        before = f"*STEP, NLGEOM\n*STATIC\n{held}*END STEP\n" if after_statics else ""
        frequency = f"*STEP{', PERTURBATION' if after_statics else ''}\n*FREQUENCY\n{modes}\n{held}*END STEP\n"
        (folder / "reason.inp").write_text(model.rstrip() + "\n" + before + frequency, encoding="latin-1")
        target = ccx_frequencies(folder, "reason")
        if target.any():
            break
    fe = ff.io.read(folder / "reason.inp", dialect="calculix", drop=("ALL",))
    return target[: fe.free_rows().size], fe


def _worst(quantity: str, target: Array, fe: FEModel, tolerance: float | None, why: str = "") -> Row:
    """Return the row of the elastic mode that is furthest off."""
    ours = lowest(fe, target.size)
    elastic = target > 1e-4 * target.max()
    target, ours = target[elastic], ours[elastic]
    k = int(np.argmax(np.abs(ours / target - 1.0)))
    quantity = f"{quantity}, worst of {target.size} modes [Hz]"
    return Row(PROBLEM, quantity, float(target[k]), float(ours[k]), tolerance, why_not_judged=why)


def _pulled(folder: Path, quantity: str, law: str, strain: float = 1e-4) -> Row:
    """Return the modulus that ccx shows when it pulls a brick, and ours at rest."""
    cube = _CUBE.format(law=law)
    (folder / "pull.inp").write_text(cube + _PULL.format(strain=strain))
    subprocess.run(["ccx", "-i", "pull"], cwd=folder, capture_output=True, timeout=60, check=False)
    stress = re.findall(r"(?m)^\s*1\s+1\s+\S+\s+\S+\s+(\S+)", (folder / "pull.dat").read_text())[-1]
    (folder / "cube.inp").write_text(cube)
    material = ff.io.read(folder / "cube.inp", dialect="calculix").blocks[0].material
    assert material is not None
    return Row(PROBLEM, quantity, float(stress) / strain, float(material.E), AGREEMENT)
