"""FASTSIM (Kalker 1982) over the strips of a patch of any shape, with his three flexibilities.

A patch with a waist is stiffer than an ellipse of its size: there each part has the flexibilities of an ellipse of its
own size.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

from floatframe.railway.contact.kernels.creep import coefficients
from floatframe.railway.contact.kernels.layout import HALF, HERTZ, MOST_STRIPS, PLACE, ROWS, WIDTH
from floatframe.railway.contact.kernels.options import inner
from floatframe.railway.contact.kernels.parts import ellipse_around, has_waist

#: flexibilities proportional to the half lengths of the strips, as in the theory of Haines and Ollerton (1963), have to
#: be larger by this to give an ellipse's forces
_LOCAL = 0.375 * math.pi
_TINY = 1e-300  # where there is no traction
#: columns of the workspace, for all strips: traction that an element adds along, across and by spin; bound of the
#: traction in the middle; root of the ratio of the flexibilities; traction reached, its sums
GROW_X, GROW_Y, GROW_SPIN, BOUND, YIELD, PX, PY, SUM_X, SUM_Y, SUM_TURN = (ROWS + k * MOST_STRIPS for k in range(10))


@inner
def fastsim(contact, a, b, work, sx, sy, phi, limit):
    """Forces along and across and the moment; a, b: semi-axes of an ellipse like it, limit: friction force [N].

    The bound of the traction is a parabola in every strip, of the strip's own load; in an ellipse the one that Kalker
    takes, a paraboloid. Strips have their places, widths and half lengths.
    """
    count = contact.strips
    load = content = 0.0
    for j in range(count):
        half, width = work[HALF + j], work[WIDTH + j]
        load += half * half * width
        content += half * half * half * width
    fx = fy = mz = 0.0
    if load == 0.0 or limit == 0.0:
        return fx, fy, mz
    whole = flexibilities(contact, a, b)
    waist = contact.patch != HERTZ and has_waist(contact, work)
    for j in range(count):
        half, place = work[HALF + j], work[PLACE + j]
        level, softer, L = 0.75 * limit / content, 1.0, whole
        if contact.patch != HERTZ and half > 0.0:
            level, softer = 0.75 * limit / (load * half), _LOCAL * half / a
            if waist:
                longest, wide = ellipse_around(contact, work, j)
                softer, L = _LOCAL * half / longest, flexibilities(contact, longest, wide)
        step = 2.0 * half / (contact.elements * softer)
        work[GROW_X + j] = step * (sx / L[0] - phi * place / L[2])
        work[GROW_Y + j] = step * sy / L[1]
        work[GROW_SPIN + j] = step * half * phi / L[2]
        work[BOUND + j] = level * half * half
        work[YIELD + j] = math.sqrt(L[1] / L[0])
    pass_through(work, count, contact.elements)
    for j in range(count):
        area = 2.0 * work[HALF + j] * work[WIDTH + j] / contact.elements
        x = area * work[SUM_X + j]
        fx += x
        fy += area * work[SUM_Y + j]
        mz += area * work[HALF + j] * work[SUM_TURN + j] - work[PLACE + j] * x
    return fx, fy, mz


@inner
def flexibilities(contact, a, b):
    """Kalker's L1, L2, L3 of an ellipse [m3/N]."""
    c = coefficients(contact.kalker, a / b)
    G = contact.shear
    return (
        8.0 * a / (3.0 * G * c[0]),
        8.0 * a / (3.0 * G * c[1]),
        math.pi * a * math.sqrt(a / b) / (4.0 * G * c[2]),
    )


@inner
def pass_through(work, count, parts):
    """Sums of the tractions along and across over the elements of every strip, and of the latter times x over half.

    All strips at once, element by element from the leading edge, so that the loop over them is vector operations. Where
    an element would exceed its bound it slides against its traction: the one of the directions with the larger
    flexibility gives way more.
    """
    for j in range(count):
        work[PX + j] = work[PY + j] = work[SUM_X + j] = work[SUM_Y + j] = work[SUM_TURN + j] = 0.0
    for element in range(parts):
        # from the leading edge to the middle of the first element, then from middle to middle
        way = 1.0 if element > 0 else 0.5
        x = 1.0 - (2.0 * element + 1.0) / parts
        middle = x + way / parts
        share = 1.0 - x * x - 1.0 / (3.0 * parts * parts)  # the mean of the bound over an element
        for j in range(count):
            px = work[PX + j] - way * work[GROW_X + j]
            py = work[PY + j] - way * (work[GROW_Y + j] + middle * work[GROW_SPIN + j])
            bound = share * work[BOUND + j]
            over = math.sqrt(px * px + py * py) - bound
            # L (trial - traction) is the slip, which has the direction of the traction
            sx, sy = px * (bound + over / work[YIELD + j]), py * (bound + over * work[YIELD + j])
            held = bound / math.sqrt(sx * sx + sy * sy + _TINY)
            px = held * sx if over > 0.0 else px
            py = held * sy if over > 0.0 else py
            work[PX + j] = px
            work[PY + j] = py
            work[SUM_X + j] += px
            work[SUM_Y + j] += py
            work[SUM_TURN + j] += x * py
