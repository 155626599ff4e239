"""Flat shell quadrilateral with six dofs per node; may be warped."""

from __future__ import annotations

import numpy as np

from floatframe.arrays import Array
from floatframe.fem.elements import _gauss
from floatframe.fem.elements.base import Batch, register
from floatframe.fem.elements.shells._flat import IN_PLANE, FlatShell, StrainEnergy, side_deflection, surroundings
from floatframe.fem.elements.shells._quad import (
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
from floatframe.fem.elements.shells._quad_membrane import Membrane, membrane
from floatframe.fem.elements.shells._wall import Wall, require_shape, unit

MASS_RULE = _gauss.square(3)
MASS_SHAPE, MASS_SLOPES, MASS_SIDE_SHAPE = (
    f(MASS_RULE.points) for f in (corner_functions, corner_slopes, side_functions)
)


class Shell4(FlatShell):
    """Quadrilateral in the plane of its side mid-points; a warped one is tied to this plane by arms."""

    kind = "shell4"
    nnode = 4
    corners = 4
    faces = ((0, 1, 2, 3),)
    vtk_type = 9
    membrane_to_nodes = np.linalg.inv(SHAPE)
    bending_to_nodes = membrane_to_nodes
    membrane_to_slopes = np.eye(4)
    mass_shape = MASS_SHAPE

    def axes(self, batch: Batch) -> Array:
        first, second = batch.xyz[:, 2] - batch.xyz[:, 0], batch.xyz[:, 3] - batch.xyz[:, 1]
        z = unit(np.cross(first, second))
        x = unit(first - second)
        return np.stack([x, np.cross(z, x), z], axis=1)

    def _strain_energy(self, batch: Batch, wall: Wall) -> StrainEnergy:
        quad = _geometry(batch, wall)
        root = np.sqrt(RULE.weights * quad.det)
        around = surroundings(batch)
        bending = bending_rows(wall, quad, root, around.width)
        taper = wall.taper(SHAPE)
        thick = root * taper**1.5
        coupling = wall.coupling_rows(bending[:, 2:14], thick, thick)
        rows = wall.local_rows(membrane(wall, quad, root, around).rows, bending, coupling, _centre_slopes(quad))
        stretch, bend = wall.membrane_stiffness[:, None] * taper, wall.bending_stiffness[:, None] * taper**3
        return StrainEnergy(wall.model_rows(rows), np.sqrt(stretch) / root, np.sqrt(bend) / root)

    def _centre_slopes(self, wall: Wall) -> Array:
        return _centre_slopes(quad_geometry(wall.xy))

    def _mass_rows(self, batch: Batch, wall: Wall) -> tuple[Array, Array, Array]:
        quad = _geometry(batch, wall)
        root = np.sqrt(MASS_RULE.weights * _surface(batch, MASS_SLOPES))[:, :, None]
        # the linear stress fields of the membrane take part in its motion, as the drilling rotations have it: waves are
        # not in equilibrium without their inertia, and fields of least energy would follow them by half only
        fields, amplitude = _fields(batch, wall, quad, firm=1e3)
        inside = np.matmul(root[:, None] * fields.inside(MASS_SHAPE), amplitude.reshape(-1, 1, 4, 16))
        inside = inside.reshape(-1, 2, len(MASS_SHAPE), 4, 4)
        return root * MASS_SHAPE, root * MASS_SIDE_SHAPE, inside

    def _slope_rows(self, batch: Batch, wall: Wall) -> Array:
        quad = _geometry(batch, wall)
        root = np.sqrt(RULE.weights * quad.det)
        corner, side = (np.stack(quad.slopes(natural), axis=1) for natural in (SLOPES, SIDE_SLOPES))
        fields, amplitude = _fields(batch, wall, quad)
        inside = np.matmul(fields.inside_slopes(corner[:, 0], corner[:, 1]), amplitude.reshape(-1, 1, 1, 4, 16))
        rows = np.zeros((batch.size, 2, 3, 4, 4, 6))
        for axis in range(3):
            rows[:, :, axis, ..., axis] = corner
        rows[:, :, 2, ..., 2:5] += np.einsum("edqs,esnk->edqnk", side, side_deflection(wall))
        rows[:, :, :2, ..., IN_PLANE] += inside.reshape(-1, 2, 2, 4, 4, 4)
        return rows * root[:, None, None, :, None, None]

    def _node_areas(self, batch: Batch, density: Array | float) -> Array:
        return np.matmul(MASS_RULE.weights * _surface(batch, MASS_SLOPES) * density, MASS_SHAPE)

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


def _fields(batch: Batch, wall: Wall, quad: Quad, firm: float = 1.0) -> tuple[Membrane, Array]:
    """Return the membrane and the amplitudes (nel, 4, nnode, 4) of its fields per (ux, uy, uz, rz) of the nodes."""
    found = membrane(wall, quad, np.sqrt(RULE.weights * quad.det), surroundings(batch), firm)
    return found, np.insert(found.amplitude, 2, wall.levelled(found.amplitude, _centre_slopes(quad)), axis=3)


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
