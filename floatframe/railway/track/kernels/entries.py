"""Kernels that Python calls: frames and rails at many places."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from floatframe.native import FLOAT, array
from floatframe.railway.track.kernels.layout import FRAME, STATION, entry
from floatframe.railway.track.kernels.placing import frame_at, rails_at

_FLOATS, _MATRIX = array(float), array(float, 2)


@entry(array(STATION), FLOAT, _FLOATS, array(FRAME))
def fill_frames(stations, rail_distance, s, frames):
    """Write the frames of the track at distances s (n,) [m]."""
    for i in range(len(s)):
        frame_at(stations, rail_distance, s[i], frames[i])


@entry(FLOAT, FLOAT, _MATRIX, _FLOATS, _MATRIX, _MATRIX)
def fill_rails(start, step, table, s, place, slope):
    """Write the places (n, 4) of the rails and their slopes at distances s (n,) [m]; see `rails_at`."""
    for i in range(len(s)):
        rails_at(start, step, table, s[i], place[i], slope[i])
