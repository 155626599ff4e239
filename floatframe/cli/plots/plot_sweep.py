"""`floatframe plot sweep.h5 COLUMN…`: curves and maps of a sweep."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from floatframe.cli.common import Wanted, asked, progress, show_json
from floatframe.cli.info import show

if TYPE_CHECKING:
    from floatframe.io import SweepResult


@dataclass(frozen=True)
class SweepView:
    """What of a sweep is drawn, and over which parameter."""

    over: Annotated[str | None, typer.Option(metavar="NAME", help="Sweep: curves over this parameter.")] = None
    where: Annotated[
        list[str] | None, typer.Option(metavar="NAME=VALUE", help="Sweep: only where a parameter has this value.")
    ] = None
    orders: Annotated[
        str | None, typer.Option(metavar="1,2,…", help="Linear sweep over a speed: draw lines of these orders.")
    ] = None
    per_hertz: Annotated[float, typer.Option(help="Speed that equals 1 Hz: 60 for rev/min, 6.2832 for rad/s.")] = 60.0

    @property
    def given(self) -> bool:
        """Whether one of the options is given."""
        return bool(self.over or self.where or self.orders)


def plot_sweep_file(file: Path, columns: list[str], wanted: Wanted, view: SweepView, as_json: bool) -> None:
    """Draw columns of a sweep, write its table, or list what is in it."""
    from floatframe import io

    result: SweepResult = io.read(file)
    if not wanted.files:
        if columns or view.over or view.where:
            raise typer.BadParameter("nothing to do: give -o PICTURE or --csv FILE")
        description = io.describe(result)
        if as_json:
            show_json("floatframe-plot/1", description)
        else:
            show(description)
        return
    with asked():
        result = result.where(_fixed(view.where or [], result))
    if wanted.csv is not None:
        result.to_csv(wanted.csv)
    if wanted.output is not None:
        with asked(), progress(f"drawing {wanted.output.name}"):
            _draw(result, columns, view, wanted.output, file.name)
    if as_json:
        show_json("floatframe-plot/1", {"file": str(file), "written": wanted.files})
        return
    wanted.show_files()


def _draw(result: SweepResult, columns: list[str], view: SweepView, output: Path, title: str) -> None:
    from floatframe import viewer

    varying = [name for name, values in result.parameters.items() if len(values) > 1]
    if not columns:
        if result.study != "linear":
            raise typer.BadParameter("name the columns; `floatframe plot FILE` alone lists them")
        viewer.plot_sweep_frequencies(result, output, title, _orders(view.orders), view.per_hertz)
    elif view.orders:
        raise typer.BadParameter("--orders applies to frequencies only; leave out the columns")
    elif len(varying) == 2 and view.over is None:
        if len(columns) > 1:
            raise typer.BadParameter(f"a map shows one column, these are {len(columns)}; or give --over for curves")
        viewer.plot_sweep_map(result, columns[0], output, title)
    else:
        viewer.plot_sweep(result, tuple(columns), output, view.over or "", title)


def _fixed(texts: list[str], result: SweepResult) -> dict[str, float | str]:
    fixed: dict[str, float | str] = {}
    for text in texts:
        name, _, value = (part.strip() for part in text.partition("="))
        if value in result.choices.get(name, ()):
            fixed[name] = value
            continue
        try:
            fixed[name] = float(value)
        except ValueError:
            raise typer.BadParameter(f"--where: '{text}' must have the form NAME=VALUE, e.g. phi=150") from None
    return fixed


def _orders(text: str | None) -> tuple[float, ...]:
    try:
        return tuple(float(part) for part in (text or "").split(",") if part.strip())
    except ValueError:
        raise typer.BadParameter(f"--orders: '{text}' must be a list of numbers, e.g. 1,2") from None
