"""A scene as glTF 2.0 (.glb) that moves: Blender, PowerPoint and browsers open it.

What is rigid is moved by its node. What bends has morph targets, the shapes of its body, with animated weights: the
sum pose · (x + Σ amplitude_k · motion_k(x)) of `scene`, but for the shear of the pose. A vibration has two targets, the
displacements at its start and a quarter of a period later. y points upwards in glTF.
"""

from __future__ import annotations

import json
import os
import struct
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from floatframe.errors import ModelError
from floatframe.io import complete_file
from floatframe.version import __version__
from floatframe.viewer.drawing import scene_of, triangles
from floatframe.viewer.rendering import BODY, COLOURS, PERIOD, Amplitude, clip_of, writable
from floatframe.viewer.scene import Clip, Harmonic, History, Part, Scene

if TYPE_CHECKING:
    from floatframe.arrays import AnyArray, Array

_MOST_FRAMES = 1500
_PER_PERIOD = 24  # moments of a vibration
_FLOAT, _WHOLE = 5126, 5125  # single precision, 32 bits without sign
_LINES, _TRIANGLES = 1, 4
_UPRIGHT = [-(0.5**0.5), 0.0, 0.0, 0.5**0.5]  # quaternion x y z w of the turn that lays z along the y of glTF


def gltf(
    thing: Any, path: str | os.PathLike[str], mode: int | None = None, amplitude: Amplitude = "auto", **options: Any
) -> Path:
    """Write a model, body, run or scene as scene.glb, with the motion of one mode or of the run.

    mode: which clip, counted from 1, the first if None; amplitude as for `movie`; options of `scene_of`. Colours are
    those of a mode, of a run the largest of all its time.
    """
    path = writable(path, ".glb")
    scene = scene_of(thing, **options)
    clip = clip_of(scene, mode or 1) if scene.clips else None
    content = _Document(scene, clip, 1.0 if clip is None else scene.scale(clip, amplitude)).content()
    with complete_file(path) as temporary:
        temporary.write_bytes(content)
    return path


