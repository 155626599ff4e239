"""Force elements of the description as records for the kernels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from floatframe.errors import Where
from floatframe.expressions import parse
from floatframe.hybrid.compile.build import Additions
from floatframe.hybrid.compile.programs import add_program, add_programs
from floatframe.hybrid.compile.rail import wheel_rail
from floatframe.hybrid.compile.static_laws import static_part
from floatframe.hybrid.compile.wheel import wheel_on_track
from floatframe.hybrid.description import frame_along
from floatframe.hybrid.flat import FlatForce, FlatPlace
from floatframe.hybrid.kernels import (
    BUMP_STOP,
    BUSHING,
    CONTACT_PLANE,
    COORDINATE_FORCE,
    FRESH,
    FRICTION,
    POINT_LOAD,
    SLOT_COORDINATE,
    SLOT_LENGTH,
    SLOT_RATE,
    SPRING,
    USER_FORCE,
    USER_VALUES,
    UserFunction,
)

# names in the laws of elements with one coordinate
_SLOTS = {
    "angle": SLOT_COORDINATE,
    "displacement": SLOT_COORDINATE,
    "elongation": SLOT_COORDINATE,
    "penetration": SLOT_COORDINATE,
    "rate": SLOT_RATE,
    "length": SLOT_LENGTH,
}
# parameters of elements with one coordinate, and their values where they are not given
_SCALARS = {
    "length": 0.0,
    "stiffness": 0.0,
    "damping": 0.0,
    "preload": 0.0,
    "clearance": np.inf,
    "rebound": np.inf,
    "speed": 1.0,
    "static_ratio": 1.0,
    "side": 0.0,
}
_UNUSED = dict.fromkeys(("a", "b", "coordinate", "program", "static", "stored", "memory", "work"), -1)
_FIELDS = {"static": "static_ratio"}  # where the record has another word for a parameter
_WORLD = FlatPlace(body=-1, point=np.zeros(3), node=None, rotation=None)


def add_force(b: Additions, force: FlatForce) -> None:
    """Add one force element."""
    b.forces.append({**_UNUSED, "user": 0, "setup": 0, **_EMITTERS[force.kind](b, force)})


def both_places(force: FlatForce) -> tuple[FlatPlace, FlatPlace]:
    """The two places of an element."""
    if force.a is None or force.b is None:
        raise force.where.error("needs two places, a and b", after=" ")
    return force.a, force.b


def start_arm(b: Additions, one: FlatPlace, other: FlatPlace) -> Any:
    """Vector (3,) [m] from the other place to the one in the start poses, world axes."""
    ends = [b.pose(place.body).then(place.point, np.eye(3)).p for place in (one, other)]
    return ends[0] - ends[1]


def _scalars(force: FlatForce, **known: float) -> dict[str, float]:
    """The parameters of an element with one coordinate."""
    given: dict[str, Any] = {_FIELDS.get(name, name): value for name, value in force.numbers.items()}
    return {name: float({**_SCALARS, **known, **given}[name]) for name in _SCALARS}


def _law(b: Additions, force: FlatForce) -> int:
    """The program of the law of an element with one coordinate, or -1."""
    for law in force.expressions.values():
        return add_program(b, law, _SLOTS)
    return -1


def _static(b: Additions, force: FlatForce, program: int) -> int:
    """The program of that part of the law which has a potential: the law's own if that is all of it, or -1."""
    if force.kind not in ("joint_torque", "joint_force", "spring", "bump_stop"):
        return -1
    for law in force.expressions.values():
        part = static_part(law)
        if part is not None:
            return program if part is law else add_program(b, part, _SLOTS)
    return -1


def _memory(b: Additions, force: FlatForce) -> int:
    """Room for held force, elongation and what happened, if friction holds until it slides."""
    return b.remember([0.0, 0.0, float(FRESH)]) if force.options.get("model") == "stick" else -1


def _in_joint(b: Additions, force: FlatForce) -> dict[str, Any]:
    joint = b.joint_number(force.joint, force.where)
    # a coordinate that moves b against a: the element reports what acts on a
    turned = b.moves_b(joint, force.coordinate)
    program = _law(b, force)
    return {
        "kind": FRICTION if force.kind == "joint_friction" else COORDINATE_FORCE,
        "coordinate": b.coordinate(joint, force.coordinate),
        "program": program,
        "static": _static(b, force, program),
        "memory": _memory(b, force),
        **_scalars(force, side=-1.0 if turned else 1.0),
    }


