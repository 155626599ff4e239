"""Compiled kernels of the multifrontal factorisation: assembly of fronts, Cholesky and LDL^T of their panels.

A front has `nr` rows, of which the first `nc` are its own columns. The own columns are cut into panels; panel columns
[c0, c1) are stored column by column with the rows c0..nr, so that nothing above the diagonal blocks is kept. The
remaining square of order nu = nr - nc is the update passed to the parent (lower triangle, leading dimension nu).
"""

from __future__ import annotations

import numpy as np
from numba import njit

from floatframe.modal.factor_blas import DGEMM, DPOTRF, DSYRK, DSYTRF, DTRSM, call_fortran

LETTER_L, LETTER_N, LETTER_R, LETTER_T, LETTER_U = (np.int8(ord(letter)) for letter in "LNRTU")
# a pivot is raised when the multipliers it causes would exceed the inverse of this (the square root of rounding)
SMALL_PIVOT = 1e-8
# columns of an update formed at once where only the lower triangle is wanted
STRIP = 192


@njit(cache=True, nogil=True, inline="always")
def _at(values, offset):
    return np.uint64(values.ctypes.data + offset * 8)


@njit(cache=True, nogil=True)
def assemble_front(front, fronts, panels, rows, matrix, values, local, factor):
    """Add the entries of the matrix that belong to the own columns of one front to its panels."""
    front_column, front_panel, front_row = fronts
    panel_column, panel_offset = panels
    indptr, indices, order, place, scale = matrix
    start, end = front_row[front], front_row[front + 1]
    for i in range(start, end):
        local[rows[i]] = i - start
    first = front_column[front]
    for panel in range(front_panel[front], front_panel[front + 1]):
        c0 = panel_column[panel] - first
        height = end - start - c0
        for column in range(panel_column[panel], panel_column[panel + 1]):
            old = order[column]
            target = panel_offset[panel] + (column - panel_column[panel]) * height - c0
            for k in range(indptr[old], indptr[old + 1]):
                row = place[indices[k]]
                if row >= column:
                    factor[target + local[row]] += values[k] * scale[old] * scale[indices[k]]


@njit(cache=True, nogil=True)
def extend_add(parent, fronts, panels, relative, child_update, child_offset, nu, factor, update, update_offset):
    """Add the update (nu, nu) of a child to the panels and the update of its parent; `relative` are its rows there."""
    front_column, front_panel, front_row = fronts
    panel_column, panel_offset = panels
    nr = front_row[parent + 1] - front_row[parent]
    first = front_column[parent]
    nc = front_column[parent + 1] - first
    panel = front_panel[parent]
    for j in range(nu):
        column = relative[j]
        source = child_offset + j * nu
        if column < nc:
            while panel_column[panel + 1] - first <= column:
                panel += 1
            c0 = panel_column[panel] - first
            target = panel_offset[panel] + (column - c0) * (nr - c0) - c0
            for i in range(j, nu):
                factor[target + relative[i]] += child_update[source + i]
        else:
            target = update_offset + (column - nc) * (nr - nc) - nc
            for i in range(j, nu):
                update[target + relative[i]] += child_update[source + i]


@njit(cache=True, nogil=True)
def clear_lower(update, offset, nu):
    """Set the lower triangle of an update to zero."""
    for j in range(nu):
        update[offset + j * nu + j : offset + (j + 1) * nu] = 0.0


