"""Slopes of forces between places, element by element.

A force depends on the motion of its two places alone. Twelve differences of the element, through the Jacobians of the
places, are its share of the iteration matrix, for whatever number of dofs moves them. What is left out is small in a
step: how levers and axes turn, gyroscopic terms.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from floatframe.hybrid.kernels.coordinates import ZERO, add_marker, scaled
from floatframe.hybrid.kernels.forces import between_places
from floatframe.hybrid.kernels.forces_track import gripping_speed
from floatframe.hybrid.kernels.layout import OFF, WHEEL_ON_TRACK
from floatframe.hybrid.kernels.options import inner
from floatframe.hybrid.kernels.vectors import cross, difference


@inner
def add_force_slopes(tables, data, w, cv, cq, shift):
    """Add to w.M what forces between places change by with accelerations at the end of the step.

    After an evaluation of the forces, which are left as they are at a place beside; w.shifted and w.correction are
    workspace. shift: displacement [m, rad] for differences, at most.
    """
    for i in range(len(tables.forces)):
        element, here = tables.forces[i], data.forces[i]
        if element.kind == OFF or element.coordinate >= 0:
            continue
        load = loads(data, element, here)
        way = shift
        if element.kind == WHEEL_ON_TRACK:
            way = min(shift, gripping_speed(data, element) * cq / cv)
        for side in range(2):
            marker = element.a if side == 0 else element.b
            if tables.markers[marker].link == 0:
                continue  # on the ground
            for axis in range(6):
                move_place(tables, data, element, here, marker, axis, way, way * cv / cq)
                change_of_residual(tables, data, w.shifted, element, load, loads(data, element, here))
                motion_of_place(tables, data, w.correction, marker, axis)
                add_product(w.M, cq / way, w.shifted, w.correction)


@inner
def loads(data, element, here):
    """Force on both places, torque on a, torque on b."""
    arm = difference(data.markers[element.a].p, data.markers[element.b].p)
    force, torque = scaled(1.0, here.force), scaled(1.0, here.torque)
    return force, torque, difference(cross(force, arm), torque)


@inner
def move_place(tables, data, element, here, marker, axis, shift, faster):
    """The force of an element with one of its places moved along (axis 0 to 2) or turned about (3 to 5) a world axis.

    shift, faster: displacement and speed; the place is as it was afterwards.
    """
    place = data.markers[marker]
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
def change_of_residual(tables, data, target, element, before, after):
    """To target (nv,) what the residual changes by with the loads of an element."""
    target[:] = 0.0
    force = difference(before[0], after[0])
    add_marker(tables, data, element.a, force, difference(before[1], after[1]), target)
    add_marker(tables, data, element.b, scaled(-1.0, force), difference(before[2], after[2]), target)


@inner
def motion_of_place(tables, data, target, marker, axis):
    """To target (nv,) the velocity (axis 0 to 2) or angular velocity (3 to 5) of a place per speed of the dofs."""
    target[:] = 0.0
    k = axis % 3
    unit = (1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0)
    add_marker(tables, data, marker, unit if axis < 3 else ZERO, ZERO if axis < 3 else unit, target)


@inner
def add_product(S, factor, column, row):
    """S (n, n) += factor column row^T."""
    for r in range(len(column)):
        value = factor * column[r]
        if value != 0.0:
            target = S[r]
            for c in range(len(row)):
                target[c] += value * row[c]
