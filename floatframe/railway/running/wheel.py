"""A wheel on one rail of a track, ready for the kernel."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from floatframe.arrays import Array, short_repr
from floatframe.native import placed
from floatframe.railway.contact import ContactSettings, WheelOnRail
from floatframe.railway.profiles import Profile
from floatframe.railway.running.layout import SETUP, SETUP_KIND, Setup
from floatframe.railway.track import Track

SIDES = {"left": 1.0, "right": -1.0}


@short_repr
@dataclass(frozen=True, eq=False)
class RunningWheel:
    """A wheel that runs on the left or right rail of a track."""

    track: Track
    side: str  # "left" or "right"
    wheel: Profile
    radius: float  # of the rolling circle [m]
    settings: ContactSettings = field(default_factory=ContactSettings)
    damping: float = 0.0  # share that the normal force grows by per speed of penetration [s/m]
    support: tuple[float, float] = (0.0, 0.0)  # flexibility under the rail, lateral and vertical [m/N]

    @cached_property
    def setup(self) -> Setup:
        """Records and tables for the kernel."""
        track, rail = self.track, self.track.rail_profile
        contact, wheel, rail_table = WheelOnRail(self.wheel, rail, self.radius, settings=self.settings).tables
        made = np.zeros(1, SETUP).view(np.recarray)[0]
        made.side, made.gauge_point = SIDES[self.side], rail.gauge_point()
        made.top = float(rail_table[4::2].min())
        made.rail_distance, made.first, made.last = track.rail_distance, track.layout.start, track.end
        made.damping = self.damping
        made.across, made.down = self.support
        rails = _irregularities(track)
        made.rail_start, made.rail_step = rails[0]
        return Setup(made, contact, wheel, rail_table, track.layout.stations, rails[1])

    @cached_property
    def call(self) -> tuple[int, int]:
        """The address of the kernel and the place of what it needs, as `native.call_with` takes them."""
        from floatframe.railway.running.kernel import run_wheel

        return run_wheel.address, self._placed[0]

    @cached_property
    def _placed(self) -> tuple[int, Any]:
        return placed(SETUP_KIND, self.setup)

    @cached_property
    def digest(self) -> str:
        """A number for all that decides its forces."""
        digest = hashlib.sha256()
        for part in self.setup:
            digest.update(np.ascontiguousarray(part).tobytes())
        return digest.hexdigest()[:16]


def _irregularities(track: Track) -> tuple[tuple[float, float], Array]:
    """Start and step of the table of both rails [m], and the table (n, 8); two rows of zeros for a smooth track."""
    if not track.irregularities:
        return (track.layout.start, track.length), np.zeros((2, 8))
    return (track.rails.start, track.rails.step), track.rails.table
