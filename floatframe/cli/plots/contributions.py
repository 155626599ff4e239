"""`floatframe contributions RUN.h5 CHANNEL`: which modes make up a motion, as table, numbers and bars."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from floatframe.cli.common import (
    Json,
    Picture,
    Verbose,
    asked,
    console,
    printed_warnings,
    progress,
    show_json,
    show_written,
    table,
    with_suffix,
)

EXAMPLES = """
floatframe contributions run.h5 'frame.node[12].position.z'
floatframe contributions run.h5 'frame.node[12].acceleration.z' --by frame --from 2 --to 5 -o bars.png
floatframe contributions run.h5 'frame.node[12].position.z' --from 2 --unit mm --most 6
floatframe contributions run.h5 'seat.position.z - cab.position.z' --csv parts.csv --json
"""


class Mean(StrEnum):
    """What becomes of the means over the time looked at."""

    removed = "removed"
    kept = "kept"


class About(StrEnum):
    """The state about which the motion is small."""

    equilibrium = "equilibrium"
    start = "start"


@dataclass(frozen=True)
class Parts:
    """Which parts are looked at, and when."""

    by: Annotated[
        str, typer.Option(help="system: modes of the assembled system; or a flexible body: its modal coordinates.")
    ] = "system"
    modes: Annotated[
        int | None, typer.Option("-n", min=1, help="Number of modes, from the lowest up; default: all.")
    ] = None
    start: Annotated[float | None, typer.Option("--from", help="First time [s].")] = None
    end: Annotated[float | None, typer.Option("--to", help="Last time [s].")] = None
    mean: Annotated[Mean, typer.Option(help="Whether means over that time are removed.")] = Mean.removed
    at: Annotated[About, typer.Option(help="State about which the motion is small.")] = About.equilibrium
    unit: Annotated[str | None, typer.Option(metavar="UNIT", help="Show the parts in mm, kN, deg …")] = None
    most: Annotated[int, typer.Option(min=1, help="Rows of the table and bars, largest first.")] = 12


def run_command(
    *,
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="A run that kept its coordinates.")],
    channel: Annotated[
        str, typer.Argument(metavar="CHANNEL", help="One component, or an expression: 'frame.node[12].position.z'.")
    ],
    parts: Parts,
    output: Picture = None,
    csv: Annotated[Path | None, typer.Option(callback=with_suffix(".csv"), help="Write all rows to this file.")] = None,
    as_json: Json = False,
    verbose: Verbose = False,
) -> None:
    """Split a channel of a run into the contributions of modes: amplitude, RMS and share of each.

    Shares are means of part times whole over the mean of whole squared; they add up to 100 %, and parts against the
    others are negative. The rest is what modes do not explain.
    """
    from floatframe import hybrid, viewer

    if file.suffix.lower() == ".toml":
        raise typer.BadParameter(f"'{file.name}' is a model file without results; first run: floatframe simulate")
    results = hybrid.Results.open(file)
    with printed_warnings(file), asked(), progress(f"parts of {channel}"):
        found = hybrid.contributions(
            *(results, channel, parts.by),
            modes=parts.modes,
            start=parts.start,
            end=parts.end,
            mean=parts.mean.value,
            at=parts.at.value,
        )
        if parts.unit is not None:
            found = found.times(viewer.unit_factor(found.unit, parts.unit), parts.unit)
        rows = found.rows()
        if csv is not None:
            _write(csv, rows, found.unit)
        if output is not None:
            names = [name.rpartition(" ")[2] for name in found.names]
            viewer.plot_contributions(
                *(found.numbers, output, found.frequency, found.unit, f"{file.name}: {channel}", parts.most, names)
            )
    written = [str(path) for path in (output, csv) if path is not None]
    if as_json:
        whole = {"rms": float(found.numbers.total_rms), "amplitude": float(found.numbers.total_peak)}
        content = {"file": str(file), "channel": channel, "unit": found.unit, "by": parts.by, "whole": whole}
        show_json("floatframe-contributions/1", {**content, "modes": rows, "written": written})
        return
    shown = sorted(found.numbers.ranking()[: parts.most].tolist())
    if (last := len(rows) - 1) not in shown:
        shown.append(last)  # what is not explained is always shown
    largest = [rows[k] for k in shown]
    unit = f" [{found.unit}]" if found.unit else ""
    cells = {
        "mode": [str(row["mode"]) for row in largest],
        "frequency [Hz]": ["" if row["frequency_hz"] is None else f"{row['frequency_hz']:.4g}" for row in largest],
        f"amplitude{unit}": [f"{row['amplitude']:.4g}" for row in largest],
        f"RMS{unit}": [f"{row['rms']:.4g}" for row in largest],
        "share [%]": [f"{100 * row['share']:.2f}" for row in largest],
    }
    rms, amplitude = float(found.numbers.total_rms), float(found.numbers.total_peak)
    console().print(table(f"{channel}: RMS {rms:.4g}, amplitude {amplitude:.4g} {found.unit}".rstrip(), cells))
    show_written(written)


def _write(path: Path, rows: list[dict[str, Any]], unit: str) -> None:
    from floatframe.io import write_csv

    headings = ["mode", "frequency [Hz]", f"amplitude [{unit}]", f"RMS [{unit}]", "share"]
    write_csv(path, headings, [list(row.values()) for row in rows])
