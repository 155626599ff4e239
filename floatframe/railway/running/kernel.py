"""The kernel of a running wheel: from its motion in the world to the force of the rail on it.

Axes: those of the track at the wheel's distance (x along, y left, z up); those of the rail there, turned by its slopes;
those of the contact, x forward, y outward, z down, in which a left wheel is the mirror image of a right one.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

from floatframe.native import Room
from floatframe.railway.contact import KERNEL_FOLDER, MOST_PATCHES, touch
from floatframe.railway.running.layout import (
    BELOW_THE_RAIL,
    OF_PATCHES,
    OF_WHEEL,
    OFF_THE_RAIL,
    OFF_THE_TRACK,
    RUNNING_FOLDER,
    SETUP_KIND,
    VISIT_KIND,
)
from floatframe.railway.track import TRACK_FOLDER, frame_at, rails_at

_ROOM = Room(RUNNING_FOLDER, KERNEL_FOLDER, TRACK_FOLDER)
_TURNS, _NEAR = 12, 1e-9  # of the search for the distance, and the step that ends it [m]
_SAGS, _STILL = 40, 1e-13  # the same of the rail's place under load
_CLOSE, _BESIDE = 1e-6, 3.0  # m: along and across the track, where a wheel may be
_ROUNDING = 1e-6  # m: beyond an end of the track


@_ROOM.part
def turned_back(R, a):
    """A vector of the world in the axes R."""
    return (
        R[0, 0] * a[0] + R[1, 0] * a[1] + R[2, 0] * a[2],
        R[0, 1] * a[0] + R[1, 1] * a[1] + R[2, 1] * a[2],
        R[0, 2] * a[0] + R[1, 2] * a[1] + R[2, 2] * a[2],
    )


@_ROOM.part
def turned(R, a):
    """A vector in the axes R as one of the world."""
    return (
        R[0, 0] * a[0] + R[0, 1] * a[1] + R[0, 2] * a[2],
        R[1, 0] * a[0] + R[1, 1] * a[1] + R[1, 2] * a[2],
        R[2, 0] * a[0] + R[2, 1] * a[1] + R[2, 2] * a[2],
    )


@_ROOM.part
def find_distance(on, visit):
    """Write the distance at which the wheel's centre lies across the track, and the frame there; returns its place.

    From the distance of some moment before; where that leads nowhere, from the nearest of all stations.
    """
    place = come_near(on, visit, visit.distance)
    if not (abs(place[0]) < _CLOSE and abs(place[1]) < _BESIDE):
        place = come_near(on, visit, nearest_station(on.stations, visit.p))
    return place


@_ROOM.part
def nearest_station(stations, p):
    """Where the station begins that is nearest in plan."""
    best, nearest = 0, math.inf
    for k in range(len(stations)):
        far = math.hypot(stations[k].x[0] - p[0], stations[k].y[0] - p[1])
        if far < nearest:
            best, nearest = k, far
    return stations[best].s


@_ROOM.part
def come_near(on, visit, s):
    """`find_distance` by Newton's method from a distance s."""
    frame = visit.frame
    place = (0.0, 0.0, 0.0)
    for _turn in range(_TURNS):
        frame_at(on.stations, on.setup.rail_distance, s, frame)
        arm = (visit.p[0] - frame.p[0], visit.p[1] - frame.p[1], visit.p[2] - frame.p[2])
        place = turned_back(frame.R, arm)
        along = turned_back(frame.R, frame.dp)[0] + frame.w[1] * place[2] - frame.w[2] * place[1]
        step = place[0] / along
        s += step
        if abs(step) < _NEAR:
            break
    visit.distance = s
    return place


@_ROOM.part
def rail_axes(on, visit, y, z):
    """The axes of the rail at a place (0, y, z) of the track, turned by the slopes of track and irregularities."""
    frame, k = visit.frame, 0 if on.setup.side > 0.0 else 2
    way = turned_back(frame.R, frame.dp)
    x = way[0] + frame.w[1] * z - frame.w[2] * y
    left = (way[1] - frame.w[0] * z + visit.slopes[k]) / x
    up = (way[2] + frame.w[0] * y + visit.slopes[k + 1]) / x
    level, whole = math.sqrt(1.0 + left * left), math.sqrt(1.0 + left * left + up * up)
    ex = (1.0 / whole, left / whole, up / whole)
    ey = (-left / level, 1.0 / level, 0.0)
    ez = (ex[1] * ey[2] - ex[2] * ey[1], ex[2] * ey[0] - ex[0] * ey[2], ex[0] * ey[1] - ex[1] * ey[0])
    return ex, ey, ez


