"""Any kind of file from any kind of thing: the suffix decides."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from floatframe.viewer.exports import gltf, paraview
from floatframe.viewer.pages import page
from floatframe.viewer.rendering import Progress, movie, picture, writable

SUFFIXES = (".png", ".gif", ".mp4", ".html", ".htm", ".glb", ".pvd")


def save(
    thing: Any,
    path: str | os.PathLike[str],
    mode: int | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> Path:
    """Write a picture (.png), a movie (.gif, .mp4), a page for the browser (.html), or the moving scene for Blender
    (.glb) or ParaView (.pvd) of a model, body or scene.

    mode: which clip, counted from 1; a picture without it shows the scene at rest. Options of `picture`, `movie`,
    `page`, `gltf`, `paraview` and `scene_of`.
    """
    suffix = writable(path, *SUFFIXES).suffix.lower()
    if suffix == ".png":
        return picture(thing, path, mode=mode, **options)
    if suffix in (".html", ".htm"):
        return page(thing, path, mode=mode or 1, **options)
    if suffix == ".glb":
        return gltf(thing, path, mode=mode, **options)
    if suffix == ".pvd":
        return paraview(thing, path, mode=mode, progress=progress, **options)
    return movie(thing, path, mode=mode or 1, progress=progress, **options)