class _Document:
    """The description of a file and the bytes of its numbers."""

    def __init__(self, scene: Scene, clip: Clip | None, scale: float) -> None:
        self.scene, self.clip, self.scale = scene, clip, scale
        self.pieces: list[bytes] = []
        self.size = 0
        self.json: dict[str, Any] = {
            "asset": {"version": "2.0", "generator": f"floatframe {__version__}"},
            "scene": 0,
            "scenes": [{"nodes": [0], "name": scene.title or "scene"}],
            "nodes": [{"name": scene.title or "scene", "rotation": _UPRIGHT, "children": []}],
            "meshes": [],
            "materials": [],
            "accessors": [],
            "bufferViews": [],
        }
        self.samplers: list[dict[str, Any]] = []
        self.channels: list[dict[str, Any]] = []
        self.times: int | None = None  # accessor of the moments

    def content(self) -> bytes:
        """Return the whole file."""
        values = self._largest()
        for k, carrier in enumerate(self.scene.carriers):
            parts = [(part, own) for part, own in zip(self.scene.parts, values, strict=True) if part.carrier == k]
            if not parts:
                continue
            node = self._node({"name": carrier.name or f"carrier {k}", "children": []}, above=0)
            self._stand(node, k)
            for part, own in parts:
                self._part(part, own, node, k)
        if self.channels:
            name = self.clip.title if self.clip is not None and self.clip.title else "motion"
            self.json["animations"] = [{"name": name, "samplers": self.samplers, "channels": self.channels}]
        for key in ("meshes", "materials", "accessors", "bufferViews"):
            if not self.json[key]:
                del self.json[key]
        for node in self.json["nodes"]:
            if not node.get("children"):
                node.pop("children", None)
        if self.size:
            self.json["buffers"] = [{"byteLength": self.size}]
        text = json.dumps(self.json, allow_nan=False, separators=(",", ":")).encode()
        text += b" " * (-len(text) % 4)
        whole = struct.pack("<I4s", len(text), b"JSON") + text
        if self.size:
            whole += struct.pack("<I4s", self.size, b"BIN\0") + b"".join(self.pieces)
        return b"glTF" + struct.pack("<II", 2, 12 + len(whole)) + whole

    # numbers

    def _put(self, values: AnyArray, kind: int = _FLOAT, target: int | None = None, bounds: bool = False) -> int:
        """Return the accessor of an array (n,) or (n, 2 to 4)."""
        data = np.ascontiguousarray(values, dtype="<f4" if kind == _FLOAT else "<u4")
        view: dict[str, Any] = {"buffer": 0, "byteOffset": self.size, "byteLength": data.nbytes}
        if target is not None:
            view["target"] = target
        self.json["bufferViews"].append(view)
        self.pieces.append(data.tobytes())
        self.size += data.nbytes
        width = {1: "SCALAR", 3: "VEC3", 4: "VEC4"}[1 if data.ndim == 1 else data.shape[1]]
        number = len(self.json["bufferViews"]) - 1
        accessor = {"bufferView": number, "componentType": kind, "count": len(data), "type": width}
        if bounds:
            rows = data.reshape(len(data), -1)
            accessor |= {"min": rows.min(axis=0).tolist(), "max": rows.max(axis=0).tolist()}
        self.json["accessors"].append(accessor)
        return len(self.json["accessors"]) - 1

    def _node(self, node: dict[str, Any], above: int) -> int:
        self.json["nodes"].append(node)
        number = len(self.json["nodes"]) - 1
        self.json["nodes"][above]["children"].append(number)
        return number

    # motion

    def _stand(self, node: int, carrier: int) -> None:
        """Give a node the pose of its carrier, and the motion of that in a run."""
        turn, scale, place = _split(self.scene.carriers[carrier].pose[None])
        self.json["nodes"][node] |= {
            "translation": place[0].tolist(),
            "rotation": turn[0].tolist(),
            "scale": scale[0].tolist(),
        }
        if not isinstance(self.clip, History) or len(self.clip.t) < 2:
            return
        poses = self.clip.pose[self._rows, carrier]
        if np.array_equal(poses, np.broadcast_to(self.scene.carriers[carrier].pose, poses.shape)):
            return
        turn, scale, place = _split(poses)
        self._animate(node, "translation", place)
        self._animate(node, "rotation", turn)
        if np.ptp(scale, axis=0).max() > 1e-6:
            self._animate(node, "scale", scale)

    @property
    def _rows(self) -> Any:
        count = len(self.clip.t)  # type: ignore[union-attr]
        return np.unique(np.linspace(0, count - 1, min(count, _MOST_FRAMES)).round().astype(np.int64))

    def _moments(self) -> Array:
        """Return the times of the animation [s]."""
        if isinstance(self.clip, History):
            return self.clip.t[self._rows] - self.clip.t[0]
        return PERIOD * np.arange(_PER_PERIOD + 1) / _PER_PERIOD

    def _animate(self, node: int, path: str, values: Array) -> None:
        if self.times is None:
            self.times = self._put(self._moments(), bounds=True)
        self.samplers.append({"input": self.times, "interpolation": "LINEAR", "output": self._put(values)})
        target = {"node": node, "path": path}
        self.channels.append({"sampler": len(self.samplers) - 1, "target": target})

    def _targets(self, part: Part, carrier: int) -> tuple[list[Array], Array]:
        """Return displacements (n, 3) of the points of a part in its carrier, and their weights (nmoment, ntarget)."""
        clip, own = self.clip, self.scene.carriers[carrier]
        if isinstance(clip, Harmonic):
            moved = part.motion(own.field(clip.amplitude[carrier])).astype(complex)
            if clip.pose is not None:
                change = clip.pose[carrier]
                space = part.points @ change[:, :3].T + change[:, 3]
                moved = moved + space @ np.linalg.pinv(own.pose[:, :3]).T
            phase = 2.0 * np.pi * np.arange(_PER_PERIOD + 1) / _PER_PERIOD
            pairs = ((self.scale * moved.real, np.cos(phase)), (-self.scale * moved.imag, np.sin(phase)))
            kept = [(shape, weight) for shape, weight in pairs if np.abs(shape).max(initial=0.0) > 0]
            return [shape for shape, _ in kept], np.array([weight for _, weight in kept]).T
        if not isinstance(clip, History) or part.anchor is None or not len(own.shapes):
            return [], np.empty((0, 0))
        shapes = [part.motion(shape) for shape in own.shapes]
        return shapes, self.scale * clip.amplitude[carrier][self._rows]

    # geometry

    def _part(self, part: Part, values: Array | None, above: int, carrier: int) -> None:
        faces, lines = triangles(part.faces), part.lines
        if not len(faces) and not len(lines):
            return
        attributes = {"POSITION": self._put(part.points, target=34962, bounds=True)}
        if values is not None:
            attributes["COLOR_0"] = self._put(_colours(values, self._top), target=34962)
        shapes, weights = self._targets(part, carrier)
        targets = [{"POSITION": self._put(shape, target=34962, bounds=True)} for shape in shapes]
        primitives = []
        for rows, kind in ((faces, _TRIANGLES), (lines, _LINES)):
            if len(rows):
                indices = self._put(rows.ravel(), _WHOLE, target=34963)
                primitive = {
                    "attributes": attributes,
                    "indices": indices,
                    "mode": kind,
                    "material": self._material(part),
                }
                primitives.append(primitive | ({"targets": targets} if targets else {}))
        mesh: dict[str, Any] = {"name": part.name, "primitives": primitives}
        node: dict[str, Any] = {"name": part.name, "mesh": len(self.json["meshes"])}
        if targets:
            mesh["weights"] = weights[0].tolist()
        self.json["meshes"].append(mesh)
        number = self._node(node, above)
        if targets and len(weights) > 1:
            self._animate(number, "weights", weights.ravel())

    def _material(self, part: Part) -> int:
        color = part.color or ("#ffffff" if self._top else BODY)
        red, green, blue = (_linear(int(color[k : k + 2], 16) / 255.0) for k in (1, 3, 5))
        look: dict[str, Any] = {
            "pbrMetallicRoughness": {
                "baseColorFactor": [red, green, blue, part.opacity],
                "metallicFactor": 0.0,
                "roughnessFactor": 0.8,
            },
            "doubleSided": True,
        }
        if part.opacity < 1.0:
            look["alphaMode"] = "BLEND"
        if look not in self.json["materials"]:
            self.json["materials"].append(look)
        return int(self.json["materials"].index(look))

    def _largest(self) -> list[Array | None]:
        """Return the numbers (n,) that colour every part, of a run the largest of its moments; None for no colours."""
        scene, clip = self.scene, self.clip
        self._top = 0.0 if clip is None else scene.largest(clip)
        if clip is None or not self._top:
            return [None] * len(scene.parts)
        moments = (0.0,) if clip.periodic else clip.moments(_PER_PERIOD)
        found = [scene.values(clip, scene.state(clip, float(moment))) for moment in moments]
        merged = [np.fmax.reduce(column) for column in zip(*found, strict=True)]
        return [None if part.color else own for part, own in zip(scene.parts, merged, strict=True)]


