"""`floatframe report FILE -o report.html`: one page with what was computed, tables, plots, pictures, provenance."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from floatframe.cli.common import (
    Json,
    RandomInputs,
    Reading,
    Set,
    Verbose,
    asked,
    console,
    given_parameters,
    progress,
    read_fe,
    read_file,
    show_json,
    span_of,
    values_of,
    with_suffix,
)
from floatframe.cli.networks import read_network_file

if TYPE_CHECKING:
    from floatframe.durability import SNCurve
    from floatframe.viewer import Study

EXAMPLES = """
floatframe report input.fum -o body.html
floatframe report run.h5 --curve eurocode:71 -o report.html
floatframe report model.toml --response seat.acceleration.z:road --band 0.1:200 -o report.html
floatframe report car.toml --random seat.acceleration.z --psd road=road.csv --vary speed=5:40:5 --band 0.2:50
floatframe report run.h5 --srs box.acceleration.z --band 1:500
floatframe report run.h5 --channel A.force -o report.html
floatframe report run.h5 --model model.toml --model rod.cdb -o report.html
floatframe report sweep.h5 -o sweep.html
"""


@dataclass(frozen=True)
class Studies:
    """Studies that a report shows beside what is in the file."""

    response: Annotated[
        list[str] | None,
        typer.Option(metavar="OUTPUT:INPUT", help="A frequency response of a model file, as seat.acceleration.z:road."),
    ] = None
    transmissibility: Annotated[
        str, typer.Option(metavar="CHANNEL", help="Give the outputs of --response over this channel.")
    ] = ""
    random: Annotated[
        list[str] | None,
        typer.Option(metavar="OUTPUT", help="An output of a model file for the random inputs of --psd."),
    ] = None
    vary: Annotated[
        str,
        typer.Option(
            metavar="NAME=FIRST:LAST:STEP", help="Campbell diagram, root locus and limits over a parameter of a model."
        ),
    ] = ""
    srs: Annotated[
        list[str] | None,
        typer.Option(metavar="CHANNEL", help="Shock response spectrum of an acceleration of a run."),
    ] = None
    band: Annotated[
        str, typer.Option(metavar="FIRST:LAST", help="Frequencies of --response, --random and --srs [Hz]: 0.1:200.")
    ] = ""

    @property
    def of_models(self) -> bool:
        """Whether one is asked for that needs a model file."""
        return bool(self.response or self.transmissibility or self.random or self.vary)

    def wanted(self, inputs: RandomInputs, curve: SNCurve | None) -> list[Study]:
        """The studies in the order of the report."""
        from floatframe import viewer

        found: list[Study] = []
        if self.response or self.transmissibility:
            names = [text.rpartition(":")[::2] for text in self.response or []]
            if not names or not all(output and given for output, given in names):
                raise typer.BadParameter(
                    f"--response: '{', '.join(self.response or [])}' must have the form OUTPUT:INPUT, "
                    "e.g. seat.acceleration.z:road"
                )
            given, outputs = (list(dict.fromkeys(pair[k] for pair in names)) for k in (1, 0))
            found.append(viewer.ResponseWanted(given, outputs, self._ends, self.transmissibility))
        if self.random or inputs != RandomInputs():
            if not self.random or not inputs.densities:
                raise typer.BadParameter("--random and --psd belong together: outputs, and densities of the inputs")
            together = inputs.coherences, inputs.delays
            found.append(viewer.RandomWanted(inputs.densities, self.random, self._ends, *together, curve=curve))
        if self.vary:
            name, unit, values = values_of(self.vary)
            if len(values) < 2:
                raise typer.BadParameter("--vary: a diagram needs two or more values")
            found.append(viewer.LociWanted(name, values, unit=unit))
        if self.srs:
            found.append(viewer.ShockWanted(self.srs, self._ends if self.band else None))
        return found

    @property
    def _ends(self) -> tuple[float, float]:
        return span_of(self.band)


def run_command(
    *,
    file: Annotated[
        Path,
        typer.Argument(
            exists=True, dir_okay=False, help="A model, a reduced body, a model or network file, a run or a sweep."
        ),
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", callback=with_suffix(".html", ".htm"), help="The report.")
    ] = Path("report.html"),
    modes: Annotated[int, typer.Option("--modes", min=0, help="Number of modes to draw.")] = 6,
    channels: Annotated[
        list[str] | None,
        typer.Option("--channel", metavar="CHANNEL", help="A channel of a run, or column of a sweep, to plot."),
    ] = None,
    values: Set = None,
    model: Annotated[
        list[Path] | None,
        typer.Option(
            exists=True,
            dir_okay=False,
            help="The model file of a run that does not keep its own; finite element models of flexible bodies, to "
            "draw their sections and masses.",
        ),
    ] = None,
    curve: Annotated[
        str, typer.Option(help="S–N curve for the life of bodies in a run: eurocode:71, fkm:steel:500e6, own:…")
    ] = "",
    studies: Studies,
    random: RandomInputs,
    how: Reading,
    as_json: Json = False,
    verbose: Verbose = False,
) -> None:
    """Write one self-contained page for the browser about a model, a body, a run or a sweep."""
    from floatframe import durability, hybrid, io, viewer
    from floatframe.network import is_network_file

    files = [path for path in model or [] if hybrid.is_model_file(path) or is_network_file(path)]
    models = [path for path in model or [] if path not in files]
    described = hybrid.is_model_file(file) or is_network_file(file)
    if values and not described:
        raise typer.BadParameter("--set applies to model files only")
    if channels and (described or not _has_channels(file)):
        raise typer.BadParameter(f"--channel applies to runs and sweeps only; '{file}' is neither")
    thing: Any = None
    if not described:
        thing = read_file(file, how).model
    elif is_network_file(file):
        thing = read_network_file(file, values)
    if described and how != Reading() and not models:
        raise typer.BadParameter(
            f"--units and other import options apply to finite element models only; '{file}' is not one"
        )
    _require_fitting(file, thing, files, models)
    if (given := studies.of_models or random != RandomInputs()) and not hybrid.is_model_file(file):
        raise typer.BadParameter("--response, --random, --psd and --vary apply to model files only")
    if studies.srs and not isinstance(thing, io.ResultFile):
        raise typer.BadParameter("--srs applies to runs only")
    if studies.band and not (given or studies.srs):
        raise typer.BadParameter("--band: frequencies are those of --response, --random or --srs; give one of them")
    if curve and not isinstance(thing, io.ResultFile) and not studies.random:
        raise typer.BadParameter("--curve applies to runs, and to model files with --random")
    with asked("--curve"):
        chosen = durability.read_curve(curve) if curve else None
    wanted = studies.wanted(random, chosen)
    fe = [read_fe(path, how) for path in models]
    # an unknown channel is wrong use; without channels there is nothing to be wrong
    with progress(f"writing {output.name}") as show_progress, asked() if channels or wanted else nullcontext():
        written = viewer.report(
            *(file, output, modes, channels or (), given_parameters(values), thing),
            progress=show_progress,
            model=files[0] if files else None,
            fe=fe,
            curve=chosen,
            studies=wanted,
        )
    if as_json:
        content = {"file": str(file), "written": str(written), "size_bytes": written.stat().st_size}
        show_json("floatframe-report/1", content)
        return
    console().print(f"wrote {written}", soft_wrap=True, markup=False)


def _require_fitting(file: Path, thing: Any, files: list[Path], models: list[Path]) -> None:
    """Refuse a --model that does not apply to the file; thing: what it holds, None for a model file."""
    from floatframe import io, modal

    if files and not isinstance(thing, io.ResultFile):
        raise typer.BadParameter(
            f"--model: '{files[0]}' is a model file, which applies to runs only; '{file}' is not one"
        )
    if len(files) > 1:
        raise typer.BadParameter(f"--model: a run has one model file, found {', '.join(map(str, files))}")
    if models and not isinstance(thing, io.ResultFile | modal.ReducedBody | None):
        raise typer.BadParameter(f"--model applies to bodies, model files and runs only; '{file}' holds none of them")
    if len(models) > 1 and isinstance(thing, modal.ReducedBody):
        raise typer.BadParameter(f"--model: '{file}' was made from one model, found {len(models)}")


def _has_channels(file: Path) -> bool:
    from floatframe import fem, io, modal

    holds = io.format_of(file).holds
    without = (fem.FEModel, fem.MatrixModel, modal.ReducedBody, io.NodalModes)
    return not any(issubclass(kind, without) for kind in (holds if isinstance(holds, tuple) else (holds,)))
