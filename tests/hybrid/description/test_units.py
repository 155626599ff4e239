"""Every parameter and variable of every force element has a unit."""

from __future__ import annotations

import inspect
from dataclasses import fields

import pytest

from floatframe.hybrid.description import forces, rail, track_wheel
from floatframe.hybrid.description.forces import VARIABLES
from floatframe.hybrid.description.units import PARAMETER_UNITS, VARIABLE_UNITS

MAKERS = {kind: getattr(forces, kind, None) for kind in VARIABLES} | {
    "wheel_rail": rail.wheel_rail,
    "wheel_on_track": track_wheel.wheel_on_track,
}
# names, places and choices have no unit
UNITLESS = {"name", "a", "b", "wheel", "track", "joint", "coordinate", "place", "axes", "stick"} | {
    "side",
    "law",
    "patch",
    "look",
}


@pytest.mark.parametrize("kind", VARIABLES)
def test_parameters_have_units(kind):
    makers = [MAKERS[kind]] if MAKERS[kind] else [forces.point_force, forces.point_torque]
    names = {name for make in makers for name in inspect.signature(make).parameters}
    if kind == "wheel_rail":  # fields of its groups stand beside its arguments
        names -= {"rail", "contact", "creep", "details"}
        names |= {field.name for group in (rail.Rail, rail.RailContact, rail.Creep) for field in fields(group)}
    if kind == "wheel_on_track":
        names -= {"contact", "details", "profile"}
        names |= {field.name for field in fields(track_wheel.WheelContact)}
    assert names - UNITLESS == set(PARAMETER_UNITS[kind])


def test_variables_have_units():
    used = {name for names in VARIABLES.values() for name in names}
    assert used | {"t"} == set(VARIABLE_UNITS)
