"""Expressions as fields: their values at many places at once, and comparisons that forgive round-off."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from floatframe.arrays import Array
from floatframe.expressions import calculus
from floatframe.expressions.expression import Expression
from floatframe.expressions.functions import CATALOGUE, TABLE_ORDER
from floatframe.expressions.nodes import Call, Name, Node, Number, fold


def field_values(expression: Expression, env: Mapping[str, Array]) -> Array:
    """Return the values for arrays of names, which broadcast; without tables, in IEEE arithmetic."""

    def value(node: Node, arguments: list[Array]) -> Array:
        if isinstance(node, Number):
            return np.asarray(node.value)
        if isinstance(node, Name):
            return np.asarray(expression.known(node.name, env, "name"))
        function = CATALOGUE[node.function].value
        if node.function in TABLE_ORDER or function is None:
            raise expression.problem(f"{node.function}(…) in '{expression}' cannot be used for a field")
        return np.asarray(function(*arguments), dtype=float)

    with np.errstate(all="ignore"):
        found = fold(calculus.expanded(expression.root), value)
    return np.broadcast_to(found, np.broadcast_shapes(found.shape, *(np.shape(one) for one in env.values())))


def forgiving(expression: Expression, tolerance: float) -> Expression:
    """Return the expression with a == b read as |a - b| < tolerance, and a != b as its contrary."""
    limit = Number(tolerance)

    def make(call: Call) -> Node:
        if call.function not in ("==", "!="):
            return call
        distance = Call("abs", (Call("-", call.arguments),))
        return Call("<" if call.function == "==" else ">=", (distance, limit))

    return Expression(calculus.filled(expression.root, {}, make), expression.where)
