"""Campbell diagram of a published rotor: three discs on a thick shaft whose own gyroscopic moments count.

Lalanne and Ferraris (1998): frequencies [Hz] at 25 000 rev/min and critical speeds [rev/min] on unequal bearings with
dampers. Discs and the shaft's own spin turn on a shaft that stands still, so that bearings of two stiffnesses keep
their axes: ten rings carry the inertia of the sections about their diameters and about the axis.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

import floatframe as ff
from floatframe import hybrid as h

LENGTH, RADIUS, E, NU, DENSITY = 1.3, 0.05, 2e11, 0.3, 7800.0
DISCS = {5: (0.05, 0.12), 11: (0.05, 0.20), 21: (0.06, 0.20)}  # by node: thickness and outer radius [m]
ALONG_Y, ALONG_Z = (5e7, 5e2), (7e7, 7e2)  # stiffness and damping of both bearings
TURNING = [55.408, 67.209, 157.90, 193.71, 249.90, 407.62, 446.62, 622.65, 715.03]
CRITICAL = [3620.4, 3798.1, 10018.0, 11279.0, 16785.0, 24409.0, 26614.0]
N = 26
RINGS = (1, 3, 5, 8, 11, 14, 18, 21, 24, 27)
THIN = 100.0  # the shaft has 1 % of its rotary inertia, which the rings carry, at the same stiffness


@pytest.fixture(scope="module")
def shaft() -> ff.modal.ReducedBody:
    """The shaft."""
    section = ff.fem.BeamSection.circle(2 * RADIUS)
    section = replace(
        section,
        Iy=section.Iy / THIN,
        Iz=section.Iz / THIN,
        ky=section.ky / THIN,
        kz=section.kz / THIN,
        J=100 * section.J,
    )
    steel = ff.fem.Material(E=THIN * E, nu=NU, rho=DENSITY)
    fe = ff.fem.beam_line((0, 0, 0), (LENGTH, 0, 0), n=N, section=section, material=steel)
    return ff.modal.reduce(fe, interface=list(RINGS), n_modes=12, mass="consistent")


def rotor(shaft: ff.modal.ReducedBody, speed: float) -> h.System:
    """The rotor at a speed [rad/s]."""
    model = h.Model()
    body = model.add(h.FlexibleBody("shaft", shaft))
    borders = [1, *((a + b) / 2 for a, b in pairwise(RINGS)), N + 1]
    for node, first, last in zip(RINGS, borders[:-1], borders[1:], strict=True):
        length = LENGTH / N * (last - first)
        mass, across = 0.01, DENSITY * np.pi * RADIUS**4 / 4 * length
        polar = 2 * across
        if node in DISCS:
            thickness, outer = DISCS[node]
            disc = DENSITY * np.pi * thickness * (outer**2 - RADIUS**2)
            mass += disc
            polar += disc * (outer**2 + RADIUS**2) / 2
            across += disc * (3 * (outer**2 + RADIUS**2) + thickness**2) / 12
        ring = model.add(h.RigidBody(f"ring_{node}", mass=mass, inertia=(polar, across, across)))
        model.add(h.revolute(f"seat_{node}", ring.at(), body.node(node), axis=(1, 0, 0)))
        model.add(h.motion(f"spin_{node}", f"seat_{node}", f"{speed!r}*t"))
    for node, x in ((1, 0.0), (N + 1, LENGTH)):
        axial = 1e9 if node == 1 else 0.0
        stiffness = (axial, ALONG_Y[0], ALONG_Z[0], axial, 0.0, 0.0)
        damping = (0.0, ALONG_Y[1], ALONG_Z[1], 0.0, 0.0, 0.0)
        place = model.ground.at((x, 0, 0))
        model.add(h.bushing(f"bearing_{node}", body.node(node), place, stiffness=stiffness, damping=damping))
    return model.compile()


def whirl(shaft: ff.modal.ReducedBody, speed: float) -> np.ndarray:
    """Damped frequencies [Hz] of whirl at a speed [rad/s]; torsion and stretching are far from those looked at."""
    system = rotor(shaft, speed)
    found = system.linearise(system.steady_motion(), n=16)
    return np.sort(np.abs(found.eigenvalues.imag)) / (2 * np.pi)


def test_frequencies_at_speed(shaft) -> None:
    found = whirl(shaft, 25_000 * np.pi / 30)
    nearest = [found[np.argmin(np.abs(found - each))] for each in TURNING]
    np.testing.assert_allclose(nearest, TURNING, rtol=5e-3)
    assert len(set(nearest)) == len(TURNING)


@pytest.mark.slow
@pytest.mark.parametrize("critical", CRITICAL)
def test_critical_speeds(shaft, critical: float) -> None:
    """At a critical speed one motion whirls as fast as the rotor turns."""
    found = 60 * whirl(shaft, critical * np.pi / 30)
    assert np.abs(found / critical - 1).min() < 5e-3
