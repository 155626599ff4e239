"""Reduced bodies: published Craig–Bampton and Guyan results, and one beam in five supports."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import scipy.linalg

from benchmarks.verify.rows import Row
from floatframe import io
from floatframe.fem import RBE2, BeamSection, ElementBlock, FEModel, Material, beam_line, plate_grid
from floatframe.fem.dofs import components
from floatframe.modal import ReducedBody, eigenmodes, reduce
from floatframe.modal.lanczos.dense import reduced_modes

SAME_ELEMENT = 1e-5  # the published model has the same element formulation
LAST_DIGIT = 0.06  # error figures are printed with two or three digits


def problems() -> Iterator[Row]:
    yield from spar()
    yield from rigid_link()
    yield from two_components()
    yield from plate_of_four_parts()
    yield from five_supports()


def body_modes(body: ReducedBody, held: dict[int, str]) -> tuple[np.ndarray, np.ndarray]:
    """Elastic frequencies [Hz] and nodal shapes (nnode, 6, n) of a body held by node: components at its interface."""
    columns = [k for k in range(body.nmode) if body.kind[k] != "static" or not _is_held(body, k - body.n_eigen, held)]
    value, T = reduced_modes(body.mass[np.ix_(columns, columns)], body.stiffness[np.ix_(columns, columns)])
    shapes = body.shapes[:, columns] @ T[:, value > 0]
    return np.sqrt(value[value > 0]) / (2.0 * np.pi), shapes.reshape(body.nnode, 6, -1)


def body_frequencies(body: ReducedBody, n: int) -> np.ndarray:
    """Lowest n elastic frequencies [Hz] of a body."""
    return body_modes(body, {})[0][:n]


def _is_held(body: ReducedBody, row: int, held: dict[int, str]) -> bool:
    node, part = body.interface[row]
    return int(node) in held and int(part) in components(held[int(node)])


def with_cubic_mass(fe: FEModel) -> FEModel:
    """The same beams with the mass that SubDyn uses: cubic shapes, no shear in them."""
    return replace(fe, blocks=tuple(replace(block, kind="beam_cubic_mass") for block in fe.blocks))


def round_section(outer: float, inner: float, nu: float) -> BeamSection:
    """A solid or hollow circle with Cowper's shear factor and J = Ip."""
    r2 = (inner / outer) ** 2
    kappa = 6 * (1 + nu) ** 2 * (1 + r2) ** 2
    kappa /= (1 + r2) ** 2 * (7 + 14 * nu + 8 * nu**2) + 4 * r2 * (5 + 10 * nu + 4 * nu**2)
    second = np.pi * (outer**4 - inner**4) / 64.0
    return BeamSection(
        A=np.pi * (outer**2 - inner**2) / 4.0, Iy=second, Iz=second, J=2.0 * second, ky=kappa, kz=kappa, name="round"
    )


def spar() -> Iterator[Row]:
    """A free spar with one interface node (OpenFAST SubDyn, SD_SparHanging)."""
    name, mesh = "free spar, one interface (SubDyn)", "20 beams"
    E, G = 2.1e11, 8.0e10
    steel = Material(E=E, nu=E / (2 * G) - 1, rho=7850.0)
    section = round_section(2.4164, 0.0, steel.nu)
    fe = with_cubic_mass(beam_line((0, 0, 75), (0, 0, -75), n=20, section=section, material=steel))
    full = eigenmodes(fe, n=16).frequency[6:]
    for k, target in enumerate((0.4941340, 1.360329, 2.661805, 4.389474, 6.538158)):
        yield Row(name, f"full model, pair {k + 1} [Hz]", target, full[2 * k], SAME_ELEMENT, mesh)
    body = reduce(fe, interface=[1], n_modes=6)
    for k, target in enumerate((0.07769716, 0.4864739, 1.360155)):
        yield Row(name, f"fixed-interface pair {k + 1} [Hz]", target, body.frequency[2 * k], SAME_ELEMENT, mesh)
    table = {
        4: (4.7e-3,),
        6: (1.2e-3, 3.8e-3),
        10: (1.5e-4, 7.3e-4, 1.7e-3, 2.6e-3),
        20: (1.1e-5, 6.6e-5, 2.0e-4, 4.2e-4),
    }
    for n, errors in table.items():
        found = body_frequencies(reduce(fe, interface=[1], n_modes=n), 2 * len(errors))
        for k, target in enumerate(errors):
            ours = found[2 * k] / full[2 * k] - 1.0
            yield Row(name, f"error of pair {k + 1} with {n} modes", target, ours, LAST_DIGIT, mesh)


