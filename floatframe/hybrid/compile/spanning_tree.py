"""Which joints carry the tree of joint coordinates and which are cut.

Prim's algorithm from the ground: of all joints that lead to a body not yet reached, the one with the fewest dofs
is taken, so that the tree has few coordinates and the cut joints have few constraint rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from floatframe.hybrid.compile.joint_steps import JOINT_DOFS
from floatframe.hybrid.flat import FlatBody, FlatJoint


@dataclass(frozen=True)
class Branch:
    """Body `child` hangs on body `parent` (-1: ground) by joint number `joint` (None: it floats freely against it)."""

    child: int
    parent: int
    joint: int | None
    reverse: bool  # the joint's place a is on the parent


def joint_dofs(joint: FlatJoint) -> int:
    if joint.kind == "general":
        return len(joint.steps)
    return JOINT_DOFS[joint.kind]


def can_branch(joint: FlatJoint, bodies: Sequence[FlatBody], particles: frozenset[int] = frozenset()) -> bool:
    """Joints on flexible bodies and particles, between subsystems, and those that leave no rotation frame are cut."""
    if joint.cut or joint.a.body in particles or joint.b.body in particles:
        return False
    if joint.kind != "general" and joint.kind not in JOINT_DOFS:
        return False
    ends = [bodies[place.body] for place in (joint.a, joint.b) if place.body >= 0]
    if any(body.reduced is not None for body in ends):
        return False
    return len({body.subsystem for body in ends}) <= 1 and joint.a.body != joint.b.body


def spanning_tree(
    bodies: Sequence[FlatBody], joints: Sequence[FlatJoint], particles: frozenset[int] = frozenset()
) -> tuple[Branch, ...]:
    """Branches in an order in which parents come first; bodies out of reach float on their own."""
    reached = {-1}
    branches: list[Branch] = []
    candidates = [k for k, joint in enumerate(joints) if can_branch(joint, bodies, particles)]
    while len(reached) <= len(bodies):
        open_joints = [k for k in candidates if (joints[k].a.body in reached) != (joints[k].b.body in reached)]
        if open_joints:
            k = min(open_joints, key=lambda k: (joint_dofs(joints[k]), k))
            reverse = joints[k].a.body in reached
            near, far = (joints[k].a, joints[k].b) if reverse else (joints[k].b, joints[k].a)
            branches.append(Branch(far.body, near.body, k, reverse))
            reached.add(far.body)
        else:
            child = min(set(range(len(bodies))) - reached)
            branches.append(Branch(child, _described_in(child, bodies, joints, reached), None, False))
            reached.add(child)
    return tuple(branches)


def _described_in(child: int, bodies: Sequence[FlatBody], joints: Sequence[FlatJoint], reached: set[int]) -> int:
    """The body in whose axes a flexible body is described: the rigid one that a free joint names, else the ground."""
    if bodies[child].reduced is not None:
        for joint in joints:
            free = joint.kind == "free" and not joint.cut and joint.a.body == child
            if free and joint.b.body >= 0 and joint.b.body in reached:
                other = bodies[joint.b.body]
                if other.reduced is None and other.subsystem == bodies[child].subsystem:
                    return joint.b.body
    return -1
