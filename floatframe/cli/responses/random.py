"""`floatframe random MODEL.toml`: densities and root mean squares of outputs for random inputs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from floatframe.cli.common import (
    Json,
    ModelPath,
    Set,
    Verbose,
    asked,
    compiled,
    console,
    printed_warnings,
    progress,
    read_model_file,
    show_json,
    show_written,
    table,
    with_suffix,
)
from floatframe.cli.responses.asked import At, Band, Outputs, found_state, required
from floatframe.viewer import PLOT_SUFFIXES

if TYPE_CHECKING:
    from floatframe.arrays import Array
    from floatframe.hybrid import RandomResponse

EXAMPLES = """
floatframe random car.toml --psd road=road.csv --output body.acceleration.z --band 0.2:50 --save density.png
floatframe random car.toml --psd left=1e-6 --psd right=1e-6 --coherence left,right=0.6 --output body.position.z
floatframe random car.toml --psd front=1e-6 --psd rear=1e-6 --coherence front,rear=1 --delay rear=0.1 --band 1:30
"""


@dataclass(frozen=True)
class RandomInputs:
    """Random inputs and what they have in common."""

    psd: Annotated[
        list[str] | None,
        typer.Option(
            metavar="INPUT=DENSITY",
            help="One-sided density of an input [unit²/Hz], repeat it for more: a number, or a CSV file of frequencies "
            "[Hz] and values, which is a line in logarithms and zero outside.",
        ),
    ] = None
    coherence: Annotated[
        list[str] | None,
        typer.Option(metavar="ONE,OTHER=VALUE", help="Coherence of two inputs, 0 … 1 (default: 0, independent)."),
    ] = None
    delay: Annotated[
        list[str] | None,
        typer.Option(metavar="INPUT=SECONDS", help="By how much an input comes later than the others [s]."),
    ] = None


def run_command(
    *,
    file: ModelPath,
    random: RandomInputs,
    outputs: Outputs = None,
    wanted: Band,
    at: At = None,
    values: Set = None,
    duration: Annotated[
        float, typer.Option(min=1e-3, help="Time [s] for which the largest value is expected.")
    ] = 600.0,
    save: Annotated[
        Path | None,
        typer.Option("--save", "-o", callback=with_suffix(*PLOT_SUFFIXES), help="Picture of the densities."),
    ] = None,
    csv: Annotated[
        Path | None, typer.Option(callback=with_suffix(".csv"), help="Frequencies and densities of all outputs.")
    ] = None,
    as_json: Json = False,
    verbose: Verbose = False,
) -> None:
    """Print RMS, upcrossings and largest values of outputs for stationary random inputs; write their densities."""
    from floatframe import hybrid, viewer

    band = wanted.ends
    system = compiled(read_model_file(file, values))
    given = {name: _density(text) for name, text in _pairs(random.psd, "--psd", "road=1e-6").items()}
    required(list(given), "--psd", system)
    shared = {
        _two(name): _number(text, "--coherence") for name, text in _pairs(random.coherence, "--coherence").items()
    }
    later = {name: _number(text, "--delay") for name, text in _pairs(random.delay, "--delay").items()}
    with printed_warnings(file), progress(f"random response of {file.name}"):
        state = found_state(system, at)
        with asked():
            response = hybrid.frequency_response(
                *(system, list(given), required(outputs, "--output", system), band),
                points=wanted.points,
                spacing="linear" if wanted.evenly else "log",
                state=state,
            )
            found = hybrid.random_response(response, hybrid.input_densities(response, given, shared, later))
    if save is not None:
        viewer.plot_random_response(found, save, f"{file.name}: random response")
    if csv is not None:
        _write(csv, found)
    written = [str(path) for path in (save, csv) if path is not None]
    rows = _rows(found, duration)
    if as_json:
        density = [{"output": port.name, "density": found.of(port.name).tolist()} for port in found.outputs]
        content = {"name": file.stem, "band_hz": list(band), "duration_s": duration, "outputs": rows}
        numbers = {"frequency_hz": found.frequency.tolist(), "densities": density, "written": written}
        show_json("floatframe-random/1", {**content, **numbers})
        return
    cells = {
        "output": [row["output"] for row in rows],
        "RMS": [f"{row['rms']:.5g}" for row in rows],
        "unit": [row["unit"] for row in rows],
        "upcrossings [1/s]": [f"{row['upcrossings_per_s']:.4g}" for row in rows],
        f"largest in {duration:g} s": [f"{row['largest']:.5g}" for row in rows],
    }
    console().print(table(f"{file.name}: random response from {band[0]:g} to {band[1]:g} Hz", cells))
    show_written(written)


def _rows(found: RandomResponse, duration: float) -> list[dict[str, Any]]:
    columns = zip(found.outputs, found.rms(), found.upcrossings(), found.extreme(duration), strict=True)
    return [
        {
            "output": port.name,
            "unit": port.unit,
            "rms": float(rms),
            "upcrossings_per_s": float(rate),
            "largest": float(largest),
        }
        for port, rms, rate, largest in columns
    ]


def _pairs(texts: list[str] | None, option: str, example: str = "rear=0.1") -> dict[str, str]:
    """Names and values of NAME=VALUE."""
    found = {}
    for text in texts or []:
        name, equals, value = (part.strip() for part in text.partition("="))
        if not (name and equals and value):
            raise typer.BadParameter(f"{option}: '{text}' must have the form NAME=VALUE, e.g. {example}")
        if name in found:
            raise typer.BadParameter(f"{option}: '{name}' is given twice; leave one of them out")
        found[name] = value
    return found


def _number(text: str, option: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise typer.BadParameter(f"{option}: '{text}' must be a number") from None


def _two(text: str) -> tuple[str, str]:
    names = [part.strip() for part in text.split(",")]
    if len(names) != 2 or not all(names):
        raise typer.BadParameter(f"--coherence: '{text}' must be two inputs, e.g. left,right=0.6")
    return names[0], names[1]


def _density(text: str) -> float | tuple[Array, Array]:
    """A density as a number or from a file of two columns."""
    path = Path(text)
    if path.suffix.lower() not in (".csv", ".txt", ".dat"):
        return _number(text, "--psd")
    import numpy as np

    from floatframe.hybrid import read_table

    with asked("--psd"):
        found = read_table(path)
    return np.asarray(found.x, dtype=float), np.asarray(found.y, dtype=float)


def _write(path: Path, found: RandomResponse) -> None:
    import numpy as np

    from floatframe.io import write_csv

    headings = ["frequency [Hz]", *(f"density {port.name} [({port.unit or 1})2/Hz]" for port in found.outputs)]
    write_csv(path, headings, np.column_stack((found.frequency, found.density)))
