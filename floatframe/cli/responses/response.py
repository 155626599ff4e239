"""`floatframe response MODEL.toml`: frequency response of the assembled hybrid model."""

from __future__ import annotations

from dataclasses import dataclass
from math import isinf
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
    complain,
    console,
    hertz,
    printed_warnings,
    progress,
    read_model_file,
    show_json,
    show_written,
    table,
    with_suffix,
)
from floatframe.cli.responses.asked import At, Band, Inputs, Outputs, found_state, required
from floatframe.viewer import PLOT_SUFFIXES

if TYPE_CHECKING:
    from floatframe.hybrid import FrequencyResponse, ResponsePeak, State, System

EXAMPLES = """
floatframe response seat.toml --input drive --output seat.acceleration.z --band 0.1:200
floatframe response seat.toml --input road --output seat.position.z --band 0.5:50 --save bode.png --csv bode.csv
floatframe response car.toml --input road --output seat.position.z --transmissibility cab.position.z --band 0.5:50
floatframe response rotor.toml --at steady --input unbalance.y --output 'disc.position.y' --band 1:300 --json
floatframe response frame.toml --input push.z --output 'frame.node[12].acceleration.z' --band 1:80 --shape shape.html
"""
_PEAKS = 5  # of each pair in the table


@dataclass(frozen=True)
class Files:
    """What is written."""

    save: Annotated[
        Path | None,
        typer.Option("--save", "-o", callback=with_suffix(*PLOT_SUFFIXES), help="The Bode diagram."),
    ] = None
    nyquist: Annotated[
        Path | None, typer.Option(callback=with_suffix(*PLOT_SUFFIXES), help="Real and imaginary parts.")
    ] = None
    csv: Annotated[
        Path | None,
        typer.Option(callback=with_suffix(".csv"), help="Frequencies, real and imaginary parts of all responses."),
    ] = None
    shape: Annotated[
        Path | None,
        typer.Option(
            callback=with_suffix(".html", ".htm", ".gif", ".mp4", ".png"),
            help="How everything moves at one frequency, for the first input: page, movie or picture.",
        ),
    ] = None

    @property
    def written(self) -> list[str]:
        """The files to be written."""
        return [str(path) for path in (self.save, self.nyquist, self.csv, self.shape) if path is not None]


def run_command(
    *,
    file: ModelPath,
    inputs: Inputs = None,
    outputs: Outputs = None,
    wanted: Band,
    at: At = None,
    values: Set = None,
    of: Annotated[
        str | None,
        typer.Option(
            "--frequency",
            metavar="HZ",
            help="Frequency of the table of modes and of the shape (default: the highest peak of the first output).",
        ),
    ] = None,
    n: Annotated[int, typer.Option("-n", min=1, help="Modes in the table of contributions.")] = 6,
    transmissibility: Annotated[
        str,
        typer.Option(
            metavar="CHANNEL", help="Give the outputs over this channel, which the inputs move as well: a ratio."
        ),
    ] = "",
    files: Files,
    as_json: Json = False,
    verbose: Verbose = False,
) -> None:
    """Print peaks of the response of outputs to harmonic inputs, and the modes that make up the highest one."""
    from floatframe import hybrid, viewer

    single = hertz(of, "--frequency")
    band = wanted.ends
    system = compiled(read_model_file(file, values))
    names = required(inputs, "--input", system), required(outputs, "--output", system)
    with printed_warnings(file), progress(f"response of {file.name}"):
        state = found_state(system, at)
        with asked():
            found = hybrid.frequency_response(
                *(system, names[0], [*names[1], *([transmissibility] if transmissibility else [])], band),
                points=wanted.points,
                spacing="linear" if wanted.evenly else "log",
                state=state,
            )
            found = found.relative_to(transmissibility) if transmissibility else found
    with progress("peaks"):
        peaks = {pair: found.maxima(*pair) for pair in _pairs(found)}
    first = _largest_component(found, peaks, (names[1][0], names[0][0]), single)
    sought = single is not None or bool(peaks[first]) or not transmissibility  # a ratio is no sum of modes elsewhere
    single = single or (peaks[first][0].frequency if peaks[first] else float(found.frequency[-1]))
    title = f"{file.name}: {'transmissibility' if transmissibility else 'frequency response'}"
    if files.save is not None:
        viewer.plot_response(found, files.save, title)
    if files.nyquist is not None:
        viewer.plot_nyquist(found, files.nyquist, title)
    if files.csv is not None:
        found.to_csv(files.csv)
    if files.shape is not None:
        _draw(system, state, found, single, files.shape)
    parts = _contributions(found, first, single, n) if sought else []
    if as_json:
        show_json("floatframe-response/1", _content(file, found, peaks, first, single, parts, files))
        return
    _show(found, peaks, title)
    cells = {
        "mode": [str(row["mode"]) for row in parts],
        "frequency [Hz]": [_number(row["frequency_hz"]) for row in parts],
        "damping [%]": [_number(row["damping_ratio"], 100, ".3f") for row in parts],
        "magnitude": [_number(row["magnitude"]) for row in parts],
        "phase [°]": [_number(row["phase_deg"], form=".1f") for row in parts],
        "share [%]": [_number(row["share"], 100, ".2f") for row in parts],
    }
    if parts:
        console().print(table(f"{first[0]} per {first[1]} at {single:.5g} Hz: contributions of modes", cells))
    show_written(files.written)


