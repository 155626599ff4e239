"""Bonded surfaces: which face each node of one surface meets on another, and the motion of that face at the node.

A node follows the shape functions of the nearest face. Where it stands off the face, it follows the plane that touches
the face: along the face by its slopes, across it by the turn of its normal. Where the face is a wall of its own, not
the side or the skin of a solid, the rotations of its nodes carry it there: slopes between nodes are not those at the
nodes, and a clamped edge has slopes but no turn. So rigid motions strain nothing, whatever the gap.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields

import numpy as np

from floatframe.arrays import Array, BoolArray, IntArray, skew
from floatframe.io.deck.equations import Equations
from floatframe.io.deck.linear_constraints import LinearConstraints
from floatframe.io.deck.node_table import NodeTable

_SHARE = 0.05  # of a face's mean edge: how far off a node is tied where no tolerance is given
_TOUCHING = 1e-6
_NAMED = 8  # nodes in a sentence
_CANDIDATES = 12  # faces of about one size with the nearest centres; the face that holds a point is among them
_BULGE = 2.0  # how far a curved face may reach from its centre, in terms of its farthest node
_ITERATIONS = 30
_AT_ONCE = 4096  # nodes; bounds the working arrays


@dataclass(frozen=True)
class Tied:
    """Nodes (n,) and their faces (n, k): weights (n, k, 3, 3) of the motions of the faces' nodes, and the gaps."""

    node: IntArray
    face: IntArray
    weights: Array
    distance: Array
    size: Array  # (n,) mean edge of the face
    normal: Array  # (n, 3) of the face, zero for one without area
    shares: Array  # (n, k) of the face's nodes at the nearest point

    def picked(self, rows: BoolArray) -> Tied:
        return Tied(*(getattr(self, part.name)[rows] for part in fields(self)))


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
    for some in tied_nodes(nodes.xyz[np.searchsorted(nodes.ids, slaves)], slaves, faces, places):
        far = some.distance > (share * some.size if tolerance is None else tolerance)
        apart += some.node[far].tolist()
        near = some.picked(~far)
        tied += near.node.size
        found.bonded.update(near.node.tolist())
        bridged = near.distance[near.distance > _TOUCHING * near.size]
        widest = max(widest, float(bridged.max(initial=0.0)))
        if sliding:
            _slide(near, found)
        else:
            walls = found.are_walls(near.face)
            _follow_walls(near.picked(walls), found)
            follow_faces(near.picked(~walls), found)
    return Bond(tied, widest, apart, tolerance, share)


def _slide(tied: Tied, found: LinearConstraints) -> None:
    """Let nodes follow their faces across them only."""
    n, k = tied.face.shape
    order = np.argsort(-np.abs(tied.normal), axis=1, kind="stable")
    across = np.einsum("ni,nkij->nkj", tied.normal, tied.weights)
    node = np.hstack([np.repeat(tied.node[:, None], 3, axis=1), np.repeat(tied.face, 3, axis=1)])
    component = np.hstack([order, np.tile(np.arange(3), (n, k))])
    factor = np.hstack([np.take_along_axis(tied.normal, order, axis=1), -across.reshape(n, 3 * k)])
    found.equations(Equations.of_rows(node, component, factor))


def follow_faces(tied: Tied, found: LinearConstraints) -> None:
    """Let nodes follow their faces; their rotations follow those of the faces where both have them."""
    n, k = tied.face.shape
    of = np.repeat(tied.face, 3, axis=1)[:, None]
    _follow(tied, (0, 1, 2), of, np.tile(np.arange(3), k), tied.weights.swapaxes(1, 2).reshape(n, 3, 3 * k), found)
    shares = np.trace(tied.weights, axis1=2, axis2=3) / 3.0
    turning = np.arange(3, 6)[:, None]
    _follow(tied, (3, 4, 5), tied.face[:, None], turning, shares[:, None], found)


