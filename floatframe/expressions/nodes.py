"""The tree of an expression, and what every tree can do: be folded from its leaves, shared, digested, written as text.

Nothing here recurses, so a sum of ten thousand terms is as welcome as a short one. Equal parts may be one node: those
of a derivative are, and a tree that would be huge if it were written out is small in memory.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
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
MOST_WRITTEN = 1_000_000  # characters of a text; what users write is much shorter


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
        waiting: list[Node] = []
        for argument in node.arguments:
            if id(argument) in done:
                continue
            if waiting or argument.arguments:
                waiting.append(argument)
            else:  # a leaf whose turn it is, as most nodes are
                done[id(argument)] = combine(argument, [])
        if waiting:
            pending += reversed(waiting)
            continue
        pending.pop()
        if id(node) not in done:
            done[id(node)] = combine(node, [done[id(argument)] for argument in node.arguments])
    return done[id(root)]


def shared(root: Node) -> tuple[Node, dict[int, int]]:
    """Return the tree with equal parts as one node each, and how often every node is used, by its id."""
    known: dict[object, Node] = {}

    def one(node: Node, arguments: list[Node]) -> Node:
        if isinstance(node, Call):
            key = (node.function, node.table, *map(id, arguments))
            return known.setdefault(key, Call(node.function, tuple(arguments), node.table))
        return known.setdefault(node.name if isinstance(node, Name) else repr(node.value), node)

    same = fold(root, one)
    uses = dict.fromkeys(map(id, known.values()), 0)
    for node in known.values():
        for argument in node.arguments:
            uses[id(argument)] += 1
    return same, uses


def digest(root: Node) -> bytes:
    """Return what is the same for two trees that are written the same way, and only for them."""

    def one(node: Node, parts: list[bytes]) -> bytes:
        own = [node.function, node.table] if isinstance(node, Call) else [_written(node, [])[0]]
        return sha256(b"\0".join((*map(str.encode, own), *parts))).digest()

    return fold(root, one)


def write(root: Node) -> str:
    """Return the text of a tree, which parses to the same tree; of a huge one only how long it would be."""
    length = fold(root, _length)
    if length > MOST_WRITTEN:
        return f"an expression of {length:.3g} characters" if length < 1e300 else "an endless expression"
    return fold(root, _written)[0]


def _length(node: Node, parts: list[float]) -> float:
    """Return how long a text may get, with all parentheses."""
    own = len(node.function) + len(node.table) if isinstance(node, Call) else len(_written(node, [])[0])
    return own + 4.0 * (1 + len(parts)) + sum(parts)


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
