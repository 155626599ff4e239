"""Tables as CSV: one heading line, every number in the shortest form that reads back exactly."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

from floatframe.arrays import Array
from floatframe.io.atomic import complete_file
from floatframe.io.format import PathLike


def write_csv(path: PathLike, headings: Sequence[str], rows: Array | Sequence[Sequence[str | float | None]]) -> None:
    """Write rows (n, ncolumn) under their headings, None as nothing; the file appears only when it is complete."""
    with complete_file(Path(path)) as temporary, open(temporary, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(headings)
        writer.writerows(rows if isinstance(rows, Sequence) else rows.tolist())