def _largest_component(
    found: FrequencyResponse,
    peaks: dict[tuple[str, str], list[ResponsePeak]],
    first: tuple[str, str],
    frequency: float | None,
) -> tuple[str, str]:
    """Of the components of the first output and input those with the highest peak, or most motion at a frequency."""

    def size(pair: tuple[str, str]) -> float:
        if frequency is not None:
            return float(abs(found[pair][abs(found.frequency - frequency).argmin()]))
        return max((peak.magnitude for peak in peaks[pair]), default=0.0)

    def belongs(pair: tuple[str, str]) -> bool:
        return all(f"{name}.".startswith(f"{whole}.") for name, whole in zip(pair, first, strict=True))

    return max([pair for pair in peaks if belongs(pair)] or list(peaks)[:1], key=size)


def _contributions(found: FrequencyResponse, pair: tuple[str, str], frequency: float, n: int) -> list[dict[str, Any]]:
    """Parts of modes in a response; none, with a word on stderr, where a motion has no inertia."""
    from floatframe.errors import ModelError

    try:
        return list(found.contributions(*pair, frequency).rows(n))
    except ModelError as error:
        complain(str(error))
        return []


def _number(value: Any, factor: float = 1.0, form: str = ".5g") -> str:
    return "" if value is None else format(factor * value, form)


def _pairs(found: FrequencyResponse) -> list[tuple[str, str]]:
    return [(output.name, given.name) for output in found.outputs for given in found.inputs]


def _unit(found: FrequencyResponse, pair: tuple[str, str]) -> str:
    ports = {port.name: port for port in (*found.outputs, *found.inputs)}
    return found.unit(ports[pair[0]], ports[pair[1]])


def _show(found: FrequencyResponse, peaks: dict[tuple[str, str], list[ResponsePeak]], title: str) -> None:
    """Print the peaks of all responses."""
    rows = [
        (*pair, _unit(found, pair), peak)
        for pair, highest in peaks.items()
        for peak in sorted(highest[:_PEAKS], key=lambda one: one.frequency)
    ]
    if not rows:
        low, high = found.frequency[[0, -1]]
        console().print(f"{title}: no peaks from {low:g} to {high:g} Hz", markup=False)
        return
    cells = {
        "output": [row[0] for row in rows],
        "input": [row[1] for row in rows],
        "peak [Hz]": [f"{row[3].frequency:.5g}" for row in rows],
        "magnitude": ["undamped" if isinf(row[3].magnitude) else f"{row[3].magnitude:.5g}" for row in rows],
        "unit": [row[2] for row in rows],
        "phase [°]": [_number(row[3].phase, form=".1f") for row in rows],
    }
    console().print(table(title, cells))


def _content(
    file: Path,
    found: FrequencyResponse,
    peaks: dict[tuple[str, str], list[ResponsePeak]],
    first: tuple[str, str],
    single: float,
    parts: list[dict[str, Any]],
    files: Files,
) -> dict[str, Any]:
    """What `--json` says."""
    responses = []
    for pair, highest in peaks.items():
        curve, rising = found[pair], sorted(highest, key=lambda one: one.frequency)
        responses.append(
            {
                "output": pair[0],
                "input": pair[1],
                "unit": _unit(found, pair),
                "real": curve.real.tolist(),
                "imaginary": curve.imag.tolist(),
                "peaks_hz": [peak.frequency for peak in rising],
                "peak_magnitudes": [peak.magnitude for peak in rising],
                "peak_phases_deg": [peak.phase for peak in rising],
            }
        )
    return {
        "name": file.stem,
        "frequency_hz": found.frequency.tolist(),
        "trusted_hz": found.trusted,
        "responses": responses,
        "contributions": {"output": first[0], "input": first[1], "frequency_hz": single, "modes": parts},
        "written": files.written,
    }


def _draw(system: System, state: State, found: FrequencyResponse, frequency: float, path: Path) -> None:
    """Draw how everything moves at a frequency."""
    from floatframe import viewer

    deflection = found.deflection(found.inputs[0].name, frequency)
    viewer.save(viewer.scene_of(system, state=state, deflections=[deflection]), path, mode=1)
