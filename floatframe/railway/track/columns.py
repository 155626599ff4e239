"""Text files with named columns of numbers, such as spreadsheets write: the headings name quantity and unit."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from floatframe.arrays import Array, short_repr
from floatframe.errors import ReadError
from floatframe.userfiles import file_text, line_of_data
from floatframe.wording import did_you_mean

_UNITS = {"": 1.0, "-": 1.0, "m": 1.0, "mm": 1e-3, "cm": 1e-2, "km": 1e3, "1/m": 1.0, "1/km": 1e-3, "rad/m": 1.0}
_UNITS |= {"%": 1e-2, "‰": 1e-3, "permille": 1e-3}
_HEADING = re.compile(r"(?P<name>[^\[\](]*?)\s*(?:[\[(](?P<unit>[^\])]*)[\])])?")


@short_repr
@dataclass(frozen=True, eq=False)
class Columns:
    """Columns of a file by name, in SI units; NaN where a cell is empty."""

    path: Path
    values: dict[str, Array]  # (n,) each
    lines: tuple[int, ...]  # of the file, one per row

    def error(self, row: int, text: str) -> ReadError:
        """Return the error that says so about a row."""
        line = self.lines[row]
        return ReadError(f"{self.path}:{line}: {text}", path=self.path, line=line)

    def require_complete(self, *names: str) -> None:
        """Refuse empty cells and values that are not finite."""
        for name in names:
            if (bad := np.flatnonzero(~np.isfinite(self.values[name]))).size:
                raise self.error(int(bad[0]), f"{name} is empty or not finite, expected a number")


def read_columns(path: str | Path, known: Sequence[str]) -> Columns:
    """Read a file whose first line names its columns: s [m], cant [mm], …; commas, semicolons or blanks between them.

    With semicolons 1,5 is a number too. Lines that begin with # are comments.
    """
    path = Path(path)
    try:
        text = file_text(path, "utf-8-sig")
    except OSError as error:
        raise ReadError(f"{path}: cannot be read: {error.strerror or error}", path=path) from None
    except UnicodeDecodeError:
        raise ReadError(f"{path}: is not UTF-8 text; expected columns of numbers", path=path) from None
    rows = [(k, line.strip()) for k, line in enumerate(text.splitlines(), start=1)]
    rows = [(k, line) for k, line in rows if line and not line.startswith("#")]
    if len(rows) < 3:
        raise ReadError(
            f"{path}: found {max(len(rows) - 1, 0)} rows, expected headings and two rows or more", path=path
        )
    head, body = rows[0], rows[1:]
    names, factors = _headings(path, *head, known)
    table = np.array([_row(path, *row, len(names)) for row in body]) * factors
    values = {name: table[:, k] for k, name in enumerate(names)}
    return Columns(path, values, tuple(k for k, _ in body))


def _headings(path: Path, number: int, line: str, known: Sequence[str]) -> tuple[list[str], list[float]]:
    names, factors = [], []
    for cell in _cells(line, headings=True):
        found = _HEADING.fullmatch(cell)
        name = found["name"].strip().lower().replace(" ", "_") if found else cell
        unit = ((found["unit"] if found else "") or "").strip()
        problem = ""
        if name not in known:
            problem = f"unknown column {line_of_data(path, cell)}{did_you_mean(name, known)}"
        elif name in names:
            problem = f"column '{name}' stands there twice"
        elif unit not in _UNITS:
            problem = f"unknown unit '{unit}' of column '{name}'{did_you_mean(unit, _UNITS)}"
        if problem:
            raise ReadError(f"{path}:{number}: {problem}", path=path, line=number)
        names.append(name)
        factors.append(_UNITS[unit])
    return names, factors


def _row(path: Path, number: int, line: str, count: int) -> list[float]:
    cells = _cells(line)
    cells += [""] * (count - len(cells))
    try:
        values = [float(cell.replace(",", ".")) if cell else np.nan for cell in cells]
    except ValueError:
        values = []
    named = any(cell and np.isnan(value) for cell, value in zip(cells, values, strict=False))
    if len(values) != count or named:
        words = f"found {line_of_data(path, line)}, expected {count} number{'s' if count > 1 else ''}"
        raise ReadError(f"{path}:{number}: {words}", path=path, line=number)
    return values


def _cells(line: str, headings: bool = False) -> list[str]:
    apart = ";" if ";" in line else "," if "," in line else "\t" if "\t" in line else None
    if apart is None and headings:  # a blank may stand before a unit
        return re.findall(r"[^\s\[(]+(?:\s*[\[(][^\])]*[\])])?", line)
    return [cell.strip().strip("\"'") for cell in line.split(apart)]
