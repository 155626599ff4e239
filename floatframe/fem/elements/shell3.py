"""Flat shell triangle with six freedoms per node."""

from __future__ import annotations

import numpy as np

from floatframe.arrays import Array
from floatframe.fem.elements import _gauss
from floatframe.fem.elements._shell import FlatShell, StrainEnergy, side_deflection
from floatframe.fem.elements._shell_bending import Sides, curvature_rows, shear_rows, sides
from floatframe.fem.elements._shell_membrane import triangle_rows
from floatframe.fem.elements._shell_wall import Wall, require_shape, unit
from floatframe.fem.elements.base import Batch, register

RULE = _gauss.triangle(2)
MASS_RULE = _gauss.triangle(5)


def _barycentric(at: Array) -> Array:
    """Linear functions of the corners (npoint, 3)."""
    return np.column_stack([1.0 - at.sum(axis=1), at])


def _side_functions(at: Array) -> Array:
    """Quadratic functions 4 λi λj of the sides (npoint, 3)."""
    corner = _barycentric(at)
    return 4.0 * corner * np.roll(corner, -1, axis=1)


SHAPE = _barycentric(RULE.points)
MASS_SHAPE, MASS_SIDE_SHAPE = _barycentric(MASS_RULE.points), _side_functions(MASS_RULE.points)


class Shell3(FlatShell):
    """Triangle: optimal membrane with drilling (Felippa 2003), DKMT bending (Katili 1993)."""

    kind = "shell3"
    nnode = 3
    corners = 3
    faces = ((0, 1, 2),)
    vtk_type = 5
    # constant part plus linear part, from the middles of sides 0-1, 1-2, 2-0 to the corners
    membrane_to_nodes = np.array([[1.0, 1.0, -1.0, 1.0], [1.0, 1.0, 1.0, -1.0], [1.0, -1.0, 1.0, 1.0]])
    bending_to_nodes = np.linalg.inv(SHAPE)

    def axes(self, batch: Batch) -> Array:
        first, second = batch.xyz[:, 1] - batch.xyz[:, 0], batch.xyz[:, 2] - batch.xyz[:, 0]
        z = unit(np.cross(first, second))
        x = unit(first)
        return np.stack([x, np.cross(z, x), z], axis=1)

    def _strain_energy(self, batch: Batch, wall: Wall) -> StrainEnergy:
        area = _area(batch)
        require_shape(batch, area > 0.0, "its corners lie on one line")
        side = sides(wall)
        # slopes of the barycentric functions, constant over the triangle
        across = np.roll(wall.xy, 1, axis=1) - np.roll(wall.xy, -1, axis=1)
        gx, gy = -across[:, :, 1] / (2.0 * area)[:, None], across[:, :, 0] / (2.0 * area)[:, None]
        root = np.sqrt(2.0 * RULE.weights * area[:, None])[:, :, None]
        bend = np.sqrt(wall.bending_stiffness)[:, None, None] * root
        slide = np.sqrt(wall.shear_stiffness)[:, None, None] * root
        bending = np.concatenate(
            [
                curvature_rows(
                    wall, side, *(bend * g[:, None, :] for g in (gx, gy)), *(bend * _side_slopes(g) for g in (gx, gy))
                ),
                shear_rows(side, *(slide * np.matmul(SHAPE, corner) for corner in _corner_shear(side))),
            ],
            axis=1,
        )
        import os
        T3 = float(os.environ.get("T3", 1.15))
        if T3:
            nel = len(area)
            e = np.roll(wall.xy, -1, axis=1) - wall.xy
            G = np.matmul(e, e.swapaxes(1, 2)) ** 3
            lam = np.linalg.solve(G, (-8.0 * side.length)[:, :, None] * side.amplitude.reshape(nel, 3, 9))
            nu, root_y, root_xy = wall.plane_stress_root
            x = np.matmul(SHAPE, wall.xy)  # (nel, 3pt, 2)
            lever = np.matmul(x, e.swapaxes(1, 2)) * bend * T3  # (nel, pt, side)
            kx, ky, kxy = e[..., 0] ** 2, e[..., 1] ** 2, 2 * e[..., 0] * e[..., 1]
            comps = np.stack([kx + nu * ky, root_y * ky, root_xy * kxy], axis=1)  # nel,3,side
            lin = np.matmul((comps[:, :, None, :] * lever[:, None]).reshape(nel, 9, 3), lam).reshape(nel, 3, 3, 3, 3)
            cur = bending[:, :9].reshape(nel, 3, 3, 3, 3)
            bending[:, :9] = (cur.mean(axis=2, keepdims=True) + lin).reshape(nel, 9, 3, 3)
        rows = wall.model_rows(wall.local_rows(triangle_rows(wall, area), bending))
        return StrainEnergy(rows, np.repeat(np.sqrt(area)[:, None], 4, axis=1), root[:, :, 0])

    def _mass_rows(self, batch: Batch, wall: Wall) -> tuple[Array, Array, Array]:
        root = np.sqrt(2.0 * MASS_RULE.weights * _area(batch)[:, None])[:, :, None]
        # sides bend in the plane as the drilling rotations tell (Allman 1984)
        bulge = root * MASS_SIDE_SHAPE
        inside = np.zeros((batch.size, 2, bulge.shape[1], 3, 3))
        deflection = side_deflection(wall)
        inside[:, 0, ..., 2] = 1.5 * np.matmul(bulge, -deflection[..., 1])
        inside[:, 1, ..., 2] = 1.5 * np.matmul(bulge, -deflection[..., 2])
        return root * MASS_SHAPE, bulge, inside

    def _node_areas(self, batch: Batch) -> Array:
        return np.repeat(_area(batch)[:, None] / 3.0, 3, axis=1)

    def _area_vectors(self, batch: Batch) -> Array:
        first, second = batch.xyz[:, 1] - batch.xyz[:, 0], batch.xyz[:, 2] - batch.xyz[:, 0]
        return np.repeat(np.cross(first, second)[:, None, :] / 6.0, 3, axis=1)

    def size_measure(self, batch: Batch) -> Array:
        """Return the area; zero where the corners lie on one line."""
        side = np.roll(batch.xyz, -1, axis=1) - batch.xyz
        area = _area(batch)
        return np.where(area > 1e-12 * (side**2).sum(axis=2).max(axis=1), area, 0.0)


def _area(batch: Batch) -> Array:
    normal = np.cross(batch.xyz[:, 1] - batch.xyz[:, 0], batch.xyz[:, 2] - batch.xyz[:, 0])
    return 0.5 * np.sqrt((normal * normal).sum(axis=1))


def _side_slopes(slope: Array) -> Array:
    """Slopes (nel, npoint, 3) of the side functions from those of the corner functions (nel, 3)."""
    ahead = np.roll(slope, -1, axis=1)
    return 4.0 * (SHAPE * ahead[:, None, :] + np.roll(SHAPE, -1, axis=1) * slope[:, None, :])


def _corner_shear(side: Sides) -> tuple[Array, Array]:
    """Shear strains x and y at the corners (nel, corner, side) that have unit components along the sides meeting there."""
    nel = len(side.c)
    x, y = np.zeros((nel, 3, 3)), np.zeros((nel, 3, 3))
    for i in range(3):
        out, back = i, (i + 2) % 3
        det = side.c[:, out] * side.s[:, back] - side.c[:, back] * side.s[:, out]
        x[:, i, out], x[:, i, back] = side.s[:, back] / det, -side.s[:, out] / det
        y[:, i, out], y[:, i, back] = -side.c[:, back] / det, side.c[:, out] / det
    return x, y


register(Shell3())
