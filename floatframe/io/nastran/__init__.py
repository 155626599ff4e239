"""Nastran: decks (.bdf, .dat, .nas), matrices on DMIG cards, .op2 and .op4 files.

In: files of Nastran. Out: `FEModel`s and matrix models; and decks written from models.
Open `reader` first: `cards`, then `properties`, then elements and constraints; `matrices` stands beside.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.io.nastran import reader as reader
    from floatframe.io.nastran.cards import BulkCard as BulkCard, account as account
    from floatframe.io.nastran.formats import FORMATS as FORMATS
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
