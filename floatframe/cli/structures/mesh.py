"""`floatframe mesh FILE.toml`: the finite element model that a mesh file describes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from floatframe.cli.common import (
    Json,
    Set,
    Verbose,
    given_parameters,
    progress,
    show_json,
    with_suffix,
    writable,
    write,
)
from floatframe.cli.info import show
from floatframe.errors import ReadError

if TYPE_CHECKING:
    from floatframe.fem import FEModel

EXAMPLES = """
floatframe mesh frame.toml
floatframe mesh frame.toml -o frame.h5
floatframe mesh frame.toml --set height=0.6 -o frame.inp --save frame.png
"""


def run_command(
    *,
    file: Annotated[Path, typer.Argument(metavar="MESH.toml", exists=True, dir_okay=False, help="A mesh file.")],
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", callback=writable, help="The model; the suffix selects the format."),
    ] = None,
    values: Set = None,
    save: Annotated[Path | None, typer.Option(callback=with_suffix(".png"), help="Picture of the model.")] = None,
    as_json: Json = False,
    verbose: Verbose = False,
) -> None:
    """Build the finite element model that a mesh file describes, check it, write or draw it.

    info, view, modes, reduce and the other commands take mesh files themselves; this one also sets parameters.
    """
    from floatframe import fem, io

    if not fem.is_mesh_file(file):
        raise ReadError(f"'{file}' is not a mesh file, which begins with format = \"floatframe-mesh/1\"")
    if save is not None:
        from floatframe import viewer

        viewer.require_rendering()
    with progress(f"building {file.name}"):
        fe = _built(file, values)
        description = io.describe(fe)
    if output is not None:
        write(output, fe)
        description["written"] = str(output)
    if save is not None:
        viewer.picture(fe, save, title=fe.name)
    if as_json:
        show_json("floatframe-mesh/1", description)
    else:
        show(description)


def _built(file: Path, values: list[str] | None) -> FEModel:
    """Return the model; what is wrong with values of parameters is wrong use of the command."""
    from floatframe import io
    from floatframe.errors import ModelError

    try:
        return io.read(file, parameters=given_parameters(values))
    except ModelError as error:
        if getattr(error, "path", None) is not None:
            raise
        raise typer.BadParameter(f"--set: {str(error).splitlines()[0]}") from error
