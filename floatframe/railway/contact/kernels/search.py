"""Where a wheel touches a rail: parts of its profile that lie below the rail's surface become patches.

No table of contact points is needed: the outline of the wheel along the rail is known in closed form for any yaw and
roll, so that one pass over the wheel's profile finds all patches, and a second one over the strips of each gives its
interpenetration.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

from floatframe.railway.contact.kernels.curves import FAR, HEAD, depth, height, outline, touched
from floatframe.railway.contact.kernels.layout import DEPTH, PLACE, WIDTH
from floatframe.railway.contact.kernels.options import inner

_COARSE = 4  # steps of the wheel's table between two places of the coarse pass
_NEAR = 1.5e-3  # m: what is this near to the rail at a place of the coarse pass may lie below it beside
_FAR = 0.5  # m: there is no rail
_BESIDE = 5e-3  # m: more than yaw moves places of the wheel sideways
_TURNS = 3  # of the search for the edge of a patch
_NARROW = 1e-8  # m: accuracy of the place nearest to the rail


@inner
def next_zone(contact, wheel, rail, view, s):
    """The next part of the wheel's profile below the rail's surface outward from a place: its ends.

    Both are the outer end of the wheel if there is none. A coarse pass looks for places nearest to the rail, a finer
    one around each of them whether it lies below. view: what `seen` returns.
    """
    # no further than the rail reaches
    below = view[0] - contact.radius * view[7]
    inside, outside = max(s, rail[0] - below - _BESIDE), min(wheel[3], rail[3] - below + _BESIDE)
    k = max(int((inside - wheel[0]) * wheel[2]) + 1, 0)
    last = int((outside - wheel[0]) * wheel[2])
    before = at = FAR
    while k < last:
        deep = rough_depth(contact, wheel, rail, view, k)
        if at > before and at >= deep and at > -_NEAR:
            middle, top, half = summit(contact, wheel, rail, view, wheel[0] + (k - _COARSE) * wheel[1])
            if top > 0.0:
                first = leave(contact, wheel, rail, view, middle, half, -wheel[1])
                return first, leave(contact, wheel, rail, view, middle, half, wheel[1])
        before, at = at, deep
        k += _COARSE
    return wheel[3], wheel[3]


@inner
def rough_depth(contact, wheel, rail, view, k):
    """`depth` at the place numbered k of the wheel's table, with a rail of straight pieces."""
    place = HEAD + 2 * k
    _x, y, z, _radius = touched(contact, view, wheel[0] + k * wheel[1], wheel[place], wheel[place + 1])
    if y < rail[0] or y >= rail[3]:
        return -FAR
    at = (y - rail[0]) * rail[2]
    low = HEAD + 2 * int(at)
    return z - rail[low] - (at - int(at)) * (rail[low + 2] - rail[low])


@inner
def summit(contact, wheel, rail, view, s):
    """The deepest place near s, how deep it lies, and half the length below the surface if that is a parabola."""
    best, place, fine = -FAR, s, wheel[1]
    for k in range(1 - _COARSE, _COARSE):
        deep = depth(contact, wheel, rail, view, s + k * fine)
        if deep > best:
            best, place = deep, s + k * fine
    low = depth(contact, wheel, rail, view, place - fine)
    high = depth(contact, wheel, rail, view, place + fine)
    bend = 2.0 * best - low - high
    if bend <= 0.0 or max(low, high) > best or min(low, high) < -_FAR:
        return place, best, fine
    top = best + (high - low) ** 2 / (8.0 * bend)
    place += 0.5 * fine * (high - low) / bend
    return place, top, fine * math.sqrt(2.0 * max(top, 0.0) / bend)


@inner
def leave(contact, wheel, rail, view, s, half, step):
    """The end of a part below the rail's surface around s, to the side of the step."""
    if half < abs(step):
        return s + math.copysign(half, step)
    inside = s
    while depth(contact, wheel, rail, view, inside + step) > 0.0:
        inside += step
    return edge(contact, wheel, rail, view, inside + step, inside)


@inner
def edge(contact, wheel, rail, view, outside, inside):
    """The place between one outside and one inside where the wheel meets the rail's surface."""
    low = depth(contact, wheel, rail, view, outside)
    if low < -0.5:
        return inside
    high = depth(contact, wheel, rail, view, inside)
    for _turn in range(_TURNS):
        s = outside + (inside - outside) * low / (low - high)
        deep = depth(contact, wheel, rail, view, s)
        if deep > 0.0:
            inside, high = s, deep
        else:
            outside, low = s, deep
    return outside + (inside - outside) * low / (low - high)


@inner
def measure(contact, wheel, rail, view, patch, work, first, last):
    """Fill in the place, angle and penetration of a patch and its strips between two places of the wheel.

    The reference point is the centre of the squared interpenetration, as CONTACT chooses it.
    """
    count = contact.strips
    step = (last - first) / count
    total = sy = ss = sangle = 0.0
    for j in range(count):
        s = first + (j + 0.5) * step
        _x, y, z, _radius = outline(contact, wheel, view, s)
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
    x, _y, _z, radius = outline(contact, wheel, view, s)
    patch.place[0], patch.place[1], patch.place[2] = x, y, level
    patch.on_wheel, patch.radius, patch.angle = s, radius, angle
    cos, sin = math.cos(angle), math.sin(angle)
    wide = step * view[3]
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
    patch.lever[1] = y - deepest * sin - view[0]
    patch.lever[2] = level + deepest * cos - view[1]


@inner
def nearest(contact, wheel, rail, view):
    """The place of the wheel that is nearest to the rail in vertical direction: the gap and the place.

    The gap is negative where the two overlap, and 1 m if no part of the wheel is above the rail.
    """
    step, count = wheel[1], (len(wheel) - HEAD) // 2
    deep, at = -FAR, wheel[0]
    for k in range(count):
        s = wheel[0] + k * step
        here = depth(contact, wheel, rail, view, s)
        if here > deep:
            deep, at = here, s
    # three places around it close in
    while step > _NARROW:
        step *= 0.5
        here = depth(contact, wheel, rail, view, at - step)
        there = depth(contact, wheel, rail, view, at + step)
        if here > deep and here >= there:
            deep, at = here, at - step
        elif there > deep:
            deep, at = there, at + step
    return -deep, at
