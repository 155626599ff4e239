"""Flat shell triangle with six dofs per node."""

from __future__ import annotations

import numpy as np

from floatframe.arrays import Array
from floatframe.fem.elements import _gauss
from floatframe.fem.elements.base import Batch, register
from floatframe.fem.elements.shells._flat import FlatShell, StrainEnergy, side_deflection, surroundings
from floatframe.fem.elements.shells._triangle import (
    RULE,
    SHAPE,
    bending_rows,
    corner_functions,
    corner_slopes,
    side_functions,
)
from floatframe.fem.elements.shells._triangle_membrane import POINTS, triangle_rows
from floatframe.fem.elements.shells._wall import Wall, require_shape, unit

MASS_RULE = _gauss.triangle(5)
MASS_SHAPE, MASS_SIDE_SHAPE = corner_functions(MASS_RULE.points), side_functions(MASS_RULE.points)
# drilling rotations are half the slope of a shear wave and the whole of one in bending: between the two
SIDE_SLOPE_OF_DRILLING = 1.5
FLAT = 1e-12  # area over the square of the longest side below which the corners lie on one line


class Shell3(FlatShell):
    """Triangle: optimal membrane with drilling rotations, discrete Kirchhoff-Mindlin bending.

    Bending in the plane is exact for flat walls of any thickness, one element deep. In a curved shell drilling
    rotations also come from plain bending, because the flat elements meet at angles; from the curvature of the surface,
    which the neighbours show, the element knows how much of them that can be (`_triangle_facet`).
    """

    kind = "shell3"
    nnode = 3
    sees_curvature = True
    corners = 3
    faces = ((0, 1, 2),)
    vtk_type = 5
    # constant part plus linear part, from the middles of sides 0-1, 1-2, 2-0 to the corners
    membrane_to_nodes = np.array([[1.0, 1.0, -1.0, 1.0], [1.0, 1.0, 1.0, -1.0], [1.0, -1.0, 1.0, 1.0]])
    bending_to_nodes = np.linalg.inv(SHAPE)
    membrane_to_slopes = np.tile([1.0, 0.0, 0.0, 0.0], (3, 1))  # the mean: softened parts carry less than they show
    mass_shape = MASS_SHAPE

    def axes(self, batch: Batch) -> Array:
        first, second = batch.xyz[:, 1] - batch.xyz[:, 0], batch.xyz[:, 2] - batch.xyz[:, 0]
        z, x = unit(np.cross(first, second)), unit(first)
        return np.stack([x, np.cross(z, x), z], axis=1)

    def _strain_energy(self, batch: Batch, wall: Wall) -> StrainEnergy:
        area = self.size_measure(batch)
        require_shape(batch, area > 0.0, "its corners lie on one line")
        root = np.sqrt(2.0 * RULE.weights * area[:, None])
        curvature = None
        if batch.curvature is not None:
            plane = wall.axes[:, :2]
            curvature = np.matmul(plane, np.matmul(batch.curvature, plane.swapaxes(1, 2)))
        membrane, membrane_root = triangle_rows(wall, area, curvature)
        bending = bending_rows(wall, root, surroundings(batch).width)
        # mean strains alone are coupled to the curvatures
        mean = membrane_root * [1.0, 0.0, 0.0, 0.0]
        coupling = wall.coupling_rows(bending[:, :9], root * wall.taper(SHAPE) ** 1.5, mean)
        rows = wall.local_rows(membrane, bending, coupling)
        stretch = wall.membrane_stiffness[:, None] * wall.taper(POINTS)
        bend = wall.bending_stiffness[:, None] * wall.taper(SHAPE) ** 3
        return StrainEnergy(wall.model_rows(rows), np.sqrt(stretch) / membrane_root, np.sqrt(bend) / root)

    def _centre_slopes(self, wall: Wall) -> Array:
        return corner_slopes(wall.xy)

    def _mass_rows(self, batch: Batch, wall: Wall) -> tuple[Array, Array, Array]:
        root = np.sqrt(2.0 * MASS_RULE.weights * _area(batch)[:, None])[:, :, None]
        bulge = root * MASS_SIDE_SHAPE
        # sides also bend in the plane, as the drilling rotations prescribe (Allman 1984)
        inside = np.zeros((batch.size, 2, bulge.shape[1], 3, 4))
        inside[..., 3] = np.matmul(
            bulge[:, None], -SIDE_SLOPE_OF_DRILLING * side_deflection(wall)[..., 1:].transpose(0, 3, 1, 2)
        )
        return root * MASS_SHAPE, bulge, inside

    def _slope_rows(self, batch: Batch, wall: Wall) -> Array:
        root = np.sqrt(2.0 * RULE.weights * _area(batch)[:, None])
        corner = np.moveaxis(corner_slopes(wall.xy), 2, 1)[:, :, None]  # (nel, 2, 1, 3): the same everywhere
        ahead = np.roll(corner, -1, axis=3)
        side = 4.0 * (SHAPE * ahead + np.roll(SHAPE, -1, axis=1) * corner)
        rows = np.zeros((batch.size, 2, 3, len(SHAPE), 3, 6))
        for axis in range(3):
            rows[:, :, axis, ..., axis] = corner
        # drilling rotations stay out: in thin walls they are too soft to stand the forces of their sides' bulges
        rows[:, :, 2, ..., 2:5] += np.einsum("edqs,esnk->edqnk", side, side_deflection(wall))
        return rows * root[:, None, None, :, None, None]

    def _node_areas(self, batch: Batch, density: Array | float) -> Array:
        return _area(batch)[:, None] * np.matmul(2.0 * MASS_RULE.weights * density, MASS_SHAPE)

    def _area_vectors(self, batch: Batch) -> Array:
        return np.repeat(_normal(batch)[:, None] / 6.0, 3, axis=1)

    def size_measure(self, batch: Batch) -> Array:
        """Return the area; zero where the corners lie on one line."""
        side = np.roll(batch.xyz, -1, axis=1) - batch.xyz
        area = _area(batch)
        return np.where(area > FLAT * (side**2).sum(axis=2).max(axis=1), area, 0.0)


def _normal(batch: Batch) -> Array:
    """Normals with the length of twice the area (nel, 3)."""
    return np.cross(batch.xyz[:, 1] - batch.xyz[:, 0], batch.xyz[:, 2] - batch.xyz[:, 0])


def _area(batch: Batch) -> Array:
    return 0.5 * np.sqrt((_normal(batch) ** 2).sum(axis=1))


register(Shell3())
