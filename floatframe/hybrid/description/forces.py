"""Force elements between places or in joints. Numbers may be expressions of parameters.

Forces on a moving relative to b; a positive spring force pulls its places together. Expressions may use t, the
variables listed in VARIABLES and sensors such as crank.angular_velocity.z.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from floatframe.errors import Where
from floatframe.expressions import Scalar, Table, Values, Vector, kept
from floatframe.hybrid.description.joints import Z_AXIS, Joint
from floatframe.hybrid.description.places import Place, checked_name
from floatframe.hybrid.description.units import kind_in_words
from floatframe.railway import Profile

# a number, an expression, or a table over the first variable of the element
Law: TypeAlias = Scalar | Table

VARIABLES: dict[str, tuple[str, ...]] = {
    "joint_torque": ("angle", "rate"),
    "joint_force": ("displacement", "rate"),
    "joint_friction": ("angle", "displacement", "rate"),
    "spring": ("elongation", "length", "rate"),
    "bushing": (),
    "point_load": (),
    "friction": ("elongation", "length", "rate"),
    "bump_stop": ("penetration", "rate"),
    "contact_plane": ("penetration", "rate"),
    "user_force": (),
    "wheel_rail": ("distance",),
    "wheel_on_track": (),
}
# shapes of the numbers of an element; what is not listed is one number
_SHAPES: dict[str, tuple[tuple[int, ...], ...]] = {
    "stiffness6": ((3,), (6,), (6, 6)),
    "damping6": ((3,), (6,), (6, 6)),
    "preload6": ((6,),),
    "axis": ((3,),),
    "normal": ((3,),),
}
# what the numbers of an element must not fall below, and whether they may reach it
LAW_LIMITS = {
    "speed": (0.0, False),
    "static": (1.0, True),
    "radius": (0.0, True),
    "exponent": (1.0, True),
    "friction": (0.0, True),
    "length": (0.0, True),
    "half_gauge": (0.0, False),
    "rail_radius": (0.0, False),
    "semi_axis_x": (0.0, False),
    "semi_axis_y": (0.0, False),
    "young": (0.0, False),
    "lateral_stiffness": (0.0, False),
    "vertical_stiffness": (0.0, False),
}

LOOKS = ("coil", "cylinder", "rope", "none")  # of a force between two points in pictures


@dataclass(frozen=True, eq=False)
class Force:
    """A force element of any kind; made by the functions below."""

    name: str
    kind: str
    a: Place | None = None
    b: Place | None = None
    joint: str = ""
    coordinate: int | None = None  # of the joint, counted from 0; None: the first that fits
    expressions: Mapping[str, Law] = field(default_factory=dict)
    numbers: Mapping[str, Any] = field(default_factory=dict)  # those not given (None) are left out
    options: Mapping[str, str] = field(default_factory=dict)
    function: Callable[..., Any] | None = None
    profile: Profile | None = None  # of a wheel on the track

    def __post_init__(self) -> None:
        checked_name(self.name, "force", self.kind)
        for side in ("a", "b"):
            if getattr(self, side) is not None and not isinstance(getattr(self, side), Place):
                raise self.where.at(side).error(
                    f"place {side} is {getattr(self, side)!r}, expected a place such as body.at((0, 0, 0)), "
                    "body.node(1) or model.ground.at((0, 0, 0))"
                )
        look = self.options.get("look")
        if look is not None and look not in LOOKS:
            raise self.where.at("look").error(f"found look {look!r}, expected one of {', '.join(LOOKS)}")
        numbers = {
            name.rstrip("6"): kept(value, self.where.key(name.rstrip("6")), *_SHAPES.get(name, ((),)))
            for name, value in self.numbers.items()
            if value is not None
        }
        laws = {
            name: law if isinstance(law, Table) else kept(law, self.where.key(name), ())
            for name, law in self.expressions.items()
        }
        object.__setattr__(self, "numbers", numbers)
        object.__setattr__(self, "expressions", laws)

    def __str__(self) -> str:
        return str(self.where)

    @property
    def where(self) -> Where:
        """What errors about it name."""
        return Where.of("force", self.name, kind_in_words(self.kind, self.expressions))


def joint_torque(name: str, joint: Joint | str, torque: Law, coordinate: int | None = None) -> Force:
    """A torque [N m] on a about the joint's axis, an expression of angle [rad] and rate [rad/s]."""
    return _in_joint(name, "joint_torque", joint, coordinate, {"torque": torque})


