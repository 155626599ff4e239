"""`floatframe plot run.h5 CHANNEL…`: histories of a simulation and what frequencies they hold."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from floatframe.cli.terminal import Json, Verbose, console, progress, show_json, table, with_suffix

if TYPE_CHECKING:
    from floatframe.hybrid import Results
    from floatframe.viewer import Curve

EXAMPLES = "Example: floatframe plot run.h5 A.force crank.angular_velocity.z --psd --up-to 200 -o force.png"

_PICTURES = (".png", ".svg", ".pdf")


def run_command(
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="Results of a simulation.")],
    channels: Annotated[
        list[str] | None, typer.Argument(metavar="CHANNEL", help="A.force, or one component: A.force.x")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", callback=with_suffix(*_PICTURES), help="The picture.")
    ] = None,
    amplitudes: Annotated[bool, typer.Option("--spectrum", help="Amplitudes over frequency.")] = False,
    density: Annotated[bool, typer.Option("--psd", help="Power spectral density (Welch).")] = False,
    spectrogram: Annotated[bool, typer.Option("--spectrogram", help="Density over time and frequency.")] = False,
    rms: Annotated[bool, typer.Option("--rms", help="Print root mean square and largest value.")] = False,
    csv: Annotated[
        Path | None, typer.Option(callback=with_suffix(".csv"), help="File for the histories as numbers.")
    ] = None,
    start: Annotated[float | None, typer.Option("--from", help="First time [s].")] = None,
    end: Annotated[float | None, typer.Option("--to", help="Last time [s].")] = None,
    step: Annotated[float | None, typer.Option(help="Resample to equal steps [s] first.")] = None,
    segment: Annotated[float | None, typer.Option(help="Length of the pieces of densities [s].")] = None,
    up_to: Annotated[float | None, typer.Option(help="Highest frequency drawn [Hz].")] = None,
    as_json: Json = False,
    verbose: Verbose = False,
) -> None:
    """Draw channels of a result file over time or frequency; without channels, list them."""
    from floatframe import hybrid

    if amplitudes + density + spectrogram > 1:
        raise typer.BadParameter("choose one of --spectrum, --psd and --spectrogram")
    results = hybrid.Results.open(file)
    if not channels:
        if output or csv or rms:
            raise typer.BadParameter("name the channels; `floatframe plot FILE` alone lists them")
        _list(results, as_json)
        return
    if not (output or csv or rms):
        raise typer.BadParameter("nothing to do: give -o PICTURE, --csv FILE or --rms")
    curves = _curves(results, channels, start, end, step)
    if spectrogram and len(curves) > 1:
        names = ", ".join(curve.name for curve in curves)
        raise typer.BadParameter(f"--spectrogram draws one signal, these are {len(curves)}: {names}")

    if csv is not None:
        _write_numbers(curves, csv)
    if output is not None:
        with progress(f"drawing {output.name}"):
            _draw(curves, output, file.name, amplitudes, density, spectrogram, segment, up_to)
    summary = _summary(curves) if rms else []
    if as_json:
        written = [str(path) for path in (output, csv) if path is not None]
        show_json({"file": str(file), "status": str(results.status), "written": written, "signals": summary})
        return
    if rms:
        columns = {key: [_word(row[key]) for row in summary] for key in summary[0]}
        console().print(table(f"{file.name}: {curves[0].t[0]:g} … {curves[0].t[-1]:g} s", columns))
    for path in filter(None, (output, csv)):
        console().print(f"written: {path}", markup=False)


def _curves(
    results: Results, channels: list[str], start: float | None, end: float | None, step: float | None
) -> list[Curve]:
    """Return one curve per component, cut to the wanted times, at equal steps if asked for."""
    import numpy as np

    from floatframe import hybrid, viewer

    t = results.t
    inside = (t >= (-np.inf if start is None else start)) & (t <= (np.inf if end is None else end))
    if inside.sum() < 2:
        span = f"{t[0]:g} … {t[-1]:g} s" if len(t) else "none"
        raise typer.BadParameter(f"--from, --to: fewer than two records lie there; the times are {span}")
    curves = []
    for channel in dict.fromkeys(channels):
        values = results[channel][inside].reshape(int(inside.sum()), -1)
        for name, y in zip(results.column_names(channel), values.T, strict=True):
            signal = hybrid.Signal(t[inside], y) if step is None else hybrid.resample(t[inside], y, step)
            curves.append(viewer.Curve(name, results.unit(channel), signal.t, signal.y))
    return curves


def _draw(
    curves: list[Curve],
    output: Path,
    title: str,
    amplitudes: bool,
    density: bool,
    spectrogram: bool,
    segment: float | None,
    up_to: float | None,
) -> None:
    from floatframe import hybrid, viewer

    if amplitudes:
        viewer.plot_spectra(curves, output, title, highest=up_to)
    elif density:
        viewer.plot_psd(curves, output, title, segment, up_to)
    elif spectrogram:
        (curve,) = curves
        found = hybrid.spectrogram(curve.t, curve.y, segment)
        viewer.plot_spectrogram(found, output, curve.name, curve.unit, title, up_to)
    else:
        viewer.plot_histories(curves, output, title)


def _write_numbers(curves: list[Curve], path: Path) -> None:
    """Write the histories as they are drawn over time: cut and resampled as asked for."""
    import numpy as np

    from floatframe.io.results_csv import write_csv

    headings = [f"{curve.name} [{curve.unit}]" if curve.unit else curve.name for curve in curves]
    write_csv(path, ["t [s]", *headings], np.column_stack([curves[0].t, *(curve.y for curve in curves)]))


def _summary(curves: list[Curve]) -> list[dict[str, Any]]:
    from floatframe import hybrid

    rows = []
    for curve in curves:
        largest = hybrid.peak(curve.t, curve.y)
        rows.append(
            {
                "signal": curve.name,
                "unit": curve.unit,
                "rms": float(hybrid.rms(curve.t, curve.y)),
                "largest": float(largest.value),
                "at t [s]": float(largest.t),
            }
        )
    return rows


def _list(results: Results, as_json: bool) -> None:
    rows = [{"channel": c.name, "unit": c.unit, "components": " ".join(c.components)} for c in results.channels]
    if as_json:
        show_json({"status": str(results.status), "records": len(results), "channels": rows})
        return
    console().print(repr(results), markup=False)
    if rows:
        console().print(table("channels", {key: [row[key] for row in rows] for key in rows[0]}))


def _word(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)
