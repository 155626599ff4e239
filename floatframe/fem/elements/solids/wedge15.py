"""Quadratic wedge with 3 x 3 stiffness points."""

from __future__ import annotations

import numpy as np

from floatframe.fem.elements import _gauss
from floatframe.fem.elements.base import register
from floatframe.fem.elements.solids._solid import Solid, quadratic_faces, with_edge_middles
from floatframe.fem.elements.solids.wedge6 import Wedge6


class Wedge15(Solid):
    """Corners as wedge6, then the middles of three bottom, three top and three upright edges."""

    kind = "wedge15"
    nnode, corners = 15, 6
    vtk_type = 26
    edges = ((0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (0, 3), (1, 4), (2, 5))
    faces = quadratic_faces(Wedge6.faces, edges, corners)
    reference_nodes = with_edge_middles(Wedge6.reference_nodes, edges)
    # quadratics of the triangle times (1, ζ), linear ones times ζ²
    exponents = np.array([(a, b, c) for a, b, c in np.ndindex(3, 3, 3) if a + b <= 2 and a + b + (c == 2) <= 2])
    stress_exponents = Wedge6.exponents
    stiffness_rule = _gauss.prism(2, 3)
    mass_rule = _gauss.prism(5, 3)
    lump_by_rows = False


register(Wedge15())
