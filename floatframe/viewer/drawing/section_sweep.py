"""Beams as solids: the outline of the section swept from node to node. NumPy only."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from floatframe.viewer.drawing.polygons import ear_clipped
from floatframe.viewer.scene import Part

if TYPE_CHECKING:
    from floatframe.arrays import Array, IntArray

_MOST_CORNERS = 18  # of a round outline: more cannot be seen
_SHARP = np.cos(np.radians(35.0))
_KINK = 0.2  # length of the sum of two unit vectors: the angle [rad] between neighbouring elements


class Profile(NamedTuple):
    """A section to be swept: corners (n, 2), the first `rim` of them round it, caps (k, 3 or 4) that close an end,
    and corners (m,) with a visible edge along the beam."""

    corners: Array
    rim: int
    cap: IntArray
    sharp: IntArray


def profile(outline: Array, hole: Array | None = None) -> Profile:
    """Return the profile of an outline (n, 2) in local y, z and of a hole in it."""
    outer = _turning_left(_thinned(outline))
    n = len(outer)
    inner = _turning_left(_thinned(hole)) if hole is not None and len(hole) else outer[:0]
    if len(inner) != n:
        return Profile(outer, n, ear_clipped(outer), _sharp_corners(outer))
    # the hole shows at the ends only: its walls would be drawn in vain
    k = np.arange(n)
    after = (k + 1) % n
    ring = np.stack([k, after, n + after, n + k], axis=1)
    return Profile(np.vstack([outer, inner]), n, ring, _sharp_corners(outer))


def swept(name: str, shape: Profile, nodes: Array, ends: IntArray, offsets: Array, axes: Array) -> Part:
    """Return beams as one part.

    ends (nel, 2) node rows, offsets (nel, 2, 3) from the nodes to the centroids [m], axes (nel, 3, 3) rows x, y, z.
    """
    nel, n = len(ends), len(shape.corners)
    k = np.arange(shape.rim)
    after = (k + 1) % shape.rim
    wall = np.stack([k, after, after + n, k + n], axis=1)
    arm = offsets[:, :, None] + np.einsum("ck,ekx->ecx", shape.corners, axes[:, 1:])[:, None]
    anchor = np.repeat(ends[:, :, None], n, axis=2)
    start = 2 * n * np.arange(nel)[:, None, None]
    # where two elements of a beam run on straight nothing is seen of their caps
    inward = np.stack([axes[:, 0], -axes[:, 0]], axis=1)
    together = np.zeros((len(nodes), 3))
    np.add.at(together, ends, inward)
    open_end = (np.bincount(ends.ravel())[ends] != 2) | (np.linalg.norm(together[ends], axis=2) > _KINK)
    caps = [start[open_end[:, side]] + cap for side, cap in enumerate((shape.cap[:, ::-1], shape.cap + n))]
    along = np.stack([shape.sharp, shape.sharp + n], axis=1)
    return Part(
        name,
        (nodes[anchor] + arm).reshape(-1, 3),
        ((start + wall).reshape(-1, 4), *(cap.reshape(-1, shape.cap.shape[1]) for cap in caps)),
        edges=(start + along).reshape(-1, 2),
        closed=True,
        anchor=anchor.ravel(),
        arm=arm.reshape(-1, 3),
    )


def _thinned(outline: Array) -> Array:
    step = max(1, -(-len(outline) // _MOST_CORNERS))
    return np.asarray(outline, dtype=float)[::step]


def _turning_left(outline: Array) -> Array:
    """Return the outline in the order that makes the walls face outwards."""
    y, z = outline.T
    return outline if (y * np.roll(z, -1) - z * np.roll(y, -1)).sum() > 0 else outline[::-1]


def _sharp_corners(outline: Array) -> IntArray:
    """Return the corners (k,) where an edge is seen along the beam; of a round section four."""
    side = np.roll(outline, -1, axis=0) - outline
    side = side / np.maximum(np.linalg.norm(side, axis=1, keepdims=True), 1e-300)
    sharp = np.flatnonzero((side * np.roll(side, 1, axis=0)).sum(axis=1) < _SHARP)
    return sharp if sharp.size > 1 else np.arange(0, len(outline), max(1, len(outline) // 4))
