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


class Click(NamedTuple):
    """A click into a view: its place, the drawn part, the nearest of its points, the corners of the face below it."""

    place: str
    part: int
    point: int
    corners: tuple[int, ...] = ()


@dataclass(frozen=True)
class View:
    """The page of a scene, packed, and what a click on it means; the scene itself is not kept."""

    parts: tuple[Drawn, ...]
    packed: bytes  # of zlib

    @property
    def page(self) -> bytes:
        """The page as HTML."""
        return zlib.decompress(self.packed)


def view_of(scene: Scene, mode: int = 1) -> View:
    """Return the page of a scene, which takes a while for a large one; mode: the clip shown first."""
    text = scene_html(scene, mode if 1 <= mode <= len(scene.clips) else 1)
    # what speaks with the page around it comes behind the page's own script
    style, script = (_web_text(f"view.{kind}") for kind in ("css", "js"))
    text = text.replace("</body>", f"<style>\n{style}\n</style>\n<script>\n{script}\n</script>\n</body>")
    parts = tuple(Drawn(part.thing or part.name, part.anchor) for part in scene.parts)
    return View(parts, zlib.compress(text.encode(), 1))


class Views:
    """The scenes that are shown, one for each place: fe, body, machine, run …"""

    def __init__(self) -> None:
        self._views: dict[str, View] = {}
        self._count = 0

    def show(self, place: str, view: View) -> str:
        """Put a view into a place and return the address of its page."""
        self._count += 1
        self._views[place] = view
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

    def node_at(self, click: Click) -> int | None:
        """Return which node of its carrier a drawn point hangs on, None for what has no nodes."""
        return next(iter(self.nodes_at(click._replace(corners=(click.point,)))), None)

    def nodes_at(self, click: Click) -> list[int]:
        """Return the nodes of their carrier that the corners of a clicked face hang on, none for what has no nodes."""
        anchor = self._part(click.place, click.part).anchor
        return [] if anchor is None else [int(anchor[k]) for k in click.corners if 0 <= k < len(anchor)]

    def points_of(self, place: str, rows: IntArray) -> list[tuple[int, int]]:
        """Return for each node (k,) of the carrier part and point that hang on it, -1 and -1 where it is not drawn."""
        found = np.full((len(rows), 2), -1)
        view = self._views.get(place)
        for number, part in enumerate(view.parts if view else ()):
            if (found[:, 0] >= 0).all():
                break
            if part.anchor is None or not len(part.anchor):
                continue
            known, first = np.unique(part.anchor, return_index=True)
            at = np.minimum(np.searchsorted(known, rows), len(known) - 1)
            new = (known[at] == rows) & (found[:, 0] < 0)
            found[new] = np.column_stack([np.full(new.sum(), number), first[at[new]]])
        return [(int(part), int(point)) for part, point in found]

    def thing_at(self, click: Click) -> str:
        """Return the name of the body, joint or force that a drawn part belongs to, "" for none."""
        return self._part(click.place, click.part).thing


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
