"""Wheels with their profiles, and the rails of the track under them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from floatframe.viewer.drawing import glyphs
from floatframe.viewer.drawing.glyphs import Glyph
from floatframe.viewer.drawing.hybrid_glyphs import LINK, axes_of, on_place

if TYPE_CHECKING:
    from floatframe.arrays import Array
    from floatframe.hybrid import CompiledSystem, FlatForce, FlatPlace
    from floatframe.railway import Profile, Track
    from floatframe.viewer.drawing.hybrid_motion import Motion
    from floatframe.viewer.scene import Part

RAIL = "#8a8178"
_AROUND, _ALONG = 48, 24  # corners of a wheel's circles, points of its profile
_SHAFT = 0.18  # radius of an axle over that of its wheels
_BEYOND = 4.0  # m of rails before the first and behind the last wheel
_STEP, _MOST = 0.5, 1000  # m between two sections of a rail that are drawn, and how many
_LOOKS = 200  # states of a motion in which wheels are looked for
_HALF_HEAD = 0.036  # m
# half a rail from the middle of its head: outward and up from its top [m]
_HALF_RAIL = np.array(
    [(0.0, 0.0), (0.03, -0.002), (0.036, -0.014), (0.036, -0.05), (0.008, -0.06), (0.008, -0.14), (0.075, -0.16)]
)
_FOOT = np.array([(0.075, -0.172)])


def smallest_wheel(system: CompiledSystem) -> float:
    """Return the radius of the smallest wheel on the track [m], infinite without any."""
    wheels = [force for force in system.model.forces if force.profile is not None]
    return min((float(wheel.numbers["radius"]) for wheel in wheels), default=np.inf)


def axle_parts(system: CompiledSystem, number: int, **look: Any) -> list[Part]:
    """Return the shaft of a body that carries a left and a right wheel; nothing of other bodies."""
    wheels = [force for force in system.model.forces if force.profile is not None and _body(force) == number]
    ends = {force.options["side"]: force.a.point for force in wheels if force.a is not None}
    if len(wheels) != 2 or len(ends) != 2:
        return []
    line = ends["right"] - ends["left"]
    radius = _SHAFT * smallest_wheel(system)
    R = glyphs.turned(line) * np.array([np.linalg.norm(line), radius, radius])
    shaft = glyphs.moved(glyphs.cylinder_along(), R, ends["left"])
    return [glyphs.merged(system.model.bodies[number].name, [shaft], **look)]


def _body(wheel: FlatForce) -> int:
    return -1 if wheel.a is None else wheel.a.body


def wheel_parts(system: CompiledSystem) -> list[Part]:
    """Return the wheels on the track as solids of revolution."""
    return [
        _wheel(system, force, force.a, force.profile)
        for force in system.model.forces
        if force.a is not None and force.profile is not None
    ]


def _wheel(system: CompiledSystem, force: FlatForce, place: FlatPlace, profile: Profile) -> Part:
    y = np.linspace(profile.y[0], profile.y[-1], _ALONG)
    radius = float(force.numbers["radius"]) + np.interp(y, profile.y, profile.z)
    outward = 1.0 if force.options["side"] == "left" else -1.0
    # closed by a disc on either side
    along = outward * np.concatenate([y[:1], y, y[-1:]])
    solid = glyphs.turned_outline(along, np.concatenate([[0.0], radius, [0.0]]), _AROUND)
    R = axes_of(place) @ glyphs.turned(np.array([0.0, 1.0, 0.0]))
    return on_place(system, glyphs.merged("wheels", [glyphs.moved(solid, R, np.zeros(3))], color=LINK), place)


def rail_parts(system: CompiledSystem, motion: Motion) -> list[Part]:
    """Return both rails where wheels run in a motion; the irregularities are too small to be seen."""
    track = system.model.track
    wheels = [force.a for force in system.model.forces if force.kind == "wheel_on_track" and force.a is not None]
    if track is None or not wheels:
        return []
    rows = np.unique(np.linspace(0, len(motion.t) - 1, min(len(motion.t), _LOOKS)).astype(np.int64))
    places = np.concatenate([motion.of_place(system, wheel)[rows] for wheel in wheels])
    s = _stations(track, places)
    frame = track.frame(s)
    solids = []
    for side in (1.0, -1.0):
        across = side * (0.5 * frame.gauge + _HALF_HEAD)
        solids.append(_rail(frame.p, frame.R, across))
    return [glyphs.merged("rails", solids, color=RAIL)]


def _stations(track: Track, places: Array) -> Array:
    """Return distances (n,) of the sections to draw, from before the first of places (k, 3) to behind the last."""
    s = np.linspace(track.layout.start, track.end, max(round(track.length), 2))
    p = track.frame(s).p
    near = [int(np.argmin(np.linalg.norm(p[:, :2] - place[:2], axis=1))) for place in places]
    first = max(float(s[min(near)]) - _BEYOND, track.layout.start)
    last = min(float(s[max(near)]) + _BEYOND, track.end)
    return np.linspace(first, last, min(max(round((last - first) / _STEP), 1), _MOST) + 1)


def _rail(p: Array, R: Array, across: Array) -> Glyph:
    """Return a rail: places p (n, 3) of the middle of the track, axes R (n, 3, 3), the rail `across` (n,) in them."""
    right = np.vstack([_HALF_RAIL, _FOOT])
    outline = np.vstack([right, right[:0:-1] * [-1.0, 1.0]])
    local = np.zeros((len(p), len(outline), 3))
    local[:, :, 1] = across[:, None] + outline[:, 0]
    local[:, :, 2] = outline[:, 1]
    points = p[:, None] + np.einsum("nij,nkj->nki", R, local)
    walls = glyphs.tube_walls(len(p), len(outline))
    return Glyph(points.reshape(-1, 3), (walls,), np.empty((0, 2), dtype=np.int64))
