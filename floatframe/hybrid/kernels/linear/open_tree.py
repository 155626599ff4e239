"""Accelerations of an open tree of rigid links in one sweep in and one out, from loads gathered at the links.

It is `articulated_factor` and `articulated_solve` in one, with the forces of inertia found on the way: what they would
read again is still at hand. The factors are left as `articulated_factor` leaves them. No sums of accelerations or
forces along the tree are formed that the joints would have to cancel, so long chains keep their digits.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from floatframe.hybrid.kernels.layout import REVOLUTE
from floatframe.hybrid.kernels.linear.articulated import (
    accelerate_dofs,
    add_to_parent,
    add_wrench,
    carry_out,
    own_inertia,
    take_off,
)
from floatframe.hybrid.kernels.options import inner
from floatframe.hybrid.kernels.vectors import cross, put


@inner
def own_wrench(here, A, p):
    """p (6,): what a link of inertia A (6, 6) needs for its velocity alone, less the loads on it."""
    w = here.w
    outward = cross(w, cross(w, (A[1, 5], A[2, 3], A[0, 4])))
    spin = (
        A[3, 3] * w[0] + A[3, 4] * w[1] + A[3, 5] * w[2],
        A[4, 3] * w[0] + A[4, 4] * w[1] + A[4, 5] * w[2],
        A[5, 3] * w[0] + A[5, 4] * w[1] + A[5, 5] * w[2],
    )
    gyration = cross(w, spin)
    for r in range(3):
        p[r] = outward[r] - here.load[r]
        p[3 + r] = gyration[r] - here.load_torque[r]


@inner
def accelerate_open(links, link_data, dof_data, tree_links, tree_dofs, f):
    """f (nv,): forces along the dofs -> accelerations. False if the mass matrix is singular.

    Links must have their velocities, as accelerations their `tree.drifts`, and their loads.
    """
    for i in range(1, len(links)):
        put(tree_links[i].arm, link_data[i].arm)
        own_inertia(links[i], link_data[i], tree_links[i].inertia)
        own_wrench(link_data[i], tree_links[i].inertia, tree_links[i].wrench)
    for i in range(len(links) - 1, 0, -1):
        link = links[i]
        A, p = tree_links[i].inertia, tree_links[i].wrench
        for j in range(link.iv + link.nv - 1, link.iv - 1, -1):
            dof = tree_dofs[j]
            put(dof.linear, dof_data[j].linear)
            put(dof.angular, dof_data[j].angular)
            x, w, u = dof.linear, dof.angular, dof.u
            dof.extra = 0.0
            # hinges turn about the origin: nothing moves it
            for r in range(6):
                u[r] = A[3, r] * w[0] + A[4, r] * w[1] + A[5, r] * w[2]
            total = u[3] * w[0] + u[4] * w[1] + u[5] * w[2]
            own = f[j] - (w[0] * p[3] + w[1] * p[4] + w[2] * p[5])
            if link.kind != REVOLUTE:
                for r in range(6):
                    u[r] += A[0, r] * x[0] + A[1, r] * x[1] + A[2, r] * x[2]
                total = u[0] * x[0] + u[1] * x[1] + u[2] * x[2] + u[3] * w[0] + u[4] * w[1] + u[5] * w[2]
                own -= x[0] * p[0] + x[1] * p[1] + x[2] * p[2]
            if not total > 0.0:
                return False
            dof.pivot = total
            inverse = 1.0 / total
            f[j] = own
            share = own * inverse
            for r in range(6):
                p[r] += share * u[r]
            take_off(A, u, inverse)
        if link.parent > 0:
            a, e, parent = link_data[i].a, link_data[i].e, tree_links[link.parent]
            for r in range(6):
                p[r] += (
                    A[0, r] * a[0] + A[1, r] * a[1] + A[2, r] * a[2] + A[3, r] * e[0] + A[4, r] * e[1] + A[5, r] * e[2]
                )
            arm = tree_links[i].arm
            add_wrench(parent.wrench, p, arm)
            add_to_parent(A, arm, parent.inertia)
    ground = link_data[0].a
    for r in range(3):
        tree_links[0].wrench[r], tree_links[0].wrench[3 + r] = ground[r], 0.0
    for i in range(1, len(links)):
        link, drift, a = links[i], link_data[i], tree_links[i].wrench
        carry_out(tree_links[link.parent], tree_links[i])
        for r in range(3):
            a[r] += drift.a[r]
            a[3 + r] += drift.e[r]
        accelerate_dofs(link, tree_dofs, a, f)
    return True
