"""Stresses of shapes: those of the finite element model, and of full statics with the static correction."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import floatframe as ff
from floatframe.fem import BeamSection
from floatframe.io import read, write
from tests.modal.body.stressed_models import STEEL, beam, layered, shell, solid, tube

GRAVITY = np.array([1.0, -2.0, -9.81])


def statics(body: ff.modal.ReducedBody, held: int) -> np.ndarray:
    """Return modal coordinates of the body held at one interface node under gravity."""
    rows = 6 * body.node_index(body.interface[:, 0]) + body.interface[:, 1]
    at = body.shapes[rows[body.interface[:, 0] == held]]
    load = body.inertia.H.T @ GRAVITY
    k = len(at)
    whole = np.block([[body.stiffness, at.T], [at, np.zeros((k, k))]])
    scale = np.abs(body.stiffness).max()
    whole[:-k, :-k] /= scale
    return np.linalg.solve(whole, np.concatenate([load / scale, np.zeros(k)]))[:-k]


@pytest.mark.parametrize("make", [beam, shell, layered, solid])
def test_stresses_of_shapes_are_those_of_the_model(make, tmp_path):
    fe, interface = make()
    body = ff.modal.reduce(fe, interface=interface, n_modes=3, geometric=False)
    whole = ff.modal.with_stress(body, fe)
    w = np.random.default_rng(1).normal(size=body.nmode)
    nodes, found = whole.stress.nodal_von_mises(w)
    model = ff.fem.stresses(fe, body.expand(w)[: fe.nnode])
    if make is not layered:  # whose inner layers may be worst, while bodies keep both faces of the wall
        expected = model.nodal_von_mises()[fe.node_index(nodes)]
        assert found == pytest.approx(expected, rel=1e-9, abs=1e-9 * expected.max())
    if make is not beam:
        points, place = whole.stress.nodal_points(), 0 if make is solid else 1
        tensor = model.nodal_tensor("middle" if make is solid else "top")
        chosen = points.place == place
        expected = tensor[fe.node_index(points.node[chosen])]
        assert points.stress[chosen, :, : body.nmode] @ w == pytest.approx(expected, abs=1e-9 * np.abs(expected).max())
    write(tmp_path / "body.h5", whole)
    again = read(tmp_path / "body.h5")
    assert np.array_equal(again.stress.nodal_von_mises(w)[1], found)
    # a change of basis costs nothing and changes nothing: v = T w in the old basis
    new = whole.orthonormalised(keep_rigid=True)
    T = np.linalg.lstsq(body.shapes, new.shapes, rcond=None)[0]
    assert new.stress.nodal_von_mises(w)[1] == pytest.approx(whole.stress.nodal_von_mises(T @ w)[1], rel=1e-6)


@pytest.mark.parametrize("make", [beam, shell, solid])
@pytest.mark.parametrize("n_modes", [2, 20])
def test_static_correction_gives_full_statics(make, n_modes):
    fe, interface = make()
    body = ff.modal.with_stress(ff.modal.reduce(fe, interface=interface, n_modes=20, geometric=False), fe)
    body = body.lowest(n_modes)  # what modes that are dropped would carry joins the correction
    held = int(body.interface_nodes[0])
    w = statics(body, held)
    drive = np.concatenate([w, -GRAVITY, np.zeros(9), np.zeros(body.nmode)])
    nodes, found = body.stress.nodal_von_mises(drive)
    u = ff.modal.static_solution(fe, gravity=GRAVITY, fixed=[held])
    expected = u.stresses().nodal_von_mises()[fe.node_index(nodes)]
    # exact by theory; the condition of the matrices leaves this much
    assert found == pytest.approx(expected, rel=1e-5, abs=1e-6 * expected.max())
    plain = body.stress.nodal_von_mises(w)[1]
    if n_modes == 2 and make is beam:  # without it, two modes are far off, away from the root
        counts = expected > 0.01 * expected.max()
        assert np.abs(plain / expected - 1.0)[counts].max() > 0.2


def test_rotation_about_an_axis_gives_the_stress_of_the_spinning_bar():
    # a bar spinning about its end, held there: sigma = rho w^2 (L^2 - x^2) / 2
    fe = ff.fem.beam_line((0, 0, 0), (1, 0, 0), n=40, section=BeamSection.rectangle(0.02, 0.02), material=STEEL)
    body = ff.modal.with_stress(ff.modal.reduce(fe, interface=[1], n_modes=2, geometric=False), fe)
    n, speed = body.nmode, 100.0
    products = np.zeros(6)
    products[2] = speed**2
    # the interface is held, so that no shape moves but the two modes: their static amplitude
    mode = np.zeros(n)
    mode[:2] = -body.inertia.rhoh[:2, 2, 2] * speed**2 / np.diag(body.stiffness)[:2]
    drive = np.concatenate([mode, np.zeros(6), products, np.zeros(n)])
    stress = body.stress.stress(drive, body.stress.at_node(11)).mean(axis=0)
    exact = STEEL.rho * speed**2 * (1 - 0.25**2) / 2
    assert stress[0] == pytest.approx(exact, rel=1e-7)  # the condition of the matrices leaves this much
    assert np.abs(stress[1:]).max() < 1e-6 * exact


def test_inertia_inside_beams_is_in_their_section_forces():
    """A bar held at x = 0 and led round: forces of the mass beyond, at both ends of elements, however few there are."""
    area, length = 0.02**2, 1.0
    fe = ff.fem.beam_line((0, 0, 0), (length, 0, 0), n=3, section=BeamSection.rectangle(0.02, 0.02), material=STEEL)
    body = ff.modal.with_stress(ff.modal.reduce(fe, interface=[1], n_modes=0, geometric=False), fe)
    n, x = body.nmode, np.linspace(0.0, length, 4)
    beyond = STEEL.rho * area * (length**2 - x**2) / 2  # ∫ ρ A x dx
    drives = np.zeros((5, 2 * n + 12))
    drives[0, n + 6 + 2] = 1.0  # ωz²
    drives[1, n + 6 + 3] = 1.0  # ωx ωy: the bar is pulled across by -ωx ωy x
    drives[2, n + 5] = 1.0  # angular acceleration about z
    drives[3, n] = 1.0  # acceleration along x
    # the same as of its only shapes, which are rigid motions
    drives[4, n + 12 :] = np.linalg.lstsq(body.shapes, np.tile(np.eye(6)[0], fe.nnode), rcond=None)[0]
    for element in (1, 2, 3):
        ends = slice(element - 1, element + 1)
        rest = STEEL.rho * area * (length - x[ends])
        along, across = (body.stress.section_forces(drives, element, name)[1] for name in ("N", "Vy"))
        whole = beyond[0]
        assert along[0] == pytest.approx(beyond[ends], abs=1e-6 * whole)
        assert np.abs(across[1]) == pytest.approx(beyond[ends], abs=1e-6 * whole)
        assert np.abs(across[2]) == pytest.approx(beyond[ends], abs=1e-6 * whole)
        assert along[3] == pytest.approx(-rest, abs=1e-6 * whole)
        assert along[4] == pytest.approx(-rest, abs=1e-6 * whole)


def test_only_chosen_elements_are_kept_and_others_are_refused():
    fe, interface = beam()
    body = ff.modal.reduce(fe, interface=interface, n_modes=2, geometric=False)
    body = ff.modal.with_stress(body, fe, [2, 3], correction=False)
    assert set(body.stress.element) == {2, 3}
    w = np.ones(body.nmode)
    nodes, moment = body.stress.section_forces(w, 2, "Mz")
    assert moment == pytest.approx(ff.fem.stresses(fe, body.expand(w)).blocks[0]["Mz"][1], rel=1e-9)
    assert list(nodes) == [2, 3]
    with pytest.raises(ff.errors.ModelError, match=r"element 7 has no stresses .* reduce --stress all"):
        body.stress.of_element(7)
    with pytest.raises(ff.errors.ModelError, match="element set 'web' is unknown"):
        ff.modal.with_stress(body, fe, ["web"])


def test_strains_of_a_fibre_are_those_of_uniaxial_stress():
    fe, interface = beam()
    body = ff.modal.with_stress(ff.modal.reduce(fe, interface=interface, n_modes=2), fe, correction=False)
    w = np.random.default_rng(2).normal(size=body.nmode)
    points = body.stress.of_element(5)
    along = np.diff(fe.nodes[4:6], axis=0)[0]
    along /= np.linalg.norm(along)
    tensor = np.zeros((len(points), 3, 3))
    for k, (i, j) in enumerate(((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0))):
        tensor[:, i, j] = tensor[:, j, i] = body.stress.strain(w, points)[:, k]
    normal = body.stress.stress(w, points)[:, :3].sum(axis=1)  # trace of a uniaxial stress
    assert along @ tensor @ along == pytest.approx(normal / STEEL.E, rel=1e-9)


def test_largest_beam_end_counts_where_three_beams_meet():
    # a tail held at its end, with a boom and a post at the other: moments 100, 150 and together 250 N m at the joint
    c = BeamSection.rectangle(0.03, 0.03)
    line = ff.fem.beam_line((-1, 0, 0), (0, 0, 0), n=1, section=c, material=STEEL).blocks[0]
    block = ff.fem.ElementBlock(line.kind, [[1, 0], [0, 2], [0, 3]], STEEL, c, data={"orientation": [[0, 1, 0]] * 3})
    fe = ff.fem.FEModel([[0, 0, 0], [-1, 0, 0], [1, 0, 0], [0, 0, 0.5]], (block,))
    u = ff.modal.solve_static(fe, loads={(3, "uz"): -100.0, (4, "ux"): 300.0}, fixed=[2])

    def von_mises(moment, pull, across):
        return np.hypot(moment * 0.015 / c.Iy + pull / c.A, np.sqrt(3.0) * across / (c.kz * c.A))

    tail = von_mises(250.0, 300.0, 100.0)
    expected = [tail, von_mises(350.0, 300.0, 100.0), von_mises(0.0, 0.0, 100.0), von_mises(0.0, 0.0, 300.0)]
    # beams of one element are exact; the condition of the matrices leaves this much
    assert ff.fem.stresses(fe, u).nodal_von_mises() == pytest.approx(expected, rel=1e-6)
    body = ff.modal.with_stress(ff.modal.reduce(fe, interface=[2, 3, 4], n_modes=2, geometric=False), fe)
    w = np.linalg.lstsq(body.shapes, u.reshape(-1), rcond=None)[0]
    nodes, found = body.stress.nodal_von_mises(w)
    assert nodes.tolist() == [1, 2, 3, 4]
    assert found == pytest.approx(expected, rel=1e-6)
    run = ff.hybrid.Recovered("crane", body, np.zeros(1), w[None])
    assert run.values("crane.node[1].von_mises")[0, 0] == pytest.approx(tail, rel=1e-6)
    (spot,) = ff.durability.hot_spots(run.at(0.0), count=1)
    assert (spot.node, spot.value) == (2, pytest.approx(expected[1], rel=1e-6))
    points = body.stress.nodal_points()
    largest = np.abs(points.stress[points.node == 1, 0, : body.nmode] @ w).max()
    assert largest == pytest.approx(250.0 * 0.015 / c.Iy + 300.0 / c.A, rel=1e-6)


def test_edge_of_a_twisted_tube_has_the_stress_of_its_thin_walls(tmp_path):
    side, thin, torque = 0.2, 0.002, 100.0
    fe, interface = tube(side, thin=thin)
    u = ff.modal.solve_static(fe, loads={(int(fe.node_sets["right_ref"][0]), "rx"): torque}, fixed=["left_ref"])
    bredt = torque / (2.0 * side**2 * thin)  # and half of it in the walls of twice the thickness
    off = np.abs(fe.nodes - [1.0, 0.1, 0.1])
    edge = np.flatnonzero((off[:, 0] < 1e-9) & (off[:, 1:].min(axis=1) > 0.1 - 1e-9))
    assert len(edge) == 4
    found = ff.fem.stresses(fe, u).nodal_von_mises()[edge]
    # that the ends cannot warp is felt a little five sides away; a mean would have 0.75 of it
    assert found == pytest.approx(np.full(4, np.sqrt(3.0) * bredt), rel=0.01)
    body = ff.modal.with_stress(ff.modal.reduce(fe, interface=interface, n_modes=2, geometric=False), fe)
    w = np.linalg.lstsq(body.shapes, u.reshape(-1), rcond=None)[0]
    nodes, kept = body.stress.nodal_von_mises(w)
    assert kept[np.isin(nodes, fe.node_ids[edge])] == pytest.approx(found, rel=1e-6)
    # files of version 0.1 do not know what a wall is: two of each kind of wall count alike
    write(tmp_path / "older.h5", replace(body, stress=replace(body.stress, group=None)))
    _, kept = read(tmp_path / "older.h5").stress.nodal_von_mises(w)
    assert kept[np.isin(nodes, fe.node_ids[edge])] == pytest.approx(0.75 * found, rel=0.03)
