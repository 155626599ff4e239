"""Shell elements: flat with three and four nodes, curved with six and eight.

In: batches of elements with their walls. Out: element matrices, registered by kind.
Open `shell4` first, then what it is made of: `_wall`, `_quad`, `_quad_membrane`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.fem.elements.shells._flat import ROTARY as ROTARY
    from floatframe.fem.elements.shells._quadratic import QuadraticShell as QuadraticShell
    from floatframe.fem.elements.shells._wall import direction_of as direction_of, nodal_thickness as nodal_thickness
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
