"""Beams: NAFEMS frames and deep beams, Euler–Bernoulli roots, MacNeal–Harder, SubDyn, measured orders."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import scipy.linalg

from benchmarks.verify.rows import Row
from floatframe.arrays import Array, IntArray
from floatframe.fem import RBE2, BeamSection, ElementBlock, FEModel, Material, beam_line, frame
from floatframe.fem.model import DofSpec

NAFEMS = Material(E=200e9, nu=0.3, rho=8000.0)
PUBLISHED_DIGITS = 1e-6  # relative: numbers published with seven digits
MODAL = 0.01  # of frequencies on the stated coarse meshes


def problems() -> Iterator[Row]:
    yield from double_cross()
    yield from deep_beam()
    yield from euler_bernoulli_roots()
    yield from measured_orders()
    yield from macneal_harder_straight_beam()
    yield from hanging_spar()
    yield from rigid_link()
    yield from two_beam_cantilever()


def _free_matrices(fe: FEModel, fixed: DofSpec) -> tuple[Array, Array, IntArray]:
    rows = fe.free_rows(fixed)
    grid = np.ix_(rows, rows)
    return fe.stiffness().toarray()[grid], fe.mass().toarray()[grid], rows


def _eigenfrequencies(K: Array, M: Array) -> Array:
    """Return frequencies [Hz]; rounding may push those of rigid motion slightly below zero."""
    return np.sqrt(np.maximum(scipy.linalg.eigh(K, M, eigvals_only=True), 0.0)) / (2.0 * np.pi)


def _frequencies(fe: FEModel, fixed: DofSpec = ()) -> Array:
    K, M, _ = _free_matrices(fe, fixed)
    return _eigenfrequencies(K, M)


def _displacements(fe: FEModel, node: int, component: int, value: float, fixed: DofSpec) -> Array:
    """Return (nnode, 6) under one force or moment."""
    load = np.zeros((fe.nnode, 6))
    load[node - 1, component] = value
    K, _, rows = _free_matrices(fe, fixed)
    x = np.zeros(fe.ndof)
    x[rows] = scipy.linalg.solve(K, fe.project_load(load)[rows], assume_a="pos")
    return fe.expand(x)


def _in_plane(fe: FEModel) -> list[tuple[int, str]]:
    """Hold everything but bending in the x–y plane."""
    return [(int(node), "ux uz rx ry") for node in fe.node_ids]


def double_cross() -> Iterator[Row]:
    """NAFEMS FV2: eight pinned arms; two modes of each group stretch the arms, which the published values leave out."""
    angle = np.arange(8) * np.pi / 4.0
    tips = 5.0 * np.column_stack([np.cos(angle), np.sin(angle), 0.0 * angle])
    section = BeamSection.rectangle(0.125, 0.125).without_shear()
    fe = frame(np.vstack([np.zeros(3), tips]), [(0, k) for k in range(1, 9)], section, NAFEMS, n=4)
    flat = [(int(node), "uz rx ry") for node in fe.node_ids]
    found = _frequencies(fe, [*((k, "ux uy") for k in range(2, 10)), *flat])
    groups = {"f1": (0, 1, 11.336), "f2-3 stretching arms": (1, 3, 17.681), "f4-8": (3, 8, 17.709)}
    groups |= {"f9": (8, 9, 45.345), "f10-11 stretching arms": (9, 11, 57.075), "f12-16": (11, 16, 57.390)}
    for quantity, (first, last, target) in groups.items():
        worst = max(found[first:last], key=lambda f: abs(f - target))
        yield Row("NAFEMS FV2 double cross", f"{quantity} [Hz]", target, worst, MODAL, "4 beams per arm")


def deep_beam() -> Iterator[Row]:
    """NAFEMS FV5 with the St-Venant and the polar torsion constant."""
    square = BeamSection.rectangle(2.0, 2.0)
    polar = BeamSection(A=4.0, Iy=square.Iy, Iz=square.Iz, J=square.Ip, ky=square.ky, kz=square.kz)
    targets = {"flexure 1": (1, 42.650), "flexure 2": (5, 148.15), "flexure 3": (8, 283.47)}
    targets |= {"torsion 1": (2, 71.20), "axial 1": (3, 125.00), "torsion 2": (6, 213.61)}
    supports = [(1, "u rx"), (6, "uy uz")]
    fe = beam_line((0, 0, 0), (10, 0, 0), n=5, section=square, material=NAFEMS)
    found = _frequencies(fe, supports)
    for quantity, (place, target) in targets.items():
        yield Row("NAFEMS FV5 deep beam", f"{quantity} [Hz]", target, found[place], MODAL, "5 beams")
    fe = beam_line((0, 0, 0), (10, 0, 0), n=5, section=polar, material=NAFEMS)
    for number, target, place in ((1, 77.52, 2), (2, 232.6, 6)):
        found_polar = _frequencies(fe, supports)[place]
        yield Row("NAFEMS FV5 deep beam", f"torsion {number}, J = Ip [Hz]", target, found_polar, MODAL, "5 beams")


ROOTS = {
    "clamped-free": (1.87510407, 4.69409113, 7.85475744, 10.99554073, 14.13716839),
    "clamped-clamped": (4.73004074, 7.85320462, 10.99560784, 14.13716549, 17.27875966),
    "free-free": (4.73004074, 7.85320462, 10.99560784, 14.13716549, 17.27875966),
    "clamped-pinned": (3.92660231, 7.06858275, 10.21017612, 13.35176878, 16.49336143),
    "free-pinned": (3.92660231, 7.06858275, 10.21017612, 13.35176878, 16.49336143),
    "clamped-guided": (2.36502037, 5.49780392, 8.63937983, 11.78097245),
    "pinned-pinned": (np.pi, 2 * np.pi, 3 * np.pi, 4 * np.pi, 5 * np.pi),
}
SUPPORTS = {"clamped": "all", "pinned": "u rx", "guided": "ux uz r"}
RIGID = {"free-free": 2, "free-pinned": 1}


def euler_bernoulli_roots() -> Iterator[Row]:
    """Beta L of slender beams; rotary inertia lowers the fifth root by about 1e-6 here."""
    n, L = 40, 2.0
    section = BeamSection.rectangle(0.001, 0.001).without_shear()
    fe = beam_line((0, 0, 0), (L, 0, 0), n=n, section=section, material=NAFEMS)
    speed = np.sqrt(NAFEMS.E * section.Iz / (NAFEMS.rho * section.A))
    for name, roots in ROOTS.items():
        ends = zip((1, n + 1), name.split("-"), strict=True)
        held = [(node, SUPPORTS[kind]) for node, kind in ends if kind != "free"]
        found = _frequencies(fe, [*held, *_in_plane(fe)])[RIGID.get(name, 0) :]
        ours = np.sqrt(2.0 * np.pi * found[: len(roots)] * L**2 / speed)
        worst = int(np.argmax(np.abs(ours / roots - 1.0)))
        quantity = f"worst of {len(roots)} roots, beta L"
        yield Row(f"Euler-Bernoulli {name}", quantity, roots[worst], ours[worst], 2e-5, f"{n} beams")


def measured_orders() -> Iterator[Row]:
    """Slope of the frequency error over the element length for bending, axial and torsional modes of a cantilever."""
    sizes = np.array([4, 8, 16])
    slender = BeamSection.rectangle(0.001, 0.001).without_shear()
    stocky = BeamSection.rectangle(0.1, 0.2)
    bending = 7.85475744**2 / (2.0 * np.pi) * np.sqrt(NAFEMS.E * slender.Iz / (NAFEMS.rho * slender.A))
    axial = 0.75 * np.sqrt(NAFEMS.E / NAFEMS.rho)
    torsion = 0.75 * np.sqrt(NAFEMS.G * stocky.J / (NAFEMS.rho * stocky.Ip))
    cases = (
        ("bending f3", slender, "ux uz rx ry", 2, bending),
        ("axial f2", stocky, "uy uz r", 1, axial),
        ("torsion f2", stocky, "u ry rz", 1, torsion),
    )
    for quantity, section, held, place, exact in cases:
        error = []
        for n in sizes:
            fe = beam_line((0, 0, 0), (1, 0, 0), n=int(n), section=section, material=NAFEMS)
            found = _frequencies(fe, [1, *((int(node), held) for node in fe.node_ids)])[place]
            error.append(abs(found / exact - 1.0))
        order = -np.polyfit(np.log(sizes), np.log(error), 1)[0]
        yield Row("Beam, order of convergence", f"order of {quantity}", 4.0, order, 0.05, "4, 8, 16 beams")


def macneal_harder_straight_beam() -> Iterator[Row]:
    """The cantilever of MacNeal and Harder (1985) with beams; the twist is St-Venant's, not the published 0.03208."""
    material = Material(E=1e7, nu=0.3)
    fe = beam_line((0, 0, 0), (6, 0, 0), n=6, section=BeamSection.rectangle(0.1, 0.2), material=material)
    cases = (("extension", 0, 3.0e-5), ("in-plane shear", 2, 0.1081), ("out-of-plane shear", 1, 0.4321))
    for quantity, component, target in (*cases, ("twist", 3, 0.0341)):
        ours = _displacements(fe, 7, component, 1.0, fixed=[1])[-1, component]
        yield Row("MacNeal-Harder straight beam", quantity, target, ours, 1e-3, "6 beams")


