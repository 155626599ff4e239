"""Kinds of force elements in the user's words, units of their parameters and laws and of what they report."""

from __future__ import annotations

from collections.abc import Container, Sequence

_FRICTION = {
    "force": "N (N m about an angle)",
    "speed": "m/s (rad/s)",
    "stiffness": "N/m (N m/rad)",
    "damping": "N s/m (N m s/rad)",
    "static": "1",
}
_LINE = {"stiffness": "N/m", "damping": "N s/m", "length": "m", "force": "N"}

# by kind of element: parameter -> unit
PARAMETER_UNITS: dict[str, dict[str, str]] = {
    "joint_torque": {"torque": "N m"},
    "joint_force": {"force": "N"},
    "joint_friction": _FRICTION,
    "spring": {**_LINE, "preload": "N"},
    "bushing": {"stiffness": "N/m, N m/rad", "damping": "N s/m, N m s/rad", "preload": "N, N m"},
    "point_load": {"force": "N", "torque": "N m"},
    "friction": {**_FRICTION, "axis": "1"},
    "bump_stop": {**_LINE, "clearance": "m", "rebound": "m"},
    "contact_plane": {
        "stiffness": "N/m^exponent",
        "damping": "N s/m",
        "radius": "m",
        "normal": "1",
        "exponent": "1",
        "friction": "1",
        "speed": "m/s",
    },
    "user_force": {"function": "s, m, 1, m/s, rad/s -> N, N m"},
    "wheel_rail": {
        "radius": "m",
        "conicity": "rad",
        "half_gauge": "m",
        "profile": "m",
        "lateral": "m",
        "vertical": "m",
        "stiffness": "N/m",
        "damping": "N s/m",
        "rail_radius": "m",
        "semi_axes": "m",
        "young": "Pa",
        "poisson": "1",
        "friction": "1",
        "friction_ratio": "1",
        "friction_decay": "s/m",
        "adhesion": "1",
        "slip": "1",
        "speed": "m/s",
    },
    "wheel_on_track": {
        "radius": "m",
        "friction": "1",
        "friction_ratio": "1",
        "friction_decay": "s/m",
        "adhesion": "1",
        "slip": "1",
        "damping": "s/m",
        "vertical_stiffness": "N/m",
        "lateral_stiffness": "N/m",
        "young": "Pa",
        "poisson": "1",
        "speed": "m/s",
        "strips": "1",
        "elements": "1",
    },
}
# coordinates of joints
COORDINATE_UNITS = {"angle": "rad", "displacement": "m"}
# variables of laws
VARIABLE_UNITS = {
    "t": "s",
    **COORDINATE_UNITS,
    "elongation": "m",
    "length": "m",
    "penetration": "m",
    "distance": "m",
    "rate": "m/s (rad/s of an angle)",
}
# by the coordinate that an element, a motion or a relation acts on: coordinate, its rate, what acts on it
_BY_COORDINATE = {"angle": ("rad", "rad/s", "N m"), "displacement": ("m", "m/s", "N")}


def report_units(coordinate: str) -> dict[str, str]:
    """Units of what an element reports; coordinate: "angle" in a joint that turns, else "displacement"."""
    length, rate, force = _BY_COORDINATE[coordinate]
    return {"value": force, "elongation": length, "rate": rate, "power": "W", "force": "N", "torque": "N m"}


def relation_unit(terms: Sequence[tuple[str, float]]) -> str:
    """Unit of what holds a relation of coordinates ("angle" or "displacement") with factors.

    It is the force on a coordinate with the factor one; factors between lengths and angles have units of their own.
    """
    kinds = {kind for kind, _ in terms}
    if len(kinds) > 1:
        kinds = {kind for kind, factor in terms if abs(factor) == 1.0}
    return _BY_COORDINATE[kinds.pop()][2] if len(kinds) == 1 else "N, N m"


def kind_in_words(kind: str, laws: Container[str]) -> str:
    """The kind of an element by the name the user gave it by; forces and torques at a place are one kind inside."""
    if kind != "point_load":
        return kind
    return "point_force" if "fx" in laws else "point_torque"
