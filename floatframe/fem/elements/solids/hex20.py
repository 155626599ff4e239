"""Quadratic (serendipity) hexahedron, with full (hex20) or reduced (hex20_reduced) integration.

hex20 integrates stiffness and mass fully: no pattern but rigid motion is free of energy, none is free of mass.
hex20_reduced takes 2 x 2 x 2 points for the stiffness and Irons' 14 points for the mass, as commercial programs do: it
bends best, but a free element has six patterns without energy beyond its rigid motions. Neighbours on two sides
suppress them; a single row of elements keeps some even when clamped, and some patterns have no mass.
"""

from __future__ import annotations

import numpy as np

from floatframe.fem.elements import _gauss
from floatframe.fem.elements.base import register
from floatframe.fem.elements.solids._solid import Solid, quadratic_faces, with_edge_middles
from floatframe.fem.elements.solids.hex8 import Hex8


class Hex20(Solid):
    """Corners as hex8, then the middles of four bottom, four top and four upright edges."""

    kind = "hex20"
    nnode, corners = 20, 8
    vtk_type = 25
    edges = (
        *((0, 1), (1, 2), (2, 3), (3, 0)),
        *((4, 5), (5, 6), (6, 7), (7, 4)),
        *((0, 4), (1, 5), (2, 6), (3, 7)),
    )
    faces = quadratic_faces(Hex8.faces, edges, corners)
    reference_nodes = with_edge_middles(Hex8.reference_nodes, edges)
    exponents = np.array([powers for powers in np.ndindex(3, 3, 3) if powers.count(2) <= 1])
    stress_exponents = Hex8.exponents
    stiffness_rule = _gauss.cube14()
    mass_rule = _gauss.cube(3)
    lump_by_rows = False


class Hex20Reduced(Hex20):
    """hex20 with 8 stiffness and 14 mass points."""

    kind = "hex20_reduced"
    stiffness_rule = _gauss.cube(2)
    mass_rule = _gauss.cube14()


register(Hex20())
register(Hex20Reduced())
