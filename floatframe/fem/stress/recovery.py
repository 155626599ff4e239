"""Section forces and stresses from displacements, element by element and averaged at nodes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, cast

import numpy as np

from floatframe.arrays import Array, IntArray, short_repr
from floatframe.errors import ModelError
from floatframe.fem.elements import direction_of, nodal_thickness
from floatframe.fem.properties import BeamSection, LayeredSection, ShellSection, material_angle
from floatframe.fem.stress.layers import (
    Place as Layer,
    WallStrains,
    face_stress,
    layer_stress,
    middle_layer,
    shear_stress,
    wall_strains,
)
from floatframe.fem.stress.meeting import meeting
from floatframe.fem.stress.sections import beam_stress, extreme_points
from floatframe.fem.stress.tensors import von_mises

if TYPE_CHECKING:
    from floatframe.fem.elements import Batch
    from floatframe.fem.model import ElementBlock, FEModel

TENSOR = ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0))  # order of the six components
_SIDE = {"top": 1.0, "bottom": -1.0, "middle": 0.0}  # place in units of half the thickness


@short_repr
@dataclass(frozen=True)
class BlockStress:
    """Resultants and stresses of the elements of one block at their nodes.

    resultants (nel, nnode, k) named by `names` in the element axes: section forces of beams [N, N m], forces and
    moments per length of shells [N/m, N], stresses of solids [Pa]; tensors: layer -> (nel, nnode, 6) stresses
    xx, yy, zz, xy, yz, zx in model axes [Pa] (shells: top, bottom, middle; solids: middle); von_mises (nel, nnode)
    the largest over the layers, for beams over the extreme fibres [Pa]; NaN for springs, for beams whose section
    was given without outline, y_max and z_max, and for walls given by their stiffness. strains: of walls with layers,
    see `layer_stress`.
    """

    block: ElementBlock
    names: tuple[str, ...]
    resultants: Array
    tensors: dict[str, Array]
    von_mises: Array
    strains: WallStrains | None = None

    def layer(self, number: int, place: Layer = "top") -> Array:
        """Return stresses 1, 2, 12 (nel, nnode, 3) [Pa] of one layer of a wall in the axes of its material.

        number: from 0 at the bottom; place: top, bottom or middle of the layer.
        """
        return layer_stress(*self._layered, number, place)

    def between_layers(self, face: int) -> Array:
        """Return shear stresses xz, yz (nel, nnode, 2) [Pa] between layers, in axes along the material direction.

        face: 1 between the lowest layer and the next, and so on; they are in equilibrium with the shear forces.
        """
        return shear_stress(*self._layered, face)

    @property
    def _layered(self) -> tuple[LayeredSection, WallStrains]:
        if self.strains is None or not isinstance(self.block.section, LayeredSection):
            raise ModelError(f"{self.block.label} has no layers; give it a LayeredSection.")
        return self.block.section, self.strains

    @property
    def element_ids(self) -> IntArray:
        return self.block.element_ids

    @property
    def has_von_mises(self) -> bool:
        return bool(np.isfinite(self.von_mises).any())

    def __getitem__(self, name: str) -> Array:
        """Return one resultant (nel, nnode), e.g. "Mz" of a beam."""
        if name not in self.names:
            raise ModelError(f"{self.block.label} has no '{name}'; it has {', '.join(self.names)}.")
        return self.resultants[:, :, self.names.index(name)]


@short_repr
@dataclass(frozen=True)
class Stresses:
    """Stresses of a whole model."""

    model: FEModel
    blocks: tuple[BlockStress, ...]

    def nodal_von_mises(self) -> Array:
        """Return (nnode,) von Mises stress [Pa]; NaN where no elements meet.

        Corners of one wall or solid at a node (`meeting`) have their mean; the largest of these counts.
        """
        node, mean = self._means([s.von_mises[:, :, None] if s.has_von_mises else None for s in self.blocks], 1)
        worst = np.full(self.model.nnode, np.nan)
        np.fmax.at(worst, node, mean[:, 0])
        return worst

    def nodal_tensor(self, layer: Layer = "middle") -> Array:
        """Return (nnode, 6) stress tensors of shells or solids in model axes [Pa]; NaN where there are none.

        They are means as those of `nodal_von_mises`; where several walls or solids meet, that of the largest von Mises
        stress counts.
        """
        node, mean = self._means([s.tensors.get(layer) for s in self.blocks], 6)
        order = np.argsort(von_mises(mean))
        tensor = np.full((self.model.nnode, 6), np.nan)
        tensor[node[order]] = mean[order]  # of several at a node the last one stays
        return tensor

    @cached_property
    def _groups(self) -> list[IntArray]:
        """Groups of the corners (nel, nnode) of each block."""
        return meeting(self.model, [stress.block for stress in self.blocks])

    def _means(self, values: list[Array | None], width: int) -> tuple[IntArray, Array]:
        """Return nodes (g,) and means (g, width) over groups of corners of values (nel, nnode, width) of each block."""
        parts = [
            (stress.block.connectivity.reshape(-1), group.reshape(-1), value.reshape(-1, width))
            for stress, group, value in zip(self.blocks, self._groups, values, strict=True)
            if value is not None
        ]
        if not parts:
            return np.empty(0, dtype=np.int64), np.empty((0, width))
        node, group, value = (np.concatenate(columns) for columns in zip(*parts, strict=True))
        order = np.argsort(group)
        _, start, count = np.unique(group[order], return_index=True, return_counts=True)
        return node[order[start]], np.add.reduceat(value[order], start, axis=0) / count[:, None]


def stresses(fe: FEModel, displacement: Array, gravity: Sequence[float] | None = None) -> Stresses:
    """Return section forces and stresses for nodal displacements (nnode, 6) [m, rad].

    gravity (3,) [m/s2]: the field the displacements belong to, if any; beams carry their weight between the nodes,
    which the displacements of the nodes alone do not show.
    """
    u = np.asarray(displacement, dtype=float)
    if u.shape != (fe.nnode, 6):
        raise ModelError(f"displacement has shape {u.shape}, expected ({fe.nnode}, 6): one row for each node.")
    g = None if gravity is None else np.tile(np.r_[np.asarray(gravity, dtype=float), np.zeros(3)], (fe.nnode, 1))
    found = [_block_stress(fe, block, u, g) for block in fe.blocks if block.element.resultant_names]
    return Stresses(fe, tuple(found))


def _block_stress(fe: FEModel, block: ElementBlock, u: Array, pull: Array | None) -> BlockStress:
    element = block.element
    values = [np.empty((0, element.nnode, len(element.resultant_names)))]
    layers: dict[str, list[Array]] = {}
    strains: list[WallStrains] = []
    largest: list[Array] = []
    for rows, batch in fe.batches(block):
        at = block.connectivity[rows], slice(element.dof_per_node)
        values.append(element.resultants(batch, u[at].reshape(batch.size, -1)))
        inside = None if pull is None else element.weight_resultants(batch, pull[at].reshape(batch.size, -1))
        if inside is not None:
            values[-1] = values[-1] + inside
        if isinstance(block.section, LayeredSection):
            strains.append(wall_strains_of(block, batch, values[-1]))
            largest.append(_largest_of_layers(block.section, strains[-1]))
        for layer, tensor in tensors_of(block, batch, values[-1], strains).items():
            layers.setdefault(layer, []).append(tensor)
    resultants = np.concatenate(values)
    tensors = {layer: np.concatenate(parts) for layer, parts in layers.items()}
    worst = np.concatenate(largest) if largest else _largest(block, resultants, tensors)
    joined = WallStrains.joined(strains) if strains else None
    return BlockStress(block, element.resultant_names, resultants, tensors, worst, joined)


def elastic_of(block: ElementBlock) -> Array:
    """Return Young's modulus [Pa] and Poisson's ratio (2,) of a block; NaN where it is not isotropic."""
    material = block.material
    if material is None or material.matrix is not None or isinstance(block.section, LayeredSection):
        return np.full(2, np.nan)
    return np.array([material.E, material.nu])


def wall_strains_of(block: ElementBlock, batch: Batch, values: Array) -> WallStrains:
    """Return the strains of a layered wall for resultants (nel, nnode, 8)."""
    section, axes = cast("LayeredSection", block.section), block.element.node_axes(batch)
    return wall_strains(section, axes, direction_of(batch), nodal_thickness(batch, section), values)


def _largest_of_layers(section: LayeredSection, strains: WallStrains) -> Array:
    """Return the largest von Mises stress (nel, nnode) over both faces of all layers."""
    places: tuple[Layer, ...] = ("bottom", "top")
    faces = (layer_stress(section, strains, k, place) for k in range(len(section.layers)) for place in places)
    return np.max([np.sqrt(x**2 - x * y + y**2 + 3.0 * xy**2) for x, y, xy in (f.T for f in faces)], axis=0).T


def _largest(block: ElementBlock, resultants: Array, tensors: dict[str, Array]) -> Array:
    """Return the largest von Mises stress (nel, nnode) over layers or fibres; NaN where there are none."""
    if tensors:
        return np.max([von_mises(tensor) for tensor in tensors.values()], axis=0)
    if not isinstance(block.section, BeamSection):
        return np.full(resultants.shape[:2], np.nan)
    if resultants.shape[2] == 1:
        return np.abs(resultants[:, :, 0]) / block.section.A
    if not extreme_points(block.section).size:
        return np.full(resultants.shape[:2], np.nan)
    return beam_stress(block.section, resultants)


def tensors_of(block: ElementBlock, batch: Batch, values: Array, strains: list[WallStrains]) -> dict[str, Array]:
    """Return layer -> (nel, nnode, 6) stresses in model axes."""
    if block.element.dimension == 3:
        return {"middle": values}
    axes = block.element.node_axes(batch) if block.element.dimension == 2 else np.empty(0)
    if isinstance(block.section, ShellSection):
        thickness = nodal_thickness(batch, block.section)[:, :, None]
        planes = {
            layer: values[:, :, :3] / thickness + side * 6.0 * values[:, :, 3:6] / thickness**2
            for layer, side in _SIDE.items()
        }
    elif isinstance(block.section, LayeredSection):
        section, middle = block.section, middle_layer(block.section)
        faces: dict[str, tuple[int, Layer | float]] = {"top": (-1, "top"), "bottom": (0, "bottom"), "middle": middle}
        planes = {name: face_stress(section, strains[-1], *face) for name, face in faces.items()}
        axes = _along(axes, direction_of(batch))
    else:
        return {}
    layers = {}
    for layer, plane in planes.items():
        local = np.zeros((*plane.shape[:2], 3, 3))
        local[..., 0, 0], local[..., 1, 1] = plane[..., 0], plane[..., 1]
        local[..., 0, 1] = local[..., 1, 0] = plane[..., 2]
        turned = np.swapaxes(axes, -1, -2) @ local @ axes
        layers[layer] = np.stack([turned[..., i, j] for i, j in TENSOR], axis=-1)
    return layers


def _along(axes: Array, direction: Array) -> Array:
    """Return axes (nel, nnode or 1, 3, 3) of walls turned about their normals: x along a direction (nel, 3)."""
    cosine, sine = (part[:, :, None] for part in material_angle(axes, direction))
    x, y, z = (axes[..., k, :] for k in range(3))
    return np.stack([cosine * x + sine * y, cosine * y - sine * x, z], axis=2)
