"""Symbolic analysis: the tree of fronts of a sparse symmetric matrix, its split into substructures, its memory."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from floatframe.arrays import Array, IntArray, short_repr
from floatframe.errors import ModelError
from floatframe.modal.factor import _kernels_symbolic as kernels
from floatframe.modal.factor._kernels_graph import column_hashes, row_hashes
from floatframe.modal.factor.counts import whole_number
from floatframe.modal.factor.ordering import (
    Graph,
    Ordering,
    by_planes,
    checked_division,
    compress,
    cut,
    dissect,
    equal_columns,
    equation_codes,
    node_graph,
)
from floatframe.modal.factor.renumber import symmetric_pattern
from floatframe.modal.factor.split import boundary_fronts, work_of

# a merged front of at most so many columns may hold such a share of zeros
RELAXED_COLUMNS = np.array([24, 48, 96, 2**62])
RELAXED_SHARES = np.array([0.20, 0.10, 0.05, 0.02])
# node blocks are guessed when equal patterns join fewer equations than this, in matrices larger than that
DOFS_PER_VERTEX, SMALL_MATRIX = 2.5, 2000


@short_repr
@dataclass(frozen=True)
class Symbolic:
    """Everything about a factorisation that depends on the pattern alone.

    Fronts are numbered in postorder: first the substructures (whole subtrees, one after the other), then the fronts of
    the boundary system that join them. Columns follow the fronts.
    """

    order: IntArray  # (n,) equation of each column
    front_column: IntArray  # (nfront + 1,) first column of each front
    front_panel: IntArray  # (nfront + 1,) first panel of each front
    front_row: IntArray  # (nfront + 1,) start of each front in `rows`
    panel_column: IntArray  # (npanel + 1,) first column of each panel
    panel_offset: IntArray  # (npanel + 1,) start of each panel in the factor
    panel_row: IntArray  # (npanel + 1,) start of each panel's rows in `rows`
    rows: Any  # int32 columns that are the rows of each front, own ones first
    relative: Any  # int32 place of each boundary row among the rows of the parent
    parent: IntArray  # (nfront,) or -1
    child_start: IntArray  # (nfront + 1,)
    children: IntArray
    subtree: IntArray  # (nsub + 1,) first front of each substructure; the boundary fronts follow
    interiors: int  # C_i between cutting planes, each one or more subtrees; 0 where no planes are given
    work: Array  # (nfront,) multiply-add pairs of each front
    pattern: int  # fingerprint of the matrix pattern
    ordering_seconds: float
    analysis_seconds: float

    @property
    def n(self) -> int:
        """Number of equations."""
        return self.order.size

    @property
    def nnz_factor(self) -> int:
        """Stored entries of the factor, with the zeros inside its dense blocks."""
        return int(self.panel_offset[-1])

    @property
    def substructures(self) -> int:
        """Parts whose interiors are eliminated before the boundary system."""
        return self.interiors or self.subtree.size - 1

    @property
    def boundary_column(self) -> int:
        """First column of the boundary system."""
        return int(self.front_column[self.subtree[-1]])

    @cached_property
    def greatest_height(self) -> int:
        """Rows of the tallest front."""
        return int(np.diff(self.front_row).max())

    @property
    def update_order(self) -> IntArray:
        """Order (nfront,) of the update each front passes on."""
        return np.diff(self.front_row) - np.diff(self.front_column)

    @cached_property
    def place(self) -> Any:
        """Column (n,) of each equation, int32: the inverse of `order`."""
        place = np.empty(self.n, dtype=np.int32)
        place[self.order] = np.arange(self.n, dtype=np.int32)
        return place

    @cached_property
    def stack_side(self) -> IntArray:
        """Which of two stacks (nfront,) takes the update of each front."""
        return np.asarray(kernels.stack_sides(self.parent))

    def stack_entries(self, begin: int, end: int) -> IntArray:
        """Entries (2,) of the update stacks while the fronts [begin, end) of a subtree are eliminated."""
        peaks = kernels.stack_peaks(begin, end, self.update_order**2, self.stack_side, self.child_start, self.children)
        return np.asarray(peaks)

    def estimate_memory(self, threads: int = 2) -> int:
        """Bytes at the height of the numeric phase: the factor, the update stacks and the index lists."""
        spans = list(zip(self.subtree[:-1], self.subtree[1:], strict=True))
        stacks = sorted((int(self.stack_entries(begin, end).sum()) for begin, end in spans), reverse=True)[:threads]
        size = self.update_order**2
        passed = int(sum(size[end - 1] for _, end in spans))
        top = int(size[self.subtree[-1] :].max(initial=0))
        return 8 * (self.nnz_factor + max(sum(stacks), top) + passed) + 8 * self.rows.size + 24 * self.n


def analyse(
    A: object,
    *,
    coordinates: Array | None = None,
    cuts: Sequence[float] | None = None,
    axis: int = 0,
    division: IntArray | None = None,
    ordering: Ordering = "metis",
    threads: int = 2,
    block: int = 96,
) -> Symbolic:
    """Order the equations of A and lay out its tree of fronts.

    With `cuts`, planes across `axis` of the coordinates (n, 3) of the equations, the structure is divided there, with a
    `division` (n,) into the parts that its labels name; else nested dissection finds the division.
    `block` is the greatest number of columns eliminated at once.
    """
    begun = time.perf_counter()
    block = whole_number(block, "block")
    indptr, indices = symmetric_pattern(A)
    codes = equation_codes(indptr.size - 1)
    sums = column_hashes(indptr, indices, codes)
    if not np.array_equal(sums, row_hashes(indptr, indices, codes)):
        raise ModelError("the pattern of the matrix is not symmetric: pass both triangles, for example A + A.T.")
    nodes = None
    patterns = 1 + np.count_nonzero(np.diff(np.sort(sums)))
    if DOFS_PER_VERTEX * patterns > sums.size > SMALL_MATRIX:
        nodes = node_graph(indptr, indices)
    group = equal_columns(sums, None if nodes is None else nodes.group)
    graph = compress(indptr, indices, group)
    interior, interiors = -1, 0
    coarse = graph if nodes is None else nodes
    if cuts is not None:
        division = by_planes(coordinates, cuts, axis, sums.size)
    if division is None:
        order = dissect(coarse.start, coarse.neighbours, coarse.weight, ordering)
    else:
        order, interior, interiors = cut(coarse, checked_division(division, sums.size), ordering)
    if nodes is not None:
        order, interior = _refine(order, interior, nodes, graph)
    ordered = time.perf_counter()
    tree = _supernode_tree(graph, order, interior)
    return _layout(graph, *tree, interiors, threads, block, _fingerprint(sums, codes), ordered - begun, ordered)


def _refine(order: IntArray, interior: int, nodes: Graph, graph: Graph) -> tuple[IntArray, int]:
    """Order of the vertices of a graph that follows an order of the nodes they belong to."""
    place = np.empty_like(order)
    place[order] = np.arange(order.size)
    node = np.empty(graph.weight.size, dtype=np.int64)
    node[graph.group] = nodes.group
    place = place[node]
    return np.argsort(place, kind="stable"), int((place < interior).sum()) if interior >= 0 else -1


def fingerprint(indptr: IntArray, indices: IntArray) -> int:
    """A number that identifies a pattern, whatever the order of the rows in each column."""
    indptr, codes = indptr.astype(np.int64, copy=False), equation_codes(indptr.size - 1)
    return _fingerprint(column_hashes(indptr, indices, codes), codes)


def _fingerprint(sums: Any, codes: Any) -> int:
    return int((sums * codes[::-1]).sum())


def symmetric(indptr: IntArray, indices: IntArray) -> bool:
    """Whether a pattern equals its transpose."""
    indptr, codes = indptr.astype(np.int64, copy=False), equation_codes(indptr.size - 1)
    return np.array_equal(column_hashes(indptr, indices, codes), row_hashes(indptr, indices, codes))


def _supernode_tree(
    graph: Graph, order: IntArray, interior: int
) -> tuple[IntArray, IntArray, IntArray, IntArray, IntArray, Any]:
    """Postordered vertices, front of each, and per front: parent, own and boundary equations, boundary-system flag."""
    parent = kernels.elimination_tree(graph.start, graph.neighbours, order)
    inside = np.arange(order.size) < interior
    back = kernels.postorder(parent, np.arange(order.size))
    order, inside = order[back], inside[back]
    place = np.empty_like(back)
    place[back] = np.arange(back.size)
    parent = np.where(parent[back] >= 0, place[parent[back]], -1)
    weight = graph.weight[order]
    counts = kernels.column_counts(graph.start, graph.neighbours, order, parent, graph.weight)
    member = kernels.supernodes(parent, counts, weight)
    if interior >= 0:
        # interiors and sections never share a front
        switch = np.concatenate([[False], inside[1:] != inside[:-1]])
        member = np.cumsum(np.concatenate([[True], np.diff(member) > 0]) | switch) - 1
    last = np.append(np.flatnonzero(np.diff(member)), member.size - 1)
    own = np.bincount(member, weight).astype(np.int64)
    up = parent[last]
    front_parent = np.where(up >= 0, member[up], -1)
    flag = ~inside[last]
    if interior < 0:
        target = kernels.amalgamate(front_parent, own, counts[last], RELAXED_COLUMNS, RELAXED_SHARES)
    else:
        # cutting the edges between interiors and sections keeps them apart
        joined = np.where((front_parent >= 0) & (flag[front_parent] == flag), front_parent, -1)
        target = kernels.amalgamate(joined, own, counts[last], RELAXED_COLUMNS, RELAXED_SHARES)
    kept, number = np.unique(target, return_inverse=True)
    up = front_parent[kept]
    front_parent = np.where(up >= 0, number[up], -1)
    own = np.bincount(number, own).astype(np.int64)
    return order, number[member], front_parent, own, counts[last][kept], flag[kept]


def _layout(
    graph: Graph,
    order: IntArray,
    member: IntArray,
    parent: IntArray,
    own: IntArray,
    below: IntArray,
    flag: Any,
    interiors: int,
    threads: int,
    block: int,
    pattern: int,
    ordering_seconds: float,
    begun: float,
) -> Symbolic:
    """Number the fronts, list their rows, place their panels."""
    work = work_of(own, below)
    total = kernels.subtree_sums(parent, work)
    top = flag if interiors else boundary_fronts(parent, work, total, max(2, threads))
    rank = kernels.stack_ranks(parent, below.astype(np.float64) ** 2)
    sequence = kernels.postorder(parent, np.argsort(rank, kind="stable"))
    # substructures keep their place in the postorder, boundary fronts go last
    sequence = sequence[np.argsort(top[sequence], kind="stable")]
    number = np.empty_like(sequence)
    number[sequence] = np.arange(sequence.size)
    parent = np.where(parent[sequence] >= 0, number[parent[sequence]], -1)
    top, work, own, below = top[sequence], work[sequence], own[sequence], below[sequence]

    inner = int((~top).sum())
    heads = [f for f in range(inner) if parent[f] < 0 or parent[f] >= inner]
    subtree = np.array([0, *(f + 1 for f in heads)], dtype=np.int64)

    by_front = np.argsort(number[member], kind="stable")
    order = order[by_front]
    front_vertex = np.concatenate([[0], np.cumsum(np.bincount(number[member], minlength=parent.size))])
    vertex_column = np.concatenate([[0], np.cumsum(graph.weight[order])])
    front_column = vertex_column[front_vertex]
    front_row = np.concatenate([[0], np.cumsum(own + below)])
    rows = kernels.front_rows(graph.start, graph.neighbours, order, front_vertex, vertex_column, front_row, parent)
    relative = kernels.relative_rows(front_column, front_row, rows, parent)

    vertex_place = np.empty_like(order)
    vertex_place[order] = np.arange(order.size)
    columns = np.argsort(vertex_place[graph.group], kind="stable")

    front_panel, panel_column, panel_front = _panels(front_column, block)
    skipped = panel_column[:-1] - front_column[panel_front]
    height = np.diff(front_row)[panel_front] - skipped
    with_children = np.flatnonzero(parent >= 0)
    by_parent = with_children[np.argsort(parent[with_children], kind="stable")]
    return Symbolic(
        order=columns,
        front_column=front_column,
        front_panel=front_panel,
        front_row=front_row,
        panel_column=panel_column,
        panel_offset=np.concatenate([[0], np.cumsum(np.diff(panel_column) * height)]),
        panel_row=np.append(front_row[panel_front] + skipped, front_row[-1]),
        rows=rows,
        relative=relative,
        parent=parent,
        child_start=np.concatenate([[0], np.cumsum(np.bincount(parent[with_children], minlength=parent.size))]),
        children=by_parent,
        subtree=subtree,
        interiors=interiors,
        work=work,
        pattern=pattern,
        ordering_seconds=ordering_seconds,
        analysis_seconds=time.perf_counter() - begun,
    )


def _panels(front_column: IntArray, block: int) -> tuple[IntArray, IntArray, IntArray]:
    """Cut the own columns of each front into nearly equal panels of at most `block` columns."""
    width = np.diff(front_column)
    number = -(-width // block)
    front = np.repeat(np.arange(width.size), number)
    start = np.concatenate([[0], np.cumsum(number)])
    index = np.arange(front.size) - start[front]
    first = front_column[front] + index * width[front] // number[front]
    return start, np.append(first, front_column[-1]), front
