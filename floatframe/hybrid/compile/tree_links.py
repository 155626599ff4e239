"""The tree of links: every tree joint becomes a chain of one-joint links, the last of which carries the body."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from floatframe.arrays import AnyArray, Array
from floatframe.errors import Where
from floatframe.hybrid.compile.joint_fit import fitted_steps
from floatframe.hybrid.compile.joint_steps import STEPS, Step, reversed_steps
from floatframe.hybrid.compile.spanning_tree import Branch
from floatframe.hybrid.compile.start_poses import GROUND, Pose, axis_of, twist_angle, zero_axes
from floatframe.hybrid.description import about, frame_along, matrix_to_quaternion, orthonormal, quaternion_to_matrix
from floatframe.hybrid.flat import FlatBody, FlatJoint
from floatframe.hybrid.kernels import FIXED, FREE, JOINT_NV, LINK, PRISMATIC, REVOLUTE, SCREW, SPHERICAL

RIGHT_ANGLE = 1e-6  # cosine between the axes of a universal joint that counts as none
KIND = {"rotate": REVOLUTE, "translate": PRISMATIC, "screw": SCREW, "ball": SPHERICAL, "free": FREE}


@dataclass(frozen=True)
class Carrier:
    """The link a body is fixed to, and the body's pose in that link's frame."""

    link: int
    pose: Pose


@dataclass
class TreeLinks:
    """Links, coordinates and start values, grown body by body."""

    records: list[dict[str, Any]] = field(default_factory=list)
    carriers: dict[int, Carrier] = field(default_factory=lambda: {-1: Carrier(0, GROUND)})
    q0: list[float] = field(default_factory=list)
    nv: int = 0
    dofs: list[dict[str, int]] = field(default_factory=list)  # modal dofs have link -1
    joint_links: dict[int, tuple[int, bool]] = field(default_factory=dict)  # joint -> its last link, reversed
    joint_coordinates: dict[int, list[tuple[int, int]]] = field(default_factory=dict)  # joint -> (iq, iv) per step

    particles: dict[int, int] = field(default_factory=dict)  # body -> the first of its three speeds

    def __post_init__(self) -> None:
        self.records.append({"parent": 0, "kind": FIXED, "rotation": np.eye(3), "last_dof": -1, "flexible": -1})

    def add_link(self, parent: int, kind: int, pose: Pose, start: Array, pitch: float = 0.0) -> int:
        """A link whose joint sits at `pose` in the parent link's frame."""
        number, nv = len(self.records), JOINT_NV[kind]
        last = self.records[parent]["last_dof"]
        for k in range(nv):
            self.dofs.append({"link": number, "previous": last, "local": k})
            last = self.nv + k
        self.records.append(
            {
                "parent": parent,
                "kind": kind,
                "iq": len(self.q0),
                "iv": self.nv,
                "nv": nv,
                "last_dof": last,
                "flexible": -1,
                "pitch": pitch,
                "position": pose.p,
                "rotation": orthonormal(pose.R),
            }
        )
        self.q0.extend(float(x) for x in start)
        self.nv += nv
        return number

    def add_modes(self, link: int, n: int) -> tuple[int, int]:
        """Modal coordinates of the flexible body in this link; returns the first place in q and in v."""
        places = len(self.q0), self.nv
        self.q0.extend([0.0] * n)
        self.dofs.extend({"link": -1, "previous": -1, "local": k} for k in range(n))
        self.nv += n
        return places

    def add_floating(self, body: int, pose: Pose, parent: int = -1, around: Pose = GROUND) -> None:
        """A body that moves freely against another one, or the ground; around: the start pose of that one."""
        if parent < 0:
            self.carriers[body] = self.floating_link(pose)
            return
        carrier = self.carriers[parent]
        start = np.concatenate((around.R.T @ (pose.p - around.p), matrix_to_quaternion(around.R.T @ pose.R)))
        self.carriers[body] = Carrier(self.add_link(carrier.link, FREE, carrier.pose, start), GROUND)

    def floating_link(self, pose: Pose) -> Carrier:
        """A link that moves freely from a start pose in the world."""
        start = np.concatenate((pose.p, matrix_to_quaternion(pose.R)))
        return Carrier(self.add_link(0, FREE, GROUND, start), GROUND)

    def add_particle(self, body: int, pose: Pose) -> None:
        """Three displacements along the world's axes; the attitude stays that of the start."""
        self.particles[body] = self.nv
        link, here = 0, GROUND
        for axis, value in zip(np.eye(3), pose.p, strict=True):
            Q = frame_along(axis, Where("particle"))
            link = self.add_link(link, PRISMATIC, here.then(np.zeros(3), Q), np.atleast_1d(value))
            here = Pose(np.zeros(3), Q.T)
        self.carriers[body] = Carrier(link, here.then(np.zeros(3), pose.R))

    def add_branch(self, branch: Branch, joint: FlatJoint, parent: Pose, child: Pose) -> None:
        """The links of a tree joint; `parent` and `child` are the start poses of the two bodies in the world."""
        number = -1 if branch.joint is None else branch.joint
        on_b, on_a = (child, parent) if branch.reverse else (parent, child)
        frames = joint_frames(joint, on_a, on_b)
        steps, start = joint_motion(joint, frames, on_a, on_b)
        carrier = self.carriers[branch.parent]
        self.carriers[branch.child] = self.add_chain(number, carrier, frames, steps, start, branch.reverse)

    def add_chain(
        self,
        number: int,
        carrier: Carrier,
        frames: JointFrames,
        steps: tuple[Step, ...],
        start: list[Any],
        reverse: bool,
    ) -> Carrier:
        """Links that make the steps of joint `number` from its body b on `carrier` to a, or with `reverse` from a to b.

        Returns the last link and the frame of the body at the far side in it.
        """
        if reverse:
            steps, start = reversed_steps(steps), start[::-1]
            near, far = frames.a, frames.b
        else:
            near, far = frames.b, frames.a
        link, here = carrier.link, carrier.pose.then(near.p, near.R)
        coordinates = []
        free = [value for step, value in zip(steps, start, strict=True) if step.value is None]
        for step, value in zip(steps, start, strict=True):
            if step.value is not None:
                here = here.then(*constant_motion(step))
                continue
            # the link's z axis is the step's axis; afterwards the joint frame's own orientation is restored
            Q = (
                frame_along(np.array(step.axis), Where("joint step"))
                if step.motion in ("rotate", "translate", "screw")
                else np.eye(3)
            )
            coordinates.append((len(self.q0), self.nv))
            if reverse and step.motion in ("ball", "free"):
                value = reversed_start(step.motion, value)
            link = self.add_link(link, KIND[step.motion], here.then(np.zeros(3), Q), np.atleast_1d(value), step.pitch)
            here = Pose(np.zeros(3), Q.T)
        if not free:
            link = self.add_link(link, FIXED, here, np.empty(0))
            here = GROUND
        self.joint_links[number] = link, reverse
        self.joint_coordinates[number] = coordinates[::-1] if reverse else coordinates
        # body frame in the joint frame of the far side
        return Carrier(link, here.then(-far.R.T @ far.p, far.R.T))

    def add_rigid_mass(self, body: FlatBody, carrier: Carrier) -> None:
        """Put the mass of a body into its link."""
        self.records[carrier.link] |= mass_in_link(body, carrier)

    def table(self) -> AnyArray:
        links = np.zeros(len(self.records), LINK)
        for number, record in enumerate(self.records):
            for name, value in record.items():
                links[number][name] = value
        return links


