"""A scene as one file for the browser: it opens offline, can be turned, zoomed and played, and needs nothing else."""

from __future__ import annotations

import base64
import html
import json
import os
import re
import struct
import zlib
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from floatframe.errors import ModelError
from floatframe.io import complete_file
from floatframe.viewer.drawing import scene_of, triangles
from floatframe.viewer.pages.charts import chart
from floatframe.viewer.pages.web_files import web_text
from floatframe.viewer.rendering import BODY, COLOURS, PERIOD, Amplitude, clip_of, frame_count, view, writable
from floatframe.viewer.scales import scale_of
from floatframe.viewer.scene import AUTO_AMPLITUDE, Carrier, Clip, Harmonic, History, Part, Scene, given_values
from floatframe.wording import printable

if TYPE_CHECKING:
    from floatframe.arrays import AnyArray, Array, IntArray

_LARGEST = 150_000_000  # bytes of shapes before packing; more would not open smoothly
_MOST_FRAMES = 1500  # of a run
_FEWEST_FRAMES = 60  # of a run of large bodies with stresses, which are computed for every frame
_MOST_VALUES = 3_000_000  # nodes times frames with stresses
_STEPS = 32767  # a component of a shape is one of so many equal steps to either side


def page(
    thing: Any,
    path: str | os.PathLike[str],
    mode: int = 1,
    amplitude: Amplitude = "auto",
    most: int | None = None,
    **options: Any,
) -> Path:
    """Write a model, body or scene as scene.html.

    mode: the clip shown first, counted from 1; amplitude as for `movie`; most: how many clips to take along, all that
    fit if None; options of `scene_of`.
    """
    path = writable(path, ".html", ".htm")
    text = scene_html(scene_of(thing, **options), mode, amplitude, most)
    with complete_file(path) as temporary:
        temporary.write_text(text, encoding="utf-8")
    return path


def scene_html(scene: Scene, mode: int = 1, amplitude: Amplitude = "auto", most: int | None = None) -> str:
    """Return the page of a scene as text (see `page`)."""
    if scene.clips:
        clip_of(scene, mode)
    scene, first = _affordable(scene, mode - 1, most)
    parts = {
        "@TITLE@": html.escape(printable(scene.title or "scene")),
        "@STYLE@": web_text("scene.css", "chart.css"),
        "@SCRIPT@": web_text("chart.js", "scene.js"),
        "@DATA@": _packed(scene, first, amplitude),
    }
    # in one pass: a mark in what is put in, such as a title, is text
    return re.sub("@[A-Z]+@", lambda found: parts[found[0]], web_text("scene.html"))


class _Store:
    """Arrays end to end; each is known by kind, place and count."""

    def __init__(self) -> None:
        self.pieces: list[bytes] = []
        self.size = 0

    def put(self, values: AnyArray | None, kind: str) -> dict[str, Any] | None:
        if values is None:
            return None
        data = np.ascontiguousarray(values, dtype=f"<{kind}").tobytes()
        place, self.size = self.size, self.size + len(data) + (-len(data) & 3)
        self.pieces.append(data + bytes(-len(data) & 3))
        return {"kind": kind, "at": place, "count": int(np.size(values))}


def _packed(scene: Scene, first: int, amplitude: Amplitude) -> str:
    """Return the scene as base64 of packed bytes: length of the description, description, arrays."""
    store = _Store()
    description = {
        "title": scene.title,
        "first": first,
        "view": _view(scene, first, amplitude),
        "palette": _palette(),
        "carriers": [_carrier(store, carrier) for carrier in scene.carriers],
        "parts": [_part(store, scene, part) for part in scene.parts],
        "clips": [_clip(store, scene, clip, amplitude) for clip in scene.clips],
        "labels": [
            {
                "text": label.text,
                "point": [float(x) for x in label.point],
                "carrier": label.carrier,
                "anchor": -1 if label.anchor is None else label.anchor,
            }
            for label in scene.labels
        ],
    }
    try:
        head = json.dumps(_shown(description), allow_nan=False).encode()
    except ValueError as error:
        raise ModelError(
            f"'{scene.title or 'the scene'}' has positions that are not finite numbers and cannot be drawn; look for "
            "NaN and far too large numbers in the file"
        ) from error
    # arrays start at multiples of four
    whole = struct.pack("<I", len(head)) + head + bytes(-len(head) & 3) + b"".join(store.pieces)
    return base64.b64encode(zlib.compress(whole, 6)).decode("ascii")


