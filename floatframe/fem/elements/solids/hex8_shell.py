"""Hexahedron for thin walls: assumed natural strains across the thickness, strain modes within the wall.

Shear strains across the wall are taken from the middles of its sides (Dvorkin and Bathe 1984), the strain through it
from its corners (Betsch and Stein 1995): walls neither lock in bending nor where they are curved or their elements
skewed. Modes of the strains in the wall and a linear strain through it (Simo and Rifai 1990) are condensed out.
"""

from __future__ import annotations

from functools import cached_property
from typing import ClassVar

import numpy as np

from floatframe.arrays import Array
from floatframe.fem.elements.base import Batch, register
from floatframe.fem.elements.solids._elasticity import material_of, tensor
from floatframe.fem.elements.solids.hex8 import Hex8

_PAIRS = ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0))  # components of strain: xx, yy, zz, xy, yz, zx
_SIDES_X = np.array([[-1.0, 0, 0], [1, 0, 0]])  # where shear ηζ is taken
_SIDES_Y = np.array([[0.0, -1, 0], [0, 1, 0]])  # where shear ζξ is taken
_CORNERS = np.array([[-1.0, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]])  # where the strain ζζ is taken


class SolidShell(Hex8):
    """hex8 whose nodes 4 to 7 stand across the wall above nodes 0 to 3."""

    kind: ClassVar[str] = "hex8_shell"

    def _stiffness(self, batch: Batch) -> Array:
        B, modes, volume = self._strains(batch)
        law = _law(batch)
        weighted = volume[..., None, None] * (law[:, None] @ B)
        K = np.einsum("eqsi,eqsj->eij", B, weighted)
        cross = np.einsum("eqsm,eqsj->emj", modes, weighted)
        own = np.einsum("eqsm,eqst,eqtn->emn", modes, volume[..., None, None] * law[:, None], modes)
        condensed = K - cross.swapaxes(1, 2) @ np.linalg.solve(own, cross)
        return 0.5 * (condensed + condensed.swapaxes(1, 2))

    def displacement_gradients(self, batch: Batch, u: Array) -> Array:
        """Return the symmetric gradients (nel, nq, 3, 3) that have the strains of the element."""
        B, modes, volume = self._strains(batch)
        law = volume[..., None, None] * _law(batch)[:, None]
        moved = u.reshape(len(u), self.ndof)
        strain = np.einsum("eqsi,ei->eqs", B, moved)
        cross = np.einsum("eqsm,eqst,eqt->em", modes, law, strain)
        own = np.einsum("eqsm,eqst,eqtn->emn", modes, law, modes)
        strain -= np.einsum("eqsm,em->eqs", modes, np.linalg.solve(own, cross[..., None])[..., 0])
        H = np.empty((*strain.shape[:2], 3, 3))
        for k, (i, j) in enumerate(_PAIRS):
            H[..., i, j] = H[..., j, i] = strain[..., k] * (1.0 if i == j else 0.5)
        return H

    @cached_property
    def _samples(self) -> tuple[Array, Array, Array]:
        return tuple(self.shape_gradients(points) for points in (_SIDES_X, _SIDES_Y, _CORNERS))  # type: ignore[return-value]

    def _strains(self, batch: Batch) -> tuple[Array, Array, Array]:
        """Return strains per nodal motion (nel, nq, 6, 24) and per mode (nel, nq, 6, 7), and volumes (nel, nq)."""
        points, weights = self.stiffness_rule.points, self.stiffness_rule.weights
        gradients = self._stiffness_gradients
        J = _tangents(batch.xyz, gradients)
        det = np.linalg.det(J)
        self._refuse_inverted(det, batch)
        natural = _natural(J, gradients)
        sides_x, sides_y, corners = (_natural(_tangents(batch.xyz, table), table) for table in self._samples)
        x, y = points[:, 0], points[:, 1]
        natural[:, :, 4] = np.einsum("qp,epi->eqi", np.stack([1.0 - x, 1.0 + x], axis=1) / 2.0, sides_x[:, :, 4])
        natural[:, :, 5] = np.einsum("qp,epi->eqi", np.stack([1.0 - y, 1.0 + y], axis=1) / 2.0, sides_y[:, :, 5])
        bilinear = (1.0 + x[:, None] * _CORNERS[:, 0]) * (1.0 + y[:, None] * _CORNERS[:, 1]) / 4.0
        natural[:, :, 2] = np.einsum("qp,epi->eqi", bilinear, corners[:, :, 2])
        centre = _tangents(batch.xyz, self.shape_gradients(self.centre))
        scale = np.linalg.det(centre) / det
        modes = _to_model(np.linalg.inv(centre)) @ _modes(points) * scale[..., None, None]
        return _to_model(np.linalg.inv(J)) @ natural, modes, det * weights


def _tangents(xyz: Array, gradients: Array) -> Array:
    """Return dx/dξ (nel, npoint, 3, 3), columns along ξ, η, ζ."""
    return np.einsum("enk,qni->eqki", xyz, gradients)


def _natural(J: Array, gradients: Array) -> Array:
    """Return the strains along the tangents per nodal motion (nel, npoint, 6, 3 nnode), shears as angles."""
    rows = []
    for i, j in _PAIRS:
        row = np.einsum("eqk,qn->eqnk", J[..., i], gradients[..., j])
        if i != j:
            row = row + np.einsum("eqk,qn->eqnk", J[..., j], gradients[..., i])
        rows.append(row.reshape(*row.shape[:2], -1))
    return np.stack(rows, axis=2)


def _to_model(inverse: Array) -> Array:
    """Return (…, 6, 6): strains in model axes from those along tangents whose inverse (…, 3, 3) is given."""
    T = np.empty((*inverse.shape[:-2], 6, 6))
    for row, (k, m) in enumerate(_PAIRS):
        factor = 0.5 if k == m else 1.0
        for column, (i, j) in enumerate(_PAIRS):
            products = inverse[..., i, k] * inverse[..., j, m] + inverse[..., j, k] * inverse[..., i, m]
            T[..., row, column] = factor * products
    return T


def _modes(points: Array) -> Array:
    """Return (npoint, 6, 7) strain modes along the tangents of the centre, with zero mean."""
    x, y, z = points.T
    modes = np.zeros((len(points), 6, 7))
    for k, (component, values) in enumerate(((0, x), (1, y), (3, x), (3, y), (2, z), (2, x * z), (2, y * z))):
        modes[:, component, k] = values
    return modes


def _law(batch: Batch) -> Array:
    """Return stresses per strain (nel or 1, 6, 6) in model axes."""
    C = tensor(batch)
    if C is None:
        return material_of(batch).elasticity()[None]
    rows = [3 * i + j for i, j in _PAIRS]
    # a symmetric gradient has half the angle on both sides
    columns = [C[:, rows][:, :, [3 * i + j, 3 * j + i]].mean(axis=2) for i, j in _PAIRS]
    return np.stack(columns, axis=2)


register(SolidShell())
