"""Pipes, plane beams, springs, gaps and bearings of ANSYS decks against formulas."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import floatframe as ff
from floatframe.io.ansys.structure.springs import slope_at_rest
from tests.reference import beams as reference

E, NU, RHO = 2.0e11, 0.3, 7800.0
STEEL = f"MP,EX,1,{E}\nMP,PRXY,1,{NU}\nMP,DENS,1,{RHO}\n"
EXACT = 1e-10


def line(n: int, length: float) -> str:
    return f"N,1\nN,{n + 1},{length}\nFILL\nE,1,2\nEGEN,{n},1,1\n"


def ring(outer: float, wall: float) -> tuple[float, float]:
    """Area and second moment."""
    inner = outer - 2 * wall
    return math.pi * (outer**2 - inner**2) / 4, math.pi * (outer**4 - inner**4) / 64


@pytest.mark.parametrize("element", ["PIPE16", "PIPE288", "PIPE289", "ELBOW290"])
def test_a_pipe_carries_its_insulation_and_contents(read, element):
    """A cantilever of 4 m with a diameter of 0.1 m; all are full of water and insulated."""
    outer, wall, cover, length = 0.1, 0.005, 0.02, 4.0
    area, inertia = ring(outer, wall)
    mass = RHO * area + 200.0 * math.pi * ((outer + 2 * cover) ** 2 - outer**2) / 4
    mesh = line(20, length)
    mass += 1000.0 * math.pi * (outer - 2 * wall) ** 2 / 4
    if element == "PIPE16":
        data = f"R,1,{outer},{wall},,,,1000\nRMORE,200,{cover}\n"
    else:
        data = f"SECTYPE,1,PIPE\nSECDATA,{outer},{wall},8,,1,3,2,{cover}\nMP,DENS,2,200\nMP,DENS,3,1000\n"
    if element in ("PIPE289", "ELBOW290"):
        mesh = f"N,1\nN,41,{length}\nFILL\nE,1,3,2\nEGEN,20,2,1\n"
    fe = read(f"/PREP7\nET,1,{element}\n{data}{STEEL}{mesh}D,1,ALL\n")
    found = ff.modal.eigenmodes(fe, n=1).frequency[0]
    # shear and rotary inertia, which the formula leaves out, lower it by some 2e-3 (slenderness 128)
    assert found == pytest.approx(reference.bending_frequency("clamped-free", 1, E * inertia, mass, length), rel=3e-3)


@pytest.mark.parametrize(("rule", "factor"), [(0, None), (2, "karman"), (3, 4.0)])
def test_an_elbow_bends_more_than_its_arc(read, rule, factor):
    """Quarter arc, clamped, pulled along its radius at the free end: Castigliano gives k π F R³ / (4 E I)."""
    outer, wall, radius = 0.2, 0.006, 1.0
    area, inertia = ring(outer, wall)
    h = wall * radius / ((outer - wall) / 2) ** 2
    k = {None: 1.65 / h, "karman": (10 + 12 * h**2) / (1 + 12 * h**2)}.get(factor, factor)
    flexibility = "4.0" if rule == 3 else ""
    deck = f"/PREP7\nET,1,PIPE18\nKEYOPT,1,3,{rule}\nR,1,{outer},{wall},{radius},,,{flexibility}\n{STEEL}"
    fe = read(f"{deck}CSYS,1\nN,1,{radius},0\nN,2,{radius},90\nN,3,0,0\nE,1,2,3\nD,1,ALL\n")
    free = fe.free_rows()
    force = np.zeros(free.size)
    slot = 6 * int(fe.node_index(2)[0]) + 1
    row = int(np.flatnonzero(fe.dof_table.slots[free] == slot)[0])
    force[row] = 1.0
    K = fe.stiffness().toarray()[np.ix_(free, free)]
    moved = np.linalg.solve(K, force)[row]
    bending = k * math.pi * radius**3 / (4 * E * inertia)
    G = E / (2 * (1 + NU))
    rest = math.pi * radius / 4 * (1 / (E * area) + 2 / (G * area))  # stretch, and shear of a thin ring
    # sixteen chords for the arc: shorter by (π/64)²/6 = 0.04 %, their arms by (π/64)²/3 in the mean, which count twice
    assert moved == pytest.approx(bending + rest, rel=3e-3)


def test_plane_beams_stay_in_their_plane(read):
    b = 0.01
    deck = f"/PREP7\nET,1,BEAM3\nR,1,{b**2},{b**4 / 12},{b}\n{STEEL}{line(10, 1.0)}D,1,ALL\n"
    fe = read(deck)
    assert fe.free_rows().size == 10 * 3
    found = ff.modal.eigenmodes(fe, n=2).frequency
    for mode, frequency in enumerate(found, start=1):
        exact = reference.bending_frequency("clamped-free", mode, E * b**4 / 12, RHO * b**2, 1.0)
        # rotary inertia lowers the second by 3e-4
        assert frequency == pytest.approx(exact, rel=5e-4)


def test_masses_on_gap_elements_swing_in_one_direction(read):
    """Two masses and springs in a row (Thomson, 2 dof): eigenvalues of [[k1 + k2, -k2], [-k2, k2]] and masses."""
    k1, k2, m1, m2 = 200.0, 800.0, 0.5, 1.0
    deck = f"/PREP7\nET,1,COMBIN40,,,2,,,2\nR,1,{k1},,{m1}\nR,2,{k2},,{m2}\nN,1\nN,2\nN,3\n"
    fe = read(deck + "E,1,2\nREAL,2\nE,2,3\nD,1,UY\n")
    assert fe.free_rows().size == 2
    exact = np.sqrt(np.linalg.eigvals([[(k1 + k2) / m1, -k2 / m1], [-k2 / m2, k2 / m2]])) / (2 * math.pi)
    assert_allclose(ff.modal.eigenmodes(fe, n=2).frequency, np.sort(exact), rtol=EXACT)


def test_an_open_gap_leaves_the_second_spring(read):
    head = "/PREP7\nET,1,40\nET,2,21,,,4\nR,1,1e9,,,0.1,,300\nR,2,3\n"
    deck = f"{head}N,1\nN,2\nE,1,2\nTYPE,2\nREAL,2\nE,2\nD,1,ALL\nD,2,UY\n"
    assert ff.modal.eigenmodes(read(deck), n=1).frequency[0] == pytest.approx(10 / (2 * math.pi), rel=EXACT)


@pytest.mark.parametrize(
    ("values", "slope"),
    [
        ([0, 0, 0.1, 50, 0.2, 60], 500.0),
        ([-0.2, -60, -0.1, -50, 0, 0, 0.1, 20], 200.0),
        ([0.1, 30], 300.0),
        ([-0.1, -40, 0, 0], 400.0),
        ([], 0.0),
    ],
)
def test_curves_count_by_their_slope_at_rest(values, slope):
    assert slope_at_rest(values) == pytest.approx(slope)


@pytest.mark.parametrize(("keys", "place"), [(",,,,1", "N,2,0.3,0.4"), (",,,3", "N,2")])
def test_curve_springs_hold_along_their_line_or_direction(read, keys, place):
    head = f"/PREP7\nET,1,COMBIN39{keys}\nET,2,21,,,2\nR,1,0,0,0.1,90\nR,2,4\n"
    fe = read(f"{head}N,1\n{place}\nE,1,2\nTYPE,2\nREAL,2\nE,2\nD,1,ALL\n")
    stiffness = np.linalg.eigvalsh(fe.stiffness().toarray()[-3:, -3:])
    assert_allclose(stiffness, [0, 0, 900.0], atol=1e-9)


def test_bearings_couple_two_directions(read):
    deck = "/PREP7\nET,1,COMBI214\nKEYOPT,1,2,1\nR,1,7,5,1,1,0.2,0.3\nN,1\nN,2\nE,1,2\n"
    fe = read(deck)
    assert_array_equal(fe.stiffness().toarray()[3:, 3:], [[0, 0, 0], [0, 7, 1], [0, 1, 5]])
    assert_array_equal(fe.damping().toarray()[3:, 3:], np.diag([0, 0.2, 0.3]))


def test_added_mass_and_shear_of_sections(read):
    """SECCONTROL adds mass per length and gives shear stiffness; links may have added mass too."""
    b, length = 0.01, 1.0
    deck = f"/PREP7\nET,1,188\nSECTYPE,1,BEAM,RECT\nSECDATA,{b},{b}\nSECCONTROL,3e4,,4e4,2.5\n{STEEL}{line(4, length)}"
    fe = read(deck)
    assert fe.mass().diagonal().size == 30
    section, material = fe.blocks[0].section, fe.blocks[0].material
    assert material.rho * section.A == pytest.approx(RHO * b**2 + 2.5)
    assert (section.kz, section.ky) == (pytest.approx(3e4 / material.G / b**2), pytest.approx(4e4 / material.G / b**2))
    bar = read(f"/PREP7\nET,1,180\nR,1,1e-4,0.3\n{STEEL}{line(1, 2.0)}").blocks[0]
    assert bar.material.rho * 1e-4 == pytest.approx(RHO * 1e-4 + 0.3)


def test_the_working_plane_turns_nodes(read):
    """A system made from the working plane, as decks of piping have it for skewed supports."""
    deck = "/PREP7\nET,1,14,,1\nR,1,100\nN,1\nN,2,1,1\nN,3,-1,1\nE,1,2\n"
    turned = "WPLANE,,NX(1),NY(1),NZ(1),NX(2),NY(2),NZ(2),NX(3),NY(3),NZ(3)\nCSWPLA,11,0\nNROTAT,1,2\nCSYS,0\n"
    fe = read(deck + turned)
    # the springs alone, without what holds the dofs that they do not have
    K = replace(fe, couplings=(), supports=np.empty((0, 2), dtype=int)).stiffness().toarray()[:3, :3]
    assert_allclose(K, 50.0 * np.array([[1, 1, 0], [1, 1, 0], [0, 0, 0]]), atol=1e-9)


def user_matrix(matrix: np.ndarray) -> str:
    terms = matrix[np.triu_indices(12)].tolist()
    return "".join(f"{'R,1' if k == 0 else 'RMORE'},{','.join(map(repr, terms[k : k + 6]))}\n" for k in range(0, 78, 6))


def test_matrices_of_the_user_are_springs(read):
    """All 78 terms of a matrix whose blocks are symmetric, between two nodes in one place."""
    rng = np.random.default_rng(3)
    blocks = [a + a.T for a in rng.uniform(-1.0, 1.0, (3, 6, 6))]
    matrix = np.block([[blocks[0], blocks[1]], [blocks[1], blocks[2]]])
    fe = read(f"/PREP7\nET,1,MATRIX27,,,4\n{user_matrix(matrix)}N,1,1,2,3\nN,2,1,2,3\nE,1,2\n")
    assert {block.kind for block in fe.blocks} == {"spring", "ground_spring"}
    assert_allclose(fe.stiffness().toarray(), matrix, atol=1e-12)


@pytest.mark.parametrize(("option", "name"), [(2, "mass"), (4, "stiffness"), (5, "damping")])
def test_any_symmetric_matrix_of_the_user_is_kept(read, option, name):
    """Between nodes apart, the second with its x along the model's y."""
    matrix = np.random.default_rng(5).uniform(-1.0, 1.0, (12, 12))
    matrix = matrix + matrix.T
    fe = read(f"/PREP7\nET,1,MATRIX27,,,{option}\n{user_matrix(matrix)}N,1\nN,2,1,2,3,90\nE,1,2\n")
    turn = np.kron(np.eye(2), [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])  # columns: x, y, z of node 2
    T = np.block([[np.eye(6), np.zeros((6, 6))], [np.zeros((6, 6)), turn]])
    assert_allclose(getattr(fe, name)().toarray(), T @ matrix @ T.T, atol=1e-12)