def _shown(value: Any) -> Any:
    """The same with its texts as they read."""
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, dict):
        return {name: _shown(part) for name, part in value.items()}
    return [_shown(part) for part in value] if isinstance(value, list | tuple) else value


def _affordable(scene: Scene, first: int, most: int | None) -> tuple[Scene, int]:
    """Return the scene with as many clips as fit, the wanted one among them, and where that one is."""
    if not scene.clips or any(isinstance(clip, History) for clip in scene.clips):
        return scene, first
    shapes = sum(carrier.shapes[0].size for carrier in scene.carriers if len(carrier.shapes))
    fits = max(1, _LARGEST // max(1, 2 * shapes))
    count = min(len(scene.clips), fits, most or len(scene.clips))
    if count == len(scene.clips) and all(len(carrier.shapes) <= fits for carrier in scene.carriers):
        return scene, first
    chosen = sorted({*range(count - 1), first} if first >= count else range(count))
    clips = [clip for k, clip in enumerate(scene.clips) if k in chosen]
    carriers, amplitudes = [], []
    for number, carrier in enumerate(scene.carriers):
        used = np.flatnonzero(np.any([clip.amplitude[number] != 0 for clip in clips], axis=0))
        carriers.append(Carrier(carrier.name, carrier.shapes[used], carrier.pose))
        amplitudes.append(used)
    kept = tuple(
        Harmonic(
            clip.title,
            tuple(a[used] for a, used in zip(clip.amplitude, amplitudes, strict=True)),
            clip.frequency,
            clip.pose if isinstance(clip, Harmonic) else None,
            clip.legend,
            clip.values,
        )
        for clip in clips
    )
    return replace(scene, carriers=tuple(carriers), clips=kept), chosen.index(first)


def _view(scene: Scene, first: int, amplitude: Amplitude) -> dict[str, Any]:
    clip = scene.clips[first] if scene.clips else None
    scale = 1.0 if clip is None else scene.scale(clip, amplitude)
    points = scene.extent(clip, scale)
    # the window has any shape: half the height that it takes, and the width over the height below which it takes more
    eye, focus, up, span = view(points, (10**6, 1), scene.look)
    aspect = view(points, (1, 1), scene.look)[3] / span
    depth = 4.0 * float(np.linalg.norm(np.ptp(points, axis=0))) if len(points) else 1.0
    return {
        "focus": focus.tolist(),
        "away": (eye - focus).tolist(),
        "up": up.tolist(),
        "span": span,
        "aspect": aspect,
        "depth": max(depth, 1e-9),
    }


def _palette() -> list[int]:
    from matplotlib import colormaps

    return [round(255 * x) for x in colormaps[COLOURS](np.linspace(0.0, 1.0, 256))[:, :3].ravel()]


def _carrier(store: _Store, carrier: Carrier) -> dict[str, Any]:
    """Write shapes in equal steps of translation and of rotation, each shape with its own."""
    nshape, nnode, width = carrier.shapes.shape
    coded = np.zeros((nshape, nnode, 6), dtype=np.int16)
    factors = []
    for k, shape in enumerate(carrier.shapes):
        steps = []
        for triple in (slice(0, 3), slice(3, 6)):
            largest = float(np.abs(shape[:, triple]).max(initial=0.0)) if triple.start < width else 0.0
            steps.append(largest / _STEPS)
            if largest:
                coded[k, :, triple] = np.rint(shape[:, triple] / steps[-1])
        factors.append(steps)
    pose = [float(x) for x in carrier.pose.ravel()]
    return {"nodes": nnode, "shapes": store.put(coded, "i2"), "factors": factors, "pose": pose}


def _part(store: _Store, scene: Scene, part: Part) -> dict[str, Any]:
    deforms = part.anchor is not None and scene.carriers[part.carrier].shapes.shape[1] > 0
    red, green, blue = (int((part.color or BODY)[k : k + 2], 16) / 255 for k in (1, 3, 5))
    return {
        "name": part.name,
        "carrier": part.carrier,
        "color": [red, green, blue, part.opacity],
        "coloured": not part.color,
        "mark": part.name in ("interface", "masses", "couplings", "springs", "supports", "joints", "marks"),
        "points": store.put(part.points, "f4"),
        "anchor": store.put(part.anchor, "f4") if deforms else None,
        "arm": store.put(part.arm, "f4") if deforms else None,
        "far": store.put(part.far, "f4") if deforms else None,
        "share": store.put(part.share, "f4") if deforms else None,
        "faces": store.put(triangles(part.faces), "u4"),
        "lines": store.put(part.lines, "u4"),
        "edges": store.put(scene.contours(part), "u4"),
        "ghost": store.put(scene.ghost(part), "u4"),
    }


def _clip(store: _Store, scene: Scene, clip: Clip, amplitude: Amplitude) -> dict[str, Any]:
    found: dict[str, Any] = {
        "title": clip.title,
        **_legend(clip, scene.largest(clip)),
        "scale": scene.scale(clip, amplitude),
    }
    if isinstance(clip, Harmonic):
        pose = None if clip.pose is None else [_complex(change) for change in clip.pose]
        return found | {
            "kind": "harmonic",
            "share": AUTO_AMPLITUDE if amplitude == "auto" else amplitude,
            "values": [store.put(given_values(clip, k, a), "f4") for k, a in enumerate(clip.amplitude)],
            "own": None if pose is None else _own(store, scene, clip, found["top"]),
            "seconds": PERIOD,
            "amplitude": [_complex(a) for a in clip.amplitude],
            "pose": pose,
        }
    if not len(clip.t):
        raise ModelError(f"'{clip.title}' has no frames.")
    coloured = sum(scene.carriers[k].shapes.shape[1] for k, given in enumerate(clip.values) if given is not None)
    most = max(_FEWEST_FRAMES, min(_MOST_FRAMES, _MOST_VALUES // max(1, coloured)))
    rows = np.unique(np.linspace(0, len(clip.t) - 1, min(len(clip.t), most)).round().astype(np.int64))
    values = [_values_in(clip, k, rows) for k in range(len(scene.carriers))]
    # what lies between the moments that are looked at for the largest may be larger
    top = max(found["top"], *(float(np.nanmax(v, initial=0.0)) for v in values if v is not None), 0.0)
    found |= _legend(clip, top)
    return found | {
        "kind": "history",
        "values": [None if v is None else store.put(_coded(v, found["top"]), "u1") for v in values],
        "seconds": frame_count(clip, 100) / 100,
        "t": [float(t) for t in clip.t[rows]],
        "pose": store.put(clip.pose[rows], "f4"),
        "amplitude": [store.put(a[rows], "f4") for a in clip.amplitude],
        "charts": [chart(diagram, lambda values: store.put(values, "f4")) for diagram in clip.diagrams],
    }


def _own(store: _Store, scene: Scene, clip: Harmonic, top: float) -> list[dict[str, Any] | None]:
    """Write by part how far its points (n,) swing, as bytes 0 to 255 for 0 to the top; None where nodes give colours.

    The length of a motion of bodies and nodes together, which need not be in phase, is not in the field of one moment.
    """
    found: list[dict[str, Any] | None] = []
    for part, own in zip(scene.parts, scene.values(clip, scene.rest), strict=True):
        given = bool(clip.values) and clip.values[part.carrier] is not None
        none = bool(part.color) or given or not top
        found.append(None if none else store.put(np.rint(255.0 * np.clip(own / top, 0.0, 1.0)), "u1"))
    return found


def _legend(clip: Clip, top: float) -> dict[str, Any]:
    """Return the largest number that colours a clip, and what stands at the colour bar."""
    scale = scale_of(clip.legend, top)
    return {"legend": scale.name, "top": top, "ticks": scale.ticks}


def _values_in(clip: History, carrier: int, rows: IntArray) -> Array | None:
    """Return the numbers (nframe, nnode) that colour a carrier in some frames of a run, None for none."""
    if not clip.values or clip.values[carrier] is None:
        return None
    return np.array([given_values(clip, carrier, w) for w in (clip.modal or clip.amplitude)[carrier][rows]])


def _coded(values: Array, top: float) -> Array:
    """Return numbers from 0 to a top as bytes 0 to 254; 255 stands for NaN."""
    share = np.clip(values / top, 0.0, 1.0) if top else np.zeros(values.shape)
    return np.where(np.isnan(values), 255.0, np.rint(254.0 * np.where(np.isnan(share), 0.0, share)))


def _complex(values: Array) -> list[list[float]]:
    flat = np.asarray(values).ravel()
    return np.column_stack([flat.real, flat.imag]).tolist()