@_ROOM.part
def seen_in(axes, a):
    """A vector in other axes, given as unit vectors."""
    ex, ey, ez = axes
    return (
        ex[0] * a[0] + ex[1] * a[1] + ex[2] * a[2],
        ey[0] * a[0] + ey[1] * a[1] + ey[2] * a[2],
        ez[0] * a[0] + ez[1] * a[1] + ez[2] * a[2],
    )


@_ROOM.part
def out_of(axes, a):
    """A vector given in these axes."""
    ex, ey, ez = axes
    return (
        ex[0] * a[0] + ey[0] * a[1] + ez[0] * a[2],
        ex[1] * a[0] + ey[1] * a[1] + ez[1] * a[2],
        ex[2] * a[0] + ey[2] * a[1] + ez[2] * a[2],
    )


@_ROOM.part
def mirrored(side, a):
    """A vector of the rail's axes in those of the contact, and back."""
    return a[0], side * a[1], -a[2]


@_ROOM.part
def mirrored_turn(side, a):
    """The same of an angular velocity or a torque."""
    return -side * a[0], -a[1], side * a[2]


@_ROOM.part
def set3(out, a):
    """Write three numbers."""
    out[0], out[1], out[2] = a[0], a[1], a[2]


@_ROOM.part
def pressed(on, visit):
    """Patches of the wheel where it is, damping included: how many, and the force on the rail outward and down."""
    count = touch(on.contact, on.wheel, on.rail, visit.motion, visit.patches, visit.work)
    across = down = 0.0
    for k in range(count):
        patch = visit.patches[k]
        cos, sin = math.cos(patch.angle), math.sin(patch.angle)
        push = patch.normal * max(1.0 + on.setup.damping * patch.rate, 0.0)
        across -= push * sin + patch.across * cos
        down += push * cos - patch.across * sin
    return count, across, down


@_ROOM.part
def settled(on, visit):
    """The patches after the rail has given way to their forces; returns how many.

    Newton's method with the slopes of the normal forces alone.
    """
    setup, centre = on.setup, visit.motion.centre
    y, z = centre[1], centre[2]
    out = down = 0.0
    count, force_out, force_down = pressed(on, visit)
    if setup.across == 0.0 and setup.down == 0.0:
        return count
    for _sag in range(_SAGS):
        yy, yz, zz = 1.0, 0.0, 1.0
        zy = 0.0
        for k in range(count):
            patch = visit.patches[k]
            cos, sin = math.cos(patch.angle), math.sin(patch.angle)
            stiff = 1.5 * patch.normal / patch.penetration
            yy += setup.across * stiff * sin * sin
            yz -= setup.across * stiff * sin * cos
            zy -= setup.down * stiff * sin * cos
            zz += setup.down * stiff * cos * cos
        gap_y, gap_z = setup.across * force_out - out, setup.down * force_down - down
        det = yy * zz - yz * zy
        more_y, more_z = (zz * gap_y - yz * gap_z) / det, (yy * gap_z - zy * gap_y) / det
        out += more_y
        down += more_z
        centre[1], centre[2] = y - out, z - down
        count, force_out, force_down = pressed(on, visit)
        if max(abs(more_y), abs(more_z)) < _STILL:
            break
    if setup.across > 0.0:
        visit.stored += 0.5 * out * out / setup.across
    if setup.down > 0.0:
        visit.stored += 0.5 * down * down / setup.down
    return count


