"""The system of a run, compiled again from the model text the run keeps."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

from floatframe.errors import FloatframeError, ModelError
from floatframe.expressions import Scalar, Table, Vector
from floatframe.hybrid.assembly import CompiledSystem, assemble, fingerprint
from floatframe.hybrid.modelfile import (
    LEFT_OUT,
    NOT_KEPT,
    PartReader,
    PlacedModel,
    Source as ModelSource,
    opened,
    opened_text,
    read_whole,
    unpacked,
)
from floatframe.hybrid.results.source import Source


def rebuilt(run: Source, model: str | Path | None = None) -> CompiledSystem:
    """Return the system of a run, made of the model text it keeps or of a model file."""
    path = getattr(run, "path", Path("results"))
    if model is not None:
        system = _compiled(run, *opened(model))
    elif run.meta.model:
        try:
            with unpacked(getattr(run, "files", {})) as files:
                system = _compiled(run, *opened_text(run.meta.model, path, files))
        except FloatframeError as error:
            raise ModelError(
                f"the model of run '{path.name}' cannot be rebuilt: {error}; put the files it needs beside the "
                "run, or give its model file (model=, on the command line --model)"
            ) from error
    else:
        reason = run.meta.setting(NOT_KEPT, str)
        raise ModelError(
            f"run '{path.name}' has no model text to rebuild its bodies from{f' ({reason})' if reason else ''}; "
            "give its model file (model=, on the command line --model) or its system"
        )
    if (system.nq, system.nv) != (run.meta.nq, run.meta.nv):
        cure = (
            "a body or the model was changed since; run it again" if model is None else "give the one it was run with"
        )
        raise ModelError(
            f"run '{path.name}' has {run.meta.nq} coordinates and {run.meta.nv} speeds, its model "
            f"'{system.model.name}' {system.nq} and {system.nv}: {cure}"
        )
    known = run.meta.settings.get("system")
    whole = model is not None or LEFT_OUT not in run.meta.model
    if whole and known is not None and known != fingerprint(system):
        warnings.warn(
            f"run '{path.name}': its model or a body of it was changed since; what is drawn may differ from the run",
            stacklevel=2,
        )
    return system


def _compiled(run: Source, reader: PartReader, source: ModelSource) -> CompiledSystem:
    """Compile the model of a file with the parameters that were given other values for the run."""
    parameters: dict[str, Any] = dict(run.meta.setting("parameters", dict) or {})
    model, _, _ = read_whole(reader, source, parameters, _placed)
    try:
        return assemble(model.flatten(), CompiledSystem)
    except FloatframeError as error:
        raise model.located(error) from None


def _placed(gravity: Vector, parameters: dict[str, Scalar], tables: dict[str, Table], name: str) -> PlacedModel:
    return PlacedModel(name, parameters, tables, gravity)
