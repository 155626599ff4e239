"""Times at which an expression changes its law: pulses, ramps, comparisons and limits of the time, knots of tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice, product
from math import isfinite

from floatframe.expressions.expression import Expression
from floatframe.expressions.functions import TABLE_ORDER
from floatframe.expressions.nodes import Call, Node, Number, fold
from floatframe.expressions.tables import Table

MOST_KNOTS = 100  # of a table: one with more holds measured values, between which nothing happens
MOST_BRANCHES = 16  # of nested limits
_OF_TWO = ("<", "<=", ">", ">=", "==", "!=", "min", "max")
_OF_ONE = ("abs", "sign")


def switching_times(expression: Expression, tables: Mapping[str, Table]) -> frozenset[float]:
    """Return the times t at which an expression jumps or has a kink, as far as they follow from straight lines in t."""
    if "t" not in expression.names:
        return frozenset()
    found: set[float] = set()

    def look(node: Node, _: list[None]) -> None:
        if isinstance(node, Call):
            for gap in _gaps(node, tables):
                for branch in _branches(gap):
                    found.update(_root(Expression(branch)))

    fold(expression.simplified().root, look)
    return frozenset(found)


def _gaps(call: Call, tables: Mapping[str, Table]) -> Iterator[Node]:
    """Yield what is zero where a function changes its law."""
    function, arguments = call.function, call.arguments
    if function in _OF_TWO:
        yield Call("-", arguments)
    elif function in _OF_ONE:
        yield arguments[0]
    elif function == "deadband":
        yield Call("-", arguments)
        yield Call("+", arguments)
    elif function == "smoothstep":
        yield arguments[0]
        yield Call("-", (arguments[0], Number(1.0)))
    elif function in TABLE_ORDER and len(knots := tables[call.table].pieces[0]) <= MOST_KNOTS:
        yield from (Call("-", (arguments[0], Number(float(x)))) for x in knots if isfinite(x))


def _branches(root: Node) -> list[Node]:
    """Return what a tree may be, one of the branches of each min, max and if in it; not all of very many."""

    def alternatives(node: Node, arguments: list[list[Node]]) -> list[Node]:
        if not isinstance(node, Call):
            return [node]
        if node.function in ("min", "max", "if"):
            return [branch for own in arguments[-2:] for branch in own][:MOST_BRANCHES]
        made = (Call(node.function, chosen, node.table) for chosen in product(*arguments))
        return list(islice(made, MOST_BRANCHES))

    return fold(root, alternatives)


def _root(gap: Expression) -> Iterator[float]:
    """Yield the time at which an expression is zero, if it is a straight line in t."""
    if gap.names != {"t"} or gap.tables:
        return
    slope = gap.derivative("t").simplified()
    if slope.is_constant and (rise := slope.evaluate()) != 0.0:
        yield -gap.evaluate({"t": 0.0}) / rise
