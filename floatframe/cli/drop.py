"""`floatframe drop input.fum`: a smaller body from a larger one, without a new eigenanalysis."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from floatframe.cli.common import Json, Verbose, asked, numbers, show_json, with_suffix, write
from floatframe.cli.info import show

EXAMPLES = """
floatframe drop input.fum --modes 3,5 -o small.fum
floatframe drop input.fum --keep 1-10 -o small.h5
"""


def run_command(
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="A reduced body.")],
    output: Annotated[
        Path,
        typer.Option(
            "-o",
            "--output",
            callback=with_suffix(".fum", ".h5", ".hdf5", marks=("input.fum-hdf5",)),
            help="input.fum or an HDF5 file.",
        ),
    ],
    modes: Annotated[str, typer.Option(metavar="NUMBERS", help="Leave these out: 3,5 or 8-20.")] = "",
    keep: Annotated[str, typer.Option(metavar="NUMBERS", help="Keep only these eigenmodes.")] = "",
    as_json: Json = False,
    verbose: Verbose = False,
) -> None:
    """Leave out eigenmodes, counted from 1 as `info` shows them, and print which frequencies this changes."""
    from floatframe import io, modal

    if bool(modes) == bool(keep):
        raise typer.BadParameter("give either --modes or --keep")
    body = io.read(file)
    if not isinstance(body, modal.ReducedBody):
        raise typer.BadParameter(f"'{file}' holds {io.in_words(body)}, expected a reduced body")
    with asked("--modes" if modes else "--keep"):
        smaller = body.drop(numbers(modes, "--modes")) if modes else body.keep(numbers(keep, "--keep"))
    changes = modal.effect_of_dropping(body, smaller)
    write(output, smaller)
    description: dict[str, Any] = {
        "name": smaller.name,
        "eigenmode_count": smaller.n_eigen,
        "static_shape_count": smaller.n_static,
        "notes": [note for note in smaller.notes if note not in body.notes],
        "written": str(output),
        "changed_frequencies": [
            {
                "support": change.support,
                "mode": change.mode,
                "before_hz": change.before,
                "after_hz": change.after,
                "relative_change": change.relative,
            }
            for change in changes
        ],
    }
    if as_json:
        show_json("floatframe-drop/1", description)
    else:
        show(description)