def mass_in_link(body: FlatBody, carrier: Carrier) -> dict[str, Any]:
    """Mass properties of a rigid body, given in its own axes, in its link's frame."""
    com = carrier.pose.p + carrier.pose.R @ body.com
    inertia = carrier.pose.R @ body.inertia @ carrier.pose.R.T
    return {
        "mass": body.mass,
        "moment": body.mass * com,
        "inertia": inertia + body.mass * (com @ com * np.eye(3) - np.outer(com, com)),
    }


@dataclass(frozen=True)
class JointFrames:
    """The joint's frames on its two bodies, each in body axes, and the angle about the axis at the start."""

    a: Pose
    b: Pose
    angle: float


def joint_frames(joint: FlatJoint, a: Pose, b: Pose) -> JointFrames:
    """Frames that agree with the start poses of the bodies: the axis of b as it lies in a at the start.

    The angle is zero where the axes of the two bodies agree, if turning about the joint's axis can make them agree.
    """
    along = frame_along(joint.axis, joint.where, joint.first)
    if joint.kind in ("spherical", "free", "general"):
        return JointFrames(Pose(joint.a.point, joint.a.axes), Pose(joint.b.point, joint.b.axes), 0.0)
    on_b = joint.b.axes @ along
    relative = b.R.T @ a.R
    zero_a, zero_b = zero_axes(joint)
    angle = 0.0
    if joint.kind not in ("fixed", "universal", "prismatic"):
        angle = twist_angle(zero_b.T @ relative @ zero_a, zero_b.T @ axis_of(joint.b, joint.axis))
    if joint.a.has_own_axes and joint.kind != "universal":
        on_a = joint.a.axes @ along
    else:
        on_a = relative.T @ about(axis_of(joint.b, joint.axis), angle) @ on_b
    return JointFrames(Pose(joint.a.point, on_a), Pose(joint.b.point, on_b), angle)


