"""`floatframe convert IN OUT`: the same content in another format."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from floatframe.cli.reading import Couple, NoSupports, Options, Props, Reading, Strict, Units, read_file
from floatframe.cli.terminal import Verbose, console, progress
from floatframe.cli.writing import write

EXAMPLES = "Example: floatframe convert input.fum body.h5"


def run_command(
    file: Annotated[Path, typer.Argument(metavar="IN", exists=True, dir_okay=False, help="Any file that can be read.")],
    output: Annotated[Path, typer.Argument(metavar="OUT", help="The suffix names the format.")],
    units: Units = None,
    strict: Strict = False,
    props: Props = None,
    options: Options = None,
    couple: Couple = None,
    no_supports: NoSupports = False,
    verbose: Verbose = False,
) -> None:
    """Write what a file holds in another format; says what the new one has no room for."""
    if output.exists() and output.samefile(file):
        raise typer.BadParameter(f"'{output}' is the file to be read; give OUT another name, or the original is lost")
    with progress(f"reading {file.name}"):
        thing = read_file(file, Reading(units, strict, props, options, couple, no_supports)).model
    with progress(f"writing {output.name}"):
        write(output, thing)
    console().print(f"{output}: {type(thing).__name__} '{getattr(thing, 'name', '')}'", markup=False)
