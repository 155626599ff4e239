"""A model file with other values of its parameters: the text of the user, in which only the numbers change."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path

from floatframe.errors import WriteError
from floatframe.hybrid.model_file import ModelFile
from floatframe.io import complete_file
from floatframe.tomlfile import files_in


def fitted_text(file: ModelFile, values: Mapping[str, float]) -> str:
    """The text of a model file with values of parameters of its own; comments and order stay."""
    lines = file.text.splitlines(keepends=True)
    for name, value in values.items():
        row = _line_of(file, lines, name)
        assigned = re.match(r"(\s*[^=]+=\s*)([^#\n]*?)(\s*(?:#.*)?\n?)$", lines[row])
        if assigned is None:
            raise WriteError(f"{file.path.name}:{row + 1}: parameter '{name}' does not stand alone in its line")
        lines[row] = f"{assigned[1]}{value!r}{assigned[3]}"
    text = "".join(lines)
    if {**tomllib.loads(file.text)["parameters"], **values} != tomllib.loads(text)["parameters"]:
        raise WriteError(f"{file.path.name}: the values of {', '.join(values)} could not be put into the text")
    return text


def _line_of(file: ModelFile, lines: list[str], name: str) -> int:
    """The number of the line, from 0, that gives a parameter its value."""
    inside = False
    for row, line in enumerate(lines):
        if re.match(r"\s*\[", line):
            inside = re.match(r"\s*\[\s*parameters\s*\]", line) is not None
        elif inside and re.match(rf"\s*[\"']?{re.escape(name)}[\"']?\s*=", line):
            return row
    raise WriteError(
        f"parameter '{name}' is not in [parameters] of {file.path.name}; values of parts in files of their own are "
        "put in by hand"
    )


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
