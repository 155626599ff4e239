"""Quadratic tetrahedron with 4 stiffness points."""

from __future__ import annotations

import numpy as np

from floatframe.fem.elements import _gauss
from floatframe.fem.elements.base import register
from floatframe.fem.elements.solids._solid import LINEAR, Solid, quadratic_faces, with_edge_middles
from floatframe.fem.elements.solids.tet4 import Tet4


class Tet10(Solid):
    """Corners as tet4, then the middles of edges 01, 12, 20, 03, 13, 23."""

    kind = "tet10"
    nnode, corners = 10, 4
    vtk_type = 24
    edges = ((0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3))
    faces = quadratic_faces(Tet4.faces, edges, corners)
    reference_nodes = with_edge_middles(Tet4.reference_nodes, edges)
    exponents = np.array([(a, b, c) for a, b, c in np.ndindex(3, 3, 3) if a + b + c <= 2])
    stress_exponents = LINEAR
    stiffness_rule = _gauss.tetrahedron(2)
    mass_rule = _gauss.tetrahedron(5)
    lump_by_rows = False


register(Tet10())
