"""Motion and inertia of the joint tree: positions, velocities, accelerations, inverse dynamics, mass matrix.

Vectors are in world axes; wrenches and composite inertias are taken at link origins. Flexible bodies add their own
terms through kernels.flexible; here their frame is a link like any other.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

from floatframe.hybrid.kernels.layout import FIXED, FREE, PRISMATIC, REVOLUTE, SCREW, SPHERICAL
from floatframe.hybrid.kernels.options import inner
from floatframe.hybrid.kernels.vectors import (
    add,
    add_scaled,
    cross,
    difference,
    dot,
    multiply,
    multiply_quaternion,
    put,
    turn,
    turn_back,
    turn_quaternion,
)


@inner
def move(links, flexible, q, step):
    """Move q along the tangent vector step (nv,): angles and lengths add, quaternions turn in body axes."""
    for i in range(1, len(links)):
        link = links[i]
        iq, iv = link.iq, link.iv
        if link.kind == SPHERICAL:
            turn_quaternion(q, iq, step[iv], step[iv + 1], step[iv + 2])
        elif link.kind == FREE:
            for k in range(3):
                q[iq + k] += step[iv + k]
            turn_quaternion(q, iq + 3, step[iv + 3], step[iv + 4], step[iv + 5])
        elif link.kind != FIXED:
            q[iq] += step[iv]
    for i in range(len(flexible)):
        body = flexible[i]
        for k in range(body.n):
            q[body.iq + k] += step[body.iv + k]


@inner
def positions(links, dofs, link_data, dof_data, q):
    """Stage 1: poses of all links and the motion per unit speed of every dof."""
    for i in range(1, len(links)):
        link, here = links[i], link_data[i]
        parent = link_data[link.parent]
        kind, iq, iv = link.kind, link.iq, link.iv
        put(here.arm, turn(parent.R, link.position))
        R = here.R
        multiply(parent.R, link.rotation, R)
        if kind in (REVOLUTE, SCREW):
            c, s = math.cos(q[iq]), math.sin(q[iq])
            for r in range(3):
                x, y = R[r, 0], R[r, 1]
                R[r, 0] = c * x + s * y
                R[r, 1] = c * y - s * x
            axis = (R[0, 2], R[1, 2], R[2, 2])
            put(dof_data[iv].angular, axis)
            put(dof_data[iv].linear, (0.0, 0.0, 0.0))
            if kind == SCREW:
                add_scaled(here.arm, link.pitch * q[iq], axis)
                add_scaled(dof_data[iv].linear, link.pitch, axis)
        elif kind == PRISMATIC:
            axis = (R[0, 2], R[1, 2], R[2, 2])
            add_scaled(here.arm, q[iq], axis)
            put(dof_data[iv].angular, (0.0, 0.0, 0.0))
            put(dof_data[iv].linear, axis)
        elif kind == FREE:
            for k in range(3):
                axis = (R[0, k], R[1, k], R[2, k])
                add_scaled(here.arm, q[iq + k], axis)
                put(dof_data[iv + k].angular, (0.0, 0.0, 0.0))
                put(dof_data[iv + k].linear, axis)
        put(here.p, parent.p)
        add(here.p, here.arm)
        if kind in (SPHERICAL, FREE):
            offset = 3 if kind == FREE else 0
            # the composite inertia is computed later, so its place can hold the product for a moment
            rotated = here.cj
            multiply_quaternion(R, q, iq + offset, rotated)
            for r in range(3):
                for k in range(3):
                    R[r, k] = rotated[r, k]
            for k in range(3):
                put(dof_data[iv + offset + k].angular, (R[0, k], R[1, k], R[2, k]))
                put(dof_data[iv + offset + k].linear, (0.0, 0.0, 0.0))


@inner
def velocities(links, link_data, dof_data, v):
    """Stage 2: velocities of all links."""
    for i in range(1, len(links)):
        link, here = links[i], link_data[i]
        parent = link_data[link.parent]
        put(here.w, parent.w)
        put(here.v, parent.v)
        add(here.v, cross(parent.w, here.arm))
        for j in range(link.iv, link.iv + link.nv):
            add_scaled(here.w, v[j], dof_data[j].angular)
            add_scaled(here.v, v[j], dof_data[j].linear)


@inner
def accelerations(links, link_data, dof_data, v, a, gravity):
    """Accelerations of all links, less gravity, for the coordinate accelerations a."""
    put(link_data[0].a, (-gravity[0], -gravity[1], -gravity[2]))
    for i in range(1, len(links)):
        link, here = links[i], link_data[i]
        parent = link_data[link.parent]
        put(here.a, parent.a)
        add(here.a, cross(parent.e, here.arm))
        add(here.a, cross(parent.w, cross(parent.w, here.arm)))
        put(here.e, parent.e)
        add(here.e, cross(parent.w, difference(here.w, parent.w)))
        for j in range(link.iv, link.iv + link.nv):
            add_scaled(here.e, a[j], dof_data[j].angular)
            add_scaled(here.a, a[j], dof_data[j].linear)
            add_scaled(here.a, 2.0 * v[j], cross(parent.w, dof_data[j].linear))


@inner
def motions(links, link_data, dof_data, v, a, gravity):
    """Velocities and accelerations of all links in one sweep."""
    put(link_data[0].a, (-gravity[0], -gravity[1], -gravity[2]))
    for i in range(1, len(links)):
        link, here = links[i], link_data[i]
        parent = link_data[link.parent]
        w = parent.w
        carried = cross(w, here.arm)
        put(here.w, w)
        put(here.v, parent.v)
        add(here.v, carried)
        put(here.e, parent.e)
        put(here.a, parent.a)
        add(here.a, cross(parent.e, here.arm))
        add(here.a, cross(w, carried))
        for j in range(link.iv, link.iv + link.nv):
            x = dof_data[j]
            add_scaled(here.w, v[j], x.angular)
            add_scaled(here.v, v[j], x.linear)
            add_scaled(here.e, a[j], x.angular)
            add_scaled(here.a, a[j], x.linear)
            add_scaled(here.a, 2.0 * v[j], cross(w, x.linear))
        add(here.e, cross(w, difference(here.w, w)))


@inner
def drifts(links, link_data, dof_data, v, gravity):
    """Velocities of all links, and as accelerations what each adds to those of its parent while no speed changes.

    Not the sums of them from the ground on: in these a long chain would lose the digits of what its joints do.
    """
    put(link_data[0].a, (-gravity[0], -gravity[1], -gravity[2]))
    for i in range(1, len(links)):
        link, here = links[i], link_data[i]
        parent = link_data[link.parent]
        w = parent.w
        carried = cross(w, here.arm)
        put(here.v, parent.v)
        add(here.v, carried)
        put(here.w, (0.0, 0.0, 0.0))
        put(here.a, cross(w, carried))
        for j in range(link.iv, link.iv + link.nv):
            x = dof_data[j]
            add_scaled(here.w, v[j], x.angular)
            add_scaled(here.v, v[j], x.linear)
            add_scaled(here.a, 2.0 * v[j], cross(w, x.linear))
        put(here.e, cross(w, here.w))
        add(here.w, w)


@inner
def clear_loads(link_data):
    for i in range(len(link_data)):
        put(link_data[i].load, (0.0, 0.0, 0.0))
        put(link_data[i].load_torque, (0.0, 0.0, 0.0))


@inner
def start_wrenches(link_data):
    """Every link's wrench starts as the opposite of its applied loads."""
    for i in range(len(link_data)):
        here = link_data[i]
        put(here.force, (-here.load[0], -here.load[1], -here.load[2]))
        put(here.torque, (-here.load_torque[0], -here.load_torque[1], -here.load_torque[2]))


