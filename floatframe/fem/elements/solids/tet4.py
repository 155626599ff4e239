"""Linear tetrahedron: constant strain, stiff in bending; use tet10 for stresses."""

from __future__ import annotations

import numpy as np

from floatframe.fem.elements import _gauss
from floatframe.fem.elements.base import register
from floatframe.fem.elements.solids._solid import LINEAR, Solid


class Tet4(Solid):
    """Nodes 0, 1, 2 turn right-handed towards node 3."""

    kind = "tet4"
    nnode = corners = 4
    vtk_type = 10
    faces = ((0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3))
    reference_nodes = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    exponents = LINEAR
    stress_exponents = LINEAR[:1]
    stiffness_rule = _gauss.tetrahedron(1)
    mass_rule = _gauss.tetrahedron(2)


register(Tet4())
