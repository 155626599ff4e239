"""Nodes tied to a surface: which face each one meets, and the motion of that face at the node.

A node follows the shape functions of the nearest face. Where it stands off the face, it follows the plane that touches
the face: along the face by its slopes, across it by the turn of its normal. So rigid motions strain nothing, whatever
the gap.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from floatframe.arrays import Array, IntArray

_CANDIDATES = 12  # faces with the nearest centres; the face that holds a point is among them
_ITERATIONS = 30
_AT_ONCE = 4096  # nodes; bounds the working arrays


@dataclass(frozen=True)
class Tied:
    """A node and its face: weights (k, 3, 3) of the motions of the face's nodes, and how far it stands off."""

    node: int
    face: IntArray
    weights: Array
    distance: float
    size: float  # mean edge of the face


def tied_nodes(points: Array, ids: IntArray, faces: list[IntArray], places: list[Array]) -> Iterator[Tied]:
    """Yield points (n, 3) with numbers (n,) tied to the nearest of the faces.

    faces: node numbers (nface, k) for each k of 3, 4, 6, 8, corners first and then the middles of the edges, with
    their places (nface, k, 3).
    """
    from scipy.spatial import cKDTree

    centres = np.concatenate([xyz.mean(axis=1) for xyz in places])
    kind = np.repeat(np.arange(len(faces)), [len(rows) for rows in faces])
    row = np.concatenate([np.arange(len(rows)) for rows in faces])
    tree, count = cKDTree(centres), min(_CANDIDATES, len(centres))
    for start in range(0, len(points), _AT_ONCE):
        chunk = points[start : start + _AT_ONCE]
        near = np.asarray(tree.query(chunk, k=count)[1]).reshape(len(chunk), count)
        best, at, distance = np.zeros(len(chunk), np.int64), np.zeros((len(chunk), 2)), np.full(len(chunk), np.inf)
        for candidate in near.T:
            for k, xyz in enumerate(places):
                chosen = np.flatnonzero(kind[candidate] == k)
                here, away = _nearest(chunk[chosen], xyz[row[candidate[chosen]]])
                # the first of equals wins, so that the order of the faces alone decides
                closer = away < distance[chosen] * (1.0 - 1e-9)
                rows = chosen[closer]
                best[rows], at[rows], distance[rows] = candidate[rows], here[closer], away[closer]
        for k, (point, face) in enumerate(zip(chunk, best, strict=True)):
            xyz = places[kind[face]][row[face]]
            corners = xyz[: 3 if len(xyz) in (3, 6) else 4]
            size = float(np.mean(np.sqrt(((corners - np.roll(corners, 1, axis=0)) ** 2).sum(axis=1))))
            yield Tied(
                int(ids[start + k]),
                faces[kind[face]][row[face]],
                _weights(point, xyz, at[k]),
                float(distance[k]),
                size,
            )


def _weights(point: Array, xyz: Array, at: Array) -> Array:
    """Return (k, 3, 3) that make the motion of a point of the motions of a face's nodes (k, 3)."""
    N, dN = (values[0] for values in face_shape(len(xyz), at[None]))
    tangents = dN.T @ xyz
    normal = np.cross(tangents[0], tangents[1])
    area = np.sqrt(normal @ normal)
    if not area > 0.0:
        return N[:, None, None] * np.eye(3)
    normal = normal / area
    dual = np.linalg.pinv(tangents)  # columns: tangents · dual = 1
    gap = point - N @ xyz
    across = gap @ normal
    along = N + dN @ (gap @ dual)
    return along[:, None, None] * np.eye(3) - across * (dN @ dual.T)[:, :, None] * normal


