"""Bodies reduced from finite element models with supports of their own: joints there, and stiffening under load."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import scipy.linalg

import floatframe as ff
from floatframe import hybrid as h
from floatframe.errors import ModelError
from tests.hybrid.stiffened_models import LENGTH, STEEL

N = 20
SECTION = ff.fem.BeamSection.rectangle(0.02, 0.03).without_shear()
WEAK = STEEL.E * SECTION.Iz  # N m2
EULER = np.pi**2 * WEAK / (4 * LENGTH**2)  # N, one end free
SUPPORTS = {"clamped": [1], "clamped and propped": [1, (6, "uy,uz")]}
REDUCTION = 1e-3  # ten modes leave less


def beam() -> ff.fem.FEModel:
    return ff.fem.beam_line((0, 0, 0), (LENGTH, 0, 0), n=N, section=SECTION, material=STEEL)


@pytest.fixture(scope="module", params=SUPPORTS)
def supports(request) -> list:
    return SUPPORTS[request.param]


@pytest.fixture(scope="module")
def held(supports) -> ff.modal.ReducedBody:
    return ff.modal.reduce(beam().with_support(supports), interface=[N + 1], n_modes=10)


def on_the_ground(body: ff.modal.ReducedBody, force: float = 0.0, gravity: float = 0.0, **options) -> h.System:
    model = h.Model(gravity=(gravity, 0, 0))
    rod = model.add(h.FlexibleBody("rod", body, **options))
    model.add(h.fixed("root", rod.node(1), model.ground.at()))
    model.add(h.point_force("load", rod.node(N + 1), (force, 0, 0)))
    return model.compile()


def prestressed(supports: list, force: float = 0.0, gravity: float = 0.0) -> np.ndarray:
    """The first four frequencies of the finite elements with K + K_G, in Hz."""
    fe = beam()
    u = ff.modal.solve_static(fe, {(N + 1, "ux"): force}, supports, gravity=(gravity, 0, 0))
    free = fe.free_rows(supports)
    K = (fe.stiffness() + fe.geometric_stiffness(u))[free][:, free].toarray()
    M = fe.mass()[free][:, free].toarray()
    return np.sqrt(scipy.linalg.eigvalsh(K, M, subset_by_index=[0, 3])) / (2 * np.pi)


@pytest.mark.parametrize("share", [-0.9, 5.0])
def test_frequencies_under_an_end_load(held, supports, share):
    found = on_the_ground(held, share * EULER).linearise(n=4).frequency
    assert found == pytest.approx(prestressed(supports, share * EULER), rel=REDUCTION)


@pytest.mark.parametrize("share", [-0.9, 5.0])
def test_frequencies_under_its_own_weight(held, supports, share):
    """Greenhill: an upright clamped beam falls over at m g L³ / EI = 7.837."""
    gravity = share * 7.8373 * WEAK / (STEEL.rho * SECTION.A * LENGTH**3)
    found = on_the_ground(held, gravity=gravity).linearise(n=4).frequency
    # forces of 20 elements on turned shapes: part (1/20)² of what the weight changes
    assert found == pytest.approx(prestressed(supports, gravity=gravity), rel=5e-3)


def test_a_clamped_blade_turns_like_one_that_is_clamped_by_a_joint():
    """Wright's blade at Ω = 12, hub radius L: the lowest motion, in the plane of rotation, is sqrt(19.722² - 12²)."""
    unit = float(np.sqrt(WEAK / (STEEL.rho * SECTION.A * LENGTH**4)))
    bodies = (
        ff.modal.reduce(beam().with_support([1]), interface=[N + 1], n_modes=10),
        ff.modal.reduce(beam(), interface=[1, N + 1], n_modes=10),
    )
    lowest = []
    for body in bodies:
        model = h.Model()
        hub = model.add(h.RigidBody("hub", 1.0, (1, 1, 1)))
        model.add(h.revolute("axle", hub.at(), model.ground.at(), start_rate=12 * unit))
        model.add(h.motion("turn", "axle", f"{12 * unit!r}*t"))
        blade = model.add(h.FlexibleBody("blade", body, position=(LENGTH, 0, 0)))
        model.add(h.fixed("root", blade.node(1), hub.at((LENGTH, 0, 0))))
        system = model.compile()
        lowest.append(2 * np.pi * system.linearise(system.steady_motion(), n=1).frequency[0] / unit)
    assert lowest == pytest.approx([np.sqrt(19.722**2 - 144.0)] * 2, rel=5e-3)
    assert lowest[0] == pytest.approx(lowest[1], rel=1e-3)


def test_switched_off_they_are_linear_as_before(held):
    bare = replace(held, geometric=None)
    runs = [
        on_the_ground(body, 0.5 * EULER, stiffening=kind).simulate(t_end=0.05, step=1e-3).q
        for body, kind in ((held, "off"), (bare, "auto"))
    ]
    assert np.array_equal(*runs)


def test_energy_is_kept():
    """A clamped rod, pulled by its tip force and plucked by gravity across, swings without loss."""
    body = ff.modal.reduce(beam().with_support([1]), interface=[N + 1], n_modes=4)
    model = h.Model(gravity=(0, -9.81, 0))
    rod = model.add(h.FlexibleBody("rod", body))
    model.add(h.fixed("root", rod.node(1), model.ground.at()))
    ball = model.add(h.RigidBody("ball", 1.0, (0.1, 0.1, 0.1), position=(LENGTH, 0, 0)))
    model.add(h.fixed("tip", ball.at(), rod.node(N + 1)))
    record = h.Record(every=0.01, channels=("energy.total", "energy.kinetic"))
    exact, drift = h.SolverOptions(newton_tolerance=1e-9), []  # what iterations leave must not hide the order
    for step in (1e-3, 5e-4):
        run = model.compile().simulate(t_end=0.5, step=step, spectral_radius=1.0, record=record, options=exact)
        drift.append(np.abs(run["energy.total"] - run["energy.total"][0]).max() / run["energy.kinetic"].max())
    assert drift[1] < 1e-3
    assert drift[1] < 0.4 * drift[0]  # second order


def test_a_joint_needs_dofs_that_are_held():
    """A pinned node holds no rotation, so a joint of points fits it and a clamp does not."""
    pinned = [(1, "ux,uy,uz,rx"), (N + 1, "uy,uz")]
    body = ff.modal.reduce(beam().with_support(pinned), interface=[11], n_modes=4)
    model = h.Model()
    rod = model.add(h.FlexibleBody("rod", body))
    model.add(h.spherical("root", rod.node(1), model.ground.at()))
    model.compile()
    model.add(h.fixed("weld", rod.node(1), model.ground.at()))
    with pytest.raises(ModelError, match="lacks ry, rz"):
        model.compile()


def test_other_frames():
    several = ff.modal.reduce(beam().with_support([1, (6, "uy,uz")]), interface=[N + 1], n_modes=4)
    with pytest.raises(ModelError, match=r"held at several nodes.*not in the frame 'chord'.*stiffening to 'off'"):
        on_the_ground(several, frame="chord")
    one = ff.modal.reduce(beam().with_support([1]), interface=[N + 1], n_modes=10)
    found = on_the_ground(one, 5 * EULER, frame="chord").linearise(n=4).frequency
    assert found == pytest.approx(prestressed([1], 5 * EULER), rel=REDUCTION)
