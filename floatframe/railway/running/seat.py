"""Where a wheelset rests on a level track under its load, and the pose of a body on a track."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from floatframe.errors import NotConverged
from floatframe.railway.contact import FLANGE_BACK, ContactSettings, Loaded, Pose, WheelOnRail, under_load
from floatframe.railway.profiles import WHEEL, Profile, profile as named_profile
from floatframe.railway.track import Track

_TURNS = 60
_LEVEL = 1e-9  # m: both wheels agree on the height of their axle


@dataclass(frozen=True)
class Seat:
    """A wheelset on a track."""

    height: float  # of its axle above the plane of the rails' tops [m]
    rolling_radius: float  # at which it rolls without slip [m]; the mean of both wheels
    roll: float = 0.0  # about the track's x axis, positive if the left wheel is higher [rad]


def seat(
    track: Track,
    profile: str | Profile,
    radius: float,
    half_distance: float,
    load: float,
    *,
    lateral: float = 0.0,
    gauge: float | None = None,
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
    lateral
        Of the wheelset from the middle of the track, to the left [m]; it leans so that both wheels carry their load.
    gauge
        Of the track there [m], its own without widening if not given.
    young, poisson, patch
        As of `hybrid.wheel_on_track`.
    """
    wheel = profile if isinstance(profile, Profile) else named_profile(profile, WHEEL)
    rail = track.rail_profile
    settings = ContactSettings(young, poisson, friction=0.0, patch=patch, law="linear", strips=16)
    rail_place = 0.5 * (track.gauge if gauge is None else gauge) - rail.gauge_point()
    apart = 2.0 * (half_distance - FLANGE_BACK)
    pair = WheelOnRail(wheel, rail, radius, rail_place=rail_place, back_to_back=apart, settings=settings)
    left, right = _both(pair, load, lateral)
    top = float(pair.tables[2][4::2].min())
    height = radius - 0.5 * (left.pose.height + right.pose.height) + top
    return Seat(height, 0.5 * (_rolling_radius(left) + _rolling_radius(right)), right.pose.roll)


def _both(pair: WheelOnRail, load: float, lateral: float) -> tuple[Loaded, Loaded]:
    """Return the left and the right wheel of an axle that leans so that each carries the load."""
    roll = 0.0
    for _ in range(_TURNS):
        left = under_load(pair, load, Pose(lateral, roll=-roll))
        right = under_load(pair, load, Pose(-lateral, roll=roll))
        apart = right.pose.height - left.pose.height
        if abs(apart) < _LEVEL:
            return left, right
        roll += 0.5 * apart / pair.wheel_origin
    raise NotConverged(f"wheelset: no place on both rails found {1e3 * lateral:.3f} mm beside the middle of the track")


def _rolling_radius(wheel: Loaded) -> float:
    """Mean of the patches by their normal forces [m]."""
    share = sum(patch.normal for patch in wheel.patches)
    return sum(patch.normal * patch.radius for patch in wheel.patches) / share


def on_track(
    track: Track,
    distance: float,
    *,
    lateral: float = 0.0,
    height: float = 0.0,
    speed: float = 0.0,
    rotation: float = 0.0,
    roll: float = 0.0,
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
    roll
        Of the body's axes about the track's x axis, positive if its left side is higher [rad].
    """
    here = track.frame(distance)
    arm = np.array([0.0, lateral, height])
    c, s = np.cos(roll), np.sin(roll)
    lean = np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])
    velocity = speed * (here.dp + here.R @ np.cross(here.w, arm))
    return {
        "position": tuple((here.p + here.R @ arm).tolist()),
        "rotation": here.R @ lean,
        "velocity": tuple(velocity.tolist()),
        "angular_velocity": tuple((speed * here.w @ lean + np.array([0.0, rotation, 0.0])).tolist()),
    }
