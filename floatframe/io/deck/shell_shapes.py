"""Quadratic shells of foreign files: quadrilaterals that are collapsed to triangles, and mid-side nodes left out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from floatframe.arrays import IntArray

# nodes of an eight-node shell that make the triangle left when the k-th side has no length; corners, then middles
_TRIANGLES = ([0, 2, 3, 5, 6, 7], [0, 1, 3, 4, 6, 7], [0, 1, 2, 4, 5, 7], [0, 1, 2, 4, 5, 6])


@dataclass(frozen=True)
class ShellShape:
    """Shells of one kind: rows (n,) in the table they come from and the places (nnode,) of their nodes in it."""

    kind: str
    rows: IntArray
    places: IntArray


def quadratic_shapes(nodes: IntArray) -> Iterator[ShellShape]:
    """Sort shells (n, 8) or (n, 6) by what they are; a node that is left out is 0.

    Without any mid-side node they are flat, with some of them curved: the missing ones remain to be added.
    """
    corners = 4 if nodes.shape[1] == 8 else 3
    side = nodes[:, :corners] == np.roll(nodes[:, :corners], -1, axis=1)
    # the side from K to L first: decks mostly repeat the third corner
    order = [2, 3, 0, 1]
    left = np.ones(len(nodes), dtype=bool)
    if corners == 4:
        for k in order:
            yield from _with_and_without(nodes, left & side[:, k], np.array(_TRIANGLES[k]))
            left &= ~side[:, k]
    yield from _with_and_without(nodes, left, np.arange(nodes.shape[1]))


def _with_and_without(nodes: IntArray, mask: IntArray, places: IntArray) -> Iterator[ShellShape]:
    corners = len(places) // 2
    middles = nodes[:, places[corners:]].any(axis=1)
    for rows, count in ((mask & middles, len(places)), (mask & ~middles, corners)):
        if rows.any():
            yield ShellShape(f"shell{count}", np.flatnonzero(rows), places[:count])
