"""Patches with waists: their parts, each like an ellipse of its own."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

from floatframe.railway.contact.kernels.layout import HALF, WIDTH
from floatframe.railway.contact.kernels.options import inner

_WIDE, _SLIM = 0.9, 0.6  # half length at a waist over the mean of those beside it: no waist, separate parts
_RISE = 0.1  # part of the smaller one beside it that the half length has to rise by


@inner
def next_part(contact, work, first):
    """The part of a patch from a strip on to the next waist: its end, how far it is apart from the next (0 to 1), and
    the semi-axes of an ellipse like it."""
    count = contact.strips
    peak = low = squares = 0.0
    last = first
    # up to the top, down to the waist
    while last < count and work[HALF + last] >= peak:
        peak = work[HALF + last]
        squares += peak * peak * work[WIDTH + last]
        last += 1
    low = peak
    while last < count and work[HALF + last] <= low:
        low = work[HALF + last]
        squares += low * low * work[WIDTH + last]
        last += 1
    top = 0.0
    for j in range(last, count):
        top = max(top, work[HALF + j])
    # as wide as an ellipse of this length and load
    b = 0.75 * squares / (peak * peak) if peak > 0.0 else 0.0
    if top == 0.0 or low == 0.0:
        return last, 1.0 if top > 0.0 else 0.0, peak, b
    narrow = (_WIDE - low / math.sqrt(peak * top)) / (_WIDE - _SLIM)
    rise = (1.0 - low / min(peak, top)) / _RISE
    return last, min(max(narrow, 0.0), 1.0) * min(rise, 1.0), peak, b
