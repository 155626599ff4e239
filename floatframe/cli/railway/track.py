"""`floatframe track FILE`: plan, curvature, cant, irregularities of a railway track and their spectra."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from floatframe.cli.common import (
    Json,
    Picture,
    Verbose,
    console,
    positive,
    printed_warnings,
    show_json,
    show_written,
    table,
    with_suffix,
)

if TYPE_CHECKING:
    from floatframe.railway import RailSpectrum, Track

EXAMPLES = """
floatframe track line.toml
floatframe track line.toml -o line.png
floatframe track kilometres.csv --csv places.csv --every 5
"""


def run_command(
    file: Annotated[
        Path,
        typer.Argument(exists=True, dir_okay=False, help="A track file (.toml) or a table of kilometres (.csv)."),
    ],
    output: Picture = None,
    csv: Annotated[
        Path | None,
        typer.Option(callback=with_suffix(".csv"), help="Write places, cant and irregularities to this file."),
    ] = None,
    every: Annotated[
        float | None,
        typer.Option(
            callback=positive, help="Distance of two rows of --csv [m] (default: step of the irregularities)."
        ),
    ] = None,
    as_json: Json = False,
    verbose: Verbose = False,
) -> None:
    """Print the sections and irregularities of a railway track, draw them, write them as numbers.

    The picture shows plan, curvature, cant and elevation, the irregularities, and their spectra beside the ones they
    are drawn from.
    """
    from floatframe import hybrid, railway, viewer

    with printed_warnings(file):
        track = hybrid.read_track(file)
    spectra = railway.rail_spectra(track) if track.irregularities else {}
    if output is not None:
        viewer.plot_track(track, output)
    if csv is not None:
        railway.write_places(track, csv, every)
    written = [str(path) for path in (output, csv) if path is not None]
    if as_json:
        show_json("floatframe-track/1", {**_content(track, spectra), "written": written})
        return
    _show(track, spectra)
    show_written(written)


def _content(track: Track, spectra: dict[str, RailSpectrum]) -> dict[str, Any]:
    """Return what is known of a track as JSON can hold it."""
    from floatframe import railway

    end = track.frame(track.end)
    return {
        "name": track.name,
        "start_m": track.layout.start,
        "end_m": track.end,
        "length_m": track.length,
        "gauge_m": track.gauge,
        "rail_distance_m": track.rail_distance,
        **railway.largest_values(track),
        "end_position_m": end.p.tolist(),
        "end_heading_rad": float(end.heading),
        "sections": railway.section_list(track),
        "irregularity_step_m": track.rails.step if track.irregularities else None,
        "irregularities": [
            {
                "quantity": one.quantity,
                "rms_m": one.rms,
                "peak_m": one.peak,
                "target_rms_m": one.target_rms or None,
            }
            for one in spectra.values()
        ],
    }


def _show(track: Track, spectra: dict[str, RailSpectrum]) -> None:
    """Print tables of the sections and irregularities."""
    from floatframe import railway

    rows = railway.section_list(track)
    columns = {
        "section": [row["type"] for row in rows],
        "from [m]": [f"{row['start_m']:.6g}" for row in rows],
        "length [m]": [f"{row['length_m']:.6g}" for row in rows],
        "radius [m]": ["-" if row["radius_m"] is None else f"{row['radius_m']:.6g}" for row in rows],
        "cant [mm]": ["-" if row["cant_m"] is None else f"{1e3 * row['cant_m']:.4g}" for row in rows],
    }
    console().print(table(f"{track.name}: {track.length:.6g} m, gauge {1e3 * track.gauge:.6g} mm", columns))
    if spectra:
        found = list(spectra.values())
        columns = {
            "irregularity": [one.quantity.replace("_", " ") for one in found],
            "rms [mm]": [f"{1e3 * one.rms:.3f}" for one in found],
            "of its spectrum": [f"{1e3 * one.target_rms:.3f}" if one.target_rms else "-" for one in found],
            "largest [mm]": [f"{1e3 * one.peak:.3f}" for one in found],
        }
        console().print(table(f"irregularities every {1e3 * track.rails.step:.4g} mm", columns))
