"""Which faces of solid elements lie on the outside of a body."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from floatframe.arrays import BoolArray, IntArray
from floatframe.fem.blocks import ElementBlock


def outer_faces(blocks: Sequence[ElementBlock]) -> tuple[BoolArray, ...]:
    """Return for each block (nel, nface): which faces of its solids no other solid shares; True for all others."""
    outside = [np.ones((len(block), len(block.element.faces)), dtype=bool) for block in blocks]
    solid = [k for k, block in enumerate(blocks) if block.element.dimension == 3 and len(block)]
    if not solid:
        return tuple(outside)
    keys = [_face_keys(blocks[k]) for k in solid]
    _, inverse, count = np.unique(np.concatenate(keys), axis=0, return_inverse=True, return_counts=True)
    single = (count == 1)[inverse.ravel()]
    ends = np.cumsum([len(key) for key in keys])[:-1]
    for k, mask in zip(solid, np.split(single, ends), strict=True):
        outside[k] = mask.reshape(outside[k].shape)
    return tuple(outside)


def _face_keys(block: ElementBlock) -> IntArray:
    """Return (nel * nface, 4): sorted corner nodes of each face, -1 filling up triangles."""
    element = block.element
    keys = np.full((len(block), len(element.faces), 4), -1, dtype=np.int64)
    for k, face in enumerate(element.faces):
        corners = [node for node in face if node < element.corners]
        keys[:, k, : len(corners)] = np.sort(block.connectivity[:, corners], axis=1)
    return keys.reshape(-1, 4)