@inner
def inertia_wrenches(links, link_data):
    """Adds the force and torque at every link's origin that its own rigid mass needs."""
    for i in range(1, len(links)):
        link, here = links[i], link_data[i]
        if link.mass == 0.0:
            continue
        R, a, w, e = here.R, here.a, here.w, here.e
        s = turn(R, link.moment)
        add_scaled(here.force, link.mass, a)
        add(here.force, cross(e, s))
        add(here.force, cross(w, cross(w, s)))
        add(here.torque, cross(s, a))
        add(here.torque, turn(R, turn(link.inertia, turn_back(R, e))))
        add(here.torque, cross(w, turn(R, turn(link.inertia, turn_back(R, w)))))


@inner
def project_wrenches(links, link_data, dof_data, residual):
    """Carry the wrenches from the leaves to the ground and project them on the joint axes: adds to residual (nv,)."""
    for i in range(len(links) - 1, 0, -1):
        link, here = links[i], link_data[i]
        for j in range(link.iv, link.iv + link.nv):
            residual[j] += dot(dof_data[j].angular, here.torque) + dot(dof_data[j].linear, here.force)
        parent = link_data[link.parent]
        add(parent.force, here.force)
        add(parent.torque, here.torque)
        add(parent.torque, cross(here.arm, here.force))