@njit(cache=True, nogil=True)
def cholesky_front(front, fronts, panels, factor, update, update_offset, add, blas):
    """Factor the panels of one front, form its update; returns -1 or the column whose pivot is not positive.

    The update is added to what the children brought if `add`, else it replaces the content.
    """
    front_column, front_panel, front_row = fronts
    panel_column, panel_offset = panels
    first = front_column[front]
    nc = front_column[front + 1] - first
    nr = front_row[front + 1] - front_row[front]
    nu = nr - nc
    info = np.zeros(1, dtype=np.int32)
    beta = 1.0 if add else 0.0
    last = front_panel[front + 1]
    for panel in range(front_panel[front], last):
        c0 = panel_column[panel] - first
        width = panel_column[panel + 1] - panel_column[panel]
        height = nr - c0
        diagonal = _at(factor, panel_offset[panel])
        call_fortran(blas[DPOTRF], (LETTER_L, width, diagonal, height, np.uint64(info.ctypes.data)))
        if info[0] != 0:
            return panel_column[panel] + info[0] - 1
        if height == width:
            continue
        below = _at(factor, panel_offset[panel] + width)
        call_fortran(
            blas[DTRSM],
            (LETTER_R, LETTER_L, LETTER_T, LETTER_N, height - width, width, 1.0, diagonal, height, below, height),
        )
        for later in range(panel + 1, last):
            skip = panel_column[later] - panel_column[panel]
            columns = panel_column[later + 1] - panel_column[later]
            source = _at(factor, panel_offset[panel] + skip)
            target = _at(factor, panel_offset[later])
            call_fortran(
                blas[DGEMM],
                (LETTER_N, LETTER_T, height - skip, columns, width, -1.0, source, height, source, height, 1.0, target,
                 height - skip),
            )
        if nu > 0:
            source = _at(factor, panel_offset[panel] + nc - c0)
            target = _at(update, update_offset)
            call_fortran(blas[DSYRK], (LETTER_L, LETTER_N, nu, width, -1.0, source, height, beta, target, nu))
            beta = 1.0
    return -1


@njit(cache=True, nogil=True)
def _clean_pivots(width, height, offset, factor, pivots, column, order, d, e):
    """Turn dsytrf's result into P L D L^T P^T with a plain unit triangle; fills order, d and e of these columns."""
    for k in range(width):
        order[column + k] = k
        d[column + k] = factor[offset + k * height + k]
        e[column + k] = 0.0
    k = 0
    while k < width:
        if pivots[k] > 0:
            here, there = k, pivots[k] - 1
            step = 1
        else:
            here, there = k + 1, -pivots[k + 1] - 1
            step = 2
            e[column + k] = factor[offset + k * height + k + 1]
            factor[offset + k * height + k + 1] = 0.0
        if there != here:
            for j in range(k):
                a, b = offset + j * height + here, offset + j * height + there
                factor[a], factor[b] = factor[b], factor[a]
            order[column + here], order[column + there] = order[column + there], order[column + here]
        k += step


@njit(cache=True, nogil=True)
def _divide_by_pivots(width, below, work, target, height, factor, column, d, e, counts):
    """Write L21 = W D^-1 below the diagonal block, raising pivots that are too small; counts signs and raised ones."""
    k = 0
    while k < width:
        a = work[k * below : (k + 1) * below]
        out = target + k * height
        largest = 0.0
        if e[column + k] == 0.0:
            for i in range(below):
                largest = max(largest, abs(a[i]))
            pivot = d[column + k]
            limit = max(SMALL_PIVOT * largest, 1e-15)
            if abs(pivot) < limit:
                pivot = limit if pivot >= 0.0 else -limit
                d[column + k] = pivot
                counts[1] += 1
            if pivot < 0.0:
                counts[0] += 1
            for i in range(below):
                factor[out + i] = a[i] / pivot
            k += 1
            continue
        b = work[(k + 1) * below : (k + 2) * below]
        off = e[column + k]
        p, q = d[column + k] / off, d[column + k + 1] / off
        det = p * q - 1.0
        if abs(det) < 1e-15:
            det = -1e-15
            counts[1] += 1
        counts[0] += 1 if det < 0.0 else (2 if p < 0.0 else 0)
        for i in range(below):
            x, y = a[i] / off, b[i] / off
            factor[out + i] = (q * x - y) / det
            factor[out + height + i] = (p * y - x) / det
        k += 2


