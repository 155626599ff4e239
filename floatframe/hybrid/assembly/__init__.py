"""The compiled system and its consistent states: joints closed, redundant rows found.

In: flat arrays. Out: `CompiledSystem`, `State`, the workspace of its kernels, reasons of failures.
Open `compiled_system` first, then `consistent`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.hybrid.assembly.compiled_system import CompiledSystem as CompiledSystem
    from floatframe.hybrid.assembly.consistent import (
        close_joints as close_joints,
        initial_state as initial_state,
        mechanism_size as mechanism_size,
        workspace as workspace,
    )
    from floatframe.hybrid.assembly.coordinate_names import coordinate_names as coordinate_names
    from floatframe.hybrid.assembly.extents import extents as extents, spread as spread
    from floatframe.hybrid.assembly.failures import (
        failure_status as failure_status,
        require_start as require_start,
        singular_start as singular_start,
    )
    from floatframe.hybrid.assembly.redundancy import (
        ambiguous_joints as ambiguous_joints,
        kept_rows as kept_rows,
        rows_anew as rows_anew,
        with_rows as with_rows,
    )
    from floatframe.hybrid.assembly.start_checks import check_start as check_start
    from floatframe.hybrid.assembly.state import Evaluation as Evaluation, State as State
    from floatframe.hybrid.assembly.switching import independent_tables as independent_tables, switched as switched
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