@inner
def composite_bodies(links, link_data):
    """Start the composite inertias with every link's own rigid mass, in world axes at its origin."""
    for i in range(len(links)):
        link, here = links[i], link_data[i]
        here.cm = link.mass
        put(here.cs, turn(here.R, link.moment))
        J = here.cj
        for r in range(3):
            row = turn(link.inertia, (here.R[r, 0], here.R[r, 1], here.R[r, 2]))
            for c in range(r, 3):
                J[r, c] = row[0] * here.R[c, 0] + row[1] * here.R[c, 1] + row[2] * here.R[c, 2]
                J[c, r] = J[r, c]


@inner
def add_path(dofs, dof_data, link_data, last_dof, origin, force, torque, target):
    """target[j] += power per unit speed of dof j of a wrench at origin, for all dofs from last_dof to the ground."""
    j = last_dof
    while j >= 0:
        motion = dof_data[j]
        arm = difference(origin, link_data[dofs[j].link].p)
        moment = cross(arm, force)
        target[j] += dot(motion.linear, force)
        target[j] += (
            motion.angular[0] * (torque[0] + moment[0])
            + motion.angular[1] * (torque[1] + moment[1])
            + motion.angular[2] * (torque[2] + moment[2])
        )
        j = dofs[j].previous


@inner
def joint_space_inertia(links, dofs, link_data, dof_data, M):
    """Composite-body mass matrix of the tree into M (nv, nv), both triangles; composite_bodies must have run."""
    for i in range(len(links) - 1, 0, -1):
        link, here = links[i], link_data[i]
        parent = link_data[link.parent]
        J = here.cj
        for k in range(link.nv):
            j = link.iv + k
            motion = dof_data[j]
            # momentum of the composite body per unit speed of this dof, at this link's origin
            spin = cross(motion.angular, here.cs)
            force = (
                here.cm * motion.linear[0] + spin[0],
                here.cm * motion.linear[1] + spin[1],
                here.cm * motion.linear[2] + spin[2],
            )
            lever = cross(here.cs, motion.linear)
            turned = turn(J, motion.angular)
            torque = (lever[0] + turned[0], lever[1] + turned[1], lever[2] + turned[2])
            add_path(dofs, dof_data, link_data, j, here.p, force, torque, M[j])
            other = dofs[j].previous
            while other >= 0:
                M[other, j] = M[j, other]
                other = dofs[other].previous
        if link.parent == 0:
            continue
        d = here.arm
        s = here.cs
        m = here.cm
        parent.cm += m
        trace = 2.0 * dot(s, d) + m * dot(d, d)
        for r in range(3):
            parent.cs[r] += s[r] + m * d[r]
            parent.cj[r, r] += trace
            for c in range(3):
                parent.cj[r, c] += J[r, c] - s[r] * d[c] - d[r] * s[c] - m * d[r] * d[c]
