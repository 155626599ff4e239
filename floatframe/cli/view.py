"""`floatframe view FILE`: look at a model, its modes, a reduced body or a run, in a window or as a file."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from floatframe.cli.common import (
    Couple,
    Drop,
    Json,
    Options,
    Props,
    Reading,
    Set,
    Strict,
    Units,
    Verbose,
    asked,
    compiled,
    console,
    freedoms,
    known_models,
    model_beside,
    one_fe,
    progress,
    read_fe,
    read_file,
    read_model_file,
    show_json,
    told_warnings,
    with_suffix,
)
from floatframe.cli.linear import At

if TYPE_CHECKING:
    from floatframe.hybrid import CompiledSystem, Results
    from floatframe.viewer import History, Scene

EXAMPLES = """
floatframe view input.fum --mode 3
floatframe view input.fum --model frame.cdb --stress
floatframe view beam.h5 --mode 1 --fixed start --save beam.html
floatframe view model.toml --mode 1 --save mode.gif
floatframe view run.h5 --trace 'rod.node[101]' --save run.mp4
floatframe view run.h5 --channel A.force --save run.gif
floatframe view run.h5 --model rod.cdb --stress --save run.html
"""
_PAGES = (".html", ".htm")
_MOVIES = (".gif", ".mp4")
_PLOTTED = 3  # channels beside a run if none is named
_MODES = 20  # of a hybrid model, so that there is something to choose from


def run_command(
    file: Annotated[
        Path,
        typer.Argument(exists=True, dir_okay=False, help="A model, its modes, a reduced body, a model file or a run."),
    ],
    mode: Annotated[int | None, typer.Option(min=1, help="Which mode; of a model as many are computed.")] = None,
    time: Annotated[float | None, typer.Option(metavar="S", help="The moment of a run [s].")] = None,
    amplitude: Annotated[
        float | None,
        typer.Option(
            min=0.0,
            max=1e9,
            help="Largest drawn displacement over the size of the model, 0.08 if not given; "
            "for runs the magnification of deformations, 1 if not given.",
        ),
    ] = None,
    trace: Annotated[
        list[str] | None,
        typer.Option(metavar="POINT", help="Show the path of a point in a run: rod.node[101], crank.com, slider …"),
    ] = None,
    channels: Annotated[
        list[str] | None,
        typer.Option(
            "--channel",
            metavar="CHANNEL",
            help="Plot a channel of a run beside it; without, windows and pages show the first three that change.",
        ),
    ] = None,
    values: Set = None,
    at: Annotated[
        At | None, typer.Option("--at", help="State of a model file: start, or with --mode the equilibrium.")
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
        list[Path] | None,
        typer.Option(
            exists=True,
            dir_okay=False,
            help="The finite element model of modes or of a flexible body (repeat it for more bodies of a machine), to "
            "draw sections, masses, couplings and stresses; the model file of a run, if it moved.",
        ),
    ] = None,
    shells_thick: Annotated[bool, typer.Option("--shells-thick", help="Draw shells with their thickness.")] = False,
    stress: Annotated[
        bool, typer.Option("--stress", help="Colours by von Mises stress instead of displacement.")
    ] = False,
    units: Units = None,
    strict: Strict = False,
    drop: Drop = None,
    props: Props = None,
    options: Options = None,
    couple: Couple = None,
    as_json: Json = False,
    verbose: Verbose = False,
) -> None:
    """Show a model, its modes, a body or a run in a window, or save a picture, a movie or a page for the browser."""
    from floatframe import hybrid, viewer
    from floatframe.viewer import require_screen

    if save is None:
        if as_json:
            raise typer.BadParameter("--json belongs to --save, a window tells machines nothing")
        require_screen()
    elif save.suffix.lower() in (".png", ".gif", ".mp4"):
        viewer.require_rendering()
    how = Reading(units, strict, props, options, couple, drop=drop)
    wanted = Wanted(file, mode, time, at, values, fixed, model or [], trace or [], channels or [], how)
    if hybrid.is_model_file(file):
        thing, given = _hybrid_model(wanted, stress)
    elif values or at:
        raise typer.BadParameter("--set and --at belong to a model file; a run has its parameters already")
    else:
        with progress(f"reading {file.name}"):
            thing, given = _what(wanted, stress)
    if isinstance(thing, hybrid.Results):
        given |= _of_run(wanted, thing, stress)
        if not channels and (save is None or save.suffix.lower() in _PAGES):
            given["channels"] = _first_channels(thing)
    elif trace or channels or time is not None:
        what = "--trace, --channel and --time belong to a run"
        raise typer.BadParameter(f"{what}; '{file}' holds a {type(thing).__name__}")
    if shells_thick:
        given["thick_shells"] = True
    if stress:
        given["stress"] = True
    with told_warnings(file), asked() if trace or channels else nullcontext():
        scene = viewer.scene_of(thing, **given)
    if mode is not None and mode > len(scene.clips):
        raise typer.BadParameter(f"--mode: there is no mode {mode}; '{file}' has {len(scene.clips)}, counted from 1")
    if save is not None and save.suffix.lower() in _MOVIES and not moves(scene):
        raise typer.BadParameter(f"a movie needs something that moves: choose a mode of '{file}' with --mode")
    if amplitude is not None and not moves(scene):
        raise typer.BadParameter(f"--amplitude belongs to something that moves: choose a mode of '{file}' with --mode")
    size: Any = "auto" if amplitude is None else amplitude
    more: dict[str, Any] = {}
    if time is not None:
        more["moment"] = _moment(scene, time)
    if mode is None and scene.clips:
        mode = next((k for k, clip in enumerate(scene.clips, start=1) if "rigid" not in clip.title), 1)
    if save is None:
        viewer.show(scene, mode=mode, amplitude=size, **more)
        return
    if more and save.suffix.lower() != ".png":
        raise typer.BadParameter("--time belongs to a picture.png or a window; movies and pages show the whole run")
    with progress(f"drawing {save.name}") as show_progress:
        viewer.save(scene, save, mode=mode, amplitude=size, progress=show_progress, **more)
    if as_json:
        content = {"file": str(file), "written": str(save), "size_bytes": save.stat().st_size}
        show_json("floatframe-view/1", content)
        return
    console().print(f"wrote {save}", soft_wrap=True, markup=False)


@dataclass(frozen=True)
class Wanted:
    """What the command line asks for, as far as it depends on the kind of file."""

    file: Path
    mode: int | None
    time: float | None
    at: At | None
    values: list[str] | None
    fixed: str
    models: list[Path]
    trace: list[str]
    channels: list[str]
    how: Reading

    def models_of(self, system: CompiledSystem, paths: list[Path], stress: bool) -> dict[str, Any]:
        """Return the finite element models of flexible bodies: those named, else for stresses those they know."""
        bodies = [body.reduced for body in system.model.bodies if body.reduced is not None]
        if not paths and self.how != Reading():
            raise typer.BadParameter(
                f"--units, --props, --option, --couple, --strict and --drop belong to a finite element model; "
                f"'{self.file}' is none, name that of a body with --model"
            )
        if paths:
            return {"fe": [read_fe(path, self.how) for path in paths]}
        return {"fe": known_models(bodies, self.file.parent, self.how)} if stress else {}


def _hybrid_model(wanted: Wanted, stress: bool) -> tuple[Any, dict[str, Any]]:
    """Return a hybrid system and the state to draw, with modes if one is asked for."""
    from floatframe.hybrid import find_equilibrium

    mode, at = wanted.mode, wanted.at
    if wanted.fixed:
        raise typer.BadParameter("--fixed belongs to a finite element model; what a model file holds, its joints say")
    system = compiled(read_model_file(wanted.file, wanted.values))
    given = wanted.models_of(system, wanted.models, stress)
    if at is None:
        at = At.start if mode is None else At.equilibrium
    with progress(f"{system.model.name}: {at.value}"):
        if at is At.equilibrium:
            state = find_equilibrium(system).state
        else:
            state = system.steady_motion() if at is At.steady else system.initial_state()
        if mode is not None:
            given["linear"] = system.linearise(state, n=max(mode, _MODES))
    return system, {"state": state, **given}


def _of_run(wanted: Wanted, run: Results, stress: bool) -> dict[str, Any]:
    """Return the options of a run: its model file and the finite element models of its bodies among them."""
    from floatframe import hybrid
    from floatframe.hybrid import system_of

    files = [path for path in wanted.models if hybrid.is_model_file(path)]
    if len(files) > 1:
        raise typer.BadParameter(f"--model: a run has one model file, found {', '.join(map(str, files))}")
    paths = [path for path in wanted.models if path not in files]
    found: dict[str, Any] = {"trace": wanted.trace, "channels": wanted.channels}
    if not (stress or paths or wanted.how != Reading()):
        return found | {"model": files[0] if files else None}
    system = system_of(run, files[0] if files else None)
    return found | {"system": system, **wanted.models_of(system, paths, stress)}


def moves(scene: Scene) -> bool:
    """Whether a scene has modes, or a run of more than one moment."""
    return any(clip.periodic or len(cast("History", clip).t) > 1 for clip in scene.clips)


def _first_channels(run: Results) -> list[str]:
    """Return the first channels of a run in which something happens."""
    from floatframe.viewer import moving_channels

    return list(islice(moving_channels(run), _PLOTTED))


def _moment(scene: Scene, time: float) -> float:
    """Return a time [s] of a run as a share of its duration."""
    t = cast("History", scene.clips[0]).t  # of a run, its only clip
    if not t[0] <= time <= t[-1]:
        raise typer.BadParameter(f"--time: {time:g} s is outside of the run, which goes from {t[0]:g} to {t[-1]:g} s")
    return float((time - t[0]) / (t[-1] - t[0])) if t[-1] > t[0] else 0.0


def _what(wanted: Wanted, stress: bool) -> tuple[Any, dict[str, Any]]:
    """Return what to draw and the modes and models that go with it."""
    from floatframe import fem, hybrid, io, modal

    file, how, mode = wanted.file, wanted.how, wanted.mode
    thing = read_file(file, how).model
    if isinstance(thing, io.SweepResult):
        raise typer.BadParameter(f"'{file}' holds a sweep; see its maps with `floatframe plot` or `floatframe report`")
    held = freedoms(wanted.fixed, "--fixed")
    if isinstance(thing, io.ResultFile):
        if mode is not None or held:
            raise typer.BadParameter(f"--mode and --fixed do not belong to a run such as '{file}'; choose --time")
        return hybrid.Results(thing), {}
    if held and not isinstance(thing, fem.FEModel):
        raise typer.BadParameter(f"--fixed: a {type(thing).__name__} has its modes already")
    if held and mode is None:
        raise typer.BadParameter("--fixed belongs to --mode, which computes the modes of a model")
    if isinstance(thing, io.NodalModes):
        model = one_fe(file, how, wanted.models or model_beside(file))
        if model is None:
            raise typer.BadParameter(f"'{file}' holds modes without their mesh; name the model: --model beam.h5")
        return model, {"modes": thing}
    if isinstance(thing, modal.ReducedBody):
        fe = one_fe(file, how, wanted.models)
        known = known_models([thing], file.parent, how) if stress and fe is None else []
        return thing, {"fe": known[0] if known else fe}
    if wanted.models:
        raise typer.BadParameter(
            f"--model belongs to modes, bodies, model files and runs; '{file}' holds a {type(thing).__name__}"
        )
    if isinstance(thing, fem.FEModel) and mode is not None:
        return thing, {"modes": modal.eigenmodes(thing, n=mode, fixed=held)}
    return thing, {}
