"""Ellipses of Hertz in kernels: elliptic integrals, and the shape that follows from two curvatures."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

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
def nearer_ratio(guess, curvatures):
    """One step of Newton's method for the ratio of the semi-axes along and across: its logarithm.

    guess: logarithm to start with; curvatures: B/A, across over along. B/A = (across/along) (a/b)² with the shares.
    """
    step = 1e-4
    along, across, _K = shares(math.exp(guess))
    beside, other, _K = shares(math.exp(guess + step))
    found = 2.0 * guess + math.log(across / along)
    slope = 2.0 + (math.log(other / beside) - math.log(across / along)) / step
    return guess + (math.log(curvatures) - found) / slope
