"""Flat shell quadrilateral with six freedoms per node; may be warped."""

from __future__ import annotations

import numpy as np

from floatframe.arrays import Array
from floatframe.fem.elements import _gauss
from floatframe.fem.elements._shell import IN_PLANE, FlatShell, StrainEnergy, side_deflection
from floatframe.fem.elements._shell_membrane import MODE_SLOPES, quad_rows
from floatframe.fem.elements._shell_quad import (
    CENTRE_SLOPES,
    HOURGLASS,
    RULE,
    SHAPE,
    SIDE_SLOPES,
    SLOPES,
    Quad,
    bending_rows,
    corner_functions,
    corner_slopes,
    quad_geometry,
    side_functions,
)
from floatframe.fem.elements._shell_wall import Wall, require_shape, unit
from floatframe.fem.elements.base import Batch, register

MASS_RULE = _gauss.square(3)
MASS_SHAPE, MASS_SLOPES, MASS_SIDE_SHAPE = (
    f(MASS_RULE.points) for f in (corner_functions, corner_slopes, side_functions)
)
# twice the internal modes: they follow bending of the membrane in its plane but miss its shear waves (measured: FV32)
MASS_MODES = 2.0 * (1.0 - MASS_RULE.points**2)


class Shell4(FlatShell):
    """Quadrilateral in the plane of its side mid-points; a warped one is brought down to this plane rigidly."""

    kind = "shell4"
    nnode = 4
    corners = 4
    faces = ((0, 1, 2, 3),)
    vtk_type = 9
    membrane_to_nodes = np.linalg.inv(SHAPE)
    bending_to_nodes = membrane_to_nodes
    membrane_to_slopes = np.eye(4)

    def axes(self, batch: Batch) -> Array:
        first, second = batch.xyz[:, 2] - batch.xyz[:, 0], batch.xyz[:, 3] - batch.xyz[:, 1]
        z = unit(np.cross(first, second))
        x = unit(first - second)
        return np.stack([x, np.cross(z, x), z], axis=1)

    def _strain_energy(self, batch: Batch, wall: Wall) -> StrainEnergy:
        quad = _geometry(batch, wall)
        root = np.sqrt(RULE.weights * quad.det)
        membrane, _ = quad_rows(wall, quad, root)
        rows = wall.local_rows(membrane, bending_rows(wall, quad, root), _centre_slopes(quad))
        return StrainEnergy(wall.model_rows(rows), root, root)

    def _centre_slopes(self, wall: Wall) -> Array:
        return _centre_slopes(quad_geometry(wall.xy))

    def _mass_rows(self, batch: Batch, wall: Wall) -> tuple[Array, Array, Array]:
        quad = _geometry(batch, wall)
        root = np.sqrt(MASS_RULE.weights * _surface(batch, MASS_SLOPES))[:, :, None]
        amplitude = _mode_amplitude(wall, quad, np.sqrt(RULE.weights * quad.det))
        # the internal modes of the membrane take part in its motion
        inside = np.matmul(root * MASS_MODES, amplitude.reshape(-1, 2, 32)).reshape(-1, 9, 2, 4, 4).swapaxes(1, 2)
        return root * MASS_SHAPE, root * MASS_SIDE_SHAPE, inside

    def _slope_rows(self, batch: Batch, wall: Wall) -> Array:
        quad = _geometry(batch, wall)
        root = np.sqrt(RULE.weights * quad.det)
        corner, side = (np.stack(quad.slopes(natural), axis=1) for natural in (SLOPES, SIDE_SLOPES))
        mode = np.stack(quad.slopes0(MODE_SLOPES), axis=1) * (quad.det0[:, None] / quad.det)[:, None, :, None]
        amplitude = _mode_amplitude(wall, quad, root).reshape(batch.size, 2, 2, 4, 4)  # mode, ux or uy, node, IN_PLANE
        rows = np.zeros((batch.size, 2, 3, 4, 4, 6))
        for axis in range(3):
            rows[:, :, axis, ..., axis] = corner
        rows[:, :, 2, ..., 2:5] += np.einsum("edqs,esnk->edqnk", side, side_deflection(wall))
        rows[:, :, :2, ..., IN_PLANE] += np.einsum("edqm,emank->edaqnk", mode, amplitude)
        return rows * root[:, None, None, :, None, None]

    def _node_areas(self, batch: Batch) -> Array:
        return np.matmul(MASS_RULE.weights * _surface(batch, MASS_SLOPES), MASS_SHAPE)

    def _area_vectors(self, batch: Batch) -> Array:
        return np.matmul((RULE.weights[:, None] * SHAPE).T, _normals(batch, SLOPES))

    def size_measure(self, batch: Batch) -> Array:
        """Return the smallest parallelogram area at a corner; not positive where sides cross or fold inwards."""
        return self._corner_areas(batch).min(axis=1)

    def warping(self, batch: Batch) -> Array:
        """Return the distance of the nodes from the mean plane over the root of the area."""
        height = 0.25 * np.abs((np.matmul(HOURGLASS, batch.xyz) * self.axes(batch)[:, 2]).sum(axis=1))
        area = np.abs(self._corner_areas(batch).mean(axis=1))
        return height / np.sqrt(np.where(area > 0.0, area, np.inf))

    def _corner_areas(self, batch: Batch) -> Array:
        """Signed area of the parallelogram at each corner, seen along the normal (nel, 4)."""
        ahead = np.roll(batch.xyz, -1, axis=1) - batch.xyz
        return (np.cross(np.roll(ahead, 1, axis=1), ahead) * self.axes(batch)[:, None, 2]).sum(axis=2)


def _geometry(batch: Batch, wall: Wall) -> Quad:
    quad = quad_geometry(wall.xy)
    require_shape(batch, np.all(quad.det > 0.0, axis=1), "its sides cross or fold inwards")
    along = np.roll(wall.xy, -1, axis=1) - wall.xy
    require_shape(batch, np.all(along.any(axis=2), axis=1), "two of its corners coincide (write it as a triangle)")
    return quad


def _mode_amplitude(wall: Wall, quad: Quad, root: Array) -> Array:
    """Return amplitudes (nel, 4, nnode, 4) of the membrane's internal modes per (ux, uy, uz, rz) of the nodes."""
    amplitude = quad_rows(wall, quad, root)[1].reshape(-1, 4, 4, 3)
    return np.insert(amplitude, 2, wall.levelled(amplitude, _centre_slopes(quad)), axis=3)


def _centre_slopes(quad: Quad) -> Array:
    return np.stack(quad.slopes0(CENTRE_SLOPES), axis=3)[:, 0]


def _normals(batch: Batch, slopes: Array) -> Array:
    """Normals of the true, perhaps warped surface, as long as its area per unit of ξ, η (nel, npoint, 3)."""
    along = np.matmul(slopes.reshape(-1, 4), batch.xyz).reshape(batch.size, 2, -1, 3)
    return np.cross(along[:, 0], along[:, 1])


def _surface(batch: Batch, slopes: Array) -> Array:
    normal = _normals(batch, slopes)
    return np.sqrt((normal * normal).sum(axis=2))


register(Shell4())
