"""The input decks of Debian's `calculix-ccx-test`: read or refused by name, and frequencies beside those of `ccx`.

The decks are used from the installed package. No deck is picked by hand: compared are all structures of quadratic
solids with a density and none of the cards in `_NOT_COMPARED`, each once, with one and the same frequency step put in
place of the steps of the deck. For the mass of C3D20R and C3D15 `ccx` takes the eight and nine points of the stiffness,
ours fourteen and more, as accuracy asks: on coarse meshes and high modes that is far more than 0.1 % of a frequency.
So all modes are judged twice: with the points of `ccx` by what `ccx` prints, and with our own points by what many more
of them give, where they must not be further off than those of `ccx` are.
"""

from __future__ import annotations

import gzip
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import scipy.linalg

import floatframe as ff
from benchmarks.verify._ccx_elements import Nine15, Reduced20
from benchmarks.verify.rows import Row
from floatframe.arrays import Array
from floatframe.fem import FEModel
from floatframe.fem.elements import _gauss, register
from floatframe.fem.elements.solids.hex20 import Hex20Reduced
from floatframe.fem.elements.solids.wedge15 import Wedge15
from floatframe.io.abaqus.deck.elements import element_type

PACKAGES = ("calculix-ccx-test", "calculix-ccx")
FOLDER = Path("/usr/share/doc/calculix-ccx-test/examples/test")
PROBLEM = "CalculiX decks"
AGREEMENT = 1e-3
TOO_MANY_ZEROS = "ccx prints zeros only, more than the structure has rigid motions."
MODES = 10
MOST_NODES = 1500  # the comparison is dense
STEP = f"*STEP\n*FREQUENCY\n{MODES}\n*END STEP\n"
_QUADRATIC = {"C3D10", "C3D15", "C3D20", "C3D20R"}
# physics that ours leaves out, or that needs a load: such decks are no comparison of elements
_NOT_COMPARED = re.compile(
    r"(?im)^\*\s*(CONTACT|TIE.*(?:CYCLIC|FLUID)|CYCLIC|PRE-TENSION|MODEL CHANGE|"
    r"SUBMODEL|INITIAL|MPC|USER|GAP|RESTART|SUBSTRUCTURE)"
)
_LAW = re.compile(
    r"(?im)^\*\s*(HYPERELASTIC|HYPERFOAM|USER\s*MATERIAL|DEFORMATION\s*PLASTICITY|ELASTIC.*\n(?![0.,\s]*\n))"
)
_NO_LAW = re.compile(r"do not give elastic constants|is not positive definite")
# tied surfaces and materials that are not isotropic come without a density; it moves all frequencies alike
_WITHOUT_DENSITY = re.compile(r"(?im)^\*\s*(TIE|ELASTIC\s*,\s*TYPE\s*=\s*(?:ORTHO|ANISO|ENG))")
DENSITY = "*DENSITY\n7.8e-9\n"
# couplings that are lost, of which the structure is read all the same
DROPPED = ("CONTACT", "CYCLICSYMMETRY", "CYCLIC", "MULTISTAGE", "SUBMODEL", "DRIVEN")


class _ManyCubePoints(Hex20Reduced):
    """hex20_reduced with more mass points than any shape needs."""

    kind = "hex20_many_points"
    mass_rule = _gauss.cube(5)


class _ManyPrismPoints(Wedge15):
    """wedge15 with more mass points than any shape needs."""

    kind = "wedge15_many_points"
    mass_rule = _gauss.prism(9, 5)


_POINTS_OF_CCX = {"hex20_reduced": Reduced20.kind, "wedge15": Nine15.kind}
_MANY_POINTS = {"hex20_reduced": _ManyCubePoints.kind, "wedge15": _ManyPrismPoints.kind}


def problems() -> Iterator[Row]:
    """Yield counts of decks and frequencies beside those of ccx."""
    reason = missing()
    if reason:
        yield Row(PROBLEM, "skipped", 0.0, 0.0, None, why_not_judged=reason)
        return
    for kind in (Reduced20, Nine15, _ManyCubePoints, _ManyPrismPoints):
        register(kind())
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        unpack(folder)
        yield from reading(folder)
        seen: set[tuple[float, ...]] = set()
        for deck, text in structures(folder).items():
            yield from frequencies(folder, deck, text, seen)


