"""Joints between two places, and relations between the coordinates of joints.

A joint has a name, then the moving place a, then the place b it moves against; its coordinates are those of a relative
to b. Axes are given in the axes of b: those of the place if it has a rotation of its own, else those of its body.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, TypedDict, Unpack, overload

from floatframe.errors import Where
from floatframe.expressions import Scalar, Vector, kept, optional
from floatframe.hybrid.description.constraints import Constraint
from floatframe.hybrid.description.places import Place, checked_name

Z_AXIS = (0.0, 0.0, 1.0)

# scalar coordinates of a joint in their order; spherical and free joints turn by quaternions, which are none
COORDINATES: dict[str, tuple[str, ...]] = {
    "revolute": ("angle",),
    "prismatic": ("displacement",),
    "cylindrical": ("displacement", "angle"),
    "spherical": (),
    "universal": ("angle", "angle"),
    "planar": ("displacement", "displacement", "angle"),
    "screw": ("angle",),
    "fixed": (),
    "free": (),
    "point_on_line": ("displacement",),
    "point_on_plane": ("displacement", "displacement"),
    "distance": (),
}
# joints that leave the relative rotation of their places alone
POINT_JOINTS = frozenset({"spherical", "free", "point_on_line", "point_on_plane", "distance"})


@dataclass(frozen=True)
class Step:
    """One elementary motion of a general joint, along or about an axis that the steps before have moved."""

    motion: Literal["translate", "rotate"]
    axis: Vector = Z_AXIS
    by: Scalar | None = None  # None: a free coordinate; a constant; or an expression of t [m, rad]


Start: TypeAlias = Scalar | Sequence[Scalar | None] | None  # of the coordinates of a joint; a single one as it is


class JointOptions(TypedDict, total=False):
    """What all joints take besides: start coordinates and rates, and whether it is a constraint, not a branch."""

    start: Start
    start_rate: Start
    cut: bool


@dataclass(frozen=True, eq=False)
class Joint:
    """A joint of any kind; made by the functions below."""

    name: str
    kind: str
    a: Place
    b: Place
    axis: Vector = Z_AXIS  # (3,) on b
    axis_a: Vector | None = None  # (3,) on a, universal joint only
    first: Vector | None = None  # (3,) on b: direction of the first coordinate in a plane
    pitch: Scalar = 0.0  # m/rad, screw joint only
    length: Scalar | None = None  # m, distance joint; None: as at the start
    steps: tuple[Step, ...] = ()  # general joint only
    start: Any = ()  # start coordinates [m, rad] as a tuple, None or nan where the pose of the bodies decides
    start_rate: Any = ()  # [m/s, rad/s]
    cut: bool = False  # True: this joint is a constraint, not a branch of the tree

    def __post_init__(self) -> None:
        checked_name(self.name, "joint")
        for side in ("a", "b"):
            if not isinstance(getattr(self, side), Place):
                raise self.where.at(side).error(
                    f"place {side} is {getattr(self, side)!r}, expected a place such as body.at((0, 0, 0)), "
                    "body.node(1) or model.ground.at((0, 0, 0))"
                )
        for field in ("axis", "axis_a", "first"):
            object.__setattr__(self, field, optional(getattr(self, field), self.where.key(field), (3,)))
        object.__setattr__(self, "pitch", kept(self.pitch, self.where.key("pitch"), ()))
        object.__setattr__(self, "length", optional(self.length, self.where.key("length"), ()))
        for field in ("start", "start_rate"):
            object.__setattr__(self, field, self._kept_start(field))

    def __str__(self) -> str:
        return str(self.where)

    @property
    def where(self) -> Where:
        """What errors about it name."""
        return Where.of("joint", self.name)

    @property
    def coordinates(self) -> tuple[str, ...]:
        """What each scalar coordinate is: "angle" [rad] or "displacement" [m]."""
        if self.kind == "general":
            return tuple("angle" if step.motion == "rotate" else "displacement" for step in self.moving_steps)
        return COORDINATES[self.kind]

    @property
    def moving_steps(self) -> tuple[Step, ...]:
        """Steps of a general joint that are not constant; each has a coordinate."""
        return tuple(step for step in self.steps if step.by is None or isinstance(step.by, str))

    def _kept_start(self, field: str) -> tuple[Scalar | None, ...]:
        raw = getattr(self, field)
        values = () if raw is None else tuple(raw) if isinstance(raw, list | tuple) else (raw,)
        count = len(self.coordinates)
        if len(values) > count:
            has = "1 coordinate" if count == 1 else f"{count or 'no'} coordinates"
            raise self.where.key(field).error(f"found {len(values)} values, a {self.kind} joint has {has}")
        given = [None if isinstance(value, float) and math.isnan(value) else value for value in values]
        return tuple(optional(value, self.where.key(field), ()) for value in given)


def revolute(name: str, a: Place, b: Place, axis: Vector = Z_AXIS, **more: Unpack[JointOptions]) -> Joint:
    """Turning about an axis; coordinate: angle [rad]. More: start, start_rate, cut."""
    return Joint(name, "revolute", a, b, axis, **more)


def prismatic(name: str, a: Place, b: Place, axis: Vector = Z_AXIS, **more: Unpack[JointOptions]) -> Joint:
    """Sliding along an axis; coordinate: displacement [m]."""
    return Joint(name, "prismatic", a, b, axis, **more)


def cylindrical(name: str, a: Place, b: Place, axis: Vector = Z_AXIS, **more: Unpack[JointOptions]) -> Joint:
    """Sliding along and turning about an axis; coordinates: displacement [m], angle [rad]."""
    return Joint(name, "cylindrical", a, b, axis, **more)


def spherical(name: str, a: Place, b: Place, **more: Unpack[JointOptions]) -> Joint:
    """A ball joint; it has no scalar coordinates."""
    return Joint(name, "spherical", a, b, **more)


def universal(name: str, a: Place, b: Place, axis_a: Vector, axis_b: Vector, **more: Unpack[JointOptions]) -> Joint:
    """A cross of two axes at right angles, one fixed on a (in the axes of a), one on b; coordinates: angle about the
    axis on b, angle about the axis on a [rad]."""
    return Joint(name, "universal", a, b, axis_b, axis_a=axis_a, **more)


def planar(
    name: str, a: Place, b: Place, normal: Vector = Z_AXIS, first: Vector | None = None, **more: Unpack[JointOptions]
) -> Joint:
    """Moving in a plane; coordinates: displacements along `first` and across it [m], angle about the normal [rad]."""
    return Joint(name, "planar", a, b, normal, first=first, **more)


def screw(name: str, a: Place, b: Place, pitch: Scalar, axis: Vector = Z_AXIS, **more: Unpack[JointOptions]) -> Joint:
    """Turning about an axis and advancing by pitch [m/rad]; coordinate: angle [rad]."""
    return Joint(name, "screw", a, b, axis, pitch=pitch, **more)


def fixed(name: str, a: Place, b: Place, **more: Unpack[JointOptions]) -> Joint:
    """No relative motion."""
    return Joint(name, "fixed", a, b, **more)


def free(name: str, a: Place, b: Place, **more: Unpack[JointOptions]) -> Joint:
    """All six relative motions, measured from b; it has no scalar coordinates."""
    return Joint(name, "free", a, b, **more)


def point_on_line(name: str, a: Place, b: Place, axis: Vector = Z_AXIS, **more: Unpack[JointOptions]) -> Joint:
    """The point of a stays on the line through b; coordinate: displacement along the line [m]."""
    return Joint(name, "point_on_line", a, b, axis, **more)


def point_on_plane(
    name: str, a: Place, b: Place, normal: Vector = Z_AXIS, first: Vector | None = None, **more: Unpack[JointOptions]
) -> Joint:
    """The point of a stays in the plane through b; coordinates: displacements along `first` and across it [m]."""
    return Joint(name, "point_on_plane", a, b, normal, first=first, **more)


def distance(name: str, a: Place, b: Place, length: Scalar | None = None, **more: Unpack[JointOptions]) -> Joint:
    """The points of a and b keep their distance, by default that of the start pose: a massless rod with two balls."""
    return Joint(name, "distance", a, b, length=length, **more)


_TRANSLATE, _ROTATE = Where("step 'translate'"), Where("step 'rotate'")


def translate(axis: Vector, by: Scalar | None = None) -> Step:
    """A step of a general joint along an axis: free, by a number [m], or by an expression of t."""
    return Step(
        "translate", kept(axis, _TRANSLATE.key("translate", "axis"), (3,)), optional(by, _TRANSLATE.key("by"), ())
    )


def rotate(axis: Vector, by: Scalar | None = None) -> Step:
    """A step of a general joint about an axis: free, by a number [rad], or by an expression of t."""
    return Step("rotate", kept(axis, _ROTATE.key("rotate", "axis"), (3,)), optional(by, _ROTATE.key("by"), ()))


def general(name: str, a: Place, b: Place, steps: Sequence[Step], **more: Unpack[JointOptions]) -> Joint:
    """A joint made of steps that lead from b to a, in this order; every step without a constant has a coordinate."""
    if not steps or not all(isinstance(step, Step) for step in steps):
        where = Where.of("joint", name).at("steps")
        raise where.error(f"found {steps!r}, expected a list of translate(axis) and rotate(axis)")
    return Joint(name, "general", a, b, steps=tuple(steps), **more)


@dataclass(frozen=True, eq=False)
class Relation:
    """An equation between coordinates of joints: Σ factor · coordinate = value(t)."""

    name: str
    terms: tuple[tuple[str, int, Scalar], ...]  # joint, number of its coordinate from 0, factor
    value: Scalar = 0.0
    kind: str = "relation"

    def __post_init__(self) -> None:
        checked_name(self.name, "joint", self.kind)
        if not self.terms:
            raise self.where.at("terms").error("found no terms, expected (joint, coordinate, factor)")
        terms = tuple(
            (_joint_name(j), int(c), kept(f, self.where.at(f"terms.{k}").key("factor"), ()))
            for k, (j, c, f) in enumerate(self.terms)
        )
        object.__setattr__(self, "terms", terms)
        object.__setattr__(self, "value", kept(self.value, self.where.key("value"), ()))

    def __str__(self) -> str:
        return str(self.where)

    @property
    def where(self) -> Where:
        """What errors about it name."""
        return Where.of("joint", self.name, self.kind)


@overload
def relation(name: str, terms: Sequence[tuple[Joint | str, int, Scalar]], value: Scalar = 0.0) -> Relation: ...
@overload
def relation(name: str, *, expression: Scalar, unit: str = "") -> Constraint: ...
def relation(
    name: str,
    terms: Sequence[tuple[Joint | str, int, Scalar]] = (),
    value: Scalar = 0.0,
    expression: Scalar | None = None,
    unit: str = "",
) -> Relation | Constraint:
    """Σ factor · coordinate = value, an expression of t; terms are (joint, number of its coordinate, factor).

    Or expression = 0, any expression of joint coordinates, positions and axes of bodies and nodes, and t; its unit is m
    or rad, so that its force is known in N or N m.
    """
    if expression is None:
        return Relation(name, tuple((_joint_name(joint), k, factor) for joint, k, factor in terms), value)
    if terms or value != 0.0:
        raise Where.of("joint", name, "relation").error(
            "found terms or a value beside the expression; give one of them"
        )
    return Constraint(name, expression, unit=unit)


def gear(name: str, joint1: Joint | str, joint2: Joint | str, ratio: Scalar, offset: Scalar = 0.0) -> Relation:
    """Angle 1 = ratio · angle 2 + offset; a pair of outer gears has a negative ratio."""
    factor = -ratio if not isinstance(ratio, str) else f"-({ratio})"
    return Relation(name, ((_joint_name(joint1), 0, 1.0), (_joint_name(joint2), 0, factor)), offset, "gear")


def rack(name: str, sliding: Joint | str, turning: Joint | str, radius: Scalar, offset: Scalar = 0.0) -> Relation:
    """Displacement of the sliding joint = radius [m] · angle of the turning joint + offset [m]."""
    factor = -radius if not isinstance(radius, str) else f"-({radius})"
    return Relation(name, ((_joint_name(sliding), 0, 1.0), (_joint_name(turning), 0, factor)), offset, "rack")


def motion(name: str, joint: Joint | str, value: Scalar, coordinate: int = 0) -> Relation:
    """A coordinate that follows an expression of t [m, rad]."""
    return Relation(name, ((_joint_name(joint), coordinate, 1.0),), value, "motion")


def _joint_name(joint: Joint | str) -> str:
    return joint.name if isinstance(joint, Joint) else joint
