"""Division of a structure into substructures by hand: planes across an axis, or a label for each equation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from floatframe.arrays import Array, IntArray
from floatframe.errors import ModelError
from floatframe.modal.factor.renumber import profile, symmetric_pattern, wave_order

if TYPE_CHECKING:
    from floatframe.arrays import SparseMatrix


def by_planes(coordinates: Array | None, cuts: Sequence[float], axis: int, n: int) -> IntArray:
    """Return the number (n,) of the substructure that each equation is in, between planes `cuts` across an axis.

    coordinates (n, 3): where each equation is [m].
    """
    planes = np.sort(np.asarray(cuts, dtype=np.float64).ravel())
    if planes.size == 0 or not np.isfinite(planes).all():
        raise ModelError(f"cuts are {list(cuts)}, expected at least one finite coordinate.")
    if coordinates is None or np.shape(coordinates) != (n, 3):
        found = "nothing" if coordinates is None else f"an array of shape {np.shape(coordinates)}"
        raise ModelError(f"cuts need the coordinates ({n}, 3) of each equation, found {found}.")
    if axis not in (0, 1, 2):
        raise ModelError(f"axis is {axis}, expected 0, 1 or 2.")
    values = np.asarray(coordinates, dtype=np.float64)[:, axis]
    if not np.isfinite(values).all():
        raise ModelError(
            f"the coordinate of equation {int(np.argmin(np.isfinite(values)))} along axis {axis} is not finite; "
            "cuts need the position of each equation."
        )
    return np.searchsorted(planes, values)


def checked_division(division: object, n: int) -> IntArray:
    """Return labels (n,) of equations as whole numbers."""
    labels = np.asarray(division)
    if labels.shape != (n,) or labels.dtype.kind not in "iu":
        found = f"{labels.dtype} {labels.shape}"
        raise ModelError(f"division is {found}, expected a whole number for each of {n} equations.")

    return labels.astype(np.int64)


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
    part = np.zeros(n, dtype=np.int64) if division is None else checked_division(division, n)
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
