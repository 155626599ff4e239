"""Bodies and joints of an open tree as the counted methods take them, and their kinematics.

Everything of a body is in its own axes at its origin, where its joint ends; vectors of six are linear before angular.
Accelerations are those of the origins less gravity, which is an acceleration of the ground.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from floatframe.arrays import AnyArray, IntArray
from floatframe.equations.methods.counting import Tally, cross, eye, shifted_twist, symmetric, zeros
from floatframe.errors import ModelError
from floatframe.hybrid import State, System

FIXED, REVOLUTE, PRISMATIC, SCREW, SPHERICAL, FREE = range(6)  # kinds of links


@dataclass(frozen=True)
class Step:
    """One link of a joint: its kind, constant place in the link before, coordinates, speeds, pitch."""

    kind: int
    position: AnyArray
    rotation: AnyArray
    q: AnyArray
    v: AnyArray
    pitch: AnyArray


@dataclass
class Body:
    """A body with its joint.

    G (3, 3), rho (3,): its axes and origin as the parent sees them; A (6, n): motions of its dofs; omega (3,); bias
    (6,): acceleration that neither the parent's nor the dofs' give; force (n,): along the dofs.
    """

    parent: int
    steps: list[Step]
    dofs: IntArray
    force: AnyArray
    mass: AnyArray
    moment: AnyArray
    inertia: AnyArray
    G: AnyArray
    rho: AnyArray
    A: AnyArray
    omega: AnyArray
    bias: AnyArray

    @property
    def M(self) -> AnyArray:  # noqa: N802  (named as in the theory)
        """Its own inertia (6, 6)."""
        found = zeros(6, 6)
        s, m = self.moment, self.mass
        found[0, 0] = found[1, 1] = found[2, 2] = m
        for i, j, entry in ((0, 4, s[2]), (0, 5, -s[1]), (1, 3, -s[2]), (1, 5, s[0]), (2, 3, s[1]), (2, 4, -s[0])):
            found[i, j] = found[j, i] = entry
        found[3:, 3:] = self.inertia
        return found

    def wrench(self, a: AnyArray) -> AnyArray:
        """M a of its own inertia."""
        force = self.mass * a[:3] + cross(a[3:], self.moment)
        return np.concatenate((force, cross(self.moment, a[:3]) + self.inertia @ a[3:]))

    def gyroscopic(self) -> AnyArray:
        """What its speed needs beside M a."""
        swing = cross(self.omega, cross(self.omega, self.moment))
        return np.concatenate((swing, cross(self.omega, self.inertia @ self.omega)))


@dataclass(frozen=True)
class Tree:
    """Bodies, parents first; children of each; gravity (3,) in the axes of the ground; number of dofs; what counts."""

    bodies: list[Body]
    children: list[list[int]]
    gravity: AnyArray
    nv: int
    tally: Tally

    def place(self) -> None:
        """Poses, motions and speeds of all bodies, outwards."""
        for body in self.bodies:
            move(body, self.bodies[body.parent].omega if body.parent >= 0 else zeros(3))

    def carried(self, body: Body, a: list[AnyArray]) -> AnyArray:
        """C times the acceleration of the parent."""
        parent = a[body.parent] if body.parent >= 0 else np.concatenate((-self.gravity, zeros(3)))
        return shifted_twist(body.G, body.rho, parent)

    def path(self, i: int) -> list[int]:
        """Bodies from body i to the ground."""
        found = [i]
        while self.bodies[found[-1]].parent >= 0:
            found.append(self.bodies[found[-1]].parent)
        return found

    def generalised(self, found: list[AnyArray]) -> AnyArray:
        """Vectors of the dofs of all bodies in the order of the system (nv,)."""
        x = zeros(self.nv)
        for body, own in zip(self.bodies, found, strict=True):
            x[body.dofs] = own
        return x


def tree_of(system: System, state: State, tally: Tally) -> Tree:
    """The bodies of an open tree at a state; applied forces but for gravity are taken as they are along the dofs."""
    tables = system.tables
    if len(tables.rows) or len(tables.flexible):
        raise ModelError("operations are counted for open trees of rigid bodies; this one has loops or flexible bodies")
    applied = system.applied_forces(state)
    number = {0: -1}
    steps_to: dict[int, tuple[list[Step], list[int]]] = {0: ([], [])}
    bodies: list[Body] = []
    branches = np.bincount(tables.links["parent"][1:], minlength=len(tables.links))
    for i in range(1, len(tables.links)):
        link = tables.links[i]
        iq, iv = int(link["iq"]), int(link["iv"])
        count = {SPHERICAL: 4, FREE: 7}.get(int(link["kind"]), int(link["nv"]))
        step = Step(
            int(link["kind"]),
            tally.array(link["position"]),
            tally.array(link["rotation"]),
            np.array([tally.variable(x) for x in state.q[iq : iq + count]], object),
            np.array([tally.variable(x) for x in state.v[iv : iv + int(link["nv"])]], object),
            tally.array([link["pitch"]])[0],
        )
        before, dofs = steps_to[int(link["parent"])]
        steps, dofs = [*before, step], [*dofs, *range(iv, iv + int(link["nv"]))]
        if link["mass"] <= 0.0 and branches[i] == 1:
            number[i], steps_to[i] = number[int(link["parent"])], (steps, dofs)
            continue
        own = np.array(dofs, dtype=int)
        bodies.append(
            Body(
                parent=number[int(link["parent"])],
                steps=steps,
                dofs=own,
                force=tally.array(applied[own]),
                mass=tally.array([link["mass"]])[0],
                moment=tally.array(link["moment"]),
                inertia=tally.array(link["inertia"]),
                **dict.fromkeys(("G", "rho", "A", "omega", "bias"), zeros(0)),
            )
        )
        number[i], steps_to[i] = len(bodies) - 1, ([], [])
    children: list[list[int]] = [[] for _ in bodies]
    for k, body in enumerate(bodies):
        if body.parent >= 0:
            children[body.parent].append(k)
    return Tree(bodies, children, tally.array(tables.gravity), system.nv, tally)


def move(body: Body, omega: AnyArray) -> None:
    """Go along the steps of the joint of a body whose parent turns with omega (3,)."""
    G, rho = eye(3), zeros(3)
    a, e = zeros(3), zeros(3)
    columns: list[AnyArray] = []  # motions in the axes of the step at hand, at its origin
    for step in body.steps:
        arm = step.position
        along, G_step, shift = motion_of(step)
        # to the place of the joint, then along it
        arm = arm + step.rotation @ shift
        a = G_step @ (a + cross(e, arm) + cross(omega, cross(omega, arm)))
        before = G_step @ omega
        e = G_step @ e
        columns = [shifted_twist(G_step, arm, one) for one in columns]
        rho = rho + G.T @ arm
        G = G_step @ G
        linear, angular = zeros(3), zeros(3)
        for own, speed in zip(along.T, step.v, strict=True):
            columns.append(own)
            linear, angular = linear + own[:3] * speed, angular + own[3:] * speed
        spun = cross(before, linear)  # a free body moves along axes that do not turn with it
        a = a + spun + spun
        e = e + cross(before, angular)
        omega = before + angular
    body.G, body.rho, body.omega = G, rho, omega
    body.A = np.array(columns, object).T if columns else zeros(6, 0)
    body.bias = np.concatenate((a, e))


def motion_of(step: Step) -> tuple[AnyArray, AnyArray, AnyArray]:
    """Motions (6, n) of a step, its axes as the link before sees them (3, 3), and by how far it moves along its own."""
    back = step.rotation.T
    along, shift = zeros(6, len(step.v)), zeros(3)
    if step.kind in (REVOLUTE, SCREW):
        c, s = step.q[0].cos(), step.q[0].sin()
        G = np.array([c * back[0] + s * back[1], c * back[1] - s * back[0], back[2]], object)
        along[5, 0] = 1
        if step.kind == SCREW:
            along[2, 0], shift[2] = step.pitch, step.pitch * step.q[0]
        return along, G, shift
    if step.kind == PRISMATIC:
        along[2, 0], shift[2] = 1, step.q[0]
        return along, back, shift
    if step.kind == FIXED:
        return along, back, shift
    R = of_quaternion(step.q[-4:])
    if step.kind == FREE:
        along[:3, :3] = R.T
        shift[:] = step.q[:3]
    along[-3:, -3:] = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1]], object)
    return along, R.T @ back, shift


def of_quaternion(q: AnyArray) -> AnyArray:
    """Rotation (3, 3) of a unit quaternion, scalar first."""
    w, x, y, z = q
    x2, y2, z2 = x + x, y + y, z + z
    xx, yy, zz, xy, xz, yz = x * x2, y * y2, z * z2, x * y2, x * z2, y * z2
    wx, wy, wz = w * x2, w * y2, w * z2
    return np.array(
        [[1 - yy - zz, xy - wz, xz + wy], [xy + wz, 1 - xx - zz, yz - wx], [xz - wy, yz + wx, 1 - xx - yy]], object
    )


def joint_inertia(A: AnyArray, F: AnyArray) -> AnyArray:
    """A^T F (n, n) where it is symmetric."""
    return symmetric(A.shape[1], lambda i, j: A[:, i] @ F[:, j])
