"""The element library: importing it registers every kind.

In: batches of elements of one kind with nodes, materials and sections. Out: their matrices, loads and stresses.
Open `base` first: what every kind offers; `lines`, `shells` and `solids` hold one module per kind.
"""

from __future__ import annotations

import importlib
import pkgutil

from floatframe.fem.elements._arms import arm_stiffness
from floatframe.fem.elements._rigid_masses import without_rotary_inertia
from floatframe.fem.elements.base import Batch, Element, SecondOrder, element_kind, element_kinds, register
from floatframe.fem.elements.shells import ROTARY, QuadraticShell, direction_of, nodal_thickness
from floatframe.fem.elements.solids import Solid

__all__ = [
    "ROTARY",
    "Batch",
    "Element",
    "QuadraticShell",
    "SecondOrder",
    "Solid",
    "arm_stiffness",
    "direction_of",
    "element_kind",
    "element_kinds",
    "nodal_thickness",
    "register",
    "without_rotary_inertia",
]

# a new element is one new module in a folder here; modules with a leading underscore are shared helpers
for _module in pkgutil.walk_packages(__path__, f"{__name__}."):
    if not _module.name.rpartition(".")[2].startswith("_"):
        importlib.import_module(_module.name)
