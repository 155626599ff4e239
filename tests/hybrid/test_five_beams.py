"""One beam in five supports: one written and re-read input.fum, five instances, supports as joints of one model.

Steel, length 2 m, square section 2 cm, 200 elements, interface nodes at the ends, 12 static and 20 fixed-interface
shapes. Published frequencies [Hz] of the same study are beside the exact values of Euler and Bernoulli.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import floatframe as ff
from tests.reference.beams import bending_frequency

LENGTH, SIDE, E, DENSITY = 2.0, 0.02, 2.1e11, 7800.0
AS_BUILT = Rotation.identity()
# body -> supports, published frequencies as printed
PUBLISHED = {
    "free": ("free-free", ["26.66", "73.47"]),
    "clamped_clamped": ("clamped-clamped", ["26.66", "73.49"]),
    "clamped_free": ("clamped-free", ["4.191", "26.26", "73.51", "144.02"]),
    "hinged_hinged": ("pinned-pinned", ["11.76", "47.04", "105.82", "188.08", "293.76", "422.82"]),
    "clamped_hinged": ("clamped-pinned", ["18.38", "59.54", "124.20"]),
}


@pytest.fixture(scope="module")
def fum(tmp_path_factory):
    steel = ff.fem.Material(E=E, nu=0.3, rho=DENSITY)
    section = ff.fem.BeamSection.rectangle(SIDE, SIDE).without_shear()
    fe = ff.fem.beam_line((0, 0, 0), (LENGTH, 0, 0), n=200, section=section, material=steel)
    path = tmp_path_factory.mktemp("beam") / "input.fum"
    ff.io.write(path, ff.modal.reduce(fe, interface=[1, 201], n_modes=20))
    return path


def five_beams(fum, shift=(0.0, 0.0, 0.0), turn=AS_BUILT):
    """The model, moved and turned as a whole."""
    model = ff.hybrid.Model()

    def world(x, y):
        return turn.apply((x, y, 0.0)) + np.array(shift)

    def beam(name, y):
        body = ff.hybrid.FlexibleBody(name, fum, position=world(0.0, y), rotation=turn.as_matrix())
        return model.add(body)

    def ground(x, y):
        return model.ground.at(world(x, y), rotation=turn.as_matrix())

    free = beam("free", 0.0)
    for node, x in ((1, 0.0), (201, LENGTH)):
        soft = [0.1, 0.1, 0.1, 1e-3, 1e-3, 1e-3]
        model.add(ff.hybrid.bushing(f"soft{node}", free.node(node), ground(x, 0.0), stiffness=soft))
    clamped = beam("clamped_clamped", 1.0)
    model.add(ff.hybrid.fixed("left2", clamped.node(1), ground(0.0, 1.0)))
    model.add(ff.hybrid.fixed("right2", clamped.node(201), ground(LENGTH, 1.0)))
    cantilever = beam("clamped_free", 2.0)
    model.add(ff.hybrid.fixed("left3", cantilever.node(1), ground(0.0, 2.0)))
    # a cross at one end holds the spin about the beam's axis and lets both bending slopes free
    hinged = beam("hinged_hinged", 3.0)
    cross = ff.hybrid.universal("left4", hinged.node(1), ground(0.0, 3.0), axis_a=(0, 1, 0), axis_b=(0, 0, 1))
    model.add(cross)
    model.add(ff.hybrid.spherical("right4", hinged.node(201), ground(LENGTH, 3.0)))
    propped = beam("clamped_hinged", 4.0)
    model.add(ff.hybrid.fixed("left5", propped.node(1), ground(0.0, 4.0)))
    model.add(ff.hybrid.spherical("right5", propped.node(201), ground(LENGTH, 4.0)))
    return model.compile()


@pytest.fixture(scope="module")
def modes(fum):
    system = five_beams(fum)
    assert system.nlambda == 34  # 12 + 6 + 7 + 9
    assert system.redundant == ()
    return system.linearise(up_to=1000.0)


def bending(modes, name):
    """Bending frequencies of one beam in both planes: those that come in pairs; torsion and extension stand alone."""
    own = modes.kinetic[modes.bodies.index(name)] > 0.999
    frequency = modes.frequency[own & (modes.frequency > 1.0)]
    pairs = np.abs(np.diff(frequency)) < 1e-3 * frequency[1:]
    return frequency[:-1][pairs], frequency[1:][pairs]


def test_every_mode_belongs_to_one_beam(modes):
    # three beams share the torsion of a held and a free end at 371 Hz: such a cluster has whole modes of each beam
    edges = np.flatnonzero(np.diff(modes.frequency) > 1e-9 * modes.frequency[1:]) + 1
    for cluster in np.split(modes.kinetic, edges, axis=1):
        share = cluster.sum(axis=1)
        assert share == pytest.approx(np.round(share), abs=1e-6)
        assert share.sum() == pytest.approx(cluster.shape[1], abs=1e-6)
    assert np.diff([0, *edges, modes.frequency.size]).max() == 3
    assert modes.stable
    # the springs of negligible stiffness leave six motions near zero, none of them exactly
    assert not modes.rigid.any()
    assert (modes.frequency[:6] < 0.5).all()
    assert modes.frequency[6] > 4.0


@pytest.mark.parametrize("name", PUBLISHED)
def test_frequencies_are_as_close_to_theory_as_the_published_ones(modes, name):
    supports, published = PUBLISHED[name]
    first, second = bending(modes, name)
    for k, printed in enumerate(published):
        exact = bending_frequency(supports, k + 1, E * SIDE**4 / 12.0, DENSITY * SIDE**2, LENGTH)
        digits = len(printed.split(".")[1])
        for found in (first[k], second[k]):
            # compared as printed: the last digit of the published values is all that is known of them
            assert abs(round(found, digits) - exact) <= abs(float(printed) - exact)
            # rotary inertia of a slender beam lowers the sixth frequency by 1.5e-3
            assert found == pytest.approx(exact, rel=1.5e-3)


@pytest.mark.parametrize("name", PUBLISHED)
def test_every_bending_frequency_appears_twice(modes, name):
    first, second = bending(modes, name)
    n = len(PUBLISHED[name][1])
    # the shapes come in whole pairs, so the planes differ by the round-off of six orders of magnitude of stiffness
    assert second[:n] == pytest.approx(first[:n], rel=1e-6)


@pytest.mark.parametrize("seed", [1, 2])
def test_frequencies_do_not_depend_on_the_pose(fum, modes, seed):
    rng = np.random.default_rng(seed)
    moved = five_beams(fum, 3.0 * rng.normal(size=3), Rotation.random(random_state=seed)).linearise(up_to=1000.0)
    # rounding over six orders of magnitude of stiffness; 1e-12 measured
    assert moved.frequency == pytest.approx(modes.frequency, rel=1e-9)
