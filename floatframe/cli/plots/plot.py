"""`floatframe plot run.h5 CHANNEL…`: histories of a simulation, their frequencies; sweeps; matrices, modes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from floatframe.cli.common import Json, Verbose, Wanted
from floatframe.cli.plots.plot_models import Pictures, draw_picture
from floatframe.cli.plots.plot_runs import Axes, OverFrequency, Span, plot_run_file
from floatframe.cli.plots.plot_sweep import SweepView, plot_sweep_file

EXAMPLES = """
floatframe plot run.h5
floatframe plot run.h5 A.force crank.angular_velocity.z -o force.png
floatframe plot a.h5 b.h5 A.force.x -o both.png
floatframe plot run.h5 A.force.x B.force.x --unit kN --xlim 0:1 --label left --label right -o axes.png
floatframe plot run.h5 A.force.x --psd --up-to 200 -o psd.png
floatframe plot run.h5 A.force --rms --csv force.csv
floatframe plot run.h5 'A.force.x - B.force.x:lowpass(20)' 'A.force.x:detrend:rms,crest,line(14)' -o sum.png
floatframe plot frame.cdb --sparsity -o k.png
floatframe plot input.fum --mac frame-modes.h5 -o mac.png
floatframe plot input.fum --errors frame.cdb -o errors.png
floatframe plot sweep.h5 frame.velocity.z:rms --over phi --where alpha=0 -o curve.png
floatframe plot modes.h5 -o campbell.png
"""


def run_command(
    *,
    file: Annotated[
        Path,
        typer.Argument(exists=True, dir_okay=False, help="A run, a sweep, a model, modes or a reduced body."),
    ],
    channels: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="CHANNEL",
            help="A.force, A.force.x, A.force.x + B.force.x; filtered and measured: A.force.x:lowpass(20):rms,crest; "
            "of a sweep a column: A.force.x:rms. More runs (b.h5) among them are drawn in the same diagrams.",
        ),
    ] = None,
    wanted: Wanted,
    over_frequency: OverFrequency,
    pictures: Pictures,
    span: Span,
    axes: Axes,
    sweep: SweepView,
    as_json: Json = False,
    verbose: Verbose = False,
) -> None:
    """Draw channels of a result file over time or frequency, list them, or draw what is known of a model or body.

    Columns of a sweep are drawn over a parameter as curves, over two as a map, or --over one of them as a family of
    curves; a linear sweep without columns as frequencies over its parameter.
    """
    from floatframe import io

    if file.suffix.lower() == ".toml":
        run = file.with_suffix(".h5").name
        raise typer.BadParameter(
            f"'{file.name}' is a model file without results; first run: floatframe simulate {file.name} -o {run}"
        )
    names = channels or []
    if len(over_frequency.given) + len(pictures.given) > 1:
        known = ", ".join(f"--{name}" for name in (*over_frequency.options, *pictures.options))
        raise typer.BadParameter(f"choose one of {known}")
    if io.format_of(file).holds is io.SweepResult:
        for option in [
            *over_frequency.given,
            *pictures.given,
            *(["rms"] if wanted.rms else []),
            *span.given,
            *axes.given,
        ]:
            raise typer.BadParameter(f"--{option} does not apply to sweeps; '{file.name}' holds a sweep")
        plot_sweep_file(file, names, wanted, sweep, as_json)
        return
    if sweep.given:
        raise typer.BadParameter(f"--over, --where and --orders apply to sweeps only; '{file.name}' does not hold one")
    if pictures.given:
        if axes.given:
            raise typer.BadParameter(f"--{axes.given[0]} applies to channels of runs only")
        draw_picture(file, pictures, names, wanted, as_json)
        return
    plot_run_file(file, names, wanted, over_frequency, span, axes, as_json)
