"""`floatframe studio [FOLDER|FILE]`: the program in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from floatframe.cli.common import Verbose

EXAMPLES = """
floatframe studio
floatframe studio my-machine
floatframe studio my-machine/run.h5
floatframe studio --window
"""


def run_command(
    place: Annotated[
        Path, typer.Argument(metavar="FOLDER|FILE", exists=True, help="The project folder, or a file in it to open.")
    ] = Path("."),
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0: any that is free.", show_default=False)] = 0,
    show: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the browser.")] = True,
    window: Annotated[bool, typer.Option("--window", help="Open a window of the desktop instead.")] = False,
    verbose: Verbose = False,
) -> None:
    """Open Floatframe Studio in the browser: decks, bodies, machines and runs of a folder by clicks.

    Only this machine can reach it, with the address that is printed; nothing outside the folder is read or written.
    It ends when its last tab is closed, or by Ctrl-C.
    """
    from floatframe.studio import start_studio

    folder, file = (place, "") if place.is_dir() else (place.parent, place.name)
    start_studio(folder, file, port, show, window, say=lambda address: typer.echo(f"Floatframe Studio: {address}"))
