"""Compiled kernels of the substitutions: all right-hand sides at once, one pass over the flat factor each way.

`x` (groups, n, LANES) holds the right-hand sides in column order, side by side in groups. Substructures run in threads;
what a substructure adds to the boundary system goes to an array of its own, `shared` (groups, n - boundary, LANES).
Columns come transposed, bT (k, n): rows one after the other are one type to the compiler, for a single one too.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import numpy as np

from floatframe.compiled import kernel
from floatframe.modal.factor.vector import LANES, backward_four, backward_one, forward_four, forward_one


@kernel(nogil=True, inline="always")
def _at(values, offset):
    return np.uint64(values.ctypes.data + offset * 8)


@kernel(nogil=True)
def _forward_panel(block, m, width, unit, local):
    """Solve with the panel's triangle and subtract its rows, four columns at a time; local (m or more, LANES)."""
    j = 0
    while j < width:
        below = j + 4 if j + 4 <= width else j + 1
        for c in range(j, below):
            if not unit:
                pivot = block[c * m + c]
                for r in range(LANES):
                    local[c, r] /= pivot
            for i in range(c + 1, below):
                entry = block[c * m + i]
                for r in range(LANES):
                    local[i, r] -= entry * local[c, r]
        rows, entries, heads = _at(local, below * LANES), _at(block, j * m + below), _at(local, j * LANES)
        if below - j == 4:
            forward_four(rows, entries, m, heads, m - below)
        else:
            forward_one(rows, entries, m, heads, m - below)
        j = below


@kernel(nogil=True)
def _backward_panel(block, m, width, unit, local):
    """Subtract the panel's rows and solve with its transposed triangle, four columns at a time."""
    below = width
    while below > 0:
        j = below - 4 if below % 4 == 0 else below - 1
        rows, entries, heads = _at(local, below * LANES), _at(block, j * m + below), _at(local, j * LANES)
        if below - j == 4:
            backward_four(rows, entries, m, heads, m - below)
        else:
            backward_one(rows, entries, m, heads, m - below)
        for c in range(below - 1, j - 1, -1):
            for i in range(c + 1, below):
                entry = block[c * m + i]
                for r in range(LANES):
                    local[c, r] -= entry * local[i, r]
            if not unit:
                pivot = block[c * m + c]
                for r in range(LANES):
                    local[c, r] /= pivot
        below = j


@kernel(nogil=True)
def forward(begin, end, lists, height, factor, unit, order, boundary, x, shared):
    """Solve L y = x for the panels [begin, end); `unit` says that L has ones on its diagonal."""
    panel_column, panel_offset, panel_row, rows = lists
    local = np.empty((height, LANES))
    for panel in range(begin, end):
        first = panel_column[panel]
        width = panel_column[panel + 1] - first
        start = panel_row[panel]
        m = (panel_offset[panel + 1] - panel_offset[panel]) // width
        block = factor[panel_offset[panel] : panel_offset[panel + 1]]
        for group in range(x.shape[0]):
            own, others = x[group], shared[group]
            for i in range(width):
                for r in range(LANES):
                    local[i, r] = own[first + order[first + i], r]
            for i in range(width, m):
                for r in range(LANES):
                    local[i, r] = 0.0
            _forward_panel(block, m, width, unit, local)
            for i in range(width):
                for r in range(LANES):
                    own[first + i, r] = local[i, r]
            for i in range(width, m):
                row = rows[start + i]
                if row < boundary:
                    for r in range(LANES):
                        own[row, r] += local[i, r]
                else:
                    for r in range(LANES):
                        others[row - boundary, r] += local[i, r]


@kernel(nogil=True)
def backward(begin, end, lists, height, factor, unit, order, x):
    """Solve L^T y = x for the panels [begin, end), last first."""
    panel_column, panel_offset, panel_row, rows = lists
    local = np.empty((height, LANES))
    for panel in range(end - 1, begin - 1, -1):
        first = panel_column[panel]
        width = panel_column[panel + 1] - first
        start = panel_row[panel]
        m = (panel_offset[panel + 1] - panel_offset[panel]) // width
        block = factor[panel_offset[panel] : panel_offset[panel + 1]]
        for group in range(x.shape[0]):
            own = x[group]
            for i in range(width):
                for r in range(LANES):
                    local[i, r] = own[first + i, r]
            for i in range(width, m):
                for r in range(LANES):
                    local[i, r] = own[rows[start + i], r]
            _backward_panel(block, m, width, unit, local)
            for i in range(width):
                for r in range(LANES):
                    own[first + order[first + i], r] = local[i, r]


@kernel(nogil=True)
def permuted_lower(indptr, indices, values, order, place, scale):
    """Lower triangle, by columns, of a scaled symmetric matrix in another order: (indptr, indices, values)."""
    n = order.size
    start = np.zeros(n + 1, dtype=np.int64)
    for sweep in range(2):
        rows, entries = np.empty(start[n], dtype=np.int32), np.empty(start[n])
        fill = 0
        for j in range(n):
            old = order[j]
            for k in range(indptr[old], indptr[old + 1]):
                i = place[indices[k]]
                if i >= j:
                    if sweep == 1:
                        rows[fill] = i
                        entries[fill] = values[k] * scale[old] * scale[indices[k]]
                    fill += 1
            start[j + 1] = fill
    return start, rows, entries


