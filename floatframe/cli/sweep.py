"""`floatframe sweep MODEL.toml --vary phi=0:330:30 -o sweep.h5`: one study at every point of a grid of parameters."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from floatframe.cli.common import (
    INTERRUPTED,
    Json,
    ModelPath,
    Set,
    Verbose,
    asked,
    complain,
    console,
    given_parameters,
    progress,
    show_json,
    shows_progress,
    table,
    with_suffix,
)
from floatframe.cli.simulate import Steps, clock
from floatframe.hybrid import Start

if TYPE_CHECKING:
    from floatframe.hybrid import Choices, Distribution, SweepProgress, SweepResult

    Axis = tuple[float, ...] | Distribution | Choices

EXAMPLES = """
floatframe sweep machine.toml --vary phi=0:330:30 --measure frame.velocity:rms --from 5 -o sweep.h5
floatframe sweep car.toml --study linear --vary front.stiffness=1e6,2e6,5e6 -n 6 -o modes.h5
floatframe sweep machine.toml --vary phi=0:350:10 -o sweep.h5 --workers 4 --resume
floatframe sweep circuit.toml --vary R=10:100:10 --measure out.voltage:rms -o filter.h5
floatframe sweep car.toml --vary "mass=normal(1000,50)" --samples 1000 --measure seat.velocity:rms -o random.h5
"""

_ROWS, _COLUMNS, _SENTENCES = 40, 6, 5  # most that the table for people shows


class StudyKind(StrEnum):
    simulate = "simulate"
    equilibrium = "equilibrium"
    linear = "linear"


@dataclass(frozen=True)
class Point:
    """What is done at every point."""

    study: Annotated[StudyKind, typer.Option(help="The study to run at every point.")] = StudyKind.simulate
    measure: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CHANNEL[:FILTER…][:KIND,…]",
            help="Values to keep of every point: A.force.x:rms,peak; A.force.magnitude:peak; A.force.x + "
            "B.force.x:lowpass(20):rms; kinds: rms, std, peak, amplitude, peak_to_peak, crest, line(Hz), mean, min, "
            "max, end, period. Default: rms and peak of all channels that the model file records.",
        ),
    ] = None
    begin: Annotated[
        list[str] | None,
        typer.Option(
            "--from",
            metavar="S|STATE",
            help="Start of the measured interval [s], or the initial state of the runs: start, equilibrium, steady.",
        ),
    ] = None
    n: Annotated[int | None, typer.Option("-n", min=1, help="Number of modes of a linear study (default: 10).")] = None
    at: Annotated[Start | None, typer.Option("--at", help="State about which a linear study linearises.")] = None


@dataclass(frozen=True)
class Random:
    """How random parameters are drawn."""

    samples: Annotated[
        int | None, typer.Option(min=1, help="Samples of the random parameters, at every point of the grid.")
    ] = None
    seed: Annotated[int, typer.Option(min=0, help="Which samples: the same seed draws the same.")] = 1


@dataclass(frozen=True)
class Team:
    """Where the points are computed."""

    workers: Annotated[int, typer.Option(min=1, help="Workers that compute at the same time.")] = 2
    processes: Annotated[
        bool | None,
        typer.Option(
            "--processes/--threads",
            help="What workers are. Default: threads of this process; processes for external solvers, which would "
            "keep threads waiting for each other.",
        ),
    ] = None
    scheduler: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="A dask scheduler to compute on: tcp://host:8786.")
    ] = None


def run_command(
    *,
    file: ModelPath,
    vary: Annotated[
        list[str],
        typer.Option(
            metavar="NAME=VALUES",
            help="A parameter and its values: phi=0:330:30, mass=1,2,5; several make a grid. With a unit for axes and "
            "tables: 'phi [°]=0,90'. Lists and texts at places of the file: 'flexible[rod].modes=[1,2]|[1,5]'. Random "
            "with --samples: 'mass=normal(1000,50)', lognormal(mean,standard deviation), uniform(low,high), "
            "triangular(low,peak,high).",
        ),
    ],
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", callback=with_suffix(".h5", ".hdf5", marks=("floatframe-sweep",)), help="The result file."
        ),
    ],
    point: Point,
    values: Set = None,
    steps: Steps,
    random: Random,
    where: Team,
    resume: Annotated[
        bool, typer.Option("--resume", help="Compute only the missing points, also of an enlarged grid.")
    ] = False,
    as_json: Json = False,
    verbose: Verbose = False,
) -> int:
    """Run a study at every point of a grid of parameters.

    A point that fails is kept with its reason and does not stop the others; the exit code is then 1. Ctrl-C leaves a
    valid file with all points done so far; --resume continues.
    """
    from floatframe import io
    from floatframe.hybrid import Samples, Workers, sweep
    from floatframe.network import SweptNetwork, is_network_file, read_network

    axes = _axes(vary, given_parameters(values))
    measure_from, state = _begin(point.begin or [])
    settings = {**vars(steps), "n": point.n, "at": point.at and point.at.value, "from": state}
    began = time.monotonic()
    if resume and not output.exists():
        raise typer.BadParameter(f"--resume: file '{output}' does not exist; start the sweep without it")
    with asked(), _bar(file.stem) as show:  # what is wrong at one point is kept with it
        network = is_network_file(file)
        if network:
            given = {**given_parameters(values), **_first_point(axes)}
            read_network(file).network.resolved(given)
        result = sweep(
            SweptNetwork(file) if network else _checked(file, axes, values),
            axes,
            point.study.value,
            point.measure or (),
            samples=None if random.samples is None else Samples(random.samples, random.seed),
            workers=Workers(where.workers, where.processes),
            scheduler=where.scheduler,
            path=output,
            resume=resume,
            parameters=given_parameters(values),
            measure_from=measure_from,
            progress=show,
            **settings,
        )
    _print_end(result, output, time.monotonic() - began, as_json)
    lost = any(
        state == io.WAITING and sentence for state, sentence in zip(result.states, result.sentences, strict=True)
    )
    return 1 if lost else INTERRUPTED if result.nwaiting else 1 if result.nfailed else 0


def _begin(texts: list[str]) -> tuple[float | None, str | None]:
    """Start of the measured interval, and the initial state of the runs."""
    first, state = None, None
    for text in texts:
        if text in Start.__members__:
            state = text
            continue
        try:
            first = float(text)
        except ValueError:
            raise typer.BadParameter(
                f"--from: '{text}' is neither a time [s] nor one of {', '.join(Start.__members__)}"
            ) from None
    return first, state


def _axes(vary: list[str], fixed: dict[str, Any]) -> dict[str, Axis]:
    from floatframe.errors import ModelError
    from floatframe.hybrid import name_and_unit, parse_vary

    axes: dict[str, Axis] = {}
    taken = set(fixed)
    for text in vary:
        try:
            heading, values = parse_vary(text)
        except ModelError as error:
            raise typer.BadParameter(f"--vary: {error}") from error
        name, _ = name_and_unit(heading)
        if name in taken:
            raise typer.BadParameter(f"--vary: '{name}' is given twice; give all its values at once")
        taken.add(name)
        axes[heading] = values
    return axes


def _checked(file: Path, axes: dict[str, Axis], values: list[str] | None) -> Path:
    """Refuse parameters that the model file does not have; returns the file."""
    from floatframe.errors import ModelError
    from floatframe.hybrid import ModelFileError, read_model

    try:
        read_model(file, {**given_parameters(values), **_first_point(axes)})
    except ModelFileError:
        raise
    except ModelError as error:
        raise typer.BadParameter(f"--vary, --set: {str(error).splitlines()[0]}") from error
    return file


def _first_point(axes: dict[str, Axis]) -> dict[str, float | str]:
    """One of the values of every parameter."""
    from floatframe.hybrid import name_and_unit

    first = {}
    for heading, values in axes.items():
        name, _ = name_and_unit(heading)
        first[name] = _first(name, values)
    return first


def _first(name: str, values: Axis) -> float | str:
    """One of the values of a parameter."""
    from floatframe.hybrid import Choices

    if isinstance(values, Choices):
        return values.texts[0]
    return values[0] if isinstance(values, tuple) else float(values.draw(name, 1, 1)[0])


@contextmanager
def _bar(name: str) -> Iterator[Callable[[SweepProgress], None] | None]:
    """Show points done and the estimated end on a terminal; nothing in a pipe."""
    if not shows_progress():
        yield None
        return
    with progress(f"{name}: starting") as update:
        start: list[tuple[float, int]] = []  # time on the clock and points after the first of them

        def show(now: SweepProgress) -> None:
            if not start:
                start.append((time.monotonic(), now.done))
            began, first = start[0]
            each = (time.monotonic() - began) / (now.done - first) if now.done > first else 0.0
            left = f", {clock(each * (now.points - now.done))} left" if each else ""
            failed = f", {now.failed} failed" if now.failed else ""
            update(now.done, now.points, f"{name}: {now.done} of {now.points} points{failed}{left}")

        yield show


def _print_end(result: SweepResult, output: Path, seconds: float, as_json: bool) -> None:
    """Print the numbers; how the sweep ended goes to stderr if it did not end well."""
    if result.nwaiting:
        complain(f"{output}: {result.status}; --resume continues")
    elif result.nfailed:
        complain(f"{output}: {result.status}")
    if as_json:
        content = {
            "written": str(output),
            "study": result.study,
            "point_count": len(result.states),
            "failed_point_count": result.nfailed,
            "waiting_point_count": result.nwaiting,
            "message": result.status,
            "computing_time_s": seconds,
            "parameters": {name: list(values) for name, values in result.parameters.items()},
            "columns": [{"column": column.name, "unit": column.unit} for column in result.columns],
            "points": _points(result),
            "statistics": [
                {
                    "parameters": dict(one.point),
                    "column": one.column.name,
                    "unit": one.column.unit,
                    "sample_count": one.count,
                    "mean": one.mean,
                    "standard_deviation": one.standard_deviation,
                    "percentiles": [{"percent": percent, "value": x} for percent, x in one.percentiles.items()],
                }
                for one in result.statistics()
            ],
        }
        show_json("floatframe-sweep/1", content)
        return
    show_table(result, output.name)
    console().print(f"{result.status} in {seconds:.1f} s; written: {output}", markup=False, soft_wrap=True)


def _points(result: SweepResult) -> list[dict[str, Any]]:
    """Every point of the grid: its parameters, how it ended, and a number for each column."""
    rows = zip(result.points, result.states, result.sentences, result.values.tolist(), strict=True)
    names = [column.name for column in result.columns]
    return [
        {
            "parameters": point,
            "state": state,
            "message": sentence or None,
            "values": dict(zip(names, numbers, strict=True)),
        }
        for point, state, sentence, numbers in rows
    ]


def show_table(result: SweepResult, title: str) -> None:
    """Print the first rows and columns of a sweep, or the statistics of its samples, and why points failed."""
    rows, count = result.rows(_ROWS), len(result.states)
    out = console()
    if result.samples and result.columns:
        rows = [one.row() for one in result.statistics()]
        count = len(rows)
        out.print(table(f"{title}: {result.study}", {name: [_word(r[name]) for r in rows[:_ROWS]] for name in rows[0]}))
    else:
        varied = [result.heading(name) for name in result.parameters]
        given = (*varied, "status")
        names = [*varied, *[name for name in rows[0] if name not in given][:_COLUMNS]]
        cells = {name: [_word(row[name]) for row in rows] for name in names}
        if result.nfailed or result.nwaiting:
            cells["state"] = list(result.states[:_ROWS])
        out.print(table(f"{title}: {result.study}", cells))
    missing = [
        f"{count} more {what}"
        for count, what in (
            (count - _ROWS, "points"),
            (0 if result.samples else len(result.columns) - _COLUMNS, "columns"),
        )
        if count > 0
    ]
    if missing:
        out.print(
            f"… {', '.join(missing)}: `floatframe report`, `floatframe plot --csv` or --json show all", markup=False
        )
    reasons: dict[str, int] = {}
    for _, sentence in result.failures:
        reasons[sentence] = reasons.get(sentence, 0) + 1
    for sentence, count in list(reasons.items())[:_SENTENCES]:
        out.print(f"{count} failed: {sentence}", markup=False, soft_wrap=True)
    if len(reasons) > _SENTENCES:
        out.print(f"… {len(reasons) - _SENTENCES} more reasons in the file", markup=False)


def _word(value: float | str | None) -> str:
    return value if isinstance(value, str) else "-" if value is None else f"{value:.6g}"
