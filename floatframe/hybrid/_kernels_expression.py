"""The machine that runs compiled expressions, and look-ups in tables, inside other kernels.

A program is a row of pairs (operation, argument). The machine keeps the newest value in `top` and the older ones on a
stack. The numbers of the operations stand here, beside the kernel, because its compiled form is cached by this file.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

import numpy as np
from numba import njit

# push: argument = index of the constant, of the slot
CONSTANT, SLOT = 0, 1
# two values to one
ADD, SUBTRACT, MULTIPLY, DIVIDE, POWER = range(2, 7)
LESS, LESS_EQUAL, GREATER, GREATER_EQUAL, EQUAL, NOT_EQUAL, AND, OR = range(7, 15)
MINIMUM, MAXIMUM, MODULO, HYPOT, ATAN2, DEADBAND = range(15, 21)
# one value to one
NEGATE, NOT, SQUARE, CUBE, ABS, SIGN, FLOOR, CEIL, SMOOTHSTEP = range(21, 30)
SIN, COS, TAN, ASIN, ACOS, ATAN, SINH, COSH, TANH, SQRT, EXP, LOG, LOG10 = range(30, 43)
# one value to one: argument = index of the table
TABLE, TABLE_SLOPE, TABLE_CURVATURE = range(43, 46)
# three values to one
IF = 46


@njit(cache=True, nogil=True, error_model="numpy")
def look_up(table, x, order, table_begin, table_x, table_coefficients):
    """Return table (order 0), its slope (1) or curvature (2) at x; arrays of a `TableBook`."""
    first, last = table_begin[table], table_begin[table + 1] - 1
    piece = first
    if x >= table_x[last]:
        piece = last
    elif x >= table_x[first]:
        # evenly spaced tables are hit at once, others need the search; piece first+1 begins at the first knot
        low, high = first + 1, last
        piece = low + int((x - table_x[low]) / (table_x[high] - table_x[low]) * (high - low))
        if not (low <= piece < high and table_x[piece] <= x < table_x[piece + 1]):
            while high - low > 1:
                middle = (low + high) // 2
                if x < table_x[middle]:
                    high = middle
                else:
                    low = middle
            piece = low
    d = x - table_x[piece]
    c0, c1 = table_coefficients[piece, 0], table_coefficients[piece, 1]
    c2, c3 = table_coefficients[piece, 2], table_coefficients[piece, 3]
    if order == 0:
        return c0 + d * (c1 + d * (c2 + d * c3))
    if order == 1:
        return c1 + d * (2.0 * c2 + d * (3.0 * c3))
    return 2.0 * c2 + d * (6.0 * c3)


@njit(cache=True, nogil=True, error_model="numpy")
def run(code, constants, begin, k, slots, table_begin, table_x, table_coefficients, stack):
    """Return the value of program k of a `ProgramBook`.

    slots (nslot,) holds the values of the names, stack (>= stack_depth,) is working space.
    """
    top = 0.0
    height = 0
    for at in range(begin[k], begin[k + 1], 2):
        operation, argument = code[at], code[at + 1]
        if operation <= SLOT:
            stack[height] = top
            height += 1
            top = constants[argument] if operation == CONSTANT else slots[argument]
        elif operation <= DEADBAND:
            height -= 1
            left = stack[height]
            if operation == ADD:
                top = left + top
            elif operation == SUBTRACT:
                top = left - top
            elif operation == MULTIPLY:
                top = left * top
            elif operation == DIVIDE:
                top = left / top
            elif operation == POWER:
                top = left**top
            elif operation == LESS:
                top = 1.0 if left < top else 0.0
            elif operation == LESS_EQUAL:
                top = 1.0 if left <= top else 0.0
            elif operation == GREATER:
                top = 1.0 if left > top else 0.0
            elif operation == GREATER_EQUAL:
                top = 1.0 if left >= top else 0.0
            elif operation == EQUAL:
                top = 1.0 if left == top else 0.0
            elif operation == NOT_EQUAL:
                top = 1.0 if left != top else 0.0
            elif operation == AND:
                top = 1.0 if left != 0.0 and top != 0.0 else 0.0
            elif operation == OR:
                top = 1.0 if left != 0.0 or top != 0.0 else 0.0
            elif operation == MINIMUM:  # not a number wins
                top = left if left < top or left != left else top
            elif operation == MAXIMUM:
                top = left if left > top or left != left else top
            elif operation == MODULO:
                top = left % top
            elif operation == HYPOT:
                top = math.hypot(left, top)
            elif operation == ATAN2:
                top = math.atan2(left, top)
            elif abs(left) > top:  # DEADBAND
                top = left - top if left > 0.0 else left + top
            else:
                top = 0.0 * left
        elif operation == NEGATE:
            top = -top
        elif operation == NOT:
            top = 1.0 if top == 0.0 else 0.0
        elif operation == SQUARE:
            top = top * top
        elif operation == CUBE:
            top = top * top * top
        elif operation == ABS:
            top = abs(top)
        elif operation == SIGN:
            top = 1.0 if top > 0.0 else -1.0 if top < 0.0 else top
        elif operation == FLOOR:
            top = np.floor(top)
        elif operation == CEIL:
            top = np.ceil(top)
        elif operation == SMOOTHSTEP:
            top = 0.0 if top <= 0.0 else 1.0 if top >= 1.0 else top * top * (3.0 - 2.0 * top)
        elif operation == SIN:
            top = math.sin(top)
        elif operation == COS:
            top = math.cos(top)
        elif operation == TAN:
            top = math.tan(top)
        elif operation == ASIN:
            top = math.asin(top)
        elif operation == ACOS:
            top = math.acos(top)
        elif operation == ATAN:
            top = math.atan(top)
        elif operation == SINH:
            top = math.sinh(top)
        elif operation == COSH:
            top = math.cosh(top)
        elif operation == TANH:
            top = math.tanh(top)
        elif operation == SQRT:
            top = math.sqrt(top)
        elif operation == EXP:
            top = math.exp(top)
        elif operation == LOG:
            top = math.log(top)
        elif operation == LOG10:
            top = math.log10(top)
        elif operation <= TABLE_CURVATURE:
            top = look_up(argument, top, operation - TABLE, table_begin, table_x, table_coefficients)
        else:  # IF
            height -= 2
            top = top if stack[height] == 0.0 else stack[height + 1]
    return top
