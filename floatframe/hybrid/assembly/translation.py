"""States of one machine in the coordinates of two trees.

Coordinates that both trees have are taken over; those of joints that only one of them has are measured between the
bodies, and so are positions, attitudes and speeds of bodies that float in one tree and hang on a joint in the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from floatframe.arrays import AnyArray, Array, IntArray
from floatframe.hybrid.assembly.consistent import workspace
from floatframe.hybrid.assembly.state import Evaluation, State
from floatframe.hybrid.compile import Additions, Branch, Carrier, Pose, SystemIndex, branches_of, extended
from floatframe.hybrid.description import matrix_to_quaternion
from floatframe.hybrid.kernels import ANGLE, FREE, JOINT_NQ, JOINT_NV, Tables

LOOSE = frozenset({"spherical", "free"})  # joints without coordinates that can be measured


@dataclass(frozen=True)
class Frame:
    """A link of the second tree with a quaternion: where it and its joint's place are in links of the first tree."""

    kind: int
    iq: int
    iv: int
    link: Carrier
    base: Carrier


@dataclass(frozen=True)
class Translation:
    """From the coordinates of one tree to those of another one."""

    now: Evaluation  # of the first tree
    same: tuple[IntArray, ...]  # (2, n) places in the first tree and in the second, of q, v and memory
    measured: IntArray  # (3, n) coordinates of the first tree, their places in q and v of the second tree
    angles: IntArray  # (2, n) coordinates of the first tree, what remembers their turns in the second tree
    frames: tuple[Frame, ...]
    q: Array  # (nq,) of the second tree
    nv: int
    memory: Array

    @staticmethod
    def between(index: SystemIndex, tables: Tables, to: SystemIndex, target: Tables) -> Translation | None:
        """The translation from one system to another one, both by index and arrays; None if there is no such thing."""
        added = Additions.behind(index, tables)
        plan = _Plan()
        chains = {number for cut in (index.cut_joints, to.cut_joints) for number in cut}
        if any(index.model.joints[number].kind == "general" for number in chains):
            return None  # its links without mass are no branch
        hung = {branch.child: branch for branch in branches_of(index.model)}
        for branch in branches_of(to.model):
            if not _add_branch(plan, branch, hung[branch.child], (index, tables), (to, target), added):
                return None
        for body, number in to.flexible_of.items():
            mine, theirs = tables.flexible[index.flexible_of[body]], target.flexible[number]
            plan.copy(0, mine["iq"], theirs["iq"], theirs["n"])
            plan.copy(1, mine["iv"], theirs["iv"], theirs["n"])
        for mine, theirs in zip(tables.forces["memory"], target.forces["memory"], strict=True):
            if theirs >= 0:
                plan.copy(2, mine, theirs, 3)
        for name, place in to.numbers.states.items():
            plan.copy(2, index.numbers.states[name], place, 1)
        for (joint, k), number in to.numbers.coordinates.items():
            if target.coordinates[number]["kind"] == ANGLE:
                plan.angles.append((added.coordinate(joint, k), int(target.coordinates[number]["memory"])))
        index, tables = extended(index, tables, added)
        return Translation(
            Evaluation(tables, workspace(index, tables, index.room.memory)),
            tuple(_columns(pairs, 2) for pairs in plan.same),
            _columns(plan.measured, 3),
            _columns(plan.angles, 2),
            tuple(plan.frames),
            to.tree.q,
            len(target.dofs),
            to.room.memory,
        )

    def __call__(self, t: Array, q: Array, v: Array, memory: Array) -> tuple[Array, Array, Array]:
        """q (m, nq), v (m, nv) and memory (m, n) in the second tree of m states of the first tree."""
        links, coordinates = self._seen(t, q, v, memory)
        found = [np.repeat(start[None], len(t), axis=0) for start in (self.q, np.zeros(self.nv), self.memory)]
        for given, own, (mine, theirs) in zip((q, v, memory), found, self.same, strict=True):
            own[:, theirs] = given[:, mine]
        numbers, iq, iv = self.measured
        found[0][:, iq], found[1][:, iv] = coordinates["value"][:, numbers], coordinates["rate"][:, numbers]
        numbers, places = self.angles
        found[2][:, places] = coordinates["value"][:, numbers]
        for frame in self.frames:
            _put_frame(frame, links, found[0], found[1])
        return found[0], found[1], found[2]

    def state(self, state: State) -> State:
        """The same state in the second tree."""
        q, v, memory = self(np.array([state.t]), state.q[None], state.v[None], state.memory[None])
        return State(state.t, q[0], v[0], memory[0])

    def _seen(self, t: Array, q: Array, v: Array, memory: Array) -> tuple[AnyArray, AnyArray]:
        """Links (m, nlink) and measured coordinates (m, ncoordinate) of the first tree."""
        from floatframe.hybrid.kernels import VELOCITY

        data, links, coordinates = self.now.data, [], []
        for k in range(len(t)):
            data.memory[: memory.shape[1]] = memory[k]
            self.now(float(t[k]), q[k], VELOCITY, v[k])
            links.append(data.links[["p", "R", "v", "w"]].copy())
            coordinates.append(data.coordinates.copy())
        return np.array(links), np.array(coordinates)


