"""Linear wedge (triangular prism) with incompatible modes, a filler between hexahedra.

The modes give it the bending of a plate element with linear rotations out of the triangle's plane: far better than
none, yet stiff where its triangle is much wider than it is high. In the plane of the triangle it is the constant
strain triangle, which no internal mode can improve. Use wedge15 where wedges carry the bending.
"""

from __future__ import annotations

import numpy as np

from floatframe.arrays import Array
from floatframe.fem.elements import _gauss
from floatframe.fem.elements.base import register
from floatframe.fem.elements.solids._incompatible import IncompatibleSolid


class Wedge6(IncompatibleSolid):
    """Nodes 0, 1, 2 turn right-handed towards 3, 4, 5, which stand above them."""

    kind = "wedge6"
    nnode = corners = 6
    vtk_type = 13
    faces = ((0, 2, 1), (3, 4, 5), (0, 1, 4, 3), (1, 2, 5, 4), (2, 0, 3, 5))
    reference_nodes = np.array([[0.0, 0, -1], [1, 0, -1], [0, 1, -1], [0, 0, 1], [1, 0, 1], [0, 1, 1]])
    exponents = np.array([(a, b, c) for a, b, c in np.ndindex(2, 2, 2) if a + b <= 1])
    stress_exponents = exponents
    stiffness_rule = _gauss.prism(2, 2)
    mass_rule = _gauss.prism(5, 3)
    centre = np.array([[1.0, 1.0, 0.0]]) / np.array([3.0, 3.0, 1.0])

    def mode_gradients(self, points: Array) -> Array:
        """Modes 1 - ζ² and the three quadratics of the triangle."""
        r, s, zeta = points[:, 0] - 1.0 / 3.0, points[:, 1] - 1.0 / 3.0, points[:, 2]
        gradients = np.zeros((len(points), 4, 3))
        gradients[:, 0, 2] = -2.0 * zeta
        gradients[:, 1, 0] = r
        gradients[:, 2, 1] = s
        gradients[:, 3, 0], gradients[:, 3, 1] = s, r
        return gradients


register(Wedge6())
