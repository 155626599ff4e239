"""A massless shaft with a disc at midspan turns in two bearings: modes in its axes against closed forms."""

from __future__ import annotations

import numpy as np
import pytest

import floatframe as ff
from floatframe import hybrid as h

E, NU, DIAMETER, LENGTH = 2.06e11, 0.29, 0.02, 0.8
MASS, POLAR = 6.0, 0.02
SECOND = np.pi * DIAMETER**4 / 64
BENDING = np.sqrt(48 * E * SECOND / LENGTH**3 / MASS)  # rad/s
# half of the shaft turns the disc against the driven end
TORSION = np.sqrt(E / (2 * (1 + NU)) * 2 * SECOND / (LENGTH / 2) / POLAR)


@pytest.fixture(scope="module")
def shaft():
    steel = ff.fem.Material(E=E, nu=NU, rho=1e-3)
    section = ff.fem.BeamSection.circle(DIAMETER).without_shear()
    fe = ff.fem.beam_line((0, 0, 0), (LENGTH, 0, 0), n=8, section=section, material=steel)
    fe = fe.with_point_mass(5, mass=MASS, inertia=(POLAR, 0.01, 0.01))
    return ff.modal.reduce(fe, interface=[1, 5, 9], n_modes=2)


def turning(shaft, speed: float) -> h.System:
    """The shaft driven at one end, the turn first and then two angles of its bearing; the other end slides."""
    model = h.Model()
    body = model.add(h.FlexibleBody("shaft", shaft, damping=0.0))
    steps = [h.rotate((1, 0, 0)), h.rotate((0, 1, 0)), h.rotate((0, 0, 1))]
    model.add(h.general("near", body.node(1), model.ground.at(), steps))
    model.add(h.point_on_line("far", body.node(9), model.ground.at((LENGTH, 0, 0)), axis=(1, 0, 0)))
    model.add(h.motion("spin", "near", f"{speed!r}*t", coordinate=0))
    return model.compile()


@pytest.mark.parametrize("speed", [40.0, 60.0, 100.0])
def test_whirl_and_torsion_in_the_axes_of_the_shaft(shaft, speed):
    """Whirl is seen ±Ω away from its frequency at rest; the angles of the bearing have next to no inertia."""
    system = turning(shaft, speed)
    found = system.linearise(system.steady_motion(), n=3)
    expected = np.sort([abs(BENDING - speed), BENDING + speed, TORSION])
    # mass of the shaft: 1e-8 of that of the disc
    assert 2 * np.pi * found.frequency == pytest.approx(expected, rel=1e-6)
    assert found.stable
