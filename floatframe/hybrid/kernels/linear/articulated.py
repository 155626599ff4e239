"""Solution of M x = f for trees of rigid bodies in a time that grows with the number of bodies only.

The factors are those of the articulated-body method at rest: every dof in turn, from the leaves, is split off the
inertia of the link it moves. Factored once, many right-hand sides follow, each in one sweep in and one sweep out.
Vectors of six are force over torque, or velocity over angular velocity, at link origins in world axes. Inertias are
kept symmetric to the last bit: in long chains the difference of their halves would take the digits of soft motions.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from floatframe.hybrid.kernels.options import inner
from floatframe.hybrid.kernels.vectors import put


@inner
def own_inertia(link, here, A):
    """Inertia (6, 6) of a link's own mass at its origin."""
    R = here.R
    m = link.mass
    s0 = R[0, 0] * link.moment[0] + R[0, 1] * link.moment[1] + R[0, 2] * link.moment[2]
    s1 = R[1, 0] * link.moment[0] + R[1, 1] * link.moment[1] + R[1, 2] * link.moment[2]
    s2 = R[2, 0] * link.moment[0] + R[2, 1] * link.moment[1] + R[2, 2] * link.moment[2]
    for r in range(6):
        for c in range(6):
            A[r, c] = 0.0
    A[0, 0] = A[1, 1] = A[2, 2] = m
    # force of a unit angular acceleration: e x s
    A[0, 4], A[0, 5] = s2, -s1
    A[1, 3], A[1, 5] = -s2, s0
    A[2, 3], A[2, 4] = s1, -s0
    for r in range(3):
        a0 = R[r, 0] * link.inertia[0, 0] + R[r, 1] * link.inertia[1, 0] + R[r, 2] * link.inertia[2, 0]
        a1 = R[r, 0] * link.inertia[0, 1] + R[r, 1] * link.inertia[1, 1] + R[r, 2] * link.inertia[2, 1]
        a2 = R[r, 0] * link.inertia[0, 2] + R[r, 1] * link.inertia[1, 2] + R[r, 2] * link.inertia[2, 2]
        for c in range(3):
            A[3 + r, c] = A[c, 3 + r]
        for c in range(r, 3):
            A[3 + r, 3 + c] = A[3 + c, 3 + r] = a0 * R[c, 0] + a1 * R[c, 1] + a2 * R[c, 2]


@inner
def take_off(A, u, inverse):
    """A (6, 6) -= inverse u u^T."""
    for r in range(6):
        f = u[r] * inverse
        for c in range(r, 6):
            A[r, c] -= f * u[c]
            A[c, r] = A[r, c]


@inner
def add_to_parent(A, d, P):
    """P += the inertia A (6, 6) seen from the parent's origin, d (3,) from there to A's origin."""
    # with T = [[E, -d~], [0, E]] (velocity at A from that at the parent): P += T^T A T
    for r in range(6):
        a0, a1, a2 = A[r, 0], A[r, 1], A[r, 2]
        # columns 3..5 of A T gain -A_v d~
        A[r, 3] += a2 * d[1] - a1 * d[2]
        A[r, 4] += a0 * d[2] - a2 * d[0]
        A[r, 5] += a1 * d[0] - a0 * d[1]
    for c in range(3, 6):
        a0, a1, a2 = A[0, c], A[1, c], A[2, c]
        for r in range(3):
            P[r, c - 3] += A[r, c - 3]
            P[r, c] += A[r, c]
            P[c, r] = P[r, c]
        A[3, c] += d[1] * a2 - d[2] * a1
        A[4, c] += d[2] * a0 - d[0] * a2
        A[5, c] += d[0] * a1 - d[1] * a0
        for r in range(3, c + 1):
            P[r, c] += A[r, c]
            P[c, r] = P[r, c]


@inner
def add_wrench(target, wrench, d):
    """target (6,) += a wrench seen from an origin d (3,) before its own."""
    target[0] += wrench[0]
    target[1] += wrench[1]
    target[2] += wrench[2]
    target[3] += wrench[3] + d[1] * wrench[2] - d[2] * wrench[1]
    target[4] += wrench[4] + d[2] * wrench[0] - d[0] * wrench[2]
    target[5] += wrench[5] + d[0] * wrench[1] - d[1] * wrench[0]


