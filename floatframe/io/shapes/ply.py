"""PLY, text and binary: corners with x, y, z, and faces as lists of them."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from floatframe.arrays import Array, IntArray
from floatframe.errors import ReadError

_TYPES = {
    **dict.fromkeys(("char", "int8"), "i1"),
    **dict.fromkeys(("uchar", "uint8"), "u1"),
    **dict.fromkeys(("short", "int16"), "i2"),
    **dict.fromkeys(("ushort", "uint16"), "u2"),
    **dict.fromkeys(("int", "int32"), "i4"),
    **dict.fromkeys(("uint", "uint32"), "u4"),
    **dict.fromkeys(("float", "float32"), "f4"),
    **dict.fromkeys(("double", "float64"), "f8"),
}
_ORDERS = {"ascii": "", "binary_little_endian": "<", "binary_big_endian": ">"}
_CORNERS = ("vertex_indices", "vertex_index")
_LONGEST_HEAD = 100_000  # bytes


class _Property(NamedTuple):
    name: str
    kind: str  # of its values
    length: str = ""  # of the length of a list


class _Element(NamedTuple):
    name: str
    rows: int
    properties: list[_Property]


def read(path: Path) -> tuple[Array, IntArray]:
    """Return corners (n, 3) and triangles (k, 3), polygons cut into fans."""
    content = path.read_bytes()
    try:
        order, elements, start = _head(content)
        values = _Text(content[start:].split()) if not order else _Bytes(content, start, order)
        points, triangles = np.empty((0, 3)), np.empty((0, 3), dtype=np.int64)
        for element in elements:
            rows = values.table(element)
            if element.name == "vertex":
                points = np.column_stack([rows[axis] for axis in "xyz"]).astype(float)
            elif element.name == "face":
                name = next(name for name in _CORNERS if name in rows)
                triangles = _fans(rows[name])
    except (ValueError, KeyError, StopIteration, IndexError, UnicodeDecodeError) as error:
        why = str(error) if type(error) is ValueError else "a list of corners or x, y, z of corners are missing"
        raise ReadError(f"'{path}' is not a PLY file of a surface, or a damaged one: {why}.") from None
    return points, triangles


def _head(content: bytes) -> tuple[str, list[_Element], int]:
    """Return byte order, elements, and where the numbers start."""
    end = content.find(b"end_header", 0, _LONGEST_HEAD)
    if not content.startswith(b"ply") or end < 0:
        raise ValueError("its head does not begin with 'ply' and end with 'end_header'")
    lines = [line.split() for line in content[:end].decode("ascii").splitlines()]
    order, elements = None, []
    for words in lines:
        if words[:1] == ["format"]:
            order = _ORDERS.get(words[1])
        elif words[:1] == ["element"]:
            count = int(words[2])
            # every row takes a byte at least
            if not 0 <= count <= len(content):
                raise ValueError(f"it says that it has {count} rows of '{words[1]}', in {len(content)} bytes")
            elements.append(_Element(words[1], count, []))
        elif words[:2] == ["property", "list"]:
            elements[-1].properties.append(_Property(words[4], _TYPES[words[3]], _TYPES[words[2]]))
        elif words[:1] == ["property"]:
            elements[-1].properties.append(_Property(words[2], _TYPES[words[1]]))
    if order is None:
        raise ValueError(f"its format is not one of {', '.join(_ORDERS)}")
    return order, elements, content.index(b"\n", end) + 1


class _Bytes:
    """Numbers in bytes; elements whose lists are all as long as the first are read at once."""

    def __init__(self, content: bytes, start: int, order: str) -> None:
        self.content, self.at, self.order = content, start, order

    def table(self, element: _Element) -> dict[str, Any]:
        """Return the columns of an element by name, that of a list as a list of arrays or an array (n, length)."""
        if not element.rows:
            return {p.name: np.empty((0, 3) if p.length else 0) for p in element.properties}
        lengths = self._lengths(element)
        kind = np.dtype([field for p in element.properties for field in self._fields(p, lengths.get(p.name))])
        if self.at + kind.itemsize * element.rows <= len(self.content):
            rows = np.frombuffer(self.content, kind, element.rows, self.at)
            if all((rows[f"count of {name}"] == length).all() for name, length in lengths.items()):
                self.at += kind.itemsize * element.rows
                return {p.name: rows[p.name] for p in element.properties}
        elif not lengths:
            raise ValueError(f"it ends within its {element.rows} rows of '{element.name}'")
        columns: dict[str, list[Any]] = {p.name: [] for p in element.properties}
        for _ in range(element.rows):
            for p in element.properties:
                columns[p.name].append(self._value(p))
        return {name: column if name in lengths else np.array(column) for name, column in columns.items()}

    def _fields(self, p: _Property, length: int | None) -> list[tuple[Any, ...]]:
        if length is None:
            return [(p.name, self.order + p.kind)]
        return [(f"count of {p.name}", self.order + p.length), (p.name, self.order + p.kind, (length,))]

    def _lengths(self, element: _Element) -> dict[str, int]:
        """Return the lengths of the lists of the first row."""
        begin, found = self.at, {}
        for p in element.properties:
            value = self._value(p)
            if p.length:
                found[p.name] = len(value)
        self.at = begin
        return found

    def _numbers(self, kind: str, count: int) -> Array:
        size = np.dtype(kind).itemsize * count
        if self.at + size > len(self.content):
            raise ValueError("it ends within its numbers")
        found = np.frombuffer(self.content, self.order + kind, count, self.at)
        self.at += size
        return found

    def _value(self, p: _Property) -> Any:
        if not p.length:
            return self._numbers(p.kind, 1)[0]
        return self._numbers(p.kind, int(self._numbers(p.length, 1)[0]))


class _Text:
    """Numbers in words."""

    def __init__(self, words: list[bytes]) -> None:
        self.words, self.at = words, 0

    def table(self, element: _Element) -> dict[str, Any]:
        """Return the columns of an element by name, that of a list as a list of arrays."""
        columns: dict[str, list[Any]] = {p.name: [] for p in element.properties}
        for _ in range(element.rows):
            for p in element.properties:
                columns[p.name].append(self._take(int(self._take(1)[0])) if p.length else self._take(1)[0])
        lists = [p.name for p in element.properties if p.length]
        return {name: column if name in lists else np.array(column) for name, column in columns.items()}

    def _take(self, count: int) -> list[float]:
        if self.at + count > len(self.words):
            raise ValueError("it ends within its numbers")
        found = [float(word) for word in self.words[self.at : self.at + count]]
        self.at += count
        return found


def _fans(polygons: Any) -> IntArray:
    """Return triangles (k, 3) of polygons."""
    if not len(polygons):
        return np.empty((0, 3), dtype=np.int64)
    if isinstance(polygons, np.ndarray):
        corners = polygons.astype(np.int64)
        fans = [corners[:, [0, k, k + 1]] for k in range(1, corners.shape[1] - 1)]
        return np.concatenate([np.empty((0, 3), dtype=np.int64), *fans])
    found = [(p[0], a, b) for p in polygons for a, b in pairwise(p[1:])]
    return np.array(found, dtype=np.int64).reshape(-1, 3)
