"""The moving frame of a track at many places at once, with what a vehicle described in it needs.

x lies along the track, y to the left, z up from the plane of the rails. The plain twin of `kernels.placing`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from floatframe.arrays import Array, short_repr
from floatframe.railway.track.layout import Layout
from floatframe.railway.track.profile import values


@short_repr
@dataclass(frozen=True, eq=False)
class TrackFrame:
    """The track at distances s (n,) along its plan; derivatives are by s.

    At a speed s' the frame has the velocity dp s' and the angular velocity w s', the accelerations
    ddp s'² + dp s'' and dw s'² + w s''. On a gradient g the way along the track is √(1 + g²) longer than s.
    """

    s: Array  # (n,) [m]
    p: Array  # (n, 3) middle of the track in world axes [m]
    R: Array  # (n, 3, 3) from track to world axes
    dp: Array  # (n, 3) world axes
    ddp: Array  # (n, 3) world axes [1/m]
    w: Array  # (n, 3) turn per distance, track axes [rad/m]
    dw: Array  # (n, 3) [rad/m2]
    heading: Array  # (n,) in plan [rad]
    curvature: Array  # (n,) in plan [1/m], positive to the left
    cant: Array  # (n,) right rail over left [m]
    gauge: Array  # (n,) [m]
    gradient: Array  # (n,) rise over run

    @property
    def tangent(self) -> Array:
        """Unit vectors (n, 3) along the track, world axes."""
        return self.R[..., 0]


def track_frame(layout: Layout, s: ArrayLike) -> TrackFrame:
    """Return the frame of the track at distances s (n,) or at one [m]."""
    s = np.asarray(s, dtype=float)
    here, d, beyond = layout.station_of(s)
    inside = np.where(beyond == 0.0, 1.0, 0.0)
    curvature, bend = (values(here["curvature"], d, k) * inside for k in (0, 1))
    heading = here["heading"] + values(here["curvature"], d, -1)
    gradient = values(here["gradient"], d)
    rise, rise_slope = (values(here["gradient"], d, k) * inside for k in (1, 2))
    cant, gauge = values(here["cant"], d), values(here["gauge"], d)
    ramp, ramp_slope = (values(here["cant"], d, k) * inside for k in (1, 2))
    ch, sh, lift = np.cos(heading), np.sin(heading), here["lift"]
    height = here["height"] + values(here["gradient"], d, -1) + lift * cant
    x, y = (np.sum(here[name] * d[..., None] ** np.arange(6), axis=-1) for name in ("x", "y"))
    p = np.stack([x + beyond * ch, y + beyond * sh, height + beyond * gradient], axis=-1)
    dp = np.stack([ch, sh, gradient + lift * ramp], axis=-1)
    ddp = np.stack([-curvature * sh, curvature * ch, rise + lift * ramp_slope], axis=-1)

    # angles of gradient and cant with their derivatives
    slope = np.arctan(gradient)
    slope_1 = rise / (1 + gradient**2)
    slope_2 = rise_slope / (1 + gradient**2) - 2 * gradient * slope_1**2
    roll = np.arcsin(cant / layout.rail_distance)
    cr, sr, cs, ss = np.cos(roll), np.sin(roll), np.cos(slope), np.sin(slope)
    roll_1 = ramp / (layout.rail_distance * cr)
    roll_2 = ramp_slope / (layout.rail_distance * cr) + roll_1**2 * sr / cr

    R = np.empty((*s.shape, 3, 3))
    R[..., 0] = np.stack([ch * cs, sh * cs, ss], axis=-1)
    R[..., 1] = np.stack([ch * ss * sr - sh * cr, sh * ss * sr + ch * cr, -cs * sr], axis=-1)
    R[..., 2] = np.stack([-ch * ss * cr - sh * sr, ch * sr - sh * ss * cr, cs * cr], axis=-1)
    w = np.stack(
        [
            curvature * ss - roll_1,
            -slope_1 * cr - curvature * sr * cs,
            curvature * cr * cs - slope_1 * sr,
        ],
        axis=-1,
    )
    level, tilted = bend * cs - curvature * slope_1 * ss, curvature * cs
    dw = np.stack(
        [
            bend * ss + tilted * slope_1 - roll_2,
            roll_1 * (slope_1 * sr - tilted * cr) - slope_2 * cr - sr * level,
            -roll_1 * (slope_1 * cr + tilted * sr) - slope_2 * sr + cr * level,
        ],
        axis=-1,
    )
    return TrackFrame(s, p, R, dp, ddp, w, dw, heading, curvature, cant, gauge, gradient)
