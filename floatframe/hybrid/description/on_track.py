"""Where a body starts on the track of the model, and how fast; numbers may be expressions of parameters."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path

from floatframe.errors import Where
from floatframe.expressions import Scalar, Scope, kept
from floatframe.railway import Profile, Seat, Track, seat


@dataclass(frozen=True)
class Wheels:
    """Two wheels on which a body rests and rolls: its height and the speed of its turning follow from them."""

    radius: Scalar  # of the rolling circles [m]
    load: Scalar  # vertical, of each wheel with its own weight [N]
    profile: str | Path | Profile = "S1002"
    half_distance: Scalar = 0.75  # from the middle to a rolling circle [m]

    def seat(
        self, track: Track, scope: Scope, where: Where, *, lateral: float = 0.0, gauge: float | None = None
    ) -> Seat:
        """Return where they rest; lateral, gauge: as of `railway.seat`."""
        radius, half, load = (
            scope.number(getattr(self, name), where.key(name)) for name in ("radius", "half_distance", "load")
        )
        for name, value in (("radius", radius), ("half_distance", half), ("load", load)):
            if not value > 0.0:
                raise where.at(name).error(f"found {name} {value:g}, expected more than 0")
        profile = self.profile if isinstance(self.profile, Profile) else str(self.profile)
        return seat(track, profile, radius, half, load, lateral=lateral, gauge=gauge)


@dataclass(frozen=True)
class OnTrack:
    """A body that runs along the track: start values for its position, attitude and speeds.

    Its axes are those of the track there: x along it, y to the left, z up from the plane of the rails.
    """

    distance: Scalar  # along the track [m]
    speed: Scalar = 0.0  # of the middle of the track under it [m/s]
    lateral: Scalar = 0.0  # of its origin from the middle of the track, to the left [m]
    height: Scalar = 0.0  # over the plane of the rails [m], or over what it is `above` or rests on
    spin: Scalar = 0.0  # about its y axis, forward if positive [rad/s]
    above: str = ""  # another body on the track: heights count from the origin of that
    wheels: Wheels | None = None  # it rests on; heights count from their axle, and it turns with them

    def checked(self, where: Where) -> OnTrack:
        """Return it with its numbers checked."""
        values = {one.name: getattr(self, one.name) for one in fields(self)}
        for name in ("distance", "speed", "lateral", "height", "spin"):
            values[name] = kept(values[name], where.key(name), ())
        if not isinstance(self.wheels, Wheels | None):
            raise where.at("wheels").error(f"found wheels {self.wheels!r}, expected h.Wheels(radius, load)")
        if self.above and self.wheels is not None:
            raise where.at("above").error("found above and wheels, expected one that heights count from")
        return OnTrack(**values)
