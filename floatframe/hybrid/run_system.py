"""The system of a run, compiled again from the model text the run keeps."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from floatframe.errors import FloatframeError, ModelError
from floatframe.hybrid.model_file import read_model, read_model_text
from floatframe.hybrid.modelfile import LEFT_OUT, NOT_KEPT, unpacked
from floatframe.hybrid.results import Results as Results
from floatframe.hybrid.simulation import fingerprint

if TYPE_CHECKING:
    from floatframe.hybrid.assembly import CompiledSystem


def system_of(result: Results, model: str | Path | None = None) -> CompiledSystem:
    """Return the system of a run: the one that was simulated, or one made of the model text in the file.

    model: a model file to take instead. Files of flexible bodies are looked for beside the run.
    """
    if model is None and result.system is not None:
        return result.system
    path = getattr(result.source, "path", Path("results"))
    if model is not None:
        system: CompiledSystem = read_model(model, _parameters(result)).model.compile()
    elif result.meta.model:
        try:
            with unpacked(getattr(result.source, "files", {})) as files:
                system = read_model_text(result.meta.model, path, _parameters(result), files).model.compile()
        except FloatframeError as error:
            raise ModelError(
                f"the model of run '{path.name}' cannot be rebuilt: {error}; put the files it needs beside the "
                "run, or give its model file (model=, on the command line --model)"
            ) from error
    else:
        reason = result.meta.settings.get(NOT_KEPT, "")
        raise ModelError(
            f"run '{path.name}' has no model text to rebuild its bodies from{f' ({reason})' if reason else ''}; "
            "give its model file (model=, on the command line --model) or its system"
        )
    if (system.nq, system.nv) != (result.meta.nq, result.meta.nv):
        cure = (
            "a body or the model was changed since; run it again" if model is None else "give the one it was run with"
        )
        raise ModelError(
            f"run '{path.name}' has {result.meta.nq} coordinates and {result.meta.nv} speeds, its model "
            f"'{system.model.name}' {system.nq} and {system.nv}: {cure}"
        )
    known = result.meta.settings.get("system")
    whole = model is not None or LEFT_OUT not in result.meta.model
    if whole and known is not None and known != fingerprint(system):
        warnings.warn(
            f"run '{path.name}': its model or a body of it was changed since; what is drawn may differ from the run",
            stacklevel=2,
        )
    return system


def _parameters(result: Results) -> dict[str, Any]:
    """Return the parameters that were given other values for the run."""
    return dict(result.meta.settings.get("parameters") or {})


Results.find_system = staticmethod(system_of)
