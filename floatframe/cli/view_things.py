"""What `floatframe view` draws: a model or its modes, a body, a machine or a run, and the models that belong to it."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from floatframe.cli.common import (
    Reading,
    Set,
    compiled,
    known_models,
    model_beside,
    one_fe,
    picked_dofs,
    progress,
    read_fe,
    read_file,
    read_model_file,
)
from floatframe.hybrid import Start

if TYPE_CHECKING:
    from floatframe.hybrid import CompiledSystem, Results

_MODES = 20  # of a hybrid model, so that there is something to choose from


@dataclass(frozen=True)
class Look:
    """How a thing is drawn."""

    mode: Annotated[int | None, typer.Option(min=1, help="The mode to show; for a model, this many are computed.")] = (
        None
    )
    fixed: Annotated[
        str, typer.Option(metavar="SET|NODES", help="Fix these nodes or dofs when modes of a model are computed.")
    ] = ""
    amplitude: Annotated[
        float | None,
        typer.Option(
            min=0.0,
            max=1e9,
            help="Largest drawn displacement relative to the model size (default: 0.08); "
            "for runs the magnification of deformations (default: 1).",
        ),
    ] = None
    shells_thick: Annotated[bool, typer.Option("--shells-thick", help="Draw shells with their thickness.")] = False
    stress: Annotated[bool, typer.Option("--stress", help="Colour by von Mises stress instead of displacement.")] = (
        False
    )


_CAMERAS = {"front": (-1.0, 0.0, 0.0), "side": (0.0, -1.0, 0.0), "top": (0.0, 0.0, 1.0), "iso": (1.0, -1.0, 1.0)}


@dataclass(frozen=True)
class Framing:
    """From where, how large and under which name a thing is drawn."""

    camera: Annotated[
        str | None,
        typer.Option(
            metavar="front|side|top|iso|X,Y,Z",
            help="From where to look: against x, along y, from above, from a corner, or from a direction.",
        ),
    ] = None
    size: Annotated[
        str | None, typer.Option(metavar="WIDTHxHEIGHT", help="Pixels of a picture or movie: 1920x1080.")
    ] = None
    title: Annotated[str | None, typer.Option(metavar="TEXT", help="The words above it.")] = None
    speed: Annotated[
        float | None,
        typer.Option(metavar="FACTOR", help="Of a movie of a run: seconds of the run per second to watch."),
    ] = None
    colours: Annotated[
        float | None,
        typer.Option(
            "--colours-up-to",
            min=50.0,
            max=100.0,
            metavar="PERCENT",
            help="Let the colours end at what this share of the points stays below, so that a hot spot leaves some for "
            "the rest.",
        ),
    ] = None

    @property
    def of_scene(self) -> dict[str, Any]:
        """Fields of a scene that differ from its own."""
        found: dict[str, Any] = {}
        if self.camera is not None:
            found["look"] = _CAMERAS.get(self.camera) or _direction(self.camera)
        if self.title is not None:
            found["title"] = self.title
        if self.colours is not None:
            found["share"] = self.colours / 100.0
        return found

    def of_file(self, suffix: str) -> dict[str, Any]:
        """Options for a file of this suffix; "" for a window."""
        found: dict[str, Any] = {}
        if self.size is not None:
            if suffix not in (".png", ".gif", ".mp4"):
                raise typer.BadParameter("--size applies to pictures and movies; pages and windows are resized by hand")
            found["size"] = _pixels(self.size)
        if self.speed is not None:
            if suffix not in (".gif", ".mp4"):
                raise typer.BadParameter("--speed applies to movies; pages and windows have a slider for the time")
            found["speed"] = self.speed
        return found


def _direction(text: str) -> tuple[float, ...]:
    words = text.split(",")
    try:
        x, y, z = (float(word) for word in words)
    except ValueError:
        x = y = z = math.nan
    length = math.hypot(x, y, z)
    if not 0.0 < length < math.inf:
        raise typer.BadParameter(
            f"--camera: '{text}' is not a view; expected {', '.join(_CAMERAS)} or a direction as 1,-1,0.5"
        )
    return x / length, y / length, z / length


def _pixels(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"(\d{2,5})x(\d{2,5})", text)
    if not found or not all(64 <= int(side) <= 8192 for side in found.groups()):
        raise typer.BadParameter(f"--size: '{text}' is not a size; expected 64x64 to 8192x8192, as 1280x720")
    return int(found[1]), int(found[2])


@dataclass(frozen=True)
class OfRun:
    """What of a run is drawn."""

    time: Annotated[float | None, typer.Option(metavar="S", help="Time in the run [s].")] = None
    trace: Annotated[
        list[str] | None,
        typer.Option(metavar="POINT", help="Show the path of a point in a run: rod.node[101], crank.com, slider …"),
    ] = None
    channels: Annotated[
        list[str] | None,
        typer.Option(
            "--channel",
            metavar="CHANNEL",
            help="Plot a channel of a run beside it; without, windows and pages show the first three that change.",
        ),
    ] = None
    follow: Annotated[
        bool, typer.Option("--follow", help="Follow a run while it is computed: what it does now, in a window.")
    ] = False


@dataclass(frozen=True)
class OfModelFile:
    """In which state a model file is drawn."""

    values: Set = None
    at: Annotated[
        Start | None, typer.Option("--at", help="State of a model file: start, or with --mode the equilibrium.")
    ] = None


@dataclass(frozen=True)
class Wanted:
    """What is to be seen; models: files of finite element models, of a run also its model file."""

    file: Path
    look: Look
    run: OfRun
    state: OfModelFile
    models: list[Path]
    how: Reading

    def models_of(self, system: CompiledSystem, paths: list[Path]) -> dict[str, Any]:
        """Return the finite element models of flexible bodies: those named, else for stresses their origins."""
        bodies = [body.reduced for body in system.model.bodies if body.reduced is not None]
        if not paths and self.how != Reading():
            raise typer.BadParameter(
                f"--units, --props, --option, --couple, --strict and --drop apply to finite element models only; "
                f"'{self.file}' is not one, name that of a body with --model"
            )
        if paths:
            return {"fe": [read_fe(path, self.how) for path in paths]}
        return {"fe": known_models(bodies, self.file.parent, self.how)} if self.look.stress else {}


def thing_to_see(wanted: Wanted) -> tuple[Any, dict[str, Any]]:
    """Return what is drawn, and the options of `viewer.scene_of` that go with it."""
    from floatframe import hybrid, io

    if hybrid.is_model_file(wanted.file):
        thing, given = _hybrid_model(wanted)
    elif wanted.state != OfModelFile():
        raise typer.BadParameter("--set and --at apply to model files only; a run has its parameters already")
    else:
        with progress(f"reading {wanted.file.name}"):
            thing, given = _what(wanted)
    if isinstance(thing, hybrid.Results):
        given |= _of_run(wanted, thing)
    elif wanted.run != OfRun():
        raise typer.BadParameter(
            f"--trace, --channel, --time and --follow apply to runs only; '{wanted.file}' holds {io.in_words(thing)}"
        )
    if wanted.look.shells_thick:
        given["thick_shells"] = True
    if wanted.look.stress:
        given["stress"] = True
    return thing, given


def _hybrid_model(wanted: Wanted) -> tuple[Any, dict[str, Any]]:
    """Return a hybrid system and the state to draw, with modes if one is requested."""
    from floatframe.hybrid import find_equilibrium, usual_start

    mode, at = wanted.look.mode, wanted.state.at
    if wanted.look.fixed:
        raise typer.BadParameter("--fixed applies to finite element models only; in a model file joints fix the bodies")
    system = compiled(read_model_file(wanted.file, wanted.state.values))
    given = wanted.models_of(system, wanted.models)
    if at is None:
        at = Start.start if mode is None else usual_start(system)
    with progress(f"{system.model.name}: {at.value}"):
        if at is Start.equilibrium:
            state = find_equilibrium(system).state
        else:
            state = system.steady_motion() if at is Start.steady else system.initial_state()
        if mode is not None:
            given["linear"] = system.linearise(state, n=max(mode, _MODES))
    return system, {"state": state, **given}


def _of_run(wanted: Wanted, run: Results) -> dict[str, Any]:
    """Return the options of a run: its model file and the finite element models of its bodies among them."""
    from floatframe import hybrid
    from floatframe.hybrid import system_of

    files = [path for path in wanted.models if hybrid.is_model_file(path)]
    if len(files) > 1:
        raise typer.BadParameter(f"--model: a run has one model file, found {', '.join(map(str, files))}")
    paths = [path for path in wanted.models if path not in files]
    found: dict[str, Any] = {"trace": wanted.run.trace or [], "channels": wanted.run.channels or []}
    if not (wanted.look.stress or paths or wanted.how != Reading()):
        return found | {"model": files[0] if files else None}
    system = system_of(run, files[0] if files else None)
    return found | {"system": system, **wanted.models_of(system, paths)}


def _what(wanted: Wanted) -> tuple[Any, dict[str, Any]]:
    """Return what to draw and the modes and models that go with it."""
    from floatframe import fem, hybrid, io, modal

    file, how, mode = wanted.file, wanted.how, wanted.look.mode
    thing = read_file(file, how).model
    if isinstance(thing, io.SweepResult):
        raise typer.BadParameter(f"'{file}' holds a sweep; see its maps with `floatframe plot` or `floatframe report`")
    held = picked_dofs(wanted.look.fixed, "--fixed")
    if isinstance(thing, io.ResultFile):
        if mode is not None or held:
            raise typer.BadParameter(f"--mode and --fixed do not apply to a run such as '{file}'; use --time")
        return hybrid.Results(thing), {}
    if held and not isinstance(thing, fem.FEModel):
        raise typer.BadParameter(f"--fixed: a {type(thing).__name__} has its modes already")
    if held and mode is None:
        raise typer.BadParameter("--fixed needs --mode, which computes the modes of a model")
    if isinstance(thing, io.NodalModes):
        model = one_fe(file, how, wanted.models or model_beside(file))
        if model is None:
            raise typer.BadParameter(f"'{file}' holds modes without their mesh; name the model: --model beam.h5")
        return model, {"modes": thing}
    if isinstance(thing, modal.ReducedBody):
        fe = one_fe(file, how, wanted.models)
        known = known_models([thing], file.parent, how) if wanted.look.stress and fe is None else []
        return thing, {"fe": known[0] if known else fe}
    if wanted.models:
        raise typer.BadParameter(
            f"--model applies to modes, bodies, model files and runs only; '{file}' holds {io.in_words(thing)}"
        )
    if isinstance(thing, fem.FEModel) and mode is not None:
        return thing, {"modes": modal.eigenmodes(thing, n=mode, fixed=held)}
    return thing, {}
