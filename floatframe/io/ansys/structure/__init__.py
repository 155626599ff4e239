"""From the tables of an ANSYS deck to blocks, couplings and supports of a finite element model.

In: a `Deck`. Out: what `model` puts together.
Open `builder` first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.io.ansys.structure import (
        couplings as couplings,
        lines as lines,
        pipes as pipes,
        solids as solids,
        springs as springs,
        surfaces as surfaces,
        user_matrices as user_matrices,
    )
    from floatframe.io.ansys.structure.builder import Builder as Builder, Group as Group
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
