"""Bonded surfaces: which face each node of one surface meets on another, and the motion of that face at the node.

A node follows the shape functions of the nearest face. Where it stands off the face, it follows the plane that touches
the face: along the face by its slopes, across it by the turn of its normal. Where the face is a wall of its own, not
the side or the skin of a solid, the rotations of its nodes carry it there: slopes between nodes are not those at the
nodes, and a clamped edge has slopes but no turn. So rigid motions strain nothing, whatever the gap.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from floatframe.arrays import Array, IntArray
from floatframe.fem.masses import skew
from floatframe.io.elimination import Dof
from floatframe.io.linear_constraints import LinearConstraints, NodeTable

_SHARE = 0.05  # of a face's mean edge: how far off a node is tied where no tolerance is given
_TOUCHING = 1e-6
_NAMED = 8  # nodes in a sentence
_CANDIDATES = 12  # faces of about one size with the nearest centres; the face that holds a point is among them
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
    normal: Array  # (3,) of the face, zero for one without area
    shares: Array  # (k,) of the face's nodes at the nearest point


@dataclass(frozen=True)
class Bond:
    """What became of the nodes of a surface: how many follow, the widest gap bridged, and those too far off."""

    tied: int
    widest: float
    apart: list[int]
    tolerance: float | None = None
    share: float = _SHARE

    def sentences(self, slave: str, master: str) -> Iterator[str]:
        """Yield what a user should see."""
        yield f"{self.tied} nodes of '{slave}' follow the faces of '{master}'."
        if self.widest > 0.0:
            yield f"nodes are not adjusted; gaps of up to {self.widest:.3g} are bridged rigidly."
        if self.apart:
            some = ", ".join(map(str, self.apart[:_NAMED])) + (", …" if len(self.apart) > _NAMED else "")
            limit = f"{self.share:.0%} of a face" if self.tolerance is None else f"{self.tolerance:g}"
            yield f"{len(self.apart)} nodes farther off than {limit} are not tied: {some}."


def bond(
    slaves: IntArray,
    faces: list[IntArray],
    found: LinearConstraints,
    tolerance: float | None = None,
    share: float = _SHARE,
    sliding: bool = False,
) -> Bond:
    """Let nodes (n,) follow the nearest of faces (nface, k) by node numbers, if not farther off than the tolerance.

    Without a tolerance it is a share of the size of each face. Nodes that the faces have themselves, or that follow
    other faces already, are left alone. sliding: they follow across the face only.
    """
    nodes = found.nodes
    of_faces = np.unique(np.concatenate([rows.ravel() for rows in faces]))
    slaves = np.setdiff1d(slaves, of_faces)
    slaves = slaves[[node not in found.bonded for node in slaves.tolist()]]
    places = [nodes.xyz[np.searchsorted(nodes.ids, rows)] for rows in faces]
    tied, widest, apart = 0, 0.0, []
    for one in tied_nodes(nodes.xyz[np.searchsorted(nodes.ids, slaves)], slaves, faces, places):
        if one.distance > (share * one.size if tolerance is None else tolerance):
            apart.append(one.node)
            continue
        tied += 1
        found.bonded.add(one.node)
        if one.distance > _TOUCHING * one.size:
            widest = max(widest, one.distance)
        if sliding:
            _slide(one, found)
        elif found.is_wall(one.face):
            _follow_wall(one, found)
        else:
            follow_face(one, found)
    return Bond(tied, widest, apart, tolerance, share)


def _slide(tied: Tied, found: LinearConstraints) -> None:
    """Let a node follow its face across it only."""
    terms = [((tied.node, k), float(tied.normal[k])) for k in np.argsort(-np.abs(tied.normal), kind="stable")]
    for node, weight in zip(tied.face.tolist(), tied.weights, strict=True):
        terms += [((node, j), -float(c)) for j, c in enumerate(tied.normal @ weight)]
    found.equation([(dof, factor) for dof, factor in terms if abs(factor) > 1e-12])


def follow_face(tied: Tied, found: LinearConstraints) -> None:
    """Let a node follow its face; its rotations follow those of the face where both have them."""
    for component in range(3):
        terms: list[tuple[Dof, float]] = [((tied.node, component), 1.0)]
        for node, weight in zip(tied.face.tolist(), tied.weights, strict=True):
            terms += [((node, j), -float(weight[component, j])) for j in range(3) if abs(weight[component, j]) > 1e-12]
        found.equation(terms)
    shares = np.trace(tied.weights, axis1=1, axis2=2) / 3.0
    for component in range(3, 6):
        pairs = [
            ((node, component), -float(share)) for node, share in zip(tied.face.tolist(), shares, strict=True) if share
        ]
        found.equation([((tied.node, component), 1.0), *pairs], optional=True)


def _follow_wall(tied: Tied, found: LinearConstraints) -> None:
    """Let a node follow the nearest point of a wall, which moves and turns, as one rigid piece with it."""
    point = tied.shares @ found.nodes.xyz[np.searchsorted(found.nodes.ids, tied.face)]
    arm = -skew(found.nodes[tied.node] - point)
    for component in range(6):
        terms: list[tuple[Dof, float]] = [((tied.node, component), 1.0)]
        for node, share in zip(tied.face.tolist(), tied.shares.tolist(), strict=True):
            terms.append(((node, component), -share))
            if component < 3:
                terms += [((node, 3 + j), -share * float(arm[component, j])) for j in range(3)]
        found.equation([term for term in terms if abs(term[1]) > 1e-12], optional=component > 2)


def tied_nodes(points: Array, ids: IntArray, faces: list[IntArray], places: list[Array]) -> Iterator[Tied]:
    """Yield points (n, 3) with numbers (n,) tied to the nearest of the faces.

    faces: node numbers (nface, k) for each k of 3, 4, 6, 8, corners first and then the middles of the edges, with
    their places (nface, k, 3).
    """
    kind = np.repeat(np.arange(len(faces)), [len(rows) for rows in faces])
    row = np.concatenate([np.arange(len(rows)) for rows in faces])
    near = _Neighbours(places)
    for start in range(0, len(points), _AT_ONCE):
        chunk = points[start : start + _AT_ONCE]
        best, at, distance = np.zeros(len(chunk), np.int64), np.zeros((len(chunk), 2)), np.full(len(chunk), np.inf)
        for candidate in near.of(chunk):
            for k, xyz in enumerate(places):
                chosen = np.flatnonzero(kind[candidate] == k)
                here, away = _nearest(chunk[chosen], xyz[row[candidate[chosen]]])
                # the first of equals wins, so that the order of the faces alone decides
                closer = away < distance[chosen] * (1.0 - 1e-9)
                rows = chosen[closer]
                best[rows], at[rows], distance[rows] = candidate[rows], here[closer], away[closer]
        for k, xyz in enumerate(places):
            chosen = np.flatnonzero(kind[best] == k)
            if not chosen.size:
                continue
            of_face = row[best[chosen]]
            weights, normal = _motion(chunk[chosen], xyz[of_face], at[chosen])
            shares, _ = face_shape(xyz.shape[1], at[chosen])
            corners = xyz[of_face][:, : 3 if xyz.shape[1] in (3, 6) else 4]
            edges = np.sqrt(((corners - np.roll(corners, 1, axis=1)) ** 2).sum(axis=2))
            for j, place in enumerate(chosen.tolist()):
                yield Tied(
                    int(ids[start + place]),
                    faces[k][of_face[j]],
                    weights[j],
                    float(distance[place]),
                    float(edges[j].mean()),
                    normal[j],
                    shares[j],
                )


class _Neighbours:
    """Faces near points: the nearest centres among faces of one size, for every size that differs by a factor of 2."""

    def __init__(self, places: list[Array]) -> None:
        from scipy.spatial import cKDTree

        centres = np.concatenate([xyz.mean(axis=1) for xyz in places])
        reach = np.concatenate([np.sqrt(((xyz - xyz.mean(axis=1)[:, None]) ** 2).sum(axis=2)).max(1) for xyz in places])
        sizes = np.floor(np.log2(np.maximum(reach, 1e-300)))
        self._rows = [np.flatnonzero(sizes == size) for size in np.unique(sizes)]
        self._trees = [cKDTree(centres[rows]) for rows in self._rows]

    def of(self, points: Array) -> Iterator[IntArray]:
        """Yield candidates (npoint,), one face for each point."""
        for rows, tree in zip(self._rows, self._trees, strict=True):
            count = min(_CANDIDATES, rows.size)
            near = np.asarray(tree.query(points, k=count)[1]).reshape(len(points), count)
            yield from rows[near].T


def _motion(points: Array, xyz: Array, at: Array) -> tuple[Array, Array]:
    """Return (n, k, 3, 3) that make motions of points of those of their faces' nodes (n, k, 3), and normals (n, 3)."""
    N, dN = face_shape(xyz.shape[1], at)
    tangents = np.einsum("nka,nki->nai", dN, xyz)
    normal = np.cross(tangents[:, 0], tangents[:, 1])
    area = np.sqrt((normal**2).sum(axis=1))
    flat = area > 1e-12 * (tangents**2).sum(axis=(1, 2))
    normal = np.where(flat[:, None], normal / np.maximum(area, 1e-300)[:, None], 0.0)
    # tangents · dual = 1
    metric = np.where(flat[:, None, None], tangents @ tangents.swapaxes(1, 2), np.eye(2))
    dual = np.linalg.inv(metric) @ tangents
    gap = points - np.einsum("nk,nki->ni", N, xyz)
    across = (gap * normal).sum(axis=1)
    # a face without area has no slopes
    slopes = np.where(flat[:, None, None], np.einsum("nka,nai->nki", dN, dual), 0.0)
    along = N + np.einsum("nki,ni->nk", slopes, gap)
    turn = across[:, None, None, None] * slopes[:, :, :, None] * normal[:, None, None, :]
    return along[:, :, None, None] * np.eye(3) - turn, normal


