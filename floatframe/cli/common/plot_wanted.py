"""What `floatframe plot` and others make: a picture, numbers as text, a table of sizes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from floatframe.cli.common.terminal import console, with_suffix
from floatframe.viewer import PLOT_SUFFIXES

Picture = Annotated[
    Path | None, typer.Option("--output", "-o", callback=with_suffix(*PLOT_SUFFIXES), help="The picture.")
]


def show_written(paths: Iterable[str]) -> None:
    """Print which files were written."""
    for path in paths:
        console().print(f"written: {path}", markup=False)


@dataclass(frozen=True)
class Wanted:
    """What is to be made of a file; nothing of it lists what the file holds."""

    output: Picture = None
    csv: Annotated[
        Path | None, typer.Option(callback=with_suffix(".csv"), help="Write the time histories to this file.")
    ] = None
    rms: Annotated[bool, typer.Option("--rms", help="Print RMS and peak values.")] = False

    @property
    def files(self) -> list[str]:
        """The files to be written."""
        return [str(path) for path in (self.output, self.csv) if path is not None]

    def show_files(self) -> None:
        """Print what was written."""
        show_written(self.files)
