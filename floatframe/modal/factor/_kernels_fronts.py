"""Compiled kernels of the multifrontal factorisation: assembly of fronts, Cholesky and LDL^T of their panels.

A front has `nr` rows, of which the first `nc` are its own columns. The own columns are cut into panels; panel columns
[c0, c1) are stored column by column with the rows c0..nr, so that nothing above the diagonal blocks is kept. The
remaining square of order nu = nr - nc is the update passed to the parent (lower triangle, leading dimension nu).
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import numpy as np

from floatframe.compiled import kernel
from floatframe.linked import linked
from floatframe.modal.factor.blas import (
    LETTER_L,
    LETTER_N,
    LETTER_R,
    LETTER_T,
    LETTER_U,
    call_fortran,
)

# a pivot is raised when the multipliers it causes would exceed the inverse of this (the square root of rounding)
SMALL_PIVOT = 1e-8
# columns of an update formed at once where only the lower triangle is wanted
STRIP = 192


@kernel(nogil=True, inline="always")
def _at(values, offset):
    return np.uint64(values.ctypes.data + offset * 8)


@kernel(nogil=True)
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


@kernel(nogil=True)
def extend_add(low, high, parent, fronts, panels, relative, child_update, child_offset, factor, update, update_offset):
    """Add columns [low, high) of a child's update to the panels and the update of its parent.

    `relative` (nu,) are the places of the child's rows in the parent.
    """
    nu = relative.size
    front_column, front_panel, front_row = fronts
    panel_column, panel_offset = panels
    nr = front_row[parent + 1] - front_row[parent]
    first = front_column[parent]
    nc = front_column[parent + 1] - first
    panel = front_panel[parent]
    for j in range(low, high):
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


@linked()
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


@kernel(nogil=True)
def divide_by_pivots(width, below, work, target, height, factor, column, d, e, counts):
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


@kernel(nogil=True)
def start_panel(panel, height, panels, factor, indefinite, order, d, e, blas):
    """Factor the diagonal block of a panel; returns -1 or the column whose Cholesky pivot is not positive."""
    panel_column, panel_offset = panels
    column, offset = panel_column[panel], panel_offset[panel]
    width = panel_column[panel + 1] - column
    info = np.zeros(1, dtype=np.int32)
    diagonal, flag = _at(factor, offset), np.uint64(info.ctypes.data)
    if not indefinite:
        call_fortran(blas.dpotrf, (LETTER_L, width, diagonal, height, flag))
        return column + info[0] - 1 if info[0] != 0 else -1
    pivots = np.empty(width, dtype=np.int32)
    space = np.empty(width * 64)
    call_fortran(
        blas.dsytrf,
        (LETTER_L, width, diagonal, height, np.uint64(pivots.ctypes.data), _at(space, 0), width * 64, flag),
    )
    _clean_pivots(width, height, offset, factor, pivots, column, order, d, e)
    return -1


@kernel(nogil=True)
def solve_rows(low, high, panel, height, panels, factor, indefinite, order, work, blas):
    """Rows [low, high) below the diagonal block: L21 in place for Cholesky, L21 D in `work` for L D L^T."""
    panel_column, panel_offset = panels
    column, offset = panel_column[panel], panel_offset[panel]
    width = panel_column[panel + 1] - column
    diagonal = _at(factor, offset)
    if not indefinite:
        call_fortran(
            blas.dtrsm,
            (
                LETTER_R,
                LETTER_L,
                LETTER_T,
                LETTER_N,
                high - low,
                width,
                1.0,
                diagonal,
                height,
                _at(factor, offset + width + low),
                height,
            ),
        )
        return
    below = height - width
    for k in range(width):
        source = offset + order[column + k] * height + width
        for i in range(low, high):
            work[k * below + i] = factor[source + i]
    call_fortran(
        blas.dtrsm,
        (LETTER_R, LETTER_L, LETTER_T, LETTER_U, high - low, width, 1.0, diagonal, height, _at(work, low), below),
    )


@kernel(nogil=True)
def strip_count(front, panel, fronts):
    """Number of column strips a panel updates: the later panels of its front and the strips of the update."""
    front_column, front_panel, front_row = fronts
    nu = front_row[front + 1] - front_row[front] - front_column[front + 1] + front_column[front]
    return front_panel[front + 1] - panel - 1 + (nu + STRIP - 1) // STRIP


@kernel(nogil=True)
def update_strip(strip, front, panel, fronts, panels, factor, update, update_offset, beta, indefinite, work, blas):
    """Subtract a panel's share from one strip: a later panel or some columns of the update (there beta applies)."""
    front_column, front_panel, front_row = fronts
    panel_column, panel_offset = panels
    column, offset = panel_column[panel], panel_offset[panel]
    width = panel_column[panel + 1] - column
    height = front_row[front + 1] - front_row[front] - (column - front_column[front])
    later = panel + 1 + strip
    if later < front_panel[front + 1]:
        skip = panel_column[later] - column
        columns = panel_column[later + 1] - panel_column[later]
        rows = height - skip
        target, ld = _at(factor, panel_offset[later]), rows
        beta = 1.0
    else:
        shift = (later - front_panel[front + 1]) * STRIP
        nu = height - (front_column[front + 1] - column)
        skip = height - nu + shift
        columns = min(STRIP, nu - shift)
        rows = nu - shift
        target, ld = _at(update, update_offset + shift * nu + shift), nu
        if not indefinite:
            # the diagonal block is symmetric, half of it is enough
            source = _at(factor, offset + skip)
            call_fortran(blas.dsyrk, (LETTER_L, LETTER_N, columns, width, -1.0, source, height, beta, target, ld))
            skip += columns
            rows -= columns
            if rows == 0:
                return
            target = target + np.uint64(8 * columns)
            call_fortran(
                blas.dgemm,
                (
                    LETTER_N,
                    LETTER_T,
                    rows,
                    columns,
                    width,
                    -1.0,
                    _at(factor, offset + skip),
                    height,
                    source,
                    height,
                    beta,
                    target,
                    ld,
                ),
            )
            return
    source = _at(factor, offset + skip)
    if indefinite:
        right, right_ld = _at(work, skip - width), height - width
    else:
        right, right_ld = source, height
    call_fortran(
        blas.dgemm,
        (LETTER_N, LETTER_T, rows, columns, width, -1.0, source, height, right, right_ld, beta, target, ld),
    )


