"""Force elements: what they measure, the force they make of it, and where they apply it.

Applied forces go to link loads and, with a minus sign, to the modal rows of the residual.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

from numba import njit

from floatframe.hybrid._kernels_constraints import ZERO, apply_at, apply_to_coordinate, program, scaled
from floatframe.hybrid._kernels_math import cross, difference, dot, put, turn, turn_back
from floatframe.hybrid.layout import (
    BUSHING,
    COORDINATE_FORCE,
    FIRST_SENSOR,
    POINT_LOAD,
    SENSE_ANGULAR_VELOCITY,
    SENSE_COORDINATE,
    SENSE_MODAL,
    SENSE_MODAL_RATE,
    SENSE_POSITION,
    SENSE_RATE,
    SENSE_VELOCITY,
    SLOT_COORDINATE,
    SLOT_LENGTH,
    SLOT_RATE,
    SLOT_TIME,
    SPRING,
)


@njit(cache=True, error_model="numpy", _nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True)
def read_sensors(tables, data, q, v, t):
    data.slots[SLOT_TIME] = t
    for i in range(len(tables.sensors)):
        sensor = tables.sensors[i]
        kind, k = sensor.kind, sensor.component
        value = 0.0
        if kind == SENSE_POSITION:
            value = data.markers[sensor.index].p[k]
        elif kind == SENSE_VELOCITY:
            value = data.markers[sensor.index].v[k]
        elif kind == SENSE_ANGULAR_VELOCITY:
            here = data.markers[sensor.index]
            value = turn_back(here.R, here.w)[k]
        elif kind == SENSE_COORDINATE:
            value = data.coordinates[sensor.index].value
        elif kind == SENSE_RATE:
            value = data.coordinates[sensor.index].rate
        elif kind == SENSE_MODAL:
            value = q[sensor.index]
        elif kind == SENSE_MODAL_RATE:
            value = v[sensor.index]
        data.slots[FIRST_SENSOR + i] = value


@njit(cache=True, error_model="numpy", _nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True)
def apply_forces(tables, data, residual):
    """All force elements; sensors, markers and coordinates must be up to date."""
    for i in range(len(tables.forces)):
        element, here = tables.forces[i], data.forces[i]
        put(here.force, ZERO)
        put(here.torque, ZERO)
        if element.kind == COORDINATE_FORCE:
            coordinate_force(tables, data, element, here, residual)
        elif element.kind == SPRING:
            spring(tables, data, element, here, residual)
        elif element.kind == BUSHING:
            bushing(tables, data, element, here, residual)
        elif element.kind == POINT_LOAD:
            point_load(tables, data, element, here, residual)


@njit(cache=True, error_model="numpy", _nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True)
def coordinate_force(tables, data, element, here, residual):
    """Torque or force in a joint coordinate: program of angle (or displacement) and rate."""
    c = data.coordinates[element.coordinate]
    data.slots[SLOT_COORDINATE] = c.value
    data.slots[SLOT_RATE] = c.rate
    here.elongation, here.rate = c.value, c.rate
    here.value = program(tables, data, element.program)
    here.power = here.value * c.rate
    apply_to_coordinate(tables, data, element.coordinate, here.value, residual)


@njit(cache=True, error_model="numpy", _nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True)
def spring(tables, data, element, here, residual):
    """Along the line of two points. Numbers: stiffness, damping, free length, preload; a program adds to the law."""
    a, b = data.markers[element.a], data.markers[element.b]
    arm = difference(a.p, b.p)
    length = math.sqrt(dot(arm, arm))
    k = element.numbers
    here.elongation = length - tables.pool[k + 2]
    if length == 0.0:
        here.rate = here.value = here.power = 0.0
        return
    u = scaled(1.0 / length, arm)
    here.rate = dot(u, difference(a.v, b.v))
    here.value = tables.pool[k] * here.elongation + tables.pool[k + 1] * here.rate + tables.pool[k + 3]
    if element.program >= 0:
        data.slots[SLOT_COORDINATE] = here.elongation
        data.slots[SLOT_RATE] = here.rate
        data.slots[SLOT_LENGTH] = length
        here.value += program(tables, data, element.program)
    here.power = -here.value * here.rate
    put(here.force, scaled(-here.value, u))
    apply_at(tables, data, element.a, here.force, ZERO, residual)
    apply_at(tables, data, element.b, scaled(here.value, u), ZERO, residual)


@njit(cache=True, error_model="numpy", _nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True)
def rotation_vector(A, B):
    """Rotation vector of A relative to B, in B's axes: log(B^T A)."""
    r00 = A[0, 0] * B[0, 0] + A[1, 0] * B[1, 0] + A[2, 0] * B[2, 0]
    r11 = A[0, 1] * B[0, 1] + A[1, 1] * B[1, 1] + A[2, 1] * B[2, 1]
    r22 = A[0, 2] * B[0, 2] + A[1, 2] * B[1, 2] + A[2, 2] * B[2, 2]
    r01 = A[0, 1] * B[0, 0] + A[1, 1] * B[1, 0] + A[2, 1] * B[2, 0]
    r10 = A[0, 0] * B[0, 1] + A[1, 0] * B[1, 1] + A[2, 0] * B[2, 1]
    r02 = A[0, 2] * B[0, 0] + A[1, 2] * B[1, 0] + A[2, 2] * B[2, 0]
    r20 = A[0, 0] * B[0, 2] + A[1, 0] * B[1, 2] + A[2, 0] * B[2, 2]
    r12 = A[0, 2] * B[0, 1] + A[1, 2] * B[1, 1] + A[2, 2] * B[2, 1]
    r21 = A[0, 1] * B[0, 2] + A[1, 1] * B[1, 2] + A[2, 1] * B[2, 2]
    # quaternion by its largest component, so no division by a small number
    if r00 + r11 + r22 > 0.0:
        s = math.sqrt(1.0 + r00 + r11 + r22)
        w, f = 0.5 * s, 0.5 / s
        x, y, z = f * (r21 - r12), f * (r02 - r20), f * (r10 - r01)
    elif r00 >= r11 and r00 >= r22:
        s = math.sqrt(1.0 + r00 - r11 - r22)
        x, f = 0.5 * s, 0.5 / s
        w, y, z = f * (r21 - r12), f * (r01 + r10), f * (r02 + r20)
    elif r11 >= r22:
        s = math.sqrt(1.0 - r00 + r11 - r22)
        y, f = 0.5 * s, 0.5 / s
        w, x, z = f * (r02 - r20), f * (r01 + r10), f * (r12 + r21)
    else:
        s = math.sqrt(1.0 - r00 - r11 + r22)
        z, f = 0.5 * s, 0.5 / s
        w, x, y = f * (r10 - r01), f * (r02 + r20), f * (r12 + r21)
    if w < 0.0:
        w, x, y, z = -w, -x, -y, -z
    sine = math.sqrt(x * x + y * y + z * z)
    f = 2.0 if sine < 1e-9 else 2.0 * math.atan2(sine, w) / sine
    return f * x, f * y, f * z


