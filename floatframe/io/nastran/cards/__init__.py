"""Cards of a Nastran deck: fields of all formats, case control, grids and coordinate systems.

In: the text of a deck. Out: cards with their fields by number.
Open `text` first, then `cards`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.io.nastran.cards.cards import (
        BulkCard as BulkCard,
        NastranDeck as NastranDeck,
        plain_name as plain_name,
    )
    from floatframe.io.nastran.cards.systems import Grids as Grids
    from floatframe.io.nastran.cards.text import read_bulk as read_bulk
    from floatframe.io.nastran.cards.vocabulary import account as account
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
