"""What the curved shells with mid-side nodes have in common: first-order shear theory on a quadratic mid-surface.

Normals stay straight. A bubble inside the element follows the nodes without forces.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from functools import cached_property
from typing import ClassVar

import numpy as np

from floatframe.arrays import Array, skew
from floatframe.fem.elements._arms import arm_work
from floatframe.fem.elements._gauss import Rule
from floatframe.fem.elements._rigid_masses import rigid_masses
from floatframe.fem.elements.base import Batch, Element, SecondOrder
from floatframe.fem.elements.shells._assumed_strain import Tie
from floatframe.fem.elements.shells._curved_surface import Table, area_vectors, turned_axes
from floatframe.fem.elements.shells._curved_wall import (
    CurvedWall,
    Reference,
    about_centre,
    middle_axes,
    node_normals,
    stiffness_of,
)
from floatframe.fem.elements.shells._flat import FORMS, FlatShell
from floatframe.fem.elements.solids import with_first_moments

AT_ONCE = 64  # elements whose working arrays stay in cache


class QuadraticShell(Element):
    """A curved wall: corners first, then the middles of the sides; normals are those of the element itself.

    Local z is the normal by the right-hand rule round the nodes, local x runs along the first reference coordinate.
    Data "thickness" and "direction" are those of flat shells. Resultants per unit length at a node refer to the axes at
    that node (`node_axes`): N and Q [N/m], M [N]; a positive moment stretches the face on the +z side.
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

    @abstractmethod
    def shape(self, points: Array) -> Array:
        """Return (npoint, nnode + 1) shape functions, the bubble last, at reference points (npoint, 2)."""

    @abstractmethod
    def slopes(self, points: Array) -> Array:
        """Return (2, npoint, nnode + 1) their slopes."""

    @abstractmethod
    def to_nodes(self) -> Array:
        """Return (nnode, npoint): from values at the points of `stress_rule` to the nodes."""

    @cached_property
    def _reference(self) -> Reference:
        rules = {"rule": self.rule, "stress": self.stress_rule}
        places = {"membrane": self.membrane.points, "shear": self.shear.points}
        places |= {"nodes": self.reference_nodes, "centre": self.centre[None]}
        # close to the nodes, where quarter points and folded corners show
        places["inside"] = self.centre + 0.99 * (self.reference_nodes - self.centre)
        places |= {name: rule.points for name, rule in rules.items()}
        return Reference(
            {name: Table(self.shape(points), self.slopes(points)) for name, points in places.items()},
            {name: rule.weights for name, rule in rules.items()},
            self.membrane,
            self.shear,
            {name: (self.membrane.at(rule.points), self.shear.at(rule.points)) for name, rule in rules.items()},
            self.moving_bubble,
        )

    # matrices

    def stiffness(self, batch: Batch) -> Array:
        K = np.empty((batch.size, self.ndof, self.ndof))
        for part, wall in self._walls(batch):
            K[part] = self._condensed(wall)[0]
        return K

    def _condensed(self, wall: CurvedWall) -> tuple[Array, Array]:
        """Return stiffness matrices (nel, ndof, ndof) and how the bubble follows the nodes (nel, nbubble, ndof)."""
        n = self.ndof
        points = wall.points("rule")
        law, rows = wall.law(points), wall.strain_rows(points)
        forces = np.matmul(stiffness_of(law) * points.area[..., None, None], rows)
        shape = len(rows), -1, rows.shape[3]
        K = np.matmul(rows.reshape(shape).swapaxes(1, 2), forces.reshape(shape))
        K = 0.5 * (K + K.swapaxes(1, 2))
        # a bubble of a wall without bending stiffness would move at the will of rotations that nothing holds
        follow = _following(K[:, n:, n:], K[:, n:, :n]) if law.D.any() else np.zeros_like(K[:, n:, :n])
        slack = np.matmul(K[:, :n, n:], follow)
        drilling = wall.drilling_rows(points, law)
        whole = K[:, :n, :n] + 0.5 * (slack + slack.swapaxes(1, 2)) + np.matmul(drilling.swapaxes(1, 2), drilling)
        return whole, follow

    def mass(self, batch: Batch) -> Array:
        M = np.empty((batch.size, self.ndof, self.ndof))
        for part, wall in self._walls(batch):
            points = wall.points("rule")
            rows = wall.motion_rows(points, wall.law(points))
            followed = rows[..., : self.ndof] + np.matmul(rows[..., self.ndof :], self._condensed(wall)[1])
            M[part] = np.matmul(followed.swapaxes(1, 2), followed)
        return M

    def mass_on_nodes(self, batch: Batch) -> Array:
        """Return (nel, ndof, ndof) mass matrices of walls that move as the functions of their nodes alone have it."""
        M = np.empty((batch.size, self.ndof, self.ndof))
        for part, wall in self._walls(batch):
            points = wall.points("rule")
            rows = wall.motion_rows(points, wall.law(points))[..., : self.ndof]
            M[part] = np.matmul(rows.swapaxes(1, 2), rows)
        return M

    def lumped_mass(self, batch: Batch) -> Array:
        """Return the diagonal of the mass of the nodes' functions, scaled to the whole mass (Hinton 1976).

        It is changed as little as moves its centre to that of the element in its mean plane. Diagonal (nel, ndof)
        where masses lie at the nodes, else (nel, ndof, ndof): a rigid mass at the end of each arm.
        """
        wall = CurvedWall.of(batch, self._reference)
        points, shape = wall.points("rule"), self._reference.tables["rule"].shape[:, :-1]
        law = wall.law(points)
        total = (law.m0 * points.area).sum(axis=1)
        # walls without mass share nothing, by their area
        density = np.where(total[:, None] > 0.0, law.m0, 1.0) * points.area
        plane = np.matmul(wall.xyz - wall.xyz.mean(axis=1, keepdims=True), wall.axes[:, :2].swapaxes(1, 2))
        share = density @ shape**2
        share *= (density.sum(axis=1) / share.sum(axis=1))[:, None]
        share = with_first_moments(share, plane, np.einsum("ep,pn,enx->ex", density, shape, plane))
        share /= density.sum(axis=1)[:, None]
        height, turning = about_centre(law)
        # the same about every axis, because a diagonal must not depend on the directions of the model axes
        rotary = share * (turning * points.area).sum(axis=1)[:, None]
        arms = (wall.offset + height.mean(axis=1))[:, None, None] * wall.normals
        return rigid_masses(share * total[:, None], np.repeat(rotary[:, :, None], 3, axis=2), arms)

    # stresses and loads

    def resultants(self, batch: Batch, u: Array) -> Array:
        found = np.empty((batch.size, self.nnode, len(self.resultant_names)))
        for part, wall in self._walls(batch):
            found[part] = np.matmul(self.to_nodes(), self._forces(wall, u[part, :, None], "stress")[..., 0])
        return found

    def _forces(self, wall: CurvedWall, u: Array, where: str) -> Array:
        """Return forces and moments per length (nel, npoint, 8, k) for displacements u (nel, ndof, k)."""
        whole = np.concatenate([u, np.matmul(self._condensed(wall)[1], u)], axis=1)
        points = wall.points(where)
        return np.matmul(stiffness_of(wall.law(points)), np.matmul(wall.strain_rows(points), whole[:, None]))

    def second_order(self, batch: Batch, states: Array, motions: Array) -> list[SecondOrder]:
        """The membrane forces alone: thin walls do not buckle by moments of their own."""
        wall = CurvedWall.of(batch, self._reference)
        points, n = wall.points("rule"), self.nnode
        slopes = np.einsum("epak,kpn->epan", points.across, self._reference.tables["rule"].slopes[..., :n])
        nodal = motions.reshape(batch.size, n, 6, -1)
        moved = nodal[:, :, :3]
        if wall.offset:
            moved = moved - np.matmul(skew(wall.offset * wall.normals), nodal[:, :, 3:])
        # of ux, uy, uz of the mid-surface along x, then along y
        found = np.matmul(slopes.reshape(batch.size, -1, n), moved.reshape(batch.size, n, -1))
        found = found.reshape(batch.size, -1, 6, motions.shape[2])
        stress = self._forces(wall, states, "rule")[:, :, :3] * points.area[..., None, None]
        work = [SecondOrder(stress, found, FORMS)]
        if wall.offset:
            force = np.matmul(self._condensed(wall)[0], states).reshape(batch.size, n, 6, -1)
            arms = wall.offset * wall.normals
            work += [arm_work(force[:, k, :3], arms[:, k], nodal[:, k, 3:]) for k in range(n)]
        return work

    def geometric_stiffness(self, batch: Batch, u: Array) -> Array | None:
        K = np.empty((batch.size, self.ndof, self.ndof))
        for part, piece in _pieces(batch):
            K[part] = super().geometric_stiffness(piece, u[part])
        return K

    def pressure_load(self, batch: Batch, face: int, pressure: Array) -> Array:
        """Return (nel, ndof) loads of a pressure on the +z side, the only face."""
        table = self._reference.tables["rule"]
        loads = np.zeros((batch.size, self.nnode, 6))
        normal = area_vectors(batch.xyz, table.slopes[..., :-1]) * self.rule.weights[:, None]
        loads[:, :, :3] = -np.asarray(pressure)[:, None, None] * np.matmul(table.shape[:, :-1].T, normal)
        return loads.reshape(batch.size, -1)

    # geometry

    def axes(self, batch: Batch) -> Array:
        return middle_axes(batch.xyz, self._reference)

    def node_axes(self, batch: Batch) -> Array:
        return turned_axes(self.axes(batch), node_normals(batch.xyz, self._reference))

    def size_measure(self, batch: Batch) -> Array:
        """Return the reference area times the smallest ratio to it, seen along the normal in the middle."""
        slopes = np.concatenate([self._reference.tables[k].slopes[..., :-1] for k in ("inside", "rule")], axis=1)
        seen = np.matmul(area_vectors(batch.xyz, slopes), self.axes(batch)[:, 2, :, None])[..., 0]
        return seen.min(axis=1) * self.rule.weights.sum()

    def _walls(self, batch: Batch) -> Iterator[tuple[slice, CurvedWall]]:
        for part, piece in _pieces(batch):
            yield part, CurvedWall.of(piece, self._reference)


def _following(own: Array, pulled: Array) -> Array:
    """Return (nel, nbubble, ndof): how the bubble follows the nodes; where nothing resists it, not at all."""
    scale = np.sqrt(np.diagonal(own, axis1=1, axis2=2))[:, :, None]
    scale = np.divide(1.0, scale, out=np.zeros_like(scale), where=scale > 0.0)
    inverse = np.linalg.pinv(own * scale * scale.swapaxes(1, 2), rcond=1e-12, hermitian=True)
    return -scale * np.matmul(inverse, scale * pulled)


def _pieces(batch: Batch) -> Iterator[tuple[slice, Batch]]:
    """Yield (rows, batch) parts so small that the working arrays stay in cache."""
    for start in range(0, batch.size, AT_ONCE):
        rows = np.arange(start, min(start + AT_ONCE, batch.size))
        yield slice(start, start + len(rows)), batch.picked(rows)
