"""Quadratic bricks with reduced integration that stand alone or in a single row.

A row of them, clamped or not, keeps patterns of motion that strain none of its integration points. Programs that give
these patterns no mass either do not show them; here they would come before every true mode. Neighbours in two
directions suppress them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from floatframe.arrays import BoolArray
from floatframe.fem import ElementBlock, FEModel, element_kind, outer_faces
from floatframe.io.import_log import ImportLog

_REDUCED, _FULL = "hex20_reduced", "hex20"
_CORNERS = [{node for node in face if node < 8} for face in element_kind(_FULL).faces]
_OPPOSITE = [(i, j) for j in range(6) for i in range(j) if not _CORNERS[i] & _CORNERS[j]]


def with_full_rows(fe: FEModel, log: ImportLog) -> FEModel:
    """Return the model with full integration of the bricks that have neighbours in one direction or none."""
    if not any(block.kind == _REDUCED for block in fe.blocks):
        return fe
    alone = [_in_a_row(block, outside) for block, outside in zip(fe.blocks, outer_faces(fe.blocks), strict=True)]
    count = int(sum(mask.sum() for mask in alone))
    if not count:
        return fe
    log.note(
        f"{count} 20-node bricks that stand in a single row are integrated fully: with reduced integration, as the "
        "file has it, such a row moves in patterns without stiffness"
    )
    blocks = [piece for block, mask in zip(fe.blocks, alone, strict=True) for piece in _pieces(block, mask)]
    return replace(fe, blocks=tuple(blocks))


def _in_a_row(block: ElementBlock, outside: BoolArray) -> BoolArray:
    """Which elements (nel,) are reduced bricks whose neighbours lie in one direction at most; outside (nel, nface)."""
    if block.kind != _REDUCED:
        return np.zeros(len(block), dtype=bool)
    directions = sum((~outside[:, i] | ~outside[:, j]).astype(int) for i, j in _OPPOSITE)
    return np.asarray(directions < 2)


def _pieces(block: ElementBlock, alone: BoolArray) -> Iterator[ElementBlock]:
    if not alone.all():
        yield block.take(~alone) if alone.any() else block
    if alone.any():
        yield replace(block.take(alone), kind=_FULL)
