"""A window that follows a run while it is computed: the machine as it is now, and what was measured so far."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from floatframe.viewer.rendering.stage import Amplitude
from floatframe.viewer.rendering.window import Window, require_screen

if TYPE_CHECKING:
    from floatframe.arrays import Array
    from floatframe.viewer.scene import History, Scene

LOOK_AGAIN = 0.5  # s between two looks at the file
SHARE = 0.2  # of the time that looking may take

Newer = Callable[[], "Scene | None"]  # the scene as it is now, None if nothing was added


def follow(scene: Scene, newer: Newer, amplitude: Amplitude = "auto") -> None:
    """Open a window on a run that grows and wait until it is closed; `newer` is asked for the scene from time to time.

    The window stays at the end of the run until the time is chosen by hand or the run is played.
    """
    require_screen()
    os.environ.pop("VTK_DEFAULT_OPENGL_WINDOW", None)
    FollowingWindow(scene, newer, amplitude).open()


class FollowingWindow(Window):
    """A window whose scene grows."""

    def __init__(
        self,
        scene: Scene,
        newer: Newer,
        amplitude: Amplitude,
        off_screen: bool = False,
        size: tuple[int, int] = (1200, 780),
    ) -> None:
        super().__init__(scene, 0, amplitude, off_screen, size)
        self._newer, self._next = newer, 0.0
        self._middle: Array | None = None  # (3,) of a machine that travels, where the camera has gone along to
        self.go(1.0)
        self._go_along()

    @property
    def at_end(self) -> bool:
        """Whether it shows the present state of the run."""
        return not self.playing and self.moment == 1.0

    def advance(self, _step: int = 0) -> None:
        """Go on playing, and look whether the run has gone on."""
        super().advance(_step)
        began = time.perf_counter()
        if began < self._next:
            return
        scene = self._newer()
        if scene is not None:
            self.take(scene)
        took = time.perf_counter() - began
        self._next = began + max(LOOK_AGAIN, took / SHARE)

    def take(self, scene: Scene) -> None:
        """Show a longer run in place of the one so far."""
        at_end, t = self.at_end, self._time()
        self.scene = self.stage.scene = scene
        run = cast("History", scene.clips[0])
        span = float(run.t[0]), float(run.t[-1])
        if self._time_slider is not None:
            self._time_slider.GetRepresentation().SetMinimumValue(span[0])
            self._time_slider.GetRepresentation().SetMaximumValue(span[1])
        playing = self.playing
        self.moment = 1.0 if at_end else (t - span[0]) / max(span[1] - span[0], 1e-300)
        self.choose(0)
        if self.stage.diagrams is not None:
            self.stage.diagrams.take(run.diagrams)
        self.go(self.moment)
        if at_end:
            self._go_along()
        self.playing = playing
        self.stage.plotter.render()

    def _go_along(self) -> None:
        """Keep in sight what travels, such as a vehicle on its track; how the view was turned and zoomed stays."""
        points = self.stage.travelling()
        if points is None:
            return
        middle = 0.5 * (points.min(axis=0) + points.max(axis=0))
        if self._middle is None:
            self.stage.aim(points)
        else:
            self.stage.carry(middle - self._middle)
        self._middle = middle
