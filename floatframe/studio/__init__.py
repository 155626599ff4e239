"""Floatframe Studio: the whole path from a deck to a moving machine in the browser; optional.

In: a folder of the user. Out: the files that the commands write, made by clicks.
What is done is in plain modules (`project`, `jobs`, `commands`, `document`, `curves`, `views`); `pages` has the
widgets, `shell` what is around them, `server` what it answers, `security` to whom. Open `app` first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.studio.start import require_studio as require_studio, start_studio as start_studio
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
