"""Railway vehicles: parts made of bodies, joints and forces, and the frame that runs along the track with them.

In: a model with a track, data of wheelsets and bogies. Out: bodies with their joints and forces in the model.
Open `parts` first, then `moving_frame`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.hybrid.vehicles.moving_frame import add_track_frame as add_track_frame, carried as carried
    from floatframe.hybrid.vehicles.parts import (
        Bogie as Bogie,
        BogieParts as BogieParts,
        Run as Run,
        Springs as Springs,
        Wheelset as Wheelset,
        WheelsetParts as WheelsetParts,
        add_bogie as add_bogie,
        add_wheelset as add_wheelset,
    )
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