def _split(poses: Array) -> tuple[Array, Array, Array]:
    """Return turns (m, 4) as quaternions x y z w, scales (m, 3) and places (m, 3) of poses (m, 3, 4)."""
    linear = poses[:, :, :3]
    scale = np.linalg.norm(linear, axis=1)
    if (scale < 1e-12).any():
        scale = np.maximum(scale, 1e-12)
    U, _, Vt = np.linalg.svd(linear / scale[:, None, :])
    R = U @ Vt
    mirrored = np.linalg.det(R) < 0
    if mirrored.any():
        raise ModelError("a mirrored pose cannot be written as glTF")
    q = np.array([_quaternion(one) for one in R])
    # neighbours on one side, so that what lies between them is the shorter way
    sign = np.cumprod(np.where((q[1:] * q[:-1]).sum(axis=1) < 0, -1.0, 1.0))
    q[1:] *= sign[:, None]
    return q, scale, poses[:, :, 3]


def _quaternion(R: Array) -> Array:
    """Return x y z w of a rotation (3, 3), by its largest component."""
    t = np.trace(R)
    square = np.array([1.0 + 2.0 * R[k, k] - t for k in range(3)] + [1.0 + t]) / 4.0
    k = int(np.argmax(square))
    if k == 3:
        q = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1], 4.0 * square[3]])
    else:
        i, j = (k + 1) % 3, (k + 2) % 3
        q = np.empty(4)
        q[k], q[i], q[j] = 4.0 * square[k], R[k, i] + R[i, k], R[k, j] + R[j, k]
        q[3] = R[j, i] - R[i, j]
    return np.asarray(q / np.linalg.norm(q))


def _colours(values: Array, top: float) -> Array:
    """Return colours (n, 4) of numbers from 0 to a top, grey where there is none."""
    from matplotlib import colormaps

    share = np.clip(np.nan_to_num(values) / top, 0.0, 1.0)
    found = np.asarray(colormaps[COLOURS](share))
    found[np.isnan(values)] = (0.56, 0.7, 0.83, 1.0)
    found[:, :3] = _linear(found[:, :3])
    return found


def _linear(srgb: Any) -> Any:
    """Return colours as they are reckoned in glTF from those of a screen."""
    return np.where(
        np.asarray(srgb) <= 0.04045, np.asarray(srgb) / 12.92, ((np.asarray(srgb) + 0.055) / 1.055) ** 2.4
    ).tolist()