@linked()
def _eliminate_front(front, fronts, panels, factor, update, update_offset, indefinite, order, d, e, counts, blas):
    """Factor the own columns of one front and form its update; what the update held before is overwritten.

    Returns -1 or the column at which a Cholesky factorisation broke down.
    """
    front_column, front_panel, front_row = fronts
    panel_column, panel_offset = panels
    beta = 0.0
    for panel in range(front_panel[front], front_panel[front + 1]):
        column = panel_column[panel]
        width = panel_column[panel + 1] - column
        height = front_row[front + 1] - front_row[front] - (column - front_column[front])
        below = height - width
        broken = start_panel(panel, height, panels, factor, indefinite, order, d, e, blas)
        if broken >= 0:
            return broken
        work = np.empty(below * width if indefinite else 0)
        if below > 0:
            solve_rows(np.int64(0), below, panel, height, panels, factor, indefinite, order, work, blas)
        if indefinite:
            divide_by_pivots(width, below, work, panel_offset[panel] + width, height, factor, column, d, e, counts)
        for strip in range(strip_count(front, panel, fronts)):
            update_strip(
                strip, front, panel, fronts, panels, factor, update, update_offset, beta, indefinite, work, blas
            )
        beta = 1.0
    return -1


@kernel(nogil=True)
def factor_subtree(
    begin,
    end,
    fronts,
    panels,
    rows,
    relative,
    tree,
    matrix,
    values,
    factor,
    stacks,
    blas,
    indefinite,
    order,
    d,
    e,
    counts,
):
    """Factor the fronts [begin, end) of one subtree in postorder; the last update is left at the start of its stack.

    Updates lie on two stacks, those of children never on that of their parent: nothing has to be moved when they are
    taken off. Returns -1, or the column at which a Cholesky factorisation broke down.
    """
    front_column, _, front_row = fronts
    side, child_start, children = tree
    local = np.empty(order.size, dtype=np.int32)
    top = np.zeros(2, dtype=np.int64)
    for front in range(begin, end):
        assemble_front(front, fronts, panels, rows, matrix, values, local, factor)
        nc = front_column[front + 1] - front_column[front]
        nu = front_row[front + 1] - front_row[front] - nc
        here = side[front]
        update, below = stacks[here], stacks[1 - here]
        family = children[child_start[front] : child_start[front + 1]]
        # the children's share of the own columns is added before elimination, that of the update after it
        for own in (True, False):
            bottom = top[1 - here]
            # the children lie on their stack, the last one on top
            for child in family[::-1]:
                start = front_row[child] + front_column[child + 1] - front_column[child]
                places = relative[start : front_row[child + 1]]
                bottom -= places.size**2
                split = np.searchsorted(places, nc)
                low, high = (np.int64(0), split) if own else (split, places.size)
                extend_add(low, high, front, fronts, panels, places, below, bottom, factor, update, top[here])
            if own:
                broken = _eliminate_front(
                    front, fronts, panels, factor, update, top[here], indefinite, order, d, e, counts, blas
                )
                if broken >= 0:
                    return broken
        top[1 - here] = bottom
        top[here] += nu * nu
    return -1
