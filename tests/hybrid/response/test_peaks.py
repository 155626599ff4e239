"""Peaks of responses between the frequencies of a band, and ratios of outputs, against closed forms of one mass."""

from __future__ import annotations

import math

import numpy as np
import pytest

from floatframe import hybrid as h
from floatframe.errors import ModelError

MASS, STIFFNESS = 80.0, 20000.0
OMEGA = math.sqrt(STIFFNESS / MASS)


def seat(ratio: float) -> h.System:
    """A mass on a spring and a damper of some ratio, on a base that is moved."""
    model = h.Model()
    base = model.add(h.RigidBody("base", mass=50.0, inertia=(1, 1, 1)))
    mass = model.add(h.RigidBody("seat", mass=MASS, inertia=(1, 1, 1)))
    model.add(h.prismatic("lift", base.at(), model.ground.at(), axis=(0, 0, 1)))
    model.add(h.prismatic("guide", mass.at(), base.at(), axis=(0, 0, 1)))
    model.add(h.motion("shaker", "lift", "0"))
    model.add(h.joint_force("cushion", "guide", f"-{STIFFNESS}*displacement - {2 * ratio * MASS * OMEGA!r}*rate"))
    return model.compile()


def test_a_peak_lies_between_the_points_of_a_coarse_band():
    ratio = 0.2
    found = h.frequency_response(seat(ratio), "cushion", "guide.displacement", frequency=np.geomspace(0.5, 20.0, 7))
    [peak] = found.maxima("guide.displacement", "cushion")
    assert peak.frequency == pytest.approx(OMEGA / (2 * math.pi) * math.sqrt(1 - 2 * ratio**2), rel=1e-6)
    # flat there: a frequency that is off by 1e-7 changes the height by its square; slopes by differences by 1e-9
    highest = 1 / (STIFFNESS * 2 * ratio * math.sqrt(1 - ratio**2))
    assert peak.magnitude == pytest.approx(highest, rel=1e-8)
    r = math.sqrt(1 - 2 * ratio**2)
    assert peak.phase == pytest.approx(-math.degrees(math.atan2(2 * ratio * r, 1 - r**2)), abs=1e-3)


@pytest.mark.parametrize("points", [7, 100])
def test_a_smooth_curve_has_no_corners(points):
    """The rate per force of one mass on a spring runs on a circle through 0 and 1/c, whatever its frequencies."""
    ratio = 0.02
    c = 2 * ratio * MASS * OMEGA
    given = np.geomspace(0.5, 20.0, points)
    found = h.frequency_response(seat(ratio), "cushion", "guide.rate", frequency=given)
    smooth = found.smooth()
    assert set(given) <= set(smooth.frequency)
    curve = smooth["guide.rate", "cushion"]
    assert np.abs(curve - 0.5 / c) == pytest.approx(np.full(len(curve), 0.5 / c), rel=1e-8)  # slopes by differences
    off = 0.5 / c - np.abs((curve[1:] + curve[:-1]) / 2 - 0.5 / c)
    assert off.max() < 1e-3 / c  # a thousandth of its diameter
    assert len(curve) < points + 200


def test_what_nothing_damps_stays_as_it_is_drawn():
    found = h.frequency_response(seat(0.0), "cushion", "guide.displacement", (0.5, 20.0))
    assert found.smooth().magnitude.max() == found.magnitude.max()


def test_what_nothing_damps_is_infinite():
    found = h.frequency_response(seat(0.0), "cushion", "guide.displacement", (0.5, 20.0))
    [peak] = found.maxima("guide.displacement", "cushion")
    assert peak.frequency == pytest.approx(OMEGA / (2 * math.pi), rel=1e-6)
    assert math.isinf(peak.magnitude)
    assert peak.phase is None


@pytest.mark.parametrize("ratio", [1e-3, 2.5e-6, 1e-7])
def test_what_hardly_anything_damps_has_the_height_of_its_damping(ratio):
    """1/(2 ζ k) but for a share of ζ²/2."""
    found = h.frequency_response(seat(ratio), "cushion", "guide.displacement", (0.5, 20.0))
    peak = found.maxima("guide.displacement", "cushion")[0]
    assert peak.magnitude == pytest.approx(1 / (2 * ratio * STIFFNESS), rel=1e-6)


def test_transmissibility_is_that_of_a_moved_base():
    ratio = 0.1
    outputs = ["seat.acceleration.z", "base.acceleration.z"]
    whole = h.frequency_response(seat(ratio), "shaker", outputs, (0.1, 50.0))
    found = whole.relative_to("base.acceleration.z")
    [port] = found.outputs
    assert (port.name, port.unit) == ("seat.acceleration.z / base.acceleration.z", "")
    r = 2 * math.pi * found.frequency / OMEGA
    expected = (1 + 2j * ratio * r) / (1 - r**2 + 2j * ratio * r)
    np.testing.assert_allclose(found[port.name, "shaker"], expected, rtol=1e-8)
    [peak] = found.maxima(port.name, "shaker")
    # where d|T|²/dr² vanishes
    highest = math.sqrt((math.sqrt(1 + 8 * ratio**2) - 1) / (4 * ratio**2))
    assert 2 * math.pi * peak.frequency / OMEGA == pytest.approx(highest, rel=1e-6)
    parts = found.contributions(port.name, "shaker", peak.frequency).parts
    assert parts.sum() == pytest.approx(peak.value, rel=1e-8)


def test_ratios_that_do_not_exist_are_refused():
    system = seat(0.1)
    single = h.frequency_response(system, "shaker", "seat.acceleration.z", (1.0, 2.0))
    with pytest.raises(ModelError, match="is the only output; name another"):
        single.relative_to("seat.acceleration.z")
    both = ["seat.acceleration.z", "base.acceleration.z"]
    with pytest.raises(ModelError, match=r"'cushion' does not move 'base.acceleration.z'"):
        h.frequency_response(system, "cushion", both, (1.0, 2.0)).relative_to("base.acceleration.z")
