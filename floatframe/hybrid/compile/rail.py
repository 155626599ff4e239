"""A wheel on a rail as a record for the kernels: contact ellipse and creep coefficients are worked out here, once."""

from __future__ import annotations

from typing import Any

from floatframe.errors import ModelError
from floatframe.expressions import parse
from floatframe.hybrid.compile.build import Additions
from floatframe.hybrid.compile.programs import add_programs
from floatframe.hybrid.flat import FlatForce
from floatframe.hybrid.kernels import LINEAR_CREEP, POLACH_CREEP, SATURATED_CREEP, SLOT_COORDINATE, WHEEL_RAIL
from floatframe.railway import hertz_contact, kalker_coefficients

_LAWS = {"linear": LINEAR_CREEP, "saturated": SATURATED_CREEP, "polach": POLACH_CREEP}
_SIDES = {"left": 1.0, "right": -1.0}


def wheel_rail(b: Additions, force: FlatForce) -> dict[str, Any]:
    """Programs and parameters of the record."""
    given = {name: float(value) for name, value in force.numbers.items()}
    cone = parse(f"{given['radius']!r} - {given['conicity']!r}*distance")
    laws = (
        force.expressions["lateral"],
        force.expressions["vertical"],
        force.expressions.get("profile", cone),
    )
    parts = [part for law in laws for part in (law, law.derivative("distance"))]
    first = add_programs(b, parts, {"distance": SLOT_COORDINATE})
    try:
        parameters = _parameters(force, given)
    except ModelError as error:
        raise force.where.at(error.field).error(str(error)) from None
    return {"kind": WHEEL_RAIL, "program": first, "work": b.add_work(6), **parameters}


def _parameters(force: FlatForce, given: dict[str, float]) -> dict[str, Any]:
    """The parameters of the record."""
    young, poisson = given["young"], given["poisson"]
    if given["radius"] <= 0.0:
        raise ModelError(f"found radius {given['radius']:g} m, expected more than 0", field="radius")
    hertz = hertz_contact(given["radius"], given["rail_radius"], young, poisson)
    axis_x, axis_y, axis_exponent = hertz.axis_x, hertz.axis_y, 1.0 / 3.0
    if "semi_axis_x" in given:
        axis_x, axis_y, axis_exponent = given["semi_axis_x"], given["semi_axis_y"], 0.0
    stiffness, exponent = (given["stiffness"], 1.0) if "stiffness" in given else (hertz.stiffness, 1.5)
    c11, c22, c23, c33 = kalker_coefficients(axis_x / axis_y, poisson)
    shared = {name: given[name] for name in ("damping", "speed")}
    kept = ("half_gauge", "friction", "friction_ratio", "friction_decay", "adhesion", "slip")
    rail: dict[str, Any] = {name: given[name] for name in kept}
    rail |= {"law": _LAWS[force.options["law"]], "shear": young / (2.0 * (1.0 + poisson))}
    rail |= {"axis_x": axis_x, "axis_y": axis_y, "axis_exponent": axis_exponent}
    rail |= {"c11": c11, "c22": c22, "c23": c23, "c33": c33}
    side = _SIDES[force.options["side"]]
    return {"side": side, "stiffness": stiffness, "exponent": exponent, **shared, "rail": rail}
