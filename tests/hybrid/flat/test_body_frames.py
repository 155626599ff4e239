"""Floating frames: mean axes, chord, node. What they hold still, and that all of them describe the same body."""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np
import pytest

import floatframe as ff
from floatframe.arrays import skew
from floatframe.errors import Where
from floatframe.hybrid.flat.body_frames import (
    PreparedBodies,
    doubtful_frame,
    framed,
    in_mean_axes,
    selected,
    without_rigid_motion,
)

STEEL = ff.fem.Material(E=2.1e11, nu=0.3, rho=7850.0)
BENDING = np.sqrt(2.1e11 * 0.02**2 / 12 / 7850.0) / 2.0**2 / (2 * np.pi)  # Hz, times the squared root of the equation


@pytest.fixture(scope="module")
def rod() -> ff.modal.ReducedBody:
    section = ff.fem.BeamSection.rectangle(0.02, 0.02)
    fe = ff.fem.beam_line((0, 0, 0), (2, 0, 0), n=40, section=section, material=STEEL)
    return ff.modal.reduce(fe, interface=[1, 41], n_modes=12)


@pytest.fixture(scope="module")
def free(rod) -> ff.modal.ReducedBody:
    return rod.orthonormalised()


@pytest.fixture
def cloud(request) -> ff.modal.ReducedBody:
    """Random masses on arms, random shapes, with or without rotary inertia."""
    rng, nnode, n = np.random.default_rng(5), 7, 4
    nodes, shapes, mass = rng.normal(size=(nnode, 3)), rng.normal(size=(6 * nnode, n)), rng.uniform(1, 2, nnode)
    A = rng.normal(size=(nnode, 3, 3))
    inertia, arm = getattr(request, "param", 0.0) * A @ A.swapaxes(1, 2), 0.1 * rng.normal(size=(nnode, 3))
    HH = ff.modal.nodal_inertia_constants(nodes, shapes, mass, inertia, arm).HH
    return ff.modal.ReducedBody(
        nodes,
        np.arange(nnode) + 1,
        shapes,
        ("eigen",) * n,
        tuple("abcd"),
        np.ones(n),
        HH,
        np.eye(n),
        mass,
        inertia,
        arm,
    )


def clamped_to_node(body, node=None):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return framed(body, ("node",) if node is None else ("node", node), Where("body 'rod'"))


def rows(body, node):
    row = int(body.node_index([node])[0])
    return body.shapes[6 * row : 6 * row + 6]


def mass_matrix(body, w):
    """Mass matrix (6+n, 6+n) in body axes at modal coordinates w, from the nine constants."""
    J = body.inertia
    s = J.rho + J.H @ w
    spin = J.rhorho - np.einsum("iab,i->ab", J.rhoh + J.rhoh.swapaxes(1, 2), w)
    spin = spin - np.einsum("ijab,i,j->ab", J.hh, w, w)
    turn = J.rhoH + np.einsum("iam,i->am", J.hH, w)
    return np.block([[J.m * np.eye(3), -skew(s), J.H], [skew(s), spin, turn], [J.H.T, turn.T, body.mass]])


def test_constants_of_the_new_shapes_are_their_sums_over_nodes(cloud):
    a, b = np.random.default_rng(6).normal(size=(2, 3, cloud.nmode))
    body = without_rigid_motion(cloud, a, b)
    summed = replace(body, constants=None).inertia
    for name in ("m", "rho", "H", "rhoH", "hH", "HH", "rhorho", "rhoh", "hh"):
        # sums of about a hundred terms of size one to ten
        np.testing.assert_allclose(getattr(body.inertia, name), getattr(summed, name), atol=1e-12, err_msg=name)
    np.testing.assert_allclose(body.mass, body.inertia.HH, atol=1e-12)


def test_kinetic_energy_does_not_depend_on_the_frame(cloud):
    """The same small deformation seen from both frames: the new one is turned by b w and moved by a w.

    Both are linear in w and its rate, so the energies agree to first order: halving them must quarter the difference.
    """
    rng = np.random.default_rng(7)
    a, b = rng.normal(size=(2, 3, cloud.nmode))
    v, spin = rng.normal(size=(2, 3))
    deformation, its_rate = rng.normal(size=(2, cloud.nmode))
    body = without_rigid_motion(cloud, a, b)
    differences = []
    for size in (1e-3, 5e-4):
        w, rate = size * deformation, size * its_rate
        R = np.eye(3) + skew(b @ w)
        new_v, new_spin = R.T @ (v + np.cross(spin, a @ w) + a @ rate), R.T @ (spin + b @ rate)
        old, new = np.concatenate([v, spin, rate]), np.concatenate([new_v, new_spin, rate])
        differences.append(abs(old @ mass_matrix(cloud, w) @ old - new @ mass_matrix(body, w) @ new))
    assert differences[1] / differences[0] == pytest.approx(0.25, abs=0.01)


