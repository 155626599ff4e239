"""Stresses: from displacements to section forces and stresses of elements and nodes.

In: a model and its displacements (nnode, 6). Out: `Stresses`.
Open `recovery` first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.fem.stress.points import Pull as Pull, StressRows as StressRows, stress_rows as stress_rows
    from floatframe.fem.stress.recovery import Stresses as Stresses, stresses as stresses
    from floatframe.fem.stress.tensors import (
        BOTTOM as BOTTOM,
        SOLID as SOLID,
        TOP as TOP,
        joined_shear as joined_shear,
        von_mises as von_mises,
    )
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
