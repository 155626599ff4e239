"""The model of a run made in Python: text and files that stay with the records, so that others can draw the bodies."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from floatframe.errors import WriteError
from floatframe.expressions import Scalar
from floatframe.hybrid.description import Assembly, Description
from floatframe.hybrid.flat import given_parameters, model_scope
from floatframe.hybrid.modelfile.reading import PlacedModel
from floatframe.hybrid.modelfile.writer import Files, model_text
from floatframe.io import ModelSource
from floatframe.modal import ReducedBody
from floatframe.tomlfile import files_in

NOT_KEPT = "model_not_kept"  # the setting of a run that says why it has no model text


@dataclass(frozen=True, eq=False)
class KeptModel:
    """A model as a run keeps it; `reason` says why there is no text."""

    text: str = ""
    files: Mapping[str, bytes] = field(default_factory=dict)  # reduced bodies that the text names
    parameters: Mapping[str, Scalar] = field(default_factory=dict)
    reason: str = ""
    source: ModelSource = field(default_factory=ModelSource)  # none for models made in Python


def kept_model(description: Description | None, folder: Path) -> KeptModel:
    """Return text and files of a model; bodies that are in files already are named as seen from a folder."""
    if description is None:
        return KeptModel(reason="its system was not compiled from a Model")
    bodies: dict[str, ReducedBody] = {}
    model, track = description.model, description.model.track
    try:
        if callable(track):
            # as it was in this run, whatever becomes of the files it was read from
            track = track(model_scope(model, given_parameters(model, description.parameters)))
        text = model_text(model, Files(folder, bodies), functions=False, track=track)
    except WriteError as error:
        return KeptModel(reason=str(error), source=_source(model, folder))
    return KeptModel(text, _as_bytes(bodies), description.parameters, source=_source(model, folder))


def _source(model: Assembly, folder: Path) -> ModelSource:
    """Return the file of a model as a run in a folder names it."""
    if not isinstance(model, PlacedModel):
        return ModelSource()
    source = model.source
    used: dict[str, str] = {}
    for name in files_in(source.content):
        path = source.path.parent / name
        if path.is_file():
            with path.open("rb") as file:
                used[name] = hashlib.file_digest(file, "sha256").hexdigest()
    return ModelSource.seen_from(folder, source.path, source.sha256, used)


def _as_bytes(bodies: Mapping[str, ReducedBody]) -> dict[str, bytes]:
    from floatframe.io import write

    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, body in bodies.items():
            path = Path(folder) / name
            write(path, body)
            found[name] = path.read_bytes()
    return found


@contextmanager
def unpacked(files: Mapping[str, bytes]) -> Iterator[dict[str, Path]]:
    """Put kept files into a folder for a while; yields where they are, by the names that a text uses."""
    with tempfile.TemporaryDirectory() as folder:
        paths = {name: Path(folder) / f"{number}.h5" for number, name in enumerate(files)}
        for name, path in paths.items():
            path.write_bytes(files[name])
        yield paths
