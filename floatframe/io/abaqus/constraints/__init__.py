"""Supports, equations, couplings and ties of a deck.

In: cards and the mesh. Out: linear constraints and couplings.
Open `collect` first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.io.abaqus.constraints.collect import Constraints as Constraints
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
