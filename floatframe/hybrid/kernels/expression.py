"""The machine that runs compiled expressions, and look-ups in tables, inside other kernels.

A program is a row of pairs (operation, argument). The machine keeps the newest value in `top` and the older ones on a
stack; what is used more than once is kept above them. The numbers of the operations stand here, beside the kernel,
because its compiled form is cached by this file.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

import numpy as np

from floatframe.hybrid.kernels.options import FLOATS, MATRIX, WHOLES, entry, inner
from floatframe.native import WHOLE

# push: argument = index of the constant, of the slot
CONSTANT, SLOT = range(2)
# one value to one
NEGATE, NOT, SQUARE, CUBE, ABS, SIGN, FLOOR, CEIL, SMOOTHSTEP = range(2, 11)
SIN, COS, TAN, ASIN, ACOS, ATAN, SINH, COSH, TANH, SQRT, EXP, LOG, LOG10 = range(11, 24)
# one value to one: argument = index of the table
TABLE, TABLE_SLOPE, TABLE_CURVATURE = range(24, 27)
# three values to one; the newest value is kept, a kept one pushed: argument = its place above the stack
IF, KEEP, RECALL = range(27, 30)
# two values to one
ADD, SUBTRACT, MULTIPLY, DIVIDE, POWER = range(30, 35)
LESS, LESS_EQUAL, GREATER, GREATER_EQUAL, EQUAL, NOT_EQUAL, AND, OR = range(35, 43)
MINIMUM, MAXIMUM, MODULO, HYPOT, ATAN2, DEADBAND = range(43, 49)
# they take the stack and `top`; with one of these added, `top` and what the argument points at
FROM_SLOT, FROM_CONSTANT = 64, 128
SOURCES = FROM_SLOT | FROM_CONSTANT


@inner
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


@inner
def _one(operation, x):
    """Return the result of an operation on one value."""
    if operation == NEGATE:
        return -x
    if operation == NOT:
        return 1.0 if x == 0.0 else 0.0
    if operation == SQUARE:
        return x * x
    if operation == CUBE:
        return x * x * x
    if operation == ABS:
        return abs(x)
    if operation == SIGN:
        return 1.0 if x > 0.0 else -1.0 if x < 0.0 else x
    if operation == FLOOR:
        return np.floor(x)
    if operation == CEIL:
        return np.ceil(x)
    if operation == SMOOTHSTEP:
        return 0.0 if x <= 0.0 else 1.0 if x >= 1.0 else x * x * (3.0 - 2.0 * x)
    if operation == SIN:
        return math.sin(x)
    if operation == COS:
        return math.cos(x)
    if operation == TAN:
        return math.tan(x)
    if operation == ASIN:
        return math.asin(x)
    if operation == ACOS:
        return math.acos(x)
    if operation == ATAN:
        return math.atan(x)
    if operation == SINH:
        return math.sinh(x)
    if operation == COSH:
        return math.cosh(x)
    if operation == TANH:
        return math.tanh(x)
    if operation == SQRT:
        return math.sqrt(x)
    if operation == EXP:
        return math.exp(x)
    if operation == LOG:
        return math.log(x)
    return math.log10(x)


@inner
def _two(operation, x, y):
    """Return the result of an operation on two values."""
    if operation == ADD:
        return x + y
    if operation == SUBTRACT:
        return x - y
    if operation == MULTIPLY:
        return x * y
    if operation == DIVIDE:
        return x / y
    if operation == POWER:
        return x**y
    if operation == LESS:
        return 1.0 if x < y else 0.0
    if operation == LESS_EQUAL:
        return 1.0 if x <= y else 0.0
    if operation == GREATER:
        return 1.0 if x > y else 0.0
    if operation == GREATER_EQUAL:
        return 1.0 if x >= y else 0.0
    if operation == EQUAL:
        return 1.0 if x == y else 0.0
    if operation == NOT_EQUAL:
        return 1.0 if x != y else 0.0
    if operation == AND:
        return 1.0 if x != 0.0 and y != 0.0 else 0.0
    if operation == OR:
        return 1.0 if x != 0.0 or y != 0.0 else 0.0
    if operation == MINIMUM:  # not a number wins
        return x if x < y or x != x else y
    if operation == MAXIMUM:
        return x if x > y or x != x else y
    if operation == MODULO:
        return x % y
    if operation == HYPOT:
        return math.hypot(x, y)
    if operation == ATAN2:
        return math.atan2(x, y)
    # DEADBAND
    if abs(x) > y:
        return x - y if x > 0.0 else x + y
    return 0.0 * x


@inner
def run_inside(code, constants, begin, k, slots, table_begin, table_x, table_coefficients, stack):
    """Return the value of program k; arrays of a `ProgramBook` and a `TableBook`.

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
        elif operation <= LOG10:
            top = _one(operation, top)
        elif operation <= TABLE_CURVATURE:
            top = look_up(argument, top, operation - TABLE, table_begin, table_x, table_coefficients)
        elif operation <= RECALL:
            if operation == IF:
                height -= 2
                top = top if stack[height] == 0.0 else stack[height + 1]
            elif operation == KEEP:
                stack[argument] = top
            else:
                stack[height] = top
                height += 1
                top = stack[argument]
        else:
            source = operation & SOURCES
            if source == FROM_SLOT:
                left, right = top, slots[argument]
            elif source == FROM_CONSTANT:
                left, right = top, constants[argument]
            else:
                height -= 1
                left, right = stack[height], top
            top = _two(operation - source, left, right)
    return top


_PROGRAMS = WHOLES, FLOATS, WHOLES
_REST = FLOATS, WHOLES, FLOATS, MATRIX, FLOATS


@entry(*_PROGRAMS, WHOLE, *_REST)
def run(code, constants, begin, k, slots, table_begin, table_x, table_coefficients, stack):
    """As `run_inside`, for Python."""
    return run_inside(code, constants, begin, k, slots, table_begin, table_x, table_coefficients, stack)


@entry(*_PROGRAMS, WHOLE, WHOLE, *_REST, FLOATS)
def run_range(code, constants, begin, first, last, slots, table_begin, table_x, table_coefficients, stack, values):
    """Write the values of programs first, …, last - 1 to those places of values (nprogram,)."""
    for k in range(first, last):
        values[k] = run_inside(code, constants, begin, k, slots, table_begin, table_x, table_coefficients, stack)
