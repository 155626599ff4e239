"""A wheel on a straight rail: contact of a surface of revolution with the line of the rail, and creep forces.

All in the axes of the track (marker b): x along it, y to the left, z up. The wheel's axle is the y axis of marker a.
The contact is where the wheel reaches deepest into the line of the rail, so that the normal force has a potential.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

from floatframe.hybrid.kernels.coordinates import program
from floatframe.hybrid.kernels.layout import (
    LINEAR_CREEP,
    POLACH_CREEP,
    SLOT_COORDINATE,
)
from floatframe.hybrid.kernels.options import inner
from floatframe.hybrid.kernels.vectors import column, cross, dot, put, turn, turn_back
from floatframe.railway import linear_creep, polach_creep, saturated_creep


@inner
def wheel_rail(tables, data, element, here, arm, relative, spin):
    """Push, creep forces and spin moment of the rail on the wheel; elongation is the penetration, state the creepages.

    Six programs: lateral and vertical place of the rail over the distance along the track, wheel radius over the
    distance outward from the nominal contact, each followed by its slope.
    """
    work, first = data.pool, element.work
    B = data.markers[element.b].R
    centre, velocity, turning = turn_back(B, arm), turn_back(B, relative), turn_back(B, spin)
    axle = turn_back(B, column(data.markers[element.a].R, 1))
    side = element.side
    # the programs of the rail come first, the wheel's need what they give
    gy = gz = along_axle = 0.0
    data.slots[SLOT_COORDINATE] = centre[0]
    for i in range(6):
        if i == 4:
            gy = side * element.rail.half_gauge + work[first] - centre[1]
            gz = work[first + 2] - centre[2]
            along_axle = gy * axle[1] + gz * axle[2]
            data.slots[SLOT_COORDINATE] = side * along_axle
        work[first + i] = program(tables, data, element.program + i)
    slope = side * work[first + 5]
    # place on the rail where the wheel is deepest: s ahead of the axle; yaw is small, so this converges at once
    s, eta, distance = 0.0, along_axle, 0.0
    for _ in range(3):
        eta = along_axle + s * axle[0]
        distance = math.sqrt(max(gy * gy + gz * gz + s * s - eta * eta, 0.0))
        s = axle[0] * (eta + slope * distance)
    radius = work[first + 4] + slope * (eta - along_axle)
    steep = 1.0 / math.sqrt(1.0 + slope * slope)
    here.elongation = steep * (radius - distance)
    lever = (s, gy, gz)
    # from the rail into the wheel; the x part vanishes where the wheel is deepest
    ny = -steep * ((gy - eta * axle[1]) / distance - slope * axle[1])
    nz = -steep * ((gz - eta * axle[2]) / distance - slope * axle[2])
    size = math.sqrt(ny * ny + nz * nz)
    normal, lateral = (0.0, ny / size, nz / size), (0.0, nz / size, -ny / size)
    slip = cross(turning, lever)
    slip = (slip[0] + velocity[0], slip[1] + velocity[1], slip[2] + velocity[2])
    rise = velocity[0] * (normal[1] * work[first + 1] + normal[2] * work[first + 3])
    here.rate = rise - dot(normal, slip)
    here.value = 0.0
    put(here.state, (0.0, 0.0, 0.0))
    if not here.elongation > 0.0:
        return
    push = element.stiffness * here.elongation**element.exponent + element.damping * here.rate
    if not push > 0.0:
        return
    here.value = push
    # creepages in the direction of travel
    speed = math.hypot(velocity[0], element.speed)
    forward = 1.0 if velocity[0] >= 0.0 else -1.0
    sx, sy, phi = forward * slip[0] / speed, forward * dot(lateral, slip) / speed, dot(normal, turning) / speed
    put(here.state, (sx, sy, phi))
    fx, fy, mz = creep_forces(element.rail, sx, sy, phi, push, speed)
    fx, fy = forward * fx, forward * fy
    force = (fx, push * normal[1] + fy * lateral[1], push * normal[2] + fy * lateral[2])
    torque = cross(lever, force)
    put(here.force, turn(B, force))
    put(here.torque, turn(B, (torque[0], torque[1] + mz * normal[1], torque[2] + mz * normal[2])))


@inner
def creep_forces(rail, sx, sy, phi, load, speed):
    """Forces and spin moment on the wheel from creepages sx, sy, spin phi (1/m) and normal load (N).

    Kalker's linear theory; the same with the saturation of Shen, Hedrick and Elkins (1983); or Polach (1999, 2005),
    which leaves out the spin moment.
    """
    scale = load**rail.axis_exponent
    a, b = scale * rail.axis_x, scale * rail.axis_y
    c = rail.c11, rail.c22, rail.c23, rail.c33
    if rail.law == LINEAR_CREEP:
        return linear_creep(a, b, rail.shear, c, sx, sy, phi)
    ratio = rail.friction_ratio
    fall = math.exp(-rail.friction_decay * speed * math.hypot(sx, sy))
    limit = load * rail.friction * ((1.0 - ratio) * fall + ratio)
    if rail.law == POLACH_CREEP:
        return polach_creep(a, b, rail.shear, c, sx, sy, phi, limit, rail.adhesion, rail.slip)
    return saturated_creep(a, b, rail.shear, c, sx, sy, phi, limit)
