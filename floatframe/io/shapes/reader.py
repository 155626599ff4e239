"""Which module reads which file of a shape, within limits, and in which unit its lengths are."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from floatframe.arrays import Array, IntArray
from floatframe.errors import ReadError
from floatframe.io.shapes import gltf, obj, ply, step, stl
from floatframe.io.shapes.surface import MOST_TRIANGLES, Surface
from floatframe.userfiles import is_file, note_read, require_regular

MOST_BYTES = 500_000_000
LENGTHS = {"m": 1.0, "dm": 0.1, "cm": 0.01, "mm": 1e-3, "um": 1e-6, "in": 0.0254, "ft": 0.3048}  # in metres


class _Kind(NamedTuple):
    read: Callable[[Path], tuple[Array, IntArray]]  # points (n, 3) in the unit of the file, triangles (k, 3)
    unit: str = ""  # of all its files; "": they do not say


_GLTF, _STEP = _Kind(gltf.read, "m"), _Kind(step.read, "m")
_KINDS = {
    ".stl": _Kind(stl.read),
    ".obj": _Kind(obj.read),
    ".ply": _Kind(ply.read),
    ".glb": _GLTF,
    ".gltf": _GLTF,
    ".step": _STEP,
    ".stp": _STEP,
}
SHAPE_SUFFIXES = tuple(_KINDS)


def read_shape(path: str | Path, scale: float | str | None = None) -> Surface:
    """Return the surface in a file, in metres.

    scale: the unit of its lengths, a name ("mm") or metres (0.001). By default metres; glTF and STEP say what theirs
    is, and a scale comes on top. The y axis of glTF, which points upwards, becomes z, as in Blender.
    """
    path = Path(path)
    kind = _KINDS.get(path.suffix.lower())
    if kind is None:
        raise ReadError(f"'{path}': the format of this shape is unknown; known are {', '.join(_KINDS)}.")
    factor = _factor(scale, path)
    if not is_file(path):
        raise ReadError(f"'{path}': the file does not exist.")
    try:
        require_regular(path)
        size = path.stat().st_size
        note_read(path)
        if size > MOST_BYTES:
            raise ReadError(
                f"'{path}' has {size / 1e6:.0f} MB, shapes have {MOST_BYTES / 1e6:.0f} MB at most; make it coarser."
            )
        points, triangles = kind.read(path)
    except OSError as error:
        raise ReadError(f"'{path}' cannot be read: {error.strerror or error}.") from error
    _require_sound(path, points, triangles)
    return Surface.of(path.name, factor * points, triangles)


def _factor(scale: float | str | None, path: Path) -> float:
    if isinstance(scale, str):
        if scale not in LENGTHS:
            raise ReadError(f"'{path}': found scale '{scale}', expected one of {', '.join(LENGTHS)}, or a number [m].")
        return LENGTHS[scale]
    factor = 1.0 if scale is None else float(scale)
    if not (np.isfinite(factor) and factor > 0):
        raise ReadError(f"'{path}': found scale {factor:g}, expected a positive number [m].")
    return factor


def _require_sound(path: Path, points: Array, triangles: IntArray) -> None:
    """Refuse what is not a surface."""
    if not len(triangles):
        raise ReadError(f"'{path}' has no triangles; expected the surface of a part.")
    if len(triangles) > MOST_TRIANGLES:
        raise ReadError(f"'{path}' has {len(triangles)} triangles, expected {MOST_TRIANGLES} at most; make it coarser.")
    low, high = int(triangles.min()), int(triangles.max())
    if low < 0 or high >= len(points):
        raise ReadError(f"'{path}': a triangle names corner {low if low < 0 else high}, there are {len(points)}.")
    if not np.isfinite(points).all():
        raise ReadError(f"'{path}': a corner is not a finite number; the file is damaged.")
    if float(np.abs(points).max()) > 1e15:
        raise ReadError(f"'{path}': a corner is beyond 1e15; the file is damaged.")
