"""Inertia, elastic and damping forces of flexible bodies in their floating frames (docs/theory/floating-frame.md).

Numbers of a body with n modes lie in one pool, in this order (see compile/flexible.py):

    s0       3        J_rho
    JH       3 n      J_H, row by row
    rH       3 n      J_rhoH
    Jrr      6        inertia tensor: xx yy zz yz xz xy
    P        6 n      -(J_rho_h[i] + transpose), component by component
    X        n 9 n    X[j] = per unit w_j: six components of dJ/dw (n each), then three rows of J_phi_w
    MHH      n n      mass;  then K (n n) and D (n n): stiffness and damping; n each when all are diagonal

and its workspace:

    dJ       6 n      derivative of the inertia tensor by w_i
    phiw     3 n      J_phi_w
    rate     3 n      its time derivative
    s        3        first moment
    J        6        inertia tensor
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from floatframe.hybrid.kernels.options import apart, inner
from floatframe.hybrid.kernels.vectors import add, add_rows, cross, dot, product, turn, turn_back


@inner
def symmetric_times(J, k, x):
    """Symmetric tensor J[k:k+6] (xx yy zz yz xz xy) times x."""
    return (
        J[k] * x[0] + J[k + 5] * x[1] + J[k + 4] * x[2],
        J[k + 5] * x[0] + J[k + 1] * x[1] + J[k + 3] * x[2],
        J[k + 4] * x[0] + J[k + 3] * x[1] + J[k + 2] * x[2],
    )


@inner
def shape_terms(body, pool, work, q):
    """Position stage: first moment, inertia tensor, its derivatives and J_phi_w for the deformed body."""
    n, iq, k = body.n, body.iq, body.constants
    o = body.work
    s, J = o + 12 * n, o + 12 * n + 3
    JH, rH = k + 3, k + 3 + 3 * n
    Jrr = rH + 3 * n
    P = Jrr + 6
    X = P + 6 * n
    for c in range(6 * n):
        work[o + c] = pool[P + c]
    for c in range(3 * n):
        work[o + 6 * n + c] = pool[rH + c]
    add_rows(pool, X, 9 * n, q[iq : iq + n], 1.0, work[o : o + 9 * n])
    w = q[iq : iq + n]
    for c in range(3):
        work[s + c] = pool[k + c] + product(pool[JH + c * n : JH + (c + 1) * n], w)
    for c in range(6):
        undeformed, deformed = pool[P + c * n : P + (c + 1) * n], work[o + c * n : o + (c + 1) * n]
        work[J + c] = pool[Jrr + c] + 0.5 * (product(undeformed, w) + product(deformed, w))


@inner
def shape_rates(body, pool, work, v):
    """Velocity stage: time derivative of J_phi_w."""
    n, iv = body.n, body.iv
    X = body.constants + 3 + 6 * n + 6 + 6 * n
    o = body.work + 9 * n
    target = work[o : o + 3 * n]
    for c in range(3 * n):
        target[c] = 0.0
    add_rows(pool, X + 6 * n, 9 * n, v[iv : iv + n], 1.0, target)


@apart
def inertia_wrench(body, pool, work, here, v, acc, residual):
    """Adds the body's inertia force to its frame's wrench (world axes) and to the modal rows of residual."""
    n, iv, k, o = body.n, body.iv, body.constants, body.work
    phiw, rate = o + 6 * n, o + 9 * n
    s_at, J_at = o + 12 * n, o + 12 * n + 3
    JH = k + 3
    R = here.R
    a = turn_back(R, here.a)
    e = turn_back(R, here.e)
    w = turn_back(R, here.w)
    s = (work[s_at], work[s_at + 1], work[s_at + 2])
    # modal momentum and its rate seen in the frame
    hv0 = hv1 = hv2 = ha0 = ha1 = ha2 = 0.0
    pv0 = pv1 = pv2 = pa0 = pa1 = pa2 = 0.0
    d0 = d1 = d2 = d3 = d4 = d5 = 0.0
    for i in range(n):
        vi, ai = v[iv + i], acc[iv + i]
        h0, h1, h2 = pool[JH + i], pool[JH + n + i], pool[JH + 2 * n + i]
        hv0 += h0 * vi
        hv1 += h1 * vi
        hv2 += h2 * vi
        ha0 += h0 * ai
        ha1 += h1 * ai
        ha2 += h2 * ai
        p0, p1, p2 = work[phiw + i], work[phiw + n + i], work[phiw + 2 * n + i]
        pv0 += p0 * vi
        pv1 += p1 * vi
        pv2 += p2 * vi
        pa0 += p0 * ai
        pa1 += p1 * ai
        pa2 += p2 * ai
        d0 += work[o + i] * vi
        d1 += work[o + n + i] * vi
        d2 += work[o + 2 * n + i] * vi
        d3 += work[o + 3 * n + i] * vi
        d4 += work[o + 4 * n + i] * vi
        d5 += work[o + 5 * n + i] * vi
    on = body.coriolis
    es = cross(e, s)
    ws = cross(w, cross(w, s))
    wh = cross(w, (hv0, hv1, hv2))
    m = body.mass
    force = (
        m * a[0] + es[0] + ws[0] + ha0 + 2.0 * on * wh[0],
        m * a[1] + es[1] + ws[1] + ha1 + 2.0 * on * wh[1],
        m * a[2] + es[2] + ws[2] + ha2 + 2.0 * on * wh[2],
    )
    sa = cross(s, a)
    Je = symmetric_times(work, J_at, e)
    Jw = symmetric_times(work, J_at, w)
    gyro = cross(w, Jw)
    dJw = (d0 * w[0] + d5 * w[1] + d4 * w[2], d5 * w[0] + d1 * w[1] + d3 * w[2], d4 * w[0] + d3 * w[1] + d2 * w[2])
    wp = cross(w, (pv0, pv1, pv2))
    torque = (
        sa[0] + Je[0] + gyro[0] + pa0 + on * (dJw[0] + wp[0]),
        sa[1] + Je[1] + gyro[1] + pa1 + on * (dJw[1] + wp[1]),
        sa[2] + Je[2] + gyro[2] + pa2 + on * (dJw[2] + wp[2]),
    )
    add(here.force, turn(R, force))
    add(here.torque, turn(R, torque))
    # half the square of w in the order of the tensor's components
    q0, q1, q2 = 0.5 * w[0] * w[0], 0.5 * w[1] * w[1], 0.5 * w[2] * w[2]
    q3, q4, q5 = w[1] * w[2], w[0] * w[2], w[0] * w[1]
    two = 2.0 * on
    for i in range(n):
        inertia = pool[JH + i] * a[0] + pool[JH + n + i] * a[1] + pool[JH + 2 * n + i] * a[2]
        inertia += work[phiw + i] * e[0] + work[phiw + n + i] * e[1] + work[phiw + 2 * n + i] * e[2]
        inertia -= q0 * work[o + i] + q1 * work[o + n + i] + q2 * work[o + 2 * n + i]
        inertia -= q3 * work[o + 3 * n + i] + q4 * work[o + 4 * n + i] + q5 * work[o + 5 * n + i]
        # J_hH[i] is antisymmetric in its two modes, so both Coriolis terms are equal
        inertia += two * (work[rate + i] * w[0] + work[rate + n + i] * w[1] + work[rate + 2 * n + i] * w[2])
        residual[iv + i] += inertia
    modal_mass(body, pool, acc, residual)


@inner
def modal_mass(body, pool, acc, residual):
    n, iv = body.n, body.iv
    M = body.matrices
    if body.diagonal == 1:
        for i in range(n):
            residual[iv + i] += pool[M + i] * acc[iv + i]
    else:
        for i in range(n):
            total = 0.0
            for j in range(n):
                total += pool[M + i * n + j] * acc[iv + j]
            residual[iv + i] += total


@inner
def elastic_forces(body, pool, q, v, residual):
    """residual += K w + D w' on the modal rows."""
    n, iq, iv = body.n, body.iq, body.iv
    M = body.matrices
    if body.diagonal == 1:
        for i in range(n):
            residual[iv + i] += pool[M + n + i] * q[iq + i] + pool[M + 2 * n + i] * v[iv + i]
    else:
        K, D = M + n * n, M + 2 * n * n
        for i in range(n):
            total = 0.0
            for j in range(n):
                total += pool[K + i * n + j] * q[iq + j] + pool[D + i * n + j] * v[iv + j]
            residual[iv + i] += total


