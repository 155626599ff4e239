"""Quadratic (serendipity) hexahedron, with reduced (hex20) or full (hex20_full) integration of the stiffness.

The reduced rule of 2 x 2 x 2 points is the customary one: it bends best and is cheapest. A free element then has six
patterns without energy beyond its rigid motions. Neighbours on two sides suppress them, so plates of one layer are
sound, but a single row of elements keeps some even when clamped: use hex20_full there. The mass uses Irons' 14 points
in both, which leaves some patterns without mass.
"""

from __future__ import annotations

import numpy as np

from floatframe.fem.elements import _gauss
from floatframe.fem.elements._solid import Solid, quadratic_faces, with_edge_middles
from floatframe.fem.elements.base import register
from floatframe.fem.elements.hex8 import Hex8


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
    stiffness_rule = _gauss.cube(2)
    mass_rule = _gauss.cube14()
    lump_by_rows = False


class Hex20Full(Hex20):
    """hex20 with 14 stiffness points."""

    kind = "hex20_full"
    stiffness_rule = _gauss.cube14()


register(Hex20())
register(Hex20Full())
