"""Meshes of gmsh (.msh, versions 2 and 4.1, text and binary) with their physical groups.

With Mesh.SaveAll a file also holds elements outside all groups, of every dimension; version 2 writes an element once
for each group it is in. Elements come here once, with all their groups.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from floatframe.arrays import Array, IntArray
from floatframe.errors import ReadError
from floatframe.io.deck import DIMENSION, Cells, Mesh
from floatframe.io.import_log import ImportLog

# places of our nodes among gmsh's, where they differ
_TETRA10 = (*range(8), 9, 8)
_HEX20 = (*range(8), 8, 11, 13, 9, 16, 18, 19, 17, 10, 12, 14, 15)
_WEDGE15 = (*range(6), 6, 9, 7, 12, 14, 13, 8, 10, 11)
_PYRAMID13 = (*range(5), 5, 8, 10, 6, 7, 9, 11, 12)
# number of an element type -> shape, number of nodes, order
TYPES: dict[int, tuple[str, int, tuple[int, ...]]] = {
    **{1: ("line", 2, ()), 2: ("triangle", 3, ()), 3: ("quad", 4, ()), 4: ("tetra", 4, ())},
    **{5: ("hexahedron", 8, ()), 6: ("wedge", 6, ()), 7: ("pyramid", 5, ()), 8: ("line3", 3, ())},
    **{9: ("triangle6", 6, ()), 10: ("quad9", 9, ()), 11: ("tetra10", 10, _TETRA10), 15: ("vertex", 1, ())},
    12: ("hexahedron27", 27, (*_HEX20, *range(20, 27))),
    13: ("wedge18", 18, (*_WEDGE15, *range(15, 18))),
    14: ("pyramid14", 14, (*_PYRAMID13, 13)),
    **{16: ("quad8", 8, ()), 17: ("hexahedron20", 20, _HEX20), 18: ("wedge15", 15, _WEDGE15)},
    19: ("pyramid13", 13, _PYRAMID13),
}
_LARGEST = 1e18  # larger ones are neither node numbers nor coordinates
# of third and higher order: only their numbers of nodes
HIGHER = {20: 9, 21: 10, 22: 12, 23: 15, 24: 15, 25: 21, 26: 4, 27: 5, 28: 6, 29: 20, 30: 35, 31: 56, 92: 64, 93: 125}


@dataclass
class _Content:
    """Numbers of nodes with places, and elements by type: node numbers and physical groups of each."""

    log: ImportLog
    names: dict[tuple[int, int], str] = field(default_factory=dict)  # (dimension, number) -> name
    physical: dict[tuple[int, int], list[int]] = field(default_factory=dict)  # (dimension, entity) -> groups
    labels: list[IntArray] = field(default_factory=list)
    places: list[Array] = field(default_factory=list)
    nodes: dict[int, list[IntArray]] = field(default_factory=dict)
    groups: dict[int, list[tuple[int, list[int]]]] = field(default_factory=dict)  # how many rows, their groups

    def add(self, kind: int, nodes: IntArray, groups: list[int]) -> None:
        self.nodes.setdefault(kind, []).append(nodes)
        self.groups.setdefault(kind, []).append((len(nodes), groups))


class _Numbers:
    """The numbers of one section, taken in order from text or from bytes."""

    def __init__(self, raw: bytes, binary: bool) -> None:
        self.raw, self.binary, self.at = raw, binary, 0
        self.values = np.empty(0) if binary else _numbers(raw)

    def take(self, count: int, kind: str = "i4") -> Array:
        """Return the next numbers; kind: how they are kept in bytes."""
        size = np.dtype(kind).itemsize if self.binary else 1
        if count < 0 or self.at + count * size > (len(self.raw) if self.binary else self.values.size):
            raise ValueError("a section ends before its last number")
        first, self.at = self.at, self.at + count * size
        if self.binary:
            return np.frombuffer(self.raw, kind, count, first)
        return self.values[first : self.at]

    def whole(self, count: int, kind: str = "i4") -> list[int]:
        return [int(value) for value in self.take(count, kind)]


def _numbers(raw: bytes) -> Array:
    values = np.array(raw.split(), dtype=float)
    if not (np.abs(values) < _LARGEST).all():
        raise ValueError("a number is out of range")
    return values


def read_gmsh(path: Path, log: ImportLog | None = None) -> Mesh | None:
    """Return the mesh of a file, or None if it is of a version that is not read here."""
    sections = dict(_sections(path.read_bytes()))
    head = sections.get(b"MeshFormat", b"").split(None, 3)
    if len(head) < 3 or not (head[0].startswith(b"2") or head[0] in (b"4.1", b"4.10")) or head[2] != b"8":
        return None
    binary = head[1] == b"1"
    if binary and len(head) > 3 and not head[3].startswith(b"\x01\x00\x00\x00"):
        return None  # bytes in the other order
    content = _Content(log or ImportLog(path, "gmsh"))
    try:
        _names(content, sections.get(b"PhysicalNames", b""))
        read = _read_2 if head[0].startswith(b"2") else _read_4
        read(content, sections, binary)
        return _mesh(content)
    except (ValueError, IndexError, OverflowError) as error:
        raise ReadError(f"'{path}' cannot be read as gmsh mesh: {error}. Is it damaged or truncated?") from error


def _sections(raw: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = raw.find(b"$")
    while at >= 0:
        line_end = raw.find(b"\n", at)
        name = raw[at + 1 : line_end].strip()
        end = raw.find(b"$End" + name, line_end)
        if line_end < 0 or end < 0:
            return
        yield name, raw[line_end + 1 : end]
        at = raw.find(b"$", end + 4 + len(name))


def _names(content: _Content, raw: bytes) -> None:
    for line in raw.decode("utf-8", errors="replace").splitlines()[1:]:
        words = line.split(None, 2)
        if len(words) == 3:
            content.names[int(words[0]), int(words[1])] = words[2].strip().strip('"')


def _read_2(content: _Content, sections: dict[bytes, bytes], binary: bool) -> None:
    """Version 2: every element has its own groups; the first tag is the physical one."""
    count, _, raw = sections.get(b"Nodes", b"0\n").partition(b"\n")
    if binary:
        table = np.frombuffer(raw, [("label", "<i4"), ("place", "<f8", 3)], int(count))
        content.labels, content.places = [table["label"].astype(np.int64)], [table["place"].astype(float)]
    else:
        values = _numbers(raw).reshape(-1, 4)
        content.labels, content.places = [values[:, 0].astype(np.int64)], [values[:, 1:]]
    count, _, raw = sections.get(b"Elements", b"0\n").partition(b"\n")
    numbers = _Numbers(raw, binary)
    found: dict[tuple[int, tuple[int, ...]], list[int]] = {}
    if binary:
        left = int(count)
        while left > 0:
            kind, many, tags = numbers.whole(3)
            for _ in range(many):
                row = numbers.whole(1 + tags + _width(kind))
                _take(found, kind, row[1:2] if tags else [], row[1 + tags :])
            left -= max(many, 1)
    else:
        for line in raw.splitlines()[: int(count)]:
            row = [int(word) for word in line.split()]
            kind, tags = row[1], row[2]
            nodes = row[3 + tags :]
            if len(nodes) != _width(kind):
                raise ValueError(f"element {row[0]} has {len(nodes)} nodes, expected {_width(kind)}")
            _take(found, kind, row[3:4] if tags else [], nodes)
    alike: dict[tuple[int, tuple[int, ...]], list[tuple[int, ...]]] = {}
    for (kind, members), groups in found.items():
        alike.setdefault((kind, tuple(groups)), []).append(members)
    for (kind, together), rows in alike.items():
        content.add(kind, np.array(rows, dtype=np.int64), list(together))


def _take(found: dict[tuple[int, tuple[int, ...]], list[int]], kind: int, group: list[int], nodes: list[int]) -> None:
    groups = found.setdefault((kind, tuple(nodes)), [])
    groups += [abs(number) for number in group if number]


def _width(kind: int) -> int:
    if kind not in TYPES and kind not in HIGHER:
        raise ValueError(f"element type {kind} is unknown")
    return TYPES[kind][1] if kind in TYPES else HIGHER[kind]


def _read_4(content: _Content, sections: dict[bytes, bytes], binary: bool) -> None:
    """Version 4.1: elements belong to entities of the geometry, and these to groups."""
    if raw := sections.get(b"Entities"):
        _entities(content, _Numbers(raw, binary), partitioned=False)
    if raw := sections.get(b"PartitionedEntities"):
        _entities(content, _Numbers(raw, binary), partitioned=True)
    numbers = _Numbers(sections.get(b"Nodes", b""), binary)
    for _ in range(numbers.whole(4, "<u8")[0]):
        dimension, _, parametric = numbers.whole(3)
        count = numbers.whole(1, "<u8")[0]
        content.labels.append(numbers.take(count, "<u8").astype(np.int64))
        width = 3 + (dimension if parametric else 0)
        content.places.append(numbers.take(count * width, "<f8").reshape(count, width)[:, :3])
    numbers = _Numbers(sections.get(b"Elements", b""), binary)
    for _ in range(numbers.whole(4, "<u8")[0]):
        dimension, entity, kind = numbers.whole(3)
        count, width = numbers.whole(1, "<u8")[0], 1 + _width(kind)
        rows = numbers.take(count * width, "<u8").reshape(count, width).astype(np.int64)
        if count:
            content.add(kind, rows[:, 1:], content.physical.get((dimension, entity), []))


def _entities(content: _Content, numbers: _Numbers, partitioned: bool) -> None:
    if partitioned:
        _, ghosts = numbers.whole(2, "<u8")
        numbers.take(2 * ghosts)
    for dimension, count in enumerate(numbers.whole(4, "<u8")):
        for _ in range(count):
            tag = numbers.whole(1)[0]
            if partitioned:
                numbers.take(2)
                numbers.take(numbers.whole(1, "<u8")[0])
            numbers.take(3 if dimension == 0 else 6, "<f8")
            groups = numbers.whole(numbers.whole(1, "<u8")[0])
            if dimension:
                numbers.take(numbers.whole(1, "<u8")[0])
            content.physical[dimension, tag] = [abs(number) for number in groups]


def _mesh(content: _Content) -> Mesh:
    if not content.labels or not content.nodes:
        raise ValueError("it holds no nodes or no elements")
    labels, first = np.unique(np.concatenate(content.labels), return_index=True)
    points = np.concatenate(content.places)[first]
    cells = []
    for kind, parts in content.nodes.items():
        nodes = np.concatenate(parts)
        if kind in HIGHER:
            reason = f"elements of third or higher order ({nodes.shape[1]} nodes) are not read"
            content.log.lose(f"type {kind}", "stiffness", reason, count=len(nodes))
            continue
        shape, _, order = TYPES[kind]
        rows = np.searchsorted(labels, nodes)
        if (labels[np.minimum(rows, labels.size - 1)] != nodes).any():
            raise ValueError("an element names a node that does not exist")
        ordered = rows[:, list(order)] if order else rows
        cells.append(Cells(shape, ordered, _groups(content, kind, DIMENSION[shape])))
    return Mesh(np.ascontiguousarray(points), tuple(cells), {})


def _groups(content: _Content, kind: int, dimension: int) -> dict[str, IntArray]:
    found: dict[str, list[IntArray]] = {}
    at = 0
    for count, groups in content.groups[kind]:
        for number in dict.fromkeys(groups):
            name = content.names.get((dimension, number), f"physical-{number}")
            found.setdefault(name, []).append(np.arange(at, at + count))
        at += count
    return {name: np.concatenate(rows) for name, rows in found.items()}