@njit(cache=True, nogil=True)
def ldlt_front(front, fronts, panels, factor, update, update_offset, add, blas, order, d, e, counts):
    """Factor one front as P L D L^T P^T with Bunch-Kaufman pivots inside each panel and form its update.

    `order` (n,) gets the pivot order inside each panel, d and e the 1x1 and 2x2 blocks, counts the number of negative
    pivots and of raised ones.
    """
    front_column, front_panel, front_row = fronts
    panel_column, panel_offset = panels
    first = front_column[front]
    nc = front_column[front + 1] - first
    nr = front_row[front + 1] - front_row[front]
    nu = nr - nc
    beta = 1.0 if add else 0.0
    last = front_panel[front + 1]
    info = np.zeros(1, dtype=np.int32)
    for panel in range(front_panel[front], last):
        column = panel_column[panel]
        c0 = column - first
        width = panel_column[panel + 1] - column
        height = nr - c0
        offset = panel_offset[panel]
        pivots = np.empty(width, dtype=np.int32)
        space = np.empty(width * 64)
        call_fortran(
            blas[DSYTRF],
            (LETTER_L, width, _at(factor, offset), height, np.uint64(pivots.ctypes.data), _at(space, 0), width * 64,
             np.uint64(info.ctypes.data)),
        )
        _clean_pivots(width, height, offset, factor, pivots, column, order, d, e)
        below = height - width
        work = np.empty(max(below * width, 1))
        for k in range(width):
            source = offset + order[column + k] * height + width
            for i in range(below):
                work[k * below + i] = factor[source + i]
        if below > 0:
            call_fortran(
                blas[DTRSM],
                (LETTER_R, LETTER_L, LETTER_T, LETTER_U, below, width, 1.0, _at(factor, offset), height,
                 _at(work, 0), below),
            )
        _divide_by_pivots(width, below, work, offset + width, height, factor, column, d, e, counts)
        for later in range(panel + 1, last):
            skip = panel_column[later] - column
            columns = panel_column[later + 1] - panel_column[later]
            call_fortran(
                blas[DGEMM],
                (LETTER_N, LETTER_T, height - skip, columns, width, -1.0, _at(factor, offset + skip), height,
                 _at(work, skip - width), below, 1.0, _at(factor, panel_offset[later]), height - skip),
            )
        for strip in range(0, nu, STRIP):
            columns = min(STRIP, nu - strip)
            skip = nc - c0 + strip
            call_fortran(
                blas[DGEMM],
                (LETTER_N, LETTER_T, nu - strip, columns, width, -1.0, _at(factor, offset + skip), height,
                 _at(work, skip - width), below, beta, _at(update, update_offset + strip * nu + strip), nu),
            )
        beta = 1.0


@njit(cache=True, nogil=True)
def factor_subtree(
    begin, end, fronts, panels, rows, relative, tree, matrix, values, factor, stack, blas, indefinite, order, d,
    e, counts,
):
    """Factor the fronts [begin, end) of one subtree in postorder; the last update is left at the start of the stack.

    Returns -1, or the column at which a Cholesky factorisation broke down.
    """
    front_column, front_panel, front_row = fronts
    child_start, children = tree
    local = np.empty(order.size, dtype=np.int32)
    top = 0
    for front in range(begin, end):
        assemble_front(front, fronts, panels, rows, matrix, values, local, factor)
        nc = front_column[front + 1] - front_column[front]
        nu = front_row[front + 1] - front_row[front] - nc
        family = children[child_start[front] : child_start[front + 1]]
        if family.size > 0:
            clear_lower(stack, top, nu)
        # the children lie on the stack, the last one on top
        bottom = top
        for child in family[::-1]:
            child_nc = front_column[child + 1] - front_column[child]
            child_nu = front_row[child + 1] - front_row[child] - child_nc
            bottom -= child_nu * child_nu
            start = front_row[child] + child_nc
            extend_add(
                front, fronts, panels, relative[start : start + child_nu], stack, bottom, child_nu, factor, stack, top
            )
        if indefinite:
            ldlt_front(front, fronts, panels, factor, stack, top, family.size > 0, blas, order, d, e, counts)
        else:
            broken = cholesky_front(front, fronts, panels, factor, stack, top, family.size > 0, blas)
            if broken >= 0:
                return broken
        if bottom < top:
            for i in range(nu * nu):
                stack[bottom + i] = stack[top + i]
        top = bottom + nu * nu
    return -1
