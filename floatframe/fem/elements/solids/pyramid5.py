"""Linear pyramid with rational shape functions (Bedrosian 1992), to join hexahedra and tetrahedra."""

from __future__ import annotations

import numpy as np

from floatframe.arrays import Array
from floatframe.fem.elements import _gauss
from floatframe.fem.elements.base import register
from floatframe.fem.elements.solids._solid import LINEAR, Solid, monomial_gradients, monomials


class Pyramid5(Solid):
    """Nodes 0 to 3 turn right-handed round the base towards the apex 4."""

    kind = "pyramid5"
    nnode = corners = 5
    vtk_type = 14
    faces = ((0, 3, 2, 1), (0, 1, 4), (1, 2, 4), (2, 3, 4), (3, 0, 4))
    reference_nodes = np.array([[-1.0, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0], [0, 0, 1]])
    exponents = LINEAR
    stress_exponents = LINEAR
    stiffness_rule = _gauss.pyramid(2, 2)
    mass_rule = _gauss.pyramid(3, 2)

    def basis(self, points: Array) -> Array:
        """Functions 1, x, y, z and xy/(1 - z), the last being zero at the apex."""
        x, y, z = points.T
        height = np.where(z < 1.0, 1.0 - z, 1.0)
        return np.column_stack([monomials(LINEAR, points), x * y / height])

    def basis_gradients(self, points: Array) -> Array:
        """Derivatives of `basis`; those at the apex depend on the direction and are never needed."""
        x, y, z = points.T
        last = np.stack([y, x, x * y / (1.0 - z)], axis=1) / (1.0 - z)[:, None]
        return np.concatenate([monomial_gradients(LINEAR, points), last[:, None]], axis=1)

    @property
    def check_nodes(self) -> Array:
        """The base corners are enough: the Jacobian does not change along lines to the apex."""
        return self.reference_nodes[:4]


register(Pyramid5())
