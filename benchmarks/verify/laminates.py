"""Laminated and orthotropic shells: NAFEMS R0031, Navier's solutions of first-order theory, CalculiX, tapered strips.

Targets of R0031 are those of Hardy (2001), from beam and plate theory. Its second test, a thick cylinder wrapped with
fibres under pressure, is a problem of stresses across the thickness, which no shell has. Navier's solutions hold the
coupling of forces and moments and are computed here from the laws of the walls by the equations of Reddy (2004): SS1
for cross-plies, SS2 for antisymmetric angle-plies. Meshes of 16 x 16 elements per plate: an element without locking
errs by a few parts in a thousand there, 1 % is asked for. CalculiX expands laminates to layers of solids.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import scipy.linalg

from benchmarks.verify._solve import frequencies, static
from benchmarks.verify.rows import Row
from floatframe.arrays import Array
from floatframe.fem import FEModel, Layer, LayeredSection, Material, ShellSection, WallLaw, plate_grid, stresses
from floatframe.fem.model import DofSpec
from floatframe.fem.properties.sections import WallSection
from floatframe.fem.properties.wall_law import section_law

KINDS = (("shell4", False), ("shell3", True))
PLY = Material.ply(25e9, 1e9, 0.25, 0.5e9, 0.5e9, 0.2e9, rho=1600.0)  # Reddy's material of E1 = 25 E2
CLOSE = 0.01
MESH = 16
SS1: DofSpec = [("xmin", "uy uz rx"), ("xmax", "uy uz rx"), ("ymin", "ux uz ry"), ("ymax", "ux uz ry")]
SS2: DofSpec = [("xmin", "ux uz rx"), ("xmax", "ux uz rx"), ("ymin", "uy uz ry"), ("ymax", "uy uz ry")]
LAMINATES = {
    "0/90": (0.0, 90.0),
    "0/90/90/0": (0.0, 90.0, 90.0, 0.0),
    "-45/45": (-45.0, 45.0),
    "30/-30/30/-30": (30.0, -30.0, 30.0, -30.0),
}
SLOPES = "shear forces of a triangle follow from the slopes of its moments, which are coarse."
INCH, PSI = 0.0254, 6894.757


def problems() -> Iterator[Row]:
    for kind, triangles in KINDS:
        yield from published(kind, triangles)
    yield from beside_calculix()


def published(kind: str, triangles: bool) -> Iterator[Row]:
    """Yield what one element makes of published problems and closed forms."""
    yield from laminated_strip(kind, triangles)
    yield from sandwich(kind, triangles)
    for name, angles in LAMINATES.items():
        for slenderness in (10, 50):
            yield from by_navier(kind, triangles, name, angles, slenderness)
    yield from orthotropic(kind, triangles)
    yield from tapered(kind, triangles)


def plate(section: WallSection, size: Sequence[float], n: Sequence[int], triangles: bool, **more: object) -> FEModel:
    """Return a plate whose layers count their angles from x."""
    fe = plate_grid(*size, *n, section.thickness, Material(1e9), triangles=triangles)  # type: ignore[misc]
    along_x = {"direction": np.tile([1.0, 0.0, 0.0], (len(fe.blocks[0]), 1))}
    return replace(fe, blocks=(replace(fe.blocks[0], section=section, data=along_x, **{"material": None, **more}),))


def pressed(fe: FEModel, pressure: float) -> Array:
    """Return nodal forces of a pressure along -z."""
    load = np.zeros((fe.nnode, 6))
    for block in fe.blocks:
        for rows, batch in fe.batches(block):
            found = block.element.pressure_load(batch, 0, np.full(batch.size, pressure))
            np.add.at(load, block.connectivity[rows], found.reshape(batch.size, -1, 6))
    return load


def nearest(fe: FEModel, x: float, y: float) -> int:
    return int(np.argmin(np.hypot(fe.nodes[:, 0] - x, fe.nodes[:, 1] - y)))


def layer_at(fe: FEModel, u: Array, node: int, layer: int, place: str) -> Array:
    """Return the mean stresses 1, 2, 12 of a layer over the elements that meet at a node."""
    block = stresses(fe, u).blocks[0]
    return np.asarray(block.layer(layer, place)[block.block.connectivity == node].mean(axis=0))  # type: ignore[arg-type]


def laminated_strip(kind: str, triangles: bool) -> Iterator[Row]:
    """R0031/1: seven layers 0/90/0/90/0/90/0 of 0.1 mm, the middle one 0.4 mm; 10 N/mm half-way between supports."""
    ply = Material.orthotropic(100e9, 5e9, 5e9, 0.4, 0.4, 0.3, 3e9, 2e9, 2e9)
    angles, thick = (0.0, 90.0, 0.0, 90.0, 0.0, 90.0, 0.0), (0.1, 0.1, 0.1, 0.4, 0.1, 0.1, 0.1)
    section = LayeredSection([Layer(ply, 1e-3 * t, angle) for t, angle in zip(thick, angles, strict=True)])
    fe = plate(section, (0.05, 0.01), (50, 10), triangles)
    x = fe.nodes[:, 0]
    held = [(int(node), "uz") for node in fe.node_ids[np.isclose(x, 0.01) | np.isclose(x, 0.04)]]
    middle = np.flatnonzero(np.isclose(x, 0.025))
    load = np.zeros((fe.nnode, 6))
    share = np.ones(middle.size)
    share[[0, -1]] = 0.5
    load[middle, 2] = -1e4 * 0.01 * share / share.sum()
    held += [(int(fe.node_ids[nearest(fe, 0.025, 0.005)]), "ux uy rz")]
    u = static(fe, load, held)
    centre = nearest(fe, 0.025, 0.005)
    yield Row("NAFEMS R0031/1 strip", f"{kind}: deflection [mm]", -1.06, 1e3 * u[centre, 2], 0.01, "50x10")
    stress = layer_at(fe, u, centre, 0, "bottom")[0] / 1e6
    yield Row("NAFEMS R0031/1 strip", f"{kind}: bending stress [MPa]", 683.9, float(stress), 0.02, "50x10")
    # half-way between a support and the force, the mean over the width, between the highest two layers
    block = stresses(fe, u).blocks[0]
    there = np.isclose(x, 0.018)[block.block.connectivity]
    shear = abs(float(block.between_layers(6)[there, 0].mean())) / 1e6
    row = Row("NAFEMS R0031/1 strip", f"{kind}: shear between layers [MPa]", 4.1, shear, 0.02, "50x10")
    yield row.unjudged(SLOPES) if triangles else row


def sandwich(kind: str, triangles: bool) -> Iterator[Row]:
    """R0031/3: square of 10 in, faces of 0.028 in on a core of 0.75 in, 100 psi, simply supported."""
    face = Material.ply(10e6 * PSI, 4e6 * PSI, 0.3, 1.875e6 * PSI)
    # a core has next to no stiffness in its plane
    core = Material.ply(10.0 * PSI, 10.0 * PSI, 0.0, 10.0 * PSI, 3e4 * PSI, 1.2e4 * PSI)
    layers = [Layer(face, 0.028 * INCH), Layer(core, 0.75 * INCH), Layer(face, 0.028 * INCH)]
    fe = plate(LayeredSection(layers), (10 * INCH, 10 * INCH), (24, 24), triangles)
    u = static(fe, pressed(fe, 100.0 * PSI), SS1)
    centre, quarter = nearest(fe, 5 * INCH, 5 * INCH), nearest(fe, 2.5 * INCH, 2.5 * INCH)
    problem, mesh = "NAFEMS R0031/3 sandwich", "24x24"
    yield Row(problem, f"{kind}: deflection [in]", -0.123, u[centre, 2] / INCH, 0.01, mesh)
    found = layer_at(fe, u, centre, 0, "middle") / PSI
    yield Row(problem, f"{kind}: stress x, centre [psi]", 34449.0, float(found[0]), 0.02, mesh)
    yield Row(problem, f"{kind}: stress y, centre [psi]", 13350.0, float(found[1]), 0.02, mesh)
    shear = float(layer_at(fe, u, quarter, 0, "middle")[2]) / PSI
    yield Row(problem, f"{kind}: shear, quarter point [psi]", 5067.5, abs(shear), 0.02, mesh)


def navier(law: WallLaw, m: int, n: int, angle_ply: bool) -> tuple[Array, Array]:
    """Return stiffness and mass (5, 5) of amplitudes u, v, w, βx, βy on a square of side one."""
    a, b = m * np.pi, n * np.pi
    strain = np.zeros((6, 5))
    strain[[0, 1, 2, 2], [0, 1, 0, 1]] = np.array([-a, -b, b, a]) * (-1.0 if angle_ply else 1.0)
    strain[[3, 4, 5, 5], [3, 4, 3, 4]] = [-a, -b, b, a]
    # products of sines do not couple to products of cosines
    cosines = np.array([1, 1, 0, 0, 0, 1] if angle_ply else [0, 0, 1, 0, 0, 1])
    whole = np.block([[law.A, law.B], [law.B, law.D]]) * (cosines[:, None] == cosines)
    shear = np.array([[0.0, 0.0, a, 1.0, 0.0], [0.0, 0.0, b, 0.0, 1.0]])
    mass = np.diag(np.array([law.m0] * 3 + [law.m2] * 2, dtype=float))
    mass[[0, 3, 1, 4], [3, 0, 4, 1]] = law.m1
    return strain.T @ whole @ strain + shear.T @ law.S @ shear, mass


def bending_frequency(law: WallLaw, m: int, n: int, angle_ply: bool = False) -> float:
    """Return the lowest frequency [Hz] of a wave pattern, which is the one of bending."""
    return float(np.sqrt(scipy.linalg.eigh(*navier(law, m, n, angle_ply), eigvals_only=True)[0]) / (2.0 * np.pi))


def deflection(law: WallLaw, angle_ply: bool) -> float:
    """Return the deflection at the centre under a unit pressure."""
    odd = range(1, 60, 2)
    waves = [(m, n, (-1.0) ** ((m + n) // 2 - 1) * 16.0 / (np.pi**2 * m * n)) for m in odd for n in odd]
    load = np.eye(5)[2]
    return float(sum(q * np.linalg.solve(navier(law, m, n, angle_ply)[0], load)[2] for m, n, q in waves))


def by_navier(kind: str, triangles: bool, name: str, angles: Sequence[float], slenderness: int) -> Iterator[Row]:
    angle_ply = 90.0 not in angles
    section = LayeredSection([Layer(PLY, 1.0 / slenderness / len(angles), angle) for angle in angles])
    law, held = section_law(section, None), SS2 if angle_ply else SS1
    fe = plate(section, (1.0, 1.0), (MESH, MESH), triangles)
    problem, mesh = f"Navier, {name}, a/h = {slenderness}", f"{MESH}x{MESH}"
    w = -static(fe, pressed(fe, 1.0), held)[nearest(fe, 0.5, 0.5), 2]
    yield Row(problem, f"{kind}: deflection", deflection(law, angle_ply), float(w), CLOSE, mesh)
    first = float(frequencies(fe, 1, held)[0])
    yield Row(problem, f"{kind}: frequency [Hz]", bending_frequency(law, 1, 1, angle_ply), first, CLOSE, mesh)


def orthotropic(kind: str, triangles: bool) -> Iterator[Row]:
    """Four frequencies of one orthotropic layer."""
    section = ShellSection(0.02)
    law = section_law(section, PLY)
    waves = sorted((bending_frequency(law, m, n), m, n) for m in range(1, 5) for n in range(1, 5))[:4]
    fe = plate(section, (1.0, 1.0), (24, 24), triangles, material=PLY)
    for (target, m, n), ours in zip(waves, frequencies(fe, 4, SS1), strict=True):
        yield Row("Navier, orthotropic plate", f"{kind}: waves {m}, {n} [Hz]", target, float(ours), CLOSE, "24x24")


def tapered(kind: str, triangles: bool) -> Iterator[Row]:
    """A cantilever twice as thick at its support as at its tip, five elements long, without contraction."""
    fe = plate_grid(1.0, 0.1, 5, 1, 0.01, Material(2e11, 0.0), triangles=triangles)
    thickness = 0.01 * (1.0 + fe.nodes[:, 0])[fe.blocks[0].connectivity]
    fe = replace(fe, blocks=(replace(fe.blocks[0], data={"thickness": thickness}),))
    load = np.zeros((fe.nnode, 6))
    load[fe.node_index(fe.node_sets["xmin"]), 2] = 0.5
    tip = static(fe, load, ["xmax"])[nearest(fe, 0.0, 0.0), 2]
    # ∫ x² / (1 + x)³ dx from 0 to 1
    exact = (np.log(2.0) - 5.0 / 8.0) * 12.0 / (2e11 * 0.1 * 0.01**3)
    yield Row("tapered cantilever", f"{kind}: deflection [m]", exact, float(tip), CLOSE, "5x1")


def beside_calculix() -> Iterator[Row]:
    """Cantilevers of S8R in CalculiX, which makes layers of C3D20R of them, beside flat shells of half the size.

    Angle-plies, whose edges bend and stretch at once, converge slower and have shells of a quarter of the size.
    """
    for name, angles in {"0": (0.0,), "0/90": (0.0, 90.0), "-45/45": (-45.0, 45.0), "0/90/0": (0.0, 90.0, 0.0)}.items():
        section = LayeredSection([Layer(PLY, 0.005 / len(angles), angle) for angle in angles])
        nx = 64 if 45.0 in angles else 32
        found = _ccx_frequencies(section, 1.0, 0.5, 16, 8)
        if found is None:
            return
        for kind, triangles in KINDS:
            fe = plate(section, (1.0, 0.5), (nx, nx // 2), triangles)
            ours = frequencies(fe, 5, ["xmin"])
            problem = f"CalculiX composite {name}"
            for k, (target, value) in enumerate(zip(found.tolist(), ours.tolist(), strict=True)):
                yield Row(problem, f"{kind}: mode {k + 1} [Hz]", target, value, CLOSE, f"{nx}x{nx // 2}")


def _ccx_frequencies(section: LayeredSection, lx: float, ly: float, nx: int, ny: int) -> Array | None:
    """Return five frequencies [Hz] of a cantilever plate of S8R with nx x ny elements; None without `ccx`."""
    if shutil.which("ccx") is None:
        return None
    x, y = np.meshgrid(np.linspace(0.0, lx, 2 * nx + 1), np.linspace(0.0, ly, 2 * ny + 1))
    number = np.arange(1, x.size + 1).reshape(x.shape)
    places = zip(number.ravel().tolist(), x.ravel().tolist(), y.ravel().tolist(), strict=True)
    lines = ["*NODE", *(f"{node}, {along!r}, {across!r}, 0." for node, along, across in places)]
    lines += ["*ELEMENT, TYPE=S8R, ELSET=E"]
    corners = [(0, 0), (0, 2), (2, 2), (2, 0), (0, 1), (1, 2), (2, 1), (1, 0)]
    for k, (j, i) in enumerate(np.ndindex(ny, nx)):
        lines.append(f"{k + 1}, " + ", ".join(str(number[2 * j + b, 2 * i + a]) for b, a in corners))
    moduli = "25e9, 1e9, 1e9, 0.25, 0., 0., 0.5e9, 0.5e9,\n0.2e9, 0."
    lines += ["*MATERIAL, NAME=PLY", "*ELASTIC, TYPE=ENGINEERING CONSTANTS", moduli, "*DENSITY", "1600."]
    layers = []
    for k, layer in enumerate(section.layers):
        c, s = np.cos(np.radians(layer.angle)), np.sin(np.radians(layer.angle))
        lines += [f"*ORIENTATION, NAME=O{k}", f"{c:.12f}, {s:.12f}, 0., {-s:.12f}, {c:.12f}, 0."]
        layers.append(f"{layer.thickness!r}, , PLY, O{k}")
    lines += ["*SHELL SECTION, ELSET=E, COMPOSITE", *layers, "*NSET, NSET=CLAMP", *map(str, number[:, 0])]
    lines += ["*BOUNDARY", "CLAMP, 1, 6", "*STEP", "*FREQUENCY", "5", "*END STEP", ""]
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "plate.inp").write_text("\n".join(lines))
        subprocess.run(["ccx", "-i", "plate"], cwd=folder, capture_output=True, timeout=300, check=False)
        text = (Path(folder) / "plate.dat").read_text()
    rows = re.findall(r"(?m)^\s+\d+\s+\S+\s+\S+\s+(\S+)\s+\S+\s*$", text.split("P A R T I C I P")[0])
    return np.array([float(row) for row in rows[:5]])
