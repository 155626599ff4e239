"""Universal files (.unv) of I-deas, Salome, gmsh and many others: nodes, elements and groups.

A file is a row of datasets, each between two lines "-1" and begun by its number: 2411 and 781 nodes, 2412 and 780
elements, 2420 coordinate systems, 2467, 2477, 2452, 2435 and older ones groups.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path

import numpy as np

from floatframe.arrays import Array, IntArray
from floatframe.errors import ReadError
from floatframe.io.deck import Cells, Mesh
from floatframe.io.import_log import ImportLog, What
from floatframe.io.meshes.cell_orientation import with_usual_sense

# by descriptor: what the element is; its shape follows from its number of nodes
_LINES = {11, 21, 22, 23, 24, 31, 32}
_BEAMS = {21, 22, 23, 24, 31, 32}  # have a record of their own for the orientation
_SURFACES = {*range(41, 49), *range(51, 57), *range(61, 67), *range(71, 77), *range(81, 87), *range(91, 97)}
_SOLIDS = {*range(101, 107), *range(111, 119), 312, 313}
_POINTS = {161}
_SHAPES = {
    "line": {2: "line", 3: "line3"},
    "surface": {3: "triangle", 4: "quad", 6: "triangle6", 8: "quad8"},
    "solid": {
        **{4: "tetra", 5: "pyramid", 6: "wedge", 8: "hexahedron"},
        **{10: "tetra10", 13: "pyramid13", 15: "wedge15", 20: "hexahedron20"},
    },
}
# quadratic elements go round each face, corner and middle in turn; where our nodes stand among theirs
_ORDER = {
    "triangle6": (0, 2, 4, 1, 3, 5),
    "quad8": (0, 2, 4, 6, 1, 3, 5, 7),
    "tetra10": (0, 2, 4, 9, 1, 3, 5, 6, 7, 8),
    "pyramid13": (0, 2, 4, 6, 12, 1, 3, 5, 7, 8, 9, 10, 11),
    "wedge15": (0, 2, 4, 9, 11, 13, 1, 3, 5, 10, 12, 14, 6, 7, 8),
    "hexahedron20": (0, 2, 4, 6, 12, 14, 16, 18, 1, 3, 5, 7, 13, 15, 17, 19, 8, 9, 10, 11),
}
_NODES = {"15", "781", "2411"}
_ELEMENTS = {"780", "2412"}
LOST_DATASETS: dict[str, tuple[What, str]] = {
    **dict.fromkeys(("755", "757", "791"), ("support", "restraints of universal files are not read")),
    **dict.fromkeys(("754", "756"), ("coupling", "constraints of universal files are not read")),
}
_WIDE_GROUPS = {"2435", "2452", "2467", "2477"}  # four numbers an entity, of old ones two
_GROUPS = {*_WIDE_GROUPS, "752", "2417", "2429", "2430", "2432"}
READ_DATASETS = {
    **dict.fromkeys(_NODES, "nodes"),
    **dict.fromkeys(_ELEMENTS, "elements"),
    **dict.fromkeys(_GROUPS, "groups"),
    **{"2420": "coordinate systems", "164": "units, which are reported"},
}
_NODE, _ELEMENT = 7, 8  # kinds of entities in groups
_LARGEST = 10**18  # whole number that is a label


@dataclass
class _File:
    """What has been read so far; lines of elements by descriptor and number of nodes."""

    path: Path
    log: ImportLog
    labels: list[int] = field(default_factory=list)
    places: list[list[float]] = field(default_factory=list)
    system_of: list[int] = field(default_factory=list)
    systems: dict[int, Array] = field(default_factory=dict)
    curved: dict[int, int] = field(default_factory=dict)  # cylindrical and spherical systems -> line
    elements: dict[str, list[tuple[int, int, list[int]]]] = field(default_factory=dict)
    groups: list[tuple[str, list[int], list[int]]] = field(default_factory=list)

    def error(self, text: str, line: int) -> ReadError:
        return ReadError(f"'{self.path}', line {line}: {text}")


@dataclass
class _Lines:
    """The lines of one dataset, taken one by one."""

    file: _File
    first: int  # number of the first line in the file
    lines: list[str]
    at: int = 0

    def __bool__(self) -> bool:
        return self.at < len(self.lines)

    @property
    def number(self) -> int:
        return self.first + self.at - 1

    def take(self) -> str:
        if not self:
            raise self.file.error("a dataset ends in the middle of a record.", self.first + self.at)
        self.at += 1
        return self.lines[self.at - 1]

    def whole(self, count: int = 0) -> list[int]:
        """Return the whole numbers of the next line; at least count of them."""
        line = self.take()
        try:
            found = [int(word) for word in line.split()]
        except ValueError:
            # fields of ten columns may touch each other
            found = self._columns(line)
        if len(found) < count:
            raise self.file.error(f"a record has {len(found)} whole numbers, expected {count}.", self.number)
        if any(abs(value) > _LARGEST for value in found):
            raise self.file.error(f"'{line.strip()[:30]}' has more than 18 digits.", self.number)
        return found

    def _columns(self, line: str) -> list[int]:
        try:
            return [int(line[k : k + 10]) for k in range(0, len(line.rstrip()), 10)]
        except ValueError:
            raise self.file.error(f"'{line.strip()[:30]}' must be whole numbers.", self.number) from None

    def real(self, text: str) -> list[float]:
        """Return the numbers of a text, with D or E as exponent."""
        try:
            found = [float(word) for word in text.upper().replace("D", "E").split()]
        except ValueError:
            found = []
        if not found or not np.isfinite(found).all():
            raise self.file.error(f"'{text.strip()[:30]}' must be numbers.", self.number)
        return found


def read_unv(path: Path, log: ImportLog | None = None) -> Mesh:
    """Return nodes, cells and groups of a universal file."""
    file = _File(path, log or ImportLog(path, "universal file"))
    for kind, lines in _datasets(file):
        if kind in _NODES:
            _read_nodes(lines, kind)
        elif kind in _ELEMENTS:
            _read_elements(lines, kind)
        elif kind in _GROUPS:
            _read_groups(lines, kind)
        elif kind == "2420":
            _read_systems(lines)
        elif kind == "164":
            _tell_units(lines)
        elif kind in LOST_DATASETS:
            file.log.lose(f"dataset {kind}", *LOST_DATASETS[kind], lines.first)
        elif kind != "151":
            file.log.skip(f"dataset {kind}", "it holds neither nodes nor elements nor groups", False, lines.first)
    return with_usual_sense(_mesh(file))


def is_unv(path: Path) -> bool:
    """Whether the first lines are "-1" and the number of a dataset."""
    with path.open("rb") as opened:
        words = opened.read(400).split(None, 2)
    return len(words) > 1 and words[0] == b"-1" and words[1].rstrip(b"b").isdigit()


def _datasets(file: _File) -> Iterator[tuple[str, _Lines]]:
    lines = file.path.read_bytes().decode("latin-1").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    marks = [k for k, line in enumerate(lines) if line.strip() == "-1" and len(line.rstrip()) <= 6]
    for begin, end in zip_longest(marks[::2], marks[1::2], fillvalue=len(lines)):
        kind = lines[begin + 1].strip() if begin + 1 < end else ""
        if end == len(lines) and kind:
            file.log.warn(f"dataset {kind} has no end; the file may be truncated.")
        if kind:
            yield kind, _Lines(file, begin + 3, lines[begin + 2 : end])


def _read_nodes(lines: _Lines, kind: str) -> None:
    file = lines.file
    while lines:
        if kind == "15":
            text = lines.take()
            if not text.strip():
                continue
            head, place = text[:40].split(), lines.real(text[40:])
            if len(head) < 3 or not head[0].isdigit() or not head[1].isdigit():
                raise file.error("a node needs its number and the numbers of its systems.", lines.number)
            label, system = (int(word[:18]) for word in head[:2])
        else:
            label, system = lines.whole(4)[:2]
            place = lines.real(lines.take())
        if len(place) != 3:
            raise file.error(f"node {label} has {len(place)} coordinates, expected three.", lines.number)
        file.labels.append(label)
        file.system_of.append(system)
        file.places.append(place)


def _read_elements(lines: _Lines, kind: str) -> None:
    file = lines.file
    while lines:
        head = lines.whole(8 if kind == "780" else 6)
        label, descriptor, property, count = head[0], head[1], head[3 if kind == "780" else 2], head[-1]
        if not 1 <= count <= 100:
            raise file.error(f"element {label} has {count} nodes.", lines.number)
        if descriptor in _BEAMS:
            lines.take()
        nodes: list[int] = []
        while len(nodes) < count:
            more = lines.whole()
            if not more:
                raise file.error(f"element {label} has {len(nodes)} nodes, expected {count}.", lines.number)
            nodes += more
        if len(nodes) != count:
            raise file.error(f"element {label} has {len(nodes)} nodes, expected {count}.", lines.number)
        shape = _shape(descriptor, count)
        if shape:
            file.elements.setdefault(shape, []).append((label, property, nodes))
        else:
            what: What = "coupling" if descriptor in (121, 122) else "stiffness"
            file.log.lose(f"element {descriptor}", what, f"an element with {count} nodes is not read", lines.number)


def _shape(descriptor: int, count: int) -> str | None:
    if descriptor in _POINTS:
        return "vertex" if count == 1 else None
    for name, family in (("line", _LINES), ("surface", _SURFACES), ("solid", _SOLIDS)):
        if descriptor in family:
            return _SHAPES[name].get(count)
    return None


def _read_groups(lines: _Lines, kind: str) -> None:
    file = lines.file
    size = 4 if kind in _WIDE_GROUPS else 2
    while lines:
        head = lines.whole()
        if not head:
            continue
        name = lines.take().strip() or f"group-{head[0]}"
        members: tuple[list[int], list[int]] = ([], [])
        left = head[-1]
        while left > 0:
            entities = lines.whole(size)
            for k in range(0, len(entities) - size + 1, size):
                if entities[k] in (_NODE, _ELEMENT):
                    members[entities[k] - _NODE].append(entities[k + 1])
                left -= 1
        file.groups.append((name, *members))


def _read_systems(lines: _Lines) -> None:
    lines.whole()
    lines.take()  # name of the part
    while lines:
        head = lines.whole(2)
        lines.take()
        rows = [lines.real(lines.take()) for _ in range(4)]
        if any(len(row) != 3 for row in rows):
            raise lines.file.error("a coordinate system needs four rows of three numbers.", lines.number)
        if head[1] == 0:
            lines.file.systems[head[0]] = np.array(rows)
        else:
            lines.file.curved[head[0]] = lines.number


def _tell_units(lines: _Lines) -> None:
    text = lines.take()
    if text[:10].strip() not in ("", "1"):
        lines.file.log.warn(f"it declares units ({' '.join(text.split())}); set --units if they are not SI.")


def _mesh(file: _File) -> Mesh:
    log = file.log
    if not file.labels or not file.elements:
        what = "nodes (dataset 2411)" if not file.labels else "elements (dataset 2412) that can be read"
        raise ReadError(f"'{file.path}': the universal file holds no {what}.")
    labels, first = np.unique(np.array(file.labels, dtype=np.int64), return_index=True)
    if labels.size < len(file.labels):
        log.warn(f"{len(file.labels) - labels.size} nodes are defined twice; the first of each counts.")
    points = np.array(file.places)[first]
    of = np.array(file.system_of, dtype=np.int64)[first]
    for number, line in file.curved.items():
        if (of == number).any():
            text = f"nodes are given in system {number}, which is cylindrical or spherical; write Cartesian ones."
            raise file.error(text, line)
    for number, rows in file.systems.items():
        inside = of == number
        points[inside] = rows[3] + points[inside] @ rows[:3]
    cells, grouped = [], {label for _, _, elements in file.groups for label in elements}
    for shape, elements in file.elements.items():
        nodes = _rows(np.array([nodes for _, _, nodes in elements], dtype=np.int64), labels, file)
        numbers = np.array([label for label, _, _ in elements], dtype=np.int64)
        groups = {name: np.flatnonzero(np.isin(numbers, members)) for name, _, members in file.groups if members}
        # elements outside all groups have a name by their property
        properties = np.array([property if label not in grouped else -1 for label, property, _ in elements])
        for property in np.unique(properties[properties >= 0]).tolist():
            groups[f"property-{property}"] = np.flatnonzero(properties == property)
        if shape == "line3":
            nodes = _middle_last(nodes, points)
        elif shape in _ORDER:
            nodes = nodes[:, list(_ORDER[shape])]
        cells.append(Cells(shape, nodes, {name: rows for name, rows in groups.items() if rows.size}))
    sets = {name: _known(np.array(nodes, dtype=np.int64), labels) for name, nodes, _ in file.groups if nodes}
    return Mesh(points, tuple(cells), {name: rows for name, rows in sets.items() if rows.size})


def _rows(nodes: IntArray, labels: IntArray, file: _File) -> IntArray:
    rows = np.searchsorted(labels, nodes)
    missing = labels[np.minimum(rows, labels.size - 1)] != nodes
    if missing.any():
        raise ReadError(f"'{file.path}': an element names node {nodes[missing][0]}, which is not defined.")
    return rows


def _known(nodes: IntArray, labels: IntArray) -> IntArray:
    return np.flatnonzero(np.isin(labels, nodes))


def _middle_last(nodes: IntArray, points: Array) -> IntArray:
    """Programs differ in where the middle node of a line stands: it is the one between the other two."""
    x = points[nodes]
    lengths = np.stack([np.linalg.norm(x[:, a] - x[:, b], axis=1) for a, b in ((1, 2), (0, 2), (0, 1))], axis=1)
    order = np.array([[1, 2, 0], [0, 2, 1], [0, 1, 2]])[np.argmax(lengths, axis=1)]
    return np.take_along_axis(nodes, order, axis=1)
