"""Linear systems inside the kernels: dense, bordered by constraints, and trees with loops and flexible bodies.

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
        by_links as by_links,
        factor_along_tree as factor_along_tree,
        factor_constrained as factor_constrained,
        factor_dense as factor_dense,
        factor_matrix as factor_matrix,
        is_open as is_open,
        lightness_of as lightness_of,
        matrices as matrices,
        row_times as row_times,
        row_times_sizes as row_times_sizes,
        solve_step as solve_step,
    )
    from floatframe.hybrid.kernels.linear.complex_dense import (
        complex_factor as complex_factor,
        complex_solve as complex_solve,
    )
    from floatframe.hybrid.kernels.linear.dense import lu_factor as lu_factor, lu_solve as lu_solve
    from floatframe.hybrid.kernels.linear.fronts import (
        REGULAR as REGULAR,
        factor_tree as factor_tree,
        solve_tree as solve_tree,
    )
    from floatframe.hybrid.kernels.linear.iterative import RENEWED as RENEWED, SOLUTIONS as SOLUTIONS, TURNS as TURNS
    from floatframe.hybrid.kernels.linear.open_tree import accelerate_open as accelerate_open
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
