"""Solid elements: tetrahedra, wedges, pyramids and hexahedra, linear and quadratic.

In: batches of elements with their material. Out: element matrices, registered by kind.
Open `hex8` first, then what all share: `_solid`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.fem.elements.solids._solid import Solid as Solid, with_first_moments as with_first_moments
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
