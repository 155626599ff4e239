"""Contributions: who moves, and how much, in a measured quantity of a run.

In: a run and one of its channels. Out: the part of every mode, of a flexible body or of the assembled system.
Open `channel` first; `modes` has the sums, `projection` the coordinates of the modes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.hybrid.contributions.channel import Contributions as Contributions, contributions as contributions
    from floatframe.hybrid.contributions.modes import (
        ModeContributions as ModeContributions,
        mode_contributions as mode_contributions,
        parts_of as parts_of,
    )
    from floatframe.hybrid.contributions.projection import system_modes as system_modes
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
