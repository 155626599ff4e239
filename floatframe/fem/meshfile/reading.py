"""A whole mesh file: parts joined, features in their order, all mistakes that can be seen at once with their lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from floatframe.errors import FloatframeError, ModelError
from floatframe.expressions import Scalar, Scope
from floatframe.fem.builders import join, merge_nodes
from floatframe.fem.meshfile import values as v
from floatframe.fem.meshfile.context import SAME, Context, Late, ReadPart, checked
from floatframe.fem.meshfile.features import FEATURE_KEYS, FEATURES
from floatframe.fem.meshfile.parts import PART_KEYS, PARTS, WITH_CONTEXT, Kind
from floatframe.fem.meshfile.placing import PLACING, placed
from floatframe.fem.meshfile.tables import MESH_FORMAT, MODEL_TABLES, TOP, Tables, require_known
from floatframe.fem.model import FEModel
from floatframe.tomlfile import Key, Source, Spot, gathered, read_keys, read_source, shown, stated_format, text
from floatframe.wording import did_you_mean

_DECIDING = ("type", "name", "for", "when")
_OF_A_SET = ("type", "material", "section", "thickness")  # what parts of one name have in common


def is_mesh_file(path: str | Path) -> bool:
    """Whether a file is a mesh file: TOML whose format says so."""
    named = Path(path).suffix.lower() == ".toml"
    return named and stated_format(path).startswith(MESH_FORMAT.partition("/")[0])


def read_mesh(
    path: str | Path, parameters: Mapping[str, Scalar] | None = None, read_part: ReadPart | None = None
) -> FEModel:
    """Return the finite element model that a mesh file describes.

    parameters: values instead of those in the file; read_part: reads parts from other files than mesh files, with
    options such as units.
    """
    return _MeshFile(read_source(path), read_part).model(parameters or {})


@dataclass(frozen=True)
class _Item:
    """A part or feature as read: its place, its type and its values, which wait for parameters."""

    spot: Spot
    kind: Kind
    late: Mapping[str, Late]

    @property
    def type(self) -> str:
        return str(self.spot.value["type"])

    def rounds(self, context: Context) -> Iterator[tuple[dict[str, Any], Context]]:
        """Yield the values of every round of its loop, and the context of the round."""
        loops = self.late["for"](context) if "for" in self.late else [{}]
        for one in loops:
            inner = context.given(one)
            if "when" not in self.late or self.late["when"](inner):
                yield self._values(inner), inner

    def _values(self, context: Context) -> dict[str, Any]:
        found: dict[str, Any] = {}
        problems: list[FloatframeError] = []
        for key, late in self.late.items():
            if key not in _DECIDING:
                try:
                    found[key] = late(context)
                except FloatframeError as error:
                    problems.append(error)
        if problems:
            raise gathered(problems, self.spot.source.path)
        name = self.late["name"](context) if "name" in self.late else self.type
        return {**found, "name": name}


class _MeshFile:
    def __init__(self, source: Source, read_part: ReadPart | None) -> None:
        self.source = source
        self._read_part = read_part
        self._open: list[str] = []  # definitions that are being made
        root = source.root
        if root.value.get("format") != MESH_FORMAT:
            found = root.inside("format") if "format" in root.value else root
            raise found.error(f'expected format = "{MESH_FORMAT}" at the top of a mesh file', "format")
        self.problems = require_known(root, TOP, "a mesh file")
        self.defined = self._defines()
        self.top = _Model(root)
        models = (self.top, *self.defined.values())
        self.problems += [problem for model in models for problem in model.problems]
        if self.problems:
            raise gathered(self.problems, source.path)

    def _defines(self) -> dict[str, _Model]:
        if "define" not in self.source.content:
            return {}
        spot = self.source.root.inside("define")
        if not isinstance(spot.value, dict) or not all(isinstance(one, dict) for one in spot.value.values()):
            self.problems.append(spot.wrong("tables of their own, one [define.NAME] each"))
            return {}
        for name in spot.value:
            self.problems += require_known(spot.inside(name), MODEL_TABLES, f"[define.{name}]")
        return {name: _Model(spot.inside(name)) for name in spot.value}

    def model(self, parameters: Mapping[str, Scalar]) -> FEModel:
        """Return the model of the file."""
        root = self.source.root
        name = text(root.inside("name")) if "name" in root.value else self.source.path.stem
        outside = Context(Scope(), self._from_file, self._used)
        self.context = self.top.tables.context(outside, parameters)
        return self.top.made(self.context, name)

    def _used(self, spot: Spot, parameters: Mapping[str, float]) -> FEModel:
        """Return a [define.NAME] with other parameters."""
        name = spot.value
        model = v.named(spot, self.defined, "[define.NAME]")
        if name in self._open:
            circle = " -> ".join([*self._open[self._open.index(name) :], name])
            raise spot.error(f"definitions contain each other, {circle}; take one of them out")
        self._open.append(name)
        try:
            context = model.tables.context(self.context, parameters)
            return model.made(context, name)
        finally:
            self._open.pop()

    def _from_file(self, path: Path, options: Mapping[str, Any]) -> FEModel:
        if is_mesh_file(path):
            if path.resolve() == self.source.path.resolve():
                raise ModelError(f"file '{path.name}' is this mesh file itself; name another one")
            if own := options.keys() & {"material", "thickness"}:
                raise ModelError(f"{min(own)} of '{path.name}': a mesh file has its own; leave it out")
            if "units" in options:
                raise ModelError(f"units of '{path.name}': a mesh file is always in SI units; leave them out")
            return read_mesh(path, options.get("parameters"), self._read_part)
        if "parameters" in options:
            raise ModelError(f"parameters of '{path.name}': only mesh files have any; leave them out")
        if self._read_part is None:
            raise ModelError(f"file '{path.name}' is not a mesh file; read this one with floatframe.io.read")
        return self._read_part(path, options)


class _Model:
    """One model of a file: the top of it, or a [define.NAME]."""

    def __init__(self, root: Spot) -> None:
        self.root = root
        self.tables = Tables(root)
        self.problems = self.tables.problems
        self.parts = self._items("part", PARTS, PART_KEYS)
        self.problems += _unlike(part for part in self.parts if "when" not in part.late)
        self.features = self._items("feature", FEATURES, FEATURE_KEYS)
        self._merge: Late | None = None
        if "merge" in root.value:
            try:
                self._merge = v.number(root.inside("merge"))
            except FloatframeError as error:
                self.problems.append(error)
        if not self.parts and not self.problems:
            self.problems.append(root.error("the model has no parts, expected at least one [[part]]", "part"))

    def _items(self, key: str, kinds: Mapping[str, Kind], common: Mapping[str, Key]) -> list[_Item]:
        found = []
        for spot in _entries(self.root, key, self.problems):
            try:
                found.append(_item(spot, kinds, common, key))
            except FloatframeError as error:
                self.problems += error.problems
        return found

    def made(self, context: Context, name: str) -> FEModel:
        """Return the parts joined and the features put on."""
        problems: list[FloatframeError] = []
        parts: list[FEModel] = []
        used: list[_Item] = []
        for item in self.parts:
            try:
                found = self._made_parts(item, context)
            except FloatframeError as error:
                problems.append(error)
            else:
                parts += found
                used += [item] if found else []
        if problems := [*_unlike(used), *problems]:
            raise gathered(problems, self.root.source.path)
        if not parts:
            raise self.root.error("no part is left, all are switched off by `when`", "part")
        fe = self._joined(parts, context, name)
        for item in self.features:
            for values, _ in item.rounds(context):
                fe = checked(item.spot, partial(item.kind.make, fe, **values))
        return fe

    def _made_parts(self, item: _Item, context: Context) -> list[FEModel]:
        found = []
        for values, inner in item.rounds(context):
            steps = {key: values.pop(key) for key in PLACING if key in values}
            given = {"context": inner, **values} if item.type in WITH_CONTEXT else values

            def make(given: dict[str, Any] = given, steps: dict[str, Any] = steps) -> FEModel:
                return placed(item.kind.make(**given), steps)

            part = checked(item.spot, make)
            if "name" in item.late and given["name"] not in part.element_sets:
                numbers = np.concatenate([block.element_ids for block in part.blocks])
                part = part.with_element_set(given["name"], numbers)
            found.append(part)
        return found

    def _joined(self, parts: Sequence[FEModel], context: Context, name: str) -> FEModel:
        several = len(parts) > 1 or any(item.late.keys() & {"mirror", "repeat"} for item in self.parts)
        tolerance = SAME if several else 0.0
        spot = self.root
        if self._merge is not None:
            spot, tolerance = self.root.inside("merge"), self._merge(context)
        if tolerance < 0:
            raise spot.error(f"merge is {tolerance:g}, expected a distance [m], or 0 to leave all nodes apart")
        whole = join(*parts, name=name)
        return checked(spot, lambda: merge_nodes(whole, tolerance)) if tolerance else whole


def _entries(root: Spot, key: str, problems: list[FloatframeError]) -> list[Spot]:
    """Return the tables [[key]], labelled by their names."""
    if key not in root.value:
        return []
    spot = root.inside(key)
    if not isinstance(spot.value, list) or not all(isinstance(one, dict) for one in spot.value):
        problems.append(spot.wrong(f"a list of tables; open every one with double brackets, [[{key}]]"))
        return []
    found = []
    for number, entry in enumerate(spot.entries(), start=1):
        name = entry.value.get("name", entry.value.get("type"))
        label = f"{key} '{name}'" if isinstance(name, str) else f"{key} number {number}"
        found.append(entry.of(key, name if isinstance(name, str) else "", label))
    return found


def _unlike(parts: Iterable[_Item]) -> list[FloatframeError]:
    """Return the errors about parts that have the name of another one which they are unlike."""
    problems: list[FloatframeError] = []
    first: dict[str, Spot] = {}
    for spot in (part.spot for part in parts if isinstance(part.spot.value.get("name"), str)):
        name = spot.value["name"]
        other = first.setdefault(name, spot)
        differing = [key for key in _OF_A_SET if spot.value.get(key) != other.value.get(key)]
        if differing:
            text = f"name '{name}' is taken in line {other.line} by a part of another {differing[0]}"
            cure = f"parts of one name are one element set of the same {', '.join(_OF_A_SET)}; take another name"
            problems.append(spot.inside("name").error(f"{text}; {cure}"))
    return problems


def _item(spot: Spot, kinds: Mapping[str, Kind], common: Mapping[str, Key], key: str) -> _Item:
    if "type" not in spot.value:
        raise spot.error(f"'type' is missing, expected one of {', '.join(kinds)}", "type")
    kind = spot.value["type"]
    if not isinstance(kind, str) or kind not in kinds:
        near = did_you_mean(kind, kinds) if isinstance(kind, str) else f"; expected one of {', '.join(kinds)}"
        raise spot.inside("type").error(f"unknown type {shown(kind)} of a {key}{near}")
    return _Item(spot, kinds[kind], read_keys(spot, {**common, **kinds[kind].keys}, f"a {key} of type {kind}"))
