"""Plate bending of the triangle MITC3+ (Lee, Lee and Bathe 2014): a bubble of rotations and assumed shear strains.

Deflections are linear; rotations are linear plus the cubic 27 λ0 λ1 λ2, whose amplitudes are eliminated in the element.
Shear strains are constant, but for a trace of their curl, taken from points very near the centroid, that keeps rank.
"""

from __future__ import annotations

import numpy as np

from floatframe.arrays import Array
from floatframe.fem.elements import _gauss
from floatframe.fem.elements.shells._wall import Wall

RULE = _gauss.triangle(5)
NEAR = 1e-4  # distance of the points round the centroid
CORNER_SLOPES = np.array([[-1.0, 1.0, 0.0], [-1.0, 0.0, 1.0]])  # along r and s
NODES = [0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11]  # (uz, rx, ry) of three corners, (rx, ry) of the bubble


def mitc3_rows(wall: Wall, area: Array) -> Array:
    """Return rows (nel, 35, 3, 3) for (uz, rx, ry) of 3 nodes: curvatures, then transverse shears."""
    base = wall.xy[:, 1:] - wall.xy[:, :1]  # rows ∂(x, y)/∂r, ∂s
    dual, (shear, growth) = np.linalg.inv(base), _assumed_shear(base)
    bend, slide = np.sqrt(2.0 * area * wall.bending_stiffness), np.sqrt(2.0 * area * wall.shear_stiffness)
    curvatures, shears = [], []
    for (r, s), weight in zip(RULE.points, np.sqrt(RULE.weights), strict=True):
        bubble = 27.0 * np.array([s * (1.0 - 2.0 * r - s), r * (1.0 - r - 2.0 * s)])[:, None]
        x, y = np.matmul(dual, np.hstack([CORNER_SLOPES - bubble / 3.0, bubble])).swapaxes(0, 1)
        plane = np.zeros((3, len(area), 4, 3))
        plane[0, ..., 2], plane[1, ..., 1], plane[2, ..., 2], plane[2, ..., 1] = x, -y, y, -x
        curvatures.append((weight * bend)[:, None, None] * wall.bending.rows(*plane.reshape(3, -1, 12)[..., NODES]))
        turn = np.array([s - 1.0 / 3.0, 1.0 / 3.0 - r])[:, None] * growth[:, None]
        shears.append((weight * slide)[:, None, None] * np.matmul(dual, shear + turn))
    rows = np.concatenate(curvatures + shears, axis=1)
    nodes, inner = rows[..., :9], rows[..., 9:]
    held = inner.swapaxes(1, 2)
    nodes = nodes - np.matmul(inner, np.linalg.solve(np.matmul(held, inner), np.matmul(held, nodes)))
    return nodes.reshape(len(area), -1, 3, 3)


def _assumed_shear(base: Array) -> tuple[Array, Array]:
    """Return the constant shears along r and s (nel, 2, 11) and their curl (nel, 11)."""
    third, sixth = 1.0 / 3.0, 1.0 / 6.0
    a, b, c = (_shear(base, *at) for at in ((sixth, 4.0 * sixth), (4.0 * sixth, sixth), (sixth, sixth)))
    d, e, f = (_shear(base, third + NEAR * r, third + NEAR * s) for r, s in ((1.0, -2.0), (-2.0, 1.0), (1.0, 1.0)))
    common = (c[:, 0] + c[:, 1]) / 3.0
    along_r, along_s = 2.0 / 3.0 * b[:, 0] - b[:, 1] / 3.0 + common, 2.0 / 3.0 * a[:, 1] - a[:, 0] / 3.0 + common
    return np.stack([along_r, along_s], axis=1), f[:, 0] - d[:, 0] - f[:, 1] + e[:, 1]


def _shear(base: Array, r: float, s: float) -> Array:
    """Return shears along r and s (nel, 2, 11) of the displacements at one point; βx = ry, βy = -rx."""
    bubble = 27.0 * r * s * (1.0 - r - s)
    rotation = np.array([1.0 - r - s - bubble / 3.0, r - bubble / 3.0, s - bubble / 3.0, bubble])
    rows = np.zeros((len(base), 2, 4, 3))
    rows[:, :, :3, 0] = CORNER_SLOPES
    rows[..., 1], rows[..., 2] = -base[:, :, 1:] * rotation, base[:, :, :1] * rotation
    return rows.reshape(-1, 2, 12)[..., NODES]
