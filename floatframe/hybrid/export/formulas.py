"""Formulas as lines of code: what is used more than once gets a name, the rest is written where it is used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from floatframe.hybrid.export.graph import TRUTHS, Node, Value, needed

LONGEST = 90  # characters of a formula that is written inside another one
_SIGNS = {"add": "+", "sub": "-", "mul": "*", "div": "/"}


@dataclass(frozen=True)
class Language:
    """How a language writes what languages write in different ways."""

    number: Callable[[float], str]
    input: Callable[[str, int], str]
    define: Callable[[str, str, bool], str]  # name, formula, whether it is a truth
    assign: Callable[[str, str], str]
    call: Callable[[str, Sequence[str]], str]  # operation, arguments


def lines_of(results: Sequence[tuple[str, Value]], language: Language) -> list[str]:
    """Code that computes values and writes them to places."""
    order = needed(value for _, value in results)
    uses = Counter(value.number for node in order for value in node.arguments if isinstance(value, Node))
    uses.update(value.number for _, value in results if isinstance(value, Node))
    texts: dict[int, str] = {}
    lines = []

    def text(value: Value) -> str:
        return texts[value.number] if isinstance(value, Node) else language.number(float(value))

    for node in order:
        formula = _formula(node, text, language)
        if node.operation != "input" and (uses[node.number] > 1 or len(formula) > LONGEST):
            name = f"x{node.number}"
            lines.append(language.define(name, formula, node.operation in TRUTHS))
            formula = name
        texts[node.number] = formula
    return lines + [language.assign(place, text(value)) for place, value in results]


def _formula(node: Node, text: Callable[[Value], str], language: Language) -> str:
    operation, arguments = node.operation, node.arguments
    if operation == "input":
        return language.input(*arguments)
    if operation == "table":
        x, number, order = arguments
        return language.call("table", (text(x), str(number), str(order)))
    if operation in _SIGNS:
        return f"({text(arguments[0])} {_SIGNS[operation]} {text(arguments[1])})"
    if operation == "neg":
        return f"(-{text(arguments[0])})"
    return language.call(operation, [text(value) for value in arguments])
