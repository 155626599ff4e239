"""A wheel that runs on a track: place along it, rails with their irregularities, contact, forces in world axes.

In: a track, a wheel with its profile. Out: `RunningWheel`, whose kernel the steps of a simulation call by its address.
Open `wheel` first, then `kernel`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.railway.running.layout import (
        BELOW_THE_RAIL as BELOW_THE_RAIL,
        FIELDS as FIELDS,
        OFF_THE_RAIL as OFF_THE_RAIL,
        OFF_THE_TRACK as OFF_THE_TRACK,
        REPORTS as REPORTS,
        RUNNING_FOLDER as RUNNING_FOLDER,
        VISIT_SIZE as VISIT_SIZE,
        Report as Report,
    )
    from floatframe.railway.running.seat import Seat as Seat, on_track as on_track, seat as seat
    from floatframe.railway.running.wheel import RunningWheel as RunningWheel
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
