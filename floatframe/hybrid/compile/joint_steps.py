"""Joints as sequences of elementary motions from place b to place a, and as constraint rows when they are cut.

The joint frame has z along the joint's axis. Steps act one after another, each in the frame left by the one before;
frames of all steps keep the joint frame's orientation at zero coordinates.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from floatframe.hybrid.kernels import ANGLE, COINCIDE, DISPLACEMENT, DISTANCE, IN_PLANE, PERPENDICULAR

X, Y, Z = 0, 1, 2


@dataclass(frozen=True)
class Step:
    """One elementary motion: about or along `axis` (3,) of the joint frame by a coordinate or by a constant `value`."""

    motion: Literal["rotate", "translate", "screw", "ball", "free"]
    axis: tuple[float, float, float] = (0.0, 0.0, 1.0)
    value: float | None = None  # None: a free coordinate
    pitch: float = 0.0


_X, _Y, _Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)

#: joints that can carry a branch of the tree; universal and general joints build their steps from their own axes
STEPS: dict[str, tuple[Step, ...]] = {
    "fixed": (),
    "revolute": (Step("rotate", _Z),),
    "prismatic": (Step("translate", _Z),),
    "cylindrical": (Step("translate", _Z), Step("rotate", _Z)),
    "spherical": (Step("ball"),),
    "planar": (Step("translate", _X), Step("translate", _Y), Step("rotate", _Z)),
    "free": (Step("free"),),
}

_POINT = tuple((COINCIDE, X, k) for k in range(3))
_PARALLEL_Z = ((PERPENDICULAR, Z, X), (PERPENDICULAR, Z, Y))
_SAME_ATTITUDE = ((PERPENDICULAR, X, Y), (PERPENDICULAR, Y, Z), (PERPENDICULAR, Z, X))
_ON_LINE = ((IN_PLANE, X, X), (IN_PLANE, X, Y))

#: constraint rows (kind, axis of a, axis of b) of a cut joint
ROWS: dict[str, tuple[tuple[int, int, int], ...]] = {
    "fixed": (*_POINT, *_SAME_ATTITUDE),
    "revolute": (*_POINT, *_PARALLEL_Z),
    "prismatic": (*_ON_LINE, *_SAME_ATTITUDE),
    "cylindrical": (*_ON_LINE, *_PARALLEL_Z),
    "screw": (*_ON_LINE, *_PARALLEL_Z),
    "spherical": _POINT,
    "universal": (*_POINT, (PERPENDICULAR, X, Z)),
    "planar": ((IN_PLANE, X, Z), *_PARALLEL_Z),
    "free": (),
    "point_on_line": _ON_LINE,
    "point_on_plane": ((IN_PLANE, X, Z),),
    "distance": ((DISTANCE, X, X),),
}

#: coordinates (kind, axis of b) that can be measured in a cut joint, in the order of the joint's own coordinates;
#: the second angle of a universal joint is about the axis of a
MEASURES: dict[str, tuple[tuple[int, int], ...]] = {
    "revolute": ((ANGLE, Z),),
    "prismatic": ((DISPLACEMENT, Z),),
    "cylindrical": ((DISPLACEMENT, Z), (ANGLE, Z)),
    "screw": ((ANGLE, Z), (DISPLACEMENT, Z)),
    "universal": ((ANGLE, Z), (ANGLE, X)),
    "planar": ((DISPLACEMENT, X), (DISPLACEMENT, Y), (ANGLE, Z)),
    "point_on_line": ((DISPLACEMENT, Z),),
    "point_on_plane": ((DISPLACEMENT, X), (DISPLACEMENT, Y)),
}

#: velocity coordinates a joint leaves free
JOINT_DOFS: dict[str, int] = {
    "fixed": 0,
    "revolute": 1,
    "prismatic": 1,
    "screw": 1,
    "cylindrical": 2,
    "universal": 2,
    "spherical": 3,
    "planar": 3,
    "free": 6,
}


def reversed_steps(steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """The same motion seen from a: b relative to a, with the same coordinates."""
    flipped = []
    for step in reversed(steps):
        x, y, z = step.axis
        flipped.append(Step(step.motion, (-x, -y, -z), step.value, step.pitch))
    return tuple(flipped)
