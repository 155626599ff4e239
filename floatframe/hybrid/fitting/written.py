"""A model file with other values of its parameters: the text of the user, in which only the numbers change."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path

from floatframe.errors import WriteError
from floatframe.hybrid.flat import given_parameters
from floatframe.hybrid.model_file import ModelFile
from floatframe.io import complete_file
from floatframe.tomlfile import files_in, with_value


def fitted_text(file: ModelFile, values: Mapping[str, float]) -> str:
    """The text of a model file with values of parameters of its own; comments and order stay.

    Values with which the file was read are put in too.
    """
    text, content = file.text, tomllib.loads(file.text)
    if file.model.source.content != content:
        raise WriteError(
            f"{file.path.name} was read with other values at places such as body[box].mass, which are not written; "
            "give the number there the name of a parameter"
        )
    for name, value in {**given_parameters(file.model, file.parameters), **values}.items():
        if name not in content.get("parameters", {}):
            raise WriteError(
                f"parameter '{name}' is not in [parameters] of {file.path.name}; values of parts in files of their own "
                "are put in by hand"
            )
        text = with_value(text, ("parameters",), name, value)
    return text


def write_fitted(file: ModelFile, values: Mapping[str, float], path: str | Path) -> None:
    """Write a model file with other values of its parameters; files it names must stay beside it."""
    path = Path(path)
    if path.resolve().parent != file.path.resolve().parent and (named := list(files_in(tomllib.loads(file.text)))):
        raise WriteError(
            f"'{path}' is in another folder than {file.path.name}, which names files beside it ({', '.join(named)}); "
            f"write it to {file.path.parent}"
        )
    text = fitted_text(file, values)
    with complete_file(path) as temporary:
        temporary.write_text(text, encoding="utf-8")
