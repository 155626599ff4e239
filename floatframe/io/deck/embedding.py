"""Nodes inside solids: which element holds each, and the motion of that element there."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from floatframe.arrays import Array, IntArray
from floatframe.fem import element_kind

_CANDIDATES = 16  # hosts with the nearest centres
_ITERATIONS = 20
_OUTSIDE = 0.05  # of the size of a host, how far outside of it a node may stand


def embedded(
    points: Array, hosts: list[tuple[str, IntArray, Array]], outside: float = _OUTSIDE
) -> Iterator[tuple[int, IntArray, Array]]:
    """Yield for points (n, 3) inside hosts: the row of the point, the nodes (k,) of its host and their weights (k,).

    hosts: kind of solid, node numbers (nel, k) and places (nel, k, 3). Points farther outside of all hosts
    than a share of their size are left out.
    """
    from scipy.spatial import cKDTree

    centres = np.concatenate([places.mean(axis=1) for _, _, places in hosts])
    part = np.repeat(np.arange(len(hosts)), [len(nodes) for _, nodes, _ in hosts])
    first = np.concatenate([[0], np.cumsum([len(nodes) for _, nodes, _ in hosts])])
    count = min(_CANDIDATES, len(centres))
    near = np.asarray(cKDTree(centres).query(points, k=count)[1]).reshape(len(points), count)
    for row, point in enumerate(points):
        best: tuple[float, IntArray, Array] | None = None
        for host in near[row].tolist():
            kind, nodes, places = hosts[part[host]]
            own = host - first[part[host]]
            away, weights = _inside(kind, point, places[own])
            if best is None or away < best[0]:
                best = away, nodes[own], weights
            if away == 0.0:
                break
        if best is not None and best[0] <= outside:
            yield row, best[1], best[2]


def _inside(kind: str, point: Array, xyz: Array) -> tuple[float, Array]:
    """Return how far outside of an element a point stands, in sizes of it, and the shape functions (k,) there."""
    element = element_kind(kind)
    reference = element.reference_nodes  # type: ignore[attr-defined]  # solids have them
    at = reference[: element.corners].mean(axis=0)
    size = float(np.ptp(xyz, axis=0).max())
    for _ in range(_ITERATIONS):
        N = element.shape(at[None])[0]  # type: ignore[attr-defined]
        gap = point - N @ xyz
        if np.abs(gap).max() <= 1e-13 * size:
            break
        gradient = np.asarray(element.shape_gradients(at[None]))[0]  # type: ignore[attr-defined]
        gradient = gradient if gradient.shape[0] == len(xyz) else gradient.T
        step = np.linalg.lstsq((gradient.T @ xyz).T, gap, rcond=None)[0]
        at = np.clip(at + step, *_BOX)
    inside = _into(at, reference[: element.corners])
    weights = np.asarray(element.shape(inside[None])[0])  # type: ignore[attr-defined]
    return float(np.sqrt(((point - weights @ xyz) ** 2).sum())) / size, weights


_BOX = (-3.0, 3.0)  # keeps the search near the element


def _into(at: Array, corners: Array) -> Array:
    """Return the point of the reference shape nearest to one that is outside by a little."""
    if len(corners) == 4:
        at = np.maximum(at, 0.0)
        return at / max(1.0, float(at.sum()))
    if len(corners) == 6:
        flat = np.maximum(at[:2], 0.0)
        flat = flat / max(1.0, float(flat.sum()))
        low, high = corners[:, 2].min(), corners[:, 2].max()
        return np.array([*flat, np.clip(at[2], low, high)])
    return np.clip(at, corners.min(axis=0), corners.max(axis=0))
