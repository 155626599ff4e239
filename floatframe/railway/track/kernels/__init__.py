"""The track for compiled loops: flat tables, and functions that kernels call with them.

In: an array of `STATION` records, a table of the rails, a distance along the track. Out: a `FRAME` record, places of
the rails. Open `layout` first, then `placing`. Rooms whose kernels call these functions name `TRACK_FOLDER` among
their own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.railway.track.kernels.layout import (
        FRAME as FRAME,
        STATION as STATION,
        TRACK_FOLDER as TRACK_FOLDER,
    )
    from floatframe.railway.track.kernels.placing import frame_at as frame_at, rails_at as rails_at
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
