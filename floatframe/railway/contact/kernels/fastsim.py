"""FASTSIM (Kalker 1982) over the strips of a patch of any shape, with his three flexibilities.

A patch with a waist is stiffer than an ellipse of its size: there each part has the flexibilities of an ellipse of its
own size.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

from floatframe.railway.contact.kernels.creep import coefficients
from floatframe.railway.contact.kernels.layout import HALF, HERTZ, PLACE, WIDTH
from floatframe.railway.contact.kernels.options import inner
from floatframe.railway.contact.kernels.parts import ellipse_around, has_waist

#: flexibilities proportional to the half lengths of the strips, as in the theory of Haines and Ollerton (1963), have to
#: be larger by this to give an ellipse's forces
_LOCAL = 0.375 * math.pi


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
        half, place, width = work[HALF + j], work[PLACE + j], work[WIDTH + j]
        if half == 0.0:
            continue
        level, softer, L = 0.75 * limit / content, 1.0, whole
        if contact.patch != HERTZ:
            level, softer = 0.75 * limit / (load * half), _LOCAL * half / a
        if waist:
            longest, wide = ellipse_around(contact, work, j)
            softer, L = _LOCAL * half / longest, flexibilities(contact, longest, wide)
        x, y, moment = strip(half, place, contact.elements, L, softer, sx, sy, phi, level)
        fx += x * width
        fy += y * width
        mz += (moment - place * x) * width
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
def strip(half, place, parts, L, softer, sx, sy, phi, level):
    """Integrals of the tractions along and across over a strip, and of the latter's moment about its middle.

    softer: factor of the flexibilities L. Where an element would exceed its bound it slides against its traction: the
    one of the directions with the larger flexibility gives way more.
    """
    step = 2.0 * half / parts
    along, across, spin = (sx / L[0] - phi * place / L[2]) / softer, sy / (L[1] * softer), phi / (L[2] * softer)
    ratio = L[1] / L[0]
    px = py = fx = fy = mz = 0.0
    way = 0.5 * step  # from the leading edge to the middle of the first element
    x = half - way
    square = half * half - step * step / 12.0  # the mean of the bound over an element
    for _element in range(parts):
        px -= way * along
        py -= way * (across + spin * (x + 0.5 * way))
        bound = level * (square - x * x)
        size = math.sqrt(px * px + py * py)
        if size > bound:
            # L (trial - traction) is the slip, which has the direction of the traction
            give = size / bound - 1.0
            px, py = px / (1.0 + math.sqrt(ratio) * give), py / (1.0 + give / math.sqrt(ratio))
            held = bound / math.sqrt(px * px + py * py)
            px, py = held * px, held * py
        fx += px
        fy += py
        mz += x * py
        way = step
        x -= step
    return step * fx, step * fy, step * mz
