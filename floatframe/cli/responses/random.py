"""`floatframe random MODEL.toml`: densities and root mean squares of outputs for random inputs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from floatframe.cli.common import (
    Json,
    ModelPath,
    RandomInputs,
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
    from floatframe.durability import SNCurve
    from floatframe.hybrid import RandomResponse

EXAMPLES = """
floatframe random car.toml --psd road=road.csv --output body.acceleration.z --band 0.2:50 --save density.png
floatframe random car.toml --psd road=iso8608:C:20 --output body.acceleration.z --band 0.2:50
floatframe random car.toml --psd left=1e-6 --psd right=1e-6 --coherence left,right=0.6 --output body.position.z
floatframe random car.toml --psd front=1e-6 --psd rear=1e-6 --coherence front,rear=1 --delay rear=0.1 --band 1:30
floatframe random frame.toml --psd ground.acceleration.z=4 --band 5:500 --curve eurocode:71 --body frame --map life.png
"""


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
    method: Annotated[str, typer.Option(help="For a body: dirlik, tovo_benasciutti, narrow_band.")] = "dirlik"
    measure: Annotated[
        str,
        typer.Option(
            help="Stress that is counted: critical_plane (normal stress), critical_shear, von_mises, xx … zx."
        ),
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
    with asked():
        durability.require_known(fatigue.method, fatigue.measure)
    band = wanted.ends
    system = compiled(read_model_file(file, values))
    given = random.densities
    required(list(given), "--psd", system)
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
            if curve is not None and not fatigue.body and not any(port.unit == "Pa" for port in response.outputs):
                raise typer.BadParameter(
                    f"--curve: none of the outputs is a stress [Pa], found {', '.join(names)}; name one, such as "
                    "--output 'frame.node[12].stress.xx', or a flexible body with --body"
                )
            noise = hybrid.random_response(
                response, hybrid.input_densities(response, given, random.coherences, random.delays)
            )
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
            content["life"] = {"body": life.body, **kind, "static_correction": life.corrected, **places}
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
    if rows:
        console().print(table(f"{file.name}: random response from {band[0]:g} to {band[1]:g} Hz", cells))
    if curve is not None and any("life_s" in row for row in rows):
        console().print(table(f"life of stresses, {curve.name}", _lives(rows)))
    if life is not None:
        words = f"{life.curve.name}, {fatigue.method.replace('_', ' ')}, {fatigue.measure.replace('_', ' ')}"
        words += f", {'with' if life.corrected else 'without'} static correction"
        show_life(life, fatigue.top, f"life of '{life.body}', {words}, damage in {duration:g} s")
    show_written(written)


def _lives(rows: list[dict[str, Any]]) -> dict[str, list[str]]:
    """Return the columns of the lives of outputs that are stresses."""
    stressed = [row for row in rows if "life_s" in row]
    cells = {"output": [row["output"] for row in stressed]}
    for method in stressed[0]["life_s"]:
        cells[f"{method.replace('_', ' ')} [h]"] = [f"{row['life_s'][method] / 3600.0:.4g}" for row in stressed]
    return cells


def _rows(found: RandomResponse, duration: float, curve: SNCurve | None) -> list[dict[str, Any]]:
    from floatframe import durability

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
            with asked("--curve"):
                row["life_s"] = durability.output_lives(found, row["output"], curve, duration)
    return rows


def _write(path: Path, found: RandomResponse) -> None:
    import numpy as np

    from floatframe.io import write_csv

    headings = ["frequency [Hz]", *(f"density {port.name} [({port.unit or 1})2/Hz]" for port in found.outputs)]
    write_csv(path, headings, np.column_stack((found.frequency, found.density)))
