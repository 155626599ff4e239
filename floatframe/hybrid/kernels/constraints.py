"""Joint coordinates of cut joints and scalar constraint rows: value, coefficients, convective acceleration.

A row is g = 0 with g' = f_a.v_a + t_a.w_a + f_b.v_b + t_b.w_b + (partial time derivative); the four coefficient
vectors are all that Jacobians and reaction forces need.

    COINCIDE        component axis_b (world) of p_a - p_b
    PERPENDICULAR   axis_a of frame a is normal to axis_b of frame b
    IN_PLANE        (p_a - p_b) . axis_b of frame b = length
    DISTANCE        |p_a - p_b| = length
    RELATION        sum of factor * coordinate = f(t) + length
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

from floatframe.hybrid.kernels.expression import run_inside
from floatframe.hybrid.kernels.layout import (
    ANGLE,
    COINCIDE,
    DISTANCE,
    IN_PLANE,
    PERPENDICULAR,
    RELATION,
    SLOT_TIME,
    TREE_COORDINATE,
)
from floatframe.hybrid.kernels.markers import add_marker_row, apply_wrench
from floatframe.hybrid.kernels.options import inner
from floatframe.hybrid.kernels.vectors import column, cross, difference, dot, put

TWO_PI = 2.0 * math.pi
ZERO = (0.0, 0.0, 0.0)


@inner
def coordinate_values(coordinates, coordinate_data, marker_data, memory, q):
    for i in range(len(coordinates)):
        c, here = coordinates[i], coordinate_data[i]
        if c.kind == TREE_COORDINATE:
            here.value = q[c.iq]
            continue
        a, b = marker_data[c.a], marker_data[c.b]
        if c.kind == ANGLE:
            x = column(a.R, (c.axis + 1) % 3)
            principal = math.atan2(dot(x, column(b.R, (c.axis + 2) % 3)), dot(x, column(b.R, (c.axis + 1) % 3)))
            here.value = principal + TWO_PI * round((memory[c.memory] - principal) / TWO_PI)
        else:
            here.value = dot(difference(a.p, b.p), column(b.R, c.axis))


@inner
def coordinate_rates(coordinates, coordinate_data, marker_data, v):
    for i in range(len(coordinates)):
        c, here = coordinates[i], coordinate_data[i]
        if c.kind == TREE_COORDINATE:
            here.rate = v[c.iv]
            continue
        a, b = marker_data[c.a], marker_data[c.b]
        axis = column(b.R, c.axis)
        if c.kind == ANGLE:
            here.rate = dot(axis, difference(a.w, b.w))
        else:
            arm = difference(a.p, b.p)
            here.rate = dot(axis, difference(a.v, b.v)) + dot(b.w, cross(axis, arm))


@inner
def coordinate_accelerations(coordinates, coordinate_data, marker_data, acc):
    """Second derivatives of the coordinates; with markers at zero coordinate accelerations, the convective parts."""
    for i in range(len(coordinates)):
        c, here = coordinates[i], coordinate_data[i]
        if c.kind == TREE_COORDINATE:
            here.convective = acc[c.iv]
            continue
        a, b = marker_data[c.a], marker_data[c.b]
        axis = column(b.R, c.axis)
        swing = cross(b.w, axis)
        if c.kind == ANGLE:
            here.convective = dot(axis, difference(a.e, b.e)) + dot(swing, difference(a.w, b.w))
        else:
            arm = difference(a.p, b.p)
            here.convective = dot(axis, difference(a.a, b.a)) + 2.0 * dot(swing, difference(a.v, b.v))
            here.convective += dot(b.e, cross(axis, arm)) + dot(arm, cross(b.w, swing))


@inner
def remember_angles(coordinates, coordinate_data, memory):
    """Called when a step is accepted."""
    for i in range(len(coordinates)):
        if coordinates[i].kind == ANGLE:
            memory[coordinates[i].memory] = coordinate_data[i].value


@inner
def coordinate_wrench(c, marker_data):
    """Coefficients of an angle's or displacement's rate on the velocities of its markers."""
    a, b = marker_data[c.a], marker_data[c.b]
    axis = column(b.R, c.axis)
    minus = (-axis[0], -axis[1], -axis[2])
    if c.kind == ANGLE:
        return ZERO, axis, ZERO, minus
    return axis, ZERO, minus, cross(axis, difference(a.p, b.p))


@inner
def coordinate_load(data, c, side):
    """Force and torque on place a of a joint, at it, per unit force on a coordinate: along or about the step's axis.

    side: -1 where the coordinate moves b against a. Of a screw it is a torque; the motion along the axis follows.
    """
    if c.kind == TREE_COORDINATE:
        dof = data.dofs[c.iv]
        if dot(dof.angular, dof.angular) > 0.0:
            return ZERO, scaled(side, dof.angular)
        return scaled(side, dof.linear), ZERO
    force, torque, _, _ = coordinate_wrench(c, data.markers)
    return scaled(side, force), scaled(side, torque)


@inner
def row_values(tables, data, rows, row_data, t):
    """Value and coefficients of rows, either those that are kept or the spare ones; coordinates must be up to date."""
    marker_data = data.markers
    for i in range(len(rows)):
        row, here = rows[i], row_data[i]
        here.rate = 0.0
        if row.kind == RELATION:
            total = -row.length
            for k in range(row.first_term, row.last_term):
                total += tables.terms[k].factor * data.coordinates[tables.terms[k].coordinate].value
            if row.program >= 0:
                data.slots[SLOT_TIME] = t
                total -= program(tables, data, row.program)
                here.rate = -program(tables, data, row.program + 1)
            here.value = total
            continue
        a, b = marker_data[row.a], marker_data[row.b]
        put(here.force_a, ZERO)
        put(here.force_b, ZERO)
        put(here.torque_a, ZERO)
        put(here.torque_b, ZERO)
        if row.kind == COINCIDE:
            k = row.axis_b
            here.value = a.p[k] - b.p[k]
            here.force_a[k] = 1.0
            here.force_b[k] = -1.0
        elif row.kind == PERPENDICULAR:
            x, y = column(a.R, row.axis_a), column(b.R, row.axis_b)
            here.value = dot(x, y)
            c = cross(x, y)
            put(here.torque_a, c)
            put(here.torque_b, (-c[0], -c[1], -c[2]))
        elif row.kind == IN_PLANE:
            arm, y = difference(a.p, b.p), column(b.R, row.axis_b)
            here.value = dot(arm, y) - row.length
            put(here.force_a, y)
            put(here.force_b, (-y[0], -y[1], -y[2]))
            put(here.torque_b, cross(y, arm))
        elif row.kind == DISTANCE:
            arm = difference(a.p, b.p)
            here.value = 0.5 * (dot(arm, arm) / row.length - row.length)
            u = (arm[0] / row.length, arm[1] / row.length, arm[2] / row.length)
            put(here.force_a, u)
            put(here.force_b, (-u[0], -u[1], -u[2]))


@inner
def program(tables, data, k):
    return run_inside(
        tables.code,
        tables.constants,
        tables.begin,
        k,
        data.slots,
        tables.table_begin,
        tables.table_x,
        tables.table_coefficients,
        data.stack,
    )


@inner
def row_accelerations(tables, data, t):
    """Convective acceleration of every row; markers must carry the accelerations at zero coordinate acceleration."""
    rows, row_data, marker_data = tables.rows, data.rows, data.markers
    for i in range(len(rows)):
        row, here = rows[i], row_data[i]
        if row.kind == RELATION:
            total = 0.0
            for k in range(row.first_term, row.last_term):
                total += tables.terms[k].factor * data.coordinates[tables.terms[k].coordinate].convective
            if row.program >= 0:
                data.slots[SLOT_TIME] = t
                total -= program(tables, data, row.program + 2)
            here.convective = total
            continue
        a, b = marker_data[row.a], marker_data[row.b]
        if row.kind == COINCIDE:
            here.convective = a.a[row.axis_b] - b.a[row.axis_b]
        elif row.kind == PERPENDICULAR:
            x, y = column(a.R, row.axis_a), column(b.R, row.axis_b)
            here.convective = dot(cross(x, y), difference(a.e, b.e))
            turning = difference(a.w, b.w)
            here.convective += dot(turning, cross(cross(a.w, x), y)) + dot(turning, cross(x, cross(b.w, y)))
        elif row.kind == IN_PLANE:
            arm, y = difference(a.p, b.p), column(b.R, row.axis_b)
            swing = cross(b.w, y)
            here.convective = dot(y, difference(a.a, b.a)) + 2.0 * dot(swing, difference(a.v, b.v))
            here.convective += dot(arm, cross(b.e, y)) + dot(arm, cross(b.w, swing))
        elif row.kind == DISTANCE:
            relative = difference(a.v, b.v)
            arm = difference(a.p, b.p)
            here.convective = (dot(arm, difference(a.a, b.a)) + dot(relative, relative)) / row.length


@inner
def add_coordinate_row(tables, data, k, factor, target):
    """target (nv,) += factor * d(rate of coordinate k)/dv."""
    c = tables.coordinates[k]
    if c.kind == TREE_COORDINATE:
        target[c.iv] += factor
        return
    fa, ta, fb, tb = coordinate_wrench(c, data.markers)
    add_marker(tables, data, c.a, scaled(factor, fa), scaled(factor, ta), target)
    add_marker(tables, data, c.b, scaled(factor, fb), scaled(factor, tb), target)


@inner
def apply_to_coordinate(tables, data, k, value, residual):
    """A generalised force (torque or force) on coordinate k, into loads and residual."""
    c = tables.coordinates[k]
    if c.kind == TREE_COORDINATE:
        residual[c.iv] -= value
        return
    fa, ta, fb, tb = coordinate_wrench(c, data.markers)
    apply_at(tables, data, c.a, scaled(value, fa), scaled(value, ta), residual)
    apply_at(tables, data, c.b, scaled(value, fb), scaled(value, tb), residual)


@inner
def scaled(factor, a):
    return factor * a[0], factor * a[1], factor * a[2]


@inner
def add_marker(tables, data, k, force, torque, target):
    add_marker_row(
        tables.markers[k],
        data.markers[k],
        tables.links,
        tables.dofs,
        tables.flexible,
        data.links,
        data.dofs,
        data.pool,
        force,
        torque,
        target,
    )


@inner
def apply_at(tables, data, k, force, torque, residual):
    apply_wrench(tables.markers[k], data.markers[k], tables.flexible, data.links, data.pool, force, torque, residual)


@inner
def constraint_jacobian(tables, data, G):
    """G (nrow, nv), rows scaled; row_values must have run."""
    for i in range(len(tables.rows)):
        row, here = tables.rows[i], data.rows[i]
        G[i, :] = 0.0
        if row.kind == RELATION:
            for k in range(row.first_term, row.last_term):
                term = tables.terms[k]
                add_coordinate_row(tables, data, term.coordinate, term.factor, G[i])
        else:
            add_marker(tables, data, row.a, here.force_a, here.torque_a, G[i])
            add_marker(tables, data, row.b, here.force_b, here.torque_b, G[i])


@inner
def apply_reactions(tables, data, lam, residual):
    """G^T lam as loads on markers and coordinates: residual gets -G^T lam."""
    for i in range(len(tables.rows)):
        row, here, value = tables.rows[i], data.rows[i], lam[i]
        if value == 0.0:
            continue
        if row.kind == RELATION:
            for k in range(row.first_term, row.last_term):
                term = tables.terms[k]
                apply_to_coordinate(tables, data, term.coordinate, value * term.factor, residual)
        else:
            apply_at(tables, data, row.a, scaled(value, here.force_a), scaled(value, here.torque_a), residual)
            apply_at(tables, data, row.b, scaled(value, here.force_b), scaled(value, here.torque_b), residual)


@inner
def row_rates(tables, data, rates):
    """First time derivatives (nrow,) of the rows at the speeds of the last velocity stage."""
    for i in range(len(tables.rows)):
        rates[i] = row_rate(tables, data, tables.rows[i], data.rows[i])


@inner
def row_rate(tables, data, row, here):
    """First time derivative of a row."""
    total = here.rate
    if row.kind == RELATION:
        for k in range(row.first_term, row.last_term):
            total += tables.terms[k].factor * data.coordinates[tables.terms[k].coordinate].rate
    else:
        a, b = data.markers[row.a], data.markers[row.b]
        total += dot(here.force_a, a.v) + dot(here.torque_a, a.w)
        total += dot(here.force_b, b.v) + dot(here.torque_b, b.w)
    return total
