"""The tables at the top of a mesh file, and what expressions may name after they are read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from floatframe.errors import FloatframeError, Where
from floatframe.expressions import RESERVED, Mistakes, Scalar, Scope, parse, resolved_parameters
from floatframe.fem.meshfile import values as v
from floatframe.fem.meshfile.context import Context, Late
from floatframe.fem.meshfile.parts import SURFACE
from floatframe.fem.meshfile.properties import material, section
from floatframe.tomlfile import Spot, gathered, located, named_numbers, number
from floatframe.wording import did_you_mean

MESH_FORMAT = "floatframe-mesh/1"

MODEL_TABLES = {
    "merge": "nodes of different parts closer than this become one [m], 0: none (default: 1e-6)",
    "parameters": "numbers under names, which expressions use",
    "points": "places under names: A = [0, 0, 1.5]",
    "lines": "mesh lines under names",
    "fields": "expressions of x, y, z under names, which other expressions use",
    "materials": "materials under names",
    "sections": "beam sections under names",
    "part": "what the model is joined of, one [[part]] each",
    "feature": "what is done with the joined parts, one [[feature]] after another",
}
TOP = {
    "format": f'"{MESH_FORMAT}"',
    "name": "of the model (default: that of the file)",
    "define": "models used as parts, one [define.NAME] with these tables each",
    **MODEL_TABLES,
}


def require_known(root: Spot, known: Mapping[str, str], what: str) -> list[FloatframeError]:
    """Return the errors about keys that a table does not have."""
    if not isinstance(root.value, dict):
        return [root.wrong("a table")]
    return [
        root.inside(key).error(f"'{key}' is not a table or key of {what}{did_you_mean(key, known)}")
        for key in root.value
        if key not in known
    ]


class Tables:
    """The named things of a model, read but not worked out."""

    def __init__(self, root: Spot) -> None:
        self.problems: list[FloatframeError] = []
        self.root = root
        self.parameters = self._table("parameters", _grammar)
        self.fields = self._table("fields", _grammar)
        self._later: dict[str, dict[str, Late]] = {
            "points": self._table("points", v.vector),
            "lines": self._table("lines", v.lines),
            "materials": self._table("materials", material),
            "sections": self._table("sections", section),
        }
        for name in self.parameters:
            if name in self._later["lines"]:
                spot = root.inside("lines").inside(name)
                self.problems.append(spot.error(f"'{name}' is a parameter too; choose another name for the lines"))

    def _table(self, key: str, read: Callable[[Spot], Any]) -> dict[str, Any]:
        if key not in self.root.value:
            return {}
        spot = self.root.inside(key)
        if not isinstance(spot.value, dict):
            self.problems.append(spot.wrong(f"a table [{key}] of names"))
            return {}
        found = {}
        for name in spot.value:
            inside = replace(spot.inside(name), label=f"[{key}] {name}")
            try:
                if key in ("parameters", "fields"):
                    _require_name(inside, name)
                found[name] = read(inside)
            except FloatframeError as error:
                self.problems += located(inside, error).problems
        return found

    def context(self, outer: Context, given: Mapping[str, Scalar]) -> Context:
        """Return what can be named: that of the model around it, and the named things of this one.

        given: values instead of those of the parameters.
        """
        context = outer.given(self._numbers(outer, given))
        context = replace(context, fields={**outer.fields, **self.fields})
        problems: list[FloatframeError] = []
        for kind, things in self._later.items():
            for name, late in things.items():
                more: dict[str, Any] = {kind: getattr(context, kind)}
                try:
                    more[kind] = {**more[kind], name: late(context)}
                    context = replace(context, **more)
                except FloatframeError as error:
                    problems.append(error)
        if problems:
            raise gathered(problems, self.root.source.path)
        return context

    def _numbers(self, outer: Context, given: Mapping[str, Scalar]) -> dict[str, float]:
        for name in given:
            if name not in self.parameters:
                near = did_you_mean(name, self.parameters)
                raise Where.of("parameter", name).error(f"the mesh file has no such parameter{near}")
        if not self.parameters:
            return {}
        spot, mistakes = self.root.inside("parameters"), Mistakes()
        values = {name: float(x) if isinstance(x, int) else x for name, x in named_numbers(spot).items()}
        found = resolved_parameters({**values, **given}, Scope(outer.scope.parameters), Where("mesh file"), mistakes)
        for error in mistakes.found:
            if error.field.removeprefix("parameters.") in given:
                raise error  # nothing is wrong with the file
        if mistakes.found:
            anywhere = replace(self.root, subject=None)
            raise gathered([located(anywhere, error) for error in mistakes.found], self.root.source.path)
        return found


def _grammar(spot: Spot) -> Spot:
    """A number or an expression that is written right; nan is for a parameter that must be given."""
    if not isinstance(number(spot), float):
        parse(spot.value, where=spot.label)
    return spot


def _require_name(spot: Spot, name: str) -> None:
    if not name.isidentifier() or name in RESERVED or name in SURFACE:
        own = "stands for a coordinate" if name in SURFACE else "is no word of letters, digits and _, or a function"
        raise spot.error(f"'{name}' {own}; choose another name")
