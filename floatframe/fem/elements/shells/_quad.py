"""Bilinear geometry of flat quadrilaterals, and their bending.

Rotations are those of the discrete Kirchhoff-Mindlin quadrilateral (DKMQ; Katili 1993). They represent constant
curvature exactly, but not the linear curvatures of a cubic deflection: the twist that belongs to a curvature growing
across the element is missing, and on skew elements a bulge along a side turns the wrong way. Both are added here as
curvatures of zero mean that vanish when the curvature is constant, so that patch tests hold. A third addition is
`_even_bulge`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from floatframe.arrays import Array
from floatframe.fem.elements import _gauss
from floatframe.fem.elements.shells._bending import Sides, curvature_rows, shear_rows, sides
from floatframe.fem.elements.shells._wall import Wall

CORNER = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
HOURGLASS = CORNER[:, 0] * CORNER[:, 1]

# part of the stiffness that frees waves in a regular mesh from errors of second order; the whole of it would make
# coarse plates with free edges too stiff (measured with NAFEMS FV12, FV15, FV16)
GRADIENT_STIFFNESS = 0.7


def side_slopes(at: Array) -> Array:
    """Derivatives (2, npoint, 4) of `side_functions` along ξ and η."""
    xi, eta = at[:, 0], at[:, 1]
    bulge_xi, bulge_eta = 0.5 * (1 - xi**2), 0.5 * (1 - eta**2)
    along_xi = [-xi * (1 - eta), bulge_eta, -xi * (1 + eta), -bulge_eta]
    along_eta = [-bulge_xi, -eta * (1 + xi), bulge_xi, -eta * (1 - xi)]
    return np.stack([np.stack(along_xi, axis=1), np.stack(along_eta, axis=1)])


def corner_functions(at: Array) -> Array:
    """Bilinear functions (npoint, 4)."""
    return 0.25 * (1.0 + at[:, :1] * CORNER[:, 0]) * (1.0 + at[:, 1:] * CORNER[:, 1])


def corner_slopes(at: Array) -> Array:
    """Their derivatives (2, npoint, 4) along ξ and η."""
    xi, eta = at[:, :1], at[:, 1:]
    return 0.25 * np.stack([CORNER[:, 0] * (1.0 + eta * CORNER[:, 1]), CORNER[:, 1] * (1.0 + xi * CORNER[:, 0])])


def side_functions(at: Array) -> Array:
    """Functions (npoint, 4) of sides 0-1, 1-2, 2-3, 3-0: quadratic along their own side and zero on the others."""
    xi, eta = at[:, 0], at[:, 1]
    bulge_xi, bulge_eta = 0.5 * (1 - xi**2), 0.5 * (1 - eta**2)
    return np.stack([bulge_xi * (1 - eta), bulge_eta * (1 + xi), bulge_xi * (1 + eta), bulge_eta * (1 - xi)], axis=1)


RULE = _gauss.square(2)
XI, ETA = RULE.points.T
SHAPE, SLOPES, SIDE_SLOPES = (f(RULE.points) for f in (corner_functions, corner_slopes, side_slopes))
# natural shear strains at the points per unit strain of sides of unit length; sides 2-3 and 3-0 run backwards
SIDE_SHEAR = 0.25 * np.stack(
    [
        np.stack([1 - ETA, 0 * ETA, -(1 + ETA), 0 * ETA], axis=1),
        np.stack([0 * XI, 1 + XI, 0 * XI, -(1 - XI)], axis=1),
    ]
)
# natural shear strains of the mean rotations of `_even_bulge`
EVEN_SHEAR = np.broadcast_to(np.eye(2)[:, None, :] / 3.0, (2, 4, 2))
CENTRE_SLOPES = corner_slopes(np.zeros((1, 2)))


@dataclass(frozen=True)
class Quad:
    """Flat quadrilaterals at the points of RULE and, with a 0, at their centres.

    det (nel, 4), dual (nel, 4, 2, 2): ∂(ξ, η)/∂(x, y), first index ξ or η; base0 (nel, 2, 2): rows ∂(x, y)/∂ξ, ∂η.
    """

    det: Array
    dual: Array
    base0: Array
    det0: Array
    dual0: Array

    def slopes(self, natural: Array) -> tuple[Array, Array]:
        """Return x and y derivatives (nel, 4, n) from natural ones (2, 4, n)."""
        first, second = self.dual[:, :, 0, :, None], self.dual[:, :, 1, :, None]
        return (
            first[:, :, 0] * natural[0] + second[:, :, 0] * natural[1],
            first[:, :, 1] * natural[0] + second[:, :, 1] * natural[1],
        )

    def slopes0(self, natural: Array) -> tuple[Array, Array]:
        """Return x and y derivatives (nel, npoint, n) taken with the centre Jacobian."""
        first, second = self.dual0[:, 0, :, None, None], self.dual0[:, 1, :, None, None]
        return (
            first[:, 0] * natural[0] + second[:, 0] * natural[1],
            first[:, 1] * natural[0] + second[:, 1] * natural[1],
        )


def quad_geometry(xy: Array) -> Quad:
    """Return Jacobians of quadrilaterals xy (nel, 4, 2)."""
    base = np.matmul(SLOPES.reshape(8, 4), xy).reshape(-1, 2, 4, 2).swapaxes(1, 2)
    base0 = np.matmul(CENTRE_SLOPES[:, 0], xy)
    det, dual = _inverse(base)
    det0, dual0 = _inverse(base0)
    return Quad(det, dual, base0, det0, dual0)


def _inverse(base: Array) -> tuple[Array, Array]:
    """Return determinants and the transposed inverse of (..., 2, 2) matrices; singular ones give zero determinant."""
    det = base[..., 0, 0] * base[..., 1, 1] - base[..., 0, 1] * base[..., 1, 0]
    safe = np.where(det == 0.0, 1.0, det)
    dual = np.empty_like(base)
    dual[..., 0, 0], dual[..., 0, 1] = base[..., 1, 1] / safe, -base[..., 1, 0] / safe
    dual[..., 1, 0], dual[..., 1, 1] = -base[..., 0, 1] / safe, base[..., 0, 0] / safe
    return det, dual


def bending_rows(wall: Wall, quad: Quad, root: Array, width: Array) -> Array:
    """Return rows (nel, 22, 4, 3) for (uz, rx, ry) of 4 nodes: 2 stabilising, curvatures, transverse shears.

    root (nel, 4): roots of the integration weights; width (nel, 4) as in `Around`.
    """
    nel = len(root)
    side = sides(wall, width)
    bend = (np.sqrt(wall.bending_stiffness)[:, None] * root * wall.taper(SHAPE) ** 1.5)[:, :, None]
    slide = (np.sqrt(wall.shear_stiffness)[:, None] * root * wall.taper(SHAPE) ** 0.5)[:, :, None]
    corner_slope = [bend * slope for slope in quad.slopes(SLOPES)]
    side_slope = [bend * slope for slope in quad.slopes(SIDE_SLOPES)]
    side_shear = [slide * side.length[:, None] * slope for slope in quad.slopes(SIDE_SHEAR)]
    growth = _rotation_growth(wall, quad, side)
    rows = np.empty((nel, 22, 4, 3))
    rows[:, :2] = np.matmul(_gradient_root(wall, quad), growth.reshape(nel, 2, 12)).reshape(nel, 2, 4, 3)
    rows[:, 2:14] = curvature_rows(wall, side, *corner_slope, *side_slope)
    scale = bend[:, :, 0] * quad.det0[:, None] / quad.det
    twist = (growth + _skew_bulge(quad, side)).reshape(nel, 2, 12)
    rows[:, 2:14] += np.matmul(_twist(wall, quad, scale), twist).reshape(nel, 12, 4, 3)
    rows[:, 14:] = shear_rows(wall, side, *side_shear)
    even = _even_bulge(wall, quad, side).reshape(nel, 2, 12)
    rows[:, 2:14] += np.matmul(_even_curvature(wall, quad, scale), even).reshape(nel, 12, 4, 3)
    even_shear = wall.shear.rows(*(slide * slope for slope in quad.slopes(EVEN_SHEAR)))
    rows[:, 14:] += np.matmul(even_shear.reshape(nel, 8, 2), even).reshape(nel, 8, 4, 3)
    return rows


def _even_bulge(wall: Wall, quad: Quad, side: Sides) -> Array:
    """Return b in the rotations βξ = b (1 - ξ²) / 2 and βη = b (1 - η²) / 2 (nel, 2, 4, 3) that narrow sides lack.

    What opposite sides have in common bends the element along itself. These curvatures have zero mean, so neighbours
    need not agree: the element may bulge as far as a rotation (1 - ξ²) (1 - η²) does, which no neighbour sees, and
    which the twist across the element holds back.
    """
    square = 4.0 * (quad.base0**2).sum(axis=2)
    c, s = np.moveaxis(2.0 * quad.base0 / np.sqrt(square)[:, :, None], 2, 0)
    along = wall.bending_along(c, s) / square
    across = wall.twist_along(c, s) * square / (16.0 * quad.det0[:, None] ** 2)
    relief = 1.0 / (1.0 + 12.0 / wall.shear_along(c, s) * np.maximum(along, across))
    given = 1.0 / (1.0 + side.phi)
    missing = np.maximum(relief - 0.5 * (given[:, :2] + given[:, 2:]), 0.0)
    whole = (side.length / given)[:, :, None, None] * side.amplitude
    return 0.5 * missing[:, :, None, None] * (whole[:, :2] - whole[:, 2:])


def _even_curvature(wall: Wall, quad: Quad, scale: Array) -> Array:
    """Return the curvatures (nel, 12, 2) of rotations (1 - ξ²) / 2 and (1 - η²) / 2 along ξ and η."""
    x, y = np.moveaxis(quad.dual0, 2, 0)
    bent = wall.bending.rows(x * x, y * y, 2.0 * x * y)
    return -(bent[:, :, None] * (scale[:, :, None] * RULE.points)[:, None]).reshape(-1, 12, 2)


def _rotation_growth(wall: Wall, quad: Quad, side: Sides) -> Array:
    """Return c in βξ = c ξη and in βη = c ξη (nel, 2, 4, 3), zero for every linear rotation field.

    Shear deformation unties rotation from deflection, so that thick plates have less of it.
    """
    gx, gy = quad.slopes0(CENTRE_SLOPES)
    offset = np.matmul(HOURGLASS, wall.xy)
    gamma = 0.25 * (HOURGLASS - offset[:, :1] * gx[:, 0] - offset[:, 1:] * gy[:, 0])
    thin = 1.0 / (1.0 + np.stack([side.phi[:, 0::2].mean(axis=1), side.phi[:, 1::2].mean(axis=1)], axis=1))
    along = quad.base0 * thin[:, :, None]
    growth = np.zeros((len(gamma), 2, 4, 3))
    growth[..., 1] = -along[:, :, 1, None] * gamma[:, None]
    growth[..., 2] = along[:, :, 0, None] * gamma[:, None]
    return growth


def _skew_bulge(quad: Quad, side: Sides) -> Array:
    """Return what bulges along the sides of one direction turn about the other direction by mistake (nel, 2, 4, 3)."""
    bulge = np.zeros((len(side.c), 2, 4, 3))
    for k in range(4):
        direction = k % 2
        other = quad.base0[:, 1 - direction]
        lean = side.c[:, k] * other[:, 0] + side.s[:, k] * other[:, 1]
        bulge[:, direction] += lean[:, None, None] * side.amplitude[:, k]
    return bulge


def _twist(wall: Wall, quad: Quad, scale: Array) -> Array:
    """Return the curvatures (nel, 12, 2) of twists ξ and η in the directions ξ, η."""
    (xi_x, xi_y), (eta_x, eta_y) = quad.dual0[:, 0].T, quad.dual0[:, 1].T
    twist = wall.bending.rows(xi_x * eta_x, xi_y * eta_y, xi_x * eta_y + xi_y * eta_x)
    return (twist[:, :, None, None] * (scale[:, :, None] * RULE.points)[:, None]).reshape(-1, 12, 2)


def _gradient_root(wall: Wall, quad: Quad) -> Array:
    """Return the root (nel, 2, 2) of the stiffness against growing rotations.

    Nodal values of a plane wave give mean curvatures that are too small by terms of second order in size over wave
    length; on a mesh of parallelograms this stiffness makes the energy right again up to fourth order.
    """
    (xi_x, xi_y), (eta_x, eta_y) = quad.dual0[:, 0].T, quad.dual0[:, 1].T
    # curvatures along ξ, along η and between both, as rows of energy
    first = wall.bending.rows(xi_x**2, xi_y**2, 2.0 * xi_x * xi_y)
    second = wall.bending.rows(eta_x**2, eta_y**2, 2.0 * eta_x * eta_y)
    mixed = wall.bending.rows(xi_x * eta_x, xi_y * eta_y, xi_x * eta_y + xi_y * eta_x)
    common = np.maximum((first * second).sum(axis=1), 0.0)  # keeps the stiffness positive
    x11, x22 = (first**2).sum(axis=1) + common, (second**2).sum(axis=1) + common
    x12 = (mixed * (first + second)).sum(axis=1)
    upper = np.zeros((len(x11), 2, 2))
    upper[:, 0, 0] = np.sqrt(x11)
    upper[:, 0, 1] = x12 / np.where(x11 > 0.0, upper[:, 0, 0], 1.0)
    upper[:, 1, 1] = np.sqrt(np.maximum(x22 - upper[:, 0, 1] ** 2, 0.0))
    scale = GRADIENT_STIFFNESS * wall.bending_stiffness * 8.0 / 3.0 * quad.det0
    return upper * np.sqrt(scale)[:, None, None]
