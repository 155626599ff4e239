"""Creep forces of an elliptic patch on the wheel: Kalker's linear theory, saturated, or Polach's method.

Creepages sx, sy [-] and spin phi [1/m] are those of the wheel against the rail, in the direction of travel; x, the
direction across and the normal are right-handed.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

from floatframe.railway.contact.kernels.options import inner


@inner
def coefficients(table, ratio):
    """Kalker's C11, C22, C23, C33 for the ratio of the semi-axes along and across, from rows as `kalker` has them."""
    place = ratio if ratio <= 1.0 else 2.0 - 1.0 / ratio
    at = min(max((place - 0.1) / 0.1, 0.0), 18.0)
    k = min(int(at), 17)
    t = at - k
    u = 1.0 - t
    return (
        u * table[k, 0] + t * table[k + 1, 0],
        u * table[k, 1] + t * table[k + 1, 1],
        u * table[k, 2] + t * table[k + 1, 2],
        u * table[k, 3] + t * table[k + 1, 3],
    )


@inner
def linear_creep(a, b, shear, c, sx, sy, phi):
    """Forces along and across and the moment by Kalker's linear theory; c: his four coefficients."""
    ab = a * b
    spin = shear * ab * math.sqrt(ab) * c[2]
    return (
        -shear * ab * c[0] * sx,
        -shear * ab * c[1] * sy - spin * phi,
        spin * sy - shear * ab * ab * c[3] * phi,
    )


@inner
def saturated_creep(a, b, shear, c, sx, sy, phi, limit):
    """The same reduced to the limit of friction [N] by the curve of Vermeulen and Johnson (Shen, Hedrick, Elkins)."""
    fx, fy, mz = linear_creep(a, b, shear, c, sx, sy, phi)
    full = math.hypot(fx, fy)
    reduced = 1.0
    if full > 3.0 * limit:
        reduced = limit / full
    elif limit > 0.0:
        u = full / limit
        reduced = 1.0 - u / 3.0 + u * u / 27.0
    return reduced * fx, reduced * fy, reduced * mz


@inner
def polach_creep(a, b, shear, c, sx, sy, phi, limit, adhesion, slip):
    """Forces by Polach (1999, 2005), with his reduction factors `adhesion` and `slip`; he leaves out the moment."""
    s = math.hypot(sx, sy)
    stiffness = c[1] if s == 0.0 else math.hypot(c[0] * sx, c[1] * sy) / s
    sy_spin = sy + phi * a
    if abs(sy_spin) <= abs(sy):
        sy_spin = sy
    s_spin = math.hypot(sx, sy_spin)
    if s_spin == 0.0 or limit == 0.0:
        return 0.0, 0.0, 0.0
    slope = shear * math.pi * a * b * stiffness * s_spin / (4.0 * limit)
    grip = adhesion * slope
    total = 2.0 * limit / math.pi * (grip / (1.0 + grip * grip) + math.atan(slip * slope))
    factor = 1.0 + 6.3 * (1.0 - math.exp(-a / b))
    turn_slope = 8.0 / 3.0 * shear * b * math.sqrt(a * b) * c[2] * abs(sy_spin) / (limit * factor)
    square = turn_slope * turn_slope
    d = (square - 1.0) / (square + 1.0)
    moment = turn_slope * (d * d * d / 3.0 - d * d / 2.0 + 1.0 / 6.0) - (1.0 - d * d) ** 1.5 / 3.0
    spin_force = -9.0 / 16.0 * a * limit * factor * moment
    return -total * sx / s_spin, -(total * sy + spin_force * phi) / s_spin, 0.0
