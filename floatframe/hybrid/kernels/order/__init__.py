"""In which order the equations of a system are solved: plain NumPy, found once before a run.

In: the tables of a system. Out: the lists that `linear` works through.
Open `elimination` first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.hybrid.kernels.order.choice import (
        dense_flops as dense_flops,
        is_open_tree as is_open_tree,
        order_of as order_of,
        tree_like_flops as tree_like_flops,
    )
    from floatframe.hybrid.kernels.order.cost import (
        ITERATIONS as ITERATIONS,
        Structure as Structure,
        tree_flops as tree_flops,
    )
    from floatframe.hybrid.kernels.order.elimination import (
        FRONT as FRONT,
        OPEN as OPEN,
        ROW_STEP as ROW_STEP,
        Elimination as Elimination,
        elimination as elimination,
        no_elimination as no_elimination,
    )
    from floatframe.hybrid.kernels.order.jointed import (
        JOINTED as JOINTED,
        Jointed as Jointed,
        first_thin as first_thin,
        jointed as jointed,
    )
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
