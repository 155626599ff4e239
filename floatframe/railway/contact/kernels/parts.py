"""Patches with waists: the part of a patch around a strip, like an ellipse of its own.

Strips on both sides of a waist belong together the less the narrower it is, without a step, so that forces which follow
from it stay continuous.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

from floatframe.railway.contact.kernels.layout import HALF, WIDTH
from floatframe.railway.contact.kernels.options import inner

_WIDE, _SLIM = 0.9, 0.6  # half length at a waist over the mean of two strips beside it: no waist, apart
_RISE = 0.1  # part of the smaller of both that the half length has to rise by


@inner
def has_waist(contact, work):
    """Whether half lengths rise again behind a smaller one."""
    falling = False
    for j in range(1, contact.strips):
        before, half = work[HALF + j - 1], work[HALF + j]
        if falling and half > before:
            return True
        falling = falling or half < before
    return False


@inner
def ellipse_around(contact, work, j):
    """Semi-axes along and across of an ellipse like the part of the patch around a strip, of its length and load."""
    own = work[HALF + j]
    longest, load = own, own * own * work[WIDTH + j]
    for side in range(-1, 2, 2):
        waist, i = own, j + side
        while waist > 0.0 and i >= 0 and i < contact.strips:
            half = work[HALF + i]
            waist = min(waist, half)
            if half > 0.0:
                kept = together(waist, own, half)
                longest = max(longest, kept * half)
                load += kept * half * half * work[WIDTH + i]
            i += side
    return longest, 0.75 * load / (longest * longest)


@inner
def together(waist, a, b):
    """How far strips of half lengths a and b belong to one part, 0 to 1, with a waist between them."""
    narrow = (_WIDE - waist / math.sqrt(a * b)) / (_WIDE - _SLIM)
    rise = (1.0 - waist / min(a, b)) / _RISE
    return 1.0 - min(max(narrow, 0.0), 1.0) * min(rise, 1.0)
