"""Movies of modes and runs as GIF or MP4, drawn off screen."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from floatframe.errors import MissingDependency, ModelError, WriteError
from floatframe.io import complete_file
from floatframe.viewer.drawing import scene_of
from floatframe.viewer.rendering.pictures import clip_of, prepared, writable
from floatframe.viewer.rendering.probe import require_rendering
from floatframe.viewer.rendering.stage import Amplitude
from floatframe.viewer.scene import Clip, Harmonic, Scene

if TYPE_CHECKING:
    from floatframe.arrays import Array

SIZE = (960, 540)
PERIOD = 2.0  # seconds that one period of a mode takes to watch
_LONGEST = 20.0  # seconds that a run takes to watch at most, unless a speed is given
_MOST = 10_000  # frames

Progress = Callable[[int, int], None]  # progress(frames done, wanted)


def movie(
    thing: Any,
    path: str | os.PathLike[str],
    mode: int = 1,
    amplitude: Amplitude = "auto",
    size: tuple[int, int] = SIZE,
    fps: int = 25,
    cycles: int | None = None,
    speed: float | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> Path:
    """Draw one mode or run of a model, body or scene as movie.gif or movie.mp4.

    Parameters
    ----------
    thing
        What `scene_of` takes: a model, body, system, run or scene.
    path
        The file, .gif or .mp4.
    mode
        Which clip, counted from 1.
    amplitude
        Largest drawn displacement over the size of the model; for runs the magnification of deformations.
    size
        Width and height [pixels].
    fps
        Frames per second.
    cycles
        Periods in the file (default: 1 for a GIF, which repeats itself, 3 for an MP4).
    speed
        Of a run: seconds of the run per second of the movie (default: 1, but 2 to 20 s to watch).
    progress
        Called with the numbers of frames drawn and wanted.
    **options
        Those of `scene_of`.
    """
    path = writable(path, ".gif", ".mp4")
    if fps < 1 or fps > 100:
        raise ModelError(f"a movie with {fps} frames per second is not possible; give 1 to 100.")
    gif = path.suffix.lower() == ".gif"
    program = "" if gif else ffmpeg()
    scene = scene_of(thing, **options)
    clip = clip_of(scene, mode)
    times = cycles if cycles is not None else 1 if gif or not clip.periodic else 3
    require_rendering()
    # video coders want even sizes
    size = (size[0] // 2 * 2, size[1] // 2 * 2)
    count = frame_count(clip, fps, speed)
    pictures = frames(scene, clip, count, amplitude, size, progress)
    with complete_file(path) as temporary:
        if gif:
            _write_gif(temporary, list(pictures) * times, fps)
        else:
            _write_mp4(program, temporary, _repeated(pictures, times), size, fps)
    return path


def frame_count(clip: Clip, fps: int, speed: float | None = None) -> int:
    """Return how many frames one period of a mode or a whole run takes, at a speed relative to real time."""
    if isinstance(clip, Harmonic):
        if speed is not None:
            raise ModelError(f"'{clip.title}' is a vibration, drawn at {1 / PERIOD:g} Hz; only runs have a speed.")
        return max(8, round(PERIOD * fps))
    lasted = float(clip.t[-1] - clip.t[0])
    if speed is None:
        return max(2, round(min(max(lasted, PERIOD), _LONGEST) * fps))
    if not 0.0 < speed < np.inf or lasted / speed * fps > _MOST:
        least = lasted * fps / _MOST
        raise ModelError(f"a movie at {speed:g} times the speed of the run is not possible; give {least:.2g} or more.")
    return max(2, round(lasted / speed * fps))


def frames(
    scene: Scene,
    clip: Clip,
    count: int,
    amplitude: Amplitude = "auto",
    size: tuple[int, int] = SIZE,
    progress: Progress | None = None,
) -> Iterator[Array]:
    """Yield pixels (height, width, 3) of a clip at `count` moments."""
    stage = prepared(scene, clip, amplitude, "auto", size, quick=True)
    try:
        for done, moment in enumerate(clip.moments(count), start=1):
            stage.move(float(moment))
            yield stage.image()
            if progress is not None:
                progress(done, count)
    finally:
        stage.close()


def ffmpeg() -> str:
    """Return the program that makes MP4 files: the one installed, or that of the package imageio-ffmpeg."""
    if found := shutil.which("ffmpeg"):
        return found
    try:
        import imageio_ffmpeg
    except ImportError:
        raise MissingDependency(
            "MP4 movies need ffmpeg; run: pip install 'floatframe[movie]', or write a .gif instead."
        ) from None
    return str(imageio_ffmpeg.get_ffmpeg_exe())


def _repeated(pictures: Iterator[Array], times: int) -> Iterator[Array]:
    kept = []
    for picture in pictures:
        if times > 1:
            kept.append(picture)
        yield picture
    for _ in range(times - 1):
        yield from kept


def _write_gif(path: Path, pictures: list[Array], fps: int) -> None:
    """Write pictures with the colours of a few of them, the same for all, so that nothing flickers."""
    from PIL import Image

    some = pictures[:: max(1, len(pictures) // 4)]
    palette = Image.fromarray(np.vstack(some)).quantize(255, dither=Image.Dither.NONE)
    colours = np.array(palette.getpalette()).reshape(-1, 3)
    # what is nearly white would show as a grey box on a white page
    colours[(colours > 247).all(axis=1)] = 255
    palette.putpalette(colours.ravel().tolist())
    images = [Image.fromarray(p).quantize(palette=palette, dither=Image.Dither.NONE) for p in pictures]
    # the format counts in hundredths of a second
    pause = 10 * max(2, round(100 / fps))
    images[0].save(path, format="GIF", save_all=True, append_images=images[1:], duration=pause, loop=0, disposal=1)


def _write_mp4(program: str, path: Path, pictures: Iterator[Array], size: tuple[int, int], fps: int) -> None:
    source = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{size[0]}x{size[1]}", "-r", str(fps), "-i", "-"]
    coder = [
        "-c:v",
        "libx264",
        "-preset",
        "veryfast",
        "-crf",
        "20",
        "-pix_fmt",
        "yuv420p",
        "-movflags",
        "+faststart",
        "-f",
        "mp4",
    ]
    command = [program, "-loglevel", "error", "-y", *source, *coder, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as coding:
        try:
            for picture in pictures:
                coding.stdin.write(np.ascontiguousarray(picture).data)  # type: ignore[union-attr]
        except BrokenPipeError:
            pass  # it says why
        _, complaint = coding.communicate()
    if coding.returncode:
        words = complaint.decode(errors="replace").strip().splitlines() or [f"exit code {coding.returncode}"]
        raise WriteError(f"ffmpeg could not write the movie: {words[-1]}")
