"""The flat wall behind a shell element: its mean plane, thickness and the scaling that turns strains into energy.

All shell stiffnesses here are written as rows S with K = Sᵀ S: a row is one strain at one integration point, multiplied
by the root of its weight and stiffness. Rows act on local dofs (ux, uy, uz, rx, ry, rz of each node).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import cast

import numpy as np

from floatframe.arrays import AnyArray, Array
from floatframe.errors import ModelError
from floatframe.fem.elements.base import Batch
from floatframe.fem.elements.shells._roots import Root, root_of
from floatframe.fem.properties import WallLaw, WallSection, is_isotropic, material_angle, section_law

_STRAIGHT = np.ones(1), np.zeros(1)  # cosine and sine of no angle
_ACROSS = 1e-9  # one less the cosine between a direction and the normal, below which the wall has no such direction
_SOFT = 1e-9  # of the bending stiffness, which a coupling to the membrane may not take away


@dataclass(frozen=True)
class Wall:
    """Elements seen in their mean planes.

    axes (nel, 3, 3) rows x, y and normal; xy (nel, nnode, 2) and height (nel, nnode) of the nodes from their mean [m];
    thickness (nel,) [m], the mean where it varies; profile (nel, nnode): the thickness at the nodes over it, None where
    it is the same; offset [m]; law (1 or nel,) at the thickness of the section, of which ratio (nel,) is there.
    """

    axes: Array
    xy: Array
    height: Array
    thickness: Array
    profile: Array | None
    offset: float
    law: WallLaw
    ratio: Array
    isotropic: bool

    @cached_property
    def membrane(self) -> Root:
        """Root of A over `membrane_stiffness`."""
        return root_of(self.law.A)

    @cached_property
    def bending(self) -> Root:
        """Root of D, less what the membrane yields to moments where forces and moments are coupled, over its size."""
        if not self.law.B.any():
            return root_of(self.law.D)
        return root_of(self.law.D - np.matmul(self.law.B, self.shift) + _SOFT * self.law.D)

    @cached_property
    def shear(self) -> Root:
        """Root of S over `shear_stiffness`."""
        return root_of(self.law.S)

    @cached_property
    def shift(self) -> Array:
        """A⁻¹ B (1 or nel, 3, 3) [m]: strains that curvatures cause where no forces act, at the section's thickness."""
        return np.matmul(np.linalg.pinv(self.law.A), self.law.B)

    @cached_property
    def compliance(self) -> Array:
        """Strains per force in the plane (1 or nel, 3, 3), over that along x; 1, -ν, 2 (1 + ν) if isotropic."""
        flexibility = np.linalg.pinv(np.matmul(self.membrane.U.swapaxes(1, 2), self.membrane.U))
        along = flexibility[:, 0, 0]
        return np.asarray(flexibility / np.where(along > 0.0, along, 1.0)[:, None, None])

    @cached_property
    def mean_nu(self) -> Array:
        """Poisson's ratio in the plane (1 or nel,), the mean over all directions."""
        A = self.law.A
        normal, cross, shear = A[:, 0, 0] + A[:, 1, 1], A[:, 0, 1], A[:, 2, 2]
        whole = 3.0 * normal + 2.0 * cross + 4.0 * shear
        return (normal + 6.0 * cross - 4.0 * shear) / np.where(whole > 0.0, whole, 1.0)

    @cached_property
    def membrane_stiffness(self) -> Array:
        """Largest of A (nel,) [N/m]; E t / (1 - ν²) if isotropic."""
        return self.membrane.size * self.ratio

    @cached_property
    def bending_stiffness(self) -> Array:
        """Largest of D (nel,) [N m]; E t³ / 12 (1 - ν²) if isotropic."""
        return self.bending.size * self.ratio**3

    @cached_property
    def shear_stiffness(self) -> Array:
        """Largest of the transverse shear stiffness S (nel,) [N/m]; k G t if isotropic."""
        return self.shear.size * self.ratio

    def taper(self, shape: Array) -> Array | float:
        """Return thickness over the mean at points with corner functions (npoint, nnode): (nel, npoint), or one."""
        return 1.0 if self.profile is None else np.matmul(self.profile, shape.T)

    def bending_along(self, c: Array, s: Array) -> Array:
        """Return the stiffness (nel, ...) against cylindrical bending in directions c, s (nel, n) [N m]."""
        whole = self.bending_stiffness[:, None]
        return whole if self.isotropic else whole * self.bending.energy(c * c, s * s, 2.0 * c * s)

    def twist_along(self, c: Array, s: Array) -> Array:
        """Return the stiffness (nel, ...) against twist in directions c, s (nel, n) and across [N m]."""
        return self.bending_stiffness[:, None] * self.bending.energy(-c * s, c * s, c * c - s * s)

    def shear_along(self, c: Array, s: Array) -> Array:
        """Return the transverse shear stiffness (nel, ...) in directions c, s (nel, n) [N/m]."""
        whole = self.shear_stiffness[:, None]
        return whole if self.isotropic else whole * self.shear.energy(c, s)

    @cached_property
    def mass(self) -> Array:
        """Mass per area (nel,) at the mean thickness [kg/m2]."""
        return self.law.m0 * self.ratio

    @cached_property
    def mass_height(self) -> Array:
        """Height of the centre of mass above the mid-surface (nel,) [m]."""
        m0 = np.where(self.law.m0 > 0.0, self.law.m0, 1.0)
        return self.law.m1 / m0 * self.ratio

    @cached_property
    def gyration(self) -> Array:
        """Squared radius of gyration of the mass across the wall about its centre (nel,) [m2]; t²/12 if it is even."""
        m0 = np.where(self.law.m0 > 0.0, self.law.m0, 1.0)
        return (self.law.m2 / m0 - (self.law.m1 / m0) ** 2) * self.ratio**2

    def local_rows(
        self, membrane: Array, bending: Array, coupling: Array | None = None, tilt: Array | None = None
    ) -> Array:
        """Return rows (nel, nrow, nnode, 6) from membrane (.., ux uy rz) and bending (.., uz rx ry) rows.

        coupling (nel, nstrain, nnode, 3): what (uz, rx, ry) add to the first membrane rows, see `coupling_rows`.

        tilt (nel, nnode, 2): slope of the mean plane per unit uz; with it, nodes above or below the mean plane are
        tied to it by arms. Arms that turned with the plane would stretch the membrane when a thin warped element bends
        (twisted strips lock), arms that turned with the nodes would let forces in the membrane bend it. Both errors
        grow with the square of height over thickness; arms that turn by the mean of both keep a quarter of each.
        """
        nel, nm, nnode, _ = membrane.shape
        rows = np.zeros((nel, nm + bending.shape[1], nnode, 6))
        rows[:, :nm, :, 0] = membrane[..., 0]
        rows[:, :nm, :, 1] = membrane[..., 1]
        rows[:, :nm, :, 5] = membrane[..., 2]
        rows[:, nm:, :, 2:5] = bending
        if tilt is not None and self.height.any():
            arm = 0.5 * self.height[:, None]
            rows[:, :nm, :, 2] = 0.5 * self.levelled(membrane, tilt)
            rows[:, :nm, :, 3] = arm * membrane[..., 1]
            rows[:, :nm, :, 4] = -arm * membrane[..., 0]
        if coupling is not None:
            rows[:, : coupling.shape[1], :, 2:5] += coupling
        return self.at_nodes(rows, self.offset)

    def coupling_rows(self, curvatures: Array, bending_root: Array, membrane_root: Array) -> Array | None:
        """Return what curvatures add to the membrane rows (nel, 3 nm, nnode, 3), None where nothing is coupled.

        With B the energy is that of A on ε + A⁻¹ B κ and of D - B A⁻¹ B on κ. Only the mean of κ is taken: membranes
        have no strains to follow the rest with, and would make the wall too stiff.
        curvatures (nel, 3 nb, nnode, 3): energy rows of `bending`; bending_root (nel, nb) and membrane_root (nel, nm):
        roots of the weights and of the third power of the taper at the points of both.
        """
        if not self.law.B.any():
            return None
        nel, nb = bending_root.shape
        share = bending_root / (bending_root**2).sum(axis=1, keepdims=True)
        mean = np.einsum("eq,ekqd->ekd", share, curvatures.reshape(nel, 3, nb, -1))
        scale = self.ratio * np.sqrt(self.membrane_stiffness / self.bending_stiffness)
        of_mean = np.matmul(self.membrane.U, np.matmul(self.shift, np.linalg.inv(self.bending.U)))
        strain = np.matmul(scale[:, None, None] * of_mean, mean)
        rows = membrane_root[:, None, :, None] * strain[:, :, None]
        return rows.reshape(nel, 3 * membrane_root.shape[1], *curvatures.shape[2:])

    def levelled(self, membrane: Array, tilt: Array) -> Array:
        """Return what uz of the nodes must add (nel, nrow, nnode) to membrane rows of nodes off the mean plane.

        With it the rows give nothing when the element turns as a rigid body, by the slope tilt (nel, nnode, 2) of its
        mean plane per unit uz.
        """
        lever = np.matmul(self.height[:, None, None, :], membrane[..., :2])[:, :, 0, :]
        return np.matmul(lever, tilt.swapaxes(1, 2))

    def at_nodes(self, rows: Array, height: Array | float) -> Array:
        """Change rows (nel, ..., nnode, 6) on a surface at a height (nel,) to rows on the nodes, in place."""
        if np.any(height):
            arm = np.reshape(height, (-1, *[1] * (rows.ndim - 2)))
            rows[..., 3] -= arm * rows[..., 1]
            rows[..., 4] += arm * rows[..., 0]
        return rows

    def model_rows(self, rows: Array) -> Array:
        """Return rows (nel, nrow, 6 nnode) that act on dofs in model axes."""
        nel, nrow = rows.shape[:2]
        return np.matmul(rows.reshape(nel, -1, 3), self.axes).reshape(nel, nrow, -1)


