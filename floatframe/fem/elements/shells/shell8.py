"""Curved shell quadrilateral with mid-side nodes and six dofs per node.

Assumed strains are those of MITC9 (Bucalem and Bathe 1993); the ninth node is a bubble of the element's own.
"""

from __future__ import annotations

import numpy as np

from floatframe.arrays import Array
from floatframe.fem.elements import _gauss
from floatframe.fem.elements.base import register
from floatframe.fem.elements.shells._assumed_strain import Tie, monomial_basis
from floatframe.fem.elements.shells._quadratic import QuadraticShell

CORNERS = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
TWO, THREE = np.sqrt(1.0 / 3.0), np.sqrt(3.0 / 5.0)  # Gauss points
ALONG_R = np.array([[r, s] for r in (-TWO, TWO) for s in (-THREE, 0.0, THREE)])
BOTH = np.array([[r, s] for r in (-TWO, TWO) for s in (-TWO, TWO)])
TERMS_R = [(i, j) for i in range(2) for j in range(3)]  # linear in r, quadratic in s
TERMS_S = [(i, j) for i in range(3) for j in range(2)]
TERMS_BOTH = [(i, j) for i in range(2) for j in range(2)]


class Shell8(QuadraticShell):
    """Quadrilateral: corners, then the middles of sides 12, 23, 34, 41."""

    kind = "shell8"
    nnode, corners = 8, 4
    edges = ((0, 1), (1, 2), (2, 3), (3, 0))
    faces = ((0, 4, 1, 5, 2, 6, 3, 7),)
    drawn = ((0, 4, 7), (4, 1, 5), (5, 2, 6), (6, 3, 7), (4, 5, 6), (4, 6, 7))
    vtk_type = 23
    reference_nodes = np.vstack([CORNERS, 0.5 * (CORNERS + np.roll(CORNERS, -1, axis=0))])
    centre = np.zeros(2)
    rule = _gauss.square(3)
    stress_rule = _gauss.square(2)
    membrane = Tie(
        np.vstack([ALONG_R, ALONG_R[:, ::-1], BOTH]),
        np.repeat(np.eye(3), [6, 6, 4], axis=0),
        monomial_basis([TERMS_R, TERMS_S, TERMS_BOTH]),
    )
    shear = Tie(
        np.vstack([ALONG_R, ALONG_R[:, ::-1]]), np.repeat(np.eye(2), 6, axis=0), monomial_basis([TERMS_R, TERMS_S])
    )
    moving_bubble = True

    def shape(self, points: Array) -> Array:
        r, s = points.T[:, :, None]
        cr, cs = CORNERS.T
        corner = 0.25 * (1 + cr * r) * (1 + cs * s) * (cr * r + cs * s - 1)
        mr, ms = self.reference_nodes[4:].T
        middle = np.where(mr == 0.0, 0.5 * (1 - r**2) * (1 + ms * s), 0.5 * (1 - s**2) * (1 + mr * r))
        return np.hstack([corner, middle, (1 - r**2) * (1 - s**2)])

    def slopes(self, points: Array) -> Array:
        r, s = points.T[:, :, None]
        cr, cs = CORNERS.T
        mr, ms = self.reference_nodes[4:].T
        flat = mr == 0.0
        along_r = [
            0.25 * cr * (1 + cs * s) * (2 * cr * r + cs * s),
            np.where(flat, -r * (1 + ms * s), 0.5 * (1 - s**2) * mr),
            -2 * r * (1 - s**2),
        ]
        along_s = [
            0.25 * cs * (1 + cr * r) * (2 * cs * s + cr * r),
            np.where(flat, 0.5 * (1 - r**2) * ms, -s * (1 + mr * r)),
            -2 * s * (1 - r**2),
        ]
        return np.stack([np.hstack(along_r), np.hstack(along_s)])

    def to_nodes(self) -> Array:
        terms = monomial_basis([TERMS_BOTH])
        return terms(self.reference_nodes)[..., 0] @ np.linalg.inv(terms(self.stress_rule.points)[..., 0])


register(Shell8())
