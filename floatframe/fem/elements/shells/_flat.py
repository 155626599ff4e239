"""What the flat shell triangle and quadrilateral have in common."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from floatframe.arrays import Array
from floatframe.fem.elements._arms import arm_work
from floatframe.fem.elements._rigid_masses import rigid_masses
from floatframe.fem.elements.base import Batch, Element, SecondOrder
from floatframe.fem.elements.shells._roots import Root
from floatframe.fem.elements.shells._wall import Wall, wall
from floatframe.fem.neighbours import Around, alone
from floatframe.fem.properties import WallSection

IN_PLANE = [0, 1, 2, 5]  # ux, uy, uz, rz
# parts of the rotary inertia about x, y and the normal: about the normal a wall has none, but a matrix needs some
ROTARY = np.array([1.0, 1.0, 1e-4])

# Nx, Ny, Nxy work on products of slopes, rows along x (ux, uy, uz), along y (ux, uy, uz)
FORMS = np.kron([[[1.0, 0], [0, 0]], [[0, 0], [0, 1]], [[0, 1], [1, 0]]], np.eye(3))


@dataclass(frozen=True)
class StrainEnergy:
    """Rows (nel, nrow, ndof) in model axes: strains x, y, xy at the membrane points, drilling, then curvatures x, y, xy
    and shears x, y at the bending points; the roots of their weights and stiffnesses are multiplied in.

    membrane_scale, bending_scale (nel, npoint): roots of stiffness over weight, which make the rows forces again.
    """

    rows: Array
    membrane_scale: Array
    bending_scale: Array


class FlatShell(Element):
    """A shell wall without curvature of its own: membrane, drilling and bending side by side in the mean plane.

    Local z is the normal by the right-hand rule round the nodes; local x runs along the first side of a triangle, and
    through the middles of the last and the second side of a quadrilateral.
    Axis 1 of a material that is not isotropic, and of the layers of a wall, lies along data "direction" (nel, 3) laid
    onto the element, or along its first side. Data "thickness": one for each element (nel,) or node (nel, nnode).
    Resultants per unit length: N and Q [N/m], M [N]; a positive moment stretches the face on the +z side.
    """

    dof_per_node = 6
    dimension = 2
    section_type = WallSection
    data_names = ("thickness", "direction")
    resultant_names = ("Nx", "Ny", "Nxy", "Mx", "My", "Mxy", "Qx", "Qy")
    membrane_to_slopes: ClassVar[Array]  # (npoint, npoint) to the points of `_slope_rows`
    # (nnode, npoint) carry values at the integration points to the nodes
    membrane_to_nodes: ClassVar[Array]
    bending_to_nodes: ClassVar[Array]
    mass_shape: ClassVar[Array]  # (npoint, nnode) corner functions at the points of `_mass_rows`

    @abstractmethod
    def _strain_energy(self, batch: Batch, wall: Wall) -> StrainEnergy:
        """Return the rows S with stiffness Sᵀ S."""

    @abstractmethod
    def _centre_slopes(self, wall: Wall) -> Array:
        """Return the slopes along x and y of the corner functions at the centre (nel, nnode, 2)."""

    @abstractmethod
    def _mass_rows(self, batch: Batch, wall: Wall) -> tuple[Array, Array, Array]:
        """Return displacements times the roots of the integration weights.

        Corner functions (nel, npoint, nnode), side functions (nel, npoint, nside), and what (ux, uy, uz, rz) of the
        nodes add to the linear ux and uy inside the element (nel, 2, npoint, nnode, 4).
        """

    @abstractmethod
    def _slope_rows(self, batch: Batch, wall: Wall) -> Array:
        """Return slopes along x and y of ux, uy, uz (nel, 2, 3, npoint, nnode, 6) times the roots of the weights."""

    @abstractmethod
    def _node_areas(self, batch: Batch, density: Array | float) -> Array:
        """Return (nel, nnode) parts of the area that belong to the nodes, times a density (nel, npoint of the mass)."""

    @abstractmethod
    def _area_vectors(self, batch: Batch) -> Array:
        """Return (nel, nnode, 3) the parts of the area, times its normal, that belong to the nodes."""

    def stiffness(self, batch: Batch) -> Array:
        rows = self._strain_energy(batch, self._wall(batch)).rows
        return np.matmul(rows.swapaxes(1, 2), rows)

    def mass(self, batch: Batch) -> Array:
        shell = self._wall(batch)
        nel, n = batch.size, self.nnode
        corner, bulge, inside = self._mass_rows(batch, shell)
        motion = np.zeros((nel, 3, corner.shape[1], n, 6))
        motion[:, :2, ..., IN_PLANE] = inside
        # out of plane the sides bend as their rotations tell
        across = np.matmul(bulge, side_deflection(shell).reshape(nel, n, 3 * n))
        motion[:, 2, ..., 2:5] = across.reshape(nel, -1, n, 3)
        for axis in range(3):
            motion[:, axis, ..., axis] += corner
        if shell.profile is not None:
            taper = shell.taper(self.mass_shape)
            motion *= np.sqrt(taper)[:, None, :, None, None]
            corner = corner * (taper**1.5)[:, :, None]
        rows = shell.model_rows(shell.at_nodes(motion.reshape(nel, -1, n, 6), shell.offset + shell.mass_height))
        M = np.matmul(rows.swapaxes(1, 2), rows)
        turning = np.einsum("e,eki,k,ekj->eij", shell.gyration, shell.axes, ROTARY, shell.axes)
        linear = np.matmul(corner.swapaxes(1, 2), corner)
        rotations = M.reshape(nel, n, 6, n, 6)[:, :, 3:, :, 3:]
        rotations += linear[:, :, None, :, None] * turning[:, None, :, None, :]
        M *= shell.mass[:, None, None]
        return M

    def lumped_mass(self, batch: Batch) -> Array:
        """Return the masses of the parts of the area that belong to the nodes.

        Diagonal (nel, ndof) without offset, with it (nel, ndof, ndof): a rigid mass at the end of each arm, so that the
        centre of mass stays right.
        """
        shell = self._wall(batch)
        mass = shell.mass[:, None] * self._node_areas(batch, shell.taper(self.mass_shape))
        # the same about every axis, because a diagonal must not depend on the directions of the model axes
        rotary = mass * shell.gyration[:, None] * (1.0 if shell.profile is None else shell.profile**2)
        height = np.broadcast_to(shell.offset + shell.mass_height, batch.size)
        arms = height[:, None, None] * np.repeat(shell.axes[:, None, 2], self.nnode, axis=1)
        return rigid_masses(mass, np.repeat(rotary[:, :, None], 3, axis=2), arms)

    def resultants(self, batch: Batch, u: Array) -> Array:
        shell = self._wall(batch)
        energy = self._strain_energy(batch, shell)
        nb = energy.bending_scale.shape[1]
        membrane = _membrane_forces(shell, energy, u[:, :, None])[..., 0]
        strains = np.matmul(energy.rows[:, -5 * nb : -2 * nb], u[:, :, None])
        moment = _unroot(shell.bending, strains, energy.bending_scale)[..., 0]
        N, M = np.matmul(self.membrane_to_nodes, membrane), np.matmul(self.bending_to_nodes, moment)
        if shell.law.B.any():
            # moments without forces are what was found; forces bring their own
            thicker = np.reshape(shell.ratio[:, None] * shell.taper(np.eye(self.nnode)), (batch.size, -1, 1))
            M = M + np.matmul(N, shell.shift) * thicker
        # shear by equilibrium: the shear strains of the sides contain only bending along the sides
        slope = self._centre_slopes(shell)
        Q = np.stack([(slope * M[..., [0, 2]]).sum(axis=(1, 2)), (slope * M[..., [2, 1]]).sum(axis=(1, 2))], axis=1)
        return np.concatenate([N, M, np.repeat(Q[:, None], self.nnode, axis=1)], axis=2)

    def second_order(self, batch: Batch, states: Array, motions: Array) -> list[SecondOrder]:
        """The membrane forces alone: thin walls do not buckle by moments of their own."""
        shell = self._wall(batch)
        nel, n = batch.size, self.nnode
        energy = self._strain_energy(batch, shell)
        stress = np.tensordot(_membrane_forces(shell, energy, states), self.membrane_to_slopes, axes=(1, 1))
        rows = shell.at_nodes(self._slope_rows(batch, shell), shell.offset).reshape(nel, -1, n, 6)
        slopes = (shell.model_rows(rows) @ motions).reshape(nel, 6, -1, motions.shape[2])
        found = [SecondOrder(np.moveaxis(stress, 3, 1), slopes.swapaxes(1, 2), FORMS)]
        if shell.offset:
            force = (energy.rows.swapaxes(1, 2) @ (energy.rows @ states)).reshape(nel, n, 6, -1)
            turns = motions.reshape(nel, n, 6, -1)
            arm = shell.offset * shell.axes[:, 2]
            found += [arm_work(force[:, k, :3], arm, turns[:, k, 3:]) for k in range(n)]
        return found

    def pressure_load(self, batch: Batch, face: int, pressure: Array) -> Array:
        """Return (nel, ndof) loads of a pressure on the +z side, the only face."""
        loads = np.zeros((batch.size, self.nnode, 6))
        loads[:, :, :3] = -np.asarray(pressure)[:, None, None] * self._area_vectors(batch)
        return loads.reshape(batch.size, -1)

    def _wall(self, batch: Batch) -> Wall:
        return wall(batch, self.axes(batch))


def surroundings(batch: Batch) -> Around:
    """Return the neighbours of the elements, or that they have none."""
    return alone(batch.xyz) if batch.around is None else batch.around


def side_deflection(shell: Wall) -> Array:
    """Return (nel, nside, nnode, 3): how far the middle of a side leaves its chord per unit (uz, rx, ry)."""
    along = np.roll(shell.xy, -1, axis=1) - shell.xy
    nel, n, _ = along.shape
    middle = np.zeros((nel, n, n, 3))
    for k in range(n):
        for node, sign in ((k, 0.125), ((k + 1) % n, -0.125)):
            middle[:, k, node, 1] = sign * along[:, k, 1]
            middle[:, k, node, 2] = -sign * along[:, k, 0]
    return middle


def _membrane_forces(shell: Wall, energy: StrainEnergy, u: Array) -> Array:
    """Return Nx, Ny, Nxy (nel, npoint, 3, k) at the membrane points for displacements u (nel, ndof, k)."""
    strains = energy.rows[:, : 3 * energy.membrane_scale.shape[1]] @ u
    return _unroot(shell.membrane, strains, energy.membrane_scale)


def _unroot(root: Root, rows: Array, scale: Array) -> Array:
    """Return plane stress resultants (nel, npoint, 3, k) from values of energy rows (nel, 3 npoint, k)."""
    values = rows.reshape(len(rows), 3, scale.shape[1], -1) * scale[:, None, :, None]
    return root.forces(values).swapaxes(1, 2)
