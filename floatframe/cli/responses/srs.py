"""`floatframe srs RUN.h5 CHANNEL`: shock response spectra of accelerations."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from floatframe.cli.common import (
    Json,
    Verbose,
    asked,
    complain,
    console,
    positive,
    printed_warnings,
    progress,
    show_json,
    show_written,
    span_of,
    table,
    with_suffix,
)
from floatframe.viewer import PLOT_SUFFIXES

if TYPE_CHECKING:
    from floatframe.arrays import Array
    from floatframe.signals import ResponseSpectrum, Signal
    from floatframe.viewer import Curve

EXAMPLES = """
floatframe srs run.h5 box.acceleration.z --band 1:500 --save srs.png
floatframe srs run.h5 box.acceleration.x box.acceleration.z --damping 0.03 --part residual --csv srs.csv
floatframe srs drop.csv --band 10:2000 --quantity pseudo_velocity --json
"""
_ROWS = 12  # of the table
_FINER, _ENOUGH = 10, 100_000  # records that --step may make: of each in the file, and of any file


@dataclass(frozen=True)
class Oscillators:
    """Which oscillators stand on the base, and what of them is looked at."""

    band: Annotated[
        str,
        typer.Option(
            metavar="FIRST:LAST",
            help="Lowest and highest natural frequency [Hz] (default: from one period in the history to what its "
            "records resolve).",
        ),
    ] = ""
    points: Annotated[int, typer.Option(min=2, help="Natural frequencies in the band, at equal ratios.")] = 200
    damping: Annotated[float, typer.Option(min=0.0, max=0.999, help="Ratio of critical damping; 0.05 is Q = 10.")] = (
        0.05
    )
    quantity: Annotated[str, typer.Option(help="acceleration, displacement (relative) or pseudo_velocity.")] = (
        "acceleration"
    )
    part: Annotated[
        str, typer.Option(help="whole, primary (during the history) or residual (one period after it).")
    ] = "whole"
    step: Annotated[float | None, typer.Option(callback=positive, help="Resample to this constant step [s] first.")] = (
        None
    )


def run_command(
    *,
    file: Annotated[
        Path,
        typer.Argument(exists=True, dir_okay=False, help="A run; or a CSV file of times [s] and accelerations [m/s2]."),
    ],
    channels: Annotated[
        list[str] | None,
        typer.Argument(metavar="CHANNEL", help="Accelerations of the run: channels, components, expressions."),
    ] = None,
    wanted: Oscillators,
    save: Annotated[
        Path | None,
        typer.Option("--save", "-o", callback=with_suffix(*PLOT_SUFFIXES), help="Picture of the spectra."),
    ] = None,
    csv: Annotated[
        Path | None, typer.Option(callback=with_suffix(".csv"), help="Frequencies, positive and negative responses.")
    ] = None,
    as_json: Json = False,
    verbose: Verbose = False,
) -> None:
    """Print the largest responses of single oscillators to an acceleration of their base, over natural frequency."""
    from floatframe import signals, viewer

    band = span_of(wanted.band, "--band", "1:500") if wanted.band else None
    curves = _curves(file, channels or [], wanted.step)
    with asked(), progress("response spectra"):
        options = band, wanted.points, wanted.damping, wanted.quantity, wanted.part
        found = [replace(signals.shock_spectrum(c.t, c.y, *options), shaking=c.unit) for c in curves]
    for curve, spectrum in zip(curves, found, strict=True):
        if spectrum.frequency[-1] > spectrum.trusted * (1 + 1e-9):
            complain(
                f"{curve.name}: records {curve.t[1] - curve.t[0]:.3g} s apart resolve oscillators up to "
                f"{spectrum.trusted:.4g} Hz, the band goes to {spectrum.frequency[-1]:.4g} Hz; record more often"
            )
    names = [curve.name for curve in curves]
    title = f"{file.name}: response spectrum, damping {100 * wanted.damping:g} %"
    if save is not None:
        viewer.plot_response_spectra(dict(zip(names, found, strict=True)), save, title)
    if csv is not None:
        _write(csv, names, found)
    written = [str(path) for path in (save, csv) if path is not None]
    if as_json:
        content = {"file": str(file), "damping_ratio": wanted.damping, "quantity": wanted.quantity, "part": wanted.part}
        rows = [_row(name, spectrum) for name, spectrum in zip(names, found, strict=True)]
        show_json("floatframe-srs/1", {**content, "unit": found[0].unit, "spectra": rows, "written": written})
        return
    for name, spectrum in zip(names, found, strict=True):
        console().print(table(f"{title}: {name}", _cells(spectrum)))
    show_written(written)


def _curves(file: Path, channels: list[str], step: float | None) -> list[Curve]:
    """The accelerations of a run or of a file of two columns."""
    import numpy as np

    from floatframe import hybrid, signals, viewer

    if file.suffix.lower() == ".toml":
        raise typer.BadParameter(f"'{file.name}' is a model file without results; first run: floatframe simulate")
    if file.suffix.lower() in (".csv", ".txt", ".dat"):
        if channels:
            raise typer.BadParameter(f"'{file.name}' has one history, which needs no name; found {', '.join(channels)}")
        with asked():
            columns = hybrid.read_table(file)
            t, y = np.asarray(columns.x), np.asarray(columns.y)
            signal = _even(t, y) if step is None else signals.resample(t, y, _sensible(step, t))
        return [viewer.Curve(file.stem, "m/s2", signal.t, signal.y)]
    with printed_warnings(file), asked():
        results = hybrid.Results.open(file)
        if not channels:
            known = [c.name for c in results.channels if c.unit in signals.SHAKING]
            raise typer.BadParameter(f"name an acceleration of '{file.name}': {', '.join(known) or 'none recorded'}")
        curves = viewer.acceleration_curves(results, channels, step and _sensible(step, results.t))
        _even(curves[0].t, curves[0].y)  # all have the times of the run
    return curves


def _even(t: Array, y: Array) -> Signal:
    """A history whose steps must be equal."""
    from floatframe import signals
    from floatframe.errors import ModelError

    try:
        return signals.uniform(t, y)
    except ModelError as error:
        raise typer.BadParameter(str(error).replace("`ff.signals.resample`", "--step")) from None


def _sensible(step: float, t: Array) -> float:
    """The step [s] of resampling: a spline through n times needs no more than some records between two of them."""
    most = max(_ENOUGH, _FINER * len(t))
    length = float(t[-1] - t[0])
    if length > most * step:
        raise typer.BadParameter(
            f"--step {step:g} s makes {length / step:.3g} records of {len(t)}, expected at most {most}: "
            f"take {length / most:.3g} s or more"
        )
    return step


def _cells(found: ResponseSpectrum) -> dict[str, list[str]]:
    """Rows at equal ratios of frequency, and the largest response."""
    import numpy as np

    rows = np.unique(
        [*np.linspace(0, len(found.frequency) - 1, _ROWS).astype(int), int(np.argmax(found.largest))]
    ).tolist()
    return {
        "natural frequency [Hz]": [f"{found.frequency[k]:.5g}" for k in rows],
        f"positive [{found.unit}]": [f"{found.positive[k]:.5g}" for k in rows],
        f"negative [{found.unit}]": [f"{found.negative[k]:.5g}" for k in rows],
        f"largest [{found.unit}]": [f"{found.largest[k]:.5g}" for k in rows],
    }


def _row(name: str, found: ResponseSpectrum) -> dict[str, Any]:
    numbers = {"frequency_hz": found.frequency, "positive": found.positive, "negative": found.negative}
    return {"channel": name, "trusted_hz": found.trusted, **{key: v.tolist() for key, v in numbers.items()}}


def _write(path: Path, names: list[str], found: list[ResponseSpectrum]) -> None:
    import numpy as np

    from floatframe.io import write_csv

    headings, columns = ["natural frequency [Hz]"], [found[0].frequency]
    for name, spectrum in zip(names, found, strict=True):
        headings += [f"{side} {name} [{spectrum.unit}]" for side in ("positive", "negative")]
        columns += [spectrum.positive, spectrum.negative]
    write_csv(path, headings, np.column_stack(columns))