@inner
def articulated_factor(links, link_data, dof_data, tree_links, tree_dofs):
    """Factor M + diag(tree_dofs.extra) at the poses in the workspace, which the factors keep. False if singular."""
    keep_inertias(links, link_data, dof_data, tree_links, tree_dofs)
    return factor_kept(links, tree_links, tree_dofs)


@inner
def keep_inertias(links, link_data, dof_data, tree_links, tree_dofs):
    """The inertia of every link at the pose in the workspace, and the motions of the dofs."""
    for i in range(len(links)):
        put(tree_links[i].arm, link_data[i].arm)
        if i > 0:
            own_inertia(links[i], link_data[i], tree_links[i].inertia)
    for j in range(len(tree_dofs)):
        put(tree_dofs[j].linear, dof_data[j].linear)
        put(tree_dofs[j].angular, dof_data[j].angular)


@inner
def factor_kept(links, tree_links, tree_dofs):
    """Factor what `keep_inertias` kept, in its place."""
    for i in range(len(links) - 1, 0, -1):
        link = links[i]
        A = tree_links[i].inertia
        for j in range(link.iv + link.nv - 1, link.iv - 1, -1):
            dof = tree_dofs[j]
            x, w, u = dof.linear, dof.angular, dof.u
            total = dof.extra
            for r in range(6):
                u[r] = (
                    A[r, 0] * x[0] + A[r, 1] * x[1] + A[r, 2] * x[2] + A[r, 3] * w[0] + A[r, 4] * w[1] + A[r, 5] * w[2]
                )
            total += u[0] * x[0] + u[1] * x[1] + u[2] * x[2] + u[3] * w[0] + u[4] * w[1] + u[5] * w[2]
            if not total > 0.0:
                return False
            dof.pivot = total
            take_off(A, u, 1.0 / total)
        if link.parent > 0:
            add_to_parent(A, tree_links[i].arm, tree_links[link.parent].inertia)
    return True


@inner
def articulated_solve(links, tree_links, tree_dofs, f):
    """f (nv,) <- (M + diag(extra))^-1 f; wrenches of links are workspace."""
    for i in range(len(links)):
        for r in range(6):
            tree_links[i].wrench[r] = 0.0
    for i in range(len(links) - 1, 0, -1):
        link = links[i]
        p = tree_links[i].wrench
        for j in range(link.iv + link.nv - 1, link.iv - 1, -1):
            dof = tree_dofs[j]
            x, w, u = dof.linear, dof.angular, dof.u
            own = f[j] - (x[0] * p[0] + x[1] * p[1] + x[2] * p[2] + w[0] * p[3] + w[1] * p[4] + w[2] * p[5])
            f[j] = own
            share = own / dof.pivot
            for r in range(6):
                p[r] += share * u[r]
        if link.parent > 0:
            add_wrench(tree_links[link.parent].wrench, p, tree_links[i].arm)
    spread_out(links, tree_links, tree_dofs, f)


@inner
def spread_out(links, tree_links, tree_dofs, f):
    """The sweep out: f (nv,), of every dof what the sweep in left of its force, becomes its acceleration."""
    tree_links[0].wrench[:] = 0.0
    for i in range(1, len(links)):
        link = links[i]
        # from here on the rows hold accelerations instead of wrenches
        carry_out(tree_links[link.parent], tree_links[i])
        accelerate_dofs(link, tree_dofs, tree_links[i].wrench, f)


@inner
def carry_out(parent, here):
    """The acceleration that a link has from its parent, both in place of their wrenches."""
    a, A, d = here.wrench, parent.wrench, here.arm
    a[0] = A[0] + A[4] * d[2] - A[5] * d[1]
    a[1] = A[1] + A[5] * d[0] - A[3] * d[2]
    a[2] = A[2] + A[3] * d[1] - A[4] * d[0]
    a[3], a[4], a[5] = A[3], A[4], A[5]


@inner
def accelerate_dofs(link, tree_dofs, a, f):
    """The accelerations f of the dofs of a link, which are added to that of the link, a (6,)."""
    for j in range(link.iv, link.iv + link.nv):
        dof = tree_dofs[j]
        u, x, w = dof.u, dof.linear, dof.angular
        own = f[j] - (u[0] * a[0] + u[1] * a[1] + u[2] * a[2] + u[3] * a[3] + u[4] * a[4] + u[5] * a[5])
        own /= dof.pivot
        f[j] = own
        a[0] += own * x[0]
        a[1] += own * x[1]
        a[2] += own * x[2]
        a[3] += own * w[0]
        a[4] += own * w[1]
        a[5] += own * w[2]
