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
        REGULAR as REGULAR,
        factor_constrained as factor_constrained,
        lightness_of as lightness_of,
        solve_step as solve_step,
    )
    from floatframe.hybrid.kernels.linear.complex_dense import (
        complex_factor as complex_factor,
        complex_solve as complex_solve,
    )
    from floatframe.hybrid.kernels.linear.dense import lu_factor as lu_factor, lu_solve as lu_solve
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