def hanging_spar() -> Iterator[Row]:
    """SubDyn SD_SparHanging: free spar and its modes with the top held, cubic mass as in SubDyn."""
    material = Material(E=2.1e11, nu=2.1e11 / (2 * 8.0e10) - 1, rho=7850.0)
    z = np.linspace(75.0, -75.0, 21)
    row = np.arange(20)
    section = BeamSection.circle(2.4164, nu=material.nu)
    block = ElementBlock("beam_cubic_mass", np.column_stack([row, row + 1]), material, section)
    fe = FEModel(np.column_stack([0 * z, 0 * z, z]), (block,))
    free = _frequencies(fe)[6:]
    for number, target in enumerate((0.4941340, 1.360329, 2.661805, 4.389474, 6.538158)):
        quantity = f"free, pair {number + 1} [Hz]"
        yield Row("SubDyn hanging spar", quantity, target, free[2 * number], PUBLISHED_DIGITS, "20 beams")
    held = _frequencies(fe, fixed=[1])
    for number, target in enumerate((0.07769716, 0.4864739, 1.360155)):
        quantity = f"top held, pair {number + 1} [Hz]"
        yield Row("SubDyn hanging spar", quantity, target, held[2 * number], PUBLISHED_DIGITS, "20 beams")


def rigid_link() -> Iterator[Row]:
    """SubDyn SD_Rigid: three tubes, the middle one stiffened by a rigid link; whole, reduced, top held."""
    material = Material(E=210e9, nu=210e9 / (2 * 8.0769e10) - 1, rho=7850.0)
    section = BeamSection.tube(1.0, 0.05, nu=material.nu)
    nodes = np.column_stack([np.zeros((4, 2)), [0.0, 10.0, 20.0, 30.0]])
    block = ElementBlock("beam_cubic_mass", np.array([[0, 1], [1, 2], [2, 3]]), material, section)
    fe = FEModel(nodes, (block,)).with_coupling(RBE2(2, [3]))
    K, M, rows = _free_matrices(fe, fixed=[1])
    top = fe.dofs[rows, 0] == 4
    inner = np.flatnonzero(~top)
    shapes = np.zeros((rows.size, 6))
    shapes[top] = np.eye(6)
    shapes[inner] = -scipy.linalg.solve(K[np.ix_(inner, inner)], K[np.ix_(inner, np.flatnonzero(top))])
    found = {
        "full": _eigenfrequencies(K, M),
        "Guyan": _eigenfrequencies(shapes.T @ K @ shapes, shapes.T @ M @ shapes),
        "top held": _eigenfrequencies(K[np.ix_(inner, inner)], M[np.ix_(inner, inner)]),
    }
    full = {0: 1.187525, 2: 11.10164, 4: 21.96484, 6: 32.60645, 7: 52.57639, 8: 106.5510, 10: 110.0237, 11: 177.4082}
    guyan = {0: 1.191755, 2: 18.15473, 4: 37.70396, 5: 60.79589}
    for name, targets in (("full", full), ("Guyan", guyan), ("top held", {0: 9.923489})):
        for place, target in targets.items():
            quantity = f"{name}, f{place + 1} [Hz]"
            yield Row("SubDyn rigid link", quantity, target, found[name][place], PUBLISHED_DIGITS, "3 beams")


