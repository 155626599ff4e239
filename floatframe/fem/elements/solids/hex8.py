"""Linear hexahedron with incompatible modes: no shear locking in bending, no volume locking."""

from __future__ import annotations

import numpy as np

from floatframe.arrays import Array
from floatframe.fem.elements import _gauss
from floatframe.fem.elements.base import register
from floatframe.fem.elements.solids._incompatible import IncompatibleSolid


class Hex8(IncompatibleSolid):
    """Nodes 0 to 3 turn right-handed round the bottom, 4 to 7 stand above them."""

    kind = "hex8"
    nnode = corners = 8
    vtk_type = 12
    faces = ((0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7))
    reference_nodes = np.array(
        [[-1.0, -1, -1], [1, -1, -1], [1, 1, -1], [-1, 1, -1], [-1, -1, 1], [1, -1, 1], [1, 1, 1], [-1, 1, 1]]
    )
    exponents = np.array(list(np.ndindex(2, 2, 2)))
    stress_exponents = exponents
    stiffness_rule = _gauss.cube(2)
    mass_rule = _gauss.cube(3)
    centre = np.zeros((1, 3))

    def mode_gradients(self, points: Array) -> Array:
        """Modes 1 - ξ², 1 - η², 1 - ζ²."""
        return -2.0 * points[:, :, None] * np.eye(3)

    def volume_modes(self, points: Array) -> Array:
        """Modes ξη, ηζ, ζξ: the bilinear volume strains of trilinear displacements."""
        return points * np.roll(points, -1, axis=1)


register(Hex8())