class _Plan:
    """What goes where."""

    def __init__(self) -> None:
        self.same: tuple[list[tuple[int, int]], ...] = ([], [], [])
        self.measured: list[tuple[int, int, int]] = []
        self.angles: list[tuple[int, int]] = []
        self.frames: list[Frame] = []

    def copy(self, which: int, mine: int, theirs: int, count: int) -> None:
        self.same[which].extend((int(mine) + k, int(theirs) + k) for k in range(int(count)))


def _add_branch(
    plan: _Plan,
    branch: Branch,
    before: Branch,
    source: tuple[SystemIndex, Tables],
    target: tuple[SystemIndex, Tables],
    added: Additions,
) -> bool:
    """Add what the links of a branch of the second tree need; before: the branch of the same body in the first tree."""
    (index, tables), (to, there) = source, target
    body, number = branch.child, branch.joint
    own, new = index.tree.carriers[body], to.tree.carriers[body]
    if body in to.tree.particles:
        for k in range(3):  # one link after the other
            plan.copy(0, tables.links[own.link - k]["iq"], there.links[new.link - k]["iq"], 1)
            plan.copy(1, tables.links[own.link - k]["iv"], there.links[new.link - k]["iv"], 1)
        return True
    if number is not None and to.model.joints[number].kind not in LOOSE:
        known = index.tree.joint_coordinates.get(number)
        for k, (iq, iv) in enumerate(to.tree.joint_coordinates[number]):
            if known is None:
                plan.measured.append((added.coordinate(number, k), iq, iv))
            else:
                plan.copy(0, known[k][0], iq, 1)
                plan.copy(1, known[k][1], iv, 1)
        return True
    link = there.links[new.link]
    kind = int(link["kind"])
    if (branch.joint, branch.parent, branch.reverse) == (before.joint, before.parent, before.reverse):
        plan.copy(0, tables.links[own.link]["iq"], link["iq"], JOINT_NQ[kind])
        plan.copy(1, tables.links[own.link]["iv"], link["iv"], JOINT_NV[kind])
        return True
    if kind == FREE and branch.parent >= 0:
        return False
    parent, theirs = index.tree.carriers[branch.parent], to.tree.carriers[branch.parent]
    plan.frames.append(
        Frame(
            kind,
            int(link["iq"]),
            int(link["iv"]),
            Carrier(own.link, _in_link(own, new)),
            Carrier(parent.link, _in_link(parent, theirs).then(link["position"], link["rotation"])),
        )
    )
    return True


def _in_link(own: Carrier, new: Carrier) -> Pose:
    """The pose of a body's link in one tree, in the frame of its link in another one."""
    R = own.pose.R @ new.pose.R.T
    return Pose(own.pose.p - R @ new.pose.p, R)


def _put_frame(frame: Frame, links: AnyArray, q: Array, v: Array) -> None:
    """Put the coordinates and speeds of a link that turns about three axes into q (m, nq) and v (m, nv)."""
    one, base = (_carried(links[:, of.link], of.pose) for of in (frame.link, frame.base))
    back = np.swapaxes(base.R, 1, 2)
    iq, iv = frame.iq, frame.iv
    if frame.kind == FREE:
        apart = one.p - base.p
        q[:, iq : iq + 3] = _turned(back, apart)
        v[:, iv : iv + 3] = _turned(back, one.v - base.v - np.cross(base.w, apart))
        iq, iv = iq + 3, iv + 3
    q[:, iq : iq + 4] = matrix_to_quaternion(back @ one.R)
    v[:, iv : iv + 3] = _turned(np.swapaxes(one.R, 1, 2), one.w - base.w)


class _Moving(NamedTuple):
    """Positions, attitudes and velocities of frames, (m, 3) and (m, 3, 3) in world axes."""

    p: Array
    R: Array
    v: Array
    w: Array


def _carried(links: AnyArray, pose: Pose) -> _Moving:
    """A frame at a pose in a link (m,)."""
    arm = links["R"] @ pose.p
    return _Moving(links["p"] + arm, links["R"] @ pose.R, links["v"] + np.cross(links["w"], arm), links["w"])


def _turned(R: Array, x: Array) -> Array:
    return np.einsum("mij,mj->mi", R, x)


def _columns(rows: list[Any], width: int) -> IntArray:
    """The columns (width, n) of a list of rows, as indices."""
    return np.array(rows, dtype=np.int64).reshape(-1, width).T


def motions(index: SystemIndex, tables: Tables, state: State) -> dict[str, Array]:
    """Positions p, attitudes R, velocities v and angular velocities w of all bodies, in world axes."""
    from floatframe.hybrid.kernels import VELOCITY

    links = Evaluation(tables, workspace(index, tables, state.memory))(state.t, state.q, VELOCITY, state.v).data.links
    carriers = [index.tree.carriers[body] for body in range(len(index.model.bodies))]
    bodies = [_carried(links[[carrier.link]], carrier.pose) for carrier in carriers]
    return {name: np.array([getattr(body, name)[0] for body in bodies]) for name in _Moving._fields}
