"""Three-dimensional views: pages of scenes by the name of their place, kept for the browser until others take it."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from floatframe.hybrid import Results
from floatframe.network import is_network_text
from floatframe.viewer import History, Scene, scene_html

if TYPE_CHECKING:
    from floatframe.arrays import IntArray


class Drawn(NamedTuple):
    """A drawn part, as far as clicks ask for it: what it stands for, the node (n,) that each of its points hangs on."""

    thing: str
    anchor: IntArray | None


@dataclass(frozen=True)
class View:
    """The page of a scene, packed, and what a click on it means; the scene itself is not kept."""

    parts: tuple[Drawn, ...]
    packed: bytes  # of zlib

    @property
    def page(self) -> bytes:
        """The page as HTML."""
        return zlib.decompress(self.packed)


class Views:
    """The scenes that are shown, one for each place: fe, body, machine, run …"""

    def __init__(self) -> None:
        self._views: dict[str, View] = {}
        self._count = 0

    def show(self, place: str, scene: Scene, mode: int = 1) -> str:
        """Put a scene into a place and return the address of its page."""
        self._count += 1
        text = scene_html(scene, mode if 1 <= mode <= len(scene.clips) else 1)
        # what speaks with the page around it comes behind the page's own script
        style, script = (_web_text(f"view.{kind}") for kind in ("css", "js"))
        text = text.replace("</body>", f"<style>\n{style}\n</style>\n<script>\n{script}\n</script>\n</body>")
        parts = tuple(Drawn(part.thing or part.name, part.anchor) for part in scene.parts)
        self._views[place] = View(parts, zlib.compress(text.encode(), 1))
        return f"view/{place}?number={self._count}"

    def clear(self, place: str) -> None:
        """Let a scene go."""
        self._views.pop(place, None)

    def get(self, place: str) -> View | None:
        """Return what is shown in a place."""
        return self._views.get(place)

    def _part(self, place: str, part: int) -> Drawn:
        view = self._views.get(place)
        if view is None or part not in range(len(view.parts)):
            return Drawn("", None)
        return view.parts[part]

    def node_at(self, place: str, part: int, point: int) -> int | None:
        """Return which node of its carrier a drawn point hangs on, None for what has no nodes."""
        anchor = self._part(place, part).anchor
        return int(anchor[point]) if anchor is not None and 0 <= point < len(anchor) else None

    def point_of(self, place: str, row: int) -> tuple[int, int]:
        """Return part and point that hang on a node of their carrier, -1 and -1 if it is not drawn."""
        view = self._views.get(place)
        for number, part in enumerate(view.parts if view else ()):
            if part.anchor is not None and (part.anchor == row).any():
                return number, int((part.anchor == row).argmax())
        return -1, -1

    def thing_at(self, place: str, part: int) -> str:
        """Return the name of the body, joint or force that a drawn part belongs to, "" for none."""
        return self._part(place, part).thing


def _web_text(name: str) -> str:
    return (resources.files("floatframe.studio") / "web" / name).read_text(encoding="utf-8")


def moves(run: Results) -> bool:
    """Whether a run is that of a machine, whose motion can be drawn; networks have plots only."""
    return bool(run.meta.nq and len(run)) and not is_network_text(run.meta.model)


def frames_from(scene: Scene, first: int) -> dict[str, Any]:
    """Return the frames of a run from one on, as the page takes them: t, poses, amplitudes by carrier."""
    run = next((clip for clip in scene.clips if isinstance(clip, History)), None)
    if run is None:
        return {"t": [], "pose": [], "amplitude": []}
    rows = slice(first, None)
    return {
        "t": run.t[rows].tolist(),
        "pose": _plain(run.pose[rows]),
        "amplitude": [_plain(amplitude[rows]) for amplitude in run.amplitude],
    }


def _plain(values: Any) -> list[float]:
    found: list[float] = np.asarray(values, dtype=np.float32).ravel().tolist()
    return found
