"""The contact ellipse of Hertz."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from floatframe.errors import ModelError

_MOST = 1e7  # of the radii, larger over smaller; the ellipse is then 1e4 times as long as wide


@dataclass(frozen=True)
class HertzContact:
    """Contact ellipse and stiffness that follow from a load N [N]."""

    axis_x: float  # semi-axis along the rail = axis_x N^(1/3) [m/N^(1/3)]
    axis_y: float  # semi-axis across
    stiffness: float  # N = stiffness penetration^1.5 [N/m^1.5]


def hertz_contact(radius_x: float, radius_y: float, young: float, poisson: float) -> HertzContact:
    """Two bodies of one material with relative radii of curvature [m] along and across the rail; Johnson 1985, §4.2."""
    from scipy.optimize import brentq
    from scipy.special import ellipe, ellipk

    small, large = sorted((radius_x, radius_y))
    if not (small > 0.0 and large < _MOST * small):
        raise ModelError(
            f"found radii of curvature of {radius_x:g} m along and {radius_y:g} m across the rail, "
            f"expected radii above zero that differ by a factor of {_MOST:g} at most"
        )
    # z = A x² + B y², A along the longer axis of the ellipse, which lies along the larger radius
    A, B = 0.5 / large, 0.5 / small

    def mismatch(kappa: float) -> float:
        m = 1.0 - kappa**-2
        return float(A * (kappa**2 * ellipe(m) - ellipk(m)) - B * (ellipk(m) - ellipe(m)))

    kappa = 1.0 if large < small * (1.0 + 1e-9) else float(brentq(mismatch, 1.0 + 1e-10, 1e4, xtol=1e-12))
    m = 1.0 - kappa**-2
    modulus = young / (2.0 * (1.0 - poisson**2))
    minor = float(np.cbrt(3.0 * ellipe(m) / (2.0 * np.pi * modulus * kappa * (A + B))))
    stiffness = float((2.0 * np.pi * kappa * minor * modulus / (3.0 * ellipk(m))) ** 1.5)
    axis_x, axis_y = (minor, kappa * minor) if radius_x < radius_y else (kappa * minor, minor)
    return HertzContact(axis_x, axis_y, stiffness)
