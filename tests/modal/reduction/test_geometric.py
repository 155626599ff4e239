"""Geometric terms of reduced bodies: second-order motion, rotating beams, balance by inertia, bases, files."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import scipy.linalg
from numpy.testing import assert_allclose

import floatframe as ff
from floatframe.errors import ModelError
from floatframe.fem import BeamSection, Material
from floatframe.modal.body.geometric_terms import names
from floatframe.modal.reduction.geometric import centrifugal_loads, geometric_terms, projected

STEEL = Material(E=2.1e11, nu=0.3, rho=7850.0)
L = 2.0
N = 40
SECTION = BeamSection.rectangle(0.02, 0.03).without_shear()
ROUND_OFF = 1e-9  # of a few thousand sums behind one factorisation

# Wright et al. (1982): Ω √(m L⁴ / EI) -> the first three flap frequencies in the same unit, hub radius 0 and L
WRIGHT = {
    0.0: {2: (4.1373, 22.6149, 62.2732), 8: (9.2568, 29.9954, 70.2930), 12: (13.1702, 37.6031, 79.6145)},
    1.0: {2: (4.8337, 23.366, 63.068), 8: (13.507, 37.954, 80.530), 12: (19.722, 51.070, 98.527)},
}


def rod(start: float = 0.0, n: int = N, section: BeamSection = SECTION) -> ff.fem.FEModel:
    return ff.fem.beam_line((start, 0, 0), (start + L, 0, 0), n=n, section=section, material=STEEL)


def row(body, node: int, component: int) -> int:
    return int(np.flatnonzero((body.interface == [node, component]).all(axis=1))[0])


def shortening(x: np.ndarray, displacement: np.ndarray) -> float:
    """½ ∫ (v'² + w'² + Ip/A φ'²) dx of cubic deflections and linear twist between nodes (nnode, 6), by Gauss points."""
    xi, weight = np.polynomial.legendre.leggauss(4)
    t, h = (xi + 1.0) / 2.0, np.diff(x)[:, None]
    total = 0.5 * SECTION.Ip / SECTION.A * float((np.diff(displacement[:, 3]) ** 2 / h[:, 0]).sum())
    for move, turn in ((displacement[:, 1], displacement[:, 5]), (displacement[:, 2], -displacement[:, 4])):
        a, b, p, q = move[:-1, None], move[1:, None], turn[:-1, None], turn[1:, None]
        slope = 6.0 * (t - t**2) / h * (b - a) + (1 - 4 * t + 3 * t**2) * p + (3 * t**2 - 2 * t) * q
        total += 0.5 * float((slope**2 * h * weight / 2.0).sum())
    return total


def test_a_bowed_beam_is_shorter_by_the_quadratic_form_of_its_ends():
    fe = rod()
    body = ff.modal.reduce(fe, interface=[1, N + 1], n_modes=6).orthonormalised()
    w = 1e-3 * np.random.default_rng(0).standard_normal(body.nmode)
    w[body.frequency > 1000.0] = 0.0  # no stretching, which has second-order parts of its own
    ends = (body.geometric.interface[row(body, node, 0)] for node in (1, N + 1))
    second_order = [-0.5 * w @ G @ w for G in ends]
    assert second_order[1] - second_order[0] == pytest.approx(
        -shortening(fe.nodes[:, 0], body.expand(w)), rel=ROUND_OFF
    )
    assert second_order[1] < 0.0 < second_order[0]  # both ends draw in


@pytest.mark.parametrize("axis", [1, 2])
def test_turning_as_a_rigid_body_moves_points_along_circles(axis):
    """Rigid motion is among the shapes of Craig and Bampton: x moves by -½ θ² (x - centre) to second order."""
    fe = rod(start=0.5)
    body = ff.modal.reduce(fe, interface=[1, N + 1], n_modes=4)
    centre = fe.nodes.mean(axis=0)
    turn = ff.fem.model.rigid_motion(fe.nodes, centre).reshape(-1, 6)[:, 3 + axis]
    w = np.zeros(body.nmode)
    interface_rows = 6 * body.node_index(body.interface[:, 0]) + body.interface[:, 1]
    w[body.n_eigen :] = turn[interface_rows]
    second_order = -0.5 * np.einsum("i,kij,j->k", w, body.geometric.interface, w)
    wanted = np.zeros(12)
    wanted[[row(body, 1, 0), row(body, N + 1, 0)]] = 0.5 * L / 2.0, -0.5 * L / 2.0
    assert_allclose(second_order, wanted, atol=1e-7)


@pytest.mark.parametrize("radius", WRIGHT)
@pytest.mark.parametrize("speed", [2, 8, 12])
def test_rotating_beam_on_finite_elements(radius, speed):
    """K + Ω² (K_G of the centrifugal forces - mass in the plane of rotation), clamped at the hub."""
    fe = rod(start=radius * L, n=60)
    free = fe.free_rows([1])
    unit = np.sqrt(STEEL.E * SECTION.Iy / (STEEL.rho * SECTION.A * L**4))
    K, M = fe.stiffness(), fe.mass()
    load = centrifugal_loads(fe)[:, 2]
    x = np.zeros(fe.ndof)
    x[free] = ff.modal.factorize(K[free][:, free]).solve(load[free])
    K_G = fe.geometric_stiffness(fe.expand(x))
    in_plane = np.isin(fe.dofs[:, 1], [0, 1, 5]).astype(float)
    softening = M.multiply(np.outer(in_plane, in_plane)).toarray()
    K = (K + (speed * unit) ** 2 * K_G).toarray() - (speed * unit) ** 2 * softening
    value, X = scipy.linalg.eigh(K[np.ix_(free, free)], M.toarray()[np.ix_(free, free)], subset_by_index=[0, 11])
    flap = (X[fe.dofs[free, 1] == 2] ** 2).sum(axis=0) > (X[fe.dofs[free, 1] == 1] ** 2).sum(axis=0)
    assert_allclose(np.sqrt(value[flap][:3]) / unit, WRIGHT[radius][speed], rtol=5e-3)
    # lead-lag: ω² = flap² - Ω² with the stiffness of the other plane
    square = rod(start=radius * L, n=60, section=BeamSection.rectangle(0.02, 0.02).without_shear())
    assert lead_lag(square, speed) == pytest.approx(np.sqrt(WRIGHT[radius][speed][0] ** 2 - speed**2), rel=5e-3)


def lead_lag(fe, speed: float) -> float:
    """Return the lowest frequency in the plane of rotation, in units of the bending stiffness, from a reduced body."""
    section = fe.blocks[0].section
    unit = np.sqrt(STEEL.E * section.Iz / (STEEL.rho * section.A * L**4))
    body = ff.modal.reduce(fe.with_support([1]), n_modes=12, method="eigenmodes", geometric=True)
    softening = -(body.inertia.hh[:, :, 2, 2] + body.inertia.hh[:, :, 2, 2].T) / 2.0
    omega = np.array([0.0, 0.0, speed * unit])
    K = body.stiffness + body.geometric.turned_by(omega) - omega[2] ** 2 * softening
    return float(np.sqrt(scipy.linalg.eigh(K, body.mass, eigvals_only=True)[0]) / unit)


def test_a_hub_that_pulls_makes_the_states_of_a_free_body_those_of_a_held_one():
    """Centrifugal forces balanced by inertia, and the pull of the hub likewise, add up to a beam clamped at the hub."""
    fe = rod(start=0.7)
    held = fe.with_support([1])
    shapes = ff.modal.eigenmodes(fe, n=6, fixed=[1]).shapes
    K, M, H = fe.stiffness(), fe.mass(), fe.expand(shapes).reshape(6 * fe.nnode, -1)
    rows = np.array([fe.row_of(0, 0)])
    free = geometric_terms(fe, K, M, "consistent", rows, H)
    clamped = geometric_terms(held, K, M, "consistent", rows[:0], H)
    pull = -STEEL.rho * SECTION.A * L * (0.7 + L / 2.0)
    found = free.centrifugal[2] + pull * free.interface[0]
    assert_allclose(found, clamped.centrifugal[2], atol=ROUND_OFF * np.abs(found).max())
    # of a free body nothing is left of a rigid acceleration, of a held one all
    assert not free.acceleration.any()
    assert not free.angular_acceleration.any()
    assert np.abs(clamped.acceleration[0]).max() > 0.0
    found = free.interface[0] * STEEL.rho * SECTION.A * L
    assert_allclose(-found, clamped.acceleration[0], atol=ROUND_OFF * np.abs(found).max())


def test_the_gravity_of_a_hanging_beam_stiffens_it():
    """s = ρ + H w - ½ wᵀ G w: the centre of a clamped, bent beam draws in by the mean shortening."""
    fe = rod().with_support([1])
    body = ff.modal.reduce(fe, n_modes=4, method="eigenmodes", geometric=True)
    w = np.zeros(4)
    w[0] = 1e-2
    bent = body.expand(w)
    # second-order moment of mass along x: each section is drawn in by the shortening up to it
    drawn_in = [shortening(fe.nodes[: k + 1, 0], bent[: k + 1]) for k in range(N + 1)]
    mean = np.trapezoid(drawn_in, fe.nodes[:, 0]) * STEEL.rho * SECTION.A
    assert -0.5 * w @ body.geometric.acceleration[0] @ w == pytest.approx(-mean, rel=1e-3)  # trapezoids of 40 elements


def mixed_model() -> ff.fem.FEModel:
    """A wall with an offset, a beam on arms, a brick and a rigid coupling between them."""
    plate = ff.fem.plate_grid(1.0, 0.5, nx=3, ny=2, thickness=0.01, material=STEEL, offset=0.02)
    box = ff.fem.solid_box((0.2, 0.2, 0.1), (1, 1, 1), "hex8", material=STEEL, origin=(1.2, 0.1, 0.0))
    nodes = np.vstack([plate.nodes, box.nodes, [[1.1, 0.2, 0.0]]])
    brick = replace(box.blocks[0], connectivity=box.blocks[0].connectivity + plate.nnode, element_ids=None)
    arms = {"offsets": np.tile([[0.0, 0.0, 0.05], [0.0, 0.01, 0.04]], (2, 1, 1))}
    line = ff.fem.ElementBlock("beam", np.array([[0, 4], [4, 8]]), STEEL, SECTION, arms)
    joined = ff.fem.FEModel(nodes, (replace(plate.blocks[0], element_ids=None), brick, line))
    ends = [int(k) for k in joined.node_ids[np.isin(joined.nodes[:, 0], [1.0, 1.2])]]
    return joined.with_coupling(ff.fem.RBE2(len(nodes), ends, "ux,uy,uz"))


def test_projection_is_that_of_the_assembled_matrix():
    fe = mixed_model()
    random = np.random.default_rng(4)
    states, shapes = (fe.expand(random.standard_normal((fe.ndof, count))) for count in (3, 5))
    found = projected(fe, states, shapes)
    rows = fe.dof_table.slots[fe._reduction.independent]
    H = shapes.reshape(-1, 5)[rows]
    for state in range(3):
        wanted = H.T @ (fe.geometric_stiffness(states[:, :, state]) @ H)
        assert_allclose(found[state], wanted, atol=1e-11 * np.abs(wanted).max())


def test_terms_follow_the_basis(tmp_path):
    fe = rod(n=10)
    body = ff.modal.reduce(fe, interface=[1, 11], n_modes=5)
    small = body.drop([2, 4])
    kept = np.setdiff1d(np.arange(body.nmode), [1, 3])
    for name in names():
        G = getattr(body.geometric, name)
        assert_allclose(getattr(small.geometric, name), G[:, kept][:, :, kept], atol=1e-12)
        assert not G.flags.writeable
    ortho = body.orthonormalised()
    T = np.linalg.lstsq(body.shapes, ortho.shapes, rcond=None)[0]
    wanted = T.T @ body.geometric.interface @ T
    assert_allclose(ortho.geometric.interface, wanted, atol=1e-6 * np.abs(wanted).max())  # shapes fitted, not known
    ff.io.write(tmp_path / "body.h5", ortho)
    again = ff.io.read(tmp_path / "body.h5")
    assert all((getattr(again.geometric, name) == getattr(ortho.geometric, name)).all() for name in names())
    assert ff.io.describe(again)["geometric_load_count"] == 12
    ff.io.write(tmp_path / "body.fum", small)
    plain = ff.io.read(tmp_path / "body.fum")
    assert plain.geometric is None
    assert ff.io.describe(plain)["geometric_load_count"] == 0


def test_when_they_are_computed():
    fe = rod(n=6)
    on = ff.modal.reduce(fe, interface=[1, 7], n_modes=2)
    assert on.geometric.interface.shape == (12, on.nmode, on.nmode)
    assert on.provenance.settings["geometric"].startswith("24 load states in ")
    assert ff.modal.reduce(fe, interface=[1, 7], n_modes=2, geometric=False).geometric is None
    assert ff.modal.reduce(fe, n_modes=2, method="eigenmodes").geometric is None
    alone = ff.modal.reduce(fe, n_modes=2, method="eigenmodes", geometric=True)
    assert alone.geometric.interface.shape == (0, 2, 2)
    matrices = ff.fem.MatrixModel.of(fe)
    assert ff.modal.reduce(matrices, interface=[1, 7], n_modes=2).geometric is None
    with pytest.raises(ModelError, match="given by its matrices"):
        ff.modal.reduce(matrices, interface=[1, 7], n_modes=2, geometric=True)


def test_offset_masses_pull_at_their_arms():
    """Force m ω² times the distance from the axis, and the moment arm x force at the node."""
    fe = rod(n=4).with_point_mass(3, mass=5.0, offset=(0.0, 0.2, 0.3))
    heavy, light = centrifugal_loads(fe), centrifugal_loads(rod(n=4))
    found = fe.expand(heavy - light)[2]  # node 3, six products
    assert_allclose(found[:, 0], [0, 1.0, 1.5, 0, 0, 0], atol=1e-12)  # moment 0.2 · 1.5 - 0.3 · 1.0 = 0
    assert_allclose(found[:, 1], [5.0, 0, 1.5, 0.2 * 1.5, 0.3 * 5.0, -0.2 * 5.0], atol=1e-12)
    # product ωx ωy: -½ (ω (ω·r)) twice
    assert_allclose(found[:3, 3], [-1.0, -5.0, 0.0], atol=1e-12)


def test_terms_that_do_not_fit_are_refused():
    body = ff.modal.reduce(rod(n=4), interface=[1], n_modes=2)
    with pytest.raises(ModelError, match=r"geometric.interface has shape \(6, 8, 8\)"):
        replace(body, interface=body.interface[:5])
    skew = body.geometric.centrifugal.copy()
    skew[1, 0, 1] += 1.0
    with pytest.raises(ModelError, match="centrifugal is not symmetric"):
        replace(body.geometric, centrifugal=skew)
