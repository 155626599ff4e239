"""Where every body is at the start, if the user gave it; joints give the rest.

A body given a position keeps it (its attitude is the world's unless given). A body without one is put where a joint
to a body already placed wants it, of several the joint that determines most, with the attitude of that body turned
by the joint's start coordinates; on the ground that of the subsystem in which the joint is described.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from floatframe.arrays import Array, frozen
from floatframe.hybrid.description import about, frame_along, orthonormal
from floatframe.hybrid.flat import FlatBody, FlatJoint, FlatPlace


@dataclass(frozen=True)
class Pose:
    """Origin p (3,) and rotation R (3, 3) of a frame, in the frame it is given in."""

    p: Array
    R: Array

    def __post_init__(self) -> None:
        frozen(self.p)
        frozen(self.R)

    def then(self, p: Array, R: Array) -> Pose:
        """The pose of a frame given by p and R in this one."""
        return Pose(self.p + self.R @ p, self.R @ R)


GROUND = Pose(np.zeros(3), np.eye(3))
MOTION = {"angle": "rotate", "displacement": "translate"}
# joints whose start attitude is that of the bodies, whatever the axes of their places
UNTURNED = frozenset({"universal", "spherical", "free", "point_on_line", "point_on_plane", "distance"})
PARALLEL = 1e-9  # sine of an angle that counts as none
# of these the ones that do not even fix a point, and place a body only if no other joint does
LOOSE = UNTURNED - {"universal", "spherical"}


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
    telling = sorted(joints, key=lambda joint: (joint.kind in LOOSE, joint.kind in UNTURNED))
    while len(poses) <= len(bodies):
        joint = next((j for j in telling if (j.a.body in poses) != (j.b.body in poses)), None)
        if joint is None:
            k = min(set(range(len(bodies))) - set(poses))
            rotation = bodies[k].rotation
            poses[k] = Pose(bodies[k].home_position, bodies[k].home_rotation if rotation is None else rotation)
            continue
        forward = joint.b.body in poses
        near, far = (joint.b, joint.a) if forward else (joint.a, joint.b)
        pose = _hung_on(poses[near.body], bodies[far.body], joint, forward)
        poses[far.body] = Pose(pose.p, orthonormal(pose.R))
    return [poses[k] for k in range(len(bodies))]


def _hung_on(pose: Pose, body: FlatBody, joint: FlatJoint, forward: bool) -> Pose:
    """The pose of the body at the far side of a joint; `pose` is that of the body at b if forward, else at a."""
    zero_a, zero_b = zero_axes(joint)
    move = start_motion(joint, zero_b)
    if forward:
        place = pose.then(joint.b.point, zero_b).then(move.p, move.R)
        R = place.R @ zero_a.T if body.rotation is None else body.rotation
        if joint.kind == "universal" and body.rotation is None:
            R = _to_right_angle(R @ joint.a.axes @ joint.axis_a, pose.R @ joint.b.axes @ joint.axis) @ R
        return Pose(place.p - R @ joint.a.point, R)
    place = pose.then(joint.a.point, zero_a)
    R = place.R @ move.R.T @ zero_b.T if body.rotation is None else body.rotation
    if joint.kind == "universal" and body.rotation is None:
        R = _to_right_angle(R @ joint.b.axes @ joint.axis, pose.R @ joint.a.axes @ joint.axis_a) @ R
    return Pose(place.p - R @ (joint.b.point + zero_b @ move.p), R)


def _to_right_angle(own: Array, other: Array) -> Array:
    """The smallest rotation (3, 3) that makes one axis normal to another; none if they are so or are parallel."""
    normal = np.cross(own, other)
    sine, cosine = float(np.linalg.norm(normal)), float(own @ other)
    if sine < PARALLEL or abs(cosine) < PARALLEL:
        return np.eye(3)
    return about(normal / sine, float(np.arctan2(sine, cosine)) - 0.5 * np.pi)


def zero_axes(joint: FlatJoint) -> tuple[Array, Array]:
    """Axes (3, 3) on a and b, each in body axes, that agree where all coordinates are zero.

    They are the axes of the places if a has some of its own, else the axes of the bodies; axes on b alone turn the axis
    of a joint, but a fixed joint, which has none, holds its places together.
    """
    own = joint.a.has_own_axes or (joint.kind == "fixed" and joint.b.has_own_axes)
    if joint.kind == "general" or (own and joint.kind not in UNTURNED):
        return joint.a.axes, joint.b.axes
    return joint.a.body_axes, joint.b.body_axes


def start_motion(joint: FlatJoint, zero_b: Array) -> Pose:
    """What the start coordinates that the user gave make of the zero pose, in the axes zero_b (3, 3) on b."""
    frame = zero_b.T @ joint.b.axes @ frame_along(joint.axis, joint.where, joint.first)
    first, across, axis = frame.T
    given = iter([0.0 if value is None else float(value) for value in joint.start])
    steps: list[tuple[str, Array, float]] = []
    if joint.kind == "general":
        laws = iter(joint.driven)
        for step in joint.steps:
            value = step.value
            if value is None:
                law, start = next(laws), next(given)
                value = start if law is None else float(law.evaluate({"t": 0.0}, joint.tables))
            steps.append((step.motion, np.array(step.axis), value))
    elif joint.kind == "screw":
        angle = next(given)
        steps = [("translate", axis, joint.pitch * angle), ("rotate", axis, angle)]
    elif joint.kind in ("planar", "point_on_plane"):
        steps = [("translate", first, next(given)), ("translate", across, next(given))]
        steps += [("rotate", axis, value) for value in given]
    elif joint.kind != "universal":  # its angles count from the start pose
        steps = [(MOTION[kind], axis, value) for kind, value in zip(joint.coordinates, given, strict=True)]
    pose = GROUND
    for motion, direction, value in steps:
        pose = (
            pose.then(np.zeros(3), about(direction, value))
            if motion == "rotate"
            else pose.then(value * direction, np.eye(3))
        )
    return pose
