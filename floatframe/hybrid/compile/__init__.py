"""From the flat model to the records of the kernels.

In: `FlatModel`. Out: the flat arrays of a system and the index of its names.
Open `system` first, then `build`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.hybrid.compile.build import Build as Build, flexible_part as flexible_part
    from floatframe.hybrid.compile.flexible import matrices_start as matrices_start
    from floatframe.hybrid.compile.joint_holds import held_directions as held_directions
    from floatframe.hybrid.compile.programs import add_program as add_program
    from floatframe.hybrid.compile.start_poses import GROUND as GROUND, Pose as Pose
    from floatframe.hybrid.compile.system import build as build, tables_of as tables_of
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
