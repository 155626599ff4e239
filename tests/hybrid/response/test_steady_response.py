"""Frequency response about a steady motion: a blade on a hub that turns."""

from __future__ import annotations

import numpy as np
import pytest

from floatframe import hybrid as h
from tests.hybrid.stiffened_models import BEAM_UNIT, LENGTH, SQUARE, STEEL, beam

# Wright et al. (1982), hub radius 0: Ω -> first flap frequency, both in units of sqrt(EI / (m L^4))
FLAP = {0.0: 3.5160, 4.0: 5.5850, 8.0: 9.2568}


def blade(speed: float) -> h.System:
    model = h.Model()
    hub = model.add(h.RigidBody("hub", mass=1.0, inertia=(1, 1, 1)))
    arm = model.add(h.FlexibleBody("arm", beam(), damping=1e-3))
    model.add(h.revolute("axle", hub.at(), model.ground.at(), axis=(0, 0, 1)))
    model.add(h.fixed("root", arm.node(1), hub.at()))
    model.add(h.motion("turn", "axle", f"{speed!r}*t"))
    model.add(h.point_force("push", arm.node(21), (0, 0, "0")))
    return model.compile()


@pytest.mark.parametrize("speed", FLAP)
def test_a_turning_blade_resonates_at_its_published_flap_frequency(speed: float) -> None:
    system = blade(speed * BEAM_UNIT)
    natural = FLAP[speed] * BEAM_UNIT / (2 * np.pi)
    output = "arm.node[21].position.z"
    found = h.frequency_response(system, "push.z", output, (0.01 * natural, 2.0 * natural), state="steady")
    [peak] = found.maxima(output, "push.z")
    assert peak.frequency == pytest.approx(natural, rel=5e-3)
    if not speed:  # at rest the deflection of a cantilever, P L^3 / (3 E I)
        assert found[output, "push.z"][0].real == pytest.approx(LENGTH**3 / (3 * STEEL.E * SQUARE.Iy), rel=1e-3)
