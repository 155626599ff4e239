"""Springs, dampers and bushings without mass, between two nodes or from a node to ground.

Data "stiffness" and "damping" are per element: diagonals (nel, m) or symmetric matrices (nel, m, m) in the local axes,
with m = 6 (three forces, three moments), 3 (forces only) or 1 (along the line).
"""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

import numpy as np

from floatframe.arrays import Array, BoolArray, skew
from floatframe.errors import ModelError
from floatframe.fem.elements.base import Batch, Element, SecondOrder, register
from floatframe.fem.elements.lines._frames import AXES_TOLERANCE, beam_axes, complain, given_axes, line_axes


class _Massless(Element):
    """What all springs share: matrices Bᵀ k B with B (nel, m, ndof) from nodal motion to local deformation."""

    needs_material: ClassVar[bool] = False
    components: ClassVar[int]

    @abstractmethod
    def _deformation(self, batch: Batch) -> Array:
        """Return B (nel, m, ndof)."""

    def stiffness(self, batch: Batch) -> Array:
        return self._matrices(batch, "stiffness")

    def damping(self, batch: Batch) -> Array | None:
        return self._matrices(batch, "damping") if "damping" in batch.data else None

    def mass(self, batch: Batch) -> Array:
        return np.zeros((batch.size, self.ndof, self.ndof))

    def lumped_mass(self, batch: Batch) -> Array:
        return np.zeros((batch.size, self.ndof))

    def resultants(self, batch: Batch, u: Array) -> Array:
        """Return the elastic forces and moments at the spring in local axes, the same for every node."""
        local = np.einsum("eij,ejk,ek->ei", self._law(batch, "stiffness"), self._deformation(batch), u)
        return np.repeat(local[:, None], self.nnode, axis=1)

    def size_measure(self, batch: Batch) -> Array:
        """Return ones: the nodes of a spring may coincide."""
        return np.ones(batch.size)

    def _matrices(self, batch: Batch, name: str) -> Array:
        B = self._deformation(batch)
        return B.swapaxes(1, 2) @ (self._law(batch, name) @ B)

    def _law(self, batch: Batch, name: str) -> Array:
        """Return local matrices (nel, m, m) of "stiffness" or "damping"; zero where not given."""
        m = self.components
        if name not in batch.data:
            return np.zeros((batch.size, m, m))
        values = np.asarray(batch.data[name], dtype=float)
        if m == 1 and values.shape == (batch.size,):
            values = values[:, None]
        if values.shape not in ((batch.size, m), (batch.size, m, m)):
            raise ModelError(
                f"{self.kind}: data '{name}' has shape {values.shape}, "
                f"expected ({batch.size}, {m}) or ({batch.size}, {m}, {m})."
            )
        if values.ndim == 2:
            values = values[:, :, None] * np.eye(m)
        flat = values.reshape(batch.size, -1)
        complain(batch, ~np.isfinite(flat).all(axis=1), self.kind, f"its {name} is not a finite number.")
        skewness = np.abs(values - values.swapaxes(1, 2)).max(axis=(1, 2))
        complain(batch, skewness > 1e-9 * np.abs(flat).max(axis=1), self.kind, f"its {name} matrix is not symmetric.")
        return values


class Bushing(_Massless):
    """Spring and damper with six directions between two nodes, at `location` (0..1) of the way along the line.

    Rigid arms lead from the nodes to that point (data "location" (nel,), middle by default), so rigid motion gives no
    force. Local axes: data "axes" (nel, 3, 3), rows x, y, z; otherwise those of a beam along the line (with data
    "orientation"), and where the nodes coincide those of a beam along model x, which are the model axes.
    """

    kind: ClassVar[str] = "spring"
    nnode: ClassVar[int] = 2
    dof_per_node: ClassVar[int] = 6
    dimension: ClassVar[int] = 1
    corners: ClassVar[int] = 2
    vtk_type: ClassVar[int] = 3
    data_names: ClassVar[tuple[str, ...]] = ("stiffness", "damping", "axes", "orientation", "location")
    resultant_names: ClassVar[tuple[str, ...]] = ("Fx", "Fy", "Fz", "Mx", "My", "Mz")
    components: ClassVar[int] = 6

    def axes(self, batch: Batch) -> Array:
        if "axes" in batch.data:
            return given_axes(batch, self.kind)
        # nodes in one place: the line counts as model x
        together = (batch.xyz[:, 0] == batch.xyz[:, 1]).all(axis=1)
        ends = np.where(together[:, None, None], [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]], batch.xyz)
        return beam_axes(batch, ends, self.kind)[0]

    def _deformation(self, batch: Batch) -> Array:
        axes = self.axes(batch)
        location = np.asarray(batch.data.get("location", np.full(batch.size, 0.5)), dtype=float)
        complain(batch, ~np.isfinite(location), self.kind, "its location is not a finite number.")
        line = batch.xyz[:, 1] - batch.xyz[:, 0]
        B = np.zeros((batch.size, 6, 12))
        for start, sign, arm in ((0, -1.0, location[:, None] * line), (6, 1.0, (location - 1.0)[:, None] * line)):
            B[:, :3, start : start + 3] = B[:, 3:, start + 3 : start + 6] = sign * axes
            B[:, :3, start + 3 : start + 6] = -sign * axes @ skew(arm)
        return B


