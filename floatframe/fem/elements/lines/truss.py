"""Straight bar that carries axial force only."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import ModelError
from floatframe.fem.elements.base import Batch, Element, SecondOrder, register
from floatframe.fem.elements.lines._frames import beam_axes, line_axes
from floatframe.fem.properties import BeamSection, Material

_STRETCH = np.array([[1.0, -1.0], [-1.0, 1.0]])
_LINEAR = np.array([[2.0, 1.0], [1.0, 2.0]]) / 6.0


class Truss(Element):
    """Two-node bar, three translations per node; of its section only the area counts. Resultant: N, tension positive.

    The mass is that of linear motion plus 1/12 of the mass on the stretching, which lifts the order of axial
    frequencies from two to four and leaves rigid motion as it is.
    """

    kind: ClassVar[str] = "truss"
    nnode: ClassVar[int] = 2
    dof_per_node: ClassVar[int] = 3
    dimension: ClassVar[int] = 1
    section_type = BeamSection
    corners: ClassVar[int] = 2
    vtk_type: ClassVar[int] = 3
    resultant_names: ClassVar[tuple[str, ...]] = ("N",)

    def stiffness(self, batch: Batch) -> Array:
        material, section = _properties(batch)
        x, length = line_axes(batch, batch.xyz, "truss")
        return _stretching(x, material.E * section.A / length)

    def mass(self, batch: Batch) -> Array:
        mass, x = _mass(batch)
        return mass[:, None, None] * np.kron(_LINEAR, np.eye(3)) + _stretching(x, mass / 12.0)

    def lumped_mass(self, batch: Batch) -> Array:
        mass, _ = _mass(batch)
        return np.repeat(mass[:, None] / 2.0, 6, axis=1)

    def resultants(self, batch: Batch, u: Array) -> Array:
        material, section = _properties(batch)
        x, length = line_axes(batch, batch.xyz, "truss")
        stretch = np.einsum("ei,ei->e", x, u[:, 3:] - u[:, :3])
        force = material.E * section.A / length * stretch
        return np.repeat(force[:, None, None], 2, axis=1)

    def second_order(self, batch: Batch, states: Array, motions: Array) -> list[SecondOrder]:
        material, section = _properties(batch)
        x, length = line_axes(batch, batch.xyz, "truss")
        pull = (material.E * section.A / length**2)[:, None, None] * (x[:, None] @ (states[:, 3:] - states[:, :3]))
        return [SecondOrder(pull[:, None], (motions[:, 3:] - motions[:, :3])[:, None], np.eye(3)[None])]

    def axes(self, batch: Batch) -> Array:
        return beam_axes(batch, batch.xyz, "truss")[0]

    def size_measure(self, batch: Batch) -> Array:
        return np.linalg.norm(batch.xyz[:, 1] - batch.xyz[:, 0], axis=1)


def _properties(batch: Batch) -> tuple[Material, BeamSection]:
    if batch.material is None or not isinstance(batch.section, BeamSection):
        raise ModelError("truss: it needs a material and a BeamSection.")
    return batch.material, batch.section


def _mass(batch: Batch) -> tuple[Array, Array]:
    """Return masses (nel,) and directions (nel, 3)."""
    material, section = _properties(batch)
    x, length = line_axes(batch, batch.xyz, "truss")
    return material.rho * section.A * length, x


def _stretching(x: Array, factor: Array) -> Array:
    """Return (nel, 6, 6) quadratic forms factor (nel,) times the square of the stretch along x (nel, 3)."""
    matrices = np.einsum("e,pq,ei,ej->epiqj", factor, _STRETCH, x, x)
    return matrices.reshape(len(x), 6, 6)


register(Truss())
