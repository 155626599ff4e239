"""Model files: a model and its settings in TOML, with every mistake reported by file and line.

file = read_model("slider_crank.toml", {"torque": 50.0})
system = file.model.compile()
result = system.simulate(record=file.record, **file.simulate)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from floatframe.arrays import short_repr
from floatframe.errors import FloatframeError, ModelError, Subject, Where
from floatframe.hybrid.description import Assembly, Instance
from floatframe.hybrid.expressions import Scalar, Scope
from floatframe.hybrid.flat import FlatModel, given_parameters, mistakes_in, model_scope
from floatframe.hybrid.model import Model, kept_gravity
from floatframe.hybrid.modelfile import (
    RECORD,
    SIMULATE,
    Key,
    Origin,
    PartReader,
    Source,
    Spot,
    found_at,
    gathered,
    located,
    model_name,
    number,
    parsed_source,
    read_keys,
)
from floatframe.hybrid.results import Record
from floatframe.hybrid.settings import arguments

if TYPE_CHECKING:
    from floatframe.hybrid.system import System

NO_GRAVITY = (0.0, 0.0, 0.0)
SETTINGS = ("record", "simulate")  # things that are tables of their own at the top of a file
_NAMED_TABLES = {"table": "tables", "parameter": "parameters"}


@short_repr
@dataclass(frozen=True, eq=False)
class ModelFile:
    """A model file: the model and what is to be done with it."""

    path: Path
    text: str
    sha256: str  # of the file itself
    model: FileModel
    parameters: Mapping[str, Scalar]  # those that were given other values when it was read
    record: Record = field(default_factory=Record)
    simulate: Mapping[str, Any] = field(default_factory=dict)  # arguments of System.simulate: t_end, method, step …
    parts: tuple[Path, ...] = ()  # other model files that it uses

    @contextmanager
    def placed(self, given: Iterable[str] = ()) -> Iterator[None]:
        """Let errors of a run of this file have their line in it; given: settings that are not those of the file."""
        try:
            yield
        except ModelError as error:
            setting = error.subject is not None and error.subject.kind in SETTINGS
            if error.subject is None or (setting and error.field.partition(".")[0] in given):
                raise
            raise self.model.located(error) from error


class FileModel(Model):
    """A model that knows in which file and line its things are written, and says so in its errors."""

    source: Source
    origins: Mapping[Assembly, Origin]
    overrides: Mapping[str, Scalar]

    def flatten(self, parameters: Mapping[str, Scalar] | None = None) -> FlatModel:
        """Return the flat form; `parameters` come on top of those given when the file was read."""
        try:
            return super().flatten({**self.overrides, **(parameters or {})})
        except FloatframeError as error:
            raise self.located(error) from None

    def compile(self, parameters: Mapping[str, Scalar] | None = None) -> System:
        """Return the compiled, immutable system."""
        try:
            return super().compile({**self.overrides, **(parameters or {})})
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


def read_model(path: str | Path, parameters: Mapping[str, Scalar] | None = None) -> ModelFile:
    """Read a model file; `parameters` take the place of those in it, front.mass of that of a subsystem."""
    reader = PartReader()
    return _read(reader, reader.source(Path(path)), parameters)


def read_model_text(
    text: str,
    path: str | Path,
    parameters: Mapping[str, Scalar] | None = None,
    files: Mapping[str, Path] | None = None,
) -> ModelFile:
    """Read the text of a model file that is kept in another file, such as a run.

    Files it names are beside that, or where `files` says.
    """
    reader = PartReader()
    source = parsed_source(Path(path), text.encode())
    return _read(reader, reader.kept(replace(source, files=files or {})), parameters)


def _read(reader: PartReader, source: Source, parameters: Mapping[str, Scalar] | None) -> ModelFile:
    mistakes = reader.mistakes
    name = "model"
    with mistakes.of():
        name = model_name(source)
    gravity = source.content.get("gravity", NO_GRAVITY)
    try:
        kept_gravity(gravity, name)
    except ModelError as error:
        mistakes.add(located(source.root.inside("gravity"), error))
        gravity = NO_GRAVITY
    model = reader.model(source, lambda values, tables: FileModel(gravity, values, tables, name))
    model.source, model.origins, model.overrides = source, reader.origins, dict(parameters or {})
    try:
        model_scope(model, {})
    except FloatframeError as error:
        mistakes.add(model.located(error))
    # what is wrong with the values given is no mistake of the file
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
    return ModelFile(
        path=source.path,
        text=source.text,
        sha256=source.sha256,
        model=model,
        parameters=model.overrides,
        record=kept,
        simulate=settings,
        parts=tuple(part.path for part in reader.sources.values() if part is not source),
    )


def is_model_file(path: str | Path) -> bool:
    """Whether a file is a model file by its suffix; properties beside a mesh (.props.toml) are none."""
    name = Path(path).name.lower()
    return name.endswith(".toml") and not name.endswith(".props.toml")


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
