"""Geometric stiffness of a beam: the second-order strains of the geometrically exact (Reissner) beam.

With section forces n = (N, Vy, Vz) and moments m about the centroid, the slope u' of the centroid line and the rotation
vector θ of the section, the strains to second order are
    Γ = u' - θ x e + [-θ x u' + ½ θ x (θ x e)],    κ = θ' - ½ θ x θ',    e = (1, 0, 0).
Their work n·Γ + m·κ holds all that couples axial force, bending and torsion, shear-flexible or not; moments follow half
of a rotation (semitangential). Twisted fibres shorten besides: ½ N (Ip/A) φ'², Wagner's term of torsional buckling.
"""

from __future__ import annotations

import numpy as np

from floatframe.arrays import Array
from floatframe.fem.masses import skew
from floatframe.fem.sections import BeamSection

_XI, _WEIGHT = np.polynomial.legendre.leggauss(3)  # exact: squares of quadratic slopes times a linear moment
_XI, _WEIGHT = (1.0 + _XI) / 2.0, _WEIGHT / 2.0


def geometric_stiffness(section: BeamSection, length: Array, resultants: Array, strains: Array) -> Array:
    """Return (nel, 12, 12) from resultants (nel, 2, 6) at the ends and `strain_rows`."""
    work = _work(section, resultants)
    weighted = (length[:, None] * _WEIGHT)[:, :, None, None] * work
    return (strains.swapaxes(2, 3) @ (weighted @ strains)).sum(axis=1)


def strain_rows(section: BeamSection, length: Array, ends: Array, slope: Array, deform: Array, share: Array) -> Array:
    """Return (nel, ngauss, 9, 12): u' of the centroid line, θ and θ' of the section in local axes per nodal motion.

    ends (2, nel, 6, 6) local motion of the ends; slope (nel, 2, 12) that of the first end; deform (nel, 6, 12) and
    bending share (nel, 2, 2) as in the beam, whose static shape this is.
    """
    x, L = _XI[:, None, None], length[:, None, None, None]
    shearing, bending = deform[:, None, 1:3], deform[:, None, 4:6]
    P, Q = share[:, None], np.eye(2) - share[:, None]
    turned = slope[:, None] + x * bending + (6.0 / L * (x - x**2) * P) @ shearing
    deflected = turned + (Q / L) @ shearing
    curved = bending / L + (6.0 / L**2 * (1.0 - 2.0 * x) * P) @ shearing
    twist_rate = deform[:, None, 3] / L[..., 0]
    ey, ez = section.shear_centre
    rows = np.zeros((length.size, _XI.size, 9, 12))
    rows[:, :, 0] = deform[:, None, 0] / L[..., 0]
    rows[:, :, 1] = deflected[:, :, 0] + ez * twist_rate
    rows[:, :, 2] = deflected[:, :, 1] - ey * twist_rate
    rows[:, :, 3, :6], rows[:, :, 3, 6:] = (1.0 - x[..., 0]) * ends[0, :, None, 3], x[..., 0] * ends[1, :, None, 3]
    rows[:, :, 4], rows[:, :, 5] = -turned[:, :, 1], turned[:, :, 0]
    rows[:, :, 6] = twist_rate
    rows[:, :, 7], rows[:, :, 8] = -curved[:, :, 1], curved[:, :, 0]
    return rows


def _work(section: BeamSection, resultants: Array) -> Array:
    """Return (nel, ngauss, 9, 9) with twice the second-order work per length as a form in (u', θ, θ')."""
    at = resultants[:, :1] + _XI[:, None] * (resultants[:, 1:] - resultants[:, :1])
    ey, ez = section.shear_centre
    n, m = at[..., :3], at[..., 3:].copy()
    m[..., 0] += ey * n[..., 2] - ez * n[..., 1]  # torque about the centroid
    Q = np.zeros((*at.shape[:2], 9, 9))
    Q[..., 3:6, :3], Q[..., :3, 3:6] = skew(n), -skew(n)
    Q[..., 3:6, 6:], Q[..., 6:, 3:6] = 0.5 * skew(m), -0.5 * skew(m)
    Q[..., 3:6, 3] += 0.5 * n
    Q[..., 3, 3:6] += 0.5 * n
    Q[..., range(3, 6), range(3, 6)] -= n[..., :1]
    Q[..., 6, 6] += n[..., 0] * section.Ip / section.A
    return Q