def joint_force(name: str, joint: Joint | str, force: Law, coordinate: int | None = None) -> Force:
    """A force [N] on a along the joint's axis, an expression of displacement [m] and rate [m/s]."""
    return _in_joint(name, "joint_force", joint, coordinate, {"force": force})


def joint_friction(
    name: str,
    joint: Joint | str,
    force: Law,
    coordinate: int | None = None,
    speed: Scalar = 1e-3,
    stick: bool = False,
    stiffness: Scalar | None = None,
    damping: Scalar = 0.0,
    static: Scalar = 1.0,
) -> Force:
    """Dry friction in a joint coordinate; `force` is the sliding friction force [N] or torque [N m], see `friction`."""
    numbers, options = _friction(name, speed, stick, stiffness, damping, static)
    return _in_joint(name, "joint_friction", joint, coordinate, {"limit": force}, numbers, options)


def spring(
    name: str,
    a: Place,
    b: Place,
    stiffness: Scalar = 0.0,
    damping: Scalar = 0.0,
    length: Scalar | None = None,
    preload: Scalar = 0.0,
    force: Law | None = None,
    look: str | None = None,
) -> Force:
    """Spring and damper along the line between two points.

    Tension = preload + stiffness · elongation + damping · rate + force; elongation is the distance less the free
    length [m], by default that of the start pose. `force` [N] is an expression of elongation, length and rate or a
    table over the elongation. look: how it is drawn, one of `LOOKS`, by default a coil, or a damper without stiffness.
    """
    numbers = {"stiffness": stiffness, "damping": damping, "length": length, "preload": preload}
    laws = {} if force is None else {"force": force}
    return Force(name, "spring", a, b, expressions=laws, numbers=numbers, options=_look(look))


def bushing(
    name: str,
    a: Place,
    b: Place,
    stiffness: Values,
    damping: Values = (0.0,) * 6,
    preload: Vector = (0.0,) * 6,
    look: str | None = None,
) -> Force:
    """Linear element with six directions in the axes of b: displacements [m], then the rotation vector [rad] of a.

    Stiffness [N/m, N m/rad] and damping: three (forces only), six, or a matrix (6, 6). Without preload it is at rest
    where the axes of the two places coincide; preload (6,) is the force and torque on a in that pose. look: how it is
    drawn, one of `LOOKS`, by default a coil between places that are apart, else a block.
    """
    numbers = {"stiffness6": stiffness, "damping6": damping, "preload6": preload}
    return Force(name, "bushing", a, b, numbers=numbers, options=_look(look))


def point_force(name: str, place: Place, force: Sequence[Law], axes: str = "world") -> Force:
    """A force [N] at a place, three expressions along the axes of the world or of the place ("body")."""
    return _point_load(name, place, "fx fy fz", force, axes)


def point_torque(name: str, place: Place, torque: Sequence[Law], axes: str = "world") -> Force:
    """A torque [N m] at a place, three expressions along the axes of the world or of the place ("body")."""
    return _point_load(name, place, "tx ty tz", torque, axes)


def friction(
    name: str,
    a: Place,
    b: Place,
    force: Law,
    speed: Scalar = 1e-3,
    stick: bool = False,
    stiffness: Scalar | None = None,
    damping: Scalar = 0.0,
    static: Scalar = 1.0,
    axis: Vector | None = None,
) -> Force:
    """Dry friction along the line between two points, or along an axis given on b.

    `force` is the sliding friction force [N]. Without stick it grows smoothly with the sliding speed, reaching most of
    its value at `speed` [m/s]. With stick the places hold together by stiffness [N/m] and damping [N s/m] until
    static · force is exceeded.
    """
    numbers, options = _friction(name, speed, stick, stiffness, damping, static)
    return Force(
        name, "friction", a, b, expressions={"limit": force}, numbers={**numbers, "axis": axis}, options=options
    )


