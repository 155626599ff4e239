"""Model files: a model and its settings in TOML, with every mistake reported by file and line.

file = read_model("slider_crank.toml", {"torque": 50.0})
system = file.model.compile()
result = system.simulate(record=file.record, **file.simulate)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from floatframe.arrays import short_repr
from floatframe.errors import FloatframeError, ModelError
from floatframe.expressions import Scalar
from floatframe.hybrid.model import Model
from floatframe.hybrid.modelfile import (
    SETTINGS,
    PartReader,
    PlacedModel,
    Source,
    opened,
    opened_text,
    read_settings,
    read_whole,
    settings_vary,
)
from floatframe.hybrid.settings import Record
from floatframe.tomlfile import stated_format

if TYPE_CHECKING:
    from floatframe.hybrid.system import System


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

    def at(self, parameters: Mapping[str, Scalar]) -> ModelFile:
        """Return what a file says at other values of its parameters; it is not read again.

        The model is the same one: give the values to its `compile` too.
        """
        if not self.model.settings_vary:
            return replace(self, parameters=parameters)
        record, settings = read_settings(self.model, parameters)
        return replace(self, parameters=parameters, record=record, simulate=settings)

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


class FileModel(PlacedModel, Model):
    """The model of a file; its errors name file and line."""

    @cached_property
    def settings_vary(self) -> bool:
        """Whether parameters may change what is recorded and how it is simulated."""
        return settings_vary(self.source)

    def compile(self, parameters: Mapping[str, Scalar] | None = None, like: System | None = None) -> System:
        """Return the compiled, immutable system; see `Model.compile`."""
        try:
            return super().compile({**self.overrides, **(parameters or {})}, like)
        except FloatframeError as error:
            raise self.located(error) from None


def read_model(path: str | Path, parameters: Mapping[str, Scalar] | None = None) -> ModelFile:
    """Read a model file; `parameters` take the place of those in it, front.mass of that of a subsystem.

    They may also name places in the file: body[rod].modes, body[box].position.z, simulate.rtol.
    """
    return _read(*opened(path), parameters)


def read_model_text(
    text: str,
    path: str | Path,
    parameters: Mapping[str, Scalar] | None = None,
    files: Mapping[str, Path] | None = None,
) -> ModelFile:
    """Read the text of a model file that is kept in another file, such as a run.

    Files it names are beside that, or where `files` says.
    """
    return _read(*opened_text(text, path, files), parameters)


def _read(reader: PartReader, source: Source, parameters: Mapping[str, Scalar] | None) -> ModelFile:
    model, record, settings = read_whole(reader, source, parameters, FileModel)
    return ModelFile(
        path=source.path,
        text=source.text,
        sha256=source.sha256,
        model=model,
        parameters=model.overrides,
        record=record,
        simulate=settings,
        parts=tuple(part.path for part in reader.sources.values() if part is not source),
    )


def is_model_file(path: str | Path) -> bool:
    """Whether a file is a model file by its suffix; properties (.props.toml), meshes and networks are none."""
    name = Path(path).name.lower()
    if not name.endswith(".toml") or name.endswith(".props.toml"):
        return False
    return not stated_format(path).startswith(("floatframe-mesh", "floatframe-network"))
