"""Kernels of another room that call the functions of the track, as step kernels do."""

from __future__ import annotations

from pathlib import Path

from floatframe.native import FLOAT, Room, array
from floatframe.railway.track.kernels import FRAME, STATION, TRACK_FOLDER, frame_at, rails_at

_ROOM = Room(Path(__file__).parent, TRACK_FOLDER)
_FLOATS, _MATRIX = array(float), array(float, 2)


@_ROOM.entry(array(STATION), FLOAT, _FLOATS, array(FRAME))
def fill_frames(stations, rail_distance, s, frames):
    """Write the frames of the track at distances s (n,) [m]."""
    for i in range(len(s)):
        frame_at(stations, rail_distance, s[i], frames[i])


@_ROOM.entry(FLOAT, FLOAT, _MATRIX, _FLOATS, _MATRIX, _MATRIX)
def fill_rails(start, step, table, s, place, slope):
    """Write the places (n, 4) of the rails and their slopes at distances s (n,) [m]."""
    for i in range(len(s)):
        rails_at(start, step, table, s[i], place[i], slope[i])