class GroundSpring(_Massless):
    """Spring and damper with six directions from one node to ground; data "axes" (nel, 3, 3), else the model axes."""

    kind: ClassVar[str] = "ground_spring"
    nnode: ClassVar[int] = 1
    dof_per_node: ClassVar[int] = 6
    dimension: ClassVar[int] = 0
    corners: ClassVar[int] = 1
    vtk_type: ClassVar[int] = 1
    data_names: ClassVar[tuple[str, ...]] = ("stiffness", "damping", "axes")
    resultant_names: ClassVar[tuple[str, ...]] = ("Fx", "Fy", "Fz", "Mx", "My", "Mz")
    components: ClassVar[int] = 6

    def axes(self, batch: Batch) -> Array:
        if "axes" in batch.data:
            return given_axes(batch, self.kind)
        return np.tile(np.eye(3), (batch.size, 1, 1))

    def _deformation(self, batch: Batch) -> Array:
        axes = self.axes(batch)
        B = np.zeros((batch.size, self.ndof, self.ndof))
        for start in range(0, self.ndof, 3):
            B[:, start : start + 3, start : start + 3] = axes
        return B


class GroundPointSpring(GroundSpring):
    """Ground spring with three forces and no moments, for nodes of solids, which have no rotations."""

    kind: ClassVar[str] = "ground_point_spring"
    dof_per_node: ClassVar[int] = 3
    resultant_names: ClassVar[tuple[str, ...]] = ("Fx", "Fy", "Fz")
    components: ClassVar[int] = 3


class PointSpring(_Massless):
    """Spring and damper with three forces between two nodes that have no rotations; data "axes", else model axes.

    It has no arms, because the nodes have no rotations to hold them: between nodes apart from each other, forces across
    the line are out of balance and hold the body against turning, as scalar springs do in other programs.
    `resists_turning` finds such springs; use kind "spring" there, or "axial_spring" along the line.
    """

    kind: ClassVar[str] = "point_spring"
    nnode: ClassVar[int] = 2
    dof_per_node: ClassVar[int] = 3
    dimension: ClassVar[int] = 1
    corners: ClassVar[int] = 2
    vtk_type: ClassVar[int] = 3
    data_names: ClassVar[tuple[str, ...]] = ("stiffness", "damping", "axes")
    resultant_names: ClassVar[tuple[str, ...]] = ("Fx", "Fy", "Fz")
    components: ClassVar[int] = 3

    def axes(self, batch: Batch) -> Array:
        if "axes" in batch.data:
            return given_axes(batch, self.kind)
        return np.tile(np.eye(3), (batch.size, 1, 1))

    def _deformation(self, batch: Batch) -> Array:
        axes = self.axes(batch)
        return np.concatenate([-axes, axes], axis=2)

    def resists_turning(self, batch: Batch) -> BoolArray:
        line = batch.xyz[:, 1] - batch.xyz[:, 0]
        turned = self.axes(batch) @ skew(line)  # deformation when the far node turns about the near one
        wrong = np.zeros(batch.size, dtype=bool)
        for name in ("stiffness", "damping"):
            law = self._law(batch, name)
            scale = np.abs(law).max(axis=(1, 2)) * np.abs(line).max(axis=1)
            wrong |= np.abs(law @ turned).max(axis=(1, 2)) > AXES_TOLERANCE * scale
        return wrong


class AxialSpring(_Massless):
    """Spring and damper along the line between two nodes, translations only; stiffness and damping (nel,)."""

    kind: ClassVar[str] = "axial_spring"
    nnode: ClassVar[int] = 2
    dof_per_node: ClassVar[int] = 3
    dimension: ClassVar[int] = 1
    corners: ClassVar[int] = 2
    vtk_type: ClassVar[int] = 3
    data_names: ClassVar[tuple[str, ...]] = ("stiffness", "damping")
    resultant_names: ClassVar[tuple[str, ...]] = ("N",)
    components: ClassVar[int] = 1

    def axes(self, batch: Batch) -> Array:
        return beam_axes(batch, batch.xyz, self.kind)[0]

    def size_measure(self, batch: Batch) -> Array:
        return np.linalg.norm(batch.xyz[:, 1] - batch.xyz[:, 0], axis=1)

    def second_order(self, batch: Batch, states: Array, motions: Array) -> list[SecondOrder]:
        """A spring turns with its line, so its force resists motion across the line only."""
        x, length = line_axes(batch, batch.xyz, self.kind)
        pull = self._law(batch, "stiffness") / length[:, None, None] * (x[:, None] @ (states[:, 3:] - states[:, :3]))
        across = np.eye(3) - x[:, :, None] * x[:, None, :]
        return [SecondOrder(pull[:, None], (across @ (motions[:, 3:] - motions[:, :3]))[:, None], np.eye(3)[None])]

    def _deformation(self, batch: Batch) -> Array:
        x, _ = line_axes(batch, batch.xyz, self.kind)
        return np.concatenate([-x, x], axis=1)[:, None]


register(Bushing())
register(GroundSpring())
register(GroundPointSpring())
register(PointSpring())
register(AxialSpring())