@kernel(nogil=True)
def add_product(low, high, mass, boundary, x, y, shared):
    """y += mass x for the entries in the columns [low, high) of its lower triangle and their mirror images."""
    start, rows, entries = mass
    for group in range(x.shape[0]):
        own, others, known = y[group], shared[group], x[group]
        for j in range(low, high):
            for k in range(start[j], start[j + 1]):
                i, entry = rows[k], entries[k]
                for r in range(LANES):
                    own[j, r] += entry * known[i, r]
                if i == j:
                    continue
                if i < boundary:
                    for r in range(LANES):
                        own[i, r] += entry * known[j, r]
                else:
                    for r in range(LANES):
                        others[i - boundary, r] += entry * known[j, r]


@kernel(nogil=True)
def there_and_back(begin, end, branches, lists, height, factor, unit, order, mass, boundary, x, y, shared):
    """Solve L^T u = x for the panels [begin, end), then L y = mass u, to which y and shared are added.

    `unit` says that L has ones on its diagonal. Of a branch, panels [begin, end) that descend from its last one, both
    are done while the cache holds its factor.
    """
    panel_column = lists[0]
    last = end
    for branch in range(branches.shape[0] - 1, -1, -1):
        backward(branches[branch, 1], last, lists, height, factor, unit, order, x)
        last = branches[branch, 0]
    backward(begin, last, lists, height, factor, unit, order, x)
    first = begin
    for branch in range(branches.shape[0] + 1):
        low, high = (branches[branch, 0], branches[branch, 1]) if branch < branches.shape[0] else (end, end)
        # what lies between branches joins them: all below has come back
        add_product(panel_column[first], panel_column[low], mass, boundary, x, y, shared)
        forward(first, low, lists, height, factor, unit, order, boundary, y, shared)
        backward(low, high, lists, height, factor, unit, order, x)
        add_product(panel_column[low], panel_column[high], mass, boundary, x, y, shared)
        forward(low, high, lists, height, factor, unit, order, boundary, y, shared)
        first = high


@kernel(nogil=True)
def divide_by_pivots(d, e, x):
    """Solve D y = x in place for the 1x1 and 2x2 diagonal blocks (d, e)."""
    for group in range(x.shape[0]):
        k = 0
        while k < d.size:
            if e[k] == 0.0:
                for r in range(LANES):
                    x[group, k, r] /= d[k]
                k += 1
                continue
            p, q = d[k] / e[k], d[k + 1] / e[k]
            det = p * q - 1.0
            for r in range(LANES):
                a, b = x[group, k, r] / e[k], x[group, k + 1, r] / e[k]
                x[group, k, r] = (q * a - b) / det
                x[group, k + 1, r] = (p * b - a) / det
            k += 2


@kernel(nogil=True)
def pack(low, high, bT, x):
    """Rows [low, high) of columns of bT (k, n) side by side in x; lanes without one are zero."""
    k = bT.shape[0]
    for group in range(x.shape[0]):
        lane = group * LANES
        for i in range(low, high):
            for r in range(LANES):
                x[group, i, r] = bT[lane + r, i] if lane + r < k else 0.0


@kernel(nogil=True)
def unpack(low, high, x, bT):
    """Rows [low, high) of x as columns of bT (k, n)."""
    k = bT.shape[0]
    for group in range(x.shape[0]):
        lane = group * LANES
        for r in range(min(LANES, k - lane)):
            for i in range(low, high):
                bT[lane + r, i] = x[group, i, r]


@kernel(nogil=True)
def gather(low, high, bT, order, scale, x):
    """Scaled right-hand sides bT (k, n) as columns [low, high) of x; lanes without one are zero."""
    k = bT.shape[0]
    for i in range(low, high):
        old = order[i]
        for group in range(x.shape[0]):
            lane = group * LANES
            for r in range(LANES):
                x[group, i, r] = bT[lane + r, old] * scale[old] if lane + r < k else 0.0


@kernel(nogil=True)
def scatter(low, high, x, order, scale, bT):
    """Bring columns [low, high) of the solution back to the order and units of the equations; bT (k, n)."""
    k = bT.shape[0]
    for i in range(low, high):
        old = order[i]
        for group in range(x.shape[0]):
            lane = group * LANES
            for r in range(min(LANES, k - lane)):
                bT[lane + r, old] = x[group, i, r] * scale[old]


@kernel(nogil=True)
def multiply_rows(low, high, indptr, indices, values, X, Y):
    """Rows [low, high) of Y = A X for a symmetric A in compressed columns; X, Y (n, 4) stored row by row.

    Four sums by name stay in registers, an inner loop over them does not.
    """
    for i in range(low, high):
        p, q, r, s = 0.0, 0.0, 0.0, 0.0
        for k in range(indptr[i], indptr[i + 1]):
            j, value = indices[k], values[k]
            p += value * X[j, 0]
            q += value * X[j, 1]
            r += value * X[j, 2]
            s += value * X[j, 3]
        Y[i, 0], Y[i, 1], Y[i, 2], Y[i, 3] = p, q, r, s
