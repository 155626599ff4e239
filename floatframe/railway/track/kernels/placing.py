"""Where the track and its rails are at a distance along it.

The frame is turned by heading, gradient and cant, R = Rz(heading) Ry(-slope) Rx(-roll) with tan slope = gradient and
sin roll = cant / distance of the rails.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

import numpy as np

from floatframe.railway.track.kernels.layout import inner


@inner
def frame_at(stations, rail_distance, s, frame):
    """Write the frame of the track at s [m]; beyond the ends of the table it goes on straight."""
    last = len(stations) - 1
    held = min(max(s, stations[0].s), stations[last].s)
    here = stations[station_of(stations, held)]
    d, beyond = held - here.s, s - held
    curvature, bend, _, heading = along(here.curvature, d)
    gradient, rise, rise_slope, height = along(here.gradient, d)
    cant, ramp, ramp_slope, _ = along(here.cant, d)
    gauge, _, _, _ = along(here.gauge, d)
    heading += here.heading
    if beyond != 0.0:
        curvature = bend = rise = rise_slope = ramp = ramp_slope = 0.0
    cos_h, sin_h = math.cos(heading), math.sin(heading)
    frame.heading, frame.curvature, frame.cant, frame.gauge, frame.gradient = heading, curvature, cant, gauge, gradient
    frame.p[0] = polynomial(here.x, d) + beyond * cos_h
    frame.p[1] = polynomial(here.y, d) + beyond * sin_h
    frame.p[2] = here.height + height + here.lift * cant + beyond * gradient
    frame.dp[0], frame.dp[1], frame.dp[2] = cos_h, sin_h, gradient + here.lift * ramp
    frame.ddp[0], frame.ddp[1] = -curvature * sin_h, curvature * cos_h
    frame.ddp[2] = rise + here.lift * ramp_slope
    # angles with their derivatives by s
    stretch = 1.0 + gradient * gradient
    slope_1 = rise / stretch
    slope_2 = rise_slope / stretch - 2.0 * gradient * slope_1 * slope_1
    cos_s = 1.0 / math.sqrt(stretch)
    sin_s = gradient * cos_s
    sin_r = cant / rail_distance
    cos_r = math.sqrt(1.0 - sin_r * sin_r)
    roll_1 = ramp / (rail_distance * cos_r)
    roll_2 = ramp_slope / (rail_distance * cos_r) + roll_1 * roll_1 * sin_r / cos_r
    R = frame.R
    R[0, 0], R[1, 0], R[2, 0] = cos_h * cos_s, sin_h * cos_s, sin_s
    R[0, 1], R[1, 1] = cos_h * sin_s * sin_r - sin_h * cos_r, sin_h * sin_s * sin_r + cos_h * cos_r
    R[2, 1] = -cos_s * sin_r
    R[0, 2], R[1, 2] = -cos_h * sin_s * cos_r - sin_h * sin_r, cos_h * sin_r - sin_h * sin_s * cos_r
    R[2, 2] = cos_s * cos_r
    across, up = curvature * sin_r * cos_s, curvature * cos_r * cos_s
    frame.w[0] = curvature * sin_s - roll_1
    frame.w[1] = -slope_1 * cos_r - across
    frame.w[2] = up - slope_1 * sin_r
    frame.dw[0] = bend * sin_s + curvature * slope_1 * cos_s - roll_2
    frame.dw[1] = (
        roll_1 * (slope_1 * sin_r - up) - slope_2 * cos_r + sin_r * (curvature * slope_1 * sin_s - bend * cos_s)
    )
    frame.dw[2] = (
        -roll_1 * (slope_1 * cos_r + across) - slope_2 * sin_r + cos_r * (bend * cos_s - curvature * slope_1 * sin_s)
    )


@inner
def rails_at(start, step, table, s, place, slope):
    """Write how far the rails lie from their places at s, and the slopes by s, each (4,).

    Left rail to the left and upward [m], right rail likewise. table (n, 8): these values and their slopes at distances
    from `start` [m] in equal steps, between which they are cubic; beyond its ends they stay as they are there.
    """
    last = len(table) - 1
    at = (s - start) / step
    i = min(max(int(np.floor(at)), 0), last - 1)
    u = at - i
    inside = 0.0 <= u <= 1.0
    u = min(max(u, 0.0), 1.0)
    v = 1.0 - u
    for k in range(4):
        y0, y1, m0, m1 = table[i, k], table[i + 1, k], step * table[i, k + 4], step * table[i + 1, k + 4]
        place[k] = v * v * ((1.0 + 2.0 * u) * y0 + u * m0) + u * u * ((1.0 + 2.0 * v) * y1 - v * m1)
        slope[k] = 0.0
        if inside:
            slope[k] = (6.0 * u * v * (y1 - y0) + v * (v - 2.0 * u) * m0 + u * (u - 2.0 * v) * m1) / step


@inner
def station_of(stations, s):
    """The station that s lies in; the last one is the end of the table."""
    low, high = 0, len(stations) - 1
    while high - low > 1:
        middle = (low + high) // 2
        if s < stations[middle].s:
            high = middle
        else:
            low = middle
    return low


@inner
def along(c, d):
    """A piece of a profile at d: its value, slope, curvature, and integral from 0."""
    value = c[0] + d * (c[1] + d * (c[2] + d * c[3]))
    slope = c[1] + d * (2.0 * c[2] + d * 3.0 * c[3])
    bend = 2.0 * c[2] + d * 6.0 * c[3]
    total = d * (c[0] + d * (c[1] / 2.0 + d * (c[2] / 3.0 + d * c[3] / 4.0)))
    k = c[6]
    if k > 0.0:
        cos, sin = math.cos(k * d), math.sin(k * d)
        wave, turned = c[4] * cos + c[5] * sin, c[5] * cos - c[4] * sin
        value += wave
        slope += k * turned
        bend -= k * k * wave
        total += (c[4] * sin + c[5] * (1.0 - cos)) / k
    return value, slope, bend, total


@inner
def polynomial(c, d):
    """A polynomial of the fifth degree."""
    return c[0] + d * (c[1] + d * (c[2] + d * (c[3] + d * (c[4] + d * c[5]))))
