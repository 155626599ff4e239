"""Compiled steps of small networks: elements of the library with inputs that are expressions.

In: the tables of a network, what lies behind, a block to keep steps in. Out: as many steps as fit into the block.
Open `layout` first, then `equations` (one evaluation), `step` (Newton's method) and `legs` (the loop).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.network.kernels.constants import (
        CALM as CALM,
        FALLS as FALLS,
        FIRST as FIRST,
        FIXED_NEWTON as FIXED_NEWTON,
        HALVES as HALVES,
        LAST_SHARE as LAST_SHARE,
        LEAP as LEAP,
        LEFT_BEHIND as LEFT_BEHIND,
        LOOKS as LOOKS,
        MOST_GROWTH as MOST_GROWTH,
        MOST_LEAPS as MOST_LEAPS,
        MOST_ROUNDING as MOST_ROUNDING,
        NEWTON_SHARE as NEWTON_SHARE,
        OFF_GRID as OFF_GRID,
        PATIENT as PATIENT,
        ROUNDING as ROUNDING,
        SAFETY as SAFETY,
        SETTLING_SHARE as SETTLING_SHARE,
        SHORTEST as SHORTEST,
        SILENT as SILENT,
        SLIVER as SLIVER,
    )
    from floatframe.network.kernels.layout import (
        ALPHA as ALPHA,
        BDF2 as BDF2,
        DRIVE as DRIVE,
        ELEMENT as ELEMENT,
        ENTRY as ENTRY,
        FULL as FULL,
        GO_ON as GO_ON,
        LAWS as LAWS,
        MOST_DOFS as MOST_DOFS,
        MOST_UNKNOWNS as MOST_UNKNOWNS,
        NUMBERS as NUMBERS,
        SETTLING as SETTLING,
        SHARE as SHARE,
        SLOPE as SLOPE,
        STEP as STEP,
        STORMER as STORMER,
        STUCK as STUCK,
        Behind as Behind,
        Block as Block,
        Tables as Tables,
        new_block as new_block,
        new_work as new_work,
    )
    from floatframe.network.kernels.legs import run as run
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
