"""Models that we write as .inp, run by CalculiX (`ccx`), beside our own frequencies.

What differs is stated with every row. Quadratic solids differ in integration points only. C3D8I and our hex8 both have
incompatible modes, of different kind. `ccx` turns S4 into one layer of C3D8I, which is stiff while the elements are
much wider than thick. Where the elements differ, ours is judged by the converged value with twice the error of that
of `ccx` on the same mesh, and by where both programs lead as the mesh gets finer (second order).
Beams become bricks in `ccx`, and a rigid knot stands wherever beams and shells meet: 1.4 % stiffer in the limit. Beams
of given constants and couplings of rotations have no counterpart in `ccx`; our own round trip covers them.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np

import floatframe as ff
from benchmarks.verify.calculix import ccx_frequencies
from benchmarks.verify.rows import SAME_MESH, Row
from floatframe.arrays import Array, IntArray
from floatframe.fem import RBE2, BeamSection, ElementBlock, FEModel, Material, ShellSection

PROBLEM = "exports run by CalculiX"
STEEL = Material(E=2.1e11, nu=0.3, rho=7850.0, name="steel")
MODES = 6
SIZE = np.array([1.2, 0.6, 0.4])  # of the box [m]
CELLS = np.array([6, 3, 2])
FINE = 4  # times finer is the bar that stands for the converged one
FINENESS = (4, 8)  # cells of the box are divided so often


def problems() -> Iterator[Row]:
    """Yield the worst of the first frequencies of every structure."""
    if shutil.which("ccx") is None:
        yield Row(PROBLEM, "skipped", 0.0, 0.0, None, why_not_judged="the runs need apt-get install calculix-ccx.")
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for kind, remark in (
            ("hex20", "C3D20, 27 stiffness points there and 14 here"),
            ("hex20_reduced", "C3D20R, 8 mass points there and 14 here"),
        ):
            yield _worst(f"bar of {kind}", *both(folder, kind, bar(kind)), 1e-3, remark)
        converged = ff.modal.eigenmodes(bar("hex20", FINE), n=MODES).frequency
        yield _no_further("bar of hex8", converged, *both(folder, "hex8", bar("hex8")), "C3D8I, other modes")
        for what, build, tolerance, remark in (
            ("box with block, mass and rigid hub", box, 1e-2, "S4 as one layer of C3D8I there"),
            ("the same with beams as stiffeners", stiffened_box, 2e-2, "B31 as C3D8I, rigid knots there"),
        ):
            coarse, fine = (both(folder, f"{build.__name__}{k}", build(k)) for k in FINENESS)
            target, ours = (b + (b - a) / 3.0 for a, b in zip(coarse, fine, strict=True))
            for fineness, found in zip(FINENESS, (coarse, fine), strict=True):
                cells = "x".join(map(str, CELLS * fineness))
                yield _no_further(what, target, *found, f"{cells} cells, {remark}")
            yield _worst(what, target, ours, tolerance, "both extrapolated to zero mesh size")


def both(folder: Path, deck: str, fe: FEModel) -> tuple[Array, Array]:
    """Return the first frequencies [Hz] of ccx, NaN where it gives none, and ours of the same file."""
    path = folder / f"{deck}.inp"
    ff.io.write(path, fe)
    with path.open("a") as file:
        file.write(f"*STEP\n*FREQUENCY\n{MODES}\n*END STEP\n")
    target = np.full(MODES, np.nan)
    found = ccx_frequencies(folder, deck)[:MODES]
    target[: found.size] = found
    return target, ff.modal.eigenmodes(ff.io.read(path), n=MODES).frequency


def _worst(quantity: str, target: Array, ours: Array, tolerance: float, mesh: str) -> Row:
    # a missing frequency is the worst of all
    worst = int(np.argmax(np.nan_to_num(np.abs(ours / target - 1.0), nan=np.inf)))
    label = f"{quantity}: f{worst + 1} [Hz], the worst of {MODES}"
    return Row(PROBLEM, label, float(target[worst]), float(ours[worst]), tolerance, mesh)


def _no_further(quantity: str, limit: Array, theirs: Array, ours: Array, mesh: str) -> Row:
    """Judge ours by a converged value and what the element of ccx misses of it on the same mesh."""
    tolerance = SAME_MESH * float(np.abs(theirs / limit - 1.0).max())
    return _worst(f"{quantity}, converged", limit, ours, tolerance, mesh)


def grid(cells: IntArray, size: Array, refine: int = 1) -> tuple[Array, IntArray]:
    """Return places (n, 3) and node rows (cells + 1) of a regular grid."""
    lines = [np.linspace(0.0, length, refine * count + 1) for length, count in zip(size, cells, strict=True)]
    places = np.stack(np.meshgrid(*lines, indexing="ij"), axis=-1)
    return places.reshape(-1, 3), np.arange(places[..., 0].size).reshape(places.shape[:3])


def bar(kind: str, fineness: int = 1) -> FEModel:
    """A thick bar of 6 x 2 x 2 hexahedra, slightly curved, clamped at one end."""
    quadratic = kind != "hex8"
    step = 2 if quadratic else 1
    places, number = grid(fineness * np.array([6, 2, 2]), np.array([1.0, 0.2, 0.3]), step)
    # where the nodes of an element stand in half steps from its first corner
    reference = ff.fem.element_kind(kind).reference_nodes  # type: ignore[attr-defined]
    offsets = np.rint((reference + 1.0) * step / 2.0).astype(int)
    first = np.stack(np.meshgrid(*(np.arange(0, n - 1, step) for n in number.shape), indexing="ij"), -1).reshape(-1, 3)
    rows = number[tuple((first[:, None] + offsets).transpose(2, 0, 1))]
    used, rows = np.unique(rows, return_inverse=True)
    places = places[used]
    places[:, 2] += 0.1 * places[:, 0] ** 2
    fe = FEModel(places, (ElementBlock(kind, rows.reshape(len(first), -1), STEEL),))
    return fe.with_support([(fe_node, "u") for fe_node in fe.pick_nodes(lambda x: x[:, 0] < 1e-9).tolist()])


def box(fineness: int) -> FEModel:
    """A box of shells, open and clamped at one end, with a solid block on top and a mass on a rigid hub at the end."""
    places, number = grid(CELLS * fineness, SIZE)
    faces = [number[:, :, 0], number[:, :, -1], number[:, 0], number[:, -1], number[-1]]
    quads = np.concatenate([_quads(face) for face in faces])
    used, quads = np.unique(quads, return_inverse=True)
    # the block stands on a third of the lid, two cells of the coarsest mesh wide and one deep and high
    lid = number[2 * fineness : 4 * fineness + 1, fineness : 2 * fineness + 1, -1]
    layers = [np.searchsorted(used, lid)]
    nodes, top = [places[used]], used.size
    for k in range(1, fineness + 1):
        nodes.append(places[lid.ravel()] + np.array([0.0, 0.0, 0.2 * k / fineness]))
        layers.append(top + np.arange(lid.size).reshape(lid.shape))
        top += lid.size
    bricks = [np.hstack([_quads(a), _quads(b)]) for a, b in pairwise(layers)]
    fe = FEModel(
        np.concatenate([*nodes, [[1.35, 0.3, 0.2]]]),
        (
            ElementBlock("shell4", quads.reshape(-1, 4), STEEL, ShellSection(0.008)),
            ElementBlock("hex8", np.concatenate(bricks), STEEL),
        ),
    )
    hub = int(fe.node_ids[-1])
    middle = fe.pick_nodes(lambda x: (x[:, 0] > 1.2 - 1e-9) & (np.abs(x[:, 1:] - [0.3, 0.2]) < 0.11).all(axis=1))
    ring = middle[middle != hub]
    fe = replace(fe, couplings=(RBE2(hub, ring.tolist(), "u"),))
    return fe.with_point_mass(hub, 20.0).with_support(fe.pick_nodes(lambda x: x[:, 0] < 1e-9).tolist())


def stiffened_box(fineness: int) -> FEModel:
    """The box with two square stiffeners along its lid and two along its floor."""
    fe = box(fineness)
    rows: list[tuple[int, int]] = []
    for y, z in ((0.2, 0.0), (0.4, 0.0), (0.2, 0.4), (0.4, 0.4)):
        line = np.flatnonzero((np.abs(fe.nodes[:, 1:] - [y, z]) < 1e-9).all(axis=1))
        rows += pairwise(line[np.argsort(fe.nodes[line, 0])].tolist())
    up = np.tile([0.0, 0.0, 1.0], (len(rows), 1))
    return fe.with_block(
        ElementBlock("beam", np.array(rows), STEEL, BeamSection.rectangle(0.02, 0.02, STEEL.nu), {"orientation": up})
    )


def _quads(number: IntArray) -> IntArray:
    """Return quadrilaterals (n, 4) of a sheet of nodes."""
    corners = (number[:-1, :-1], number[1:, :-1], number[1:, 1:], number[:-1, 1:])
    return np.stack(corners, axis=-1).reshape(-1, 4)
