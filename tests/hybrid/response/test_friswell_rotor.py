"""Campbell diagram of a published rotor: a shaft with two discs on equal or unequal bearings.

Friswell et al. (2010), examples 5.9.1 and 5.9.2: natural frequencies [rad/s] at 0 and 4000 rev/min.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import floatframe as ff
from floatframe import hybrid as h

EQUAL = {0.0: [86.66, 86.66, 274.31, 274.31, 716.78, 716.78], 4000.0: [85.39, 87.80, 251.78, 294.71, 600.18, 827.08]}
UNEQUAL = {0.0: [82.65, 86.66, 254.52, 274.31, 679.49, 716.79], 4000.0: [82.33, 86.86, 239.64, 287.25, 583.49, 806.89]}
PUBLISHED = [(1e6, EQUAL), (0.8e6, UNEQUAL)]  # stiffness along z [N/m]; along y it is 1 MN/m
DENSITY = 7810.0


@pytest.fixture(scope="module")
def shaft() -> ff.modal.ReducedBody:
    """The shaft, 1.5 m long and 50 mm thick."""
    steel = ff.fem.Material(E=2.11e11, nu=2.11e11 / (2 * 8.12e10) - 1, rho=DENSITY)
    section = ff.fem.BeamSection.circle(0.05)
    section = replace(section, J=1e4 * section.J)  # whirl alone is published; torsion stays out of the way
    fe = ff.fem.beam_line((0, 0, 0), (1.5, 0, 0), n=24, section=section, material=steel)
    return ff.modal.reduce(fe, interface=[1, 9, 17, 25], n_modes=8, mass="consistent")


def rotor(shaft: ff.modal.ReducedBody, speed: float, along_z: float) -> h.System:
    """Discs turn on the shaft, which stands still: its own gyroscopic moment is 1 % of theirs."""
    model = h.Model()
    body = model.add(h.FlexibleBody("shaft", shaft))
    for name, node, radius in (("left", 9, 0.14), ("right", 17, 0.175)):
        mass = DENSITY * np.pi * 0.07 * (radius**2 - 0.025**2)
        polar = mass * (radius**2 + 0.025**2) / 2
        across = polar / 2 + mass * 0.07**2 / 12
        disc = model.add(h.RigidBody(name, mass=mass, inertia=(polar, across, across)))
        model.add(h.revolute(f"{name}_seat", disc.at(), body.node(node), axis=(1, 0, 0)))
        model.add(h.motion(f"{name}_spin", f"{name}_seat", f"{speed!r}*t"))
    for node in (1, 25):
        axial = 1e9 if node == 1 else 0.0
        place = model.ground.at((0.0 if node == 1 else 1.5, 0, 0))
        stiffness = (axial, 1e6, along_z, axial, 0.0, 0.0)
        model.add(h.bushing(f"bearing_{node}", body.node(node), place, stiffness=stiffness))
    return model.compile()


@pytest.mark.parametrize(("along_z", "published"), PUBLISHED)
def test_whirl_frequencies(shaft, along_z: float, published: dict[float, list[float]]) -> None:
    for speed, expected in published.items():
        system = rotor(shaft, speed * np.pi / 30, along_z)
        found = 2 * np.pi * system.linearise(system.steady_motion() if speed else None, n=6).frequency
        # 0.5 % asked for; the still shaft is worth 0.1 % at 4000 rev/min
        np.testing.assert_allclose(found, expected, rtol=2e-3)
