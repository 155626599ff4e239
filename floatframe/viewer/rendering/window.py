"""The window: turn, zoom, choose the mode, play. Needs a screen."""

from __future__ import annotations

import os
import sys
import time
from typing import Any

from floatframe.errors import MissingDependency
from floatframe.viewer.drawing import scene_of
from floatframe.viewer.rendering.movies import PERIOD, frame_count
from floatframe.viewer.rendering.pictures import clip_of
from floatframe.viewer.rendering.stage import Amplitude, Stage
from floatframe.viewer.scene import History, Scene

_PAUSE = 25  # milliseconds between frames
_KEYS = "space play/pause   left/right mode   g undeformed   i marks   r reset view   q close"
_LARGEST = 10.0  # end of the slider of the amplitude, in units of that at first
_CONTROLS = 0.17  # share of the height below which the sliders are
_CURE = "save a file instead: scene.html, movie.mp4, movie.gif or picture.png (on the command line: --save scene.html)"
_MARKS = ("interface", "supports", "masses", "couplings", "springs", "joints", "marks")


def screen_problem() -> str | None:
    """Return why no window can be opened here, or None."""
    if sys.platform == "linux" and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return "neither DISPLAY nor WAYLAND_DISPLAY is set"
    return None


def require_screen(cure: str = _CURE) -> None:
    """Raise MissingDependency with what to do instead where no window can be opened."""
    if problem := screen_problem():
        raise MissingDependency(f"no screen is available for a window ({problem}); {cure}.")


def show(
    thing: Any, mode: int | None = None, amplitude: Amplitude = "auto", moment: float | None = None, **options: Any
) -> None:
    """Open a window on a model, body, run or scene and wait until it is closed.

    Parameters
    ----------
    thing
        What `scene_of` takes: a model, body, system, run or scene.
    mode
        The clip shown first, counted from 1.
    amplitude
        Largest drawn displacement over the size of the model; for runs the magnification of deformations.
    moment
        Stand still at this share of the duration at first, 0 to 1.
    **options
        Those of `scene_of`.
    """
    require_screen()
    scene = scene_of(thing, **options)
    if scene.clips:
        clip_of(scene, mode or 1)
    # off-screen drawing may have been set up before in this process
    os.environ.pop("VTK_DEFAULT_OPENGL_WINDOW", None)
    window = Window(scene, (mode or 1) - 1, amplitude)
    if moment is not None:
        window.go(moment)
    window.open()


