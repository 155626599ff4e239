"""`floatframe info FILE`: what is in a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from floatframe.cli.terminal import Json, Verbose, console, progress, show_json, table

EXAMPLES = "Example: floatframe info model.h5"


def run_command(
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="A model file.")],
    as_json: Json = False,
    verbose: Verbose = False,
) -> None:
    """Print what is in a file: counts, properties, and what the model check finds."""
    from floatframe import io

    with progress(f"reading {file.name}"):
        description = io.describe(io.read(file))
    if as_json:
        show_json(description)
    else:
        show(description)


def show(description: dict[str, Any]) -> None:
    """Print numbers and words first, then one table per mapping or list of records."""
    out = console()
    simple = {key: value for key, value in description.items() if not isinstance(value, dict | list)}
    width = max(map(len, simple))
    for key, value in simple.items():
        out.print(f"{key:<{width}}  {_word(value)}", markup=False)
    for key, value in description.items():
        if isinstance(value, dict | list) and value:
            out.print()
            _show_part(out, key, value)


def _show_part(out: Any, title: str, content: dict[str, Any] | list[Any]) -> None:
    if isinstance(content, dict):
        out.print(table(title, {"": list(content), " ": [_word(value) for value in content.values()]}))
    elif isinstance(content[0], dict):
        headings = dict.fromkeys(key for record in content for key in record)
        cells = {key: [_word(record.get(key, "")) for record in content] for key in headings}
        out.print(table(title, cells))
    else:
        out.print(title)
        for entry in content:
            out.print(f"  {_word(entry)}", markup=False)


def _word(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, list | tuple):
        return "  ".join(_word(part) for part in value)
    return str(value)
