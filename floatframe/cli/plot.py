"""`floatframe plot run.h5 CHANNEL…`: histories of a simulation, their frequencies; sweeps; matrices, modes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from floatframe.cli import plot_models
from floatframe.cli.common import (
    Json,
    Verbose,
    asked,
    console,
    positive,
    progress,
    show_json,
    table,
    told_warnings,
    with_suffix,
)
from floatframe.cli.plot_sweep import Asked, plot_sweep_file

if TYPE_CHECKING:
    from floatframe.hybrid import Results
    from floatframe.viewer import Curve

EXAMPLES = """
floatframe plot run.h5
floatframe plot run.h5 A.force crank.angular_velocity.z -o force.png
floatframe plot run.h5 A.force.x --psd --up-to 200 -o psd.png
floatframe plot run.h5 A.force --rms --csv force.csv
floatframe plot run.h5 --contributions 'rod.node[101].z' -o bars.png
floatframe plot frame.cdb --sparsity -o k.png
floatframe plot input.fum --mac frame-modes.h5 -o mac.png
floatframe plot input.fum --errors frame.cdb -o errors.png
floatframe plot sweep.h5 frame.velocity.z:rms --over phi --where alpha=0 -o curve.png
floatframe plot modes.h5 -o campbell.png
"""

_KINDS = ("spectrum", "psd", "spectrogram", "waterfall", "contributions", "sparsity", "tree", "mac", "errors")
_PICTURES = (".png", ".svg", ".pdf")


def run_command(
    file: Annotated[
        Path,
        typer.Argument(exists=True, dir_okay=False, help="A run, a sweep, a model, modes or a reduced body."),
    ],
    channels: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="CHANNEL", help="A.force, or one component: A.force.x; of a sweep a column: A.force.x:rms"
        ),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", callback=with_suffix(*_PICTURES), help="The picture.")
    ] = None,
    amplitudes: Annotated[bool, typer.Option("--spectrum", help="Amplitudes over frequency.")] = False,
    density: Annotated[bool, typer.Option("--psd", help="Power spectral density (Welch).")] = False,
    spectrogram: Annotated[bool, typer.Option("--spectrogram", help="Density over time and frequency.")] = False,
    waterfall: Annotated[
        bool, typer.Option("--waterfall", help="Spectra of pieces of time, one behind the other.")
    ] = False,
    contributions: Annotated[
        str | None,
        typer.Option(metavar="POINT", help="Bars: what every mode adds to a displacement in a run, rod.node[101].z"),
    ] = None,
    sparsity: Annotated[
        bool, typer.Option("--sparsity", help="Of a model: its stiffness matrix before and after renumbering.")
    ] = False,
    tree: Annotated[bool, typer.Option("--tree", help="Of a model: the substructures by which it is solved.")] = False,
    mac: Annotated[
        Path | None,
        typer.Option(exists=True, dir_okay=False, help="Of modes or a body: MAC with the shapes of another file."),
    ] = None,
    errors: Annotated[
        Path | None,
        typer.Option(exists=True, dir_okay=False, help="Of a body: errors over number of modes, against this model."),
    ] = None,
    rms: Annotated[bool, typer.Option("--rms", help="Print root mean square and largest value.")] = False,
    csv: Annotated[
        Path | None, typer.Option(callback=with_suffix(".csv"), help="File for the histories as numbers.")
    ] = None,
    start: Annotated[float | None, typer.Option("--from", help="First time [s].")] = None,
    end: Annotated[float | None, typer.Option("--to", help="Last time [s].")] = None,
    step: Annotated[float | None, typer.Option(callback=positive, help="Resample to equal steps [s] first.")] = None,
    segment: Annotated[
        float | None, typer.Option(callback=positive, help="Length of the pieces of densities [s].")
    ] = None,
    up_to: Annotated[float | None, typer.Option(callback=positive, help="Highest frequency drawn [Hz].")] = None,
    over: Annotated[str | None, typer.Option(metavar="NAME", help="Sweep: curves over this parameter.")] = None,
    where: Annotated[
        list[str] | None, typer.Option(metavar="NAME=VALUE", help="Sweep: only where a parameter has this value.")
    ] = None,
    orders: Annotated[
        str | None, typer.Option(metavar="1,2,…", help="Linear sweep over a speed: rays of these orders.")
    ] = None,
    per_hertz: Annotated[float, typer.Option(help="Units of that speed per turn per second; 60 for rev/min.")] = 60.0,
    as_json: Json = False,
    verbose: Verbose = False,
) -> None:
    """Draw channels of a result file over time or frequency, list them, or draw what is known of a model or body.

    Columns of a sweep are drawn over a parameter as curves, over two as a map, or --over one of them as a family of
    curves; a linear sweep without columns as frequencies over its parameter.
    """
    from floatframe import hybrid, io

    if file.suffix.lower() == ".toml":
        run = file.with_suffix(".h5").name
        raise typer.BadParameter(
            f"'{file.name}' is a model file and holds no results; first: floatframe simulate {file.name} -o {run}"
        )
    over_frequency = {"spectrum": amplitudes, "psd": density, "spectrogram": spectrogram, "waterfall": waterfall}
    special = _special(file, contributions, sparsity, tree, mac, errors)
    if sum(over_frequency.values()) + len(special) > 1:
        raise typer.BadParameter(f"choose one of {', '.join(f'--{name}' for name in _KINDS)}")
    if io.format_of(file).holds is io.SweepResult:
        histories: dict[str, Any] = {**over_frequency, **special, "rms": rms, "from": start, "to": end, "step": step}
        histories |= {"segment": segment, "up-to": up_to}
        for option, value in histories.items():
            if value not in (None, False):
                raise typer.BadParameter(f"--{option} belongs to other files; '{file.name}' holds a sweep")
        plot_sweep_file(file, Asked(tuple(channels or ()), output, csv, over, where or [], orders, per_hertz), as_json)
        return
    if over or where or orders:
        raise typer.BadParameter(f"--over, --where and --orders belong to a sweep; '{file.name}' holds none")
    for name, draw in special.items():
        if output is None or channels or csv or rms:
            raise typer.BadParameter(f"--{name} takes no channels, --csv and --rms, but -o PICTURE")
        with told_warnings(file), progress(f"drawing {output.name}"):
            draw(output)
        if as_json:
            show_json("floatframe-plot/1", {"file": str(file), "written": [str(output)]})
        else:
            console().print(f"written: {output}", markup=False)
        return
    kind = next((name for name, wanted in over_frequency.items() if wanted), "history")
    results = hybrid.Results.open(file)
    if not channels:
        if output or csv or rms:
            raise typer.BadParameter("name the channels; `floatframe plot FILE` alone lists them")
        _list(results, as_json)
        return
    if not (output or csv or rms):
        raise typer.BadParameter("nothing to do: give -o PICTURE, --csv FILE or --rms")
    with told_warnings(file), asked():  # nodes are recovered by the model in the run, which may warn
        curves = _curves(results, channels, start, end, step)
    if (spectrogram or waterfall) and len(curves) > 1:
        names = ", ".join(curve.name for curve in curves)
        raise typer.BadParameter(f"--{kind} draws one signal, these are {len(curves)}: {names}")

    if csv is not None:
        _write_numbers(curves, csv)
    if output is not None:
        with progress(f"drawing {output.name}"):
            _draw(curves, output, file.name, kind, segment, up_to)
    summary = _summary(curves) if rms else []
    if as_json:
        written = [str(path) for path in (output, csv) if path is not None]
        status = results.status.reason.replace(" ", "_")
        show_json("floatframe-plot/1", {"file": str(file), "status": status, "written": written, "signals": summary})
        return
    if rms:
        from floatframe.viewer import heading

        columns = {heading(key): [_word(row[key]) for row in summary] for key in summary[0]}
        console().print(table(f"{file.name}: {curves[0].t[0]:g} … {curves[0].t[-1]:g} s", columns))
    for path in filter(None, (output, csv)):
        console().print(f"written: {path}", markup=False)


def _curves(
    results: Results, channels: list[str], start: float | None, end: float | None, step: float | None
) -> list[Curve]:
    """Return one curve per component, cut to the wanted times, at equal steps if asked for."""
    import numpy as np

    from floatframe import signals, viewer

    t = results.t
    inside = (t >= (-np.inf if start is None else start)) & (t <= (np.inf if end is None else end))
    if inside.sum() < 2:
        span = f"{t[0]:g} … {t[-1]:g} s" if len(t) else "none"
        raise typer.BadParameter(f"--from, --to: fewer than two records lie there; the times are {span}")
    curves = []
    for channel in dict.fromkeys(channels):
        values = results[channel][inside].reshape(int(inside.sum()), -1)
        for name, y in zip(results.column_names(channel), values.T, strict=True):
            signal = signals.Signal(t[inside], y) if step is None else signals.resample(t[inside], y, step)
            curves.append(viewer.Curve(name, results.unit(channel), signal.t, signal.y))
    return curves


def _draw(curves: list[Curve], output: Path, title: str, kind: str, segment: float | None, up_to: float | None) -> None:
    from floatframe import signals, viewer

    if kind == "spectrum":
        viewer.plot_spectra(curves, output, title, highest=up_to)
    elif kind == "psd":
        viewer.plot_psd(curves, output, title, segment, up_to)
    elif kind == "history":
        viewer.plot_histories(curves, output, title)
    else:
        (curve,) = curves
        found = signals.spectrogram(curve.t, curve.y, segment)
        plot = viewer.plot_waterfall if kind == "waterfall" else viewer.plot_spectrogram
        plot(found, output, curve.name, curve.unit, title, up_to)


def _special(
    file: Path, contributions: str | None, sparsity: bool, tree: bool, mac: Path | None, errors: Path | None
) -> dict[str, Callable[[Path], None]]:
    """Return what is to be drawn besides channels, by the name of its option."""
    given: dict[str, Callable[[Path], None] | None] = {
        "contributions": (lambda path: _draw_contributions(file, contributions, path)) if contributions else None,
        "sparsity": (lambda path: plot_models.draw_sparsity(file, path)) if sparsity else None,
        "tree": (lambda path: plot_models.draw_tree(file, path)) if tree else None,
        "mac": (lambda path: plot_models.draw_mac(file, mac, path)) if mac else None,
        "errors": (lambda path: plot_models.draw_errors(file, errors, path)) if errors else None,
    }
    return {name: draw for name, draw in given.items() if draw is not None}


def _draw_contributions(file: Path, point: str, output: Path) -> None:
    from floatframe import hybrid, viewer

    found, frequency = hybrid.node_contributions(hybrid.Results.open(file), point)
    viewer.plot_contributions(found, output, frequency, "m", f"{file.name}: {point}")


def _write_numbers(curves: list[Curve], path: Path) -> None:
    """Write the histories as they are drawn over time: cut and resampled as asked for."""
    import numpy as np

    from floatframe.io import write_csv

    headings = [f"{curve.name} [{curve.unit}]" if curve.unit else curve.name for curve in curves]
    write_csv(path, ["t [s]", *headings], np.column_stack([curves[0].t, *(curve.y for curve in curves)]))


def _summary(curves: list[Curve]) -> list[dict[str, Any]]:
    from floatframe import signals

    rows = []
    for curve in curves:
        largest = signals.peak(curve.t, curve.y)
        rows.append(
            {
                "signal": curve.name,
                "unit": curve.unit,
                "rms": float(signals.rms(curve.t, curve.y)),
                "largest": float(largest.value),
                "time_s": float(largest.t),
            }
        )
    return rows


def _list(results: Results, as_json: bool) -> None:
    rows: list[dict[str, Any]] = [
        {"channel": c.name, "unit": c.unit, "components": list(c.components)} for c in results.channels
    ]
    if as_json:
        status = results.status.reason.replace(" ", "_")
        show_json("floatframe-plot/1", {"status": status, "record_count": len(results), "channels": rows})
        return
    console().print(repr(results), markup=False)
    if rows:
        cells = {key: [" ".join(row[key]) if key == "components" else row[key] for row in rows] for key in rows[0]}
        console().print(table("channels", cells))


def _word(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)
