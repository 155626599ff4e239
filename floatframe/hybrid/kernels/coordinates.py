"""Coordinates of joints, in the tree or measured between two markers: value, rate, acceleration, loads on them."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

from floatframe.hybrid.kernels.expression import run_inside
from floatframe.hybrid.kernels.layout import ANGLE, DISPLACEMENT, TREE_COORDINATE
from floatframe.hybrid.kernels.markers import add_marker_row, apply_wrench
from floatframe.hybrid.kernels.options import inner
from floatframe.hybrid.kernels.vectors import column, cross, difference, dot

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
        elif c.kind == DISPLACEMENT:
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
        if c.kind != DISPLACEMENT:
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
        if c.kind != DISPLACEMENT:
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
    if c.kind != DISPLACEMENT:
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
