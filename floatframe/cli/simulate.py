"""`floatframe simulate MODEL.toml -o run.h5`: the motion of a hybrid model, recorded while it is computed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
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
    compiled,
    complain,
    console,
    positive,
    printed_warnings,
    progress,
    read_model_file,
    show_json,
    shows_progress,
    with_suffix,
)
from floatframe.cli.live import run_live
from floatframe.cli.networks import simulate_network
from floatframe.hybrid import Start

if TYPE_CHECKING:
    from floatframe.hybrid import ModelFile, Progress, Results

EXAMPLES = """
floatframe simulate slider_crank.toml -o run.h5 --t-end 5
floatframe simulate slider_crank.toml -o run.h5 --set torque=50 --method rk45 --rtol 1e-6
floatframe simulate slider_crank.toml -o run.h5 --t-end 9 --resume
floatframe simulate bogie.toml -o run.h5 --from equilibrium
floatframe simulate bogie.toml -o run.h5 --live --channel frame.position.z
floatframe simulate circuit.toml -o run.h5 --method stormer
"""


@dataclass(frozen=True)
class Steps:
    """How a run is integrated; what is not given stays as the model file has it."""

    t_end: Annotated[float | None, typer.Option(callback=positive, metavar="S", help="End of the run [s].")] = None
    step: Annotated[float | None, typer.Option(callback=positive, metavar="S", help="A fixed step [s].")] = None
    method: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="auto, generalised-alpha, hht, newmark, park, bdf1, bdf2, radau5, euler, rk4, rk45, dop853, scipy:…; "
            "of networks stormer, bdf2, generalised-alpha",
        ),
    ] = None
    rtol: Annotated[float | None, typer.Option(callback=positive, help="Relative tolerance of controlled steps.")] = (
        None
    )
    solver: Annotated[
        str | None, typer.Option(metavar="NAME", help="How steps find accelerations: auto, dec, cbm, lgr, itr, dense.")
    ] = None


def run_command(
    *,
    file: ModelPath,
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            callback=with_suffix(".h5", ".hdf5", marks=("floatframe-results",)),
            help="The result file.",
        ),
    ],
    values: Set = None,
    steps: Steps,
    begin: Annotated[
        Start | None,
        typer.Option("--from", help="Initial state: start, or the equilibrium or steady motion found from it."),
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Continue an interrupted run.")] = False,
    live: Annotated[
        bool, typer.Option("--live", help="Show the machine and some channels in a window while it is computed.")
    ] = False,
    channels: Annotated[
        list[str] | None,
        typer.Option(
            "--channel", metavar="CHANNEL", help="With --live: plot this recorded channel; default: what changes first."
        ),
    ] = None,
    as_json: Json = False,
    verbose: Verbose = False,
) -> int:
    """Integrate the motion and record it; settings not given here are those of the model file.

    Ctrl-C ends a run with a valid file; --resume then continues it to the same result.
    """
    from floatframe.hybrid import parts_for
    from floatframe.network import is_network_file

    if channels and not live:
        raise typer.BadParameter("--channel chooses what --live plots; what is recorded stands in [record] of the file")
    if is_network_file(file):
        return _run_network(file, output, values, {**vars(steps), "from": begin and begin.value}, resume, live, as_json)
    if live:
        return run_live(output, channels)
    model = read_model_file(file, values)
    given = {**vars(steps), "from": begin and begin.value}
    here = [name for name, value in given.items() if value is not None]
    settings = _settings(model, here, **given)
    if resume:
        _require_resumable(output, settings.get("t_end"))
    system = compiled(model, parts_for(settings.get("method"), settings.get("step")))
    began = time.monotonic()
    with printed_warnings(file), model.placed(given=here), _bar(file.stem) as show:
        result = system.simulate(
            record=model.record,
            path=output,
            resume=resume,
            progress=show,
            **settings,
        )
    _print_end(result, output, time.monotonic() - began, as_json)
    return INTERRUPTED if result.status.reason == "interrupted" else 0 if result.status.ok else 1


def _require_resumable(output: Path, t_end: float | None) -> None:
    """Refuse to go on with a run that does not exist, or one that was broken off behind its new end."""
    from floatframe import io

    if not output.exists():
        raise typer.BadParameter(f"--resume: file '{output}' does not exist; start the run without it")
    begun = io.read(output)
    if isinstance(begun, io.ResultFile) and t_end is not None and not begun.status.ok and begun.status.t > t_end:
        raise typer.BadParameter(
            f"--t-end: {t_end:g} s lies behind the run in '{output}', which is at {begun.status.t:g} s; "
            "give a later end, or start a run into another file"
        )


def _run_network(
    file: Path,
    output: Path,
    values: list[str] | None,
    given: dict[str, Any],
    resume: bool,
    live: bool,
    as_json: bool,
) -> int:
    """Simulate a network of elements."""
    if live:
        raise typer.BadParameter("--live shows machines; plot the channels of a network while it runs")
    if resume:
        _require_resumable(output, given["t_end"])
    began = time.monotonic()
    with _bar(file.stem) as show:
        result = simulate_network(file, output, values, given, resume, show)
    _print_end(result, output, time.monotonic() - began, as_json)
    return INTERRUPTED if result.status.reason == "interrupted" else 0 if result.status.ok else 1


def _settings(model: ModelFile, here: list[str], **given: Any) -> dict[str, Any]:
    """Settings of the file, those given on the command line in their place; here: their names."""
    from floatframe.hybrid import checked_settings, overridden

    settings = overridden(model.simulate, given)
    if "t_end" not in settings:
        raise typer.BadParameter(f"{model.path.name} has no t_end in [simulate]; give --t-end")
    with asked(), model.placed(given=here):
        checked_settings(settings)
    return settings


@contextmanager
def _bar(name: str) -> Iterator[Callable[[Progress], None] | None]:
    """Show simulated time, step and estimated end on a terminal; nothing in a pipe."""
    if not shows_progress():
        yield None
        return
    with progress(name) as update:
        start: list[tuple[float, float]] = []  # time on the clock and simulated time after the first steps

        def show(now: Progress) -> None:
            if not start:
                start.append((time.monotonic(), now.t))
            began, t_began = start[0]
            speed = (now.t - t_began) / max(time.monotonic() - began, 1e-9)
            left = f", {clock((now.t_end - now.t) / speed)} left" if speed > 0 else ""
            update(now.t, now.t_end, f"{name}: t = {now.t:.4g} of {now.t_end:g} s, step {now.step:.2g} s{left}")

        yield show


def clock(seconds: float) -> str:
    """Return h:mm:ss."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}"


