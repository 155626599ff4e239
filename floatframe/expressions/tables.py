"""Tables y(x): straight lines or a cubic that never overshoots the data; held, continued or repeated beyond the ends.

A table becomes polynomial pieces about their left ends, one before the first knot, one per interval and one behind the
last knot, so that a look-up is a search and one polynomial, whatever the kind of the table.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike

from floatframe.arrays import Array, IntArray, short_repr
from floatframe.errors import ModelError, ReadError
from floatframe.userfiles import file_text, line_of_data

Kind = Literal["linear", "cubic", "spline"]


@short_repr
@dataclass(frozen=True, eq=False)
class Table:
    """Data y (n,) at increasing x (n,), n >= 2."""

    x: ArrayLike
    y: ArrayLike
    extrapolate: bool = False  # beyond the ends: False holds the last value, True goes on with the last slope
    kind: Kind = "linear"  # cubic: monotone where the data are (PCHIP), with a continuous slope; spline: smoother
    name: str = ""
    periodic: bool = False  # beyond the ends: True begins again, the last y being the first one

    def __post_init__(self) -> None:
        label = f"table {self.name}" if self.name else "table"
        x, y = _numbers(self.x, f"x of {label}"), _numbers(self.y, f"y of {label}")
        if x.shape != y.shape:
            raise ModelError(f"{label} has {x.size} values x but {y.size} values y; it needs as many of both")
        if fault := _fault(x, y):
            raise ModelError(f"{label}, row {fault.row + 1}: {fault.text}")
        if self.kind not in get_args(Kind):
            raise ModelError(f"{label} has kind '{self.kind}', expected one of {', '.join(get_args(Kind))}")
        if self.periodic and (self.extrapolate or y[0] != y[-1]):
            found = (
                "also goes on beyond its ends" if self.extrapolate else f"begins with {y[0]:g} and ends with {y[-1]:g}"
            )
            raise ModelError(f"{label} is periodic and {found}; expected one of both, and the same y at both ends")
        object.__setattr__(self, "x", x)
        object.__setattr__(self, "y", y)

    @cached_property
    def pieces(self) -> tuple[Array, Array]:
        """Left ends (n+1,) and polynomial coefficients (n+1, 4), lowest first; piece j begins at knot j-1."""
        x, y = np.asarray(self.x), np.asarray(self.y)
        h, secant = np.diff(x), np.diff(y) / np.diff(x)
        inner = np.zeros((x.size - 1, 4))
        inner[:, 0] = y[:-1]
        if self.kind == "linear":
            inner[:, 1] = secant
            ends = secant[0], secant[-1]
        else:
            slope = _monotone_slopes(h, secant) if self.kind == "cubic" else _spline_slopes(x, y, self.periodic)
            inner[:, 1] = slope[:-1]
            inner[:, 2] = (3 * secant - 2 * slope[:-1] - slope[1:]) / h
            inner[:, 3] = (slope[:-1] + slope[1:] - 2 * secant) / h**2
            ends = slope[0], slope[-1]
        before, behind = (
            [value, slope * self.extrapolate, 0, 0] for value, slope in zip(y[[0, -1]], ends, strict=True)
        )
        return np.r_[x[0], x], np.vstack([before, inner, inner[0] if self.periodic else behind])

    def value(self, x: float, order: int = 0) -> float:
        """Return the table (order 0), its slope (1) or its curvature (2) at x; at a knot those of the right side."""
        left, coefficients = self.pieces
        x = left[0] + (x - left[0]) % (left[-1] - left[0]) if self.periodic else x
        piece = int(np.searchsorted(left[1:], x, side="right")) if x >= left[0] else 0
        d = float(x - left[piece])
        c0, c1, c2, c3 = coefficients[piece].tolist()
        if order == 0:
            return float(c0 + d * (c1 + d * (c2 + d * c3)))
        return float(c1 + d * (2 * c2 + d * 3 * c3) if order == 1 else 2 * c2 + d * 6 * c3)


def _spline_slopes(x: Array, y: Array, periodic: bool) -> Array:
    """Slopes (n,) of the cubic spline with a continuous curvature."""
    from scipy.interpolate import CubicSpline

    slopes: Array = CubicSpline(x, y, bc_type="periodic" if periodic else "not-a-knot")(x, 1)
    return slopes


class TableBook(NamedTuple):
    """Many tables in flat arrays; the pieces of table i are rows begin[i] to begin[i+1]."""

    begin: IntArray  # (ntable+1,)
    x: Array  # (npiece,) left ends
    coefficients: Array  # (npiece, 4) lowest first


NO_TABLES = TableBook(np.zeros(1, dtype=np.int64), np.empty(0), np.empty((0, 4)))


def link_tables(tables: Sequence[Table], before: TableBook = NO_TABLES) -> TableBook:
    """Return all tables, behind those there are, in the arrays that kernels take; no tables give empty arrays."""
    if not tables:
        return before
    pieces = [table.pieces for table in tables]
    begin = before.x.size + np.cumsum([0, *(left.size for left, _ in pieces)])
    x = np.concatenate([before.x, *(left for left, _ in pieces)])
    coefficients = np.concatenate([before.coefficients, *(rows for _, rows in pieces)])
    return TableBook(np.append(before.begin[:-1], begin), x, coefficients)


def read_table(
    path: str | Path, *, extrapolate: bool = False, kind: Kind = "linear", name: str = "", periodic: bool = False
) -> Table:
    """Read two columns x, y from a text file.

    Columns stand apart by commas, semicolons (then 1,5 is also a number) or blanks; one line of headings and comments
    (#, %, !) are left out.
    """
    path = Path(path)
    try:
        lines = file_text(path, "utf-8-sig").splitlines()
    except OSError as error:
        raise ReadError(f"{path}: cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise ReadError(f"{path}: is not a text file; expected two columns of numbers") from None
    rows: list[list[float]] = []
    numbers: list[int] = []  # line of each row
    headings = False
    for number, line in enumerate(lines, start=1):
        cells = _cells(line)
        if not cells:
            continue
        values = [_number(cell, ";" in line) for cell in cells]
        # a line with one number in it is a row with a mistake
        if not rows and not headings and set(values) == {None}:
            headings = True
            continue
        if len(values) != 2 or None in values:
            raise ReadError(f"{path}:{number}: found {line_of_data(path, line)}, expected two numbers x and y")
        rows.append([value for value in values if value is not None])
        numbers.append(number)
    if not rows:
        raise ReadError(f"{path}: holds no rows of numbers; expected two columns x and y")
    x, y = np.array(rows).T
    if fault := _fault(x, y):
        raise ReadError(f"{path}:{numbers[fault.row]}: {fault.text}")
    return Table(x, y, extrapolate, kind, name or path.stem, periodic)


class _Fault(NamedTuple):
    row: int
    text: str


def _fault(x: Array, y: Array) -> _Fault | None:
    """Return the first row that makes a table impossible."""
    for label, values in (("x", x), ("y", y)):
        if (wrong := np.flatnonzero(~np.isfinite(values))).size:
            return _Fault(int(wrong[0]), f"{label} is {values[wrong[0]]}, expected a finite number")
    if x.size < 2:
        return _Fault(0, f"found {x.size} row{'s' * (x.size != 1)}, expected at least two")
    if (wrong := np.flatnonzero(np.diff(x) <= 0)).size:
        row = int(wrong[0]) + 1
        return _Fault(row, f"x = {x[row]:g} follows x = {x[row - 1]:g}, expected increasing x")
    return None


def _numbers(values: ArrayLike, label: str) -> Array:
    """Return a list of numbers as an array of its own that nobody can change."""
    try:
        array = np.array(values, dtype=float)
    except (TypeError, ValueError):
        raise ModelError(f"{label} must be a list of numbers, found {values!r}") from None
    if array.ndim != 1:
        raise ModelError(f"{label} must be a list of numbers, found an array of shape {array.shape}")
    array.flags.writeable = False
    return array


def _monotone_slopes(h: Array, secant: Array) -> Array:
    """Return slopes (n,) at the knots with which a cubic stays monotone where the data are (Fritsch, Butland 1984).

    Inside the weighted harmonic mean of the neighbouring secants, zero at extrema; at the ends the parabola through
    three points, limited so that the cubic keeps its direction.
    """
    if secant.size == 1:
        return np.repeat(secant, 2)
    left, right = secant[:-1], secant[1:]
    slopes = np.zeros(h.size + 1)
    same = left * right > 0
    weight_left, weight_right = (2 * h[1:] + h[:-1])[same], (h[1:] + 2 * h[:-1])[same]
    slopes[1:-1][same] = (weight_left + weight_right) / (weight_left / left[same] + weight_right / right[same])
    slopes[0] = _end_slope(h[0], h[1], secant[0], secant[1])
    slopes[-1] = _end_slope(h[-1], h[-2], secant[-1], secant[-2])
    return slopes


def _end_slope(h: float, next_h: float, secant: float, next_secant: float) -> float:
    slope = ((2 * h + next_h) * secant - h * next_secant) / (h + next_h)
    if slope * secant <= 0:
        return 0.0
    if secant * next_secant <= 0 and abs(slope) > 3 * abs(secant):
        return 3 * secant
    return slope


def _cells(line: str) -> list[str]:
    line = re.split("[#%!]", line, maxsplit=1)[0].strip()
    if not line:
        return []
    cells = re.split(r"\s*;\s*" if ";" in line else r"\s*,\s*" if "," in line else r"\s+", line)
    while cells and not cells[-1]:  # spreadsheets end lines with empty cells
        cells.pop()
    return [cell.strip("\"'") for cell in cells]


def _number(cell: str, decimal_comma: bool) -> float | None:
    try:
        return float(cell.replace(",", ".") if decimal_comma else cell)
    except ValueError:
        return None
