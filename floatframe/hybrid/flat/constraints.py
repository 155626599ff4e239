"""Constraints that are expressions, and rolling, in their flat form: equations of named places and speeds.

The rows of what rolls are written in the axes of the plane, z along its normal: `ground.x` ... the place, `ground.vx`
... its velocity, `ground.wx` ... the angular velocity and `ground.ax` ... one direction of the body, all as seen from
the body that it rolls on. No name that users give can begin with that word.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from floatframe.errors import Where
from floatframe.expressions import Expression, Scalar, Table, parse
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
    height = None
    if rolling.kind == "rolling":
        if rolling.height is not None:
            height = _over_ground(part, rolling.height, "xy", "ground.foot_", where.key("height"))
        rows = _disc_rows() if rolling.axis is not None else _sphere_rows(part, rolling, height, where)
        rows = {channel: row.with_values(values) for channel, row in rows.items()}
        used = _tables(part, *(row.law for row in rows.values()))
        for table, found in used.items():
            if found.kind != "spline":
                raise where.error(f"table '{table}' has kind '{found.kind}', whose curvature jumps; use kind 'spline'")
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
        rows = {channel: Row(parse(text).substitute(values)) for channel, text in texts.items()}
    flat = tuple(
        FlatRow(channel, replace(row.law, where=where).simplified(), channel != "normal_force", "N", row.rate)
        for channel, row in rows.items()
    )
    shape = rolling.kind if rolling.kind != "rolling" else "sphere" if rolling.axis is None else "disc"
    return FlatConstraint(name, rolling.kind, flat, a, b, shape, abs(radius), height, used)


_GOING = "(cosine*ground.ax - sine*ground.ay)", "(sine*ground.ax + cosine*ground.ay)"


class Row(NamedTuple):
    """An equation, and its rate if that is known; that of the normal force is of places, the others of speeds."""

    law: Expression
    rate: Expression | None = None

    def with_values(self, values: Mapping[str, float | Expression]) -> Row:
        """The equation with names replaced."""
        return Row(self.law.substitute(values), None if self.rate is None else self.rate.substitute(values))


def _disc_rows() -> dict[str, Row]:
    """The equations of a thin disc of radius r that rolls on the plane."""
    x, y, _ = _contact_velocity(_UPWARD)
    return {
        "normal_force": Row(parse(f"ground.z - r*{_LEAN}")),
        "longitudinal_force": Row(parse(f"(ground.ay*({x}) - ground.ax*({y}))/{_LEAN}")),
        "lateral_force": Row(parse(f"(ground.ax*({x}) + ground.ay*({y}))/{_LEAN}")),
    }


def _sphere_rows(part: Part, rolling: Rolling, height: Expression | None, where: Where) -> dict[str, Row]:
    """The equations of a sphere of radius r that rolls on the plane or on a surface."""
    if rolling.surface is None and height is None:
        x, y, _ = _contact_velocity(("0", "0", "1"))
        laws = {"normal_force": "ground.z - r", "longitudinal_force": x, "lateral_force": y}
        return {channel: Row(parse(text)) for channel, text in laws.items()}
    if tuple(rolling.normal) != (0.0, 0.0, 1.0):
        raise where.key("normal").error(
            "the normal follows from the surface; leave it out, or turn the axes of place b"
        )
    normal: dict[str, float | Expression]
    if height is None and rolling.surface is not None:
        distance = _over_ground(part, rolling.surface, "xyz", "ground.", where.key("surface"))
        normal = {f"n{k}": distance.derivative(f"ground.{k}") for k in "xyz"}
        touching = Row(parse("d - r").substitute({"d": distance}))
    else:
        normal, touching = _above(height or parse(0.0))
    x, y, z = _contact_velocity(("nx", "ny", "nz"))
    # directions across the normal, which are x and y where it is z
    first = f"(1 - nx^2/(1 + nz))*({x}) - nx*ny/(1 + nz)*({y}) - nx*({z})"
    second = f"(1 - ny^2/(1 + nz))*({y}) - nx*ny/(1 + nz)*({x}) - ny*({z})"
    along, across = (Row(parse(text).substitute(normal)) for text in (first, second))
    return {"normal_force": touching, "longitudinal_force": along, "lateral_force": across}


def _above(height: Expression) -> tuple[dict[str, float | Expression], Row]:
    """The normal at the foot on a surface z = height, and the equation of the distance from it.

    The distance is least there, so its rate is the velocity along the normal.
    """
    slopes: dict[str, float | Expression] = {f"h{k}": height.derivative(f"ground.foot_{k}") for k in "xy"}
    texts = {"nx": "-hx/sqrt(1 + hx^2 + hy^2)", "ny": "-hy/sqrt(1 + hx^2 + hy^2)", "nz": "1/sqrt(1 + hx^2 + hy^2)"}
    normal: dict[str, float | Expression] = {name: parse(text).substitute(slopes) for name, text in texts.items()}
    law = parse("nx*(ground.x - ground.foot_x) + ny*(ground.y - ground.foot_y) + nz*(ground.z - h) - r")
    rate = parse("nx*ground.vx + ny*ground.vy + nz*ground.vz")
    return normal, Row(law.substitute({**normal, "h": height}), rate.substitute(normal))


def _over_ground(part: Part, raw: Scalar, letters: str, named: str, where: Where) -> Expression:
    """An expression of x, y, z as one of places on the ground."""
    given = part.expression(raw, where, TIME | set(letters))
    if "t" in given.names:
        raise where.error(f"'{given}' depends on t; a surface moves with the body of place b")
    return given.substitute({k: parse(named + k) for k in letters})


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
