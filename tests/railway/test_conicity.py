"""Equivalent conicity against EN 15302 and cones."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

from floatframe.errors import ModelError
from floatframe.railway import (
    Profile,
    WheelOnRail,
    circular_rail,
    conical_wheel,
    contact_geometry,
    equivalent_conicity,
    profile,
    rest,
)

# annex E: amplitude [mm] and conicity of examples E1 and E2, some of them
E1 = {1: 0.125, 1.5: 0.139, 2: 0.155, 3: 0.188, 4: 0.216, 5: 0.254, 6: 0.303, 6.5: 0.348, 7: 0.505, 7.5: 0.640}
E2 = {
    1: 0.025,
    2.9: 0.025,
    3: 0.058,
    3.2: 0.128,
    3.5: 0.189,
    4: 0.241,
    5: 0.283,
    6: 0.302,
    6.5: 0.336,
    7: 0.485,
    7.5: 0.627,
}
# the other examples; E5 to E8 with a left wheel of 918 mm
E3 = {
    1: 0.025,
    2.5: 0.025,
    2.6: 0.075,
    2.8: 0.184,
    3: 0.245,
    4: 0.319,
    5: 0.306,
    6: 0.284,
    6.7: 0.27,
    6.8: 0.328,
    7: 0.437,
    7.5: 0.597,
}
E4 = {1: 0, 1.7: 0, 1.8: 0.084, 2: 0.293, 3: 0.489, 4: 0.485, 5: 0.475, 6: 0.447, 6.6: 0.431, 7: 0.486, 7.5: 0.643}
E5 = {1: 0.28, 2: 0.272, 3: 0.261, 4: 0.269, 5: 0.307, 6: 0.395, 7: 0.492, 7.5: 0.623}
E6 = {
    1: 0.66,
    1.5: 0.472,
    2: 0.376,
    3: 0.278,
    4: 0.227,
    4.5: 0.213,
    4.6: 0.239,
    5: 0.295,
    6: 0.409,
    7: 0.478,
    7.5: 0.607,
}
E7 = {
    1: 0.712,
    2: 0.381,
    3: 0.27,
    4: 0.217,
    4.1: 0.243,
    5: 0.275,
    5.1: 0.309,
    6: 0.421,
    7: 0.443,
    7.2: 0.444,
    7.3: 0.487,
    7.5: 0.571,
}
E8 = {1: 0.78, 2: 0.418, 2.6: 0.331, 2.7: 0.369, 3: 0.449, 4: 0.479, 5: 0.458, 6: 0.497, 7: 0.564, 7.5: 0.608}
E9 = {1: 0.137, 2: 0.104, 2.8: 0.09, 2.9: 0.108, 3: 0.132, 4: 0.225, 5: 0.271, 6: 0.307, 7: 0.493, 7.5: 0.634}
# shift and difference of the rolling radii [mm]
DIFFERENCE_1 = {0.5: 0.116, 1: 0.257, 2: 0.666, 3: 1.236, 4: 1.906, 5: 2.931, 6: 4.328, 6.5: 6.521}
DIFFERENCE_2 = {0.5: 0.025, 1: 0.05, 2: 0.1, 2.9: 0.145, 3: 1.95, 4: 2.517, 5: 3.163, 6: 3.889, 6.5: 6.111}


@pytest.mark.parametrize(
    ("wheel", "conicity", "difference"), [("EN15302-A", E1, DIFFERENCE_1), ("EN15302-B", E2, DIFFERENCE_2)]
)
def test_examples_of_en_15302(wheel, conicity, difference):
    """The standard allows min(0.05, half of the value); all are met to 0.003, the accuracy of its third decimal and of
    its grid of 0.1 mm where the contact jumps."""
    pair = WheelOnRail(profile(wheel, "wheel"), profile("EN15302-A", "rail"), 0.46, 1.43516)
    found = equivalent_conicity(pair, amplitudes=1e-3 * np.array(list(conicity)))
    assert_allclose(found.conicity, list(conicity.values()), atol=0.003)
    geometry = contact_geometry(pair, lateral=1e-3 * np.array(list(difference)))
    assert_allclose(1e3 * geometry.radius_difference, list(difference.values()), rtol=0.01, atol=0.012)


@pytest.mark.parametrize(
    ("right", "left", "diameter", "conicity"),
    [
        ("H", "H", 0.920, E3),
        ("I", "I", 0.920, E4),
        ("A", "A", 0.918, E5),
        ("B", "B", 0.918, E6),
        ("H", "H", 0.918, E7),
        ("I", "I", 0.918, E8),
        ("A", "B", 0.920, E9),
    ],
)
def test_further_examples_of_en_15302(right, left, diameter, conicity):
    """The standard allows min(0.05, half of the value). Contacts jump between the same shifts of a grid of 0.1 mm, and
    all values are within 0.005, most at the last jump, where the shape of the jump within that grid counts."""
    rail = profile("EN15302-A", "rail")
    pair, other = (
        WheelOnRail(profile(f"EN15302-{name}", "wheel"), rail, radius, 1.43516)
        for name, radius in ((right, 0.46), (left, 0.5 * diameter))
    )
    found = equivalent_conicity(pair, other, amplitudes=1e-3 * np.array(list(conicity)))
    assert_allclose(found.conicity, list(conicity.values()), atol=0.005)


def test_cylindrical_treads_lead_nowhere_until_a_fillet_touches():
    """Wheel I has equal radii over 1.7 mm to either side: no force, no wavelength, conicity 0."""
    pair = WheelOnRail(profile("EN15302-I", "wheel"), profile("EN15302-A", "rail"), 0.46, 1.43516)
    found = equivalent_conicity(pair, amplitudes=[1e-3, 3e-3])
    assert found.centre == pytest.approx(0.0, abs=1e-9)
    assert found.conicity[0] == 0.0
    assert np.isposinf(found.wavelength[0])
    assert np.isfinite(found.wavelength[1])


def test_no_conicity_is_known_beyond_the_amplitudes_computed():
    pair = WheelOnRail(conical_wheel(0.05), circular_rail(), 0.45, rail_place=0.75)
    found = equivalent_conicity(pair, amplitudes=[1e-3, 2e-3])
    assert found.at(1.5e-3) == pytest.approx(0.05, rel=1e-3)
    assert math.isnan(found.at(3e-3))
    assert math.isnan(found.nonlinearity)


def test_a_cone_has_its_own_conicity_and_klingels_wavelength():
    pair = WheelOnRail(conical_wheel(0.05), circular_rail(), 0.45, rail_place=0.75)
    found = equivalent_conicity(pair, amplitudes=[1e-3, 5e-3])
    assert_allclose(found.conicity, 0.05, rtol=1e-4)
    assert_allclose(found.wavelength, 2 * math.pi * math.sqrt(0.75 * 0.45 / 0.05), rtol=1e-4)
    assert abs(found.nonlinearity) < 1e-3


def test_wheels_of_different_size_run_off_the_middle():
    """A cone of 1:20 makes up for 1 mm in radius by a shift of 10 mm; the conicity stays, whichever wheel is larger and
    however far the shifts about the middle of the track would have reached."""
    larger, smaller = (WheelOnRail(conical_wheel(0.05), circular_rail(), r, rail_place=0.75) for r in (0.460, 0.4596))
    for right, left, centre in ((larger, smaller, -0.004), (smaller, larger, 0.004)):
        found = equivalent_conicity(right, left, amplitudes=[0.5e-3, 2e-3, 4e-3])
        assert_allclose(found.centre, centre, rtol=1e-3)
        assert_allclose(found.conicity, 0.05, rtol=1e-3)


def test_a_wheel_that_leaves_its_rail_ends_the_shifts_of_that_side_alone():
    """A cone without a flange ends 30 mm inside its rolling circle, so shifts to the right end before that;
    those to the other side go on as far as asked for, 30 mm and 4 mm beyond."""
    right = WheelOnRail(conical_wheel(0.05), profile("60E1", "rail"), 0.46)
    left = WheelOnRail(profile("S1002", "wheel"), profile("60E1", "rail"), 0.46)
    lateral = equivalent_conicity(right, left, amplitudes=[30e-3]).geometry.lateral
    assert lateral[-1] < 0.03
    assert lateral[0] == pytest.approx(-0.034, abs=5e-4)  # about the centre, 0.3 mm beside the middle


def test_a_wheelset_on_cones_leans_by_its_conicity():
    """A shift y raises the right wheel by y/20. It touches 15 mm inside the arc's top, and rolling about the axle moves
    it sideways at the height of the rail, which raises it too."""
    pair = WheelOnRail(conical_wheel(0.05), circular_rail(), 0.45, rail_place=0.75)
    found = rest(pair, lateral=4e-3)
    assert found.right.gap == pytest.approx(0.0, abs=1e-9)
    assert found.left.gap == pytest.approx(0.0, abs=1e-9)
    assert found.roll == pytest.approx(-0.05 * 4e-3 / (0.75 - 0.05 * (0.3 + 0.45)), rel=1e-3)


def test_a_wheel_that_leaves_the_rail():
    pair = WheelOnRail(profile("S1002", "wheel"), profile("60E1", "rail"), 0.46)
    with pytest.raises(ModelError, match=r"wheel 'S1002' leaves rail '60E1': shifted by 150.00 mm, no part"):
        rest(pair, lateral=0.15)


def test_wheels_that_never_run_straight():
    right, left = (WheelOnRail(conical_wheel(0.05), circular_rail(), r, rail_place=0.75) for r in (0.46, 0.45))
    with pytest.raises(ModelError, match="does not run straight anywhere"):
        equivalent_conicity(right, left, amplitudes=[2e-3])
    flat = Profile("flat", "wheel", np.linspace(-0.03, 0.03, 20), np.zeros(20))
    for wheel in (flat, conical_wheel(-0.05)):
        with pytest.raises(ModelError, match="nothing leads the wheelset back to the middle"):
            equivalent_conicity(WheelOnRail(wheel, circular_rail(), 0.46, rail_place=0.75), amplitudes=[2e-3])
