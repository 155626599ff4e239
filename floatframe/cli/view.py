"""`floatframe view FILE`: look at a model, its modes, or a reduced body, in a window or as a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from floatframe.cli.picks import freedoms
from floatframe.cli.reading import Couple, Options, Props, Reading, Strict, Units, read_file
from floatframe.cli.terminal import Verbose, console, progress, with_suffix

if TYPE_CHECKING:
    from floatframe.fem import FEModel

EXAMPLES = (
    "Examples: floatframe view input.fum --mode 3;  floatframe view beam.h5 --mode 1 --fixed start --save beam.html"
)


def run_command(
    file: Annotated[
        Path, typer.Argument(exists=True, dir_okay=False, help="A model, modes of a model, or a reduced body.")
    ],
    mode: Annotated[int | None, typer.Option(min=1, help="Which mode; of a model as many are computed.")] = None,
    amplitude: Annotated[
        float | None,
        typer.Option(min=0.0, help="Largest drawn displacement over the size of the model, 0.08 if not given."),
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option(
            callback=with_suffix(".png", ".gif", ".mp4", ".html", ".htm"),
            help="Write picture.png, movie.gif, movie.mp4 or scene.html instead of opening a window.",
        ),
    ] = None,
    fixed: Annotated[
        str, typer.Option(metavar="SET|NODES", help="Hold these when modes of a model are computed.")
    ] = "",
    model: Annotated[
        Path | None,
        typer.Option(
            exists=True, dir_okay=False, help="The model that a file of modes belongs to, beam.h5 for beam-modes.h5."
        ),
    ] = None,
    shells_thick: Annotated[bool, typer.Option("--shells-thick", help="Draw shells with their thickness.")] = False,
    stress: Annotated[
        bool, typer.Option("--stress", help="Colours by von Mises stress instead of displacement.")
    ] = False,
    units: Units = None,
    strict: Strict = False,
    props: Props = None,
    options: Options = None,
    couple: Couple = None,
    verbose: Verbose = False,
) -> None:
    """Show a model, its modes or a reduced body in a window, or save a picture, a movie or a page for the browser."""
    from floatframe import viewer
    from floatframe.viewer.window import require_screen

    if save is None:
        require_screen()
    elif save.suffix.lower() in (".png", ".gif", ".mp4"):
        viewer.require_rendering()
    with progress(f"reading {file.name}"):
        thing, given = _what(file, Reading(units, strict, props, options, couple), model, mode, fixed)
    if shells_thick:
        given["thick_shells"] = True
    if stress:
        given["stress"] = True
    scene = viewer.scene_of(thing, **given)
    size: Any = "auto" if amplitude is None else amplitude
    if mode is None and scene.clips:
        mode = next((k for k, clip in enumerate(scene.clips, start=1) if "rigid" not in clip.title), 1)
    if save is None:
        viewer.show(scene, mode=mode, amplitude=size)
        return
    with progress(f"drawing {save.name}") as show_progress:
        viewer.save(scene, save, mode=mode, amplitude=size, progress=show_progress)
    console().print(f"wrote {save}", soft_wrap=True, markup=False)


def _what(file: Path, how: Reading, model: Path | None, mode: int | None, fixed: str) -> tuple[Any, dict[str, Any]]:
    """Return what to draw and the modes that go with it."""
    from floatframe import fem, io, modal

    thing = read_file(file, how).model
    if isinstance(thing, io.NodalModes):
        return _model_of(file, how, model), {"modes": thing}
    if model is not None:
        raise typer.BadParameter(f"--model belongs to a file of modes; '{file}' holds a {type(thing).__name__}")
    held = freedoms(fixed, "--fixed")
    if held and mode is None:
        raise typer.BadParameter("--fixed belongs to --mode, which computes the modes of a model")
    if isinstance(thing, fem.FEModel) and mode is not None:
        found = modal.eigenmodes(thing, n=mode, fixed=held)
        return thing, {"modes": found}
    if held:
        raise typer.BadParameter(f"--fixed: a {type(thing).__name__} has its modes already")
    return thing, {}


def _model_of(file: Path, how: Reading, model: Path | None) -> FEModel:
    """Return the model that a file of modes belongs to: the one named, or the one whose name theirs is made from."""
    from floatframe import fem

    beside = file.with_name(file.name.replace("-modes", ""))
    if model is None and beside != file and beside.is_file():
        model = beside
    if model is None:
        raise typer.BadParameter(f"'{file}' holds modes without their mesh; name the model: --model beam.h5")
    found = read_file(model, how).model
    if not isinstance(found, fem.FEModel):
        raise typer.BadParameter(f"--model: '{model}' holds no finite element model but a {type(found).__name__}")
    return found
