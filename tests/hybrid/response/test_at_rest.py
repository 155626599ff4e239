"""Whirl in axes that turn with the shaft, as an observer at rest sees it, against closed forms."""

from __future__ import annotations

import numpy as np
import pytest

import floatframe as ff
from floatframe import hybrid as h

E, DIAMETER, LENGTH = 2.06e11, 0.02, 0.5
MASS, ACROSS, POLAR = 8.0, 0.03, 0.055
TILT = 4e4  # Nm/rad
# of a cantilever's end: displacement, slope
CANTILEVER = (
    E * np.pi * DIAMETER**4 / 64 / LENGTH**3 * np.array([[12, -6 * LENGTH], [-6 * LENGTH, 4 * LENGTH**2]])
)  # N/m, N, Nm


@pytest.fixture(scope="module")
def overhung():
    """A massless shaft with a thick disc at its end, turned by a revolute joint at the other."""
    steel = ff.fem.Material(E=E, nu=0.29, rho=1e-3)
    section = ff.fem.BeamSection.circle(DIAMETER).without_shear()
    fe = ff.fem.beam_line((0, 0, 0), (LENGTH, 0, 0), n=4, section=section, material=steel)
    fe = fe.with_point_mass(5, mass=MASS, inertia=(POLAR, ACROSS, ACROSS))
    body = ff.modal.reduce(fe, interface=[1, 5], n_modes=2)

    def system_at(speed: float) -> h.System:
        model = h.Model()
        rotor = model.add(h.FlexibleBody("rotor", body, damping=0.0))
        model.add(h.revolute("axle", rotor.node(1), model.ground.at(), axis=(1, 0, 0)))
        model.add(h.motion("spin", "axle", f"{speed!r}*t"))
        return model.compile()

    return system_at


def test_an_overhung_disc_whirls_as_seen_at_rest(overhung):
    """M u'' - i Ω G u' + K u = 0 of displacement and slope in the complex plane; critical where u = e^(±iΩt)."""
    speeds = np.array([0.0, 60.0, 120.0])
    found = h.mode_loci(overhung, speeds, n=2, state="steady")
    M, G = np.diag([MASS, ACROSS]), np.diag([0.0, POLAR])
    for speed, frequency in zip(speeds, found.frequency, strict=True):
        first = np.hstack((np.zeros((2, 2)), np.eye(2)))
        second = np.linalg.solve(M, np.hstack((-CANTILEVER, 1j * speed * G)))
        whirl = np.sort(np.abs(np.linalg.eigvals(np.vstack((first, second)))))
        # mass of the shaft: 1e-8 of that of the disc
        assert 2 * np.pi * np.sort(frequency) == pytest.approx(whirl[:2], rel=1e-6)
    squares = [np.linalg.eigvals(np.linalg.solve(CANTILEVER, M + sign * G)) for sign in (1, -1)]
    backward, forward = (1.0 / np.sqrt(one.real.max()) for one in squares)
    assert [one.speed for one in found.resonances(2 * np.pi)] == pytest.approx([backward, forward], rel=1e-6)


def test_a_thin_disc_whirls_at_two_speeds_though_at_one_in_its_own_axes():
    """It w² - Ip Ω w = k with Ip = 2 It: √(Ω² + k/It) ± Ω at rest, in the axes of the disc twice the same."""
    model, speed = h.Model(), 300.0
    disc = model.add(h.RigidBody("disc", mass=20.0, inertia=(0.6, 0.3, 0.3)))
    steps = [h.rotate((1, 0, 0)), h.rotate((0, 1, 0)), h.rotate((0, 0, 1))]
    model.add(h.general("carry", disc.at(), model.ground.at(), steps))
    model.add(h.motion("spin", "carry", f"{speed!r}*t", coordinate=0))
    for k in (1, 2):
        model.add(h.joint_torque(f"spring{k}", "carry", f"-{TILT!r}*angle", coordinate=k))
    system = model.compile()
    state = system.steady_motion()
    linear = system.linearise(state)
    shifted = np.sqrt(speed**2 + TILT / 0.3)
    assert 2 * np.pi * linear.frequency == pytest.approx([shifted, shifted], rel=1e-9)
    found = h.seen_at_rest(system, state, linear)
    assert 2 * np.pi * found.frequency == pytest.approx([shifted - speed, shifted + speed], rel=1e-7)
