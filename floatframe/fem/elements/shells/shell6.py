"""Curved shell triangle with mid-side nodes and six dofs per node.

Shears and bubble are those of the plate MITC7 (Bathe, Brezzi and Fortin 1989). Stretches are linear as in MITC6 (Lee
and Bathe 2004), which ties them on the sides and at one point inside for each direction; their mean over the element
instead of that point keeps twisted thin walls from locking.
"""

from __future__ import annotations

import numpy as np

from floatframe.arrays import Array
from floatframe.fem.elements import _gauss
from floatframe.fem.elements.base import register
from floatframe.fem.elements.shells._assumed_strain import monomial_basis, tie_at_sides
from floatframe.fem.elements.shells._quadratic import QuadraticShell

CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
NEAR, FAR = 0.5 - np.sqrt(1.0 / 12.0), 0.5 + np.sqrt(1.0 / 12.0)  # Gauss points of a side
LINEAR = [(0, 0), (1, 0), (0, 1)]
# along r, along s, and along the third side: from the components rr, ss, 2 rs and rt, st
SIDES = np.array([[[NEAR, 0.0], [FAR, 0.0]], [[0.0, NEAR], [0.0, FAR]], [[NEAR, FAR], [FAR, NEAR]]])
STRETCH = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, -1.0]])
SHEAR = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 1.0]])


_stretches = monomial_basis([LINEAR, LINEAR, LINEAR])


def _shears(points: Array) -> Array:
    """Linear shears, and quadratic ones that have no part along the sides they leave (rotated Raviart-Thomas)."""
    r, s = points.T
    linear = monomial_basis([LINEAR, LINEAR])(points)
    turned = [np.stack([s * f, -r * f], axis=1) for f in (r, s)]
    return np.concatenate([linear, np.stack(turned, axis=1)], axis=1)


class Shell6(QuadraticShell):
    """Triangle: corners, then the middles of sides 12, 23, 31."""

    kind = "shell6"
    nnode, corners = 6, 3
    edges = ((0, 1), (1, 2), (2, 0))
    faces = ((0, 3, 1, 4, 2, 5),)
    drawn = ((0, 3, 5), (3, 1, 4), (4, 2, 5), (3, 4, 5))
    vtk_type = 22
    reference_nodes = np.vstack([CORNERS, 0.5 * (CORNERS + np.roll(CORNERS, -1, axis=0))])
    centre = np.full(2, 1.0 / 3.0)
    rule = _gauss.triangle(5)
    stress_rule = _gauss.triangle(2)
    membrane = tie_at_sides(list(zip(SIDES, STRETCH, strict=True)), list(STRETCH), stress_rule, _stretches)
    shear = tie_at_sides(list(zip(SIDES, SHEAR, strict=True)), list(np.eye(2)), rule, _shears)
    moving_bubble = False

    def shape(self, points: Array) -> Array:
        r, s = points.T
        q = 1 - r - s
        corner = [x * (2 * x - 1) for x in (q, r, s)]
        return np.stack([*corner, 4 * q * r, 4 * r * s, 4 * s * q, 27 * r * s * q], axis=1)

    def slopes(self, points: Array) -> Array:
        r, s = points.T
        q = 1 - r - s
        zero = np.zeros_like(r)
        along_r = [1 - 4 * q, 4 * r - 1, zero, 4 * (q - r), 4 * s, -4 * s, 27 * s * (q - r)]
        along_s = [1 - 4 * q, zero, 4 * s - 1, -4 * r, 4 * r, 4 * (q - s), 27 * r * (q - s)]
        return np.stack([np.stack(along_r, axis=1), np.stack(along_s, axis=1)])

    def to_nodes(self) -> Array:
        terms = monomial_basis([LINEAR])
        return terms(self.reference_nodes)[..., 0] @ np.linalg.inv(terms(self.stress_rule.points)[..., 0])


register(Shell6())
