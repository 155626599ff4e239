"""Formulas as a graph without repetitions: every operation on the same arguments is one node, constants are folded.

A value is a number of Python, or a `Node` where it depends on what is not known before the code runs.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from floatframe.arrays import Array

#: operations by their names, on numbers and on whole arrays of them
OPERATIONS: dict[str, Callable[..., Any]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "div": operator.truediv,
    "neg": operator.neg,
    "abs": np.abs,
    "sqrt": np.sqrt,
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "tanh": np.tanh,
    "exp": np.exp,
    "log": np.log,
    "log10": np.log10,
    "floor": np.floor,
    "ceil": np.ceil,
    "rint": np.rint,
    "pow": np.power,
    "mod": np.mod,
    "atan2": np.arctan2,
    "hypot": np.hypot,
    "copysign": np.copysign,
    "min": np.minimum,
    "max": np.maximum,
    "lt": operator.lt,
    "le": operator.le,
    "eq": operator.eq,
    "ne": operator.ne,
    "and": np.logical_and,
    "or": np.logical_or,
    "not": np.logical_not,
    "select": np.where,
}
#: operations whose value is a truth
TRUTHS = frozenset(("lt", "le", "eq", "ne", "and", "or", "not"))
_EITHER_WAY = frozenset(("add", "mul", "eq", "ne", "and", "or"))  # a, b = b, a to the last bit


@dataclass(frozen=True, eq=False)
class Node:
    """An operation on values, an input (`input`, name, place) or a look-up (`table`, x, number, order)."""

    number: int
    operation: str
    arguments: tuple[Any, ...]

    def __bool__(self) -> bool:
        raise TypeError("what is decided only when the code runs must be chosen by `Graph.select`")


Value: TypeAlias = "float | int | bool | Node"


class Graph:
    """All nodes in the order in which they were made, which is one in which they can be computed."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self._known: dict[tuple[Any, ...], Node] = {}

    def input(self, name: str, place: int) -> Node:
        """A number that the code is given."""
        return self._node("input", (name, place))

    def table(self, x: Value, number: int, order: int) -> Node:
        """A table (order 0), its slope (1) or curvature (2) at x."""
        return self._node("table", (x, number, order))

    def select(self, condition: Value, one: Value, other: Value) -> Value:
        """`one` where the condition holds, else `other`."""
        if not isinstance(condition, Node):
            return one if condition else other
        if one is other or (not isinstance(one, Node) and not isinstance(other, Node) and one == other):
            return one
        return self._node("select", (condition, one, other))

    def __call__(self, operation: str, *values: Value) -> Value:
        """The result of an operation, folded as far as it is known."""
        if not any(isinstance(value, Node) for value in values):
            with np.errstate(all="ignore"):
                result = OPERATIONS[operation](*(np.float64(value) for value in values if not isinstance(value, Node)))
            return bool(result) if operation in TRUTHS else float(result)
        folded = _simplified(operation, values)
        if folded is not None:
            return folded
        if operation == "sub" and _is(values[0], 0.0):
            return self("neg", values[1])
        if operation == "mul" and any(_is(value, -1.0) for value in values):
            return self("neg", values[0] if _is(values[1], -1.0) else values[1])
        if operation in _EITHER_WAY:
            values = tuple(sorted(values, key=_rank))
        return self._node(operation, values)

    def power(self, x: Value, y: Value) -> Value:
        """x ** y; small whole powers are products."""
        if isinstance(x, Node) and not isinstance(y, Node) and float(y) in (1.0, 2.0, 3.0, 4.0):
            square = self("mul", x, x)
            return {1: x, 2: square, 3: self("mul", square, x), 4: self("mul", square, square)}[int(y)]
        return self("pow", x, y)

    def _node(self, operation: str, arguments: tuple[Any, ...]) -> Node:
        key = (operation, *((value.number,) if isinstance(value, Node) else value for value in arguments))
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = Node(len(self.nodes), operation, arguments)
            self.nodes.append(found)
        return found


def _is(value: Value, number: float) -> bool:
    return not isinstance(value, Node) and value == number


def _rank(value: Value) -> tuple[int, float]:
    return (1, value.number) if isinstance(value, Node) else (0, float(value))


def _simplified(operation: str, values: tuple[Value, ...]) -> Value | None:
    """What an operation comes to without being done, numbers taken to be finite; None if it must be done."""
    first = values[0]
    if operation == "neg" and isinstance(first, Node) and first.operation == "neg":
        return first.arguments[0]
    if len(values) != 2:
        return None
    second = values[1]
    if operation == "add" and _is(first, 0.0):
        return second
    if operation in ("add", "sub") and _is(second, 0.0):
        return first
    if operation == "sub" and first is second:
        return 0.0
    if operation == "mul":
        if _is(first, 0.0) or _is(second, 0.0):
            return 0.0
        if _is(first, 1.0):
            return second
    if operation in ("mul", "div") and _is(second, 1.0):
        return first
    if operation == "div" and _is(first, 0.0):
        return 0.0
    if operation in ("and", "or"):
        for own, other in ((first, second), (second, first)):
            if not isinstance(own, Node):
                return other if bool(own) == (operation == "and") else operation == "or"
    return None


def needed(values: Iterable[Value]) -> list[Node]:
    """All nodes that values are made of, in an order in which they can be computed."""
    found: dict[int, Node] = {}
    open_nodes = [value for value in values if isinstance(value, Node)]
    while open_nodes:
        node = open_nodes.pop()
        if node.number not in found:
            found[node.number] = node
            open_nodes += [value for value in node.arguments if isinstance(value, Node)]
    return [found[number] for number in sorted(found)]


def evaluated(
    values: Iterable[Value], inputs: Mapping[str, Array], look_up: Callable[[Array, int, int], Array]
) -> list[Array]:
    """Values for many states at once: inputs (n, nstate) by name, look_up(x, number, order) the tables."""
    wanted = list(values)
    known: dict[int, Any] = {}

    def value_of(value: Value) -> Any:
        return known[value.number] if isinstance(value, Node) else value

    with np.errstate(all="ignore"):
        for node in needed(wanted):
            if node.operation == "input":
                name, place = node.arguments
                known[node.number] = inputs[name][place]
            elif node.operation == "table":
                x, number, order = node.arguments
                known[node.number] = look_up(value_of(x), number, order)
            else:
                known[node.number] = OPERATIONS[node.operation](*map(value_of, node.arguments))
    return [value_of(value) for value in wanted]
