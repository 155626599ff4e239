"""Expressions compiled to small stack programs, which `kernels.expression.run` works off inside other kernels.

What appears several times in an expression, as in derivatives of products, is worked out once and kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from floatframe.arrays import Array, IntArray
from floatframe.expressions import CATALOGUE, Call, Expression, Name, Node, Number, shared
from floatframe.hybrid.kernels import expression as machine

OPERATION = {
    "+": machine.ADD,
    "-": machine.SUBTRACT,
    "*": machine.MULTIPLY,
    "/": machine.DIVIDE,
    "^": machine.POWER,
    "<": machine.LESS,
    "<=": machine.LESS_EQUAL,
    ">": machine.GREATER,
    ">=": machine.GREATER_EQUAL,
    "==": machine.EQUAL,
    "!=": machine.NOT_EQUAL,
    "and": machine.AND,
    "or": machine.OR,
    "min": machine.MINIMUM,
    "max": machine.MAXIMUM,
    "mod": machine.MODULO,
    "table": machine.TABLE,
    "table_slope": machine.TABLE_SLOPE,
    "table_curvature": machine.TABLE_CURVATURE,
} | {
    name: getattr(machine, name.upper())
    for name, function in CATALOGUE.items()
    if hasattr(machine, name.upper()) and not function.definition
}

SMALL_POWER = {2.0: machine.SQUARE, 3.0: machine.CUBE}
MOST_PARTS = 1_000_000  # of one expression; the longest text that is read has some ten thousand


@dataclass(frozen=True, eq=False)
class Program:
    """One compiled expression."""

    code: IntArray  # (2*noperation,) operation, argument, operation, argument, …
    constants: Array  # (nconstant,)
    stack_depth: int


@dataclass(frozen=True, eq=False)
class ProgramBook:
    """Many programs in flat arrays; the code of program k is code[begin[k]:begin[k+1]]."""

    code: IntArray
    constants: Array
    begin: IntArray  # (nprogram+1,)
    stack_depth: int  # what the deepest program needs


def compile_program(
    expression: Expression, slots: Mapping[str, int], tables: Mapping[str, int] | None = None
) -> Program:
    """Return the program of an expression, its names and tables being numbered by `slots` and `tables`."""
    tables = tables or {}
    # before simplifying, which may drop a wrong name: 0*rte
    for name in sorted(expression.names):
        expression.known(name, slots, "name")
    for name in sorted(expression.tables):
        expression.known(name, tables, "table")
    root, uses = shared(expression.simplified().root)
    if (many := len(uses)) > MOST_PARTS:
        raise expression.problem(f"it has {many} parts when written out, at most {MOST_PARTS} are taken; use a table")
    code: list[int] = []
    constants: list[float] = []
    kept: dict[int, int] = {}  # by node, its place above the stack
    height = deepest = 0

    def pointed(leaf: Number | Name) -> tuple[bool, int]:
        """Return whether a leaf is a constant, and its index."""
        if isinstance(leaf, Name):
            return False, slots[leaf.name]
        constants.append(leaf.value)
        return True, len(constants) - 1

    # depth first without recursion: a call comes a second time, as its operation, once its operands are on the stack
    pending: list[tuple[Node, bool]] = [(root, False)]
    while pending:
        node, ready = pending.pop()
        if not isinstance(node, Call) or id(node) in kept:
            if isinstance(node, Call):
                code += machine.RECALL, kept[id(node)]
            else:
                constant, index = pointed(node)
                code += machine.CONSTANT if constant else machine.SLOT, index
            height += 1
            deepest = max(deepest, height)
            continue
        power, operands, leaf = _parts(node)
        if not ready:
            pending.append((node, True))
            pending += ((operand, False) for operand in reversed(operands))
            continue
        height -= len(operands) - 1
        operation = power or OPERATION[node.function]
        if leaf is None:
            code += operation, tables.get(node.table, 0)
        else:
            constant, index = pointed(leaf)
            code += operation + (machine.FROM_CONSTANT if constant else machine.FROM_SLOT), index
        if uses[id(node)] > 1:
            kept[id(node)] = len(kept)
            code += machine.KEEP, kept[id(node)]
    pairs = np.array(code, dtype=np.int64).reshape(-1, 2)
    if kept:
        pairs[np.isin(pairs[:, 0], (machine.KEEP, machine.RECALL)), 1] += deepest
    return Program(pairs.ravel(), np.array(constants, dtype=float), deepest + len(kept))


def _parts(call: Call) -> tuple[int, tuple[Node, ...], Number | Name | None]:
    """Return the operation of a square or cube (else 0), the operands for the stack, and the one to point at."""
    if len(call.arguments) != 2:
        return 0, call.arguments, None
    left, right = call.arguments
    if call.function == "^" and isinstance(right, Number) and right.value in SMALL_POWER:
        return SMALL_POWER[right.value], (left,), None
    if not isinstance(right, Call):
        return 0, (left,), right
    if not isinstance(left, Call) and call.function in ("+", "*"):
        return 0, (right,), left
    return 0, (left, right), None


NO_PROGRAMS = ProgramBook(np.empty(0, dtype=np.int64), np.empty(0), np.zeros(1, dtype=np.int64), 1)


def link(programs: Sequence[Program], before: ProgramBook = NO_PROGRAMS) -> ProgramBook:
    """Return all programs, behind those there are, in the arrays that the kernel takes."""
    if not programs:
        return before
    begin, shift = [before.code.size], before.constants.size
    code = np.concatenate([before.code, *(program.code for program in programs)])
    for program in programs:
        begin.append(begin[-1] + program.code.size)
        pairs = code[begin[-2] : begin[-1]].reshape(-1, 2)
        points = (pairs[:, 0] == machine.CONSTANT) | (pairs[:, 0] >= machine.FROM_CONSTANT)
        pairs[points, 1] += shift
        shift += program.constants.size
    constants = np.concatenate([before.constants, *(program.constants for program in programs)])
    deepest = max([before.stack_depth, *(program.stack_depth for program in programs)])
    return ProgramBook(code, constants, np.concatenate((before.begin[:-1], begin)), deepest)
