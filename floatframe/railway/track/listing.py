"""A track as lists of numbers: its sections, its largest values, places along it in a text file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from floatframe.errors import ModelError
from floatframe.io import write_csv
from floatframe.railway.track.sections import Curve, Straight
from floatframe.railway.track.track import Track

_MOST = 5_000_000  # rows
_EVERY = 1.0  # rows of a track without irregularities [m]


def section_list(track: Track) -> list[dict[str, Any]]:
    """Return type, start, length, radius and cant of each section; one of a table of kilometres is a piece of it.

    Radius and cant [m] are None where there is none, or where they change.
    """
    if track.kilometres is not None:
        return _pieces(track)
    found, s = [], track.start
    for one in track.sections:
        found.append(
            {
                "type": type(one).__name__.lower(),
                "start_m": s,
                "length_m": float(one.length),
                "radius_m": float(one.radius) if isinstance(one, Curve) else None,
                "cant_m": float(one.cant) if isinstance(one, Curve | Straight) else None,
            }
        )
        s += one.length
    return found


def _pieces(track: Track) -> list[dict[str, Any]]:
    curvature, cant = track.layout.curvature, track.layout.cant
    value, _ = curvature.sides
    found = []
    for k, s in enumerate(curvature.s[:-1]):
        first, last = value[k, 1], value[k + 1, 0]
        steady = first == last
        height = cant(0.5 * (s + curvature.s[k + 1]))
        found.append(
            {
                "type": "transition" if not steady else "curve" if first else "straight",
                "start_m": float(s),
                "length_m": float(curvature.s[k + 1] - s),
                "radius_m": float(1.0 / first) if steady and first else None,
                "cant_m": float(np.sign(first or 1.0) * height) if steady else None,
            }
        )
    return found


def largest_values(track: Track) -> dict[str, float | None]:
    """Return smallest radius (None if straight), largest cant and gradient, lowest and highest place."""
    layout = track.layout
    sharpest, cant, gradient = (
        float(np.abs(profile.sides[0]).max()) for profile in (layout.curvature, layout.cant, layout.gradient)
    )
    inside = layout.stations["s"]
    height = track.frame(inside[(inside >= layout.start) & (inside <= layout.end)]).p[:, 2]
    return {
        "smallest_radius_m": 1.0 / sharpest if sharpest else None,
        "largest_cant_m": cant,
        "largest_gradient": gradient,
        "lowest_m": float(height.min()),
        "highest_m": float(height.max()),
    }


def write_places(track: Track, path: str | Path, every: float | None = None) -> None:
    """Write places, heading, curvature, cant, gauge, gradient and irregularities of both rails to a text file.

    every: distance of two rows [m] (default: step of the irregularities, or 1 m).
    """
    step = every or (track.rails.step if track.irregularities else _EVERY)
    if track.length / step > _MOST:
        raise ModelError(
            f"track: {track.length / step:.3g} rows every {step:g} m, expected {_MOST:.3g} at most; write fewer of them"
        )
    s = np.linspace(track.layout.start, track.end, max(round(track.length / step), 1) + 1)
    frame = track.frame(s)
    names = [
        "s [m]",
        "x [m]",
        "y [m]",
        "z [m]",
        "heading [rad]",
        "curvature [1/m]",
        "cant [m]",
        "gauge [m]",
        "gradient",
    ]
    columns = [s, *frame.p.T, frame.heading, frame.curvature, frame.cant, frame.gauge, frame.gradient]
    if track.irregularities:
        names += ["left_lateral [m]", "left_vertical [m]", "right_lateral [m]", "right_vertical [m]"]
        columns += [*track.irregularity(s).T]
    write_csv(Path(path), names, np.column_stack(columns))
