"""Force elements of the description as records for the kernels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from floatframe.errors import ModelError
from floatframe.hybrid.build import Build
from floatframe.hybrid.compile_programs import add_program
from floatframe.hybrid.expression import parse
from floatframe.hybrid.flat import FlatForce, FlatPlace
from floatframe.hybrid.layout import (
    BUSHING,
    COORDINATE_FORCE,
    POINT_LOAD,
    SLOT_COORDINATE,
    SLOT_LENGTH,
    SLOT_RATE,
    SPRING,
)

_COORDINATE_NAMES = {
    "angle": SLOT_COORDINATE,
    "displacement": SLOT_COORDINATE,
    "coordinate": SLOT_COORDINATE,
    "rate": SLOT_RATE,
}
_SPRING_NAMES = {"elongation": SLOT_COORDINATE, "rate": SLOT_RATE, "length": SLOT_LENGTH}
_UNUSED = {"a": -1, "b": -1, "coordinate": -1, "program": -1, "numbers": -1, "memory": -1, "user": -1}


def add_force(b: Build, force: FlatForce) -> None:
    """Add one force element to the build."""
    if force.kind not in _EMITTERS:
        raise ModelError(f"force '{force.name}': elements of kind '{force.kind}' cannot be compiled")
    b.forces.append({**_UNUSED, **_EMITTERS[force.kind](b, force)})


def one_place(force: FlatForce) -> FlatPlace:
    """Place a of an element that acts at one place."""
    if force.a is None:
        raise ModelError(f"{force.kind} '{force.name}' has no place to act at")
    return force.a


def both_places(force: FlatForce) -> tuple[FlatPlace, FlatPlace]:
    """The two places of an element."""
    if force.a is None or force.b is None:
        raise ModelError(f"{force.kind} '{force.name}' needs two places, a and b")
    return force.a, force.b


def start_distance(b: Build, one: FlatPlace, other: FlatPlace) -> float:
    """Distance (m) of two places in the start poses."""
    ends = [b.pose(place.body).then(place.point, np.eye(3)).p for place in (one, other)]
    return float(np.linalg.norm(ends[0] - ends[1]))


def _coordinate_force(b: Build, force: FlatForce) -> dict[str, Any]:
    joint = b.joint_number(force.joint, f"force '{force.name}'")
    (law,) = force.expressions.values()
    return {
        "kind": COORDINATE_FORCE,
        "coordinate": b.coordinate(joint, force.coordinate),
        "program": add_program(b, law, _COORDINATE_NAMES),
    }


def _spring(b: Build, force: FlatForce) -> dict[str, Any]:
    place_a, place_b = both_places(force)
    law = force.expressions.get("force")
    given: dict[str, Any] = {"length": start_distance(b, place_a, place_b), **force.numbers}
    numbers = [float(given.get(name, 0.0)) for name in ("stiffness", "damping", "length", "preload")]
    return {
        "kind": SPRING,
        "a": b.marker(place_a),
        "b": b.marker(place_b),
        "numbers": b.add_numbers(numbers),
        "program": -1 if law is None else add_program(b, law, _SPRING_NAMES),
    }


def _bushing(b: Build, force: FlatForce) -> dict[str, Any]:
    place_a, place_b = both_places(force)
    numbers = force.numbers
    parts = [numbers["stiffness"], numbers.get("damping", np.zeros((6, 6))), numbers.get("preload", np.zeros(6))]
    return {
        "kind": BUSHING,
        "a": b.marker(place_a),
        "b": b.marker(place_b),
        "numbers": b.add_numbers(np.concatenate([np.asarray(part, dtype=np.float64).ravel() for part in parts])),
    }


def _point_load(b: Build, force: FlatForce) -> dict[str, Any]:
    place = one_place(force)
    names = ("fx", "fy", "fz", "tx", "ty", "tz")
    programs = [add_program(b, force.expressions.get(name, parse(0.0)), {}) for name in names]
    return {
        "kind": POINT_LOAD,
        "a": b.marker(place),
        "program": programs[0],
        "numbers": b.add_numbers([float(force.numbers.get("body_axes", 0.0))]),
    }


_EMITTERS: dict[str, Callable[[Build, FlatForce], dict[str, Any]]] = {
    "joint_torque": _coordinate_force,
    "joint_force": _coordinate_force,
    "spring": _spring,
    "bushing": _bushing,
    "point_load": _point_load,
}
