"""Wave renumbering of a sparse symmetric matrix: breadth-first layers, numbered as they are met.

The wave algorithm of Mikheev (2004, §2.6).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csc_array, issparse

from floatframe.arrays import IntArray, SparseMatrix
from floatframe.errors import ModelError
from floatframe.modal.factor._kernels_wave import profile_size, wave_dissection, wave_numbers


@dataclass(frozen=True)
class WaveReport:
    """What a renumbering does to the profile of a matrix."""

    order: IntArray  # (n,) old number of each new row
    profile_before: int
    profile_after: int

    def __str__(self) -> str:
        ratio = self.profile_before / max(self.profile_after, 1)
        change = f"{self.profile_before} -> {self.profile_after}"
        return f"{self.order.size} rows, profile {change}, {ratio:.2f} times smaller"


def wave_order(A: object, start: int | None = None) -> IntArray:
    """Order (n,) of the rows of A by the wave algorithm: new row i is old row order[i].

    The wave starts at row `start`, by default at a pseudo-peripheral one; every further connected part gets a
    pseudo-peripheral start of its own.
    """
    indptr, indices = symmetric_pattern(A)
    n = indptr.size - 1
    if start is not None and not 0 <= start < n:
        raise ModelError(f"wave_order: start is {start}, expected a row from 0 to {n - 1}.")
    order: IntArray = wave_numbers(indptr, indices, -1 if start is None else start)
    return order


def profile(A: object, order: IntArray | None = None) -> int:
    """Number of entries in the lower profile of A, diagonal included, with its rows in the given order."""
    indptr, indices = symmetric_pattern(A)
    place = np.empty(indptr.size - 1, dtype=np.int64)
    place[np.arange(place.size) if order is None else order] = np.arange(place.size)
    return int(profile_size(indptr, indices, place))


def wave_report(A: object, start: int | None = None) -> WaveReport:
    """The wave order of A with the profile before and after."""
    order = wave_order(A, start)
    return WaveReport(order, profile(A), profile(A, order))


@dataclass(frozen=True)
class Profiles:
    """Stored entries of the profiles of the interiors C_i and of the boundary system G, as the source stores them."""

    before: tuple[int, ...]  # of each C_i in the order the equations come
    after: tuple[int, ...]  # in wave order
    boundary_size: int  # rows of G
    boundary: int  # entries of the profile of G: sections coupled by an interior are full

    @property
    def gain(self) -> float:
        """How many times smaller the profiles of the interiors become by wave renumbering."""
        return sum(self.before) / max(sum(self.after), 1)


def profiles(A: SparseMatrix, division: IntArray | None = None) -> Profiles:
    """Return the profiles of a symmetric matrix, undivided or divided by labels (n,) of its equations.

    An equation belongs to the section behind its part when it is joined to a part of a higher label.
    """
    indptr, indices = symmetric_pattern(A)
    n = indptr.size - 1
    part = np.zeros(n, dtype=np.int64) if division is None else np.asarray(division, dtype=np.int64)
    owner = np.repeat(np.arange(n), np.diff(indptr))
    section = np.zeros(n, dtype=bool)
    section[owner[part[indices] > part[owner]]] = True
    before, after = [], []
    for label in np.unique(part):
        inside = np.flatnonzero((part == label) & ~section)
        if inside.size:
            C = A[inside][:, inside]
            before.append(profile(C))
            after.append(profile(C, wave_order(C)))
    sizes = np.unique(part[section], return_counts=True)[1]
    behind = np.concatenate([[0], sizes[:-1]])
    entries = int((sizes * behind + sizes * (sizes + 1) // 2).sum())
    return Profiles(tuple(before), tuple(after), int(section.sum()), entries)


def dissect_by_waves(indptr: IntArray, indices: IntArray, leaf: int = 24) -> IntArray:
    """Elimination order of a graph by recursive separation along wave fronts; parts of `leaf` vertices stay whole."""
    order: IntArray = wave_dissection(indptr, indices, leaf)
    return order


def symmetric_pattern(A: object) -> tuple[IntArray, IntArray]:
    """Adjacency lists (start, neighbours) of a square sparse matrix whose pattern is symmetric."""
    if not issparse(A) or A.ndim != 2 or A.shape[0] != A.shape[1]:  # type: ignore[attr-defined]
        found = getattr(A, "shape", type(A).__name__)
        raise ModelError(f"the matrix is {found}, expected a square scipy.sparse matrix.")
    C = csc_array(A)
    return C.indptr.astype(np.int64), C.indices.astype(np.int32, copy=False)
