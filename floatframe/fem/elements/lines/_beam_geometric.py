"""Geometric stiffness of a beam: the second-order strains of the geometrically exact (Reissner) beam.

With section forces n = (N, Vy, Vz) and moments m about the centroid, the slope u' of the centroid line and the rotation
vector θ of the section, the strains to second order are
    Γ = u' - θ x e + [-θ x u' + ½ θ x (θ x e)],    κ = θ' - ½ θ x θ',    e = (1, 0, 0).
Their work n·Γ + m·κ holds all that couples axial force, bending and torsion, shear-flexible or not; moments follow half
of a rotation (semitangential). Twisted fibres shorten besides: ½ N (Ip/A) φ'², Wagner's term of torsional buckling.
"""

from __future__ import annotations

import numpy as np

from floatframe.arrays import Array, skew
from floatframe.fem.properties import BeamSection

_XI, _WEIGHT = np.polynomial.legendre.leggauss(3)  # exact: squares of quadratic slopes times a linear moment
_XI, _WEIGHT = (1.0 + _XI) / 2.0, _WEIGHT / 2.0


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


def section_forces(section: BeamSection, length: Array, forces: Array) -> Array:
    """Return N, Vy, Vz, T, My, Mz about the centroid (nel, ngauss, 6, k), times the weights of the points.

    forces (nel, 6, k): N, V (2), torque about the shear centre, bending moments at mid-length for the slopes (rz, -ry).
    """
    N, Vy, Vz, T, m1, m2 = (part[:, None] for part in np.moveaxis(forces, 1, 0))
    ey, ez = section.shear_centre
    back = ((0.5 - _XI) * length[:, None])[:, :, None]  # from mid-length towards the first end
    ones = np.ones_like(back)
    parts = [N * ones, Vy * ones, Vz * ones, (T + ey * Vz - ez * Vy) * ones, -(m2 + Vz * back), m1 + Vy * back]
    return np.stack(parts, axis=2) * (length[:, None] * _WEIGHT)[:, :, None, None]


def forms(section: BeamSection) -> Array:
    """Return (6, 9, 9): twice the second-order work of each section force in the rows (u', θ, θ')."""
    Q = np.zeros((6, 9, 9))
    for k, unit in enumerate(np.eye(3)):
        Q[k, 3:6, :3], Q[k, :3, 3:6] = skew(unit), -skew(unit)
        Q[3 + k, 3:6, 6:], Q[3 + k, 6:, 3:6] = 0.5 * skew(unit), -0.5 * skew(unit)
        Q[k, 3:6, 3] += 0.5 * unit
        Q[k, 3, 3:6] += 0.5 * unit
    Q[0, range(3, 6), range(3, 6)] -= 1.0
    Q[0, 6, 6] += section.Ip / section.A
    return Q
