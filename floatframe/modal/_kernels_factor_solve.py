"""Compiled kernels of the substitutions: all right-hand sides at once, one pass over the flat factor each way.

`x` (k, n) holds the right-hand sides in column order. Substructures run in threads; what a substructure adds to the
boundary system goes to an array of its own, `shared` (k, n - boundary).
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import numpy as np
from numba import njit

from floatframe.modal.factor_blas import DGEMM, DTRSM, LETTER_L, LETTER_N, LETTER_T, LETTER_U, call_fortran

# from so many right-hand sides on, BLAS-3 beats the loops below, which read the factor once and copy nothing
MANY = 8
# rows of a panel column treated together, so that they stay in the first-level cache for all right-hand sides
CHUNK = 512
FAST = {"reassoc", "contract", "nsz"}  # sums may be vectorised; not-a-number keeps its meaning


@njit(cache=True, nogil=True, inline="always")
def _four_columns(block, m, j, low, high):
    """Rows [low, high) of the columns j to j + 3 of a panel of height m; beyond its last column they are empty."""
    a = block[j * m + low : j * m + high]
    b = block[(j + 1) * m + low : (j + 1) * m + high]
    c = block[(j + 2) * m + low : (j + 2) * m + high]
    d = block[(j + 3) * m + low : (j + 3) * m + high]
    return a, b, c, d


@njit(cache=True, nogil=True, fastmath=FAST)
def _subtract_columns(a, b, c, d, w, x, y, z, target):
    for i in range(target.size):
        target[i] -= a[i] * w + b[i] * x + c[i] * y + d[i] * z


@njit(cache=True, nogil=True, fastmath=FAST)
def _four_dots(a, b, c, d, v):
    p, q, r, s = 0.0, 0.0, 0.0, 0.0
    for i in range(v.size):
        p += a[i] * v[i]
        q += b[i] * v[i]
        r += c[i] * v[i]
        s += d[i] * v[i]
    return p, q, r, s


@njit(cache=True, nogil=True)
def _forward_panel(block, m, width, unit, local):
    """Solve with the panel's triangle and subtract its rows, four columns at a time; local (k, m or more)."""
    k = local.shape[0]
    j = 0
    while j < width:
        step = 4 if j + 4 <= width else 1
        for r in range(k):
            for c in range(j, j + step):
                value = local[r, c]
                if not unit:
                    value /= block[c * m + c]
                    local[r, c] = value
                for i in range(c + 1, j + step):
                    local[r, i] -= block[c * m + i] * value
        for low in range(j + step, m, CHUNK):
            high = min(low + CHUNK, m)
            a, b, c, d = _four_columns(block, m, j, low, high)
            if step == 4:
                for r in range(k):
                    v = local[r]
                    _subtract_columns(a, b, c, d, v[j], v[j + 1], v[j + 2], v[j + 3], v[low:high])
            else:
                for r in range(k):
                    value = local[r, j]
                    v = local[r, low:high]
                    for i in range(v.size):
                        v[i] -= a[i] * value
        j += step


@njit(cache=True, nogil=True, fastmath=FAST)
def _backward_panel(block, m, width, unit, local):
    """Subtract the panel's rows and solve with its transposed triangle, four columns at a time."""
    k = local.shape[0]
    j = width
    while j > 0:
        step = 4 if j % 4 == 0 else 1
        j -= step
        for low in range(j + step, m, CHUNK):
            high = min(low + CHUNK, m)
            a, b, c, d = _four_columns(block, m, j, low, high)
            if step == 4:
                for r in range(k):
                    v = local[r]
                    p, q, s, t = _four_dots(a, b, c, d, v[low:high])
                    v[j] -= p
                    v[j + 1] -= q
                    v[j + 2] -= s
                    v[j + 3] -= t
            else:
                for r in range(k):
                    total = 0.0
                    v = local[r, low:high]
                    for i in range(v.size):
                        total += a[i] * v[i]
                    local[r, j] -= total
        for r in range(k):
            for c in range(j + step - 1, j - 1, -1):
                value = local[r, c]
                for i in range(c + 1, j + step):
                    value -= block[c * m + i] * local[r, i]
                local[r, c] = value if unit else value / block[c * m + c]


