"""The Lanczos recurrence: an orthonormal Krylov basis that grows block by block.

    A Q = Q T + Q_next B E^T,   Q^T W Q = I

A is the inverse operator, W its metric. T is kept as a small dense matrix, so that Ritz vectors kept by a restart (an
arrow in T) need no special case. Blocks of one column give the single-vector method. Eigenvectors known before stand
locked at the head of Q: everything is orthogonal to them, and T leaves them out.
"""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import Protocol

import numpy as np
from scipy.linalg import eigh
from scipy.linalg.blas import dgemm

from floatframe.arrays import Array
from floatframe.errors import ModelError
from floatframe.modal.lanczos.operator import Inverse
from floatframe.modal.lanczos.products import overlaps, subtract_product

_EPS = float(np.finfo(np.float64).eps)
_BREAKDOWN = 100.0 * _EPS  # a new direction this small, relative to |T|, is round-off: the subspace is invariant
_ONCE_IS_ENOUGH = 1e-7  # overlaps removed below this level leave less than round-off behind
_DOUBTFUL = 1e-6  # a new direction this small, relative to |T|, is cleaned again
_GRADED = 1e-2  # directions this much shorter than others come by themselves: orthonormal to eps over its square
_DEPENDENT = 1e-8  # a unit vector that keeps less of its length when cleaned lies in the span of the basis
_TWICE_IS_ENOUGH = 0.5  # a unit vector that loses more of its length when cleaned again is not independent
_NEGATIVE = 1e-10  # kinetic energy below minus this, relative to |M| |x|^2, is not round-off
_CHUNK = 1 << 14  # rows rotated at a time when the basis is compressed in place


class Orthogonality(Protocol):
    """Decides against what a new block is cleaned."""

    def clean(self, basis: Krylov, R: Array) -> tuple[Array, Array]:
        """R made orthogonal to the basis as the strategy requires, and the weighed R."""

    def restarted(self, basis: Krylov) -> None:
        """The basis was rotated or its next block replaced."""


@dataclass(frozen=True)
class Ritz:
    """Eigenpairs of T: values theta, vectors S as columns, residual lengths in the metric; all of length m."""

    theta: Array
    S: Array
    residual: Array