def missing() -> str:
    """Return why the decks cannot be used, or nothing; a superuser's run installs the packages."""
    may_install = hasattr(os, "geteuid") and os.geteuid() == 0 and os.environ.get("SYSTEM_PACKAGES") != "no"
    if not FOLDER.is_dir() and may_install and shutil.which("apt-get"):
        packages = " ".join(PACKAGES)
        print(f"installing system packages {packages}: the decks of CalculiX (SYSTEM_PACKAGES=no: do not)", flush=True)
        command = ("apt-get", "install", "-y", "-qq", "--no-install-recommends", *PACKAGES)
        subprocess.run(command, capture_output=True, timeout=600, check=False)
    if not FOLDER.is_dir() or shutil.which("ccx") is None:
        return f"the decks need apt-get install {' '.join(PACKAGES)}."
    return ""


def unpack(folder: Path) -> None:
    """Copy the decks and what they include."""
    for path in FOLDER.iterdir():
        if path.suffix == ".gz":
            (folder / path.stem).write_bytes(gzip.decompress(path.read_bytes()))
        elif path.is_file():
            shutil.copy(path, folder)


def reading(folder: Path) -> Iterator[Row]:
    """Count decks that are read and refused, apart for those whose element types are all known here."""
    names = ("decks", "answered", "elastic", "read", "lawless", "lawless_named", "others", "named")
    count = dict.fromkeys(names, 0)
    for path in sorted(folder.glob("*.inp")):
        types = element_types(path)
        known = bool(types) and all(element_type(name) is not None for name in types)
        sentence = None
        try:
            ff.io.read(path, dialect="calculix", drop=DROPPED if known else ())
            sentence = ""
        except ff.ReadError as error:
            sentence = str(error)
        except Exception:  # counted: anything but a sentence is a failure of the reader
            sentence = None
        count["decks"] += 1
        count["answered"] += sentence is not None
        if known and lawless(path):
            count["lawless"] += 1
            count["lawless_named"] += bool(_NO_LAW.search(sentence or ""))
        elif known:
            count["elastic"] += 1
            count["read"] += sentence == ""
        elif types:
            count["others"] += 1
            named = any(re.search(rf"\b{name}\b", sentence or "") for name in types)
            # networks of fluids carry neither stiffness nor mass: the structure beside them is read
            count["named"] += named or (sentence == "" and "D" in types) or bool(_NO_LAW.search(sentence or ""))
    yield Row(PROBLEM, "all decks: a model or one sentence", count["decks"], count["answered"], 0.0)
    yield Row(PROBLEM, f"structural elements: read, without {', '.join(DROPPED)}", count["elastic"], count["read"], 0.0)
    lawless_row = "structural elements of heat, sound or current, no elastic law: refused by the cards of the material"
    yield Row(PROBLEM, lawless_row, count["lawless"], count["lawless_named"], 0.0)
    yield Row(PROBLEM, "other elements: refused by the name of the type", count["others"], count["named"], 0.0)


def lawless(path: Path) -> bool:
    """Whether a material of a deck has no elastic law, or one of zeros, found apart from the reader."""
    text = re.sub(r"(?m)^\*\*.*\n", "", path.read_text(encoding="latin-1"))
    materials = re.split(r"(?im)^\*\s*MATERIAL\s*,", text)[1:]
    # a material ends where elements get it or the steps begin
    ends = [re.split(r"(?im)^\*\s*(?:\w+\s+SECTION|STEP)", material)[0] for material in materials]
    return any(not _LAW.search(material) for material in ends)


def structures(folder: Path) -> dict[str, str]:
    """Return the decks to compare by name, without their steps and each structure once."""
    found: dict[str, str] = {}
    seen = set()
    for path in sorted(folder.glob("*.inp")):
        types = element_types(path)
        text = path.read_text(encoding="latin-1")
        model = re.split(r"(?im)^\*\s*STEP", text)[0]
        if _WITHOUT_DENSITY.search(model) and "*DENSITY" not in model.upper():
            model = re.sub(r"(?im)^(\*\s*MATERIAL\s*,.*\n)", rf"\1{DENSITY}", model)
        plain = re.sub(r"(?m)^\*\*.*\n|\s", "", model).upper()
        if not types or not types <= _QUADRATIC or _NOT_COMPARED.search(text) or "*DENSITY" not in plain:
            continue
        try:
            small = ff.io.read(path, dialect="calculix", drop=DROPPED).nnode <= MOST_NODES
        except ff.ReadError:
            continue  # counted above
        if small and plain not in seen:
            seen.add(plain)
            found[path.stem] = model
    return found