@pytest.mark.parametrize("cloud", [0.0, 0.3], indirect=True, ids=["points", "with rotary inertia"])
def test_the_whole_inertia_turns_when_the_frame_does(cloud):
    """Shapes that are nothing but the frame's own motion: the inertia tensor must be the turned and shifted one."""
    a, b = np.random.default_rng(8).normal(size=(2, 3, cloud.nmode))
    J = without_rigid_motion(replace(cloud, shapes=0.0 * cloud.shapes), a, b).inertia
    centre, about_centre = J.com, J.inertia_about_com
    differences = []
    for size in (1e-3, 5e-4):
        w = size * np.ones(cloud.nmode)
        found = J.rhorho - np.einsum("iab,i->ab", J.rhoh + J.rhoh.swapaxes(1, 2), w)
        R = np.eye(3) + skew(b @ w)
        arm = skew(R.T @ (centre - a @ w))
        differences.append(np.abs(found - (R.T @ about_centre @ R - J.m * arm @ arm)).max())
    assert differences[0] < 1e-3 * np.abs(J.rhorho).max()
    assert differences[1] / differences[0] == pytest.approx(0.25, abs=0.01)


def test_chord_passes_through_its_nodes_and_does_not_roll(free):
    body = framed(free, ("chord",), Where("body 'rod'"))
    size = np.abs(free.shapes).max()
    first, second = rows(body, 1), rows(body, 41)
    # differences of shapes of this size
    np.testing.assert_allclose(first[:4], 0, atol=1e-13 * size)
    np.testing.assert_allclose(second[1:3], 0, atol=1e-13 * size)
    assert np.abs(second[0]).max() > 0.1
    assert np.abs(first[4:]).max() > 1


def test_chord_between_named_nodes(rod):
    body = framed(rod.orthonormalised(), ("chord", 41, 11), Where("body 'rod'"))
    np.testing.assert_allclose(rows(body, 41)[:4], 0, atol=1e-10)
    np.testing.assert_allclose(rows(body, 11)[1:3], 0, atol=1e-10)


def test_node_frame_holds_its_node_and_is_doubted(free):
    [sentence] = doubtful_frame(free, ("node", 41), Where("body 'rod'"))
    assert "body 'rod': its frame is clamped to node 41" in sentence
    assert "use the frame 'mean' or 'chord'" in sentence
    body = framed(free, ("node", 41), Where("body 'rod'"))
    np.testing.assert_allclose(rows(body, 41), 0, atol=1e-10)
    assert np.abs(rows(body, 1)).max() > 1


@pytest.mark.parametrize(
    ("frame", "roots"),
    [("chord", (np.pi, 2 * np.pi, 3 * np.pi)), ("node", (1.8751041, 4.6940911, 7.8547574))],
    ids=["chord: hinged at both ends", "node: cantilever"],
)
def test_a_frame_that_is_held_gives_the_frequencies_of_that_support(free, frame, roots):
    body = framed(free, ("chord",), Where("body 'rod'")) if frame == "chord" else clamped_to_node(free)
    value = np.sort(np.linalg.eigvals(np.linalg.solve(body.mass, body.stiffness)).real)
    frequency = np.sqrt(value[:6]) / (2 * np.pi)
    # each bending frequency twice; the third root of a slender beam loses 0.1 % to shear and rotary inertia
    np.testing.assert_allclose(frequency[::2], BENDING * np.square(roots), rtol=2e-3)
    np.testing.assert_allclose(frequency[1::2], frequency[::2], rtol=1e-6)


def test_free_frequencies_are_the_same_in_every_frame(free):
    found = []
    for body in (free, framed(free, ("chord",), Where("body 'rod'")), clamped_to_node(free)):
        M, K = mass_matrix(body, np.zeros(body.nmode)), np.zeros((body.nmode + 6,) * 2)
        K[6:, 6:] = body.stiffness
        value = np.sort(np.linalg.eigvals(np.linalg.solve(M, K)).real)
        found.append(np.sqrt(value[6:26]) / (2 * np.pi))
    # the mass matrix of a clamped frame has condition 1e6
    np.testing.assert_allclose(found[1], found[0], rtol=1e-8)
    np.testing.assert_allclose(found[2], found[0], rtol=1e-8)
    np.testing.assert_allclose(found[0][0], BENDING * 4.7300407**2, rtol=1e-3)


