"""Polygons, their contours and the smooth surfaces between these."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

if TYPE_CHECKING:
    from floatframe.arrays import Array, IntArray

_SHARP = np.cos(np.radians(35.0))  # neighbours that meet under a larger angle have a contour between them


def grouped(faces: Sequence[IntArray]) -> Iterator[IntArray]:
    """Yield polygons joined by their number of corners."""
    for corners in sorted({face.shape[1] for face in faces}):
        yield np.concatenate([face for face in faces if face.shape[1] == corners])


def outer(faces: Sequence[IntArray]) -> Iterator[IntArray]:
    """Yield the polygons that belong to one element only: inner faces of a body appear twice."""
    for group in grouped(faces):
        _, first, times = np.unique(np.sort(group, axis=1), axis=0, return_index=True, return_counts=True)
        yield group[np.sort(first[times == 1])]


def normals(points: Array, group: IntArray) -> Array:
    """Return unit normals (k, 3) of polygons (k, corners), zero for those without area."""
    corner = points[group]
    n = np.cross(corner, np.roll(corner, -1, axis=1)).sum(axis=1)
    length = np.linalg.norm(n, axis=1, keepdims=True)
    return np.divide(n, length, out=np.zeros_like(n), where=length > 0)


def sides(faces: Sequence[IntArray]) -> IntArray:
    """Return the sides (k, 2) of polygons, one after another."""
    found = [np.stack([group, np.roll(group, -1, axis=1)], axis=2).reshape(-1, 2) for group in faces]
    return np.concatenate([np.empty((0, 2), dtype=np.int64), *found])


def contours(points: Array, faces: Sequence[IntArray]) -> IntArray:
    """Return edges (k, 2) where a surface ends, folds, or meets others."""
    edges = sides(faces)
    if not len(edges):
        return edges
    normal = np.concatenate([np.repeat(normals(points, group), group.shape[1], axis=0) for group in faces])
    low, high = np.sort(edges, axis=1).T
    order = np.argsort(low * (high.max() + 1) + high, kind="stable")
    edges, normal = np.column_stack([low, high])[order], normal[order]
    first = np.flatnonzero(np.append(True, (np.diff(edges, axis=0) != 0).any(axis=1)))
    times = np.diff(np.append(first, len(edges)))
    folded = np.ones(len(first), dtype=bool)
    two = times == 2
    # shells may be turned either way, so the sign of their normals says nothing
    cosine = np.abs((normal[first[two]] * normal[first[two] + 1]).sum(axis=1))
    folded[two] = cosine < _SHARP
    return edges[first[folded]]


def smooth_patches(
    points: Array, shells: Sequence[IntArray], solids: Sequence[IntArray]
) -> tuple[list[IntArray], IntArray]:
    """Return the polygons that are seen, in groups of equal corners, and the number of the smooth surface of each.

    A surface goes on to where a contour is drawn. solids: all faces of their elements, inner ones among them.
    """
    polygons = list(grouped([*shells, *outer(solids)]))
    count = sum(map(len, polygons))
    if not count:
        return [], np.empty(0, dtype=np.int64)
    edges = np.sort(sides(polygons), axis=1)
    owner = np.repeat(np.arange(count), np.concatenate([np.full(len(one), one.shape[1]) for one in polygons]))
    rim = contours(points, polygons)
    inner = ~np.isin(edges[:, 0] * len(points) + edges[:, 1], rim[:, 0] * len(points) + rim[:, 1])
    edges, owner = edges[inner], owner[inner]
    order = np.lexsort(edges.T)
    pairs = owner[order].reshape(-1, 2)  # what is no contour has two neighbours
    joined = coo_array((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(count, count))
    return polygons, connected_components(joined, directed=False)[1].astype(np.int64)


def all_edges(faces: Sequence[IntArray]) -> IntArray:
    """Return every side of the polygons once (k, 2)."""
    return np.unique(np.sort(sides(faces), axis=1), axis=0)


def triangles(faces: Sequence[IntArray]) -> IntArray:
    """Return convex polygons as triangles (k, 3)."""
    fans = [np.stack([group[:, [0, k, k + 1]] for k in range(1, group.shape[1] - 1)], axis=1) for group in faces]
    return np.concatenate([np.empty((0, 3), dtype=np.int64), *(fan.reshape(-1, 3) for fan in fans)])


def ear_clipped(outline: Array) -> IntArray:
    """Return triangles (n - 2, 3) that fill a simple polygon (n, 2), convex or not, turning as the polygon does."""
    turn = np.sign(_area(outline)) or 1.0
    left, found = list(range(len(outline))), []
    while len(left) > 3:
        for k in range(len(left)):
            ear = [left[k - 1], left[k], left[(k + 1) % len(left)]]
            others = outline[[i for i in left if i not in ear]]
            if turn * _area(outline[ear]) > 0 and not _inside(outline[ear] * [1.0, turn], others * [1.0, turn]).any():
                break
        else:  # nothing but straight corners is left
            k = 0
            ear = [left[-1], left[0], left[1]]
        found.append(ear)
        del left[k]
    return np.array([*found, left], dtype=np.int64)


def _area(polygon: Array) -> float:
    x, y = polygon.T
    return float((x * np.roll(y, -1) - y * np.roll(x, -1)).sum() / 2.0)


def _inside(triangle: Array, points: Array) -> Array:
    """Return which points (n, 2) lie in a triangle that turns to the left, or on its rim."""
    inside = np.ones(len(points), dtype=bool)
    for a, b in zip(triangle, np.roll(triangle, -1, axis=0), strict=True):
        inside &= (b[0] - a[0]) * (points[:, 1] - a[1]) - (b[1] - a[1]) * (points[:, 0] - a[0]) >= 0
    return inside
