"""glTF 2.0, .glb and .gltf: the triangles of all meshes where their nodes put them, in metres.

The y axis of glTF points upwards; it becomes z, as in Blender: (x, y, z) → (x, -z, y).
"""

from __future__ import annotations

import base64
import json
import struct
import urllib.parse
from pathlib import Path
from typing import Any

import numpy as np

from floatframe.arrays import Array, IntArray
from floatframe.errors import ReadError
from floatframe.io.shapes.surface import MOST_TRIANGLES
from floatframe.userfiles import file_bytes

UPRIGHT = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])  # from axes with y upwards to those with z
_KINDS = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
_INDEX_KINDS = (5121, 5123, 5125)
_WIDTHS = {"SCALAR": 1, "VEC3": 3}
_READS = {"KHR_materials_unlit", "KHR_texture_transform", "KHR_mesh_quantization"}  # extensions that keep the shape
_TRIANGLES, _STRIP, _FAN = 4, 5, 6
_DEEPEST = 64  # nodes inside each other
_MOST_COPIES = 100_000  # of nodes and parts of meshes
_MOST_CORNERS = 3 * MOST_TRIANGLES


def read(path: Path) -> tuple[Array, IntArray]:
    """Return corners (n, 3) [m], z upwards, and triangles (k, 3)."""
    points, triangles = read_as_it_is(path)
    return points @ UPRIGHT.T, triangles


def read_as_it_is(path: Path) -> tuple[Array, IntArray]:
    """Return corners (n, 3) [m] in the axes of the file, and triangles (k, 3)."""
    try:
        return _Scene(path).surface()
    except (KeyError, IndexError, TypeError, ValueError, AttributeError, struct.error, RecursionError) as error:
        why = str(error) if type(error) is ValueError else f"{type(error).__name__} at {error}"
        raise ReadError(f"'{path}' is not a glTF 2.0 file, or a damaged one: {why}.") from None