class Krylov:
    """Columns [0, locked) of Q are eigenvectors, [locked, m) are expanded, [m, m + width) are the next block."""

    def __init__(self, operator: Inverse, capacity: int, orthogonality: Orthogonality, seed: int) -> None:
        self.operator = operator
        self.orthogonality = orthogonality
        self.Q = np.empty((operator.size, capacity), order="F")
        self.T = np.zeros((capacity, capacity))
        self.locked = 0
        self.m = 0
        self.width = 0
        self.steps = 0
        self.seconds = 0.0  # spent on orthogonalisation
        self._weighed = np.empty((operator.size, 0), order="F")  # metric times the next block
        self._random = np.random.default_rng(seed)

    @property
    def capacity(self) -> int:
        return int(self.Q.shape[1])

    @property
    def full(self) -> bool:
        """No room for another step."""
        return self.m + 2 * self.width > self.capacity

    @property
    def exhausted(self) -> bool:
        """The basis spans the whole space: every eigenpair is exact."""
        return self.width == 0

    @property
    def projected(self) -> Array:
        """The operator on the expanded, not locked columns."""
        return self.T[self.locked : self.m, self.locked : self.m]

    def lock(self, vectors: Array) -> None:
        """Put orthonormal eigenvectors at the head of an empty basis, so that nothing converges to them again."""
        self.locked = self.m = int(vectors.shape[1])
        self.Q[:, : self.locked] = vectors

    def begin(self, block: Array | None, width: int) -> None:
        """Set the next block: the given columns, filled up to the width with random ones; nothing couples to it."""
        self.width = 0
        self.T[self.m :, :] = 0.0
        self.T[:, self.m :] = 0.0
        nothing = np.empty((self.operator.size, 0), order="F")
        columns, weighed = (nothing, nothing) if block is None else self._independent(block)
        columns, weighed = self._fill(columns, weighed, width - columns.shape[1])
        self._accept(columns, weighed)
        self.orthogonality.restarted(self)

    def step(self) -> None:
        """Expand the basis by the image of the next block."""
        start = perf_counter()
        before = self.operator.seconds
        m, end = self.m, self.m + self.width
        front = self.Q[:, m:end]
        R = self.operator.image(front, self._weighed)
        coupling = self.T[:m, m:end]
        used = np.flatnonzero(coupling.any(axis=1))
        if used.size:
            first = used[0]  # the previous block, or the head of the arrow: one run of columns
            subtract_product(R, self.Q[:, first:m], coupling[first:])
        A = self._weighed.T @ R
        A = 0.5 * (A + A.T)
        subtract_product(R, front, A)
        self.T[m:end, m:end] = A
        self.m = end
        R, W = self.orthogonality.clean(self, R)
        columns, weighed, B = self._orthonormal(R, W)
        columns, weighed = self._fill(columns, weighed, self.width - columns.shape[1])
        rows = slice(end, end + B.shape[0])
        self.T[rows, m:end] = B
        self.T[m:end, rows] = B.T
        self._accept(columns, weighed)
        self.steps += 1
        self.seconds += perf_counter() - start - (self.operator.seconds - before)

    def ritz(self) -> Ritz:
        """Eigenpairs of T and the lengths |B s| of the residuals."""
        theta, S = eigh(self.projected, check_finite=False)
        rest = self._coupling @ S
        return Ritz(theta, S, np.sqrt(np.einsum("ij,ij->j", rest, rest)))

    def vectors(self, ritz: Ritz, pick: Array) -> Array:
        """Ritz vectors (n, k) after one more step for free: A y / theta = (Q T s + Q_next B s) / theta."""
        S = ritz.S[:, pick]
        tail = self._coupling @ S / ritz.theta[pick]
        return np.asarray(dgemm(1.0, self.Q[:, self.locked : self.m + self.width], np.vstack([S, tail])))

    def drop(self) -> None:
        """Give the memory of the basis back; nothing else can be done with it afterwards."""
        self.Q = self.Q[:, :0].copy()
        self._weighed = self.Q

    def compress(self, ritz: Ritz, pick: Array) -> None:
        """Thick restart: keep the picked Ritz vectors and the next block."""
        first, m, k = self.locked, self.m, self.locked + int(pick.size)
        S = ritz.S[:, pick]
        tail = self._coupling @ S
        for low in range(0, self.Q.shape[0], _CHUNK):
            rows = slice(low, low + _CHUNK)
            self.Q[rows, first:k] = self.Q[rows, first:m] @ S
        self.Q[:, k : k + self.width] = self.Q[:, m : m + self.width].copy()
        self.T[:] = 0.0
        self.T[first:k, first:k] = np.diag(ritz.theta[pick])
        self.T[k : k + self.width, first:k] = tail
        self.T[first:k, k : k + self.width] = tail.T
        self.m = k
        self.orthogonality.restarted(self)

    @property
    def _coupling(self) -> Array:
        """B E^T: the part of T that leads to the next block."""
        return self.T[self.m : self.m + self.width, self.locked : self.m]

    def orthogonalise(self, R: Array, extra: int = 0) -> tuple[Array, Array]:
        """R minus its part in the expanded columns of Q (and in some extra ones), and the weighed R."""
        Q = self.Q[:, : self.m + extra]
        W = self.operator.weigh(R)
        if Q.shape[1] == 0:
            return R, W
        for _ in range(4):
            length = _lengths(R, W, self.operator.metric_norm)
            H = overlaps(Q, W)
            overlap = np.abs(H).max(axis=0)
            if (overlap <= 4.0 * _EPS * length).all():
                break
            subtract_product(R, Q, H)
            W = self.operator.weigh(R)
            if (overlap <= _ONCE_IS_ENOUGH * length).all():
                break
        return R, W

    def _orthonormal(self, R: Array, W: Array) -> tuple[Array, Array, Array]:
        """R = U B with orthonormal U: (U, weighed U, B); directions at round-off level are left out.

        Long directions are taken out first: beside them the products of R hold few digits of the short ones.
        """
        size = float(np.abs(self.projected).max())
        V, length = _directions(R, W, _DOUBTFUL * size, _GRADED)
        if length.size == R.shape[1]:
            # all are long and alike: no memory beside that of the basis and of R is needed
            place = self.Q[:, self.m : self.m + length.size]
            columns = dgemm(1.0, R, V / length, c=place, overwrite_c=1)
            weighed = columns if W is R else dgemm(1.0, W, V / length, c=R, overwrite_c=1)
            return columns, weighed, length[:, None] * V.T
        columns = weighed = np.empty((R.shape[0], 0), order="F")
        B = np.empty((0, R.shape[1]))
        while True:
            fresh, fresh_weighed, part = _rotate_orthonormal(R, W, _BREAKDOWN * size, _GRADED)
            if part.size and np.sqrt((part**2).sum(axis=1)).min() < _DOUBTFUL * size:
                # short directions carry much round-off: what is not independent after cleaning again is dropped
                fresh, fresh_weighed = self.orthogonalise(fresh, columns.shape[1])
                fresh, fresh_weighed, again = _rotate_orthonormal(fresh, fresh_weighed, _TWICE_IS_ENOUGH)
                part = again @ part
            columns, weighed = _beside(columns, fresh), _beside(weighed, fresh_weighed)
            B = np.vstack([B, part])
            if part.size == 0 or columns.shape[1] >= R.shape[1]:
                most = R.shape[1]
                return columns[:, :most], weighed[:, :most], B[:most]
            self.Q[:, self.m : self.m + columns.shape[1]] = columns
            subtract_product(R, fresh, part)
            R, W = self.orthogonalise(R, columns.shape[1])

    def _independent(self, block: Array, extra: int = 0) -> tuple[Array, Array]:
        """Orthonormal columns spanning what of the block is independent of the basis (and of some extra columns)."""
        length = _lengths(block, self.operator.weigh(block), self.operator.metric_norm)
        R = np.asfortranarray(block[:, length > 0.0])
        R /= length[length > 0.0]
        W = R
        for floor in (_DEPENDENT, _TWICE_IS_ENOUGH):
            R, W = self.orthogonalise(R, extra)
            R, W, _ = _rotate_orthonormal(R, W, floor)
        return R, W

    def _fill(self, columns: Array, weighed: Array, missing: int) -> tuple[Array, Array]:
        """Append random directions orthogonal to the basis and to the columns: a restart on an invariant subspace."""
        for _ in range(3):
            have = columns.shape[1]
            room = min(missing, self.capacity - self.m - have)
            if room <= 0:
                break
            self.Q[:, self.m : self.m + have] = columns
            noise = self._random.standard_normal((room, self.operator.size)).T
            # the image of noise lies in the range of the operator, where all eigenvectors are
            image = self.operator.image(*self.orthogonalise(noise, have))
            fresh, fresh_weighed = self._independent(image, have)
            columns, weighed = _beside(columns, fresh), _beside(weighed, fresh_weighed)
            missing -= fresh.shape[1]
        return columns, weighed

    def clean_locally(self, R: Array) -> tuple[Array, Array]:
        """R cleaned of the two newest blocks and of the locked columns, and the weighed R."""
        W = self.operator.weigh(R)
        newest = max(self.locked, self.m - 2 * self.width)
        for columns in (self.Q[:, newest : self.m], self.Q[:, : self.locked]):
            if columns.shape[1]:
                subtract_product(R, columns, overlaps(columns, W))
                W = self.operator.weigh(R)
        return R, W

    def _accept(self, columns: Array, weighed: Array) -> None:
        self.width = int(columns.shape[1])
        if columns.base is not self.Q:
            self.Q[:, self.m : self.m + self.width] = columns
        self._weighed = weighed


