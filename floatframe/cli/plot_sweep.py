"""`floatframe plot sweep.h5 COLUMN…`: curves and maps of a sweep."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from floatframe.cli.common import console, progress, show_json
from floatframe.cli.info import show

if TYPE_CHECKING:
    from floatframe.io import SweepResult


@dataclass(frozen=True)
class Asked:
    """What the command line asks for."""

    columns: tuple[str, ...]
    output: Path | None
    csv: Path | None
    over: str | None
    where: list[str]
    orders: str | None
    per_hertz: float


def plot_sweep_file(file: Path, asked: Asked, as_json: bool) -> None:
    """Draw columns of a sweep, write its table, or list what is in it."""
    from floatframe import io

    result: SweepResult = io.read(file)
    if not (asked.output or asked.csv):
        if asked.columns or asked.over or asked.where:
            raise typer.BadParameter("nothing to do: give -o PICTURE or --csv FILE")
        description = io.describe(result)
        if as_json:
            show_json("floatframe-plot/1", description)
        else:
            show(description)
        return
    result = result.where(_fixed(asked.where))
    if asked.csv is not None:
        _write_table(result, asked.csv)
    if asked.output is not None:
        with progress(f"drawing {asked.output.name}"):
            _draw(result, asked, asked.output, file.name)
    written = [str(path) for path in (asked.output, asked.csv) if path is not None]
    if as_json:
        show_json("floatframe-plot/1", {"file": str(file), "written": written})
        return
    for path in written:
        console().print(f"written: {path}", markup=False)


def _draw(result: SweepResult, asked: Asked, output: Path, title: str) -> None:
    from floatframe import viewer

    varying = [name for name, values in result.parameters.items() if len(values) > 1]
    if not asked.columns:
        if result.study != "linear":
            raise typer.BadParameter("name the columns; `floatframe plot FILE` alone lists them")
        orders = _orders(asked.orders)
        viewer.plot_sweep_frequencies(result, output, title, orders, asked.per_hertz)
    elif asked.orders:
        raise typer.BadParameter("--orders belong to frequencies; leave out the columns")
    elif len(varying) == 2 and asked.over is None:
        if len(asked.columns) > 1:
            raise typer.BadParameter(
                f"a map shows one column, these are {len(asked.columns)}; or give --over for curves"
            )
        viewer.plot_sweep_map(result, asked.columns[0], output, title)
    else:
        viewer.plot_sweep(result, asked.columns, output, asked.over or "", title)


def _fixed(texts: list[str]) -> dict[str, float]:
    fixed = {}
    for text in texts:
        name, _, value = (part.strip() for part in text.partition("="))
        try:
            fixed[name] = float(value)
        except ValueError:
            raise typer.BadParameter(f"--where: '{text}' is no NAME=VALUE such as phi=150") from None
    return fixed


def _orders(text: str | None) -> tuple[float, ...]:
    try:
        return tuple(float(part) for part in (text or "").split(",") if part.strip())
    except ValueError:
        raise typer.BadParameter(f"--orders: '{text}' is no list of numbers such as 1,2") from None


def _write_table(result: SweepResult, path: Path) -> None:
    """Write parameters and columns of all points; points without numbers have nan."""
    import numpy as np

    from floatframe.io import write_csv

    headings = [f"{column.name} [{column.unit}]" if column.unit else column.name for column in result.columns]
    points = np.array([list(point.values()) for point in result.points]).reshape(len(result.states), -1)
    write_csv(path, [*result.parameters, *headings], np.hstack([points, result.values]))
