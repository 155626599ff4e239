"""The flat wall behind a shell element: its mean plane, thickness and the scaling that turns strains into energy.

All shell stiffnesses here are written as rows S with K = Sᵀ S: a row is one strain at one integration point, multiplied
by the root of its weight and stiffness. Rows act on local freedoms (ux, uy, uz, rx, ry, rz of each node).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import cast

import numpy as np

from floatframe.arrays import AnyArray, Array
from floatframe.errors import ModelError
from floatframe.fem.elements.base import Batch
from floatframe.fem.materials import Material
from floatframe.fem.sections import ShellSection


@dataclass(frozen=True)
class Wall:
    """Elements seen in their mean planes.

    axes (nel, 3, 3) rows x, y and normal; xy (nel, nnode, 2) and height (nel, nnode) of the nodes from their mean [m];
    thickness and offset (nel,) [m].
    """

    axes: Array
    xy: Array
    height: Array
    thickness: Array
    offset: float
    shear_factor: float
    material: Material

    @cached_property
    def plane_stress_root(self) -> tuple[float, float, float]:
        """ν, √(1-ν²), √((1-ν)/2): the strains (x + νy, √(1-ν²) y, √((1-ν)/2) xy) have the energy of plane stress."""
        nu = self.material.nu
        return nu, np.sqrt(1.0 - nu**2), np.sqrt((1.0 - nu) / 2.0)

    @cached_property
    def membrane_stiffness(self) -> Array:
        """E t / (1 - ν²) (nel,) [N/m]."""
        return self.material.E / (1.0 - self.material.nu**2) * self.thickness

    @cached_property
    def bending_stiffness(self) -> Array:
        """E t³ / 12 (1 - ν²) (nel,) [N m]."""
        return self.membrane_stiffness * self.thickness**2 / 12.0

    @cached_property
    def shear_stiffness(self) -> Array:
        """Transverse shear stiffness k G t (nel,) [N/m]."""
        return self.shear_factor * self.material.G * self.thickness

    def local_rows(self, membrane: Array, bending: Array, tilt: Array | None = None) -> Array:
        """Return rows (nel, nrow, nnode, 6) from membrane (.., ux uy rz) and bending (.., uz rx ry) rows.

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
        return self.at_nodes(rows)

    def levelled(self, membrane: Array, tilt: Array) -> Array:
        """Return what uz of the nodes must add (nel, nrow, nnode) to membrane rows of nodes off the mean plane.

        With it the rows give nothing when the element turns as a rigid body, by the slope tilt (nel, nnode, 2) of its
        mean plane per unit uz.
        """
        lever = np.matmul(self.height[:, None, None, :], membrane[..., :2])[:, :, 0, :]
        return np.matmul(lever, tilt.swapaxes(1, 2))

    def at_nodes(self, rows: Array) -> Array:
        """Change rows (nel, nrow, nnode, 6) on mid-surface freedoms, in place, to rows on the offset nodes."""
        if self.offset:
            rows[..., 3] -= self.offset * rows[..., 1]
            rows[..., 4] += self.offset * rows[..., 0]
        return rows

    def model_rows(self, rows: Array) -> Array:
        """Return rows (nel, nrow, 6 nnode) that act on freedoms in model axes."""
        nel, nrow = rows.shape[:2]
        return np.matmul(rows.reshape(nel, -1, 3), self.axes).reshape(nel, nrow, -1)


def wall(batch: Batch, axes: Array) -> Wall:
    """Return the wall of a batch whose mean planes have the given axes."""
    from_centre = batch.xyz - batch.xyz.mean(axis=1, keepdims=True)
    local = np.matmul(from_centre, axes.swapaxes(1, 2))
    section = cast(ShellSection, batch.section)
    thickness = np.asarray(batch.data.get("thickness", np.full(batch.size, section.thickness)), dtype=float)
    if thickness.shape != (batch.size,):
        raise ModelError(
            f"{name_of(batch, 0)}: data 'thickness' has shape {thickness.shape}, expected ({batch.size},): one number "
            "for each element."
        )
    good = np.isfinite(thickness) & (thickness > 0.0)
    if not good.all():
        bad = int(np.flatnonzero(~good)[0])
        raise ModelError(f"{name_of(batch, bad)}: thickness is {thickness[bad]:g} m; it must be positive.")
    return Wall(
        axes,
        np.ascontiguousarray(local[:, :, :2]),
        local[:, :, 2],
        thickness,
        section.offset,
        section.shear_factor,
        cast(Material, batch.material),
    )


def rooted(wall: Wall, x: Array, y: Array, xy: Array) -> Array:
    """Return plane strains (nel, ...) combined by `plane_stress_root` (nel, 3, ...)."""
    nu, root_y, root_xy = wall.plane_stress_root
    return np.stack([x + nu * y, root_y * y, root_xy * xy], axis=1)


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
