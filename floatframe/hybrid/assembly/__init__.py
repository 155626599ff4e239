"""The compiled system and its consistent states: joints closed, redundant rows found.

In: a flat model. Out: `CompiledSystem`, `State`, the workspace of its kernels, reasons of failures.
Open `assemble` first, then `compiled_system` and `consistent`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.hybrid.assembly.assemble import assemble as assemble
    from floatframe.hybrid.assembly.compiled_system import (
        CompiledSystem as CompiledSystem,
        accelerations_in as accelerations_in,
        solve_constrained as solve_constrained,
    )
    from floatframe.hybrid.assembly.consistent import (
        close_joints as close_joints,
        mechanism_size as mechanism_size,
        workspace as workspace,
    )
    from floatframe.hybrid.assembly.coordinate_names import coordinate_names as coordinate_names
    from floatframe.hybrid.assembly.extents import (
        coordinate_extents as coordinate_extents,
        extents as extents,
        spread as spread,
    )
    from floatframe.hybrid.assembly.failures import (
        Begun as Begun,
        failure_status as failure_status,
        require_start as require_start,
        singular_start as singular_start,
    )
    from floatframe.hybrid.assembly.fingerprint import fingerprint as fingerprint
    from floatframe.hybrid.assembly.flexible_bodies import flexible_body as flexible_body
    from floatframe.hybrid.assembly.holding import (
        HeldModes as HeldModes,
        held_modes as held_modes,
        highest_frequency as highest_frequency,
    )
    from floatframe.hybrid.assembly.redundancy import (
        ambiguous_joints as ambiguous_joints,
        rows_for_pose as rows_for_pose,
        with_rows as with_rows,
    )
    from floatframe.hybrid.assembly.stage_trees import own_tree as own_tree
    from floatframe.hybrid.assembly.state import Evaluation as Evaluation, State as State, new_data as new_data
    from floatframe.hybrid.assembly.structure import Blank as Blank, same_structure as same_structure
    from floatframe.hybrid.assembly.switching import switched as switched
    from floatframe.hybrid.assembly.translation import Translation as Translation
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
