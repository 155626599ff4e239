"""Small linear systems inside the kernels: dense, bordered by constraints, and trees.

In: matrices of one evaluation. Out: accelerations and multipliers.
Open `bordered` first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.hybrid.kernels.linear.articulated import (
        articulated_factor as articulated_factor,
        articulated_solve as articulated_solve,
    )
    from floatframe.hybrid.kernels.linear.bordered import (
        factor_constrained as factor_constrained,
        solve_step as solve_step,
    )
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