class Window:
    """A stage with sliders and keys; `advance` is what its clock calls."""

    def __init__(
        self,
        scene: Scene,
        first: int,
        amplitude: Amplitude,
        off_screen: bool = False,
        size: tuple[int, int] = (1200, 780),
    ) -> None:
        self.scene, self.amplitude = scene, amplitude
        self.stage = Stage(scene, size, off_screen=off_screen, axes_above=_CONTROLS)
        self.playing, self.moment, self.factor = bool(scene.clips), 0.0, 1.0
        self.number = first
        self.ghost = self.marks = True
        self._last = time.perf_counter()
        self._mode_slider: Any = None
        self._time_slider: Any = None
        self.choose(first)
        self.stage.aim()
        self._controls()

    def open(self) -> None:
        """Show the window until it is closed."""
        plotter = self.stage.plotter
        plotter.iren.add_observer("EndInteractionEvent", lambda *_: self.stage.arrange())
        if self.scene.clips:
            plotter.add_timer_event(max_steps=2**31 - 1, duration=_PAUSE, callback=self.advance)
        plotter.show(title=f"Floatframe: {self.scene.title}")

    def choose(self, number: int) -> None:
        """Show another clip, counted from 0."""
        if not self.scene.clips:
            self.stage.choose(None)
            return
        self.number = min(max(number, 0), len(self.scene.clips) - 1)
        clip = self.scene.clips[self.number]
        self.stage.choose(clip, self.factor * self.scene.scale(clip, self.amplitude))
        self._seconds = PERIOD if clip.periodic else frame_count(clip, 100) / 100
        self.stage.show_ghost(self.ghost)
        for name in _MARKS:
            self.stage.show_part(name, self.marks)
        self.stage.move(self.moment)

    def magnify(self, factor: float) -> None:
        """Draw motions so many times as large as at first."""
        self.factor = factor
        if self.scene.clips:
            clip = self.scene.clips[self.number]
            self.stage.scale = factor * self.scene.scale(clip, self.amplitude)
            self.stage.move(self.moment)

    def advance(self, _step: int = 0) -> None:
        """Go on by the time that has passed."""
        now = time.perf_counter()
        if self.playing:
            self.moment = (self.moment + (now - self._last) / self._seconds) % 1.0
            self.stage.move(self.moment)
            if self._time_slider is not None:
                self._time_slider.GetRepresentation().SetValue(self._time())
            self.stage.plotter.render()
        self._last = now

    def go(self, moment: float) -> None:
        """Stand still at a moment, 0 to 1."""
        self.playing, self.moment = False, moment
        self.stage.move(moment)
        if self._time_slider is not None:
            self._time_slider.GetRepresentation().SetValue(self._time())

    def _time(self) -> float:
        """Return the time of the present moment of a run [s]."""
        run = self.scene.clips[self.number]
        return float(run.t[run.frame(self.moment)]) if isinstance(run, History) else 0.0

    def _go_to(self, time: float) -> None:
        run = self.scene.clips[self.number]
        if isinstance(run, History) and abs(time - self._time()) > 0:
            self.go((time - float(run.t[0])) / max(float(run.t[-1] - run.t[0]), 1e-300))

    def toggle_play(self) -> None:
        self.playing = not self.playing

    def toggle_ghost(self) -> None:
        self.ghost = not self.ghost
        self.stage.show_ghost(self.ghost)
        self.stage.plotter.render()

    def toggle_marks(self) -> None:
        self.marks = not self.marks
        for name in _MARKS:
            self.stage.show_part(name, self.marks)
        self.stage.plotter.render()

    def step_mode(self, by: int) -> None:
        """Go to the next or previous clip."""
        self.choose(self.number + by)
        if self._mode_slider is not None:
            self._mode_slider.GetRepresentation().SetValue(self.number + 1)
        self.stage.plotter.render()

    def _controls(self) -> None:
        plotter = self.stage.plotter
        look = {"color": "#303840", "style": "modern", "title_height": 0.018, "slider_width": 0.02, "tube_width": 0.004}
        if len(self.scene.clips) > 1:
            self._mode_slider = plotter.add_slider_widget(
                lambda value: self.choose(round(value) - 1),
                (1, len(self.scene.clips)),
                value=self.number + 1,
                title="mode",
                pointa=(0.04, 0.1),
                pointb=(0.26, 0.1),
                fmt="%.0f",
                **look,
            )
        elif self.scene.clips and isinstance(run := self.scene.clips[0], History):
            self._time_slider = plotter.add_slider_widget(
                self._go_to,
                (float(run.t[0]), float(run.t[-1])),
                value=float(run.t[0]),
                title="time [s]",
                pointa=(0.04, 0.1),
                pointb=(0.26, 0.1),
                fmt="%.3f",
                **look,
            )
            self.playing = True  # setting up the slider calls it once
        if self.scene.clips:
            # of a run the magnification itself, of a mode how many times as large as at first
            clip = self.scene.clips[self.number]
            first = self.scene.scale(clip, self.amplitude) or 1.0 if isinstance(clip, History) else 1.0
            plotter.add_slider_widget(
                lambda value: self.magnify(value / first),
                (0.0, _LARGEST * first),
                value=first,
                title="magnification" if isinstance(clip, History) else "amplitude",
                pointa=(0.74, 0.1),
                pointb=(0.96, 0.1),
                fmt="%.3g",
                **look,
            )
            plotter.add_key_event("space", self.toggle_play)
            plotter.add_key_event("Right", lambda: self.step_mode(1))
            plotter.add_key_event("Left", lambda: self.step_mode(-1))
            plotter.add_key_event("g", self.toggle_ghost)
        plotter.add_key_event("i", self.toggle_marks)
        plotter.add_text(_KEYS, position=(0.02, 0.905), viewport=True, font_size=7, color="#77808a")
