"""Pictures of models, bodies and runs, drawn off screen."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from floatframe.errors import ModelError, WriteError
from floatframe.io import complete_file
from floatframe.viewer.drawing import scene_of
from floatframe.viewer.rendering.probe import require_rendering
from floatframe.viewer.rendering.stage import Amplitude, Stage
from floatframe.viewer.scene import Clip, Scene

if TYPE_CHECKING:
    from floatframe.arrays import Array
    from floatframe.fem import FEModel
    from floatframe.modal import Modes, ReducedBody

SIZE = (1280, 720)


def picture(
    thing: Any,
    path: str | os.PathLike[str],
    displacement: Array | None = None,
    mode: int | None = None,
    amplitude: Amplitude = "auto",
    scale: Amplitude = "auto",
    moment: float | None = None,
    size: tuple[int, int] = SIZE,
    words: bool = True,
    **options: Any,
) -> Path:
    """Draw a model, body or scene into a PNG file: at rest, or deformed and coloured over a ghost of the rest.

    displacement (nnode, 6) or (nnode, 3) in model axes [m, rad] of a finite element model; mode: which clip of the
    scene, counted from 1, None for the scene at rest, or with a moment for the first; amplitude: largest drawn
    displacement over the model's size; scale: magnification of the displacement instead; moment 0 to 1 of the period or
    run; size in pixels; words: title, labels, colour bar and axes; options of `scene_of`.
    """
    path = writable(path, ".png")
    if displacement is not None:
        options, mode = {**options, "displacement": displacement}, 1
    if mode is None and moment is not None:
        mode = 1
    scene = scene_of(thing, **options)
    clip = None if mode is None else clip_of(scene, mode)
    require_rendering()
    stage = prepared(scene, clip, amplitude, scale, size, words=words)
    try:
        stage.move(moment or 0.0)
        pixels = stage.image()
    finally:
        stage.close()
    with complete_file(path) as temporary:
        _write_png(temporary, pixels)
    return path


def mode_picture(fe: FEModel, modes: Modes, path: str | os.PathLike[str], mode: int | None = None) -> Path:
    """Draw one mode (counted from 1; the first elastic one by default) with its frequency."""
    return picture(fe, path, modes=modes, mode=first_elastic(modes.kind) if mode is None else mode)


def body_picture(body: ReducedBody, path: str | os.PathLike[str], mode: int | None = None) -> Path:
    """Draw one mode of a reduced body (counted from 1; the first by default), whatever its kind."""
    return picture(body, path, mode=1 if mode is None else mode)


def first_elastic(kinds: tuple[str, ...]) -> int:
    """Return the number of the first mode that is not rigid, 1 if all are."""
    return next((k for k, kind in enumerate(kinds, start=1) if kind != "rigid"), 1)


def clip_of(scene: Scene, mode: int) -> Clip:
    """Return one clip of a scene, counted from 1."""
    if not 1 <= mode <= len(scene.clips):
        count = len(scene.clips)
        have = f"'{scene.title}' has {count}, counted from 1" if count else f"'{scene.title}' has no modes"
        raise ModelError(f"mode {mode} does not exist; {have}.")
    return scene.clips[mode - 1]


def prepared(
    scene: Scene,
    clip: Clip | None,
    amplitude: Amplitude,
    scale: Amplitude,
    size: tuple[int, int],
    quick: bool = False,
    words: bool = True,
) -> Stage:
    """Return a stage with a clip chosen and all it reaches in view."""
    if not all(np.isfinite(value) for value in (amplitude, scale) if value != "auto"):
        raise ModelError(f"amplitude {amplitude} and scale {scale} must be finite numbers.")
    stage = Stage(scene, size, quick=quick, words=words)
    factor = 1.0
    if clip is not None:
        factor = scene.scale(clip, amplitude) if scale == "auto" else scale
    stage.choose(clip, factor)
    stage.aim()
    return stage


def writable(path: str | os.PathLike[str], *suffixes: str) -> Path:
    """Refuse a file name that cannot be written before anything is drawn."""
    path = Path(path)
    if path.suffix.lower() not in suffixes:
        raise WriteError(f"'{path}': what is drawn here is written as {' or '.join(suffixes)}, not '{path.suffix}'.")
    if not path.parent.is_dir():
        raise WriteError(f"'{path}': folder '{path.parent}' does not exist; create it first.")
    return path


def _write_png(path: Path, pixels: Array) -> None:
    from PIL import Image

    Image.fromarray(np.ascontiguousarray(pixels)).save(path, format="PNG")
