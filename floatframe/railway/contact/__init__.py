"""Contact of wheel and rail: patches, normal and creep forces.

In: two profiles, a place and speed of the wheel. Out: contact patches with their forces; tables and kernels for the
steps of a simulation. Open `pair` first, then `kernels`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.railway.contact.hertz import HertzContact as HertzContact, hertz_contact as hertz_contact
    from floatframe.railway.contact.kalker import (
        Kalker as Kalker,
        kalker_coefficients as kalker_coefficients,
        kalker_table as kalker_table,
    )
    from floatframe.railway.contact.kernels import (
        CONTACT as CONTACT,
        KERNEL_FOLDER as KERNEL_FOLDER,
        MOST_PATCHES as MOST_PATCHES,
        MOTION as MOTION,
        PATCH as PATCH,
        WORK as WORK,
        clearance as clearance,
        contacts as contacts,
        linear_creep as linear_creep,
        polach_creep as polach_creep,
        saturated_creep as saturated_creep,
        touch as touch,
    )
    from floatframe.railway.contact.pair import (
        FLANGE_BACK as FLANGE_BACK,
        ContactSettings as ContactSettings,
        Patch as Patch,
        Pose as Pose,
        Touch as Touch,
        WheelOnRail as WheelOnRail,
    )
    from floatframe.railway.contact.wheelset import (
        Loaded as Loaded,
        Resting as Resting,
        rest as rest,
        under_load as under_load,
    )
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