def two_beam_cantilever() -> Iterator[Row]:
    """SubDyn two-beam cantilever, without and with a soft 6 x 6 spring in the middle."""
    material = Material(E=2.1e11, nu=2.1e11 / (2 * 8.08e10) - 1)
    tube = BeamSection.tube(1.0, 0.025, nu=material.nu)
    plain = beam_line((0, 0, 0), (0, 0, 10), n=2, section=tube, material=material)
    u = _displacements(plain, 3, 0, 2e6, fixed=[1])[:, 0]
    name, digits = "SubDyn two-beam cantilever", 5e-5
    yield Row(name, "u at 5 m, in m", 0.11218, u[1], digits, "2 beams")
    yield Row(name, "u at 10 m, in m", 0.35511, u[2], digits, "2 beams")
    nodes = np.column_stack([np.zeros((4, 2)), [0.0, 5.0, 5.0, 10.0]])
    beams = ElementBlock("beam", np.array([[0, 1], [2, 3]]), material, tube)
    stiffness = np.array([[2e7, 1e12, 1e12, 1e12, 1e8, 1e12]])
    spring = ElementBlock("spring", np.array([[1, 2]]), data={"stiffness": stiffness})
    u = _displacements(FEModel(nodes, (beams, spring)), 4, 0, 2e6, fixed=[1])[:, 0]
    for place, target in ((1, 0.11218), (2, 0.21218), (3, 0.95511)):
        yield Row(name, f"with spring, u of node {place + 1}, in m", target, u[place], digits, "2 beams, 1 spring")