def joint_motion(joint: FlatJoint, frames: JointFrames, a: Pose, b: Pose) -> tuple[tuple[Step, ...], list[Any]]:
    """Steps from b to a and their start values: what the user gave, else what the start poses say."""
    frame_b = b.then(frames.b.p, frames.b.R)
    frame_a = a.then(frames.a.p, frames.a.R)
    shift = frame_b.R.T @ (frame_a.p - frame_b.p)
    turn = frame_b.R.T @ frame_a.R
    guess: list[Any]
    if joint.kind == "screw":
        steps: tuple[Step, ...] = (Step("screw", pitch=joint.pitch),)
        guess = [frames.angle]
    elif joint.kind == "universal":
        second = frames.b.R.T @ b.R.T @ a.R @ second_axis(joint)
        if abs(second[2]) > RIGHT_ANGLE:
            degrees = float(np.degrees(np.arccos(second[2])))
            raise joint.where.error(
                f"its two axes make an angle of {degrees:.4g} degrees in the start pose, "
                "expected a right one; turn axis_a, axis_b or the bodies"
            )
        steps = (Step("rotate"), Step("rotate", (float(second[0]), float(second[1]), float(second[2]))))
        guess = [0.0, 0.0]
    elif joint.kind == "general":
        steps = tuple(Step(step.motion, step.axis, step.value) for step in joint.steps)
        guess = fitted_steps(joint, Pose(shift, turn))
    else:
        steps = STEPS[joint.kind]
        guess = {
            "fixed": [],
            "revolute": [frames.angle],
            "prismatic": [shift[2]],
            "cylindrical": [shift[2], frames.angle],
            "planar": [shift[0], shift[1], frames.angle],
            "spherical": [matrix_to_quaternion(turn)],
            "free": [np.concatenate((shift, matrix_to_quaternion(turn)))],
        }[joint.kind]
    given = list(joint.start) + [None] * (len(guess) - len(joint.start))
    if joint.kind in ("spherical", "free"):
        return steps, guess
    free = iter(given)
    return steps, [
        step.value if step.value is not None else _first(next(free), default)
        for step, default in zip(steps, guess, strict=True)
    ]


def second_axis(joint: FlatJoint) -> Array:
    """The axis (3,) of a universal joint that is fixed on a, in the axes of body a."""
    axis = np.asarray(joint.axis_a, dtype=float)
    return axis if joint.a.rotation is None else joint.a.rotation @ axis


def _first(value: float | None, default: float) -> float:
    return default if value is None else float(value)


def constant_motion(step: Step) -> tuple[Array, Array]:
    axis = np.array(step.axis)
    value = step.value or 0.0
    if step.motion == "rotate":
        return np.zeros(3), about(axis, value)
    return value * axis, np.eye(3)


def reversed_start(motion: str, value: Array) -> Array:
    """Start coordinates of a ball or free joint seen from the other side."""
    w, x, y, z = value[-4:]
    turned = np.array([w, -x, -y, -z])
    if motion == "ball":
        return turned
    R = quaternion_to_matrix(value[-4:])
    return np.concatenate((-R.T @ value[:3], turned))