def _print_end(result: Results, output: Path, seconds: float, as_json: bool) -> None:
    """Say how the run ended, on stderr if it did not end well, and how far it left its constraints."""
    from floatframe.io import drift_words, largest_drift

    status, statistics = result.status, result.statistics
    if not status.ok:
        complain(f"{output}: {status}")
    last = {name: float(values[-1]) for name, values in statistics.items()} if len(result) else {}
    if as_json:
        content = {
            "written": str(output),
            "status": status.reason.replace(" ", "_"),
            "message": str(status),
            "time_s": float(status.t),
            "record_count": len(result),
            "step_count": int(last.get("steps", 0)),
            "iteration_count": int(last.get("iterations", 0)),
            "computing_time_s": seconds,
            **largest_drift(statistics),
            "energy_j": last.get("energy"),
            "energy_balance_j": last.get("energy_balance"),
            "ambiguous_reactions": list(result.ambiguous),
        }
        show_json("floatframe-simulate/1", content)
        return
    if status.ok:
        steps, how = int(last.get("steps", 0)), str(status).removesuffix(".")
        console().print(
            f"{how}: {len(result)} records, {steps} steps in {seconds:.1f} s; written: {output}",
            markup=False,
            soft_wrap=True,
        )
        if words := drift_words(statistics):
            console().print(words, markup=False, soft_wrap=True)
