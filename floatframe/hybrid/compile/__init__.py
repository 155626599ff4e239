"""From the flat model to the records of the kernels.

In: `FlatModel`. Out: the flat arrays of a system and `SystemIndex`, what is where in them; both frozen.
Open `system` first, then `build`, `arrays` and `index`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.hybrid.compile.arrays import NOTHING as NOTHING, extended as extended, with_damping as with_damping
    from floatframe.hybrid.compile.build import Additions as Additions, flexible_part as flexible_part
    from floatframe.hybrid.compile.flexible import matrices_start as matrices_start
    from floatframe.hybrid.compile.index import FoundRow as FoundRow, Skeleton as Skeleton, SystemIndex as SystemIndex
    from floatframe.hybrid.compile.joint_holds import held_directions as held_directions
    from floatframe.hybrid.compile.program import compile_program as compile_program, link as link
    from floatframe.hybrid.compile.programs import add_program as add_program, sensor_slot as sensor_slot
    from floatframe.hybrid.compile.spanning_tree import Branch as Branch
    from floatframe.hybrid.compile.start_poses import GROUND as GROUND, Pose as Pose
    from floatframe.hybrid.compile.system import (
        branches_of as branches_of,
        compiled as compiled,
        may_carry as may_carry,
        with_other_masses as with_other_masses,
    )
    from floatframe.hybrid.compile.tree_links import Carrier as Carrier
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
