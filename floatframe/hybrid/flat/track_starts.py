"""Bodies that start on the track of the model: where they are and how fast, once the track is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from floatframe.errors import Where
from floatframe.expressions import Mistakes
from floatframe.hybrid.description import FlexibleBody, OnTrack, RigidBody, Wheels
from floatframe.hybrid.flat.bodies import Bodies
from floatframe.hybrid.flat.parts import Part
from floatframe.railway import Seat, Track, on_track
from floatframe.wording import did_you_mean


def start_on_track(bodies: Bodies, parts: Sequence[Part], track: Track | None, mistakes: Mistakes) -> None:
    """Give all bodies that are on the track their start values."""
    found = {
        part.path + item.name: (part, item.on_track)
        for part in parts
        for item in part.assembly
        if isinstance(item, RigidBody | FlexibleBody) and item.on_track is not None
    }
    if track is None:
        for name in list(found)[:1]:
            words = "the model has no track to start on; give h.Model(track=…), or a table [track] in its file"
            mistakes.add(_where(name).error(words, missing="track"))
        return
    starts = _Starts(track, found)
    for name, number in bodies.number.items():
        if name not in found:
            continue
        with mistakes.of(name):
            values: dict[str, Any] = {key: np.asarray(value) for key, value in starts.of(name).items()}
            bodies.flat[number] = replace(bodies.flat[number], **values)


@dataclass
class _Starts:
    track: Track
    given: dict[str, tuple[Part, OnTrack]]
    seats: dict[tuple[Any, ...], Seat] = field(default_factory=dict)

    def of(self, name: str) -> dict[str, Any]:
        """Return the start values of a body."""
        where = _where(name)
        part, given = self.given[name]
        distance, speed, lateral, spin = (
            part.scope.number(getattr(given, key), where.key(key)) for key in ("distance", "speed", "lateral", "spin")
        )
        first, last = self.track.layout.start, self.track.end
        if not first <= distance <= last:
            raise where.at("distance").error(
                f"found distance {distance:g} m, the track goes from {first:g} to {last:g} m"
            )
        roll = 0.0
        if given.wheels is not None:
            seat = self.seat(name, given.wheels)
            spin += speed / seat.rolling_radius
            roll = seat.roll
        height = self.height(name, ())
        return on_track(self.track, distance, lateral=lateral, height=height, speed=speed, rotation=spin, roll=roll)

    def height(self, name: str, way: tuple[str, ...]) -> float:
        """Return the height of a body's origin over the plane of the rails [m]; way: bodies that count from it."""
        part, given = self.given[name]
        where = _where(name)
        own = part.scope.number(given.height, where.key("height"))
        if given.wheels is not None:
            return own + self.seat(name, given.wheels).height
        if not given.above:
            return own
        other = part.path + given.above
        if other not in self.given:
            known = [one.removeprefix(part.path) for one in self.given if one.startswith(part.path)]
            words = f"found above '{given.above}', expected a body on the track{did_you_mean(given.above, known)}"
            raise where.at("above").error(words, missing=given.above)
        if other in way:
            raise where.at("above").error(f"'{given.above}' counts its height from this body; give one a height")
        return own + self.height(other, (*way, name))

    def seat(self, name: str, wheels: Wheels) -> Seat:
        """Return where the wheels of a body rest."""
        part, given = self.given[name]
        where = _where(name)
        distance, lateral = (part.scope.number(getattr(given, key), where.key(key)) for key in ("distance", "lateral"))
        gauge = float(self.track.frame(distance).gauge)
        key = wheels, part.path, lateral, gauge
        if key not in self.seats:
            at = where.at("wheels")
            self.seats[key] = wheels.seat(self.track, part.scope, at, lateral=lateral, gauge=gauge)
        return self.seats[key]


def _where(name: str) -> Where:
    return Where.of("body", name).at("on_track")
