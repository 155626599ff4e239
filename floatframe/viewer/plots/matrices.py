"""Pictures of sparse matrices: their pattern in several orders of the equations, and the tree of substructures."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, cast

import numpy as np

from floatframe.errors import ModelError
from floatframe.viewer.plots.style import COLOURS, PathLike, saved_figure

if TYPE_CHECKING:
    from floatframe.arrays import Array, IntArray, SparseMatrix
    from floatframe.modal import Factorization, Symbolic

_BINS = 320  # squares of a pattern along an axis
_BOUNDARY = "#3f4750"
_NAMED = 0.055  # share of the width from which on a front is named


def plot_sparsity(
    A: SparseMatrix, path: PathLike, orders: Mapping[str, IntArray] | None = None, title: str = ""
) -> Path:
    """Draw the pattern of a symmetric matrix as it is and in other orders of its rows, with its profile in each.

    orders: by name, old numbers (n,) of the new rows; the wave order and that of the substructures by default. A square
    is darker the more entries it holds.
    """
    from floatframe.modal import analyse, profile, wave_order

    if orders is None:
        orders = {"wave order": wave_order(A), "by substructures": analyse(A).order}
    n = A.shape[0]
    panels = {"as given": np.arange(n), **orders}
    for name, order in panels.items():
        if np.shape(order) != (n,) or not (np.sort(order) == np.arange(n)).all():
            raise ModelError(f"plot: order '{name}' is not a permutation of the {n} rows.")
    entries = A.tocoo()
    with saved_figure(path, 4.0 * len(panels), 4.6, title) as figure:
        for axes, (name, order) in zip(figure.subplots(1, len(panels), squeeze=False)[0], panels.items(), strict=True):
            place = np.empty(n, dtype=np.int64)
            place[order] = np.arange(n)
            picture = _density(place[entries.row], place[entries.col], n)
            axes.imshow(picture, cmap="Greys", vmin=0.0, vmax=1.0, extent=(0.5, n + 0.5, n + 0.5, 0.5))
            axes.grid(False)
            axes.set_title(f"{name}\nprofile {profile(A, order):,}".replace(",", " "))
            axes.set_xlabel(f"{n} equations, {entries.nnz} entries" if name == "as given" else "equation")
            axes.tick_params(labelsize=8)
    return Path(path)


def plot_tree(found: Symbolic | Factorization, path: PathLike, title: str = "") -> Path:
    """Draw the tree of a factorisation: every front is a box, its width the equations of its subtree.

    Boxes stand below the one that they pass their update to; each substructure has its colour, the boundary system that
    joins them is dark. Numbers in boxes are equations eliminated there.
    """
    from matplotlib.collections import PolyCollection

    tree = cast("Symbolic", getattr(found, "symbolic", found))
    own = np.diff(tree.front_column)
    left, width, level = tree_layout(tree.parent, own)
    colours = np.full(len(own), _BOUNDARY, dtype=object)
    for k, (begin, end) in enumerate(zip(tree.subtree[:-1], tree.subtree[1:], strict=True)):
        colours[begin:end] = COLOURS[k % len(COLOURS)]
    boxes = np.stack(
        [np.column_stack([left + dx * width, level + dy]) for dx, dy in ((0, 0), (1, 0), (1, 0.9), (0, 0.9))], axis=1
    )
    depth = int(level.max()) + 1
    with saved_figure(path, 10.0, min(1.6 + 0.28 * depth, 9.0), title) as figure:
        axes = figure.add_subplot()
        axes.add_collection(PolyCollection(list(boxes), facecolors=list(colours), edgecolors="white", linewidths=0.4))
        for f in np.flatnonzero(width > _NAMED * tree.n):
            where = (left[f] + 0.5 * width[f], level[f] + 0.45)
            axes.text(*where, f"{own[f]}", ha="center", va="center", fontsize=7, color="white")
        axes.set(xlim=(0, tree.n), ylim=(depth, -0.1), ylabel="level of the tree", xlabel="equations")
        axes.grid(False)
        pieces = tree.subtree.size - 1
        shared = tree.n - tree.boundary_column
        axes.set_title(f"{tree.n} equations in {pieces} substructures (coloured), {shared} in their boundary (dark)")
    return Path(path)


def tree_layout(parent: IntArray, own: IntArray) -> tuple[Array, Array, IntArray]:
    """Return left end and width [equations] and level (nfront,) of the boxes of a tree; parents follow children."""
    width = own.astype(np.float64)
    for f, above in enumerate(parent):
        if above >= 0:
            width[above] += width[f]
    left, level = np.zeros(len(own)), np.zeros(len(own), dtype=np.int64)
    free = np.zeros(len(own) + 1)  # where the next child begins; the last is for roots
    for f in range(len(own) - 1, -1, -1):
        above = parent[f]
        left[f] = free[above]
        level[f] = level[above] + 1 if above >= 0 else 0
        free[above] += width[f]
        free[f] = left[f]
    return left, width, level


def _density(rows: IntArray, columns: IntArray, n: int) -> Array:
    """Return how full the squares of a pattern are, 0 to 1; a single entry is seen."""
    bins = min(n, _BINS)
    count = np.bincount(rows * bins // n * bins + columns * bins // n, minlength=bins * bins).reshape(bins, bins)
    full = (n / bins) ** 2
    return np.where(count > 0, 0.35 + 0.65 * np.minimum(count / full, 1.0), 0.0)
