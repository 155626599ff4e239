"""A flexible body as the assembled model holds it: its modes there, and damping by ratios of these modes.

Joints hold the body in the start pose, each against a neighbour that stands still; driven coordinates are held, force
elements hold nothing. With rigid motions r of the frame the body moves by z = (r, w); joints leave z = N y. Modes of
elastic frequency ω among these have coordinates φ in w, of unit mass with their rigid part. Damping acts on the
deformation alone, so that no rigid motion is damped and momentum is kept:

    D = K Φ diag(2 γ / ω³) Φᵀ K        so that φᵢᵀ D φⱼ = 2 γᵢ ωᵢ δᵢⱼ, since Φᵀ K Φ = diag(ω²)

Deformations that the joints prevent, but moving neighbours may cause, are the K-orthogonal rest; they count as further
modes, with the mass of the free body.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from floatframe.arrays import Array, short_repr, skew
from floatframe.errors import ModelError
from floatframe.hybrid.assembly.consistent import workspace
from floatframe.hybrid.assembly.state import Evaluation, State
from floatframe.hybrid.compile import GROUND, Pose, SystemIndex, flexible_part, held_directions
from floatframe.hybrid.dense import null_space
from floatframe.hybrid.description import rigid_rows
from floatframe.hybrid.flat import FlatModel, rigid_mass
from floatframe.hybrid.kernels import Tables
from floatframe.modal import ReducedBody
from floatframe.wording import did_you_mean

if TYPE_CHECKING:
    from floatframe.hybrid.assembly.compiled_system import CompiledSystem

_DEPENDENT = 1e-9  # of the largest: rows that hold nothing new, motions without strain, deformations without mass


@short_repr
@dataclass(frozen=True)
class HeldModes:
    """Modes of a flexible body as joints hold it, neighbours at rest, by frequency.

    frequency (k,) [Hz]; ratio (k,) of critical damping that the damping of the body gives them; joints: what holds it.
    """

    frequency: Array
    ratio: Array
    joints: tuple[str, ...]


def held_modes(system: CompiledSystem, body: str, state: State | None = None) -> HeldModes:
    """Return the modes of a flexible body as its joints hold it in a state (default: the start), with their damping."""
    model = system.model
    flexible = {model.bodies[number].name: number for number in system.index.flexible_of}
    if body not in flexible:
        raise ModelError(f"held_modes: flexible body '{body}' does not exist{did_you_mean(body, flexible)}")
    number = flexible[body]
    reduced = flexible_part(model.bodies[number])
    poses = body_poses(system.index, system.tables, system.start if state is None else state)
    rows, joints = _held_rows(model, poses, number)
    shapes, omega = _modes(reduced, rows)
    damping = np.einsum("ik,ij,jk->k", shapes, model.bodies[number].damping, shapes)  # of unit strain energy each
    return HeldModes(omega / (2.0 * np.pi), damping * omega / 2.0, joints)


def highest_frequency(body: ReducedBody) -> float:
    """Return the highest frequency [Hz] that a basis without rigid motions resolves: with the interface held.

    Static shapes follow the interface at any frequency, so that they do not count; a body without an interface is free.
    """
    index = body.node_index(body.interface[:, 0])
    components = body.interface[:, 1]
    rigid = [rigid_rows(body.nodes[row])[component] for row, component in zip(index, components, strict=True)]
    rows = np.hstack([np.array(rigid).reshape(-1, 6), body.shapes[6 * index + components]])
    return float(_modes(body, rows)[1].max(initial=0.0) / (2.0 * np.pi))


def with_damping_as_held(model: FlatModel, poses: Sequence[Pose]) -> FlatModel:
    """Return the model with the damping of bodies whose ratios are of their modes as held, in all its stages."""
    bodies = list(model.bodies)
    for number, body in enumerate(bodies):
        if body.held_ratios is None or body.reduced is None:
            continue
        K = body.reduced.stiffness
        shapes, omega = _modes(body.reduced, _held_rows(model, poses, number)[0])
        rest, further = _rest(body.reduced, shapes)
        ratio = body.held_ratios.at(np.concatenate([omega, further]))
        strain = K @ np.hstack([shapes, rest])
        D = strain * (2.0 * ratio / np.concatenate([omega, further])) @ strain.T
        bodies[number] = replace(body, damping=body.damping + (D + D.T) / 2.0, held_ratios=None)
    stages = tuple(replace(stage, model=with_damping_as_held(stage.model, poses)) for stage in model.stages)
    return replace(model, bodies=tuple(bodies), stages=stages)


def body_poses(index: SystemIndex, tables: Tables, state: State) -> list[Pose]:
    """Return where the frames of all bodies are in a state."""
    links = Evaluation(tables, workspace(index, tables, state.memory))(state.t, state.q, 0).data.links
    carriers = [index.tree.carriers[number] for number in range(len(index.model.bodies))]
    frames = [(Pose(links[one.link]["p"], links[one.link]["R"]), one.pose) for one in carriers]
    return [frame.then(pose.p, pose.R) for frame, pose in frames]


def _held_rows(model: FlatModel, poses: Sequence[Pose], number: int) -> tuple[Array, tuple[str, ...]]:
    """Rows A (h, 6 + n) of the motions z = (r, w) of a body that its joints hold, A z = 0, and their names."""
    reduced, idle = flexible_part(model.bodies[number]), model.idle_at_start
    motions = [relation for relation in model.relations if len(relation.terms) == 1 and relation.name not in idle]
    own = poses[number]
    rows, names = [np.zeros((0, 6 + reduced.nmode))], []
    for joint in model.joints:
        ends = [(place, sign) for place, sign in ((joint.a, 1.0), (joint.b, -1.0)) if place.body == number]
        if not ends or joint.name in idle:
            continue
        driven = [motion.terms[0][1] for motion in motions if motion.terms[0][0] == joint.name]
        a, b = (GROUND if place.body < 0 else poses[place.body] for place in (joint.a, joint.b))
        held, point = held_directions(joint, a, b, driven)
        held = np.vstack([own.R.T @ held[:3], own.R.T @ held[3:]])
        point = own.R.T @ (point - own.p)
        moved = np.zeros((6, 6 + reduced.nmode))
        for place, sign in ends:
            row = int(reduced.node_index([place.node or 0])[0])
            at_node = np.hstack([rigid_rows(reduced.nodes[row]), reduced.shapes[6 * row : 6 * row + 6]])
            moved[:3] += sign * (at_node[:3] - skew(point - reduced.nodes[row]) @ at_node[3:])
            moved[3:] += sign * at_node[3:]
        if held.size:
            rows.append(held.T @ moved)
            names.append(joint.name)
    return np.vstack(rows), tuple(names)


def _modes(body: ReducedBody, rows: Array) -> tuple[Array, Array]:
    """Shapes (n, k) in w, of unit strain energy φᵀ K φ = 1, and frequencies (k,) [rad/s] of a body held by rows."""
    J, n = body.inertia, body.nmode
    M = np.zeros((6 + n, 6 + n))
    M[:6, :6], M[6:, 6:] = rigid_mass(J), body.mass
    M[:6, 6:] = np.vstack([J.H, J.rhoH])
    M[6:, :6] = M[:6, 6:].T
    # columns of one size: a body that moves as a whole by its length, or has the energy of it
    length = float(np.linalg.norm(np.ptp(body.nodes, axis=0))) or 1.0
    size = np.concatenate([np.ones(3), np.full(3, 1.0 / length), np.full(n, np.sqrt(J.m))])
    weight = np.linalg.norm(rows * size, axis=1)
    N = np.diag(size)
    if len(rows):
        N = size[:, None] * null_space(rows * size / weight[:, None], rcond=_DEPENDENT)
    # rigid motions that are left: all that strains nothing
    _, strain, V = np.linalg.svd(_root(body.stiffness) @ N[6:])
    count = int((strain > _DEPENDENT * strain.max(initial=0.0)).sum())
    elastic, rigid = N @ V[:count].T / strain[:count], N @ V[count:].T
    # they take the momentum of the elastic ones
    momentum = rigid.T @ M @ elastic
    elastic = elastic - rigid @ (np.linalg.pinv(rigid.T @ M @ rigid, rcond=_DEPENDENT, hermitian=True) @ momentum)
    return _by_frequency(elastic[6:], elastic.T @ M @ elastic)


def _rest(body: ReducedBody, shapes: Array) -> tuple[Array, Array]:
    """The deformations that are K-orthogonal to some shapes (n, k), as modes with the mass of the free body."""
    root = _root(body.stiffness)
    rest = np.linalg.solve(root, null_space((root @ shapes).T, rcond=_DEPENDENT))
    return _by_frequency(rest, rest.T @ body.mass @ rest)


def _by_frequency(shapes: Array, mass: Array) -> tuple[Array, Array]:
    """Modes among shapes (n, k) of unit strain energy with mass (k, k); those without mass are left out."""
    value, vectors = np.linalg.eigh((mass + mass.T) / 2.0)
    value, vectors = value[::-1], vectors[:, ::-1]
    some = value > _DEPENDENT**2 * value.max(initial=0.0)
    return shapes @ vectors[:, some], 1.0 / np.sqrt(value[some])


def _root(K: Array) -> Array:
    """The symmetric root of a positive definite matrix."""
    value, vectors = np.linalg.eigh(K)
    return np.asarray((vectors * np.sqrt(value)) @ vectors.T)
