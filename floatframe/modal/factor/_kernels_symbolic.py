"""Compiled kernels of the symbolic analysis: elimination tree, supernodes, amalgamation, structure of the fronts.

Graphs are adjacency lists (start, neighbours) without self loops; vertices carry a weight, the number of equations.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import numpy as np

from floatframe.compiled import kernel
from floatframe.linked import linked


@kernel(nogil=True)
def elimination_tree(start, neighbours, order):
    """Parent (n,) of each vertex in elimination order, -1 for roots (Liu's algorithm with path compression)."""
    n = order.size
    place = np.empty(n, dtype=np.int64)
    for i in range(n):
        place[order[i]] = i
    parent = np.full(n, -1, dtype=np.int64)
    ancestor = np.full(n, -1, dtype=np.int64)
    for i in range(n):
        for k in range(start[order[i]], start[order[i] + 1]):
            j = place[neighbours[k]]
            while j < i and ancestor[j] != i:
                following = ancestor[j]
                ancestor[j] = i
                if following == -1:
                    parent[j] = i
                    break
                j = following
    return parent


@kernel(nogil=True)
def postorder(parent, rising):
    """Postorder of a forest; `rising` lists the vertices by rising rank, siblings of larger rank come first."""
    n = parent.size
    head = np.full(n + 1, -1, dtype=np.int64)
    following = np.full(n, -1, dtype=np.int64)
    # the vertex pushed last ends at the head of its list
    for i in rising:
        p = parent[i] if parent[i] >= 0 else n
        following[i] = head[p]
        head[p] = i
    result = np.empty(n, dtype=np.int64)
    path = np.empty(n + 1, dtype=np.int64)
    path[0] = n
    depth, count = 0, 0
    while depth >= 0:
        i = path[depth]
        child = head[i]
        if child >= 0:
            head[i] = following[child]
            depth += 1
            path[depth] = child
        else:
            if i < n:
                result[count] = i
                count += 1
            depth -= 1
    return result


@kernel(nogil=True)
def column_counts(start, neighbours, order, parent, weight):
    """Equations below each vertex of a postordered tree in its column of the factor (n,).

    Row i of the factor is a subtree below i. Its weight enters at the leaves and leaves where two of their paths meet
    (Gilbert, Ng and Peyton 1994), so that sums over subtrees are the counts and no path is walked.
    """
    n = order.size
    place = np.empty(n, dtype=np.int64)
    for i in range(n):
        place[order[i]] = i
    least = np.arange(n)  # first descendant of each vertex
    for j in range(n):
        if parent[j] >= 0:
            least[parent[j]] = min(least[parent[j]], least[j])
    counts = np.zeros(n, dtype=np.int64)
    before = np.full(n, -1, dtype=np.int64)  # the last neighbour below i that was met
    leaf = np.full(n, -1, dtype=np.int64)  # the last leaf of row i
    ancestor = np.arange(n)  # the root of what has been visited above a vertex, up to compressed paths
    for j in range(n):
        for k in range(start[order[j]], start[order[j] + 1]):
            i = place[neighbours[k]]
            if i <= j:
                continue
            if least[j] > before[i]:
                counts[j] += weight[order[i]]
                top = i
                if leaf[i] >= 0:
                    top = leaf[i]
                    while ancestor[top] != top:
                        ancestor[top] = ancestor[ancestor[top]]
                        top = ancestor[top]
                counts[top] -= weight[order[i]]
                leaf[i] = j
            before[i] = j
        if parent[j] >= 0:
            ancestor[j] = parent[j]
    for j in range(n):
        if parent[j] >= 0:
            counts[parent[j]] += counts[j]
    return counts


@kernel(nogil=True)
def supernodes(parent, counts, weight):
    """Supernode (n,) of each vertex of a postordered tree: chains of vertices with nested equal columns."""
    n = parent.size
    member = np.empty(n, dtype=np.int64)
    current = -1
    for j in range(n):
        joined = j > 0 and parent[j - 1] == j and counts[j - 1] == counts[j] + weight[j]
        if not joined:
            current += 1
        member[j] = current
    return member


@linked()
def _insert_falling(child, key, head, following, parent):
    """Put a child into its parent's linked list, which is kept by falling key."""
    before, c = -1, head[parent]
    while c >= 0 and key[c] >= key[child]:
        before, c = c, following[c]
    following[child] = c
    if before < 0:
        head[parent] = child
    else:
        following[before] = child


@kernel(nogil=True)
def amalgamate(parent, own, below, widths, shares):
    """Merge supernodes into their parents where few zeros come in; returns the supernode each one ends in.

    A merged supernode of at most widths[i] columns may hold a share shares[i] of zeros.
    """
    n = parent.size
    target = np.arange(n)
    head = np.full(n, -1, dtype=np.int64)
    following = np.full(n, -1, dtype=np.int64)
    zeros = np.zeros(n)
    own, below = own.copy(), below.copy()
    for p in range(n):
        # children hang in the list by falling length of their columns
        c = head[p]
        while c >= 0:
            columns = own[c] + own[p]
            gap = own[p] + below[p] - below[c]
            added = zeros[c] + zeros[p] + float(own[c]) * gap
            entries = 0.5 * columns * columns + float(columns) * below[p]
            share = 0.0
            for i in range(widths.size):
                if columns <= widths[i]:
                    share = shares[i]
                    break
            if gap == 0 or added <= share * entries:
                target[c] = p
                own[p] = columns
                zeros[p] = added
            c = following[c]
        if parent[p] >= 0:
            _insert_falling(p, below, head, following, parent[p])
    for s in range(n - 1, -1, -1):
        if target[s] != s:
            target[s] = target[target[s]]
    return target


@kernel(nogil=True)
def subtree_sums(parent, values):
    """Sum of the values over the subtree of each front; parents follow their children."""
    sums = values.copy()
    for f in range(parent.size):
        if parent[f] >= 0:
            sums[parent[f]] += sums[f]
    return sums


@kernel(nogil=True)
def stack_ranks(parent, size):
    """Rank (n,) of siblings: visiting the largest peak minus result first keeps the update stack low (Liu)."""
    n = parent.size
    head = np.full(n, -1, dtype=np.int64)
    following = np.full(n, -1, dtype=np.int64)
    rank = np.zeros(n)
    for f in range(n):
        # children hang in the list by falling rank
        peak, held = size[f], 0.0
        c = head[f]
        while c >= 0:
            peak = max(peak, held + rank[c] + size[c])
            held += size[c]
            c = following[c]
        rank[f] = max(peak, held + size[f]) - size[f]
        if parent[f] >= 0:
            _insert_falling(f, rank, head, following, parent[f])
    return rank


@kernel(nogil=True)
def stack_sides(parent):
    """Which of two stacks (n,) takes the update of each front: never that of its parent."""
    side = np.zeros(parent.size, dtype=np.int64)
    for f in range(parent.size - 1, -1, -1):
        if parent[f] >= 0:
            side[f] = 1 - side[parent[f]]
    return side


@kernel(nogil=True)
def stack_peaks(begin, end, size, side, child_start, children):
    """Greatest heights (2,) of the update stacks while the fronts [begin, end) of a subtree are eliminated."""
    depth, peak = np.zeros(2, dtype=np.int64), np.zeros(2, dtype=np.int64)
    for f in range(begin, end):
        here = side[f]
        depth[here] += size[f]
        peak[here] = max(peak[here], depth[here])
        for k in range(child_start[f], child_start[f + 1]):
            depth[1 - here] -= size[children[k]]
    return peak


@kernel(nogil=True)
def front_rows(start, neighbours, order, front_vertex, vertex_column, front_row, parent):
    """Rows of the fronts in equations, sorted: own columns, then those of the boundary; front f begins at front_row[f].

    Vertex i is a row of all fronts on the paths from its earlier neighbours up the tree to its own front.
    """
    n = order.size
    nfront = parent.size
    place = np.empty(n, dtype=np.int64)
    front = np.empty(n, dtype=np.int64)
    for i in range(n):
        place[order[i]] = i
    rows = np.empty(front_row[nfront], dtype=np.int32)
    fill = front_row[:nfront].copy()
    seen = np.full(nfront, -1, dtype=np.int64)
    for f in range(nfront):
        for i in range(front_vertex[f], front_vertex[f + 1]):
            front[i] = f
        for c in range(vertex_column[front_vertex[f]], vertex_column[front_vertex[f + 1]]):
            rows[fill[f]] = c
            fill[f] += 1
    for i in range(n):
        seen[front[i]] = i
        for k in range(start[order[i]], start[order[i] + 1]):
            j = place[neighbours[k]]
            if j >= i:
                continue
            f = front[j]
            while seen[f] != i:
                seen[f] = i
                for c in range(vertex_column[i], vertex_column[i + 1]):
                    rows[fill[f]] = c
                    fill[f] += 1
                f = parent[f]
    return rows


@kernel(nogil=True)
def relative_rows(front_column, front_row, rows, parent):
    """Place of each boundary row of a front among the rows of its parent (same layout as `rows`)."""
    relative = np.zeros(rows.size, dtype=np.int32)
    for f in range(parent.size):
        p = parent[f]
        if p < 0:
            continue
        k = front_row[p]
        for i in range(front_row[f] + front_column[f + 1] - front_column[f], front_row[f + 1]):
            while rows[k] != rows[i]:
                k += 1
            relative[i] = k - front_row[p]
    return relative
