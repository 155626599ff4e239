"""Materials, sections and orientations of a deck.

In: cards. Out: materials, walls and profiles in the terms of `fem`.
Open `sections` first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.io.abaqus.properties.laws import to_constants as to_constants
    from floatframe.io.abaqus.properties.materials import MaterialCards as MaterialCards, Materials as Materials
    from floatframe.io.abaqus.properties.orientations import Orientations as Orientations
    from floatframe.io.abaqus.properties.sections import (
        Profile as Profile,
        SectionCard as SectionCard,
        beam_profile as beam_profile,
        general_section_material as general_section_material,
        truss_section as truss_section,
    )
    from floatframe.io.abaqus.properties.stacks import (
        stacked_material as stacked_material,
        stacking_axes as stacking_axes,
    )
    from floatframe.io.abaqus.properties.walls import Walls as Walls
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