def element_types(path: Path) -> set[str]:
    """Return the element types of a deck, found apart from the reader."""
    found = re.findall(r"(?im)^\s*\*ELEMENT\s*,.*?TYPE\s*=\s*(\w+)", path.read_text(encoding="latin-1"))
    return {name.upper() for name in found}


def frequencies(folder: Path, deck: str, model: str, seen: set[tuple[float, ...]]) -> Iterator[Row]:
    """Run ccx on a structure and compare the worst mode; one whose frequencies were seen already counts once."""
    name = f"compare_{deck}"
    path = folder / f"{name}.inp"
    path.write_text(model.rstrip() + "\n" + STEP, encoding="latin-1")
    target = ccx_frequencies(folder, name)
    if not target.size:
        yield Row(PROBLEM, deck, 0.0, 0.0, None, why_not_judged="ccx ends without frequencies.")
        return
    if tuple(target) in seen:
        return
    seen.add(tuple(target))
    fe = ff.io.read(path, dialect="calculix")
    kinds = ", ".join(dict.fromkeys(block.kind for block in fe.blocks if block.material is not None))
    yield _worst(f"{deck}: points of ccx", target, _with(fe, _POINTS_OF_CCX), AGREEMENT, kinds)
    if any(block.kind in _MANY_POINTS for block in fe.blocks):
        many = lowest(_with(fe, _MANY_POINTS), target.size)
        beside = _worst(f"{deck}: points of ccx beside many", many, _with(fe, _POINTS_OF_CCX), AGREEMENT, kinds)
        yield _worst(f"{deck}: our points beside many", many, fe, max(AGREEMENT, abs(beside.error)), kinds)


def _with(fe: FEModel, kinds: dict[str, str]) -> FEModel:
    """Return the model with some kinds of elements replaced."""
    return replace(fe, blocks=tuple(replace(block, kind=kinds.get(block.kind, block.kind)) for block in fe.blocks))


def _worst(quantity: str, target: Array, fe: FEModel, tolerance: float, mesh: str) -> Row:
    ours = lowest(fe, target.size)
    # rigid motions are zero but for round-off in both programs: far below the scale of the matrices
    K, free = fe.stiffness(), fe.free_rows()
    zero = 1e-5 * float(np.sqrt(K.trace() / fe.mass().trace()) / (2.0 * np.pi))
    elastic = target > zero
    if not elastic.any():
        row = Row(PROBLEM, f"{quantity}: the highest rigid motion [Hz]", 0.0, float(ours.max()), zero, mesh)
        motions = free.size - np.linalg.matrix_rank(K[free][:, free].toarray(), tol=1e-9 * K.diagonal().max())
        return row if target.size <= motions else row.unjudged(TOO_MANY_ZEROS)
    target, ours = target[elastic], ours[elastic]
    k = int(np.argmax(np.abs(ours / target - 1.0)))
    return Row(
        PROBLEM, f"{quantity}, worst of {target.size} modes [Hz]", float(target[k]), float(ours[k]), tolerance, mesh
    )


def ccx_frequencies(folder: Path, deck: str) -> Array:
    """Return the frequencies [Hz] that ccx prints for the first frequency step."""
    subprocess.run(["ccx", "-i", deck], cwd=folder, capture_output=True, timeout=300, check=False)
    output = folder / f"{deck}.dat"
    parts = (output.read_text() if output.exists() else "").split("E I G E N V A L U E   O U T P U T")
    if len(parts) < 2:
        return np.empty(0)
    rows = [line.split() for line in parts[1].split("P A R T I C I P A T I O N")[0].splitlines()]
    return np.array([float(row[3]) for row in rows if len(row) == 5 and row[0].isdigit()])


def lowest(fe: FEModel, n: int) -> Array:
    """Return the lowest frequencies [Hz]; the shifted inverse problem allows free bodies and a singular mass."""
    free = fe.free_rows()
    K, M = (matrix.toarray()[np.ix_(free, free)] for matrix in (fe.stiffness(), fe.mass()))
    shift = 1e-6 * np.trace(K) / np.trace(M)
    inverse = scipy.linalg.eigh(M, K + shift * M, eigvals_only=True, subset_by_index=(free.size - n, free.size - 1))
    return np.sqrt(np.maximum(1.0 / inverse[::-1] - shift, 0.0)) / (2.0 * np.pi)
