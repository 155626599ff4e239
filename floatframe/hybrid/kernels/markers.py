"""Places on rigid links and on nodes of flexible bodies: their motion, loads on them, their Jacobian rows.

A node of a flexible body moves with the body's frame and, in it, by its shape rows times the modal coordinates; its
rotation vector is Exp-ed, so the node's frame is a true rotation and the Jacobian is its exact derivative. With
second-order matrices G_k the displacement along dof k has the part -1/2 w^T G_k w.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

from floatframe.hybrid.kernels.options import apart, inner, reordered
from floatframe.hybrid.kernels.tree import add_path
from floatframe.hybrid.kernels.vectors import (
    add,
    add_rows,
    add_scaled,
    cross,
    dot,
    multiply,
    multiply_rotation_vector,
    put,
    turn,
    turn_back,
)


@inner
def exponential_factors(x):
    """(1 - cos r)/r^2, (r - sin r)/r^3 and their derivatives by x = r^2."""
    if x < 0.05:
        c1 = 0.5 - x / 24 + x * x / 720 - x**3 / 40320 + x**4 / 3628800
        c2 = 1.0 / 6 - x / 120 + x * x / 5040 - x**3 / 362880 + x**4 / 39916800
        d1 = -1.0 / 24 + x / 360 - x * x / 13440 + x**3 / 907200 - x**4 / 95800320
        d2 = -1.0 / 120 + x / 2520 - x * x / 120960 + x**3 / 9979200 - x**4 / 1245404160
        return c1, c2, d1, d2
    r = math.sqrt(x)
    s = math.sin(r) / r
    c1 = (1.0 - math.cos(r)) / x
    c2 = (1.0 - s) / x
    return c1, c2, (0.5 * s - c1) / x, (-0.5 * (math.cos(r) - s) / x - c2) / x


@reordered
def put_products(pool, rows, n, x, first, upper, lower):
    """Six rows of length n in a pool times x[first:first + n], to upper (3,) and lower (3,); six sums side by side."""
    u0 = u1 = u2 = t0 = t1 = t2 = 0.0
    for j in range(n):
        xj = x[first + j]
        u0 += pool[rows + j] * xj
        u1 += pool[rows + n + j] * xj
        u2 += pool[rows + 2 * n + j] * xj
        t0 += pool[rows + 3 * n + j] * xj
        t1 += pool[rows + 4 * n + j] * xj
        t2 += pool[rows + 5 * n + j] * xj
    put(upper, (u0, u1, u2))
    put(lower, (t0, t1, t2))


@inner
def marker_positions(markers, marker_data, flexible, link_data, pool, work, q):
    """Poses of all markers, and the deformed shape rows (body axes) of those on flexible bodies."""
    for i in range(len(markers)):
        marker, here = markers[i], marker_data[i]
        frame = link_data[marker.link]
        if marker.flexible < 0:
            put(here.p, frame.p)
            add(here.p, turn(frame.R, marker.position))
            multiply(frame.R, marker.rotation, here.R)
            continue
        body = flexible[marker.flexible]
        n, iq = body.n, body.iq
        rows = marker.work
        size = 6 * n
        for k in range(size):
            work[rows + k] = pool[marker.shapes + k]
        u, theta = here.u, here.theta
        put_products(pool, marker.shapes, n, q, iq, u, theta)
        if marker.quadratic >= 0:
            second_order(marker, body, pool, work, q, u, theta)
        add(u, marker.position)
        put(here.p, frame.p)
        add(here.p, turn(frame.R, u))
        multiply_rotation_vector(frame.R, theta, here.node)
        multiply(here.node, marker.rotation, here.R)
        turn_rows(
            theta,
            work[rows + 3 * n : rows + 4 * n],
            work[rows + 4 * n : rows + 5 * n],
            work[rows + 5 * n : rows + 6 * n],
        )


@apart
def turn_rows(theta, a, b, c):
    """Rows (n,) of a rotation vector's rates become those of the angular velocity in body axes.

    That is (E + c1 t~ + c2 t~ t~) t'.
    """
    x, y, z = theta[0], theta[1], theta[2]
    c1, c2, _, _ = exponential_factors(x * x + y * y + z * z)
    ab, ac, bc = c2 * x * y, c2 * x * z, c2 * y * z
    aa, bb, cc = 1.0 - c2 * (y * y + z * z), 1.0 - c2 * (x * x + z * z), 1.0 - c2 * (x * x + y * y)
    for j in range(len(a)):
        p, q, r = a[j], b[j], c[j]
        a[j] = aa * p + (ab - c1 * z) * q + (ac + c1 * y) * r
        b[j] = (ab + c1 * z) * p + bb * q + (bc - c1 * x) * r
        c[j] = (ac - c1 * y) * p + (bc + c1 * x) * q + cc * r


@inner
def second_order(marker, body, pool, work, q, u, theta):
    """Second-order matrices G_k: shape rows become H_k - G_k w, displacements and rotations get -1/2 w^T G_k w."""
    n, iq = body.n, body.iq
    rows = work[marker.work : marker.work + 6 * n]
    add_rows(pool, marker.quadratic, 6 * n, q[iq : iq + n], -1.0, rows)
    for k in range(6):
        half = 0.0
        for i in range(n):
            half += 0.5 * (pool[marker.shapes + k * n + i] - rows[k * n + i]) * q[iq + i]
        if k < 3:
            u[k] -= half
        else:
            theta[k - 3] -= half


@inner
def linear_motion(marker, flexible, pool, q, iq, first):
    """Displacement (first 0) or rotation (first 3) of a node by its shapes alone, body axes: what stresses follow.

    The modal coordinates, or their rates for those of the motion, are q from iq on.
    """
    n = flexible[marker.flexible].n
    x = y = z = 0.0
    for j in range(n):
        x += pool[marker.shapes + first * n + j] * q[iq + j]
        y += pool[marker.shapes + (first + 1) * n + j] * q[iq + j]
        z += pool[marker.shapes + (first + 2) * n + j] * q[iq + j]
    return x, y, z


@inner
def marker_velocities(markers, marker_data, flexible, link_data, work, v):
    for i in range(len(markers)):
        marker, here = markers[i], marker_data[i]
        frame = link_data[marker.link]
        arm = (here.p[0] - frame.p[0], here.p[1] - frame.p[1], here.p[2] - frame.p[2])
        put(here.v, frame.v)
        add(here.v, cross(frame.w, arm))
        put(here.w, frame.w)
        if marker.flexible < 0:
            continue
        body = flexible[marker.flexible]
        n, iv, rows = body.n, body.iv, marker.work
        put_products(work, rows, n, v, iv, here.u_rate, here.spin)
        add(here.v, turn(frame.R, here.u_rate))
        add(here.w, turn(frame.R, here.spin))


@inner
def marker_accelerations(markers, marker_data, flexible, link_data, pool, work, q, v, acc):
    """Accelerations less gravity; with acc = 0 the convective parts."""
    for i in range(len(markers)):
        marker, here = markers[i], marker_data[i]
        frame = link_data[marker.link]
        arm = (here.p[0] - frame.p[0], here.p[1] - frame.p[1], here.p[2] - frame.p[2])
        put(here.a, frame.a)
        add(here.a, cross(frame.e, arm))
        add(here.a, cross(frame.w, cross(frame.w, arm)))
        put(here.e, frame.e)
        if marker.flexible < 0:
            continue
        body = flexible[marker.flexible]
        n, iv, rows = body.n, body.iv, marker.work
        add_scaled(here.a, 2.0, cross(frame.w, turn(frame.R, here.u_rate)))
        add(here.e, cross(frame.w, turn(frame.R, here.spin)))
        local_a, local_e = here.local_a, here.local_e
        rate, bend = here.theta_rate, here.theta_bend
        put_products(work, rows, n, acc, iv, local_a, local_e)
        put(rate, linear_motion(marker, flexible, pool, v, iv, 3))
        put(bend, (0.0, 0.0, 0.0))
        if marker.quadratic >= 0:
            second_order_rates(marker, body, pool, work, q, v, local_a, rate, bend)
        theta = here.theta
        c1, c2, d1, d2 = exponential_factors(dot(theta, theta))
        slope = 2.0 * dot(theta, rate)
        y = cross(theta, rate)
        z = cross(theta, y)
        add_scaled(local_e, d1 * slope, y)
        add_scaled(local_e, d2 * slope, z)
        add_scaled(local_e, c2, cross(rate, y))
        # second-order part of the rotation vector's own acceleration, through the same tangent map
        y = cross(theta, bend)
        add(local_e, bend)
        add_scaled(local_e, c1, y)
        add_scaled(local_e, c2, cross(theta, y))
        add(here.a, turn(frame.R, local_a))
        add(here.e, turn(frame.R, local_e))


@inner
def second_order_rates(marker, body, pool, work, q, v, local_a, theta_rate, theta_bend):
    """The parts of acceleration and rotation rate that the second-order matrices give at zero modal acceleration."""
    n, iq, iv = body.n, body.iq, body.iv
    # G_k w' behind the shape rows; whole rows at once, since long sums of single numbers are slow
    rows = work[marker.work + 6 * n : marker.work + 12 * n]
    for c in range(6 * n):
        rows[c] = 0.0
    add_rows(pool, marker.quadratic, 6 * n, v[iv : iv + n], 1.0, rows)
    for k in range(6):
        mixed = 0.0
        square = 0.0
        for i in range(n):
            mixed += rows[k * n + i] * q[iq + i]
            square += rows[k * n + i] * v[iv + i]
        if k < 3:
            local_a[k] -= square
        else:
            theta_rate[k - 3] -= mixed
            theta_bend[k - 3] -= square


@inner
def apply_wrench(marker, here, flexible, link_data, work, force, torque, residual):
    """A force and a torque (world axes) at a marker: to the link's loads and, negative, to the modal residual."""
    frame = link_data[marker.link]
    arm = (here.p[0] - frame.p[0], here.p[1] - frame.p[1], here.p[2] - frame.p[2])
    add(frame.load, force)
    add(frame.load_torque, torque)
    add(frame.load_torque, cross(arm, force))
    if marker.flexible >= 0:
        body = flexible[marker.flexible]
        add_modal(body, marker.work, frame, work, force, torque, -1.0, residual)


@apart
def add_modal(body, rows, frame, work, force, torque, factor, target):
    n, iv = body.n, body.iv
    f = turn_back(frame.R, force)
    t = turn_back(frame.R, torque)
    for j in range(n):
        total = work[rows + j] * f[0] + work[rows + n + j] * f[1] + work[rows + 2 * n + j] * f[2]
        total += work[rows + 3 * n + j] * t[0] + work[rows + 4 * n + j] * t[1] + work[rows + 5 * n + j] * t[2]
        target[iv + j] += factor * total


@inner
def add_marker_row(marker, here, links, dofs, flexible, link_data, dof_data, work, force, torque, target):
    """target (nv,) += force^T J_v + torque^T J_w of the marker."""
    add_path(dofs, dof_data, link_data, links[marker.link].last_dof, here.p, force, torque, target)
    if marker.flexible >= 0:
        add_modal(flexible[marker.flexible], marker.work, link_data[marker.link], work, force, torque, 1.0, target)
