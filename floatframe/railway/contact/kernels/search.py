"""Where a wheel touches a rail: parts of its profile that lie below the rail's surface become patches.

No table of contact points is needed: the outline of the wheel along the rail is known in closed form for any yaw and
roll, so that one pass over the wheel's profile finds all patches, and a second one over the strips of each gives its
interpenetration.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

from floatframe.railway.contact.kernels.curves import FAR, depth, height, outline
from floatframe.railway.contact.kernels.layout import DEPTH, PLACE, WIDTH
from floatframe.railway.contact.kernels.options import inner

_COARSE, _FINE = 1e-3, 2.5e-4  # m between places of the passes
_NEAR = 2e-4  # m: what is this near to the rail at a place of the coarse pass may lie below it beside
_FAR = 0.5  # m: there is no rail
_TURNS = 3  # of the search for the edge of a patch
_NARROW = 1e-8  # m: accuracy of the place nearest to the rail


@inner
def next_zone(contact, wheel, rail, motion, s):
    """The next part of the wheel's profile below the rail's surface outward from a place: its ends.

    Both are the outer end of the wheel if there is none. A coarse pass looks for places nearest to the rail, a finer
    one around each of them whether it lies below.
    """
    end = wheel[0] + wheel[1] * (wheel[2] - 1.0)
    before = at = FAR
    while s < end:
        deep = depth(contact, wheel, rail, motion, s)
        if at > before and at >= deep and at > -_NEAR:
            middle, top, half = summit(contact, wheel, rail, motion, s - _COARSE)
            if top > 0.0:
                first = leave(contact, wheel, rail, motion, middle, half, -_FINE)
                return first, leave(contact, wheel, rail, motion, middle, half, _FINE)
        before, at = at, deep
        s += _COARSE
    return end, end


@inner
def summit(contact, wheel, rail, motion, s):
    """The deepest place near s, how deep it lies, and half the length below the surface if that is a parabola."""
    best, place = -FAR, s
    for k in range(-3, 4):
        deep = depth(contact, wheel, rail, motion, s + k * _FINE)
        if deep > best:
            best, place = deep, s + k * _FINE
    low = depth(contact, wheel, rail, motion, place - _FINE)
    high = depth(contact, wheel, rail, motion, place + _FINE)
    bend = 2.0 * best - low - high
    if bend <= 0.0 or low < -_FAR or high < -_FAR:
        return place, best, _FINE
    top = best + (high - low) ** 2 / (8.0 * bend)
    place += 0.5 * _FINE * (high - low) / bend
    return place, top, _FINE * math.sqrt(2.0 * max(top, 0.0) / bend)


@inner
def leave(contact, wheel, rail, motion, s, half, step):
    """The end of a part below the rail's surface around s, to the side of the step."""
    if half < _FINE:
        return s + math.copysign(half, step)
    inside = s
    while depth(contact, wheel, rail, motion, inside + step) > 0.0:
        inside += step
    return edge(contact, wheel, rail, motion, inside + step, inside)


@inner
def edge(contact, wheel, rail, motion, outside, inside):
    """The place between one outside and one inside where the wheel meets the rail's surface."""
    low = depth(contact, wheel, rail, motion, outside)
    if low < -0.5:
        return inside
    high = depth(contact, wheel, rail, motion, inside)
    for _turn in range(_TURNS):
        s = outside + (inside - outside) * low / (low - high)
        deep = depth(contact, wheel, rail, motion, s)
        if deep > 0.0:
            inside, high = s, deep
        else:
            outside, low = s, deep
    return outside + (inside - outside) * low / (low - high)


@inner
def measure(contact, wheel, rail, motion, patch, work, first, last):
    """Fill in the place, angle and penetration of a patch and its strips between two places of the wheel.

    The reference point is the centre of the squared interpenetration, as CONTACT chooses it.
    """
    count = contact.strips
    step = (last - first) / count
    total = sy = ss = sangle = 0.0
    for j in range(count):
        s = first + (j + 0.5) * step
        _x, y, z, _radius, _slope = outline(contact, wheel, motion, s)
        level, slope = height(rail, y)
        angle = math.atan(slope)
        deep = max(z - level, 0.0) * math.cos(angle)
        # along the strip the interpenetration is a parabola: its square has a content like this
        weight = deep * deep * math.sqrt(deep) / math.cos(angle) + 1e-30
        total += weight
        sy, ss, sangle = sy + weight * y, ss + weight * s, sangle + weight * angle
        work[PLACE + j], work[WIDTH + j], work[DEPTH + j] = y, angle, deep
    y, angle, s = sy / total, sangle / total, ss / total
    level = height(rail, y)[0]
    x, _y, _z, radius, _slope = outline(contact, wheel, motion, s)
    patch.place[0], patch.place[1], patch.place[2] = x, y, level
    patch.on_wheel, patch.radius, patch.angle = s, radius, angle
    cos, sin = math.cos(angle), math.sin(angle)
    wide = step * motion.axle[1]
    deepest = 0.0
    for j in range(count):
        own, turned = work[WIDTH + j], math.cos(work[WIDTH + j] - angle)
        yj = work[PLACE + j]
        work[PLACE + j] = (yj - y) * cos + (height(rail, yj)[0] - level) * sin
        work[WIDTH + j] = wide * turned / math.cos(own)
        work[DEPTH + j] /= turned
        deepest = max(deepest, work[DEPTH + j])
    patch.penetration = deepest
    patch.lever[0] = x
    patch.lever[1] = y - deepest * sin - motion.centre[1]
    patch.lever[2] = level + deepest * cos - motion.centre[2]


@inner
def nearest(contact, wheel, rail, motion):
    """The place of the wheel that is nearest to the rail in vertical direction: the gap and the place.

    The gap is negative where the two overlap, and 1 m if no part of the wheel is above the rail.
    """
    step, count = wheel[1], int(wheel[2])
    deep, at = -FAR, wheel[0]
    for k in range(count):
        s = wheel[0] + k * step
        here = depth(contact, wheel, rail, motion, s)
        if here > deep:
            deep, at = here, s
    # three places around it close in
    while step > _NARROW:
        step *= 0.5
        here = depth(contact, wheel, rail, motion, at - step)
        there = depth(contact, wheel, rail, motion, at + step)
        if here > deep and here >= there:
            deep, at = here, at - step
        elif there > deep:
            deep, at = there, at + step
    return -deep, at
