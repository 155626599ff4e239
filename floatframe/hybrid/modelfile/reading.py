"""A whole model file: the model, what to record and how to simulate, all mistakes with their lines at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar, cast

from floatframe.errors import FloatframeError, ModelError, Subject, Where
from floatframe.expressions import Scalar, Scope, Table, Vector
from floatframe.hybrid.description import Assembly, Instance, kept_gravity
from floatframe.hybrid.flat import FlatModel, flatten, given_parameters, mistakes_in, model_scope
from floatframe.hybrid.modelfile.addresses import split_addresses, with_values
from floatframe.hybrid.modelfile.locate import located
from floatframe.hybrid.modelfile.parts import Origin, PartReader, model_name
from floatframe.hybrid.modelfile.schema import RECORD, SIMULATE
from floatframe.hybrid.modelfile.track import TrackOfModel
from floatframe.hybrid.modelfile.values import Key, number, read_keys
from floatframe.hybrid.settings import Record, arguments
from floatframe.tomlfile import Source, Spot, found_at, gathered, parsed_source

NO_GRAVITY = (0.0, 0.0, 0.0)
SETTINGS = ("record", "simulate")  # things that are tables of their own at the top of a file
_NAMED_TABLES = {"table": "tables", "parameter": "parameters"}


class PlacedModel(Assembly):
    """A model that knows in which file and line its things are written, and says so in its errors."""

    source: Source
    origins: Mapping[Assembly, Origin]
    overrides: Mapping[str, Scalar] = MappingProxyType({})

    def flatten(self, parameters: Mapping[str, Scalar] | None = None, like: FlatModel | None = None) -> FlatModel:
        """Return the flat form; `parameters` come on top of those given when the file was read."""
        try:
            return flatten(self, {**self.overrides, **(parameters or {})}, like)
        except FloatframeError as error:
            raise self.located(error) from None

    def located(self, error: FloatframeError) -> FloatframeError:
        """Return an error about something in the model with its file and line."""
        if len(error.problems) > 1:
            return gathered([self.located(problem) for problem in error.problems], self.source.path)
        return located(self._spot(error.subject, error.field), error)

    def _spot(self, subject: Subject | None, field: str) -> Spot:
        """Return where a thing is written; the whole file if it is not in one."""
        root = self.source.root
        if subject is None or subject.kind == "model":
            return root
        if subject.kind in SETTINGS:
            return found_at(root, subject.kind).of(subject.kind, subject.name)
        if subject.kind in _NAMED_TABLES:
            return found_at(root, f"{_NAMED_TABLES[subject.kind]}.{subject.name}")
        assembly, spot = cast(Assembly, self), root
        for name in subject.name.split("."):
            origin = self.origins.get(assembly)
            if origin is None or name not in origin.items:
                return root
            spot, item = origin.items[name], assembly.items[name]
            assembly = item.subsystem if isinstance(item, Instance) else assembly
        if subject.kind == "subsystem" and field.startswith("parameters"):
            given = field != "parameters" and found_at(spot, field).field == field
            return spot if given else self.origins[assembly].root  # the default value in the part itself
        return spot


Kind = TypeVar("Kind", bound=PlacedModel)
# makes a model of its gravity, parameters, tables and name
Make = Callable[[Vector, dict[str, Scalar], dict[str, Table], str], Kind]


def opened(path: str | Path) -> tuple[PartReader, Source]:
    """Return a model file with the reader for it and its parts."""
    reader = PartReader()
    return reader, reader.source(Path(path))


def opened_text(text: str, path: str | Path, files: Mapping[str, Path] | None = None) -> tuple[PartReader, Source]:
    """Return the text of a model file that is kept in another file, such as a run, with the reader for it.

    Files it names are beside that, or where `files` says.
    """
    reader = PartReader()
    source = parsed_source(Path(path), text.encode())
    return reader, reader.kept(replace(source, files=files or {}))


def read_whole(
    reader: PartReader, source: Source, parameters: Mapping[str, Scalar] | None, make: Make[Kind]
) -> tuple[Kind, Record, dict[str, Any]]:
    """Return the model of a file, what to record, and the arguments of `System.simulate`.

    parameters: other values for its parameters, and for places in it such as body[rod].modes.
    """
    parameters, addressed = split_addresses(parameters or {})
    source = with_values(source, addressed)
    mistakes = reader.mistakes
    name = "model"
    with mistakes.of():
        name = model_name(source)
    gravity = source.content.get("gravity", NO_GRAVITY)
    try:
        gravity = kept_gravity(gravity, name)
    except ModelError as error:
        mistakes.add(located(source.root.inside("gravity"), error))
        gravity = NO_GRAVITY
    model = reader.model(source, lambda values, tables: make(gravity, values, tables, name))
    model.source, model.origins, model.overrides = source, reader.origins, parameters
    if "track" in source.content:
        model.track = TrackOfModel(source.root.inside("track"), name)
    try:
        model_scope(model, {})
    except FloatframeError as error:
        mistakes.add(model.located(error))
    # what is wrong with the values given is not a mistake of the file
    scope = None if mistakes.found else model_scope(model, given_parameters(model, model.overrides))
    settings: dict[str, Any] = {}
    kept = Record()
    with mistakes.of():
        kept = _record(source, scope)
    with mistakes.of():
        settings = _simulate(source, scope)
    if mistakes.found:
        # all that is wrong in one go
        more = mistakes_in(model, mistakes.lost)
        raise gathered([*mistakes.found, *(model.located(error) for error in more)], source.path)
    return model, kept, settings


def read_settings(model: PlacedModel, parameters: Mapping[str, Scalar]) -> tuple[Record, dict[str, Any]]:
    """Return what a file records and how it simulates at values of its parameters that it was not read with."""
    scope = model_scope(model, given_parameters(model, parameters))
    return _record(model.source, scope), _simulate(model.source, scope)


def settings_vary(source: Source) -> bool:
    """Whether a number among the settings of a file is an expression, which may use parameters."""
    return any(
        isinstance(source.content.get(name, {}).get(key), str)
        for name, keys in (("record", RECORD), ("simulate", SIMULATE))
        for key, kind in keys.items()
        if kind.read is number
    )


def _record(source: Source, scope: Scope | None) -> Record:
    settings = _settings(source, "record", RECORD, scope)
    if scope is None:
        return Record()
    try:
        return Record(**settings)
    except ModelError as error:
        raise located(source.root.inside("record").of("record", ""), error) from None


def _simulate(source: Source, scope: Scope | None) -> dict[str, Any]:
    """Return the arguments of System.simulate."""
    settings = _settings(source, "simulate", SIMULATE, scope)
    if scope is None:
        return {}
    try:
        return arguments(settings)
    except ModelError as error:
        raise located(source.root.inside("simulate").of("simulate", ""), error) from None


def _settings(source: Source, name: str, keys: Mapping[str, Key], scope: Scope | None) -> dict[str, Any]:
    """Return a table of settings, expressions of parameters worked out; scope None: only checked by their kinds."""
    if name not in source.content:
        return {}
    spot = source.root.inside(name).of(name, "")
    found = read_keys(spot, keys, f"[{name}]")
    for key, value in found.items():
        if keys[key].read is number and scope is not None:
            try:
                found[key] = scope.number(value, Where(name, spot.subject).key(key))
            except ModelError as error:
                raise located(spot, error) from None
    return found
