"""Tables that every model with a track has: where the track leads, over the distance along it."""

from __future__ import annotations

from collections.abc import Mapping
from weakref import WeakKeyDictionary

import numpy as np

from floatframe.expressions import Table
from floatframe.railway import Track

_STEP = 0.5  # m, between places at which a course is that of the track; between them it is smooth
#: what table(NAME, distance) means: places in the world [m], and angles about z, y, x that turn one after another [rad]
COURSES = ("track_x", "track_y", "track_z", "track_heading", "track_slope", "track_roll")
_MADE: WeakKeyDictionary[Track, Mapping[str, Table]] = WeakKeyDictionary()


def track_courses(track: Track | None) -> Mapping[str, Table]:
    """Return the tables of a track, made once; none without a track."""
    if track is None:
        return {}
    if track not in _MADE:
        s = np.linspace(track.layout.start, track.end, max(round(track.length / _STEP), 8) + 1)
        here = track.frame(s)
        slope, roll = -np.arctan(here.gradient), -np.arcsin(here.cant / track.rail_distance)
        values = (*here.p.T, here.heading, slope, roll)
        _MADE[track] = {
            name: Table(s, y, kind="spline", extrapolate=True) for name, y in zip(COURSES, values, strict=True)
        }
    return _MADE[track]