@inner
def composite_frame(body, pool, work, here):
    """The deformed body's mass, first moment and inertia tensor as the composite inertia of its frame (world axes)."""
    n, o = body.n, body.work
    s_at, J_at = o + 12 * n, o + 12 * n + 3
    R = here.R
    here.cm += body.mass
    add(here.cs, turn(R, (work[s_at], work[s_at + 1], work[s_at + 2])))
    for r in range(3):
        row = symmetric_times(work, J_at, (R[r, 0], R[r, 1], R[r, 2]))
        for c in range(3):
            here.cj[r, c] += row[0] * R[c, 0] + row[1] * R[c, 1] + row[2] * R[c, 2]


@apart
def modal_inertia(body, pool, work, here, dofs, link_data, dof_data, last_dof, M):
    """Rows and columns of the modal coordinates in the mass matrix M (nv, nv)."""
    n, iv, o = body.n, body.iv, body.work
    JH = body.constants + 3
    phiw = o + 6 * n
    block = body.matrices
    R = here.R
    j = last_dof
    while j >= 0:
        # what a unit speed of this dof is at the frame's origin, in body axes
        motion = dof_data[j]
        arm = (
            here.p[0] - link_data[dofs[j].link].p[0],
            here.p[1] - link_data[dofs[j].link].p[1],
            here.p[2] - link_data[dofs[j].link].p[2],
        )
        swing = cross(motion.angular, arm)
        x = turn_back(R, (motion.linear[0] + swing[0], motion.linear[1] + swing[1], motion.linear[2] + swing[2]))
        y = turn_back(R, motion.angular)
        for i in range(n):
            value = pool[JH + i] * x[0] + pool[JH + n + i] * x[1] + pool[JH + 2 * n + i] * x[2]
            value += work[phiw + i] * y[0] + work[phiw + n + i] * y[1] + work[phiw + 2 * n + i] * y[2]
            M[iv + i, j] = value
            M[j, iv + i] = value
        j = dofs[j].previous
    if body.diagonal == 1:
        for i in range(n):
            M[iv + i, iv + i] = pool[block + i]
    else:
        for i in range(n):
            for c in range(n):
                M[iv + i, iv + c] = pool[block + i * n + c]


