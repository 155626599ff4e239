"""Cards of a deck: keywords and data lines, nodes, elements, sets and instances.

In: the text of a deck. Out: its cards and its mesh, numbered over all instances.
Open `deck` first, then `mesh`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.io.abaqus.deck import cards as cards, elements as elements
    from floatframe.io.abaqus.deck.cards import (
        EFFECTLESS as EFFECTLESS,
        LOST as LOST,
        MATERIAL_CARDS as MATERIAL_CARDS,
        PHYSICS as PHYSICS,
        REFUSED as REFUSED,
    )
    from floatframe.io.abaqus.deck.deck import Card as Card, Source as Source, read_cards as read_cards
    from floatframe.io.abaqus.deck.dialects import dialect_of as dialect_of
    from floatframe.io.abaqus.deck.elements import why_refused as why_refused
    from floatframe.io.abaqus.deck.generate import Generator as Generator
    from floatframe.io.abaqus.deck.mesh import Mesh as Mesh
    from floatframe.io.abaqus.deck.places import Place as Place, axes_of as axes_of
    from floatframe.io.abaqus.deck.sets import Group as Group
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
