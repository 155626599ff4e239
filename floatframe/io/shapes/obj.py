"""Wavefront OBJ: corners and polygons; normals, textures, materials and groups say nothing about the shape."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np

from floatframe.arrays import Array, IntArray
from floatframe.errors import ReadError


def read(path: Path) -> tuple[Array, IntArray]:
    """Return corners (n, 3) and triangles (k, 3), polygons cut into fans."""
    points: list[list[float]] = []
    triangles: list[tuple[int, int, int]] = []
    with path.open(encoding="utf-8", errors="replace") as lines:
        for number, line in enumerate(lines, start=1):
            words = line.split()
            try:
                if words[:1] == ["v"]:
                    x, y, z = (float(word) for word in words[1:4])
                    points.append([x, y, z])
                elif words[:1] == ["f"]:
                    corners = [_corner(word, len(points)) for word in words[1:]]
                    if len(corners) < 3:
                        raise ValueError
                    triangles += [(corners[0], a, b) for a, b in pairwise(corners[1:])]
            except ValueError:
                expected = "three numbers" if words[0] == "v" else "three corners or more that stand above it"
                raise ReadError(
                    f"'{path}', line {number}: found {line.strip()[:60]!r}, expected {expected}.",
                    path=path,
                    line=number,
                ) from None
    return np.array(points).reshape(-1, 3), np.array(triangles, dtype=np.int64).reshape(-1, 3)


def _corner(word: str, count: int) -> int:
    """Return the row of a corner: "7", "7/1/2", or "-1" for the last one so far."""
    number = int(word.partition("/")[0])
    row = number - 1 if number > 0 else count + number
    if number == 0 or not 0 <= row < count:
        raise ValueError
    return row
