"""Subsystems opened: every assembly as it stands in the model, with its parameters as numbers and its pose."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import Where
from floatframe.expressions import (
    RESERVED,
    Call,
    Expression,
    Mistakes,
    Scalar,
    Scope,
    Table,
    calculus,
    parameter,
    parse,
    resolved_parameters,
)
from floatframe.hybrid.description import Assembly, Block, Instance, Signal, StateVariable, rotation_matrix
from floatframe.hybrid.flat.track_courses import COURSES, track_courses
from floatframe.railway import Track
from floatframe.wording import did_you_mean

TIME = frozenset({"t"})
QUANTITIES = (StateVariable, Signal, Block)  # what stands in expressions by its name alone


@dataclass(frozen=True)
class Part:
    """An assembly as it stands in the model: the model itself or one instance."""

    assembly: Assembly
    path: str  # "" or "front.": opens the names of everything inside
    scope: Scope
    position: Array  # (3,) of its origin in the world
    rotation: Array  # (3, 3)
    track: Track | None = None  # that of the model

    @property
    def tables(self) -> Mapping[str, Table]:
        """Tables that expressions may name: those of the assembly, and those of the track."""
        return ChainMap(self.assembly.tables, dict(track_courses(self.track)))

    @property
    def subsystem(self) -> str:
        """The outermost instance."""
        return self.path.partition(".")[0]

    def expression(
        self, raw: Scalar, where: Where, variables: frozenset[str] = frozenset(), sensors: bool = False
    ) -> Expression:
        """Return an expression with parameters put in and sensors and tables under their full names."""
        named = self._quantities(parse(raw, where=where).names) if sensors else frozenset()
        expression = self.scope.expression(raw, where, variables | named, sensors)
        for name in expression.names - variables:
            self._require_sensor(name, expression)
        for table in expression.tables:
            if table in COURSES and self.track is None and table not in self.assembly.tables:
                raise where.error(f"table '{table}' is that of a track, and the model has none; give it a track")
            expression.known(table, self.tables, "table")
        if not self.path:
            return expression
        full = {name: parse(self.path + name) for name in expression.names - variables}
        return _with_tables_of(self.path, expression.substitute(full))

    def _quantities(self, names: frozenset[str]) -> frozenset[str]:
        """Return those of some names that stand for a state or a signal; all there are if one of them is unknown."""
        items = self.assembly.items
        unknown = [name for name in names if name not in items and name not in self.scope.parameters]
        return frozenset(
            name for name in (items if unknown else names & items.keys()) if isinstance(items[name], QUANTITIES)
        )

    def _require_sensor(self, name: str, expression: Expression) -> None:
        """Refuse a sensor on something that does not exist; what it measures is the compiler's to judge."""
        assembly, rest = self.assembly, name
        while True:
            head, _, rest = rest.partition(".")
            item = expression.known(head, assembly.items, "name")
            if not isinstance(item, Instance) or not rest:
                return
            assembly = item.subsystem


def _with_tables_of(path: str, expression: Expression) -> Expression:
    """Return the expression with the path of a subsystem before the names of its tables."""

    def make(call: Call) -> Call:
        return Call(call.function, call.arguments, path + call.table) if call.table else call

    return Expression(calculus.filled(expression.root, {}, make), expression.where)


def opened(model: Assembly, overrides: dict[str, Scalar], mistakes: Mistakes | None = None) -> list[Part]:
    """Return the model and, depth first, all instances in it.

    mistakes: takes in what is wrong, and the parts are those that could be made; without it, that is raised.
    """
    given = given_parameters(model, overrides)
    found = Mistakes() if mistakes is None else mistakes
    parts = _instances(model, "", given, np.zeros(3), np.eye(3), Where.of("model", model.name), found)
    if mistakes is None:
        found.complete()
    return parts


def given_parameters(model: Assembly, overrides: Mapping[str, Scalar]) -> dict[str, float]:
    """Return the values given for parameters of a model, front.mass for that of an instance, as numbers."""
    given = {name: Scope().number(value, Where.of("parameter", name)) for name, value in overrides.items()}
    known = set(_parameter_names(model, "")) if given else set()
    for name in given:
        if name not in known:
            where = Where.of("model", model.name)
            raise where.error(f"has no parameter '{name}'{did_you_mean(name, known)}", missing=name, after=" ")
    return given


def _parameter_names(assembly: Assembly, path: str) -> Iterator[str]:
    yield from (path + name for name in assembly.parameters)
    for item in assembly:
        if isinstance(item, Instance):
            yield from _parameter_names(item.subsystem, f"{path}{item.name}.")


def model_scope(model: Assembly, given: Mapping[str, float]) -> Scope:
    """Return the parameters of the model itself as numbers, those of its subsystems left alone."""
    mistakes = Mistakes()
    scope = _scope(model, given, Where.of("model", model.name), mistakes)
    mistakes.complete()
    return scope


def _instances(
    assembly: Assembly,
    path: str,
    given: Mapping[str, float],
    position: Array,
    rotation: Array,
    where: Where,
    mistakes: Mistakes,
) -> list[Part]:
    scope = _scope(assembly, given, where, mistakes)
    parts = [Part(assembly, path, scope, position, rotation)]
    for item in assembly:
        if not isinstance(item, Instance):
            continue
        inside = Where.of("subsystem", path + item.name, "instance")
        with mistakes.of(path + item.name, item.name):
            for name in item.parameters:
                if name not in item.subsystem.parameters:
                    near = did_you_mean(name, item.subsystem.parameters)
                    words = f"subsystem '{item.subsystem.name}' has no parameter '{name}'{near}"
                    raise inside.at(f"parameters.{name}").error(words, missing=name)
            values = {name: scope.number(value, parameter(inside, name)) for name, value in item.parameters.items()}
            mark = f"{item.name}."
            values |= {name.removeprefix(mark): value for name, value in given.items() if name.startswith(mark)}
            turn = rotation_matrix(item.rotation, scope, inside.key("rotation"))
            origin = position + rotation @ scope.array(item.position, inside.key("position"))
            inner = rotation if turn is None else rotation @ turn
            parts += _instances(item.subsystem, f"{path}{mark}", values, origin, inner, inside, mistakes)
    return parts


def _scope(assembly: Assembly, given: Mapping[str, float], where: Where, mistakes: Mistakes) -> Scope:
    """Return the parameters of an assembly as numbers."""
    own = {name: value for name, value in given.items() if name in assembly.parameters}
    for name in assembly.parameters:
        if name in RESERVED | TIME or not name.isidentifier():
            words = f"'{name}' cannot be the name of a parameter; choose a word of letters, digits, _"
            mistakes.add(where.at(f"parameters.{name}").error(words), name)
    fitting = {name: value for name, value in assembly.parameters.items() if name not in mistakes.lost}
    rest = {name: value for name, value in fitting.items() if name not in own}
    return Scope(resolved_parameters(rest, Scope(own), where, mistakes))
