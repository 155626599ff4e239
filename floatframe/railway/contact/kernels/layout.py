"""Records of the kernels: a wheel on a rail, a moving wheel, a contact patch.

Axes: x forward, y outward from the middle of the track, z down; the origin is that of the rail's profile.
"""

from __future__ import annotations

import numpy as np

HERTZ, STRIPS, SOLVED = 0, 1, 2  # the patch: an ellipse, strips along the rail, strips that fit each other exactly
LINEAR, SATURATED, POLACH, FASTSIM = 0, 1, 2, 3  # the law of creep

KALKER_ROWS = 19  # of the table of creep coefficients
ELLIPSE_ROWS = 129  # of the table of ellipses
SHARPEST = 1e4  # ratio of the curvatures across and along, or its reciprocal, up to which that table goes

#: what a wheel and a rail are like
CONTACT = np.dtype(
    [
        ("radius", float),  # of the wheel's nominal rolling circle [m]
        ("modulus", float),  # E / (2 (1 - ν²)) of two equal materials [N/m2]
        ("shear", float),  # [N/m2]
        ("kalker", float, (KALKER_ROWS, 4)),  # C11, C22, C23, C33 over the ratio of the semi-axes, see `kalker`
        ("ellipse", float, (ELLIPSE_ROWS, 4)),  # shapes of ellipses over the ratio of the curvatures, see `ellipse`
        ("patch", int),  # HERTZ, STRIPS or SOLVED
        ("law", int),  # LINEAR, SATURATED, POLACH or FASTSIM
        ("strips", int),  # that a patch is divided into
        ("elements", int),  # of a strip
        ("friction", float),  # coefficient at rest
        ("friction_ratio", float),  # part of it that is left at high sliding speeds
        ("friction_decay", float),  # [s/m]
        ("adhesion", float),  # Polach's reduction factors
        ("slip", float),
        ("speed", float),  # the speed of travel counts as at least this [m/s]
    ],
    align=True,
)

#: where a wheel is and how it moves
MOTION = np.dtype(
    [
        ("centre", float, (3,)),  # of the rolling circle [m]; its x is not used
        ("axle", float, (3,)),  # unit vector outward
        ("velocity", float, (3,)),  # of the centre [m/s]
        ("turning", float, (3,)),  # angular velocity [rad/s]
    ],
    align=True,
)

#: a contact patch
PATCH = np.dtype(
    [
        ("place", float, (3,)),  # its reference point on the rail, x from the wheel's centre [m]
        ("lever", float, (3,)),  # from the centre of the rolling circle to that point on the undeformed wheel [m]
        ("on_wheel", float),  # outward from the nominal rolling circle [m]
        ("radius", float),  # of the wheel there [m]
        ("angle", float),  # of the tangent plane, tan = dz/dy of the rail [rad]
        ("penetration", float),  # deepest [m]
        ("rate", float),  # its rate [m/s]
        ("a", float),  # semi-axes along and across the rail [m]
        ("b", float),
        ("pressure", float),  # largest [N/m2]
        ("creep", float, (3,)),  # of the wheel against the rail: along, across, spin [-, -, 1/m]
        ("friction", float),  # its coefficient
        ("normal", float),  # forces on the wheel: normal, along, across [N], moment about the normal [N m]
        ("along", float),
        ("across", float),
        ("moment", float),
    ],
    align=True,
)
MOST_PATCHES = 4
MOST_STRIPS = 64
MOST_SOUNDED = 512  # places of the coarse pass over a wheel's profile
#: columns of a workspace, each for all strips: place across, width, penetration, half length [m]; then the squares of
#: the half lengths and their equations; then places across and depths of the coarse pass
PLACE, WIDTH, DEPTH, HALF, SQUARE, ROWS = (k * MOST_STRIPS for k in range(6))
PLACE_Y = ROWS + MOST_STRIPS * MOST_STRIPS
SOUND = PLACE_Y + MOST_SOUNDED
WORK = SOUND + MOST_SOUNDED
