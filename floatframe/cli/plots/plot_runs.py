"""The part of `floatframe plot` that is about runs: channels over time or frequency, as pictures and as numbers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from floatframe.cli.common import Wanted, asked, console, positive, printed_warnings, progress, show_json, table

if TYPE_CHECKING:
    from floatframe.hybrid import Results
    from floatframe.viewer import Curve, Frame


@dataclass(frozen=True)
class OverFrequency:
    """Diagrams over frequency in place of histories."""

    amplitudes: Annotated[bool, typer.Option("--spectrum", help="Amplitudes over frequency.")] = False
    density: Annotated[bool, typer.Option("--psd", help="Power spectral density (Welch).")] = False
    spectrogram: Annotated[
        bool, typer.Option("--spectrogram", help="Power spectral density over time and frequency.")
    ] = False
    waterfall: Annotated[
        bool, typer.Option("--waterfall", help="Waterfall plot: spectra of successive time segments.")
    ] = False

    @property
    def options(self) -> dict[str, bool]:
        """What is asked for, by the names of the options."""
        return {
            "spectrum": self.amplitudes,
            "psd": self.density,
            "spectrogram": self.spectrogram,
            "waterfall": self.waterfall,
        }

    @property
    def given(self) -> list[str]:
        """The names of the options that are given."""
        return [name for name, wanted in self.options.items() if wanted]


@dataclass(frozen=True)
class Span:
    """Which times and frequencies are drawn."""

    start: Annotated[float | None, typer.Option("--from", help="First time [s].")] = None
    end: Annotated[float | None, typer.Option("--to", help="Last time [s].")] = None
    step: Annotated[float | None, typer.Option(callback=positive, help="Resample to this constant step [s] first.")] = (
        None
    )
    segment: Annotated[float | None, typer.Option(callback=positive, help="Welch segment length [s].")] = None
    up_to: Annotated[float | None, typer.Option(callback=positive, help="Highest frequency drawn [Hz].")] = None

    @property
    def given(self) -> list[str]:
        """The names of the options that are given."""
        options = {"from": self.start, "to": self.end, "step": self.step, "segment": self.segment, "up-to": self.up_to}
        return [name for name, value in options.items() if value is not None]


@dataclass(frozen=True)
class Axes:
    """How far axes go, in which units, and what stands at curves and above them."""

    xlim: Annotated[str | None, typer.Option(metavar="LOW:HIGH", help="Ends of the horizontal axis: 0:2.")] = None
    ylim: Annotated[str | None, typer.Option(metavar="LOW:HIGH", help="Ends of the vertical axes.")] = None
    log: Annotated[str | None, typer.Option(metavar="x|y|xy", help="Logarithmic axes.")] = None
    labels: Annotated[
        list[str] | None,
        typer.Option("--label", metavar="TEXT", help="Names of the curves, one option each, in order."),
    ] = None
    units: Annotated[
        list[str] | None, typer.Option("--unit", metavar="UNIT", help="Show curves in kN, mm, deg, rpm, km/h, MPa …")
    ] = None
    title: Annotated[str | None, typer.Option(metavar="TEXT", help="The words above the picture.")] = None

    @property
    def given(self) -> list[str]:
        """The names of the options that are given."""
        options = {"xlim": self.xlim, "ylim": self.ylim, "log": self.log, "label": self.labels, "unit": self.units}
        return [name for name, value in {**options, "title": self.title}.items() if value]

    @property
    def frame(self) -> Frame:
        """The axes as a plot takes them."""
        from floatframe import viewer

        if self.log not in (None, "x", "y", "xy"):
            raise typer.BadParameter(f"--log: found '{self.log}', expected x, y or xy")
        return viewer.Frame(_limits("--xlim", self.xlim), _limits("--ylim", self.ylim), self.log or "")

    def named(self, curves: list[Curve]) -> list[Curve]:
        """Return curves in the units and under the names that are asked for."""
        from floatframe import viewer

        shown = viewer.in_units(curves, self.units or [])
        if self.labels and len(self.labels) != len(shown):
            names = ", ".join(curve.name for curve in shown)
            raise typer.BadParameter(f"--label: found {len(self.labels)}, expected one for each curve: {names}")
        return (
            [replace(curve, name=name) for curve, name in zip(shown, self.labels, strict=True)]
            if self.labels
            else shown
        )


def _limits(option: str, text: str | None) -> tuple[float, float] | None:
    if text is None:
        return None
    try:
        low, high = (float(word) for word in text.split(":"))
    except ValueError:
        raise typer.BadParameter(f"{option}: found '{text}', expected two numbers such as 0:2") from None
    return low, high


def plot_run_file(
    file: Path, words: list[str], wanted: Wanted, over_frequency: OverFrequency, span: Span, axes: Axes, as_json: bool
) -> None:
    """Draw channels of a run, write them as numbers, print their size, or list what is in the run.

    words: channels, and before or between them files of other runs whose channels are drawn in the same diagrams.
    """
    from floatframe import hybrid, viewer

    results = hybrid.Results.open(file)
    others = [Path(word) for word in words if Path(word).suffix.lower() == ".h5"]
    channels = [word for word in words if Path(word) not in others]
    if not channels and others:
        raise typer.BadParameter(f"name the channels that '{file.name}' and the other runs have in common")
    if not channels:
        if wanted != Wanted():
            raise typer.BadParameter("name the channels; `floatframe plot FILE` alone lists them")
        _list(results, as_json)
        return
    with printed_warnings(file), asked():  # nodes are recovered by the model in the run, which may warn
        histories = [hybrid.split_numbers(text)[0] for text in channels]
        if wanted == Wanted() and histories == channels:
            raise typer.BadParameter("nothing to do: give -o PICTURE, --csv FILE, --rms or a measure, CHANNEL:rms")
        runs = {"": results} if not others else _named_runs([file, *others])
        curves, measures = [], []
        for name, run in runs.items():
            found = viewer.span_curves(run, histories, span.start, span.end, span.step)
            curves += [replace(curve, name=name + curve.name) for curve in found]
            rows = viewer.measured(run, channels, span.start, span.end)
            measures += [{**row, "signal": name + row["signal"]} for row in rows]
    with asked():
        curves = axes.named(curves)
    kind = "".join(over_frequency.given)
    if kind in ("spectrogram", "waterfall") and len(curves) > 1:
        names = ", ".join(curve.name for curve in curves)
        raise typer.BadParameter(f"--{kind} draws one signal, found {len(curves)}: {names}")
    if wanted.csv is not None:
        _write_numbers(curves, wanted.csv)
    if wanted.output is not None:
        with progress(f"drawing {wanted.output.name}"):
            _draw(curves, wanted.output, kind, span, axes)
    summary = _summary(curves) if wanted.rms else []
    if as_json:
        status = results.status.reason.replace(" ", "_")
        content = {
            "file": str(file),
            "status": status,
            "written": wanted.files,
            "signals": summary,
            "measures": measures,
        }
        show_json("floatframe-plot/1", content)
        return
    for rows in filter(None, (summary, measures)):
        columns = {viewer.heading(key): [_word(row[key]) for row in rows] for key in rows[0]}
        console().print(table(f"{file.name}: {curves[0].t[0]:g} … {curves[0].t[-1]:g} s", columns))
    wanted.show_files()


def _named_runs(files: list[Path]) -> dict[str, Results]:
    """Return runs by what stands before the names of their signals: the name of the file, or all of its path."""
    from floatframe import hybrid

    names = [path.stem for path in files] if len({path.stem for path in files}) == len(files) else map(str, files)
    found = {f"{name}: ": hybrid.Results.open(path) for name, path in zip(names, files, strict=True)}
    if len(found) < len(files):
        raise typer.BadParameter("a run is named twice")
    return found


def _draw(curves: list[Curve], output: Path, kind: str, span: Span, axes: Axes) -> None:
    from floatframe import signals, viewer

    title, frame = axes.title or "", axes.frame
    if kind == "spectrum":
        viewer.plot_spectra(curves, output, title, highest=span.up_to, frame=frame)
    elif kind == "psd":
        viewer.plot_psd(curves, output, title, span.segment, span.up_to, frame)
    elif not kind:
        viewer.plot_histories(curves, output, title, frame)
    else:
        if set(axes.given) & {"xlim", "ylim", "log"}:
            raise typer.BadParameter(f"--{kind} takes no limits and logarithmic axes; use --from, --to and --up-to")
        (curve,) = curves
        found = signals.spectrogram(curve.t, curve.y, span.segment)
        plot = viewer.plot_waterfall if kind == "waterfall" else viewer.plot_spectrogram
        plot(found, output, curve.name, curve.unit, title, span.up_to)


def _write_numbers(curves: list[Curve], path: Path) -> None:
    """Write the histories as they are drawn over time: cut and resampled on request."""
    import numpy as np

    from floatframe.io import write_csv

    if any(not np.array_equal(curve.t, curves[0].t) for curve in curves):
        raise typer.BadParameter(
            "--csv: the runs have records at different times; give a common --step, --from and --to"
        )
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