@njit(cache=True, nogil=True)
def forward(begin, end, lists, height, factor, unit, order, boundary, x, shared, blas):
    """Solve L y = x for the panels [begin, end); `unit` says that L has ones on its diagonal."""
    panel_column, panel_offset, panel_row, rows = lists
    k = x.shape[0]
    local = np.empty((k, height))
    ones = LETTER_U if unit else LETTER_N
    for panel in range(begin, end):
        first = panel_column[panel]
        width = panel_column[panel + 1] - first
        start = panel_row[panel]
        m = (panel_offset[panel + 1] - panel_offset[panel]) // width
        block = factor[panel_offset[panel] : panel_offset[panel + 1]]
        for r in range(k):
            for i in range(width):
                local[r, i] = _get(x, shared, boundary, r, first + order[first + i])
            for i in range(width, m):
                local[r, i] = 0.0
        if k < MANY:
            _forward_panel(block, m, width, unit, local)
        else:
            a, b = np.uint64(block.ctypes.data), np.uint64(local.ctypes.data)
            call_fortran(
                blas[DTRSM], (LETTER_L, LETTER_L, LETTER_N, ones, width, k, 1.0, a, m, b, height)
            )
            if m > width:
                skip = np.uint64(8 * width)
                call_fortran(
                    blas[DGEMM],
                    (LETTER_N, LETTER_N, m - width, k, width, -1.0, a + skip, m, b, height, 0.0, b + skip, height),
                )
        for r in range(k):
            for i in range(width):
                _put(x, shared, boundary, r, first + i, local[r, i])
            for i in range(width, m):
                row = rows[start + i]
                if row < boundary:
                    x[r, row] += local[r, i]
                else:
                    shared[r, row - boundary] += local[r, i]


@njit(cache=True, nogil=True)
def backward(begin, end, lists, height, factor, unit, order, x, blas):
    """Solve L^T y = x for the panels [begin, end), last first."""
    panel_column, panel_offset, panel_row, rows = lists
    k = x.shape[0]
    local = np.empty((k, height))
    ones = LETTER_U if unit else LETTER_N
    for panel in range(end - 1, begin - 1, -1):
        first = panel_column[panel]
        width = panel_column[panel + 1] - first
        start = panel_row[panel]
        m = (panel_offset[panel + 1] - panel_offset[panel]) // width
        block = factor[panel_offset[panel] : panel_offset[panel + 1]]
        for r in range(k):
            for i in range(width):
                local[r, i] = x[r, first + i]
            for i in range(width, m):
                local[r, i] = x[r, rows[start + i]]
        if k < MANY:
            _backward_panel(block, m, width, unit, local)
        else:
            a, b = np.uint64(block.ctypes.data), np.uint64(local.ctypes.data)
            if m > width:
                skip = np.uint64(8 * width)
                call_fortran(
                    blas[DGEMM],
                    (LETTER_T, LETTER_N, width, k, m - width, -1.0, a + skip, m, b + skip, height, 1.0, b, height),
                )
            call_fortran(
                blas[DTRSM], (LETTER_L, LETTER_L, LETTER_T, ones, width, k, 1.0, a, m, b, height)
            )
        for r in range(k):
            for i in range(width):
                x[r, first + order[first + i]] = local[r, i]


@njit(cache=True, nogil=True, inline="always")
def _get(x, shared, boundary, r, column):
    return x[r, column] if column < boundary else shared[r, column - boundary]


@njit(cache=True, nogil=True, inline="always")
def _put(x, shared, boundary, r, column, value):
    if column < boundary:
        x[r, column] = value
    else:
        shared[r, column - boundary] = value


@njit(cache=True, nogil=True)
def divide_by_pivots(d, e, x):
    """Solve D y = x in place for the 1x1 and 2x2 diagonal blocks (d, e)."""
    for r in range(x.shape[0]):
        k = 0
        while k < d.size:
            if e[k] == 0.0:
                x[r, k] /= d[k]
                k += 1
                continue
            p, q = d[k] / e[k], d[k + 1] / e[k]
            det = p * q - 1.0
            a, b = x[r, k] / e[k], x[r, k + 1] / e[k]
            x[r, k] = (q * a - b) / det
            x[r, k + 1] = (p * b - a) / det
            k += 2


@njit(cache=True, nogil=True)
def gather(b, order, scale, x):
    """x[r, i] = scaled right-hand side in column order; b (n, k)."""
    for i in range(order.size):
        old = order[i]
        for r in range(x.shape[0]):
            x[r, i] = b[old, r] * scale[old]


@njit(cache=True, nogil=True)
def scatter(x, order, scale, b):
    """Bring the solution back to the order and units of the equations; b (n, k)."""
    for i in range(order.size):
        old = order[i]
        for r in range(x.shape[0]):
            b[old, r] = x[r, i] * scale[old]
