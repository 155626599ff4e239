"""Profiles in kernels: tables of heights and slopes with even steps, and the outline of a turned wheel."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

from floatframe.railway.contact.kernels.options import inner

FAR = 1.0  # m: the gap where there is no rail


@inner
def height(table, y):
    """Height and slope of a curve at y, by cubic pieces; beyond its ends those of the end."""
    first, step, count = table[0], table[1], int(table[2])
    at = (y - first) / step
    k = min(max(int(at), 0), count - 2)
    t = min(max(at - k, 0.0), 1.0)
    z0, m0, z1, m1 = table[3 + 2 * k], step * table[4 + 2 * k], table[5 + 2 * k], step * table[6 + 2 * k]
    rise = z1 - z0
    c2, c3 = 3.0 * rise - 2.0 * m0 - m1, m0 + m1 - 2.0 * rise
    return z0 + t * (m0 + t * (c2 + t * c3)), (m0 + t * (2.0 * c2 + 3.0 * t * c3)) / step


@inner
def outline(contact, wheel, motion, s):
    """The point of the wheel's ring at s that a line along the rail touches: x, y, z, radius and slope of the ring.

    Where the normal of the surface of revolution is square to the rail: exact for any direction of the axle.
    """
    axle, centre = motion.axle, motion.centre
    ax, ay, az = axle[0], axle[1], axle[2]
    level = math.sqrt(ay * ay + az * az)
    z, slope = height(wheel, s)
    radius = contact.radius + z
    forward = slope * ax / level
    down = math.sqrt(max(1.0 - forward * forward, 0.0))
    x = s * ax + radius * forward * level
    y = centre[1] + s * ay - radius * (forward * ax * ay + down * az) / level
    return x, y, centre[2] + s * az - radius * (forward * ax * az - down * ay) / level, radius, slope


@inner
def depth(contact, wheel, rail, motion, s):
    """How deep the wheel's ring at s lies below the rail's surface, in vertical direction; negative above it."""
    _x, y, z, _radius, _slope = outline(contact, wheel, motion, s)
    last = rail[0] + rail[1] * (rail[2] - 1.0)
    if y < rail[0] or y > last:
        return -FAR
    return z - height(rail, y)[0]