def wall(batch: Batch, axes: Array) -> Wall:
    """Return the wall of a batch whose mean planes have the given axes."""
    from_centre = batch.xyz - batch.xyz.mean(axis=1, keepdims=True)
    local = np.matmul(from_centre, axes.swapaxes(1, 2))
    section = cast(WallSection, batch.section)
    thickness, profile = thickness_of(batch, section)
    law, isotropic = section_law(section, batch.material), is_isotropic(section, batch.material)
    law = law.turned(*(_STRAIGHT if isotropic else _angle(batch, axes)))
    return Wall(
        axes,
        np.ascontiguousarray(local[:, :, :2]),
        local[:, :, 2],
        thickness,
        profile,
        section.offset,
        law,
        thickness / section.thickness,
        isotropic,
    )


def _angle(batch: Batch, axes: Array) -> tuple[Array, Array]:
    """Return cosine and sine (nel,) of the angle from local x to the material direction."""
    direction = unit(direction_of(batch))
    across = np.abs((direction * axes[:, 2]).sum(axis=1)) > 1.0 - _ACROSS
    require_shape(batch, direction.any(axis=1) & ~across, "its material direction does not lie along it")
    return material_angle(axes, direction)


def thickness_of(batch: Batch, section: WallSection) -> tuple[Array, Array | None]:
    """Return the mean thickness (nel,) [m] and what its nodes have of it (nel, nnode), None where all have the same."""
    if "thickness" not in batch.data:
        return np.full(batch.size, section.thickness), None
    thickness = np.asarray(batch.data["thickness"], dtype=float)
    nnode = batch.xyz.shape[1]
    if thickness.shape not in ((batch.size,), (batch.size, nnode)):
        raise ModelError(
            f"{name_of(batch, 0)}: data 'thickness' has shape {thickness.shape}, expected ({batch.size},), one number "
            f"for each element, or ({batch.size}, {nnode}), one for each of its nodes."
        )
    good = np.isfinite(thickness) & (thickness > 0.0)
    if not good.all():
        bad = tuple(np.argwhere(~good)[0])
        raise ModelError(f"{name_of(batch, int(bad[0]))}: thickness is {thickness[bad]:g} m; it must be positive.")
    if thickness.ndim == 1:
        return thickness, None
    mean = thickness.mean(axis=1)
    return mean, None if (thickness == thickness[:, :1]).all() else thickness / mean[:, None]


