"""The tree of an expression, and the two things every tree can do: be folded from its leaves, and be written as text.

Nothing here recurses, so a sum of ten thousand terms is as welcome as a short one.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

from floatframe.errors import ModelError

CONSTANTS = {"pi": math.pi, "e": math.e}

# how tightly an operator binds; the grammar and the writer share this table
BINDING = {
    "or": 1,
    "and": 2,
    "not": 3,
    "<": 4,
    "<=": 4,
    ">": 4,
    ">=": 4,
    "==": 4,
    "!=": 4,
    "+": 5,
    "-": 5,
    "*": 6,
    "/": 6,
    "negate": 7,
    "^": 8,
}
COMPARISON = BINDING["<"]
ATOM = 9  # numbers, names, calls: never need parentheses


@dataclass(frozen=True, slots=True, eq=False)
class Number:
    """A finite constant."""

    value: float
    arguments: tuple[Node, ...] = field(default=(), init=False, repr=False)

    def __post_init__(self) -> None:
        if not math.isfinite(self.value):
            raise ModelError(f"an expression needs finite numbers, found {self.value}")


@dataclass(frozen=True, slots=True, eq=False)
class Name:
    """A variable or parameter, dots and brackets included: `rod.node[101].displacement.x`."""

    name: str
    arguments: tuple[Node, ...] = field(default=(), init=False, repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """An operator (`+`, `negate`, `and`, …) or a function applied to arguments; a look-up also names its table."""

    function: str
    arguments: tuple[Node, ...]
    table: str = ""


Node: TypeAlias = Number | Name | Call
Result = TypeVar("Result")


def fold(root: Node, combine: Callable[[Node, list[Result]], Result]) -> Result:
    """Return combine(node, results of its arguments), worked out from the leaves to the root; shared parts once."""
    done: dict[int, Result] = {}
    pending = [root]
    while pending:
        node = pending[-1]
        waiting = [argument for argument in node.arguments if id(argument) not in done]
        if waiting:
            pending += reversed(waiting)
            continue
        pending.pop()
        if id(node) not in done:
            done[id(node)] = combine(node, [done[id(argument)] for argument in node.arguments])
    return done[id(root)]


def write(root: Node) -> str:
    """Return the text of a tree; parsing it gives the same tree."""
    return fold(root, _written)[0]


def number_text(value: float) -> str:
    """Return the shortest text that reads back as the same number: 2, 0.1, 1e-07, pi."""
    for name, constant in CONSTANTS.items():
        if value == constant:
            return name
    return repr(value).removesuffix(".0")


def _written(node: Node, parts: list[tuple[str, int]]) -> tuple[str, int]:
    """Return the text of a node and how tightly it binds."""
    if isinstance(node, Number):
        return number_text(node.value), BINDING["negate"] if math.copysign(1.0, node.value) < 0 else ATOM
    if isinstance(node, Name):
        return node.name, ATOM
    symbol = node.function
    if symbol not in BINDING:
        inside = [node.table] if node.table else []
        return f"{symbol}({', '.join([*inside, *(text for text, _ in parts)])})", ATOM
    own = BINDING[symbol]
    if len(parts) == 1:
        sign = "-" if symbol == "negate" else "not "
        return sign + _enclosed(parts[0], own), own
    left, right = parts
    if symbol == "^":  # groups from the right, and its exponent may carry a sign
        return f"{_enclosed(left, ATOM)}^{_enclosed(right, BINDING['negate'])}", own
    return f"{_enclosed(left, own + (own == COMPARISON))} {symbol} {_enclosed(right, own + 1)}", own


def _enclosed(part: tuple[str, int], least: int) -> str:
    text, binding = part
    return text if binding >= least else f"({text})"
