"""Where a wheel touches a rail: parts of its profile that lie below the rail's surface become patches.

No table of contact points is needed: the outline of the wheel along the rail is known in closed form for any yaw and
roll, so that one pass over the wheel's profile finds all patches, and a second one over the strips of each gives its
interpenetration.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

from floatframe.railway.contact.kernels.curves import FAR, HEAD, depth, height, outline, touched
from floatframe.railway.contact.kernels.layout import DEPTH, HALF, MOST_SOUNDED, PLACE, PLACE_Y, SOUND, SQUARE, WIDTH
from floatframe.railway.contact.kernels.options import inner, reordered

_COARSE = 4  # steps of the wheel's table between two places of the coarse pass
_NEAR = 1.5e-3  # m: what is this near to the rail at a place of the coarse pass may lie below it beside
_FAR = 0.5  # m: there is no rail
_BESIDE = 5e-3  # m: more than yaw moves places of the wheel sideways
_DEEP = 2e-5  # m: profiles with radii of at least 6 mm do not leave it between two places of the coarse pass
_HALVINGS = 12  # of a step, to find the end of the rail
_SLIGHT = 0.01  # square of a tangent: below it six terms of the series of its angle leave 1e-14
_STEEP = 10.0  # tangent of an angle that differs from none beyond the vertical by less than that
_NARROW = 1e-8  # m: accuracy of the place nearest to the rail
_ALMOST = 5e-6  # m: more than a place of the wheel's table, with radii of 6 mm, lies higher than the nearest beside it


@inner
def sound(contact, wheel, rail, view, work):
    """The coarse pass: depths at every `_COARSE`-th place of the wheel's table, with a rail of straight pieces.

    They go to the workspace from `SOUND` on, -1 m beside the rail. Returns how many there are and the number of the
    first place. view: what `seen` returns.
    """
    # no further than the rail reaches
    below = view[0] - contact.radius * view[7]
    inside, outside = max(wheel[0], rail[0] - below - _BESIDE), min(wheel[3], rail[3] - below + _BESIDE)
    first = int((inside - wheel[0]) * wheel[2]) + 1
    count = (int((outside - wheel[0]) * wheel[2]) - first + _COARSE - 1) // _COARSE
    count = min(max(count, 0), MOST_SOUNDED)
    s0, step = wheel[0], wheel[1]
    for n in range(count):
        ring = HEAD + 2 * (first + _COARSE * n)
        s = s0 + (first + _COARSE * n) * step
        _x, work[PLACE_Y + n], work[SOUND + n], _radius = touched(contact, view, s, wheel[ring], wheel[ring + 1])
    last = (len(rail) - HEAD) // 2 - 1
    for n in range(count):
        at = (work[PLACE_Y + n] - rail[0]) * rail[2]
        k = min(max(int(at), 0), last - 1)
        low, high = rail[HEAD + 2 * k], rail[HEAD + 2 * k + 2]
        deep = work[SOUND + n] - low - (at - k) * (high - low)
        work[SOUND + n] = deep if 0.0 <= at < last else -FAR
    return first, count


@inner
def next_zone(contact, wheel, rail, view, work, sounded, s):
    """The next part of the wheel's profile below the rail's surface outward from a place: its ends.

    Both are the outer end of the wheel if there is none. The coarse pass finds places nearest to the rail; where they
    do not lie deep, a finer one around each of them whether it lies below. view: what `seen` returns, sounded: what
    `sound` does.
    """
    first, count = sounded
    fine, coarse, start = wheel[1], _COARSE * wheel[1], wheel[0] + first * wheel[1]
    n = max((int((s - wheel[0]) * wheel[2]) + _COARSE - first) // _COARSE, 0)
    before = at = FAR
    while n < count:
        deep = work[SOUND + n]
        if at > before and at >= deep and at > -_NEAR:
            low = high = n - 1
            if at > _DEEP:
                # on to the last places that lie so deep that the wheel does not come up between
                while low > 0 and work[SOUND + low - 1] > _DEEP:
                    low -= 1
                while high < count - 1 and work[SOUND + high + 1] > _DEEP:
                    high += 1
                inward, outward = steps_below(work, count, low, -1), steps_below(work, count, high, 1)
                inner_end = leave(contact, wheel, rail, view, start + low * coarse, -fine, inward)
                return inner_end, leave(contact, wheel, rail, view, start + high * coarse, fine, outward)
            middle, top, half = summit(contact, wheel, rail, view, start + low * coarse)
            if top > 0.0 and half < fine:
                return middle - half, middle + half
            if top > 0.0:
                inner_end = leave(contact, wheel, rail, view, middle, -fine, 0)
                return inner_end, leave(contact, wheel, rail, view, middle, fine, 0)
        before, at = at, deep
        n += 1
    return wheel[3], wheel[3]


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
def steps_below(work, count, n, side):
    """Steps of the wheel's table from a deep place of the coarse pass that still lie below the surface, most likely."""
    if n + side < 0 or n + side >= count:
        return 0
    here, beyond = work[SOUND + n], work[SOUND + n + side]
    return _COARSE if beyond >= 0.0 else int(_COARSE * here / (here - beyond))


