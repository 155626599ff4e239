"""Ellipses of Hertz in kernels: elliptic integrals, and the shape that follows from two curvatures."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

from floatframe.railway.contact.kernels.layout import SHARPEST
from floatframe.railway.contact.kernels.options import inner

_ROUND = 1e-6  # squares of eccentricities below it count as circles


@inner
def complete_integrals(m):
    """The complete elliptic integrals K(m) and E(m) of the parameter m = k², by arithmetic-geometric means."""
    a, g, total, weight = 1.0, math.sqrt(1.0 - m), 0.5 * m, 1.0
    for _turn in range(6):
        half = 0.5 * (a - g)
        a, g = 0.5 * (a + g), math.sqrt(a * g)
        total += weight * half * half
        weight *= 2.0
    K = 0.5 * math.pi / a
    return K, K * (1.0 - total)


@inner
def shares(ratio):
    """Parts of the approach that the gap takes at the ends of the ellipse's axes along and across, and K.

    ratio: semi-axis along over that across. In the contact z = A x² + B y² the parts are A a² / δ and B b² / δ; they
    add up to one and are halves for a circle.
    """
    small = min(ratio, 1.0 / ratio)
    m = 1.0 - small * small
    K, E = complete_integrals(m)
    major = 0.5 if m < _ROUND else (K - E) / (m * K)
    if ratio <= 1.0:
        return 1.0 - major, major, K
    return major, 1.0 - major, K


@inner
def ellipse(table, curvatures):
    """`shares` of the ellipse that belongs to curvatures B/A across over along, from rows as `ellipse_table` has them.

    Cubic between the rows, beyond the last that of the last.
    """
    last = len(table) - 1
    place = math.log(curvatures)
    at = min(abs(place) * (last / math.log(SHARPEST)), last)
    k = min(int(at), last - 1)
    t = at - k
    u = 1.0 - t
    v0, v1, w0, w1 = u * u * (1.0 + 2.0 * t), t * t * (1.0 + 2.0 * u), u * u * t, -t * t * u
    here, there = table[k], table[k + 1]
    major = v0 * here[0] + v1 * there[0] + w0 * here[1] + w1 * there[1]
    K = v0 * here[2] + v1 * there[2] + w0 * here[3] + w1 * there[3]
    if place >= 0.0:
        return major, 1.0 - major, K
    return 1.0 - major, major, K