class _Scene:
    def __init__(self, path: Path) -> None:
        self.path = path
        content = path.read_bytes()
        self.binary: bytes | None = None
        if content[:4] == b"glTF":
            content = self._chunks(content)
        self.json: dict[str, Any] = json.loads(content)
        if not str(self.json["asset"]["version"]).startswith("2"):
            raise ValueError(f"its version is {self.json['asset']['version']}, expected 2")
        if unknown := set(self.json.get("extensionsRequired", ())) - _READS:
            raise ValueError(f"it needs the extension {sorted(unknown)[0]}; write it without compression")
        self.buffers: dict[int, bytes] = {}
        self.points: list[Array] = []
        self.triangles: list[IntArray] = []
        self.corner_count = 0
        self.triangle_count = 0
        self.copies = 0

    def _chunks(self, content: bytes) -> bytes:
        """Return the description in a .glb; the numbers behind it are kept."""
        version, length = struct.unpack_from("<II", content, 4)
        if version != 2 or length > len(content):
            raise ValueError(f"version {version} of {length} bytes, it has {len(content)}")
        size, kind = struct.unpack_from("<I4s", content, 12)
        if kind != b"JSON" or 20 + size > length:
            raise ValueError("its first part is not a whole description")
        rest = 20 + size
        if rest + 8 <= length:
            (bytes_,) = struct.unpack_from("<I", content, rest)
            self.binary = content[rest + 8 : rest + 8 + bytes_]
        return content[20 : 20 + size]

    def surface(self) -> tuple[Array, IntArray]:
        nodes = self.json.get("nodes", [])
        scenes = self.json.get("scenes", [])
        inner = {child for node in nodes for child in node.get("children", ())}
        roots = (
            _numbered(scenes, self.json.get("scene", 0)).get("nodes", []) if scenes else set(range(len(nodes))) - inner
        )
        for root in roots:
            self._node(nodes, root, np.eye(4), 0)
        if not self.triangles:
            return np.empty((0, 3)), np.empty((0, 3), dtype=np.int64)
        return np.concatenate(self.points), np.concatenate(self.triangles)

    def _node(self, nodes: list[dict[str, Any]], number: int, above: Array, depth: int) -> None:
        if depth > _DEEPEST:
            raise ValueError(f"more than {_DEEPEST} nodes lie inside each other")
        self._count_copy()
        node = _numbered(nodes, number)
        pose = above @ _pose(node)
        if "mesh" in node:
            for primitive in _numbered(self.json["meshes"], node["mesh"])["primitives"]:
                self._count_copy()
                self._primitive(primitive, pose)
        for child in node.get("children", ()):
            self._node(nodes, child, pose, depth + 1)

    def _count_copy(self) -> None:
        """Keep short what a small file may ask for: nodes may be placed again and again."""
        self.copies += 1
        if self.copies > _MOST_COPIES:
            raise ValueError(f"it places more than {_MOST_COPIES} nodes and parts of meshes")

    def _primitive(self, primitive: dict[str, Any], pose: Array) -> None:
        mode = primitive.get("mode", _TRIANGLES)
        if mode not in (_TRIANGLES, _STRIP, _FAN):
            return  # points and lines enclose nothing
        points = self._accessor(primitive["attributes"]["POSITION"], "VEC3")
        rows = np.arange(len(points)) if "indices" not in primitive else self._indices(primitive["indices"])
        if mode == _TRIANGLES:
            triangles = rows[: len(rows) // 3 * 3].reshape(-1, 3)
        elif mode == _FAN:
            triangles = np.column_stack([np.full(max(len(rows) - 2, 0), rows[0]), rows[1:-1], rows[2:]])
        else:
            triangles = np.column_stack([rows[:-2], rows[1:-1], rows[2:]])
            triangles[1::2] = triangles[1::2, ::-1]
        if len(rows) and rows.max() >= len(points):
            raise ValueError(f"a triangle names corner {rows.max()} of {len(points)}")
        if np.linalg.det(pose[:3, :3]) < 0:
            triangles = triangles[:, ::-1]  # mirrored
        self.triangle_count += len(triangles)
        if self.triangle_count > MOST_TRIANGLES:
            raise ValueError(f"it places more than {MOST_TRIANGLES} triangles; make it coarser")
        if self.corner_count + len(points) > _MOST_CORNERS:
            raise ValueError(f"it places more than {_MOST_CORNERS} corners; make it coarser")
        self.points.append(points @ pose[:3, :3].T + pose[:3, 3])
        self.triangles.append(triangles + self.corner_count)
        self.corner_count += len(points)

    def _indices(self, number: int) -> IntArray:
        accessor = _numbered(self.json["accessors"], number)
        if accessor["componentType"] not in _INDEX_KINDS or accessor.get("normalized"):
            raise ValueError("corners of its triangles are not named by unsigned whole numbers")
        return self._accessor(number, "SCALAR").astype(np.int64).ravel()

    def _accessor(self, number: int, kind_of_row: str) -> Array:
        accessor = _numbered(self.json["accessors"], number)
        if "sparse" in accessor or "bufferView" not in accessor:
            raise ValueError("sparse accessors are not read; write it without them")
        if accessor["type"] != kind_of_row:
            raise ValueError(f"numbers of a mesh are of type {accessor['type']}, expected {kind_of_row}")
        view = _numbered(self.json["bufferViews"], accessor["bufferView"])
        kind, width, count = np.dtype(_KINDS[accessor["componentType"]]), _WIDTHS[kind_of_row], accessor["count"]
        data = self._buffer(view["buffer"])
        first = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        step = view.get("byteStride") or kind.itemsize * width
        last = first + step * (count - 1) + kind.itemsize * width
        if min(first, count, step) < 0 or last > len(data):
            raise ValueError(f"{count} numbers end at byte {last}, there are {len(data)}")
        if count > _MOST_CORNERS:
            raise ValueError(f"a mesh has {count} corners, expected {_MOST_CORNERS} at most; make it coarser")
        found = np.ndarray((count, width), kind, data, first, (step, kind.itemsize)).astype(float)
        if accessor.get("normalized"):
            found /= np.iinfo(kind).max
        return found

    def _buffer(self, number: int) -> bytes:
        if number not in self.buffers:
            uri = _numbered(self.json["buffers"], number).get("uri")
            if uri is None:
                if self.binary is None:
                    raise ValueError("its numbers are missing")
                self.buffers[number] = self.binary
            elif uri.startswith("data:"):
                self.buffers[number] = base64.b64decode(uri.partition(",")[2])
            else:
                self.buffers[number] = file_bytes(self._beside(urllib.parse.unquote(uri)))
        return self.buffers[number]

    def _beside(self, name: str) -> Path:
        """Return the file of a buffer; a shape of somebody else may name files of its own folder only."""
        folder = self.path.parent.resolve()
        found = (folder / name).resolve()
        if not found.is_relative_to(folder):
            raise ValueError(f"its numbers are in '{name[:80]}', outside its folder")
        if not found.is_file():
            raise ValueError(f"its numbers are in '{name[:80]}', which does not exist beside it")
        return found


def _numbered(items: list[dict[str, Any]], number: int) -> dict[str, Any]:
    """Return an item by its number, which does not count from the end as Python would."""
    if type(number) is not int or not 0 <= number < len(items):
        raise ValueError(f"it names item {str(number)[:20]} of {len(items)}")
    return items[number]


def _pose(node: dict[str, Any]) -> Array:
    """Return the place (4, 4) of a node in the one above it."""
    if "matrix" in node:
        return np.array(node["matrix"], dtype=float).reshape(4, 4).T
    x, y, z, w = node.get("rotation", (0.0, 0.0, 0.0, 1.0))
    turn = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )
    pose = np.eye(4)
    pose[:3, :3] = turn * np.array(node.get("scale", (1.0, 1.0, 1.0)), dtype=float)
    pose[:3, 3] = node.get("translation", (0.0, 0.0, 0.0))
    return pose