@inner
def leave(contact, wheel, rail, view, s, step, below):
    """The end of a part below the rail's surface around s, to the side of the step; below: steps likely to lie in it.

    Depths at three places, the last of them above the surface, are taken as a parabola; how deep it ends is put
    right by its slope there.
    """
    here = depth(contact, wheel, rail, view, s + below * step)
    if here > 0.0:
        s += below * step
    elif below > 0:
        here = depth(contact, wheel, rail, view, s)
    behind = depth(contact, wheel, rail, view, s - step)
    ahead = depth(contact, wheel, rail, view, s + step)
    while ahead > 0.0:
        s += step
        behind, here, ahead = here, ahead, depth(contact, wheel, rail, view, s + step)
    if min(behind, ahead) < -_FAR or here <= 0.0:
        return rail_end(contact, wheel, rail, view, s, step)
    rise, bend = 0.5 * (ahead - behind), 0.5 * (ahead + behind) - here
    falls = math.sqrt(max(rise * rise - 4.0 * bend * here, 0.0))
    end = s + step * 2.0 * here / (falls - rise)
    left = depth(contact, wheel, rail, view, end)
    return end + step * left / falls if abs(left) < here and falls > 0.0 else end


@inner
def rail_end(contact, wheel, rail, view, s, step):
    """The last place below the rail's surface between s and a step further."""
    for _turn in range(_HALVINGS):
        step *= 0.5
        if depth(contact, wheel, rail, view, s + step) > 0.0:
            s += step
    return s


@reordered
def measure(contact, wheel, rail, view, patch, work, first, last):
    """Fill in the place, angle and penetration of a patch and its strips between two places of the wheel.

    The reference point is the centre of the squared interpenetration, as CONTACT chooses it.
    """
    count = contact.strips
    step = (last - first) / count
    total = sy = ss = 0.0
    for j in range(count):
        s = first + (j + 0.5) * step
        _x, y, z, _radius = outline(contact, wheel, view, s)
        level, slope = height(rail, y)
        work[PLACE + j], work[HALF + j], work[WIDTH + j], work[DEPTH + j] = y, level, slope, z - level
    for j in range(count):
        longer = math.sqrt(1.0 + work[WIDTH + j] * work[WIDTH + j])
        deep = max(work[DEPTH + j], 0.0) / longer
        # along the strip the interpenetration is a parabola: its square has a content like this
        work[SQUARE + j] = deep * deep * math.sqrt(deep) * longer + 1e-30
        work[DEPTH + j] = deep
    for j in range(count):
        weight = work[SQUARE + j]
        total += weight
        sy, ss = sy + weight * work[PLACE + j], ss + weight * (first + (j + 0.5) * step)
    y, angle, s = sy / total, mean_angle(work, count, total), ss / total
    level = height(rail, y)[0]
    x, _y, _z, radius = outline(contact, wheel, view, s)
    patch.place[0], patch.place[1], patch.place[2] = x, y, level
    patch.on_wheel, patch.radius, patch.angle = s, radius, angle
    cos, sin = math.cos(angle), math.sin(angle)
    wide = step * view[3]
    deepest = 0.0
    for j in range(count):
        slope = work[WIDTH + j]
        width = cos + slope * sin  # in the patch's plane, over that in the plane of the track
        work[PLACE + j] = (work[PLACE + j] - y) * cos + (work[HALF + j] - level) * sin
        work[WIDTH + j] = wide * width
        work[DEPTH + j] *= math.sqrt(1.0 + slope * slope) / width
        deepest = max(deepest, work[DEPTH + j])
    patch.penetration = deepest
    patch.lever[0] = x
    patch.lever[1] = y - deepest * sin - view[0]
    patch.lever[2] = level + deepest * cos - view[1]


@reordered
def mean_angle(work, count, total):
    """Mean of the angles whose tangents are in `WIDTH`, by the weights in `SQUARE`; total: their sum.

    Slopes of a patch differ little: the angle of one of them, and those between it and the others by a series.
    """
    middle = work[WIDTH + count // 2]
    widest = more = 0.0
    for j in range(count):
        between = (work[WIDTH + j] - middle) / (1.0 + work[WIDTH + j] * middle)
        q = between * between
        widest = max(widest, q)
        series = 1.0 - q * (1.0 / 3.0 - q * (1.0 / 5.0 - q * (1.0 / 7.0 - q * (1.0 / 9.0 - q / 11.0))))
        more += work[SQUARE + j] * between * series
    if widest < _SLIGHT and abs(middle) < _STEEP:
        return math.atan(middle) + more / total
    angles = 0.0
    for j in range(count):
        angles += work[SQUARE + j] * math.atan(work[WIDTH + j])
    return angles / total


@inner
def nearest(contact, wheel, rail, view):
    """The place of the wheel that is nearest to the rail in vertical direction: the gap and the place.

    The gap is negative where the two overlap, and 1 m if no part of the wheel is above the rail.
    """
    step, count = wheel[1], (len(wheel) - HEAD) // 2
    deep, at = -FAR, wheel[0]
    before = here = -FAR
    for k in range(count + 1):
        ahead = depth(contact, wheel, rail, view, wheel[0] + k * step) if k < count else -FAR
        if here >= before and here > ahead and here > deep - _ALMOST:
            top, place = closed_in(contact, wheel, rail, view, wheel[0] + (k - 1) * step, here)
            if top > deep:
                deep, at = top, place
        before, here = here, ahead
    return -deep, at


@inner
def closed_in(contact, wheel, rail, view, at, deep):
    """How deep the wheel lies below the rail at most around a place of its table, and where."""
    step = wheel[1]
    while step > _NARROW:
        step *= 0.5
        here = depth(contact, wheel, rail, view, at - step)
        there = depth(contact, wheel, rail, view, at + step)
        if here > deep and here >= there:
            deep, at = here, at - step
        elif there > deep:
            deep, at = there, at + step
    return deep, at
