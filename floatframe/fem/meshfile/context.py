"""What expressions and names in a mesh file stand for: parameters, places, mesh lines, fields, materials, sections."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import FloatframeError, ModelError, Where
from floatframe.expressions import Expression, Scope, field_values, forgiving, parse
from floatframe.fem.model import FEModel
from floatframe.fem.properties import BeamSection, Material
from floatframe.tomlfile import Spot, located
from floatframe.wording import did_you_mean

SAME = 1e-6  # [m] coordinates closer than this are equal
XYZ = ("x", "y", "z")

# reads a part from a file with options; makes a [define.NAME] with other parameters
ReadPart = Callable[[Path, Mapping[str, Any]], FEModel]
MakePart = Callable[[Spot, Mapping[str, float]], FEModel]


@dataclass(frozen=True)
class Context:
    """Everything that can be named at one place of a file."""

    scope: Scope
    read_part: ReadPart
    make_part: MakePart
    fields: Mapping[str, Spot] = field(default_factory=dict)  # expressions of x, y, z
    points: Mapping[str, Array] = field(default_factory=dict)
    lines: Mapping[str, Array] = field(default_factory=dict)
    materials: Mapping[str, Material] = field(default_factory=dict)
    sections: Mapping[str, BeamSection] = field(default_factory=dict)

    def given(self, values: Mapping[str, float]) -> Context:
        """Return the context with more parameters."""
        return replace(self, scope=Scope({**self.scope.parameters, **values}))

    def number(self, spot: Spot) -> float:
        """Return the value of a number or of an expression of parameters."""
        return self._worked_out(spot, lambda: self._expression(spot, ()).evaluate())

    def field(self, spot: Spot, variables: Sequence[str], tolerance: float = 0.0) -> Field:
        """Return a function of these variables; with a tolerance, of conditions that forgive so much round-off."""
        return self._worked_out(spot, lambda: Field(self._expression(spot, variables, tolerance), spot))

    def _expression(self, spot: Spot, variables: Sequence[str], tolerance: float = 0.0) -> Expression:
        where = place_of(spot)
        expression = self._with_fields(parse(spot.value, where=where), variables)
        if tolerance:
            expression = forgiving(expression, tolerance)
        return self.scope.expression(str(expression), where, frozenset(variables))

    def _with_fields(self, expression: Expression, variables: Sequence[str]) -> Expression:
        """Return an expression with its fields put in, and theirs."""
        rounds = 0
        while used := sorted(expression.names & self.fields.keys()):
            if (rounds := rounds + 1) > len(self.fields):
                text = f"the fields {', '.join(used)} depend on each other; write one without them"
                raise self.fields[used[0]].error(text)
            known = {name: parse(self.fields[name].value) for name in used}
            for name, inner in known.items():
                for word in sorted(inner.names - self.fields.keys() - self.scope.parameters.keys() - {*variables}):
                    near = did_you_mean(word, {*self.fields, *self.scope.parameters, *variables} - {name})
                    raise self.fields[name].error(f"unknown name '{word}' in '{inner}'{near}", missing=word)
            expression = expression.substitute(known)
        return expression

    @staticmethod
    def _worked_out(spot: Spot, work: Callable[[], Any]) -> Any:
        try:
            return work()
        except FloatframeError as error:
            raise located(spot, error) from None


@dataclass(frozen=True)
class Field:
    """A function of named coordinates."""

    expression: Expression
    spot: Spot

    @property
    def names(self) -> frozenset[str]:
        """The coordinates it depends on."""
        return self.expression.names

    def __call__(self, env: Mapping[str, Array]) -> Array:
        """Return its values, which may be infinite or not a number."""
        return field_values(self.expression, env)

    def finite(self, env: Mapping[str, Array]) -> Array:
        """Return its values, all of which must be finite."""
        found = self(env)
        bad = np.argwhere(~np.isfinite(found))
        if bad.size:
            at = tuple(bad[0])
            names = sorted(self.names)
            values = [f"{name} = {np.broadcast_to(env[name], found.shape)[at]:g}" for name in names]
            raise self.spot.error(f"{self.spot.key} has no finite value for {', '.join(values) or 'any place'}")
        return found

    def mask(self, points: Array) -> Array:
        """Return at which points (n, 3) the condition holds."""
        return np.asarray(self(dict(zip(XYZ, points.T, strict=True)))) != 0.0


Late: TypeAlias = Callable[[Context], Any]  # a value that is worked out when parameters are known


def place_of(spot: Spot) -> Where:
    """Return the words that open messages about a value."""
    return Where(", ".join(filter(None, (spot.label, spot.key))))


def checked(spot: Spot, make: Callable[[], Any]) -> Any:
    """Return what is made of values at a spot; its errors get file, line and the name of the thing."""
    try:
        return make()
    except FloatframeError as error:
        own = isinstance(error, ModelError) and error.subject is None and not hasattr(error, "line")
        text = f"{spot.label}: {error}" if own and spot.label else str(error)
        raise located(spot, Where(field=error.field).error(text) if own else error) from None
