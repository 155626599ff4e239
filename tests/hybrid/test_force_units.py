"""Every parameter and variable of every force element has a unit."""

from __future__ import annotations

import inspect

import pytest

from floatframe.hybrid.description import elements, elements_rail
from floatframe.hybrid.description.element_units import PARAMETER_UNITS, VARIABLE_UNITS
from floatframe.hybrid.description.elements import VARIABLES

MAKERS = {kind: getattr(elements, kind, None) for kind in VARIABLES} | {"wheel_rail": elements_rail.wheel_rail}
# names, places and choices have no unit
UNITLESS = {"name", "a", "b", "wheel", "track", "joint", "coordinate", "place", "axes", "stick", "side", "law"}


@pytest.mark.parametrize("kind", VARIABLES)
def test_parameters_have_units(kind):
    makers = [MAKERS[kind]] if MAKERS[kind] else [elements.point_force, elements.point_torque]
    names = {name for make in makers for name in inspect.signature(make).parameters}
    assert names - UNITLESS == set(PARAMETER_UNITS[kind])


def test_variables_have_units():
    used = {name for names in VARIABLES.values() for name in names}
    assert used | {"t"} == set(VARIABLE_UNITS)
