"""`floatframe fit MODEL.toml --measured data.csv --vary k,c`: parameters from measurements."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from floatframe.cli.common import (
    Json,
    ModelPath,
    Set,
    Verbose,
    asked,
    complain,
    console,
    given_parameters,
    printed_warnings,
    progress,
    read_model_file,
    show_json,
    show_written,
    table,
    with_suffix,
)
from floatframe.viewer import PLOT_SUFFIXES

if TYPE_CHECKING:
    from floatframe.hybrid import Fit

EXAMPLES = """
floatframe fit machine.toml --measured swing.csv --vary k,c -o fitted.toml --plot fit.png
floatframe fit machine.toml --measured modes.csv --vary k=1e4:1e6 --vary mass --json
"""


def run_command(
    file: ModelPath,
    measured: Annotated[
        Path,
        typer.Option(
            exists=True,
            dir_okay=False,
            help="CSV: column t and channels, or frequency with damping and displacements of channels in the shapes.",
        ),
    ],
    vary: Annotated[
        list[str],
        typer.Option(metavar="NAME[=LOW:HIGH],…", help="Parameters to find, with bounds; the model's values begin."),
    ],
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", callback=with_suffix(".toml"), help="The model file with the values found."),
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(callback=with_suffix(*PLOT_SUFFIXES), help="Measured, before and after.")
    ] = None,
    confidence: Annotated[float, typer.Option(help="Probability that a parameter lies in its interval.")] = 0.95,
    at: Annotated[
        str | None, typer.Option(help="Where modes are computed: start, equilibrium or steady (default: as in linear).")
    ] = None,
    values: Set = None,
    as_json: Json = False,
    verbose: Verbose = False,
) -> None:
    """Find parameters of a model from measured histories, frequencies or mode shapes, by least squares.

    Each value comes with an interval that follows from the noise of the data. What the data do not show is refused,
    with the parameters that change together.
    """
    from floatframe import hybrid, viewer

    wanted = _bounds(vary)
    model = read_model_file(file, values)
    if output is not None:
        hybrid.fitted_text(model, {})  # what cannot be written is said before the work
    with printed_warnings(file), progress(f"fitting {', '.join(wanted)}"), asked():
        found = hybrid.fit(
            file,
            measured,
            wanted,
            parameters=given_parameters(values),
            confidence=confidence,
            settings={} if at is None else {"at": at},
        )
    written = []
    if output is not None:
        hybrid.write_fitted(model, found.values, output)
        written.append(str(output))
    if plot is not None:
        viewer.plot_fit(found, plot, title=f"{file.stem}: {measured.name}")
        written.append(str(plot))
    for doubt in found.doubts:
        complain(doubt)
    if as_json:
        show_json("floatframe-fit/1", {**_content(found), "written": written})
        return
    rows = found.parameters
    share = f"{100 * found.confidence:g} % from"
    console().print(
        table(
            f"deviation {100 * found.left[0]:.3g} % before, {100 * found.left[1]:.3g} % after; {found.runs} runs",
            {
                "parameter": [one.name for one in rows],
                "before": [f"{one.before:.6g}" for one in rows],
                "found": [f"{one.value:.6g}" for one in rows],
                "± error": [f"{one.error:.2g}" for one in rows],
                share: [f"{one.low:.6g}" for one in rows],
                "to": [f"{one.high:.6g}" for one in rows],
            },
        )
    )
    show_written(written)


def _bounds(texts: list[str]) -> dict[str, tuple[float, float] | None]:
    """The parameters to find, with their bounds."""
    found: dict[str, tuple[float, float] | None] = {}
    for text in (part.strip() for whole in texts for part in whole.split(",")):
        name, equals, limits = (part.strip() for part in text.partition("="))
        if not name or name in found:
            raise typer.BadParameter(f"--vary: '{name or text}' must be the name of a parameter, given once")
        try:
            low, high = (float(limit) for limit in limits.split(":")) if equals else (0.0, 0.0)
        except ValueError:
            raise typer.BadParameter(f"--vary: '{text}' must have the form NAME or NAME=LOW:HIGH") from None
        found[name] = (low, high) if equals else None
    return found


def _content(found: Fit) -> dict[str, Any]:
    before, after = found.left
    return {
        "confidence": found.confidence,
        "parameters_found": [vars(one) for one in found.parameters],
        "correlation": found.correlation.tolist(),
        "columns": [
            {
                "column": name,
                "unit": unit,
                "noise": float(found.noise[k]),
                "unexplained": float(found.unexplained[k]),
                "neighbours": float(found.neighbours[k]),
            }
            for k, (name, unit) in enumerate(zip(found.columns, found.units, strict=True))
        ],
        "deviation_before": before,
        "deviation_after": after,
        "run_count": found.runs,
        "doubts": list(found.doubts),
    }
