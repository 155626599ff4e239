"""`floatframe random MODEL.toml`: densities and root mean squares of outputs for random inputs."""

from __future__ import annotations

import math
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
    draw_life,
    life_places,
    printed_warnings,
    progress,
    read_model_file,
    show_json,
    show_life,
    show_written,
    table,
    with_suffix,
)
from floatframe.cli.responses.asked import At, Band, Outputs, found_state, required
from floatframe.viewer import PLOT_SUFFIXES

if TYPE_CHECKING:
    from floatframe.arrays import Array
    from floatframe.durability import SNCurve
    from floatframe.hybrid import RandomResponse

EXAMPLES = """
floatframe random car.toml --psd road=road.csv --output body.acceleration.z --band 0.2:50 --save density.png
floatframe random car.toml --psd left=1e-6 --psd right=1e-6 --coherence left,right=0.6 --output body.position.z
floatframe random car.toml --psd front=1e-6 --psd rear=1e-6 --coherence front,rear=1 --delay rear=0.1 --band 1:30
floatframe random frame.toml --psd ground.acceleration.z=4 --band 5:500 --curve eurocode:71 --body frame --map life.png
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


@dataclass(frozen=True)
class Fatigue:
    """Whose life is asked for."""

    curve: Annotated[
        str,
        typer.Option(
            help="S–N curve for the life of outputs that are stresses, and of a body: eurocode:71, fkm:steel:500e6"
            "[:FACTOR], own:KNEE:CYCLES:SLOPE[:SLOPE2], in Pa. One slope is taken down to zero."
        ),
    ] = ""
    body: Annotated[
        str, typer.Option(metavar="NAME", help="Flexible body with stresses, of which all nodes are looked at.")
    ] = ""
    method: Annotated[str, typer.Option(help="dirlik, tovo_benasciutti or narrow_band.")] = "dirlik"
    measure: Annotated[
        str, typer.Option(help="Stress that is counted: critical_plane, von_mises, xx, yy, zz, xy, yz, zx.")
    ] = "critical_plane"
    top: Annotated[int, typer.Option(min=1, help="How many places of the body are listed.")] = 10
    map: Annotated[
        Path | None,
        typer.Option(callback=with_suffix(".png", ".html", ".htm"), help="Picture of the damage of the body."),
    ] = None


def run_command(
    *,
    file: ModelPath,
    random: RandomInputs,
    fatigue: Fatigue,
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
    """Print RMS, upcrossings, largest values and life of outputs for random inputs; write densities, map damage."""
    from floatframe import durability, hybrid, viewer

    if (fatigue.body or fatigue.map) and not fatigue.curve:
        raise typer.BadParameter("--body and --map: the life of a body needs an S–N curve; give --curve")
    if fatigue.map and not fatigue.body:
        raise typer.BadParameter("--map: name the flexible body with --body")
    with asked("--curve"):
        curve = durability.read_curve(fatigue.curve) if fatigue.curve else None
    band = wanted.ends
    system = compiled(read_model_file(file, values))
    given = {name: _density(text) for name, text in _pairs(random.psd, "--psd", "road=1e-6").items()}
    required(list(given), "--psd", system)
    shared = {
        _two(name): _number(text, "--coherence") for name, text in _pairs(random.coherence, "--coherence").items()
    }
    later = {name: _number(text, "--delay") for name, text in _pairs(random.delay, "--delay").items()}
    names = list(outputs or []) if fatigue.body else required(outputs, "--output", system)
    drives = [f"{fatigue.body}.stress_drives"] if fatigue.body else []
    life = None
    with printed_warnings(file), progress(f"random response of {file.name}"):
        state = found_state(system, at)
        with asked():
            response = hybrid.frequency_response(
                *(system, list(given), [*names, *drives], band),
                points=wanted.points,
                spacing="linear" if wanted.evenly else "log",
                state=state,
            )
            noise = hybrid.random_response(response, hybrid.input_densities(response, given, shared, later))
            if fatigue.body and curve is not None:
                how = fatigue.method, fatigue.measure
                life = durability.random_life_table(system, noise, fatigue.body, curve, duration, *how)
    found = noise.only([port.name for port in noise.outputs if not port.name.startswith(tuple(drives) or "\n")])
    if save is not None:
        viewer.plot_random_response(found, save, f"{file.name}: random response")
    if csv is not None:
        _write(csv, found)
    if fatigue.map is not None and life is not None:
        title = f"damage of '{life.body}' in {duration:g} s, {life.curve.name}"
        draw_life(life, hybrid.flexible_body(system, life.body, "stresses")[0], fatigue.map, title)
    written = [str(path) for path in (save, csv, fatigue.map) if path is not None]
    rows = _rows(found, duration, curve)
    if as_json:
        density = [{"output": port.name, "density": found.of(port.name).tolist()} for port in found.outputs]
        content = {"name": file.stem, "band_hz": list(band), "duration_s": duration, "outputs": rows}
        if life is not None:
            kind = {"curve": life.curve.name, "method": fatigue.method, "measure": fatigue.measure}
            places = {"place_count": len(life.node), "places": life_places(life, fatigue.top)}
            content["life"] = {"body": life.body, **kind, **places}
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
    for method in ("dirlik", "tovo_benasciutti") if any("life_s" in row for row in rows) else ():
        lives = [row.get("life_s", {}).get(method) for row in rows]
        cells[f"life [h], {method.replace('_', ' ')}"] = ["" if s is None else f"{s / 3600.0:.4g}" for s in lives]
    if rows:
        console().print(table(f"{file.name}: random response from {band[0]:g} to {band[1]:g} Hz", cells))
    if life is not None:
        words = f"{life.curve.name}, {fatigue.method.replace('_', ' ')}, {fatigue.measure.replace('_', ' ')}"
        show_life(life, fatigue.top, f"life of '{life.body}', {words}, damage in {duration:g} s")
    show_written(written)


def _rows(found: RandomResponse, duration: float, curve: SNCurve | None) -> list[dict[str, Any]]:
    columns = zip(found.outputs, found.rms(), found.upcrossings(), found.extreme(duration), strict=True)
    rows: list[dict[str, Any]] = [
        {
            "output": port.name,
            "unit": port.unit,
            "rms": float(rms),
            "upcrossings_per_s": float(rate),
            "largest": float(largest),
        }
        for port, rms, rate, largest in columns
    ]
    for row in rows:
        if curve is not None and row["unit"] == "Pa":
            row["life_s"] = _lives(found, row["output"], curve, row["largest"])
    return rows


def _lives(found: RandomResponse, output: str, curve: SNCurve, largest: float) -> dict[str, float]:
    """Seconds to failure of a stress by the methods for wide bands."""
    from floatframe import durability

    names = "dirlik", "tovo_benasciutti"
    if not found.of(output).any():
        return dict.fromkeys(names, math.inf)
    with asked("--curve"):
        curve.require(largest, f" of '{output}'")
        moments = durability.spectral_moments(found.frequency, found.of(output))
    return {
        name: float(1.0 / rate) if (rate := float(durability.RATES[name](moments, curve))) > 0.0 else math.inf
        for name in names
    }


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