def _nearest(points: Array, xyz: Array) -> tuple[Array, Array]:
    """Return face coordinates (n, 2) and distance (n,) of the nearest points of faces (n, k, 3), each for its own."""
    triangle = xyz.shape[1] in (3, 6)
    at = np.full((len(points), 2), 1.0 / 3.0 if triangle else 0.0)
    moving = np.arange(len(points))
    for _ in range(_ITERATIONS):
        here, faces = at[moving], xyz[moving]
        N, dN = face_shape(xyz.shape[1], here)
        gap = points[moving] - np.einsum("nk,nki->ni", N, faces)
        tangents = np.einsum("nka,nki->nai", dN, faces)
        metric = tangents @ tangents.swapaxes(1, 2)
        pull = (tangents @ gap[:, :, None])[:, :, 0]
        step = _into_face(here + _solved(metric, pull), triangle) - here
        # on an edge only what goes along it counts
        free = np.abs(step) > 0.0
        pull = np.where(free, pull, 0.0)
        metric = np.where(free[:, :, None] & free[:, None, :], metric, np.eye(2) * metric)
        step = _into_face(here + _solved(metric, pull), triangle) - here
        at[moving] = here + step
        moving = moving[np.abs(step).max(axis=1, initial=0.0) >= 1e-13]
        if not moving.size:
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


