"""Compiled kernels on the graph of a matrix: fingerprints of its columns, FE nodes, the graph of groups of columns."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import numpy as np

from floatframe.compiled import kernel


@kernel(nogil=True)
def column_hashes(indptr, indices, codes):
    """Sum of the random codes of the rows of each column, with the column itself: equal patterns give equal sums."""
    n = indptr.size - 1
    sums = np.empty(n, dtype=np.uint64)
    for j in range(n):
        total = codes[j]
        for k in range(indptr[j], indptr[j + 1]):
            if indices[k] != j:
                total += codes[indices[k]]
        sums[j] = total
    return sums


@kernel(nogil=True)
def row_hashes(indptr, indices, codes):
    """The same sums over each row: they equal those of the columns when the pattern is symmetric."""
    sums = codes.copy()
    for j in range(indptr.size - 1):
        for k in range(indptr[j], indptr[j + 1]):
            if indices[k] != j:
                sums[indices[k]] += codes[j]
    return sums


@kernel(nogil=True)
def guess_nodes(indptr, indices, most, reach, share):
    """Group (n,) runs of at most `most` columns whose rows lie within `reach` of each other, but for a share."""
    n = indptr.size - 1
    group = np.zeros(n, dtype=np.int64)
    first, current = 0, 0
    for j in range(1, n):
        joined = j - first < most
        if joined:
            a, b = indices[indptr[first] : indptr[first + 1]], indices[indptr[j] : indptr[j + 1]]
            far = _count_far(a, b, reach) + _count_far(b, a, reach)
            joined = far <= share * (a.size + b.size)
        if not joined:
            first = j
            current += 1
        group[j] = current
    return group


@kernel(nogil=True)
def _count_far(a, b, reach):
    """Numbers in the sorted list a with none of the sorted list b within reach."""
    far, k = 0, 0
    for value in a:
        while k < b.size and b[k] < value - reach:
            k += 1
        if k == b.size or b[k] > value + reach:
            far += 1
    return far


@kernel(nogil=True)
def equal_inside(nodes, sums):
    """Group (n,) equations of one node, runs in `nodes`, whose columns have equal sums."""
    n = nodes.size
    group = np.empty(n, dtype=np.int64)
    first, count = 0, 0
    for j in range(n):
        if nodes[j] != nodes[first]:
            first = j
        group[j] = -1
        for i in range(first, j):
            if sums[i] == sums[j]:
                group[j] = group[i]
                break
        if group[j] < 0:
            group[j] = count
            count += 1
    return group


@kernel(nogil=True)
def quotient_graph(indptr, indices, group, member_start, members):
    """Graph of groups of columns; members[member_start[g] : member_start[g + 1]] are the columns of g to look at."""
    ngroup = member_start.size - 1
    seen = np.full(ngroup, -1, dtype=np.int64)
    start = np.zeros(ngroup + 1, dtype=np.int64)
    neighbours = np.empty(indices.size, dtype=np.int32)
    fill = 0
    for g in range(ngroup):
        seen[g] = g
        for j in members[member_start[g] : member_start[g + 1]]:
            for k in range(indptr[j], indptr[j + 1]):
                h = group[indices[k]]
                if seen[h] != g:
                    seen[h] = g
                    neighbours[fill] = h
                    fill += 1
        start[g + 1] = fill
    return start, neighbours[:fill].copy()
