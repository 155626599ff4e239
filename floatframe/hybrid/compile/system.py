"""From a flat description to the flat arrays of a System."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from operator import is_
from typing import Any

import numpy as np

from floatframe.arrays import Array, frozen
from floatframe.errors import Where
from floatframe.expressions import Expression, parse
from floatframe.hybrid.compile.arrays import extended, finished
from floatframe.hybrid.compile.build import Additions, Build, flexible_part
from floatframe.hybrid.compile.expression_rows import add_constraint
from floatframe.hybrid.compile.flexible import matrices_start, pack_body
from floatframe.hybrid.compile.forces import add_force
from floatframe.hybrid.compile.index import CutJoint, Skeleton, SystemIndex
from floatframe.hybrid.compile.joint_steps import MEASURES
from floatframe.hybrid.compile.massless_chain import add_massless_chain
from floatframe.hybrid.compile.particles import particles
from floatframe.hybrid.compile.programs import add_held, add_program, add_states
from floatframe.hybrid.compile.spanning_tree import Branch, can_branch, spanning_tree
from floatframe.hybrid.compile.start_poses import Pose, start_poses
from floatframe.hybrid.compile.tree_links import (
    RIGHT_ANGLE,
    Carrier,
    JointFrames,
    joint_frames,
    mass_in_link,
    second_axis,
)
from floatframe.hybrid.flat import FlatJoint, FlatModel
from floatframe.hybrid.kernels import (
    ANGLE,
    OFF,
    RELATION,
    Tables,
    sealed,
)

COINCIDING = 1e-12  # distance of two points, over their own coordinates, that counts as none


def compiled(
    model: FlatModel, like: Skeleton | None = None, poses: Sequence[Pose] | None = None
) -> tuple[SystemIndex, Tables]:
    """Index and arrays of a model, with all its constraint rows; like: a skeleton to take over if it fits.

    poses: start poses of the bodies, where others than the model's own say how its joints lie.
    """
    skeleton = like if like is not None and _fits(like, model) else Skeleton(*finished(build(model, poses)))
    if skeleton is like:
        skeleton = with_masses(like, model)
    index = replace(skeleton.index, model=model, skeleton=skeleton)
    tables = skeleton.tables._replace(gravity=np.array(model.gravity, dtype=np.float64))
    index, tables = extended(index, tables, forces(index, tables))
    return _with_starts(index), tables


def with_other_masses(like: SystemIndex, tables: Tables, model: FlatModel) -> tuple[SystemIndex, Tables] | None:
    """Index and arrays of a model that differs from another one in masses and gravity alone; None if it does not.

    like, tables: those of the other model, with the rows that its system keeps. What systems must not share, functions
    of users and wheels on a track, is made for each, and so is damping that follows from the joints.
    """
    skeleton, own = like.skeleton, like.model
    if like.functions or like.wheels or any(body.held_ratios is not None for body in model.bodies):
        return None
    kept = [(own.forces, model.forces), (own.states, model.states), (own.signals, model.signals)]
    kept.append((own.held, model.held))
    if skeleton is None or not all(_identical(mine, theirs) for mine, theirs in kept) or not _fits(skeleton, model):
        return None
    changed = with_masses(skeleton, model)
    tables = tables._replace(links=changed.tables.links, gravity=np.array(model.gravity, dtype=np.float64))
    return replace(like, model=model, skeleton=changed), sealed(tables)


def _identical(one: Sequence[Any], other: Sequence[Any]) -> bool:
    return len(one) == len(other) and all(map(is_, one, other))


def _with_starts(index: SystemIndex) -> SystemIndex:
    """The index with the start values of what its model keeps in the memory; a skeleton may know others."""
    if not index.model.kept:
        return index
    memory = index.room.memory.copy()
    for one in index.model.kept:
        memory[index.numbers.states[one.name]] = one.start or 0.0
    return replace(index, room=replace(index.room, memory=frozen(memory)))


def _fits(skeleton: Skeleton, model: FlatModel) -> bool:
    """Whether a model has this skeleton: these joints and relations, bodies with other masses at most.

    No force may turn a particle.
    """
    own = skeleton.index.model
    kept = [(own.joints, model.joints), (own.relations, model.relations), (own.constraints, model.constraints)]
    if model.constraints:  # their equations contain those of signals and states
        kept += [(own.signals, model.signals), (own.states, model.states)]
    return (
        all(_identical(mine, theirs) for mine, theirs in kept)
        and len(own.bodies) == len(model.bodies)
        and all(a is b or a.differs_in_mass(b) for a, b in zip(own.bodies, model.bodies, strict=True))
        and (own.idle, own.idle_at_start) == (model.idle, model.idle_at_start)
        and particles(model) == skeleton.index.tree.particles.keys()
    )


def with_masses(skeleton: Skeleton, model: FlatModel) -> Skeleton:
    """The skeleton with the masses of a model that it fits."""
    own = skeleton.index
    changed = [k for k, body in enumerate(model.bodies) if body is not own.model.bodies[k]]
    if not changed:
        return skeleton
    links = skeleton.tables.links.copy()
    for k in changed:
        carrier = own.tree.carriers[k]
        for name, value in mass_in_link(model.bodies[k], carrier).items():
            links[carrier.link][name] = value
    index, tables = replace(own, model=model), sealed(skeleton.tables._replace(links=links))
    return Skeleton(index, tables, skeleton.bones)


def forces(index: SystemIndex, tables: Tables) -> Additions:
    """Collect the forces of a model, what is measured for its stages, and its states."""
    model, b = index.model, Additions.behind(index, tables)
    for number, force in enumerate(model.forces):
        add_force(b, force)
        if force.name in model.off:
            b.forces[number] |= {"kind": OFF, "memory": -1}
    for when in model.whens:
        add_program(b, when, {})
    add_states(b)
    add_held(b)
    return b


def build(model: FlatModel, poses: Sequence[Pose] | None = None) -> Build:
    """Collect links, markers and rows of a model."""
    if poses is None:
        poses = start_poses(model.bodies, [joint for joint in model.joints if joint.name not in model.idle_at_start])
    b = Build(model, poses)
    points = particles(model)
    for branch in branches_of(model):
        body = model.bodies[branch.child]
        if branch.child in points:
            b.tree.add_particle(branch.child, poses[branch.child])
        elif branch.joint is None:
            b.tree.add_floating(branch.child, poses[branch.child], branch.parent, b.pose(branch.parent))
        else:
            joint = model.joints[branch.joint]
            b.tree.add_branch(branch, joint, b.pose(branch.parent), poses[branch.child])
        carrier = b.tree.carriers[branch.child]
        if body.reduced is None:
            b.tree.add_rigid_mass(body, carrier)
        else:
            _add_flexible(b, branch.child, carrier)
    for k, joint in enumerate(model.joints):
        if k not in b.tree.joint_links:
            _add_cut_joint(b, k, joint)
    for relation in model.relations:
        _add_relation(b, relation.name, relation.terms, relation.value)
    for joint in model.joints:
        if joint.kind == "general":
            _drive_general(b, joint)
    for constraint in model.constraints:
        add_constraint(b, constraint)
    return b


def branches_of(model: FlatModel) -> tuple[Branch, ...]:
    """How the bodies of a model hang on each other and on the ground."""
    return spanning_tree(model.bodies, model.joints, particles(model))


def may_carry(model: FlatModel, joint: FlatJoint) -> bool:
    """Whether a joint could be a branch of the tree of a model."""
    return can_branch(joint, model.bodies, particles(model))


def _add_flexible(b: Build, body: int, carrier: Carrier) -> None:
    description = b.model.bodies[body]
    reduced = flexible_part(description)
    # damping as held is put in later, by `with_damping`; of one mode the matrix is its diagonal
    known = description.held_ratios is None or reduced.nmode == 1
    numbers, diagonal = pack_body(reduced, description.damping, description.stiffening, known)
    n = reduced.nmode
    iq, iv = b.tree.add_modes(carrier.link, n)
    b.flexible_of[body] = len(b.flexible)
    b.tree.records[carrier.link]["flexible"] = len(b.flexible)
    work = b.add_work(12 * n + 9)
    mass, coriolis = float(reduced.inertia.m), 1.0 if description.coriolis else 0.0
    constants = b.add_numbers(numbers)
    matrices = constants + matrices_start(n)
    b.flexible.append(
        {
            "link": carrier.link,
            "iq": iq,
            "iv": iv,
            "n": n,
            "constants": constants,
            "matrices": matrices,
            "work": work,
            "diagonal": int(diagonal),
            "mass": mass,
            "coriolis": coriolis,
        }
    )


def _add_cut_joint(b: Build, number: int, joint: FlatJoint) -> None:
    if joint.kind == "general":
        add_massless_chain(b, number, joint)
        return
    pose_a, pose_b = b.pose(joint.a.body), b.pose(joint.b.body)
    frames = joint_frames(joint, pose_a, pose_b)
    if joint.kind == "universal":
        frames = _universal_frames(joint, frames, pose_b.R.T @ pose_a.R)
    a, bm = b.marker(joint.a, frames.a.R), b.marker(joint.b, frames.b.R)
    first = len(b.rows)
    length = 0.0
    if joint.kind == "distance":
        gap = pose_a.then(frames.a.p, np.eye(3)).p - pose_b.then(frames.b.p, np.eye(3)).p
        length = float(np.linalg.norm(gap)) if joint.length is None else float(joint.length)
        # of points that coincide rounding leaves a distance
        if length <= COINCIDING * max(np.abs((pose_a.p, frames.a.p, pose_b.p, frames.b.p)).max(), abs(length)):
            raise joint.where.error(
                f"its distance is {length:.2g} m, expected a positive one; give its length "
                "and the positions of its bodies, or make it a spherical joint"
            )
    b.add_rows(joint.name, joint.kind, a, bm, length)
    b.cut_joints[number] = CutJoint(a, bm, first, len(b.rows), frames)
    for k, (kind, _) in enumerate(MEASURES.get(joint.kind, ())[: len(joint.coordinates)]):
        if kind == ANGLE:
            b.coordinate(number, k)  # counts turns from the start on, whether or not something asks for it
    if joint.kind == "screw":
        _add_relation(b, joint.name, ((joint.name, 1, 1.0), (joint.name, 0, -joint.pitch)), parse(0.0))
        b.cut_joints[number] = CutJoint(a, bm, first, len(b.rows), frames)
    for k, given in enumerate(zip(joint.start, joint.start_rate, strict=True)):
        if given != (None, None):
            b.coordinate(number, k)  # measured, so that the start can follow it


def _universal_frames(joint: FlatJoint, frames: JointFrames, relative: Array) -> JointFrames:
    """x of a's frame along the axis fixed on a, z of b's along that on b; they agree where both angles are zero.

    relative (3, 3): the axes of body a in those of body b at the start.
    """
    x_a, z_b = second_axis(joint), frames.b.R[:, 2]
    if np.linalg.norm(np.cross(relative @ x_a, z_b)) < RIGHT_ANGLE:
        raise joint.where.error(
            "its two axes are parallel in the start pose, expected a right angle; turn axis_a, axis_b or the bodies"
        )
    z_a, x_b = relative.T @ z_b, relative @ x_a
    z_a, x_b = z_a - (z_a @ x_a) * x_a, x_b - (x_b @ z_b) * z_b
    z_a, x_b = z_a / np.linalg.norm(z_a), x_b / np.linalg.norm(x_b)
    on_a = np.column_stack((x_a, np.cross(z_a, x_a), z_a))
    on_b = np.column_stack((x_b, np.cross(z_b, x_b), z_b))
    return JointFrames(Pose(frames.a.p, on_a), Pose(frames.b.p, on_b), 0.0)


def _add_relation(b: Build, name: str, terms: tuple[tuple[str, int, float], ...], value: Expression) -> None:
    first = len(b.terms)
    for joint, k, factor in terms:
        coordinate = b.coordinate(b.joint_number(joint, Where.of("joint", name, "relation")), k)
        b.terms.append({"coordinate": coordinate, "factor": float(factor)})
    unknown = value.names - {"t"}
    if unknown:
        raise value.problem(
            f"'{name}': a prescribed motion may depend on t only; found {', '.join(sorted(unknown))} in {value}"
        )
    rate = value.derivative("t")
    start = add_program(b, value, {})
    add_program(b, rate, {})
    add_program(b, rate.derivative("t"), {})
    b.rows.append(
        {"kind": RELATION, "a": -1, "b": -1, "first_term": first, "last_term": len(b.terms), "program": start}
    )
    b.row_names.append(name)


def _drive_general(b: Build, joint: FlatJoint) -> None:
    """Steps of a general joint that are given functions of time."""
    for k, value in enumerate(joint.driven):
        if value is not None:
            _add_relation(b, joint.name, ((joint.name, k, 1.0),), value)
