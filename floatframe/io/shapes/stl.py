"""STL, binary and text: triangles one by one, no unit."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from floatframe.arrays import Array, IntArray
from floatframe.errors import ReadError

_HEAD, _TRIANGLE = 84, 50  # bytes
_VERTEX = re.compile(rb"vertex\s+(\S+)\s+(\S+)\s+(\S+)")


def read(path: Path) -> tuple[Array, IntArray]:
    """Return corners (3 k, 3) and triangles (k, 3)."""
    content = path.read_bytes()
    count = int.from_bytes(content[80:84], "little") if len(content) >= _HEAD else -1
    # many binary files begin with "solid" like those of text: only the size says for sure
    if count >= 0 and len(content) == _HEAD + _TRIANGLE * count:
        corners = _binary(content, count)
    elif content.lstrip()[:5].lower() == b"solid" and b"vertex" in content:
        corners = _text(content, path)
    elif count >= 0:
        expected = _HEAD + _TRIANGLE * count
        raise ReadError(
            f"'{path}' is a damaged STL file: {count} triangles take {expected} bytes, it has {len(content)}."
        )
    else:
        raise ReadError(f"'{path}' is not an STL file; it has {len(content)} bytes, a binary one has 84 or more.")
    return corners, np.arange(len(corners)).reshape(-1, 3)


def _binary(content: bytes, count: int) -> Array:
    # normal, three corners, two bytes of attributes
    kind = np.dtype([("numbers", "<f4", (4, 3)), ("attribute", "<u2")])
    return np.frombuffer(content, kind, count, _HEAD)["numbers"][:, 1:].reshape(-1, 3).astype(float)


def _text(content: bytes, path: Path) -> Array:
    found = _VERTEX.findall(content)
    facets = len(re.findall(rb"endfacet", content))
    if len(found) != 3 * facets or b"endsolid" not in content:
        raise ReadError(
            f"'{path}' is a damaged STL file: {len(found)} corners in {facets} facets, expected three in each and "
            "'endsolid' at the end."
        )
    try:
        return np.array(found, dtype="S").astype(float).reshape(-1, 3)
    except ValueError:
        raise ReadError(f"'{path}' is a damaged STL file: a corner is not three numbers.") from None
