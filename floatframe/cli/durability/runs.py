"""The flexible body of a run that stresses are asked of."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from floatframe.cli.common import printed_warnings, progress

if TYPE_CHECKING:
    from floatframe.hybrid import Recovered


def stressed_body(file: Path, name: str) -> Recovered:
    """Return what the stresses of a body in a run follow from; its only flexible body need not be named."""
    from floatframe import hybrid

    if file.suffix.lower() == ".toml":
        raise typer.BadParameter(f"'{file.name}' is a model file without results; first run: floatframe simulate")
    with printed_warnings(file), progress(f"reading {file.name}"):
        result = hybrid.Results.open(file)
        system = hybrid.system_of(result)
    known = [body.name for body in system.model.bodies if body.reduced is not None]
    if not name and len(known) != 1:
        raise typer.BadParameter(
            f"--body: name one of the flexible bodies of '{file.name}': {', '.join(known) or 'none'}"
        )
    if name and name not in known:
        raise typer.BadParameter(f"--body: flexible body '{name}' does not exist; flexible bodies: {', '.join(known)}")
    with warnings.catch_warnings(), progress("stresses"):
        warnings.simplefilter("ignore", UserWarning)  # those of the model are printed above
        return result.stress(name or known[0])
