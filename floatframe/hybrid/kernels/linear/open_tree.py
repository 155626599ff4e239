"""Accelerations of an open tree of rigid links in one sweep in and one out, from loads gathered at the links.

It is `articulated_factor` and `articulated_solve` in one, with the forces of inertia found on the way: what they would
read again is still at hand. The factors are left as `articulated_factor` leaves them.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from floatframe.hybrid.kernels.linear.articulated import add_to_parent, add_wrench, own_inertia, spread_out
from floatframe.hybrid.kernels.options import inner
from floatframe.hybrid.kernels.vectors import cross, difference, put


@inner
def own_wrench(here, A, p):
    """p (6,): what a link of inertia A (6, 6) needs for its velocity and acceleration, less the loads on it."""
    m, a, e, w = A[0, 0], here.a, here.e, here.w
    s = (A[1, 5], A[2, 3], A[0, 4])
    around = cross(w, s)
    outward = cross(w, around)
    tangential = cross(e, s)
    lever = cross(s, a)
    spin = (
        A[3, 3] * w[0] + A[3, 4] * w[1] + A[3, 5] * w[2],
        A[4, 3] * w[0] + A[4, 4] * w[1] + A[4, 5] * w[2],
        A[5, 3] * w[0] + A[5, 4] * w[1] + A[5, 5] * w[2],
    )
    gyration = cross(w, spin)
    for r in range(3):
        p[r] = m * a[r] + tangential[r] + outward[r] - here.load[r]
        turned = A[3 + r, 3] * e[0] + A[3 + r, 4] * e[1] + A[3 + r, 5] * e[2]
        p[3 + r] = lever[r] + turned + gyration[r] - here.load_torque[r]


@inner
def accelerate_open(links, link_data, dof_data, tree_links, tree_dofs, f):
    """f (nv,): forces along the dofs -> accelerations. False if the mass matrix is singular.

    Links must have their velocities, their accelerations for f = 0 and their loads.
    """
    for i in range(1, len(links)):
        put(tree_links[i].p, link_data[i].p)
        own_inertia(links[i], link_data[i], tree_links[i].inertia)
        own_wrench(link_data[i], tree_links[i].inertia, tree_links[i].wrench)
    put(tree_links[0].p, link_data[0].p)
    for i in range(len(links) - 1, 0, -1):
        link = links[i]
        A, p = tree_links[i].inertia, tree_links[i].wrench
        for j in range(link.iv + link.nv - 1, link.iv - 1, -1):
            dof = tree_dofs[j]
            put(dof.linear, dof_data[j].linear)
            put(dof.angular, dof_data[j].angular)
            x, w, u = dof.linear, dof.angular, dof.u
            dof.extra = 0.0
            for r in range(6):
                u[r] = (
                    A[r, 0] * x[0] + A[r, 1] * x[1] + A[r, 2] * x[2] + A[r, 3] * w[0] + A[r, 4] * w[1] + A[r, 5] * w[2]
                )
            total = u[0] * x[0] + u[1] * x[1] + u[2] * x[2] + u[3] * w[0] + u[4] * w[1] + u[5] * w[2]
            if not total > 0.0:
                return False
            dof.pivot = total
            inverse = 1.0 / total
            own = f[j] - (x[0] * p[0] + x[1] * p[1] + x[2] * p[2] + w[0] * p[3] + w[1] * p[4] + w[2] * p[5])
            f[j] = own
            share = own * inverse
            for r in range(6):
                p[r] += share * u[r]
                factor = u[r] * inverse
                for c in range(6):
                    A[r, c] -= factor * u[c]
        if link.parent > 0:
            parent = tree_links[link.parent]
            arm = difference(tree_links[i].p, parent.p)
            add_wrench(parent.wrench, p, arm)
            add_to_parent(A, arm, parent.inertia)
    spread_out(links, tree_links, tree_dofs, f)
    return True
