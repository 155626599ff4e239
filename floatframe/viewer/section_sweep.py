"""Beams as solids: the outline of the section swept from node to node. NumPy only."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from floatframe.viewer.polygons import ear_clipped
from floatframe.viewer.scene import Part

if TYPE_CHECKING:
    from floatframe.arrays import Array, IntArray

_MOST_CORNERS = 18  # of a round outline: more cannot be seen
_SHARP = np.cos(np.radians(35.0))


class Profile(NamedTuple):
    """A section to be swept: corners (n, 2), closed loops of them, cap polygons, corners with a visible edge."""

    corners: Array
    loops: tuple[IntArray, ...]
    caps: tuple[IntArray, ...]
    sharp: IntArray


def profile(outline: Array, hole: Array | None = None) -> Profile:
    """Return the profile of an outline (n, 2) in local y, z and of a hole in it."""
    outer = _thinned(outline)
    n = len(outer)
    rim = np.arange(n)
    if hole is None or not len(hole):
        return Profile(outer, (rim,), (ear_clipped(outer),), _sharp_corners(outer))
    inner = _thinned(hole)
    corners = np.vstack([outer, inner])
    loops = (rim, n + np.arange(len(inner))[::-1])
    if len(inner) != n:
        return Profile(corners, loops, (), _sharp_corners(outer))
    after = (rim + 1) % n
    ring = np.stack([rim, after, n + after, n + rim], axis=1)
    return Profile(corners, loops, (ring,), _sharp_corners(outer))


def swept(name: str, shape: Profile, nodes: Array, ends: IntArray, offsets: Array, axes: Array) -> Part:
    """Return beams as one part.

    ends (nel, 2) node rows, offsets (nel, 2, 3) from the nodes to the centroids [m], axes (nel, 3, 3) rows x, y, z.
    """
    nel, n = len(ends), len(shape.corners)
    arm = offsets[:, :, None] + np.einsum("ck,ekx->ecx", shape.corners, axes[:, 1:])[:, None]
    anchor = np.repeat(ends[:, :, None], n, axis=2)
    start = 2 * n * np.arange(nel)[:, None, None]
    walls = [np.stack([loop, np.roll(loop, -1), np.roll(loop, -1) + n, loop + n], axis=1) for loop in shape.loops]
    caps = [group for cap in shape.caps for group in (cap[:, ::-1], cap + n)]
    along = np.stack([shape.sharp, shape.sharp + n], axis=1)
    return Part(
        name,
        (nodes[anchor] + arm).reshape(-1, 3),
        tuple((start + group).reshape(-1, group.shape[1]) for group in (*walls, *caps)),
        edges=(start + along).reshape(-1, 2),
        anchor=anchor.ravel(),
        arm=arm.reshape(-1, 3),
    )


def _thinned(outline: Array) -> Array:
    step = max(1, -(-len(outline) // _MOST_CORNERS))
    return np.asarray(outline, dtype=float)[::step]


def _sharp_corners(outline: Array) -> IntArray:
    """Return the corners (k,) where an edge is seen along the beam; of a round section four."""
    side = np.roll(outline, -1, axis=0) - outline
    side = side / np.maximum(np.linalg.norm(side, axis=1, keepdims=True), 1e-300)
    sharp = np.flatnonzero((side * np.roll(side, 1, axis=0)).sum(axis=1) < _SHARP)
    return sharp if sharp.size > 1 else np.arange(0, len(outline), max(1, len(outline) // 4))
