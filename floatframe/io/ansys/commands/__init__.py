"""Commands of ANSYS carried out: a `Deck` of nodes, elements, properties and conditions.

In: commands in their order. Out: a `Deck`.
Open `reader` first, then `deck`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.io.ansys.commands import reader as reader
    from floatframe.io.ansys.commands.deck import Deck as Deck, SectionData as SectionData, TypeData as TypeData
    from floatframe.io.ansys.commands.frames import system_of as system_of
    from floatframe.io.ansys.commands.materials import Property as Property
    from floatframe.io.ansys.commands.reader import read_deck as read_deck
    from floatframe.io.ansys.commands.tables import symmetric as symmetric
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
