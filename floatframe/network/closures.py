"""Expressions as Python functions of the unknowns: closures in closures, quicker than walking the tree every time.

Trees too deep for that, such as sums of a thousand terms, are worked out part by part, each once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from floatframe.arrays import Array
from floatframe.expressions import CATALOGUE, Call, Expression, Name, Node, Number, calculus, fold

# from the unknowns (3, n + 1), levels x, v, a with a last column of zeros, and t [s] to a number
Function = Callable[[Array, float], Any]
TIME = "t"
_TRUTHS = ("<", "<=", ">", ">=", "==", "!=", "and", "or", "not")
DEEPEST = 100  # closures in closures; Python allows a thousand calls in calls


def function_of(expression: Expression, places: Mapping[str, tuple[int, int]]) -> Function:
    """Return the function of an expression; places: level and number of the unknown that a name stands for."""

    def leaf(node: Number | Name) -> Function:
        if isinstance(node, Number):
            value = np.float64(node.value)
            return lambda y, t: value
        if node.name == TIME:
            return lambda y, t: np.float64(t)
        place = expression.known(node.name, places, "name")
        return lambda y, t: y[place]

    def called(node: Call) -> Callable[..., Any]:
        value_of = CATALOGUE[node.function].value
        if value_of is None:
            raise expression.problem(f"'{node.function}' of '{expression}' cannot be used in a network")
        return partial(_as_number, value_of) if node.function in _TRUTHS else value_of

    root = calculus.expanded(expression.root)
    return (_nested if fold(root, _depth) <= DEEPEST else _in_steps)(root, leaf, called)


def _as_number(truth: Callable[..., Any], *arguments: Any) -> Any:
    """1 or 0, which can be added and negated."""
    return truth(*arguments) * 1.0


def _depth(node: Node, parts: list[int]) -> int:
    return 1 + max(parts, default=0)


def _nested(root: Node, leaf: Callable[[Number | Name], Function], called: Callable[[Call], Any]) -> Function:
    def made(node: Node, inside: list[Function]) -> Function:
        if not isinstance(node, Call):
            return leaf(node)
        value_of = called(node)
        if len(inside) == 1:
            (only,) = inside
            return lambda y, t: value_of(only(y, t))
        if len(inside) == 2:
            left, right = inside
            return lambda y, t: value_of(left(y, t), right(y, t))
        return lambda y, t: value_of(*(one(y, t) for one in inside))

    return fold(root, made)


def _in_steps(root: Node, leaf: Callable[[Number | Name], Function], called: Callable[[Call], Any]) -> Function:
    leaves: list[tuple[int, Function]] = []
    calls: list[tuple[int, Callable[..., Any], list[int]]] = []

    def numbered(node: Node, inside: list[int]) -> int:
        number = len(leaves) + len(calls)
        if isinstance(node, Call):
            calls.append((number, called(node), inside))
        else:
            leaves.append((number, leaf(node)))
        return number

    last = fold(root, numbered)

    def value(y: Array, t: float) -> Any:
        values: list[Any] = [None] * (last + 1)
        for number, one in leaves:
            values[number] = one(y, t)
        for number, value_of, inside in calls:
            values[number] = value_of(*(values[k] for k in inside))
        return values[last]

    return value
