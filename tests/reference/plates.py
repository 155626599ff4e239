"""Analytic plate solutions: bending stiffness, simply supported Kirchhoff and Mindlin plates."""

from __future__ import annotations

import numpy as np


def bending_stiffness(E: float, nu: float, thickness: float) -> float:
    """D = E t³ / 12 (1 - ν²) [N m]."""
    return E * thickness**3 / (12.0 * (1.0 - nu**2))


def mindlin_frequency(
    m: int,
    n: int,
    a: float,
    b: float,
    E: float,
    nu: float,
    rho: float,
    thickness: float,
    shear_factor: float = 5.0 / 6.0,
) -> float:
    """Frequency [Hz] of mode (m, n) of a thick plate, w = 0 and no rotation along the edges (hard support).

    The smaller root of the characteristic equation of Mindlin (1951) for w, the gradient part of the rotations and
    their inertia.
    """
    D, shear = bending_stiffness(E, nu, thickness), shear_factor * E / (2.0 * (1.0 + nu)) * thickness
    k2 = (m * np.pi / a) ** 2 + (n * np.pi / b) ** 2
    mass, inertia = rho * thickness, rho * thickness**3 / 12.0
    # unknowns: deflection, amplitude of the rotation along the wave
    K = np.array([[shear * k2, shear * np.sqrt(k2)], [shear * np.sqrt(k2), shear + D * k2]])
    M = np.diag([mass, inertia])
    omega2 = np.linalg.eigvals(np.linalg.solve(M, K)).real.min()
    return float(np.sqrt(omega2) / (2.0 * np.pi))


def navier_deflection(a: float, b: float, D: float, pressure: float, terms: int = 199) -> float:
    """Centre deflection [m] of a thin simply supported plate under uniform pressure (Navier's series)."""
    odd = np.arange(1, terms + 1, 2)
    m, n = np.meshgrid(odd, odd)
    sign = np.sin(m * np.pi / 2) * np.sin(n * np.pi / 2)
    return float((16 * pressure / (np.pi**6 * D) * sign / (m * n * ((m / a) ** 2 + (n / b) ** 2) ** 2)).sum())
