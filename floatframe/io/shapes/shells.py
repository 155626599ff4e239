"""Shells of a surface, its parts that hang together, and whether those turned inwards are cavities of others."""

from __future__ import annotations

import numpy as np

from floatframe.arrays import Array, IntArray

_PROBES = 4  # triangles of a shell whose middles say whether it is inside another


def shell_numbers(triangles: IntArray) -> IntArray:
    """Return the shell (k,) of each triangle; solids that touch along edges only are shells of their own.

    Neighbours are two triangles that share an edge with no other. Where that leaves parts with gaps, as beside a face
    that two solids share, parts that meet in edges are one shell.
    """
    start, end = triangles.ravel(), np.roll(triangles, -1, axis=1).ravel()
    low, high = np.minimum(start, end), np.maximum(start, end)
    _, edge, count = np.unique(low * (triangles.max() + 1) + high, return_inverse=True, return_counts=True)
    edge = edge.ravel()
    owner = np.repeat(np.arange(len(triangles)), 3)
    shells = _groups(owner, edge, count[edge] == 2, len(triangles))
    keys, pair = np.unique(shells[owner] * len(count) + edge, return_inverse=True)
    passed = np.bincount(pair.ravel(), np.where(start < end, 1, -1))
    gap = np.zeros(shells.max() + 1, dtype=bool)
    gap[keys[passed != 0] // len(count)] = True
    if not gap.any():
        return shells
    return _groups(owner, edge, (count[edge] == 2) | gap[shells[owner]], len(triangles))


def _groups(owner: IntArray, edge: IntArray, joins: Array, triangles: int) -> IntArray:
    """Return the group (triangles,) of each triangle, those at one edge being together where it joins."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    size = triangles + int(edge.max()) + 1
    ends = owner[joins], triangles + edge[joins]
    _, group = connected_components(coo_matrix((np.ones(len(ends[0])), ends), shape=(size, size)), directed=False)
    _, number = np.unique(group[:triangles], return_inverse=True)
    return number.ravel().astype(np.int64)


def stray_inward_shell(points: Array, triangles: IntArray, volumes: Array, least: float) -> Array | None:
    """Return the triangles (k, 3, 3) of a shell turned inwards that is no cavity of one turned outwards, if any.

    triangles (k, 3) of points (n, 3): a closed surface; volumes (k,) of the tetrahedra between them and one point;
    least: the volume of a shell that is one at all.
    """
    shells, corners = shell_numbers(triangles), points[triangles]
    volume = np.bincount(shells, volumes)
    inward, outward = np.flatnonzero(volume < -least), np.flatnonzero(volume > least)
    if not len(inward):
        return None
    order = np.argsort(shells, kind="stable")
    begin = np.searchsorted(shells[order], np.arange(len(volume)))
    low = np.minimum.reduceat(corners.min(axis=1)[order], begin)
    high = np.maximum.reduceat(corners.max(axis=1)[order], begin)
    for one in inward:
        around = outward[((low[outward] <= low[one]) & (high[outward] >= high[one])).all(axis=1)]
        own = corners[shells == one]
        if not any(_is_inside(own, corners[shells == other]) for other in around):
            return own
    return None


def _is_inside(corners: Array, around: Array) -> bool:
    """Whether triangles (k, 3, 3) lie within a closed shell (m, 3, 3); they may touch it."""
    chosen = np.unique(np.linspace(0, len(corners) - 1, _PROBES).astype(np.int64))
    turns = [_times_around(corners[k].mean(axis=0), around) for k in chosen]
    return min(turns) > 0.25 and max(turns) > 0.75  # 1 inside, 0 outside, 1/2 on a face


def _times_around(point: Array, corners: Array) -> float:
    """How often triangles (m, 3, 3) surround a point: their solid angles by Van Oosterom and Strackee."""
    a, b, c = (corners - point).transpose(1, 0, 2)
    la, lb, lc = (np.linalg.norm(x, axis=1) for x in (a, b, c))
    ab, bc, ca = (np.einsum("ij,ij->i", x, y) for x, y in ((a, b), (b, c), (c, a)))
    triple = np.einsum("ij,ij->i", a, np.cross(b, c))
    return float(np.arctan2(triple, la * lb * lc + ab * lc + bc * la + ca * lb).sum() / (2 * np.pi))