@pytest.mark.parametrize(("turn", "order"), [("", [2.0, 4.0, 8.0]), ("90", [4.0, 2.0, 8.0])])
def test_a_mass_may_differ_between_directions(read, turn, order):
    """Each direction has a spring of its own; nodal axes (KEYOPT(2) = 1) turned by 90 degrees exchange x and y."""
    springs = "".join(
        f"ET,{k},COMBIN14,,{k}\nR,{k},{stiffness}\n" for k, stiffness in ((1, 32.0), (2, 72.0), (3, 200.0))
    )
    parts = "".join(f"TYPE,{k}\nREAL,{k}\nE,2,1\n" for k in (1, 2, 3))
    mass = "ET,4,MASS21\nKEYOPT,4,2,1\nR,4,2,4,8\nTYPE,4\nREAL,4\nE,3\n"
    # the springs act along model axes at node 2, the mass along those of node 3, which sits on it
    x, y = ("UY,-1", "UX,1") if turn else ("UX,-1", "UY,-1")
    tie = f"CE,1,0,3,UX,1,2,{x}\nCE,2,0,3,UY,1,2,{y}\n"
    fe = read(f"/PREP7\n{springs}N,1\nN,2\nN,3,,,,{turn}\n{parts}{mass}{tie}CE,3,0,3,UZ,1,2,UZ,-1\nD,1,ALL\n")
    expected = np.sqrt(np.array([32.0, 72.0, 200.0]) / order) / (2 * math.pi)
    assert_allclose(ff.modal.eigenmodes(fe, n=3).frequency, np.sort(expected), rtol=EXACT)