def _beside(left: Array, right: Array) -> Array:
    """The columns of both, stored column by column."""
    if left.shape[1] == 0 or right.shape[1] == 0:
        return right if left.shape[1] == 0 else left
    return np.asfortranarray(np.hstack([left, right]))


def _lengths(R: Array, W: Array, scale: float) -> Array:
    """Lengths of the columns of R in the metric of that norm; a clearly negative square proves an indefinite mass."""
    square = np.einsum("ij,ij->j", R, W)
    if (square < -_NEGATIVE * scale * np.einsum("ij,ij->j", R, R)).any():
        raise ModelError("mass: the matrix is indefinite (a motion has negative kinetic energy); check the model.")
    return np.asarray(np.sqrt(np.maximum(square, 0.0)))


def _directions(R: Array, W: Array, floor: float, part: float) -> tuple[Array, Array]:
    """Principal directions V of the columns of R and the lengths of R V in the metric.

    Lengths up to the floor, and up to a part of the greatest, are left out.
    """
    gram = R.T @ W
    square, V = eigh(0.5 * (gram + gram.T), check_finite=False)
    length = np.sqrt(np.maximum(square, 0.0))
    keep = length > max(floor, part * length.max(initial=0.0))
    return V[:, keep], length[keep]


def _rotate_orthonormal(R: Array, W: Array, floor: float, part: float = 1e-14) -> tuple[Array, Array, Array]:
    """R = U B with orthonormal U along the directions longer than the floor and a part of the greatest."""
    V, length = _directions(R, W, floor, part)
    return dgemm(1.0, R, V / length), dgemm(1.0, W, V / length), length[:, None] * V.T
