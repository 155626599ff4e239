"""Where a wheelset rests on a straight, level track under its load, and the pose of a body on a track."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from floatframe.railway.contact import FLANGE_BACK, ContactSettings, Pose, WheelOnRail, under_load
from floatframe.railway.profiles import WHEEL, Profile, profile as named_profile
from floatframe.railway.track import Track


@dataclass(frozen=True)
class Seat:
    """A wheelset in the middle of a track."""

    height: float  # of its axle above the plane of the rails' tops [m]
    rolling_radius: float  # at which it rolls without slip [m]


def seat(
    track: Track,
    profile: str | Profile,
    radius: float,
    half_distance: float,
    load: float,
    *,
    young: float = 2.1e11,
    poisson: float = 0.28,
    patch: str = "hertz",
) -> Seat:
    """Return where a wheelset rests.

    Parameters
    ----------
    track
        With its rails.
    profile, radius
        Of the wheels; radius of the nominal rolling circle [m].
    half_distance
        From the middle of the wheelset to the rolling circle [m].
    load
        Vertical, of one wheel [N].
    young, poisson, patch
        As of `hybrid.wheel_on_track`.
    """
    wheel = profile if isinstance(profile, Profile) else named_profile(profile, WHEEL)
    rail = track.rail_profile
    settings = ContactSettings(young, poisson, friction=0.0, patch=patch, law="linear", strips=16)
    rail_place = 0.5 * track.gauge - rail.gauge_point()
    apart = 2.0 * (half_distance - FLANGE_BACK)
    pair = WheelOnRail(wheel, rail, radius, rail_place=rail_place, back_to_back=apart, settings=settings)
    loaded = under_load(pair, load, Pose())
    rolling = sum(patch.normal * patch.radius for patch in loaded.patches)
    share = sum(patch.normal for patch in loaded.patches)
    top = float(pair.tables[2][4::2].min())
    return Seat(radius - loaded.pose.height + top, rolling / share)


def on_track(
    track: Track,
    distance: float,
    *,
    lateral: float = 0.0,
    height: float = 0.0,
    speed: float = 0.0,
    rotation: float = 0.0,
) -> dict[str, Any]:
    """Return where a body is that runs along a track: start values for its `position`, `rotation` and speeds.

    Parameters
    ----------
    track
        The track; its irregularities do not count.
    distance
        Along the track [m].
    lateral, height
        Of the body's origin from the middle of the track, to the left and up from the plane of the rails [m].
    speed
        Of the middle of the track under it [m/s].
    rotation
        About the body's y axis, as of a wheelset: forward if positive [rad/s].
    """
    here = track.frame(distance)
    arm = np.array([0.0, lateral, height])
    velocity = speed * (here.dp + here.R @ np.cross(here.w, arm))
    return {
        "position": tuple((here.p + here.R @ arm).tolist()),
        "rotation": here.R,
        "velocity": tuple(velocity.tolist()),
        "angular_velocity": tuple((speed * here.w + np.array([0.0, rotation, 0.0])).tolist()),
    }
