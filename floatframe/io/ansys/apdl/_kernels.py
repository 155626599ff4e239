"""Compiled reading of rows in fixed columns, as Fortran formats like (3i9,6e21.13e3) lay them out.

A real is computed from its digits where that is exact (at most 15 digits and a power of ten up to 22); any other
field is left as NaN for the caller, who reads it with Python's own conversion.
"""

from __future__ import annotations

import numpy as np

from floatframe.arrays import Array, IntArray
from floatframe.compiled import kernel

_NEWLINE, _RETURN, _BLANK, _TAB = 10, 13, 32, 9
_PLUS, _MINUS, _POINT, _ZERO, _NINE = 43, 45, 46, 48, 57
_POWERS = 10.0 ** np.arange(23)
_MOST_DIGITS = 15
_MOST_INTEGER_DIGITS = 18


@kernel(nogil=True)
def count_rows(data: IntArray, start: int) -> tuple[int, int]:
    """Return how many lines from `start` begin with a digit after blanks, and where the first other line begins."""
    size = data.size
    rows = 0
    while start < size:
        place = start
        while place < size and (data[place] == _BLANK or data[place] == _TAB):
            place += 1
        if place >= size or data[place] < _ZERO or data[place] > _NINE:
            break
        while place < size and data[place] != _NEWLINE:
            place += 1
        rows += 1
        start = place + 1
    return rows, min(start, size)


@kernel(nogil=True)
def read_rows(
    data: IntArray, start: int, n_int: int, int_width: int, n_real: int, real_width: int,
    ints: IntArray, reals: Array, filled: IntArray, starts: IntArray,
) -> int:  # fmt: skip
    """Fill ints (rows, n_int) and reals (rows, n_real) from consecutive lines; return the first bad row or -1.

    filled (rows,): number of integer fields that are not blank, counted up to the last one; starts (rows,): where each
    line begins. Fields beyond the end of a line are zero.
    """
    size = data.size
    for row in range(starts.size):
        starts[row] = start
        end = start
        while end < size and data[end] != _NEWLINE:
            end += 1
        stop = end
        while stop > start and (data[stop - 1] == _RETURN or data[stop - 1] == _BLANK):
            stop -= 1
        filled[row] = 0
        for field in range(n_int):
            first = start + field * int_width
            value, state = _integer(data, first, min(first + int_width, stop))
            if state < 0:
                return row
            ints[row, field] = value
            if state > 0:
                filled[row] = field + 1
        begin = start + n_int * int_width
        for field in range(n_real):
            first = begin + field * real_width
            reals[row, field] = _real(data, first, min(first + real_width, stop))
        start = min(end + 1, size)
    return -1


@kernel(nogil=True)
def _integer(data: IntArray, first: int, stop: int) -> tuple[int, int]:
    """Return the number in a field and a state: 1 read, 0 blank, -1 no whole number."""
    while first < stop and (data[first] == _BLANK or data[first] == _TAB):
        first += 1
    if first >= stop:
        return 0, 0
    sign = 1
    if data[first] == _MINUS or data[first] == _PLUS:
        sign = -1 if data[first] == _MINUS else 1
        first += 1
    value, digits = 0, 0
    while first < stop and _ZERO <= data[first] <= _NINE:
        value = 10 * value + (data[first] - _ZERO)
        digits += 1
        first += 1
    while first < stop and (data[first] == _BLANK or data[first] == _TAB):
        first += 1
    if first < stop or digits == 0 or digits > _MOST_INTEGER_DIGITS:
        return 0, -1
    return sign * value, 1


@kernel(nogil=True)
def _real(data: IntArray, first: int, stop: int) -> float:
    """Return the number in a field, zero for a blank one, NaN where it must be read in another way."""
    while first < stop and data[first] == _BLANK:
        first += 1
    while stop > first and data[stop - 1] == _BLANK:
        stop -= 1
    if first >= stop:
        return 0.0
    sign = 1.0
    if data[first] == _MINUS or data[first] == _PLUS:
        sign = -1.0 if data[first] == _MINUS else 1.0
        first += 1
    mantissa, digits, seen, shift, fraction = 0, 0, 0, 0, False
    while first < stop:
        c = data[first]
        if _ZERO <= c <= _NINE:
            mantissa = 10 * mantissa + (c - _ZERO)
            seen += 1
            if mantissa > 0:
                digits += 1
            if fraction:
                shift -= 1
            if digits > _MOST_DIGITS:
                return np.nan
        elif c == _POINT and not fraction:
            fraction = True
        else:
            break
        first += 1
    if seen == 0:
        return np.nan
    if first < stop:
        c = data[first]
        if c != 69 and c != 101 and c != 68 and c != 100:  # E e D d
            return np.nan
        exponent, state = _integer(data, first + 1, stop)
        if state <= 0 or exponent > 400 or exponent < -400:
            return np.nan
        shift += exponent
    if mantissa == 0:
        return 0.0 * sign
    if shift > 22 or shift < -22:
        return np.nan
    return sign * (mantissa * _POWERS[shift] if shift >= 0 else mantissa / _POWERS[-shift])


@kernel(nogil=True)
def element_starts(ints: IntArray, first_nodes: int, per_line: int, starts: IntArray) -> tuple[int, int]:
    """Find the first line of each element in rows of EBLOCK,…,SOLID: field 9 is the number of nodes that follow.

    Return the number of elements written into `starts`, and the invalid row or -1.
    """
    row, count, rows = 0, 0, ints.shape[0]
    while row < rows:
        nodes = ints[row, 8]
        if nodes < 1 or nodes > 1000:
            return count, row
        starts[count] = row
        count += 1
        row += 1
        if nodes > first_nodes:
            row += (nodes - first_nodes + per_line - 1) // per_line
    return count, -1 if row == rows else starts[count - 1]


@kernel(nogil=True)
def walk_matrix(
    words: IntArray, start: int, rows: int, fill: bool, columns: IntArray, row_of: IntArray, bits: IntArray
) -> tuple[int, int]:
    """Follow the rows of a sparse matrix in a file: for each a record of columns and a record of doubles.

    Return the number of terms and -1, or the terms so far and the word where a record is not as expected. With `fill`,
    columns (from 1), row_of (from 0) and the two words of each value, bits (terms, 2), are written.
    """
    place, terms = start, 0
    for row in range(rows):
        if place < 0 or place + 2 >= words.size:
            return terms, place
        count = words[place]
        second = place + count + 3
        # flags of plain integers, then of plain doubles
        if count < 0 or second + 2 >= words.size or words[place + 1] != -2147483648:
            return terms, place
        if words[second] != 2 * count or words[second + 1] != 0 or second + 2 * count + 3 > words.size:
            return terms, second
        if fill:
            for k in range(count):
                columns[terms + k] = words[place + 2 + k]
                row_of[terms + k] = row
                bits[terms + k, 0] = words[second + 2 + 2 * k]
                bits[terms + k, 1] = words[second + 3 + 2 * k]
        terms += count
        place = second + 2 * count + 3
    return terms, -1
