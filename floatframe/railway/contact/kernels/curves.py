"""Profiles in kernels: tables of heights and slopes with even steps, and the outline of a turned wheel."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

from floatframe.railway.contact.kernels.options import inner

FAR = 1.0  # m: the gap where there is no rail
#: numbers of a table before its heights and slopes: first place, step, its reciprocal, last place
HEAD = 4


@inner
def height(table, y):
    """Height and slope of a curve at y, by cubic pieces; beyond its ends those of the end."""
    step = table[1]
    at = (min(max(y, table[0]), table[3]) - table[0]) * table[2]
    k = min(int(at), (len(table) - HEAD) // 2 - 2)
    t = at - k
    p = HEAD + 2 * k
    z0, m0, z1, m1 = table[p], step * table[p + 1], table[p + 2], step * table[p + 3]
    rise = z1 - z0
    c2, c3 = 3.0 * rise - 2.0 * m0 - m1, m0 + m1 - 2.0 * rise
    return z0 + t * (m0 + t * (c2 + t * c3)), (m0 + t * (2.0 * c2 + 3.0 * t * c3)) * table[2]


@inner
def seen(motion):
    """A wheel as one looks along the rail: y and z of its centre, its axle, how far that leans, its y and z made 1."""
    ax, ay, az = motion.axle[0], motion.axle[1], motion.axle[2]
    level = math.sqrt(ay * ay + az * az)
    return motion.centre[1], motion.centre[2], ax, ay, az, ax / level, ay / level, az / level


@inner
def outline(contact, wheel, view, s):
    """The point of the wheel's ring at s that a line along the rail touches: x, y, z and the radius of the ring.

    Where the normal of the surface of revolution is square to the rail: exact for any direction of the axle. view: what
    `seen` returns.
    """
    z, slope = height(wheel, s)
    return touched(contact, view, s, z, slope)


@inner
def touched(contact, view, s, z, slope):
    """The same for a ring with the height and slope given."""
    cy, cz, ax, ay, az, lean, uy, uz = view
    radius = contact.radius + z
    forward = slope * lean
    down = math.sqrt(max(1.0 - forward * forward, 0.0))
    turned = forward * ax
    y, z = cy + s * ay - radius * (turned * uy + down * uz), cz + s * az - radius * (turned * uz - down * uy)
    return s * ax + radius * slope * ax, y, z, radius


@inner
def depth(contact, wheel, rail, view, s):
    """How deep the wheel's ring at s lies below the rail's surface, in vertical direction; negative above it."""
    _x, y, z, _radius = outline(contact, wheel, view, s)
    if y < rail[0] or y > rail[3]:
        return -FAR
    return z - height(rail, y)[0]
