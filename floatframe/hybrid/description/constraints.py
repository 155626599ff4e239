"""Constraints that are expressions, and those of bodies that roll or glide on edges.

    relation("slalom", expression="sledge.position.y - A*sin(k*sledge.position.x)")          of places, equal to zero
    velocity_constraint("keel", "boat.velocity.y*cos(h.angle) - boat.velocity.x*sin(h.angle)")   linear in speeds
    rolling("contact", disc.at((0, 0, 0)), model.ground.at((0, 0, 0)), radius=0.3, axis=(0, 1, 0))
    blade("edge", sledge.at((0, 0, 0)), model.ground.at((0, 0, 0)), forward=(1, 0, 0))
    wheel("front", frame.at((1, 0, 0)), model.ground.at((0, 0, 0)), steering="0.3*sin(t)")

A velocity constraint holds a combination of speeds and leaves all places within reach, as rolling does: nonholonomic.
The forces that keep them are channels, and do no work but for what the time drives.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from floatframe.errors import Where
from floatframe.expressions import Scalar, Vector, kept, optional
from floatframe.hybrid.description.places import Place, checked_name

X_AXIS, Z_AXIS = (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)
# what an expression of a constraint is measured in -> the force that holds it
HOLDING_UNITS = {"m": "N", "m/s": "N", "rad": "N m", "rad/s": "N m", "": "N, N m"}


@dataclass(frozen=True, eq=False)
class Constraint:
    """An equation expression = 0: of places, a relation; or linear in speeds, a velocity constraint.

    unit: of the expression, m, rad, m/s or rad/s, from which that of its force follows.
    """

    name: str
    expression: Scalar
    kind: str = "relation"  # or "velocity_constraint"
    unit: str = ""

    def __post_init__(self) -> None:
        checked_name(self.name, "joint", self.kind)
        object.__setattr__(self, "expression", kept(self.expression, self.where.key("expression"), ()))
        if self.unit not in HOLDING_UNITS:
            words = f"found '{self.unit}', expected {', '.join(unit for unit in HOLDING_UNITS if unit)} or none"
            raise self.where.key("unit").error(words)

    def __str__(self) -> str:
        return str(self.where)

    @property
    def where(self) -> Where:
        """What errors about it name."""
        return Where.of("joint", self.name, self.kind)


def velocity_constraint(name: str, expression: Scalar, unit: str = "") -> Constraint:
    """Σ a(q, t) · speed + a0(q, t) = 0, an expression linear in speeds: velocities of bodies, rates of joints."""
    return Constraint(name, expression, "velocity_constraint", unit)


@dataclass(frozen=True, eq=False)
class Rolling:
    """A body that rolls or glides on a plane or surface; made by the functions below."""

    name: str
    kind: str  # "rolling", "blade" or "wheel"
    a: Place  # centre of the disc or sphere; place of the edge or wheel
    b: Place  # a point of the plane, or the origin of the surface
    normal: Vector = Z_AXIS  # (3,) on b, out of the plane towards a
    axis: Vector | None = None  # (3,) on a: of a disc; None: a sphere
    forward: Vector = X_AXIS  # (3,) on a: direction of an edge or wheel that goes straight on
    radius: Scalar | None = None  # m
    steering: Scalar = 0.0  # rad about the normal, an expression of t, joint coordinates and states
    joint: str = ""  # whose coordinate turns the wheel
    coordinate: int = 0
    surface: Scalar | None = None  # m, distance from a surface, an expression of x, y, z in the axes of b
    height: Scalar | None = None  # m, z of a surface, an expression of x, y in the axes of b

    def __post_init__(self) -> None:
        checked_name(self.name, "joint", self.kind)
        for side in ("a", "b"):
            if not isinstance(getattr(self, side), Place):
                raise self.where.at(side).error(
                    f"place {side} is {getattr(self, side)!r}, expected a place such as body.at((0, 0, 0)) or "
                    "model.ground.at((0, 0, 0))"
                )
        for key in ("normal", "axis", "forward"):
            object.__setattr__(self, key, optional(getattr(self, key), self.where.key(key), (3,)))
        for key in ("radius", "steering", "surface", "height"):
            object.__setattr__(self, key, optional(getattr(self, key), self.where.key(key), ()))
        if self.axis is not None and (self.surface is not None or self.height is not None):
            raise self.where.key("axis").error("a disc rolls on a plane; leave axis out: a sphere rolls on surfaces")
        if self.surface is not None and self.height is not None:
            raise self.where.key("height").error("found height and surface, expected one of them")
        if (self.radius is None) != (not self.joint) and self.kind == "wheel":
            missing = "joint, whose coordinate turns the wheel," if not self.joint else "radius"
            raise self.where.error(f"{missing} is missing; a wheel that drives or turns has both radius and joint")

    def __str__(self) -> str:
        return str(self.where)

    @property
    def where(self) -> Where:
        """What errors about it name."""
        return Where.of("joint", self.name, self.kind)


def rolling(
    name: str,
    a: Place,
    b: Place,
    radius: Scalar,
    axis: Vector | None = None,
    normal: Vector = Z_AXIS,
    surface: Scalar | None = None,
    height: Scalar | None = None,
) -> Rolling:
    """A thin disc about an axis of a, or without axis a sphere, with its centre at a, rolls without slip.

    It rolls on the plane through b, or a sphere on a surface: `surface` is the distance [m] of a point x, y, z in the
    axes of b from it, positive on the side of the sphere, as sqrt(x^2 + z^2) - 0.5 of a cylinder; or `height` is its z
    over x and y, a profile whose curvature is nowhere sharper than the sphere.
    """
    return Rolling(name, "rolling", a, b, normal, axis, radius=radius, surface=surface, height=height)


def blade(name: str, a: Place, b: Place, forward: Vector = X_AXIS, normal: Vector = Z_AXIS) -> Rolling:
    """An edge at a that glides along its direction `forward` (axes of a) in the plane of b, and never across."""
    return Rolling(name, "blade", a, b, normal, forward=forward)


def wheel(
    name: str,
    a: Place,
    b: Place,
    forward: Vector = X_AXIS,
    normal: Vector = Z_AXIS,
    steering: Scalar = 0.0,
    radius: Scalar | None = None,
    joint: Any = "",
    coordinate: int = 0,
) -> Rolling:
    """A wheel of a vehicle in the plane of b, whose contact point moves with place a: never across its direction.

    Its direction is `forward` (axes of a) turned about the normal by `steering` [rad], an expression. With a radius [m]
    and the joint it turns in, its way is radius times the angle: it does not slip.
    """
    owner = joint if isinstance(joint, str) else joint.name
    return Rolling(
        name, "wheel", a, b, normal, forward=forward, radius=radius, steering=steering, joint=owner,
        coordinate=coordinate,
    )  # fmt: skip
