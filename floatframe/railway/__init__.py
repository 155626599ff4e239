"""Railway: wheels and rails, where they touch and which forces they exchange.

In: profiles of wheels and rails. Out: the same as smooth curves. Lengths are in m; x points forward, y outward from the
middle of the track, z down, so that a left wheel is the mirror image of a right one. Open `profiles` first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.railway.profiles import (
        Profile as Profile,
        circular_rail as circular_rail,
        conical_wheel as conical_wheel,
        profile as profile,
        read_profile as read_profile,
    )
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
