"""`floatframe report FILE -o report.html`: one page with what was computed, tables, plots, pictures, provenance."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer

from floatframe.cli.hybrid_models import Set, given_parameters
from floatframe.cli.terminal import Json, Verbose, asked, console, progress, show_json, with_suffix

EXAMPLES = """
floatframe report input.fum -o body.html
floatframe report run.h5 --channel A.force -o report.html
floatframe report sweep.h5 -o sweep.html
"""


def run_command(
    file: Annotated[
        Path,
        typer.Argument(exists=True, dir_okay=False, help="A model, a reduced body, a model file, a run or a sweep."),
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", callback=with_suffix(".html", ".htm"), help="The report.")
    ] = Path("report.html"),
    modes: Annotated[int, typer.Option("--modes", min=0, help="How many modes to draw.")] = 6,
    channels: Annotated[
        list[str] | None,
        typer.Option("--channel", metavar="CHANNEL", help="A channel of a run, or column of a sweep, to plot."),
    ] = None,
    values: Set = None,
    as_json: Json = False,
    verbose: Verbose = False,
) -> None:
    """Write one self-contained page for the browser about a model, a body, a run or a sweep."""
    from floatframe import hybrid, viewer

    if values and not hybrid.is_model_file(file):
        raise typer.BadParameter("--set belongs to a model file")
    if channels and (hybrid.is_model_file(file) or not _has_channels(file)):
        raise typer.BadParameter(f"--channel belongs to a run or a sweep; '{file}' is none")
    # an unknown channel is wrong use; without channels nothing that is asked for can be wrong
    with progress(f"writing {output.name}") as show_progress, asked() if channels else nullcontext():
        written = viewer.report(file, output, modes, channels or (), given_parameters(values), progress=show_progress)
    if as_json:
        show_json({"file": str(file), "written": str(written), "bytes": written.stat().st_size})
        return
    console().print(f"wrote {written}", soft_wrap=True, markup=False)


def _has_channels(file: Path) -> bool:
    from floatframe import fem, io, modal

    holds = io.format_of(file).holds
    without = (fem.FEModel, fem.MatrixModel, modal.ReducedBody, io.NodalModes)
    return not any(issubclass(kind, without) for kind in (holds if isinstance(holds, tuple) else (holds,)))
