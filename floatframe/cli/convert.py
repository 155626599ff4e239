"""`floatframe convert IN OUT`: the same content in another format."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from floatframe.cli.common import (
    Json,
    ReadingSupports,
    Verbose,
    console,
    progress,
    read_file,
    show_json,
    writable,
    write,
)

EXAMPLES = """
floatframe convert input.fum body.h5
floatframe convert model.cdb model.inp --units mm-t-s
"""


def run_command(
    *,
    file: Annotated[Path, typer.Argument(metavar="IN", exists=True, dir_okay=False, help="The file to read.")],
    output: Annotated[
        Path,
        typer.Argument(metavar="OUT", callback=writable, help="The file to write; its suffix selects the format."),
    ],
    as_json: Json = False,
    how: ReadingSupports,
    verbose: Verbose = False,
) -> None:
    """Write what a file holds in another format; reports what the new one cannot store."""
    with progress(f"reading {file.name}"):
        thing = read_file(file, how).model
    with progress(f"writing {output.name}"):
        write(output, thing)
    if as_json:
        content = {"written": str(output), "kind": type(thing).__name__, "name": getattr(thing, "name", None)}
        show_json("floatframe-convert/1", content)
        return
    console().print(f"{output}: {type(thing).__name__} '{getattr(thing, 'name', '')}'", markup=False)
