"""What can be done with the tree of an expression: fill in names, expand abbreviations, simplify, differentiate.

Rules and definitions are texts of `functions.py`; they are parsed once and their parameters filled in.
Simplifying takes 0*x as 0 and x^0 as 1 whatever x is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType

import numpy as np

from floatframe.errors import ModelError, Where
from floatframe.expressions.functions import CATALOGUE, TABLE_DERIVATIVE, TABLE_ORDER
from floatframe.expressions.nodes import Call, Name, Node, Number, fold
from floatframe.expressions.parser import parse_tree

ZERO, ONE = Number(0.0), Number(1.0)

# makes a node from a call whose arguments are already made
Make = Callable[[Call], Node]


def filled(root: Node, values: Mapping[str, Node], make: Make = lambda call: call) -> Node:
    """Return the tree with names replaced by other trees."""

    def fill(node: Node, arguments: list[Node]) -> Node:
        if isinstance(node, Name):
            return values.get(node.name, node)
        if isinstance(node, Call):
            return make(Call(node.function, tuple(arguments), node.table))
        return node

    return fold(root, fill)


def expanded(root: Node) -> Node:
    """Return the tree with every derived function written out by its definition."""

    def expand(node: Node, arguments: list[Node]) -> Node:
        if not isinstance(node, Call):
            return node
        function = CATALOGUE[node.function]
        if not function.definition:
            return Call(node.function, tuple(arguments), node.table)
        return filled(_definition(node.function), dict(zip(function.parameters, arguments, strict=True)))

    return fold(root, expand)


@cache
def _definition(function: str) -> Node:
    return expanded(parse_tree(CATALOGUE[function].definition, Where(f"definition of {function}")))


@cache
def _rule(function: str) -> Node:
    return expanded(parse_tree(CATALOGUE[function].derivative, Where(f"derivative of {function}")))


def simplified(root: Node, values: Mapping[str, Node] = MappingProxyType({})) -> Node:
    """Return an expanded tree with constant parts worked out and zeros and ones removed; 1/0 and its like stay.

    values: numbers in place of names.
    """
    return filled(root, values, _simple)


def derivative(root: Node, name: str) -> Node:
    """Return the simplified derivative with respect to a name, all other names being constant.

    At kinks (abs, min, max, if, tables, …) it is that of one of the two sides; jumps count as flat.
    """

    def differentiate(node: Node, slopes: list[Node]) -> Node:
        if not isinstance(node, Call):
            return ONE if isinstance(node, Name) and node.name == name else ZERO
        if all(_is(slope, 0.0) for slope in slopes):
            return ZERO
        if node.function in TABLE_ORDER:
            if node.function not in TABLE_DERIVATIVE:
                raise ModelError(
                    f"{node.function}({node.table}, …) cannot be differentiated: use a table of derivatives"
                )
            steeper = Call(TABLE_DERIVATIVE[node.function], node.arguments, node.table)
            return _simple(Call("*", (steeper, slopes[0])))
        parameters = CATALOGUE[node.function].parameters
        values = dict(zip(parameters, node.arguments, strict=True))
        values |= {f"d{parameter}": slope for parameter, slope in zip(parameters, slopes, strict=True)}
        return filled(_rule(node.function), values, _simple)

    return fold(simplified(expanded(root)), differentiate)


def apply(function: str, arguments: list[float]) -> float:
    """Return the value of a basic function in IEEE arithmetic."""
    value = CATALOGUE[function].value
    if value is None:
        raise ModelError(f"{function} has no value of its own")
    with np.errstate(all="ignore"):
        return float(value(*(np.float64(argument) for argument in arguments)))


def _is(node: Node, value: float) -> bool:
    return isinstance(node, Number) and node.value == value


def _simple(call: Call) -> Node:
    """Return a shorter node of the same value, or the call itself."""
    arguments = call.arguments
    if call.function not in TABLE_ORDER and all(isinstance(argument, Number) for argument in arguments):
        value = apply(call.function, [argument.value for argument in arguments if isinstance(argument, Number)])
        return Number(value) if np.isfinite(value) else call
    match call.function, arguments:
        case "+", (x, y):
            return y if _is(x, 0) else x if _is(y, 0) else call
        case "-", (x, y):
            return x if _is(y, 0) else _simple(Call("negate", (y,))) if _is(x, 0) else call
        case "*", (x, y):
            if _is(x, 0) or _is(y, 0):
                return ZERO
            return y if _is(x, 1) else x if _is(y, 1) else call
        case "/", (x, y):
            return ZERO if _is(x, 0) else x if _is(y, 1) else call
        case "^", (x, y):
            return ONE if _is(y, 0) else x if _is(y, 1) else call
        case "negate", (Call("negate", (x,)),):
            return x
        case "if", (condition, x, y):
            if isinstance(condition, Number):
                return x if condition.value else y
            return x if isinstance(x, Number) and _is(y, x.value) else call
    return call
