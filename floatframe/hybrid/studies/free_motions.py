"""The motions joints leave free, and the natural modes within them.

Coordinates are scaled so that stiff ones count little: a basis of the free motions made with that scaling keeps the
small entries of stiff modes exact to their own size, and low frequencies come out with all their digits although the
stiffest mode of a flexible body may be 1e8 times faster.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from floatframe.arrays import Array, BoolArray, IntArray
from floatframe.hybrid.dense import connected_groups, pencil_modes, pivoted_qr
from floatframe.hybrid.studies.tangent import Tangent, assembled

SLOW = 1.0  # (rad/s)^2: motions slower than this count as free in the scaling
DEPENDENT = 1e-12  # a constraint row whose part normal to the others is smaller follows from them
ROUNDING = 1e-12  # of stiffness, relative to the terms of a sum
SLIP = 1e-12  # of the motion between the places of an element, relative to the motions of the places
NORMAL = 1e-9  # stiffness between two motions, over the mean of theirs, that mixes them
GRADE = 1e-3  # share of the stiffest motion below which softer ones are resolved among themselves
APART = 1e-14  # coupling over the mean of the entries coupled that is rounding
UNRESOLVED = 1e-15  # share of the largest modal flexibility below which a mode has no inertia worth the name


@dataclass(frozen=True)
class FreeDirections:
    """Free motions x = N y (nv, n) of the rows G (m, nv), and smallest motions that open the rows by given amounts."""

    N: Array
    G: Array
    scale: Array  # (nv,)
    independent: IntArray  # (n,) the coordinates that tell free motions apart: N[independent] is diagonal

    def opening(self, gaps: Array) -> Array:
        """The smallest x with G x = gaps (m, ...)."""
        rows = self.G * self.scale
        return (self.scale * np.linalg.lstsq(rows, gaps, rcond=DEPENDENT)[0].T).T

    def reactions(self, force: Array) -> Array:
        """Multipliers lam (m,) such that G^T lam carries as much of the generalised force (nv,) as joints can."""
        return np.asarray(np.linalg.lstsq((self.G * self.scale).T, self.scale * force, rcond=DEPENDENT)[0])

    def coordinates(self, x: Array) -> Array:
        """The y (n, ...) of the free part of motions x (nv, ...); openings have none."""
        scaled = self.N / self.scale[:, None]
        return np.asarray(np.linalg.lstsq(scaled, (x.T / self.scale).T, rcond=None)[0])


def coordinate_scales(M: Array, K: Array) -> Array:
    """How far each coordinate (nv,) moves at unit cost: softer and lighter ones farther.

    Coordinates that cost nothing, or only rounding, move as far as the cheapest of the others.
    """
    cost = np.abs(np.diag(K)) + SLOW * np.abs(np.diag(M))
    some = cost > DEPENDENT**2 * cost.max(initial=0.0)  # farther apart, scales would make rows look dependent
    cost[~some] = cost[some].min() if some.any() else 1.0
    return np.asarray(1.0 / np.sqrt(cost))


def free_directions(G: Array, scale: Array) -> FreeDirections:
    """The free motions, by elimination of the coordinates that the rows move most easily."""
    m, n = G.shape
    if m == 0:
        return FreeDirections(np.diag(scale), G, scale, np.arange(n))
    rows = G * scale
    size = np.linalg.norm(rows, axis=1, keepdims=True)
    rows = rows / np.where(size > 0.0, size, 1.0)
    R, order = pivoted_qr(rows)
    pivots = np.abs(np.diag(R))
    rank = int(np.count_nonzero(pivots > DEPENDENT * pivots.max(initial=0.0)))
    N = np.zeros((n, n - rank))
    N[order[:rank]] = -np.linalg.solve(R[:rank, :rank], R[:rank, rank:])
    N[order[rank:]] = np.eye(n - rank)
    return FreeDirections(scale[:, None] * N, G, scale, order[rank:])


@dataclass(frozen=True)
class Projected:
    """M z' + C z + K y = 0 with y' = z - drift y in the free motions; drift is zero for systems at rest.

    K = rest + sum over the force elements of J^T stiffness J.
    """

    free: FreeDirections
    M: Array  # (n, n)
    C: Array
    rest: Array
    J: Array  # (ne, 6, n)
    stiffness: Array  # (ne, 6, 6)
    drift: Array

    @property
    def K(self) -> Array:  # noqa: N802  (named as in the theory)
        """Stiffness (n, n)."""
        return self.form(np.eye(len(self.M)))

    def form(self, y: Array) -> Array:
        """y^T K y (k, k) for the columns of y (n, k).

        Elements see the motion between their places only, so soft motions keep their digits beside stiff elements.
        """
        return np.asarray(y.T @ self.rest @ y + assembled(self.J @ y, self.stiffness))


def project(t: Tangent) -> Projected:
    """The tangent in the free motions of its joints."""
    free = free_directions(t.G, coordinate_scales(t.M, t.K))
    N = free.N
    n = N.shape[1]
    M, J = N.T @ t.M @ N, t.J @ N
    if not any(np.any(part) for part in (t.gap_rate, t.gap_x, t.gap_v, t.turning_x, t.turning_v)):
        return Projected(free, M, N.T @ t.C @ N, N.T @ t.rest @ N, J, t.stiffness, np.zeros((n, n)))
    # speeds and accelerations that keep the joints closed while the system moves
    P = free.opening(-t.gap_rate @ N)
    by_y = free.opening(-(t.gap_x @ N + t.gap_v @ P))
    by_z = free.opening(-t.gap_v @ N)
    rest = N.T @ (t.rest @ N + t.C @ P + t.M @ by_y) + M @ free.coordinates(t.turning_v @ P)
    C = N.T @ (t.C @ N + t.M @ by_z) + M @ free.coordinates(t.turning_v @ N)
    return Projected(free, M, C, rest, J, t.stiffness, free.coordinates(t.turning_x @ N))


def resolved(p: Projected, y: Array) -> tuple[Array, Array]:
    """Stiffnesses ascending (k,) of motions y (n, k) that are nearly normal to each other, and those motions.

    Soft motions are resolved among themselves, again and again: rounding of stiff ones would swamp them. The motions
    are turned within their span, so unit generalised masses stay.
    """
    y, value = np.array(y), np.zeros(y.shape[1])
    soft = np.arange(y.shape[1])
    while len(soft):
        K = p.form(y[:, soft])
        K = 0.5 * (K + K.T)
        found = np.diag(K)
        size = np.abs(found)
        between = np.abs(K - np.diag(found))
        # motions that are normal to each other already stay as they are, even if their stiffness is the same
        group = connected_groups(between > NORMAL * np.sqrt(np.outer(size, size)) + 1e-15 * size.max())
        count = int(group.max()) + 1
        found = np.array(found)
        for k in range(count if count < len(soft) else 0):
            own = np.flatnonzero(group == k)
            found[own], turn = np.linalg.eigh(K[np.ix_(own, own)])
            y[:, soft[own]] = y[:, soft[own]] @ turn
        value[soft], size = found, np.abs(found)
        softer = soft[size <= GRADE * size.max()]
        if len(softer) == len(soft):
            break
        soft = softer
    order = np.argsort(value, kind="stable")
    return value[order], y[:, order]


def stiffness_noise(t: Tangent, shapes: Array) -> Array:
    """What rounding may make of x^T K x (k,) for the motions x in the columns of shapes (nv, k)."""
    size = np.abs(shapes)
    noise = np.einsum("ik,ij,jk->k", size, t.error + ROUNDING * np.abs(t.rest), size)
    if len(t.J):
        motion, slip, law = np.abs(t.J @ shapes), SLIP * (np.abs(t.J) @ size), np.abs(t.stiffness)
        noise += np.einsum("eik,eij,ejk->k", slip, law + law.transpose(0, 2, 1), motion + 0.5 * slip)
    return np.asarray(noise)


@dataclass(frozen=True)
class NaturalModes:
    """Undamped modes: squares of the angular frequencies ascending (n,), negative where the stiffness is."""

    square: Array  # (n,) [1/s2]
    y: Array  # (k, n) in the free motions, unit generalised mass
    shapes: Array  # (nv, n)
    zero: BoolArray  # (n,): the stiffness cancels to within its rounding


def natural_modes(t: Tangent, p: Projected) -> NaturalModes:
    """Modes of the symmetric part of the stiffness; motions without inertia and those beyond any time scale left out.

    The flexible side of the pencil is solved, M y = mu (K + s M) y, which resolves slow modes; the quotient of
    energies then gives fast ones their digits back.
    """
    K, M = 0.5 * (p.K + p.K.T), 0.5 * (p.M + p.M.T)
    if not len(M):
        return NaturalModes(np.zeros(0), M, np.zeros((len(t.M), 0)), np.zeros(0, dtype=bool))
    # parts that have nothing to do with each other must not be mixed where their frequencies are the same
    linked = [np.abs(A) > APART * np.sqrt(np.outer(np.abs(np.diag(A)), np.abs(np.diag(A)))) for A in (K, M)]
    part = connected_groups(linked[0] | linked[1])
    columns = []
    for k in range(int(part.max()) + 1):
        own = np.flatnonzero(part == k)
        inside = np.ix_(own, own)
        found = _vectors(K[inside], M[inside], p.C[inside])
        columns.append(np.zeros((len(M), found.shape[1])))
        columns[-1][own] = found
    y = np.hstack(columns)
    mass = np.einsum("ik,ij,jk->k", y, M, y)
    square, y = resolved(p, y / np.sqrt(mass))
    shapes = p.free.N @ y
    return NaturalModes(square, y, shapes, np.abs(square) <= stiffness_noise(t, shapes) + 1e-12 * SLOW)


def _vectors(K: Array, M: Array, C: Array) -> Array:
    """Modes (n, k) of a pencil."""
    found = _flexible_side(K, M)
    if found is not None:
        return found
    # motions with neither inertia nor stiffness, such as the spin of a point mass
    keep = _lasting(K, M, C)
    if not keep.size:
        return keep
    found = _flexible_side(keep.T @ K @ keep, keep.T @ M @ keep)
    if found is None:
        raise np.linalg.LinAlgError("mass and stiffness vanish together")
    return np.asarray(keep @ found)


def _flexible_side(K: Array, M: Array) -> Array | None:
    """Vectors (n, k) of M y = mu (K + s M) y, with s large enough to make that matrix positive definite."""
    for shift in 10.0 ** np.arange(0, 14, 2):
        try:
            flexibility, y = pencil_modes(M, K + shift * SLOW * M)
        except np.linalg.LinAlgError:
            continue
        return np.asarray(y[:, flexibility > UNRESOLVED * flexibility.max(initial=0.0)])
    return None


def _lasting(K: Array, M: Array, C: Array) -> Array:
    """Basis (n, k) of the motions on which some force depends."""
    _, s, Vt = np.linalg.svd(np.vstack((K, M, C, C.T)))
    return np.asarray(Vt[: np.count_nonzero(s > ROUNDING * s[0])].T)
