"""Numbers out of large text blocks, compiled; `text_numbers` is the door to them and holds the plain twins.

All functions work on bytes (uint8) of a whole file and positions in it. A number is written as in Fortran or C: the
exponent letter may be e or d, or be left out before its sign (1.5+3). Values are right to two units in the last place,
whole numbers below 2**53 and short decimals exactly.
"""

# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

import numpy as np

from floatframe.compiled import kernel

_NEWLINE, _RETURN, _SPACE, _TAB, _COMMA = 10, 13, 32, 9, 44
_POWER = np.array([float(f"1e{k}") for k in range(309)])  # exact up to 22, then rounded once


@kernel(nogil=True)
def keyword_lines(text, start, mark):
    """Return positions and numbers (k, 2) of lines whose first character but blanks is `mark`, once and not twice."""
    found = np.empty((64, 2), dtype=np.int64)
    count = 0
    line = 1
    p = start
    n = text.size
    while p < n:
        while p < n and (text[p] == _SPACE or text[p] == _TAB):
            p += 1
        if p < n and text[p] == mark and not (p + 1 < n and text[p + 1] == mark):
            if count == found.shape[0]:
                longer = np.empty((2 * count, 2), dtype=np.int64)
                longer[:count] = found
                found = longer
            found[count, 0] = p
            found[count, 1] = line
            count += 1
        while p < n and text[p] != _NEWLINE:
            p += 1
        p += 1
        line += 1
    return found[:count]


@kernel(nogil=True)
def number(text, p, stop):
    """Return the number that fills text[p:stop] and whether it is one."""
    negative = False
    if p < stop and (text[p] == 43 or text[p] == 45):
        negative = text[p] == 45
        p += 1
    mantissa = np.uint64(0)
    digits = dropped = decimals = 0
    point = False
    while p < stop:
        c = text[p]
        if 48 <= c <= 57:
            digits += 1
            if mantissa < np.uint64(1000000000000000000):
                mantissa = mantissa * np.uint64(10) + np.uint64(c - 48)
                if point:
                    decimals += 1
            elif not point:
                dropped += 1
        elif c == 46 and not point:
            point = True
        else:
            break
        p += 1
    if digits == 0:
        return 0.0, False
    exponent = 0
    if p < stop:
        c = text[p]
        if c == 101 or c == 69 or c == 100 or c == 68:
            p += 1
        elif c != 43 and c != 45:
            return 0.0, False
        below = False
        if p < stop and (text[p] == 43 or text[p] == 45):
            below = text[p] == 45
            p += 1
        if p >= stop:
            return 0.0, False
        while p < stop:
            c = text[p]
            if not 48 <= c <= 57:
                return 0.0, False
            if exponent < 100000:
                exponent = exponent * 10 + (c - 48)
            p += 1
        if below:
            exponent = -exponent
    exponent += dropped - decimals
    value = np.float64(mantissa)
    if mantissa == 0:
        value = np.float64(0.0)
    elif exponent < 0:
        # a huge divisor is taken in two steps, so that small results do not vanish on the way
        if exponent < -300:
            value /= _POWER[300]
            exponent = max(exponent + 300, -308)
        value /= _POWER[-exponent]
    elif exponent <= 308:
        value *= _POWER[exponent]
    else:
        value = np.float64(np.inf)
    return (-value if negative else value), np.isfinite(value)


@kernel(nogil=True)
def count_free(text, start, stop, comment):
    """Return the number of lines with numbers and the most values they can hold."""
    rows = values = 0
    p = start
    while p < stop:
        first = -1
        commas = 0
        while p < stop and text[p] != _NEWLINE:
            c = text[p]
            if first < 0 and c != _SPACE and c != _TAB and c != _RETURN:
                first = c
            if c == _COMMA:
                commas += 1
            p += 1
        p += 1
        if first >= 0 and first != comment:
            rows += 1
            values += commas + 1
    return rows, values


@kernel(nogil=True)
def free_numbers(text, start, stop, comment, values, offsets):
    """Fill values (n,) and offsets (rows + 1,) from comma-separated lines; return the count and a bad position or -1.

    An empty field is zero; a comma that ends a line adds none.
    """
    row = n = 0
    p = start
    while p < stop:
        end = p
        while end < stop and text[end] != _NEWLINE:
            end += 1
        last = end
        while last > p and (text[last - 1] == _SPACE or text[last - 1] == _TAB or text[last - 1] == _RETURN):
            last -= 1
        while p < last and (text[p] == _SPACE or text[p] == _TAB):
            p += 1
        if p < last and text[p] != comment:
            offsets[row] = n
            row += 1
            while p < last:
                while p < last and (text[p] == _SPACE or text[p] == _TAB):
                    p += 1
                q = p
                while q < last and text[q] != _COMMA:
                    q += 1
                stripped = q
                while stripped > p and (text[stripped - 1] == _SPACE or text[stripped - 1] == _TAB):
                    stripped -= 1
                if stripped > p:
                    value, good = number(text, p, stripped)
                    if not good:
                        return n, p
                    values[n] = value
                else:
                    values[n] = 0.0
                n += 1
                p = q + 1
        p = end + 1
    offsets[row] = n
    return n, np.int64(-1)
