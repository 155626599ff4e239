"""Where every body is at the start, as far as the user said; joints tell the rest.

A body given a position keeps it (its attitude is the world's unless given). A body without one is put where a joint
to a body already placed wants it, with the attitude of that body turned by the joint's start coordinate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from floatframe.arrays import Array
from floatframe.hybrid.flat import FlatBody, FlatJoint, FlatPlace
from floatframe.hybrid.rotations import about


@dataclass(frozen=True)
class Pose:
    """Origin p (3,) and rotation R (3, 3) of a frame, in the frame it is given in."""

    p: Array
    R: Array

    def then(self, p: Array, R: Array) -> Pose:
        """The pose of a frame given by p and R in this one."""
        return Pose(self.p + self.R @ p, self.R @ R)


GROUND = Pose(np.zeros(3), np.eye(3))


def twist_angle(R: Array, axis: Array) -> float:
    """The angle about `axis` that R contains (swing and twist), between -pi and pi."""
    spin = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    w = 1.0 + np.trace(R)
    along = float(spin @ axis)
    if w < 1e-9 and abs(along) < 1e-9:  # a half turn: about the axis itself or about one normal to it
        return float(np.pi) if axis @ R @ axis > 0.0 else 0.0
    return float(2.0 * np.arctan2(along, w))


def axis_of(place: FlatPlace, axis: Array) -> Array:
    """The joint axis in the axes of the body of place b."""
    return axis if place.rotation is None else place.rotation @ axis


def start_poses(bodies: Sequence[FlatBody], joints: Sequence[FlatJoint]) -> list[Pose]:
    """Start pose of every body in the world."""
    poses: dict[int, Pose] = {-1: GROUND}
    for k, body in enumerate(bodies):
        if body.position is not None:
            poses[k] = Pose(body.position, body.home_rotation if body.rotation is None else body.rotation)
    while len(poses) <= len(bodies):
        joint = next((j for j in joints if (j.a.body in poses) != (j.b.body in poses)), None)
        if joint is None:
            k = min(set(range(len(bodies))) - set(poses))
            rotation = bodies[k].rotation
            poses[k] = Pose(bodies[k].home_position, bodies[k].home_rotation if rotation is None else rotation)
            continue
        forward = joint.b.body in poses
        near, far = (joint.b, joint.a) if forward else (joint.a, joint.b)
        poses[far.body] = _hung_on(poses[near.body], near, far, bodies[far.body], joint, forward)
    return [poses[k] for k in range(len(bodies))]


def _hung_on(pose: Pose, near: FlatPlace, far: FlatPlace, body: FlatBody, joint: FlatJoint, forward: bool) -> Pose:
    axis = axis_of(joint.b, joint.axis)
    angle, shift = start_values(joint)
    sign = 1.0 if forward else -1.0
    R = pose.R @ about(axis, sign * angle) if body.rotation is None else body.rotation
    place = pose.p + pose.R @ near.point + sign * shift * (pose.R @ axis)
    return Pose(place - R @ far.point, R)


def start_values(joint: FlatJoint) -> tuple[float, float]:
    """Start angle and displacement along the axis that the user gave, zero if none."""
    given = [0.0 if value is None else float(value) for value in joint.start] + [0.0, 0.0]
    if joint.kind in ("revolute", "screw"):
        return given[0], joint.pitch * given[0] if joint.kind == "screw" else 0.0
    if joint.kind == "prismatic":
        return 0.0, given[0]
    if joint.kind == "cylindrical":
        return given[1], given[0]
    return 0.0, 0.0
