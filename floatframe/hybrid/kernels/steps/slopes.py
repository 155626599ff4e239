"""Slopes of forces between places, element by element.

A force depends on the motion of its place a as seen from place b alone. Six differences of the element, through the
Jacobian of that motion, are its share of the iteration matrix, for whatever number of dofs moves the places; one
difference for what acts along a line. What is left out is small in a step: how levers and axes turn, gyroscopic terms.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from floatframe.hybrid.kernels.coordinates import ZERO, add_marker, scaled
from floatframe.hybrid.kernels.forces import between_places, line_of
from floatframe.hybrid.kernels.forces_track import gripping_speed
from floatframe.hybrid.kernels.layout import BUMP_STOP, FRICTION, OFF, POINT_LOAD, WHEEL_ON_TRACK
from floatframe.hybrid.kernels.options import inner
from floatframe.hybrid.kernels.vectors import cross, difference


@inner
def add_force_slopes(tables, data, w, cv, cq, shift):
    """Add to w.M what forces between places change by with accelerations at the end of the step.

    After an evaluation of the forces, which are left as they are at a place beside; w.places is workspace: the motion
    between the places of an element per speed of the dofs, and what the residual changes by with it. shift:
    displacement [m, rad] for differences, at most.
    """
    for i in range(len(tables.forces)):
        element, here = tables.forces[i], data.forces[i]
        if element.kind in (OFF, POINT_LOAD) or element.coordinate >= 0:
            continue
        arm = difference(data.markers[element.a].p, data.markers[element.b].p)
        if element.kind <= BUMP_STOP:
            line = line_of(data, element, arm)
            put_motion(tables, data, w.places[0], element, arm, line, ZERO)
            if element.kind == FRICTION and element.memory < 0:
                slope = cv * here.state[0]
            else:
                before = here.value
                move_along(tables, data, element, here, line, shift, shift * cv / cq)
                slope = (here.value - before) * cq / shift
            add_product(w.M, slope, w.places[0])
            continue
        way = shift
        if element.kind == WHEEL_ON_TRACK:
            way = min(shift, gripping_speed(data, element) * cq / cv)
        for axis in range(6):
            unit = (1.0 if axis % 3 == 0 else 0.0, 1.0 if axis % 3 == 1 else 0.0, 1.0 if axis % 3 == 2 else 0.0)
            put_motion(
                tables, data, w.places[axis], element, arm, unit if axis < 3 else ZERO, ZERO if axis < 3 else unit
            )
        force, torque = scaled(1.0, here.force), scaled(1.0, here.torque)
        for axis in range(6):
            move_place(tables, data, element, here, axis, way, way * cv / cq)
            push = scaled(cq / way, difference(force, here.force))
            twist = scaled(cq / way, difference(torque, here.torque))
            put_change(w.places, 6 + axis, push, twist)
        add_products(w.M, w.places)


@inner
def put_motion(tables, data, target, element, arm, along, about):
    """To target (nv,) the velocity of place a seen from b along one direction, or its turning about one.

    It is the power of a unit force or torque on a and the opposite on b.
    """
    target[:] = 0.0
    add_marker(tables, data, element.a, along, about, target)
    if tables.markers[element.b].link != 0:
        add_marker(tables, data, element.b, scaled(-1.0, along), difference(cross(along, arm), about), target)


@inner
def move_along(tables, data, element, here, line, shift, faster):
    """The force of an element with its place a moved along a line; the place is as it was afterwards."""
    place = data.markers[element.a]
    p, v = scaled(1.0, place.p), scaled(1.0, place.v)
    for k in range(3):
        place.p[k] += shift * line[k]
        place.v[k] += faster * line[k]
    between_places(tables, data, element, here)
    for k in range(3):
        place.p[k], place.v[k] = p[k], v[k]


@inner
def move_place(tables, data, element, here, axis, shift, faster):
    """The force of an element with its place a moved along (axis 0 to 2) or turned about (3 to 5) a world axis.

    shift, faster: displacement and speed; the place is as it was afterwards.
    """
    place = data.markers[element.a]
    k = axis % 3
    if axis < 3:
        p, v = place.p[k], place.v[k]
        place.p[k], place.v[k] = p + shift, v + faster
        between_places(tables, data, element, here)
        place.p[k], place.v[k] = p, v
        return
    R, i, j = place.R, (k + 1) % 3, (k + 2) % 3
    y, z, speed = (R[i, 0], R[i, 1], R[i, 2]), (R[j, 0], R[j, 1], R[j, 2]), place.w[k]
    for c in range(3):
        R[i, c], R[j, c] = y[c] - shift * z[c], z[c] + shift * y[c]
    place.w[k] = speed + faster
    between_places(tables, data, element, here)
    for c in range(3):
        R[i, c], R[j, c] = y[c], z[c]
    place.w[k] = speed


@inner
def put_change(places, row, push, twist):
    """To a row what the residual changes by with force and torque on a, by the motions in the first six rows."""
    target = places[row]
    ux, uy, uz, tx, ty, tz = places[0], places[1], places[2], places[3], places[4], places[5]
    for j in range(len(target)):
        moved = push[0] * ux[j] + push[1] * uy[j] + push[2] * uz[j]
        target[j] = moved + twist[0] * tx[j] + twist[1] * ty[j] + twist[2] * tz[j]


@inner
def add_product(S, factor, row):
    """S (n, n) += factor row row^T."""
    for r in range(len(row)):
        value = factor * row[r]
        if value != 0.0:
            target = S[r]
            for c in range(len(row)):
                target[c] += value * row[c]


@inner
def add_products(S, places):
    """S (n, n) += the sum over axes of changes (rows 6 to 11) times motions (rows 0 to 5)."""
    ux, uy, uz, tx, ty, tz = places[0], places[1], places[2], places[3], places[4], places[5]
    for r in range(len(S)):
        a, b, c = places[6, r], places[7, r], places[8, r]
        d, e, f = places[9, r], places[10, r], places[11, r]
        if a != 0.0 or b != 0.0 or c != 0.0 or d != 0.0 or e != 0.0 or f != 0.0:
            target = S[r]
            for k in range(len(target)):
                target[k] += a * ux[k] + b * uy[k] + c * uz[k] + d * tx[k] + e * ty[k] + f * tz[k]
