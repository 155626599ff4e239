"""Flat shell quadrilateral with six freedoms per node; may be warped."""

from __future__ import annotations

import numpy as np

from floatframe.arrays import Array
from floatframe.fem.elements import _gauss
from floatframe.fem.elements._shell import FlatShell, StrainEnergy
from floatframe.fem.elements._shell_bending import curvature_rows, shear_rows, sides
from floatframe.fem.elements._shell_membrane import quad_rows
from floatframe.fem.elements._shell_wall import Wall, require_shape, unit
from floatframe.fem.elements.base import Batch, register

CORNER = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])


def _corner_functions(at: Array) -> Array:
    """Bilinear functions (npoint, 4)."""
    return 0.25 * (1.0 + at[:, :1] * CORNER[:, 0]) * (1.0 + at[:, 1:] * CORNER[:, 1])


def _corner_slopes(at: Array) -> Array:
    """Their derivatives (2, npoint, 4) along ξ and η."""
    xi, eta = at[:, :1], at[:, 1:]
    return 0.25 * np.stack([CORNER[:, 0] * (1.0 + eta * CORNER[:, 1]), CORNER[:, 1] * (1.0 + xi * CORNER[:, 0])])


def _side_functions(at: Array) -> Array:
    """Side functions (npoint, 4), quadratic along their own side and zero on the others."""
    xi, eta = at[:, 0], at[:, 1]
    bulge_xi, bulge_eta = 0.5 * (1 - xi**2), 0.5 * (1 - eta**2)
    return np.stack([bulge_xi * (1 - eta), bulge_eta * (1 + xi), bulge_xi * (1 + eta), bulge_eta * (1 - xi)], axis=1)


def _side_slopes(at: Array) -> Array:
    """Derivatives (2, npoint, 4) of the side functions along ξ and η."""
    xi, eta = at[:, 0], at[:, 1]
    bulge_xi, bulge_eta = 0.5 * (1 - xi**2), 0.5 * (1 - eta**2)
    along_xi = [-xi * (1 - eta), bulge_eta, -xi * (1 + eta), -bulge_eta]
    along_eta = [-bulge_xi, -eta * (1 + xi), bulge_xi, -eta * (1 - xi)]
    return np.stack([np.stack(along_xi, axis=1), np.stack(along_eta, axis=1)])


RULE = _gauss.square(2)
SHAPE, SLOPES, SIDE_SLOPES = (f(RULE.points) for f in (_corner_functions, _corner_slopes, _side_slopes))
MODE_SLOPES = -2.0 * np.stack([RULE.points * [1.0, 0.0], RULE.points * [0.0, 1.0]])  # of 1-ξ² and 1-η²
# covariant shear strains at the points per unit shear strain of the sides, sides 2-3 and 3-0 run backwards
_XI, _ETA = RULE.points.T
SIDE_SHEAR = 0.25 * np.stack(
    [
        np.stack([1 - _ETA, 0 * _ETA, -(1 + _ETA), 0 * _ETA], axis=1),
        np.stack([0 * _XI, 1 + _XI, 0 * _XI, -(1 - _XI)], axis=1),
    ]
)

MASS_RULE = _gauss.square(3)
MASS_SHAPE, MASS_SLOPES, MASS_SIDE_SHAPE = (
    f(MASS_RULE.points) for f in (_corner_functions, _corner_slopes, _side_functions)
)


