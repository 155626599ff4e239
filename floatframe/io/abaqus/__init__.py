"""Input decks of Abaqus and CalculiX (.inp).

In: a deck. Out: an `FEModel` and the account of what was read; and decks written from models.
Open `reader` first: cards (`deck`), then `properties` and `constraints`, then `blocks` and `model`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.io.abaqus import reader as reader
    from floatframe.io.abaqus.deck import cards as cards, elements as elements
    from floatframe.io.abaqus.formats import FORMATS as FORMATS
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