def test_mean_axes_carry_no_momentum_even_with_lumped_constants(free):
    lumped = replace(free, constants=None)
    assert np.abs(lumped.inertia.H).max() > 1e-3
    body = in_mean_axes(lumped, Where("body 'rod'"))
    assert not body.inertia.H.any()
    assert not body.inertia.rhoH.any()
    np.testing.assert_array_equal(body.shapes, free.shapes)
    np.testing.assert_array_equal(body.frequency, free.frequency)


def test_shapes_of_a_held_model_are_brought_into_mean_axes(beam):
    model = beam.with_support(["start"])
    held = ff.modal.reduce(model, n_modes=30, method="eigenmodes", inertia="exact").orthonormalised()
    body = in_mean_axes(held, Where("body 'rod'"))
    M, rigid = beam.mass("consistent"), beam.rigid_shapes()
    assert np.abs(rigid.T @ (M @ held.shapes)).max() > 1
    # shapes of size 1, masses of 6 kg
    np.testing.assert_allclose(rigid.T @ (M @ body.shapes), 0, atol=1e-9)
    # thirty clamped shapes seen from mean axes are a fair basis of the free beam
    np.testing.assert_allclose(body.frequency[:2], BENDING * 4.7300407**2, rtol=5e-3)


def test_a_model_tied_to_the_ground_by_springs_is_refused(beam):
    tied = beam.with_spring(1, stiffness=(1e3,) * 6)
    reduced = ff.modal.reduce(tied, interface=[1, 21], n_modes=4)
    with pytest.raises(ff.ModelError, match=r"body 'rod': mode \d+ at .* Hz is a rigid motion.*hybrid model"):
        PreparedBodies().body(ff.hybrid.FlexibleBody("rod", reduced), Where("body 'rod'"))


def test_modes_are_chosen_before_rigid_motions_leave(rod):
    assert selected(rod, None, Where("b")) is rod
    assert selected(rod, 4, Where("b")).n_eigen == 4
    assert selected(rod, 0, Where("b")).n_eigen == 0
    chosen = selected(rod, (1, 3), Where("b"))
    np.testing.assert_array_equal(chosen.frequency[:2], rod.frequency[[0, 2]])
    assert chosen.n_static == 12
    for wrong, message in ((13, "has 12 eigenmodes"), ((1, 99), "mode 99 does not exist"), (-1, "has 12 eigenmodes")):
        with pytest.raises(ff.ModelError, match=message):
            selected(rod, wrong, Where("body 'rod'"))


def test_chord_needs_two_places(rod):
    body = replace(rod.orthonormalised(), interface=np.empty((0, 2)), geometric=None)
    with pytest.raises(ff.ModelError, match="needs 2 interface nodes, the body has 0"):
        framed(body, ("chord",), Where("body 'rod'"))
    with pytest.raises(ff.ModelError, match="same place"):
        framed(body, ("chord", 1, 1), Where("body 'rod'"))


def test_a_body_used_twice_is_prepared_once(rod, tmp_path):
    path = tmp_path / "input.fum"
    ff.io.write(path, rod)
    prepared = PreparedBodies()
    first, _ = prepared.body(ff.hybrid.FlexibleBody("left", path, modes=3), "left")
    second, _ = prepared.body(ff.hybrid.FlexibleBody("right", str(path), modes=3), "right")
    other, _ = prepared.body(ff.hybrid.FlexibleBody("other", path), "other")
    assert first is second
    # twelve static shapes less six rigid motions; the third mode is one of a pair, which is taken whole
    assert (first.nmode, other.nmode) == (10, 18)


def test_a_file_with_something_else_is_refused(beam, tmp_path):
    path = tmp_path / "fe.h5"
    ff.io.write(path, beam)
    with pytest.raises(ff.ModelError, match=r"body 'b': .*fe.h5 holds a finite element model, expected a reduced body"):
        PreparedBodies().body(ff.hybrid.FlexibleBody("b", path), Where("body 'b'"))
    path = tmp_path / "modes.h5"
    ff.io.write(path, ff.io.NodalModes.of(beam, ff.modal.eigenmodes(beam, n=2)))
    with pytest.raises(ff.ModelError, match=r"modes.h5 holds modes, expected a reduced body; make one of a finite"):
        PreparedBodies().body(ff.hybrid.FlexibleBody("b", path), Where("body 'b'"))
