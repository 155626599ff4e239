"""Curved shell elements at work: their mid-surface, the rows of their strains and motions, and the law of the wall.

Stretches and shears across the wall are assumed, tied to the true ones where thin walls do not lock.
Rows have columns for the dofs of the nodes, then for those of a bubble inside the element.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import numpy as np

from floatframe.arrays import Array
from floatframe.fem.elements.base import Batch
from floatframe.fem.elements.shells._assumed_strain import Tie
from floatframe.fem.elements.shells._curved_surface import (
    Surface,
    Table,
    area_vectors,
    cartesian,
    curvature_rows,
    membrane_rows,
    on_nodes,
    shear_rows,
    surface,
    turned_axes,
)
from floatframe.fem.elements.shells._flat import ROTARY
from floatframe.fem.elements.shells._wall import direction_of, nodal_thickness, require_shape, unit
from floatframe.fem.properties import WallLaw, WallSection, wall_law

DRILLING = 1e-3  # of the stiffness in shear: turning about the normal must cost something, but should not be felt

FOLDED = -0.5  # cosine of the angle to the normal in the middle: no wall bends that far within an element


@dataclass(frozen=True)
class Reference:
    """What all elements of a kind share: functions at the points "rule", "stress", "nodes", "inside", "centre" and at
    those of the ties, the weights of the first two, and how assumed strains there follow from what is tied.
    """

    tables: dict[str, Table]
    weights: dict[str, Array]
    membrane: Tie
    shear: Tie
    assumed: dict[str, tuple[Array, Array]]
    moving_bubble: bool

    @property
    def nnode(self) -> int:
        return self.tables["rule"].shape.shape[1] - 1


@dataclass(frozen=True)
class Points:
    """Points of elements: axes (nel, npoint, 3, 3), area (nel, npoint) that belongs to each, and what turns strains
    along r, s into those along x, y: in the plane (.., 3, 3) and across it (.., 2, 2).
    """

    where: str
    surface: Surface
    axes: Array
    plane: Array
    across: Array
    area: Array


@dataclass(frozen=True)
class CurvedWall:
    """Elements by the places of their mid-surface and their normals at the nodes (nel, nnode, 3), and axes (nel, 3, 3)
    as rows in their middle."""

    batch: Batch
    reference: Reference
    xyz: Array
    normals: Array
    axes: Array

    @classmethod
    def of(cls, batch: Batch, reference: Reference) -> CurvedWall:
        section = cast(WallSection, batch.section)
        normals = node_normals(batch.xyz, reference)
        return cls(batch, reference, batch.xyz + section.offset * normals, normals, middle_axes(batch.xyz, reference))

    @property
    def section(self) -> WallSection:
        return cast(WallSection, self.batch.section)

    @property
    def offset(self) -> float:
        """From the nodes to the mid-surface along the normal [m]."""
        return self.section.offset

    def points(self, where: str) -> Points:
        at = surface(self.xyz, self.normals, self.reference.tables[where])
        normals = unit(np.cross(at.tangents[0], at.tangents[1]))
        seen = (normals * self.axes[:, None, 2]).sum(axis=2)
        require_shape(self.batch, np.all(seen > FOLDED, axis=1), "its sides cross or fold inwards")
        axes = turned_axes(self.axes, normals)
        plane, across, area = cartesian(at.tangents, axes)
        return Points(where, at, axes, plane, across, area * self.reference.weights[where])

    def law(self, points: Points) -> WallLaw:
        """Return the law of the wall in the axes at points."""
        thickness = self.thickness(points)
        return wall_law(self.section, self.batch.material, points.axes, thickness, direction_of(self.batch))

    def thickness(self, points: Points) -> Array:
        """Return the thickness (nel, npoint) at points."""
        shape = self.reference.tables[points.where].shape[:, :-1]
        return np.matmul(nodal_thickness(self.batch, self.section), shape.T)

    # strains

    def strain_rows(self, points: Points) -> Array:
        """Return (nel, npoint, 8, ncolumn): stretches x, y, xy, changes of curvature x, y, xy and shears x, y."""
        nel, npoint = points.area.shape
        table, ties = self.reference.tables[points.where], self.reference.tables["shear"]
        rows = np.zeros((nel, npoint, 8, self.reference.nnode + 1, 6))
        rows[:, :, 3:6] = curvature_rows(points.surface, table, points.plane)
        # true stretches are on v what true curvatures are on φ
        rows[:, :, :3, :, :3] = self._assumed_stretches(points, rows[:, :, 3:6, :, 3:])
        true = shear_rows(surface(self.xyz, self.normals, ties), ties, self.reference.shear.directions)
        assumed = _tied(self.reference.assumed[points.where][1], true)
        rows[:, :, 6:] = np.einsum("epac,epcnx->epanx", points.across, assumed)
        return self.columns(rows)

    def _assumed_stretches(self, points: Points, true: Array) -> Array:
        """Return rows (nel, npoint, 3, nshape, 3) on v of stretches x, y, xy, alike the true ones.

        What is tied are the changes from the mean of the true ones, so that constant stretches of a plane wall stay
        constant whatever its sides; and the mean is kept, so that constant forces are in balance.
        """
        ties, directions = self.reference.tables["membrane"], self.reference.membrane.directions
        at = surface(self.xyz, self.normals, ties)
        axes = turned_axes(self.axes, unit(np.cross(at.tangents[0], at.tangents[1])))
        rows = membrane_rows(at, ties, directions)
        # per unit of constant stretches x, y, xy
        constant = np.einsum("tc,etca->eta", directions, np.linalg.inv(cartesian(at.tangents, axes)[0]))
        both = np.concatenate([rows.reshape(*rows.shape[:2], -1), constant], axis=2)
        both = np.matmul(points.plane, _tied(self.reference.assumed[points.where][0], both))
        assumed, of_constant = both[..., :-3], both[..., -3:]
        share = points.area / points.area.sum(axis=1, keepdims=True)
        mean = np.einsum("ep,epcn->ecn", share, true.reshape(*true.shape[:3], -1))
        assumed += np.matmul(np.eye(3) - of_constant, mean[:, None])
        assumed += (mean - np.einsum("ep,epcn->ecn", share, assumed))[:, None]
        return assumed.reshape(true.shape)

    def columns(self, rows: Array) -> Array:
        """Return rows on the dofs of nodes and bubble from rows (nel, npoint, nrow, nshape, 6) on v and φ."""
        nel, npoint, nrow = rows.shape[:3]
        flat = rows.reshape(nel, npoint * nrow, -1, 6)
        nodal = on_nodes(flat[:, :, :-1], self.normals, self.offset).reshape(nel, npoint * nrow, -1)
        bubble = flat[:, :, -1]
        own = [np.matmul(bubble[..., 3:], self.axes[:, :2].swapaxes(1, 2))]
        if self.reference.moving_bubble:
            own = [bubble[..., :3], *own]
        return np.concatenate([nodal, *own], axis=2).reshape(nel, npoint, nrow, -1)

    def drilling_rows(self, points: Points, law: WallLaw) -> Array:
        """Return (nel, npoint, ndof): the roots of the energy of rotations about the normal that the surface does not
        turn by; a wall may have no A or no D."""
        table = self.reference.tables[points.where]
        shape, (r, s) = table.shape[:, :-1], table.slopes[..., :-1]
        along_r, along_s = points.surface.tangents
        double = 2.0 * (points.area / self.reference.weights[points.where])[..., None, None]
        rows = np.zeros((*points.area.shape, self.reference.nnode, 6))
        rows[..., :3] = (s[..., None] * along_r[:, :, None] - r[..., None] * along_s[:, :, None]) / double
        rows = on_nodes(rows, self.normals, self.offset)
        rows[..., 3:] += shape[:, :, None] * points.axes[:, :, None, 2]
        stiffness = np.maximum(law.A[..., 2, 2], 12.0 * law.D[..., 2, 2] / self.thickness(points) ** 2)
        root = np.sqrt(DRILLING * stiffness * points.area)
        return root[..., None] * rows.reshape(*root.shape, -1)

    # motions

    def motion_rows(self, points: Points, law: WallLaw) -> Array:
        """Return rows (nel, nrow, ncolumn) whose squares are the mass."""
        nel, npoint = points.area.shape
        shape = self.reference.tables[points.where].shape
        height, turning = about_centre(law)
        # motion of the centre of mass, turning of the wall and turning about its normal, times roots of mass
        moved, turned = (shape * np.sqrt(part * points.area)[..., None] for part in (law.m0, turning))
        rows = np.zeros((nel, npoint, 7, shape.shape[1], 6))
        for k in range(3):
            rows[:, :, k, :, k], rows[:, :, 3 + k, :, 3 + k] = moved, turned
            rows[:, :, k, :, 3 + k] = height[..., None] * moved
        found = self.columns(rows)
        ndof = 6 * self.reference.nnode
        about = np.sqrt(ROTARY[2]) * turned[:, :, :-1, None] * self.normals[:, None]
        found[:, :, 6, :ndof].reshape(nel, npoint, -1, 6)[..., 3:] = about
        return found.reshape(nel, 7 * npoint, -1)


def middle_axes(xyz: Array, reference: Reference) -> Array:
    """Return axes (nel, 3, 3) as rows in the middle of elements: x along r, z along the normal."""
    slopes = reference.tables["centre"].slopes[:, 0, :-1]
    along, across = np.matmul(slopes, xyz).swapaxes(0, 1)
    x, z = unit(along), unit(np.cross(along, across))
    return np.stack([x, np.cross(z, x), z], axis=1)


def node_normals(xyz: Array, reference: Reference) -> Array:
    """Return unit normals (nel, nnode, 3) at the nodes; where sides meet without an angle, those close to them."""
    at_nodes, inside = (area_vectors(xyz, reference.tables[k].slopes[..., :-1]) for k in ("nodes", "inside"))
    length, usual = (np.sqrt((v**2).sum(axis=2, keepdims=True)) for v in (at_nodes, inside))
    return unit(np.where(length > 1e-3 * usual, at_nodes, inside))


def stiffness_of(law: WallLaw) -> Array:
    """Return (nel, npoint, 8, 8) from stretches, curvatures and shears to forces and moments per length."""
    C = np.zeros((*law.A.shape[:-2], 8, 8))
    C[..., :3, :3], C[..., 3:6, 3:6], C[..., 6:, 6:] = law.A, law.D, law.S
    C[..., :3, 3:6] = C[..., 3:6, :3] = law.B
    return C


def about_centre(law: WallLaw) -> tuple[Array, Array]:
    """Return how high the centre of mass lies over the mid-surface [m], and the second moment about it [kg]."""
    height = np.divide(law.m1, law.m0, out=np.zeros_like(law.m0), where=law.m0 > 0.0)
    return height, np.maximum(law.m2 - height * law.m1, 0.0)


def _tied(to_points: Array, rows: Array) -> Array:
    """Return rows (nel, npoint, ncomponent, ...) at points from those at the ties (nel, ntie, ...)."""
    return np.moveaxis(np.tensordot(to_points, rows, axes=(2, 1)), 2, 0)
