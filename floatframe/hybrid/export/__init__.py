"""Equations of motion as code that stands alone, in C or in Python.

In: a compiled system. Out: a file of formulas with the numbers of the model folded in. The kernels are followed once
with an unknown state (`tracing`); what they do with it is a graph of operations (`graph`) that becomes lines of code.
Open `export` first, then `equations`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.hybrid.export.export import (
        Exported as Exported,
        export_code as export_code,
        random_states as random_states,
    )
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