class Shell4(FlatShell):
    """Quadrilateral: incompatible-mode membrane with drilling, DKMQ bending, in the plane of the side mid-points."""

    kind = "shell4"
    nnode = 4
    corners = 4
    faces = ((0, 1, 2, 3), (0, 3, 2, 1))
    vtk_type = 9
    membrane_to_nodes = np.linalg.inv(SHAPE)
    bending_to_nodes = membrane_to_nodes

    def axes(self, batch: Batch) -> Array:
        first, second = batch.xyz[:, 2] - batch.xyz[:, 0], batch.xyz[:, 3] - batch.xyz[:, 1]
        z = unit(np.cross(first, second))
        x = unit(first - second)
        return np.stack([x, np.cross(z, x), z], axis=1)

    def _strain_energy(self, batch: Batch, wall: Wall) -> StrainEnergy:
        centre = np.matmul(SLOPES.mean(axis=1), wall.xy)  # (nel, 2, 2)
        J = np.matmul(SLOPES.reshape(8, 4), wall.xy).reshape(-1, 2, 4, 2)
        det, inverse = _inverse(J[:, 0, :, 0], J[:, 0, :, 1], J[:, 1, :, 0], J[:, 1, :, 1])
        side = sides(wall)
        require_shape(batch, (det > 0.0).all(axis=1), "its corners fold over")
        gx, gy = _slopes(inverse, SLOPES)
        px, py = _slopes(inverse, SIDE_SLOPES)
        det0, inverse0 = _inverse(*(centre[:, i, j, None] for i, j in np.ndindex(2, 2)))
        mode_x, mode_y = _slopes(inverse0, MODE_SLOPES)
        root = np.sqrt(RULE.weights * det)[:, :, None]
        stretch = np.sqrt(wall.membrane_stiffness)[:, None, None] * root
        bend = np.sqrt(wall.bending_stiffness)[:, None, None] * root
        slide = np.sqrt(wall.shear_stiffness)[:, None, None] * root
        ratio = stretch * (det0 / det)[:, :, None]
        membrane = quad_rows(wall, stretch * gx, stretch * gy, stretch * SHAPE, ratio * mode_x, ratio * mode_y)
        shear = _slopes(inverse, SIDE_SHEAR)
        bending = np.concatenate(
            [
                curvature_rows(wall, side, bend * gx, bend * gy, bend * px, bend * py),
                shear_rows(side, *(slide * side.length[:, None, :] * g for g in shear)),
            ],
            axis=1,
        )
        tilt = np.stack(_slopes(inverse0, SLOPES.mean(axis=1, keepdims=True)), axis=3)[:, 0]
        rows = wall.model_rows(wall.local_rows(membrane, bending, tilt))
        return StrainEnergy(rows, root[:, :, 0], root[:, :, 0])

    def _displacement_rows(self, batch: Batch, wall: Wall) -> tuple[Array, Array]:
        root = np.sqrt(MASS_RULE.weights * self._surface(batch, MASS_SLOPES))[:, :, None]
        return root * MASS_SHAPE, root * MASS_SIDE_SHAPE

    def _surface(self, batch: Batch, slopes: Array) -> Array:
        """Area of the true, perhaps warped surface per unit of the reference square (nel, npoint)."""
        along = np.matmul(slopes.reshape(-1, 4), batch.xyz).reshape(batch.size, 2, -1, 3)
        normal = np.cross(along[:, 0], along[:, 1])
        return np.sqrt((normal * normal).sum(axis=2))

    def _area_vectors(self, batch: Batch) -> Array:
        along = np.matmul(SLOPES.reshape(-1, 4), batch.xyz).reshape(batch.size, 2, -1, 3)
        return np.matmul((RULE.weights[:, None] * SHAPE).T, np.cross(along[:, 0], along[:, 1]))

    def _corner_areas(self, batch: Batch) -> Array:
        """Signed area of the parallelogram at each corner, seen along the normal (nel, 4)."""
        ahead = np.roll(batch.xyz, -1, axis=1) - batch.xyz
        normal = self.axes(batch)[:, None, 2]
        return (np.cross(np.roll(ahead, 1, axis=1), ahead) * normal).sum(axis=2)

    def size_measure(self, batch: Batch) -> Array:
        """Return the smallest parallelogram area at a corner; not positive where sides cross or fold inwards."""
        return self._corner_areas(batch).min(axis=1)

    def warping(self, batch: Batch) -> Array:
        """Return the distance of the nodes from the mean plane over the root of the area."""
        normal = self.axes(batch)[:, 2]
        height = 0.25 * np.abs(((batch.xyz * [[1.0], [-1.0], [1.0], [-1.0]]).sum(axis=1) * normal).sum(axis=1))
        area = np.abs(self._corner_areas(batch).mean(axis=1))
        return height / np.sqrt(np.where(area > 0.0, area, np.inf))


def _inverse(x_xi: Array, y_xi: Array, x_eta: Array, y_eta: Array) -> tuple[Array, tuple[Array, ...]]:
    """Return Jacobian determinants and ξ,x η,x ξ,y η,y."""
    det = x_xi * y_eta - y_xi * x_eta
    safe = np.where(det == 0.0, 1.0, det)
    return det, (y_eta / safe, -y_xi / safe, -x_eta / safe, x_xi / safe)


def _slopes(inverse: tuple[Array, ...], natural: Array) -> tuple[Array, Array]:
    """Return x and y derivatives (nel, npoint, n) from natural ones (2, npoint, n)."""
    xi_x, eta_x, xi_y, eta_y = (part[:, :, None] for part in inverse)
    return xi_x * natural[0] + eta_x * natural[1], xi_y * natural[0] + eta_y * natural[1]


register(Shell4())
