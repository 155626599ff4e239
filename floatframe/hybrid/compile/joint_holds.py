"""What a joint holds: the directions in which its two places cannot move against each other in the start pose.

A motion is a twist (6,): the velocity of the point at place a, then the angular velocity.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from floatframe.arrays import Array
from floatframe.hybrid.compile.start_poses import Pose
from floatframe.hybrid.compile.tree_links import joint_frames, joint_motion
from floatframe.hybrid.dense import null_space
from floatframe.hybrid.description import about, frame_along
from floatframe.hybrid.flat import FlatJoint

_SAME = 1e-9  # sine of an angle between directions that count as one


def held_directions(joint: FlatJoint, a: Pose, b: Pose, driven: Collection[int] = ()) -> tuple[Array, Array]:
    """Return directions C (6, h) with Cᵀ twist = 0, world axes, and the point (3,) that the twists are about.

    a and b are the start poses of the two bodies; `driven` are coordinates that a motion prescribes.
    """
    free, point = _free_twists(joint, a, b, driven)
    return null_space(free.T, rcond=_SAME) if free.size else np.eye(6), point


def _free_twists(joint: FlatJoint, a: Pose, b: Pose, driven: Collection[int]) -> tuple[Array, Array]:
    """Twists (6, f) that the joint allows, and the point they are about."""
    point = a.p + a.R @ joint.a.point
    if joint.kind in ("point_on_line", "point_on_plane", "distance"):
        return np.hstack([_sliding(joint, point, b, driven), np.vstack([np.zeros((3, 3)), np.eye(3)])]), point
    frames = joint_frames(joint, a, b)
    steps, values = joint_motion(joint, frames, a, b)
    here = b.then(frames.b.p, frames.b.R)
    laws = iter(joint.driven)
    found, coordinate = [], 0
    for step, value in zip(steps, values, strict=True):
        axis = here.R @ np.asarray(step.axis, dtype=float)
        arm = point - here.p
        if step.value is None:
            twists = {
                "rotate": [_turn(axis, arm)],
                "translate": [_shift(axis)],
                "screw": [_turn(axis, arm) + step.pitch * _shift(axis)],
                "ball": [_turn(e, arm) for e in np.eye(3)],
                "free": list(np.eye(6)),
            }[step.motion]
            prescribed = joint.kind == "general" and next(laws) is not None
            # both coordinates of a screw are one motion
            numbers = range(len(joint.coordinates)) if step.motion == "screw" else (coordinate,)
            if not prescribed and not set(numbers) & set(driven):
                found += twists
            coordinate += 1
        if step.motion in ("rotate", "screw"):
            shift = step.pitch * value if step.motion == "screw" else 0.0
            direction = np.asarray(step.axis, dtype=float)
            here = here.then(shift * direction, about(direction, float(value)))
        elif step.motion == "translate":
            here = here.then(float(value) * np.asarray(step.axis, dtype=float), np.eye(3))
    return np.array(found).reshape(-1, 6).T, point


def _sliding(joint: FlatJoint, point: Array, b: Pose, driven: Collection[int]) -> Array:
    """Translations (6, f) of a point that slides along a line, in a plane or on a sphere."""
    if joint.kind == "distance":
        gap = point - (b.p + b.R @ joint.b.point)
        directions = list(frame_along(gap / np.linalg.norm(gap), joint.where)[:, :2].T)
    else:
        first, across, axis = (b.R @ joint.b.axes @ frame_along(joint.axis, joint.where, joint.first)).T
        directions = [axis] if joint.kind == "point_on_line" else [first, across]
    kept = [_shift(direction) for k, direction in enumerate(directions) if k not in driven]
    return np.array(kept).reshape(-1, 6).T


def _turn(axis: Array, arm: Array) -> Array:
    return np.concatenate([np.cross(axis, arm), axis])


def _shift(axis: Array) -> Array:
    return np.concatenate([axis, np.zeros(3)])
