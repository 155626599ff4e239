"""Profiles of wheels and rails: cross-sections as smooth curves.

In: names of standard profiles, files, points. Out: `Profile`, checked and oriented: y outward from the middle of the
track, z down, in m. Open `profile` first, then `standard` and `files`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.railway.profiles.files import profile as profile, read_profile as read_profile
    from floatframe.railway.profiles.profile import RAIL as RAIL, WHEEL as WHEEL, Profile as Profile
    from floatframe.railway.profiles.standard import (
        circular_rail as circular_rail,
        conical_wheel as conical_wheel,
        standard_profile as standard_profile,
    )
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
