"""What was measured, from a table as CSV: histories of channels, or frequencies with damping and shapes."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from floatframe.arrays import Array, short_repr
from floatframe.errors import ModelError, ReadError
from floatframe.userfiles import file_text, line_of_data

_TIMES = ("t", "time")
_UNIT = re.compile(r"\s*\[([^\[\]]*)\]\s*$")  # behind a heading: t [s]; a node number stands inside one
_NOT_SI = frozenset(("ms", "us", "min", "h", "mm", "cm", "um", "km", "in", "ft", "g", "kN", "deg", "°", "kHz", "MPa"))


@short_repr
@dataclass(frozen=True)
class Measured:
    """Histories: times (nt,) [s] that increase, and values (nt,) by the channel that was measured."""

    t: Array
    histories: Mapping[str, Array]

    def __post_init__(self) -> None:
        if len(self.t) < 2 or not (np.diff(self.t) > 0).all():
            raise ModelError("measured times must increase, with two of them at least")
        if not self.histories:
            raise ModelError("nothing is measured beside the time; give columns with names of channels")


@short_repr
@dataclass(frozen=True)
class MeasuredModes:
    """Modes: frequencies (n,) [Hz], damping ratios (n,) or none, and displacements (n,) of channels in each shape."""

    frequency: Array
    damping: Array | None = None
    shapes: Mapping[str, Array] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not (len(self.frequency) and (self.frequency > 0).all()):
            raise ModelError("measured frequencies must be positive, with one of them at least")


def read_measured(path: str | Path) -> Measured | MeasuredModes:
    """Read a table: a line of headings, then numbers; the heading `t` or `time` begins histories, `frequency` modes."""
    path = Path(path)
    try:
        rows = [row for row in csv.reader(file_text(path, "utf-8-sig").splitlines()) if row]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise ReadError(f"{path}: cannot be read: {error}") from None
    if len(rows) < 2:
        raise ReadError(f"{path}: found {len(rows)} lines, expected headings and numbers below them")
    names = [_UNIT.sub("", heading).strip() for heading in rows[0]]
    for heading in rows[0]:
        unit = _UNIT.search(heading)
        if unit and unit[1].strip().split("/")[0] in _NOT_SI:
            raise ReadError(
                f"{path}: the unit of column {line_of_data(path, heading.strip())} is not one of SI; convert its values"
            )
    if len(set(names)) < len(names):
        raise ReadError(f"{path}: two columns have the same heading; each names another channel")
    values = np.array([_numbers(path, k, row, len(names)) for k, row in enumerate(rows[1:], start=2)])
    columns = dict(zip(names, values.T, strict=True))
    try:
        for name in _TIMES:
            if name in columns:
                return Measured(columns.pop(name), columns)
        if "frequency" in columns:
            return MeasuredModes(columns.pop("frequency"), columns.pop("damping", None), columns)
    except ModelError as error:
        raise ReadError(f"{path}: {error}") from None
    raise ReadError(
        f"{path}: found the columns {line_of_data(path, ', '.join(names))}, expected one named 't' or 'frequency'"
    )


def _numbers(path: Path, line: int, row: list[str], count: int) -> list[float]:
    if len(row) != count:
        raise ReadError(f"{path}:{line}: found {len(row)} values, expected {count} as there are headings")
    try:
        values = [float(text) for text in row]
    except ValueError:
        raise ReadError(f"{path}:{line}: found {line_of_data(path, ', '.join(row))}, expected numbers") from None
    if not np.isfinite(values).all():
        raise ReadError(f"{path}:{line}: every value must be finite; leave out lines with gaps")
    return values