def nodal_thickness(batch: Batch, section: WallSection) -> Array:
    """Return the thickness at the nodes (nel, nnode) [m]."""
    mean, profile = thickness_of(batch, section)
    return mean[:, None] * (np.ones((1, batch.xyz.shape[1])) if profile is None else profile)


def direction_of(batch: Batch) -> Array:
    """Return the material directions (nel, 3) in model axes: data "direction", or the first sides."""
    if "direction" not in batch.data:
        return batch.xyz[:, 1] - batch.xyz[:, 0]
    direction = np.asarray(batch.data["direction"], dtype=float)
    if direction.shape != (batch.size, 3) or not np.isfinite(direction).all():
        raise ModelError(
            f"{name_of(batch, 0)}: data 'direction' has shape {direction.shape}, expected ({batch.size}, 3) finite "
            "numbers: one vector for each element."
        )
    return direction


def require_shape(batch: Batch, good: AnyArray, what: str) -> None:
    """Refuse elements whose shape allows no stiffness."""
    if not good.all():
        bad = int(np.flatnonzero(~good)[0])
        raise ModelError(f"{name_of(batch, bad)}: {what}; check its nodes and their order.")


def name_of(batch: Batch, row: int) -> str:
    """Return e.g. "shell element 17"."""
    number = row + 1 if batch.element_ids is None else int(batch.element_ids[row])
    return f"shell element {number}"


def unit(v: Array) -> Array:
    """Return vectors (..., 3) scaled to length one; zero stays zero."""
    length = np.sqrt((v * v).sum(axis=-1, keepdims=True))
    return v / np.where(length > 0.0, length, 1.0)
