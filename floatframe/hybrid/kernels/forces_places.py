"""Force elements with six components between two places: bushing, load, contact with a plane, a user's function.

Each writes force and torque on its marker a, in world axes. `arm` is p_a - p_b, `relative` the velocity of a as seen
from b's frame, `spin` the relative angular velocity, all in world axes.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

from floatframe.hybrid.kernels.coordinates import program, scaled
from floatframe.hybrid.kernels.layout import SLOT_TIME, USER_ARGUMENTS
from floatframe.hybrid.kernels.options import inner
from floatframe.hybrid.kernels.vectors import add_scaled, column, cross, dot, put, quaternion, turn, turn_back
from floatframe.native import call_at


@inner
def rotation_vector(A, B):
    """Rotation vector of A relative to B, in B's axes: log(B^T A)."""
    a, b, c = turn_back(B, column(A, 0)), turn_back(B, column(A, 1)), turn_back(B, column(A, 2))
    w, x, y, z = quaternion(((a[0], b[0], c[0]), (a[1], b[1], c[1]), (a[2], b[2], c[2])))
    sine = math.sqrt(x * x + y * y + z * z)
    f = 2.0 if sine < 1e-9 else 2.0 * math.atan2(sine, w) / sine
    return f * x, f * y, f * z


@inner
def bushing(data, element, here, arm, relative, spin):
    """Six-component linear element in b's frame."""
    A, B = data.markers[element.a].R, data.markers[element.b].R
    law = element.bushing
    x, xr, thr = turn_back(B, arm), turn_back(B, relative), turn_back(B, spin)
    th = rotation_vector(A, B)
    z = (x[0], x[1], x[2], th[0], th[1], th[2])
    zr = (xr[0], xr[1], xr[2], thr[0], thr[1], thr[2])
    for r in range(6):
        total = law.preload[r]
        for c in range(6):
            total -= law.stiffness[r, c] * z[c] + law.damping[r, c] * zr[c]
        if r < 3:
            here.force[r] = total
        else:
            here.torque[r - 3] = total
    put(here.force, turn(B, here.force))
    put(here.torque, turn(B, here.torque))


@inner
def point_load(tables, data, element, here):
    """Six programs: force and torque, in world axes or in the axes of the marker."""
    for r in range(6):
        value = program(tables, data, element.program + r)
        if r < 3:
            here.force[r] = value
        else:
            here.torque[r - 3] = value
    if element.body_axes == 1:
        R = data.markers[element.a].R
        put(here.force, turn(R, here.force))
        put(here.torque, turn(R, here.torque))
    here.elongation = here.rate = 0.0


@inner
def contact_plane(data, element, here, arm, relative, spin):
    """Sphere about a, or point a, on the plane through b across b's z axis."""
    normal = column(data.markers[element.b].R, 2)
    radius = element.radius
    here.elongation = radius - dot(normal, arm)
    here.rate = -dot(normal, relative)
    here.value = 0.0
    if not here.elongation > 0.0:
        return
    here.value = max(element.stiffness * here.elongation**element.exponent + element.damping * here.rate, 0.0)
    lever = scaled(-radius, normal)
    slip = cross(spin, lever)
    slip = (slip[0] + relative[0], slip[1] + relative[1], slip[2] + relative[2])
    across = dot(normal, slip)
    slip = (slip[0] - across * normal[0], slip[1] - across * normal[1], slip[2] - across * normal[2])
    speed = math.sqrt(dot(slip, slip))
    growth = 2.0 / element.speed
    if speed > 0.0:
        growth = math.tanh(growth * speed) / speed
    put(here.force, scaled(here.value, normal))
    add_scaled(here.force, -element.friction * here.value * growth, slip)
    put(here.torque, cross(lever, here.force))


@inner
def user_force(data, element, here, arm, relative, spin):
    """A Python function of the motion of a relative to b, in b's axes; NaN if it fails."""
    A, B = data.markers[element.a].R, data.markers[element.b].R
    work, k = data.pool, element.work
    position, velocity, turning = turn_back(B, arm), turn_back(B, relative), turn_back(B, spin)
    work[k] = data.slots[SLOT_TIME]
    for r in range(3):
        work[k + 1 + r] = position[r]
        work[k + 13 + r] = velocity[r]
        work[k + 16 + r] = turning[r]
        for c in range(3):
            work[k + 4 + 3 * r + c] = dot(column(B, r), column(A, c))
    call_at(element.user, work, k)
    for r in range(3):
        here.force[r] = work[k + USER_ARGUMENTS + r]
        here.torque[r] = work[k + USER_ARGUMENTS + 3 + r]
    put(here.force, turn(B, here.force))
    put(here.torque, turn(B, here.torque))
