"""Rotation in space by four parameters, after PRADIS: q1, q2, q3 are nodes, q4 is hidden in the element.

q = L (e sin(angle/2), cos(angle/2)) has any length L; the soft norm M_u dL/dt = 0 keeps it. Flows of the three nodes
are moments about the global axes X, Y, Z, and no attitude is singular. The derivatives of q are no angular velocity:
that is an unknown of the element's own, so that a start may be given for it.
"""

from __future__ import annotations

import numpy as np

from floatframe.arrays import Array
from floatframe.network.laws.checking import differentiated
from floatframe.network.laws.kind import ORIENTATION, At, Internal, Kind, Parameter, Terminal
from floatframe.network.laws.mechanics import sources

DABSI = 1e-3  # what is negligible of a flow [N m s]
NORM = DABSI / np.sqrt(np.finfo(float).eps)  # M_u of PRADIS


def turned_inertia(q: Array, principal: Array, w: Array) -> Array:
    """R J R^T w / |q|^4 of unnormalised parameters q (4, n), J (3, n) along body axes, w (3, n) in global axes."""
    e, s = q[:3], q[3]

    def rotated(u: Array, sign: float) -> Array:
        turn = np.cross(e, u, axis=0)
        return (s * s - (e * e).sum(axis=0)) * u + 2.0 * e * (e * u).sum(axis=0) + 2.0 * sign * s * turn

    square = (q * q).sum(axis=0)
    return rotated(principal * rotated(w, -1.0), 1.0) / square**2


def spatial_inertia(at: At, F: Array) -> None:
    """Moments of a body about its centre; rows 3 the norm, 4 to 6 the angular velocity in global axes."""
    q, rate, w, alpha = at.x[:4], at.v[:4], at.v[4:7], at.a[4:7]
    principal, square = at.p[:3], (q * q).sum(axis=0)
    F[:3] += turned_inertia(q, principal, alpha) + np.cross(w, turned_inertia(q, principal, w), axis=0)
    F[3] += NORM * (q * rate).sum(axis=0) / np.sqrt(square)
    spin = 2.0 * (q[3] * rate[:3] - rate[3] * q[:3] + np.cross(q[:3], rate[:3], axis=0)) / square
    F[4:7] += w - spin


KINDS = (
    Kind(
        "spatial_inertia",
        "body that turns in space about its centre, by four parameters",
        tuple(Terminal(f"q{k}", ORIENTATION) for k in (1, 2, 3)),
        (
            *(
                Parameter(f"inertia_{axis}", "kg m2", f"moment of inertia about body axis {axis}", above=0.0)
                for axis in "xyz"
            ),
            *(
                Parameter(f"w{axis}", "rad/s", f"angular velocity at the start, global axis {axis}", 0.0)
                for axis in "xyz"
            ),
        ),
        differentiated(spatial_inertia),
        internals=(
            Internal("q4", "1/s", 1e-6, displacement=1.0),
            *(Internal(f"angular_velocity_{axis}", "rad/s", 1e-6, f"w{axis}") for axis in "xyz"),
        ),
    ),
    sources(ORIENTATION, "moment", 1e-6)[0],
)
