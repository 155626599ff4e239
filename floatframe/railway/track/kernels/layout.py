"""The records that kernels read and write: stations of a layout, the frame of the track at a place."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from floatframe.native import Room

TRACK_FOLDER = Path(__file__).parent
#: a function that only kernels call
inner = Room(TRACK_FOLDER).part

#: a short piece of the layout; pieces of profiles as in `profile`, all about its beginning
STATION = np.dtype(
    [
        ("s", "f8"),  # where it begins [m]
        ("heading", "f8"),  # there [rad]
        ("height", "f8"),  # of the grade line there [m]
        ("lift", "f8"),  # height of the middle over the grade line per cant: 0, or ± 1/2
        ("x", "f8", 6),  # coefficients of a polynomial of the fifth degree [m]
        ("y", "f8", 6),
        ("curvature", "f8", 7),  # in plan [1/m]
        ("cant", "f8", 7),  # right rail over left [m]
        ("gauge", "f8", 7),  # [m]
        ("gradient", "f8", 7),  # rise over run
    ],
    align=True,
)

#: the track at a distance s: its frame has x along it, y to the left, z up from the plane of the rails
FRAME = np.dtype(
    [
        ("p", "f8", 3),  # middle of the track in world axes [m]
        ("R", "f8", (3, 3)),  # from track to world axes
        ("dp", "f8", 3),  # derivative of p by s, world axes
        ("ddp", "f8", 3),  # second derivative [1/m]
        ("w", "f8", 3),  # turn of the frame per distance, track axes [rad/m]
        ("dw", "f8", 3),  # its derivative by s [rad/m2]
        ("heading", "f8"),  # [rad]
        ("curvature", "f8"),  # in plan [1/m]
        ("cant", "f8"),  # right rail over left [m]
        ("gauge", "f8"),  # [m]
        ("gradient", "f8"),  # rise over run
    ],
    align=True,
)
