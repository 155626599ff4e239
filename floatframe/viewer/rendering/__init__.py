"""Scenes drawn by PyVista: pictures, movies, a window.

In: `Scene`s. Out: image and movie files, a window on a screen.
Open `stage` first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.viewer.rendering.following import follow as follow
    from floatframe.viewer.rendering.movies import (
        PERIOD as PERIOD,
        Progress as Progress,
        frame_count as frame_count,
        movie as movie,
    )
    from floatframe.viewer.rendering.pictures import (
        body_picture as body_picture,
        clip_of as clip_of,
        mode_picture as mode_picture,
        picture as picture,
        writable as writable,
    )
    from floatframe.viewer.rendering.probe import (
        rendering_problem as rendering_problem,
        require_rendering as require_rendering,
    )
    from floatframe.viewer.rendering.stage import BODY as BODY, COLOURS as COLOURS, Amplitude as Amplitude, view as view
    from floatframe.viewer.rendering.window import (
        require_screen as require_screen,
        screen_problem as screen_problem,
        show as show,
    )
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
