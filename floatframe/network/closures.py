"""Expressions as Python functions of the unknowns: closures in closures, quicker than walking the tree every time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from floatframe.arrays import Array
from floatframe.expressions import CATALOGUE, Expression, Name, Node, Number, calculus, fold

# from the unknowns (3, n + 1), levels x, v, a with a last column of zeros, and t [s] to a number
Function = Callable[[Array, float], Any]
TIME = "t"


def function_of(expression: Expression, places: Mapping[str, tuple[int, int]]) -> Function:
    """Return the function of an expression; places: level and number of the unknown that a name stands for."""

    def made(node: Node, inside: list[Function]) -> Function:
        if isinstance(node, Number):
            value = np.float64(node.value)
            return lambda y, t: value
        if isinstance(node, Name):
            if node.name == TIME:
                return lambda y, t: np.float64(t)
            place = expression.known(node.name, places, "name")
            return lambda y, t: y[place]
        value_of = CATALOGUE[node.function].value
        if value_of is None:
            raise expression.problem(f"'{node.function}' of '{expression}' cannot be used in a network")
        if len(inside) == 1:
            (only,) = inside
            return lambda y, t: value_of(only(y, t))
        if len(inside) == 2:
            left, right = inside
            return lambda y, t: value_of(left(y, t), right(y, t))
        return lambda y, t: value_of(*(one(y, t) for one in inside))

    return fold(calculus.expanded(expression.root), made)
