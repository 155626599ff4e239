"""Expressions of model files: arithmetic, functions, tables and names such as `t`, `rate` or `crank.angle`.

torque = parse("torque - drag*rate", where="force drive").substitute({"torque": 100.0, "drag": 10.0})
torque.names                      {"rate"}
torque.evaluate({"rate": 2.0})    80.0
torque.derivative("rate")         -10
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from math import isfinite
from typing import TypeVar

from floatframe.errors import ModelError, Where
from floatframe.expressions import calculus
from floatframe.expressions.functions import TABLE_ORDER
from floatframe.expressions.nodes import Call, Name, Node, Number, digest, fold, write
from floatframe.expressions.parser import parse_tree
from floatframe.expressions.tables import Table
from floatframe.wording import did_you_mean

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Expression:
    """An immutable expression; two of them are equal if they are written the same way."""

    root: Node
    where: Where = field(default=Where(), repr=False)  # opens every error message about it

    def __str__(self) -> str:
        """Return a text that parses to the same expression."""
        return write(self.root)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Expression) and self._digest == other._digest

    def __hash__(self) -> int:
        return hash(self._digest)

    @cached_property
    def _digest(self) -> bytes:
        return digest(self.root)

    @cached_property
    def names(self) -> frozenset[str]:
        """The free names."""
        return frozenset(node.name for node in self._nodes if isinstance(node, Name))

    @cached_property
    def tables(self) -> frozenset[str]:
        """The names of the tables looked into."""
        return frozenset(node.table for node in self._nodes if isinstance(node, Call) and node.table)

    @property
    def is_constant(self) -> bool:
        """Whether it has neither names nor tables, so that `evaluate()` gives its only value."""
        return not self.names and not self.tables

    def substitute(self, values: Mapping[str, float | Expression]) -> Expression:
        """Return the expression with names replaced by numbers or other expressions; other names stay."""
        nodes = {
            name: value.root if isinstance(value, Expression) else Number(float(value))
            for name, value in values.items()
            if name in self.names
        }
        return self._with(calculus.filled(self.root, nodes))

    def with_numbers(self, values: Mapping[str, float]) -> Expression:
        """Return `substitute(values).simplified()` of numbers, in one go."""
        numbers: dict[str, Node] = {name: Number(float(values[name])) for name in self.names if name in values}
        simple = self._with(calculus.simplified(self._expanded, numbers))
        vars(simple)["_simple"] = simple
        return simple

    @cached_property
    def _expanded(self) -> Node:
        return calculus.expanded(self.root)

    def simplified(self) -> Expression:
        """Return the expression with constant parts worked out and derived functions written out."""
        return self._simple

    @cached_property
    def _simple(self) -> Expression:
        simple = self._with(calculus.simplified(self._expanded))
        vars(simple)["_simple"] = simple
        return simple

    def derivative(self, name: str) -> Expression:
        """Return the derivative with respect to a name; at kinks that of one side, jumps count as flat."""
        try:
            return self._with(calculus.derivative(self.root, name))
        except ModelError as error:
            raise self.problem(str(error)) from None

    def evaluate(self, env: Mapping[str, float] | None = None, tables: Mapping[str, Table] | None = None) -> float:
        """Return the value for given names and tables; a result that is not finite is an error naming its cause."""
        env, tables = env or {}, tables or {}
        cause = ""

        def value(node: Node, arguments: list[float]) -> float:
            nonlocal cause
            if isinstance(node, Number):
                return node.value
            if isinstance(node, Name):
                return float(self.known(node.name, env, "name"))
            if node.function in TABLE_ORDER:
                return self.known(node.table, tables, "table").value(arguments[0], TABLE_ORDER[node.function])
            result = calculus.apply(node.function, arguments)
            if not cause and not isfinite(result) and all(map(isfinite, arguments)):
                values = [f"{name} = {env[name]:g}" for name in sorted(Expression(node).names)]
                cause = f": {write(node)} is {result}" + (f" for {', '.join(values)}" if values else "")
            return result

        result = fold(calculus.expanded(self.root), value)
        if not isfinite(result):
            raise self.problem(f"no finite value for '{self}'{cause}")
        return result

    def known(self, name: str, known: Mapping[str, T], kind: str) -> T:
        """Return what is known under a name, or raise the error with the nearest names."""
        if name not in known:
            raise self.problem(f"unknown {kind} '{name}' in '{self}'{did_you_mean(name, known)}", missing=name)
        return known[name]

    def problem(self, text: str, missing: str = "") -> ModelError:
        """Return the error that says so about this expression; missing: a name that is not known."""
        return self.where.error(text, missing=missing)

    @cached_property
    def _nodes(self) -> list[Node]:
        found: list[Node] = []
        fold(self.root, lambda node, _: found.append(node))
        return found

    def _with(self, root: Node) -> Expression:
        return Expression(root, self.where)


def parse(text: str | float | int, *, where: str | Where = "") -> Expression:
    """Return the expression of a text or a plain number; `where` (e.g. "force drive") opens the error messages."""
    where = Where(where) if isinstance(where, str) else where
    if isinstance(text, str):
        return _parsed(text, where)
    if isinstance(text, bool) or not isinstance(text, int | float):
        raise where.error(f"found {text!r}, expected a number or an expression in quotation marks")
    try:
        return Expression(Number(float(text)), where)
    except (ModelError, OverflowError):
        raise where.error(f"found {text}, expected a finite number") from None


@lru_cache(maxsize=512)  # sweeps read the same texts again and again, and ask them for their names
def _parsed(text: str, where: Where) -> Expression:
    return Expression(parse_tree(text, where), where)
