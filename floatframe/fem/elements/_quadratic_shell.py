"""What the curved shells with mid-side nodes have in common: first-order shear theory on a quadratic mid-surface.

Strains are those of a wall whose normals stay straight. Stretches and shears across the wall are assumed, tied to the
true ones where thin walls do not lock; a bubble inside the element follows without forces.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, cast

import numpy as np

from floatframe.arrays import Array
from floatframe.fem.elements._arms import arm_work
from floatframe.fem.elements._assumed_strain import Tie
from floatframe.fem.elements._curved_surface import (
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
from floatframe.fem.elements._gauss import Rule
from floatframe.fem.elements._rigid_masses import rigid_masses
from floatframe.fem.elements._shell import FORMS, ROTARY, FlatShell
from floatframe.fem.elements._shell_wall import direction_of, nodal_thickness, require_shape, unit
from floatframe.fem.elements._solid import with_first_moments
from floatframe.fem.elements.base import Batch, Element, SecondOrder
from floatframe.fem.masses import skew
from floatframe.fem.sections import WallSection
from floatframe.fem.wall_law import WallLaw, wall_law

DRILLING = 1e-3  # of the stiffness in shear: turning about the normal must cost something, but should not be felt
AT_ONCE = 64  # elements whose working arrays stay in cache


@dataclass(frozen=True)
class Strains:
    """Rows (nel, npoint, 8, ncolumn) of strains in the axes (nel, npoint, 3, 3) at points with areas (nel, npoint).

    Columns are the dofs of the nodes, then those of the bubble.
    """

    rows: Array
    axes: Array
    area: Array


class QuadraticShell(Element):
    """A curved wall: corners first, then the middles of the sides; normals are those of the element itself.

    Local z is the normal by the right-hand rule round the nodes, local x runs along the first reference coordinate.
    Resultants per unit length at a node refer to the axes at that node: N and Q [N/m], M [N]; a positive moment
    stretches the face on the +z side.
    """

    dof_per_node = 6
    dimension = 2
    section_type = FlatShell.section_type
    data_names = FlatShell.data_names
    resultant_names = FlatShell.resultant_names

    edges: ClassVar[tuple[tuple[int, int], ...]]  # node corners + k lies on edge k
    reference_nodes: ClassVar[Array]  # (nnode, 2)
    centre: ClassVar[Array]  # (2,)
    rule: ClassVar[Rule]
    stress_rule: ClassVar[Rule]  # where stresses are most accurate
    membrane: ClassVar[Tie]
    shear: ClassVar[Tie]
    moving_bubble: ClassVar[bool]  # whether the bubble moves, or turns only

    # shape functions

    def shape(self, points: Array) -> Array:
        """Return (npoint, nnode + 1) shape functions, the bubble last, at reference points (npoint, 2)."""
        raise NotImplementedError

    def slopes(self, points: Array) -> Array:
        """Return (2, npoint, nnode + 1) their slopes."""
        raise NotImplementedError

    def to_nodes(self) -> Array:
        """Return (nnode, npoint): from values at the points of `stress_rule` to the nodes."""
        raise NotImplementedError

    def table(self, points: Array) -> Table:
        return Table(self.shape(points), self.slopes(points))

    @cached_property
    def _tables(self) -> dict[str, Table]:
        places = {"rule": self.rule.points, "stress": self.stress_rule.points}
        places |= {"membrane": self.membrane.points, "shear": self.shear.points}
        places |= {"nodes": self.reference_nodes, "centre": self.centre[None]}
        # close to the nodes, where quarter points and folded corners show
        places["inside"] = self.centre + 0.99 * (self.reference_nodes - self.centre)
        return {name: self.table(points) for name, points in places.items()}

    @cached_property
    def _assumed(self) -> dict[str, tuple[Array, Array]]:
        rules = {"rule": self.rule, "stress": self.stress_rule}
        return {name: (self.membrane.at(r.points), self.shear.at(r.points)) for name, r in rules.items()}

    # matrices

    def stiffness(self, batch: Batch) -> Array:
        K = np.empty((batch.size, self.ndof, self.ndof))
        for part, piece in _pieces(batch):
            K[part] = self._condensed(piece)[0]
        return K

    def _condensed(self, batch: Batch) -> tuple[Array, Array]:
        """Return stiffness matrices (nel, ndof, ndof) and how the bubble follows the nodes (nel, nbubble, ndof)."""
        n = self.ndof
        strains, law = self._strains(batch), self._law(batch, "rule")
        weighted = np.matmul(_stiffness_of(law) * strains.area[..., None, None], strains.rows)
        shape = batch.size, -1, strains.rows.shape[3]
        K = np.matmul(strains.rows.reshape(shape).swapaxes(1, 2), weighted.reshape(shape))
        K = 0.5 * (K + K.swapaxes(1, 2))
        drill = (
            self._drilling_rows(batch, strains)
            * np.sqrt(_drilling_of(law, _wall(batch).thickness) * strains.area)[:, :, None]
        )
        follow = _following(K[:, n:, n:], K[:, n:, :n])
        slack = np.matmul(K[:, :n, n:], follow)
        whole = K[:, :n, :n] + 0.5 * (slack + slack.swapaxes(1, 2)) + np.matmul(drill.swapaxes(1, 2), drill)
        return whole, follow

    def _strains(self, batch: Batch, where: str = "rule") -> Strains:
        xyz, normals = self._mid_surface(batch)
        table, rule = self._tables[where], self.rule if where == "rule" else self.stress_rule
        at = surface(xyz, normals, table)
        axes = turned_axes(self.axes(batch), unit(np.cross(at.tangents[0], at.tangents[1])))
        plane, across, area = cartesian(at.tangents, axes)
        require_shape(batch, np.all(area > 0.0, axis=1), "its sides cross or fold inwards")
        nel, npoint = area.shape
        rows = np.zeros((nel, npoint, 8, self.nnode + 1, 6))
        rows[:, :, 3:6] = curvature_rows(at, table, plane)
        # true stretches are the curvature of v in place of φ
        share = area * rule.weights / (area @ rule.weights)[:, None]
        mean = np.einsum("ep,epcnx->ecnx", share, rows[:, :, 3:6, :, 3:]).reshape(nel, 3, -1)
        rows[:, :, :3, :, :3] = self._stretches(batch, xyz, normals, plane, mean, share, where)
        ties = self._tables["shear"]
        tied = _tied(self._assumed[where][1], shear_rows(surface(xyz, normals, ties), ties, self.shear.directions))
        rows[:, :, 6:] = np.einsum("epac,epcnx->epanx", across, tied)
        return Strains(self._columns(batch, rows, normals), axes, area * rule.weights)

    def _stretches(
        self, batch: Batch, xyz: Array, normals: Array, plane: Array, mean: Array, share: Array, where: str
    ) -> Array:
        """Return rows (nel, npoint, 3, nnode + 1, 3) on v of the assumed stretches x, y, xy.

        What is tied are the changes from the mean of the true ones (nel, 3, ...), so that constant stretches of a plane
        wall stay constant whatever its sides; and the mean is kept, so that constant forces are in balance.
        """
        ties = self._tables["membrane"]
        at = surface(xyz, normals, ties)
        back = turned_axes(self.axes(batch), unit(np.cross(at.tangents[0], at.tangents[1])))
        constant = np.linalg.inv(cartesian(at.tangents, back)[0])
        rows = membrane_rows(at, ties, self.membrane.directions)
        tied = np.concatenate(
            [rows.reshape(*rows.shape[:2], -1), np.einsum("tc,etca->eta", self.membrane.directions, constant)], axis=2
        )
        found = np.matmul(plane, _tied(self._assumed[where][0], tied))
        changed, same = found[..., :-3], found[..., -3:]
        changed += np.matmul(np.eye(3) - same, mean[:, None])
        changed += (mean - np.einsum("ep,epcn->ecn", share, changed))[:, None]
        return changed.reshape(*changed.shape[:3], self.nnode + 1, 3)

    def _columns(self, batch: Batch, rows: Array, normals: Array) -> Array:
        """Return rows on the dofs of nodes and bubble from rows (nel, npoint, nrow, nnode + 1, 6) on v and φ."""
        nel, npoint, nrow = rows.shape[:3]
        flat = rows.reshape(nel, npoint * nrow, -1, 6)
        nodal = on_nodes(flat[:, :, :-1], normals, _offset(batch)).reshape(nel, npoint * nrow, -1)
        bubble = flat[:, :, -1]
        plane = self.axes(batch)[:, :2]
        own = [np.matmul(bubble[..., 3:], plane.swapaxes(1, 2))]
        if self.moving_bubble:
            own = [bubble[..., :3], *own]
        return np.concatenate([nodal, *own], axis=2).reshape(nel, npoint, nrow, -1)

    def _drilling_rows(self, batch: Batch, strains: Strains) -> Array:
        """Rows (nel, npoint, ndof): how much the rotations about the normal differ from the turning of the surface."""
        xyz, normals = self._mid_surface(batch)
        table = self._tables["rule"]
        shape, (r, s) = table.shape[:, :-1], table.slopes[..., :-1]
        along_r, along_s = surface(xyz, normals, table).tangents
        double = (strains.area / self.rule.weights)[..., None, None] * 2.0
        turning = (r[..., None] * along_s[:, :, None] - s[..., None] * along_r[:, :, None]) / double
        rows = np.zeros((*turning.shape[:3], 6))
        rows[..., :3] = -turning
        rows = on_nodes(rows, normals, _offset(batch))
        rows[..., 3:] += shape[:, :, None] * strains.axes[:, :, None, 2]
        return rows.reshape(*turning.shape[:2], -1)

    def mass(self, batch: Batch) -> Array:
        M = np.empty((batch.size, self.ndof, self.ndof))
        for part, piece in _pieces(batch):
            rows = self._motions(piece)
            followed = rows[..., : self.ndof] + np.matmul(rows[..., self.ndof :], self._condensed(piece)[1])
            M[part] = np.matmul(followed.swapaxes(1, 2), followed)
        return M

    def mass_on_nodes(self, batch: Batch) -> Array:
        """Return (nel, ndof, ndof) mass matrices of walls that move as the functions of their nodes alone have it."""
        M = np.empty((batch.size, self.ndof, self.ndof))
        for part, piece in _pieces(batch):
            rows = self._motions(piece)[..., : self.ndof]
            M[part] = np.matmul(rows.swapaxes(1, 2), rows)
        return M

    def _motions(self, batch: Batch) -> Array:
        """Return rows (nel, nrow, ncolumn) whose squares are the mass, on the dofs of nodes and bubble."""
        xyz, normals = self._mid_surface(batch)
        table, law = self._tables["rule"], self._law(batch, "rule")
        area = np.sqrt((area_vectors(xyz, table.slopes[..., :-1]) ** 2).sum(axis=2)) * self.rule.weights
        nel, npoint = area.shape
        height, turning = _about_centre(law)
        # motion of the centre of mass, turning of the wall and turning about its normal, times roots of mass
        moved, turned = (table.shape * np.sqrt(part * area)[..., None] for part in (law.m0, turning))
        rows = np.zeros((nel, npoint, 7, self.nnode + 1, 6))
        for k in range(3):
            rows[:, :, k, :, k], rows[:, :, 3 + k, :, 3 + k] = moved, turned
            rows[:, :, k, :, 3 + k] = height[..., None] * moved
        rows = self._columns(batch, rows, normals)
        about = np.sqrt(ROTARY[2]) * turned[:, :, :-1, None] * normals[:, None]
        rows[:, :, 6, : self.ndof].reshape(nel, npoint, -1, 6)[..., 3:] = about
        return rows.reshape(nel, 7 * npoint, -1)

    def lumped_mass(self, batch: Batch) -> Array:
        """Return the diagonal of the mass of the nodes' functions, scaled to the whole mass (Hinton 1976).

        It is changed as little as moves its centre to that of the element in its mean plane. Diagonal (nel, ndof)
        without offset, with it (nel, ndof, ndof): a rigid mass at the end of each arm.
        """
        xyz, normals = self._mid_surface(batch)
        table, n = self._tables["rule"], self.nnode
        law = self._law(batch, "rule")
        area = np.sqrt((area_vectors(xyz, table.slopes[..., :n]) ** 2).sum(axis=2)) * self.rule.weights
        mass, shape = law.m0 * area, table.shape[:, :n]
        plane = np.matmul(xyz - xyz.mean(axis=1, keepdims=True), self.axes(batch)[:, :2].swapaxes(1, 2))
        total = mass.sum(axis=1)
        weightless = total == 0.0
        mass = np.where(weightless[:, None], area, mass)
        nodal = mass @ shape**2
        nodal *= (mass.sum(axis=1) / nodal.sum(axis=1))[:, None]
        nodal = with_first_moments(nodal, plane, np.einsum("ep,pn,enx->ex", mass, shape, plane))
        share = nodal / mass.sum(axis=1)[:, None]
        height, turning = _about_centre(law)
        # the same about every axis, because a diagonal must not depend on the directions of the model axes
        rotary = share * (turning * area).sum(axis=1)[:, None]
        nodal = share * total[:, None]
        arms = (_offset(batch) + height.mean(axis=1))[:, None, None] * normals
        return rigid_masses(nodal, np.repeat(rotary[:, :, None], 3, axis=2), arms)

    # stresses and loads

    def resultants(self, batch: Batch, u: Array) -> Array:
        found = np.empty((batch.size, self.nnode, 8))
        for part, piece in _pieces(batch):
            values = self._forces(piece, u[part, :, None], "stress")[..., 0]
            found[part] = np.matmul(self.to_nodes(), values)
        return found

    def _forces(self, batch: Batch, u: Array, where: str) -> Array:
        """Return forces and moments per length (nel, npoint, 8, k) for displacements u (nel, ndof, k)."""
        whole = np.concatenate([u, np.matmul(self._condensed(batch)[1], u)], axis=1)
        strains = np.matmul(self._strains(batch, where).rows, whole[:, None])
        return np.matmul(_stiffness_of(self._law(batch, where)), strains)

    def second_order(self, batch: Batch, states: Array, motions: Array) -> list[SecondOrder]:
        """The membrane forces alone: thin walls do not buckle by moments of their own."""
        nel, n = batch.size, self.nnode
        xyz, normals = self._mid_surface(batch)
        table = self._tables["rule"]
        at = surface(xyz, normals, table)
        normal = unit(np.cross(at.tangents[0], at.tangents[1]))
        _, across, area = cartesian(at.tangents, turned_axes(self.axes(batch), normal))
        slopes = np.einsum("epak,kpn->epan", across, table.slopes[..., :n])
        # of ux, uy, uz of the mid-surface along x, then along y
        turns = motions.reshape(nel, n, 6, -1)
        moved = turns[:, :, :3]
        if _offset(batch):
            moved = moved - np.matmul(skew(_offset(batch) * normals), turns[:, :, 3:])
        found = np.matmul(slopes.reshape(nel, -1, n), moved.reshape(nel, n, -1))
        found = found.reshape(nel, -1, 6, motions.shape[2])
        stress = self._forces(batch, states, "rule")[:, :, :3] * (area * self.rule.weights)[..., None, None]
        work = [SecondOrder(stress, found, FORMS)]
        if _offset(batch):
            force = np.matmul(self._condensed(batch)[0], states).reshape(nel, n, 6, -1)
            arms = _offset(batch) * normals
            work += [arm_work(force[:, k, :3], arms[:, k], turns[:, k, 3:]) for k in range(n)]
        return work

    def geometric_stiffness(self, batch: Batch, u: Array) -> Array | None:
        K = np.empty((batch.size, self.ndof, self.ndof))
        for part, piece in _pieces(batch):
            K[part] = super().geometric_stiffness(piece, u[part])
        return K

    def pressure_load(self, batch: Batch, face: int, pressure: Array) -> Array:
        """Return (nel, ndof) loads of a pressure on the +z side, the only face."""
        table = self._tables["rule"]
        loads = np.zeros((batch.size, self.nnode, 6))
        normal = area_vectors(batch.xyz, table.slopes[..., :-1]) * self.rule.weights[:, None]
        loads[:, :, :3] = -np.asarray(pressure)[:, None, None] * np.matmul(table.shape[:, :-1].T, normal)
        return loads.reshape(batch.size, -1)

    # geometry

    def axes(self, batch: Batch) -> Array:
        slopes = self._tables["centre"].slopes[:, :, :-1]
        along, across = np.matmul(slopes[:, 0], batch.xyz).swapaxes(0, 1)
        x, z = unit(along), unit(np.cross(along, across))
        return np.stack([x, np.cross(z, x), z], axis=1)

    def normals(self, batch: Batch) -> Array:
        """Return unit normals (nel, nnode, 3) at the nodes."""
        at_nodes, inside = (area_vectors(batch.xyz, self._tables[k].slopes[..., :-1]) for k in ("nodes", "inside"))
        length, usual = (np.sqrt((v**2).sum(axis=2, keepdims=True)) for v in (at_nodes, inside))
        return unit(np.where(length > 1e-3 * usual, at_nodes, inside))

    def node_axes(self, batch: Batch) -> Array:
        return turned_axes(self.axes(batch), self.normals(batch))

    def _mid_surface(self, batch: Batch) -> tuple[Array, Array]:
        """Return places and normals of the mid-surface at the nodes (nel, nnode, 3)."""
        normals = self.normals(batch)
        return batch.xyz + _offset(batch) * normals, normals

    def size_measure(self, batch: Batch) -> Array:
        """Return the smallest area per unit of the reference shape, seen along the normal of the middle, times that
        shape."""
        slopes = np.concatenate([self._tables[k].slopes[..., :-1] for k in ("inside", "rule")], axis=1)
        seen = np.matmul(area_vectors(batch.xyz, slopes), self.axes(batch)[:, 2, :, None])[..., 0]
        return seen.min(axis=1) * self.rule.weights.sum()

    # law

    def _law(self, batch: Batch, where: str) -> WallLaw:
        """Return the law of the wall at points, in the axes there."""
        table, wall = self._tables[where], _wall(batch)
        normals = unit(area_vectors(self._mid_surface(batch)[0], table.slopes[..., :-1]))
        axes = turned_axes(self.axes(batch), normals)
        thickness = np.matmul(nodal_thickness(batch, wall), table.shape[:, :-1].T)
        return wall_law(wall, batch.material, axes, thickness, direction_of(batch))


def _stiffness_of(law: WallLaw) -> Array:
    """Return (nel, npoint, 8, 8) from stretches, curvatures and shears to forces and moments per length."""
    C = np.zeros((*law.A.shape[:-2], 8, 8))
    C[..., :3, :3], C[..., 3:6, 3:6], C[..., 6:, 6:] = law.A, law.D, law.S
    C[..., :3, 3:6] = C[..., 3:6, :3] = law.B
    return C


def _drilling_of(law: WallLaw, thickness: float) -> Array:
    """Return the stiffness (nel, npoint) [N/m] against turning about the normal; a wall may have no A or no D."""
    return DRILLING * np.maximum(law.A[..., 2, 2], 12.0 * law.D[..., 2, 2] / thickness**2)


def _about_centre(law: WallLaw) -> tuple[Array, Array]:
    """Return how high the centre of mass lies over the mid-surface [m], and the second moment about it [kg]."""
    height = np.divide(law.m1, law.m0, out=np.zeros_like(law.m0), where=law.m0 > 0.0)
    return height, np.maximum(law.m2 - height * law.m1, 0.0)


def _tied(to_points: Array, rows: Array) -> Array:
    """Return rows (nel, npoint, ncomponent, ...) at points from those at the ties (nel, ntie, ...)."""
    found = np.tensordot(to_points, rows, axes=(2, 1))
    return np.moveaxis(found, 2, 0)


def _wall(batch: Batch) -> WallSection:
    return cast(WallSection, batch.section)


def _offset(batch: Batch) -> float:
    return _wall(batch).offset


def _following(own: Array, pulled: Array) -> Array:
    """Return (nel, nbubble, ndof): how the bubble follows the nodes; where nothing resists it, not at all."""
    scale = np.sqrt(np.diagonal(own, axis1=1, axis2=2))[:, :, None]
    scale = np.divide(1.0, scale, out=np.zeros_like(scale), where=scale > 0.0)
    inverse = np.linalg.pinv(own * scale * scale.swapaxes(1, 2), rcond=1e-12, hermitian=True)
    return -scale * np.matmul(inverse, scale * pulled)


def _pieces(batch: Batch) -> Iterator[tuple[slice, Batch]]:
    """Yield (rows, batch) parts so small that the working arrays stay in cache."""
    for start in range(0, batch.size, AT_ONCE):
        part = np.arange(start, min(start + AT_ONCE, batch.size))
        yield slice(start, start + len(part)), batch.picked(part)
