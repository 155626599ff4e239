"""Any kind of file from any kind of thing: the suffix decides."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from floatframe.viewer.pages import page
from floatframe.viewer.rendering import Progress, movie, picture, writable

SUFFIXES = (".png", ".gif", ".mp4", ".html", ".htm")


def save(
    thing: Any,
    path: str | os.PathLike[str],
    mode: int | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> Path:
    """Write a picture (.png), a movie (.gif, .mp4) or a page for the browser (.html) of a model, body or scene.

    mode: which clip, counted from 1; a picture without it shows the scene at rest. Options of `picture`, `movie`,
    `page` and `scene_of`.
    """
    suffix = writable(path, *SUFFIXES).suffix.lower()
    if suffix == ".png":
        return picture(thing, path, mode=mode, **options)
    if suffix in (".html", ".htm"):
        return page(thing, path, mode=mode or 1, **options)
    return movie(thing, path, mode=mode or 1, progress=progress, **options)
