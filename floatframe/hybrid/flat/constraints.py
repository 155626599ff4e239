"""Constraints that are expressions, and rolling, in their flat form: equations of named places and speeds.

The rows of what rolls are written in the axes of the plane, z along its normal: `ground.x` ... the place, `ground.vx`
... its velocity, `ground.wx` ... the angular velocity and `ground.ax` ... one direction of the body, all as seen from
the body that it rolls on. No name that users give can begin with that word.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from floatframe.errors import Where
from floatframe.expressions import Expression, Table, parse
from floatframe.hybrid.description import HOLDING_UNITS, Constraint, Rolling, frame_along, unit
from floatframe.hybrid.flat.bodies import Bodies
from floatframe.hybrid.flat.checks import interface_node
from floatframe.hybrid.flat.forces import known_joint, require_coordinate
from floatframe.hybrid.flat.model import FlatConstraint, FlatPlace, FlatRow
from floatframe.hybrid.flat.parts import TIME, Part

# of a disc: sine of the angle between axis and normal, and the direction from the contact to the centre
_LEAN = "sqrt(ground.ax^2 + ground.ay^2)"
_UPWARD = f"-ground.az*ground.ax/{_LEAN}", f"-ground.az*ground.ay/{_LEAN}", _LEAN


def flat_constraint(part: Part, constraint: Constraint) -> FlatConstraint:
    """Return a constraint with its expression filled in."""
    where = Where.of("joint", part.path + constraint.name, constraint.kind)
    law = part.expression(constraint.expression, where.key("expression"), TIME, sensors=True)
    row = FlatRow("force", law, constraint.kind == "velocity_constraint", HOLDING_UNITS[constraint.unit])
    return FlatConstraint(part.path + constraint.name, constraint.kind, (row,), tables=_tables(part, law))


def flat_rolling(
    part: Part, rolling: Rolling, bodies: Bodies, coordinates: Mapping[str, tuple[str, ...]]
) -> FlatConstraint:
    """Return what rolls or glides with its places found and its equations written out."""
    name = part.path + rolling.name
    where = Where.of("joint", name, rolling.kind)
    a, b = bodies.place(part, rolling.a, where.at("a")), bodies.place(part, rolling.b, where.at("b"))
    bodies.require_two_ends(a, b, where)
    for side, place in (("a", a), ("b", b)):
        reduced = bodies.flat[place.body].reduced if place.node is not None else None
        if reduced is not None and place.node is not None:
            interface_node(reduced, place.node, True, where.at(f"{side}.node"), bodies.flat[place.body].name)
    scope = part.scope
    normal = unit(scope.array(rolling.normal, where.key("normal")), where.key("normal"))
    along = rolling.forward if rolling.axis is None else rolling.axis
    key = where.key("forward" if rolling.axis is None else "axis")
    direction = frame_along(unit(scope.array(along, key), key), key)[:, [2, 0, 1]]
    a, b = _turned(a, direction), _turned(b, frame_along(normal, where.key("normal")))
    radius = 0.0
    if rolling.radius is not None:
        radius = scope.number(rolling.radius, where.key("radius"))
        if radius == 0.0 or (radius < 0.0 and rolling.kind == "rolling"):
            raise where.key("radius").error(f"found {radius:g} m, expected a positive one")
    values: dict[str, float | Expression] = {"r": radius}
    if rolling.kind == "rolling":
        rows = _disc_rows() if rolling.axis is not None else _sphere_rows(part, rolling, where)
        rows = {channel: (law.substitute(values), of_speeds) for channel, (law, of_speeds) in rows.items()}
        used = _tables(part, *(law for law, _ in rows.values()))
    else:
        steering = part.expression(rolling.steering, where.key("steering"), TIME, sensors=True)
        used = _tables(part, steering)
        values |= {"cosine": _of("cos", steering), "sine": _of("sin", steering)}
        texts = {"lateral_force": f"({_GOING[0]}*ground.vy - {_GOING[1]}*ground.vx)/{_LEAN}"}
        if rolling.joint:
            joint = known_joint(part, rolling.joint, coordinates, where.at("joint"))
            require_coordinate(coordinates[joint], rolling.coordinate, joint, where.at("coordinate"))
            rate = f"{joint}.rate[{rolling.coordinate + 1}]"
            texts["longitudinal_force"] = f"({_GOING[0]}*ground.vx + {_GOING[1]}*ground.vy)/{_LEAN} - r*{rate}"
        rows = {channel: (parse(text).substitute(values), True) for channel, text in texts.items()}
    flat = tuple(
        FlatRow(channel, replace(law, where=where).simplified(), of_speeds, "N")
        for channel, (law, of_speeds) in rows.items()
    )
    shape = rolling.kind if rolling.kind != "rolling" else "sphere" if rolling.axis is None else "disc"
    return FlatConstraint(name, rolling.kind, flat, a, b, shape, abs(radius), used)


_GOING = "(cosine*ground.ax - sine*ground.ay)", "(sine*ground.ax + cosine*ground.ay)"


def _disc_rows() -> dict[str, tuple[Expression, bool]]:
    """The equations of a thin disc of radius r that rolls on the plane."""
    x, y, _ = _contact_velocity(_UPWARD)
    return {
        "normal_force": (parse(f"ground.z - r*{_LEAN}"), False),
        "longitudinal_force": (parse(f"(ground.ay*({x}) - ground.ax*({y}))/{_LEAN}"), True),
        "lateral_force": (parse(f"(ground.ax*({x}) + ground.ay*({y}))/{_LEAN}"), True),
    }


def _sphere_rows(part: Part, rolling: Rolling, where: Where) -> dict[str, tuple[Expression, bool]]:
    """The equations of a sphere of radius r that rolls on the plane or on a surface."""
    if rolling.surface is None:
        x, y, _ = _contact_velocity(("0", "0", "1"))
        return {
            "normal_force": (parse("ground.z - r"), False),
            "longitudinal_force": (parse(x), True),
            "lateral_force": (parse(y), True),
        }
    key = where.key("surface")
    if tuple(rolling.normal) != (0.0, 0.0, 1.0):
        raise where.key("normal").error(
            "the normal follows from the surface; leave it out, or turn the axes of place b"
        )
    given = part.expression(rolling.surface, key, TIME | {"x", "y", "z"})
    if "t" in given.names:
        raise key.error(f"'{given}' depends on t; a surface moves with the body of place b")
    distance = given.substitute({k: parse(f"ground.{k}") for k in "xyz"})
    normal: dict[str, float | Expression] = {f"n{k}": distance.derivative(f"ground.{k}") for k in "xyz"}
    x, y, z = _contact_velocity(("nx", "ny", "nz"))
    # directions across the normal, which are x and y where it is z
    first = f"(1 - nx^2/(1 + nz))*({x}) - nx*ny/(1 + nz)*({y}) - nx*({z})"
    second = f"(1 - ny^2/(1 + nz))*({y}) - nx*ny/(1 + nz)*({x}) - ny*({z})"
    return {
        "normal_force": (parse("d - r").substitute({"d": distance}), False),
        "longitudinal_force": (parse(first).substitute(normal), True),
        "lateral_force": (parse(second).substitute(normal), True),
    }


def _contact_velocity(upward: tuple[str, str, str]) -> tuple[str, str, str]:
    """The velocity of the material point at the contact, r below the place along a unit vector."""
    x, y, z = (f"({text})" for text in upward)
    return (
        f"ground.vx - r*(ground.wy*{z} - ground.wz*{y})",
        f"ground.vy - r*(ground.wz*{x} - ground.wx*{z})",
        f"ground.vz - r*(ground.wx*{y} - ground.wy*{x})",
    )


def _of(function: str, law: Expression) -> Expression:
    return parse(f"{function}(argument)").substitute({"argument": law})


def _turned(place: FlatPlace, axes: np.ndarray) -> FlatPlace:
    """The place with axes (3, 3) given in its own."""
    return replace(place, rotation=place.axes @ axes)


def _tables(part: Part, *laws: Expression) -> dict[str, Table]:
    """The tables that expressions look into, by their names in the flat model."""
    return {name: part.tables[name.removeprefix(part.path)] for law in laws for name in law.tables}
