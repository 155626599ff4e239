"""Expressions compiled to small stack programs, which `_kernels_expression.run` works off inside other kernels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from floatframe.arrays import Array, IntArray
from floatframe.hybrid import _kernels_expression as machine
from floatframe.hybrid.expression import Expression
from floatframe.hybrid.expression_functions import CATALOGUE
from floatframe.hybrid.expression_nodes import Call, Name, Node, Number

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
    code: list[int] = []
    constants: list[float] = []
    height = deepest = 0
    # depth first without recursion: a node comes a second time, as its operation, once its arguments are on the stack
    pending: list[tuple[Node, bool]] = [(expression.simplified().root, False)]
    while pending:
        node, ready = pending.pop()
        if isinstance(node, Number):
            code += machine.CONSTANT, len(constants)
            constants.append(node.value)
            height += 1
        elif isinstance(node, Name):
            code += machine.SLOT, slots[node.name]
            height += 1
        elif ready:
            code += _small_power(node) or OPERATION[node.function], tables.get(node.table, 0)
            height -= len(_operands(node)) - 1
        else:
            pending.append((node, True))
            pending += ((argument, False) for argument in reversed(_operands(node)))
        deepest = max(deepest, height)
    return Program(np.array(code, dtype=np.int64), np.array(constants, dtype=float), deepest)


def _operands(call: Call) -> tuple[Node, ...]:
    """Return the arguments that go to the stack: all but the exponent of a square or cube."""
    return call.arguments[:1] if _small_power(call) else call.arguments


def _small_power(call: Call) -> int | None:
    exponent = call.arguments[-1]
    if call.function == "^" and isinstance(exponent, Number):
        return {2.0: machine.SQUARE, 3.0: machine.CUBE}.get(exponent.value)
    return None


def link(programs: Sequence[Program]) -> ProgramBook:
    """Return all programs in the arrays that the kernel takes."""
    begin = np.cumsum([0, *(program.code.size for program in programs)])
    constant_begin = np.cumsum([0, *(program.constants.size for program in programs)])
    code = np.concatenate([np.empty(0, dtype=np.int64), *(program.code for program in programs)])
    for program, first, shift in zip(programs, begin, constant_begin, strict=False):
        pairs = code[first : first + program.code.size].reshape(-1, 2)
        pairs[pairs[:, 0] == machine.CONSTANT, 1] += shift
    constants = np.concatenate([np.empty(0), *(program.constants for program in programs)])
    return ProgramBook(code, constants, begin, max((program.stack_depth for program in programs), default=1))
