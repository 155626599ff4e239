"""Kernels of wheel and rail: search, patches and creep forces of one wheel, for the steps of a simulation.

In: records of a contact and of a wheel's motion, tables of the profiles. Out: patches with their forces. Other rooms of
kernels call `touch`, and name `KERNEL_FOLDER` so that they are compiled again when this one changes.
Open `wheel` first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.railway.contact.kernels.creep import (
        linear_creep as linear_creep,
        polach_creep as polach_creep,
        saturated_creep as saturated_creep,
    )
    from floatframe.railway.contact.kernels.curves import outline as outline, seen as seen
    from floatframe.railway.contact.kernels.elliptic import complete_integrals as complete_integrals
    from floatframe.railway.contact.kernels.layout import (
        CONTACT as CONTACT,
        ELLIPSE_ROWS as ELLIPSE_ROWS,
        FASTSIM as FASTSIM,
        HERTZ as HERTZ,
        LINEAR as LINEAR,
        MOST_PATCHES as MOST_PATCHES,
        MOST_STRIPS as MOST_STRIPS,
        MOTION as MOTION,
        PATCH as PATCH,
        POLACH as POLACH,
        SATURATED as SATURATED,
        SHARPEST as SHARPEST,
        SOLVED as SOLVED,
        STRIPS as STRIPS,
        WORK as WORK,
    )
    from floatframe.railway.contact.kernels.options import KERNEL_FOLDER as KERNEL_FOLDER
    from floatframe.railway.contact.kernels.wheel import (
        clearance as clearance,
        contacts as contacts,
        touch as touch,
    )
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