def bump_stop(
    name: str,
    a: Place,
    b: Place,
    clearance: Scalar | None,
    stiffness: Scalar = 0.0,
    damping: Scalar = 0.0,
    rebound: Scalar | None = None,
    length: Scalar | None = None,
    force: Law | None = None,
    look: str | None = None,
) -> Force:
    """A stop along the line between two points; it pushes, and never pulls, once its clearance [m] is used up.

    The clearance is measured from `length`, by default the distance at the start; `rebound` is the clearance when the
    points part (None: no stop there). Push = stiffness · penetration + damping · rate + force(penetration, rate).
    look: how it is drawn, one of `LOOKS`.
    """
    if clearance is None and rebound is None:
        where = Where.of("force", name, "bump_stop")
        raise where.error("found neither clearance nor rebound, expected at least one of them")
    numbers = {"clearance": clearance, "rebound": rebound, "stiffness": stiffness, "damping": damping, "length": length}
    laws = {} if force is None else {"force": force}
    return Force(name, "bump_stop", a, b, expressions=laws, numbers=numbers, options=_look(look))


def contact_plane(
    name: str,
    a: Place,
    b: Place,
    stiffness: Scalar,
    damping: Scalar = 0.0,
    radius: Scalar = 0.0,
    normal: Vector = Z_AXIS,
    exponent: Scalar = 1.0,
    friction: Scalar = 0.0,
    speed: Scalar = 1e-3,
) -> Force:
    """A point or sphere (centre a, radius [m]) that may touch the plane through b with a normal in the axes of b.

    Push = stiffness · penetration^exponent + damping · rate, never a pull; `friction` is the coefficient of sliding
    friction, fully grown at `speed` [m/s].
    """
    numbers = {
        "stiffness": stiffness,
        "damping": damping,
        "radius": radius,
        "normal": normal,
        "exponent": exponent,
        "friction": friction,
        "speed": speed,
    }
    return Force(name, "contact_plane", a, b, numbers=numbers)


def user_force(name: str, a: Place, b: Place, function: Callable[..., Any], look: str | None = None) -> Force:
    """A Python function(t, position, rotation, velocity, angular_velocity) -> force (3,), torque (3,).

    Arguments are those of place a relative to place b in the axes of b: (3,) [m], (3, 3), (3,) [m/s], (3,) [rad/s].
    The result [N, N m] acts on a, in the axes of b; its opposite acts on b. look: how it is drawn, one of `LOOKS`, by
    default a line.
    """
    if not callable(function):
        where = Where.of("force", name, "user_force").at("function")
        raise where.error(f"found {function!r}, expected a Python function")
    return Force(name, "user_force", a, b, function=function, options=_look(look))


def _look(look: str | None) -> dict[str, str]:
    return {} if look is None else {"look": look}


def _in_joint(
    name: str,
    kind: str,
    joint: Joint | str,
    coordinate: int | None,
    laws: Mapping[str, Law],
    numbers: Mapping[str, Any] | None = None,
    options: Mapping[str, str] | None = None,
) -> Force:
    joint_name = joint.name if isinstance(joint, Joint) else joint
    return Force(
        name,
        kind,
        joint=joint_name,
        coordinate=coordinate,
        expressions=laws,
        numbers=numbers or {},
        options=options or {},
    )


def _point_load(name: str, place: Place, keys: str, values: Sequence[Law], axes: str) -> Force:
    kind = kind_in_words("point_load", keys.split())
    where = Where.of("force", name, kind)
    if axes not in ("world", "body"):
        raise where.at("axes").error(f"found axes {axes!r}, expected 'world' or 'body'")
    if not isinstance(values, list | tuple) or len(values) != 3:
        raise where.at(kind.removeprefix("point_")).error(f"found {values!r}, expected three numbers or expressions")
    laws = dict(zip(keys.split(), values, strict=True))
    return Force(name, "point_load", place, expressions=laws, numbers={"body_axes": float(axes == "body")})


def _friction(
    name: str, speed: Scalar, stick: bool, stiffness: Scalar | None, damping: Scalar, static: Scalar
) -> tuple[dict[str, Any], dict[str, str]]:
    if not stick:
        return {"speed": speed}, {"model": "regularised"}
    if stiffness is None:
        where = Where.of("force", name, "friction").at("stiffness")
        raise where.error("with stick needs the stiffness [N/m] with which it holds; give stiffness=", after=" ")
    return {"speed": speed, "stiffness": stiffness, "damping": damping, "static": static}, {"model": "stick"}
