"""Elements given by their own matrices, on one or two nodes: what no other kind can express.

Data "stiffness", "mass" and "damping" are symmetric matrices (nel, ndof, ndof) in the axes of data "axes" (nel, 3, 3),
rows x, y, z, or in model axes without it. Nothing is asked of them but symmetry: rigid motion may cost energy, and
masses may differ between directions, as scalar springs and masses of other programs do.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import ModelError
from floatframe.fem.elements.base import Batch, Element, register
from floatframe.fem.elements.lines._frames import complain, given_axes

_SYMMETRY = 1e-9  # of the largest entry


class NodeMatrix(Element):
    """Matrices of the six dofs of one node."""

    kind: ClassVar[str] = "node_matrix"
    nnode: ClassVar[int] = 1
    dof_per_node: ClassVar[int] = 6
    dimension: ClassVar[int] = 0
    corners: ClassVar[int] = 1
    vtk_type: ClassVar[int] = 1
    needs_material: ClassVar[bool] = False
    data_names: ClassVar[tuple[str, ...]] = ("stiffness", "mass", "damping", "axes")

    def stiffness(self, batch: Batch) -> Array:
        return self._matrix(batch, "stiffness")

    def mass(self, batch: Batch) -> Array:
        return self._matrix(batch, "mass")

    def lumped_mass(self, batch: Batch) -> Array:
        """Return the mass as given: it is lumped where its author wanted it so."""
        return self._matrix(batch, "mass")

    def damping(self, batch: Batch) -> Array | None:
        return self._matrix(batch, "damping") if "damping" in batch.data else None

    def axes(self, batch: Batch) -> Array:
        if "axes" in batch.data:
            return given_axes(batch, self.kind)
        return np.tile(np.eye(3), (batch.size, 1, 1))

    def size_measure(self, batch: Batch) -> Array:
        """Return ones: the nodes may coincide."""
        return np.ones(batch.size)

    def _matrix(self, batch: Batch, name: str) -> Array:
        n = self.ndof
        if name not in batch.data:
            return np.zeros((batch.size, n, n))
        values = np.asarray(batch.data[name], dtype=float)
        if values.shape != (batch.size, n, n):
            raise ModelError(f"{self.kind}: data '{name}' has shape {values.shape}, expected ({batch.size}, {n}, {n}).")
        size = np.abs(values).max(axis=(1, 2), initial=0.0)
        skewness = np.abs(values - values.swapaxes(1, 2)).max(axis=(1, 2), initial=0.0)
        complain(
            batch, ~(skewness <= _SYMMETRY * size), self.kind, f"its {name} matrix is not symmetric or not finite."
        )
        if "axes" not in batch.data:
            return values.copy()
        T = np.zeros((batch.size, n, n))
        for start in range(0, n, 3):
            T[:, start : start + 3, start : start + 3] = self.axes(batch)
        return T.swapaxes(1, 2) @ values @ T


class PairMatrix(NodeMatrix):
    """Matrices between the six dofs of two nodes."""

    kind: ClassVar[str] = "pair_matrix"
    nnode: ClassVar[int] = 2
    dimension: ClassVar[int] = 1
    corners: ClassVar[int] = 2
    vtk_type: ClassVar[int] = 3


class PointNodeMatrix(NodeMatrix):
    """Matrices of the translations of one node."""

    kind: ClassVar[str] = "point_node_matrix"
    dof_per_node: ClassVar[int] = 3


class PointPairMatrix(PairMatrix):
    """Matrices between the translations of two nodes."""

    kind: ClassVar[str] = "point_pair_matrix"
    dof_per_node: ClassVar[int] = 3


class PointQuadMatrix(PointPairMatrix):
    """Matrices between the translations of four nodes; no surface, because it has no wall."""

    kind: ClassVar[str] = "point_quad_matrix"
    nnode: ClassVar[int] = 4
    corners: ClassVar[int] = 4
    vtk_type: ClassVar[int] = 9


for _kind in (NodeMatrix, PairMatrix, PointNodeMatrix, PointPairMatrix, PointQuadMatrix):
    register(_kind())