def test_bends_of_elbow290_are_softened_by_their_ovalising_walls(read):
    """A quarter bend, clamped at one end, a moment about its normal at the other: turn = k M R (π/2) / (E I)."""
    outer, wall, radius, n = 0.1, 0.002, 0.3, 8
    _, inertia = ring(outer, wall)
    angle = np.linspace(0.0, np.pi / 2, 2 * n + 1)
    nodes = "".join(f"N,{k + 1},{radius * np.cos(a)},{radius * np.sin(a)}\n" for k, a in enumerate(angle))
    elements = "".join(f"E,{2 * k + 1},{2 * k + 3},{2 * k + 2}\n" for k in range(n))
    deck = f"/PREP7\nET,1,290\n{STEEL}SECTYPE,1,PIPE\nSECDATA,{outer},{wall}\n{nodes}{elements}D,1,ALL\n"
    found = np.abs(ff.modal.solve_static(read(deck), loads={(2 * n + 1, "rz"): 1.0})).max(axis=0)[5]
    h = wall * radius / ((outer - wall) / 2) ** 2
    factor = (10 + 12 * h**2) / (1 + 12 * h**2)
    # chords are shorter than the arc by (step)² / 24 = 4e-4
    assert found == pytest.approx(factor * radius * np.pi / 2 / (E * inertia), rel=1e-3)


def test_the_mass_of_a_gap_spring_acts_along_it_alone(read):
    """5 kg of a mass point, 4 kg more along x: springs of 900 and 500 N/m give 10 rad/s each."""
    text = "/PREP7\nET,1,COMBIN40,,,1,,,2\nR,1,900,,4\nET,2,COMBIN14,,2\nR,2,500\nET,3,MASS21,,,2\nR,3,5\nN,1\nN,2\n"
    parts = "".join(f"TYPE,{k}\nREAL,{k}\nE,{nodes}\n" for k, nodes in ((1, "1,2"), (2, "1,2"), (3, "2")))
    fe = read(text + parts + "D,1,ALL\nD,2,UZ\n")
    assert_allclose(ff.modal.eigenmodes(fe, n=2).frequency, np.full(2, 10.0 / (2 * math.pi)), rtol=EXACT)
