"""Wheelsets on tracks for tests: cones on round rails, of which waves and critical speeds are known."""

from __future__ import annotations

import math

import numpy as np

from floatframe import hybrid as h, railway

RADIUS, CONICITY, MASS, INERTIA = 0.46, 0.05, 1813.0, (1120.0, 112.0, 1120.0)
GRAVITY = 9.81
TRACK = railway.Track(sections=[railway.Straight(3000.0)], rail="arc:0.3")
HALF = 0.5 * TRACK.gauge - TRACK.rail_profile.gauge_point()  # from the middle to the rail's top and the rolling circle
PROFILE = f"cone:{CONICITY}"


def wheels(model, axle, radius=RADIUS, profile=PROFILE, half=HALF, prefix="", **contact):
    """Both wheels of an axle."""
    for side, y in (("left", half), ("right", -half)):
        model.add(h.wheel_on_track(prefix + side, axle.at((0, y, 0)), side, radius, profile, **contact))


def free_wheelset(speed, yaw=0.0, track=TRACK, **contact):
    """A wheelset with the coordinates x, y, z, yaw, roll and spin."""
    model = h.Model(gravity=(0, 0, -GRAVITY), track=track)
    axle = model.add(h.RigidBody("axle", MASS, INERTIA))
    seat = railway.seat(track, PROFILE, RADIUS, HALF, 0.5 * MASS * GRAVITY)
    steps = [h.translate(a) for a in np.eye(3).tolist()]
    steps += [h.rotate((0, 0, 1)), h.rotate((1, 0, 0)), h.rotate((0, 1, 0))]
    start = (1.0, 0, seat.height, yaw, 0, 0)
    rates = (speed, 0, 0, 0, 0, speed / seat.rolling_radius)
    model.add(h.general("J", axle.at(), model.ground.at(), steps, start=start, start_rate=rates))
    wheels(model, axle, **{"speed": 1e-3, **contact})
    return model


def held_wheelset(speed, lateral, yaw, turned=0.0, inertia=INERTIA, **contact):
    """A wheelset whose axle box is held by springs, lateral [N/m] and yaw [N m/rad], at a frame that runs.

    speed: a number, or the name of a parameter of the model.
    """
    model = h.Model(gravity=(0, 0, -GRAVITY), track=TRACK)
    seat = railway.seat(TRACK, PROFILE, RADIUS, HALF, 0.5 * (MASS + 1.0) * GRAVITY)
    up = (0, 0, seat.height)
    frame = model.add(h.RigidBody("frame", 1.0, (1, 1, 1), position=(1, 0, seat.height)))
    box = model.add(h.RigidBody("box", 1.0, (1, 1, 1), position=(1, 0, seat.height)))
    axle = model.add(h.RigidBody("axle", MASS, inertia, position=(1, 0, seat.height)))
    model.add(h.prismatic("run", frame.at(), model.ground.at(up), axis=(1, 0, 0)))
    model.add(h.motion("drive", "run", f"1 + {speed}*t"))
    steps = [h.translate((0, 1, 0)), h.translate((0, 0, 1)), h.rotate((0, 0, 1)), h.rotate((1, 0, 0))]
    model.add(h.general("J", box.at(), frame.at(), steps, start=(0, 0, turned, 0)))
    model.add(h.revolute("spin", axle.at(), box.at(), axis=(0, 1, 0), start_rate=f"{speed}/{seat.rolling_radius!r}"))
    model.add(h.bushing("springs", box.at(), frame.at(), stiffness=[0, lateral, 0, 0, 0, yaw]))
    wheels(model, axle, **contact)
    return model


def waves(x, y):
    """Lengths of the waves of a path y(x), from its zeros."""
    k = np.flatnonzero(np.diff(np.sign(y)))
    zeros = x[k] - y[k] * (x[k + 1] - x[k]) / (y[k + 1] - y[k])
    return 2 * np.diff(zeros)


def kinematic_wave(track=TRACK):
    """Klingel's wave, 2 pi sqrt(r e / conicity), with contact points that move on the rails as the wheelset rolls.

    A wheelset that leans by dφ/dy turns its wheels sideways by r dφ/dy.
    """
    pair = railway.WheelOnRail(
        railway.profile(PROFILE, "wheel"), track.rail_profile, RADIUS, rail_place=HALF, back_to_back=2 * (HALF - 0.07)
    )
    shift = 1e-3
    found = railway.rest(pair, lateral=shift)
    conicity = found.radius_difference / (2 * shift)
    middle = railway.rest(pair).right
    lean = abs(found.roll) / shift
    arm = HALF + middle.y
    return 2 * math.pi * math.sqrt(arm * middle.radius * (1 + middle.radius * lean) / conicity)


def critical_speed(lateral, yaw, inertia):
    """Wickens: the held wheelset loses its stability where its kinematic wave has the frequency of its springs.

    The formula leaves out gravity, roll, spin creepage and the gyroscope: 3 % for an axle that hardly turns.
    """
    load = 0.5 * (MASS + 1.0) * GRAVITY
    pair = railway.WheelOnRail(
        railway.profile(PROFILE, "wheel"),
        TRACK.rail_profile,
        RADIUS,
        rail_place=HALF,
        back_to_back=2 * (HALF - 0.07),
        settings=railway.ContactSettings(patch="hertz"),
    )
    ellipse = railway.under_load(pair, load, railway.Pose()).patches[0]
    c11, c22, _, _ = railway.kalker_coefficients(ellipse.a / ellipse.b, 0.28)
    arm = HALF + ellipse.y
    square = (c11 * lateral * arm**2 + c22 * yaw) / (c11 * (MASS + 1) * arm**2 + c22 * (inertia[2] + 1))
    return math.sqrt(square) * kinematic_wave() / (2 * math.pi)
