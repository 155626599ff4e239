"""The finite element models that belong to what is looked at: named by --model, or known by the bodies themselves."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from floatframe.cli.common.reading import Reading, read_file
from floatframe.cli.common.terminal import complain

if TYPE_CHECKING:
    from floatframe.fem import FEModel
    from floatframe.modal import ReducedBody


def read_fe(path: Path, how: Reading) -> FEModel:
    """Return the finite element model in a file that --model names."""
    from floatframe import fem, hybrid, io

    if hybrid.is_model_file(path):
        raise typer.BadParameter(f"--model: '{path}' is a model file, expected a finite element model")
    found = read_file(path, how).model
    if not isinstance(found, fem.FEModel):
        raise typer.BadParameter(f"--model: '{path}' holds {io.in_words(found)}, expected a finite element model")
    return found


def one_fe(file: Path, how: Reading, models: list[Path]) -> FEModel | None:
    """Return the model of a body or of modes, if one is named."""
    if len(models) > 1:
        raise typer.BadParameter(f"--model: '{file}' was made from one model, found {len(models)}")
    return read_fe(models[0], how) if models else None


def model_beside(file: Path) -> list[Path]:
    """Return the file of the model whose name that of a file of modes is made from, if it is there."""
    beside = file.with_name(file.name.replace("-modes", ""))
    return [beside] if beside != file and beside.is_file() else []


def known_models(bodies: Iterable[ReducedBody], folder: Path, how: Reading) -> list[FEModel]:
    """Return the models whose stresses bodies need that keep none: those in a folder that they were reduced from.

    A file that was changed, or that does not give the nodes of the body as it is read here (other units, sets that were
    coupled), is left out.
    """
    from floatframe.viewer import belongs

    found: dict[Path, FEModel] = {}
    for body in bodies:
        path = folder / (Path(body.provenance.source).name or "?")
        if body.stress is not None or path in found or not path.is_file():
            continue
        if hashlib.sha256(path.read_bytes()).hexdigest() == body.provenance.source_hash:
            fe = read_fe(path, how)
            if belongs(body, fe):
                found[path] = fe
            else:
                complain(
                    f"{path.name}: body '{body.name}' was reduced from it, read with other options; give them: "
                    f"--model {path.name} with --units or --couple"
                )
    return list(found.values())
