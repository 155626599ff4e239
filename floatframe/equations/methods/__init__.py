"""The methods that find accelerations of open trees, carried out with numbers that count.

In: a system and a state. Out: accelerations, operations, fill-in, iterations. Open `solvers` first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.equations.methods.choices import (
        BY_OPERATIONS as BY_OPERATIONS,
        best_by_operations as best_by_operations,
        best_by_time as best_by_time,
    )
    from floatframe.equations.methods.comparison import (
        SolverCost as SolverCost,
        calibrated as calibrated,
        compare_solvers as compare_solvers,
    )
    from floatframe.equations.methods.count import (
        Count as Count,
        count_flops as count_flops,
        count_with_loops as count_with_loops,
    )
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
