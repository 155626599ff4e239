"""Stresses in the layers of shell walls from forces and moments per length."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import ModelError
from floatframe.fem.properties import (
    LayeredSection,
    layer_law,
    material_angle,
    plane_stress,
    section_law,
    shear_between_layers,
    shear_turn,
    strain_turn,
    turns,
)

Place = Literal["top", "bottom", "middle"]
_PART = {"bottom": 0.0, "middle": 0.5, "top": 1.0}


@dataclass(frozen=True)
class WallStrains:
    """What stresses in layers follow from, at the nodes of elements and in axes along the material direction.

    middle, growth (nel, nnode, 3): strains x, y, xy of the mid-surface, and what they gain per height; shear
    (nel, nnode, 2): shear forces x, y [N/m]. All are those of a wall as thick as the section.
    """

    middle: Array
    growth: Array
    shear: Array

    @classmethod
    def joined(cls, parts: Sequence[WallStrains]) -> WallStrains:
        """Return those of several batches as one."""
        return cls(*(np.concatenate([getattr(p, name) for p in parts]) for name in ("middle", "growth", "shear")))


def wall_strains(
    section: LayeredSection, axes: Array, direction: Array, thickness: Array, resultants: Array
) -> WallStrains:
    """Return strains from resultants (nel, nnode, 8): Nx, Ny, Nxy, Mx, My, Mxy, Qx, Qy in the axes.

    axes (nel, nnode or 1, 3, 3), direction (nel, 3), thickness (nel, nnode) [m].
    """
    cosine, sine = material_angle(axes, direction)
    law = section_law(section, None)
    # forces turn so that their work on turned strains stays the same
    turn = np.linalg.inv(strain_turn(cosine, sine)).swapaxes(-1, -2)
    ratio = (thickness / section.thickness)[..., None]
    N = np.matmul(turn, resultants[..., :3, None])[..., 0] / ratio
    M = np.matmul(turn, resultants[..., 3:6, None])[..., 0] / ratio**2
    Q = np.matmul(shear_turn(cosine, sine), resultants[..., 6:8, None])[..., 0] / ratio
    flexibility = np.linalg.inv(np.block([[law.A, law.B], [law.B, law.D]]))
    found = np.concatenate([N, M], axis=2) @ flexibility
    return WallStrains(found[..., :3], found[..., 3:], Q)


def layer_stress(section: LayeredSection, strains: WallStrains, layer: int, place: Place) -> Array:
    """Return stresses 1, 2, 12 (nel, nnode, 3) [Pa] of a layer in the axes of its material.

    layer: from 0 at the bottom, negative ones from the top.
    """
    count = len(section.layers)
    if not -count <= layer < count:
        raise ModelError(
            f"layered section '{section.name}' has {count} layers; layer {layer} is not one of 0 to {count - 1}."
        )
    layer %= count
    turn, _ = turns(section.layers[layer].angle)
    Q, _ = plane_stress(section.layers[layer].material)
    return _strain_at(section, strains, layer, place) @ (Q @ turn).T


def face_stress(section: LayeredSection, strains: WallStrains, layer: int, place: Place | float) -> Array:
    """Return the same in axes along the material direction of the wall."""
    layer %= len(section.layers)
    return _strain_at(section, strains, layer, place) @ layer_law(section.layers[layer])[0]


def shear_stress(section: LayeredSection, strains: WallStrains, face: int) -> Array:
    """Return shear stresses xz, yz (nel, nnode, 2) [Pa] between layers, in axes along the material direction.

    face: from 0 at the bottom of the wall, where there are none.
    """
    count = len(section.layers)
    if not 0 <= face <= count:
        raise ModelError(f"layered section '{section.name}' has faces 0 to {count}; face {face} is not one of them.")
    return strains.shear @ shear_between_layers(section)[face].T


def middle_layer(section: LayeredSection) -> tuple[int, float]:
    """Return the layer that holds the mid-surface, and the part of it that lies below."""
    levels = section.levels
    layer = int(np.clip(np.searchsorted(levels, 0.0, side="right") - 1, 0, len(section.layers) - 1))
    return layer, float((0.0 - levels[layer]) / (levels[layer + 1] - levels[layer]))


def _strain_at(section: LayeredSection, strains: WallStrains, layer: int, place: Place | float) -> Array:
    part = _PART[place] if isinstance(place, str) else place
    low, high = section.levels[layer], section.levels[layer + 1]
    return strains.middle + (low + part * (high - low)) * strains.growth