def rigid_link() -> Iterator[Row]:
    """A cantilever with a rigid piece in the middle (OpenFAST SubDyn, SD_Rigid)."""
    name, mesh = "cantilever with a rigid link (SubDyn)", "3 beams"
    E, G = 210e9, 8.0769e10
    steel = Material(E=E, nu=E / (2 * G) - 1, rho=7850.0)
    section = round_section(1.0, 0.9, steel.nu)
    beams = ElementBlock("beam_cubic_mass", np.array([[0, 1], [1, 2], [2, 3]]), steel, section)
    nodes = np.array([[0.0, 0.0, z] for z in (0, 10, 20, 30)])
    fe = FEModel(nodes, (beams,), couplings=(RBE2(2, [3]),)).with_support([1])
    full = eigenmodes(fe, n=12).frequency
    targets = (1.187525, 11.10164, 21.96484, 32.60645, 52.57639, 106.5510, 110.0237, 177.4082)
    for target, k in zip(targets, (0, 2, 4, 6, 7, 8, 10, 11), strict=True):
        yield Row(name, f"full model, mode {k + 1} [Hz]", target, full[k], SAME_ELEMENT, mesh)
    guyan = body_frequencies(reduce(fe, interface=[4], method="guyan"), 6)
    for target, k in zip((1.191755, 18.15473, 37.70396, 60.79589), (0, 2, 4, 5), strict=True):
        yield Row(name, f"Guyan, mode {k + 1} [Hz]", target, guyan[k], SAME_ELEMENT, mesh)
    body = reduce(fe, interface=[4], n_modes=2)
    yield Row(name, "fixed-interface pair [Hz]", 9.923489, body.frequency[0], SAME_ELEMENT, mesh)


def two_components() -> Iterator[Row]:
    """A cantilever of two reduced halves: errors against the full model by number of modes (own exact figures)."""
    name, mesh = "cantilever of two reduced halves", "2 x 10 beams"
    steel = Material(E=200e9, nu=0.3, rho=8000.0)
    section = BeamSection.rectangle(0.125, 0.125).without_shear()
    whole = beam_line((0, 0, 0), (10, 0, 0), n=20, section=section, material=steel)
    planar = [(node, "ux,uz,rx,ry") for node in range(1, 22)]  # the published figures are for bending in one plane
    full = eigenmodes(whole, n=5, fixed=[1, *planar]).frequency
    for k, target in enumerate((1.0096254, 6.3272145, 17.716384, 34.717042, 57.389757)):
        yield Row(name, f"full model against theory, mode {k + 1} [Hz]", target, full[k], 2e-3, mesh)
    halves = [
        beam_line((x, 0, 0), (x + 5, 0, 0), n=10, section=section, material=steel).with_support(planar[:11])
        for x in (0.0, 5.0)
    ]
    halves[0] = halves[0].with_support([1])
    errors = {
        0: (2.61e-2, 3.42e-1),
        1: (6.76e-5, 6.36e-3, 1.09e-1, 5.19e-1),
        2: (2.79e-6, 3.37e-4, 5.66e-4, 1.42e-2),
        3: (4.03e-7, 5.59e-5, 4.15e-5, 1.81e-3),
    }
    for n, targets in errors.items():
        method = "guyan" if n == 0 else "craig-bampton"
        first = reduce(halves[0], interface=[11], n_modes=n, method=method)
        second = reduce(halves[1], interface=[1], n_modes=n, method=method)
        found = np.sqrt(scipy.linalg.eigh(*_joined(first, second), eigvals_only=True)) / (2.0 * np.pi)
        for k, target in enumerate(targets):
            yield Row(name, f"error of mode {k + 1}, {n} modes each", target, found[k] / full[k] - 1.0, 0.1, mesh)


def _joined(a: ReducedBody, b: ReducedBody) -> tuple[np.ndarray, np.ndarray]:
    """Stiffness and mass of two bodies whose static coordinates coincide."""
    na, nb, ns = a.n_eigen, b.n_eigen, a.n_static
    place_a = np.r_[np.arange(na), na + nb + np.arange(ns)]
    place_b = np.r_[na + np.arange(nb), na + nb + np.arange(ns)]
    matrices = []
    for part_a, part_b in ((a.stiffness, b.stiffness), (a.mass, b.mass)):
        A = np.zeros((na + nb + ns,) * 2)
        A[np.ix_(place_a, place_a)] += part_a
        A[np.ix_(place_b, place_b)] += part_b
        matrices.append(A)
    return matrices[0], matrices[1]


def plate_of_four_parts() -> Iterator[Row]:
    """A clamped square plate joined from four reduced quarters along their common edges (after Code_Aster SDLS01-C)."""
    name, mesh = "square plate of four reduced strips", "4 x (10 x 3) shells"
    steel = Material(E=2.1e11, nu=0.3, rho=7800.0)
    whole = plate_grid(1.0, 1.0, nx=10, ny=12, thickness=0.01, material=steel)
    at_base = whole.node_ids[whole.nodes[:, 1] == 0.0]
    full = eigenmodes(whole, n=6, fixed=at_base.tolist()).frequency
    strips = [plate_grid(1.0, 0.25, nx=10, ny=3, thickness=0.01, material=steel) for _ in range(4)]
    bodies, lower, upper = [], [], []
    for k, strip in enumerate(strips):
        low = strip.node_ids[strip.nodes[:, 1] == 0.0].tolist()
        high = strip.node_ids[np.isclose(strip.nodes[:, 1], 0.25)].tolist()
        strip = strip.with_support(low) if k == 0 else strip
        bodies.append(reduce(strip, interface=([] if k == 0 else low) + ([] if k == 3 else high), n_modes=25))
        lower.append([] if k == 0 else low)
        upper.append([] if k == 3 else high)
    found = _chain_frequencies(bodies, [6 * len(nodes) for nodes in lower], [6 * len(nodes) for nodes in upper], 6)
    for k in range(6):
        yield Row(name, f"mode {k + 1} against the unreduced plate [Hz]", full[k], found[k], 5e-5, mesh)


