"""Surfaces of solids in files of CAD and graphics programs: STL, OBJ, PLY, glTF, STEP.

In: paths. Out: `Surface`s of triangles in metres, with volume, centre and inertia by exact integrals.
Open `surface` first, then `reader`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.io.shapes.reader import (
        LENGTHS as LENGTHS,
        SHAPE_SUFFIXES as SHAPE_SUFFIXES,
        read_shape as read_shape,
    )
    from floatframe.io.shapes.surface import MassProperties as MassProperties, Surface as Surface
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
