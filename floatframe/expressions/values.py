"""Numbers as users write them: plain numbers or expressions of named parameters, alone or in lists.

`kept` checks the shape and every entry where a thing is made and stores nested tuples; `Scope` works them out later,
when the parameters are known.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from numbers import Real
from typing import Any, TypeAlias

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import Where
from floatframe.expressions.expression import Expression, parse
from floatframe.expressions.mistakes import Mistakes
from floatframe.wording import did_you_mean

Scalar: TypeAlias = float | str
Vector: TypeAlias = Sequence[Scalar]
Values: TypeAlias = Scalar | Sequence[Any] | Array  # a scalar, a list or a list of lists of scalars

_WORDS = {
    (): "a number",
    (3,): "three numbers",
    (4,): "four numbers",
    (6,): "six numbers",
    (3, 3): "a 3x3 matrix",
    (6, 6): "a 6x6 matrix",
}

LARGEST = 1e100  # of numbers in models: squares and products of three are still finite


def kept(raw: Any, where: Where, *shapes: tuple[int, ...]) -> Any:
    """Return the values as nested tuples, after a check of shape, finite numbers and well-formed expressions."""
    values, shape = _nested(raw, where)
    if shape not in shapes:
        expected = " or ".join(_WORDS[shape] for shape in shapes)
        found = (
            f"a matrix of {'x'.join(map(str, shape))}" if len(shape) > 1 else f"{shape[0]} numbers" if shape else raw
        )
        raise where.error(f"found {found}, expected {expected}")
    return values


def kept_list(raw: Any, where: Where) -> tuple[Any, ...]:
    """Return a list of any length as a tuple, checked like `kept`."""
    values, shape = _nested(raw, where)
    if len(shape) != 1:
        raise where.error(f"found {raw!r}, expected a list of numbers")
    return tuple(values)


def optional(raw: Any, where: Where, *shapes: tuple[int, ...]) -> Any:
    """Return `kept` values, or None for None."""
    return None if raw is None else kept(raw, where, *shapes)


def _nested(raw: Any, where: Where) -> tuple[Any, tuple[int, ...]]:
    if isinstance(raw, np.ndarray):
        raw = raw.tolist()
    if not isinstance(raw, list | tuple):
        return _entry(raw, where), ()
    parts = [_nested(part, where) for part in raw]
    inner = {shape for _, shape in parts}
    if len(inner) > 1:
        raise where.error(f"found rows of different length in {raw!r}, expected a full matrix")
    return tuple(value for value, _ in parts), (len(parts), *(inner.pop() if inner else ()))


def _entry(raw: Any, where: Where) -> Scalar:
    if isinstance(raw, str):
        parse(raw, where=where)
        return raw
    if isinstance(raw, bool) or not isinstance(raw, Real):
        raise where.error(f"found {raw!r}, expected a number or an expression in quotation marks")
    if not math.isfinite(raw):
        raise where.error(f"found {raw}, expected a finite number")
    return _in_range(float(raw), where)


def _in_range(value: float, where: Where) -> float:
    if not abs(value) <= LARGEST:
        raise where.error(f"found {value:g}, expected at most {LARGEST:g} in SI units; correct the number")
    return value


@dataclass(frozen=True)
class Scope:
    """The named parameters that expressions of one subsystem may use."""

    parameters: Mapping[str, float] = field(default_factory=dict)

    def number(self, raw: Scalar, where: Where) -> float:
        """Return the value of a number or of an expression of parameters."""
        if isinstance(raw, float) and math.isfinite(raw):
            return raw
        return _in_range(self.expression(raw, where).evaluate(), where)

    def array(self, raw: Any, where: Where) -> Array:
        """Return nested tuples of scalars as an array of numbers."""
        return np.array(self._numbers(raw, where))

    def _numbers(self, raw: Any, where: Where) -> Any:
        return [self._numbers(part, where) for part in raw] if isinstance(raw, tuple) else self.number(raw, where)

    def optional(self, raw: Any, where: Where) -> Array | None:
        """Return `array`, or None for None."""
        return None if raw is None else self.array(raw, where)

    def expression(
        self, raw: Scalar, where: Where, variables: frozenset[str] = frozenset(), sensors: bool = False
    ) -> Expression:
        """Return the expression with all parameters put in; only `variables` and, if allowed, sensors may remain.

        A sensor has a dot in its name: crank.angular_velocity.z.
        """
        expression = parse(raw, where=where)
        self._note(expression)
        if both := sorted(expression.names & variables & self.parameters.keys()):
            raise expression.problem(
                f"'{both[0]}' in '{expression}' is a parameter and a variable of its own here; rename the parameter"
            )
        for name in sorted(expression.names - variables - self.parameters.keys()):
            if "." not in name or not sensors:
                known = {*self.parameters, *variables}
                raise expression.problem(
                    f"unknown name '{name}' in '{expression}'{did_you_mean(name, known)}", missing=name
                )
        return expression.with_numbers(self.parameters)

    def _note(self, expression: Expression) -> None:
        """Called with every expression before parameters are put in."""


@dataclass(frozen=True)
class NotingScope(Scope):
    """A scope that notes which names its expressions use."""

    used: set[str] = field(default_factory=set)

    def _note(self, expression: Expression) -> None:
        self.used.update(expression.names)


def parameter(owner: Where, name: str) -> Where:
    """Return the place of a parameter of a model, subsystem or instance."""
    return owner.at("parameters").key(name, f"parameter '{name}'")


def resolved_parameters(raw: Mapping[str, Scalar], outer: Scope, owner: Where, mistakes: Mistakes) -> dict[str, float]:
    """Return the values of parameters that may use each other, as far as they have one.

    `outer` holds values that are given already; what is wrong is added to the mistakes.
    """
    done: dict[str, float] = dict(outer.parameters)
    waiting: dict[str, Expression] = {}
    for name, value in raw.items():
        if isinstance(value, float) and math.isfinite(value):
            done[name] = value
            continue
        with mistakes.of(name):
            waiting[name] = parse(value, where=parameter(owner, name))
    users: dict[str, list[str]] = {}
    for name, expression in waiting.items():
        for one in expression.names:
            users.setdefault(one, []).append(name)
    asked: Iterable[str] = [*waiting]
    while lacking := {
        name: used
        for name in asked
        if name in waiting and (used := [one for one in waiting[name].names if not (one in waiting or one in done)])
    }:
        for name, used in lacking.items():
            expression, word = waiting.pop(name), min(used)
            text = f"unknown parameter '{word}' in '{expression}'{did_you_mean(word, raw.keys() - {name})}"
            mistakes.add(expression.problem(text, missing=word), name)
        asked = [user for name in lacking for user in users.get(name, ())]
    open_names = {name: sum(one in waiting for one in expression.names) for name, expression in waiting.items()}
    ready = [name for name, count in open_names.items() if not count]
    for name in ready:  # which grows
        expression = waiting.pop(name)
        if all(one in done for one in expression.names):
            with mistakes.of(name):
                done[name] = expression.evaluate(done)
        else:  # what uses a parameter without a value has none itself
            mistakes.lost.add(name)
        for user in users.get(name, ()):
            open_names[user] -= 1
            if not open_names[user]:
                ready.append(user)
    if waiting:
        circle = " -> ".join(_circle(waiting))
        text = f"the parameters {circle} depend on each other; give one a number"
        mistakes.add(owner.at("parameters").error(text), *waiting)
    return done


def _circle(waiting: Mapping[str, Expression]) -> list[str]:
    """Return names that need each other, the first one again at the end."""
    path: dict[str, None] = {}
    name = min(waiting)
    while name not in path:
        path[name] = None
        name = min(one for one in waiting[name].names if one in waiting)
    names = [*path]
    return [*names[names.index(name) :], name]
