"""Scalar constraint rows: value, coefficients, rate, convective acceleration.

A row of places is g = 0 with g' = f_a.v_a + t_a.w_a + f_b.v_b + t_b.w_b + (partial time derivative); the four
coefficient vectors are all that Jacobians and reaction forces need. Of a row of speeds g' = 0 is all there is.

    COINCIDE        component axis_b (world) of p_a - p_b
    PERPENDICULAR   axis_a of frame a is normal to axis_b of frame b
    IN_PLANE        (p_a - p_b) . axis_b of frame b = length
    DISTANCE        |p_a - p_b| = length
    RELATION        sum of factor * coordinate = f(t) + length
    EXPRESSION      expression of places and time = length, or one of speeds as well = 0 (see kernels.terms)
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from floatframe.hybrid.kernels.coordinates import (
    ZERO,
    add_coordinate_row,
    add_marker,
    apply_at,
    apply_to_coordinate,
    program,
)
from floatframe.hybrid.kernels.layout import (
    COINCIDE,
    DISTANCE,
    EXPRESSION,
    IN_PLANE,
    PERPENDICULAR,
    RELATION,
    SLOT_TIME,
)
from floatframe.hybrid.kernels.options import inner
from floatframe.hybrid.kernels.sensors import read_places, read_sensors
from floatframe.hybrid.kernels.terms import (
    add_expression_row,
    apply_expression,
    expression_acceleration,
    expression_rate,
    expression_values,
)
from floatframe.hybrid.kernels.vectors import column, cross, difference, dot, put


@inner
def row_values(tables, data, rows, row_data, q, t):
    """Value and coefficients of rows, either those that are kept or the spare ones; coordinates must be up to date."""
    marker_data = data.markers
    read = False
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
        if row.kind == EXPRESSION:
            if not read:
                read_places(tables, data, q, t)
                read = True
            expression_values(tables, data, row, here)
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
def row_accelerations(tables, data, q, v, acc, t):
    """Convective acceleration of every row; markers must carry the accelerations at coordinate accelerations acc."""
    rows, row_data, marker_data = tables.rows, data.rows, data.markers
    read = False
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
        if row.kind == EXPRESSION:
            if not read:
                read_sensors(tables, data, q, v, t)
                read = True
            here.convective = expression_acceleration(tables, data, row, acc)
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
def constraint_jacobian(tables, data, G):
    """G (nrow, nv), rows scaled; row_values must have run."""
    for i in range(len(tables.rows)):
        G[i, :] = 0.0
        add_constraint_row(tables, data, i, G[i])


@inner
def add_constraint_row(tables, data, i, target):
    """target (nv,) += coefficients of row i; row_values must have run."""
    row, here = tables.rows[i], data.rows[i]
    if row.kind == RELATION:
        for k in range(row.first_term, row.last_term):
            term = tables.terms[k]
            add_coordinate_row(tables, data, term.coordinate, term.factor, target)
    elif row.kind == EXPRESSION:
        add_expression_row(tables, data, row, target)
    else:
        add_marker(tables, data, row.a, here.force_a, here.torque_a, target)
        add_marker(tables, data, row.b, here.force_b, here.torque_b, target)


@inner
def apply_reactions(tables, data, lam, residual):
    """G^T lam as loads on markers and coordinates: residual gets -G^T lam."""
    i = 0
    while i < len(tables.rows):
        row, value = tables.rows[i], lam[i]
        if row.kind not in (RELATION, EXPRESSION):
            i = apply_between(tables, data, lam, i, residual)
            continue
        i += 1
        if value == 0.0:
            continue
        if row.kind == RELATION:
            for k in range(row.first_term, row.last_term):
                term = tables.terms[k]
                apply_to_coordinate(tables, data, term.coordinate, value * term.factor, residual)
        else:
            apply_expression(tables, data, row, value, residual)


@inner
def apply_between(tables, data, lam, first, residual):
    """Apply what row `first` and those behind it between the same markers carry, as one load; returns the next row."""
    a, b = tables.rows[first].a, tables.rows[first].b
    force_a = force_b = torque_a = torque_b = ZERO
    i = first
    while i < len(tables.rows) and tables.rows[i].a == a and tables.rows[i].b == b:
        if tables.rows[i].kind in (RELATION, EXPRESSION):
            break
        here, value = data.rows[i], lam[i]
        force_a, torque_a = plus(force_a, value, here.force_a), plus(torque_a, value, here.torque_a)
        force_b, torque_b = plus(force_b, value, here.force_b), plus(torque_b, value, here.torque_b)
        i += 1
    apply_at(tables, data, a, force_a, torque_a, residual)
    apply_at(tables, data, b, force_b, torque_b, residual)
    return i


@inner
def plus(a, factor, b):
    return a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]


@inner
def row_rates(tables, data, v, rates):
    """First time derivatives (nrow,) of the rows at the speeds of the last velocity stage."""
    for i in range(len(tables.rows)):
        rates[i] = row_rate(tables, data, tables.rows[i], data.rows[i], v)


@inner
def row_rate(tables, data, row, here, v):
    """First time derivative of a row."""
    total = here.rate
    if row.kind == RELATION:
        for k in range(row.first_term, row.last_term):
            total += tables.terms[k].factor * data.coordinates[tables.terms[k].coordinate].rate
    elif row.kind == EXPRESSION:
        total += expression_rate(tables, data, row, v)
    else:
        a, b = data.markers[row.a], data.markers[row.b]
        total += dot(here.force_a, a.v) + dot(here.torque_a, a.w)
        total += dot(here.force_b, b.v) + dot(here.torque_b, b.w)
    return total
