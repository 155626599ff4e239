"""Materials and properties of a Nastran deck.

In: cards. Out: materials, walls and profiles in the terms of `fem`.
Open `table` first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.io.nastran.properties.materials import READERS as READERS
    from floatframe.io.nastran.properties.sections import beam_property as beam_property, sheared as sheared
    from floatframe.io.nastran.properties.table import Properties as Properties, Solid as Solid, made as made
    from floatframe.io.nastran.properties.walls import (
        Wall as Wall,
        loaded as loaded,
        offset_by as offset_by,
        offset_of as offset_of,
        wall as wall,
    )
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
