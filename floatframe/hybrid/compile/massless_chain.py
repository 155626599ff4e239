"""General joints that cannot be a branch of the tree: on flexible bodies, between subsystems, closing a loop.

Links without mass make the steps of the joint, from its place b to where place a has to be, and are welded there to a.
So the joint keeps its coordinates, and forces, motions and channels find them as in a tree. The chain begins on a body
that is rigid; between two flexible bodies a floating link without mass, welded to the node, begins it. The mass matrix
has zero rows there; bordered by the welds the equations are regular all the same, wherever the steps are independent.
"""

from __future__ import annotations

from floatframe.hybrid.compile.build import Build
from floatframe.hybrid.compile.index import CutJoint
from floatframe.hybrid.compile.joint_fit import idle_motion
from floatframe.hybrid.compile.tree_links import joint_frames, joint_motion
from floatframe.hybrid.flat import FlatJoint


def add_massless_chain(b: Build, number: int, joint: FlatJoint) -> None:
    """The links and the rows of a general joint that is cut."""
    pose_a, pose_b = b.pose(joint.a.body), b.pose(joint.b.body)
    frames = joint_frames(joint, pose_a, pose_b)
    steps, start = joint_motion(joint, frames, pose_a, pose_b)
    if idle_motion(joint, start):
        raise joint.where.at("steps").error(
            "in the start pose its steps can move together without moving anything (axes that coincide, "
            " or over six steps), so their coordinates are not unique. Leave out a step, or start elsewhere"
        )
    reverse = joint.b.body in b.flexible_of and joint.a.body not in b.flexible_of
    near, far = (joint.a, joint.b) if reverse else (joint.b, joint.a)
    near_frame, far_frame = (frames.a, frames.b) if reverse else (frames.b, frames.a)
    carrier = b.tree.carriers[near.body]
    if near.body in b.flexible_of:
        carrier = b.tree.floating_link(b.pose(near.body))
        b.add_rows(joint.name, "fixed", b.marker_on(carrier, near_frame), b.marker(near, near_frame.R))
    end = b.tree.add_chain(number, carrier, frames, steps, start, reverse)
    first = len(b.rows)
    on_end, on_far = b.marker_on(end, far_frame), b.marker(far, far_frame.R)
    b.add_rows(joint.name, "fixed", on_far, on_end)
    b.cut_joints[number] = CutJoint(on_far, on_end, first, len(b.rows), frames)
