"""A wheel on a rail: all patches, their forces on the wheel."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

from floatframe.native import Record, array
from floatframe.railway.contact.kernels.creep import coefficients, linear_creep, polach_creep, saturated_creep
from floatframe.railway.contact.kernels.curves import height, outline, seen
from floatframe.railway.contact.kernels.fastsim import fastsim
from floatframe.railway.contact.kernels.layout import CONTACT, LINEAR, MOTION, PATCH, POLACH, SATURATED
from floatframe.railway.contact.kernels.normal import press
from floatframe.railway.contact.kernels.options import entry, inner
from floatframe.railway.contact.kernels.search import measure, nearest, next_zone, sound

_FLOATS = array(float)
_LEAST = 1e-12  # m: penetrations below it press nothing


@inner
def touch(contact, wheel, rail, motion, patches, work):
    """Fill in the patches of a wheel on a rail with their normal and creep forces; returns how many there are."""
    view = seen(motion)
    sounded = sound(contact, wheel, rail, view, work)
    count = 0
    last = wheel[0]
    while count < len(patches):
        first, last = next_zone(contact, wheel, rail, view, work, sounded, last)
        if first == last:
            break
        patch = patches[count]
        measure(contact, wheel, rail, view, patch, work, first, last)
        if patch.penetration > _LEAST:
            press(contact, patch, work)
            slide(contact, motion, patch, work)
            count += 1
    return count


@inner
def slide(contact, motion, patch, work):
    """Creepages of a patch and the forces that follow from them."""
    velocity, turning = motion.velocity, motion.turning
    x, y, z = patch.lever[0], patch.lever[1], patch.lever[2]
    cos, sin = math.cos(patch.angle), math.sin(patch.angle)
    vx = velocity[0] + turning[1] * z - turning[2] * y
    vy = velocity[1] + turning[2] * x - turning[0] * z
    vz = velocity[2] + turning[0] * y - turning[1] * x
    # the mean of the speeds that rail and wheel run through the patch with
    rolling = velocity[0] - 0.5 * vx
    speed = math.hypot(rolling, contact.speed)
    forward = 1.0 if rolling >= 0.0 else -1.0
    sx, sy = forward * vx / speed, forward * (vy * cos + vz * sin) / speed
    phi = (turning[2] * cos - turning[1] * sin) / speed
    ratio = contact.friction_ratio
    fall = math.exp(-contact.friction_decay * speed * math.hypot(sx, sy))
    friction = contact.friction * ((1.0 - ratio) * fall + ratio)
    limit = friction * patch.normal
    a, b = patch.a, patch.b
    c = coefficients(contact.kalker, a / b)
    if contact.law == LINEAR:
        fx, fy, mz = linear_creep(a, b, contact.shear, c, sx, sy, phi)
    elif contact.law == SATURATED:
        fx, fy, mz = saturated_creep(a, b, contact.shear, c, sx, sy, phi, limit)
    elif contact.law == POLACH:
        fx, fy, mz = polach_creep(a, b, contact.shear, c, sx, sy, phi, limit, contact.adhesion, contact.slip)
    else:
        fx, fy, mz = fastsim(contact, a, b, work, sx, sy, phi, limit)
    if contact.law != LINEAR:
        # theories of rolling do not hold for a wheel that stands: friction that knows no direction of travel does
        standing = (contact.speed / speed) ** 4
        gx, gy, _mz = saturated_creep(a, b, contact.shear, c, sx, sy, 0.0, limit)
        fx, fy = fx + standing * (gx - fx), fy + standing * (gy - fy)
        mz -= standing * mz
    patch.creep[0], patch.creep[1], patch.creep[2] = sx, sy, phi
    patch.rate = vz * cos - vy * sin
    patch.friction = friction
    patch.along, patch.across, patch.moment = forward * fx, forward * fy, mz


@entry(Record(CONTACT), _FLOATS, _FLOATS, Record(MOTION), array(PATCH), _FLOATS)
def contacts(contact, wheel, rail, motion, patches, work):
    """`touch` as Python calls it."""
    return touch(contact, wheel, rail, motion, patches, work)


@entry(Record(CONTACT), _FLOATS, _FLOATS, Record(MOTION))
def clearance(contact, wheel, rail, motion):
    """`nearest` as Python calls it, with the place on the rail, its slope and the rolling radius there."""
    view = seen(motion)
    gap, s = nearest(contact, wheel, rail, view)
    _x, y, _z, radius = outline(contact, wheel, view, s)
    return gap, s, y, height(rail, y)[1], radius
