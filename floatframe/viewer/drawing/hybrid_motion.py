"""Where the bodies of a hybrid system are in many states: poses, modal amplitudes, places of joints and forces.

Deformations are drawn as seen from the places where a body is joined, so that magnified bodies stay in their joints:
the rigid part a + b × x of the motion of these places, of every shape, goes into the pose, which is a linear map. Of a
body with one joint that is the shift of this place: a linear map of its turn would stretch the body.
Second-order motion (a bow is shorter than its rod) is drawn by the same shapes, so that joints are closed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from floatframe.arrays import skew
from floatframe.viewer.scene import crossed

if TYPE_CHECKING:
    from floatframe.arrays import Array, IntArray
    from floatframe.hybrid import CompiledSystem, FlatPlace, SecondOrder
    from floatframe.modal import ReducedBody


class Flexible(NamedTuple):
    """A flexible body for drawing.

    shapes (n, nnode, 6) of the body; seen (n, nnode, 6) without the rigid motion shift, turn (n, 3) of its joints;
    second: its second-order motion, if it has any.
    """

    first: int  # coordinate
    shapes: Array
    seen: Array
    shift: Array
    turn: Array
    second: SecondOrder | None
    joined: bool  # whether it has a joint, from which it is seen


@dataclass(frozen=True)
class Motion:
    """States of a system: t (m,), poses (m, 1 + nbody, 3, 4) of the ground and the bodies, amplitudes (m, n) by body.

    `frame` holds the poses of the bodies' own frames, `pose` those to draw with (see above); they differ only for
    flexible bodies. `amplitude` holds the modal coordinates, which stresses follow; `drawn` has the second-order motion
    besides, whose rigid part is `lean` (m, 6) by body: shift, and turn about the origin, in the frame.
    """

    t: Array
    frame: Array
    pose: Array
    amplitude: tuple[Array, ...]
    drawn: tuple[Array, ...]
    lean: tuple[Array, ...]

    def of_place(self, system: CompiledSystem, place: FlatPlace) -> Array:
        """Return where a place is in space (m, 3)."""
        x = np.broadcast_to(place.point, (len(self.t), 3))
        reduced = None if place.body < 0 else system.model.bodies[place.body].reduced
        if reduced is not None and place.node is not None:
            row = int(reduced.node_index([place.node])[0])
            lean = self.lean[place.body + 1]
            x = x + self.drawn[place.body + 1] @ reduced.shapes[6 * row : 6 * row + 3].T
            x = x + lean[:, :3] + np.cross(lean[:, 3:], reduced.nodes[row])
        pose = self.frame[:, place.body + 1]
        return np.einsum("mij,mj->mi", pose[:, :, :3], x) + pose[:, :, 3]


def flexible_bodies(system: CompiledSystem) -> dict[int, Flexible]:
    """Return the flexible bodies by number."""
    found = {}
    for number, record in system.index.flexible_of.items():
        reduced = system.model.bodies[number].reduced
        if reduced is None:
            continue
        shapes = np.ascontiguousarray(reduced.shapes.T.reshape(reduced.nmode, reduced.nnode, 6))
        nodes = [p.node for joint in system.model.joints for p in (joint.a, joint.b) if p.body == number and p.node]
        rows = reduced.node_index(sorted(set(nodes))) if nodes else np.empty(0, dtype=np.int64)
        shift, turn = _rigid_part(reduced, shapes, rows)
        seen = shapes.copy()
        for k in range(len(shapes)):
            seen[k, :, :3] -= shift[k] + crossed(np.broadcast_to(turn[k], reduced.nodes.shape), reduced.nodes)
            seen[k, :, 3:] -= turn[k]
        first, second = int(system.tables.flexible[record]["iq"]), system.model.bodies[number].second_order
        found[number] = Flexible(first, shapes, seen, shift, turn, second, bool(nodes))
    return found


def _rigid_part(reduced: ReducedBody, shapes: Array, rows: IntArray) -> tuple[Array, Array]:
    """Return the rigid motion shift, turn (n, 3) nearest to that of some nodes, of every shape."""
    if not len(rows):
        return np.zeros((len(shapes), 3)), np.zeros((len(shapes), 3))
    x = reduced.nodes[rows]
    if len(rows) == 1:
        return shapes[:, rows[0], :3], np.zeros((len(shapes), 3))
    A = np.concatenate([np.hstack([np.eye(3), -skew(point)]) for point in x])
    u = shapes[:, rows, :3].reshape(len(shapes), -1)
    motion = u @ np.linalg.pinv(A, rcond=1e-9).T
    return motion[:, :3], motion[:, 3:]


def motion_of(
    system: CompiledSystem, t: Array, states: Iterable[Array], bodies: dict[int, Flexible] | None = None
) -> Motion:
    """Return where the bodies are at times t (m,) with coordinates (m, nq)."""
    bodies = flexible_bodies(system) if bodies is None else bodies
    q = np.asarray(states, dtype=float).reshape(len(t), system.nq)
    frame = np.zeros((len(t), 1 + len(system.model.bodies), 3, 4))
    frame[:, 0, :, :3] = np.eye(3)
    carriers = [system.index.tree.carriers[number] for number in range(len(system.model.bodies))]
    now = system.evaluation()
    for k in range(len(t)):
        links = now(float(t[k]), q[k], 0).data.links
        for number, carrier in enumerate(carriers):
            link = links[carrier.link]
            frame[k, number + 1, :, :3] = link["R"] @ carrier.pose.R
            frame[k, number + 1, :, 3] = link["p"] + link["R"] @ carrier.pose.p
    pose = frame.copy()
    amplitude, lean = ([np.empty((len(t), n)) for _ in range(1 + len(carriers))] for n in (0, 6))
    drawn = list(amplitude)
    for number, body in bodies.items():
        w = q[:, body.first : body.first + len(body.shapes)]
        c, rigid = (0.0, np.zeros((len(t), 6))) if body.second is None else body.second.coordinates(w)
        amplitude[number + 1], drawn[number + 1], lean[number + 1] = w, w + c, rigid
        R = frame[:, number + 1, :, :3]
        pose[:, number + 1, :, :3] = R @ (np.eye(3) + skew((w + c) @ body.turn + rigid[:, 3:]))
        pose[:, number + 1, :, 3] += np.einsum("mij,mj->mi", R, (w + c) @ body.shift + rigid[:, :3])
    return Motion(np.asarray(t, dtype=float), frame, pose, tuple(amplitude), tuple(drawn), tuple(lean))
