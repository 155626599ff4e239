"""Force elements of the description as records for the kernels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from floatframe.errors import ModelError
from floatframe.hybrid.compile import Build
from floatframe.hybrid.expression import parse
from floatframe.hybrid.flatten import FlatForce
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


def _coordinate_force(b: Build, force: FlatForce) -> dict[str, Any]:
    assert force.joint is not None
    joint = b.joint_number(force.joint, f"force '{force.name}'")
    (law,) = force.expressions.values()
    return {
        "kind": COORDINATE_FORCE,
        "coordinate": b.coordinate(joint, force.coordinate),
        "program": b.program(law, _COORDINATE_NAMES),
    }


def _spring(b: Build, force: FlatForce) -> dict[str, Any]:
    assert force.a is not None and force.b is not None
    law = force.expressions.get("force")
    length = force.numbers.get("length")
    if length is None:
        pose_a = b.poses[force.a.body].then(force.a.point, np.eye(3)).p if force.a.body >= 0 else force.a.point
        pose_b = b.poses[force.b.body].then(force.b.point, np.eye(3)).p if force.b.body >= 0 else force.b.point
        length = np.linalg.norm(pose_a - pose_b)
    numbers = [force.numbers.get("stiffness", 0.0), force.numbers.get("damping", 0.0), length]
    numbers.append(force.numbers.get("preload", 0.0))
    return {
        "kind": SPRING,
        "a": b.marker(force.a),
        "b": b.marker(force.b),
        "numbers": b.add_numbers([float(x) for x in numbers]),
        "program": -1 if law is None else b.program(law, _SPRING_NAMES),
    }


def _bushing(b: Build, force: FlatForce) -> dict[str, Any]:
    assert force.a is not None and force.b is not None
    numbers = force.numbers
    parts = [numbers["stiffness"], numbers.get("damping", np.zeros((6, 6))), numbers.get("preload", np.zeros(6))]
    return {
        "kind": BUSHING,
        "a": b.marker(force.a),
        "b": b.marker(force.b),
        "numbers": b.add_numbers(np.concatenate([np.asarray(part, dtype=np.float64).ravel() for part in parts])),
    }


def _point_load(b: Build, force: FlatForce) -> dict[str, Any]:
    assert force.a is not None
    names = ("fx", "fy", "fz", "tx", "ty", "tz")
    programs = [b.program(force.expressions.get(name, parse(0.0)), {}) for name in names]
    return {
        "kind": POINT_LOAD,
        "a": b.marker(force.a),
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