def _nearest(points: Array, xyz: Array) -> tuple[Array, Array]:
    """Return face coordinates (n, 2) and distance (n,) of the nearest points of faces (n, k, 3), each for its own."""
    triangle = xyz.shape[1] in (3, 6)
    at = np.full((len(points), 2), 1.0 / 3.0 if triangle else 0.0)
    for _ in range(_ITERATIONS):
        N, dN = face_shape(xyz.shape[1], at)
        gap = points - np.einsum("nk,nki->ni", N, xyz)
        tangents = np.einsum("nka,nki->nai", dN, xyz)
        metric = tangents @ tangents.swapaxes(1, 2)
        pull = (tangents @ gap[:, :, None])[:, :, 0]
        step = _into_face(at + _solved(metric, pull), triangle) - at
        # on an edge only what goes along it counts
        free = np.abs(step) > 0.0
        pull = np.where(free, pull, 0.0)
        metric = np.where(free[:, :, None] & free[:, None, :], metric, np.eye(2) * metric)
        step = _into_face(at + _solved(metric, pull), triangle) - at
        at = at + step
        if np.abs(step).max(initial=0.0) < 1e-13:
            break
    N, _ = face_shape(xyz.shape[1], at)
    gap = points - np.einsum("nk,nki->ni", N, xyz)
    return at, np.sqrt((gap**2).sum(axis=1))


def _solved(metric: Array, pull: Array) -> Array:
    """Return the step (n, 2) of Gauss and Newton; a face without area gives none."""
    a, b, d = metric[:, 0, 0], metric[:, 0, 1], metric[:, 1, 1]
    det = a * d - b * b
    det = np.where(det > 1e-24 * (a + d) ** 2, det, np.inf)
    return np.stack([d * pull[:, 0] - b * pull[:, 1], a * pull[:, 1] - b * pull[:, 0]], axis=1) / det[:, None]


def _into_face(at: Array, triangle: bool) -> Array:
    if not triangle:
        return np.clip(at, -1.0, 1.0)
    over = np.maximum(at.sum(axis=1, keepdims=True) - 1.0, 0.0)
    at = np.clip(at - over / 2.0, 0.0, 1.0)
    return at / np.maximum(at.sum(axis=1, keepdims=True), 1.0)


def face_shape(count: int, at: Array) -> tuple[Array, Array]:
    """Return shape functions (n, k) of a face of k nodes at (n, 2) and their slopes (n, k, 2)."""
    x, y = at[:, 0], at[:, 1]
    if count in (3, 6):
        L = np.stack([1.0 - x - y, x, y], axis=1)
        dL = np.broadcast_to(np.array([[-1.0, -1.0], [1.0, 0.0], [0.0, 1.0]]), (len(at), 3, 2))
        if count == 3:
            return L, dL
        after = [1, 2, 0]
        N = np.concatenate([L * (2.0 * L - 1.0), 4.0 * L * L[:, after]], axis=1)
        middles = 4.0 * (L[:, :, None] * dL[:, after] + L[:, after, None] * dL)
        return N, np.concatenate([(4.0 * L - 1.0)[:, :, None] * dL, middles], axis=1)
    sx, sy = np.array([-1.0, 1.0, 1.0, -1.0]), np.array([-1.0, -1.0, 1.0, 1.0])
    u, v = 1.0 + sx * x[:, None], 1.0 + sy * y[:, None]
    if count == 4:
        return u * v / 4.0, np.stack([sx * v, u * sy], axis=2) / 4.0
    corner = sx * x[:, None] + sy * y[:, None] - 1.0
    N = u * v * corner / 4.0
    dN = np.stack([sx * v * (corner + u), sy * u * (corner + v)], axis=2) / 4.0
    # middles: below, right, above, left
    mx = np.stack([(1 - x * x) * (1 - y), (1 + x) * (1 - y * y), (1 - x * x) * (1 + y), (1 - x) * (1 - y * y)], axis=1)
    along_x = np.stack([-2 * x * (1 - y), 1 - y * y, -2 * x * (1 + y), y * y - 1], axis=1)
    along_y = np.stack([x * x - 1, -2 * y * (1 + x), 1 - x * x, -2 * y * (1 - x)], axis=1)
    return np.concatenate([N, mx / 2.0], axis=1), np.concatenate(
        [dN, np.stack([along_x, along_y], axis=2) / 2.0], axis=1
    )
