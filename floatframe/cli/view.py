"""`floatframe view FILE`: look at a model, its modes, a reduced body or a run, in a window or as a file."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from floatframe.cli.common import (
    Json,
    Reading,
    Verbose,
    asked,
    console,
    printed_warnings,
    progress,
    show_json,
    with_suffix,
)
from floatframe.cli.networks import draw_network, holds_network
from floatframe.cli.view_things import Framing, Look, OfModelFile, OfRun, Wanted, thing_to_see

if TYPE_CHECKING:
    from floatframe.hybrid import Results
    from floatframe.viewer import History, Scene

EXAMPLES = """
floatframe view input.fum --mode 3
floatframe view input.fum --model frame.cdb --stress
floatframe view beam.h5 --mode 1 --fixed start --save beam.html
floatframe view model.toml --mode 1 --save mode.gif
floatframe view run.h5 --trace 'rod.node[101]' --save run.mp4
floatframe view run.h5 --channel A.force --save run.gif
floatframe view run.h5 --camera side --size 1920x1080 --speed 0.2 --title "slider-crank, slowly" --save run.mp4
floatframe view run.h5 --follow --channel A.force
floatframe view run.h5 --model rod.cdb --stress --save run.html
floatframe view run.h5 --save run.glb
floatframe view model.toml --mode 2 --save mode.pvd
floatframe view network.toml --save network.png
"""
_PAGES = (".html", ".htm")
_MOVIES = (".gif", ".mp4")
_EXPORTS = (".glb", ".pvd")
WAIT = 0.2  # s between two looks for the first records of a run
_PLOTTED = 3  # channels beside a run if none is named


def run_command(
    *,
    file: Annotated[
        Path,
        typer.Argument(dir_okay=False, help="A model, its modes, a reduced body, a model file or a run."),
    ],
    save: Annotated[
        Path | None,
        typer.Option(
            callback=with_suffix(".png", ".gif", ".mp4", ".html", ".htm", ".glb", ".pvd"),
            help="Write picture.png, movie.gif, movie.mp4, scene.html, scene.glb for Blender or series.pvd for "
            "ParaView instead of opening a window.",
        ),
    ] = None,
    look: Look,
    framing: Framing,
    of_run: OfRun,
    state: OfModelFile,
    model: Annotated[
        list[Path] | None,
        typer.Option(
            exists=True,
            dir_okay=False,
            help="The finite element model of modes or of a flexible body (repeat it for more bodies of a machine), to "
            "draw sections, masses, couplings and stresses; the model file of a run, if it moved.",
        ),
    ] = None,
    how: Reading,
    as_json: Json = False,
    verbose: Verbose = False,
) -> None:
    """Show a model, its modes, a body or a run in a window, or save a picture, a movie or a page for the browser.

    Of a network, or of its run, --save network.png draws the graph of elements and nodes.
    """
    if not of_run.follow and not file.exists():
        raise typer.BadParameter(f"file '{file}' does not exist", param_hint="'file'")
    if not of_run.follow and holds_network(file):
        if Wanted(file, look, of_run, state, model or [], how) != Wanted(
            file, Look(), OfRun(), OfModelFile(), [], Reading()
        ) or framing != Framing(title=framing.title):
            raise typer.BadParameter(f"'{file}' holds a network, of which --save, --title and --json apply only")
        _tell_written(file, draw_network(file, save, framing.title or ""), as_json)
        return
    _require_drawing(file, save, as_json, of_run.follow)
    framed = framing.of_file("" if save is None else save.suffix.lower())
    if of_run.follow:
        if save is not None or of_run.time is not None:
            raise typer.BadParameter("--follow opens a window that moves on; leave out --save and --time")
        follow_run(Wanted(file, look, of_run, state, model or [], how))
        return
    changed = framing.of_scene
    scene = replace(_scene(Wanted(file, look, of_run, state, model or [], how), save), **changed)
    _require_fitting(scene, file, look, save)
    given = _choices(scene, look, of_run.time)
    if save is None:
        from floatframe import viewer

        viewer.show(scene, **given)
        return
    _write(scene, save, given | framed)
    _tell_written(file, save, as_json)


def _tell_written(file: Path, save: Path, as_json: bool) -> None:
    if as_json:
        content = {"file": str(file), "written": str(save), "size_bytes": save.stat().st_size}
        show_json("floatframe-view/1", content)
        return
    console().print(f"wrote {save}", soft_wrap=True, markup=False)


def _require_drawing(file: Path, save: Path | None, as_json: bool, follow: bool) -> None:
    """Refuse before anything is computed what this machine cannot show or draw."""
    from floatframe import viewer
    from floatframe.viewer import require_screen

    if save is None:
        if as_json:
            raise typer.BadParameter("--json needs --save; a window prints no JSON")
        if follow:
            require_screen(f"view what is there by now: floatframe view {file} --save scene.html, without --follow")
        require_screen()
    elif save.suffix.lower() not in (*_PAGES, *_EXPORTS):
        viewer.require_rendering()


def _scene(wanted: Wanted, save: Path | None) -> Scene:
    """Return the scene of what a file holds; windows and pages of a run show channels beside it."""
    from floatframe import hybrid, viewer

    thing, given = thing_to_see(wanted)
    named = wanted.run.trace or wanted.run.channels
    beside = save is None or save.suffix.lower() in _PAGES
    if isinstance(thing, hybrid.Results) and not wanted.run.channels and beside:
        given["channels"] = _first_channels(thing)
    with printed_warnings(wanted.file), asked() if named else nullcontext():
        return viewer.scene_of(thing, **given)


def follow_run(wanted: Wanted, ended: Callable[[], bool] = lambda: False) -> None:
    """Show a run that is being computed in a window, until it is closed; ended: nothing more will come."""
    from floatframe import viewer

    shown = 0

    def newer() -> Scene | None:
        nonlocal shown
        if wanted.file.exists() and (found := record_count(wanted.file)) > max(shown, 1):
            shown = found
            return _scene(wanted, None)
        return None

    if not wanted.file.exists():
        typer.echo(f"waiting for '{wanted.file}', which does not exist yet; Ctrl-C ends the waiting", err=True)
    with progress(f"waiting for records in {wanted.file.name}"):
        while (scene := newer()) is None:
            if ended():
                return  # it failed before there was anything to see
            time.sleep(WAIT)
    viewer.follow(scene, newer, "auto" if wanted.look.amplitude is None else wanted.look.amplitude)


def record_count(file: Path) -> int:
    """Return how many records a run has by now."""
    from floatframe import hybrid

    return len(hybrid.Results.open(file))


def _require_fitting(scene: Scene, file: Path, look: Look, save: Path | None) -> None:
    """Refuse modes that are not there, and motion of what does not move."""
    if look.mode is not None and look.mode > len(scene.clips):
        raise typer.BadParameter(
            f"--mode: mode {look.mode} does not exist; '{file}' has {len(scene.clips)}, counted from 1"
        )
    if save is not None and save.suffix.lower() in _MOVIES and not moves(scene):
        raise typer.BadParameter(f"a movie needs something that moves: choose a mode of '{file}' with --mode")
    if look.amplitude is not None and not moves(scene):
        raise typer.BadParameter(f"--amplitude needs something that moves: choose a mode of '{file}' with --mode")


def _choices(scene: Scene, look: Look, time: float | None) -> dict[str, Any]:
    """Return what to show of a scene: mode, amplitude and moment; of modes the first elastic one by default."""
    mode = look.mode
    if mode is None and scene.clips:
        mode = next((k for k, clip in enumerate(scene.clips, start=1) if "rigid" not in clip.title), 1)
    given: dict[str, Any] = {"mode": mode, "amplitude": "auto" if look.amplitude is None else look.amplitude}
    return given if time is None else {**given, "moment": _moment(scene, time)}


def _write(scene: Scene, save: Path, given: dict[str, Any]) -> None:
    from floatframe import viewer

    if "moment" in given and save.suffix.lower() != ".png":
        raise typer.BadParameter("--time applies to a picture.png or a window; movies and pages show the whole run")
    with progress(f"drawing {save.name}") as show_progress:
        viewer.save(scene, save, progress=show_progress, **given)


def moves(scene: Scene) -> bool:
    """Whether a scene has modes, or a run of more than one moment."""
    return any(clip.periodic or len(cast("History", clip).t) > 1 for clip in scene.clips)


def _first_channels(run: Results) -> list[str]:
    """Return the first channels of a run in which something happens, as it is seen best."""
    from floatframe.viewer import moving_channels, seen_best

    return [seen_best(run, name) for name in islice(moving_channels(run), _PLOTTED)]


def _moment(scene: Scene, time: float) -> float:
    """Return a time [s] of a run as a share of its duration."""
    t = cast("History", scene.clips[0]).t  # of a run, its only clip
    if not t[0] <= time <= t[-1]:
        raise typer.BadParameter(f"--time: {time:g} s is outside the run, which goes from {t[0]:g} to {t[-1]:g} s")
    return float((time - t[0]) / (t[-1] - t[0])) if t[-1] > t[0] else 0.0