def nodal_areas(faces: list[IntArray], nodes: NodeTable) -> tuple[IntArray, Array]:
    """Return the nodes of faces (nface, k) in ascending order and the area that each of them stands for, never zero.

    A face is shared among its nodes as its shape functions ask, squared where these would leave corners nothing.
    """
    numbers, areas = [], []
    for rows in faces:
        xyz = nodes.xyz[np.searchsorted(nodes.ids, rows)]
        count = rows.shape[1]
        at, weight = _TRIANGLE_POINTS if count in (3, 6) else _SQUARE_POINTS
        N, dN = face_shape(count, at)
        tangents = np.einsum("pka,fki->fpai", dN, xyz)
        normal = np.cross(tangents[:, :, 0], tangents[:, :, 1])
        density = np.sqrt((normal**2).sum(axis=2)) * weight
        share = density @ (N if count < 6 else N**2)
        share *= density.sum(axis=1, keepdims=True) / np.maximum(share.sum(axis=1, keepdims=True), 1e-300)
        numbers.append(rows.ravel())
        areas.append(share.ravel())
    found, where = np.unique(np.concatenate(numbers), return_inverse=True)
    return found, np.bincount(where, np.concatenate(areas))


_SIDE = np.sqrt(0.6)
_SQUARE_POINTS = (
    np.array([[x, y] for x in (-_SIDE, 0.0, _SIDE) for y in (-_SIDE, 0.0, _SIDE)]),
    np.outer([5.0, 8.0, 5.0], [5.0, 8.0, 5.0]).ravel() / 81.0,
)
# seven points, exact to the fifth order
_NEAR, _FAR = (6.0 - np.sqrt(15.0)) / 21.0, (6.0 + np.sqrt(15.0)) / 21.0
_TRIANGLE_POINTS = (
    np.array([[1 / 3, 1 / 3], *([x, y] for a in (_NEAR, _FAR) for x, y in ((a, a), (1 - 2 * a, a), (a, 1 - 2 * a)))]),
    np.array([0.225, *[(155.0 - np.sqrt(15.0)) / 1200.0] * 3, *[(155.0 + np.sqrt(15.0)) / 1200.0] * 3]) / 2.0,
)