def _chain_frequencies(bodies: list[ReducedBody], lower: list[int], upper: list[int], n: int) -> np.ndarray:
    """Frequencies of bodies joined one after another: the last static coordinates of one are the first of the next."""
    modal = np.cumsum([0, *(body.n_eigen for body in bodies)])
    joints = modal[-1] + np.cumsum([0, *upper])
    size = int(joints[-1])
    K, M = np.zeros((size, size)), np.zeros((size, size))
    for k, body in enumerate(bodies):
        below = joints[k - 1] + np.arange(lower[k]) if k else np.empty(0, dtype=int)
        place = np.r_[modal[k] + np.arange(body.n_eigen), below, joints[k] + np.arange(upper[k])].astype(int)
        K[np.ix_(place, place)] += body.stiffness
        M[np.ix_(place, place)] += body.mass
    value, _ = reduced_modes(M, K)
    return np.sqrt(value[:n]) / (2.0 * np.pi)


# what is held where, and bending frequencies [Hz] of one plane as printed by Mikheev (2004, §3.2.1)
SUPPORTS: dict[str, tuple[dict[int, str], tuple[str, ...]]] = {
    "free": ({}, ("26.66", "73.47")),
    "clamped-clamped": ({1: "all", 201: "all"}, ("26.66", "73.49")),
    "clamped-free": ({1: "all"}, ("4.191", "26.26", "73.51", "144.02")),
    "hinged-hinged": ({1: "u,rx", 201: "uy,uz"}, ("11.76", "47.04", "105.82", "188.08", "293.76", "422.82")),
    "clamped-hinged": ({1: "all", 201: "uy,uz"}, ("18.38", "59.54", "124.20")),
}
ROOTS = {  # β L of Euler–Bernoulli beams
    "free": (4.730040745, 7.853204624),
    "clamped-clamped": (4.730040745, 7.853204624),
    "clamped-free": (1.875104069, 4.694091133, 7.854757438, 10.99554073),
    "hinged-hinged": tuple(np.pi * n for n in range(1, 7)),
    "clamped-hinged": (3.926602312, 7.068582746, 10.21017612),
}


def sample_beam() -> FEModel:
    """The beam of the study: 2 m of square 2 cm steel, 200 Euler–Bernoulli elements with rotary inertia."""
    steel = Material(E=2.1e11, nu=0.3, rho=7800.0)
    section = BeamSection.rectangle(0.02, 0.02).without_shear()
    return beam_line((0, 0, 0), (2, 0, 0), n=200, section=section, material=steel)


def five_supports() -> Iterator[Row]:
    """One input.fum held in five ways by its static coordinates; in both planes no further from theory than published.

    Half of the last digit printed is allowed besides.
    """
    name, mesh = "one input.fum in five supports", "200 beams, 12 + 20 shapes"
    with TemporaryDirectory() as folder:
        path = Path(folder) / "input.fum"
        io.write(path, reduce(sample_beam(), interface=[1, 201], n_modes=20))
        body = io.read(path)
    wave = np.sqrt(2.1e11 * 0.02**4 / 12 / (7800.0 * 0.02**2)) / (2.0 * np.pi * 2.0**2)
    for supports, (held, published) in SUPPORTS.items():
        found = bending_frequencies(body, held)
        for k, printed in enumerate(published):
            exact = ROOTS[supports][k] ** 2 * wave
            half_digit = 0.5 * 10.0 ** -len(printed.partition(".")[2])
            limit = (abs(float(printed) - exact) + half_digit) / exact
            for plane in range(2):
                quantity = f"{supports}, mode {k + 1}, plane {plane + 1} [Hz]"
                yield Row(name, quantity, exact, found[2 * k + plane], limit, mesh)


def bending_frequencies(body: ReducedBody, held: dict[int, str]) -> np.ndarray:
    """Frequencies [Hz] of modes that move the axis sideways; a square section has two of each."""
    frequency, shapes = body_modes(body, held)
    sideways = (shapes[:, 1:3] ** 2).sum(axis=(0, 1))
    others = (shapes[:, 0] ** 2 + (0.01 * shapes[:, 3]) ** 2).sum(axis=0)  # stretching, twisting at half the height
    return frequency[sideways > others]