@_ROOM.piece(SETUP_KIND, VISIT_KIND)
def run_wheel(on, visit):
    """Force and torque of the rail on a wheel, its distance along the track, and what is reported of it.

    NaN, with the trouble noted, where the wheel has left the rail or the track has ended.
    """
    setup, frame, side = on.setup, visit.frame, on.setup.side
    place = find_distance(on, visit)
    visit.lateral = place[1]
    rails_at(setup.rail_start, setup.rail_step, on.irregularities, visit.distance, visit.rails, visit.slopes)
    k = 0 if side > 0.0 else 2
    y = side * (0.5 * frame.gauge - setup.gauge_point) + visit.rails[k]
    z = visit.rails[k + 1]
    axes = rail_axes(on, visit, y, z)
    motion = visit.motion
    set3(motion.centre, mirrored(side, seen_in(axes, (0.0, place[1] - y, place[2] - z))))
    motion.centre[2] += setup.top
    axle = turned_back(frame.R, (visit.R[0, 1], visit.R[1, 1], visit.R[2, 1]))
    axle = mirrored(side, seen_in(axes, axle))
    set3(motion.axle, (side * axle[0], side * axle[1], side * axle[2]))
    set3(motion.velocity, mirrored(side, seen_in(axes, turned_back(frame.R, visit.v))))
    set3(motion.turning, mirrored_turn(side, seen_in(axes, turned_back(frame.R, visit.w))))
    visit.travel = math.hypot(motion.velocity[0], on.contact.speed)
    visit.trouble = visit.stored = visit.storing = 0.0
    visit.margin = min(-motion.centre[1] - on.wheel[0], motion.centre[1] + on.wheel[3])
    if visit.margin < 0.0:
        visit.trouble = OFF_THE_RAIL
    if motion.centre[2] > setup.top:
        visit.trouble = BELOW_THE_RAIL
    if visit.distance < setup.first - _ROUNDING or visit.distance > setup.last + _ROUNDING:
        visit.trouble = OFF_THE_TRACK
    count = 0 if visit.trouble != 0.0 else settled(on, visit)
    tell(setup, visit, count, axes)
    if visit.trouble != 0.0:
        for i in range(3):
            visit.force[i] = visit.torque[i] = math.nan
        visit.push = math.nan


@_ROOM.part
def tell(setup, visit, count, axes):
    """Sum up the patches: force and torque on the wheel, energies, and what is reported."""
    side, report = setup.side, visit.report
    fx = fy = fz = tx = ty = tz = wear = 0.0
    visit.push = visit.penetration = visit.rate = 0.0
    for k in range(OF_WHEEL, len(report)):
        report[k] = 0.0
    for k in range(count):
        patch = visit.patches[k]
        cos, sin = math.cos(patch.angle), math.sin(patch.angle)
        push = patch.normal * max(1.0 + setup.damping * patch.rate, 0.0)
        x, y, z = patch.lever[0], patch.lever[1], patch.lever[2]
        gx, gy, gz = patch.along, push * sin + patch.across * cos, patch.across * sin - push * cos
        fx, fy, fz = fx + gx, fy + gy, fz + gz
        tx += y * gz - z * gy
        ty += z * gx - x * gz - patch.moment * sin
        tz += x * gy - y * gx + patch.moment * cos
        # the moment counts: in FASTSIM and Kalker's theory the three together are what slip takes
        creep = patch.creep
        wear += abs(patch.along * creep[0] + patch.across * creep[1] + patch.moment * creep[2])
        visit.push += push
        visit.stored += 0.4 * patch.normal * patch.penetration
        visit.storing += patch.normal * patch.rate
        if patch.penetration > visit.penetration:
            visit.penetration, visit.rate = patch.penetration, patch.rate
        listed = (push, patch.place[1], patch.on_wheel, patch.angle, creep[0], creep[1], creep[2])
        for j in range(OF_PATCHES):
            report[OF_WHEEL + j * MOST_PATCHES + k] = listed[j]
    report[0], report[1], report[2], report[3], report[4] = visit.distance, -fy, -fz, 0.0, wear
    if fz < 0.0:
        report[3] = fy / fz
    report[5] = visit.lateral
    R = visit.frame.R
    set3(visit.force, turned(R, out_of(axes, mirrored(side, (fx, fy, fz)))))
    set3(visit.torque, turned(R, out_of(axes, mirrored_turn(side, (tx, ty, tz)))))
