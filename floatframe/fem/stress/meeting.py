"""Which element corners at a node have stresses that may be averaged: those of one wall, or of one solid.

Stresses are continuous only where material, thickness and direction of the wall are; across the edge of a box or a step
of thickness a mean would belong to neither side.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from floatframe.arrays import Array, IntArray
from floatframe.fem.elements import nodal_thickness
from floatframe.fem.properties import LayeredSection, ShellSection

if TYPE_CHECKING:
    from floatframe.fem.model import ElementBlock, FEModel

_SMOOTH = 0.866  # cosine of the angle between normals of one wall, 30 degrees: circles of twelve elements are smooth
_EVEN = 1e-6  # largest step of the thickness of one wall, relative


def meeting(fe: FEModel, blocks: Sequence[ElementBlock]) -> list[IntArray]:
    """Return, for each block, numbers (nel, nnode) that are equal where corners meet whose stresses may be averaged.

    Solids of one material are averaged; so are shells of one material and thickness, or one set of layers, that steps
    of at most 30 degrees between normals lead to at the node. Other elements stand for themselves.
    """
    kinds: dict[tuple[object, ...], int] = {}
    kind, normal, thickness = [], [], []
    for block in blocks:
        shape = block.connectivity.shape
        key = _kind(block)
        kind.append(np.full(shape, -1 if key is None else kinds.setdefault(key, len(kinds))))
        across, thick = _wall(fe, block)
        normal.append(across)
        thickness.append(thick)
    if not blocks:
        return []
    node = np.concatenate([block.connectivity.reshape(-1) for block in blocks])
    numbers = _joined(
        node,
        np.concatenate([k.reshape(-1) for k in kind]),
        np.concatenate([n.reshape(-1, 3) for n in normal]),
        np.concatenate([t.reshape(-1) for t in thickness]),
    )
    ends = np.cumsum([block.connectivity.size for block in blocks])[:-1]
    return [part.reshape(k.shape) for part, k in zip(np.split(numbers, ends), kind, strict=True)]


def _kind(block: ElementBlock) -> tuple[object, ...] | None:
    """Return what averaged elements have in common, None for those that stand for themselves."""
    dimension, material, section = block.element.dimension, block.material, block.section
    if dimension == 2 and isinstance(section, LayeredSection):
        return dimension, section
    if material is None or not (dimension == 3 or (dimension == 2 and isinstance(section, ShellSection))):
        return None
    return dimension, (material.E, material.nu) if material.matrix is None else material


def _wall(fe: FEModel, block: ElementBlock) -> tuple[Array, Array]:
    """Return normals (nel, nnode, 3) and thickness (nel, nnode) of walls; all alike, with no thickness, for others."""
    normal = np.tile([0.0, 0.0, 1.0], (*block.connectivity.shape, 1))
    thickness = np.zeros(block.connectivity.shape)
    if block.element.dimension == 2 and isinstance(block.section, ShellSection | LayeredSection):
        for rows, batch in fe.batches(block):
            normal[rows] = block.element.node_axes(batch)[..., 2, :]
            thickness[rows] = nodal_thickness(batch, block.section)
    return normal, thickness


def _joined(node: IntArray, kind: IntArray, normal: Array, thickness: Array) -> IntArray:
    """Return the number (n,) of the group of each corner: those of one node and kind that smooth steps join."""
    order = np.lexsort((kind, node))
    pairs = []
    later = np.flatnonzero(kind[order] >= 0)
    for step in range(1, len(order)):  # corners of one node and kind follow one another
        later = later[later + step < len(order)]
        a, b = order[later], order[later + step]
        same = (node[a] == node[b]) & (kind[a] == kind[b])
        if not same.any():
            break
        later, a, b = later[same], a[same], b[same]
        smooth = np.einsum("ij,ij->i", normal[a], normal[b]) >= _SMOOTH
        smooth &= np.abs(thickness[a] - thickness[b]) <= _EVEN * thickness[a]
        pairs.append((a[smooth], b[smooth]))
        later = later[thickness[a] > 0.0]  # solids are one by their first step
    first, second = (np.concatenate(ends) for ends in zip(*pairs, strict=True)) if pairs else (node[:0], node[:0])
    links = coo_array((np.ones(len(first)), (first, second)), shape=(len(node), len(node)))
    return np.asarray(connected_components(links, directed=False)[1], dtype=np.int64)