def _along_line(b: Additions, force: FlatForce) -> dict[str, Any]:
    place_a, place_b = both_places(force)
    arm = start_arm(b, place_a, place_b)
    marker_b, length, side = b.marker(place_b), float(np.linalg.norm(arm)), 0.0
    if "axis" in force.numbers:
        along = _axes(place_b, force.numbers["axis"], force.where)
        marker_b, side = b.marker(place_b, along), 1.0
        length = float(arm @ (b.pose(place_b.body).R @ along[:, 2]))
    program = _law(b, force)
    return {
        "kind": {"spring": SPRING, "friction": FRICTION, "bump_stop": BUMP_STOP}[force.kind],
        "a": b.marker(place_a),
        "b": marker_b,
        "program": program,
        "static": _static(b, force, program),
        "memory": _memory(b, force),
        **_scalars(force, length=length, side=side),
    }


def _axes(place: FlatPlace, axis: Any, where: Where) -> Any:
    """Axes (3, 3) on the body of a place whose z is an axis given in the axes of the place."""
    along = frame_along(np.asarray(axis, dtype=np.float64), where)
    return along if place.rotation is None else place.rotation @ along


def _bushing(b: Additions, force: FlatForce) -> dict[str, Any]:
    place_a, place_b = both_places(force)
    return {
        "kind": BUSHING,
        "a": b.marker(place_a),
        "b": b.marker(place_b),
        "bushing": {name: force.numbers[name] for name in ("stiffness", "damping", "preload")},
    }


def _point_load(b: Additions, force: FlatForce) -> dict[str, Any]:
    if force.a is None:
        raise force.where.error("has no place to act at", after=" ")
    names = ("fx", "fy", "fz", "tx", "ty", "tz")
    first = add_programs(b, [force.expressions.get(name, parse(0.0)) for name in names], {})
    return {
        "kind": POINT_LOAD,
        "a": b.marker(force.a),
        "b": b.marker(_WORLD),
        "program": first,
        "body_axes": int(force.numbers["body_axes"]),
    }


def _contact_plane(b: Additions, force: FlatForce) -> dict[str, Any]:
    place_a, place_b = both_places(force)
    names = ("stiffness", "damping", "radius", "exponent", "friction", "speed")
    return {
        "kind": CONTACT_PLANE,
        "a": b.marker(place_a),
        "b": b.marker(place_b, _axes(place_b, force.numbers["normal"], force.where)),
        **{name: float(force.numbers[name]) for name in names},
    }


def _user_force(b: Additions, force: FlatForce) -> dict[str, Any]:
    place_a, place_b = both_places(force)
    if force.function is None:
        raise force.where.error("has no Python function", after=" ")
    b.functions.append(UserFunction(force.name, force.function))
    return {
        "kind": USER_FORCE,
        "a": b.marker(place_a),
        "b": b.marker(place_b),
        "work": b.add_work(USER_VALUES),
        "user": b.functions[-1].address,
    }


def _wheel_rail(b: Additions, force: FlatForce) -> dict[str, Any]:
    place_a, place_b = both_places(force)
    return {"a": b.marker(place_a), "b": b.marker(place_b), **wheel_rail(b, force)}


def _wheel_on_track(b: Additions, force: FlatForce) -> dict[str, Any]:
    if force.a is None:
        raise force.where.error("has no place to act at", after=" ")
    return {"a": b.marker(force.a), "b": b.marker(_WORLD), **wheel_on_track(b, force)}


_EMITTERS: dict[str, Callable[[Additions, FlatForce], dict[str, Any]]] = {
    "joint_torque": _in_joint,
    "joint_force": _in_joint,
    "joint_friction": _in_joint,
    "spring": _along_line,
    "friction": _along_line,
    "bump_stop": _along_line,
    "bushing": _bushing,
    "point_load": _point_load,
    "contact_plane": _contact_plane,
    "user_force": _user_force,
    "wheel_rail": _wheel_rail,
    "wheel_on_track": _wheel_on_track,
}
