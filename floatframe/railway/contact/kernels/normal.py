"""The contact patch and its normal force: an ellipse, or strips along the rail with pressures like it.

Both come from the interpenetration of the undeformed bodies, a function of the place across the rail. A part of the
approach is taken off all over, so that for bodies of constant curvature exactly the ellipse of Hertz is left; what is
left has the extent of the contact. Piotrowski and Kik (2008) had the idea, with one part, 0.45, for
every shape.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

from floatframe.railway.contact.kernels.elliptic import complete_integrals, ellipse
from floatframe.railway.contact.kernels.layout import (
    DEPTH,
    HALF,
    HERTZ,
    MOST_STRIPS,
    PLACE,
    ROWS,
    SOLVED,
    SQUARE,
    WIDTH,
)
from floatframe.railway.contact.kernels.options import inner, reordered

_TURNS = 3  # of the search for the shape
_SOLUTIONS = 4  # of the equations of the strips
_THIN, _NONE = 0.1, 1e-4  # half lengths over that of the ellipse: where strips start that may be pressed, or are none


@reordered
def press(contact, patch, work):
    """Semi-axes, pressure and normal force of a patch whose strips have their places, widths and penetrations.

    Strips get their half lengths.
    """
    delta, count = patch.penetration, contact.strips
    # half the relative curvature along the rail
    A = 0.5 * math.cos(patch.angle) / patch.radius
    along, across, K, B = 0.0, 1.0, 0.0, 0.0
    for _turn in range(_TURNS):
        left = 0.0
        for j in range(count):
            left += max(work[DEPTH + j] - (1.0 - across) * delta, 0.0) * work[WIDTH + j]
        # a parabola of this area has this half width
        b = 0.75 * left / (across * delta)
        B = across * delta / (b * b)
        along, across, K = ellipse(contact.ellipse, B / A)
    a, b = math.sqrt(along * delta / A), math.sqrt(across * delta / B)
    patch.a, patch.b = a, b
    patch.normal = 2.0 * math.pi * contact.modulus * delta * max(a, b) / (3.0 * K)
    patch.pressure = 1.5 * patch.normal / (math.pi * a * b)
    if contact.patch == HERTZ:
        for j in range(count):
            place = -1.0 + (2.0 * j + 1.0) / count
            work[PLACE + j], work[WIDTH + j] = b * place, 2.0 * b / count
            work[HALF + j] = a * math.sqrt(1.0 - place * place)
        return
    for j in range(count):
        left = max(work[DEPTH + j] - (1.0 - across) * delta, 0.0)
        work[HALF + j] = math.sqrt(left * along / (across * A))
    level = patch.pressure / a
    if contact.patch == SOLVED:
        solve(contact, work, a, level)
    else:
        stiffness = mean_stiffness(contact, work)
        if stiffness > 0.0:
            level = math.pi * contact.modulus * stiffness
    squares = widest = 0.0
    for j in range(count):
        half = work[HALF + j]
        squares += half * half * work[WIDTH + j]
        widest = max(widest, half)
    # pressure = level sqrt(half² - x²) in every strip
    patch.normal = 0.5 * math.pi * level * squares
    patch.pressure = level * widest
    patch.a, patch.b = widest, 0.75 * squares / (widest * widest)


@inner
def mean_stiffness(contact, work):
    """Mean penetration over the mean of what pressures sqrt(half² - x²) move; both in every other strip, by its load.

    A mean over the patch, and not its deepest place, which may jump from one end of the patch to the other. 0 if
    none of these strips is pressed.
    """
    deep = moved = 0.0
    for i in range(0, contact.strips, 2):
        load = work[HALF + i] * work[HALF + i] * work[WIDTH + i]
        if load > 0.0:
            deep += load * work[DEPTH + i]
            for j in range(contact.strips):
                half, width = work[HALF + j], work[WIDTH + j]
                if half > 0.0:
                    distance = work[PLACE + j] - work[PLACE + i]
                    if abs(i - j) < 2:
                        distance = mean_distance(distance, width)
                    moved += load * effect(half, distance) * width
    return deep / moved if moved > 0.0 else 0.0


@inner
def effect(half, distance):
    """Integral of sqrt(half² - x²) over the length of a strip, divided by the distance from a point beside it."""
    far = half * half + distance * distance
    K, E = complete_integrals(half * half / far)
    return 2.0 * math.sqrt(far) * (K - E)


@inner
def solve(contact, work, a, level):
    """Half lengths of the strips such that every one that is pressed moves by its penetration.

    The effect of a strip on another is nearly proportional to the square of its half length, so that a few systems of
    linear equations for the squares do. Strips that would have to pull are left out. a: semi-axis of the
    ellipse, level: pressure over half length.
    """
    count = contact.strips
    for j in range(count):
        start = work[HALF + j]
        work[SQUARE + j] = max(start * start, (_THIN * a) ** 2) if work[DEPTH + j] > 0.0 else 0.0
    for _turn in range(_SOLUTIONS):
        for i in range(count):
            row = ROWS + i * MOST_STRIPS
            if work[SQUARE + i] == 0.0:
                work[HALF + i] = 0.0
                for j in range(count):
                    work[row + j] = 1.0 if i == j else 0.0
                continue
            work[HALF + i] = math.pi * contact.modulus / level * work[DEPTH + i]
            for j in range(count):
                own, width = work[SQUARE + j], work[WIDTH + j]
                distance = work[PLACE + i] - work[PLACE + j]
                if abs(i - j) < 2:
                    distance = mean_distance(distance, width)
                work[row + j] = effect(math.sqrt(own), distance) * width / own if own > 0.0 else 0.0
        eliminate(work, ROWS, HALF, count)
        for j in range(count):
            found = work[HALF + j]
            work[SQUARE + j] = found if found > (_NONE * a) ** 2 else 0.0
            work[HALF + j] = math.sqrt(work[SQUARE + j])


@inner
def eliminate(work, rows, right, count):
    """Solve linear equations whose diagonal dominates, in place; the solution replaces the right side."""
    for k in range(count):
        pivot = rows + k * MOST_STRIPS
        for i in range(k + 1, count):
            row = rows + i * MOST_STRIPS
            factor = work[row + k] / work[pivot + k]
            if factor != 0.0:
                for j in range(k, count):
                    work[row + j] -= factor * work[pivot + j]
                work[right + i] -= factor * work[right + k]
    for i in range(count - 1, -1, -1):
        row = rows + i * MOST_STRIPS
        total = work[right + i]
        for j in range(i + 1, count):
            total -= work[row + j] * work[right + j]
        work[right + i] = total / work[row + i]


@inner
def mean_distance(t, width):
    """Geometric mean of the distances of a strip's points from a line; t: distance of its middle."""
    low, high = t - 0.5 * width, t + 0.5 * width
    total = 0.0
    if low != 0.0:
        total -= low * math.log(abs(low))
    if high != 0.0:
        total += high * math.log(abs(high))
    return math.exp(total / width - 1.0)