@inner
def energies(body, pool, work, here, q, v):
    """Kinetic and elastic energy, J."""
    n, iq, iv, o, k = body.n, body.iq, body.iv, body.work, body.constants
    phiw, s_at, J_at = o + 6 * n, o + 12 * n, o + 12 * n + 3
    block = body.matrices
    R = here.R
    u = turn_back(R, here.v)
    w = turn_back(R, here.w)
    s = (work[s_at], work[s_at + 1], work[s_at + 2])
    kinetic = 0.5 * body.mass * dot(u, u) + dot(u, cross(w, s)) + 0.5 * dot(w, symmetric_times(work, J_at, w))
    elastic = 0.0
    for i in range(n):
        along = 0.0
        for c in range(3):
            along += pool[k + 3 + c * n + i] * u[c] + work[phiw + c * n + i] * w[c]
        kinetic += v[iv + i] * along
        if body.diagonal == 1:
            kinetic += 0.5 * pool[block + i] * v[iv + i] ** 2
            elastic += 0.5 * pool[block + n + i] * q[iq + i] ** 2
        else:
            for j in range(n):
                kinetic += 0.5 * v[iv + i] * pool[block + i * n + j] * v[iv + j]
                elastic += 0.5 * q[iq + i] * pool[block + n * n + i * n + j] * q[iq + j]
    return kinetic, elastic
