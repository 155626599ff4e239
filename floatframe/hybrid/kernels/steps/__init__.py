"""Steps in time inside the kernels: implicit and explicit methods, events, contacts, records.

In: a state in the workspace. Out: the next states, and why a run stopped.
Open `implicit` first, then `newton`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.hybrid.kernels.steps.collocated import run_radau as run_radau
    from floatframe.hybrid.kernels.steps.explicit import accelerate as accelerate, run_explicit as run_explicit
    from floatframe.hybrid.kernels.steps.implicit import run as run
    from floatframe.hybrid.kernels.steps.index1 import coordinate_derivatives as coordinate_derivatives
    from floatframe.hybrid.kernels.steps.invariants import measure_invariants as measure_invariants
    from floatframe.hybrid.kernels.steps.records import (
        largest_of as largest_of,
        settle as settle,
        settle_record as settle_record,
        try_record as try_record,
    )
    from floatframe.hybrid.kernels.steps.runge_kutta import NEXT as NEXT
    from floatframe.hybrid.kernels.steps.tableaus import stability_polynomial as stability_polynomial
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