@njit(cache=True, error_model="numpy", _nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True)
def bushing(tables, data, element, here, residual):
    """Six-component linear element in b's frame. Numbers: K (36), C (36), preload (6) on a."""
    a, b = data.markers[element.a], data.markers[element.b]
    pool, k = tables.pool, element.numbers
    arm = difference(a.p, b.p)
    x = turn_back(b.R, arm)
    relative = difference(difference(a.v, b.v), cross(b.w, arm))
    xr = turn_back(b.R, relative)
    th = rotation_vector(a.R, b.R)
    spin = difference(a.w, b.w)
    thr = turn_back(b.R, spin)
    z = (x[0], x[1], x[2], th[0], th[1], th[2])
    zr = (xr[0], xr[1], xr[2], thr[0], thr[1], thr[2])
    force, torque = here.force, here.torque
    for r in range(6):
        total = pool[k + 72 + r]
        for c in range(6):
            total -= pool[k + 6 * r + c] * z[c] + pool[k + 36 + 6 * r + c] * zr[c]
        if r < 3:
            force[r] = total
        else:
            torque[r - 3] = total
    here.elongation = math.sqrt(dot(x, x))
    here.rate = dot(x, xr) / here.elongation if here.elongation > 0.0 else 0.0
    put(force, turn(b.R, force))
    put(torque, turn(b.R, torque))
    here.value = math.sqrt(dot(force, force))
    here.power = dot(force, relative) + dot(torque, spin)
    apply_at(tables, data, element.a, force, torque, residual)
    back = (-torque[0], -torque[1], -torque[2])
    lever = cross(arm, force)
    apply_at(
        tables,
        data,
        element.b,
        scaled(-1.0, force),
        (back[0] - lever[0], back[1] - lever[1], back[2] - lever[2]),
        residual,
    )


@njit(cache=True, error_model="numpy", _nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True)
def point_load(tables, data, element, here, residual):
    """Six programs: force and torque, in world axes or (numbers[0] = 1) in the axes of the marker."""
    a = data.markers[element.a]
    for r in range(3):
        here.force[r] = program(tables, data, element.program + r)
        here.torque[r] = program(tables, data, element.program + 3 + r)
    if tables.pool[element.numbers] == 1.0:
        put(here.force, turn(a.R, here.force))
        put(here.torque, turn(a.R, here.torque))
    here.value = math.sqrt(dot(here.force, here.force))
    here.power = dot(here.force, a.v) + dot(here.torque, a.w)
    apply_at(tables, data, element.a, here.force, here.torque, residual)
