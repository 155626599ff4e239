"""Quadratic pyramid with rational shape functions (Bedrosian 1992), to join quadratic hexahedra and tetrahedra."""

from __future__ import annotations

import numpy as np

from floatframe.arrays import Array
from floatframe.fem.elements import _gauss
from floatframe.fem.elements.base import register
from floatframe.fem.elements.solids._solid import (
    LINEAR,
    Solid,
    monomial_gradients,
    monomials,
    quadratic_faces,
    with_edge_middles,
)
from floatframe.fem.elements.solids.pyramid5 import Pyramid5

# numerators of the three functions divided by 1 - z
_RATIONAL = np.array([[1, 1, 1], [2, 1, 0], [1, 2, 0]])


class Pyramid13(Solid):
    """Corners as pyramid5, then the middles of four base and four upright edges."""

    kind = "pyramid13"
    nnode, corners = 13, 5
    vtk_type = 27
    edges = ((0, 1), (1, 2), (2, 3), (3, 0), (0, 4), (1, 4), (2, 4), (3, 4))
    faces = quadratic_faces(Pyramid5.faces, edges, corners)
    reference_nodes = with_edge_middles(Pyramid5.reference_nodes, edges)
    exponents = np.array([(a, b, c) for a, b, c in np.ndindex(3, 3, 3) if a + b + c <= 2])
    stress_exponents = LINEAR
    stiffness_rule = _gauss.pyramid(3, 3)
    mass_rule = _gauss.pyramid(3, 3)
    lump_by_rows = False

    def basis(self, points: Array) -> Array:
        """All quadratics, and xyz, x²y, xy² over 1 - z, which vanish at the apex."""
        height = np.where(points[:, 2] < 1.0, 1.0 - points[:, 2], 1.0)
        rational = np.where(points[:, 2:] < 1.0, monomials(_RATIONAL, points) / height[:, None], 0.0)
        return np.hstack([monomials(self.exponents, points), rational])

    def basis_gradients(self, points: Array) -> Array:
        """Derivatives of `basis`; those at the apex depend on the direction and are never needed."""
        height = (1.0 - points[:, 2])[:, None]
        last = monomial_gradients(_RATIONAL, points) / height[:, :, None]
        last[:, :, 2] += monomials(_RATIONAL, points) / height**2
        return np.concatenate([monomial_gradients(self.exponents, points), last], axis=1)

    @property
    def check_nodes(self) -> Array:
        """The base corners: at the apex the Jacobian depends on the direction."""
        return self.reference_nodes[:4]


register(Pyramid13())