def _follow_walls(tied: Tied, found: LinearConstraints) -> None:
    """Let nodes follow the nearest points of walls, which move and turn, as one rigid piece with them."""
    n, k = tied.face.shape
    xyz, ids = found.nodes.xyz, found.nodes.ids
    points = np.einsum("nk,nki->ni", tied.shares, xyz[np.searchsorted(ids, tied.face)])
    arm = -skew(xyz[np.searchsorted(ids, tied.node)] - points)
    # of each node of the face: the same translation, then its three rotations
    weights = np.empty((n, 3, k, 4))
    weights[..., 0] = tied.shares[:, None]
    weights[..., 1:] = tied.shares[:, None, :, None] * arm[:, :, None]
    component = np.tile(np.array([[c, 3, 4, 5] for c in range(3)]), k)
    of = np.repeat(tied.face, 4, axis=1)[:, None]
    _follow(tied, (0, 1, 2), of, component, weights.reshape(n, 3, 4 * k), found)
    _follow(tied, (3, 4, 5), tied.face[:, None], np.arange(3, 6)[:, None], tied.shares[:, None], found)


def _follow(
    tied: Tied,
    own: tuple[int, int, int],
    others: IntArray,
    component: IntArray,
    weights: Array,
    found: LinearConstraints,
) -> None:
    """Let three components of nodes follow weights (n, 3, m) of components of other nodes; rotations if they exist."""
    shape = (tied.node.size, 3, weights.shape[2])
    lead = (tied.node.size, 3, 1)
    node = np.concatenate([np.broadcast_to(tied.node[:, None, None], lead), np.broadcast_to(others, shape)], axis=2)
    parts = [np.broadcast_to(np.array(own)[:, None], lead), np.broadcast_to(component, shape)]
    factor = np.concatenate([np.ones(lead), -np.broadcast_to(weights, shape)], axis=2)
    rows = (3 * tied.node.size, 1 + weights.shape[2])
    found.equations(
        Equations.of_rows(
            node.reshape(rows), np.concatenate(parts, axis=2).reshape(rows), factor.reshape(rows), optional=own[0] > 2
        )
    )


def tied_nodes(points: Array, ids: IntArray, faces: list[IntArray], places: list[Array]) -> Iterator[Tied]:
    """Yield points (n, 3) with numbers (n,) tied to the nearest of the faces, many at once.

    faces: node numbers (nface, k) for each k of 3, 4, 6, 8, corners first and then the middles of the edges, with
    their places (nface, k, 3).
    """
    kind = np.repeat(np.arange(len(faces)), [len(rows) for rows in faces])
    row = np.concatenate([np.arange(len(rows)) for rows in faces])
    near = _Neighbours(places)
    for start in range(0, len(points), _AT_ONCE):
        chunk = points[start : start + _AT_ONCE]
        best, at, distance = np.zeros(len(chunk), np.int64), np.zeros((len(chunk), 2)), np.full(len(chunk), np.inf)
        for candidate, least in near.of(chunk):
            nearer = least < distance
            for k, xyz in enumerate(places):
                chosen = np.flatnonzero(nearer & (kind[candidate] == k))
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
            numbers, away = ids[start + chosen], distance[chosen]
            yield Tied(numbers, faces[k][of_face], weights, away, edges.mean(axis=1), normal, shares)


class _Neighbours:
    """Faces near points: the nearest centres among faces of one size, for every size that differs by a factor of 2."""

    def __init__(self, places: list[Array]) -> None:
        from scipy.spatial import cKDTree

        centres = np.concatenate([xyz.mean(axis=1) for xyz in places])
        reach = np.concatenate([np.sqrt(((xyz - xyz.mean(axis=1)[:, None]) ** 2).sum(axis=2)).max(1) for xyz in places])
        sizes = np.floor(np.log2(np.maximum(reach, 1e-300)))
        self._reach = _BULGE * reach
        self._rows = [np.flatnonzero(sizes == size) for size in np.unique(sizes)]
        self._trees = [cKDTree(centres[rows]) for rows in self._rows]

    def of(self, points: Array) -> Iterator[tuple[IntArray, Array]]:
        """Yield candidates (npoint,), one face for each point, and what they are at least away (npoint,)."""
        for rows, tree in zip(self._rows, self._trees, strict=True):
            count = min(_CANDIDATES, rows.size)
            away, near = (np.asarray(part).reshape(len(points), count) for part in tree.query(points, k=count))
            candidates = rows[near]
            yield from zip(candidates.T, (away - self._reach[candidates]).T, strict=True)


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
    """Return the nodes of faces (nface, k) in ascending order and the area of each, never zero.

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
