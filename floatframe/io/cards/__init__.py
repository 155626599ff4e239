"""The table of cards: what becomes of every card, command and element of other programs.

In: the readers themselves. Out: one entry per card, for `floatframe cards` and the docs.
Open `table` first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.io.cards.table import (
        CARD_PROGRAMS as CARD_PROGRAMS,
        CardEntry as CardEntry,
        card_table as card_table,
    )
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
