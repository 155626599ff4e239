"""Buckling against theory: columns, a plate, lateral-torsional and torsional buckling, both signs, counts."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.linalg
from numpy.testing import assert_allclose

import floatframe as ff
from floatframe.errors import ModelError
from floatframe.fem import BeamSection, Material

E = 2.1e11
STEEL = Material(E=E, nu=0.3, rho=7850.0)
NARROW = Material(E=E, nu=0.0, rho=7850.0)  # without Poisson's ratio a wide strip bends as a beam
L = 2.0
COLUMN = BeamSection.rectangle(0.02, 0.06)
ENDS = {"pinned": 1.0, "cantilever": 0.25, "propped": 2.0457, "clamped": 4.0}  # of π² EI / L²
PART = 0.01  # the measure; meshes are coarse


def euler(EI: float, ends: str) -> float:
    return ENDS[ends] * np.pi**2 * EI / L**2


def held(start, end, ends: str, turn: list[str]) -> list:
    """Supports of a column along x whose sections have dofs `turn` against bending."""
    across = ["uy", "uz", *({"rx"} if turn else set())]
    return {
        "pinned": [(start, ["ux", *across]), (end, across)],
        "cantilever": [start],
        "propped": [start, (end, across)],
        "clamped": [start, (end, [*across, *turn])],
    }[ends]


@pytest.mark.parametrize("ends", ENDS)
def test_beam_columns(ends):
    fe = ff.fem.beam_line((0, 0, 0), (L, 0, 0), n=8, section=COLUMN, material=STEEL)
    found = ff.modal.buckling(fe, {(9, "ux"): -1.0}, held(1, 9, ends, ["ry", "rz"]), n=3)
    assert found.factor[0] == pytest.approx(euler(E * COLUMN.Iz, ends), rel=PART)
    assert found.critical == found.factor[0]
    assert found.expected == 3
    assert found.residual.max() < 1e-12
    assert np.abs(found.displacement()[:, [0, 2]]).max() < 1e-6  # about the weak axis


def test_slender_columns_converge_with_fourth_order():
    section = COLUMN.without_shear()
    n = np.array([4, 8, 16])
    models = [ff.fem.beam_line((0, 0, 0), (L, 0, 0), n=k, section=section, material=STEEL) for k in n]
    loads = [ff.modal.buckling(fe, {(fe.nnode, "ux"): -1.0}, [1], n=1).factor[0] for fe in models]
    error = np.array(loads) / euler(E * section.Iz, "cantilever") - 1.0
    order = -np.polyfit(np.log(n), np.log(error), 1)[0]
    assert order == pytest.approx(4.0, abs=0.1)


def test_shear_lowers_the_load_of_a_stocky_column():
    """Haringx, P (1 + P / kGA) = Pe: shear forces lie in the turned section, as in the Reissner beam."""
    section = BeamSection.rectangle(0.3, 0.3)
    fe = ff.fem.beam_line((0, 0, 0), (L, 0, 0), n=16, section=section, material=STEEL)
    load = ff.modal.buckling(fe, {(17, "ux"): -1.0}, [1], n=1).factor[0]
    bending, shear = euler(E * section.Iz, "cantilever"), section.ky * STEEL.G * section.A
    haringx = 0.5 * shear * (np.sqrt(1.0 + 4.0 * bending / shear) - 1.0)
    engesser = bending / (1.0 + bending / shear)
    assert engesser < haringx < bending
    assert load == pytest.approx(haringx, rel=2e-3)


@pytest.mark.parametrize("kind", ["shell4", "shell3"])
@pytest.mark.parametrize("ends", ENDS)
def test_shell_strips_buckle_as_columns(ends, kind):
    width, thickness, nx = 0.1, 0.01, 16
    fe = ff.fem.plate_grid(L, width, nx=nx, ny=1, thickness=thickness, material=NARROW)
    if kind == "shell3":
        quads = fe.blocks[0].connectivity
        cut = np.vstack([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])
        fe = ff.fem.shell_mesh(fe.nodes, cut, thickness=thickness, material=NARROW)
    fe = fe.with_node_set("start", lambda x: x[:, 0] < 1e-9).with_node_set("end", lambda x: x[:, 0] > L - 1e-9)
    found = ff.modal.buckling(fe, {("end", "ux"): -0.5}, held("start", "end", ends, ["rx", "ry", "rz"]), n=1)
    assert found.critical == pytest.approx(euler(E * width * thickness**3 / 12.0, ends), rel=PART)


@pytest.mark.parametrize(("kind", "nx"), [("hex8", 20), ("hex20", 16), ("tet10", 16)])
@pytest.mark.parametrize("ends", ["cantilever", "clamped"])
def test_solid_columns(ends, kind, nx):
    width, height = 0.05, 0.08
    fe = ff.fem.solid_box((L, width, height), (nx, 1, 1), kind, material=NARROW)
    fixed = ["xmin"] if ends == "cantilever" else ["xmin", ("xmax", ["uy", "uz"])]
    if ends == "clamped":  # a rigid plate guides the end
        fe = ff.fem.with_reference_node(fe, "xmax", "rbe2")
        fixed = ["xmin", ("xmax_ref", ["uy", "uz", "rx", "ry", "rz"])]
        found = ff.modal.buckling(fe, {("xmax_ref", "ux"): -1.0}, fixed, n=1)
    else:
        found = ff.modal.buckling(fe, None, fixed, n=1, pressure={"xmax": 1.0 / (width * height)})
    bending, shear = euler(E * height * width**3 / 12.0, ends), 5 / 6 * NARROW.G * width * height
    assert found.critical == pytest.approx(bending / (1.0 + bending / shear), rel=PART)


@pytest.mark.parametrize("ends", ["pinned", "propped"])
def test_solid_columns_on_hinges(ends):
    width, height = 0.05, 0.08
    fe = ff.fem.solid_box((L, width, height), (20, 2, 2), "hex8", material=NARROW)
    axis = np.abs(fe.nodes[:, 1:] - [width / 2, height / 2]).max(axis=1) < 1e-9
    far = fe.node_ids[axis & (fe.nodes[:, 0] > L - 1e-9)]
    line = fe.node_ids[(np.abs(fe.nodes[:, 1] - width / 2) < 1e-9) & (fe.nodes[:, 0] < 1e-9)]
    end = fe.node_ids[(np.abs(fe.nodes[:, 1] - width / 2) < 1e-9) & (fe.nodes[:, 0] > L - 1e-9)]
    fixed = [(int(k), ["uy", "uz"]) for k in end] + (
        ["xmin"] if ends == "propped" else [(int(k), ["ux", "uy", "uz"]) for k in line]
    )
    assert far.size == 1
    found = ff.modal.buckling(fe, None, fixed, n=1, pressure={"xmax": 1.0 / (width * height)})
    # the pressure keeps its direction and rests on a section that turns: its centre is on the hinge
    assert found.critical == pytest.approx(euler(E * height * width**3 / 12.0, ends), rel=PART)


@pytest.mark.parametrize("kind", ["shell4", "shell3"])
def test_a_simply_supported_square_plate(kind):
    """k = 4 in N = k π² D / b², then 6.25 and 11.11 with two and three half waves along the load."""
    n, thickness = 12, 0.005
    fe = ff.fem.plate_grid(1.0, 1.0, nx=n, ny=n, thickness=thickness, material=STEEL)
    if kind == "shell3":
        quads = fe.blocks[0].connectivity
        cut = np.vstack([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])
        fe = ff.fem.shell_mesh(fe.nodes, cut, thickness=thickness, material=STEEL)
    x, y = fe.nodes[:, 0], fe.nodes[:, 1]
    edge = fe.node_ids[(np.minimum(x, y) < 1e-9) | (np.maximum(x, y) > 1 - 1e-9)]
    corners = [int(fe.node_ids[np.argmin(x + y)]), int(fe.node_ids[np.argmax(x - y)])]
    fixed = [*((int(k), "uz") for k in edge), (corners[0], ["ux", "uy"]), (corners[1], ["uy"])]
    share = np.where((y < 1e-9) | (y > 1 - 1e-9), 0.5, 1.0) / n
    loads = {(int(k), "ux"): float(s) for k, s, at in zip(fe.node_ids, share, x, strict=True) if at < 1e-9}
    loads |= {(int(k), "ux"): -float(s) for k, s, at in zip(fe.node_ids, share, x, strict=True) if at > 1 - 1e-9}
    found = ff.modal.buckling(fe, loads, fixed, n=3)
    D = E * thickness**3 / (12.0 * (1.0 - STEEL.nu**2))
    # of the third, with three half waves on twelve elements, only the order is asked
    assert_allclose(found.factor[:2] / (np.pi**2 * D), [4.0, 6.25], rtol=0.015 if kind == "shell3" else PART)
    assert found.factor[2] / (np.pi**2 * D) == pytest.approx(100 / 9, rel=0.02)


def narrow_beam(n: int = 16) -> tuple[ff.fem.FEModel, float]:
    """A narrow upright rectangle along x and sqrt(EI GJ)."""
    section = BeamSection.rectangle(0.005, 0.1).without_shear()
    fe = ff.fem.beam_line((0, 0, 0), (L, 0, 0), n=n, section=section, material=STEEL)
    return fe, np.sqrt(E * section.Iz * STEEL.G * section.J)


def test_a_narrow_rectangle_under_end_moments_buckles_sideways():
    """Prandtl: M = π sqrt(EI GJ) / L between forks, for either sign."""
    fe, root = narrow_beam()
    fork = [(1, ["ux", "uy", "uz", "rx"]), (17, ["uy", "uz", "rx"])]
    found = ff.modal.buckling(fe, {(1, "ry"): 1.0, (17, "ry"): -1.0}, fork, n=4)
    assert_allclose(np.sort(found.factor), np.array([-2, -1, 1, 2]) * np.pi * root / L, rtol=PART)
    assert found.expected == 4


def test_a_tip_load_turns_a_narrow_cantilever_over():
    """Prandtl and Michell: P = 4.013 sqrt(EI GJ) / L²."""
    fe, root = narrow_beam()
    found = ff.modal.buckling(fe, {(17, "uz"): -1.0}, [1], n=2)
    assert_allclose(np.abs(found.factor), 4.013 * root / L**2, rtol=PART)


def test_a_shell_web_turns_over_at_the_same_tip_load():
    length, thickness, depth = 8.0, 0.005, 0.1  # so long that the clamped end, which cannot warp, adds 0.5 % only
    fe = ff.fem.plate_grid(length, depth, nx=60, ny=2, thickness=thickness, material=NARROW)
    start = [int(k) for k in fe.node_ids[fe.nodes[:, 0] < 1e-9]]
    tip = [int(k) for k in fe.node_ids[fe.nodes[:, 0] > length - 1e-9]]
    root = np.sqrt(E * depth * thickness**3 / 12.0 * NARROW.G * depth * thickness**3 / 3.0)  # of a thin wall
    found = ff.modal.buckling(fe, {(k, "uy"): -1.0 / len(tip) for k in tip}, start, n=1)
    assert abs(found.factor[0]) == pytest.approx(4.013 * root / length**2, rel=PART)


def test_a_cruciform_column_twists():
    """Torsional buckling of a section without warping: N = GJ A / Ip, whatever the length."""
    section = BeamSection(A=1e-3, Iy=5e-6, Iz=5e-6, J=1e-9)
    fe = ff.fem.beam_line((0, 0, 0), (1, 0, 0), n=20, section=section, material=STEEL)
    fixed = [(1, "all"), (21, ["uy", "uz", "rx", "ry", "rz"])]
    found = ff.modal.buckling(fe, {(21, "ux"): -1.0}, fixed, n=1)
    assert found.factor[0] == pytest.approx(STEEL.G * section.J * section.A / section.Ip, rel=1e-6)


def test_factors_are_those_of_the_dense_problem():
    """A sheared panel buckles under either sign; a dense solver knows all factors."""
    fe = ff.fem.plate_grid(1.0, 0.7, nx=6, ny=4, thickness=0.01, material=STEEL)
    fixed = [int(k) for k in fe.node_ids[fe.nodes[:, 0] < 1e-9]]
    tip = [int(k) for k in fe.node_ids[fe.nodes[:, 0] > 1 - 1e-9]]
    loads = {(k, "uy"): 1.0 for k in tip}
    found = ff.modal.buckling(fe, loads, fixed, n=6)
    free = fe.free_rows(fixed)
    K_G = fe.geometric_stiffness(ff.modal.solve_static(fe, loads, fixed))[free][:, free].toarray()
    theta = scipy.linalg.eigh(-K_G, fe.stiffness()[free][:, free].toarray(), eigvals_only=True)
    exact = 1.0 / theta[np.argsort(-np.abs(theta))]
    assert_allclose(np.abs(found.factor), np.abs(exact[:6]), rtol=1e-9)
    only = ff.modal.buckling(fe, loads, fixed, n=2, sign="negative")
    assert_allclose(only.factor, -np.sort(-exact[exact < 0])[:2], rtol=1e-9)


def test_tension_alone_has_no_positive_factor():
    fe = ff.fem.beam_line((0, 0, 0), (L, 0, 0), n=6, section=COLUMN, material=STEEL)
    found = ff.modal.buckling(fe, {(7, "ux"): 1.0}, [1], n=3)
    assert (found.factor < 0).all()
    assert found.critical == np.inf
    assert len(ff.modal.buckling(fe, {(7, "ux"): 1.0}, [1], n=3, sign="positive")) == 0


def test_what_cannot_buckle_is_refused():
    fe = ff.fem.beam_line((0, 0, 0), (L, 0, 0), n=4, section=COLUMN, material=STEEL)
    with pytest.raises(ModelError, match="no stress"):
        ff.modal.buckling(fe, {(1, "ux"): 1.0}, [1])
    with pytest.raises(ModelError, match="not held"):
        ff.modal.buckling(fe, {(1, "ux"): 1.0}, [])
    with pytest.raises(ModelError, match="given by its matrices"):
        ff.modal.buckling(ff.fem.MatrixModel.of(fe), {(5, "ux"): 1.0}, [1])
    with pytest.raises(ModelError, match="sign is 'up'"):
        ff.modal.buckling(fe, {(5, "ux"): 1.0}, [1], sign="up")
